"""Tokens of lines and of whole chunks, each counted as seldom as the tokenizer allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Count = Callable[[Sequence[str]], Sequence[int]]


class LineCounts:
    """Counts tokens for as long as one file is cut, and remembers what it counted.

    count : the embedder's own tokenizer, texts -> tokens of each.
    by_line : no token crosses a line end and a line end is none, as with BERT's word pieces. The
        counts of lines then add up to that of the whole, and each line is counted once. Otherwise
        a line is counted with its line end, and whole texts are counted whole.

    >>> counts = LineCounts(lambda texts: [len(text.split()) for text in texts], by_line=True)
    >>> counts.of_lines(["a b", "c"]), counts.of_texts(["a b\\nc", "c\\nd e f"])
    ([2, 1], [3, 4])
    """

    def __init__(self, count: Count, *, by_line: bool) -> None:
        self._count = count
        self._by_line = by_line
        self._known: dict[str, int] = {"": 0} if by_line else {}

    def of_lines(self, lines: Sequence[str]) -> list[int]:
        """Return what each line adds to a text, counting only those not seen before."""
        new = [line for line in dict.fromkeys(lines) if line not in self._known]
        if new:
            asked = new if self._by_line else [f"{line}\n" for line in new]
            self._known.update(zip(new, self._count(asked), strict=True))
        return [self._known[line] for line in lines]

    def of_texts(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text of several lines."""
        if not self._by_line:
            return list(self._count(texts)) if texts else []
        split = [text.split("\n") for text in texts]
        self.of_lines([line for lines in split for line in lines])
        return [sum(self._known[line] for line in lines) for lines in split]
