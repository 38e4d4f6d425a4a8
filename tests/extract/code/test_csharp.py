"""Whom C# files mean: a small library with every trap."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Relations = set[tuple[str, str, str]]

BOOKS = """
namespace Acme.Books
{
    public class Book
    {
        public const int MaxLoans = 3;
        public static Book Of(string title) => new Book();
        public Author Author { get; set; } = new();
        public string Title() => "Title()";
        public async Task<Book> CopyAsync() => this;
        public class Page { public void Turn() {} }
    }
    public class Author { public string Name() => ""; }
    public static class BookExtensions { public static void Bind(this Book book) {} }
    public class MarkedAttribute : System.Attribute {}
}
"""
STORE = """
namespace Acme.Store;

using Acme.Books;

public abstract class Base
{
    protected Book _first;
    protected Book Pick() => _first;
    protected Book Find(int id) => null;
    protected object Find(string id) => null;
    protected virtual void Log(string line) {}
}
public interface ILendable { void Lend(object what); }
public enum Color { Red, Green }
"""
TEXT = """
namespace Acme;

public static class Text
{
    public static readonly string Dash = "-";
    public static string Join(params string[] parts) => Dash;
}
"""


@pytest.fixture(scope="module")
def shelf(relations_of: Callable[..., Relations]) -> Callable[[str], Relations]:
    """Relations of Acme.Store.Shelf in a file of its own, with everything else around it."""

    def relations(source: str) -> Relations:
        files = {"src/Books.cs": BOOKS, "src/Store.cs": STORE, "src/Text.cs": TEXT}
        return {
            (subject.removeprefix("Acme.Store."), predicate, object_.removeprefix("Acme."))
            for subject, predicate, object_ in relations_of(
                {**files, "src/Shelf.cs": source}, language="csharp"
            )
            if subject.startswith("Acme.Store.Shelf")
        }

    return relations


def test_a_class_of_the_library(shelf: Callable[[str], Relations]) -> None:
    relations = shelf(
        """using Acme.Books;
using System.Linq;
using static Acme.Text;
namespace Acme.Store;

[Marked]
public partial class Shelf : Base, ILendable, IDisposable
{
    private readonly List<Book> _books = new();
    public Book Main { get; set; }
    public Shelf(Book book) : base() { Main = book; }
    public void Lend(object what)
    {
        Log(Join("a", "b"));                       // Acme.Text.Dash
        this.Pick().Title();
        var picked = base.Pick();
        picked.Author.Name();
        _books.First().Title();
        _first?.Title();
        Find(1).Title();
        picked.Bind();
    }
    public async Task Dispose()
    {
        var copy = await Main.CopyAsync().ConfigureAwait(false);
        copy.Title();
        Run(Lend, Color.Red, Book.MaxLoans, nameof(Book));
    }
}
"""
    )
    assert relations == {
        ("Shelf", "imports", "Books"),
        ("Shelf", "imports", "System.Linq"),
        ("Shelf", "imports", "Text"),
        ("Shelf", "inherits", "Store.Base"),
        ("Shelf", "implements", "Store.ILendable"),
        ("Shelf", "uses", "Books.MarkedAttribute"),
        ("Shelf", "uses", "Books.Book"),
        ("Shelf.Main", "uses", "Books.Book"),
        ("Shelf.Lend", "calls", "Store.Base.Log"),
        ("Shelf.Lend", "calls", "Text.Join"),
        ("Shelf.Lend", "calls", "Store.Base.Pick"),
        ("Shelf.Lend", "calls", "Store.Base.Find"),
        ("Shelf.Lend", "calls", "Books.Book.Title"),
        ("Shelf.Lend", "calls", "Books.Author.Name"),
        ("Shelf.Dispose", "calls", "Books.Book.CopyAsync"),
        ("Shelf.Dispose", "calls", "Books.Book.Title"),
        ("Shelf.Dispose", "uses", "Store.Shelf.Lend"),
        ("Shelf.Dispose", "uses", "Store.Color"),
        ("Shelf.Dispose", "uses", "Books.Book.MaxLoans"),
    }


USES_BOOK = ("uses", "Books.Book")
CALLS_TITLE = ("calls", "Books.Book.Title")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("object _first = x; _first.Title();", set(), id="a local hides a field"),
        pytest.param("Unknown().Title(); other.Title();", set(), id="receivers of unknown type"),
        pytest.param("Book[] all; all.Title();", {USES_BOOK}, id="an array"),
        pytest.param(
            'var s = "Log(1)"; /* Log(2); */ // Log(3)', set(), id="text that looks like calls"
        ),
        pytest.param(
            'var s = $"{_first.Title()} Log(1)";', {CALLS_TITLE}, id="a string to be filled in"
        ),
        pytest.param("Find(1).Title();", {("calls", "Store.Base.Find")}, id="two results"),
        pytest.param("_first.Bind();", set(), id="an extension method"),
        pytest.param(
            "BookExtensions.Bind(_first);",
            {("calls", "Books.BookExtensions.Bind")},
            id="an extension method by its class",
        ),
        pytest.param("if (x is Book b) b.Title();", {USES_BOOK, CALLS_TITLE}, id="a pattern"),
        pytest.param(
            "switch (x) { case Book b: b.Title(); break; }", {USES_BOOK, CALLS_TITLE}, id="a case"
        ),
        pytest.param(
            "var n = x switch { Book b => b.Title(), _ => null };",
            {USES_BOOK, CALLS_TITLE},
            id="an arm of a switch",
        ),
        pytest.param("(x as Book)?.Title();", {USES_BOOK, CALLS_TITLE}, id="a conversion"),
        pytest.param("((Book)x).Title();", {USES_BOOK, CALLS_TITLE}, id="a cast"),
        pytest.param("Get(out Book b); b.Title();", {USES_BOOK, CALLS_TITLE}, id="an out variable"),
        pytest.param(
            "foreach (Book b in all) b.Title(); foreach (var c in all) c.Title();",
            {USES_BOOK, CALLS_TITLE},
            id="loops",
        ),
        pytest.param(
            "Run((Book b) => b.Title()); Run(_first => _first.Author.Name());",
            {USES_BOOK, CALLS_TITLE},
            id="parameters of lambdas",
        ),
        pytest.param(
            "Book Log(string s) => null; Log(s).Title();", {USES_BOOK}, id="a local function"
        ),
        pytest.param(
            "new Book { Author = Log }.Title();",
            {USES_BOOK, CALLS_TITLE},
            id="an initializer names members of what it makes",
        ),
        pytest.param(
            "var b = from Log in all where Log.Ok select Log;", set(), id="a range variable"
        ),
        pytest.param(
            "Acme.Text.Join(Acme.Books.Book.Of(s).Title());",
            {("calls", "Text.Join"), ("calls", "Books.Book.Of"), CALLS_TITLE},
            id="whole names in place of a using",
        ),
        pytest.param(
            "var page = new Book.Page(); page.Turn();",
            {("uses", "Books.Book.Page"), ("calls", "Books.Book.Page.Turn")},
            id="a nested type",
        ),
        pytest.param(
            "(/* a */ _first /* b */).Title(/* Log(s) */); List</* c */ Book /* d */> l;",
            {USES_BOOK, CALLS_TITLE},
            id="comments in between",
        ),
        pytest.param(
            "Dictionary<string, Book> d = new(); d.First();", {USES_BOOK}, id="a type argument"
        ),
    ],
)
def test_who_is_meant(
    shelf: Callable[[str], Relations], body: str, expected: set[tuple[str, str]]
) -> None:
    relations = shelf(
        f"""using Acme.Books;
namespace Acme.Store {{ class Shelf : Base {{ void M(object x) {{ {body} }} }} }}
"""
    )
    assert {(p, o) for s, p, o in relations if s == "Shelf.M"} == expected


def test_the_own_namespace_comes_before_a_using(relations_of: Callable[..., Relations]) -> None:
    def item(space: str) -> str:
        return f"namespace {space}; public class Item {{ public void Run() {{}} }}"

    def use(space: str, name: str, using: str = "", of: str = "") -> str:
        return f"{using} namespace {space}; class {name}{of} {{ void M(Item i) {{ i.Run(); }} }}"

    files = {
        "a/Item.cs": item("A"),
        "b/Item.cs": item("B"),
        "b/Own.cs": use("B", "Own", "using A;"),
        "b/Alias.cs": use("B", "Alias", "using Item = A.Item;"),
        "b/Inner.cs": use("B.Deep", "Inner"),
        "c/Using.cs": use("C", "Using", "using A;"),
        "c/Free.cs": use("C", "Free"),
        "c/Typed.cs": use("C", "Typed", "using A;", "<Item>"),
    }
    relations = relations_of(files, language="csharp")
    assert {one for one in relations if one[1] == "calls"} == {
        ("B.Own.M", "calls", "B.Item.Run"),
        ("B.Alias.M", "calls", "A.Item.Run"),
        ("B.Deep.Inner.M", "calls", "B.Item.Run"),
        ("C.Using.M", "calls", "A.Item.Run"),
    }


def test_parts_of_a_class_know_each_other(relations_of: Callable[..., Relations]) -> None:
    files = {
        "A.cs": "namespace N; partial class Shelf { void One() { Two(); } }",
        "B.cs": "namespace N; partial class Shelf { void Two() { this.One(); } }",
    }
    assert relations_of(files, language="csharp") == {
        ("N.Shelf.One", "calls", "N.Shelf.Two"),
        ("N.Shelf.Two", "calls", "N.Shelf.One"),
    }


def test_bases_are_classes_or_interfaces_by_declaration_place_and_name(
    relations_of: Callable[..., Relations],
) -> None:
    source = """
namespace N;
interface Reader {}
class Idle {}
class IBM {}
interface IDeep : Reader {}
class A : Reader {}
class B : IBM, Reader {}
struct C : Reader {}
record D(int X) : Idle(), Reader;
class E : Acme.Outside.Thing, Acme.Outside.IThing {}
"""
    relations = relations_of({"N.cs": source}, language="csharp")
    assert relations == {
        ("N.IDeep", "inherits", "N.Reader"),
        ("N.A", "implements", "N.Reader"),
        ("N.B", "inherits", "N.IBM"),
        ("N.B", "implements", "N.Reader"),
        ("N.C", "implements", "N.Reader"),
        ("N.D", "inherits", "N.Idle"),
        ("N.D", "implements", "N.Reader"),
        ("N.E", "inherits", "Acme.Outside.Thing"),
        ("N.E", "implements", "Acme.Outside.IThing"),
    }


def test_statements_outside_of_types_belong_to_the_file(
    relations_of: Callable[..., Relations],
) -> None:
    files = {
        "Program.cs": "using N;\nvar shelf = new Shelf();\nshelf.Lend();\n",
        "Shelf.cs": "namespace N; class Shelf { public void Lend() {} }",
    }
    assert relations_of(files, language="csharp") == {
        ("Program", "imports", "N"),
        ("Program", "uses", "N.Shelf"),
        ("Program", "calls", "N.Shelf.Lend"),
    }


@pytest.mark.parametrize(
    "deep",
    [
        pytest.param("x" + ".A()" * 2000 + ";", id="a chain"),
        pytest.param("X(" * 2000 + ")" * 2000 + ";", id="arguments"),
        pytest.param("int y = 1" + " + 1" * 5000 + ";", id="a sum"),
        pytest.param("{" * 2000 + "}" * 2000, id="blocks"),
    ],
)
def test_generated_code_is_read_as_deep_as_the_stack_allows(
    deep: str, shelf: Callable[[str], Relations]
) -> None:
    relations = shelf(
        f"namespace Acme.Store; class Shelf : Base {{ void M() {{ Log(s); {deep} Pick(); }} }}"
    )
    assert {one for one in relations if one[0] == "Shelf.M"} == {
        ("Shelf.M", "calls", "Store.Base.Log"),
        ("Shelf.M", "calls", "Store.Base.Pick"),
    }
