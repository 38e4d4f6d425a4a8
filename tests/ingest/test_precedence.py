"""The call, the environment, the folder's file, the defaults; and what is too late."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import brainkit
from brainkit.embed import Identity
from brainkit.errors import InvalidSetting
from brainkit.ingest.config import CONFIG_FILE, Config, parse_config
from brainkit.ingest.precedence import InForce, in_force, kept, overridden, shape_of
from brainkit.settings import Settings

Embedder = Callable[[list[str]], Any]
SAYS = (
    "[chunks]\ntokens = 64\noverlap = 8\n[ingest]\nmax_files = 7\n[analyzer]\nlanguage='german'\n"
)


def holding(text: str = SAYS, **given: Any) -> InForce:
    defaults: dict[str, Any] = {
        "settings": Settings(),
        "outranked": (),
        "meta": {},
        "is_empty": True,
        "embedder_given": False,
    }
    return in_force(parse_config(text, path=Path(CONFIG_FILE)), **{**defaults, **given})


def test_an_empty_brain_takes_what_the_file_says() -> None:
    holds = holding()
    assert holds.settings == Settings(
        chunk_tokens=64, chunk_overlap_tokens=8, max_files=7, analyzer_language="german"
    )
    assert holds.notes == ()
    assert holds.shape == {
        "chunk_tokens": 64,
        "chunk_overlap_tokens": 8,
        "analyzer_language": "german",
    }


def test_call_and_environment_come_before_the_file() -> None:
    holds = holding(
        settings=Settings(chunk_tokens=128, max_files=9), outranked={"chunk_tokens", "max_files"}
    )
    assert (holds.settings.chunk_tokens, holds.settings.max_files) == (128, 9)
    assert holds.settings.chunk_overlap_tokens == 8
    assert holds.notes == ()


def test_what_the_brain_was_made_with_on_purpose_comes_before_the_file() -> None:
    for is_empty in (True, False):
        holds = holding(
            "[chunks]\ntokens = 64\n",
            settings=Settings(chunk_tokens=128),
            meta={"chosen": ["chunk_tokens"]},
            is_empty=is_empty,
        )
        assert holds.settings.chunk_tokens == 128
        assert holds.notes == ()


def test_a_brain_that_holds_chunks_keeps_its_shape_and_says_so() -> None:
    holds = holding(is_empty=False)
    assert holds.shape == shape_of(Settings())
    assert holds.settings.max_files == 7
    assert holds.notes[0] == (
        "brainkit.toml asks for chunk_tokens = 64, but this brain was made with 256 and keeps it; "
        "make a new brain to change it"
    )
    assert [note.split()[3] for note in holds.notes] == [
        "chunk_tokens", "chunk_overlap_tokens", "analyzer_language",
    ]  # fmt: skip


def test_a_file_that_agrees_with_the_brain_needs_no_word() -> None:
    assert holding("[chunks]\ntokens = 256\n", is_empty=False).notes == ()


def test_sizes_that_do_not_go_together_are_refused() -> None:
    with pytest.raises(InvalidSetting, match=r"chunk_overlap_tokens=40 is more than half"):
        holding(
            "[chunks]\noverlap = 40\n",
            settings=Settings(chunk_tokens=64),
            outranked={"chunk_tokens"},
        )


def test_the_embedder_of_the_file_is_for_a_brain_without_vectors() -> None:
    says = "[embedder]\nname = 'static'\n"
    local = Identity(provider="local", model="m", dim=2, revision="1")
    assert holding(says).embedder == "static"
    assert holding(says, embedder_given=True).embedder is None
    late = holding(says, meta={"embedder": local.to_dict()})
    assert late.embedder is None
    assert late.notes == (
        "brainkit.toml asks for the embedder 'static', but this brain's vectors were made by "
        "local m (2 dims); brain.reembed('static') switches",
    )
    agrees = holding("[embedder]\nname = 'local'\n", meta={"embedder": local.to_dict()})
    assert (agrees.embedder, agrees.notes) == (None, ())


def test_only_what_changes_how_files_are_read_has_them_read_again() -> None:
    base = holding("").reading
    for text in (
        "[ingest]\nmax_files = 3\nmax_depth = 2\nmax_file_bytes = 10\ninclude = ['a']\n",
        "[chunks]\ntokens = 64\n[analyzer]\nlanguage = 'german'\n",
        "[types]\nrules = []\n",
    ):
        assert holding(text).reading == base
    others = {
        holding(text).reading
        for text in (
            "[ingest]\nmax_line_chars = 300\n",
            "[types]\nrules = [{ paths = ['a'], type = 'doc' }]\n",
            "[types]\nrules = [{ paths = ['a'], type = 'code' }]\n",
            "[types]\nrules = [{ paths = ['b'], type = 'doc' }]\n",
            "[types]\nrules = [{ paths = ['a'], type = 'doc', language = 'go' }]\n",
        )
    }
    assert len(others | {base}) == 6


def test_the_order_of_rules_matters() -> None:
    one, two = "{ paths = ['a'], type = 'doc' }", "{ paths = ['a'], type = 'code' }"
    assert holding(f"[types]\nrules = [{one}, {two}]").reading != (
        holding(f"[types]\nrules = [{two}, {one}]").reading
    )


def test_settings_of_a_call_are_checked() -> None:
    assert overridden(Settings(), {"max_files": 3}).max_files == 3
    with pytest.raises(InvalidSetting, match=r"no setting 'max_file'; did you mean 'max_files'\?"):
        overridden(Settings(), {"max_file": 3})
    stored = shape_of(Settings(chunk_tokens=64))
    assert kept(Settings(), stored, asked={}).chunk_tokens == 64
    with pytest.raises(InvalidSetting, match=r"chunk_tokens=65: this brain was made with 64"):
        kept(Settings(), stored, asked={"chunk_tokens": 65})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.md").write_text("\n\n".join(f"Der Satz {n} geht so weiter." for n in range(60)))
    (folder / CONFIG_FILE).write_text(SAYS)
    return folder


def test_the_first_ingest_shapes_the_brain_for_good(
    tmp_path: Path, project: Path, word_vectors: Embedder
) -> None:
    path = tmp_path / "a.brain"
    with brainkit.open(path, embedder=word_vectors) as brain:
        assert brain.plan(project, progress=False).chunks > 1
        assert brain.info().settings["chunk_tokens"] == 256  # a plan changes nothing
        done = brain.ingest(project, progress=False)
        assert done.notes == ()
        assert brain.info().settings["chunk_tokens"] == 64
        assert brain.info().analyzer["language"] == "german"
        assert brain.query("Sätze", mode="bm25").results
    (project / CONFIG_FILE).write_text("[chunks]\ntokens = 128\n")
    with brainkit.open(path, embedder=word_vectors) as brain:
        assert brain.info().settings["chunk_tokens"] == 64
        late = brain.ingest(project, progress=False)
        assert late.rows("changed") == []
        assert "this brain was made with 64 and keeps it" in late.notes[0]


def test_a_brain_open_elsewhere_follows(
    tmp_path: Path, project: Path, word_vectors: Embedder
) -> None:
    """Another process had the brain open, still empty, when its first ingest shaped it."""
    from brainkit.engine import Engine

    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        other = Engine(tmp_path / "a.brain", embedder=word_vectors)
        brain.ingest(project, progress=False)
        with other.reading():
            assert other.settings.chunk_tokens == 64
            assert other.analyzer.language == "german"
        other.close()


def test_sizes_given_when_the_brain_was_made_win_over_the_file(
    tmp_path: Path, project: Path, word_vectors: Embedder
) -> None:
    brainkit.open(tmp_path / "a.brain", embedder=word_vectors, chunk_tokens=100).close()
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        report = brain.ingest(project, progress=False)
        assert brain.info().settings["chunk_tokens"] == 100
        assert brain.info().settings["chunk_overlap_tokens"] == 8
        assert report.notes == ()


def test_the_environment_wins_over_the_file(
    tmp_path: Path, project: Path, word_vectors: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAINKIT_CHUNK_TOKENS", "100")
    monkeypatch.setenv("BRAINKIT_MAX_FILES", "1")
    (project / "b.md").write_text("mehr\n")
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        report = brain.ingest(project, progress=False)
        assert brain.info().settings["chunk_tokens"] == 100
        assert [row.source for row in report.rows("added")] == ["project/a.md"]


def test_nothing_in_the_file_leaves_the_settings_as_they_are() -> None:
    settings = Settings(max_files=3)
    holds = in_force(
        Config(), settings=settings, outranked=(), meta={}, is_empty=True, embedder_given=False
    )
    assert (holds.settings, holds.embedder, holds.notes) == (settings, None, ())
