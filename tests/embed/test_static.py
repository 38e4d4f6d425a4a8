from __future__ import annotations

import functools
import importlib.util
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brainkit.embed.batching import batches, tokens_cut
from brainkit.embed.static import TOKENIZER, WEIGHTS, StaticEmbedder
from brainkit.errors import EmbedderUnavailable

SPEC = importlib.util.find_spec("wordllama")
pytestmark = pytest.mark.skipif(SPEC is None, reason="the extra brainkit[static] is not installed")

SIGNED = "Session cookies are signed with an HMAC of the secret key."
PARAPHRASE = "The signature of a session is made with HMAC and the secret key."
UNRELATED = "Tomatoes ripen faster in warm, dry weather."


@functools.cache
def loaded() -> StaticEmbedder:
    return StaticEmbedder()


@pytest.fixture
def static() -> StaticEmbedder:
    return loaded()


def test_similarities(static: StaticEmbedder) -> None:
    vectors = static.embed_documents([SIGNED, PARAPHRASE, UNRELATED])
    assert vectors.shape == (3, 256)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors @ vectors[0], [1, 0.7870, -0.0745], atol=1e-4)
    np.testing.assert_array_equal(static.embed_query(SIGNED), vectors[0])


def test_a_vector_is_the_direction_of_its_tokens_sum(static: StaticEmbedder) -> None:
    # "cat cat dog" is two of one token and one of another, each preceded by a space: order is lost.
    cat, dog = static._table[[static._tokens([word])[0][0] for word in ("cat", "dog")]]
    expected = (2 * cat.astype(np.float64) + dog) / np.linalg.norm(2 * cat.astype(np.float64) + dog)
    for text in ("cat cat dog", "dog cat cat"):
        np.testing.assert_allclose(static.embed_query(text), expected, atol=1e-6)


@given(texts=st.lists(st.text(max_size=40), max_size=6))
@settings(max_examples=20)
def test_a_vector_does_not_depend_on_its_company(texts: list[str]) -> None:
    together = loaded().embed_documents(texts)
    for text, vector in zip(texts, together, strict=True):
        np.testing.assert_array_equal(loaded().embed_documents([text])[0], vector)


def test_a_text_without_tokens_is_refused_by_the_batches(static: StaticEmbedder) -> None:
    kept: list[int] = []
    refused = batches(static, ["", "cat"], on_batch=lambda at, _: kept.extend(at))
    assert (kept, refused) == ([1], {0: "all zeros"})


def test_nothing_is_ever_cut(static: StaticEmbedder) -> None:
    long = "cat " * 5000 + "dog " * 5000
    assert tokens_cut(static, [long]) == [0]
    short = static.embed_query("cat dog")
    assert static.embed_query(long) @ short == pytest.approx(1, abs=1e-3)


def test_the_identity_names_its_files(static: StaticEmbedder) -> None:
    identity = static.identity
    assert str(identity) == "static wordllama-l2-supercat-256 (256 dims)"
    assert identity.revision == "64b47a2dc493cb8e-93248f2a9ec36c7b"
    assert identity.max_tokens is None


@pytest.fixture
def installed_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of the same name, found first, whose code must not run."""
    assert SPEC is not None
    assert SPEC.submodule_search_locations
    package = tmp_path / "wordllama"
    for name in (WEIGHTS, TOKENIZER):
        (package / name).parent.mkdir(parents=True)
        shutil.copy(Path(SPEC.submodule_search_locations[0], name), package / name)
    (package / "__init__.py").write_text("raise RuntimeError('the package was imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    return package


def test_other_weights_are_another_identity(installed_copy: Path, static: StaticEmbedder) -> None:
    raw = bytearray((installed_copy / WEIGHTS).read_bytes())
    raw[-1] ^= 1
    (installed_copy / WEIGHTS).write_bytes(raw)
    other = StaticEmbedder().identity
    assert other.model == static.identity.model
    assert other != static.identity


def test_a_missing_file_says_how_to_get_it(installed_copy: Path) -> None:
    (installed_copy / TOKENIZER).unlink()
    with pytest.raises(EmbedderUnavailable, match=r'pip install "brainkit\[static\]" --force'):
        StaticEmbedder().embed_query("cat")


@pytest.mark.parametrize(
    "raw", [b"", b"\x00" * 8, b"\xff" * 64, (2).to_bytes(8, "little") + b"{}", b"<html>404</html>"]
)
def test_weights_that_are_none_are_refused(installed_copy: Path, raw: bytes) -> None:
    (installed_copy / WEIGHTS).write_bytes(raw)
    with pytest.raises(EmbedderUnavailable, match="weights cannot be read"):
        StaticEmbedder().embed_query("cat")


def test_a_cut_off_download_is_refused(installed_copy: Path) -> None:
    raw = (installed_copy / WEIGHTS).read_bytes()
    (installed_copy / WEIGHTS).write_bytes(raw[: len(raw) // 2])
    with pytest.raises(EmbedderUnavailable, match="weights cannot be read"):
        StaticEmbedder().embed_query("cat")


def test_weights_too_few_for_the_tokenizer_are_refused(installed_copy: Path) -> None:
    header = {"embedding.weight": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}}
    text = json.dumps(header).encode()
    numbers = np.array([1, 2], "<f4").tobytes()
    (installed_copy / WEIGHTS).write_bytes(len(text).to_bytes(8, "little") + text + numbers)
    with pytest.raises(EmbedderUnavailable, match="32000 tokens but its weights have 1 rows"):
        StaticEmbedder().embed_query("cat")


def test_without_the_extra_the_way_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [])
    importlib.invalidate_caches()
    with pytest.raises(
        EmbedderUnavailable, match=r"not installed; run: pip install .brainkit\[sta"
    ):
        StaticEmbedder().embed_query("cat")
