"""Notebooks of every version of the format, and some that never were notebooks."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import nbformat
import pytest

from brainkit.errors import InvalidSetting
from brainkit.ingest.formats import Document
from brainkit.ingest.formats.jupyter import CELL_CHARS_MAX, CELLS_MAX
from brainkit.ingest.pieces import Piece
from brainkit.settings import Settings, from_environment

Reader = Callable[..., Document]
Refusal = Callable[..., str]
Cutter = Callable[..., list[Piece]]


def cell(kind: str, source: str | list[str], **more: Any) -> dict[str, Any]:
    return {"cell_type": kind, "source": source, "metadata": {}, **more}


def notebook(*cells: dict[str, Any], **metadata: Any) -> str:
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


def test_cells_and_the_headings_around_them(document: Reader, cut: Cutter) -> None:
    found = document(
        notebook(
            cell("markdown", ["# Owls\n", "\n", "They hunt."]),
            cell("code", "def hoot():\n    return 1"),
            cell("code", ""),
            cell("markdown", "still owls\n\n## Nests\n\nhigh"),
            cell("raw", "as it is"),
            cell("markdown", "last of nests\n\n# Kites\n\nfly"),
            cell("code", "%%bash\nls"),
            title="Birds",
        ),
        "a.ipynb",
    )
    assert found.extracted.text == (
        "# Owls\n\nThey hunt.\n\ndef hoot():\n    return 1\n\nstill owls\n\n## Nests\n\nhigh\n\n"
        "as it is\n\nlast of nests\n\n# Kites\n\nfly\n\n%%bash\nls"
    )
    rows = []
    for piece in cut(found):
        assert piece.metadata["title"] == "Birds"
        facts = [piece.metadata.get(k) for k in ("cell", "cell_type", "language", "heading_path")]
        rows.append((piece.start_line, piece.end_line, piece.context, *facts))
    assert rows == [
        (1, 3, "", 1, "markdown", None, ["Owls"]),
        (5, 6, "Owls", 2, "code", "python", ["Owls"]),
        (8, 8, "Owls", 4, "markdown", None, ["Owls"]),
        (10, 12, "Owls", 4, "markdown", None, ["Owls", "Nests"]),
        (14, 14, "Owls > Nests", 5, "raw", None, ["Owls", "Nests"]),
        (16, 16, "Owls > Nests", 6, "markdown", None, ["Owls", "Nests"]),
        (18, 20, "", 6, "markdown", None, ["Kites"]),
        (22, 23, "Kites", 7, "code", "shell", ["Kites"]),
    ]


def test_ipython_lines_do_not_spoil_the_parse(document: Reader, cut: Cutter) -> None:
    source = "%matplotlib inline\nimport os\n!ls -l\n\ndef f():\n    %time g()\n    return 1\nf?"
    pieces = cut(document(notebook(cell("code", source)), "a.ipynb"))
    assert pieces[0].metadata["imports"] == ["os"]
    assert [p.metadata.get("symbol_name") for p in pieces] == [None, "f", None]
    assert pieces[1].text == "def f():\n    %time g()\n    return 1"


def test_outputs_only_on_request_and_only_their_text(document: Reader, cut: Cutter) -> None:
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["printed\n", "twice\n"]},
        {"output_type": "display_data", "data": {"image/png": "aGk=", "text/html": "<b>x</b>"}},
        {"output_type": "execute_result", "data": {"text/plain": "42", "text/html": "<b>42</b>"}},
        {"output_type": "stream", "text": "\x1b[31mred\x1b[0m" + "\nline" * 4_000},
        {"output_type": "error", "traceback": ["long"]},
        "odd",
    ]
    made = notebook(cell("code", "f()", outputs=outputs))
    assert document(made, "a.ipynb").extracted.text == "f()"
    found = document(made, "a.ipynb", Settings(notebook_outputs=True))
    text = found.extracted.text
    assert text.startswith("f()\n\nprinted\ntwice\n\n42\n\nred\nline\nline")
    assert text.endswith("line\n[the rest of 20,003 characters left out]")  # 3 + 4,000 x 5
    assert len(text) < 10_100
    assert {p.metadata["cell_type"] for p in cut(found)} == {"code", "output"}
    assert {p.metadata["cell"] for p in cut(found)} == {1}


@pytest.mark.parametrize(("given", "on"), [("1", True), ("Yes", True), ("false", False)])
def test_outputs_can_be_asked_for_in_the_environment(
    monkeypatch: pytest.MonkeyPatch, given: str, on: bool
) -> None:
    monkeypatch.setenv("BRAINKIT_NOTEBOOK_OUTPUTS", given)
    assert from_environment().notebook_outputs is on


def test_a_switch_is_on_or_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAINKIT_NOTEBOOK_OUTPUTS", "maybe")
    with pytest.raises(InvalidSetting, match="'maybe' is not one of 1, true, yes, 0, false, no"):
        from_environment()


def test_pictures_are_dropped(document: Reader) -> None:
    picture = "data:image/png;base64," + "iVBORw0KGgo" * 5_000
    made = notebook(
        cell("markdown", f"before ![x]({picture}) after", attachments={"a.png": {"image/png": "x"}})
    )
    assert (
        document(made, "a.ipynb").extracted.text == "before ![x](data:image/png;base64,...) after"
    )


@pytest.mark.parametrize(
    "made",
    [
        {"cells": [{"cell_type": "text", "text": "# T"}, {"cell_type": "code", "code": "a\nb"}]},
        {
            "nbformat": 2,
            "worksheets": [
                {
                    "cells": [
                        {"cell_type": "markdown", "source": ["# T"]},
                        {"cell_type": "code", "language": "python", "input": ["a", "b"]},
                    ]
                }
            ],
        },
        {
            "nbformat": 3,
            "worksheets": [
                {"cells": [{"cell_type": "heading", "level": 1, "source": ["T"]}]},
                {"cells": [{"cell_type": "code", "language": "python", "input": ["a\n", "b"]}]},
            ],
        },
        {"nbformat": 4, "cells": [cell("markdown", "# T"), cell("code", ["a\n", "b"])]},
    ],
    ids=["1", "2", "3", "4"],
)
def test_versions(document: Reader, cut: Cutter, made: dict[str, Any]) -> None:
    found = document(json.dumps(made), "a.ipynb")
    assert found.extracted.text == "# T\n\na\nb"
    first, second = cut(found)
    assert first.metadata == {"cell": 1, "cell_type": "markdown", "heading_path": ["T"]}
    assert (second.metadata["cell"], second.metadata["language"]) == (2, "python")


def test_notebooks_of_nbformat_itself(document: Reader, cut: Cutter) -> None:
    """Their test notebooks are in the source package; a wheel may leave them out."""
    folder = Path(str(files(nbformat))).parent / "tests"
    paths = sorted(folder.glob("*.ipynb")) or sorted(Path(str(files(nbformat))).rglob("*.ipynb"))
    if not paths:
        pytest.skip("this nbformat was installed without its test notebooks")
    for path in paths:
        text = path.read_text(encoding="utf-8")
        upgraded = _upgraded(text)
        if upgraded is None:
            continue
        found = document(text, path.name)
        cut(found)
        assert _sources(found) == upgraded


def _upgraded(text: str) -> dict[int, str] | None:
    logging.getLogger("nbformat").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = nbformat.reads(text, as_version=4)
        except (nbformat.ValidationError, AttributeError, KeyError):
            return None
    sources = {i: one.get("source", "") for i, one in enumerate(made.cells, start=1)}
    return {i: source.strip() for i, source in sources.items() if source.strip()} or None


def _sources(found: Document) -> dict[int, str]:
    lines = found.extracted.text.split("\n")
    held: dict[int, list[str]] = {}
    for section in found.extracted.sections:
        rows = lines[section.start_line - 1 : section.end_line]
        held.setdefault(section.metadata["cell"], []).extend(rows)
    return {number: "\n".join(rows).strip() for number, rows in held.items()}


@pytest.mark.parametrize("version", [3, 4])
def test_old_versions_read_as_nbformat_upgrades_them(document: Reader, version: int) -> None:
    if version == 3:
        v = nbformat.v3
        cells = [
            v.new_heading_cell("Title", level=2),
            v.new_text_cell("markdown", source="one\ntwo"),
            v.new_code_cell(input="def f():\n    pass\n\nf()"),
            v.new_text_cell("raw", source="raw"),
        ]
        made = v.new_notebook(worksheets=[v.new_worksheet(cells=cells)])
    else:
        v = nbformat.v4
        made = v.new_notebook(cells=[v.new_markdown_cell("one\ntwo"), v.new_code_cell("x\ny\n")])
    text = json.dumps(made)
    assert _sources(document(text, "a.ipynb")) == _upgraded(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "a broken notebook, not JSON: Expecting property name"),
        ("<html>", "a broken notebook, not JSON: Expecting value"),
        ('{"cells": [' + "[" * 100_000, "a notebook nested too deeply to be read"),
        ('{"cells": [' + "9" * 10_000, "a broken notebook, not JSON: Exceeds the limit"),
        ("[]", "a JSON file without the cells of a notebook"),
        ('{"cells": {}}', "a JSON file without the cells of a notebook"),
        ('{"worksheets": [3, {"cells": 4}]}', "no cell with text"),
        ('{"cells": [1, null, "x", {}, {"cell_type": "code", "source": 3}]}', "no cell with text"),
    ],
)
def test_what_is_no_notebook_has_a_reason(refused: Refusal, text: str, reason: str) -> None:
    assert refused(text, "a.ipynb").startswith(reason)


def test_odd_values_are_passed_over(document: Reader) -> None:
    made = {
        "cells": [
            {"cell_type": ["x"], "source": ["a\n", None, 3, "b"], "outputs": {}},
            {"cell_type": "heading", "level": "high", "source": "H", "metadata": 1},
            {"cell_type": "code", "source": "\ud83d\x00", "language": 4},
        ],
        "metadata": [],
    }
    found = document(json.dumps(made), "a.ipynb", Settings(notebook_outputs=True))
    assert found.extracted.text == "a\nb\n\n# H\n\n\ufffd\ufffd"


def test_limits_are_named_where_they_are_met(document: Reader) -> None:
    made = notebook(
        cell("code", "kept"),
        cell("code", "x" * 30_000),
        cell("markdown", "line\n" * (CELL_CHARS_MAX // 5 + 1)),
        *[cell("code", "1")] * CELLS_MAX,
    )
    found = document(made, "a.ipynb")
    assert found.note == (
        "left out: code of cell 2 (a line of 30,000 characters (the limit is 20,000, "
        "max_line_chars): minified or data), markdown of cell 3 (1,000,005 characters; the limit "
        "is 1,000,000), 3 of 10,003 cells (the limit is 10,000)"
    )
    assert len(found.extracted.sections) == CELLS_MAX - 2
