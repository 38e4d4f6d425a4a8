package shelf

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
)

var chunks = map[string]string{
	"c1": "sign the session key",
	"c2": "session expired, new session",
	"c3": "retry after the server is unavailable",
	"c4": "the key opens the old shelf behind the front desk",
}

func fourChunks() *TermIndex {
	index := NewTermIndex(nil)
	for key, text := range chunks {
		index.Add(key, text)
	}
	return index
}

func TestIDFOfATermInHalfOfTheChunks(t *testing.T) {
	// 1 + (4 - 2 + 0.5) / (2 + 0.5) = 2
	if got := fourChunks().IDF("session"); got != math.Ln2 {
		t.Errorf("IDF = %v, want ln 2", got)
	}
}

func TestSearchGivesTheScoresComputedByHand(t *testing.T) {
	hits, err := fourChunks().Search("session key", 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, hit := range hits {
		got = append(got, fmt.Sprintf("%s %d %.4f", hit.Key, hit.Rank, hit.Score))
	}
	want := []string{"c1 1 1.6309", "c2 2 1.1090", "c4 3 0.5332"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSearchBreaksTiesByKeyAtTheCut(t *testing.T) {
	index := NewTermIndex(StopWords)
	for _, key := range []string{"b", "a", "c"} {
		index.Add(key, "kettle")
	}
	hits, err := index.Search("kettle", 2)
	if err != nil || len(hits) != 2 || hits[0].Key != "a" || hits[1].Key != "b" {
		t.Errorf("got %v, %v", hits, err)
	}
}

func TestSearchRefusesAQueryOfStopWords(t *testing.T) {
	if _, err := NewTermIndex(StopWords).Search("the of and", 5); !errors.Is(err, ErrInvalidQuery) {
		t.Errorf("got %v", err)
	}
}

func TestRemoveLeavesNoTrace(t *testing.T) {
	index := fourChunks()
	index.Remove("c2")
	if index.Len() != 3 || len(index.postings["expired"]) != 0 {
		t.Fatalf("%d texts, postings %v", index.Len(), index.postings["expired"])
	}
	index.Add("c2", chunks["c2"])
	if !reflect.DeepEqual(index, fourChunks()) {
		t.Error("adding the text again does not restore the index")
	}
}
