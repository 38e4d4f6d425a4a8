"""An experiment for the terminal, narrow ones too: few columns each, several tables if need be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, Group
from rich.table import Table
from rich.text import Text

from brainkit.evaluation.held import shown
from brainkit.evaluation.outcome import Evaluation
from brainkit.evaluation.swept import Sweep
from brainkit.markup import terminal

if TYPE_CHECKING:
    from rich.console import RenderableType

Row = tuple[str, Sequence[str]]
_GAP = 2
_CURVE_POINTS = 11


class Grid:
    """Rows of short cells under a name; columns that do not fit go into a second table."""

    def __init__(self, title: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        self._title, self._columns, self._rows = title, columns, rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        """Yield one table, or several, each at most as wide as the terminal."""
        first = max(len(name) for name in (self._title, *(name for name, _ in self._rows)))
        room = options.max_width - min(first, options.max_width // 2)
        widths = [
            _GAP + max(len(head), *(len(cells[at]) for _, cells in self._rows))
            for at, head in enumerate(self._columns)
        ]
        for part in _parts(widths, room):
            grid = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="dim")
            grid.add_column(Text(terminal(self._title)), overflow="fold")
            for at in part:
                grid.add_column(self._columns[at], justify="right", no_wrap=True)
            for name, cells in self._rows:
                grid.add_row(Text(terminal(name)), *(cells[at] for at in part))
            yield grid


def evaluation_text(
    found: Evaluation, *, baselines: Sequence[str], by: str | None
) -> RenderableType:
    """Return the tables of an experiment: measures, comparisons, latency, and a breakdown."""
    ran = [name for name in found.configs if found.ran(name)]
    first = str(found.measures[0])
    parts: list[RenderableType] = [Text(terminal(found.summary()), style="bold")]
    if ran:
        rest = [str(measure) for measure in found.measures[1:]]
        heads = [first, "95 % interval", *rest]
        parts.append(Grid("", heads, [(name, _measures(found, name, rest)) for name in ran]))
        for baseline in baselines if len(ran) > 1 else ():
            parts += [Text(), _against(found, baseline)]
        heads = [f"unjudged@{found.measures[0].cutoff or 10}", "p50 ms", "p95 ms"]
        parts += [Text(), Grid("", heads, [(name, _times(found, name)) for name in ran])]
        deep = max(found.depths.values())
        parts.append(Text(f"lists fetched to depth {deep}, to fill the rankings", style="dim"))
        if by is not None:
            parts += [Text(), _breakdown(found, by)]
    parts += _notes(found.notes)
    return Group(*parts)


def sweep_text(found: Sweep) -> RenderableType:
    """Return the curve of a sweep, and what held-out queries say."""
    table = found.table(_CURVE_POINTS)
    tried = list(zip(table.index.tolist(), table.to_numpy().tolist(), strict=True))
    if found.edges is None and len(tried) > 2 * _CURVE_POINTS:
        best = sorted(tried, key=lambda one: -one[1][0])[:_CURVE_POINTS]
        tried = [one for one in tried if one in best or one[0] == found.default]
    rows = [
        (shown(value), [*(f"{number:.4f}" for number in row), _mark(found, value)])
        for value, row in tried
    ]
    heads = [str(found.measure), "low", "high", ""]
    spent = ", ".join(f"{seconds:.1f} s to {what}" for what, seconds in found.seconds.items())
    parts: list[RenderableType] = [
        Text(terminal(found.summary()), style="bold"),
        Grid(found.setting, heads, rows),
    ]
    if len(rows) < len(table):
        parts.append(Text(f"The best of {len(table)}; --json has all.", style="dim"))
    if found.edges is not None:
        spent += f"; {len(found.edges) - 2:,} values of alpha at which a ranking gains or loses"
    return Group(*parts, Text(spent, style="dim"), *_notes(found.notes))


def _mark(found: Sweep, value: object) -> str:
    marks = {"default": found.default, "chosen": found.best}
    return ", ".join(name for name, marked in marks.items() if marked == value)


def _measures(found: Evaluation, name: str, rest: Sequence[str]) -> list[str]:
    mean, low, high = found.interval(name)
    return [f"{mean:.4f}", f"[{low:.4f}, {high:.4f}]"] + [
        f"{found.mean(name, measure):.4f}" for measure in rest
    ]


def _against(found: Evaluation, baseline: str) -> Grid:
    rows = [
        (
            one.config,
            [
                f"{one.difference.mean:+.4f}",
                f"[{one.difference.low:+.4f}, {one.difference.high:+.4f}]",
                "/".join(map(str, one.tally)),
                f"{one.p_corrected:.3f}",
            ],
        )
        for one in found.compare(baseline=baseline)
    ]
    heads = [str(found.measures[0]), "95 % interval", "won/tied/lost", "p (Holm)"]
    return Grid(f"against {baseline}", heads, rows)


def _times(found: Evaluation, name: str) -> list[str]:
    middle, high = found.latency_ms(name)
    return [f"{found.unjudged_share(name):.3f}", f"{middle:.1f}", f"{high:.1f}"]


def _breakdown(found: Evaluation, by: str) -> Grid:
    table = found.breakdown(by)
    names = [name for name in table.columns if name != "queries"]
    rows: list[Row] = [
        (str(kind), [f"{int(row['queries']):,}", *(f"{row[name]:.4f}" for name in names)])
        for kind, row in table.iterrows()
    ]
    return Grid(by, ["queries", *names], rows)


def _notes(notes: Sequence[str]) -> list[RenderableType]:
    return [Text(terminal(f"note: {note}"), style="yellow") for note in notes]


def _parts(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    part: list[int] = []
    for at, width in enumerate(widths):
        if part and sum(widths[n] for n in part) + width > room:
            yield part
            part = []
        part.append(at)
    if part:
        yield part
