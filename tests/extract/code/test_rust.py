"""What Rust files define, and whom they mean: a small workspace with every trap."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brainkit.extract.code import code_facts
from brainkit.extract.facts import Facts, Target

Relations = set[tuple[str, str, str]]

LIB = """//! Lends books.
pub mod book;
mod text;
pub use crate::book::Book;
pub use self::text::*;

pub const MAX: usize = 3;

pub trait Lend: Named {
    fn lend(&mut self, id: u32) -> Option<Book>;
    fn days(&self) -> u8 { self.name(); 14 }
}

pub trait Named { fn name(&self) -> String; }

#[macro_export]
macro_rules! shelf { () => { Book::new() } }
"""
BOOK = """use super::MAX;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

pub struct Book {
    pub author: Author,
    tags: HashMap<String, Tag>,
    shared: Arc<Mutex<Tag>>,
}
pub struct Author { name: String }
pub struct Tag;
pub struct Pair(pub Author, Tag);
pub enum State { Open(Tag), Lent { by: Author }, Gone }

impl Book {
    pub const DAYS: u8 = 14;
    pub fn new() -> Self { todo!() }
    pub fn open(id: u32) -> Result<Book, String> { Err(String::new()) }
    pub fn all() -> Vec<Book> { vec![] }
    pub fn author(&self) -> &Author { &self.author }
    pub fn find(&self) -> Option<&Tag> { None }
}
impl Author { pub fn full(&self) -> String { String::from("self.name()") } }
impl Tag { pub fn label(&self) {} pub fn map(&self) {} }
impl crate::Named for Book { fn name(&self) -> String { String::new() } }
"""
TEXT = """pub fn trim(text: &str) -> &str { text }
"""


def facts_of(text: str, relative: str = "src/shelf.rs") -> Facts:
    found = code_facts(text, language="rust", relative=relative, chunk_of=lambda row: (row,))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def inside(relations_of: Callable[..., Relations]) -> Callable[..., Relations]:
    """Relations of src/run.rs in the crate ``shelf``, or of another file beside it."""

    def relations(source: str, relative: str = "shelf/src/run.rs") -> Relations:
        files = {
            "shelf/src/lib.rs": LIB,
            "shelf/src/book.rs": BOOK,
            "shelf/src/text.rs": TEXT,
            relative: source,
        }
        own = relative.removesuffix(".rs").replace("/src/", "/").replace("/", ".") + "."
        own = own if relative.startswith("shelf/") else own.rpartition(".tests.")[2]
        return {
            (subject.removeprefix(own), predicate, object_.removeprefix(own))
            for subject, predicate, object_ in relations_of(files, language="rust")
            if subject.startswith(own)
        }

    return relations


def test_definitions_and_what_they_are_bound_to() -> None:
    facts = facts_of(BOOK, "shelf/src/book.rs")
    assert (facts.family, facts.module) == ("rust", "shelf.book")
    assert {one.path: one.kind for one in facts.named} == {
        "": "module",
        "Book": "struct",
        "Author": "struct",
        "Tag": "struct",
        "Pair": "struct",
        "State": "enum",
        "Book.DAYS": "constant",
        "Book.new": "method",
        "Book.open": "method",
        "Book.all": "method",
        "Book.author": "method",
        "Book.find": "method",
        "Book.name": "method",
        "Author.full": "method",
        "Tag.label": "method",
        "Tag.map": "method",
    }
    bindings = {path: target for path, target in facts.bindings.items() if path[0] != "*"}
    assert bindings == {
        "MAX": Target("file", "*super1.MAX"),
        "Book.author": Target("file", "Author.()"),
        "Book.tags[]": Target("file", "Tag.()"),
        "Book.shared[][]": Target("file", "Tag.()"),
        "Pair.0": Target("file", "Author.()"),
        "Pair.1": Target("file", "Tag.()"),
        "State.Open.0": Target("file", "Tag.()"),
        "State.Lent.by": Target("file", "Author.()"),
        "Book.new.()": Target("file", "Book.()"),
        "Book.open.()[]": Target("file", "Book.()"),
        "Book.all.()[]": Target("file", "Book.()"),
        "Book.author.()": Target("file", "Author.()"),
        "Book.find.()[]": Target("file", "Tag.()"),
    }


@pytest.mark.parametrize(
    ("relative", "module", "child"),
    [
        ("src/lib.rs", "", "a"),
        ("src/main.rs", "main", "a"),
        ("crates/grep-cli/src/lib.rs", "crates.grep_cli", "crates.grep_cli.a"),
        ("crates/cli/src/walk.rs", "crates.cli.walk", "crates.cli.walk.a"),
        ("crates/cli/src/walk/mod.rs", "crates.cli.walk", "crates.cli.walk.a"),
        ("crates/core/main.rs", "crates.core.main", "crates.core.a"),
        ("tests/all.rs", "tests.all", "tests.a"),
    ],
)
def test_modules_follow_the_tree_of_files(relative: str, module: str, child: str) -> None:
    facts = facts_of("mod a;", relative)
    assert (facts.module, facts.bindings["a"]) == (module, Target("path", child))


def test_paths_begin_in_the_crate_above_it_or_in_the_file(
    inside: Callable[..., Relations],
) -> None:
    assert inside(
        """use crate::{book::{self, Tag as Label}, Lend};
use super::text::trim;
use std::fmt;
fn run(label: Label) {
    book::Book::new();
    crate::trim("a");
    trim("b");
    super::MAX;
    label.label();
    self::other();
    fmt::trim();
    shelf!();
}
fn other() {}
"""
    ) == {
        ("run", "uses", "shelf.book.Tag"),
        ("run", "calls", "shelf.book.Book.new"),
        ("run", "uses", "shelf.book.Book"),
        ("run", "calls", "shelf.text.trim"),
        ("run", "uses", "shelf.MAX"),
        ("run", "calls", "shelf.book.Tag.label"),
        ("run", "calls", "other"),
        ("run", "calls", "shelf.shelf"),
    }


def test_imports_name_what_is_taken_and_its_module(relations_of: Callable[..., Relations]) -> None:
    relations = relations_of(
        {
            "src/lib.rs": "mod a;\nmod b;\n",
            "src/a.rs": "use crate::b::{self, Tag};\nuse super::b::*;\n"
            "use std::{io::{self, Read}, fmt};\nuse serde::de::Visitor;\nextern crate log;\n",
            "src/b.rs": "pub struct Tag;\n",
        },
        language="rust",
    )
    assert relations == {
        ("root.a", "imports", "root.b"),
        ("root.a", "imports", "root.b.Tag"),
        ("root.a", "imports", "std.io"),
        ("root.a", "imports", "std.fmt"),
        ("root.a", "imports", "serde.de"),
        ("root.a", "imports", "log"),
    }


def test_values_of_known_types_have_their_methods(inside: Callable[..., Relations]) -> None:
    assert inside(
        """use crate::{Book, Lend, book::{Author, Pair, Tag}};
use std::rc::Rc;
struct Holder<T: Lend> { book: Rc<Book>, many: Vec<Option<Book>>, other: T }
impl<T: Lend> Holder<T> {
    fn run(&mut self, given: &mut Author, pair: Pair) -> Result<(), String> {
        given.full();
        self.book.author().full();
        self.many[0].as_ref().unwrap().find();
        for one in self.many.iter().flatten() { one.author(); }
        self.other.lend(1);
        Book::open(1)?.author();
        if let Some(tag) = self.book.find() { tag.label(); }
        let Ok(other) = Book::open(2) else { return Ok(()) };
        other.find().map(|t| t.label());
        let Book { author, .. } = Book::new();
        author.full();
        pair.0.full();
        let Pair(first, second) = pair;
        second.label();
        assert_eq!(Book::all().first().unwrap().author(), "x");
        self.step();
        Self::step(self);
        <Book as Lend>::days(&other);
        Ok(())
    }
    fn step(&self) {}
}
"""
    ) == {
        ("Holder", "uses", "shelf.book.Book"),
        ("Holder", "uses", "shelf.Lend"),
        ("Holder.run", "uses", "shelf.Lend"),
        ("Holder.run", "uses", "shelf.book.Author"),
        ("Holder.run", "uses", "shelf.book.Pair"),
        ("Holder.run", "calls", "shelf.book.Author.full"),
        ("Holder.run", "calls", "shelf.book.Book.author"),
        ("Holder.run", "calls", "shelf.book.Book.find"),
        ("Holder.run", "calls", "shelf.Lend.lend"),
        ("Holder.run", "calls", "shelf.book.Book.open"),
        ("Holder.run", "uses", "shelf.book.Book"),
        ("Holder.run", "calls", "shelf.book.Tag.label"),
        ("Holder.run", "calls", "shelf.book.Book.new"),
        ("Holder.run", "calls", "shelf.book.Book.all"),
        ("Holder.run", "calls", "Holder.step"),
        ("Holder.run", "calls", "shelf.Lend.days"),
    }


def test_what_is_shadowed_or_of_unknown_type_is_left_out(
    inside: Callable[..., Relations],
) -> None:
    assert (
        inside(
            """use crate::book::Book;
fn run<Book>(trim: fn(&str), x: impl Fn(), b: Book) {
    // trim("a"); Book::new();
    let s = "crate::text::trim(1)";
    trim("b");
    x.author();
    b.author();
    unknown().full();
    let run = |author: u8| author.full();
    run(1);
    vec![1].label();
    println!("{} crate::MAX", s);
}
mod inner { fn f() { Book::new(); } }
"""
        )
        == set()
    )


def test_an_option_is_not_what_it_holds(inside: Callable[..., Relations]) -> None:
    assert inside(
        """use crate::Book;
fn run(book: Book) {
    book.find().map(drop);
    book.find().label();
    let tag = book.find();
    tag.label();
    tag.unwrap().map();
}
"""
    ) == {
        ("run", "uses", "shelf.book.Book"),
        ("run", "calls", "shelf.book.Book.find"),
        ("run", "calls", "shelf.book.Tag.map"),
    }


def test_traits_are_inherited_and_implemented(inside: Callable[..., Relations]) -> None:
    assert inside(
        """use crate::{Lend, Named, Book};
use std::fmt;
struct Desk;
impl Lend for Desk {
    fn lend(&mut self, id: u32) -> Option<Book> { self.days(); self.name(); None }
}
impl Named for Desk { fn name(&self) -> String { String::new() } }
impl fmt::Display for Desk {}
impl Iterator for Desk {}
impl<T: Lend> Named for T { fn name(&self) -> String { String::new() } }
impl Lend for Vec<u8> {}
trait Both: Lend + Send {}
"""
    ) == {
        ("Desk", "implements", "shelf.Lend"),
        ("Desk", "implements", "shelf.Named"),
        ("Desk", "implements", "std.fmt.Display"),
        ("Desk", "implements", "std.iter.Iterator"),
        ("Desk.lend", "uses", "shelf.book.Book"),
        ("Desk.lend", "calls", "shelf.Lend.days"),
        ("Desk.lend", "calls", "Desk.name"),
        ("Both", "inherits", "shelf.Lend"),
        ("Both", "inherits", "std.marker.Send"),
    }


def test_variants_count_as_uses_of_their_enum(inside: Callable[..., Relations]) -> None:
    assert inside(
        """use crate::book::State;
enum Own { A, B(u8) }
fn run(state: State) {
    match state {
        State::Open(tag) => {}
        State::Lent { by } => {}
        State::Gone => {}
    }
    use Own::*;
    let _ = match 1 { 1 => A, n => B(n) };
}
"""
    ) == {("run", "uses", "shelf.book.State"), ("run", "uses", "Own")}


def test_methods_added_in_another_file_belong_to_the_type(
    relations_of: Callable[..., Relations],
) -> None:
    relations = relations_of(
        {
            "src/lib.rs": "mod a;\nmod b;\n",
            "src/a.rs": "pub struct Tag;\npub trait Named { fn name(&self) {} }\n"
            "fn run(tag: Tag) { tag.extra(); tag.name(); }\n",
            "src/b.rs": "use crate::a::{Named, Tag};\nuse other::Alien;\nimpl Named for Tag {}\n"
            "impl Tag { pub fn extra(&self) {} }\nimpl Named for Alien {}\n",
        },
        language="rust",
    )
    assert {one for one in relations if one[1] != "imports"} == {
        ("root.a.Tag", "implements", "root.a.Named"),
        ("root.a.run", "uses", "root.a.Tag"),
        ("root.a.run", "calls", "root.a.Tag.extra"),
        ("root.a.run", "calls", "root.a.Named.name"),
    }


def test_a_module_inside_a_file_sees_its_outside_only_through_super(
    inside: Callable[..., Relations],
) -> None:
    assert inside(
        """fn lend() {}
#[cfg(test)]
mod tests {
    use super::*;
    fn lends() { lend(); helper(); super::lend(); }
    fn helper() {}
}
mod closed { fn f() { lend(); } }
"""
    ) == {("tests.lends", "calls", "lend"), ("tests.lends", "calls", "tests.helper")}


def test_crates_of_a_workspace_are_found_by_their_folder(
    relations_of: Callable[..., Relations],
) -> None:
    relations = relations_of(
        {
            "crates/book-text/src/lib.rs": "pub mod cut;\npub use cut::trim;\n",
            "crates/book-text/src/cut.rs": "pub fn trim() {}\n",
            "crates/desk/src/lib.rs": "pub struct Desk;\n"
            "impl Desk { pub fn open() -> Desk { Desk } pub fn close(&self) {} }\n",
            "crates/cli/src/main.rs": "use lib_desk::Desk;\n"
            "fn main() { book_text::trim(); Desk::open().close(); gone::trim(); }\n",
        },
        language="rust",
    )
    assert {one for one in relations if one[0].endswith("main.main")} == {
        ("main.main", "calls", "book_text.cut.trim"),
        ("main.main", "calls", "desk.Desk.open"),
        ("main.main", "uses", "desk.Desk"),
        ("main.main", "calls", "desk.Desk.close"),
    }


def test_macros_are_those_of_the_file_or_of_modules_marked_macro_use(
    relations_of: Callable[..., Relations],
) -> None:
    relations = relations_of(
        {
            "src/main.rs": "#[macro_use]\nmod messages;\nmod run;\nmod closed;\n",
            "src/messages.rs": "macro_rules! warn_of { ($x:expr) => { f($x) } }\n",
            "src/closed.rs": "macro_rules! hidden { () => {} }\nfn f() { hidden!(); }\n",
            "src/run.rs": 'fn run() { warn_of!(1); hidden!(); println!("{}", step(2)); }\n'
            "fn step(x: u8) {}\n",
        },
        language="rust",
    )
    assert {one for one in relations if one[1] != "imports"} == {
        ("run.run", "calls", "messages.warn_of"),
        ("run.run", "calls", "run.step"),
        ("closed.f", "calls", "closed.hidden"),
    }
