package shelf

import (
	"strings"
	"unicode"
)

// StopWords are too common to tell one book from another. "not" and "no" stay: they change the sense.
var StopWords = wordSet(
	"a an and are as at be but by for from has in is it of on or that the to was with")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// Tokenize returns the terms of a text, in order and with repeats. There is no stemming, and accents
// stay as they are: folding them needs a package outside the standard library.
//
// Indexing and searching must both call this function, with the same stop words.
func Tokenize(text string, stopWords map[string]bool) []string {
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_' }
	var terms []string
	for _, word := range strings.FieldsFunc(strings.ToLower(text), between) {
		if !stopWords[word] {
			terms = append(terms, word)
		}
	}
	return terms
}
