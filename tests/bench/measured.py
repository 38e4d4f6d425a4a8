"""What a measurement is: repeated timings, rows with targets, one table, growth with size."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeVar

import numpy as np
from rich.table import Table

T = TypeVar("T")


@dataclass(frozen=True)
class Row:
    """One line of the table.

    case : what was measured on, such as ``synthetic 10,000``; its rows stand together.
    value : the figure, the median of a repeated call; None where there is none. floor : what the
        bare libraries take for the same. ours : what we take for what something else was measured
        at. recall : recall@10 against exact search. most, least, most_ratio, least_recall : the
        targets that it has. grows : the name under which sizes are compared.
    """

    case: str
    what: str
    value: float | None
    unit: str = "ms"
    p95: float | None = None
    p99: float | None = None
    floor: float | None = None
    ours: float | None = None
    recall: float | None = None
    most: float | None = None
    least: float | None = None
    most_ratio: float | None = None
    least_recall: float | None = None
    grows: str | None = None
    chunks: int = 0

    @property
    def ratio(self) -> float | None:
        """The figure over the floor."""
        return self.value / self.floor if self.floor and self.value is not None else None

    @property
    def times_ours(self) -> float | None:
        """The figure of something else over ours."""
        return self.value / self.ours if self.ours and self.value is not None else None

    @property
    def targets(self) -> dict[str, bool]:
        """Each target in words, and whether it is met."""
        found: dict[str, bool] = {}
        if self.value is None:
            return found
        if self.most is not None:
            found[f"<= {self.most:g}"] = self.value <= self.most
        if self.least is not None:
            found[f">= {self.least:,g}"] = self.value >= self.least
        if self.most_ratio is not None and self.ratio is not None:
            found[f"<= {self.most_ratio:g} x"] = self.ratio <= self.most_ratio
        if self.least_recall is not None and self.recall is not None:
            found[f"R >= {self.least_recall:g}"] = self.recall >= self.least_recall
        return found


class Timings:
    """Milliseconds of repeated calls, by name."""

    def __init__(self) -> None:
        self._all: defaultdict[str, list[float]] = defaultdict(list)

    def add(self, name: str, ms: float) -> None:
        """Note one measurement."""
        self._all[name].append(ms)

    def time(self, name: str, call: Callable[..., T], *given: Any, **options: Any) -> T:
        """Call, note how long it took, and return what it gave."""
        start = time.perf_counter()
        gave = call(*given, **options)
        self.add(name, (time.perf_counter() - start) * 1000)
        return gave

    def median(self, name: str) -> float:
        """Return the median."""
        return float(np.median(self._all[name]))

    def percentiles(self, name: str) -> dict[str, Any]:
        """Return the median and the two high percentiles, as fields of a row."""
        half, p95, p99 = np.percentile(self._all[name], (50, 95, 99))
        return {"value": float(half), "p95": float(p95), "p99": float(p99)}

    def names(self, prefix: str) -> list[str]:
        """Return the names that begin so, in the order of their first measurement."""
        return [name for name in self._all if name.startswith(prefix)]


def table(rows: Sequence[Row]) -> Table:
    """Lay the rows out for people, those of a case together."""
    grid = Table(box=None, header_style="bold")
    grid.add_column("what", no_wrap=True)
    for name in ("p50", "", "p95", "p99", "floor", "x floor", "x ours", "recall", "target", "met"):
        grid.add_column(name, justify="left" if not name else "right", no_wrap=True)
    for case, found in groupby(rows, key=lambda row: row.case):
        grid.add_row(f"[bold]{case}")
        for row in found:
            grid.add_row(
                f"  {row.what}",
                _short(row.value),
                row.unit,
                *(
                    _short(value)
                    for value in (row.p95, row.p99, row.floor, row.ratio, row.times_ours)
                ),
                "" if row.recall is None else f"{row.recall:.3f}",
                ", ".join(row.targets),
                ", ".join("yes" if met else "[bold]NO[/]" for met in row.targets.values()),
            )
    return grid


def growth(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the exponent with which each figure grows between the sizes it was measured at.

    The least-squares slope of its logarithm over that of the number of chunks: 1 is linear.
    """
    named: defaultdict[str, dict[int, float]] = defaultdict(dict)
    for row in rows:
        if row.grows and row.value:
            named[row.grows][row.chunks] = row.value
    for name, by_size in named.items():
        if len(by_size) > 1:
            sizes = sorted(by_size)
            logs = [[math.log(size), math.log(by_size[size])] for size in sizes]
            slope = float(np.polyfit(*np.array(logs).T, 1)[0])
            last = (logs[-1][1] - logs[-2][1]) / (logs[-1][0] - logs[-2][0])
            what = f"{name}, {sizes[0]:,} to {sizes[-1]:,}: {slope:.2f}; the last step"
            yield Row("growth with the number of chunks, exponent", what, last, "")


def _short(value: float | None) -> str:
    if value is None:
        return ""
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2
    return f"{value:,.{digits}f}"
