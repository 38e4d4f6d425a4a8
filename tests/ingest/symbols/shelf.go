//go:build linux

// Package shelf lends books.
//
// It is small.
package shelf

import "fmt"

import (
	"context"
	str "strings"

	_ "example.org/books/v2"
)

// Limit is how many.
const Limit = 3

const (
	Open State = iota
	Closed
)

var ErrLent = fmt.Errorf("lent")

// State says whether it is open.
type State int

// Shelf holds books.
// It is not safe for goroutines.
type Shelf[T any] struct {
	Name  string `json:"name"`
	books []T
}

type (
	// Lender lends.
	Lender interface {
		Lend(ctx context.Context, id int) (string, error)
		fmt.Stringer
	}

	// ID names a book.
	ID = string

	Pair struct {
		A, B int
	}
)

type Handler func(id int) error

// New makes a shelf,
// empty.
func New[T any](name string) *Shelf[T] {
	return &Shelf[T]{Name: name}
}

// Lend lends one.
func (s *Shelf[T]) Lend(ctx context.Context, id int) (string, error) {
	f := func(n int) int {
		return n + 1
	}
	return str.ToUpper(fmt.Sprint(f(id))), nil
}

func (State) String() string { return "state" }

func (
	s State,
) Long(
	a int, // how many
	b ...string,
) (
	n int, err error,
) {
	return a, nil
}

/*
Block comments document too.
*/
func init() {
	fmt.Println("init")
}

func external(a uintptr) int

func main() {
	var s Shelf[int]
	_ = s
}
