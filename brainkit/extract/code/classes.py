"""What Java and C# share: names are members of classes, or come from a file's imports.

A file sees more than it names: its package or namespaces, and what it imports whole. Which of them
holds a name is known only once all files are: a free name is one below ``*``, and ``*.0``, ``*.1``,
... are bound to what the file sees, nearest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from brainkit.extract.code.model import Collector, below
from brainkit.extract.code.walker import UNKNOWN, Places, Walker, members_of
from brainkit.extract.facts import Target

_FREE: Final = Target("file", "*")


@dataclass(slots=True)
class Region:
    """A class being read, or one that no other file can name.

    path : in the file; "" for a local or anonymous class.
    base : what an anonymous class extends. open : whether members may be inherited.
    methods, fields, constants : declared in it; constants are fields too.
    returns : method -> all that its overloads return.
    """

    path: str
    base: Places = UNKNOWN
    open: bool = False
    methods: set[str] = field(default_factory=set)
    fields: set[str] = field(default_factory=set)
    constants: set[str] = field(default_factory=set)
    returns: dict[str, set[Places]] = field(default_factory=dict)


class ClassReader(Walker):
    """Reads a file of types with members.

    types : path in the file -> kind, of all types that other files can name.
    statics : members imported by name, without their class. static_classes : those imported whole.
    """

    def __init__(self, collector: Collector) -> None:
        super().__init__(collector)
        self.types: dict[str, str] = {}
        self.regions: list[Region] = []
        self.imported: dict[str, Places] = {}
        self.statics: dict[str, Places] = {}
        self.static_classes: list[Target] = []
        self._seen = 0
        self._parameters: list[dict[str, Places]] = [{}]

    def sees(self, target: Target) -> None:
        """Let free names mean what is in a package, namespace or class."""
        self.collector.bind(f"{_FREE.path}.{self._seen}", target)
        self._seen += 1

    @contextmanager
    def inside(
        self, path: str, *, region: Region | None = None, parameters: Mapping[str, Places]
    ) -> Iterator[None]:
        """Read a definition of this path; names of its type parameters hide types."""
        before = self.subject
        self.subject = path or before
        if region is not None:
            self.regions.append(region)
        self.variables.append({})
        self._parameters.append({**parameters})
        try:
            yield
        finally:
            self._parameters.pop()
            self.variables.pop()
            if region is not None:
                self.regions.pop()
            self.subject = before

    def declare_type(self, name: str) -> None:
        """Hide a type's name in the present definition."""
        self._parameters[-1][name] = UNKNOWN

    def is_parameter(self, name: str) -> bool:
        """Whether a name is that of a type parameter, which may be any type."""
        return any(name in parameters for parameters in self._parameters)

    def type_named(self, name: str) -> Places:
        """Return what a simple name of a type means here."""
        for parameters in reversed(self._parameters):
            if name in parameters:
                return parameters[name]
        owner = next((region.path for region in reversed(self.regions) if region.path), "")
        while owner:
            if f"{owner}.{name}" in self.types:
                return (Target("file", f"{owner}.{name}"),)
            owner = owner.rpartition(".")[0]
        if name in self.types:
            return (Target("file", name),)
        return self.imported.get(name) or (below(_FREE, name),)

    def member(self, name: str, *, method: bool) -> Places:
        """Return what a member named without its object may be; fields are not free names."""
        found: list[Target] = []
        for region in reversed(self.regions):
            if name in (region.methods if method else region.fields):
                return (*found, *((Target("file", f"{region.path}.{name}"),) * bool(region.path)))
            if region.base:
                found += members_of(region.base, "()", name)
            elif region.open:
                found.append(Target("file", f"{region.path}.{name}"))
        found += self.statics.get(name, ())
        found += [below(owner, name) for owner in self.static_classes]
        return tuple(found)

    def is_field(self, name: str) -> bool:
        """Whether a class around declares a field of this name."""
        return any(name in region.fields for region in self.regions)

    def is_constant(self, name: str) -> bool:
        """Whether a class around declares a constant of this name."""
        return any(name in region.constants for region in self.regions)

    def this(self) -> Places:
        """Return the object whose method is read."""
        region = self.regions[-1] if self.regions else None
        if region is None:
            return UNKNOWN
        own = (Target("file", region.path),) if region.path else region.base
        return members_of(own, "()")

    def bind_type(self, path: str, places: Places) -> None:
        """Say of what type the value at a path is."""
        if places:
            self.collector.bind(path, below(places[0], "()"))

    def bind_returns(self, region: Region) -> None:
        """Say what methods return, where all of a name return the same."""
        for name, types in region.returns.items():
            if len(types) == 1:
                self.bind_type(f"{region.path}.{name}.()", *types)
