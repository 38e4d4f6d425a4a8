"""A brain of two small modules and some notes, which tests only read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import brainkit

FILES = {
    "service.py": "from manager import VectorStoreManager\n\n\n"
    "class QueryService:\n"
    "    def __init__(self, store: VectorStoreManager) -> None:\n"
    "        self.store = store\n\n"
    "    def ask(self, text):\n"
    "        return self.store.search(text)\n",
    "manager.py": "class VectorStoreManager:\n    def search(self, text):\n        return text\n",
    "tea.md": "# Green Tea\n\nGreen Tea is older than Black Tea.\n",
    "sencha.md": "# Sencha\n\nSencha is steamed. Black Tea is not.\n",
    "alone.md": "# An Island\n\nNothing here.\n",
    "guide.md": "# Guide\n\nAsk `QueryService` about Green Tea.\n",
}


def write_project(folder: Path) -> Path:
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, word_vectors: Any) -> Iterator[brainkit.Brain]:
    """The brain, to be read only."""
    home = tmp_path_factory.mktemp("entities")
    with brainkit.open(home / "x.brain", embedder=word_vectors) as brain:
        brain.ingest(write_project(home / "project"), progress=False)
        yield brain


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_project(tmp_path / "project")


@pytest.fixture
def brain(tmp_path: Path, project: Path, word_vectors: Any) -> Iterator[brainkit.Brain]:
    """A brain of its own, to be changed at will."""
    with brainkit.open(tmp_path / "own.brain", embedder=word_vectors) as opened:
        opened.ingest(project, progress=False)
        yield opened
