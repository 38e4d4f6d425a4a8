"""What JavaScript and TypeScript define, and whom they mean: a small library with every trap."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brainkit.extract.code import code_facts
from brainkit.extract.facts import Facts

Relations = set[tuple[str, str, str]]


def facts_of(text: str, relative: str = "src/shelf.ts", language: str = "typescript") -> Facts:
    found = code_facts(text, language=language, relative=relative, chunk_of=lambda row: (row,))
    assert found is not None
    return found


@pytest.fixture
def uses_of(relations_of: Callable[..., Relations]) -> Callable[..., Relations]:
    """Relations of a corpus but for imports."""

    def relations(files: dict[str, str], language: str = "typescript") -> Relations:
        return {one for one in relations_of(files, language=language) if one[1] != "imports"}

    return relations


def test_kinds_and_paths_of_what_typescript_defines() -> None:
    facts = facts_of(
        """
export const LIMIT = 3, names = ["a"], make = () => 1;
const hidden = compute(), Wrapped = memo(() => null);
let later = 1;
export function lend(a: string): void; export function lend(a: any) {}
@Marked()
export abstract class Shelf<T> {
  static readonly MAX = 3;
  size = 0;
  constructor(readonly name: string) {}
  abstract take(): T;
  handle = () => {};
  get first() { return 1; }
  #hide() {}
  [computed]() {}
}
interface Reader { name: string; read(): void; }
type Slot = { row: number; free(): void };
enum Kind { Open, Closed }
namespace Deep.Inner { export function f() {} }
const box = { open() {}, shut: () => {}, inner: { turn() {} }, size: 3 };
export default Wrapped;
"""
    )
    assert (facts.family, facts.module) == ("javascript", "src.shelf")
    assert {one.path: (one.kind, one.chunks) for one in facts.named} == {
        "": ("module", (0,)),
        "LIMIT": ("constant", (1,)),
        "names": ("constant", (1,)),
        "make": ("function", (1,)),
        "Wrapped": ("constant", (2,)),
        "lend": ("function", (4,)),
        "Shelf": ("class", (5, 6, 7, 8)),
        "Shelf.MAX": ("constant", (7,)),
        "Shelf.constructor": ("method", (9,)),
        "Shelf.take": ("method", (10,)),
        "Shelf.handle": ("method", (11,)),
        "Shelf.first": ("method", (12,)),
        "Shelf.#hide": ("method", (13,)),
        "Reader": ("interface", (16,)),
        "Reader.read": ("method", (16,)),
        "Slot": ("type", (17,)),
        "Slot.free": ("method", (17,)),
        "Kind": ("enum", (18,)),
        "Deep": ("namespace", (19,)),
        "Deep.Inner": ("namespace", (19,)),
        "Deep.Inner.f": ("function", (19,)),
        "box": ("object", (20,)),
        "box.open": ("method", (20,)),
        "box.shut": ("method", (20,)),
        "box.inner": ("object", (20,)),
        "box.inner.turn": ("method", (20,)),
    }


def test_an_index_is_its_folder() -> None:
    facts = facts_of("", "src/library/index.ts")
    assert (facts.module, facts.named[0].kind) == ("src.library", "package")


LIBRARY = """
import { Base, Reader, Slot } from './base';
export const LIMIT = 3;
export function log(line: string) {}
export class Book<T extends Reader> extends Base<Slot> implements Reader {
  private slot?: Slot = null;
  cache = new Cache();
  unsure;
  constructor(private readonly reader: Reader, size: number) {
    super(size);
    this.late = new Cache();
    this.unsure = new Cache();
    this.unsure = make();
  }
  get first(): Slot { return this.slot; }
  async copy(): Promise<Book<T>> { return this; }
  m(other: Book<T> | null, { slot, cache: c }: Book<T>, x: any, t: T, ...rest: Book<T>[]) {
    BODY
  }
}
class Cache { hit() {} static of() { return new Cache(); } }
function make() { return new Cache(); }
"""
BASE = """
export class Base<T> { constructor(n: number) {} find(): Book { return null; } take(s: T) {} }
export interface Reader { read(): void; slot: Slot }
export interface Slot { free(): void }
class Book { title() {} }
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("log('a'); LIMIT;", "calls log, uses LIMIT", id="names of the module"),
        pytest.param("const log = x; log('a');", "", id="a constant hides a function"),
        pytest.param("log('a'); function log() {}", "", id="a function below hides one"),
        pytest.param("log('a'); { var log; }", "", id="a var in a block hides one"),
        pytest.param("{ let log; } log('a');", "calls log", id="a let in a block does not"),
        pytest.param("try {} catch (log) { log(); }", "", id="what is caught hides one"),
        pytest.param("for (const log of x) log(); ", "", id="a loop variable hides one"),
        pytest.param("x.map((log) => log()); x.map(log => log());", "", id="parameters hide one"),
        pytest.param("x.map(({ log }, [LIMIT]) => log(LIMIT));", "", id="patterns hide some"),
        pytest.param("x.map(log);", "uses log", id="a function as a value"),
        pytest.param(
            "const s = 'log()'; /* log() */ // log()", "", id="text that looks like calls"
        ),
        pytest.param("const s = `log() ${log(LIMIT)}`;", "calls log, uses LIMIT", id="a template"),
        pytest.param("x.log(); x.find(); unknown.log();", "", id="receivers of unknown type"),
        pytest.param("other.m(x);", "", id="a call of itself is no relation"),
        pytest.param("other.copy(); other?.find();", "calls Book.copy, calls Base.find", id="null"),
        pytest.param("this.find(); super.take(x);", "calls Base.find, calls Base.take", id="this"),
        pytest.param("this.find().title();", "calls Base.find, calls base.Book.title", id="result"),
        pytest.param("this.slot.free(); slot.free();", "calls base.Slot.free", id="a typed field"),
        pytest.param("this.cache.hit(); c.hit();", "calls Cache.hit", id="a field with a value"),
        pytest.param("this.late.hit();", "calls Cache.hit", id="a field of the constructor"),
        pytest.param("this.reader.read();", "calls base.Reader.read", id="a parameter property"),
        pytest.param("this.first.free();", "calls base.Slot.free", id="a getter"),
        pytest.param(
            "t.read(); t.slot.free();", "calls base.Reader.read, calls base.Slot.free", id="bound"
        ),
        pytest.param("rest.find(); rest[0].find();", "", id="an array"),
        pytest.param(
            "(await other.copy()).find();", "calls Book.copy, calls Base.find", id="await"
        ),
        pytest.param(
            "make().hit(); Cache.of().hit();",
            "calls make, calls Cache.hit, calls Cache.of",
            id="results of their own",
        ),
        pytest.param("(x as Cache).hit(); x!.hit();", "uses Cache, calls Cache.hit", id="a cast"),
        pytest.param("let c2 = new Cache(); c2 = x; c2.hit();", "uses Cache", id="assigned again"),
        pytest.param("const c2 = this; c2.find();", "calls Base.find", id="this by another name"),
        pytest.param("const f = () => this.find();", "calls Base.find", id="this of an arrow"),
        pytest.param("const f = function () { this.find(); };", "", id="this of a function"),
        pytest.param("class Cache { hit() {} } new Cache().hit();", "", id="a local class"),
        pytest.param("log.call(x, 1); log.bind(x);", "calls log, uses log", id="call and bind"),
        pytest.param(
            "const a: Slot = x; a.free();", "uses base.Slot, calls base.Slot.free", id="annotated"
        ),
        pytest.param(
            "(/* a */ other /* b */).find(/* log() */); let a: /* c */ Slot = x; a.free();",
            "calls Base.find, uses base.Slot, calls base.Slot.free",
            id="comments in between",
        ),
        pytest.param("const { hit } = this.cache; hit();", "calls Cache.hit", id="taken apart"),
    ],
)
def test_who_is_meant(uses_of: Callable[..., Relations], body: str, expected: str) -> None:
    files = {"src/base.ts": BASE, "src/book.ts": LIBRARY.replace("BODY", body)}
    found = {
        (predicate, object_.removeprefix("book.").replace("base.Base", "Base"))
        for subject, predicate, object_ in uses_of(files)
        if subject == "book.Book.m"
    }
    assert found == {tuple(one.split(" ")) for one in expected.split(", ") if one}


def test_the_heading_of_a_class(uses_of: Callable[..., Relations]) -> None:
    relations = uses_of({"src/base.ts": BASE, "src/book.ts": LIBRARY.replace("BODY", "")})
    assert {one for one in relations if one[0].startswith("book.Book")} == {
        ("book.Book", "inherits", "base.Base"),
        ("book.Book", "implements", "base.Reader"),
        ("book.Book", "uses", "base.Reader"),
        ("book.Book", "uses", "base.Slot"),
        ("book.Book", "uses", "book.Cache"),
        ("book.Book.constructor", "uses", "base.Reader"),
        ("book.Book.constructor", "calls", "base.Base.constructor"),
        ("book.Book.constructor", "uses", "book.Cache"),
        ("book.Book.constructor", "calls", "book.make"),
        ("book.Book.first", "uses", "base.Slot"),
    }


def test_components_and_decorators_are_used(uses_of: Callable[..., Relations]) -> None:
    files = {
        "src/button.tsx": """
const Button = React.forwardRef<HTMLElement, Props>((props, ref) => <button/>);
interface Props { size: number }
Button.Group = function Group() { return <Button size={LIMIT}></Button>; };
const LIMIT = 3;
export default Button;
""",
        "src/view.tsx": """
import Button from './button';
import * as ui from './button';
import { marked, injected } from './marks';
const onClick = () => {};
export const View = ({ Slot }) => (
  <div title="<Button/>"><Button.Group/><ui.default onClick={onClick}/><Slot/>{'<Button/>'}</div>
);
@marked({ by: View })
class Model { @injected size; @marked() run(@injected x) {} }
describe('View', () => { it('calls run()', () => { render(<Button/>); }); });
""",
        "src/marks.tsx": "export function marked() {}\nexport function injected() {}\n",
    }
    assert uses_of(files, "tsx") == {
        ("button.Button", "uses", "button.Props"),
        ("button.Button.Group", "uses", "button.LIMIT"),
        ("view.View", "uses", "button.Button.Group"),
        ("view.View", "uses", "button.Button"),
        ("view.View", "uses", "view.onClick"),
        ("view.Model", "uses", "marks.marked"),
        ("view.Model", "uses", "view.View"),
        ("view.Model", "uses", "marks.injected"),
        ("view.Model.run", "uses", "marks.marked"),
        ("view.Model.run", "uses", "marks.injected"),
        ("view", "uses", "button.Button"),
    }


def test_interfaces_and_types(uses_of: Callable[..., Relations]) -> None:
    source = """
interface Item { size: Size }
interface Book extends Item, Outside<Size> { read(page: Page): Size }
type Size = { wide(): void } | null;
type Page = Book;
type Both<Item> = Item & Page;
type Kind = typeof LIMIT;
const LIMIT = 3;
enum Level { Low = LIMIT }
function turn(page: Page, level = Level.Low) { page.read(page); }
declare module 'other' { interface Book {} }
"""
    assert uses_of({"m.ts": source}) == {
        ("m.Item", "uses", "m.Size"),
        ("m.Book", "inherits", "m.Item"),
        ("m.Book", "uses", "m.Size"),
        ("m.Book.read", "uses", "m.Page"),
        ("m.Book.read", "uses", "m.Size"),
        ("m.Page", "uses", "m.Book"),
        ("m.Both", "uses", "m.Page"),
        ("m.Kind", "uses", "m.LIMIT"),
        ("m.Level", "uses", "m.LIMIT"),
        ("m.turn", "uses", "m.Page"),
        ("m.turn", "uses", "m.Level"),
        ("m.turn", "calls", "m.Book.read"),
    }


@pytest.mark.parametrize(
    "deep",
    [
        pytest.param("x" + ".a()" * 2000 + ";", id="a chain"),
        pytest.param("x(" * 2000 + ")" * 2000 + ";", id="arguments"),
        pytest.param("x = 1" + " + 1" * 5000 + ";", id="a sum"),
        pytest.param("() => " * 2000 + "1;", id="functions"),
        pytest.param("x" + ".a" * 5000 + ";", id="members"),
        pytest.param("{" * 2000 + "}" * 2000, id="blocks"),
    ],
)
def test_generated_code_is_read_as_deep_as_the_stack_allows(
    deep: str, uses_of: Callable[..., Relations]
) -> None:
    source = (
        f"function m() {{ first(); {deep} last(); }} function first() {{}} function last() {{}}"
    )
    assert uses_of({"m.js": source}, "javascript") == {
        ("m.m", "calls", "m.first"),
        ("m.m", "calls", "m.last"),
    }
