"""A notebook run from top to bottom for its report; the one on disk stays as it is."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from brainkit.errors import InvalidSetting, ReportFailed
from brainkit.markup import terminal
from brainkit.report.outputs import joined

if TYPE_CHECKING:
    from nbclient.exceptions import CellExecutionError

CELL_TIMEOUT_S: Final = 600.0
Progress = Callable[[int, int], None]
_SHOWN_LINES: Final = 8
_NO_START: Final = (RuntimeError, OSError, ValueError, LookupError, TypeError)
"""A kernel that ends at once or never answers, no program, and a description that is none."""


def executed(
    notebook: Mapping[str, Any],
    *,
    folder: Path,
    timeout_s: float = CELL_TIMEOUT_S,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Return a copy of a notebook with the outputs that its cells have now.

    folder : where it runs. timeout_s : seconds for one cell.
    progress : called with the number of the code cell, from 1, and how many there are.
    A cell tagged ``raises-exception`` may fail. Raises ReportFailed with an account of any other,
    of one that takes too long, and of a kernel that cannot be started or dies.
    """
    if timeout_s <= 0:
        raise InvalidSetting(f"timeout_s={timeout_s:g}; give more than 0 seconds for a cell.")
    from jupyter_client.kernelspec import NoSuchKernel
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    from nbformat import from_dict

    copied = copy.deepcopy(dict(notebook))
    fresh = from_dict(copied)  # type: ignore[no-untyped-call] # nbformat annotates in part
    cells = [at for at, cell in enumerate(fresh.cells) if _runs(cell)]
    at_cell = 0

    def starts(cell: Any, cell_index: int) -> None:
        nonlocal at_cell
        at_cell = cell_index
        if progress is not None and cell_index in cells:
            progress(cells.index(cell_index) + 1, len(cells))

    client = NotebookClient(
        fresh,
        timeout=timeout_s,
        resources={"metadata": {"path": str(folder)}},
        on_cell_execute=starts,
        record_timing=False,
    )
    try:
        # Started beforehand: where that fails, execute() would leave a traceback for the end of
        # the process. It is also execute() that ends the kernel.
        with client.setup_kernel(cleanup_kc=False):
            client.execute()
    except CellExecutionError as error:
        raise ReportFailed(_account(fresh, at_cell, _reason(error))) from None
    except CellTimeoutError:
        reason = f"It ran longer than {timeout_s:g} seconds, the time for one cell."
        raise ReportFailed(_account(fresh, at_cell, reason)) from None
    except DeadKernelError:
        reason = "The kernel ended while it ran, as it does when memory is used up."
        raise ReportFailed(_account(fresh, at_cell, reason)) from None
    except NoSuchKernel as error:
        raise ReportFailed(
            f"There is no kernel {error.name!r} here to run the notebook; install it, or open the "
            "notebook in JupyterLab, choose another, and save."
        ) from None
    except _NO_START as error:
        raise ReportFailed(
            f"The kernel {client.kernel_name!r} cannot run the notebook: {terminal(error)}. Try it "
            "in JupyterLab; `jupyter kernelspec list` says where its command stands, and for "
            "Python `python -m ipykernel install --user` writes it anew."
        ) from None
    return dict(fresh)


def _runs(cell: Mapping[str, Any]) -> bool:
    return cell.get("cell_type") == "code" and bool(joined(cell.get("source", "")).strip())


def _reason(error: CellExecutionError) -> str:
    return f"{error.ename}: {error.evalue}"


def _account(notebook: Any, at: int, reason: str) -> str:
    """Say which cell failed, where to find it, what it was and why it failed."""
    heading = next(
        (
            line.lstrip("# ").strip()
            for cell in reversed(notebook.cells[:at])
            if cell.cell_type == "markdown"
            for line in reversed(cell.source.split("\n"))
            if line.startswith("#")
        ),
        "",
    )
    lines = notebook.cells[at].source.split("\n")
    shown = [f"    {line}" for line in lines[:_SHOWN_LINES]]
    if len(lines) > _SHOWN_LINES:
        shown.append(f"    … {len(lines) - _SHOWN_LINES} more lines")
    under = f", under “{heading}”" if heading else ""
    return terminal(
        "\n".join(
            [
                f"Cell {at + 1} of {len(notebook.cells)} failed{under}, so no report was written:",
                *shown,
                reason,
            ]
        )
    )
