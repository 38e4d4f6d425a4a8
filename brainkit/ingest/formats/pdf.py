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

SECONDS_MAX: Final = 300
STREAM_BYTES_MAX: Final = 20_000_000
"""A compressed stream may not grow beyond this; pypdf's own limit is 75 MB, for each of them."""


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


def _read(raw: bytes, settings: Settings) -> Extracted | Unreadable:
    from pypdf import PdfReader

    deadline = time.monotonic() + SECONDS_MAX
    reader = PdfReader(io.BytesIO(raw))
    if reader.is_encrypted and not reader.decrypt(""):
        return Unreadable("encrypted: it opens only with a password")
    total = len(reader.pages)
    lines: list[str] = []
    sections = []
    broken, silent = [], []
    read = range(1, min(total, settings.max_pages) + 1)
    for number in read:
        if time.monotonic() > deadline:
            raise _Slow(
                f"it takes too long: {number - 1:,} of {total:,} pages in {SECONDS_MAX} seconds"
            )
        text, reason = _page(reader, number, settings)
        if reason:
            broken.append(f"{number} ({reason})")
        elif text:
            start = len(lines) + 1
            lines += [*text.split("\n"), ""]
            sections.append(Section(start, len(lines) - 1, None, {"page": number}))
        else:
            silent.append(number)
    note = notes(
        f"page {_few(broken)} left out" if broken else None,
        f"{len(silent):,} of {len(read):,} pages have no text" if silent else None,
        f"{total - len(read):,} of {total:,} pages left out (the limit is {len(read):,}, max_pages)"
        if total > len(read)
        else None,
    )
    if not sections:
        if broken or not silent:
            return Unreadable(notes("damaged: no page can be read", note) or "damaged")
        return Unreadable(
            f"no text on {'its page' if total == 1 else f'any of {len(read):,} pages'}: scanned "
            "pictures need text recognition (OCR) first"
        )
    return Extracted("\n".join(lines), tuple(sections), _facts(reader), note)


def _page(reader: PdfReader, number: int, settings: Settings) -> tuple[str, str | None]:
    """Return the text of a page, or why it has to be left out."""
    try:
        text = storable(reader.pages[number - 1].extract_text())
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
