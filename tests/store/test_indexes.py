"""Every byte of an index file counts: nothing that was changed is ever opened."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brainkit.engine import Engine
from brainkit.store.indexes import KINDS
from brainkit.store.manifest import Manifest


@pytest.fixture(scope="module")
def generation(tmp_path_factory: pytest.TempPathFactory, word_vectors: Any) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("indexes") / "x.brain"
    engine = Engine(folder, embedder=word_vectors, settings={"exact_limit_chunks": 20})
    engine.ingest_texts(
        [{"id": str(i), "text": f"alpha w{i} key w{i % 7}"} for i in range(60)], progress=False
    )
    with engine.reading() as current:
        yield current.folder
    engine.close()


@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, name) for kind in KINDS for name in kind.files],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_200_flipped_bytes_are_each_noticed(kind: Any, name: str, generation: Path) -> None:
    manifest = Manifest.read(generation)
    good = (generation / name).read_bytes()
    chance = random.Random(5)
    try:
        for _ in range(200):
            bad = bytearray(good)
            bad[chance.randrange(len(good))] ^= chance.randrange(1, 256)
            (generation / name).write_bytes(bad)
            assert kind.fault(generation, manifest) == f"{name} does not match its hash"
        (generation / name).write_bytes(good[:-1])
        assert f"{name} has {len(good) - 1} bytes instead of {len(good)}" == kind.fault(
            generation, manifest
        )
        (generation / name).unlink()
        assert kind.fault(generation, manifest) == f"{name} is missing"
        (generation / name).mkdir()
        assert kind.fault(generation, manifest) is not None
        (generation / name).rmdir()
    finally:
        (generation / name).write_bytes(good)
    assert kind.fault(generation, manifest) is None


def test_flipped_bytes_of_the_manifest_are_each_noticed(generation: Path) -> None:
    """Only a blank for another blank changes nothing."""
    path, whole = generation / "manifest.json", Manifest.read(generation)
    good = path.read_bytes()
    chance = random.Random(6)
    try:
        for _ in range(200):
            bad = bytearray(good)
            bad[chance.randrange(len(good))] ^= chance.randrange(1, 256)
            path.write_bytes(bad)
            found = Manifest.read(generation)
            assert found is None or (found == whole and bad.split() == good.split())
    finally:
        path.write_bytes(good)


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"null", b"\xff", b'{"generation": 1}'])
def test_what_is_no_manifest_counts_as_none(content: bytes, tmp_path: Path) -> None:
    assert Manifest.read(tmp_path) is None
    (tmp_path / "manifest.json").write_bytes(content)
    assert Manifest.read(tmp_path) is None


def test_the_manifest_of_another_generation_counts_as_none(
    generation: Path, tmp_path: Path
) -> None:
    other = tmp_path / "gen-000099"
    other.mkdir()
    (other / "manifest.json").write_bytes((generation / "manifest.json").read_bytes())
    assert Manifest.read(generation) is not None
    assert Manifest.read(other) is None
