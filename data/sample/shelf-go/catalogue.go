// Package shelf is a small library catalogue, its search index and its client.
package shelf

import (
	"fmt"
	"strings"
)

// SearchResult is a record with its place in the answer. Rank counts from 1.
type SearchResult struct {
	Record Record  `json:"record"`
	Rank   int     `json:"rank"`
	Score  float64 `json:"score"`
}

// Catalogue holds records by ISBN and an index over their text, kept in step by Add and Remove.
type Catalogue struct {
	records map[string]Record
	index   *TermIndex
}

// NewCatalogue returns an empty catalogue.
func NewCatalogue() *Catalogue {
	return &Catalogue{records: map[string]Record{}, index: NewTermIndex(StopWords)}
}

// Len returns the number of records.
func (catalogue *Catalogue) Len() int { return len(catalogue.records) }

// Add adds a record, or replaces the one with the same ISBN.
func (catalogue *Catalogue) Add(record Record) error {
	isbn, err := NormalizeISBN(record.ISBN)
	if err != nil {
		return err
	}
	if strings.TrimSpace(record.Title) == "" {
		return fmt.Errorf("%w: the record with isbn=%s has no title", ErrInvalidRecord, isbn)
	}
	record.ISBN = isbn
	catalogue.records[isbn] = record
	catalogue.index.Add(isbn, record.SearchableText())
	return nil
}

// Get returns the record with this ISBN, with or without hyphens, or ErrRecordNotFound.
func (catalogue *Catalogue) Get(isbn string) (Record, error) {
	key, err := NormalizeISBN(isbn)
	if err != nil {
		return Record{}, err
	}
	record, known := catalogue.records[key]
	if !known {
		return Record{}, fmt.Errorf("%w: isbn=%s", ErrRecordNotFound, key)
	}
	return record, nil
}

// Remove removes a record from the store and from the index.
func (catalogue *Catalogue) Remove(isbn string) error {
	record, err := catalogue.Get(isbn)
	if err != nil {
		return err
	}
	delete(catalogue.records, record.ISBN)
	catalogue.index.Remove(record.ISBN)
	return nil
}

// Search returns at most topK results, best first. keep filters before the cut to topK, so that a
// narrow filter does not starve the answer; nil keeps all.
func (catalogue *Catalogue) Search(
	query string, topK int, keep func(Record) bool,
) ([]SearchResult, error) {
	if topK < 1 {
		return nil, fmt.Errorf("%w: topK=%d must be 1 or more", ErrInvalidQuery, topK)
	}
	hits, err := catalogue.index.Search(query, catalogue.Len()+1)
	if err != nil {
		return nil, err
	}
	var results []SearchResult
	for _, hit := range hits {
		record := catalogue.records[hit.Key]
		if len(results) < topK && (keep == nil || keep(record)) {
			results = append(results, SearchResult{record, len(results) + 1, hit.Score})
		}
	}
	return results, nil
}
