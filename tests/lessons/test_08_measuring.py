"""Lesson 08 on other files than the sample's, and its checkers on other evaluations."""

from __future__ import annotations

import math
import re
import shutil
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pandas as pd
import pytest
from nbclient import NotebookClient

import brainkit
from brainkit import lessons
from brainkit.errors import InvalidSetting
from brainkit.evaluation.measures import parse
from brainkit.evaluation.outcome import Evaluation
from brainkit.kit import kit_folder
from brainkit.lessons.of_08 import GRADES, LISTS, value
from brainkit.models import QueryRequest

LESSON = kit_folder("notebooks") / "08_measuring.ipynb"
PAGES = ("alpha-blending", "bm25", "chunking", "evaluation", "hubs", "latency", "reranking")


def measured(**scores: list[float]) -> Evaluation:
    """An evaluation with these values of nDCG@10, one for each question."""
    count = len(scores["words"])
    rows = [
        {"query_id": f"q{n}", "query": f"What is {n}?", "source": "x", "grade": 1}
        for n in range(count)
    ]
    return Evaluation(
        dataset=brainkit.load_dataset(rows),
        unit="source",
        measures=(parse("nDCG@10"),),
        configs={name: QueryRequest(query="-") for name in scores},
        baseline="words",
        scores={(name, "nDCG@10"): np.array(values) for name, values in scores.items()},
        rankings={},
        ms={},
        unjudged={},
    )


def test_measures_of_the_four_chunks() -> None:
    ideal = 3 / math.log2(2) + 1 / math.log2(3) + 1 / math.log2(4)
    assert value("nDCG@4", LISTS["words"]) == pytest.approx(3 / ideal)
    assert value("nDCG@4", LISTS["meaning"]) == pytest.approx(
        (1 / math.log2(3) + 3 / math.log2(4) + 1 / math.log2(5)) / ideal
    )
    assert value("R@4", LISTS["words"], GRADES) == pytest.approx(1 / 3)
    assert value("RR@4", LISTS["meaning"]) == 1 / 2


def test_the_question_that_loses_most_is_known_by_text_or_id() -> None:
    found = measured(words=[1.0, 1.0, 0.5, 0.2], meaning=[0.0, 0.0, 0.25, 0.7])
    for answer in ("q0", "q1", " Q1 ", "What is 0?", "what is 1", pd.Series(["q1"])):
        assert lessons.check("08.2", answer, found), answer
    told = {
        "q2": "there it loses 0.250; it loses more elsewhere",
        "What is 3?": "meaning is ahead, by 0.500",
        "what else": "no question here is 'what else'",
    }
    for answer, hint in told.items():
        verdict = lessons.check("08.2", answer, found)
        assert verdict.state == "hint"
        assert hint in verdict.text
    better = measured(words=[0.1, 0.2], meaning=[0.3, 0.2])
    assert "loses nowhere" in lessons.check("08.2", "q0", better).text


# Gains 0.4, 0.2, 0.1, -0.1, -0.3: without the first two the rest is -0.3, without one it is -0.1.
LEAD = {"words": [0.1, 0.4, 0.5, 0.2, 0.5], "hybrid": [0.5, 0.1, 0.4, 0.4, 0.6]}


@pytest.mark.parametrize(
    "scores",
    [LEAD, {"words": LEAD["hybrid"], "hybrid": LEAD["words"]}],
    ids=["hybrid leads", "words leads"],
)
def test_how_many_questions_hold_a_lead(scores: dict[str, list[float]]) -> None:
    found = measured(**scores)
    assert lessons.check("08.3", 1, found)
    assert "almost" in lessons.check("08.3", 0, found).text
    assert "all the questions that it wins" in lessons.check("08.3", 3, found).text
    assert "fewer are enough" in lessons.check("08.3", 2, found).text


def test_a_lead_without_losses_is_gone_when_nothing_is_left() -> None:
    found = measured(words=[0.1, 0.1, np.nan], hybrid=[0.2, 0.4, 0.9])
    assert lessons.check("08.3", 2, found)
    assert "the rest still shows a lead" in lessons.check("08.3", 0, found).text
    equal = measured(words=[0.1, 0.2], hybrid=[0.2, 0.1])
    assert "the same mean" in lessons.check("08.3", 1, equal).text


def test_predictions() -> None:
    check = lessons.lesson("08")
    assert "and so it is" in str(check.predict("prefers", "Recall"))
    assert "it is recall" in str(check.predict("prefers", "nDCG"))
    found = measured(words=[0.1, 0.2, 0.5], meaning=[0.1, 0.2 + 1e-16, 0.4])
    assert "and so it is" in str(check.predict("same", 2, found))
    with pytest.raises(InvalidSetting, match="prefers, same"):
        check.predict("first", 1)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_with_one_line_changed_it_measures_the_readers_own_folder(tmp_path: Path) -> None:
    own = tmp_path / "project"
    own.mkdir()
    for page in PAGES:
        shutil.copy(kit_folder("data") / "sample" / "handbook" / f"{page}.md", own)
    lesson = nbformat.read(LESSON, as_version=4)
    changed = [cell for cell in lesson.cells if cell.id == "brain"]
    for cell in changed:
        cell.source, times = re.subn(
            r"^brain = .*# or: (.*)~/project(.*)$", rf"\g<1>{own}\g<2>", cell.source, flags=re.M
        )
        assert times == 1
    NotebookClient(lesson, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    said: dict[str, Any] = {
        cell.id: "".join(
            one.get("text") or one["data"].get("text/plain", "") for one in cell.outputs
        )
        for cell in lesson.cells
        if cell.cell_type == "code"
    }
    assert "headings and names" in said["brain"]
    assert "hybrid" in said["measured"]
    assert "all that was judged" in said["pools"]
    assert {said[name].strip() for name in said if name.startswith("exercise-")} == {
        "not answered yet"
    }
