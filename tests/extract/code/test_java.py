"""What Java files define, and whom they mean: a small library with every trap."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brainkit.extract.code import code_facts
from brainkit.extract.facts import Facts, Target

Relations = set[tuple[str, str, str]]

BOOK = """
package com.acme.books;

public class Book implements Comparable<Book> {
    public static final int MAX_LOANS = 3;
    private Author author;
    public Book() {}
    public Author author() { return author; }
    public String title() { return "title()"; }
    public int compareTo(Book other) { return 0; }
    public static Book of(String title) { return new Book(); }
    public static class Author { public String name() { return ""; } }
}
"""
BASE = """
package com.acme.store;

import com.acme.books.Book;

abstract class Base {
    protected Book first;
    protected void log(String line) {}
    protected Book pick() { return first; }
    Book find(int id) { return null; }
    Object find(String id) { return null; }
}
"""
LENDABLE = """
package com.acme.store;

public interface Lendable {
    int DAYS = 14;
    void lend(Object what);
    default void give() { lend(null); }
}
"""
TEXT = """
package com.acme;

public final class Text {
    public static final String DASH = "-";
    public static String join(String... parts) { return DASH; }
    public static String trim(String text) { return text; }
}
"""


@pytest.fixture(scope="module")
def shelf(relations_of: Callable[..., Relations]) -> Callable[[str, str], Relations]:
    """Relations of a class in com.acme.store, with everything else around it."""

    def relations(imports: str, source: str) -> Relations:
        prefix = "com.acme.store.Shelf"
        files = {
            "src/main/java/com/acme/books/Book.java": BOOK,
            "src/main/java/com/acme/store/Base.java": BASE,
            "src/main/java/com/acme/store/Lendable.java": LENDABLE,
            "src/main/java/com/acme/Text.java": TEXT,
            "src/main/java/com/acme/store/Shelf.java": "\n".join(
                ["package com.acme.store;", imports, source]
            ),
        }
        return {
            (subject.removeprefix("com.acme.store."), predicate, object_.removeprefix("com.acme."))
            for subject, predicate, object_ in relations_of(files, language="java")
            if subject.startswith(prefix)
        }

    return relations


def facts_of(text: str, relative: str = "src/com/acme/store/Shelf.java") -> Facts:
    found = code_facts(text, language="java", relative=relative, chunk_of=lambda row: (row,))
    assert found is not None
    return found


def test_the_package_is_the_module_and_constructors_belong_to_their_class() -> None:
    facts = facts_of(
        """package com.acme.store;
@Marked
public class Shelf<T> {
    static final int MAX = 1, MIN = 0;
    int size;
    Shelf() {}
    void lend() { class Local { void run() {} } }
    enum Kind { OPEN, CLOSED { void run() {} }; int rank; int rank() { return rank; } }
    record Slot(int row, Shelf<?> shelf) { Slot {} }
    interface Reader { String NAME = ""; void read(); }
    @interface Marked { int value() default 1; }
}
class Helper {}
"""
    )
    assert facts.module == "com.acme.store"
    assert {one.path: (one.kind, one.chunks) for one in facts.named} == {
        "": ("package", (0,)),
        "Shelf": ("class", (1, 2, 3, 4, 5)),
        "Shelf.MAX": ("constant", (3,)),
        "Shelf.MIN": ("constant", (3,)),
        "Shelf.lend": ("method", (6,)),
        "Shelf.Kind": ("enum", (7,)),
        "Shelf.Kind.OPEN": ("constant", (7,)),
        "Shelf.Kind.CLOSED": ("constant", (7,)),
        "Shelf.Kind.rank": ("method", (7,)),
        "Shelf.Slot": ("record", (8,)),
        "Shelf.Reader": ("interface", (9,)),
        "Shelf.Reader.NAME": ("constant", (9,)),
        "Shelf.Reader.read": ("method", (9,)),
        "Shelf.Marked": ("annotation", (10,)),
        "Shelf.Marked.value": ("method", (10,)),
        "Helper": ("class", (12,)),
    }


def test_fields_and_results_are_bound_to_their_types() -> None:
    facts = facts_of(
        """import com.acme.books.*;
import com.acme.books.Book;
class Shelf<T extends Book> {
    Book first; T second; Book[] many; String name;
    Book pick() { return null; }
    Book find(int id) { return null; }
    Object find(String id) { return null; }
}
"""
    )
    book = Target("name", "com.acme.books.Book.()")
    assert facts.module == ""
    assert dict(facts.bindings) == {
        "*.0": Target("file", ""),
        "*.1": Target("name", "com.acme.books"),
        "Shelf.first": book,
        "Shelf.second": book,
        "Shelf.name": Target("file", "*.String.()"),
        "Shelf.pick.()": book,
    }


def test_a_class_of_the_library(shelf: Callable[[str, str], Relations]) -> None:
    relations = shelf(
        """import com.acme.books.Book;
import static com.acme.Text.join;
import java.util.List;
""",
        """@Deprecated
class Shelf extends Base implements Lendable, java.io.Closeable {
    private final List<Book> books = List.of();
    Shelf(Book book) { super(); }
    public void lend(Object what) {
        log(join("a", "b"));                       // Text.trim("a")
        this.pick().title();
        var picked = super.pick();
        picked.author().name();
        books.get(0).title();
        first.compareTo(Book.of("title()"));
        find(1).title();
    }
    public void close() { give(); new Book().author(); int left = Book.MAX_LOANS - DAYS; }
}
""",
    )
    assert relations == {
        ("Shelf", "imports", "books.Book"),
        ("Shelf", "imports", "Text.join"),
        ("Shelf", "imports", "java.util"),
        ("Shelf", "inherits", "store.Base"),
        ("Shelf", "implements", "store.Lendable"),
        ("Shelf", "implements", "java.io.Closeable"),
        ("Shelf", "uses", "books.Book"),
        ("Shelf.lend", "calls", "store.Base.log"),
        ("Shelf.lend", "calls", "Text.join"),
        ("Shelf.lend", "calls", "store.Base.pick"),
        ("Shelf.lend", "calls", "store.Base.find"),
        ("Shelf.lend", "calls", "books.Book.title"),
        ("Shelf.lend", "calls", "books.Book.author"),
        ("Shelf.lend", "calls", "books.Book.Author.name"),
        ("Shelf.lend", "calls", "books.Book.compareTo"),
        ("Shelf.lend", "calls", "books.Book.of"),
        ("Shelf.close", "calls", "store.Lendable.give"),
        ("Shelf.close", "uses", "books.Book"),
        ("Shelf.close", "calls", "books.Book.author"),
        ("Shelf.close", "uses", "books.Book.MAX_LOANS"),
        ("Shelf.close", "uses", "store.Lendable.DAYS"),
    }


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("Object first; first.title();", set(), id="a local hides a field"),
        pytest.param("for (Object o : x) o.title();", set(), id="a type without the method"),
        pytest.param("unknown().title(); other.title();", set(), id="receivers of unknown type"),
        pytest.param('String s = "log(1)"; /* log(2); */', set(), id="text that looks like calls"),
        pytest.param("Book[] all; all.title();", {("uses", "books.Book")}, id="an array"),
        pytest.param("first.title();", {("calls", "books.Book.title")}, id="an inherited field"),
        pytest.param(
            "try (Book b = pick()) {} catch (Exception b) { b.title(); }",
            {("uses", "books.Book"), ("calls", "store.Base.pick")},
            id="a name only in its block",
        ),
        pytest.param(
            "if (x instanceof Book b) { b.title(); }",
            {("uses", "books.Book"), ("calls", "books.Book.title")},
            id="a pattern",
        ),
        pytest.param(
            "switch (x) { case Book b -> b.title(); default -> {} }",
            {("uses", "books.Book"), ("calls", "books.Book.title")},
            id="a pattern in a switch",
        ),
        pytest.param(
            "((Book) x).title();",
            {("uses", "books.Book"), ("calls", "books.Book.title")},
            id="a cast",
        ),
        pytest.param(
            "run(Book::title); run(first::author); run(Book::new); run(this::log);",
            {
                ("uses", "books.Book.title"),
                ("uses", "books.Book.author"),
                ("uses", "books.Book"),
                ("uses", "store.Base.log"),
            },
            id="references to methods",
        ),
        pytest.param(
            "new Base() { void own() {} void run() { own(); log(pick().title()); } };",
            {
                ("uses", "store.Base"),
                ("calls", "store.Base.log"),
                ("calls", "store.Base.pick"),
                ("calls", "books.Book.title"),
            },
            id="an anonymous class",
        ),
        pytest.param(
            "class Base { void log() {} } new Base().log();", set(), id="a local class hides one"
        ),
        pytest.param(
            "run((Book b) -> b.title()); run(first -> first.author());",
            {("uses", "books.Book"), ("calls", "books.Book.title")},
            id="parameters of lambdas",
        ),
        pytest.param(
            "(/* a */ first /* b */).title(/* log(s) */); List</* c */ Book /* d */> l;",
            {("uses", "books.Book"), ("calls", "books.Book.title")},
            id="comments in between",
        ),
        pytest.param(
            "com.acme.Text.trim(com.acme.Text.DASH);",
            {("calls", "Text.trim"), ("uses", "Text.DASH")},
            id="a whole name in place of an import",
        ),
    ],
)
def test_who_is_meant(
    shelf: Callable[[str, str], Relations], body: str, expected: set[tuple[str, str]]
) -> None:
    relations = shelf(
        "import com.acme.books.*;", f"class Shelf extends Base {{ void m(Object x) {{ {body} }} }}"
    )
    assert {(p, o) for s, p, o in relations if s == "Shelf.m"} == expected


def test_own_package_comes_before_what_is_imported_whole(
    relations_of: Callable[..., Relations],
) -> None:
    files = {
        "a/Item.java": "package a; public class Item { public void run() {} }",
        "b/Item.java": "package b; public class Item { public void run() {} }",
        "b/Use.java": "package b; import a.*; class Use { void m(Item i) { i.run(); } }",
        "b/Named.java": "package b; import a.Item; class Named { void m(Item i) { i.run(); } }",
        "c/Whole.java": "package c; import a.*; class Whole { void m(Item i) { i.run(); } }",
        "c/Free.java": "package c; class Free { void m(Item i) { i.run(); } }",
        "c/Typed.java": "package c; import a.*; class Typed { <Item> void m(Item i) { i.run(); } }",
    }
    relations = relations_of(files, language="java")
    assert {one for one in relations if one[1] == "calls"} == {
        ("b.Use.m", "calls", "b.Item.run"),
        ("b.Named.m", "calls", "a.Item.run"),
        ("c.Whole.m", "calls", "a.Item.run"),
    }


def test_annotations_throws_and_bounds_are_uses(shelf: Callable[[str, str], Relations]) -> None:
    relations = shelf(
        "import com.acme.books.Book;",
        """class Shelf {
    @Marked(Kind.OPEN) <T extends Book> T m(java.util.List<? super Book.Author> x) throws Fault {
        return null;
    }
    enum Kind { OPEN }
    @interface Marked { Kind value(); }
    static class Fault extends Exception {}
}
""",
    )
    assert {(p, o) for s, p, o in relations if s == "Shelf.m"} == {
        ("uses", "store.Shelf.Marked"),
        ("uses", "store.Shelf.Kind.OPEN"),
        ("uses", "store.Shelf.Fault"),
        ("uses", "books.Book"),
        ("uses", "books.Book.Author"),
    }


def test_a_test_tests_what_it_calls(relations_of: Callable[..., Relations]) -> None:
    files = {
        "src/main/java/a/Shelf.java": "package a; public class Shelf { public void lend() {} }",
        "src/test/java/a/ShelfTest.java": """package a;
class ShelfTest { @Test void lends() { new Shelf().lend(); helper(); } void helper() {} }
""",
    }
    assert relations_of(files, language="java") == {
        ("a.ShelfTest.lends", "uses", "a.Shelf"),
        ("a.ShelfTest.lends", "calls", "a.Shelf.lend"),
        ("a.ShelfTest.lends", "calls", "a.ShelfTest.helper"),
        ("a.ShelfTest.lends", "tests", "a.Shelf"),
        ("a.ShelfTest.lends", "tests", "a.Shelf.lend"),
    }


@pytest.mark.parametrize(
    "deep",
    [
        pytest.param("x" + ".a()" * 2000 + ";", id="a chain"),
        pytest.param("x(" * 2000 + ")" * 2000 + ";", id="arguments"),
        pytest.param("int y = 1" + " + 1" * 5000 + ";", id="a sum"),
        pytest.param("{" * 2000 + "}" * 2000, id="blocks"),
        pytest.param("if (x) {} " + "else if (x) {} " * 2000, id="alternatives"),
    ],
)
def test_generated_code_is_read_as_deep_as_the_stack_allows(
    deep: str, shelf: Callable[[str, str], Relations]
) -> None:
    relations = shelf("", f"class Shelf extends Base {{ void m() {{ log(1); {deep} pick(); }} }}")
    assert {one for one in relations if one[0] == "Shelf.m"} == {
        ("Shelf.m", "calls", "store.Base.log"),
        ("Shelf.m", "calls", "store.Base.pick"),
    }
