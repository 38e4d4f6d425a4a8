"""kill -9 between any two steps of writing a label: every acknowledged label is there, whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from brainkit.evaluation.judgments import Judgment, Judgments

LABEL_UNTIL_KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.append({steps!r})
from steps import Steps
from brainkit.evaluation.judgments import Judgment, Judgments

def act(number, event):
    if number == {at}:
        os.kill(os.getpid(), signal.SIGKILL)

judgments = Judgments(Path({folder!r}))
Steps(Path({folder!r}), act)
for number in range(4):
    judgments.put(Judgment(f"q{{number}}", "s", "1-2", 1, "me", "", "", "c", f"hash {{number}}"))
    print(number, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL")
@pytest.mark.parametrize("at", [1, 3, 4, 6])
def test_a_kill_between_two_steps_loses_no_label(at: int, repository: Path, tmp_path: Path) -> None:
    code = LABEL_UNTIL_KILLED.format(
        steps=str(repository / "tests" / "engine"), at=at, folder=str(tmp_path)
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(repository), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    acknowledged = len(done.stdout.splitlines())
    there = list(Judgments(tmp_path))
    assert len(there) in (acknowledged, acknowledged + 1)
    assert [one.content for one in there] == [f"hash {number}" for number in range(len(there))]

    Judgments(tmp_path).put(Judgment("next", "s", "1-2", 1, "me", "", "", "c", "next"))
    assert len(Judgments(tmp_path)) == len(there) + 1
    assert not (tmp_path / "judgments.tsv.tmp").exists()
