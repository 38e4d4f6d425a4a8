"""export, import and sql on the command line, and watch in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


def test_a_brain_goes_through_a_file_and_back(run: Run, filled: Path) -> None:
    out = json.loads(run("export", "one.zip", "--json").stdout)
    assert Path(out["path"]).stat().st_size == out["bytes"]
    made = run("import", "one.zip", "--brain", "copy.brain")
    assert made.exit_code == 0
    assert "chunks" in made.stderr
    assert run("export", "two.zip", "--brain", "copy.brain").exit_code == 0
    assert Path("one.zip").read_bytes() == Path("two.zip").read_bytes()


def test_a_file_that_is_no_export_is_a_mistake(run: Run, bare: Path) -> None:
    Path("no.zip").write_text("no")
    result = run("import", "no.zip", "--brain", "copy.brain")
    assert result.exit_code == 2
    assert "is no whole brainkit export" in result.stderr
    assert not Path("copy.brain").exists()


def test_sql_gives_a_table_or_json(run: Run, filled: Path) -> None:
    question = "select source_type, count(*) as n from files group by 1 order by 1"
    assert run("sql", question).stdout.split() == [
        "source_type",
        "n",
        "code",
        "1",
        "doc",
        "2",
        "test",
        "1",
    ]
    document = json.loads(run("sql", question, "--json").stdout)
    assert document["rows"][0] == {"source_type": "code", "n": 1}
    refused = run("sql", "drop table chunks")
    assert refused.exit_code == 2
    assert "read-only" in refused.stderr


@pytest.mark.parametrize(
    "table", ["chunks", "files", "roots", "vectors", "terms", "chunk_terms", "ranks", "meta"]
)
def test_all_of_any_table_is_json(run: Run, filled: Path, table: str) -> None:
    result = run("sql", f"select * from {table}", "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["rows"]
    assert all(list(row) == document["columns"] for row in document["rows"])


def test_values_that_json_lacks(run: Run, filled: Path) -> None:
    question = (
        "select 'az'::blob as bytes, {'a': ['z'::blob]} as nested, null::int as nothing, "
        "'nan'::double as nan, 170141183460469231731687303715884105727::hugeint as huge, "
        "1.5::decimal(4, 2) as exact, date '2020-01-02' as day, map {'k': 1} as pairs, "
        "'' as empty"
    )
    (row,) = json.loads(run("sql", question, "--json").stdout)["rows"]
    assert row == {
        "bytes": "617a",
        "nested": {"a": ["7a"]},
        "nothing": None,
        "nan": None,
        "huge": 2**127 - 1,
        "exact": 1.5,
        "day": "2020-01-02",
        "pairs": [["k", 1]],
        "empty": "",
    }
    for bad, reason in (
        ("select 1 as a, 2 as a", "name them apart with AS"),
        ("select date '99999-01-01' as a", "cast it to varchar"),
    ):
        refused = run("sql", bad, "--json")
        assert refused.exit_code == 2
        assert reason in json.loads(refused.stdout)["error"]["message"]


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT to another process")
def test_watch_takes_in_a_change_and_ends_on_ctrl_c(filled: Path) -> None:
    script = "from brainkit.cli import main; main(prog_name='brainkit')"
    with subprocess.Popen(
        [sys.executable, "-c", script, "watch", "data/sample"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert "Watching" in process.stderr.readline()
        Path("data", "sample", "new.md").write_text("A zebra is striped.\n")
        lines = iter(process.stdout.readline, "")
        assert any("sample/new.md" in line for line in lines)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
