"""Kotlin, Swift and Pascal: what files define and import, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

from brainkit.extract.code import code_facts
from brainkit.extract.facts import Facts

Relations = set[tuple[str, str, str]]

KOTLIN = """package com.acme.store

import com.acme.books.Book
import com.acme.text.*
import kotlin.math.max

// class Commented
typealias Id = String

class Shelf(val name: String) {
    constructor() : this("class Quoted") {}
    fun lend(id: Id): Book {
        fun local() {}
        return Book()
    }
    companion object {
        fun of(): Shelf = Shelf()
    }
    class Slot { fun free() {} }
}

fun String.shout(): String = this

fun main() {}
"""
SWIFT = """import Foundation
import class UIKit.UIView
@testable import Shelf

class Desk {
    init() {}
    func lend() { func local() {} }
}
extension Desk { func close() {} }
extension Array { func second() {} }
func +++ (a: Int, b: Int) -> Int { a }
"""
PASCAL = """unit Store.Shelf;
interface
uses SysUtils, Store.Book;
type
  TShelf = class
    procedure Lend;
  end;
implementation
uses Cut.Text;
procedure TShelf.Lend;
begin
  { procedure Commented; }
end;
end.
"""


def facts_of(text: str, relative: str, language: str) -> Facts:
    found = code_facts(text, language=language, relative=relative, chunk_of=lambda row: (row,))
    assert found is not None
    return found


def test_kotlin() -> None:
    facts = facts_of(KOTLIN, "src/Shelf.kt", "kotlin")
    assert (facts.family, facts.module) == ("jvm", "com.acme.store")
    assert {one.path: (one.kind, one.chunks[0], one.chunks[-1]) for one in facts.named} == {
        "": ("package", 0, 0),
        "Id": ("type", 6, 7),
        "Shelf": ("class", 9, 9),
        "Shelf.lend": ("method", 11, 14),
        "Shelf.Companion": ("object", 15, 15),
        "Shelf.Companion.of": ("method", 16, 16),
        "Shelf.Slot": ("class", 18, 18),
        "Shelf.Slot.free": ("method", 18, 18),
        "String.shout": ("function", 21, 21),
        "main": ("function", 23, 23),
    }
    assert [(one.subject, one.predicate, one.targets[0].path) for one in facts.references] == [
        ("Shelf", "imports", "com.acme.books.Book"),
        ("Shelf", "imports", "com.acme.text"),
        ("Shelf", "imports", "kotlin.math.max"),
    ]
    assert not facts.bindings


def test_swift() -> None:
    facts = facts_of(SWIFT, "Sources/Desk.swift", "swift")
    assert (facts.family, facts.module) == ("swift", "Sources.Desk")
    assert {one.path: one.kind for one in facts.named} == {
        "": "module",
        "Desk": "class",
        "Desk.lend": "method",
        "Desk.close": "method",
        "Array.second": "method",
    }


def test_pascal() -> None:
    facts = facts_of(PASCAL, "src/Store.Shelf.pas", "pascal")
    assert (facts.family, facts.module) == ("pascal", "src.Store.Shelf")
    assert {one.path: (one.kind, one.chunks) for one in facts.named} == {
        "": ("module", (0,)),
        "TShelf": ("class", (4,)),
        "TShelf.Lend": ("method", (5, 9, 10, 11, 12)),
    }


def test_imports_reach_files_packages_and_what_is_outside(
    relations_of: Callable[..., Relations],
) -> None:
    kotlin = {
        "src/Shelf.kt": KOTLIN,
        "src/Book.kt": "package com.acme.books\nclass Book\n",
        "src/Text.kt": "package com.acme.text\nfun trim() {}\n",
    }
    assert relations_of(kotlin, language="kotlin") == {
        ("com.acme.store.Shelf", "imports", "com.acme.books.Book"),
        ("com.acme.store.Shelf", "imports", "com.acme.text"),
        ("com.acme.store.Shelf", "imports", "kotlin.math"),
    }
    assert relations_of({"Sources/Desk.swift": SWIFT}, language="swift") == {
        ("Sources.Desk", "imports", "Foundation"),
        ("Sources.Desk", "imports", "UIKit"),
        ("Sources.Desk", "imports", "Shelf"),
    }
    pascal = {"src/Store.Shelf.pas": PASCAL, "src/Store.Book.pas": "unit Store.Book;\nend.\n"}
    assert relations_of(pascal, language="pascal") == {
        ("Store.Shelf", "imports", "SysUtils"),
        ("Store.Shelf", "imports", "Store.Book"),
        ("Store.Shelf", "imports", "Cut.Text"),
    }
