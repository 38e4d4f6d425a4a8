"""What every test may use: hypothesis profiles, test collections, a fast embedder, a server."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import importlib.util
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from numpy.typing import NDArray

from brainkit.settings import Settings

Vectors = NDArray[np.float32]
REPOSITORY = Path(__file__).resolve().parent.parent

settings.register_profile("dev", max_examples=30, deadline=None)
settings.register_profile(
    "ci",
    max_examples=150,
    deadline=None,
    derandomize=True,  # a red run is about the change, not about luck
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],  # shared machines pause
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker("shared")


@pytest.fixture(scope="session", autouse=True)
def _plain_environment() -> Iterator[None]:
    """Tests see the defaults, whatever the developer's shell sets, and never a real API key."""
    with pytest.MonkeyPatch.context() as patch:
        for field in dataclasses.fields(Settings):
            patch.delenv(f"BRAINKIT_{field.name.upper()}", raising=False)
        for name in ("LOCAL_MODEL", "RERANKER", "RERANK_MODEL", "RERANK_KEY"):
            patch.delenv(f"BRAINKIT_{name}", raising=False)
        patch.delenv("OPENAI_API_KEY", raising=False)
        yield


@pytest.fixture(scope="session")
def repository() -> Path:
    """The checkout's root."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public test collections in BEIR layout; skips where there is none."""
    given = os.environ.get("BRAINKIT_SHARED")
    if given is None:
        folder = REPOSITORY.parent / "shared" / "datasets"
        if not folder.is_dir():
            pytest.skip(f"no test collections: neither BRAINKIT_SHARED is set nor {folder} exists")
        return folder
    folder = Path(given)
    if not folder.is_dir():
        pytest.fail(f"BRAINKIT_SHARED={given!r} is not a folder; correct it or unset it")
    return folder


@functools.lru_cache(maxsize=50_000)
def _word_vector(word: str) -> Vectors:
    """64 numbers from two SHA-256 sums of the word, as a unit vector."""
    sums = b"".join(hashlib.sha256(half + word.encode()).digest() for half in (b"0", b"1"))
    centred = np.frombuffer(sums, dtype=np.uint8).astype(np.float32) - np.float32(127.5)
    return centred / np.linalg.norm(centred)


def _word_vectors(texts: Sequence[str]) -> Vectors:
    out = np.zeros((len(texts), 64), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in re.findall(r"\w+", text.casefold()):
            out[row] += _word_vector(word)
    return out


# A brain recognises a callable by its name, which must not depend on how pytest loads this file.
_word_vectors.__name__ = _word_vectors.__qualname__ = "word_vectors"


@pytest.fixture(scope="session")
def word_vectors() -> Callable[[Sequence[str]], Vectors]:
    """An embedder as users write them: texts -> float32 (n, 64), fast and the same everywhere.

    A text is the sum of its words' unit vectors, so texts that share words are similar and a text
    without words is the zero vector.
    """
    return _word_vectors


def _load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "tests_" + re.sub(r"\W", "_", path.removesuffix(".py")), REPOSITORY / "tests" / path
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def load() -> Callable[[str], ModuleType]:
    """Load a file by its path below tests/: they are in no package from which to import."""
    return _load


@pytest.fixture(scope="session")
def without() -> Callable[[str], NoReturn]:
    """Skip for want of a part of the browser tests; a failure where that part is required."""

    def missing(what: str) -> NoReturn:
        if os.environ.get("BRAINKIT_REQUIRE_BROWSER") == "1":
            pytest.fail(f"{what} is not installed, and BRAINKIT_REQUIRE_BROWSER=1 says it must be")
        pytest.skip(f"{what} is not installed; BRAINKIT_REQUIRE_BROWSER=1 makes this a failure")

    return missing


@pytest.fixture(scope="session")
def start_chromium(
    load: Callable[[str], ModuleType],
    without: Callable[[str], NoReturn],
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[], Any]:
    """Start a headless Chromium with an empty profile and no network; skips where there is none."""
    driver = load("widgets/chromium.py")

    def start() -> Any:
        command = driver.find_chromium() or without("chromium")
        return driver.Chromium(command, tmp_path_factory.mktemp("profile"))

    return start


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """A tab that must end without an error and without having asked for more than its file."""
    tab = chromium.page()
    yield tab
    errors, asked = tab.errors, tab.requests
    tab.close()
    assert errors == []
    assert asked == []


@pytest.fixture(scope="session")
def loopback(load: Callable[[str], ModuleType]) -> ModuleType:
    """tests/hosted/loopback.py: an OpenAI-compatible server, and the answers it can give."""
    return load("hosted/loopback.py")


@pytest.fixture
def serve(loopback: ModuleType) -> Iterator[Callable[..., Any]]:
    """Start a server that answers by a script; it is closed after the test."""
    started = []

    def start(script: Callable[..., Any]) -> Any:
        started.append(loopback.Loopback(script))
        return started[-1]

    yield start
    for server in started:
        server.close()
