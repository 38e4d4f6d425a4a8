"""Any sequence of edits, of files and of entities, ends in the graph of a fresh ingest."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from brainkit.engine import Engine
from brainkit.errors import InvalidEdit, NoSuchEntity
from brainkit.extract.graph import Edit
from brainkit.ingest import edits


def _edits_of_files() -> ModuleType:
    """test_edits.py as a module: tests are in no package from which they could import."""
    path = Path(__file__).with_name("test_edits.py")
    spec = importlib.util.spec_from_file_location("engine_test_edits", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


files = _edits_of_files()
LINES = (
    "# Session Store", "## Green Tea", "# Key", "Green Tea is older than Black Tea.",
    "The Session Store keeps what Green Tea needs.", "See [the key](b.md) and `sign`.",
    "**Rotation**: a new key every day", "class Key:", "    def turn(self):",
    "        return sign(self)", "def sign(session):", "    return Key()", "import m", "",
    "from m import Key", "日本語のテキスト", "Black Tea and Green Tea", "MAX_AGE = 7",
)  # fmt: skip
ENTITIES = (
    "Green Tea", "Black Tea", "Session Store", "Key", "m.key", "sign", "a.md", "Rotation", "m",
)  # fmt: skip

text = st.lists(st.sampled_from(LINES), min_size=1, max_size=14).map("\n".join)
entity = st.sampled_from(ENTITIES)
steps = st.one_of(
    files.edits,
    st.tuples(st.just("write"), files.root, files.name, text.map(str.encode)),
    st.tuples(st.just("write"), files.root, files.name, text.map(str.encode)),
    st.tuples(st.just("upsert"), st.dictionaries(st.sampled_from(files.IDS), text, min_size=1)),
    st.tuples(st.just("merge"), entity, entity),
    st.tuples(st.just("alias"), entity, st.sampled_from(("Sencha", "the cache", "Key"))),
    st.tuples(st.just("unmerge"), entity, entity),
)


class World(files.World):  # type: ignore[name-defined, misc]
    """A brain whose entities are merged and named too, where they are known."""

    def merge(self, name: str, other: str) -> None:
        with suppress(NoSuchEntity, InvalidEdit):
            self.engine.merge_entities(name, other, progress=False)

    def alias(self, name: str, other: str) -> None:
        with suppress(NoSuchEntity):
            self.engine.alias(name, other, progress=False)

    def unmerge(self, name: str, other: str) -> None:
        with suppress(InvalidEdit):
            self.engine.unmerge(name, other, progress=False)


def rows_of(engine: Engine, query: str) -> list[dict[str, Any]]:
    with engine.reading() as generation:
        rows: list[dict[str, Any]] = generation.chunks.table(query).to_pylist()
    return rows


def said(engine: Engine) -> list[Edit]:
    rows = rows_of(engine, "select kind, name, other from entity_edits order by ord")
    return [Edit(**row) for row in rows]


def graph_of(engine: Engine) -> dict[str, list[Any]]:
    """All tables of the graph, chunks by their stable ids."""
    queries = {
        "entities": "select * from entities order by id",
        "aliases": "select * from aliases order by entity, name",
        "relations": "select * from relations order by id",
        "support": "select * exclude (key) from support join "
        "(select key, chunk_id from chunks) using (key) order by all",
        "mentions": "select * exclude (key) from mentions join "
        "(select key, chunk_id from chunks) using (key) order by all",
        "merges": "select * from merges order by all",
    }
    return {name: rows_of(engine, query) for name, query in queries.items()}


def assert_same_graph(one: Engine, other: Engine) -> None:
    assert graph_of(one) == graph_of(other)
    with one.reading() as edited, other.reading() as fresh:
        assert edited.graph.equals(fresh.graph)
        assert edited.graph.reason is fresh.graph.reason is None
        assert edited.faults() == fresh.faults() == []


@pytest.fixture(scope="module")
def fresh_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    return lambda: tmp_path_factory.mktemp("graph-edits")


@pytest.mark.slow
@pytest.mark.timeout(600)
@given(steps=st.lists(steps, min_size=3, max_size=14))
@settings(max_examples=15, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_edits_end_in_the_graph_of_a_fresh_ingest(
    steps: list[tuple[Any, ...]], fresh_folder: Callable[[], Path], word_vectors: Any
) -> None:
    home = fresh_folder()
    edited = Engine(home / "edited.brain", embedder=word_vectors)
    fresh = Engine(home / "fresh.brain", embedder=word_vectors)
    try:
        world = World(home, edited)
        for step in steps:
            world.apply(*step)
        world.settle()
        for label in sorted(world.inside, reverse=True):  # in another order than it was first in
            fresh.ingest(world.places[label], progress=False)
        rows = [{"id": i, "text": t, "title": "alpha"} for i, t in sorted(world.records.items())]
        fresh.ingest_texts(rows, progress=False)
        with fresh.reading() as base:
            edits.apply(fresh.layout, base, lambda _: said(edited), exact_limit=100, progress=False)
        assert_same_graph(edited, fresh)
    finally:
        edited.close()
        fresh.close()
        shutil.rmtree(home)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "tea.md").write_text("# Green Tea\n\nGreen Tea is older than Black Tea.\n")
    (folder / "sencha.md").write_text("# Sencha\n\nSencha is steamed. Black Tea is not.\n")
    return folder


@pytest.fixture
def engine(tmp_path: Path, word_vectors: Any) -> Iterator[Engine]:
    engine = Engine(tmp_path / "x.brain", embedder=word_vectors)
    yield engine
    engine.close()


def meant(engine: Engine, key: str) -> list[str]:
    """Names of the entities that a name means."""
    with engine.reading() as generation:
        return [generation.graph.names[entity] for entity, _, _ in generation.graph.named(key)]


def test_a_merge_is_one_entity_under_both_names_until_taken_back(
    engine: Engine, notes: Path
) -> None:
    engine.ingest(notes, progress=False)
    before = graph_of(engine)
    engine.merge_entities("Sencha", "green tea", progress=False)
    assert meant(engine, "sencha") == meant(engine, "greentea") == ["Green Tea"]
    with engine.reading() as generation:
        (entity, _, _), *_ = generation.graph.named("sencha")
        assert len(set(generation.graph.chunks_of(entity).rows.tolist())) == 2
    merged = rows_of(engine, "select names from merges where reason = 'merged by hand'")
    assert [sorted(row["names"]) for row in merged] == [["Green Tea", "Sencha"]]
    engine.unmerge("sencha", "Green Tea", progress=False)
    assert graph_of(engine) == before


def test_edits_survive_change_rename_and_removal_of_what_they_name(
    engine: Engine, notes: Path
) -> None:
    engine.ingest(notes, progress=False)
    engine.merge_entities("Sencha", "Green Tea", progress=False)
    engine.alias("Black Tea", "The Fermented One", progress=False)
    (notes / "tea.md").rename(notes / "old-tea.md")
    (notes / "sencha.md").write_text("# Sencha\n\nSencha is grown in the sun. Black Tea is not.\n")
    engine.ingest(notes, progress=False)
    assert meant(engine, "sencha") == ["Green Tea"]
    assert meant(engine, "thefermentedone") == ["Black Tea"]
    engine.remove("notes/old-tea.md")
    assert meant(engine, "sencha") == ["Sencha"], "there is no green tea to be one with"
    engine.remove("notes")
    assert meant(engine, "sencha") == []
    (notes / "old-tea.md").rename(notes / "tea.md")
    engine.ingest(notes, progress=False)
    assert meant(engine, "sencha") == ["Green Tea"], "the edits waited"
    assert meant(engine, "thefermentedone") == ["Black Tea"]


def test_edits_follow_a_file_to_its_new_name(engine: Engine, notes: Path) -> None:
    """Where the file is part of the key: symbols of its module, and one title among several."""
    (notes / "src").mkdir()
    (notes / "src" / "m.py").write_text("class Key:\n    def turn(self):\n        return 1\n")
    (notes / "copy.md").write_text("# Green Tea\n\nAnother text.\n")
    engine.ingest(notes, progress=False)
    engine.alias("m.Key.turn", "Rotation", progress=False)
    engine.alias("greentea@notes/copy.md", "Ryokucha", progress=False)
    assert (said(engine)[0].name, said(engine)[1].name) == ("m.key.turn", "greentea@notes/copy.md")
    (notes / "src" / "m.py").rename(notes / "src" / "keys.py")
    (notes / "copy.md").rename(notes / "other.md")
    engine.ingest(notes, progress=False)
    assert meant(engine, "rotation") == ["keys.Key.turn"]
    (entity,) = rows_of(engine, "select entity from aliases where name = 'Ryokucha'")
    where = rows_of(
        engine,
        f"select source from mentions join chunks using (key) where role = 'about' "
        f"and entity = {entity['entity']}",
    )
    assert where == [{"source": "notes/other.md"}]


def test_a_homonym_that_is_left_alone_keeps_what_was_said_of_it(
    engine: Engine, notes: Path
) -> None:
    (notes / "copy.md").write_text("# Green Tea\n\nAnother text.\n")
    engine.ingest(notes, progress=False)
    with pytest.raises(NoSuchEntity, match=r"may mean 2 entities; give the key of one: greentea@"):
        engine.alias("Green Tea", "Ryokucha", progress=False)
    engine.alias("greentea@notes/copy.md", "Ryokucha", progress=False)
    engine.remove("notes/tea.md")
    assert meant(engine, "ryokucha") == ["Green Tea"]


def test_what_cannot_be_said_of_entities_is_named(engine: Engine, notes: Path) -> None:
    engine.ingest(notes, progress=False)
    with pytest.raises(NoSuchEntity, match=r"named 'Sensha'; did you mean 'Sencha'\?"):
        engine.merge_entities("Sensha", "Green Tea", progress=False)
    with pytest.raises(InvalidEdit, match="one entity already"):
        engine.merge_entities("SENCHA", "sencha", progress=False)
    with pytest.raises(InvalidEdit, match="no letter or digit"):
        engine.alias("Sencha", " ** ", progress=False)
    engine.merge_entities("Sencha", "Green Tea", progress=False)
    with pytest.raises(InvalidEdit, match=r"merges: sencha into greentea"):
        engine.unmerge("Black Tea", "Green Tea", progress=False)
    generations = engine.layout.generations()
    assert engine.layout.current() == generations[-1]
    assert list(engine.layout.folder.glob("*.part")) == []


def test_an_edit_keeps_every_chunk_and_vector(engine: Engine, notes: Path) -> None:
    """Only the graph is made again."""
    engine.ingest(notes, progress=False)
    tables = ("chunks", "chunk_terms", "terms", "vectors", "files", "facts", "ranks")
    before = {table: rows_of(engine, f"select * from {table} order by all") for table in tables}
    engine.alias("Sencha", "Asatsuyu", progress=False)
    for table, rows in before.items():
        assert rows_of(engine, f"select * from {table} order by all") == rows
