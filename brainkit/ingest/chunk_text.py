"""Prose, and anything without a grammar: whole paragraphs, else lines, else parts of a line."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from brainkit.ingest.pieces import Budget, Header, Lines, Piece

# What a cut before a line (or, in a long line, before a word) would separate.
INSIDE = 0
"""Two lines of one block, such as a fence: the last place to cut, and no overlap begins here."""
GAP = 1
"""Two groups of lines of one block: a better place, and still no overlap begins here."""
PLAIN = 2
"""Two lines of one paragraph."""
SOFT = 3
"""Two sentences."""
UNIT = 4
"""Two paragraphs or statements."""

_SENTENCE_ENDS = (".", "!", "?", ":", ";", "。", "！", "？", "：", "；", "…")
_FULL_STOPS = (".", "!", "?", "。", "！", "？", "…")
_CLAUSE_ENDS = (",", ";", ":", "，", "；", "：", "、", "-", "–", "—")
_CLOSING = "\"')]}*_”’»」』）】"
_WORD_START = re.compile(r"(?<=\s)(?=\S)|(?<=[。！？；：，、])(?=[^\s。！？；：，、」』）】”’])")
_ZERO_WIDTH_JOINER = "\u200d"


class Strip(NamedTuple):
    """A row of lines or words: running sums of their tokens, the break before each, blanks."""

    sums: Sequence[int]
    breaks: Sequence[int]
    blank: Sequence[bool]

    def reach(self, start: int, end: int, room: int) -> int:
        """Return the furthest stop, at most ``end``, for which start to stop fits the room."""
        return min(end, bisect_right(self.sums, self.sums[start] + room) - 1)


def chunk_text(text: str, *, budget: Budget, overlap: bool = True) -> list[Piece]:
    """Pack whole paragraphs into pieces, as many as the budget allows.

    A paragraph larger than the budget is split at lines, if possible where a sentence ends in the
    last third of the budget; a line larger than that at sentences, else words, else characters.

    overlap : whether a piece repeats whole trailing lines of the one before it, worth at most
        ``budget.overlap_tokens`` and from the start of a sentence if one is in reach. It does so
        wherever the budget made the cut, unless what follows of the paragraph, or the next one,
        would then no longer fit.

    >>> words = Budget(4, overlap_tokens=0, count=lambda texts: [len(t.split()) for t in texts])
    >>> [p.text for p in chunk_text("one two\\n\\nthree four\\n\\nfive", budget=words)]
    ['one two\\n\\nthree four', 'five']
    """
    lines = Lines(text, budget)
    allowed = budget.overlap_tokens if overlap else 0
    return pack(lines, paragraph_breaks(lines), 0, len(lines), overlap=allowed)


def paragraph_breaks(lines: Lines) -> bytearray:
    """Return the kind of break before each line, as prose has them."""
    breaks = bytearray([PLAIN]) * len(lines)
    for i, (above, here) in enumerate(pairwise(lines.blank), start=1):
        if above != here:
            breaks[i] = UNIT
        elif not here and _ends_with(lines.text[i - 1], _SENTENCE_ENDS):
            breaks[i] = SOFT
    return breaks


def pack(
    lines: Lines,
    breaks: Sequence[int],
    start: int,
    end: int,
    *,
    headers: tuple[Header, ...] = (),
    joiner: str = "\n",
    overlap: int = 0,
) -> list[Piece]:
    """Cut lines ``start`` to ``end - 1`` (from 0) into pieces that fit the budget.

    headers : what encloses them; a piece has those as context that stand above its first line.
    """

    def context(first: int) -> tuple[str, int]:
        if headers and headers[-1].line >= first:
            return lines.context(tuple(h for h in headers if h.line < first), joiner)
        return lines.context(headers, joiner)

    def room(first: int) -> int:
        return lines.budget.max_tokens - context(first)[1]

    pieces = []
    strip = Strip(lines.sums, breaks, lines.blank)
    for first, last in cut(strip, start, end, room=room, overlap=overlap):
        above, _ = context(first)
        if lines.cost(first, last) <= room(first):
            text = "\n".join(lines.text[first:last])
            pieces.append(Piece(text, first + 1, last, above))
            continue
        line = lines.text[first]
        for a, b in _parts(line, room=room(first), overlap=overlap, count=lines.budget.count):
            pieces.append(Piece(line[a:b], first + 1, last, above, {"columns": [a, b]}))
    return pieces


def cut(
    strip: Strip, start: int, end: int, *, room: Callable[[int], int], overlap: int
) -> Iterator[tuple[int, int]]:
    """Yield (first, stop) of consecutive ranges that fit the room, neither end blank.

    room : tokens allowed to a range that begins at a given item.
    An item that fits no range is yielded alone. Firsts and stops both ascend strictly, so no range
    lies inside another.
    """
    blank = strip.blank
    while end > start and blank[end - 1]:
        end -= 1
    first = fresh = _skip(blank, start, end)
    while fresh < end:
        furthest = strip.reach(first, end, room(first))
        if furthest <= fresh:
            stop = fresh + 1
        elif furthest == end:
            stop = end
        else:
            stop = _best(strip, first, fresh, furthest, end, room=room)
        last = stop
        while blank[last - 1]:
            last -= 1
        yield first, last
        previous, fresh = first, _skip(blank, stop, end)
        first = fresh
        if overlap and fresh < end and strip.breaks[fresh] >= PLAIN:
            first = _overlapping(strip, previous, last, fresh, end, room=room, overlap=overlap)


def _overlapping(
    strip: Strip,
    previous: int,
    last: int,
    fresh: int,
    end: int,
    *,
    room: Callable[[int], int],
    overlap: int,
) -> int:
    """Where after ``previous`` the next range begins to repeat: at a sentence, if there is one."""
    sums, breaks, blank = strip
    after = strip.reach(fresh, end, room(fresh))
    # Repeating lines must not split what fits a piece by itself.
    needed = _unit_end(strip, fresh + 1, after, end) or fresh + 1
    line = sentence = fresh
    for i in range(last - 1, previous, -1):
        if sums[last] - sums[i] > overlap or sums[needed] - sums[i] > room(i):
            break
        if breaks[i] >= SOFT and not blank[i]:
            sentence = i
        elif breaks[i] == PLAIN:
            line = i
    return sentence if sentence < fresh else line


def _best(
    strip: Strip, first: int, fresh: int, furthest: int, end: int, *, room: Callable[[int], int]
) -> int:
    """Where to cut in (fresh, furthest]: between units, unless the next is too large anyway."""
    sums, breaks, _ = strip
    for i in range(furthest, fresh, -1):
        if breaks[i] == UNIT:
            if i == furthest:
                return i
            after = strip.reach(i, end, room(i))
            if after > furthest and _unit_end(strip, furthest + 1, after, end):
                return i
            break
    last_third = sums[first] + 2 * room(first) / 3
    for i in range(furthest, fresh, -1):
        if sums[i] < last_third:
            break
        if breaks[i] in (GAP, SOFT, UNIT):
            return i
    return furthest


def _unit_end(strip: Strip, first: int, last: int, end: int) -> int | None:
    """The first place in [first, last] where a unit ends."""
    return next((i for i in range(first, last + 1) if i == end or strip.breaks[i] == UNIT), None)


def _skip(blank: Sequence[bool], start: int, end: int) -> int:
    while start < end and blank[start]:
        start += 1
    return start


def _ends_with(text: str, marks: tuple[str, ...]) -> bool:
    return text.rstrip().rstrip(_CLOSING).endswith(marks)


def _parts(
    line: str, *, room: int, overlap: int, count: Callable[[Sequence[str]], Sequence[int]]
) -> list[tuple[int, int]]:
    """Cut a line that is too long into (from, to) offsets: at sentences, words or characters."""
    bounds = [0, *(match.start() for match in _WORD_START.finditer(line)), len(line)]
    words = [line[a:b] for a, b in pairwise(bounds)]
    breaks = bytearray([PLAIN]) * len(words)
    for i, word in enumerate(words[:-1], start=1):
        if _ends_with(word, _FULL_STOPS):
            breaks[i] = UNIT
        elif _ends_with(word, _CLAUSE_ENDS):
            breaks[i] = SOFT
    strip = Strip(
        list(accumulate(map(int, count(words)), initial=0)),
        breaks,
        [word.isspace() for word in words],
    )
    todo = [
        (bounds[a], bounds[b])
        for a, b in cut(strip, 0, len(words), room=lambda _: room, overlap=overlap)
    ]
    done: list[tuple[int, int]] = []
    # A word may be larger than the room, and its halves may be other word pieces than the whole.
    while todo:
        todo = [(a, b) for a, b in (_trimmed(line, a, b) for a, b in todo) if a < b]
        halves = []
        for (a, b), tokens in zip(todo, count([line[a:b] for a, b in todo]), strict=True):
            if tokens <= room or b - a == 1:
                done.append((a, b))
            else:
                middle = _middle(line, a, b)
                halves += [(a, middle), (middle, b)]
        todo = halves
    return sorted(done)


def _trimmed(line: str, start: int, end: int) -> tuple[int, int]:
    text = line[start:end]
    return end - len(text.lstrip()), start + len(text.rstrip())


def _middle(line: str, start: int, end: int) -> int:
    """The middle, or the nearest place before it that does not tear a character from its marks."""
    middle = (start + end) // 2
    for i in range(middle, start, -1):
        marked = unicodedata.category(line[i]).startswith("M") or "\udc00" <= line[i] <= "\udfff"
        if not marked and _ZERO_WIDTH_JOINER not in line[i - 1 : i + 1]:
            return i
    return middle
