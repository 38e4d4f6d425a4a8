"""From the facts of code to entities and relations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from brainkit.extract.builder import GraphBuilder, Handle
from brainkit.extract.dotted import absolute_names, aliases_of, dotted_of, keys_for, own_names
from brainkit.extract.facts import Reference
from brainkit.extract.graph import SourceFacts
from brainkit.extract.homes import bring_home
from brainkit.extract.names import key_of
from brainkit.extract.symbols import BASES, Found, Module, Symbol, Symbols

_EXPORT_WEIGHT: Final = 0.9
_OF_PROSE: Final = frozenset({"links_to", "mentions", "part_of"})
"""What naming.py resolves."""
_OUTSIDE: Final = {"imports": "module", "inherits": "class", "implements": "class"}
"""Relations to what no file defines, and what that then is."""


def relate_symbols(
    sources: Sequence[SourceFacts], builder: GraphBuilder
) -> dict[tuple[str, str], Handle]:
    """Add the symbols of all code and their relations; return (source, path) -> entity.

    A call of a class is a use of it. A test's relations to what is no test make it ``tests`` that.
    """
    ordered = sorted(sources, key=lambda one: (one.label, one.source))
    return _Relations(Symbols(ordered), builder).add()


class _Relations:
    def __init__(self, symbols: Symbols, builder: GraphBuilder) -> None:
        self.symbols = symbols
        self.builder = builder
        absolute = absolute_names(symbols.modules.values())
        self.modules = own_names(absolute)
        self.handles: dict[Symbol, Handle] = {}
        self.keys: set[str] = set()
        symbols.name_modules(absolute)
        bring_home(symbols)

    def add(self) -> dict[tuple[str, str], Handle]:
        self._add_entities()
        self._add_structure()
        self._add_exports()
        for module in self.modules:
            for file in module.files:
                for reference in file.facts.references:
                    if reference.predicate not in _OF_PROSE:
                        self._add_reference(module, file, reference)
        return {
            (file.source, symbol.path): handle
            for symbol, handle in self.handles.items()
            for file, _ in symbol.defined
        }

    def _add_entities(self) -> None:
        names = {
            symbol: dotted_of(symbol, self.modules)
            for module in self.modules
            for symbol in module.symbols.values()
        }
        keys = keys_for(names)
        self.keys = {*keys.values()}
        for symbol, name in names.items():
            aliases = aliases_of(symbol, name)
            handle = self.builder.entity(keys[symbol], name=name, kind=symbol.kind, aliases=aliases)
            self.handles[symbol] = handle
            for file, chunks in symbol.defined:
                for chunk in chunks:
                    self.builder.mention(handle, chunk=file.keys[chunk], role="about")

    def _add_structure(self) -> None:
        for symbol, handle in self.handles.items():
            above = self._above(symbol)
            if above is None:
                continue
            predicate = "contains" if symbol.is_module else "defines"
            for file, chunks in symbol.defined:
                for chunk in chunks[:1]:
                    self.builder.relate(
                        self.handles[above], predicate, handle,
                        chunk=file.keys[chunk], start=0, end=0,
                    )  # fmt: skip

    def _above(self, symbol: Symbol) -> Symbol | None:
        """Return what a symbol is defined in; of a module, the nearest package around it."""
        module = symbol.module
        if symbol.path:
            return module.symbols[_known(module, symbol.path.rpartition(".")[0])]
        path = module.path
        while path:
            path = path.rpartition(".")[0]
            above = self.symbols.modules.get((module.label, module.family, path))
            if above is not None and above.itself.kind == "package":
                return above.itself
        return None

    def _add_exports(self) -> None:
        """Let what a package takes in be called by the package's name: ``flask.Flask``."""
        for module, dotted in self.modules.items():
            for file in module.files if module.itself.kind == "package" else ():
                for path, target in file.facts.bindings.items():
                    found = self.symbols.find(target, file) if path.isidentifier() else None
                    if found is not None and found.how == "itself":
                        handle = self.handles[found.symbol]
                        self.builder.alias(handle, f"{dotted}.{path}", _EXPORT_WEIGHT)

    def _add_reference(self, module: Module, file: SourceFacts, reference: Reference) -> None:
        if reference.predicate in BASES and reference.subject not in module.symbols:
            return  # a trait of a type that no file of the corpus defines
        subject = self.handles[module.symbols[_known(module, reference.subject)]]
        predicate, found = self._resolved(file, reference)
        if found is not None:
            self.symbols.counts["resolved"] += 1
            self._relate(subject, predicate, self.handles[found], file, reference)
            if predicate != "imports":
                key = file.keys[reference.chunk]
                self.builder.mention(
                    self.handles[found], chunk=key, role="mentions",
                    start=reference.start, end=reference.end,
                )  # fmt: skip
            if file.source_type == "test" and not _is_test(found):
                self._relate(subject, "tests", self.handles[found], file, reference)
            return
        self.symbols.counts["unresolved"] += 1
        outside = self._outside(file, reference)
        if outside is not None:
            self._relate(subject, predicate, outside, file, reference)

    def _relate(
        self,
        subject: Handle,
        predicate: str,
        object_: Handle,
        file: SourceFacts,
        reference: Reference,
    ) -> None:
        self.builder.relate(
            subject, predicate, object_,
            chunk=file.keys[reference.chunk], start=reference.start, end=reference.end,
        )  # fmt: skip

    def _resolved(self, file: SourceFacts, reference: Reference) -> tuple[str, Symbol | None]:
        for target in reference.targets:
            found = self.symbols.find(target, file)
            if found is not None:
                predicate, symbol = self._suiting(reference.predicate, found)
                if symbol is not None:
                    return predicate, symbol
        return reference.predicate, None

    def _suiting(self, predicate: str, found: Found) -> tuple[str, Symbol | None]:
        """Return the relation to what was found, none if it is not such a thing."""
        symbol = found.symbol
        if predicate == "calls" and found.how == "instance":
            called = self.symbols.member(symbol, "__call__")
            return predicate, called.symbol if called is not None else None
        if found.how != "itself" or (symbol.is_module and predicate != "imports"):
            return predicate, None
        if predicate in ("inherits", "implements") and not symbol.is_class:
            return predicate, None
        return ("uses" if predicate == "calls" and symbol.is_class else predicate), symbol

    def _outside(self, file: SourceFacts, reference: Reference) -> Handle | None:
        """Return the entity of a module or base class that no file of the corpus defines."""
        kind = _OUTSIDE.get(reference.predicate)
        target = reference.targets[-1] if reference.targets else None
        if kind is None or target is None or target.scope != "name" or "()" in target.path:
            return None
        known = self.symbols.begins_here(file.facts.family, target.path)
        if known or (kind == "class" and "." not in target.path):
            return None
        key = key_of(target.path)
        if key in self.keys:
            key = f"{file.facts.family}:{key}"
        if not key:
            return None
        # A reader asks for a base class by its own name; modules are asked for as imported.
        tail = [(target.path.rpartition(".")[2], 0.9)] if kind == "class" else []
        return self.builder.entity(key, name=target.path, kind=kind, aliases=tail)


def _known(module: Module, path: str) -> str:
    """Return the path of the nearest symbol that a path is in."""
    while path not in module.symbols:
        path = path.rpartition(".")[0]
    return path


def _is_test(symbol: Symbol) -> bool:
    return all(file.source_type == "test" for file, _ in symbol.defined)
