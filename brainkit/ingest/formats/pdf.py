"""PDF, page by page. Pages are numbered from 1 as a reader counts them, whatever is printed."""

from __future__ import annotations

import io
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from brainkit.ingest.formats.document import Extracted, Section, notes, storable
from brainkit.ingest.load import Unreadable, long_line
from brainkit.settings import Settings

if TYPE_CHECKING:
    from pypdf import PdfReader

SECONDS_MAX: Final = 180
STREAM_BYTES_MAX: Final = 10_000_000
"""A compressed stream may not grow beyond this; pypdf's own limit is 75 MB, for each of them."""
STREAM_TOKENS_MAX: Final = 500_000
"""Parsing so many numbers and operators takes some seconds; a page of text has about 20,000."""
KEPT_STREAMS: Final = 20
"""pypdf keeps every stream that it unpacks; after this many pages or forms they are let go."""


def extract(raw: bytes, *, settings: Settings) -> Extracted | Unreadable:
    """Return the text of every page, a blank line between two, each page a section.

    Metadata: ``page`` of each section; ``title`` and ``author`` of the document. At most
    ``settings.max_pages`` are read. A document that opens without a password is read even if it is
    encrypted. Hyphens at line ends and running heads stay as they are.
    """
    from pypdf import apply_configuration

    if b"%PDF-" not in raw[:1024]:
        return Unreadable("not a PDF document, whatever its name says")
    bounded = apply_configuration(
        zlib_maximum_output_length=STREAM_BYTES_MAX,
        lzw_maximum_output_length=STREAM_BYTES_MAX,
        run_length_maximum_output_length=STREAM_BYTES_MAX,
        array_based_stream_maximum_output_length=STREAM_BYTES_MAX,
        stream_parsing_work_maximum_count=STREAM_TOKENS_MAX,
    )
    with _silent(), bounded:
        try:
            return _read(raw, settings)
        except _Slow as slow:
            return Unreadable(str(slow))
        except Exception as error:  # noqa: BLE001 - pypdf promises no class for broken documents
            return Unreadable(_why(error))


class _Slow(Exception):
    """Reading took longer than `SECONDS_MAX`."""


class _Watch:
    """Sees every operator of every page, and ends what takes too long or too much memory."""

    def __init__(self, reader: PdfReader) -> None:
        self._reader = reader
        self._deadline = time.monotonic() + SECONDS_MAX
        self._used = 0

    def in_time(self) -> None:
        """Raise _Slow after the deadline."""
        if time.monotonic() > self._deadline:
            raise _Slow(f"it takes too long to read (the limit is {SECONDS_MAX} seconds)")

    def unpacked(self) -> None:
        """Count a page or form, and now and then let all streams go."""
        self._used += 1
        if self._used % KEPT_STREAMS == 0:
            self._reader.resolved_objects.clear()

    def __call__(self, operator: bytes, *_: object) -> None:
        if operator == b"Do":
            self.unpacked()
        self.in_time()


def _read(raw: bytes, settings: Settings) -> Extracted | Unreadable:
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(raw))
    if reader.is_encrypted and not reader.decrypt(""):
        return Unreadable("encrypted: it opens only with a password")
    total = len(reader.pages)
    watch = _Watch(reader)
    lines: list[str] = []
    sections = []
    broken, silent = [], []
    read = range(1, min(total, settings.max_pages) + 1)
    for number in read:
        watch.in_time()
        text, reason = _page(reader, number, watch, settings)
        if reason:
            broken.append(f"page {number} ({reason})")
        elif text:
            start = len(lines) + 1
            lines += [*text.split("\n"), ""]
            sections.append(Section(start, len(lines) - 1, None, {"page": number}))
        else:
            silent.append(number)
    note = notes(
        f"left out: {_few(broken)}" if broken else None,
        f"{len(silent):,} of {len(read):,} pages have no text" if silent else None,
        f"{total - len(read):,} of {total:,} pages left out (the limit is {len(read):,}, max_pages)"
        if total > len(read)
        else None,
    )
    if not sections:
        if broken or not silent:
            return Unreadable(notes("no page can be read", note) or "no page can be read")
        return Unreadable(
            f"no text on {'its page' if total == 1 else f'any of {len(read):,} pages'}: scanned "
            "pictures need text recognition (OCR) first"
        )
    return Extracted("\n".join(lines), tuple(sections), _facts(reader), note)


def _page(
    reader: PdfReader, number: int, watch: _Watch, settings: Settings
) -> tuple[str, str | None]:
    """Return the text of a page, or why it has to be left out."""
    try:
        watch.unpacked()
        text = storable(reader.pages[number - 1].extract_text(visitor_operand_before=watch))
    except _Slow:
        raise
    except Exception as error:  # noqa: BLE001 - as above; the other pages may be sound
        return "", _why(error)
    lines = [line.rstrip() for line in text.split("\n")]
    text = "\n".join(lines).strip("\n")
    return text, long_line(text, settings=settings)


def _facts(reader: PdfReader) -> dict[str, str]:
    try:
        found: Any = reader.metadata or {}
        facts = {name: found.get(f"/{name.capitalize()}") for name in ("title", "author")}
    except Exception:  # noqa: BLE001 - as above; the text does not need them
        return {}
    return {
        name: " ".join(str(value).split())
        for name, value in facts.items()
        if str(value or "").strip()
    }


def _why(error: Exception) -> str:
    from pypdf.errors import DependencyError, FileNotDecryptedError, LimitReachedError

    if isinstance(error, DependencyError):
        return "encrypted with AES: pip install cryptography to have it read"
    if isinstance(error, FileNotDecryptedError):
        return "encrypted: it opens only with a password"
    if isinstance(error, (LimitReachedError, MemoryError)):
        return f"a limit was met: {str(error)[:100]}"
    return f"damaged: {(str(error) or type(error).__name__)[:100]}"


def _few(things: Sequence[object]) -> str:
    more = f" and {len(things) - 3:,} more" if len(things) > 3 else ""
    return ", ".join(map(str, things[:3])) + more


@contextmanager
def _silent() -> Iterator[None]:
    """Keep pypdf from logging each repair; what matters of them is in the note."""
    logger = logging.getLogger("pypdf")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)
