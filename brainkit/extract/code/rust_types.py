"""The names, types and patterns of Rust: what a value is, as far as a file says so."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from brainkit.extract.code.holding import bind_value, element_of, holder_of, itself
from brainkit.extract.code.model import Collector, Meaning, below
from brainkit.extract.code.rust_paths import Paths, segments_of
from brainkit.extract.facts import Target
from brainkit.parse.grammar import text_of

_SMART: Final = frozenset({"Box", "Rc", "Arc", "Pin", "Ref", "RefMut", "MutexGuard", "Reverse"})
"""Types whose members are those of their argument."""
_HOLDERS: Final = frozenset(
    {
        *("Option", "Result", "Vec", "VecDeque", "HashSet", "BTreeSet", "BinaryHeap", "RefCell"),
        *("Cell", "OnceCell", "OnceLock", "LazyLock", "Lazy", "IndexSet", "SmallVec"),
    }
)
_MAPS: Final = frozenset({"HashMap", "BTreeMap", "IndexMap"})
_LOCKS: Final = frozenset({"Mutex", "RwLock"})
_MARKS: Final = ("*", "[]")
_NAMED: Final = frozenset({"type_identifier", "scoped_type_identifier"})
_INNER: Final = {
    "reference_type": "type",
    "pointer_type": "type",
    "dynamic_type": "trait",
    "abstract_type": "trait",
}
TYPES: Final = frozenset(
    {
        *("generic_type", "bounded_type", "array_type", "tuple_type", "function_type"),
        *("type_arguments", "trait_bounds", *_NAMED, *_INNER),
    }
)
_THE_SAME: Final = frozenset(
    {"captured_pattern", "or_pattern", "mut_pattern", "ref_pattern", "reference_pattern"}
)
_PARTS: Final = frozenset({"slice_pattern", "tuple_pattern"})
_PRELUDE: Final = frozenset(
    {
        *("Option", "Some", "None", "Result", "Ok", "Err", "Vec", "String", "Box", "Clone", "Copy"),
        *("Default", "Drop", "Eq", "Extend", "Fn", "FnMut", "FnOnce", "From", "Into", "Iterator"),
        *("IntoIterator", "Ord", "PartialEq", "PartialOrd", "Send", "Sync", "Sized", "ToOwned"),
        *("ToString", "TryFrom", "TryInto", "AsRef", "AsMut", "drop"),
    }
)
"""Names that mean something everywhere, unless the file declares them."""


class Types:
    """Reads names, types and patterns.

    at : path of the module being read, in the file: "" or that of a ``mod`` with a body.
    open : whether it has names that the file does not mention, by ``use a::*``.
    row : of the file in which the tree being read begins, for the arguments of a macro.
    variants : path of an enum -> their names.
    written : names that come from crates outside -> as these would be written in full.
    """

    def __init__(self, collector: Collector) -> None:
        self.collector = collector
        self.paths = Paths(collector)
        self.at = ""
        self.open = False
        self.row = 0
        self.written: dict[str, str] = {}
        self.variants: dict[str, list[str]] = {}

    # Names

    def declared(self, name: str) -> bool:
        """Whether the file declares a name here."""
        return self.collector.scope_now.holder(name) is not None

    def meaning(self, segments: list[str]) -> Meaning:
        """Return what a path stands for."""
        if not segments:
            return None
        first, *rest = segments
        base: Meaning
        if first == "::":
            base = self.paths.external(rest.pop(0))
        elif first == "crate":
            base = self.paths.crate()
        elif first == "super":
            levels = 1
            while rest[:1] == ["super"]:
                levels, rest = levels + 1, rest[1:]
            base = self._above(levels)
        elif first == "self" and (rest or not self.declared("self")):
            base = Target("file", self.at)
        elif self.declared(first):
            base = self.collector.lookup(first)
        elif rest and first[:1].islower():
            base = self.paths.external(first)
        else:
            base = Target("file", first) if self.open and first not in _PRELUDE else None
        return base and below(base, *rest)

    def _above(self, levels: int) -> Meaning:
        parts = self.at.split(".") if self.at else []
        if levels <= len(parts):
            return Target("file", ".".join(parts[: len(parts) - levels]))
        return self.paths.parent(levels - len(parts))

    def outside(self, segments: list[str]) -> Target | None:
        """Return a path into a crate outside as it would be written in full."""
        first, *rest = [part for part in segments if part != "::"] or [""]
        name = self.written.get(first, "" if self.declared(first) else first)
        known = name and first not in ("crate", "self", "super") and (rest or "." in name)
        return Target("name", ".".join([name, *rest])) if known else None

    def refer(self, predicate: str, *targets: Meaning, node: Node, subject: str = "") -> None:
        """Note that the definition being read, or another subject, refers to a target."""
        subject = subject or self.collector.scope_now.path
        found = [target for target in targets if itself(target) is not None and target is not None]
        own = found and predicate == "uses" and f"{subject}.".startswith(f"{found[-1].path}.")
        if found and not own:
            row = self.row + node.start_point.row
            self.collector.refer(subject, predicate, *found, row=row)

    def note(self, node: Node) -> Meaning:
        """Note the use of a path; of ``State::Open``, its variant or else the type."""
        segments = segments_of(node)
        meaning = self.meaning(segments)
        if meaning is not None and not is_value(meaning):
            self.refer("uses", meaning, self.owner(segments, meaning), node=node)
        return meaning

    def owner(self, segments: list[str], meaning: Meaning) -> Meaning:
        """Return the type that a path names a variant or member of, if it does."""
        if is_type(segments[-2:-1]):
            return self.meaning(segments[:-1])
        enum = meaning.path.rpartition(".")[0] if meaning is not None else ""
        return Target("file", enum) if enum in self.variants else None

    def bind(self, path: str, value: Meaning) -> None:
        """Say what a path of the file stands for."""
        bind_value(self.collector, path, value)

    def attribute(self, value: Meaning, name: str) -> Meaning:
        """Return what a field of a value is, looked up at once where this file says so."""
        value = itself(value)
        if value is None:
            return None
        if value.scope == "file":
            path, depth = f"{value.path.removesuffix('.()')}.{name}", 0
            while self.collector.bound(path + "[]" * depth) is None and depth < 3:
                depth += 1
            found: Meaning = self.collector.bound(path + "[]" * depth)
            for _ in range(depth if found else 0):
                found = holder_of(found)
            if found is not None:
                return found
        return below(value, name)

    # Types

    def type_of(self, node: Node | None) -> Meaning:
        """Return a value of a type, and note every type named in it."""
        if node is None:
            return None
        kind = node.type
        if kind in _NAMED:
            return self._named(node)
        if kind == "generic_type":
            return self._generic(node)
        if kind in _INNER:
            return self.type_of(node.child_by_field_name(_INNER[kind]))
        values = [self.type_of(child) for child in node.named_children]
        if kind == "array_type":
            return holder_of(values[0])
        return values[0] if kind == "bounded_type" else None

    def _named(self, node: Node | None) -> Meaning:
        named = self.meaning(segments_of(node))
        if node is None or named is None or is_value(named):
            return None
        self.refer("uses", named, node=node)
        return below(named, "()")

    def _generic(self, node: Node) -> Meaning:
        named = self._named(node.child_by_field_name("type"))
        arguments = node.child_by_field_name("type_arguments")
        values: list[Meaning] = []
        for argument in arguments.named_children if arguments is not None else ():
            if argument.type == "type_binding":  # impl Iterator<Item = Book>
                named = holder_of(self.type_of(argument.child_by_field_name("type")))
            elif argument.type != "lifetime":
                values.append(self.type_of(argument))
        name = segments_of(node)[-1]
        if name in _SMART or name in _HOLDERS or name in _LOCKS:
            named = values[0] if values else None
        if name in _MAPS or name == "Cow":
            named = values[-1] if values else None
        if name in _HOLDERS or name in _MAPS:
            return holder_of(named)
        return holder_of(holder_of(named)) if name in _LOCKS else named

    def type_parameters(self, node: Node) -> None:
        """Declare type parameters; a value of one has the members of its first bound."""
        parameters = node.child_by_field_name("type_parameters")
        bounds: dict[str, list[Node]] = {}
        for one in parameters.named_children if parameters is not None else ():
            if one.type in ("type_parameter", "const_parameter"):
                bound = one.child_by_field_name("bounds")
                name = text_of(one.child_by_field_name("name"))
                bounds[name] = bound.named_children if bound is not None else []
                self.collector.declare(name)
        where = next((child for child in node.named_children if child.type == "where_clause"), None)
        for one in where.named_children if where is not None else ():
            bound = one.child_by_field_name("bounds")
            name = text_of(one.child_by_field_name("left"))
            bounds.setdefault(name, [])
            bounds[name] = [*bounds[name], *(bound.named_children if bound is not None else [])]
        for name, traits in bounds.items():
            known = [value for trait in traits if (value := self.type_of(trait)) is not None]
            if known and name.isidentifier() and name != "Self" and itself(known[0]) is not None:
                first = known[0]
                self.collector.declare(name, Target(first.scope, first.path.removesuffix(".()")))

    # Patterns

    def pattern(self, node: Node | None, value: Meaning) -> None:
        """Declare the names of a pattern that a value is taken apart by."""
        if node is None:
            return
        kind = node.type
        if kind == "identifier":
            name = text_of(node)
            if name[:1].isupper() and self.declared(name):
                self.note(node)
            else:
                self.collector.declare(name, value)
        elif kind == "scoped_identifier":
            self.note(node)
        elif kind == "tuple_struct_pattern":
            self._taken_apart(node, value)
        elif kind == "struct_pattern":
            self._fields(node)
        elif kind in _THE_SAME or kind in _PARTS:
            inner = value if kind in _THE_SAME else None
            for child in node.named_children:
                self.pattern(child, element_of(value) if kind == "slice_pattern" else inner)

    def _taken_apart(self, node: Node, value: Meaning) -> None:
        head, *inner = node.named_children
        if text_of(head) in ("Some", "Ok"):
            values = [element_of(value)] * len(inner)
        elif text_of(head) == "Err":
            values = [None] * len(inner)
        else:
            whole = self.note(head)
            values = [
                self.attribute(whole and below(whole, "()"), str(at)) for at in range(len(inner))
            ]
        for child, one in zip(inner, values, strict=True):
            self.pattern(child, one)

    def _fields(self, node: Node) -> None:
        head = node.child_by_field_name("type")
        whole = self.note(head) if head is not None else None
        whole = whole and below(whole, "()")
        for field in node.named_children:
            if field.type == "field_pattern":
                name = field.child_by_field_name("name")
                value = self.attribute(whole, text_of(name))
                pattern = field.child_by_field_name("pattern")
                if pattern is not None:
                    self.pattern(pattern, value)
                else:
                    self.collector.declare(text_of(name), value)


def inside(module: str, name: str) -> str:
    """Return the path of a name in a module of the file.

    >>> inside("tests", "lends"), inside("", "Shelf")
    ('tests.lends', 'Shelf')
    """
    return f"{module}.{name}" if module else name


def is_type(segments: list[str]) -> bool:
    """Whether the last name of a path is written as types are: ``Shelf``, not ``SHELF``."""
    name = segments[-1] if segments else ""
    return name[:1].isupper() and (len(name) == 1 or not name.isupper())


def is_value(meaning: Target) -> bool:
    """Whether a meaning is a value of some type, rather than what a path names."""
    return "()" in meaning.path or meaning.path.endswith(_MARKS)
