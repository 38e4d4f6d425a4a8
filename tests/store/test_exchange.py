"""Export and import: equal answers, byte-equal second export, nothing half-read."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import brainkit
from brainkit import Brain
from brainkit.errors import InvalidExport, InvalidSetting, InvalidSQL, NotABrain
from brainkit.store import exported

Embedder = Callable[[list[str]], Any]
Tables = dict[str, pa.Table]


@pytest.fixture
def brain(tmp_path: Path, word_vectors: Embedder) -> Brain:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Sign\n\nA session is signed.\n\n# Key\n\nA key is secret.\n")
    (folder / "b.py").write_text("def sign(key):\n    return key\n")
    (folder / "empty.txt").write_text("")
    brain = brainkit.open(tmp_path / "a.brain", embedder=word_vectors)
    brain.ingest(folder, progress=False)
    brain.ingest_texts(
        [
            {"id": "r1", "title": "Tea", "text": "Green tea. A session of tea.", "year": 7},
            {"id": "r2", "text": "!!!"},  # no words, so a zero vector: refused
            {"id": "r3", "text": "Green tea. A session of tea."},
        ],
        progress=False,
    )
    brain.remove("r3")
    return brain


def answers(brain: Brain) -> list[Any]:
    return [
        [
            (r.chunk_id, r.score, r.source, r.text, r.metadata)
            for r in brain.query(q, mode=m).results
        ]
        for q in ("session", "sign key", "tea")
        for m in ("vector", "bm25", "hybrid", "multi")
    ]


def test_an_import_answers_as_the_original_and_exports_the_same_bytes(
    brain: Brain, tmp_path: Path, word_vectors: Embedder
) -> None:
    first = brain.export(tmp_path / "one.zip")
    other = brainkit.import_brain(first, tmp_path / "b.brain", embedder=word_vectors)
    assert answers(other) == answers(brain)
    assert other.check()
    assert other.info().counts == brain.info().counts | {"terms": other.info().counts["terms"]}
    second = other.export(tmp_path / "two.zip")
    assert second.read_bytes() == first.read_bytes()


def test_an_import_goes_on_with_the_same_folder(
    brain: Brain, tmp_path: Path, word_vectors: Embedder
) -> None:
    archive = brain.export(tmp_path / "one.zip")
    other = brainkit.import_brain(archive, tmp_path / "b.brain", embedder=word_vectors)
    report = other.ingest(tmp_path / "notes", progress=False)
    assert report.counts == {"unchanged": 2, "skipped": 1}


def test_a_damaged_export_is_refused_and_leaves_nothing(brain: Brain, tmp_path: Path) -> None:
    archive = brain.export(tmp_path / "one.zip")
    data = bytearray(archive.read_bytes())
    for name, damaged in {
        "cut": data[: len(data) // 2],
        "empty": b"",
        "text": b"not a zip",
        "flipped": data[:200] + bytes([data[200] ^ 255]) + data[201:],
    }.items():
        path = tmp_path / f"{name}.zip"
        path.write_bytes(bytes(damaged))
        with pytest.raises(InvalidExport, match="is no whole brainkit export"):
            brainkit.import_brain(path, tmp_path / "c.brain")
        assert not (tmp_path / "c.brain").exists()


def test_an_export_of_a_newer_format_says_so(brain: Brain, tmp_path: Path) -> None:
    archive, newer = brain.export(tmp_path / "one.zip"), tmp_path / "newer.zip"
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(newer, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b'"format": 2', b'"format": 99'))
    with pytest.raises(InvalidExport, match=r"format 99.*reads up to 2; upgrade brainkit"):
        brainkit.import_brain(newer, tmp_path / "c.brain")


def test_an_import_never_overwrites_a_brain(brain: Brain, tmp_path: Path) -> None:
    archive = brain.export(tmp_path / "one.zip")
    before = answers(brain)
    with pytest.raises(NotABrain, match="choose a new folder"):
        brainkit.import_brain(archive, brain.folder)
    assert answers(brain) == before


def forged(
    archive: Path,
    target: Path,
    change: Callable[[dict[str, Any], Tables], None],
) -> Path:
    """Write an export again with other content and hashes that match it."""
    with zipfile.ZipFile(archive) as old:
        manifest = json.loads(old.read("manifest.json"))
        tables = {name: pq.read_table(io.BytesIO(old.read(name))) for name in manifest["sha256"]}
    change(manifest, tables)
    with zipfile.ZipFile(target, "w") as new:
        manifest["sha256"] = {}
        for name, table in tables.items():
            buffer = io.BytesIO()
            pq.write_table(table, buffer)
            new.writestr(name, buffer.getvalue())
            manifest["sha256"][name] = hashlib.sha256(buffer.getvalue()).hexdigest()
        new.writestr("manifest.json", json.dumps(manifest))
    return target


def meta(part: str, **values: Any) -> Callable[[dict[str, Any], Tables], None]:
    return lambda manifest, _: manifest["meta"][part].update(values)


def column(
    table: str, name: str, value: Any, type_: pa.DataType | None = None
) -> Callable[[dict[str, Any], Tables], None]:
    """Put a value in the first row of a column."""

    def change(_: dict[str, Any], tables: Tables) -> None:
        old = tables[f"{table}.parquet"]
        values = [value, *old.column(name).to_pylist()[1:]]
        at = old.column_names.index(name)
        array = pa.array(values, type_ or old.schema.field(name).type)
        tables[f"{table}.parquet"] = old.set_column(at, name, array)

    return change


def vectors(scale: float) -> Callable[[dict[str, Any], Tables], None]:
    def change(_: dict[str, Any], tables: Tables) -> None:
        old = tables["vectors.parquet"]
        arrays = [[scale * x for x in row] for row in old.column("vector").to_pylist()]
        array = pa.array(arrays, old.schema.field("vector").type)
        tables["vectors.parquet"] = old.set_column(1, "vector", array)

    return change


def fact(**changes: Any) -> Callable[[dict[str, Any], Tables], None]:
    """Put other values in the facts of the first file."""
    plain = {"family": "prose", "module": "a", **changes}
    return column("facts", "facts", json.dumps(plain, separators=(",", ":")))


def edit(*values: str) -> Callable[[dict[str, Any], Tables], None]:
    def change(_: dict[str, Any], tables: Tables) -> None:
        schema = tables["entity_edits.parquet"].schema
        rows = [dict(zip(schema.names, values, strict=True))]
        tables["entity_edits.parquet"] = pa.Table.from_pylist(rows, schema)

    return change


def twice(table: str) -> Callable[[dict[str, Any], Tables], None]:
    def change(_: dict[str, Any], tables: Tables) -> None:
        old = tables[f"{table}.parquet"]
        tables[f"{table}.parquet"] = pa.concat_tables([old, old.slice(0, 1)])

    return change


FORGERIES: dict[str, tuple[Callable[[dict[str, Any], Tables], Any], str]] = {
    "no roots": (lambda _, t: t.pop("roots.parquet"), "it has no roots.parquet"),
    "no meta": (lambda m, _: m.pop("meta"), "meta is no JSON object"),
    "no settings": (lambda m, _: m["meta"].pop("settings"), "meta.settings is no JSON object"),
    "no setting": (
        lambda m, _: m["meta"]["settings"].pop("chunk_tokens"),
        "meta.settings has no chunk_tokens",
    ),
    "schema version": (
        lambda m, _: m["meta"].update(schema_version=99),
        "meta: schema_version does not belong there",
    ),
    "setting of another type": (
        meta("settings", chunk_tokens="x"),
        "chunk_tokens='x' is not of type int",
    ),
    "setting that is a switch": (
        meta("settings", chunk_tokens=True),
        "chunk_tokens=True is not of type int",
    ),
    "setting out of range": (meta("settings", chunk_tokens=1), "the least is 16"),
    "unknown setting": (meta("settings", colour=1), "colour does not belong there"),
    "unknown language": (meta("settings", analyzer_language="elvish"), "'elvish' is not one of"),
    "no embedder": (lambda m, _: m["meta"].pop("embedder"), "does not say whose"),
    "embedder without model": (lambda m, _: m["meta"]["embedder"].pop("model"), "has no model"),
    "unknown part of embedder": (meta("embedder", key="s"), "key does not belong there"),
    "dimension of another type": (meta("embedder", dim="3"), "dim='3' is not of type int"),
    "no dimension": (meta("embedder", dim=0), "dim=0 is not 1 to"),
    "no window": (meta("embedder", max_tokens=0), "max_tokens=0 is below 1"),
    "probes": (meta("embedder", probes=["x"]), "probes=.* is not of type"),
    "other dimension": (meta("embedder", dim=3), "vector has type fixed_size_list"),
    "metadata": (column("chunks", "metadata", "{"), "metadata that is no JSON"),
    "metadata list": (column("chunks", "metadata", "[]"), "metadata that is no JSON object"),
    "metadata NaN": (column("chunks", "metadata", '{"a": NaN}'), "NaN is not JSON"),
    "metadata surrogate": (column("chunks", "metadata", r'{"a": "\ud800"}'), "surrogates"),
    "metadata depth": (column("chunks", "metadata", "[" * 100_000), "metadata that is no JSON"),
    "source type": (column("files", "source_type", "evil"), "'evil' of 'notes/a.md' is not one of"),
    "source type of a chunk": (column("chunks", "source_type", "x"), "source_type='x'"),
    "line 0": (column("chunks", "start_line", 0), "has lines 0 to"),
    "end before start": (column("chunks", "end_line", -1), "has lines 1 to -1"),
    "tokens": (column("chunks", "tokens", -1), "has -1 tokens"),
    "text": (column("chunks", "text", "Other."), "another text than its content_hash"),
    "chunk id": (column("chunks", "chunk_id", "0" * 20), "the chunk ids of 'notes/a.md' do not"),
    "chunk of no file": (column("chunks", "source", "z"), "do not fit|is not among the files"),
    "null": (column("chunks", "context", None), "context has nulls"),
    "type": (column("chunks", "tokens", 1, pa.int64()), "tokens has type int64, not int32"),
    "column": (
        lambda _, t: t.update({"files.parquet": t["files.parquet"].drop_columns(["note"])}),
        "files.parquet has columns",
    ),
    "count": (column("files", "chunks", 7), "the counts of 'notes/a.md' do not fit"),
    "root": (column("files", "label", "x"), "of an unknown root 'x'"),
    "file twice": (twice("files"), "source 'notes/a.md' comes twice"),
    "chunk twice": (twice("chunks"), "do not fit"),
    "vector twice": (twice("vectors"), "chunk_id .* comes twice"),
    "vector of no chunk": (column("vectors", "chunk_id", "x"), "there is no chunk x"),
    "long vectors": (vectors(3.5), "has length 3.5, and must have 1"),
    "NaN vectors": (vectors(float("nan")), "has length nan"),
    "infinite vectors": (vectors(float("inf")), "has length (nan|inf)"),
    "zero vectors": (vectors(0.0), "has length 0"),
    "facts that are no JSON": (column("facts", "facts", "{"), "'notes/a.md' are no facts"),
    "facts of another form": (column("facts", "facts", '{"family": "c"}'), "another form"),
    "facts with more": (fact(colour=1), "not written as facts are"),
    "facts that are deep": (column("facts", "facts", "[" * 100_000), "of another form"),
    "surrogates": (fact(module="\ud800"), "not written as facts are|surrogates"),
    "module of another type": (fact(module=7), "7 is no text"),
    "entity in no chunk": (fact(named=[["", "A", "document", None, [9], []]]), "in chunk 9"),
    "entity in chunk -1": (fact(named=[["", "A", "document", None, [-1], []]]), "in chunk -1"),
    "weight": (fact(named=[["", "A", "document", None, [], [["b", 2]]]]), "the weight 2"),
    "kind of run": (fact(runs=[[0, 0, 1, "xA", 0]]), "of another form"),
    "run past the end": (fact(runs=[[0, 0, 10**9, "nA", 0]]), "0 to 1000000000 in"),
    "run at True": (fact(runs=[[0, True, 1, "nA", 0]]), "is no place|not written"),
    "scope": (fact(references=[["", "uses", [["x", "a"]], 0, 0, 0]]), "the scope 'x'"),
    "no predicate": (fact(references=[["", "", [], 0, 0, 0]]), "no predicate"),
    "binding": (fact(bindings={"a": ["file", None]}), "None is no text"),
    "triplet": (fact(triplets=[["a", "b", "c", "", "e", 0]]), "empty name"),
    "facts twice": (twice("facts"), "source 'notes/a.md' comes twice"),
    "facts of no file": (column("facts", "source", "z"), "'z' has no chunks"),
    "an edit of another kind": (edit("split", "a", "b"), "is no edit"),
    "an edit of nothing": (edit("merge", "", "b"), "is no edit"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_export_is_refused_and_leaves_nothing(
    name: str, brain: Brain, tmp_path: Path
) -> None:
    change, reason = FORGERIES[name]
    path = forged(brain.export(tmp_path / "one.zip"), tmp_path / "forged.zip", change)
    with (
        np.errstate(all="ignore"),
        pytest.raises(
            InvalidExport, match=f"forged.zip is no whole brainkit export .*(?:{reason})"
        ),
    ):
        brainkit.import_brain(path, tmp_path / "deep" / "c.brain")
    assert not (tmp_path / "deep").exists()


def test_vectors_of_another_type_are_refused(brain: Brain, tmp_path: Path) -> None:
    def change(_: dict[str, Any], tables: Tables) -> None:
        old = tables["vectors.parquet"]
        lists = pa.array(old.column("vector").to_pylist(), pa.list_(pa.float32()))
        tables["vectors.parquet"] = old.set_column(1, "vector", lists)

    path = forged(brain.export(tmp_path / "one.zip"), tmp_path / "forged.zip", change)
    with pytest.raises(InvalidExport, match="vector has type list"):
        brainkit.import_brain(path, tmp_path / "c.brain")


def test_vectors_almost_of_length_1_are_kept_as_they_are(
    brain: Brain, tmp_path: Path, word_vectors: Embedder
) -> None:
    path = forged(brain.export(tmp_path / "one.zip"), tmp_path / "near.zip", vectors(1.0005))
    other = brainkit.import_brain(path, tmp_path / "c.brain", embedder=word_vectors)
    again = other.export(tmp_path / "two.zip")
    with zipfile.ZipFile(path) as one, zipfile.ZipFile(again) as two:
        assert pq.read_table(io.BytesIO(one.read("vectors.parquet"))).equals(
            pq.read_table(io.BytesIO(two.read("vectors.parquet")))
        )


def test_sizes_are_bounded_packed_and_unpacked(
    brain: Brain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def grow(_: dict[str, Any], tables: Tables) -> None:
        labels = pa.array(["x" * 1000] * 3000)
        tables["roots.parquet"] = pa.table({"label": labels, "path": labels})

    archive = brain.export(tmp_path / "one.zip")
    bomb = forged(archive, tmp_path / "bomb.zip", grow)
    monkeypatch.setattr(exported, "BYTES_MAX", 100_000)
    assert bomb.stat().st_size < 100_000
    with pytest.raises(InvalidExport, match=r"roots.parquet unpacks to more than 100,000 bytes"):
        brainkit.import_brain(bomb, tmp_path / "c.brain")
    monkeypatch.setattr(exported, "BYTES_MAX", 100)
    with pytest.raises(InvalidExport, match=r"claims more than 100 bytes"):
        brainkit.import_brain(archive, tmp_path / "c.brain")
    with pytest.raises(InvalidExport, match=r"an export at most 100; copy the brain's folder"):
        brain.export(tmp_path / "two.zip")
    assert not (tmp_path / "c.brain").exists()


def test_a_target_that_cannot_be_written_is_named(brain: Brain, tmp_path: Path) -> None:
    with pytest.raises(InvalidSetting, match=r"missing is no folder; make it first"):
        brain.export(tmp_path / "missing" / "one.zip")
    with pytest.raises(InvalidSetting, match=f"{re.escape(str(tmp_path))} is a folder; give"):
        brain.export(tmp_path)


def test_an_export_that_cannot_be_written_leaves_the_old_one(brain: Brain, tmp_path: Path) -> None:
    archive = brain.export(tmp_path / "one.zip")
    before = archive.read_bytes()
    (tmp_path / "one.zip.part").mkdir()
    with pytest.raises(InvalidSetting, match=r"one.zip cannot be written"):
        brain.export(archive)
    assert archive.read_bytes() == before


def test_sql_refuses_columns_of_one_name_and_parameters_without_names(brain: Brain) -> None:
    with pytest.raises(InvalidSQL, match=r"columns are named a; name them apart with AS"):
        brain.sql("select 1 as a, 2 as b, 3 as a")
    with pytest.raises(InvalidSQL, match=r"parameters=\[1\] is no mapping; write \$name"):
        brain.sql("select ?", [1])
    frame = brain.sql("select content_hash from chunks limit 1")
    assert isinstance(frame["content_hash"][0], bytes)
    assert brain.sql_table("select 1 as a union all select null").to_pylist() == [
        {"a": 1},
        {"a": None},
    ]


def test_sql_reads_and_never_writes(brain: Brain, tmp_path: Path) -> None:
    frame = brain.sql("select source, count(*) as n from chunks group by 1 order by 1")
    assert dict(zip(frame["source"], frame["n"], strict=True)) == {
        "notes/a.md": 2,
        "notes/b.py": 1,
        "r1": 1,
        "r2": 1,
    }
    named = brain.sql("select text from chunks where source = $s", {"s": "r1"})
    assert named["text"].tolist() == ["Green tea. A session of tea."]
    for bad, reason in (
        ("select nothing from chunks", "nothing"),
        ("selec 1", "syntax error"),
        ("delete from chunks", "read-only"),
        ("create table x (a integer)", "read-only"),
        (f"select * from read_csv('{tmp_path / 'notes' / 'b.py'}')", "disabled"),
        (f"copy chunks to '{tmp_path / 'out.csv'}'", "disabled"),
        (f"attach '{tmp_path / 'x.db'}'", "disabled"),
        ("set enable_external_access = true", "configuration"),
        ("select 1 where 1 = $a", "a"),
    ):
        with pytest.raises(
            InvalidSQL, match=f"(?is){reason}.*tables: aliases, chunk_terms, chunks"
        ):
            brain.sql(bad)
    assert brain.check()


def test_all_chunks_come_as_a_frame_in_tie_order(brain: Brain) -> None:
    frame = brain.to_frame()
    assert frame["source"].tolist() == ["notes/a.md", "notes/a.md", "notes/b.py", "r1", "r2"]
    assert frame["start_line"].tolist()[:2] == [1, 5]
