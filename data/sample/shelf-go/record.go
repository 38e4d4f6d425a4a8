package shelf

import (
	"fmt"
	"strings"
)

const isbnLength = 13

// Record is a book as the catalogue knows it.
type Record struct {
	ISBN     string   `json:"isbn"`
	Title    string   `json:"title"`
	Authors  []string `json:"authors"`
	Year     int      `json:"year,omitempty"`
	Subjects []string `json:"subjects"`
	Summary  string   `json:"summary"`
}

// SearchableText returns what the index sees. ISBN and year are looked up, not searched.
func (record Record) SearchableText() string {
	lines := append([]string{record.Title}, record.Authors...)
	lines = append(lines, record.Subjects...)
	return strings.Join(append(lines, record.Summary), "\n")
}

// ISBNCheckDigit returns the thirteenth digit: weights 1 and 3 in turn, topped up to a multiple of
// ten. Its argument must be twelve ASCII digits.
func ISBNCheckDigit(firstTwelve string) int {
	total := 0
	for place := 0; place < len(firstTwelve); place++ {
		weight := 1
		if place%2 == 1 {
			weight = 3
		}
		total += weight * int(firstTwelve[place]-'0')
	}
	return (10 - total%10) % 10
}

// NormalizeISBN strips hyphens and blanks and checks the last digit, so that one book has one key.
func NormalizeISBN(text string) (string, error) {
	digits := strings.NewReplacer("-", "", " ", "").Replace(text)
	notDigit := func(r rune) bool { return r < '0' || r > '9' }
	if len(digits) != isbnLength || strings.IndexFunc(digits, notDigit) >= 0 {
		return "", fmt.Errorf("%w: isbn=%q does not have %d digits", ErrInvalidRecord, text, isbnLength)
	}
	right := ISBNCheckDigit(digits[:isbnLength-1])
	if int(digits[isbnLength-1]-'0') != right {
		return "", fmt.Errorf("%w: isbn=%q should end in %d", ErrInvalidRecord, text, right)
	}
	return digits, nil
}
