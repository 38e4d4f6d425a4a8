"""A request as the Python call that makes it: the twin of ``js/answer/code.js``."""

from __future__ import annotations

import json
from typing import Any

from brainkit import settings
from brainkit.models import QueryMode, QueryRequest

_BM25 = {"bm25_k1": settings.BM25_K1, "bm25_b": settings.BM25_B}


def python_call(request: QueryRequest) -> str:
    """Return the call that gives this answer, with the settings that its mode reads.

    >>> python_call(QueryRequest(query="isbn", mode="bm25", top_k=3))
    'brain.query("isbn", mode="bm25", top_k=3, depth=50)'
    """
    given = request.model_dump(mode="json")
    mode = request.mode
    names = ["mode", "top_k", "depth"]
    names += ["alpha", "normalize"] if mode is QueryMode.HYBRID else []
    names += ["rrf_k", "weights"] if mode is QueryMode.MULTI else []
    if mode in (QueryMode.GRAPH, QueryMode.MULTI):
        names += ["traversal_depth", "graph_scorer"]
    if mode in (QueryMode.BM25, QueryMode.HYBRID, QueryMode.MULTI):
        names += [name for name, default in _BM25.items() if given[name] != default]
    names += ["similarity_threshold"] if request.similarity_threshold > 0 else []
    names += ["collapse"] if request.collapse != "none" else []
    filters = ("source_types", "languages", "file_paths", "entity_types", "relationship_types")
    names += [name for name in filters if given[name] is not None]
    names += ["rerank", "rerank_depth"] if request.rerank else []
    names += ["filter_stage"] if request.filter_stage != "pre" else []
    arguments = [_python(request.query), *(f"{name}={_python(given[name])}" for name in names)]
    return f"brain.query({', '.join(arguments)})"


def _python(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list):
        return f"[{', '.join(map(_python, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_python(k)}: {_python(v)}' for k, v in value.items())}}}"
    return repr(value)
