"""Threads and processes ask while another process ingests: every answer is its generation's."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_threads_and_processes_ask_while_another_process_ingests(repository: Path) -> None:
    """The long run is the same script with 16 threads, 8 processes and five minutes."""
    script = repository / "tests" / "bench" / "concurrency.py"
    given = ("--seconds", "1", "--threads", "4", "--processes", "2", "--least", "4")
    done = subprocess.run(
        [sys.executable, str(script), *given],
        cwd=repository,
        env={"PYTHONPATH": str(repository), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 wrong answers; check: all is well" in done.stdout
    written, asked = map(
        int, re.findall(r"(\d+) generations written, (\d+) of them", done.stdout)[0]
    )
    assert written >= 5
    assert asked > 1, "they did run side by side"
