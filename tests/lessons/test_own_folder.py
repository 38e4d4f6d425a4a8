"""Every lesson runs on a reader's own folder, with the one line changed that says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

from brainkit.kit import kit_folder
from brainkit.lessons import LESSONS

LINE = re.compile(r'^brain = sample_brain\(\)  # or: (brain = .*"~/project"\))$', re.M)
TIMEOUT_S = 120
NOTES = {
    "bees.md": """# Keeping bees

## How to light the smoker
Dry straw burns well. Two puffs at the entrance are enough.

## When to look into the hive
On a warm day, after noon. See [the honey](honey.md) for the harvest.

## What happens after a swarm
Half of the bees leave with the old queen, after many attempts to find a hollow tree.
""",
    "honey.md": """# Honey

## How to know that it is ripe
Shake the frame. Nothing may drip, and two thirds of the cells are closed.

## Where to keep the jars
Dark and cool, and never beside onions.
""",
    "signs.md": """# Signs on the jars

## How jars are signed and dated
Each harvest session gets one number. The keeper signs the list of all sessions in autumn.
""",
    "hive.py": '''"""Count what a hive has."""


def frames_of(weight_kg: float) -> int:
    """Estimate the full frames from the weight of a hive."""
    return int(weight_kg // 2.5)


def jars_of(weight_kg: float) -> int:
    """Say how many jars a hive will fill."""
    return 4 * frames_of(weight_kg)
''',
}


def swapped(number: str, folder: Path) -> list[Any]:
    """The code cells of a lesson, with its own advice taken and a fresh namespace before them."""
    (path,) = kit_folder("notebooks").glob(f"{number}_*.ipynb")
    cells = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    source = "\n".join(cell.source for cell in cells)
    assert len(LINE.findall(source)) == 1, f"{path.name} has one line to change"
    for cell in cells:
        cell.source = LINE.sub(
            lambda found: found[1].replace("~/project", str(folder)), cell.source
        )
        cell.id = f"{number}-{cell.id}"
    return [nbformat.v4.new_code_cell("%reset -f"), *cells]


@pytest.mark.slow
@pytest.mark.timeout(2 * TIMEOUT_S)
def test_lessons_run_on_a_folder_of_ones_own(tmp_path: Path) -> None:
    folder = tmp_path / "bees"
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / name).write_text(text, "utf-8")
    lab = tmp_path / "lab"
    lab.mkdir()
    cells = [cell for number in LESSONS for cell in swapped(number, folder)]
    nbclient.NotebookClient(
        nbformat.v4.new_notebook(cells=cells),
        timeout=TIMEOUT_S,
        resources={"metadata": {"path": str(lab)}},
    ).execute()
    verdicts = [
        output["data"]["text/plain"]
        for cell in cells
        if "-exercise-" in cell.id
        for output in cell.outputs
        if "data" in output
    ]
    assert verdicts
    assert set(verdicts) == {"not answered yet"}
    assert not (lab / "sample.brain").exists()
