"""An answer: the response, its reasons, and the same question under other settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from brainkit import markup
from brainkit.analyze import Analyzer, highlight_spans
from brainkit.errors import InvalidSetting
from brainkit.models import Chunk, Explanation, QueryRequest, QueryResponse, QueryResult, Trace
from brainkit.search import refuse
from brainkit.widgets.drawn import Drawn
from brainkit.widgets.view import answer_view

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

SCORES = ("vector_score", "bm25_score", "graph_score", "rerank_score")
_SHOWN_LINES = 6
_RELATED_SHOWN = 5


class Answer(Drawn):
    """What ``brain.query`` returns: results, best first, over a frozen response.

    It needs no brain any more: ``refuse`` works from the trace.
    """

    def __init__(self, response: QueryResponse, *, analyzer: Analyzer) -> None:
        self.response = response
        self._analyzer = analyzer

    @property
    def results(self) -> tuple[QueryResult, ...]:
        """The results, best first."""
        return self.response.results

    @property
    def request(self) -> QueryRequest:
        """The question and every setting."""
        return self.response.request

    @property
    def title(self) -> str:
        """The question."""
        return self.request.query

    @property
    def trace(self) -> Trace:
        """What every retriever found: all that ``refuse`` needs."""
        return self.response.trace

    @property
    def analyzer(self) -> Analyzer:
        """What cut the question and the chunks into terms."""
        return self._analyzer

    def __len__(self) -> int:
        return len(self.results)

    def refuse(self, **changes: Any) -> Answer:
        """Fuse again under other settings, from the trace alone.

        changes : mode, top_k, alpha, similarity_threshold, depth, rrf_k, weights, normalize,
            collapse, rerank, rerank_depth.
        Equal to a new query with those settings; but a reranker reads nothing more, so a notice
        says how many of the best it has not read. Raises NotInTrace naming what was not recorded.
        """
        return Answer(refuse(self.trace, self.request.with_(**changes)), analyzer=self._analyzer)

    def explain(self, rank: int = 1) -> Explanation:
        """Return why the result of this rank (from 1) is there: parts that sum to its score."""
        if not 1 <= rank <= len(self.results):
            raise InvalidSetting(
                f"rank={rank}: this answer has {len(self.results)} results; "
                + ("ranks count from 1." if self.results else "there is nothing to explain.")
            )
        return self.results[rank - 1].explanation

    def to_frame(self) -> DataFrame:
        """Return one row per result as a pandas DataFrame, best first."""
        import pandas as pd

        columns = list(QueryResult.model_fields)
        rows = [{name: getattr(r, name) for name in columns} for r in self.results]
        frame = pd.DataFrame(rows, columns=columns)
        frame["explanation"] = [r.explanation.sentence for r in self.results]
        return frame

    def to_dict(self) -> dict[str, Any]:
        """Return the response as plain data, for JSON."""
        return self.response.model_dump(mode="json")

    def spans(self, result: QueryResult) -> list[tuple[int, int]]:
        """Return the offsets of the query's terms in a result's text."""
        terms = {term.term for term in self.trace.terms if term.term}
        return highlight_spans(self._analyzer, result.text, terms) if terms else []

    def summary(self) -> str:
        """Return one line: mode, counts and time."""
        r = self.response
        return (
            f"{r.total_results} of {r.candidates} candidates by {r.request.mode.value} "
            f"in {r.query_time_ms:.1f} ms"
        )

    def view(
        self,
        kind: str = "answer",
        *,
        selected: str | None = None,
        labels: Mapping[str, int] | None = None,
    ) -> dict[str, Any]:
        """Return the answer, or one piece of it, as the browser draws it (``widgets.view``)."""
        return answer_view(
            self.response, self._analyzer, kind=kind, selected=selected, labels=labels
        )

    def __repr__(self) -> str:
        lines = [f"{self.request.query!r}: {self.summary()}"]
        lines += [
            f"{r.rank}. {place(r)}  {scores(r, collapse=self.request.collapse)}"
            for r in self.results
        ]
        lines += [f"note: {n.message}" for n in self.response.notices]
        return markup.terminal("\n".join(lines))

    def __rich__(self) -> RenderableType:
        return self.to_rich()

    def to_rich(self, *, explain: bool = False) -> RenderableType:
        """Return the answer for a terminal.

        explain : add the parts of each score and their arithmetic.
        """
        from rich.console import Group
        from rich.padding import Padding
        from rich.text import Text

        parts: list[RenderableType] = []
        for result in self.results:
            head = Text(f"{result.rank:>2}. ", style="bold", overflow="fold")
            head.append(markup.terminal(place(result)), style="bold cyan")
            why = [scores(result, collapse=self.request.collapse), result.explanation.sentence]
            why += [f"related: {names}"] if (names := related(result)) else []
            below: list[RenderableType] = [Text(markup.terminal("\n".join(why)), style="dim")]
            if explain:
                below += [Padding(_arithmetic(result.explanation), (1, 0), expand=False)]
            below += [Padding(self._excerpt(result), (0, 0, 0, 2), expand=False)]
            parts += [head, *(Padding(part, (0, 0, 0, 4), expand=False) for part in below), Text()]
        for notice in self.response.notices:
            parts.append(Text(markup.terminal(f"note: {notice.message}"), style="yellow"))
        return Group(*parts, Text(self.summary(), style="dim"))

    def _excerpt(self, result: QueryResult) -> Text:
        from rich.text import Text

        text = Text(markup.terminal(result.text))
        for start, end in self.spans(result):
            text.stylize("bold yellow", start, end)
        lines = text.split("\n", allow_blank=True)
        first = self._first_line(result)
        shown = Text("\n").join(lines[first : first + _SHOWN_LINES])
        if len(lines) > _SHOWN_LINES:
            shown.append(f"\n… {_SHOWN_LINES} of {len(lines)} lines", style="dim")
        return shown

    def _first_line(self, result: QueryResult) -> int:
        """The line to begin an excerpt with: the densest window of matched terms."""
        spans = self.spans(result)
        total = result.text.count("\n") + 1
        if not spans or total <= _SHOWN_LINES:
            return 0
        at = [result.text.count("\n", 0, start) for start, _ in spans]
        windows = range(total - _SHOWN_LINES + 1)
        return max(windows, key=lambda w: (sum(w <= n < w + _SHOWN_LINES for n in at), -w))

    def _repr_html_(self) -> str:
        items = "".join(self._item(result) for result in self.results)
        notices = [
            f'<div class="notice">{markup.text(n.message)}</div>' for n in self.response.notices
        ]
        head = f"<div><b>{markup.text(self.request.query)}</b></div>"
        foot = f'<div class="dim">{markup.text(self.summary())}</div>'
        return markup.block([head, *notices, f"<ol>{items}</ol>" if items else "", foot])

    def _item(self, result: QueryResult) -> str:
        body = marked(result.text, self.spans(result))
        why = markup.text(result.explanation.sentence)
        if names := related(result):
            why += f"<br>{markup.text(f'related: {names}')}"
        numbers = markup.text(scores(result, collapse=self.request.collapse))
        return (
            f'<li><span class="src">{markup.text(place(result))}</span> '
            f'<span class="dim">{numbers}</span>'
            f'<div class="dim">{why}</div><pre>{body}</pre></li>'
        )


def _arithmetic(explanation: Explanation) -> Table:
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, pad_edge=False, header_style="dim")
    grid.add_column("part", overflow="fold")
    grid.add_column("value", justify="right", no_wrap=True)
    grid.add_column("arithmetic", overflow="fold", style="dim")
    for part in explanation.parts:
        name, arithmetic = markup.terminal(part.name), markup.terminal(part.arithmetic)
        grid.add_row(Text(name), f"{part.value:.4f}", Text(arithmetic))
    grid.add_row("sum", f"{explanation.score:.4f}", style="bold")
    return grid


def place(result: QueryResult | Chunk) -> str:
    """Return the citation of a chunk: source and line range."""
    if result.start_line == result.end_line:
        return f"{result.source}:{result.start_line}"
    return f"{result.source}:{result.start_line}-{result.end_line}"


def scores(result: QueryResult, *, collapse: str = "overlap") -> str:
    """Return the score, the component scores that were computed, and how many were folded in."""
    names = [name for name in SCORES if getattr(result, name) is not None]
    parts = [f"{name.removesuffix('_score')} {getattr(result, name):.3f}" for name in names]
    kind = "more of this source" if collapse == "source" else "overlapping"
    more = f" · +{len(result.collapsed)} {kind}" if result.collapsed else ""
    return f"score {result.score:.4f}" + "".join(f" · {part}" for part in parts) + more


def related(result: QueryResult) -> str:
    """Return the entities that the graph found the result by, the nearest first; "" if none."""
    return ", ".join((result.related_entities or ())[:_RELATED_SHOWN])


def marked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return escaped text with the spans marked."""
    parts, at = [], 0
    for start, end in spans:
        parts += [markup.text(text[at:start]), f"<mark>{markup.text(text[start:end])}</mark>"]
        at = end
    return "".join(parts) + markup.text(text[at:])
