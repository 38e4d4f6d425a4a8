"""A file that is replaced while it is read: what is stored is one version, whole."""

from __future__ import annotations

import os
import threading
from hashlib import sha256
from pathlib import Path

from brainkit.ingest.load import Loaded, load
from brainkit.settings import Settings

VERSIONS = [f"version {name}\n" * 40_000 for name in ("one", "two, longer", "3")]
READS = 60


def test_text_and_hash_are_of_the_same_version(tmp_path: Path) -> None:
    path, stop = tmp_path / "a.txt", threading.Event()
    path.write_text(VERSIONS[0])

    def replace_for_ever() -> None:
        turn = 0
        while not stop.is_set():
            turn += 1
            fresh = tmp_path / "fresh"
            fresh.write_text(VERSIONS[turn % len(VERSIONS)])
            os.replace(fresh, path)

    replacing = threading.Thread(target=replace_for_ever)
    replacing.start()
    try:
        found = [load(path, relative="a.txt", settings=Settings()) for _ in range(READS)]
    finally:
        stop.set()
        replacing.join()
    texts = set()
    for one in found:
        assert isinstance(one, Loaded)
        assert one.text in VERSIONS
        assert one.sha256 == sha256(one.text.encode()).hexdigest()
        texts.add(one.text)
    assert len(texts) > 1, "the file was never replaced between two reads"
