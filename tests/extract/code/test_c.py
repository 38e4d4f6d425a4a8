"""What C and C++ files define, and whom they mean: a small library with every trap."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brainkit.extract.code import code_facts
from brainkit.extract.facts import Facts, Target

Relations = set[tuple[str, str, str]]

SHELF_H = """#ifndef SHELF_H
#define SHELF_H
#define SHELF_MAX 3
#define SHELF_OPEN(name) shelf_open(name, SHELF_MAX)
typedef struct book {
    struct author *author;
    struct book *next;
} book_t;
struct author { const char *name; };
enum state { SHELF_CLOSED, SHELF_FULL };
typedef struct shelf shelf;
extern struct book first_book;
struct shelf *shelf_open(const char *name, int max);
book_t *shelf_find(shelf *s, int id);
void shelf_close(shelf *s);
void lend_all(shelf *s);
#endif
"""
SHELF_C = """#include "shelf.h"
struct shelf { book_t *books; int (*compare)(int); };
static int check(shelf *s) { return 0; }
struct shelf *shelf_open(const char *name, int max) { return 0; }
book_t *shelf_find(shelf *s, int id) { check(s); return s->books; }
void shelf_close(shelf *s) {}
struct book first_book;
"""
LEND_C = """#include <string.h>
#include "../include/shelf.h"
static int check(int x) { return x; }
void lend_all(shelf *s) { check(1); }
"""


def facts_of(text: str, relative: str = "src/shelf.cc", language: str = "cpp") -> Facts:
    found = code_facts(text, language=language, relative=relative, chunk_of=lambda row: (row,))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def main_c(relations_of: Callable[..., Relations]) -> Callable[[str], Relations]:
    """Relations of src/main.c, which includes the header of a library in another folder."""

    def relations(source: str) -> Relations:
        files = {
            "include/shelf.h": SHELF_H,
            "include/shelf.c": SHELF_C,
            "src/lend.c": LEND_C,
            "src/main.c": f'#include "shelf.h"\n{source}\n',
        }
        return {
            (
                subject.removeprefix("main."),
                predicate,
                object_.removeprefix("include.").removeprefix("main."),
            )
            for subject, predicate, object_ in relations_of(files, language="c")
            if subject.startswith("main")
        }

    return relations


def test_definitions_of_c() -> None:
    facts = facts_of(SHELF_H, "include/shelf.h", "c")
    assert (facts.family, facts.module) == ("c", "include.shelf")
    assert {one.path: (one.kind, one.chunks) for one in facts.named} == {
        "": ("module", (0,)),
        "SHELF_MAX": ("constant", (2, 3)),
        "SHELF_OPEN": ("macro", (3, 4)),
        "book": ("struct", (4, 5, 6, 7)),
        "author": ("struct", (8,)),
        "SHELF_CLOSED": ("constant", (9,)),
        "SHELF_FULL": ("constant", (9,)),
        "state": ("enum", (9,)),
        "shelf": ("struct", (10,)),
        "first_book": ("variable", (11,)),
        "shelf_open": ("function", (12,)),
        "shelf_find": ("function", (13,)),
        "shelf_close": ("function", (14,)),
        "lend_all": ("function", (15,)),
    }
    assert dict(facts.named[3].aliases) == {"book_t": 1.0}
    assert facts.bindings["book_t"] == Target("file", "book")
    assert facts.bindings["book.next"] == Target("file", "book.()")
    assert facts.bindings["shelf_find.()"] == Target("file", "book_t.()")


def test_a_function_declared_in_a_header_is_what_a_source_defines(
    read_files: Callable[..., list[object]], graph_of: Callable[..., object]
) -> None:
    files = {"include/shelf.h": SHELF_H, "include/shelf.c": SHELF_C, "src/lend.c": LEND_C}
    graph = graph_of(read_files(files, language="c"))
    named = [one for one in graph.entities if one.name.endswith(("lend_all", "check", "_close"))]
    # "check" is static in both sources; "lend_all" is at home where its body is.
    assert {one.name for one in named} == {
        "include.shelf.check",
        "include.shelf.shelf_close",
        "lend.check",
        "lend.lend_all",
    }


def test_calls_go_through_includes(main_c: Callable[[str], Relations]) -> None:
    assert main_c(
        """static int local(void) { return SHELF_MAX; }
int main(int argc, char **argv) {
    shelf *s = SHELF_OPEN("shelf_close(s)");
    /* shelf_find(s, 1); */
    book_t *b = shelf_find(s, local());
    b->next->author;
    if (SHELF_FULL) shelf_close(s);
    lend_all(s);
    unknown(s);
    return 0;
}"""
    ) == {
        ("main", "imports", "shelf"),
        ("local", "uses", "shelf.SHELF_MAX"),
        ("main", "uses", "shelf.shelf"),
        ("main", "calls", "shelf.SHELF_OPEN"),
        ("main", "uses", "shelf.book"),
        ("main", "calls", "shelf.shelf_find"),
        ("main", "calls", "local"),
        ("main", "uses", "shelf.SHELF_FULL"),
        ("main", "calls", "shelf.shelf_close"),
        ("main", "calls", "lend.lend_all"),
    }


def test_a_local_name_hides_a_function(main_c: Callable[[str], Relations]) -> None:
    assert main_c(
        """int run(int (*shelf_close)(shelf *), int shelf_find) {
    int lend_all = 1;
    shelf_close(0);
    { int (*shelf_open)(int) = 0; shelf_open(lend_all + shelf_find); }
    return first_book.next != 0;
}"""
    ) == {
        ("main", "imports", "shelf"),
        ("run", "uses", "shelf.first_book"),
    }


def test_each_variable_has_only_its_own_value(main_c: Callable[[str], Relations]) -> None:
    assert main_c(
        """struct handler { void (*close)(shelf *); };
struct handler one = { .close = shelf_close }, two = { lend_all };"""
    ) == {
        ("main", "imports", "shelf"),
        ("one", "uses", "handler"),
        ("one", "uses", "shelf.shelf_close"),
        ("two", "uses", "handler"),
        ("two", "uses", "lend.lend_all"),
    }


BOOK_H = """#pragma once
#include <string>
namespace lib {
class LIB_API Reader { public: void read(); };
class Book : public Reader {
 public:
  explicit Book(int id);
  virtual ~Book();
  Author* author() const;
  std::unique_ptr<Author> make();
  static Book* open(int id);
  bool operator==(const Book& other) const;
  void lend();
 private:
  Author* author_;
  std::vector<std::unique_ptr<Author>> all_;
  int lent_ GUARDED_BY(mutex_);
};
class Author { public: void name(); };
namespace text { void trim(int a); void trim(char a); }
template <typename T> T twice(T x) { return x; }
constexpr int kMax = 3;
enum class State { Open, Closed };
using Id = Book;
}
"""


@pytest.fixture(scope="module")
def shelf_cc(relations_of: Callable[..., Relations]) -> Callable[[str], Relations]:
    """Relations of src/shelf.cc, which includes <lib/book.h> of include/lib."""

    def relations(source: str) -> Relations:
        files = {
            "include/lib/book.h": BOOK_H,
            "src/shelf.cc": f"#include <lib/book.h>\n{source}\n",
        }
        return {
            (
                subject.removeprefix("shelf."),
                predicate,
                object_.removeprefix("include.lib.book.").removeprefix("shelf."),
            )
            for subject, predicate, object_ in relations_of(files, language="cpp")
            if predicate != "imports" and not (subject.startswith("include.") and source == "")
        }

    return relations


def test_definitions_of_cpp() -> None:
    facts = facts_of(BOOK_H, "include/lib/book.h")
    assert {one.path: one.kind for one in facts.named} == {
        "": "module",
        "lib::Reader": "class",
        "lib::Reader.read": "method",
        "lib::Book": "class",
        "lib::Book.author": "method",
        "lib::Book.make": "method",
        "lib::Book.open": "method",
        "lib::Book.lend": "method",
        "lib::Author": "class",
        "lib::Author.name": "method",
        "lib::text::trim": "function",
        "lib::twice": "function",
        "lib::kMax": "constant",
        "lib::State": "enum",
        "lib::State.Open": "constant",
        "lib::State.Closed": "constant",
        "lib::Id": "type",
    }
    lend = next(one for one in facts.named if one.path == "lib::Book.lend")
    assert (lend.name, lend.aliases) == (
        "lend",
        (("Book.lend", 0.9), ("Book::lend", 0.9), ("lib::Book::lend", 0.9)),
    )


OWN = {
    ("include.lib.book.lib::Book", "inherits", "lib::Reader"),
    ("include.lib.book.lib::Book", "uses", "lib::Author"),
    ("include.lib.book.lib::Book.author", "uses", "lib::Author"),
    ("include.lib.book.lib::Book.make", "uses", "lib::Author"),
    ("include.lib.book.lib::Id", "uses", "lib::Book"),
}
"""What the header itself says."""


def test_methods_stand_inside_and_outside_of_their_class(
    shelf_cc: Callable[[str], Relations],
) -> None:
    assert shelf_cc(
        """namespace lib {
Book::Book(int id) : author_(new Author()) { lend(); }
void Book::lend() {
  this->author()->name();
  author_->name();
  all_[0]->name();
  for (auto& one : all_) one->name();
  make()->name();
  make().name();
  text::trim(kMax);
  read();
  std::lend();
  other.lend();
}
}"""
    ) - OWN == {
        ("include.lib.book.lib::Book", "calls", "lib::Book.lend"),
        ("include.lib.book.lib::Book.lend", "calls", "lib::Book.author"),
        ("include.lib.book.lib::Book.lend", "calls", "lib::Author.name"),
        ("include.lib.book.lib::Book.lend", "calls", "lib::Book.make"),
        ("include.lib.book.lib::Book.lend", "calls", "lib::text::trim"),
        ("include.lib.book.lib::Book.lend", "uses", "lib::kMax"),
        ("include.lib.book.lib::Book.lend", "calls", "lib::Reader.read"),
    }


def test_values_of_known_types_have_their_methods(shelf_cc: Callable[[str], Relations]) -> None:
    assert shelf_cc(
        """using lib::Author;
void run(lib::Book& given, Author* author, lib::Id same) {
  auto made = std::make_unique<lib::Book>(1);
  made->lend();
  made.reset();
  auto copy = lib::Book(2);
  copy.author()->name();
  lib::Book direct(3);
  direct.read();
  given.lend();
  (*author).name();
  same.lend();
  static_cast<Author*>(nullptr)->name();
  lib::Book::open(1)->make()->name();
  [](lib::Reader* r) { r->read(); }(nullptr);
  if (lib::State::Open == state) lib::twice<int>(1);
}"""
    ) - OWN == {
        ("run", "uses", "lib::Book"),
        ("run", "uses", "lib::Author"),
        ("run", "uses", "lib::Id"),
        ("run", "calls", "lib::Book.lend"),
        ("run", "calls", "lib::Book.author"),
        ("run", "calls", "lib::Author.name"),
        ("run", "calls", "lib::Reader.read"),
        ("run", "calls", "lib::Book.open"),
        ("run", "calls", "lib::Book.make"),
        ("run", "uses", "lib::Reader"),
        ("run", "uses", "lib::State.Open"),
        ("run", "calls", "lib::twice"),
    }


def test_what_is_shadowed_or_of_unknown_type_is_left_out(
    shelf_cc: Callable[[str], Relations],
) -> None:
    assert (
        shelf_cc(
            """namespace other { void trim(int); struct Book { void lend(); }; }
template <typename Book> void run(Book lend, auto x) {
  // lib::Book b; b.lend();
  const char* s = "lib::kMax";
  lend.lend();
  x.name();
  get()->read();
  int twice = 1;
  twice(2);
  std::string name = x.author();
  name.lend();
}"""
        )
        - OWN
        == set()
    )


def test_namespaces_keep_names_apart(shelf_cc: Callable[[str], Relations]) -> None:
    assert shelf_cc(
        """namespace {
void trim(int) {}
}
namespace own { class Author {}; void f(Author* a) { trim(1); } }
using namespace lib;
void g(Author* a) { a->name(); text::trim(1); ::trim(2); }
"""
    ) - OWN == {
        ("own::f", "uses", "own::Author"),
        ("own::f", "calls", "trim"),
        ("g", "uses", "lib::Author"),
        ("g", "calls", "lib::Author.name"),
        ("g", "calls", "lib::text::trim"),
        ("g", "calls", "trim"),
    }


def test_tests_are_members_of_their_fixture(shelf_cc: Callable[[str], Relations]) -> None:
    assert shelf_cc(
        """class ShelfTest : public lib::Reader { void fill(); };
TEST_F(ShelfTest, Lends) { fill(); read(); }
TEST(Plain, Lends) { fill(); }
"""
    ) - OWN == {
        ("ShelfTest", "inherits", "lib::Reader"),
        ("ShelfTest.Lends", "calls", "ShelfTest.fill"),
        ("ShelfTest.Lends", "calls", "lib::Reader.read"),
    }


def test_a_header_shows_only_its_own_names(relations_of: Callable[..., Relations]) -> None:
    relations = relations_of(
        {
            "a.h": '#include "b.h"\nvoid a(void);\n',
            "b.h": "void b(void);\n",
            "a.c": '#include "a.h"\nstruct hidden { int x; };\nvoid a(void) { b(); }\n',
            "m.c": '#include "a.h"\nvoid m(struct hidden *h) { a(); b(); }\n',
        },
        language="c",
    )
    assert {one for one in relations if one[1] != "imports"} == {
        ("a.a", "calls", "b.b"),
        ("m.m", "calls", "a.a"),
        ("m.m", "calls", "b.b"),
    }


def test_macros_and_types_of_two_headers_stay_apart(
    relations_of: Callable[..., Relations],
) -> None:
    relations = relations_of(
        {
            "a.h": '#include "b.h"\n#define UNUSED(x) (void)(x)\ntypedef long id_type;\n'
            "extern const int limit;\n",
            "b.h": "#define UNUSED(x) x\ntypedef int id_type;\n",
            "b.c": '#include "a.h"\nconst int limit = 3;\n',
            "m.c": '#include "a.h"\nvoid m(id_type x) { UNUSED(x + limit); }\n',
            "n.c": '#include "b.h"\nvoid n(id_type x) { UNUSED(x); }\n',
        },
        language="c",
    )
    assert {one for one in relations if one[1] != "imports"} == {
        ("m.m", "uses", "a.id_type"),
        ("m.m", "calls", "a.UNUSED"),
        ("m.m", "uses", "b.limit"),
        ("n.n", "uses", "b.id_type"),
        ("n.n", "calls", "b.UNUSED"),
    }


def test_includes_are_beside_the_file_or_below_any_folder(
    relations_of: Callable[..., Relations],
) -> None:
    relations = relations_of(
        {
            "src/list.h": "",
            "deps/list.h": "",
            "include/net/list.h": "",
            "src/m.c": '#include "list.h"\n#include <net/list.h>\n#include <stdio.h>\n'
            '#include "gone/list.h"\n#include MACRO_H\n',
        },
        language="c",
    )
    assert relations == {
        ("m", "imports", "list"),
        ("m", "imports", "include.net.list"),
        ("m", "imports", "stdio.h"),
        ("m", "imports", "gone/list.h"),
    }


def test_a_macro_may_open_a_namespace() -> None:
    facts = facts_of(
        """SHELF_BEGIN_NAMESPACE
class Book {};
namespace text { void trim(); }
SHELF_END_NAMESPACE
class Own {};
"""
    )
    assert {one.path for one in facts.named} == {"", "shelf::Book", "shelf::text::trim", "Own"}
