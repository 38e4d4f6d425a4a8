"""The targets of the fuzzing campaign, with a small brain of their own."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def targets(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """tests/bench/fuzz_targets.py, as the campaign imports it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FUZZ_SEEDS", str(tmp_path_factory.mktemp("seeds")))
        patch.syspath_prepend(str(repository / "tests" / "bench"))
        module = import_module("fuzz_targets")
        yield module
        module.open_brain().close()


@pytest.fixture(scope="session")
def mutate(repository: Path) -> Iterator[ModuleType]:
    """tests/bench/fuzz_mutate.py."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(repository / "tests" / "bench"))
        yield import_module("fuzz_mutate")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of its own for each input."""
    return tmp_path
