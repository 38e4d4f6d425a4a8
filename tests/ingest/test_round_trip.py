"""Nothing is lost between the sample's files, or a real package's, and their chunks."""

from __future__ import annotations

import email
import sys
from pathlib import Path

import pytest

from brainkit.analyze import Analyzer
from brainkit.embed import resolve
from brainkit.ingest.tools import Tools
from brainkit.settings import Settings

sys.path.append(str(Path(__file__).parents[1] / "bench"))
from roundtrip import check


@pytest.fixture(scope="module")
def tools() -> Tools:
    return Tools(Analyzer(), resolve("local"), Settings())


@pytest.mark.parametrize("folder", ["sample", "email"])
def test_every_chunk_is_what_its_file_says(tools: Tools, repository: Path, folder: str) -> None:
    folders = {"sample": repository / "data" / "sample", "email": Path(email.__file__).parent}
    counts, faults, _ = check(folders[folder], tools)
    assert faults == []
    assert counts["files"] > 15
    assert counts["chunks"] > 100
