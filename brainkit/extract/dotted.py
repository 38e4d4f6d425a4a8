"""What modules and symbols are called outside their files, and the keys they go by."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Final, TypeVar

from brainkit.extract.names import key_of
from brainkit.extract.symbols import Module, Symbol

_DECLARED: Final = frozenset({"jvm", "csharp"})
"""Families whose files say which package they are in, so that all of the path counts."""
_NESTED: Final = frozenset({"python", "rust"})
"""Families whose packages are said by a file in their folder, and begin where the first one is."""
_SOURCE_FOLDERS: Final = frozenset({"src", "lib"})
_TAIL_WEIGHT: Final = 0.9
_TAILS_MAX: Final = 8

T = TypeVar("T", bound=Hashable)


def absolute_names(modules: Iterable[Module]) -> dict[Module, str]:
    """Return the shortest name by which each module is imported from anywhere.

    Leading folders that are no packages are left out: ``flask.app`` for src/flask/app.py.
    """
    modules = [*modules]
    packages = {
        (one.label, one.family, one.path) for one in modules if one.itself.kind == "package"
    }
    return {one: _stripped(one, packages) for one in modules}


def own_names(absolute: dict[Module, str]) -> dict[Module, str]:
    """Return a name for each module that no other has: the absolute one where that will do.

    Else the whole path, and for modules of two roots their label too.
    """
    whole = _apart(absolute, lambda one: one.path or one.label, among=lambda one: one.label)
    labelled = _apart(whole, lambda one: f"{one.label}.{whole[one]}", among=lambda _: "")
    return _apart(labelled, lambda one: f"{labelled[one]} ({one.family})", among=lambda _: "")


def _apart(
    names: dict[Module, str], longer: Callable[[Module], str], *, among: Callable[[Module], str]
) -> dict[Module, str]:
    groups: dict[tuple[str, str], list[Module]] = defaultdict(list)
    for one, name in names.items():
        groups[among(one), key_of(name)].append(one)
    return {
        one: longer(one) if len(group) > 1 else names[one]
        for group in groups.values()
        for one in group
    }


def _stripped(module: Module, packages: set[tuple[str, str, str]]) -> str:
    def is_package(path: str) -> bool:
        return (module.label, module.family, path) in packages

    if not module.path:
        return module.label
    if module.family in _DECLARED:
        return module.path
    if is_package(""):  # the root is a package itself, by the name of its folder
        return f"{module.label}.{module.path}"
    parts = module.path.split(".")
    first = 0
    if module.family in _NESTED:
        while first < len(parts) - 1 and not is_package(".".join(parts[: first + 1])):
            first += 1
    elif len(parts) > 1 and parts[0] in _SOURCE_FOLDERS and not is_package(parts[0]):
        first = 1
    return ".".join(parts[first:])


def dotted_of(symbol: Symbol, modules: dict[Module, str]) -> str:
    """Return the whole name of a symbol: ``flask.app.Flask.route``."""
    module = modules[symbol.module]
    return f"{module}.{symbol.path}" if symbol.path else module


def keys_for(names: dict[T, str]) -> dict[T, str]:
    """Return a canonical key for each, no two the same.

    Of names that differ only by case and separators, as ``session`` and ``Session``, one has the
    key that names.key_of gives and the others their name itself; of equal names, as of a function
    of a package and a module in it, all but the first are numbered.

    >>> keys_for({1: "app.Session", 2: "app.session", 3: "app._close", 4: "app.close", 5: "app.x"})
    {1: 'app.Session', 2: 'app.session', 3: 'app._close', 4: 'app.close', 5: 'app.x'}
    >>> keys_for({1: "app.run", 2: "app.run"})
    {1: 'app.run', 2: 'app.run#2'}
    """
    owners: dict[str, tuple[bool, int, str]] = {}
    for name in names.values():
        key = key_of(name)
        claim = (name != key, name.count("_"), name)
        owners[key] = min(claim, owners.get(key, claim))
    keys = {}
    times: Counter[str] = Counter()
    for one, name in names.items():
        key = key_of(name)
        own = key if key and owners[key][2] == name else name
        times[own] += 1
        keys[one] = own if times[own] == 1 else f"{own}#{times[own]}"
    return keys


def aliases_of(symbol: Symbol, dotted: str) -> Iterator[tuple[str, float]]:
    """Yield by what else a symbol is called: its own name, the ends of its whole name, its file."""
    if not symbol.name.startswith("__"):
        yield symbol.name, 1.0
    parts = dotted.split(".")
    for start in range(max(1, len(parts) - _TAILS_MAX), len(parts) - 1):
        yield ".".join(parts[start:]), _TAIL_WEIGHT
    yield from symbol.aliases.items()
    if symbol.kind == "module" and len(symbol.defined) == 1:
        yield symbol.defined[0][0].source.rpartition("/")[2], _TAIL_WEIGHT
