"""A chat model reads relations as part of an ingest, from a server that also misbehaves."""

from __future__ import annotations

import _thread
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import brainkit
from brainkit import Endpoint, ModelExtractor
from brainkit.errors import EndpointUnavailable, InvalidSetting, NoSuchEntity
from brainkit.hosted import Price

Serve = Callable[..., Any]
KEY = "ghp_" + "q8Zr4mT1xK" "c7Vb2NwE5y" "Ls9Gd3HfJ6" "pAoU0i"  # fmt: skip
STATED = re.compile(r"(\w+) (powers|feeds) (\w+)\.")


def asked_text(request: dict[str, Any]) -> str:
    return str(request["messages"][-1]["content"])


@pytest.fixture
def well(loopback: ModuleType) -> Callable[[str, dict[str, Any], int], Any]:
    """Answers with every "X powers Y." and "X feeds Y." of the text."""

    def answer(path: str, request: dict[str, Any], nth: int) -> Any:
        rows = [
            {
                "subject": subject,
                "subject_kind": "product",
                "predicate": predicate,
                "object": object_,
                "object_kind": "product",
            }
            for subject, predicate, object_ in STATED.findall(asked_text(request))
        ]
        return loopback.completion(json.dumps({"triplets": rows}))

    return answer


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Three files of one chunk each; what they say, no rule of prose reads."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for n in range(3):
        (folder / f"n{n}.md").write_text(f"engine{n} powers wheel{n}.\n")
    return folder


@pytest.fixture
def brain(tmp_path: Path, word_vectors: Any) -> Iterator[brainkit.Brain]:
    with brainkit.open(tmp_path / "x.brain", embedder=word_vectors) as opened:
        yield opened


def reader(server: Any, **options: Any) -> ModelExtractor:
    endpoint = Endpoint(base_url=server.base_url, retries=0, timeout_seconds=5)
    given = {"concurrency": 1, "relation_types": ("powers", "feeds"), "price": Price(1, 5)}
    return ModelExtractor(endpoint=endpoint, **{**given, **options})


def read_relations(brain: brainkit.Brain) -> list[str]:
    """Every relation with one of the model's predicates, as the graph holds it."""
    rows = brain.graph().relations.query("predicate in ('powers', 'feeds')")
    return [f"{row.subject} {row.predicate} {row.object}" for row in rows.itertuples()]


def statuses(report: Any) -> dict[str, str]:
    return {row.source: row.status for row in report.files}


def test_what_the_model_read_is_in_the_graph_with_its_chunk(
    brain: brainkit.Brain, notes: Path, serve: Serve, well: Any
) -> None:
    server = serve(well)
    report = brain.ingest(notes, extract=reader(server), progress=False)
    assert read_relations(brain) == [f"engine{n} powers wheel{n}" for n in range(3)]
    path = brain.path("engine1", "wheel1")
    assert path.line() == "engine1 -> powers -> wheel1"
    assert path.hops[0].evidence.place == "notes/n1.md:1"
    assert path.hops[0].evidence.sentence == "engine1 powers wheel1."
    # 3 calls of 100 tokens read and 20 written, at 1 and 5 dollars a million
    assert report.notes == (
        f"gpt-4.1-mini at {server.base_url} read 3 chunks: 3 relations; 300 tokens in, 60 out, "
        "$0.0006.",
    )
    assert (report.estimate.chunks, report.estimate.kept) == (3, 0)
    assert "read" in report.seconds
    assert brain.check()


def test_a_plan_says_what_it_would_cost_and_sends_and_writes_nothing(
    brain: brainkit.Brain, notes: Path, serve: Serve, well: Any
) -> None:
    server = serve(well)
    plan = brain.plan(notes, extract=reader(server), progress=False)
    estimate = plan.estimate
    assert (estimate.chunks, estimate.kept, estimate.tokens_written) == (3, 0, 3 * 150)
    assert estimate.cost == pytest.approx((estimate.tokens_read * 1 + 450 * 5) / 1e6)
    assert "3 chunks to read: about" in plan.notes[0]
    assert json.loads(json.dumps(plan.to_dict()))["estimate"]["chunks"] == 3
    assert server.requests == []
    assert not (brain.folder / "relations").exists()
    brain.ingest(notes, extract=reader(server), progress=False)
    assert brain.plan(notes, extract=reader(server), progress=False).estimate.chunks == 0
    assert len(server.requests) == 3


def test_files_that_are_in_the_brain_already_are_read_too_and_only_once(
    brain: brainkit.Brain, notes: Path, serve: Serve, well: Any
) -> None:
    server = serve(well)
    brain.ingest(notes, progress=False)
    assert read_relations(brain) == []
    report = brain.ingest(notes, extract=reader(server), progress=False)
    assert set(statuses(report).values()) == {"unchanged"}
    assert report.generation is not None
    assert len(read_relations(brain)) == 3
    (notes / "n1.md").write_text("engine1 feeds wheel1.\n")
    again = brain.ingest(notes, extract=reader(server), progress=False)
    assert len(server.requests) == 4
    assert "read 1 chunk (and 2 before): 3 relations" in again.notes[0]
    assert "engine1 feeds wheel1" in read_relations(brain)
    assert brain.ingest(notes, extract=reader(server), progress=False).generation is None


def test_what_was_read_stays_with_its_text_when_an_ingest_reads_nothing(
    brain: brainkit.Brain, notes: Path, serve: Serve, well: Any, tmp_path: Path
) -> None:
    brain.ingest(notes, extract=reader(serve(well)), progress=False)
    (notes / "n0.md").rename(notes / "renamed.md")
    (notes / "n1.md").write_text("Nothing of the kind.\n")
    (notes / "brainkit.toml").write_text(
        '[types]\nrules = [{ paths = ["n2.md"], type = "test" }]\n'
    )
    report = brain.ingest(notes, progress=False)
    assert statuses(report)["notes/renamed.md"] == "renamed"
    assert read_relations(brain) == ["engine0 powers wheel0", "engine2 powers wheel2"]
    brain.export(tmp_path / "x.zip")
    with brainkit.import_brain(tmp_path / "x.zip", tmp_path / "y.brain") as copy:
        assert read_relations(copy) == read_relations(brain)


def test_records_are_read_as_well(brain: brainkit.Brain, serve: Serve, well: Any) -> None:
    rows = [{"id": "r", "title": "Engines", "text": "engine9 feeds wheel9."}]
    server = serve(well)
    brain.ingest_texts(rows, extract=reader(server), progress=False)
    assert read_relations(brain) == ["engine9 feeds wheel9"]
    assert asked_text(server.requests[0][1]) == "Engines\nengine9 feeds wheel9."


def test_one_bad_chunk_is_reported_and_read_by_the_next_run(
    brain: brainkit.Brain, notes: Path, serve: Serve, well: Any, loopback: ModuleType
) -> None:
    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        if "engine0" in asked_text(request):
            return loopback.completion("Sure! Here you are")
        if "engine1" in asked_text(request):
            return loopback.error(500, "down")
        return well(path, request, nth)

    server = serve(script)
    report = brain.ingest(notes, extract=reader(server), progress=False)
    assert read_relations(brain) == ["engine2 powers wheel2"]
    assert {row.status for row in report.files} == {"added"}
    assert report.notes[1] == (
        "2 chunks could not be read (1 x the reply is not the JSON asked for; 1 x HTTP 500: down); "
        "the next ingest with extract= tries again."
    )
    server.script = well
    brain.ingest(notes, extract=reader(server), progress=False)
    assert len(read_relations(brain)) == 3
    assert len(server.requests) == 3 + 2


def test_relations_outside_the_rules_are_counted(
    brain: brainkit.Brain, notes: Path, serve: Serve, well: Any
) -> None:
    (notes / "n0.md").write_text("engine0 powers wheel0. engine0 feeds wheel0.\n")
    extractor = reader(serve(well), relation_types=("powers",))
    report = brain.ingest(notes, extract=extractor, progress=False)
    assert report.notes[1].startswith("Dropped 1 relation: ")
    assert len(read_relations(brain)) == 3


def test_without_a_usable_server_nothing_changes(
    brain: brainkit.Brain, notes: Path, serve: Serve, loopback: ModuleType
) -> None:
    server = serve(lambda path, request, nth: loopback.error(401, "no"))
    before = brain.info().generation
    with pytest.raises(EndpointUnavailable, match="check OPENAI_API_KEY"):
        brain.ingest(notes, extract=reader(server), progress=False)
    with pytest.raises(EndpointUnavailable, match="OPENAI_API_KEY is not set"):
        brain.ingest(notes, extract="llm", progress=False)
    assert brain.info().generation == before


def test_a_cap_ends_the_reading_and_not_the_ingest(
    brain: brainkit.Brain, notes: Path, serve: Serve, well: Any
) -> None:
    server = serve(well)
    # After one chunk of 120 tokens a second one fits into 240, a third does not.
    report = brain.ingest(notes, extract=reader(server, max_tokens=240), progress=False)
    assert len(read_relations(brain)) == 2
    assert report.notes[1] == (
        "Reading stopped early: max_tokens=240 would be passed. 1 chunk left; the next ingest with "
        "extract= goes on there."
    )
    assert brain.info().counts["chunks"] == 3
    brain.ingest(notes, extract=reader(server, max_tokens=240), progress=False)
    assert len(read_relations(brain)) == 3
    assert len(server.requests) == 3


def test_ctrl_c_keeps_what_is_done(
    brain: brainkit.Brain, notes: Path, serve: Serve, well: Any
) -> None:
    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        if nth == 3:
            _thread.interrupt_main()
        return well(path, request, nth)

    server = serve(script)
    with pytest.raises(KeyboardInterrupt):
        brain.ingest(notes, extract=reader(server), progress=False)
    assert brain.info().counts["chunks"] == 0
    server.script = well
    report = brain.ingest(notes, extract=reader(server), progress=False)
    assert (report.estimate.chunks, report.estimate.kept) == (1, 2)
    assert len(read_relations(brain)) == 3


@pytest.mark.parametrize("ingested_before", [True, False])
def test_files_that_look_like_holding_secrets_are_sent_only_if_told(
    brain: brainkit.Brain, notes: Path, serve: Serve, well: Any, ingested_before: bool
) -> None:
    (notes / "n1.md").write_text(f"engine1 powers wheel1.\n\ntoken = '{KEY}'\n")
    server = serve(well)
    if ingested_before:
        brain.ingest(notes, progress=False)
    report = brain.ingest(notes, extract=reader(server), progress=False)
    assert len(server.requests) == 2
    assert KEY not in json.dumps([body for _, body, _ in server.requests])
    assert f"goes to {server.base_url}; send_secrets=True" in report.notes[0]
    assert read_relations(brain) == ["engine0 powers wheel0", "engine2 powers wheel2"]
    brain.ingest(notes, extract=reader(server), send_secrets=True, progress=False)
    assert KEY in json.dumps(server.requests[-1][1])
    assert len(read_relations(brain)) == 3
    brain.ingest(notes, extract=reader(server), progress=False)
    assert len(read_relations(brain)) == 3, "what was read before is not forgotten"


def test_new_secrets_that_are_sent_are_said_to_be(
    brain: brainkit.Brain, notes: Path, serve: Serve, well: Any
) -> None:
    (notes / "n1.md").write_text(f"token = '{KEY}'\n")
    server = serve(well)
    report = brain.ingest(notes, extract=reader(server), send_secrets=True, progress=False)
    assert f"Sent to {server.base_url}, as send_secrets=True asks." in report.notes[0]


def test_the_key_is_nowhere_in_the_brain(
    brain: brainkit.Brain,
    notes: Path,
    serve: Serve,
    well: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    secret = "sk-test-0123456789abcdef"
    monkeypatch.setenv("OPENAI_API_KEY", secret)
    server = serve(well)
    report = brain.ingest(notes, extract=reader(server), progress=False)
    assert server.requests[0][2]["authorization"] == f"Bearer {secret}"
    held = [file for file in brain.folder.rglob("*") if file.is_file()]
    assert any(file.suffix == ".sqlite" for file in held)
    assert not any(secret.encode() in file.read_bytes() for file in held)
    assert secret not in json.dumps(report.to_dict())


def test_what_may_be_given_is_said(brain: brainkit.Brain, notes: Path) -> None:
    with pytest.raises(InvalidSetting, match="'llm', a ModelExtractor, None"):
        brain.ingest(notes, extract="gpt", progress=False)  # type: ignore[arg-type]
    with pytest.raises(NoSuchEntity):
        brain.path("engine0", "wheel0")
