"""axe-core finds nothing serious in a report, on light and on dark ground."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit


@pytest.fixture(scope="module")
def axe(repository: Path) -> str:
    """The checker's source; skips where the tools of the front end are not installed."""
    tools = repository / "brainkit" / "widgets" / "js" / "node_modules"
    if not (tools / "axe-core").is_dir():
        pytest.skip("no axe-core: npm install --no-package-lock in brainkit/widgets/js")
    return (tools / "axe-core" / "axe.min.js").read_text("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious(
    *, scheme: str, axe: str, sample: brainkit.Brain, page: Any, opened: Callable[..., Any],
    make: ModuleType, live: Callable[..., Any],
) -> None:  # fmt: skip
    page.media(prefers_color_scheme=scheme)
    failing = "\x1b[38;5;28;01mdef\x1b[39m \x1b[38;5;21mcall\x1b[39m"
    opened(
        "# A\n\n## B\n\n### C\n\n## D\n\n[a link](https://example.org), `code`, $x$\n\n"
        "| a | b |\n|--|--|\n| 1 | 2 |\n\n```python\ndef f(): return 'a' + 1  # note\n```",
        make.code_cell(
            make.shown(sample.query("how are sessions signed", trace="full")),
            make.shown(sample.compare("how are sessions signed", a={}, b={"mode": "multi"})),
            {"output_type": "error", "ename": "E", "evalue": "no", "traceback": [failing]},
            {"output_type": "stream", "name": "stderr", "text": "\x1b[31mred\x1b[33myellow\x1b[0m"},
            make.displayed({"text/html": "<img src='https://example.org/a.png'>"}),
            source="import os  # a note\nx = f'{1}' + str(2)",
        ),
    )
    for number in (1, 2):
        live(page, number)
    page.value(f"{axe}; 0")
    found = page.value(
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations"
        ".filter(one => ['serious', 'critical'].includes(one.impact))"
        ".map(one => [one.id, one.nodes.map(node => [node.html, node.failureSummary])]))"
    )
    assert found == []
