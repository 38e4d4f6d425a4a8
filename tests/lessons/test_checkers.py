"""What the checkers say: right in any natural form, and to a likely mistake the hint for it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

import brainkit
from brainkit import lessons
from brainkit.errors import InvalidSetting
from brainkit.lessons.four import CHUNKS, VECTORS, bm25, cosines
from brainkit.lessons.of_04 import crossing, scores
from brainkit.lessons.of_05 import votes


def by_hand(texts: list[str]) -> list[tuple[float, float]]:
    """The vectors of the lessons, and (1, 0) for any other text."""
    named = {CHUNKS[name]: vector for name, vector in VECTORS.items()}
    return [named.get(text, (1.0, 0.0)) for text in texts]


by_hand.name = "by hand"  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Iterator[brainkit.Brain]:
    folder = tmp_path_factory.mktemp("four") / "four.brain"
    with brainkit.open(folder, embedder=by_hand) as brain:
        records = [{"id": name, "text": text} for name, text in CHUNKS.items()]
        brain.ingest_texts(records, split=False, progress=False)
        yield brain


# exercise, a likely wrong answer, words of the hint that it gets
MISTAKES: list[tuple[str, Any, str]] = [
    ("01.1", ["max_retries", "4", "is"], "stop word"),
    ("01.1", ["max_retries", "max", "retries", "4"], "stems"),
    ("01.1", ["max_retries", "4"], "its parts are kept too"),
    ("01.1", ["max_retries", "max", "retri"], "a number is a term too"),
    ("01.1", ["max_retries", "max", "retri", "4", "four"], "Analyzer().terms"),
    ("01.2", "sat", "'sat' finds a, c"),
    ("01.2", "the", "stop word"),
    ("01.2", "puppy", "no chunk holds"),
    ("01.2", "the dog", "one word"),
    ("01.3", 10, "counts once"),
    ("01.3", 16, "number of words as written"),
    ("01.3", 9, "stop words 'the' and 'on'"),
    ("01.3", 8, "count the rows"),
    ("02.1", math.log(4), "ln(N / n)"),
    ("02.1", math.log(3.5 / 1.5), "1 +"),
    ("02.1", 0.5229, "natural logarithm"),
    ("02.1", math.log2(1 + 3.5 / 1.5), "natural logarithm"),
    ("02.1", 0.6931, "in two chunks"),
    ("02.1", 7, "N = 4"),
    ("02.2", 1.2040, "idf alone"),
    ("02.2", 1.1046, "three terms"),
    ("02.2", 0.7617, "the idf is that of 'sat'"),
    ("02.2", 3.01, "divided by f + norm"),
    ("02.2", 9, "f = 1"),
    ("02.3", 1, "in full"),
    ("02.3", 0.5, "go on"),
    ("02.3", 2, "b is from 0 to 1"),
    ("03.1", 1, "divide it by both lengths"),
    ("03.1", 0.7071, "one length"),
    ("03.1", 0.25, "squares"),
    ("03.1", 60, "the angle"),
    ("03.1", 0.9, "sum of products"),
    ("03.2", (-6, -8), "opposite way"),
    ("03.2", (3, 4), "the length 5"),
    ("03.2", (8, 6), "direction is that of (4, 3)"),
    ("03.2", (0, 10), "length 10 and cosine 0.8"),
    ("03.2", (1, 2, 3), "two numbers"),
    ("03.2", (0, 0), "not both 0"),
    ("04.1", scores(0.75)["b"], "swapped"),
    ("04.1", 0.25 * 0.28 + 0.75 * 0.9304, "divided by its largest"),
    ("04.1", scores(0.25, "minmax")["b"], "min-max"),
    ("04.1", 0.5116, "at alpha 0.5"),
    ("04.1", 3, "alpha * v"),
    ("04.2", crossing("a", "d", "none"), "raw scores"),
    ("04.2", crossing("a", "d", "minmax"), "min-max"),
    ("04.2", 0.6582, "a and c"),
    ("04.2", 0.7823, "c and d"),
    ("04.2", 0.2727, "1 - alpha"),
    ("04.2", 0.1, "i = a"),
    ("04.3", 5, "stretches"),
    ("04.3", 7, "a is ahead on both sides"),
    ("04.3", 24, "all orders"),
    ("04.3", 100, "count the crossings"),
    ("05.1", 1 / 63 + 1 / 61, "from 1"),
    ("05.1", 1 / 64, "in both"),
    ("05.1", 1 / 62, "in both"),
    ("05.1", 0.75, "k = 60 is missing"),
    ("05.1", 2 / 126, "own denominator"),
    ("05.1", 0.5, "fourth by vector"),
    ("05.2", 12, "equal"),
    ("05.2", 61, "here k is 10"),
    ("05.2", 10, "is it the last"),
    ("05.2", 3, "largest whole n"),
    ("05.3", 32, "who leads now"),
    ("05.3", 60, "c is still ahead"),
    ("05.3", 0, "from 1 on"),
    ("05.3", 100, "of c"),
    ("06.1", 0.3143, "with two hops"),
    ("06.1", 0.2857, "less is reached"),
    ("06.1", 0.3667, "two hops away"),
    ("06.1", 0.5, "divide it by the sum"),
    ("06.1", 0.7333, "note one"),
    ("06.1", 9, "their sum"),
    ("06.2", 2, "end at the Difference Engine"),
    ("06.2", 4, "not the names"),
    ("06.2", 9, "how many steps"),
    ("07.1", 1, "best chunk is a"),
    ("07.1", 2, "both are dropped"),
    ("07.1", 4, "smaller one"),
    ("07.1", 50, "at which place"),
    ("07.2", 0.02, "the share"),
    ("07.2", 5, "only some of them"),
    ("07.2", 0.9039, "nothing is left"),
    ("07.2", 3, "times the share"),
    ("07.3", 50, "is 1; five"),
    ("07.3", 2000, "everything"),
    ("07.3", 200, "is 4"),
    ("07.3", 7, "divided by the share"),
    ("08.1", 3.5, "divide it by that of the best"),
    ("08.1", 0.9640, "b too"),
    ("08.1", 0.9515, "four places"),
    ("08.1", 0.9224, "2^grade - 1"),
    ("08.1", 0.8696, "divides by the rank"),
    ("08.1", 1, "second place"),
    ("08.1", 0.1, "the grades 3, 1, 1"),
    ("08.4", 1 / 64, "six for the old one"),
    ("08.4", 0.0625, "for five questions"),
    ("08.4", 0, "coins do fall so"),
    ("08.4", 2, "of how many"),
    ("08.4", 0.7, "either way"),
    ("09.1", 0.7, "other two chose"),
    ("09.1", 0.3, "more weight"),
    ("09.1", 0.65, "less weight"),
    ("09.1", 1.5, "from 0 to 1"),
    ("09.2", 0.25, "all four choose"),
    ("09.2", -0.25, "held-out two lose"),
    ("09.2", 0.875, "the mean itself"),
    ("09.2", 1, "less their mean at 0.5"),
    ("09.4", 128, "square root"),
    ("09.4", 64, "0.028"),
    ("09.4", 16, "times the 32"),
    ("09.4", 480, "in all"),
    ("09.4", 7, "1 / sqrt(n)"),
    ("10.1", 0.6582, "a and c"),
    ("10.1", 0.7823, "c and d"),
    ("10.1", 0.2727, "1 - alpha"),
    ("10.1", crossing("a", "d", "none"), "raw scores"),
    ("10.1", crossing("a", "d", "minmax"), "min-max"),
    ("10.1", 0.5, "only a and d"),
    ("10.2", 1, "in neither list"),
    ("10.2", 3, "is less enough"),
    ("10.2", 50, "is less enough"),
    ("10.2", 0, "better list"),
]


@pytest.mark.parametrize(("exercise", "answer", "hint"), MISTAKES)
def test_a_likely_mistake_gets_the_hint_for_it(exercise: str, answer: Any, hint: str) -> None:
    verdict = lessons.check(exercise, answer)
    assert verdict.state == "hint"
    assert hint in verdict.text


def test_mistakes_about_the_readers_own_data(four: brainkit.Brain) -> None:
    found = four.query("cat sat", mode="bm25")
    blend = four.query("cat sat", trace="full")
    one_shown = four.query("cat sat", top_k=1, trace="full")
    told = {
        ("01.4", 3, four, "sat"): "trace.terms",
        ("01.4", 2, four, "unicorn"): "no chunk of this brain holds 'unicorn'",
        ("02.4", "mat", found): "a term of the question",
        ("02.4", "cat", four.query("unicorn", mode="bm25")): "no results",
        ("03.3", 0.5, blend): "only 4 chunks are left already",
        ("03.4", "the cats", four): "it shares cat with a",
        ("03.4", "feline", four): "d ('Birds sing') is nearer, at 0.960",
        ("04.4", 0.5, blend): "go higher",
        ("04.4", 0.9, blend): "go lower",
        ("04.4", 2, blend): "alpha is from 0 to 1",
        ("04.4", 0.785, blend): "two decimals",
        ("04.4", 0.5, four.query("sings", trace="full")): "same chunk first",
        ("06.3", "cat", four): "no relations",
        ("07.4", 0, found, four.query("x", mode="vector")): "from 1",
        ("07.4", 4, found, four.query("x", mode="vector")): "4 is not where a is",
        ("10.3", 1, one_shown): "go higher",
        ("10.3", 3, one_shown): "go lower",
        ("10.3", 1.5, one_shown): "whole number",
        ("10.3", 0, one_shown): "from 1 to 50",
        ("10.3", 2, four.query("cat sat", top_k=1, depth=1, trace="full")): "no deeper",
        ("10.4", 1, one_shown): "those are shown",
        ("10.4", 50, one_shown): "length of one list",
        ("10.4", 7, one_shown): "is in the file once",
        ("10.4", 9, one_shown): "that a retriever listed",
    }
    for (exercise, answer, *about), hint in told.items():
        verdict = lessons.check(exercise, answer, *about)
        assert verdict.state == "hint", exercise
        assert hint in verdict.text


def test_right_answers_about_the_readers_own_data(four: brainkit.Brain) -> None:
    found = four.query("cats", mode="bm25")
    blend = four.query("cat sat", trace="full")
    assert lessons.check("01.4", 2, four, "sat")
    assert lessons.check("02.4", "Cats", found)
    assert lessons.check("04.4", 0.79, blend)
    assert lessons.check("07.4", 4, found, four.query("x", mode="vector"))  # d, c, a, b
    assert lessons.check("10.3", 2, four.query("cat sat", top_k=1, trace="full"))
    assert lessons.check("10.4", 4, blend)


EQUAL: dict[str, list[Any]] = {
    "02.1": [
        *(1.2, 1.204, "1.2040", " 1,204 ", [1.204], (1.204,), {1.204}, Decimal("1.204")),
        *(np.float32(1.204), np.array(1.204), np.array([1.204]), pd.Series([1.204])),
    ],
    "01.1": [
        ["max_retries", "max", "retri", 4],
        *(
            {"4", "MAX_RETRIES", "max", "retri"},
            "4 max max_retries retri",
            "retri, max, max_retries, 4",
        ),
        pd.Series(["max_retries", "max", "retri", "4"]),
        {"max_retries": 1, "max": 1, "retri": 1, "4": 1},
    ],
    "01.2": ["dog", " Dogs! ", "'dog'", ["dog"], SimpleNamespace(source="dog")],
    "03.2": [(6, 8), [6.0, 8], "6 8", "(6, 8)", np.array([6, 8]), pd.Series([6, 8])],
    "04.2": [8 / 11, "0.7273", 0.727],
    "05.3": [61, "61", 61.0, np.int64(61)],
    "07.3": [250, "250"],
    "08.1": [3.5 / 4.1309, "0.8473", 0.847, np.float64(0.8473)],
    "08.4": [1 / 32, "0.03125", 2 / 2**6, 0.031],
    "09.1": [0.6, "0,6", 0.5, 0.64, [0.55]],
    "09.2": [0, "0", 0.0, "+0.0"],
    "09.4": [512, "512", 512.0],
    "10.1": [8 / 11, "0.7273", 0.727, [0.7273]],
    "10.2": [2, "2", np.int64(2)],
}


@pytest.mark.parametrize("exercise", EQUAL)
def test_equivalent_answers_are_right(exercise: str) -> None:
    said = {repr(answer): lessons.check(exercise, answer) for answer in EQUAL[exercise]}
    assert {answer: verdict for answer, verdict in said.items() if not verdict} == {}


class Hostile:
    """An object that raises whatever is done to it."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __iter__(self) -> Any:
        raise RuntimeError("iter")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        raise RuntimeError("str")

    __repr__ = __str__


ODD: list[Any] = [
    *(None, True, "", " ", "many", [], {}, set(), object(), Hostile(), print, float("nan")),
    *(float("inf"), 10**400, -1, 1j, b"dog", ["a", ["b"]], np.array([]), np.zeros((2, 2))),
    *(pd.DataFrame({"a": [1]}), pd.NA, "\x00", "9" * 5000, [..., ...], {"a": Hostile()}),
]


@pytest.mark.parametrize("number", lessons.LESSONS)
def test_no_answer_makes_a_checker_raise(number: str) -> None:
    check = lessons.lesson(number)
    checkers = [getattr(check, name) for name in dir(check) if name.startswith("exercise_")]
    for checker in checkers:
        assert checker(...).state == "open"
        for odd in ODD:
            verdict = checker(odd)  # without what it is about, too
            assert verdict.state == "hint"
            assert verdict.text
    for odd in ODD:
        for name in import_module(f"brainkit.lessons.of_{number}").PREDICTIONS:
            assert check.predict(name, odd).state in ("hint", "noted")


def test_a_prediction_is_never_wrong() -> None:
    check = lessons.lesson("02")
    assert str(check.predict("first", ...)) == "not answered yet: it is a."
    assert str(check.predict("first", "B")) == "noted: you said b; it is a."
    assert str(check.predict("first", "a")) == "noted: you said a, and so it is."
    assert not check.predict("first", "a")


def test_a_verdict_shows_itself_everywhere() -> None:
    hint = lessons.Verdict("hint", "<i>\x1b[31m")
    assert repr(hint) == "not yet: <i>␛[31m"
    assert "&lt;i&gt;" in hint._repr_html_()
    assert "<i>" not in hint._repr_html_()
    console = Console(width=200, force_terminal=False, record=True, file=None)
    with console.capture() as captured:
        console.print(hint)
    assert captured.get().startswith("not yet: ")
    assert repr(lessons.check("05.2", 11)) == (
        "right: n < k + 2: at rank 12 both would have 2 / 22 = 1 / 11."
    )


def test_what_does_not_exist_is_named_with_what_does() -> None:
    with pytest.raises(InvalidSetting, match=r"'99' is not one of 01, 02"):
        lessons.lesson("99")
    with pytest.raises(InvalidSetting, match=r"lesson 02 has no exercise '9'"):
        lessons.check("02.9", 1)
    with pytest.raises(AttributeError, match=r"'exercise_9'; it has exercise_1"):
        lessons.lesson(2).exercise_9(1)
    with pytest.raises(InvalidSetting, match=r"no prediction 'k1'; it has first, spam"):
        lessons.lesson(2).predict("k1", 1)


def test_the_arithmetic_of_the_lessons_is_that_of_the_engine(four: brainkit.Brain) -> None:
    blend = four.query("cat sat", trace="full")
    raw = {c.source: c for c in blend.trace.candidates}
    assert bm25("cat sat") == pytest.approx({n: c.bm25 for n, c in raw.items() if c.bm25}, abs=1e-6)
    assert cosines() == pytest.approx({n: c.vector for n, c in raw.items()}, abs=1e-6)
    for alpha in (0.25, 0.7):
        for how in ("max", "minmax", "none"):
            found = blend.refuse(alpha=alpha, normalize=how).results
            assert scores(alpha, how) == pytest.approx({r.source: r.score for r in found}, abs=1e-6)
    fused = blend.refuse(mode="multi").results
    assert votes() == pytest.approx({r.source: r.score for r in fused}, abs=1e-12)
    assert list(votes()) == [r.source for r in fused]
