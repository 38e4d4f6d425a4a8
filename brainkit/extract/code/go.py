"""Go: a package is a folder, methods stand beside their type, and embedding inherits.

Which types satisfy an interface is left out, but for ``var _ Lender = (*Shelf)(nil)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from brainkit.extract.code.go_bodies import Bodies, names_of, nth
from brainkit.extract.code.model import Collector, below
from brainkit.extract.facts import Target
from brainkit.parse.grammar import text_of

_STANDARD: Final = frozenset(
    {
        *("archive", "arena", "bufio", "builtin", "bytes", "cmp", "compress", "container"),
        *("context", "crypto", "database", "debug", "embed", "encoding", "errors", "expvar"),
        *("flag", "fmt", "go", "hash", "html", "image", "index", "io", "iter", "log", "maps"),
        *("math", "mime", "net", "os", "path", "plugin", "reflect", "regexp", "runtime"),
        *("slices", "sort", "strconv", "strings", "structs", "sync", "syscall", "testing"),
        *("text", "time", "unicode", "unique", "unsafe", "weak", "C"),
    }
)
"""How paths of the standard library begin; no module may have such a name."""
_VERSION: Final = re.compile(r"v\d+\Z")
_UNNAMED: Final = re.compile(r"\Ago-|[.-]go\Z|\.v\d+\Z")
"""What the folder of a package may have besides the package's own name."""
_HOSTS: Final = frozenset({"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"})
_KINDS: Final = {"struct_type": "struct", "interface_type": "interface"}


def facts(root: Node, collector: Collector) -> None:
    """Collect what a Go file defines and uses; its module is its package, not the file."""
    _Package(collector).read(root)


class _Package(Bodies):
    def read(self, root: Node) -> None:
        self.name(root)
        for node in _specs(root, "import_declaration"):
            self.import_(node)
        for node in _specs(root, "type_declaration"):
            self.type_(node)
        for node in _specs(root, "const_declaration"):
            self.constants(node)
        for node in _specs(root, "var_declaration"):
            self.variables(node)
        for node in root.named_children:
            if node.type in ("function_declaration", "method_declaration"):
                self.function(node)

    def name(self, root: Node) -> None:
        clause = next((node for node in root.named_children if node.type == "package_clause"), None)
        name = text_of(clause.named_children[0]) if clause is not None else "main"
        collector = self.collector
        collector.kind, collector.module_name = "package", name
        # The root folder has no name below itself. A test may be a package beside the tested one.
        beside = "_test" if name.endswith("_test") else ""
        collector.module = f"{collector.folder}{beside}" if collector.folder else name

    def import_(self, node: Node) -> None:
        path = text_of(node.child_by_field_name("path")).strip('"`')
        places = [Target("path", place) for place in _places(path)]
        row = node.start_point.row
        self.collector.refer("", "imports", *places, Target("name", path), row=row)
        parts = [part for part in path.split("/") if not _VERSION.match(part)]
        alias = text_of(node.child_by_field_name("name")) or _UNNAMED.sub("", parts[-1])
        if alias in ("_", "."):
            return
        self.collector.declare(alias, Target("file", f"*{alias}") if places else None)
        for at, place in enumerate(places):
            self.collector.bind(f"*{alias}.{at}", place)

    # Types

    def type_(self, node: Node) -> None:
        name = text_of(node.child_by_field_name("name"))
        value = node.child_by_field_name("type")
        if value is None or name == "_":
            return
        kind = _KINDS.get(value.type, "type")
        self.collector.add(name, kind, rows=_rows(node))
        with self.collector.scope(name):
            self.type_parameters(node)
            if kind == "struct":
                self.struct(name, value)
            elif kind == "interface":
                self.interface(name, value)
            elif node.type == "type_alias" and (meant := self.named_type(value)) is not None:
                self.type_of(value)
                self.collector.bind(name, meant)
            else:
                held = self.type_of(value)
                if held is not None and held.path.endswith("*"):
                    self.bind(f"{name}.()", held)

    def struct(self, owner: str, node: Node) -> None:
        for field in node.named_children[0].named_children if node.named_children else ():
            if field.type != "field_declaration":
                continue
            declared = field.child_by_field_name("type")
            names = names_of(field)
            if names:
                value = self.type_of(declared)
                for path in (f"{owner}.{name}" for name in names):
                    self.fields.add(path)
                    self.bind(path, value)
            elif (base := self.named_type(declared)) is not None:
                self.refer("inherits", base, field)
                self.bind(f"{owner}.{base.path.rpartition('.')[2]}", below(base, "()"))

    def interface(self, owner: str, node: Node) -> None:
        for member in node.named_children:
            if member.type == "method_elem":
                path = f"{owner}.{text_of(member.child_by_field_name('name'))}"
                self.collector.add(path, "method", rows=_rows(member))
                with self.collector.scope(path):
                    self.results(path, member)
            elif member.type == "type_elem" and len(member.named_children) == 1:
                self.refer("inherits", self.named_type(member.named_children[0]), member)
            else:
                self.type_of(member)

    # Values and functions

    def constants(self, node: Node) -> None:
        names = names_of(node)
        with self.collector.scope(_first(names)):
            value = self.type_of(node.child_by_field_name("type"))
            self.values(node.child_by_field_name("value"))
        for name in names:
            if name != "_":
                self.collector.add(name, "constant", rows=_rows(node))
                self.bind(name, value)

    def variables(self, node: Node) -> None:
        names = names_of(node)
        declared = node.child_by_field_name("type")
        with self.collector.scope(_first(names)):
            type_ = self.type_of(declared)
            values = self.values(node.child_by_field_name("value"))
        for at, name in enumerate(names):
            value = nth(values, at)
            if name != "_":
                self.collector.add(name, "variable", rows=_rows(node))
                self.bind(name, value if declared is None else type_)
            elif value is not None and self.collector.added(value.path.removesuffix(".()")):
                subject = value.path.removesuffix(".()")
                self.refer("implements", self.named_type(declared), node, subject=subject)

    def function(self, node: Node) -> None:
        name = text_of(node.child_by_field_name("name"))
        receiver = node.child_by_field_name("receiver")
        owner, parameters = _receiver(receiver)
        if name == "_" or (receiver is not None and not owner):
            return
        path = f"{owner}.{name}" if owner else name
        self.collector.add(path, "method" if owner else "function", rows=_rows(node))
        with self.collector.scope(path):
            for own in _names(receiver):
                self.collector.declare(own, Target("file", f"{owner}.()"))
            for parameter in parameters:
                self.collector.declare(parameter)
            self.type_parameters(node)
            self.results(path, node)
            with self.collector.scope():
                self.inside(node.child_by_field_name("body"))

    def results(self, path: str, node: Node) -> None:
        for at, value in enumerate(self.signature(node)):
            self.bind(f"{path}.(){at or ''}", value)


def _specs(root: Node, declaration: str) -> Iterator[Node]:
    """Yield what the declarations of one kind declare, whether in parentheses or not."""
    for node in root.named_children:
        for spec in node.named_children if node.type == declaration else ():
            if spec.type.endswith("_list"):
                yield from (one for one in spec.named_children if one.type != "comment")
            elif spec.type != "comment":
                yield spec


def _rows(node: Node) -> tuple[int, int]:
    return node.start_point.row, node.end_point.row + 1


def _first(names: list[str]) -> str:
    """Return whose value refers to what it names."""
    return next((name for name in names if name != "_"), "")


def _names(receiver: Node | None) -> list[str]:
    parameters = receiver.named_children if receiver is not None else []
    return [name for one in parameters for name in names_of(one)]


def _receiver(node: Node | None) -> tuple[str, list[str]]:
    """Return the type of a receiver, and what its parameters are called there: T in Shelf[T]."""
    stack = [one.child_by_field_name("type") for one in (node.named_children if node else ())]
    names = []
    while stack:
        type_ = stack.pop()
        if type_ is None:
            continue
        if type_.type == "type_identifier":
            names.append(text_of(type_))
        else:
            stack += type_.named_children[::-1]
    return (names[0], names[1:]) if names else ("", [])


def _places(path: str) -> Iterator[str]:
    """Yield where below the root the package of an import may be, the likeliest first.

    The root is mostly the module itself, so its path does not begin with the module's name; but
    its own package is found by that name.

    >>> [*_places("github.com/gin-gonic/gin/render")], [*_places("github.com/gin-gonic/gin/v2")]
    (['render', 'gin.render', 'gin-gonic.gin.render'], ['gin', 'gin-gonic.gin'])
    """
    parts = path.split("/")
    if parts[0] in _STANDARD:
        return
    names = [part for part in parts if not _VERSION.match(part)]
    module = 3 if parts[0] in _HOSTS else 1 if "." not in parts[0] else 2
    for start in range(min(module, len(names) - 1), 0 if module > 1 else -1, -1):
        yield ".".join(names[start:])
