"""What the readers of all languages share: scopes, and a collector of what a file defines and uses.

A reader is one function per language, ``facts(root, collector)``, that walks a syntax tree:

- ``add`` what the file defines; ``bind`` names, attributes and results to what they stand for;
  ``refer`` from a definition to a target; ``scope``, ``declare`` and ``lookup`` for who is meant.
- The module itself (path "") is there before the reader runs. A reader of a language whose imports
  name a package rather than a file (Java, Go, C#) sets ``collector.module`` to that package: the
  symbols of all files of a label with the same family and module are one namespace to the resolver
  (a C header and its source too, as both lack their suffix).
- Never emit ``defines``, ``contains`` or ``tests``: they follow from parents, modules and the
  source type.
- An ``imports`` may have several targets, and another language's ``inherits`` too: the first that
  can be resolved counts. If none can, and the last has scope ``name`` and begins with no module of
  the corpus, that last one is an entity outside the corpus: a module for ``imports``, a class for
  ``inherits`` and ``implements``. So ``from a.b import C`` is ``refer("", "imports",
  name a.b.C, name a.b)`` besides ``refer("", "imports", name a.b)``.

What the resolver makes of a path, component by component:

- a module: its symbols, its bindings, its submodules, then what ``*0``, ``*1``, ... are bound to
  (modules that all names are imported from);
- ``*`` at the beginning, with scope ``file``: for the file alone, the first of what ``*.0``,
  ``*.1``, ... are bound to that has what follows (its package, what it imports whole);
- a class: members of it and, in C3 order, of what it inherits and implements; ``super`` begins
  behind the class itself;
- anything else with a binding of its own path (attribute, variable, property, parameter): members
  of what it is bound to;
- ``()``: of a class, an instance, which has the class's members; of a function, what ``f.()`` is
  bound to. A variable of type Flask is bound to ``Flask.()``; one that is the class, to ``Flask``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from brainkit.extract.facts import Facts, Named, Reference, Target

Meaning = Target | None
"""What a name stands for; None for something that nothing is known of, such as a parameter."""


def below(target: Target, *names: str) -> Target:
    """Return what has these names, one in the other, inside a target.

    >>> below(Target("file", "Flask"), "route", "()").path
    'Flask.route.()'
    """
    return Target(target.scope, ".".join([*filter(None, [target.path]), *names]))


@dataclass(slots=True)
class Scope:
    """A region of a file in which names are declared.

    path : of the definition that it belongs to: the subject of the references in it.
    inherited : whether regions inside see its names; not those of a class body in Python.
    """

    path: str
    outer: Scope | None = None
    inherited: bool = True
    names: dict[str, Meaning] = field(default_factory=dict)

    def holder(self, name: str) -> Scope | None:
        """Return the innermost region, from this one outwards, that declares a name."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names and (scope.inherited or scope is self):
                return scope
            scope = scope.outer
        return None


class Collector:
    """The facts of one file while it is read.

    text : of the file, before anything was hidden from its parser.
    module : dotted path of the file below its root without its suffix; a reader may change it.
    kind : of the module: ``module``, or ``package`` for the file that stands for its folder.
    folder : dotted path of the folder of the file, for imports relative to it.
    scope_now : the region being read, at first that of the module.
    """

    def __init__(
        self,
        *,
        relative: str,
        family: str,
        chunk_of: Callable[[int], tuple[int, ...]],
        text: str = "",
    ) -> None:
        folders, _, file = relative.rpartition("/")
        stem = file.rpartition(".")[0] or file
        self.relative = relative
        self.text = text
        self.family = family
        self.folder = folders.replace("/", ".")
        self.kind = "package" if stem == _OF_FOLDERS.get(family) else "module"
        own = [] if self.kind == "package" else [stem]
        self.module = ".".join([*filter(None, [self.folder]), *own])
        self.module_name = stem if own else self.folder.rpartition(".")[2] or stem
        self.scope_now = Scope("")
        self._chunk_of = chunk_of
        self._named: dict[str, Named] = {}
        self._references: dict[Reference, None] = {}
        self._bindings: dict[str, Target] = {}

    def add(
        self,
        path: str,
        kind: str,
        *,
        rows: tuple[int, int],
        name: str = "",
        aliases: Iterable[tuple[str, float]] = (),
    ) -> None:
        """Add a definition; one that has been added already only gains chunks.

        path : dotted, below the module; its parent is what stands before the last dot.
        rows : those that define it, the stop exclusive. Of a class, only down to its first
            member that is a definition itself.
        name : if it is not the last component of the path.
        aliases : (other name, weight), besides the ends of the path.
        """
        parent, _, last = path.rpartition(".")
        known = self._named.get(path)
        chunks = {*(known.chunks if known else ())}
        for row in range(*rows):
            chunks.update(self._chunk_of(row))
        self._named[path] = Named(
            path,
            known.name if known else name or last,
            known.kind if known else kind,
            parent,
            tuple(sorted(chunks)),
            tuple(dict.fromkeys([*(known.aliases if known else ()), *aliases])),
        )

    def added(self, path: str) -> str | None:
        """Return the kind of a definition, None if there is none of that path."""
        known = self._named.get(path)
        return known.kind if known else None

    def refer(self, subject: str, predicate: str, *targets: Target, row: int) -> None:
        """Add a use of the first of the targets that can be resolved, by what is at a path."""
        for chunk in self._chunk_of(row)[:1]:
            self._references[Reference(subject, predicate, targets, chunk)] = None

    def bind(self, path: str, target: Target) -> None:
        """Say what a path in this file stands for; what was said first counts."""
        if target != Target("file", path):
            self._bindings.setdefault(path, target)

    def bound(self, path: str) -> Target | None:
        """Return what a path was bound to."""
        return self._bindings.get(path)

    @contextmanager
    def scope(self, path: str | None = None, *, inherited: bool = True) -> Iterator[Scope]:
        """Read a region inside the present one; without a path it belongs to the same definition.

        Declare all names of a region first where the language lets them be used before.
        """
        outer = self.scope_now
        self.scope_now = Scope(outer.path if path is None else path, outer, inherited)
        try:
            yield self.scope_now
        finally:
            self.scope_now = outer

    def declare(self, name: str, meaning: Meaning = None) -> None:
        """Give a name a meaning in the present region; without one it only hides outer names."""
        self.scope_now.names[name] = meaning

    def lookup(self, name: str, *, free: Meaning = None) -> Meaning:
        """Return what a name stands for here, ``free`` if the file does not declare it."""
        holder = self.scope_now.holder(name)
        return free if holder is None else holder.names[name]

    def facts(self) -> Facts:
        """Return all that was collected, with the module itself in front."""
        chunks = next((found for row in range(_HEAD_ROWS) if (found := self._chunk_of(row))), ())
        module = Named("", self.module_name, self.kind, None, chunks)
        return Facts(
            family=self.family,
            module=self.module,
            named=(module, *self._named.values()),
            references=tuple(self._references),
            bindings=self._bindings,
        )


_OF_FOLDERS = {"python": "__init__", "javascript": "index", "rust": "mod"}
_HEAD_ROWS = 200
"""How far down to look for the first row that is in a chunk."""
