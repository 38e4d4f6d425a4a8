"""Where words are: the patterns that cut normalised text into words and runs of unspaced script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import NamedTuple

LONGEST = 100
"""A word of more characters is data (base64, keys, minified code), not language."""

# Scripts written without spaces, and Hangul, whose particles cling to the noun: no space says
# where their words end, so they are found by n-grams.
_SYLLABIC = (
    "\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u2e80-\u2fdf\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"  # Han, kana
    "\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\U0001aff0-\U0001b16f"  # bopomofo, rare kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
# Thai and Lao, Myanmar, Khmer, Tai Le and New Tai Lue, Tai Tham, Javanese, Myanmar and Tai Viet.
_ALPHABETIC_BLOCKS = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x1950, 0x19DF),
    (0x1A20, 0x1AAF),
    (0xA980, 0xA9FF),
    (0xAA60, 0xAADF),
)
# Soft hyphen, joiners, direction marks, byte-order mark: inside a word they are layout.
# The zero-width space is not among them, as it does separate words.
_INVISIBLE = "\u00ad\u061c\u180e\u200c-\u200f\u2060\ufeff"
_EMOJI = "\u231a\u231b\u23e9-\u23fa\u2600-\u27bf\u2b1b\u2b1c\u2b50\u2b55\U0001f000-\U0001faff"


class Scanner(NamedTuple):
    """The patterns of this Python's Unicode version.

    token : a word, a run of an unspaced script, or an emoji (see `scanner`).
    cluster : one sign of an unspaced script with its marks.
    syllabic : a sign that can be a word on its own (Han, kana, Hangul), not Thai and its like.
    layout : what a term leaves out: invisible characters, variation selectors, enclosing marks.
    data : a run of base64 letters that is longer than any word; `is_data` decides.
    """

    token: re.Pattern[str]
    cluster: re.Pattern[str]
    syllabic: re.Pattern[str]
    layout: re.Pattern[str]
    data: re.Pattern[str]


@cache
def scanner() -> Scanner:
    """Compile the patterns, once per process (about 40 ms).

    A token is whatever fits first of:

    - ``.net`` at the start of a word; one letter and ``#``, as in ``c#``; ``objective-c``;
    - letters, digits, marks and underscores with at least one letter or digit, and then perhaps
      ``.digits`` after a digit (versions, decimals), ``.js`` or ``.net``, ``++``, or an English
      ending after an apostrophe (``don't``, ``user's``); other apostrophes separate, so that
      ``l'avion`` and ``f'text'`` are two words;
    - a run of an unspaced script;
    - a flag, or an emoji with its modifiers and what is joined to it.
    """
    alphabetic = _ranges(
        code
        for first, last in _ALPHABETIC_BLOCKS
        for code in range(first, last + 1)
        if chr(code).isalpha()
    )
    marks = _ranges(
        code for code in range(0x300, 0x1F000) if unicodedata.category(chr(code))[0] == "M"
    )
    joining = f"[{marks}\U000e0100-\U000e01ef{_INVISIBLE}]"
    unspaced = f"[{_SYLLABIC}{alphabetic}]"
    letter = f"[^\\W_{_SYLLABIC}{alphabetic}]"
    inner = f"[^\\W{_SYLLABIC}{alphabetic}]"
    word = f"_*+{letter}{inner}*+(?:{joining}++{inner}*+)*+"
    emoji = f"[{_EMOJI}](?:[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]|\u200d[{_EMOJI}])*+"
    token = "|".join(
        (
            r"\.(?<!\w\.)(?i:net)(?!\w)",
            r"[A-Za-z]#(?![^\W\d_])",
            r"(?i:objective-c)(?!\w)",
            rf"{word}(?:\.(?:(?<=[0-9]\.)[0-9]++(?:\.[0-9]++)*+|(?i:js|net)(?!\w))"
            r"|\+\+|'(?i:s|t|d|m|ll|re|ve)(?!\w))?",
            f"{unspaced}(?:{unspaced}|{joining})*+",
            f"[\U0001f1e6-\U0001f1ff]{{2}}|{emoji}",
        )
    )
    base64 = "A-Za-z0-9+/_-"
    return Scanner(
        token=re.compile(token),
        cluster=re.compile(f"{unspaced}{joining}*+"),
        syllabic=re.compile(f"[{_SYLLABIC}]"),
        layout=re.compile(
            f"[{_INVISIBLE}\u0488\u0489\u20dd-\u20e4\ufe00-\ufe0f\U000e0100-\U000e01ef]"
        ),
        data=re.compile(f"(?<![{base64}])[{base64}]{{{LONGEST + 1},}}+={{0,2}}"),
    )


def is_data(run: str) -> bool:
    """Tell base64 from a long path: upper, lower and digit change more than every fourth step.

    >>> is_data("aGVsbG8gd29ybGQ"), is_data("usr/lib/python3/dist-packages")
    (True, False)
    """
    kinds = [(c.islower(), c.isupper(), c.isdigit()) for c in run if c.isalnum()]
    return sum(a != b for a, b in pairwise(kinds)) * 4 > len(kinds)


def _ranges(codes: Iterable[int]) -> str:
    spans: list[list[int]] = []
    for code in codes:
        if spans and code == spans[-1][1] + 1:
            spans[-1][1] = code
        else:
            spans.append([code, code])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in spans)
