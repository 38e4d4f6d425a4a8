"""What a query found, kept small enough for a thousand queries, to be ranked in many ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from brainkit.fuse import fuse, retrievers_for
from brainkit.models import QueryMode, QueryRequest, Trace
from brainkit.settings import DEPTH_MAX
from brainkit.trace import REFUSABLE, fallen_back

Unit = Literal["source", "chunk"]


class Answered(Protocol):
    """An answer, as far as an evaluation looks at it."""

    @property
    def trace(self) -> Trace:
        """What every retriever found."""
        ...

    @property
    def response(self) -> Any:
        """The response, with its ``timings_ms``."""
        ...


class Searcher(Protocol):
    """What can be evaluated: a brain, or anything that answers like one."""

    def query(self, query: QueryRequest, *, trace: Literal["needed", "full"] = ...) -> Answered:
        """Answer a request."""
        ...


@dataclass(frozen=True, slots=True)
class Candidates:
    """The ranked lists of one query and every raw score, by the order of its candidates.

    units : order -> what a judgement is about: the source, or the chunk id.
    asked : (depth, retrievers) they were fetched with. full : retrievers whose list has reached
        the depth, so that there may be more. timings_ms : milliseconds by stage.
    """

    lists: Mapping[str, Sequence[tuple[int, float]]]
    raw: Mapping[str, Mapping[int, float]]
    units: Mapping[int, str]
    asked: tuple[int, frozenset[str]]
    full: frozenset[str]
    timings_ms: Mapping[str, float]
    generation: str

    def ranking(self, request: QueryRequest) -> list[str]:
        """Return the units, best first, each where its best chunk is."""
        answered = fallen_back(request, found=bool(self.lists.get("graph")))
        ordered = fuse(self.lists, self.raw, answered)
        return list(dict.fromkeys(self.units[one.id] for one in ordered))

    def ms(self, request: QueryRequest) -> float:
        """Milliseconds of the stages that an answer to this request needs."""
        wanted = {"filter", "fetch", *retrievers_for(request)}
        if "vector" in wanted:
            wanted.add("embed")
        return sum(ms for stage, ms in self.timings_ms.items() if stage in wanted)


def fetch(
    searcher: Searcher,
    text: str,
    requests: Sequence[QueryRequest],
    *,
    unit: Unit,
    least: int,
) -> Candidates:
    """Ask once for all that these requests need, which differ only in fusion.

    least : distinct units wanted. The depth grows fourfold, up to 1,000, until every request
        ranks that many or the retrievers have nothing more.
    """
    needed = frozenset(name for request in requests for name in retrievers_for(request))
    depth = max(least, *(request.depth for request in requests))
    floor = min(request.similarity_threshold for request in requests)
    while True:
        asked = requests[0].with_(
            query=text, depth=depth, top_k=1, similarity_threshold=floor, **_mode_for(needed)
        )
        answer = searcher.query(asked, trace="full" if "graph" in needed else "needed")
        found = _kept(answer, depth=depth, needed=needed, unit=unit)
        enough = all(
            len(found.ranking(at_depth(request, depth))) >= least
            or not found.full.intersection(retrievers_for(request))
            for request in requests
        )
        if enough or depth >= DEPTH_MAX:
            return found
        depth = min(DEPTH_MAX, depth * 4)


def at_depth(request: QueryRequest, depth: int) -> QueryRequest:
    """Return the request looking at least so deep: a ranking is evaluated past its ``top_k``."""
    return request if request.depth >= depth else request.with_(depth=depth)


def groups(requests: Mapping[str, QueryRequest]) -> list[dict[str, QueryRequest]]:
    """Put requests together that differ only in fusion, in the order given."""
    found: dict[tuple[Any, ...], dict[str, QueryRequest]] = {}
    for name, request in requests.items():
        fixed = tuple(
            (field, getattr(request, field))
            for field in type(request).model_fields
            if field not in REFUSABLE and field != "query"
        )
        found.setdefault(fixed, {})[name] = request
    return list(found.values())


def _mode_for(needed: Iterable[str]) -> dict[str, Any]:
    names = set(needed)
    if "graph" in names:
        return {"mode": QueryMode.MULTI}
    if len(names) == 1:
        return {"mode": QueryMode(names.pop())}
    return {"mode": QueryMode.HYBRID, "alpha": 0.5}


def _kept(answer: Answered, *, depth: int, needed: frozenset[str], unit: Unit) -> Candidates:
    trace = answer.trace
    lists = {
        name: [(hit.order, hit.score) for hit in trace.lists[name].hits]
        for name in sorted(needed | ({"vector"} if "graph" in needed else set()))
        if name in trace.lists
    }
    return Candidates(
        lists=lists,
        raw={
            name: {c.order: s for c in trace.candidates if (s := getattr(c, name)) is not None}
            for name in lists
        },
        units={c.order: c.source if unit == "source" else c.chunk_id for c in trace.candidates},
        asked=(depth, needed),
        full=frozenset(name for name, hits in lists.items() if len(hits) >= depth),
        timings_ms=dict(answer.response.timings_ms),
        generation=trace.generation,
    )
