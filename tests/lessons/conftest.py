"""The folder that `brainkit lab` makes, with the brain of the sample, and a browser for reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from brainkit.lab import prepare


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A learner's folder; the lessons run in it one after the other."""
    return prepare(tmp_path_factory.mktemp("lab"), progress=False).folder


@pytest.fixture(scope="session")
def chromium(start_chromium: Callable[[], Any]) -> Iterator[Any]:
    """A headless Chromium with an empty profile and no network; skips where there is none."""
    with start_chromium() as browser:
        yield browser
