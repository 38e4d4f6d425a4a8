"""Imports and exports of JavaScript and TypeScript, in every form."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brainkit.extract.code import code_facts
from brainkit.extract.code.javascript_names import module_of
from brainkit.extract.facts import Target

Relations = set[tuple[str, str, str]]


@pytest.mark.parametrize(
    ("specifier", "relative", "scope", "path"),
    [
        ("./books", "src/shelf.ts", "path", "src.books."),
        ("./books.js", "src/shelf.ts", "path", "src.books."),
        ("./books.service", "src/shelf.ts", "path", "src.books.service."),
        ("../lib/index.mjs", "src/a/b.js", "path", "src.lib."),
        ("..", "src/a/b.js", "path", "src."),
        (".", "main.js", "path", "."),
        ("./", "src/a.js", "path", "src."),
        ("@/store/books", "src/a.ts", "name", "store.books."),
        ("lodash", "a.js", "name", "lodash"),
        ("lodash/fp", "a.js", "name", "lodash.fp."),
        ("@acme/tools", "a.js", "name", "@acme/tools"),
        ("@acme/tools/cut", "a.js", "name", "@acme/tools.cut."),
        ("node:fs", "a.js", "name", "fs"),
    ],
)
def test_what_a_specifier_names(specifier: str, relative: str, scope: str, path: str) -> None:
    module = module_of(specifier, relative=relative)
    assert module is not None
    assert module.target == (scope, path)
    assert module.package == (scope == "name" and not path.endswith("."))


@pytest.mark.parametrize("specifier", ["../../outside", "#private", ""])
def test_what_is_not_of_the_folder_is_no_module(specifier: str) -> None:
    assert module_of(specifier, relative="src/a.js") is None


def test_every_form_of_import_and_export(relations_of: Callable[..., Relations]) -> None:
    files = {
        "src/books/index.ts": """
export * from './book';
export * as tools from './tools';
export { cut as trim } from './tools';
export { default } from './book';
""",
        "src/books/book.ts": """
export class Book { title() {} }
export default function open(): Book { return new Book(); }
""",
        "src/books/tools.ts": """
import { Book } from './book';
const local = (b: Book) => b.title();
export { local as cut };
""",
        "src/use.ts": """
import open, { Book, trim } from './books';
import * as all from './books';
import type { Book as Alias } from './books/book.js';
import React, { Component } from 'react';
import './books';
open().title();
trim(new Book());
all.tools.cut(all.missing());
let alias: Alias;
export class View extends Component {}
export class Pure extends React.PureComponent {}
""",
    }
    assert relations_of(files, language="typescript") == {
        ("books", "imports", "books.book"),
        ("books", "imports", "books.tools"),
        ("books", "imports", "books.tools.local"),
        ("books", "imports", "books.book.open"),
        ("books.book.open", "uses", "books.book.Book"),
        ("books.tools", "imports", "books.book"),
        ("books.tools", "imports", "books.book.Book"),
        ("books.tools.local", "uses", "books.book.Book"),
        ("books.tools.local", "calls", "books.book.Book.title"),
        ("use", "imports", "books"),
        ("use", "imports", "books.book"),
        ("use", "imports", "books.book.open"),
        ("use", "imports", "books.book.Book"),
        ("use", "imports", "books.tools.local"),
        ("use", "imports", "react"),
        ("use", "calls", "books.book.open"),
        ("use", "calls", "books.book.Book.title"),
        ("use", "calls", "books.tools.local"),
        ("use", "uses", "books.book.Book"),
        ("use.View", "inherits", "react.Component"),
        ("use.Pure", "inherits", "react.PureComponent"),
    }


def test_modules_that_export_by_assignment(relations_of: Callable[..., Relations]) -> None:
    files = {
        "index.js": "module.exports = require('./lib/make');",
        "lib/make.js": """
const { trim, log: say } = require('./tools');
exports = module.exports = createShelf;
function createShelf() { trim(); say(); return new Shelf(); }
exports.Shelf = Shelf;
function Shelf() { this.fill(); this.view = new View(); }
Shelf.prototype.fill = function fill() { this.view.draw(); Shelf.count(); };
Shelf.count = function () {};
class View { draw() {} }
""",
        "lib/tools.js": """
var tools = exports = module.exports = {};
tools.trim = function trim() { return this.log(); };
tools.log = tools.say = function () { return this; };
""",
        "lib/object.js": "module.exports = { run() { this.stop(); }, stop: function () {}, x: 1 };",
        "test/use.js": """
var make = require('..'), util = require('util');
var Shelf = require('../lib/make').Shelf;
var tools = require('../lib/tools');
var { run } = require('../lib/object');
make().fill();
new Shelf().fill();
tools.trim(); tools.say(); tools.missing();
run();
function Sub() { Shelf.call(this); }
util.inherits(Sub, Shelf);
function fake(require) { require('../lib/object').run(); }
""",
    }
    lib = "root.lib"
    use = "root.test.use"
    relations = relations_of(files, language="javascript")
    assert {one for one in relations if one[1] not in ("imports", "tests")} == {
        (f"{lib}.make.createShelf", "calls", f"{lib}.tools.tools.trim"),
        (f"{lib}.make.createShelf", "calls", f"{lib}.tools.tools.log"),
        (f"{lib}.make.createShelf", "uses", f"{lib}.make.Shelf"),
        (f"{lib}.make.Shelf", "calls", f"{lib}.make.Shelf.fill"),
        (f"{lib}.make.Shelf", "uses", f"{lib}.make.View"),
        (f"{lib}.make.Shelf.fill", "calls", f"{lib}.make.View.draw"),
        (f"{lib}.make.Shelf.fill", "calls", f"{lib}.make.Shelf.count"),
        (f"{lib}.tools.tools.trim", "calls", f"{lib}.tools.tools.log"),
        (f"{lib}.object.run", "calls", f"{lib}.object.stop"),
        (use, "calls", f"{lib}.make.createShelf"),
        (use, "calls", f"{lib}.make.Shelf.fill"),
        (use, "uses", f"{lib}.make.Shelf"),
        (use, "calls", f"{lib}.tools.tools.trim"),
        (use, "calls", f"{lib}.tools.tools.log"),
        (use, "calls", f"{lib}.object.run"),
        (f"{use}.Sub", "uses", f"{lib}.make.Shelf"),
        (f"{use}.Sub", "inherits", f"{lib}.make.Shelf"),
    }
    assert {one for one in relations if one[:2] == (use, "imports")} == {
        (use, "imports", "root"),
        (use, "imports", "util"),
        (use, "imports", f"{lib}.make"),
        (use, "imports", f"{lib}.tools"),
        (use, "imports", f"{lib}.object"),
    }


def test_a_package_is_not_a_file_of_its_name(relations_of: Callable[..., Relations]) -> None:
    files = {
        "lib/router.js": "exports.route = function () {};",
        "lib/use.js": "var r = require('router'); r.route();",
    }
    relations = relations_of(files, language="javascript")
    assert not [one for one in relations if one[2].startswith("router.route")]
    assert ("use", "imports", "router") not in relations


def test_bindings_of_results_and_exports() -> None:
    facts = code_facts(
        """
import { Book } from './book';
export const make = (): Book => null;
export function same(b: Book) { return b; }
function either(x) { if (x) return new Book(); return x; }
export { make as create };
export default new Book();
export * from './more';
""",
        language="typescript",
        relative="src/shelf.ts",
        chunk_of=lambda row: (row,),
    )
    assert facts is not None
    book = Target("path", "src.book..Book.()")
    assert dict(facts.bindings) == {
        "make.()": book,
        "same.()": book,
        "create": Target("file", "make"),
        "default": book,
        "*0": Target("path", "src.more."),
    }
