"""Definitions that stand apart from their declaration, joined to it: one thing, not two.

A function of C is declared in a header and defined in a source that includes it; so are the methods
of a class. A method may also be added to a type that is imported.
"""

from __future__ import annotations

from typing import Final

from brainkit.extract.facts import Target
from brainkit.extract.symbols import BASES, Found, Module, Symbol, Symbols, is_source

_DECLARING: Final = frozenset({"c"})
"""Families that declare in one file what they define in another."""
_APART: Final = frozenset({"macro", "type"})
"""What is not declared: of two such things each file means its own."""
_EXTENDING: Final = frozenset({"rust"})
"""Families whose files may add methods to types that they import."""


def bring_home(symbols: Symbols) -> None:
    """Let what a file defines be the same as what its includes declare, or its imports name."""
    for module in symbols.modules.values():
        if module.family in _DECLARING:
            for path in [path for path in module.symbols if path and "." not in path]:
                if not any(f"*own.{path}" in file.facts.bindings for file in module.files):
                    _join(module, path, symbols.through_stars(module, path))
        elif module.family in _EXTENDING:
            for owner in _strangers(module):
                found = symbols.find(Target("file", owner), module.files[0])
                _join(module, owner, found)
                _adopt(module, owner, found)
    symbols.forget()


def _strangers(module: Module) -> list[str]:
    """Return the paths of types that the module says more of, but does not define."""
    found = {path.rpartition(".")[0] for path in module.symbols}
    for file in module.files:
        found |= {one.subject for one in file.facts.references if one.predicate in BASES}
    return sorted(found - {*module.symbols})


def _adopt(module: Module, path: str, found: Found | None) -> None:
    """Let what a module says of a type's bases count, though another module defines it."""
    if found is None or found.how != "itself" or not found.symbol.is_class:
        return
    module.symbols[path] = found.symbol
    found.symbol.bases += [
        (file, one.targets)
        for file in module.files
        for one in file.facts.references
        if one.predicate in BASES and one.subject == path
    ]


def _join(module: Module, path: str, found: Found | None) -> None:
    """Make a symbol and all inside it part of the one found, which is in another module."""
    if found is None or found.how != "itself" or found.symbol.is_module:
        return
    home, top = found.symbol.module, found.symbol.path
    own = module.symbols.get(path)
    if home is module or (own is not None and not _may_be_one(own, found.symbol)):
        return
    if own is not None and not own.is_class and _in_source(own) and not _in_source(found.symbol):
        _add(found.symbol, own)  # a function is at home where its body is
        home.symbols[top] = own
        return
    inside = f"{path}."
    for at in [at for at in module.symbols if at == path or at.startswith(inside)]:
        symbol = module.symbols[at]
        there = top + at[len(path) :]
        known = home.symbols.get(there)
        if known is None:
            _move(symbol, home, there)
        else:
            _add(symbol, known)
            module.symbols[at] = known


def _may_be_one(own: Symbol, other: Symbol) -> bool:
    if own.is_class != other.is_class or own.kind in _APART or other.kind in _APART:
        return False
    # "extern const int max;" is a declaration, a #define in two files is none.
    return own.kind != "constant" or (_in_source(own) and not _in_source(other))


def _in_source(symbol: Symbol) -> bool:
    return any(is_source(file) for file, _ in symbol.defined)


def _move(symbol: Symbol, home: Module, path: str) -> None:
    symbol.module, symbol.path = home, path
    home.symbols[path] = symbol


def _add(symbol: Symbol, known: Symbol) -> None:
    if symbol is not known:
        known.defined += symbol.defined
        known.bases += symbol.bases
        for alias, weight in symbol.aliases.items():
            known.aliases[alias] = max(weight, known.aliases.get(alias, 0.0))
