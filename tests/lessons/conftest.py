"""The folder that `brainkit lab` makes, with the brain of the sample, for all lessons."""

from __future__ import annotations

from pathlib import Path

import pytest

from brainkit.lab import prepare


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A learner's folder; the lessons run in it one after the other."""
    return prepare(tmp_path_factory.mktemp("lab"), progress=False).folder
