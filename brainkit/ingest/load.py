"""Read one file as text: which encoding, with what reservation, or why not."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from brainkit.ingest.decode import decode
from brainkit.ingest.languages import language_of
from brainkit.ingest.walk import too_large
from brainkit.settings import Settings

LINES_CHECKED_LATER: Final = frozenset({"jupyter", "html"})
"""Their raw lines may hold pictures or scripts that extraction drops; check the extracted text."""


@dataclass(frozen=True, slots=True)
class Loaded:
    r"""The text of a file.

    text : lines end with ``\n`` only, whatever the file used; no NUL, no lone surrogates.
    sha256 : hex digest of the bytes as they were.
    encoding : Python's name of it.
    note : how far the decoding was a guess or a repair; None for plain UTF-8.
    """

    text: str
    sha256: str
    encoding: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file without usable text, and why."""

    reason: str


def load(path: Path, *, relative: str, settings: Settings) -> Loaded | Unreadable:
    """Read and decode one file. Nothing about a single file raises.

    relative : its POSIX path below the root; a Python file's declared encoding is honoured.

    Left out with the reason: binaries, empty and blank files, files above
    ``settings.max_file_bytes``, and those with a line above ``settings.max_line_chars`` (for the
    languages of `LINES_CHECKED_LATER` whoever extracts their text asks `long_line`).
    The bytes that are hashed are the bytes that are decoded, even if the file changes meanwhile.
    """
    try:
        raw = _read(path, settings)
    except OSError as error:
        return Unreadable(f"cannot be read: {error.strerror or error}")
    return raw if isinstance(raw, Unreadable) else _understood(raw, relative, settings)


def lines_of(text: str) -> list[str]:
    r"""Split a loaded text at ``\n`` only, as editors number lines; joining with it gives the text.

    Form feeds and Unicode line separators, where ``str.splitlines`` would split, end no line.

    >>> lines_of("a\x0cb\nc\n")
    ['a\x0cb', 'c', '']
    """
    return text.split("\n")


def long_line(text: str, *, settings: Settings) -> str | None:
    """Return why a text with so long a line is left out, or None.

    >>> long_line("x" * 20_001, settings=Settings())
    'a line of 20,001 characters (the limit is 20,000, max_line_chars): minified or data'
    """
    longest = max(map(len, lines_of(text)))
    if longest <= settings.max_line_chars:
        return None
    limit = f"the limit is {settings.max_line_chars:,}, max_line_chars"
    return f"a line of {longest:,} characters ({limit}): minified or data"


def _understood(raw: bytes, relative: str, settings: Settings) -> Loaded | Unreadable:
    if not raw:
        return Unreadable("empty")
    first_line = raw[:200].decode("latin-1").partition("\n")[0]
    language = language_of(relative, first_line)
    decoded = decode(raw, python=language == "python")
    if isinstance(decoded, str):
        return Unreadable(decoded)
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        return Unreadable("blank")
    reason = None if language in LINES_CHECKED_LATER else long_line(text, settings=settings)
    if reason:
        return Unreadable(reason)
    return Loaded(text, sha256(raw).hexdigest(), decoded.encoding, decoded.note)


def _read(path: Path, settings: Settings) -> bytes | Unreadable:
    with open(path, "rb", opener=_without_waiting) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            return Unreadable("not a file but a pipe or device")
        raw = file.read(settings.max_file_bytes + 1)
        if len(raw) > settings.max_file_bytes:
            return Unreadable(too_large(max(status.st_size, len(raw)), settings=settings))
        return raw


def _without_waiting(path: str, flags: int) -> int:
    """Open a path at once, even if a pipe without a writer took the file's place."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
