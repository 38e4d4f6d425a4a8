"""Labelling in JupyterLab by keyboard, with the kernel restarted in the middle: nothing is lost."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

QUESTIONS = ["how are sessions signed", "retry with backoff"]
CODE = f"labelling = brain.label({QUESTIONS!r}, depth=4, labeller='ana')\nlabelling"
OPEN = 'import brainkit\nbrain = brainkit.open("sample.brain")'
BAR = "from tqdm.auto import tqdm\nfor _ in tqdm([1], leave=False): pass\n"
WORDS = ["not relevant", "related", "relevant", "perfect"]
SKIP, UNDO, NOTE, LEFT = ("s", 83), ("u", 85), ("n", 78), ("ArrowLeft", 37)
ENTER = ("Enter", 13)
CELLS = "return panel.content.widgets.map(c => [c.model.type, c.model.sharedModel.source])"


@pytest.fixture(scope="module")
def labels(folder: Path) -> Iterator[Path]:
    """The brain's file of labels."""
    file = folder / "sample.brain" / "judgments.tsv"
    file.unlink(missing_ok=True)
    yield file
    file.unlink(missing_ok=True)


def rows(labels: Path) -> list[dict[str, str]]:
    """The labels on disk, read by other means than brainkit's, in the order they were given."""
    with labels.open(encoding="utf-8", newline="") as file:
        return sorted(csv.DictReader(file, delimiter="\t"), key=lambda row: row["when"])


def begin(notebook: Any, *, before: str = "") -> Any:
    """Run the cell, and click into the view so that the keys are its own."""
    live = notebook.show(before + CODE)
    live.wait("root.querySelector('.labelling')")
    left, top, *_ = live.box(".labelling")
    notebook.page.drag([(left + 4, top + 4)] * 2)
    live.wait("root.activeElement")
    return live


def shown(live: Any) -> str:
    """Which chunk of which question is on the page."""
    live.wait("root.querySelector('[aria-busy=false]')")
    return f"{live.text('h3 bdi')}: {live.text('.where')}"


def press(notebook: Any, live: Any, key: Any, said: str) -> None:
    """Press a key and wait for what is said once it has been done."""
    notebook.page.press(*((str(key), 48 + key) if isinstance(key, int) else key))
    live.wait(f"root.querySelector('.said').textContent.startsWith({said!r})")
    live.wait("root.querySelector('[aria-busy=false]')")


def grade(notebook: Any, live: Any, number: int) -> None:
    """Grade the chunk on the page, and wait until it says that this is saved."""
    where = live.text(".where")
    press(notebook, live, number, f"Saved: {number} {WORDS[number]}, {where}")


def test_labels_survive_a_restart_and_are_measured(notebook: Any, labels: Path) -> None:
    live = begin(notebook)
    cells = notebook.do(CELLS)
    for n, number in enumerate((2, 0, 3, 1, 2), start=1):
        where = live.text(".where")
        grade(notebook, live, number)
        written = rows(labels)[-1]  # there before the page said so
        assert (len(rows(labels)), written["grade"], written["labeller"]) == (n, str(number), "ana")
        assert f"{written['source']}:{written['lines']}" == where
    # Digits make headings of cells in Lab's command mode, and "s" and "u" mean things there.
    assert notebook.do(CELLS) == cells
    at, before = shown(live), rows(labels)
    notebook.wait_python("labelling.progress.graded", 5)

    notebook.restart()
    live.wait("root.querySelector('.error').textContent.includes('run this cell again')")
    notebook.page.press("3", 51)  # to nobody
    assert rows(labels) == before
    notebook.run(OPEN, cell=0)
    live = begin(notebook)
    assert shown(live) == at
    assert notebook.python("labelling.progress.graded") == 5

    press(notebook, live, UNDO, "Taken back: 2 relevant")
    assert rows(labels) == before[:-1]
    assert shown(live).endswith(f"{before[-1]['source']}:{before[-1]['lines']}")
    grade(notebook, live, 3)
    press(notebook, live, SKIP, "Saved: skipped")
    notebook.page.press(*LEFT)
    live.wait("root.querySelector('.state').textContent === 'skipped'")
    notebook.page.press(*NOTE)
    notebook.page.type("says 2 of 3")
    press(notebook, live, ENTER, "Saved: the note")
    grade(notebook, live, 1)
    assert [(row["grade"], row["note"]) for row in rows(labels)[-2:]] == [
        ("3", ""),
        ("1", "says 2 of 3"),
    ]
    total, number = notebook.python("labelling.progress.total"), 0
    while live.do("return root.querySelector('.end').hidden"):
        grade(notebook, live, number % 4)
        number += 1
    assert live.text(".end h3") == "Done: every chunk is graded"
    assert len(rows(labels)) == total == notebook.python("labelling.progress.graded")
    given = [sum(row["grade"] == str(n) for row in rows(labels)) for n in range(4)]
    assert live.texts(".counts .n") == list(map(str, given))
    assert notebook.do(CELLS) == cells
    assert notebook.do("return panel.content.mode") == "command"
    check_figures(notebook, labels)


def check_figures(notebook: Any, labels: Path) -> None:
    """nDCG@10 of bm25 on these labels, by hand."""
    qrels: dict[str, dict[str, int]] = {query: {} for query in QUESTIONS}
    for row in rows(labels):
        of = qrels[row["query"]]
        of[row["source"]] = max(int(row["grade"]), of.get(row["source"], 0))
    notebook.run(
        "data = brainkit.load_dataset(brain.judgments)\n"
        "found = brainkit.evaluate(brain, data, {'keywords': {'mode': 'bm25'}}, progress=False)",
        cell=2,
    )
    assert notebook.python("{q: dict(row) for q, row in data.qrels.items()}") == qrels
    values = []
    for query in notebook.python("list(data.queries)"):
        ranking = notebook.python(f"list(found.rankings['keywords'][{query!r}])[:10]")
        gains = [qrels[query].get(source, 0) for source in ranking]
        ideal = sorted(qrels[query].values(), reverse=True)[:10]
        dcg, best = (
            sum(gain / math.log2(rank + 1) for rank, gain in enumerate(one, 1))
            for one in (gains, ideal)
        )
        values.append(dcg / best)
    mean = sum(values) / len(values)
    assert notebook.python("found.mean('keywords', 'nDCG@10')") == pytest.approx(mean, abs=1e-12)


def test_another_labeller_begins_anew_in_an_order_of_their_own(notebook: Any, labels: Path) -> None:
    assert labels.exists()
    live = notebook.show(CODE.replace("labelling", "other").replace("'ana'", "'ben'"), cell=3)
    live.wait("root.querySelector('.labelling')")
    assert notebook.python("other.progress.graded") == 0
    notebook.run("for n in range(other.progress.total): other.label(n % 4)", cell=4)
    live.wait("!root.querySelector('.end').hidden")
    line = next(text for text in live.texts(".end > p") if "kappa" in text)
    told = "__import__('brainkit.evaluation.agreement', fromlist=['x']).agreement"
    assert line == notebook.python(f"{told}(brain.judgments, 'ben', 'ana').summary()")


def test_a_saved_notebook_says_without_a_kernel_what_was_labelled(
    notebook: Any, labels: Path
) -> None:
    total = sum(row["labeller"] == "ana" for row in rows(labels))
    live = begin(notebook, before=BAR)
    press(notebook, live, UNDO, "Taken back")  # what is left behind follows
    notebook.save()
    notebook.close()
    notebook.lab.start().close()
    again = notebook.lab.open(notebook.path, kernel=False)
    cell = again.output(cell=1)
    again.lab.wait(f"{cell}.querySelector('table')?.getBoundingClientRect().height > 20")
    again.lab.wait(f"!{cell}.innerText.includes('Loading')")
    said = again.text(cell=1)
    assert f"Labels by ana: {total - 1} of {total} chunks graded, 0 skipped, 1 open" in said
    assert "says 2 of 3" in said
    assert "Run this cell again" in said
    assert "Error" not in said
