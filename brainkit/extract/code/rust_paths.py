"""Where the paths of Rust begin: in the file, above it, at the crate's root, in another crate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tree_sitter import Node

from brainkit.extract.code.model import Collector, Meaning
from brainkit.extract.facts import Target
from brainkit.parse.grammar import text_of

SYSTEM: Final = frozenset({"std", "core", "alloc", "proc_macro", "test"})
"""Crates that come with the compiler."""
_ROOTS: Final = frozenset({"lib", "main", "build"})
_OWN_CRATES: Final = frozenset({"tests", "examples", "benches", "bin"})
"""Folders whose files are each the root of a crate."""


class Paths:
    """The beginnings of paths in one file.

    Where a beginning may be one of several modules it has a hidden name, such as ``*crate``, and
    ``*crate.0``, ``*crate.1``, ... are bound to them. The folder ``src`` is no module, and a crate
    is called as its folder is.
    module : dotted path of the file. is_root : whether it is the root of a crate.
    """

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        *folders, file = collector.relative.replace("-", "_").split("/")
        stem = file.removesuffix(".rs")
        self._crate_folders: list[str] | None = None
        if "src" in folders:
            at = len(folders) - 1 - folders[::-1].index("src")
            self._crate_folders = folders[:at]
            del folders[at]
        self._folders = folders
        in_own = bool(folders) and folders[-1] in _OWN_CRATES and stem != "mod"
        self.is_root = stem in _ROOTS or in_own
        self.of_folder = stem == "mod" or (stem == "lib" and self._crate_folders is not None)
        self.module = ".".join(folders if self.of_folder else [*folders, stem])
        self._children = folders if self.is_root or self.of_folder else [*folders, stem]

    def child(self, name: str) -> Target:
        """Return the module of ``mod name;``."""
        return Target("path", ".".join([*self._children, name]))

    def crate(self) -> Target:
        """Return the root of the crate that the file belongs to."""
        if self.is_root:
            return Target("file", "")
        folders = self._crate_folders
        # Without src/ the root may be in this folder or any above it.
        ends = range(len(self._folders), -1, -1) if folders is None else [len(folders)]
        return self._hidden("crate", (self._folders[:end] for end in ends))

    def parent(self, levels: int) -> Meaning:
        """Return the module as many levels above that of the file."""
        above = self.module.split(".")[:-levels]
        if self.is_root or not self.module:
            return None
        return self._hidden(f"super{levels}", [above])

    def external(self, name: str) -> Meaning:
        """Return the root of another crate; None for one that comes with the compiler."""
        if name in SYSTEM:
            return None
        self._collector.bind(f"*{name}.0", Target("name", name))
        if self._crate_folders and "_" in name:
            # In a workspace the crate grep_searcher is mostly in the folder searcher.
            self._collector.bind(f"*{name}.1", Target("name", name.partition("_")[2]))
        return Target("file", f"*{name}")

    def _hidden(self, name: str, places: Iterable[list[str]]) -> Target:
        roots = (root for folders in places for root in (folders, [*folders, "main"]))
        for at, root in enumerate(roots):
            self._collector.bind(f"*{name}.{at}", Target("path", ".".join(root)))
        return Target("file", f"*{name}")


def segments_of(node: Node | None) -> list[str]:
    """Return a path as its names, without arguments: ``["a", "B", "new"]`` of ``a::B::<T>::new``.

    Empty for what is no path; of ``<T as Lend>::lend`` it is the trait that counts.
    """
    found: list[str] = []
    while node is not None:
        kind = node.type
        if kind in ("scoped_identifier", "scoped_type_identifier"):
            found.insert(0, text_of(node.child_by_field_name("name")))
            inner = node.child_by_field_name("path")
            if inner is None:
                return ["::", *found] if kind == "scoped_identifier" else found
            node = inner
        elif kind == "generic_type":
            node = node.child_by_field_name("type")
        elif kind == "generic_function":
            node = node.child_by_field_name("function")
        elif kind == "bracketed_type":
            node = node.named_children[0]
        elif kind == "qualified_type":
            node = node.child_by_field_name("alias")
        elif kind in ("identifier", "type_identifier", "self", "super", "crate"):
            return [text_of(node), *found]
        else:
            return []
    return []


def leaves_of(tree: Node | None, before: tuple[str, ...] = ()) -> Iterator[tuple[list[str], str]]:
    """Yield (path, name) of all that a use names; the name is ``*`` for all of a module."""
    if tree is None:
        return
    if tree.type == "use_list":
        for child in tree.named_children:
            yield from leaves_of(child, before)
    elif tree.type == "scoped_use_list":
        base = segments_of(tree.child_by_field_name("path"))
        yield from leaves_of(tree.child_by_field_name("list"), (*before, *base))
    elif tree.type == "use_wildcard":
        base = segments_of(tree.named_children[0]) if tree.named_children else []
        yield [*before, *base], "*"
    else:
        aliased = tree.type == "use_as_clause"
        path = [*before, *segments_of(tree.child_by_field_name("path") if aliased else tree)]
        if before and path[-1:] == ["self"]:
            path.pop()
        if path:
            yield path, text_of(tree.child_by_field_name("alias")) if aliased else path[-1]
