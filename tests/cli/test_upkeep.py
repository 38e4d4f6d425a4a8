"""Info, check and remove."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

BRAINKIT = [sys.executable, "-c", "from brainkit.cli import main; main(prog_name='brainkit')"]


def sources(run: Any) -> int:
    return int(json.loads(run("info", "--json").stdout)["counts"]["sources"])


def read(terminal: int, *, until: bytes = b"") -> bytes:
    """What a process says on its terminal, up to some words or to its end."""
    said = b""
    while not until or until not in said:
        try:
            more = os.read(terminal, 1024)
        except OSError:  # how Linux says that the process closed it
            break
        if not more:
            break
        said += more
    return said


def test_info_says_the_same_to_people_and_programs(run: Any, reading: Path) -> None:
    document = json.loads(run("info", "--json").stdout)
    text = run("info").stdout
    assert document["counts"]["sources"] == 4
    assert f"{document['counts']['chunks']} chunks, 4 sources" in text
    assert document["embedder"] in text
    assert str(reading / "data" / "sample") in text


def test_check_of_a_whole_brain(run: Any, reading: Path) -> None:
    told, document = run("check"), run("check", "--json")
    assert told.exit_code == document.exit_code == 0
    assert "is whole" in told.stdout
    assert json.loads(document.stdout)["ok"] is True


@pytest.mark.parametrize("damaged", ["vectors.npy", "chunks.duckdb"])
def test_check_of_a_damaged_brain_names_the_fault(damaged: str, run: Any, filled: Path) -> None:
    (generation,) = (
        filled / "sample.brain" / (filled / "sample.brain" / "CURRENT").read_text().strip(),
    )
    path = generation / damaged
    path.write_bytes(b"not what it was" + path.read_bytes()[15:])
    told = run("check")
    assert told.exit_code == 1
    assert damaged in told.stdout
    assert "has 1 fault." in told.stdout


def test_remove_without_a_terminal_needs_yes(run: Any, filled: Path) -> None:
    refused = run("remove", "sample/shelf")
    assert refused.exit_code == 2
    assert "'sample/shelf' means 3 files with " in refused.stderr
    assert "add --yes" in refused.stderr
    assert sources(run) == 4
    document = json.loads(run("remove", "sample/shelf", "--yes", "--json").stdout)
    assert document["counts"] == {"removed": 3}
    assert sources(run) == 1
    assert (filled / "data" / "sample" / "shelf").is_dir()


def test_remove_names_the_nearest_before_it_asks(run: Any, reading: Path) -> None:
    result = run("remove", "smaple")
    assert result.exit_code == 2
    assert "did you mean 'sample'?" in result.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("typed", "code", "left"), [(b"y\n", 0, 0), (b"n\n", 1, 4), (b"\x04", 130, 4)]
)
def test_remove_asks_on_a_terminal(
    typed: bytes, code: int, left: int, run: Any, filled: Path
) -> None:
    import pty

    process, terminal = pty.fork()
    if process == 0:
        os.execv(BRAINKIT[0], [*BRAINKIT, "remove", "sample"])
    said = read(terminal, until=b"[y/N]")
    assert b"Remove sample (4 files with " in said
    os.write(terminal, typed)
    said = read(terminal)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == code, said
    assert b"Traceback" not in said
    assert sources(run) == left
