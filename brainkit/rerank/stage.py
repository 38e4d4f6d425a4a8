"""The last stage of a query: the best candidates, read by a reranker."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from brainkit.analyze.whole import embedded_text
from brainkit.errors import RerankerFailed
from brainkit.models import Candidate, Notice, Reranked
from brainkit.rerank import resolve
from brainkit.rerank.base import Reranker

FAILED = "rerank-failed"
"""Kind of the notice that the reranker gave no scores."""
Withheld = Callable[[Candidate], bool]


def by_default() -> tuple[Reranker, Withheld]:
    """Return the default reranker, which is shown nothing if it is on another machine."""
    return resolve(None), lambda candidate: True


def judged(
    query: str,
    candidates: Sequence[Candidate],
    reranker: Reranker,
    *,
    depth: int,
    withheld: Withheld,
) -> tuple[dict[int, float], Reranked]:
    """Return the score of each candidate by its order, and what there is to say of them.

    The reranker reads what was embedded: a chunk's context, then its text.
    depth : how many candidates were meant to be read.
    withheld : which of them a reranker on another machine must not be shown.
    A reranker that fails gives no score and a notice with the reason: the fused order is at hand.
    Raises RerankerUnavailable if it can never work here.
    """
    kept_back = {one.order for one in candidates if reranker.sends and withheld(one)}
    shown = [one for one in candidates if one.order not in kept_back]
    notices = [_kept_back(len(kept_back), reranker.name)] if kept_back else []
    found: dict[int, float] = {}
    try:
        scores = reranker.scores(query, [embedded_text(one.context, one.text) for one in shown])
        found = dict(zip((one.order for one in shown), scores, strict=True))
    except RerankerFailed as error:
        message = f"rerank: {error}; the results are in fused order."
        notices.append(Notice(kind=FAILED, message=message))
    record = Reranked(
        reranker=reranker.name,
        depth=depth,
        scored=len(found),
        withheld=tuple(sorted(kept_back)),
        notices=tuple(notices),
    )
    return found, record


def _kept_back(count: int, name: str) -> Notice:
    one = count == 1
    return Notice(
        kind="rerank-withheld",
        message=f"rerank: {count} {'candidate looks' if one else 'candidates look'} like "
        f"{'it holds' if one else 'they hold'} secrets and {'was' if one else 'were'} not sent to "
        f"{name}; {'it comes' if one else 'they come'} after those that were read.",
    )
