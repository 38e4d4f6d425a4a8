"""Notebooks as reports: the one way from a notebook to a file."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brainkit.errors import InvalidReport, InvalidSetting
from brainkit.markup import size
from brainkit.report.notebook import CODE, Code, notebook_body, taken_in, title_of
from brainkit.report.page import page_html
from brainkit.report.run import CELL_TIMEOUT_S, Progress, executed
from brainkit.report.scrub import Scrubber
from brainkit.store.layout import resolved, write_whole

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Exported:
    """A report that was written; ``warnings`` say what was taken out of it, and where."""

    file: Path
    bytes: int
    warnings: tuple[str, ...]

    @property
    def size(self) -> str:
        """Its size for people."""
        return size(self.bytes)


def export_html(
    notebook: str | os.PathLike[str],
    output: str | os.PathLike[str] | None = None,
    *,
    title: str = "",
    author: str = "",
    code: Code = "show",
    execute: bool = False,
    timeout_s: float = CELL_TIMEOUT_S,
) -> Path:
    """Write a notebook as one HTML file in which its views are live, and return where it is.

    The file needs no network and no kernel. Secrets are taken out of it, and a warning is logged
    for each kind, and for every picture that is left out.

    output : by default beside the notebook, with ``.html``. An existing file is replaced.
    code : ``show``, ``fold`` behind a line that opens it, or ``hide``.
    execute : run the notebook first, in its folder; it stays as it is on disk.
    timeout_s : seconds for one cell.
    Raises InvalidReport for a file that is no notebook, ReportFailed naming the cell that failed.
    """
    done = export(
        notebook, output, title=title, author=author, code=code, execute=execute,
        timeout_s=timeout_s,
    )  # fmt: skip
    for warning in done.warnings:
        log.warning("%s: %s", done.file.name, warning)
    return done.file


def export(
    notebook: str | os.PathLike[str],
    output: str | os.PathLike[str] | None,
    *,
    title: str,
    author: str,
    code: Code,
    execute: bool,
    timeout_s: float,
    progress: Progress | None = None,
) -> Exported:
    """Do what ``export_html`` says, with its warnings as data.

    progress : called with (code cell, code cells) before each one is run.
    """
    if code not in CODE:
        raise InvalidSetting(f"code={code!r} is not one of {', '.join(CODE)}.")
    source = resolved(notebook, refuse=InvalidReport)
    target = (
        source.with_suffix(".html") if output is None else resolved(output, refuse=InvalidSetting)
    )
    if target == source:
        raise InvalidSetting(f"{target} is the notebook itself; give another file for the report.")
    read = read_notebook(source)
    if execute:
        read = executed(read, folder=source.parent, timeout_s=timeout_s, progress=progress)
    page, warnings = report_html(
        read, title=title, author=author, code=code, folder=source.parent, otherwise=source.stem
    )
    save(page, target)
    return Exported(target, len(page.encode()), tuple(warnings))


def report_html(
    notebook: Mapping[str, Any],
    *,
    title: str = "",
    author: str = "",
    code: Code = "show",
    folder: Path | None = None,
    otherwise: str = "Report",
) -> tuple[str, list[str]]:
    """Return a notebook's report, and what its reader and its author should know was left out.

    otherwise : its title if the notebook has none.
    """
    scrub = Scrubber(
        [notebook.get("cells"), notebook.get("metadata"), title, author], folder=folder
    )
    held = taken_in(notebook, scrub)
    body = notebook_body(held, scrub, code=code, folder=folder)
    return page_html(body, title=title or title_of(held, otherwise=otherwise), author=author)


def read_notebook(path: Path) -> dict[str, Any]:
    """Read a notebook of any version as one of version 4. Raises InvalidReport."""
    import nbformat

    try:
        text = path.read_text("utf-8")
        # nbformat annotates in part
        notebook = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
    except OSError as error:
        raise InvalidReport(f"{path} cannot be read: {error.strerror}.") from None
    except Exception as error:  # noqa: BLE001 - nbformat promises no class for what is no notebook
        first = str(error).partition("\n")[0][:200]
        raise InvalidReport(f"{path} is no notebook: {first}") from None
    return dict(notebook)


def save(page: str, target: Path) -> None:
    """Write a page whole or not at all. Raises InvalidSetting if it cannot be written."""
    if target.is_dir():
        raise InvalidSetting(f"{target} is a folder and cannot be written; give a file in it.")
    try:
        write_whole(target, page.encode("utf-8"))
    except OSError as error:
        raise InvalidSetting(f"{target} cannot be written: {error.strerror}.") from None
