"""Tokens counted once: what a chunker counted line by line is added up for whole chunks."""

from __future__ import annotations

from collections.abc import Callable, Sequence


class LineCounts:
    """Counts tokens by line and remembers them for as long as one file is cut.

    count : the embedder's own tokenizer, texts -> tokens of each. Word pieces never cross a line
        end, so the counts of lines add up to that of the whole.

    >>> counts = LineCounts(lambda texts: [len(text.split()) for text in texts])
    >>> counts.of_lines(["a b", "c"]), counts.of_texts(["a b\\nc", "c\\nd e f"])
    ([2, 1], [3, 4])
    """

    def __init__(self, count: Callable[[Sequence[str]], Sequence[int]]) -> None:
        self._count = count
        self._known: dict[str, int] = {"": 0}

    def of_lines(self, lines: Sequence[str]) -> list[int]:
        """Return the tokens of each line, counting only those not seen before."""
        new = [line for line in dict.fromkeys(lines) if line not in self._known]
        if new:
            self._known.update(zip(new, self._count(new), strict=True))
        return [self._known[line] for line in lines]

    def of_texts(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text of several lines."""
        split = [text.split("\n") for text in texts]
        self.of_lines([line for lines in split for line in lines])
        return [sum(self._known[line] for line in lines) for lines in split]
