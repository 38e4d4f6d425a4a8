"""`brainkit label`: labels counted, compared and exported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import brainkit
from brainkit.evaluation.judgments import FILE

QUERY = "how are sessions signed"


@pytest.fixture
def labelled(reading: Path) -> Iterator[Path]:
    """The current folder, with labels by two persons: ana 3 2 1 0 0 ..., ben skips the first."""
    with brainkit.open("sample.brain") as brain:
        for labeller in ("ana", "ben"):
            widget = brain.label(QUERY, labeller=labeller, progress=False)
            places = sorted(
                widget._session.pages, key=lambda page: (page.item.source, page.item.lines)
            )
            for n, page in enumerate(places):
                skips = labeller == "ben" and n == 0
                widget._session.judge(None if skips else max(0, 3 - n), page=page)
            widget.close()
    yield reading
    (reading / "sample.brain" / FILE).unlink()


def answer(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_labels_are_counted_by_question_and_labeller(run: Any, labelled: Path) -> None:
    ana, ben = answer(run("label", "show", "--json"))["labels"]
    assert (ana.pop("0"), ana) == (
        ben["0"],
        {"question": QUERY, "labeller": "ana", "1": 1, "2": 1, "3": 1, "skipped": 0},
    )
    assert (ben["labeller"], ben["3"], ben["2"], ben["skipped"]) == ("ben", 0, 1, 1)
    table = run("label", "show").stdout
    assert QUERY in table
    assert "skipped" in table


def test_without_labels_it_says_so_and_the_exit_code_is_1(run: Any, reading: Path) -> None:
    assert reading.is_dir()
    result = run("label", "show")
    assert result.exit_code == 1
    assert "no labels yet" in result.stderr
    assert json.loads(run("label", "show", "--json").stdout) == {"labels": []}
    result = run("label", "export", "--trec", "labels")
    assert result.exit_code == 2
    assert "label some results first" in result.stderr


def test_exports_are_read_back_as_the_labels(run: Any, labelled: Path, tmp_path: Path) -> None:
    done = answer(
        run("label", "export", "--trec", f"{tmp_path}/t", "--beir", f"{tmp_path}/b", "--json")
    )
    with brainkit.open("sample.brain") as brain:
        expected = brain.judgments.to_dataset()
    assert done["queries"] == 1
    assert len(done["written"]) == 3
    beir = brainkit.load_dataset(tmp_path / "b")
    trec = brainkit.load_dataset(
        tmp_path / "t" / "qrels.txt", queries=tmp_path / "t" / "topics.tsv"
    )
    for back in (beir, trec):
        assert list(back.queries.values()) == [QUERY]
        assert list(back.qrels.values()) == list(expected.qrels.values())


def test_an_export_is_of_one_person_and_of_chunks_if_asked(
    run: Any, labelled: Path, tmp_path: Path
) -> None:
    args = ("label", "export", "--trec", str(tmp_path), "--labeller", "ben", "--unit", "chunk")
    done = answer(run(*args, "--json"))
    grades = [int(line.split()[3]) for line in (tmp_path / "qrels.txt").read_text().splitlines()]
    assert sorted(grades, reverse=True)[:3] == [2, 1, 0]
    assert done["grades"] == len(grades)
    result = run("label", "export", "--trec", str(tmp_path), "--labeller", "nobody")
    assert result.exit_code == 2
    assert "by 'nobody'" in result.stderr


def test_an_export_needs_a_form(run: Any, reading: Path) -> None:
    assert reading.is_dir()
    result = run("label", "export")
    assert result.exit_code == 2
    assert "--trec FOLDER, --beir FOLDER" in result.output


def test_agreement_is_told_with_its_table(run: Any, labelled: Path) -> None:
    found = answer(run("label", "agreement", "ana", "ben", "--json"))
    assert (found["kappa"], found["labellers"]) == (1.0, ["ana", "ben"])
    assert found["table"][2] == [0, 0, 1, 0]
    assert found["table"][3] == [0, 0, 0, 0]  # ben skipped that one
    text = run("label", "agreement", "ana", "ben", "--weights", "linear").stdout
    assert "kappa 1.000 (linear weights)" in text
    assert "3 perfect" in text
    result = run("label", "agreement", "ana", "bem")
    assert result.exit_code == 2
    assert "did you mean 'ben'" in result.stderr
