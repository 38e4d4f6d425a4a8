"""The hostile corpus, in every field, title and file name: nothing of it runs in a report."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit

OWN = "document.documentElement.dataset.owned = 1"
HOSTILE = (
    f"<script>{OWN}</script>",
    f"</script><script>{OWN}</script>",
    f'"><img src=x onerror="{OWN}">',
    f"<!--<script>{OWN}//",
    f"javascript:{OWN}",
    f"\u2028{{{{{OWN}}}}}\u202e",
    "</title></style></textarea></brainkit-view-1>",
)


@pytest.fixture(scope="module")
def hostile(
    tmp_path_factory: pytest.TempPathFactory, word_vectors: Any
) -> Iterator[brainkit.Brain]:
    folder = tmp_path_factory.mktemp("hostile")
    docs = folder / "docs"
    docs.mkdir()
    for number, text in enumerate(HOSTILE):
        name = "".join(char for char in text if char not in "/\0")[:80]
        (docs / f"{number}{name}.md").write_text(
            f"# {text}\n\n{text} needle {number}\n\n```python\n{text}\n```\n", "utf-8"
        )
    with brainkit.open(folder / "h.brain", embedder=word_vectors) as brain:
        brain.ingest(docs, label="a'b", progress=False)
        brain.ingest_texts(
            [{"id": text[:60], "title": text, "text": f"{text} needle"} for text in HOSTILE]
        )
        yield brain


def quiet(page: Any) -> None:
    page.wait("document.querySelectorAll('[data-view]').length > 0")
    page.value(
        "(async () => { for (const view of document.querySelectorAll('[data-view], [data-chart]'))"
        "{ view.scrollIntoView(); await new Promise(done => setTimeout(done, 50)); } })()"
    )
    assert page.value("document.documentElement.dataset.owned ?? null") is None


@pytest.mark.parametrize("text", HOSTILE)
def test_in_a_notebook(
    text: str, hostile: brainkit.Brain, opened: Callable[..., Any], make: ModuleType
) -> None:
    query = f"needle {text}"[:900]
    answer = hostile.query(query, trace="full")
    assert answer.results
    stream = {"output_type": "stream", "name": "stdout", "text": text}
    error = {"output_type": "error", "ename": text, "evalue": text, "traceback": [text]}
    chart = {"data": [{"y": [1], "name": text}], "layout": {"title": {"text": text}}}
    page = opened(
        f"# {text}\n\n{text}\n\n[{text}]({text}) ![{text}]({text}) $\\text{{{text}}}$\n\n{text}[^1]"
        f"\n\n[^1]: {text}",
        make.code_cell(
            make.shown(answer),
            make.shown(hostile.compare(query, a={"mode": "bm25"}, b={})),
            make.shown(hostile.map(query)),
            stream,
            error,
            make.displayed({"text/html": text, "text/plain": text}),
            make.displayed(
                {"image/svg+xml": f"<svg xmlns='http://www.w3.org/2000/svg'>{text}</svg>"}
            ),
            make.displayed({"application/vnd.plotly.v1+json": chart}),
            make.displayed({"application/vnd.jupyter.widget-view+json": {}, "text/plain": text}),
            make.displayed({"application/json": {text: text}}),
            source=f"#| caption: {text}\n{text}",
            tags=[text],
        ),
        title=text,
        author=text,
    )
    quiet(page)


def test_in_a_report_of_its_own(hostile: brainkit.Brain, page: Any, tmp_path: Path) -> None:
    items = [*(hostile.query(f"needle {text}") for text in HOSTILE), *HOSTILE]
    file = hostile.report(items, tmp_path / "r.html", title=HOSTILE[1], author=HOSTILE[2])
    page.open(file)
    quiet(page)


def test_a_forged_view_is_only_data(
    hostile: brainkit.Brain, opened: Callable[..., Any], make: ModuleType
) -> None:
    """Every text of a view replaced, names of fields too where they are words of the data."""
    view = json.loads(json.dumps(hostile.query("needle", trace="full").view()))

    def spoiled(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: value[name] if name in ("schema", "kind", "mode", "normalize", "collapse")
                    else spoiled(value[name]) for name in value}  # fmt: skip
        if isinstance(value, list):
            return [spoiled(one) for one in value]
        return HOSTILE[1] if isinstance(value, str) else value

    html = (
        f'<brainkit-view-1>{HOSTILE[0]}<script type="application/json" class="brainkit-data">'
        + json.dumps(spoiled(view)).replace("<", "\\u003c")
        + f"</script></brainkit-view-1><script>{OWN}</script>"
    )
    quiet(opened(make.code_cell(make.displayed({"text/html": html}))))
