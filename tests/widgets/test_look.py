"""A view is readable in every theme and width, and shows hostile text as text."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import brainkit
from brainkit.analyze import Analyzer
from brainkit.markup import terminal
from brainkit.models import (
    Candidate,
    Chunk,
    GraphEdge,
    GraphEntity,
    GraphLink,
    GraphStep,
    GraphTrace,
    Hit,
    Notice,
    Part,
    QueryRequest,
    QueryTerm,
    RankedList,
    Trace,
)
from brainkit.projection import neighbours, principal, query_neighbours
from brainkit.search import refuse
from brainkit.widgets.map_view import map_data, map_view, query_data
from brainkit.widgets.view import answer_view

Show = Callable[..., Any]
SCRIPT = '</script><script>window.hit = 1</script><img src=x onerror="window.hit = 1">'
HOSTILE = [
    SCRIPT,
    "javascript:window.hit=1",
    "\u202egnp.exe\u2066",
    "zero\u200bwidth\ufeff",
    "Pneumono" * 25,
    "{{constructor.constructor('window.hit=1')()}}",
    "</textarea><svg onload=window.hit=1>",
    "\x00\x1b[31m\x7f",
]
# JupyterLab 4.6's own values.
LIGHT = (
    "--jp-layout-color0:white;--jp-ui-font-color1:rgba(0,0,0,.87);--jp-brand-color1:#1976d2;"
    "--jp-warn-color1:#f57c00;--jp-error-color1:#d32f2f"
)
DARK = (
    "--jp-layout-color0:#111;--jp-ui-font-color1:rgba(255,255,255,.87);--jp-brand-color1:#2196f3;"
    "--jp-warn-color1:#ff9800;--jp-error-color1:#f44336"
)
FAINT = r"""
const numbers = text => {
  const [r, g, b, a = 1] = text.match(/[\d.]+(?:e-?\d+)?/g).map(Number);
  return text.startsWith('color(') ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
};
const over = ([r, g, b, a], under) => [r, g, b].map((c, i) => c * a + under[i] * (1 - a));
const light = rgb => rgb.map(c => c / 255)
  .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const ground = element => {
  const layers = [];
  for (let e = element; e instanceof Element; e = e.parentElement) {
    layers.unshift(numbers(getComputedStyle(e).backgroundColor));
  }
  return layers.reduce((under, layer) => over(layer, under), [255, 255, 255]);
};
const faint = [];
for (const element of root.querySelectorAll('*')) {
  const own = [...element.childNodes].some(n => n.nodeType === 3 && n.data.trim());
  if (!own || !element.checkVisibility() || element.closest('label:has(:disabled)')) continue;
  const svg = element instanceof SVGElement;
  const below = ground(svg ? element.ownerSVGElement.parentElement : element);
  const ink = over(numbers(getComputedStyle(element)[svg ? 'fill' : 'color']), below);
  const [high, low] = [light(ink), light(below)].sort((a, b) => b - a);
  const ratio = (high + 0.05) / (low + 0.05);
  if (ratio < 4.5) faint.push([element.className.baseVal ?? element.className, element.textContent.slice(0, 30), ratio]);
}
return faint;
"""  # noqa: E501

NAMELESS = (
    "[...root.querySelectorAll('button, input, select, [role]')].filter(e => !(e.ariaLabel || "
    "e.textContent.trim() || e.labels?.length || e.title)).map(e => e.outerHTML)"
)
LOADED = "root.querySelectorAll('script, img, iframe, object, a, svg svg, [href], [src]').length"


@pytest.fixture
def view(sample: brainkit.Brain) -> dict[str, Any]:
    answer = sample.query("what calls normalize_isbn", mode="multi", trace="full")
    return answer_view(answer.response, Analyzer())


@pytest.mark.parametrize("theme", ["lab light", "lab dark", "plain light", "plain dark"])
def test_all_text_has_contrast(theme: str, view: dict[str, Any], show: Show, page: Any) -> None:
    place, kind = theme.split()
    style = {"lab light": LIGHT, "lab dark": DARK}.get(theme, "")
    # Lab's theme and the system's may differ: the theme wins.
    page.media(prefers_color_scheme=kind if place == "plain" else "dark")
    page.resize(1300)
    view["error"] = "an error"
    live = show(view, head=f"<style>:root{{{style}}}</style>")
    live.set("rrf_k", 0)
    for tab in ("Why here", "Votes", "Graph", "Flow"):
        live.tab(tab)
        assert live.do(FAINT) == [], tab
    live.click("input[value=hybrid]")
    live.tab("Alpha")
    live.wait("root.querySelector('.dot')")
    assert live.do(FAINT) == []


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_comparisons_and_maps_have_contrast(
    theme: str, sample: brainkit.Brain, show: Show, page: Any
) -> None:
    page.resize(1300)
    query = "how are sessions signed"
    head = f"<style>:root{{{theme}}}</style>"
    live = show(sample.compare(query, a={"alpha": 0.1}, b={"mode": "multi"}).view(), head=head)
    live.do("for (const one of root.querySelectorAll('details')) one.open = true")
    live.click(".list.of-B button", nth=3)
    assert live.do(FAINT) == []
    live = show(sample.map(query).view(), head=head)
    live.wait("root.querySelector('.cursor')")
    live.set("color", "file")
    live.do("root.querySelector('.row').dispatchEvent(new PointerEvent('pointerenter'))")
    assert live.do(FAINT) == []
    assert live.do(f"return {NAMELESS}") == []


@pytest.mark.parametrize("width", [320, 690, 800, 1600])
def test_hostile_comparisons_and_maps_fit_and_never_run(width: int, show: Show, page: Any) -> None:
    page.resize(width)
    for view in hostile_pictures():
        live = show(view)
        live.wait("root.querySelector('.moves path, .cursor')")
        for row in range(3):
            live.click(".list button, .neighbours button", nth=row)
        assert page.value("document.documentElement.scrollWidth") <= width
        assert live.do(f"return {LOADED}") == 0
        assert page.value("typeof window.hit") == "undefined"
        assert page.errors == []
    assert terminal(HOSTILE[1]) in "".join(live.texts(".key bdi, .picked bdi"))


@pytest.mark.parametrize("width", [320, 360, 520, 800, 1000, 1600])
def test_no_width_makes_the_page_scroll_sideways(width: int, show: Show, page: Any) -> None:
    page.resize(width)
    live = show(hostile_view(HOSTILE))
    wide = "document.documentElement.scrollWidth"
    for tab in ("Why here", "Votes", "Graph", "Flow"):
        live.tab(tab)
        assert page.value(wide) <= width, tab
    live.click("input[value=hybrid]")
    live.tab("Alpha")
    live.wait("root.querySelector('.line')")
    assert page.value(wide) <= width


def test_the_reasons_stand_beside_the_list_or_inside_the_chosen_result(
    view: dict[str, Any], show: Show, page: Any
) -> None:
    page.resize(1400)
    live = show(view)
    aside, lst = live.box("aside"), live.box(".list")
    assert aside[0] >= lst[0] + lst[2]
    page.resize(500)
    live.click(".place", nth=1)
    live.wait("root.querySelector('.row.chosen aside')")
    page.resize(1400)
    live.wait("root.querySelector('.panes > aside')")


@pytest.mark.parametrize("width", [340, 1400])
def test_a_text_that_is_cut_can_be_opened_and_no_other(
    width: int, view: dict[str, Any], show: Show, page: Any
) -> None:
    page.resize(width, 3000)
    live = show(view)
    whole = {c["text"] for c in view["trace"]["candidates"]}
    rows = (
        "[...root.querySelectorAll('.row')].map(row => { const text = row.querySelector('.text');"
        " return [text.scrollHeight > text.clientHeight + 1, text.textContent,"
        " !row.querySelector('[aria-expanded]').hidden]; })"
    )
    live.wait(f"{rows}.every(([cut, , open]) => !cut || open)")
    for cut, text, can_open in live.do(f"return {rows}"):
        assert can_open == (cut or text not in whole)


def test_motion_stops_where_it_is_not_wanted(view: dict[str, Any], show: Show, page: Any) -> None:
    page.media(prefers_reduced_motion="reduce")
    live = show(view)
    moving = "getComputedStyle(e).transitionDuration !== '0s'"
    assert live.do(f"return [...root.querySelectorAll('*')].filter(e => {moving}).length") == 0


def test_on_paper_texts_are_whole_and_dark_on_light(
    view: dict[str, Any], show: Show, page: Any
) -> None:
    page.media(type="print", prefers_color_scheme="dark")
    live = show(view)
    style = "getComputedStyle(root.querySelector('.brainkit'))"
    assert live.do(f"return [{style}.color, {style}.backgroundColor]") == [
        "rgb(0, 0, 0)",
        "rgb(255, 255, 255)",
    ]
    assert live.do("return getComputedStyle(root.querySelector('.text')).maxHeight") == "none"


def test_every_control_has_a_name(view: dict[str, Any], show: Show) -> None:
    live = show(view)
    assert live.do(f"return {NAMELESS}") == []


def test_hostile_text_is_shown_and_never_run(show: Show, page: Any) -> None:
    check_shown(HOSTILE, show, page)


def test_the_big_list_of_naughty_strings(shared: Path, show: Show, page: Any) -> None:
    strings = json.loads((shared / "messy" / "blns.json").read_text("utf-8"))
    check_shown([text for text in strings if text.strip()], show, page)


def check_shown(strings: list[str], show: Show, page: Any) -> None:
    live = show(hostile_view(strings))
    closed = "root.querySelectorAll('.row [aria-expanded=false]:not([hidden])')"
    live.do(f"for (const button of {closed}) button.click()")
    shown = "".join(live.texts(".row .text"))
    assert [text for text in strings if terminal(text) not in shown] == []
    for tab in ("Votes", "Graph", "Flow", "Why here"):
        live.tab(tab)
    assert live.do(f"return {LOADED}") == 0
    names = "[...root.querySelectorAll('*')].flatMap(e => [...e.attributes].map(a => a.name))"
    assert live.do(f"return {names}.filter(name => name.startsWith('on'))") == []
    assert page.value("typeof window.hit") == "undefined"
    assert page.errors == []


def hostile_view(strings: list[str]) -> dict[str, Any]:
    """A view in which everything that comes from outside is hostile, or very long."""
    one = strings[0]
    groups = [strings[n : n + 12] for n in range(0, len(strings), 12)]
    candidates = [
        Candidate(
            key=n + 1,
            order=n,
            chunk_id=f"c{n}",
            source="root/" + "long-folder-name/" * 12 + strings[n % len(strings)].replace("/", "_"),
            text="\n".join(group),
            start_line=1,
            end_line=10_000_000,
            source_type="code",
            language=one,
            vector=0.5,
            bm25=3.0 - n / 64,
            graph=0.25,
            bm25_parts={one: 2.0, "x" * 200: 1.0},
            term_counts={one: 1, "x" * 200: 1},
            length=9,
            graph_parts=(Part(name=one, value=0.25, arithmetic=one),),
            entities=(one,),
            path=(GraphStep(subject=one, predicate=one, object="y" * 200, forward=True),),
            metadata={"symbol_name": one, "heading_path": [one]},
        )
        for n, group in enumerate(groups * 2 if len(groups) == 1 else groups)
    ]
    hits = [Hit(key=c.key, order=c.order, rank=n, score=1.0) for n, c in enumerate(candidates, 1)]
    entities = [
        GraphEntity(id=n, name=text, hops=n % 3, weight=1) for n, text in enumerate(strings)
    ]
    edges = [GraphEdge(subject=n, predicate=one, object=n + 1) for n in range(len(strings) - 1)]
    trace = Trace(
        generation="gen-000001",
        request=QueryRequest(query="".join(strings)[:1000], mode="multi", top_k=50),
        lists={
            n: RankedList(retriever=n, depth=50, hits=hits) for n in ("vector", "bm25", "graph")
        },
        candidates=candidates,
        terms=[QueryTerm(token=text, term=text, documents=1, idf=1.0) for text in strings],
        total_chunks=len(candidates),
        allowed_chunks=len(candidates),
        average_length=9.0,
        graph=GraphTrace(
            scorer="hops",
            links=(
                GraphLink(text=one, start=0, end=1, pattern="name", entities=(one,), weight=1),
                GraphLink(text=one, start=0, end=1, pattern="name", reason=one),
            ),
            entities=tuple(entities),
            edges=tuple(edges),
            reached=len(strings),
        ),
        notices=(Notice(kind="hostile", message=one),),
    )
    view = answer_view(refuse(trace, trace.request), Analyzer(), whole_chars=10**9)
    return {**view, "error": one + "z" * 300}


def hostile_pictures() -> list[dict[str, Any]]:
    """A comparison and a map, of the same."""
    view = hostile_view(HOSTILE)
    other = {"request": {**view["request"], "mode": "bm25"}, "trace": None}
    chunks = [
        Chunk(
            key=n + 1,
            order=n,
            chunk_id=f"c{n}",
            source=f"root/{'long-folder-name/' * 12}{text}",
            text=text,
            start_line=1,
            end_line=10_000_000,
            source_type="code",
            metadata={"symbol_name": text},
        )
        for n, text in enumerate(HOSTILE * 2)
    ]
    angles = np.arange(len(chunks)) / 10
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    plane = principal(vectors, query=vectors[0])
    data = map_data(
        chunks,
        plane,
        neighbours(vectors, plane),
        projection="axes",
        color="file",
        axes=[HOSTILE[0], HOSTILE[4]],
        total=len(chunks),
        summary=HOSTILE[0],
        query=query_data(HOSTILE[0], plane, query_neighbours(vectors, vectors[0], plane)),
    )
    return [
        {**view, "kind": "compare", "other": other},
        map_view(data, view, table=""),
    ]
