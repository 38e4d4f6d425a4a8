"""What a query found, kept small enough for a thousand queries, to be ranked in many ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from brainkit.errors import RerankerFailed
from brainkit.fuse import fuse, retrievers_for
from brainkit.models import QueryMode, QueryRequest, Trace
from brainkit.rerank.stage import FAILED
from brainkit.settings import DEPTH_MAX
from brainkit.trace import REFUSABLE, fallen_back

Unit = Literal["source", "chunk"]
_BLENDED = (QueryMode.HYBRID, QueryMode.MULTI)


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


@runtime_checkable
class Tables(Protocol):
    """A searcher that can also say what it holds."""

    def sql(self, query: str) -> Any:
        """Return the rows of a query over the stored chunks, as a DataFrame."""
        ...


def units_of(searcher: Searcher, unit: Unit) -> set[str] | None:
    """Return all that a judgement can be about; None if the searcher cannot say."""
    if not isinstance(searcher, Tables):
        return None
    column = "source" if unit == "source" else "chunk_id"
    return set(searcher.sql(f"select distinct {column} from chunks")[column])


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
        if request.rerank:
            wanted.add("rerank")
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
    shallow: bool = False,
) -> Candidates:
    """Ask once for all that these requests need, which differ only in fusion.

    A request that reranks comes alone: what a reranker reads depends on all of its settings.
    A reranker that fails raises RerankerFailed, as the fused order must not pass for its own.
    least : distinct units wanted. The depth grows fourfold, up to 1,000, until every request
        ranks that many or the retrievers have nothing more.
    shallow : go no deeper than that for what is not blended: a ranking of one retriever begins
        the same at any depth, but what it takes then is not what a query takes.
    """
    needed = frozenset(name for request in requests for name in retrievers_for(request))
    deep = [one.depth for one in requests if not shallow or one.rerank or one.mode in _BLENDED]
    depth = max([least, *deep])
    floor = min(request.similarity_threshold for request in requests)
    own = {} if requests[0].rerank else _mode_for(needed)
    while True:
        asked = requests[0].with_(
            query=text, depth=depth, top_k=1, similarity_threshold=floor, **own
        )
        answer = searcher.query(asked, trace="full" if "graph" in needed else "needed")
        _raise_unread(answer.trace)
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


def at_own_depth(found: Candidates, request: QueryRequest, least: int) -> QueryRequest:
    """Return the request as deep as it would be asked alone: its neighbours change no figure.

    Deeper than its own depth only as far as ``least`` distinct units need.
    """
    most = found.asked[0]
    depth = min(most, max(request.depth, least))
    while depth < most and len(found.ranking(at_depth(request, depth))) < least:
        depth = min(most, depth * 4)
    return at_depth(request, depth)


def groups(requests: Mapping[str, QueryRequest]) -> list[dict[str, QueryRequest]]:
    """Put requests together that differ only in fusion, in the order given.

    One that reranks stays alone, as its best candidates are its own.
    """
    found: dict[tuple[Any, ...], dict[str, QueryRequest]] = {}
    for name, request in requests.items():
        fixed = tuple(
            (field, getattr(request, field))
            for field in type(request).model_fields
            if field not in REFUSABLE and field != "query"
        )
        alone = (name,) if request.rerank else ()
        found.setdefault((*fixed, *alone), {})[name] = request
    return list(found.values())


def _mode_for(needed: Iterable[str]) -> dict[str, Any]:
    names = set(needed)
    if "graph" in names:
        return {"mode": QueryMode.MULTI}
    if len(names) == 1:
        return {"mode": QueryMode(names.pop())}
    return {"mode": QueryMode.HYBRID, "alpha": 0.5}


def _raise_unread(trace: Trace) -> None:
    for notice in trace.reranked.notices if trace.reranked else ():
        if notice.kind == FAILED:
            raise RerankerFailed(notice.message)


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
            for name in (*lists, "rerank")
        },
        units={c.order: c.source if unit == "source" else c.chunk_id for c in trace.candidates},
        asked=(depth, needed),
        full=frozenset(name for name, hits in lists.items() if len(hits) >= depth),
        timings_ms=dict(answer.response.timings_ms),
        generation=trace.generation,
    )
