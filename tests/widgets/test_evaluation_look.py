"""Evaluations and sweeps are readable in every theme and width, and show hostile text as text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from brainkit.evaluation.held import Held
from brainkit.evaluation.significance import Interval, Tally

Show = Callable[..., Any]
TABS = ("Configurations", "Query by query", "By field", "Overlap")


@pytest.fixture(scope="session")
def measured(support: Callable[[str], ModuleType]) -> ModuleType:
    return support("measured")


@pytest.fixture(scope="session")
def look(support: Callable[[str], ModuleType]) -> ModuleType:
    """The other views' look: themes, hostile texts, and what to ask of a page."""
    return support("test_look")


@pytest.fixture
def show(
    page: Any, tmp_path: Path, measured: ModuleType, support: Callable[[str], ModuleType]
) -> Show:
    return lambda *views, head="": measured.open_page(
        page, tmp_path, support("live"), *views, head=head
    )


@pytest.fixture(scope="session")
def axe(repository: Path) -> str:
    """The checker's source; skips where the tools of the front end are not installed."""
    tools = repository / "brainkit" / "widgets" / "js" / "node_modules"
    if not (tools / "axe-core").is_dir():
        pytest.skip("no axe-core: npm install --no-package-lock in brainkit/widgets/js")
    return (tools / "axe-core" / "axe.min.js").read_text("utf-8")


def head(look: ModuleType, theme: str) -> str:
    style = {"light": look.LIGHT, "dark": look.DARK}[theme]
    ground = "body{background:var(--jp-layout-color0)}h1,h2{color:var(--jp-ui-font-color1)}"
    return f"<style>:root{{{style}}}{ground}</style>"


def swept(measured: ModuleType) -> dict[str, Any]:
    held = Held((10, 60), 0.5, 0.4, Interval(0.1, 0.05, 0.15), Tally(20, 3, 2), 0.01)
    return dict(measured.sweep(held=held, notes=("Interrupted: 4 of 9.",)).view())


def gridded(measured: ModuleType) -> dict[str, Any]:
    scores = {(k1, b): np.array([k1 / 4, b, 0.5, 1.0]) for k1 in (0.5, 1.5, 3) for b in (0, 0.75)}
    return dict(
        measured.sweep(
            setting="bm25_k1 x bm25_b",
            values=tuple(scores),
            means=np.array([one.mean() for one in scores.values()]),
            default=(1.5, 0.75),
            default_scores=scores[1.5, 0.75],
            score_at=scores.__getitem__,
        ).view()
    )


@pytest.mark.parametrize("width", [420, 1100])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_text_has_contrast_and_nothing_is_wider_than_the_page(
    *, theme: str, width: int, look: ModuleType, measured: ModuleType, show: Show, page: Any
) -> None:
    page.resize(width)
    found = measured.many(40, 4)
    view = {**found.view(), "notes": ["One.", "Two.", "Three."]}
    view["configs"][3] = {**view["configs"][3], "not_run": None}
    live = show(view, head=head(look, theme))
    live.do("root.querySelector('details').open = true")
    live.set("Baseline", "1")
    for tab in TABS:
        live.tab(tab)
        if tab == "Overlap":
            live.click(".sets button", nth=1)
        assert live.do(look.FAINT) == [], tab
        assert live.do(f"return {look.NAMELESS}") == [], tab
        assert page.value("document.documentElement.scrollWidth") <= width, tab
    live = show(swept(measured), head=head(look, theme))
    live.wait("root.querySelector('[role=slider]')")
    assert live.do(look.FAINT) == []
    assert page.value("document.documentElement.scrollWidth") <= width
    live = show(gridded(measured), head=head(look, theme))
    assert live.do(look.FAINT) == []
    assert page.value("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(
    *, theme: str, axe: str, look: ModuleType, measured: ModuleType, show: Show, page: Any
) -> None:
    page.resize(1100)
    views = (measured.many(40, 4).view(), swept(measured), gridded(measured))
    live = show(*views, head=head(look, theme))
    page.value(f"{axe}; 0")
    for tab in TABS:
        live.tab(tab)
        if tab == "Overlap":
            live.click(".sets button", nth=1)
        found = page.value(
            "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations"
            ".map(one => [one.id, one.nodes.map(node => [node.html, node.failureSummary])]))"
        )
        assert found == [], tab


@pytest.mark.parametrize("width", [320, 1100])
def test_hostile_text_is_shown_and_never_run(
    width: int, look: ModuleType, measured: ModuleType, show: Show, page: Any
) -> None:
    page.resize(width)
    texts = [*look.HOSTILE, "\u05d0\u05d1\u05d2 \u202babc", "x" * 1000, "'\"`&lt;&amp;"]
    configs = {f"{text} {side}": {} for text in texts for side in "12"}
    qrels = {text: {text: 2, f"{text}/not": 0} for text in texts}
    for at, config in enumerate(configs):
        configs[config] = {t: [f"{t}/not", t, *texts][(at % 2) :] for t in texts}
    found = measured.evaluation(
        configs,
        qrels,
        texts={text: text for text in texts},
        metadata={text: {look.HOSTILE[0]: texts[n // 2]} for n, text in enumerate(texts)},
        name=look.HOSTILE[0],
        notes=tuple(texts),
        not_run={next(reversed(configs)): look.HOSTILE[0]},
    )
    live = show(found.view())
    names = "[...root.querySelectorAll('*')].flatMap(e => [...e.attributes].map(a => a.name))"
    for tab in TABS:
        live.tab(tab)
        if tab == "Overlap":
            live.click(".sets button")
        assert live.do(f"return {look.LOADED}") == 0, tab
        assert live.do(f"return {names}.filter(name => name.startsWith('on'))") == [], tab
        assert page.value("document.documentElement.scrollWidth") <= width, tab
    shown = "".join(live.texts(".pairs bdi"))
    assert [text for text in texts if look.terminal(text) not in shown] == []
    live = show({**swept(measured), "title": look.HOSTILE[0], "setting": look.HOSTILE[0]})
    live.wait("root.querySelector('[role=slider]')")
    assert page.value("document.documentElement.scrollWidth") <= width
    assert page.value("typeof window.hit") == "undefined"
    assert page.errors == []


def test_the_static_table_is_read_where_no_script_runs(
    look: ModuleType, measured: ModuleType, page: Any, tmp_path: Path
) -> None:
    from brainkit.widgets.view import view_html

    found = measured.evaluation({look.HOSTILE[0]: {"q": ["d"]}, "B": {"q": []}}, {"q": {"d": 1}})
    file = tmp_path / "still.html"
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    file.write_text(
        f'<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        f'content="{policy}">{view_html(found.view())}{view_html(swept(measured))}',
        "utf-8",
    )
    page.open(file)
    rows = page.value("[...document.querySelectorAll('tr')].map(row => row.innerText)")
    assert len(rows) == 3 + 3
    assert "1.0000" in rows[1]
    assert page.value("document.querySelectorAll('table')[1].offsetHeight") > 20
    assert page.value("typeof window.hit") == "undefined"
