"""The code that other processes run, for the tests that start them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

_SCRIPT = Path(__file__).with_name("process.py")


@pytest.fixture(scope="session")
def process(load: Callable[[str], ModuleType]) -> ModuleType:
    """process.py as a module: the same embedder and the same questions as over there."""
    return load("engine/process.py")


@pytest.fixture(scope="session")
def start(repository: Path) -> Callable[..., subprocess.Popen[str]]:
    """Start another process: a command of process.py and its arguments."""

    def started(*arguments: object) -> subprocess.Popen[str]:
        given: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        return subprocess.Popen(
            [sys.executable, str(_SCRIPT), *map(str, arguments)],
            cwd=repository,
            text=True,
            env={"PYTHONPATH": str(repository), "PATH": ""},
            stderr=subprocess.PIPE,
            **given,
        )

    return started
