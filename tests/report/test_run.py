"""A notebook that cannot be run says why, and what to do; never by a traceback."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

import brainkit
from brainkit.cli import main
from brainkit.errors import ReportFailed


@pytest.fixture
def book(make: ModuleType, tmp_path: Path) -> Path:
    kernel = {"name": "odd", "display_name": "Odd", "language": "python"}
    file = tmp_path / "book.ipynb"
    cell = make.code_cell(source="print(1)")
    file.write_text(json.dumps(make.notebook(cell, kernelspec=kernel)), "utf-8")
    return file


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        (None, "There is no kernel 'odd' here to run the notebook; install it, or open"),
        ({"argv": ["/no/such/program", "-f", "{connection_file}"]}, "No such file or directory"),
        ({"argv": [sys.executable, "-c", "raise SystemExit(3)"]}, "died|ended"),
        ({"argv": [str(Path(__file__))]}, "Permission denied"),
        ({"argv": []}, "cannot run the notebook"),
        ("{", "cannot run the notebook"),
    ],
)
def test_a_kernel_that_cannot_be_started(
    spec: object, reason: str, book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if spec is not None:
        folder = tmp_path / "jupyter" / "kernels" / "odd"
        folder.mkdir(parents=True)
        named = {"display_name": "Odd", "language": "python"}
        text = spec if isinstance(spec, str) else json.dumps({**named, **spec})  # type: ignore[dict-item]
        (folder / "kernel.json").write_text(text, "utf-8")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    with pytest.raises(ReportFailed, match=reason) as failed:
        brainkit.export_html(book, execute=True)
    assert "'odd'" in str(failed.value)
    assert re.search(r"JupyterLab", str(failed.value))
    assert not book.with_suffix(".html").exists()
    done = CliRunner().invoke(main, ["report", str(book), "--execute"])
    assert done.exit_code == 2
    assert "Traceback" not in done.output


def test_a_kernel_that_ends_names_its_cell(make: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "book.ipynb"
    cells = ("# A", make.code_cell(source="import os\nos._exit(1)"))
    file.write_text(json.dumps(make.notebook(*cells)), "utf-8")
    with pytest.raises(ReportFailed, match="Cell 2 of 2 failed, under “A”") as failed:
        brainkit.export_html(file, execute=True)
    assert "The kernel ended while it ran" in str(failed.value)
