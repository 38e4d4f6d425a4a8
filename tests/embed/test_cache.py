from __future__ import annotations

import dataclasses
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from brainkit.embed import Identity
from brainkit.embed.cache import EmbeddingCache
from brainkit.errors import EmbedderFailed
from brainkit.kept import content_hash

IDENTITY = Identity(provider="own", model="m", dim=4, revision="1")


def hashes(start: int, stop: int) -> list[bytes]:
    return [content_hash(f"text {number}") for number in range(start, stop)]


def vectors(start: int, stop: int, *, dim: int = 4) -> NDArray[np.float32]:
    """Row n holds n + 0, n + 0.1, n + 0.2, ... so that a mix-up shows."""
    rows = np.arange(start, stop)[:, np.newaxis] + np.arange(dim) / 10
    return rows.astype(np.float32)


def assert_kept(cache: EmbeddingCache, start: int, stop: int) -> None:
    found = cache.get_many(hashes(start, stop))
    assert len(found) == stop - start
    for digest, row in zip(hashes(start, stop), vectors(start, stop), strict=True):
        np.testing.assert_array_equal(found[digest], row)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[EmbeddingCache]:
    with EmbeddingCache(tmp_path / "embeddings", IDENTITY) as cache:
        yield cache


def test_the_hash_is_the_sha256_of_the_utf8() -> None:
    # From FIPS 180: sha256("abc")
    assert content_hash("abc").hex().startswith("ba7816bf8f01cfea414140de5dae2223")
    assert len(content_hash("")) == 32


@given(first=st.text(st.characters()), second=st.text(st.characters()))
def test_equal_hashes_mean_equal_texts(first: str, second: str) -> None:
    assert (content_hash(first) == content_hash(second)) == (first == second)


def test_lone_surrogates_have_hashes() -> None:
    assert content_hash("\ud800") != content_hash("\udfff") != content_hash("?")


def test_what_was_put_comes_back_bit_for_bit(cache: EmbeddingCache) -> None:
    odd = np.array([[np.nan, np.inf, -0.0, 1e-45]], np.float32)
    cache.put_many(hashes(0, 1), odd)
    got = cache.get_many(hashes(0, 1))[hashes(0, 1)[0]]
    assert got.tobytes() == odd.tobytes()
    assert got.dtype == np.float32


def test_only_known_hashes_are_answered_and_each_once(cache: EmbeddingCache) -> None:
    cache.put_many(hashes(0, 3), vectors(0, 3))
    found = cache.get_many(hashes(2, 5) + hashes(2, 3))
    assert list(found) == hashes(2, 3)
    assert cache.get_many([]) == {}


def test_more_hashes_than_one_question_may_hold(cache: EmbeddingCache) -> None:
    cache.put_many(hashes(0, 2500), vectors(0, 2500))
    assert_kept(cache, 0, 2500)
    assert cache.count == 2500


def test_nothing_is_written_before_the_first_vector(cache: EmbeddingCache) -> None:
    assert cache.get_many(hashes(0, 2)) == {}
    cache.put_many([], vectors(0, 0))
    assert (cache.count, cache.path.exists(), cache.note) == (0, False, None)
    assert not cache.path.parent.exists()
    cache.put_many(hashes(0, 2), vectors(0, 2))
    assert cache.count == 2
    assert cache.path.stat().st_size > 0


def test_it_outlives_its_object(cache: EmbeddingCache) -> None:
    cache.put_many(hashes(0, 2), vectors(0, 2))
    cache.close()
    cache.close()
    assert_kept(EmbeddingCache(cache.path.parent, IDENTITY), 0, 2)


def test_a_repeated_hash_takes_the_new_vector(cache: EmbeddingCache) -> None:
    cache.put_many(hashes(0, 2), vectors(10, 12))
    cache.put_many(hashes(0, 2), vectors(0, 2))
    assert_kept(cache, 0, 2)
    assert cache.count == 2


@pytest.mark.parametrize("field", ["model", "revision", "query_prefix"])
def test_two_identities_do_not_mix_even_at_equal_dimension(
    cache: EmbeddingCache, field: str
) -> None:
    cache.put_many(hashes(0, 2), vectors(0, 2))
    other = dataclasses.replace(IDENTITY, **{field: "other"})
    with EmbeddingCache(cache.path.parent, other) as second:
        assert second.get_many(hashes(0, 2)) == {}
        second.put_many(hashes(0, 2), vectors(5, 7))
    assert_kept(cache, 0, 2)
    assert len(list(cache.path.parent.glob("*.sqlite"))) == 2


@pytest.mark.parametrize("probes", [(0.9,), None])
def test_identities_that_only_their_probes_part_have_files_of_their_own(
    probes: tuple[float, ...] | None, tmp_path: Path
) -> None:
    """As two models under one name: a brain that goes to and fro pays for each once."""
    first, near = (dataclasses.replace(IDENTITY, probes=(p,)) for p in (0.5, 0.51))
    far = dataclasses.replace(IDENTITY, probes=probes)
    with EmbeddingCache(tmp_path, first) as cache:
        cache.put_many(hashes(0, 2), vectors(0, 2))
    with EmbeddingCache(tmp_path, far) as other:
        assert other.get_many(hashes(0, 2)) == {}
        other.put_many(hashes(0, 2), vectors(5, 7))
    with EmbeddingCache(tmp_path, near) as same:
        assert_kept(same, 0, 2)
    with EmbeddingCache(tmp_path, far) as again:
        np.testing.assert_array_equal(
            again.get_many(hashes(0, 1))[hashes(0, 1)[0]], vectors(5, 6)[0]
        )
        assert (again.count, again.note) == (2, None)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"{IDENTITY.digest}-2.sqlite", f"{IDENTITY.digest}.sqlite"]


def test_a_second_damaged_file_does_not_replace_the_first(cache: EmbeddingCache) -> None:
    for number in range(3):
        cache.close()
        cache.path.parent.mkdir(exist_ok=True)
        cache.path.write_text(f"not a database {number} " * 100)
        assert cache.get_many(hashes(0, 1)) == {}
    aside = sorted(cache.path.parent.glob("*.damaged*"))
    assert [path.suffix for path in aside] == [".damaged", ".damaged-2", ".damaged-3"]
    assert [path.read_text()[:16][-1] for path in aside] == ["0", "1", "2"]


def test_begin_makes_the_file_or_says_why_not(cache: EmbeddingCache, tmp_path: Path) -> None:
    assert cache.begin() is cache.fault is None
    assert cache.path.exists()
    (tmp_path / "file").write_text("in the way")
    with EmbeddingCache(tmp_path / "file", IDENTITY) as other:
        assert "cannot be written" in (other.begin() or "")
        assert other.fault == other.note


@pytest.mark.parametrize("shape", [(1, 4), (2, 3), (3, 4), (8,)])
def test_vectors_of_another_shape_are_refused(cache: EmbeddingCache, shape: tuple[int]) -> None:
    with pytest.raises(EmbedderFailed, match=r"for 2 texts; expected \(2, 4\)"):
        cache.put_many(hashes(0, 2), np.ones(shape, np.float32))
    assert cache.count == 0


def test_threads_share_it(cache: EmbeddingCache) -> None:
    def fill(start: int) -> None:
        for at in range(start, start + 50, 10):
            cache.put_many(hashes(at, at + 10), vectors(at, at + 10))
            assert_kept(cache, at, at + 10)

    threads = [threading.Thread(target=fill, args=[start]) for start in (0, 50, 100, 150)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert_kept(cache, 0, 200)


WRITER = """
import sys
import numpy as np
from brainkit.embed.base import Identity
from brainkit.embed.cache import EmbeddingCache
from brainkit.kept import content_hash

cache = EmbeddingCache(sys.argv[1], Identity(provider="own", model="m", dim=4, revision="1"))
at = int(sys.argv[2])
while True:
    rows = np.arange(at, at + 100)[:, np.newaxis] + np.arange(4) / 10
    cache.put_many([content_hash(f"text {n}") for n in range(at, at + 100)], rows)
    at += 100
    print(at, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_every_finished_batch_survives_a_kill(cache: EmbeddingCache, repository: Path) -> None:
    finished = 0
    for batches in (1, 2, 5, 12):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(cache.path.parent), str(finished)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=repository,
        )
        with writer:
            assert writer.stdout is not None
            for _ in range(batches):
                finished = int(writer.stdout.readline())
            writer.send_signal(signal.SIGKILL)
            finished = int((writer.stdout.read().split() or [finished])[-1])
        assert_kept(cache, 0, finished)
        assert cache.count % 100 == 0, "half a batch was kept"
        assert cache.note is None
        cache.close()


def overwrite(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def other_database(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE mine (dear TEXT)")
    connection.close()


def other_identity(path: Path) -> None:
    with EmbeddingCache(path.parent, dataclasses.replace(IDENTITY, model="n")) as other:
        other.put_many(hashes(0, 9), vectors(90, 99))
    shutil.copy(other.path, path)


def without_its_table(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE vectors")
    connection.close()


DAMAGE: dict[str, Callable[[Path], object]] = {
    "head": lambda path: overwrite(path, 0, b"\xff" * 200),
    "pages": lambda path: overwrite(path, 16384, os.urandom(path.stat().st_size - 16384)),
    "cut": lambda path: os.truncate(path, path.stat().st_size // 2 - 77),
    "text": lambda path: path.write_text("not a database " * 100),
    "other database": other_database,
    "other identity": other_identity,
    "no table": without_its_table,
}


@pytest.mark.parametrize("put_first", [False, True])
@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_or_foreign_file_is_set_aside(
    cache: EmbeddingCache, kind: str, put_first: bool
) -> None:
    cache.put_many(hashes(0, 300), vectors(0, 300))
    cache.close()
    DAMAGE[kind](cache.path)
    before = cache.path.read_bytes()
    if not put_first:
        assert cache.get_many(hashes(0, 300)) == {}
    cache.put_many(hashes(300, 310), vectors(300, 310))
    assert_kept(cache, 300, 310)
    assert cache.count == 10
    aside = cache.path.with_name(cache.path.name + ".damaged")
    assert aside.read_bytes() == before
    assert cache.note is not None
    assert "set aside" in cache.note
    assert str(aside) in cache.note


def test_a_flipped_bit_in_a_vector_is_noticed(cache: EmbeddingCache) -> None:
    cache.put_many(hashes(0, 3), vectors(0, 3))
    cache.close()
    at = cache.path.read_bytes().index(vectors(1, 2).tobytes())
    overwrite(cache.path, at + 2, b"\x81")
    assert list(cache.get_many(hashes(0, 3))) == [hashes(0, 3)[n] for n in (0, 2)]
    assert cache.note == "1 stored embeddings are damaged and will be computed again."
    cache.put_many(hashes(1, 2), vectors(1, 2))
    assert_kept(cache, 0, 3)


def test_a_vector_of_another_length_is_noticed(cache: EmbeddingCache) -> None:
    cache.put_many(hashes(0, 2), vectors(0, 2))
    cache.close()
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE vectors SET vector = x'00000000' WHERE hash = ?", hashes(0, 1))
    connection.close()
    assert list(cache.get_many(hashes(0, 2))) == hashes(1, 2)


@pytest.mark.parametrize("content", [b"", b"\x00"])
def test_a_file_from_before_the_first_transaction(cache: EmbeddingCache, content: bytes) -> None:
    cache.path.parent.mkdir()
    cache.path.write_bytes(content)
    assert cache.get_many(hashes(0, 1)) == {}
    cache.put_many(hashes(0, 1), vectors(0, 1))
    assert_kept(cache, 0, 1)


def test_where_no_folder_can_be_made_it_works_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with EmbeddingCache(tmp_path / "file" / "embeddings", IDENTITY) as cache:
        cache.put_many(hashes(0, 1), vectors(0, 1))
        cache.put_many(hashes(0, 1), vectors(0, 1))
        assert cache.get_many(hashes(0, 1)) == {}
        assert cache.count == 0
        assert cache.note is not None
        assert cache.note.count("New embeddings are not kept") == 1


FAILURES = {
    "database or disk is full": "PRAGMA max_page_count = 1",  # as small as it is now
    "the last row fails": f"""
        CREATE TRIGGER failing BEFORE INSERT ON vectors
        WHEN NEW.hash = x'{hashes(999, 1000)[0].hex()}'
        BEGIN SELECT RAISE(ABORT, 'the last row fails'); END
    """,
}


@pytest.mark.parametrize("reason", FAILURES)
def test_a_batch_that_cannot_be_written_leaves_nothing(cache: EmbeddingCache, reason: str) -> None:
    cache.put_many(hashes(0, 10), vectors(0, 10))
    cache._kept._connected().execute(FAILURES[reason])
    cache.put_many(hashes(10, 1000), vectors(10, 1000))
    assert cache.note is not None
    assert f"cannot be written ({reason})" in cache.note
    cache.close()
    assert cache.count == 10
    assert_kept(cache, 0, 10)


READER = """
import os, sys
import numpy as np
from brainkit.embed.base import Identity
from brainkit.embed.cache import EmbeddingCache
from brainkit.kept import content_hash

if os.geteuid() == 0:
    os.setuid(65534)  # permissions do not bind root
cache = EmbeddingCache(sys.argv[1], Identity(provider="own", model="m", dim=4, revision="1"))
known, new = content_hash("text 0"), content_hash("new")
before = sorted(cache.get_many([known, new]))
cache.put_many([new], np.ones((1, 4), np.float32))
print(before == [known], sorted(cache.get_many([known, new])) == [known], cache.note)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_a_read_only_folder_is_read(repository: Path) -> None:
    # Not under tmp_path, whose parents only its owner may enter.
    with tempfile.TemporaryDirectory() as folder:
        with EmbeddingCache(folder, IDENTITY) as cache:
            cache.put_many(hashes(0, 1), vectors(0, 1))
        cache.path.chmod(0o444)
        Path(folder).chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", READER, folder],
            capture_output=True,
            text=True,
            cwd=repository,
            check=False,
        )
        Path(folder).chmod(0o755)
    assert done.stderr == ""
    assert done.stdout.startswith("True True New embeddings are not kept, because ")
    assert "cannot be written (attempt to write a readonly database)" in done.stdout
