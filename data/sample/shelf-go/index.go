package shelf

import (
	"fmt"
	"math"
	"sort"
)

// BM25 settings: K1 says how slowly repeats lose their worth, B how much length matters.
const (
	K1 = 1.5
	B  = 0.75
)

// IndexHit is one entry of a ranked list. Rank counts from 1; Parts holds the share of each term.
type IndexHit struct {
	Key   string
	Rank  int
	Score float64
	Parts map[string]float64
}

// TermIndex is a small inverted index that ranks by BM25. It is not safe for concurrent changes.
type TermIndex struct {
	stopWords map[string]bool
	postings  map[string]map[string]int
	lengths   map[string]int
	total     int
}

// NewTermIndex returns an empty index that leaves out the given words, in texts and in queries.
func NewTermIndex(stopWords map[string]bool) *TermIndex {
	return &TermIndex{
		stopWords: stopWords,
		postings:  map[string]map[string]int{},
		lengths:   map[string]int{},
	}
}

// Len returns the number of indexed texts.
func (index *TermIndex) Len() int { return len(index.lengths) }

// Add indexes a text under a key; an earlier text of that key is replaced in full.
func (index *TermIndex) Add(key, text string) {
	index.Remove(key)
	terms := Tokenize(text, index.stopWords)
	index.lengths[key] = len(terms)
	index.total += len(terms)
	for _, term := range terms {
		if index.postings[term] == nil {
			index.postings[term] = map[string]int{}
		}
		index.postings[term][key]++
	}
}

// Remove forgets a key in every posting list; an emptied list goes too, or IDF would see a ghost.
func (index *TermIndex) Remove(key string) {
	length, known := index.lengths[key]
	if !known {
		return
	}
	delete(index.lengths, key)
	index.total -= length
	for term, keys := range index.postings {
		delete(keys, key)
		if len(keys) == 0 {
			delete(index.postings, term)
		}
	}
}

// IDF returns ln(1 + (N - n + 0.5) / (n + 0.5)), where n of the N texts have the term.
func (index *TermIndex) IDF(term string) float64 {
	n := float64(len(index.postings[term]))
	return math.Log(1 + (float64(index.Len())-n+0.5)/(n+0.5))
}

// Search returns at most depth hits, best first; equal scores in key order, and no hit with score 0.
// The error is ErrInvalidQuery if depth is below 1 or the query has no terms.
func (index *TermIndex) Search(query string, depth int) ([]IndexHit, error) {
	if depth < 1 {
		return nil, fmt.Errorf("%w: depth=%d must be 1 or more", ErrInvalidQuery, depth)
	}
	terms := Tokenize(query, index.stopWords)
	if len(terms) == 0 {
		return nil, fmt.Errorf("%w: query=%q has no terms after analysis", ErrInvalidQuery, query)
	}
	found := map[string]*IndexHit{}
	for _, term := range terms {
		for key, count := range index.postings[term] {
			if found[key] == nil {
				found[key] = &IndexHit{Key: key, Parts: map[string]float64{}}
			}
			part := index.termScore(term, key, float64(count))
			found[key].Parts[term] += part
			found[key].Score += part
		}
	}
	hits := make([]IndexHit, 0, len(found))
	for _, hit := range found {
		hits = append(hits, *hit)
	}
	sort.Slice(hits, func(i, j int) bool {
		if hits[i].Score != hits[j].Score {
			return hits[i].Score > hits[j].Score
		}
		return hits[i].Key < hits[j].Key
	})
	if len(hits) > depth {
		hits = hits[:depth]
	}
	for place := range hits {
		hits[place].Rank = place + 1
	}
	return hits, nil
}

func (index *TermIndex) termScore(term, key string, count float64) float64 {
	average := float64(index.total) / float64(index.Len())
	lengthNorm := 1 - B + B*float64(index.lengths[key])/average
	return index.IDF(term) * count * (K1 + 1) / (count + K1*lengthNorm)
}
