"""Rust: modules by the tree of files, methods in impl blocks, traits as supertypes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from brainkit.extract.code.model import Collector, Meaning, Scope
from brainkit.extract.code.rust_bodies import Bodies
from brainkit.extract.code.rust_paths import leaves_of, segments_of
from brainkit.extract.code.rust_types import inside, is_type
from brainkit.extract.facts import Target
from brainkit.parse.grammar import text_of

_KINDS: Final = {
    "function_item": "function",
    "function_signature_item": "function",
    "struct_item": "struct",
    "union_item": "union",
    "enum_item": "enum",
    "trait_item": "trait",
    "type_item": "type",
    "const_item": "constant",
    "static_item": "constant",
    "macro_definition": "macro",
}
_BEGINNINGS: Final = frozenset({"crate", "self", "super"})
_PRELUDE: Final = {
    "AsMut": "std.convert.AsMut",
    "AsRef": "std.convert.AsRef",
    "Clone": "std.clone.Clone",
    "Default": "std.default.Default",
    "DoubleEndedIterator": "std.iter.DoubleEndedIterator",
    "Drop": "std.ops.Drop",
    "Eq": "std.cmp.Eq",
    "ExactSizeIterator": "std.iter.ExactSizeIterator",
    "Extend": "std.iter.Extend",
    "From": "std.convert.From",
    "FromIterator": "std.iter.FromIterator",
    "Into": "std.convert.Into",
    "IntoIterator": "std.iter.IntoIterator",
    "Iterator": "std.iter.Iterator",
    "Ord": "std.cmp.Ord",
    "PartialEq": "std.cmp.PartialEq",
    "PartialOrd": "std.cmp.PartialOrd",
    "Send": "std.marker.Send",
    "Sync": "std.marker.Sync",
    "ToString": "std.string.ToString",
    "TryFrom": "std.convert.TryFrom",
    "TryInto": "std.convert.TryInto",
}
"""Traits that need no import, in full."""


def facts(root: Node, collector: Collector) -> None:
    """Collect what a Rust file defines and uses."""
    _File(collector).read(root)


class _File(Bodies):
    def __init__(self, collector: Collector) -> None:
        super().__init__(collector)
        self.stars = 0

    def read(self, root: Node) -> None:
        collector, paths = self.collector, self.paths
        collector.module = paths.module
        collector.kind = "package" if paths.of_folder else "module"
        if paths.of_folder:
            collector.module_name = paths.module.rpartition(".")[2] or "crate"
        self.items(root.named_children, "")

    # Items of a module or block

    def items(self, nodes: list[Node], path: str, *, local: bool = False) -> None:
        for node in nodes:
            self.declare(node, path)
        for node in nodes:
            if node.type in ("use_declaration", "extern_crate_declaration"):
                self.use(node, path, local=local)
        for node in nodes:
            if node.type in ("struct_item", "union_item", "enum_item", "trait_item", "type_item"):
                self.type_item(node, inside(path, _name(node)))
        for node in nodes:
            self.item(node, path)

    def declare(self, node: Node, path: str) -> None:
        name = _name(node)
        if node.type == "macro_definition":
            self.collector.declare(f"{name}!", Target("file", inside(path, name)))
        elif node.type in _KINDS:
            self.collector.declare(name, Target("file", inside(path, name)))
            if node.type == "enum_item":
                self.variants[inside(path, name)] = [_name(child) for child in _body(node)]
        elif node.type == "mod_item":
            own = inside(path, name)
            if node.child_by_field_name("body") is not None:
                self.collector.declare(name, Target("file", own))
            else:
                self.collector.declare(name, self.paths.child(own))
                self.collector.bind(own, self.paths.child(own))
                if _has_attribute(node, "macro_use"):
                    self.star(self.paths.child(own))
        elif node.type == "foreign_mod_item":
            for child in _body(node):
                self.declare(child, path)

    def item(self, node: Node, path: str) -> None:
        own = inside(path, _name(node))
        match node.type:
            case "function_item" | "function_signature_item":
                self.function(node, own, "function")
            case "const_item" | "static_item":
                self.constant(node, own)
            case "macro_definition":
                self.collector.add(own, "macro", rows=_rows(node))
            case "impl_item":
                self.impl(node)
            case "trait_item":
                self.members(node, own)
            case "mod_item":
                self.module(node, own)
            case "foreign_mod_item":
                for child in _body(node):
                    self.item(child, path)
            case "macro_invocation" | "expression_statement" if not path:
                self.value(node)

    def module(self, node: Node, own: str) -> None:
        body = _body(node)
        if node.child_by_field_name("body") is None:
            return
        self.collector.add(own, "namespace", rows=(node.start_point.row, node.start_point.row + 1))
        before = self.at, self.open, self.collector.scope_now
        # What stands outside is seen inside only through "use super::*".
        outer = self.collector.scope_now if _takes_all_of_super(body) else None
        self.at, self.open = own, self.open and outer is not None
        self.collector.scope_now = Scope(own, outer)
        self.items(body, own)
        self.at, self.open, self.collector.scope_now = before

    def use(self, node: Node, path: str, *, local: bool) -> None:
        if node.type == "extern_crate_declaration":
            name = _name(node)
            alias = text_of(node.child_by_field_name("alias")) or name
            found = [([name], alias)]
        else:
            found = [*leaves_of(node.child_by_field_name("argument"))]
        for segments, name in found:
            self.import_(segments, name, node)
            if name == "*":
                self.all_of(self.meaning(segments), local=local)
            elif name != "_":
                outside, meaning = self.outside(segments), self.taken(segments)
                self.collector.declare(name, meaning)
                if outside is not None:
                    self.written[name] = outside.path
                if meaning is not None and not local:
                    self.collector.bind(inside(path, name), meaning)

    def all_of(self, target: Meaning, *, local: bool) -> None:
        """Take in all names of a module, or all variants of an enum of this file."""
        if target is None:
            return
        variants = self.variants.get(target.path, []) if target.scope == "file" else []
        for name in variants:
            self.collector.declare(name, Target("file", f"{target.path}.{name}"))
        if not variants and not local and target.path:
            self.open = True
            self.star(target)

    def star(self, module: Target) -> None:
        """Let all names of a module be names of the file."""
        self.collector.bind(f"*{self.stars}", module)
        self.stars += 1

    def taken(self, segments: list[str]) -> Meaning:
        """Return what a use names; a single name may be a crate."""
        alone = len(segments) == 1 and segments[0] not in _BEGINNINGS
        if alone and not self.declared(segments[0]):
            return self.paths.external(segments[0])
        return self.meaning(segments)

    def import_(self, segments: list[str], name: str, node: Node) -> None:
        row = node.start_point.row
        meaning, outside = self.taken(segments), self.outside(segments)
        if outside is None and len(segments) == 1 and not self.declared(segments[0]):
            outside = Target("name", segments[0])
        if meaning is not None and meaning.scope == "file" and not meaning.path.startswith("*"):
            return  # from the file itself
        inner = name != "*" and not _BEGINNINGS.issuperset(segments[:-1])
        module = self.taken(segments[:-1]) if inner else None
        if outside is not None and is_type(segments):
            outside = Target("name", outside.path.rpartition(".")[0])
        targets = [meaning, module, outside]
        self.collector.refer(self.at, "imports", *[t for t in targets if t is not None], row=row)
        if module is not None and module != Target("file", self.at):
            self.collector.refer(self.at, "imports", module, row=row)

    # Definitions

    def type_item(self, node: Node, own: str) -> None:
        self.collector.add(own, _KINDS[node.type], rows=_head_rows(node))
        with self.collector.scope(own):
            self.type_parameters(node)
            self.collector.declare("Self", Target("file", own))
            for bound in _children(node.child_by_field_name("bounds")):
                self.supertype("inherits", bound, own)
            body = node.child_by_field_name("body")
            if node.type == "enum_item":
                for variant in _children(body):
                    self.fields(variant.child_by_field_name("body"), f"{own}.{_name(variant)}")
            elif node.type != "trait_item":
                self.fields(body, own)
            if node.type == "type_item":
                aliased = node.child_by_field_name("type")
                self.type_of(aliased)
                meaning = self.meaning(segments_of(aliased))
                if meaning is not None:
                    self.collector.bind(own, meaning)

    def fields(self, body: Node | None, owner: str) -> None:
        if body is not None and body.type == "ordered_field_declaration_list":
            for at, type_ in enumerate(body.children_by_field_name("type")):
                self.bind(f"{owner}.{at}", self.type_of(type_))
            return
        for field in _children(body):
            if field.type == "field_declaration":
                value = self.type_of(field.child_by_field_name("type"))
                self.bind(f"{owner}.{_name(field)}", value)

    def constant(self, node: Node, own: str) -> None:
        if own.rpartition(".")[2] == "_":
            return
        self.collector.add(own, "constant", rows=_rows(node))
        with self.collector.scope(own):
            value = self.type_of(node.child_by_field_name("type"))
            self.bind(own, value)
            self.value(node.child_by_field_name("value"))

    def impl(self, node: Node) -> None:
        type_ = node.child_by_field_name("type")
        with self.collector.scope():
            self.type_parameters(node)
            owner = self.implementer(type_, node)
            with self.collector.scope(owner):
                trait = node.child_by_field_name("trait")
                if owner and trait is not None:
                    self.supertype("implements", trait, owner)
                self.members(node, owner)

    def implementer(self, type_: Node | None, impl: Node) -> str:
        """Return the path of the type that methods are for; "" if it is not the crate's."""
        while type_ is not None and type_.type in ("reference_type", "dynamic_type"):
            type_ = type_.child_by_field_name("type") or type_.child_by_field_name("trait")
        segments = segments_of(type_)
        parameters = _children(impl.child_by_field_name("type_parameters"))
        if not segments or segments[0] in [_name(one) for one in parameters]:
            return ""
        meaning = self.meaning(segments)
        if meaning is None:
            return ""
        if meaning.scope == "file" and not meaning.path.startswith("*"):
            return meaning.path
        return inside(self.at, segments[-1])

    def supertype(self, predicate: str, node: Node, subject: str) -> None:
        """Note a trait, which may be one that no file of the crate defines."""
        base = node.child_by_field_name("type") if node.type == "generic_type" else node
        segments = segments_of(base)
        if not segments:
            return
        outside = self.outside(segments)
        if outside is None and segments[0] in _PRELUDE and not self.declared(segments[0]):
            outside = Target("name", _PRELUDE[segments[0]])
        targets = [target for target in (self.meaning(segments), outside) if target is not None]
        if targets:
            row = node.start_point.row
            self.collector.refer(subject, predicate, *targets, row=row)
        if node.type == "generic_type":
            self.type_of(node.child_by_field_name("type_arguments"))

    def members(self, node: Node, owner: str) -> None:
        """Read the methods and constants of a trait or impl."""
        with self.collector.scope(owner) as scope:
            if node.type == "trait_item":
                self.type_parameters(node)
            if owner:
                scope.names["Self"] = Target("file", owner)
                scope.names["self"] = Target("file", f"{owner}.()")
            for member in _body(node):
                own = f"{owner}.{_name(member)}" if owner else ""
                if member.type in ("function_item", "function_signature_item"):
                    self.function(member, own, "method")
                elif member.type == "const_item":
                    self.constant(member, own) if own else self.value(member)
                elif member.type == "type_item":
                    self.type_of(member.child_by_field_name("type"))
                elif member.type == "macro_invocation":
                    self.value(member)

    def function(self, node: Node, own: str, kind: str) -> None:
        if own:
            self.collector.add(own, kind, rows=_rows(node))
        with self.collector.scope(own or None):
            self.type_parameters(node)
            for parameter in _children(node.child_by_field_name("parameters")):
                if parameter.type == "parameter":
                    value = self.type_of(parameter.child_by_field_name("type"))
                    pattern = parameter.child_by_field_name("pattern")
                    if pattern is not None and pattern.type != "self":
                        self.pattern(pattern, value)
            result = self.type_of(node.child_by_field_name("return_type"))
            if own:
                self.bind(f"{own}.()", result)
            self.value(node.child_by_field_name("body"))


def _has_attribute(node: Node, name: str) -> bool:
    above = node.prev_named_sibling
    while above is not None and above.type == "attribute_item":
        if text_of(above).strip("#[] \n") == name:
            return True
        above = above.prev_named_sibling
    return False


def _name(node: Node) -> str:
    return text_of(node.child_by_field_name("name"))


def _children(node: Node | None) -> list[Node]:
    return node.named_children if node is not None else []


def _body(node: Node) -> list[Node]:
    return _children(node.child_by_field_name("body"))


def _rows(node: Node) -> tuple[int, int]:
    return node.start_point.row, node.end_point.row + 1


def _head_rows(node: Node) -> tuple[int, int]:
    """Return the rows of a type; of a trait, those before its first method."""
    start, stop = _rows(node)
    methods = (child.start_point.row for child in _body(node) if child.type.startswith("function"))
    first = next(methods, stop) if node.type == "trait_item" else stop
    return start, max(first, start + 1)


def _takes_all_of_super(nodes: list[Node]) -> bool:
    return any(found == (["super"], "*") for node in nodes for found in _leaves(node))


def _leaves(node: Node) -> Iterator[tuple[list[str], str]]:
    if node.type == "use_declaration":
        yield from leaves_of(node.child_by_field_name("argument"))
