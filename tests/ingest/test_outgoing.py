"""Secrets are reported where nothing is sent, and not sent to where something is."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from rich.console import Console

import brainkit
from brainkit.embed import Identity
from brainkit.errors import SecretsFound
from brainkit.ingest.outgoing import is_hosted
from brainkit.ingest.report import IngestReport

Vectors = Callable[[Sequence[str]], NDArray[np.float32]]
KEY = "ghp_" + "q8Zr4mT1xK" "c7Vb2NwE5y" "Ls9Gd3HfJ6" "pAoU0i"  # fmt: skip
PASSWORD = "Zq4x9KtV" "7mWb2RsP"  # fmt: skip


class Hosted:
    """An embedder on someone else's machine, as far as a brain can tell; keeps what it was sent."""

    max_tokens = 512

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self.sent: list[str] = []
        self.identity = Identity(
            provider="openai", model="words", dim=64, revision="1", normalized=False
        )

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.sent += texts
        return self._vectors(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._vectors([text])[0]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


@pytest.fixture
def hosted(word_vectors: Vectors) -> Hosted:
    return Hosted(word_vectors)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text(f"\n\ntoken = '{KEY}'\n")
    (folder / "b.yaml").write_text(f"db:\n  password: {PASSWORD}\n")
    (folder / "c.md").write_text("# Nothing\n\nSecrets are handled elsewhere.\n")
    return folder


def everything_shown(report: IngestReport) -> str:
    console = Console(width=200, record=True, file=None, quiet=True)
    console.print(report)
    return "\n".join(
        [repr(report), repr(report.files), json.dumps(report.to_dict()), report._repr_html_(),
         console.export_text(), str(report.secrets), str(report.notes)]
    )  # fmt: skip


@pytest.mark.parametrize(
    ("provider", "hosted"),
    [("local", False), ("static", False), ("callable", False), ("openai", True), ("new", True)],
)
def test_only_providers_known_to_stay_here_are_not_hosted(provider: str, hosted: bool) -> None:
    identity = Identity(provider=provider, model="m", dim=2, revision="1")
    assert is_hosted(identity) is hosted


@pytest.mark.parametrize("planned", [True, False])
def test_on_this_machine_secrets_are_reported_and_indexed(
    tmp_path: Path, project: Path, word_vectors: Vectors, planned: bool
) -> None:
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        work = brain.plan if planned else brain.ingest
        report = work(project, progress=False)
    assert report.secrets == [
        ("project/a.py", 3, "GitHub Token"),
        ("project/b.yaml", 2, "password or token"),
    ]
    assert report.files[0].detail == "looks like it holds secrets: GitHub Token on line 3"
    assert report.notes == (
        "2 files look like they hold secrets (report.secrets: where and what kind). "
        "Nothing is sent.",
    )
    assert {row.status for row in report.files} == {"added"}


def test_nothing_of_a_secret_is_in_a_report(
    tmp_path: Path, project: Path, hosted: Hosted, word_vectors: Vectors
) -> None:
    for name, embedder in (("a", word_vectors), ("b", hosted)):
        with brainkit.open(tmp_path / f"{name}.brain", embedder=embedder) as brain:
            shown = everything_shown(brain.ingest(project, progress=False))
        assert "GitHub Token" in shown
        for secret in (KEY, PASSWORD):
            assert not any(secret[at : at + 6] in shown for at in range(len(secret) - 6))


def test_unchanged_files_are_not_searched_again(
    tmp_path: Path, project: Path, word_vectors: Vectors
) -> None:
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        brain.ingest(project, progress=False)
        assert brain.ingest(project, progress=False).secrets == []
        (project / "a.py").write_text(f"token = '{KEY}'\n")
        (project / "b.yaml").rename(project / "moved.yaml")
        report = brain.ingest(project, progress=False)
    assert report.secrets == [
        ("project/a.py", 1, "GitHub Token"),
        ("project/moved.yaml", 2, "password or token"),
    ]
    assert report.rows("renamed")[0].detail == (
        "was project/b.yaml; looks like it holds secrets: password or token on line 2"
    )


def test_a_hosted_embedder_gets_nothing_of_a_file_with_secrets(
    tmp_path: Path, project: Path, hosted: Hosted
) -> None:
    with brainkit.open(tmp_path / "a.brain", embedder=hosted) as brain:
        plan = brain.plan(project, progress=False)
        report = brain.ingest(project, progress=False)
        assert [(r.source, r.status, r.detail) for r in plan.files] == [
            (r.source, r.status, r.detail) for r in report.files
        ]
        assert [(row.source, row.status) for row in report.files] == [
            ("project/a.py", "skipped"),
            ("project/b.yaml", "skipped"),
            ("project/c.md", "added"),
        ]
        assert report.files[0].detail == "looks like it holds secrets: GitHub Token on line 3"
        assert report.notes == (
            "2 files look like they hold secrets (report.secrets: where and what kind). "
            "Left out, so nothing of them goes to openai; send_secrets=True sends all the same.",
        )
        (sent,) = hosted.sent
        assert sent.endswith("Secrets are handled elsewhere.")
        assert len(report.secrets) == 2
        again = brain.ingest(project, progress=False)
        assert (again.generation, len(again.secrets)) == (None, 2)


def test_forced_they_are_sent_and_the_report_says_so(
    tmp_path: Path, project: Path, hosted: Hosted
) -> None:
    with brainkit.open(tmp_path / "a.brain", embedder=hosted) as brain:
        brain.ingest(project, progress=False)
        report = brain.ingest(project, send_secrets=True, progress=False)
    assert [row.source for row in report.rows("changed")] == ["project/a.py", "project/b.yaml"]
    assert report.notes[0].endswith("Sent to openai, as send_secrets=True asks.")
    assert any(KEY in text for text in hosted.sent)


def test_a_file_comes_back_once_the_secret_is_gone(
    tmp_path: Path, project: Path, hosted: Hosted
) -> None:
    with brainkit.open(tmp_path / "a.brain", embedder=hosted) as brain:
        brain.ingest(project, progress=False)
        (project / "a.py").write_text("token = os.environ['TOKEN']\n")
        report = brain.ingest(project, progress=False)
        assert [row.source for row in report.rows("changed")] == ["project/a.py"]
        (project / "c.md").write_text(f"The token is {KEY}.\n")
        report = brain.ingest(project, progress=False)
        assert brain.sql("select distinct source from chunks").values.tolist() == [["project/a.py"]]


def test_a_key_cut_over_two_chunks_is_not_sent(tmp_path: Path, hosted: Hosted) -> None:
    body = "\n".join("Zq4x9KtV7mWb2RsP" * 4 for _ in range(40))
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "notes.txt").write_text(
        "word " * 14 + f"\n\n-----BEGIN RSA PRIVATE KEY-----\n{body}\n"
    )
    with brainkit.open(tmp_path / "a.brain", embedder=hosted, chunk_tokens=16,
                       chunk_overlap_tokens=0) as brain:  # fmt: skip
        report = brain.ingest(folder, progress=False)
    assert report.secrets == [("project/notes.txt", 3, "private key")]
    assert hosted.sent == []


def test_records_are_held_to_the_same(tmp_path: Path, hosted: Hosted) -> None:
    records = [
        {"id": "1", "text": f"use {KEY}"},
        {"id": "2", "title": f"key {KEY}", "text": "see title"},
        {"id": "3", "text": "nothing here"},
    ]
    with brainkit.open(tmp_path / "a.brain", embedder=hosted) as brain:
        report = brain.ingest_texts(records, progress=False)
        assert report.secrets == [("1", 1, "GitHub Token"), ("2", 1, "GitHub Token")]
        assert hosted.sent == ["nothing here"]
        forced = brain.ingest_texts([{"id": "4", "text": KEY}], send_secrets=True, progress=False)
        assert forced.notes[0].startswith("1 file looks like it holds secrets")
        assert hosted.sent == ["nothing here", KEY]


def test_a_brain_with_secrets_is_not_embedded_elsewhere_unasked(
    tmp_path: Path, project: Path, hosted: Hosted, word_vectors: Vectors
) -> None:
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        brain.ingest(project, progress=False)
        with pytest.raises(SecretsFound) as caught:
            brain.reembed(hosted, progress=False)
        assert str(caught.value) == (
            "2 sources look like they hold secrets, and openai words (64 dims) is hosted "
            "(project/a.py: GitHub Token on line 3; project/b.yaml: password or token on line 2). "
            "Nothing was sent. brain.remove(source) takes one out; "
            "send_secrets=True sends them all the same."
        )
        assert hosted.sent == []
        assert brain.reembed(hosted, send_secrets=True, progress=False) == 3
        assert len(hosted.sent) == 3
        brain.reembed(word_vectors, progress=False)


def test_nor_with_a_secret_in_a_title(
    tmp_path: Path, hosted: Hosted, word_vectors: Vectors
) -> None:
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        titled = {"id": "1", "title": f"key {KEY}", "text": "see title"}
        brain.ingest_texts([titled], progress=False)
        with pytest.raises(SecretsFound, match="1: GitHub Token on line 1"):
            brain.reembed(hosted, progress=False)
        assert hosted.sent == []


def test_a_brain_without_secrets_is(
    tmp_path: Path, project: Path, hosted: Hosted, word_vectors: Vectors
) -> None:
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        brain.ingest(project, include=["*.md"], progress=False)
        assert brain.reembed(hosted, progress=False) == 1
