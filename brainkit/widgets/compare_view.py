"""The view of two answers to one question, which share a trace where one holds both."""

from __future__ import annotations

from brainkit.analyze import Analyzer
from brainkit.models import QueryResponse
from brainkit.widgets.compact import NOTEBOOK_CHARS, Json, compact_trace
from brainkit.widgets.view import answer_view


def compare_view(
    a: QueryResponse,
    b: QueryResponse,
    analyzer: Analyzer,
    *,
    table: str,
    whole_chars: int = NOTEBOOK_CHARS,
) -> Json:
    """Return the view of two responses (``View`` in ``js/types.js``): A, and ``"other"`` is B.

    table : what people read where scripts don't run.
    whole_chars : as for ``compact_trace``; two traces share it.
    """
    shared = a.trace is b.trace
    shown = {result.chunk_id for one in (a, b) for result in one.results}
    chars = whole_chars if shared else whole_chars // 2
    second = None
    if not shared:
        second = compact_trace(b.trace, analyzer, whole=shown, whole_chars=chars)
    return {
        **answer_view(a, analyzer, kind="compare", whole_chars=chars, also=shown),
        "other": {"request": b.request.model_dump(mode="json"), "trace": second},
        "table": table,
    }
