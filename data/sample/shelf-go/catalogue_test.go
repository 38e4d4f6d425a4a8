package shelf

import (
	"errors"
	"testing"
)

func small(t *testing.T) *Catalogue {
	t.Helper()
	catalogue := NewCatalogue()
	for _, record := range []Record{
		{ISBN: "978-0-306-40615-7", Title: "Thermal Physics of Kettles", Year: 1998},
		{ISBN: "9780000000002", Title: "Letters from the Lighthouse", Year: 2011,
			Summary: "A keeper writes about storms, physics and tea."},
	} {
		if err := catalogue.Add(record); err != nil {
			t.Fatal(err)
		}
	}
	return catalogue
}

func TestSearchFiltersBeforeTheCut(t *testing.T) {
	results, err := small(t).Search("physics", 1, func(r Record) bool { return r.Year == 2011 })
	if err != nil || len(results) != 1 || results[0].Rank != 1 || results[0].Record.Year != 2011 {
		t.Errorf("got %v, %v", results, err)
	}
}

func TestRemoveForgetsRecordAndIndexEntry(t *testing.T) {
	catalogue := small(t)
	if err := catalogue.Remove("9780306406157"); err != nil {
		t.Fatal(err)
	}
	if _, err := catalogue.Get("9780306406157"); !errors.Is(err, ErrRecordNotFound) {
		t.Errorf("got %v", err)
	}
	if results, _ := catalogue.Search("physics", 5, nil); len(results) != 1 {
		t.Errorf("got %v", results)
	}
}

func TestNormalizeISBN(t *testing.T) {
	if got, err := NormalizeISBN("978-0-306-40615-7"); got != "9780306406157" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	for _, text := range []string{"", "978030640615", "9780306406151", "97803064o6157"} {
		if _, err := NormalizeISBN(text); !errors.Is(err, ErrInvalidRecord) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}
