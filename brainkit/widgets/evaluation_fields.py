"""By what the queries of an evaluation can be told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from brainkit.evaluation.datasets import Dataset
from brainkit.widgets.compact import Json

GROUPS_MAX: Final = 60
FIELDS_MAX: Final = 24
_NAME_CHARS: Final = 200


def fields_data(dataset: Dataset) -> tuple[list[Json], list[str]]:
    """Return the fields to break a dataset down by, and the names of those that are left out.

    A field is shown if at least two queries have it and it has at most ``GROUPS_MAX`` values; of
    many, the ``FIELDS_MAX`` that most queries have. Two are counted from the dataset itself.
    """
    having = Counter(name for one in dataset.queries for name in dataset.metadata.get(one, {}))
    shown: list[Json] = []
    left_out: list[str] = []
    for name, count in sorted(having.items(), key=lambda pair: (-pair[1], pair[0])):
        values = [str(dataset.metadata.get(one, {}).get(name)) for one in dataset.queries]
        if count > 1 and len(set(values)) <= GROUPS_MAX and len(shown) < FIELDS_MAX:
            shown.append(_field(name, values, sorted(set(values))))
        else:
            left_out.append(name)
    return [*shown, *_counted(dataset)], left_out


def _counted(dataset: Dataset) -> list[Json]:
    relevant = [sum(g > 0 for g in dataset.qrels.get(q, {}).values()) for q in dataset.queries]
    words = [len(text.split()) for text in dataset.queries.values()]
    found = []
    for name, counts, bounds in (
        ("relevant per query", relevant, (1, 2, 3, 6, 11, 31)),
        ("words in query", words, (1, 4, 8, 12, 16, 24)),
    ):
        values = [_bin(count, bounds) for count in counts]
        ordered = sorted(set(values), key=lambda value: int(value.split("-")[0].rstrip("+")))
        found.append({**_field(name, values, ordered), "counted": True})
    return found


def _bin(count: int, bounds: Sequence[int]) -> str:
    """Return the name of the bin of a number.

    >>> [_bin(n, (1, 3, 6)) for n in (0, 1, 2, 5, 9)]
    ['0', '1-2', '1-2', '3-5', '6+']
    """
    if count < bounds[0]:
        return str(count)
    last = max(at for at, bound in enumerate(bounds) if count >= bound)
    if last == len(bounds) - 1:
        return f"{bounds[last]}+"
    low, high = bounds[last], bounds[last + 1] - 1
    return str(low) if low == high else f"{low}-{high}"


def _field(name: str, values: Sequence[str], ordered: Sequence[str]) -> Json:
    at: Callable[[str], int] = {value: n for n, value in enumerate(ordered)}.__getitem__
    return {
        "name": _cut(name),
        "counted": False,
        "values": [_cut(value) for value in ordered],
        "of": [at(value) for value in values],
    }


def _cut(text: str) -> str:
    return text if len(text) <= _NAME_CHARS else text[: _NAME_CHARS - 1] + "…"
