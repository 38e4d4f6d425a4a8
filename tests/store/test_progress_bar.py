"""DuckDB draws a progress bar where it takes its user for a person; brainkit has its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

AT_THE_PROMPT = """
import sys
from pathlib import Path
from brainkit.store import database
connection = database.{name}(Path(sys.argv[1]))
found = connection.execute(
    "select current_setting('enable_progress_bar'), current_setting('lock_configuration')"
).fetchall()
assert found == [(False, True)], found
"""


def test_a_connection_that_writes_draws_no_bar_of_its_own(repository: Path, tmp_path: Path) -> None:
    """``python -c`` is the prompt to DuckDB, as a notebook is."""
    for name in ("create", "open_to_write"):
        done = subprocess.run(
            [sys.executable, "-c", AT_THE_PROMPT.format(name=name), str(tmp_path / "x.duckdb")],
            env={"PYTHONPATH": str(repository), "PATH": ""},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
