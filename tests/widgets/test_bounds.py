"""The fields of the explorer let through exactly what a request may hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit
from brainkit.errors import InvalidRequest
from brainkit.models import QueryRequest

FIELDS = (
    "const fields = [...root.querySelectorAll('input[type=number], input[type=range]')];"
    "return fields.map(one => [one.getAttribute('aria-label'), Number(one.min), Number(one.max)])"
)
SCALED = {"rrf_k", "vector", "bm25", "graph"}
"""On a log scale, and weights, which have no upper bound: of these the slider is the bound."""


@pytest.fixture
def bounds(
    sample: brainkit.Brain, page: Any, tmp_path: Path, support: Callable[[str], ModuleType]
) -> Iterator[dict[str, tuple[float, float]]]:
    explorer = sample.explore("how are sessions signed", mode="graph")
    support("bridge").Bridge(page, explorer, tmp_path / "page.html")
    view = support("live").LiveView(page, root="window.here.shadowRoot")
    yield {name: (least, most) for name, least, most in view.do(FIELDS) if name not in SCALED}
    explorer.close()


def test_every_number_field_has_the_requests_bounds(bounds: dict[str, tuple[float, float]]) -> None:
    names = {"alpha", "top_k", "depth", "similarity_threshold", "traversal_depth"}
    assert set(bounds) >= names
    for name, (least, most) in bounds.items():
        wide: dict[str, Any] = {"top_k": 1, "depth": 1000}  # top_k is never more than depth
        for value in (least, most):
            request = QueryRequest(query="a", **{**wide, name: value})
            assert getattr(request, name) == value
        for value in (least - 1, most + 1):
            with pytest.raises(InvalidRequest, match=name):
                QueryRequest(query="a", **{**wide, name: value})
