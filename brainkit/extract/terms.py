"""Terms that a document defines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from brainkit.extract.names import key_of, never_a_name

_TERM_LINE: Final = re.compile(
    r"^[ \t]*(?:[-*+]\s+|\d+[.)]\s+)?\*\*([^*\n]{2,80}?)(?::\*\*|\*\*\s*(?::|[-–—]\s))",
    re.MULTILINE,
)
_TERM_SENTENCE: Final = re.compile(
    r"\b(?:[Aa]n?|[Tt]he)\s+\*{1,2}([^*\n]{2,60})\*{1,2}\s+(?:is|are|means|refers)\b"
)
_TERM_ROW: Final = re.compile(r"^\|\s*([^|\n]{2,80}?)\s*\|[^|\n]+", re.MULTILINE)
_TERM_TABLE: Final = re.compile(
    r"^\|\s*(?:words?|terms?|names?|concepts?|acronyms?|abbreviations?)\s*"
    r"\|\s*(?:meanings?|means|definitions?|descriptions?|explanations?)\s*\|",
    re.MULTILINE | re.IGNORECASE,
)
_MD_DEFINED: Final = re.compile(r"^(\S[^\n]{0,80})\n(?:\n)?:[ \t]+\S", re.MULTILINE)
_TERM_WORDS: Final = 5


def terms(text: str) -> Iterator[str]:
    """Yield what some Markdown or reStructuredText defines, as it is written.

    A bold word before a colon or dash, the first column of a table of words and meanings, a
    definition list, and what a sentence of the form "A *hub* is" defines.

    >>> list(terms("- **Recall**: the share found.\\n\\nA *seed entity* is one that is named."))
    ['Recall', 'seed entity']
    """
    matches = [*_TERM_LINE.finditer(text), *_TERM_SENTENCE.finditer(text)]
    matches += _MD_DEFINED.finditer(text)
    if table := _TERM_TABLE.search(text):
        matches += _TERM_ROW.finditer(text, table.end())
    for match in matches:
        for term in match[1].strip("*`: ").split(", "):
            words = term.split()
            named = len(words) > 1 or not never_a_name(term)
            if named and 0 < len(words) <= _TERM_WORDS and key_of(term):
                yield term
