"""Sweeps in Chromium: the curve, the marker by mouse and by keyboard, and the verdict."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import brainkit
from brainkit.evaluation.held import Held
from brainkit.evaluation.significance import Interval, Tally

Show = Callable[..., Any]


@pytest.fixture(scope="session")
def measured(support: Callable[[str], ModuleType]) -> ModuleType:
    return support("measured")


@pytest.fixture
def show(
    page: Any, tmp_path: Path, measured: ModuleType, support: Callable[[str], ModuleType]
) -> Show:
    page.resize(900, 800)
    return lambda view: measured.open_page(page, tmp_path, support("live"), view)


@pytest.fixture(scope="module")
def alpha(sample: brainkit.Brain, repository: Path) -> Any:
    questions = brainkit.load_dataset(repository / "data" / "sample-questions")
    return brainkit.sweep(sample, questions, "alpha", progress=False)


def test_the_verdict_comes_first(alpha: Any, show: Show) -> None:
    live = show(alpha.view())
    text = str(alpha.held)
    assert live.text(".verdict p") == f"{text[0].upper()}{text[1:]}."
    order = live.do("return [...root.querySelector('.lab').children].map(e => e.className)")
    assert [one.split()[0] for one in order[1:4]] == ["verdict", "plot", "hint"]


@pytest.mark.parametrize(
    ("gain", "queries", "title"),
    [
        (Interval(0.1, 0.05, 0.15), 40, "A gain beyond noise"),
        (Interval(0.1, -0.05, 0.15), 40, "No gain beyond noise"),
        (Interval(0.1, 0.05, 0.15), 10, "Too few queries to tell"),
    ],
)
def test_each_verdict(
    gain: Interval, queries: int, title: str, measured: ModuleType, show: Show
) -> None:
    held = Held((10, 10, 60), 0.5, 0.4, gain, Tally(queries, 0, 0), 0.01)
    live = show(measured.sweep(held=held).view())
    assert live.text(".verdict b").endswith(title)
    assert "10 (2 folds); 60" in live.text(".verdict")
    live.wait("root.querySelector('.mark')")
    assert len(live.texts(".mark")) == 2 + 2


def test_what_was_not_held_out_is_not_called_a_gain(measured: ModuleType, show: Show) -> None:
    assert live_text(show(measured.sweep().view())) == "Not held out"


def live_text(live: Any) -> str:
    return str(live.text(".verdict b"))


def test_keys_move_the_marker_from_stop_to_stop(alpha: Any, show: Show, page: Any) -> None:
    view = alpha.view()
    live = show(view)
    live.wait("root.querySelector('[role=slider]')")
    live.do("root.querySelector('[role=slider]').focus()")
    at = view["best"]
    last = len(view["stops"]) - 1
    moves = (("ArrowRight", 39, 1), ("ArrowLeft", 37, -1), ("PageUp", 33, 10), ("End", 35, 999))
    for key, code, by in moves:
        page.press(key, code)
        at = min(last, at + by)
        value = view["stops"][at]["at"]
        assert live.do("return root.activeElement.getAttribute('aria-valuenow')") == str(at)
        mean = alpha.score_at(value).mean()
        assert f"nDCG@10 {mean:.4f}" in live.text(".readout")
        gain = (alpha.score_at(value) - alpha.default_scores).mean()
        assert f"against the default {gain:+.4f}" in live.text(".readout") or abs(gain) < 5e-5


def test_the_mouse_drags_the_marker(alpha: Any, show: Show, page: Any) -> None:
    live = show(alpha.view())
    live.wait("root.querySelector('[role=slider]')")
    left, top, width, _ = live.box(".curve svg")
    inner = width - 48 - 18
    points = [(left + 48 + inner * share, top + 100) for share in (0.2, 0.4, 0.7)]
    page.drag(points)
    value = float(live.text(".readout b"))
    assert value == pytest.approx(0.7, abs=0.01)
    assert f"{alpha.score_at(value).mean():.4f}" in live.text(".readout")
    live.click(".to button")
    assert live.text(".readout b") == "0.5"
    assert "the default" in live.text(".readout")


def test_values_that_are_no_numbers_have_whiskers(measured: ModuleType, show: Show) -> None:
    scores = {name: np.full(4, n / 4) for n, name in enumerate(("max", "minmax", "none"))}
    view = measured.sweep(
        setting="normalize",
        values=tuple(scores),
        means=np.array([0.0, 0.25, 0.5]),
        default="max",
        default_scores=scores["max"],
        score_at=scores.__getitem__,
    ).view()
    live = show(view)
    live.wait("root.querySelector('.point')")
    assert (len(live.texts(".whisker-line")), len(live.texts(".curve-line"))) == (3, 0)
    assert live.text(".readout b") == "none"


def test_an_empty_sweep_says_so(measured: ModuleType, show: Show) -> None:
    view = {**measured.sweep().view(), "queries": 0, "stops": []}
    assert "nothing to tune" in show(view).text(".empty")


def test_two_settings_are_a_grid(
    sample: brainkit.Brain, repository: Path, show: Show, page: Any
) -> None:
    questions = brainkit.load_dataset(repository / "data" / "sample-questions")
    values = {"bm25_k1": [0.4, 1.5], "bm25_b": [0.0, 0.75, 1.0]}
    found = brainkit.sweep(
        sample, questions, ["bm25_k1", "bm25_b"], values, base={"mode": "bm25"}, progress=False
    )
    live = show(found.view())
    assert live.texts("tbody th") == ["0.4", "1.5"]
    means = [f"{found.score_at((k1, b)).mean():.4f}" for k1 in (0.4, 1.5) for b in (0.0, 0.75, 1.0)]
    assert [text.split()[0] for text in live.texts("tbody button")] == means
    live.do("root.querySelector('tbody button').click(); root.querySelector('button').focus()")
    for key, code, label in (
        ("ArrowDown", 40, "1.5 x 0"), ("ArrowRight", 39, "1.5 x 0.75"),
        ("ArrowDown", 40, "1.5 x 0.75"), ("ArrowUp", 38, "0.4 x 0.75"),
        ("ArrowLeft", 37, "0.4 x 0"), ("ArrowLeft", 37, "0.4 x 0"),
    ):  # fmt: skip
        page.press(key, code)
        assert live.text(".readout b") == label
        assert live.do("return root.activeElement.ariaPressed") == "true"
    assert "default" in live.text("tbody tr:nth-child(2) td:nth-child(3)")
