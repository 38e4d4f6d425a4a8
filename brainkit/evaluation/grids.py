"""What can be swept: which values are tried where none are given, and in which mode they count."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from math import gcd
from typing import Any, Final

from brainkit.errors import InvalidSetting, nearest
from brainkit.evaluation.configs import Config, named
from brainkit.models import QueryRequest

JOINED: Final = " x "
_SHORT: Final[Mapping[str, str]] = {"k1": "bm25_k1", "b": "bm25_b"}

GRIDS: Final[Mapping[str, tuple[Any, ...]]] = {
    "alpha": tuple(step / 20 for step in range(21)),
    "rrf_k": (1, 2, 5, 10, 20, 40, 60, 100, 200, 500, 1000),
    "normalize": ("max", "minmax", "none"),
    "depth": (10, 20, 50, 100, 200, 500, 1000),
    "bm25_k1": (0.4, 0.8, 1.2, 1.5, 2.0, 3.0),
    "bm25_b": (0.0, 0.25, 0.5, 0.75, 1.0),
    "similarity_threshold": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7),
    "traversal_depth": (0, 1, 2, 3, 4),
    "graph_scorer": ("hops", "guided", "pagerank"),
    "weights": tuple(
        {"vector": v, "bm25": b, "graph": g}
        for v in (0, 1, 2) for b in (0, 1, 2) for g in (0, 1, 2) if gcd(v, b, g) == 1
    ),
}  # fmt: skip
"""What is tried where no values are given; of alpha, only where it is crossed with another."""

_PLAYS: Final[Mapping[str, tuple[str, ...]]] = {
    "alpha": ("hybrid",),
    "normalize": ("hybrid",),
    "rrf_k": ("multi",),
    "weights": ("multi",),
    "depth": ("hybrid", "multi", "vector", "bm25", "graph"),
    "bm25_k1": ("bm25", "hybrid", "multi"),
    "bm25_b": ("bm25", "hybrid", "multi"),
    "similarity_threshold": ("hybrid", "vector", "multi"),
    "traversal_depth": ("graph", "multi"),
    "graph_scorer": ("graph", "multi"),
}
"""The modes in which a setting plays a part; the first is taken where no base is given."""


def names_of(setting: str | Sequence[str]) -> tuple[str, ...]:
    """Return the settings that are meant, by their full names.

    >>> names_of("k1 x b"), names_of("alpha")
    (('bm25_k1', 'bm25_b'), ('alpha',))

    Raises InvalidSetting for one that cannot be swept, or is named twice.
    """
    given = setting.split(JOINED) if isinstance(setting, str) else list(setting)
    names = tuple(_SHORT.get(str(one).strip(), str(one).strip()) for one in given)
    for name in names or ("",):
        if name not in GRIDS:
            raise InvalidSetting(
                f"setting={name!r} cannot be swept{nearest(name, GRIDS)}; there are "
                f"{', '.join(GRIDS)}, and combinations such as 'k1 x b'."
            )
    if len(set(names)) < len(names):
        raise InvalidSetting(f"setting={setting!r} names one setting twice.")
    return names


def based(names: Sequence[str], base: Config | None) -> QueryRequest:
    """Return the request that a sweep starts from.

    Raises InvalidSetting if a setting plays no part in its mode.
    """
    common = [mode for mode in _PLAYS[names[0]] if all(mode in _PLAYS[name] for name in names)]
    if not common:
        raise InvalidSetting(f"no mode reads {' and '.join(names)}; tune them one by one.")
    (request,) = named({"base": {"mode": common[0]} if base is None else base}).values()
    for name in names:
        if request.mode.value not in _PLAYS[name]:
            raise InvalidSetting(
                f"{name} plays no part in mode={request.mode.value!r}; give a base with "
                f"mode={' or '.join(map(repr, common))}."
            )
    return request


def tried(
    names: Sequence[str], base: QueryRequest, values: Sequence[Any] | Mapping[str, Any] | None
) -> tuple[list[Any], list[QueryRequest]]:
    """Return what to try and the request of each, that of the base among them.

    A value is what was given for one setting, a tuple for several. Raises InvalidSetting if there
    is none, InvalidRequest for one that is out of range.
    """
    if isinstance(values, Mapping) and (unknown := set(values) - set(names)):
        raise InvalidSetting(
            f"values has {min(unknown)!r}, and what is swept is {', '.join(names)}."
        )
    found: list[Any]
    if values is None or isinstance(values, Mapping):
        lists = [list((values or {}).get(name, GRIDS[name])) for name in names]
        found = list(itertools.product(*lists))
    else:
        found = [value if len(names) > 1 else (value,) for value in values]
    if not found:
        raise InvalidSetting("values is empty; give at least one.")
    requests = []
    for value in found:
        if not isinstance(value, tuple | list) or len(value) != len(names):
            raise InvalidSetting(
                f"values has {value!r:.60}; give {len(names)} each, for {', '.join(names)}, or "
                "lists by name."
            )
        requests.append(base.with_(**dict(zip(names, value, strict=True))))
    keys = [_read(one, names) for one in requests]
    if _read(base, names) not in keys:
        requests.append(base)
        keys.append(_read(base, names))
    return [key if len(names) > 1 else key[0] for key in keys], requests


def _read(request: QueryRequest, names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(getattr(request, name) for name in names)
