"""A brain's own defaults: where they count, what they survive, and what a damaged file does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import brainkit
from brainkit.engine.defaults import Defaults
from brainkit.errors import BrainBusy, InvalidExport, InvalidRequest, InvalidSetting
from brainkit.models import QueryRequest
from brainkit.store.defaults import FILE
from brainkit.store.layout import Layout
from brainkit.store.locks import WriterLock

TEXTS = {
    "sign": "Session tokens are signed with a secret key before they leave the server.",
    "retry": "The client retries a request three times and waits longer after each failure.",
    "key": "The secret key is rotated every month; old tokens stay valid for a day.",
}
OWN = {"mode": "hybrid", "alpha": 0.8, "normalize": "minmax"}


def filled(folder: Path, embedder: Any) -> brainkit.Brain:
    brain = brainkit.open(folder, embedder=embedder)
    brain.ingest_texts([{"id": n, "text": t} for n, t in TEXTS.items()], progress=False)
    return brain


@pytest.fixture
def brain(tmp_path: Path, word_vectors: Any) -> Iterator[brainkit.Brain]:
    with filled(tmp_path / "x.brain", word_vectors) as opened:
        yield opened


def told(answer: brainkit.Answer) -> list[str]:
    return [one.message for one in answer.response.notices if one.kind == "defaults"]


def test_a_question_is_answered_with_them_where_it_gives_none(brain: brainkit.Brain) -> None:
    assert told(brain.query("secret key")) == []
    brain.use(OWN)
    answer = brain.query("secret key", alpha=0.2)
    assert (answer.request.alpha, answer.request.normalize) == (0.2, "minmax")
    assert told(answer) == ["this brain's own defaults: normalize=minmax."]
    both = brain.query("secret key")
    assert (both.request.alpha, both.request.normalize) == (0.8, "minmax")
    assert told(both) == ["this brain's own defaults: alpha=0.8, normalize=minmax."]
    assert "note: this brain's own defaults: alpha=0.8" in repr(both)
    assert both.results == brain.query(both.request).results


def test_a_whole_request_is_taken_as_it_is(brain: brainkit.Brain) -> None:
    brain.use(OWN)
    answer = brain.query(QueryRequest(query="secret key"))
    assert answer.request.alpha == 0.5
    assert told(answer) == []


def test_explorer_comparison_and_map_start_from_them(brain: brainkit.Brain) -> None:
    brain.use({"alpha": 0.8, "top_k": 2})
    explorer = brain.explore("secret key", top_k=3)
    assert (explorer.alpha, explorer.top_k) == (0.8, 3)
    compared = brain.compare("secret key", a={}, b={"alpha": 0.1})
    assert compared.changes == {"alpha": (0.8, 0.1)}
    assert compared.a.request.top_k == 2


def test_depth_gives_way_to_what_a_question_asks_for(brain: brainkit.Brain) -> None:
    brain.use({"depth": 10})
    assert brain.query("secret key", top_k=20).request.depth == 20
    assert brain.query("secret key", top_k=3).request.depth == 10
    with pytest.raises(InvalidRequest, match="depth=4 is less than top_k=20"):
        brain.query("secret key", top_k=20, depth=4)
    brain.use({"top_k": 30})
    assert brain.query("secret key", depth=20).request.top_k == 20
    assert brain.query("secret key").request.top_k == 30


def test_they_say_where_they_come_from(
    brain: brainkit.Brain, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert brain.defaults().own == {}
    assert "has the built-in defaults" in repr(brain.defaults())
    monkeypatch.setenv("BRAINKIT_LABELLER", "ann")
    found = brain.use({"alpha": 0.8})
    assert found == brain.defaults()
    assert found.own == {"alpha": 0.8}
    assert (found.settings["alpha"], found.settings["rrf_k"]) == (0.8, 60.0)
    assert (found.origin("alpha"), found.origin("rrf_k")) == ("stored by ann", "built-in")
    assert "Stored by ann on 20" in repr(found)
    assert "from settings given by hand." in repr(found)
    assert "stored by ann" in found._repr_html_()
    assert json.loads(json.dumps(found.to_dict()))["own"] == {"alpha": 0.8}
    assert brain.use(None).own == {}
    assert not (brain.folder / FILE).exists()
    assert brain.query("secret key").request.alpha == 0.5


def questions() -> brainkit.Dataset:
    rows = [
        {"query": f"{text} {n}", "source": name, "grade": 1}
        for n in range(8)
        for name, text in TEXTS.items()
    ]
    return brainkit.load_dataset(rows, name="mine")


def test_a_sweep_and_an_evaluation_say_what_speaks_for_them(brain: brainkit.Brain) -> None:
    tuned = brainkit.sweep(brain, questions(), "alpha", folds=2, progress=False)
    found = brain.use(tuned)
    assert found.own == {"alpha": tuned.best}
    assert found.stored is not None
    assert found.stored.told.startswith("a sweep of alpha on mine, 24 queries, in mode hybrid")
    assert "held-out queries (2 folds)" in found.stored.told
    assert tuned.held is not None
    assert found.stored.figures["held_out"]["gain"]["mean"] == tuned.held.gain.mean
    table = brainkit.evaluate(
        brain, questions(), {"a": {"mode": "bm25"}, "b": {"mode": "vector"}}, progress=False
    )
    assert brain.use(table.choice("b")).own == {"mode": "vector"}
    assert "over 'a', p = " in brain.defaults().summary()
    with pytest.raises(InvalidSetting, match=r"say which: evaluation.choice\('a'\)"):
        brain.use(table)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        ({"alhpa": 0.3}, InvalidRequest, "did you mean 'alpha'"),
        ({"alpha": 3}, InvalidRequest, "allowed is a number from 0 to 1"),
        ({"query": "x"}, InvalidSetting, "the settings are empty"),
        ({}, InvalidSetting, "give at least one"),
        (0.3, InvalidSetting, "is a float; give fields of a query"),
        (QueryRequest(query="x"), InvalidSetting, "the settings are empty"),
    ],
)
def test_what_cannot_be_a_default_is_refused_and_changes_nothing(
    brain: brainkit.Brain, config: Any, error: type[Exception], message: str
) -> None:
    brain.use(OWN)
    with pytest.raises(error, match=message):
        brain.use(config)
    assert brain.defaults().own == OWN


def test_they_survive_ingests_reopening_other_vectors_and_export(
    brain: brainkit.Brain, tmp_path: Path, word_vectors: Any
) -> None:
    brain.use(OWN)
    stored = brain.defaults().stored
    brain.ingest_texts([{"id": "new", "text": "A new text of a secret."}], progress=False)
    assert brain.defaults().stored == stored
    archive = brain.export(tmp_path / "x.zip")
    assert archive.read_bytes() == brain.export(tmp_path / "y.zip").read_bytes()
    with brainkit.import_brain(archive, tmp_path / "copy.brain", embedder=word_vectors) as copy:
        assert copy.defaults().stored == stored
        assert copy.export(tmp_path / "z.zip").read_bytes() == archive.read_bytes()

    def letters(texts: list[str]) -> list[list[float]]:
        return [[float(text.count(letter)) + 0.1 for letter in "aeiou"] for text in texts]

    assert not brain.defaults().stale
    brain.reembed(letters, progress=False)
    assert brain.defaults().stored == stored
    assert brain.defaults().stale
    assert "tune again" in brain.defaults().summary()
    folder = brain.folder
    brain.close()
    with brainkit.open(folder, embedder=letters) as again:
        assert again.query("secret").request.alpha == 0.8


def test_without_any_an_export_has_none(brain: brainkit.Brain, tmp_path: Path) -> None:
    before = brain.export(tmp_path / "x.zip").read_bytes()
    brain.use(OWN)
    assert brain.export(tmp_path / "x.zip").read_bytes() != before
    brain.use(None)
    assert brain.export(tmp_path / "x.zip").read_bytes() == before


def test_another_reader_has_them_at_the_next_question(
    brain: brainkit.Brain, word_vectors: Any
) -> None:
    """Two engines on one folder, as two kernels are."""
    from brainkit.brain import Brain
    from brainkit.engine import Engine

    with Brain(Engine(brain.folder, embedder=word_vectors)) as other:
        brain.use({"alpha": 0.9})
        assert other.query("secret key").request.alpha == 0.9
        other.use(None)
        assert brain.query("secret key").request.alpha == 0.5


def test_they_are_stored_by_the_one_writer(brain: brainkit.Brain) -> None:
    with WriterLock(Layout(brain.folder)), pytest.raises(BrainBusy, match="is being written"):
        brain.use(OWN)
    assert brain.defaults().own == {}


DAMAGED = {
    "no JSON": "{",
    "no object": "[1]",
    "nested too deep": "[" * 100_000,
    "too long": " " * 100_001,
    "no text": "\udcff",
    "a part missing": '{"settings": {}}',
    "an unknown part": '{"settings": {}, "told": "", "by": "", "when": "", "more": 1}',
    "an unknown field": '{"settings": {"alhpa": 1}, "told": "", "by": "", "when": ""}',
    "a number out of range": '{"settings": {"alpha": 7}, "told": "", "by": "", "when": ""}',
    "a query": '{"settings": {"query": "x"}, "told": "", "by": "", "when": ""}',
    "not a number": '{"settings": {"alpha": NaN}, "told": "", "by": "", "when": ""}',
    "figures that are none": '{"settings": {}, "told": "", "by": "", "when": "", "figures": 3}',
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_file_is_named_with_the_way_out_and_stops_nothing(
    brain: brainkit.Brain, case: str, tmp_path: Path
) -> None:
    path = brain.folder / FILE
    path.write_bytes(DAMAGED[case].encode("utf-8", "surrogateescape"))
    answer = brain.query("secret key")
    assert answer.request.alpha == 0.5
    assert answer.results
    (problem,) = [n.message for n in answer.response.notices if n.kind == "defaults-damaged"]
    assert problem.startswith(f"{path} cannot be used (")
    assert "delete it" in problem
    assert "Traceback" not in problem
    assert brain.defaults().problem == problem
    assert problem in repr(brain.defaults())
    assert problem in brain.check().faults
    with pytest.raises(InvalidSetting, match="cannot be used"):
        brain.export(tmp_path / "x.zip")
    brain.use({"alpha": 0.7})
    assert brain.query("secret key").request.alpha == 0.7
    assert brain.check()


def test_defaults_of_an_export_are_checked(brain: brainkit.Brain, tmp_path: Path) -> None:
    import hashlib
    import zipfile

    brain.use(OWN)
    archive = brain.export(tmp_path / "x.zip")
    with zipfile.ZipFile(archive) as given:
        members = {name: given.read(name) for name in given.namelist()}
    members[FILE] = members[FILE].replace(b"0.8", b"8.0")
    manifest = json.loads(members["manifest.json"])
    manifest["sha256"][FILE] = hashlib.sha256(members[FILE]).hexdigest()
    members["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as made:
        for name, data in members.items():
            made.writestr(name, data)
    with pytest.raises(InvalidExport, match="alpha=8"):
        brainkit.import_brain(tmp_path / "bad.zip", tmp_path / "copy.brain")


def test_an_empty_brain_has_defaults_too(tmp_path: Path, word_vectors: Any) -> None:
    with brainkit.open(tmp_path / "x.brain", embedder=word_vectors) as brain:
        assert isinstance(brain.use(OWN), Defaults)
        assert brain.defaults().own == OWN
    with brainkit.open(tmp_path / "x.brain", embedder=word_vectors) as brain:
        assert brain.defaults().own == OWN
