"""Who is meant: targets of one file resolved among the symbols of all files.

Modules are found by their path, symbols by the rules that code/model.py lists. What could be two
things is left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from brainkit.extract.facts import PROSE_KINDS, Target
from brainkit.extract.graph import SourceFacts

STEPS_MAX: Final = 20
"""How many names may stand for one another in a row."""

DEPTH_MAX: Final = 100
"""How many classes may inherit from one another in a row."""

_MODULES: Final = frozenset({"module", "package"})
_VALUES: Final = frozenset(
    {
        *("function", "method", "constant", "variable", "property", "macro", "field"),
        *("constructor", "delegate", "event", "static"),
    }
)
BASES: Final = frozenset({"inherits", "implements"})
"""Relations of a class to those whose members it has."""

How = Literal["itself", "instance", "super"]
_OF_CLASS: Final[dict[str, How]] = {"()": "instance", "super": "super"}


@dataclass(eq=False, slots=True)
class Symbol:
    """What one or more files define under one path of a module; path "" is the module itself.

    defined : (file, positions of its chunks). bases : of a class, in order.
    """

    module: Module
    path: str
    name: str
    kind: str
    defined: list[tuple[SourceFacts, tuple[int, ...]]] = field(default_factory=list)
    aliases: dict[str, float] = field(default_factory=dict)
    bases: list[tuple[SourceFacts, tuple[Target, ...]]] = field(default_factory=list)

    @property
    def is_module(self) -> bool:
        return self.kind in _MODULES

    @property
    def is_class(self) -> bool:
        return self.kind not in _VALUES and self.kind not in _MODULES


@dataclass(eq=False, slots=True)
class Module:
    """The namespace of all files of a label that have the same family and module path.

    shown : paths that another file sees by including it; of C, those in headers.
    """

    label: str
    family: str
    path: str
    symbols: dict[str, Symbol] = field(default_factory=dict)
    files: list[SourceFacts] = field(default_factory=list)
    shown: set[str] = field(default_factory=set)

    @property
    def itself(self) -> Symbol:
        return self.symbols[""]


class Found(NamedTuple):
    """A symbol, an instance of it, or what ``super`` means in it."""

    symbol: Symbol
    how: How = "itself"


class Symbols:
    """All symbols of a corpus.

    counts : what became of the references: resolved, ambiguous, unresolved.
    """

    def __init__(self, sources: Iterable[SourceFacts]) -> None:
        self.modules: dict[tuple[str, str, str], Module] = {}
        self._by_name: dict[tuple[str, str], list[Module]] = defaultdict(list)
        self._beginnings: set[tuple[str, str]] = set()
        self._found: dict[tuple[object, ...], Found | None] = {}
        self._orders: dict[Symbol, tuple[Symbol, ...]] = {}
        self._includes: dict[Module, list[Module]] = {}
        self.counts: Counter[str] = Counter()
        for source in sources:
            if source.facts.family != "prose":
                self._add(source)

    def _add(self, source: SourceFacts) -> None:
        facts = source.facts
        at = (source.label, facts.family, facts.module)
        module = self.modules.get(at)
        if module is None:
            module = self.modules[at] = Module(*at)
        module.files.append(source)
        if facts.family == "c" and not is_source(source):
            module.shown.update(facts.bindings, (named.path for named in facts.named))
        for named in facts.named:
            if named.kind in PROSE_KINDS:  # a notebook has both
                continue
            symbol = module.symbols.get(named.path)
            if symbol is None:
                symbol = Symbol(module, named.path, named.name, named.kind)
                module.symbols[named.path] = symbol
            symbol.defined.append((source, named.chunks))
            for alias, weight in named.aliases:
                symbol.aliases[alias] = max(weight, symbol.aliases.get(alias, 0.0))
        for reference in facts.references:
            if reference.predicate in BASES and reference.subject in module.symbols:
                module.symbols[reference.subject].bases.append((source, reference.targets))

    def name_modules(self, absolute: dict[Module, str]) -> None:
        """Say how each module is called from anywhere: by this name, or by more of its path."""
        for module, name in absolute.items():
            parts = module.path.split(".")
            # Whatever folders a compiler is told to look in, they are left out of an #include.
            fewest = 1 if module.family == "c" else min(len(name.split(".")), len(parts))
            names = {name, *(".".join(parts[n:]) for n in range(len(parts) - fewest + 1))}
            for one in sorted(names - {""}):
                self._by_name[module.family, one].append(module)
                self._beginnings.add((module.family, one.partition(".")[0]))

    def forget(self) -> None:
        """Forget what was found before symbols were moved."""
        self._found.clear()
        self._orders.clear()

    def begins_here(self, family: str, path: str) -> bool:
        """Whether an absolute name begins with a module or package of the corpus."""
        return (family, path.partition(".")[0]) in self._beginnings

    def module_of(self, file: SourceFacts) -> Module:
        """Return the namespace that a file belongs to."""
        return self.modules[file.label, file.facts.family, file.facts.module]

    def find(self, target: Target, file: SourceFacts, *, steps: int = 0) -> Found | None:
        """Return what a target in a file means, None if nothing or more than one thing."""
        where = file.source if target.scope == "file" else (file.label, file.facts.family)
        near = _folder(file) if target.scope == "name" else ""
        key = (target.scope, where, near, target.path)
        if key in self._found:
            return self._found[key]
        if steps > STEPS_MAX:
            return None
        self._found[key] = None  # what means itself means nothing
        self._found[key] = found = self._search(target, file, steps)
        return found

    def _search(self, target: Target, file: SourceFacts, steps: int) -> Found | None:
        parts = target.path.split(".") if target.path else []
        if target.scope == "file":
            if parts and parts[0].startswith("*"):
                return self._free(parts[0], parts[1:], file, steps)
            start: Module | None = self.module_of(file)
            return self._walk(start, parts, file, steps)
        if target.scope == "name" and len(parts) == 1 and file.facts.family == "javascript":
            return None  # ``require("router")`` is a package, whatever lib/router.js is
        for length in range(len(parts), -1, -1):
            path = ".".join(parts[:length])
            if target.scope == "path":
                start = self.modules.get((file.label, file.facts.family, path))
            else:
                start = self._named(path, file) if path else None
            found = self._walk(start, parts[length:], None, steps)
            if found is not None:
                return found
        return None

    def _free(
        self, region: str, parts: Sequence[str], file: SourceFacts, steps: int
    ) -> Found | None:
        """Look a name up that may be in several places, which ``*.0``, ``*.1``, ... are bound to.

        region : ``*`` for names whose place a file does not say, and others, as ``*crate``.
        """
        number = 0
        while (place := file.facts.bindings.get(f"{region}.{number}")) is not None:
            path = ".".join([*filter(None, [place.path]), *parts])
            found = self.find(Target(place.scope, path), file, steps=steps + 1)
            if found is not None:
                return found
            number += 1
        return None

    def _named(self, path: str, file: SourceFacts) -> Module | None:
        known = self._by_name.get((file.facts.family, path), ())
        known = [one for one in known if one.label == file.label] or known
        if len(known) > 1:
            beside = f"{_folder(file)}.{path}".lstrip(".")
            known = [one for one in known if one.path == beside]
            self.counts["ambiguous"] += len(known) != 1
        return known[0] if len(known) == 1 else None

    def _walk(
        self, start: Module | None, parts: Sequence[str], file: SourceFacts | None, steps: int
    ) -> Found | None:
        found = Found(start.itself) if start is not None else None
        for part in parts:
            if found is None:
                return None
            found = self._step(found, part, file, steps)
        return found

    def _step(self, at: Found, part: str, file: SourceFacts | None, steps: int) -> Found | None:
        symbol = at.symbol
        if steps > STEPS_MAX:
            return None
        if symbol.is_module:
            return self._member_of_module(symbol.module, part, file, steps)
        if symbol.is_class and at.how == "itself" and part in _OF_CLASS:
            return Found(symbol, _OF_CLASS[part])
        if symbol.is_class and part == "()":
            call = self.member(symbol, "__call__", steps=steps)
            return self._step(call, "()", file, steps + 1) if call is not None else None
        if symbol.is_class:
            found = self.member(symbol, part, behind=at.how == "super", steps=steps)
        else:
            found = self._own(symbol, part, file, steps)
        if found is None:
            meant = self._bound(symbol.module, symbol.path, file, steps)
            found = self._step(meant, part, file, steps + 1) if meant is not None else None
        return found

    def _own(self, symbol: Symbol, part: str, file: SourceFacts | None, steps: int) -> Found | None:
        path = f"{symbol.path}.{part}" if symbol.path else part
        inner = symbol.module.symbols.get(path)
        return Found(inner) if inner else self._bound(symbol.module, path, file, steps)

    def _bound(
        self, module: Module, path: str, file: SourceFacts | None, steps: int
    ) -> Found | None:
        """Return what a path was bound to: by the file that asks, else by the first that does."""
        files = module.files
        if file is not None and len(files) > 1 and self.module_of(file) is module:
            files = [file, *files]
        for one in files:
            target = one.facts.bindings.get(path)
            if target is not None:
                return self.find(target, one, steps=steps + 1)
        return None

    def _member_of_module(
        self, module: Module, part: str, file: SourceFacts | None, steps: int
    ) -> Found | None:
        found = self._own(module.itself, part, file, steps)
        if found is not None:
            return found
        below = f"{module.path}.{part}" if module.path else part
        inner = self.modules.get((module.label, module.family, below))
        return Found(inner.itself) if inner else self.through_stars(module, part, steps=steps)

    def through_stars(self, module: Module, part: str, *, steps: int = 0) -> Found | None:
        """Look a name up in the modules that all names are taken from, nearest first."""
        if module.family == "c":
            for other in self._included(module, steps):
                if part in other.shown:
                    found = self._own(other.itself, part, None, steps)
                    if found is not None:
                        return found
            return None
        seen, waiting = {module}, deque([module])
        while waiting:
            for other in self._stars(waiting.popleft(), steps):
                if other in seen or not _gives(other, part):
                    continue
                seen.add(other)
                waiting.append(other)
                found = self._own(other.itself, part, None, steps)
                if found is not None:
                    return found
        return None

    def _included(self, module: Module, steps: int) -> list[Module]:
        """Return the modules whose headers a file of C sees, nearest first."""
        if module not in self._includes:
            found = dict.fromkeys([module])
            waiting = deque([module])
            while waiting:
                at = waiting.popleft()
                for other in self._stars(at, steps, headers=at is not module):
                    if other not in found:
                        found[other] = None
                        waiting.append(other)
            del found[module]
            self._includes[module] = [*found]
        return self._includes[module]

    def _stars(self, module: Module, steps: int, *, headers: bool = False) -> Iterator[Module]:
        for file in module.files:
            if headers and is_source(file):
                continue
            number = 0
            while (target := file.facts.bindings.get(f"*{number}")) is not None:
                found = self.find(target, file, steps=steps + 1)
                if found is not None and found.symbol.is_module:
                    yield found.symbol.module
                number += 1

    def member(
        self, of: Symbol, name: str, *, behind: bool = False, steps: int = 0
    ) -> Found | None:
        """Return a member of a class, its own or inherited; ``behind``, only inherited."""
        for one in self.order(of)[behind:]:
            found = self._own(one, name, None, steps)
            if found is not None:
                return found
        return None

    def order(self, of: Symbol, *, depth: int = 0) -> tuple[Symbol, ...]:
        """Return a class and what it inherits from, in the order in which members are looked up.

        Source: Barrett et al., OOPSLA 1996 (C3); depth first where no such order exists.
        """
        if of not in self._orders:
            if depth > DEPTH_MAX:
                return (of,)
            self._orders[of] = (of,)  # a class is no base of its own
            bases = [*dict.fromkeys(self._bases(of))]
            orders = [list(self.order(base, depth=depth + 1)) for base in bases]
            self._orders[of] = (of, *(_merged([*orders, bases]) or _depth_first(orders, of)))
        return self._orders[of]

    def _bases(self, of: Symbol) -> Iterator[Symbol]:
        for file, targets in of.bases:
            for target in targets:
                found = self.find(target, file)
                if found is not None and found.how == "itself" and found.symbol.is_class:
                    if found.symbol is not of:
                        yield found.symbol
                    break


def _folder(file: SourceFacts) -> str:
    return ".".join(file.source.split("/")[1:-1])


def is_source(file: SourceFacts) -> bool:
    """Whether a file of C is none that others include."""
    return file.source.rpartition(".")[2] in ("c", "cc", "cpp", "cxx", "c++")


def _gives(module: Module, name: str) -> bool:
    """Whether ``from module import *`` gives a name."""
    for file in module.files:
        bindings = file.facts.bindings
        if "__all__" in bindings:
            return f"__all__.{name}" in bindings
    return not (module.family == "python" and name.startswith("_"))


def _merged(orders: list[list[Symbol]]) -> list[Symbol] | None:
    orders = [[*order] for order in orders if order]
    found: list[Symbol] = []
    while orders:
        later = {one for order in orders for one in order[1:]}
        first = next((order[0] for order in orders if order[0] not in later), None)
        if first is None:
            return None
        found.append(first)
        orders = [rest for order in orders if (rest := [x for x in order if x is not first])]
    return found


def _depth_first(orders: list[list[Symbol]], of: Symbol) -> list[Symbol]:
    return [one for one in dict.fromkeys(x for order in orders for x in order) if one is not of]
