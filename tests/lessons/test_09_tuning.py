"""Lesson 09: arithmetic that is the engine's, questions that fit any brain, checkers of sweeps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import brainkit
from brainkit import lessons
from brainkit.errors import InvalidDataset
from brainkit.lessons.four import CHUNKS, VECTORS
from brainkit.lessons.of_09 import CHOOSE, CHOSEN, DEFAULT, HELD, best, mean, rank
from brainkit.lessons.questions import LABELLER, OWN_MIN, questions_about

PAGES = {
    "tea": "# Green tea\n\n## How long to steep\n\nTwo minutes.\n\n## Which water\n\nSoft.\n",
    "clock": "# The old clock\n\n## How to wind it\n\nEvery Sunday.\n\n## Which water\n\nNone.\n",
}


def by_hand(texts: list[str]) -> list[tuple[float, float]]:
    """The vectors of the lessons, and (1, 0) for any other text."""
    named = {CHUNKS[name]: vector for name, vector in VECTORS.items()}
    return [named.get(text, (1.0, 0.0)) for text in texts]


by_hand.name = "by hand"  # type: ignore[attr-defined]


def dataset(wanted: dict[str, str]) -> brainkit.Dataset:
    return brainkit.load_dataset([{"query": q, "source": s, "grade": 1} for q, s in wanted.items()])


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Iterator[brainkit.Brain]:
    folder = tmp_path_factory.mktemp("four") / "four.brain"
    with brainkit.open(folder, embedder=by_hand) as brain:
        records = [{"id": name, "text": text} for name, text in CHUNKS.items()]
        brain.ingest_texts(records, split=False, progress=False)
        yield brain


@pytest.fixture(scope="module")
def tuned(four: brainkit.Brain) -> Any:
    return brainkit.sweep(
        four, dataset(CHOOSE), "alpha", measure="RR@10", test=dataset(HELD), progress=False
    )


@pytest.mark.parametrize("question", [*CHOOSE, *HELD])
@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.6, 0.7, 0.78, 0.9])
def test_ranks_by_hand_are_those_of_the_engine(
    four: brainkit.Brain, question: str, alpha: float
) -> None:
    found = [result.source for result in four.query(question, alpha=alpha).results]
    assert [rank(question, name, alpha) for name in found] == list(range(1, len(found) + 1))


def test_the_sweep_chooses_as_by_hand(tuned: Any) -> None:
    assert tuned.best == CHOSEN
    assert tuned.means.max() == best(CHOOSE) == mean(CHOOSE, CHOSEN) == (1 + 1) / 2
    assert tuned.default_scores.mean() == mean(CHOOSE, DEFAULT) == (1 / 2 + 1) / 2
    assert tuned.held.tuned == mean(HELD, CHOSEN) == (1 / 2 + 1) / 2
    assert tuned.held.default == mean(HELD, DEFAULT) == (1 + 1) / 2


def test_what_is_said_of_the_flattery(four: brainkit.Brain, tuned: Any) -> None:
    assert lessons.check("09.3", 0.25 - -0.25, tuned)
    told = {
        -0.5: "the other way round",
        0.25: "the gain on the tuning half; the held-out gain goes from it",
        -0.25: "that is the held-out gain; take it from",
        3: "tuned.held.gain.mean",
    }
    for answer, hint in told.items():
        verdict = lessons.check("09.3", answer, tuned)
        assert verdict.state == "hint"
        assert hint in verdict.text
    harder = brainkit.sweep(
        four, dataset({**CHOOSE, **HELD}), "alpha", measure="RR@10",
        test=dataset({"cat": "d"}), progress=False,
    )  # fmt: skip
    fell = harder.means.max() - harder.held.tuned
    assert "one half may be harder" in lessons.check("09.3", fell, harder).text
    alone = brainkit.sweep(four, dataset(CHOOSE), "alpha", folds=0, progress=False)
    assert "sweep with test=" in lessons.check("09.3", 0.5, alone).text


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[brainkit.Brain]:
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / f"{name}.md").write_text(text)
    with brainkit.open(tmp_path / "pages.brain", embedder=by_hand) as brain:
        brain.ingest(folder, progress=False)
        yield brain


def test_headings_of_one_file_alone_stand_in_for_questions(pages: brainkit.Brain) -> None:
    found = questions_about(pages)
    asked = {found.queries[q]: dict(row) for q, row in found.qrels.items()}
    assert asked["How long to steep"] == {"pages/tea.md": 3}
    assert asked["How to wind it"] == {"pages/clock.md": 3}
    assert "Which water" not in asked  # it is in both
    assert found.name == "headings and names"
    assert "0 questions have labels of yours" in found.notes[0]


def test_a_readers_own_labels_are_taken_once_there_are_enough(pages: brainkit.Brain) -> None:
    def label(count: int, labeller: str) -> None:
        asked = [f"how long to steep tea {n}" for n in range(count)]
        labelling = pages.label(asked, depth=1, labeller=labeller, progress=False)
        while labelling.item:
            labelling.label(2)

    label(OWN_MIN, LABELLER)
    assert questions_about(pages).name == "headings and names"
    label(OWN_MIN - 1, "ana")
    assert f"{OWN_MIN - 1} questions have labels of yours" in questions_about(pages).notes[0]
    label(OWN_MIN, "ana")
    found = questions_about(pages)
    assert (found.name, len(found), found.notes) == ("labels", OWN_MIN, ())


def test_a_brain_of_next_to_nothing_has_no_questions(tmp_path: Path) -> None:
    with brainkit.open(tmp_path / "x.brain", embedder=by_hand) as brain:
        brain.ingest_texts([{"id": "x", "text": "word"}], progress=False)
        with pytest.raises(InvalidDataset, match="too little text to ask about"):
            questions_about(brain)
