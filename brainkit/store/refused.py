"""What to tell when the operating system refuses a write: what happened, and what to do."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import Final

from brainkit.errors import BrainNotWritten, BrainReadOnly

_FULL: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
_FORBIDDEN: Final = frozenset((errno.EACCES, errno.EPERM, errno.EROFS))
_GONE: Final = frozenset((errno.ENOENT, errno.ENOTDIR, errno.ESTALE))
_SHORT: Final = "only a part of it was written"


def refused(folder: Path, error: Exception) -> BrainNotWritten | BrainReadOnly:
    """Return the error to raise for what the system, or DuckDB for it, said of a write.

    For writes that leave a brain as it was when they fail.
    """
    number, reason = _number(error), told(error)
    if number in _FORBIDDEN:
        return BrainReadOnly(
            f"{folder} cannot be written ({reason}), so nothing was changed. Queries work all the "
            "same; to change it, copy it to a folder of yours, or get the right to write here."
        )
    if number in _GONE:
        return BrainNotWritten(gone(folder))
    if number in _FULL or reason == _SHORT:
        return BrainNotWritten(
            f"{folder} could not be written to the end ({reason}; {_free(folder)}), so nothing was "
            "changed and it answers as before. Make room, or raise the limit, and try again."
        )
    return BrainNotWritten(
        f"{folder} could not be written ({reason}), so nothing was changed and it answers as "
        "before. Try again; if that happens again, copy it to another disk."
    )


def gone(folder: Path) -> str:
    """Return the message about a brain that is no longer where it was opened."""
    return (
        f"{folder} is not there any more: it was moved, renamed or deleted, or another took its "
        "place. Open the brain where it is now, and do there what you wanted to do; or open "
        f"{folder.name} anew."
    )


def is_refusal(error: Exception) -> bool:
    """Tell whether an error that is not the system's own passes on what the system said."""
    return any(os.strerror(number) in str(error) for number in errno.errorcode)


def told(error: Exception) -> str:
    """Return the system's reason, in its words."""
    if isinstance(error, OSError):
        # NumPy and usearch tell only how much was written.
        return error.strerror or _SHORT
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def _number(error: Exception) -> int | None:
    if isinstance(error, OSError):
        return error.errno
    known = (
        number for number in (*_FULL, *_FORBIDDEN, *_GONE) if os.strerror(number) in str(error)
    )
    return next(known, None)


def _free(folder: Path) -> str:
    try:
        return f"{shutil.disk_usage(folder).free / 1e6:,.0f} MB are free there now"
    except OSError:
        return "how much is free cannot be told"
