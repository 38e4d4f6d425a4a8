"""What an extractor returns: a text with true line numbers, and the sections it is cut along."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

OWN_METADATA: Final = frozenset(
    {
        *("columns", "heading_path", "page", "cell", "cell_type", "language"),
        *("symbol_name", "symbol_kind", "signature", "docstring", "imports", "part", "parse"),
    }
)
"""Names that say something about a single chunk; front matter cannot set them."""

_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


class Heading(NamedTuple):
    """A heading, or a key of structured data.

    line, last : its first and last line in the text, from 1.
    level : a smaller one encloses a larger one.
    title : its words, or ``""`` where it only delimits.
    """

    line: int
    last: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of an extracted text that is cut by the rules of one language.

    start_line, end_line : in the extracted text, 1-based, inclusive.
    language : a key of LANGUAGES; None is prose.
    metadata : true of every line, such as ``page`` or ``cell``.
    headings : what encloses it, outermost first; those above a piece become its context.
    units : lines where a record or key begins. Where there are some, the section is cut at these
        as long as what lies between two of them fits the budget.
    parsed : line for line as long as the text, without what the language's grammar does not know.
    """

    start_line: int
    end_line: int
    language: str | None
    metadata: dict[str, Any] = field(default_factory=dict)
    headings: tuple[Heading, ...] = ()
    units: tuple[int, ...] = ()
    parsed: str | None = None


@dataclass(frozen=True, slots=True)
class Extracted:
    """The text of a document, equal for equal bytes, and how to cut it.

    text : lines end with ``\\n`` only; for formats made of lines it is the file itself.
    sections : by ascending line, disjoint. Together they hold all lines that are not blank,
        unless ``note`` says which are left out.
    metadata : of the document, such as ``title``; plain JSON.
    note : what was left out or not understood, and which limit was met.
    """

    text: str
    sections: tuple[Section, ...]
    metadata: dict[str, Any] = field(default_factory=dict)
    note: str | None = None


def storable(text: str) -> str:
    r"""Return a text as the store can hold it: line ends ``\n``, no NUL, no lone surrogates.

    >>> storable("a\r\nb\x00\ud83d\ude00")
    'a\nb\ufffd😀'
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _UNSTORABLE.search(text):
        # Two halves of a pair may come apart as two characters, as JSON and PDF write them.
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        text = _UNSTORABLE.sub("\ufffd", text)
    return text


def notes(*parts: str | None) -> str | None:
    """Join what there is to say.

    >>> notes(None, "a", "b"), notes(None)
    ('a; b', None)
    """
    return "; ".join(part for part in parts if part) or None
