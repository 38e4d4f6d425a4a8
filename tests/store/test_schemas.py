"""Brains of an older schema, and facts and graphs of other versions."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from brainkit.engine import Engine
from brainkit.errors import NoSuchEntity
from brainkit.extract.graph import GRAPH_VERSION
from brainkit.models import QueryRequest
from brainkit.store import facts, graph_tables
from brainkit.store.manifest import Manifest

GRAPH_TABLES = (*graph_tables.RESOLVED, "facts", "entity_edits")
LONG = "Session Store keeps Green Tea. " * 400  # one line, cut into parts of it
RECORDS = [
    {"id": "r1", "title": "Green Tea", "text": "Green Tea is older than Black Tea.\n\nSencha."},
    {"id": "r2", "text": LONG, "columns": [1, 2]},
    {"id": "r3", "text": "Black Tea.\n\n" + "\n\n".join(f"Green Tea no {i}." for i in range(200))},
]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "tea.md").write_text("# Green Tea\n\nGreen Tea is older than Black Tea.\n")
    (folder / "m.py").write_text("class Key:\n    def turn(self):\n        return Key()\n")
    return folder


@pytest.fixture
def fresh(tmp_path: Path, notes: Path, word_vectors: Any) -> Iterator[Engine]:
    """What a brain that was made now holds."""
    engine = Engine(tmp_path / "fresh.brain", embedder=word_vectors)
    engine.ingest(notes, progress=False)
    engine.ingest_texts(RECORDS, progress=False)
    yield engine
    engine.close()


@pytest.fixture
def old(tmp_path: Path, fresh: Engine, word_vectors: Any) -> Iterator[Engine]:
    """The same as brainkit 0.1.0 left it: schema 1, without a graph."""
    folder = tmp_path / "old.brain"
    shutil.copytree(fresh.layout.folder, folder)
    generation = folder / fresh.layout.current()
    with duckdb.connect(str(generation / "chunks.duckdb")) as connection:
        for table in GRAPH_TABLES:
            connection.execute(f"drop table {table}")
        connection.execute("delete from meta where name = 'graph'")
        connection.execute("update meta set value = '1' where name = 'schema_version'")
        connection.execute(
            "update meta set value = ? where name = 'reading'", [json.dumps({"notes": "of then"})]
        )
    shutil.rmtree(generation / "graph")
    manifest = Manifest.read(generation)
    assert manifest is not None
    manifest.files = {n: v for n, v in manifest.files.items() if not n.startswith("graph/")}
    manifest.add(generation, "chunks.duckdb")
    manifest.write(generation)
    engine = Engine(folder, embedder=word_vectors)
    yield engine
    engine.close()


def answers(engine: Engine) -> list[tuple[str, float]]:
    requests = [QueryRequest(query="green tea", mode=mode) for mode in ("bm25", "vector", "hybrid")]
    return [(r.chunk_id, r.score) for q in requests for r in engine.search(q).results]


def told(engine: Engine) -> dict[str, str | None]:
    with engine.reading() as generation:
        return generation.chunks.facts()


def test_an_older_brain_answers_and_is_whole(old: Engine, fresh: Engine) -> None:
    assert answers(old) == answers(fresh) != []
    before = sorted(path.name for path in old.layout.folder.rglob("*"))
    with old.reading() as generation:
        assert generation.graph.size == 0
        assert generation.graph.reason == "this brain was made before graphs; ingest again."
        assert generation.graph.named("greentea") == ()
        assert generation.graph.entities_in(0).entities.tolist() == []
        assert generation.graph.to_igraph().vcount() == 0
        assert generation.faults() == []
        assert generation.notices == []
    assert before == sorted(path.name for path in old.layout.folder.rglob("*"))


def test_the_next_write_brings_it_up_to_date(old: Engine, fresh: Engine, notes: Path) -> None:
    """Records from the chunks that are stored, files by the next ingest of their folder."""
    plan = old.ingest(notes, dry_run=True, progress=False)
    assert plan.counts == {"unchanged": 2}
    assert old.layout.current() == fresh.layout.current(), "a plan writes nothing"
    old.remove("r3")
    fresh.remove("r3")
    records = {source: text for source, text in told(fresh).items() if source.startswith("r")}
    assert told(old) == records != {}
    with old.reading() as generation:
        assert generation.graph.size > 0
        assert generation.graph.reason == "notes: ingested before graphs, so not in the graph; " + (
            "ingest again."
        )
        assert generation.faults() == []
    report = old.ingest(notes, progress=False)
    assert report.counts == {"unchanged": 2}
    assert report.generation is not None
    assert told(old) == told(fresh)
    with old.reading() as one, fresh.reading() as other:
        assert one.graph.equals(other.graph)
        assert one.graph.reason is None
        assert one.faults() == []
    assert old.ingest(notes, progress=False).generation is None


def test_records_say_the_same_from_their_stored_chunks(old: Engine, fresh: Engine) -> None:
    """Also where a line was cut, or where a field is called as the store's own."""
    chunks = old.sql("select source, count(*) as n from chunks group by 1").set_index("source")["n"]
    assert chunks["r2"] > 1
    assert chunks["r3"] > 1
    old.ingest_texts([{"id": "r4", "text": "more"}], progress=False)
    then, now = told(old), told(fresh)
    for id_ in ("r1", "r2", "r3"):
        assert then[id_] == now[id_] is not None


def test_an_older_brain_says_why_it_knows_no_entity(old: Engine) -> None:
    """The merge is a write, so it reads records first; of files it can know nothing yet."""
    with pytest.raises(NoSuchEntity, match=r"named 'm.key'.*notes: ingested before graphs"):
        old.merge_entities("m.key", "Green Tea", progress=False)


def test_facts_of_another_version_are_read_again(
    fresh: Engine, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = told(fresh)
    with monkeypatch.context() as patch:
        patch.setattr(facts, "FACTS_VERSION", 0)
        patch.setattr(facts, "_MADE_BY", {"facts": 0, "rules": GRAPH_VERSION})
        fresh.ingest_texts([{"id": "r4", "text": "more"}], progress=False)
    fresh.remove("r4")
    assert told(fresh) == {source: text for source, text in before.items() if source[0] == "r"}
    fresh.ingest(notes, progress=False)
    assert told(fresh) == before
    with fresh.reading() as generation:
        assert generation.graph.reason is None


def test_the_graph_is_resolved_only_where_facts_edits_or_rules_differ(
    fresh: Engine, notes: Path, word_vectors: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from brainkit.extract import resolve

    resolved: list[int] = []

    def counted(sources: Any, edits: Any) -> Any:
        resolved.append(1)
        return plain(sources, edits)

    plain = resolve.resolve
    monkeypatch.setattr(resolve, "resolve", counted)
    with fresh.reading() as generation:
        before = generation.graph
        fresh.reembed(word_vectors, progress=False)
        (notes / "empty.txt").write_text("")
        assert fresh.ingest(notes, progress=False).generation is not None
        assert resolved == [], "neither vectors nor a file without chunks say anything"
    with fresh.reading() as generation:
        assert generation.graph.equals(before)
    fresh.alias("Black Tea", "Kocha", progress=False)
    assert len(resolved) == 1
    fresh.remove("r3")
    assert len(resolved) == 2
    monkeypatch.setattr(facts, "_MADE_BY", {**facts._MADE_BY, "rules": GRAPH_VERSION + 1})
    fresh.reembed(word_vectors, progress=False)
    assert len(resolved) == 3


def test_a_file_whose_extractor_fails_keeps_its_chunks_and_says_so(
    fresh: Engine, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(text: str, **_: Any) -> Any:
        if "Oolong" in text:
            raise RecursionError("a secret of the file")
        return plain(text, **_)

    from brainkit.ingest import one_file

    plain = one_file.facts_of
    monkeypatch.setattr(one_file, "facts_of", failing)
    (notes / "oolong.md").write_text("# Oolong\n\nHalf fermented.\n")
    report = fresh.ingest(notes, progress=False)
    (row,) = [row for row in report.files if row.status == "added"]
    assert row.chunks == 1
    assert row.detail == "not in the graph: the markdown extractor failed (RecursionError)"
    assert fresh.search(QueryRequest(query="oolong", mode="bm25")).results
    assert told(fresh)["notes/oolong.md"] is None
    with fresh.reading() as generation:
        assert generation.graph.named("oolong") == ()
        assert generation.graph.reason is None, "reading it again would not help"
        assert generation.faults() == []
    assert fresh.ingest(notes, progress=False).generation is None
