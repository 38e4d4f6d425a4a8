"""What C# files define and bind."""

from __future__ import annotations

from brainkit.extract.code import code_facts
from brainkit.extract.facts import Facts, Target


def facts_of(text: str) -> Facts:
    found = code_facts(
        text, language="csharp", relative="src/Shelf.cs", chunk_of=lambda row: (row,)
    )
    assert found is not None
    return found


def test_the_namespace_is_the_module_and_constructors_belong_to_their_type() -> None:
    facts = facts_of(
        """namespace Acme.Store;
[Marked]
public partial class Shelf<T>
{
    const int Max = 1; static readonly int Min = 0, Low = 1;
    private int size;
    public Shelf() {}
    public int this[int i] => i;
    public void Lend() { void Inner() {} }
    public int Size { get; }
    public delegate void Lent(int id);
    enum Kind { Open, Closed }
    record Slot(int Row) { public void Free() {} }
    struct Place {}
    interface IReader { void Read(); }
}
#if EXTRA
class Extra {}
#endif
"""
    )
    assert facts.module == "Acme.Store"
    assert {one.path: (one.kind, one.chunks) for one in facts.named} == {
        "": ("package", (0,)),
        "Shelf": ("class", (1, 2, 3, 4, 5, 6, 7)),
        "Shelf.Max": ("constant", (4,)),
        "Shelf.Min": ("constant", (4,)),
        "Shelf.Low": ("constant", (4,)),
        "Shelf.Lend": ("method", (8,)),
        "Shelf.Size": ("property", (9,)),
        "Shelf.Lent": ("delegate", (10,)),
        "Shelf.Kind": ("enum", (11,)),
        "Shelf.Slot": ("record", (12,)),
        "Shelf.Slot.Free": ("method", (12,)),
        "Shelf.Place": ("struct", (13,)),
        "Shelf.IReader": ("interface", (14,)),
        "Shelf.IReader.Read": ("method", (14,)),
        "Extra": ("class", (17,)),
    }


def test_several_namespaces_stand_below_what_they_have_in_common() -> None:
    facts = facts_of(
        """namespace Acme.Store { class Shelf {} namespace Tools { class Hammer {} } }
namespace Acme.Store.Parts { class Bolt {} }
"""
    )
    assert facts.module == "Acme.Store"
    assert [(one.path, one.kind, one.parent) for one in facts.named[1:]] == [
        ("Tools", "namespace", ""),
        ("Parts", "namespace", ""),
        ("Shelf", "class", ""),
        ("Tools.Hammer", "class", "Tools"),
        ("Parts.Bolt", "class", "Parts"),
    ]


def test_fields_properties_and_results_are_bound_to_their_types() -> None:
    facts = facts_of(
        """using Acme.Books;
using Copy = Acme.Books.Book;
using static Acme.Text;
namespace Acme.Store;
class Shelf<T> where T : Copy
{
    Copy first; T second; Copy[] many; Copy? third;
    Copy Main { get; set; }
    async Task<Copy> Pick() => null;
    Copy Find(int id) => null;
    object Find(string id) => null;
}
"""
    )
    book = Target("name", "Acme.Books.Book.()")
    assert dict(facts.bindings) == {
        "*.0": Target("file", ""),
        "*.1": Target("name", "Acme"),
        "*.2": Target("name", "Acme.Books"),
        "*.3": Target("name", "Acme.Text"),
        "Shelf.first": book,
        "Shelf.second": book,
        "Shelf.third": book,
        "Shelf.Main": book,
        "Shelf.Pick.()": book,
    }
