"""What Go packages define, and whom they mean: a small module with every trap."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brainkit.extract.code import code_facts
from brainkit.extract.facts import Facts, Target

Relations = set[tuple[str, str, str]]

BOOK = """package book

import "time"

const (
	MaxLoans = 3
	DefaultDays int = 14
)

// Lender is what lends. Not a call: New("x").
type Lender interface {
	Lend(id int) (*Book, error)
}

type Base struct{ log []string }

func (b *Base) Log(line string) {}

type Book struct {
	Base
	Author *Author
	tags   map[string]*Tag
	due    time.Time
}

type Author struct{ Name string }

func (a Author) Full() string { return "a.Name()" }

type Tag struct{}

func (t *Tag) Label() string { return "" }

func New(title string) *Book { return &Book{} }

func Find(id int) (*Book, error) { return nil, nil }

func All() []*Book { return nil }

func (b *Book) Close() error { return nil }

func (b *Book) Tag(name string) *Tag { return b.tags[name] }
"""
HELP = """package main

type Page struct{}

func (p *Page) Close() error { return nil }

func help(topic string) *Page { return &Page{} }
"""


@pytest.fixture(scope="module")
def inside(relations_of: Callable[..., Relations]) -> Callable[[str], Relations]:
    """Relations of the package main in cmd/lend, with the package book beside it."""

    def relations(body: str, imports: str = '"example.org/books/book"') -> Relations:
        files = {
            "book/book.go": BOOK,
            "cmd/lend/help.go": HELP,
            "cmd/lend/main.go": f"package main\n\nimport {imports}\n\n{body}\n",
        }
        return {
            (subject.removeprefix("cmd.lend."), predicate, object_.removeprefix("cmd.lend."))
            for subject, predicate, object_ in relations_of(files, language="go")
            if subject.startswith("cmd.lend.") and not subject.startswith("cmd.lend.help")
        }

    return relations


def facts_of(text: str, relative: str = "store/shelf.go") -> Facts:
    found = code_facts(text, language="go", relative=relative, chunk_of=lambda row: (row,))
    assert found is not None
    return found


def test_methods_belong_to_their_receiver_and_the_package_is_the_folder() -> None:
    facts = facts_of(
        """package store
const Max, Min = 3, 1
var shared = &Shelf{}
type Shelf[T any] struct {
	size int
	first *Slot
	all []Slot
}
type Slot struct{}
type Lender interface {
	Lend(id int) (Slot, error)
}
type Handler func(*Slot) error
type Old = Slot
func New() (*Shelf[int], error) { func() {}(); type local struct{}; return nil, nil }
func (s *Shelf[T]) Lend(id int) Slot {
	return s.all[id]
}
func (Slot) Free() {}
"""
    )
    assert (facts.family, facts.module) == ("go", "store")
    assert {one.path: (one.kind, one.chunks) for one in facts.named} == {
        "": ("package", (0,)),
        "Max": ("constant", (1,)),
        "Min": ("constant", (1,)),
        "shared": ("variable", (2,)),
        "Shelf": ("struct", (3, 4, 5, 6, 7)),
        "Slot": ("struct", (8,)),
        "Lender": ("interface", (9, 10, 11)),
        "Lender.Lend": ("method", (10,)),
        "Handler": ("type", (12,)),
        "Old": ("type", (13,)),
        "New": ("function", (14,)),
        "Shelf.Lend": ("method", (15, 16, 17)),
        "Slot.Free": ("method", (18,)),
    }
    assert dict(facts.bindings) == {
        "shared": Target("file", "Shelf.()"),
        "Shelf.first": Target("file", "Slot.()"),
        "Shelf.all[]": Target("file", "Slot.()"),
        "Lender.Lend.()": Target("file", "Slot.()"),
        "Old": Target("file", "Slot"),
        "New.()": Target("file", "Shelf.()"),
        "Shelf.Lend.()": Target("file", "Slot.()"),
    }


@pytest.mark.parametrize(
    ("relative", "clause", "module"),
    [
        ("store/shelf.go", "store", "store"),
        ("store/shelf_test.go", "store_test", "store_test"),
        ("gin.go", "gin", "gin"),
        ("cmd/lend/main.go", "main", "cmd.lend"),
    ],
)
def test_the_root_is_called_as_its_package_clause_says(
    relative: str, clause: str, module: str
) -> None:
    assert facts_of(f"package {clause}\n", relative).module == module


def test_values_of_known_types_have_their_methods(inside: Callable[[str], Relations]) -> None:
    assert inside(
        """func run(given *book.Book, many ...*book.Book) {
	made := book.New("x")
	made.Close()
	found, err := book.Find(1)
	found.Log(err.Error())
	for _, one := range book.All() {
		one.Author.Full()
	}
	given.Tag("a").Label()
	many[0].Close()
	var typed book.Lender
	typed.Lend(book.MaxLoans)
	p := help("New()")
	p.Close()
}"""
    ) == {
        ("run", "uses", "book.Book"),
        ("run", "calls", "book.New"),
        ("run", "calls", "book.Book.Close"),
        ("run", "calls", "book.Find"),
        ("run", "calls", "book.Base.Log"),
        ("run", "calls", "book.All"),
        ("run", "calls", "book.Author.Full"),
        ("run", "calls", "book.Book.Tag"),
        ("run", "calls", "book.Tag.Label"),
        ("run", "uses", "book.Lender"),
        ("run", "calls", "book.Lender.Lend"),
        ("run", "uses", "book.MaxLoans"),
        ("run", "calls", "help"),
        ("run", "calls", "Page.Close"),
    }


def test_what_is_shadowed_or_of_unknown_type_is_left_out(
    inside: Callable[[str], Relations],
) -> None:
    assert (
        inside(
            """func run(help func(string) string, x interface{ Close() error }) {
	help("topic")
	x.Close()
	book := struct{ New func(string) }{}
	book.New("x")
	// help.Close()
	_ = "book.New(1)"
	switch v := any(x).(type) {
	case int, string:
		v.Close()
	}
}"""
        )
        == set()
    )


def test_a_name_is_shadowed_only_in_its_block(inside: Callable[[str], Relations]) -> None:
    assert inside(
        """func run() {
	if help := 1; help > 0 {
		help.Close()
	}
	for book := 0; book < 3; book++ {
		book.New("x")
	}
	func(p *book.Tag) { p.Label() }(nil)
	help("")
}"""
    ) == {
        ("run", "uses", "book.Tag"),
        ("run", "calls", "book.Tag.Label"),
        ("run", "calls", "help"),
    }


def test_a_case_of_a_type_switch_knows_the_type(inside: Callable[[str], Relations]) -> None:
    assert inside(
        """func run(x any) {
	switch v := x.(type) {
	case *Page:
		v.Close()
	case book.Author:
		v.Full()
	}
	x.(*book.Book).Close()
	if page, ok := x.(*Page); ok { page.Close() }
}"""
    ) == {
        ("run", "uses", "Page"),
        ("run", "calls", "Page.Close"),
        ("run", "uses", "book.Author"),
        ("run", "calls", "book.Author.Full"),
        ("run", "uses", "book.Book"),
        ("run", "calls", "book.Book.Close"),
    }


def test_embedding_inherits_and_only_a_declared_interface_is_implemented(
    inside: Callable[[str], Relations],
) -> None:
    assert inside(
        """type Copy struct {
	*book.Book
	Page
	count int
}
type Both interface { book.Lender; Close() error }
var _ book.Lender = (*Copy)(nil)
type Like struct{}
func (l Like) Lend(id int) (*book.Book, error) { return nil, nil }
func (c *Copy) run() { c.Log(""); c.Page.Close(); c.Author.Full() }"""
    ) == {
        ("Copy", "inherits", "book.Book"),
        ("Copy", "inherits", "Page"),
        ("Both", "inherits", "book.Lender"),
        ("Copy", "implements", "book.Lender"),
        ("Like.Lend", "uses", "book.Book"),
        ("Copy.run", "calls", "book.Base.Log"),
        ("Copy.run", "calls", "Page.Close"),
        ("Copy.run", "calls", "book.Author.Full"),
    }


def test_literals_conversions_and_functions_handed_on_are_used(
    inside: Callable[[str], Relations],
) -> None:
    assert inside(
        """var table = map[string]func(string) *Page{"help": help}
type title string
func run(p *Page) {
	b := &book.Book{Author: &book.Author{Name: "Author()"}}
	b.Tag("x")
	_ = title("x")
	new(Page).Close()
	register(p.Close, help)
}
func register(f func() error, g func(string) *Page) {}"""
    ) == {
        ("table", "uses", "Page"),
        ("table", "uses", "help"),
        ("run", "uses", "Page"),
        ("run", "uses", "book.Book"),
        ("run", "uses", "book.Author"),
        ("run", "calls", "book.Book.Tag"),
        ("run", "uses", "title"),
        ("run", "calls", "Page.Close"),
        ("run", "calls", "register"),
        ("run", "uses", "Page.Close"),
        ("run", "uses", "help"),
        ("register", "uses", "Page"),
    }


def test_imports_go_by_alias_and_by_the_end_of_their_path(
    relations_of: Callable[..., Relations],
) -> None:
    relations = relations_of(
        {
            "shelf.go": "package shelf\nfunc Open() {}\n",
            "internal/json/json.go": "package json\nfunc Marshal() {}\n",
            "cmd/main.go": """package main
import (
	"encoding/json"
	top "github.com/acme/shelf/v2"
	mine "github.com/acme/shelf/v2/internal/json"
	_ "github.com/other/driver"
)
func main() {
	json.Marshal()
	top.Open()
	mine.Marshal()
}
""",
        },
        language="go",
    )
    assert relations == {
        ("cmd", "imports", "encoding/json"),
        ("cmd", "imports", "shelf"),
        ("cmd", "imports", "internal.json"),
        ("cmd", "imports", "github.com/other/driver"),
        ("cmd.main", "calls", "shelf.Open"),
        ("cmd.main", "calls", "internal.json.Marshal"),
    }
