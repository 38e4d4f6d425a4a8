"""Read one file as text: which encoding, with what reservation, or why not."""

from __future__ import annotations

import codecs
import os
import re
import stat
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from brainkit.ingest.decode import Decoded, decode
from brainkit.ingest.languages import HEAD_CHARS, language_of
from brainkit.ingest.walk import too_large
from brainkit.settings import Settings

LINES_CHECKED_LATER: Final = frozenset({"jupyter", "html"})
"""Their raw lines may hold pictures or scripts that extraction drops; check the extracted text."""

_CHARSET: Final = re.compile(
    rb"<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*[\"']?\s*([\w:.-]+)", re.I
)
_CHARSET_BYTES: Final = 1024  # as far as a browser looks
_CHARSET_SAMPLE: Final = b"<meta charset="
_WIDENED: Final = {
    **dict.fromkeys(("iso-8859-1", "latin1", "latin-1", "ascii", "us-ascii"), "cp1252"),
    **dict.fromkeys(("iso-8859-9", "latin5"), "cp1254"),
    **dict.fromkeys(("gb2312", "gbk", "x-gbk"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987"), "cp949"),
}
"""What pages mean by these names, as browsers read them (WHATWG Encoding, section 4.2)."""


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
        raw = load_bytes(path, settings=settings)
    except OSError as error:
        return Unreadable(f"cannot be read: {error.strerror or error}")
    if isinstance(raw, Unreadable):
        return raw
    return understood(raw, language=language_in(raw, relative), settings=settings)


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


def language_in(raw: bytes, relative: str) -> str | None:
    """Return the language of a file by its name and, as far as ASCII tells, its beginning."""
    return language_of(relative, raw[:HEAD_CHARS].decode("latin-1"))


def understood(raw: bytes, *, language: str | None, settings: Settings) -> Loaded | Unreadable:
    """Decode the bytes of a file in this language, as `load` does."""
    if not raw:
        return Unreadable("empty")
    declared = _declared_in_html(raw) if language == "html" else None
    decoded = declared or decode(raw, python=language == "python")
    if isinstance(decoded, str):
        return Unreadable(decoded)
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        return Unreadable("blank")
    reason = None if language in LINES_CHECKED_LATER else long_line(text, settings=settings)
    if reason:
        return Unreadable(reason)
    return Loaded(text, sha256(raw).hexdigest(), decoded.encoding, decoded.note)


def load_bytes(path: Path, *, settings: Settings) -> bytes | Unreadable:
    """Read a file of at most ``settings.max_file_bytes``. Raises OSError."""
    with open(path, "rb", opener=_without_waiting) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            return Unreadable("not a file but a pipe or device")
        raw = file.read(settings.max_file_bytes + 1)
        if len(raw) > settings.max_file_bytes:
            return Unreadable(too_large(max(status.st_size, len(raw)), settings=settings))
        return raw


def _declared_in_html(raw: bytes) -> Decoded | None:
    """Honour the encoding that a page declares, unless it is ASCII or UTF-8 all the same.

    A page that decodes as UTF-8 is UTF-8: declarations are copied, and servers override them.
    """
    match = _CHARSET.search(raw[:_CHARSET_BYTES])
    if match is None or raw.isascii():
        return None
    name = match[1].decode("ascii").casefold()
    try:
        raw.decode("utf-8")
        return None
    except UnicodeDecodeError:
        pass
    try:
        encoding = codecs.lookup(_WIDENED.get(name, name)).name
        if _CHARSET_SAMPLE.decode(encoding) != _CHARSET_SAMPLE.decode("ascii"):
            return None  # UTF-16, for one, could not have been read up to here
        # Through UTF-8, so that the text is cleaned as every other is.
        decoded = decode(raw.decode(encoding).encode())
    except (LookupError, ValueError):  # ValueError: not what it declares, or no text encoding
        return None
    if isinstance(decoded, str):
        return None
    return Decoded(decoded.text, encoding, f"decoded as {encoding} (declared)")


def _without_waiting(path: str, flags: int) -> int:
    """Open a path at once, even if a pipe without a writer took the file's place."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
