"""A person going through pools: where they are, what they said, and what is still open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from brainkit.errors import InvalidSetting, NoSuchSource
from brainkit.evaluation.judgments import Judgment, Judgments
from brainkit.evaluation.pooling import Item, Pool

Step = Literal["next", "previous", "open", "skipped", "end"]
STEPS: Final = ("next", "previous", "open", "skipped", "end")
_NAME_CHARS_MAX: Final = 80
_NOTE_CHARS_MAX: Final = 2000


@dataclass(frozen=True, slots=True)
class Page:
    """One thing to look at: an item of a question's pool, or None for a pool that is empty."""

    question: int
    item: Item | None


@dataclass(frozen=True, slots=True)
class Progress:
    """How many chunks have a grade, were skipped, and are open; the same for ``questions``.

    A question is done when none of its chunks is open; skipped ones are not.
    """

    graded: int
    skipped: int
    total: int

    @property
    def seen(self) -> int:
        """Graded or skipped."""
        return self.graded + self.skipped

    @property
    def open(self) -> int:
        """Neither graded nor skipped."""
        return self.total - self.seen


class Session:
    """Pools, and one person's labels on them. What is changed is on disk before a call returns.

    It begins at the first chunk without a label, so at every start it goes on where it ended.
    ``at`` is the place in ``pages``; behind the last one is the end.
    Raises InvalidSetting for a name that no line of a table can hold.
    """

    def __init__(self, judgments: Judgments, pools: Sequence[Pool], *, labeller: str) -> None:
        self.judgments, self.pools, self.labeller = judgments, tuple(pools), named(labeller)
        self.pages = [
            Page(n, item) for n, pool in enumerate(self.pools) for item in pool.items or (None,)
        ]
        self._undoable: list[tuple[Judgment, Judgment | None]] = []
        self._refresh()
        self.at = 0
        if not self._is_open(0):
            self._advance()
        if self.at == len(self.pages) and not self.progress().total:
            self.at = 0  # there is nothing at all, which the first page says

    @property
    def page(self) -> Page | None:
        """What is looked at; None at the end."""
        return self.pages[self.at] if self.at < len(self.pages) else None

    def label(self, page: Page) -> Judgment | None:
        """Return what this person said of a page; None while it is open."""
        return None if page.item is None else self._labels.get(self._key(page))

    def find(self, question: int, content: str) -> Page:
        """Return the page of a text in a question's pool. Raises NoSuchSource."""
        for page in self.pages:
            if page.question == question and page.item and page.item.content == content:
                return page
        raise NoSuchSource("this chunk is in no pool here; run the cell again to see what is.")

    def judge(
        self, grade: int | None, *, page: Page | None = None, note: str | None = None
    ) -> Page:
        """Grade a page 0 to 3, or skip it with None, and go to what is open; return the page.

        page : by default the present one. note : by default the one it has.
        Raises InvalidSetting for another grade, LabelNotWritten; nothing has changed then.
        """
        chosen = self._write(grade, page, note)
        self.at = self.pages.index(chosen)
        self._advance()
        return chosen

    def note(self, text: str, *, page: Page | None = None) -> Page:
        """Keep a note with a page and stay there; without a grade the page counts as skipped."""
        before = self.label(page or self._present())
        return self._write(None if before is None else before.grade, page, text)

    def undo(self) -> Judgment | None:
        """Take back this person's last change here, also one of before a restart, and go there.

        Returns the label that was taken back; None if there is none.
        """
        while self._undoable:
            now, before = self._undoable[-1]
            was_done = self.judgments.take_back(now, before)
            self._undoable.pop()
            if was_done:
                return self._undone(now)
        keys = {
            (self.pools[page.question].query, page.item.content, self.labeller)
            for page in self.pages
            if page.item is not None
        }
        last = self.judgments.undo(self.labeller, among=keys)
        return None if last is None else self._undone(last)

    def go(self, to: Step | int) -> None:
        """Go to the next or previous page, to an ``open`` or a ``skipped`` one, or to a question.

        A question is given by its number, from 0; its first open chunk is shown, or its first.
        Raises InvalidSetting for what is none of these.
        """
        if isinstance(to, int):
            if not 0 <= to < len(self.pools):
                raise InvalidSetting(
                    f"there is no question {to}; there are 0 to {len(self.pools) - 1}."
                )
            own = [n for n, page in enumerate(self.pages) if page.question == to]
            self.at = next(filter(self._is_open, own), own[0])
        elif to == "open":
            self._advance()
        elif to == "skipped":
            self.at = self._first(self._is_skipped)
        elif to == "end":
            self.at = len(self.pages)
        elif to in ("next", "previous"):
            step = 1 if to == "next" else -1
            self.at = min(max(self.at + step, 0), len(self.pages))
        else:
            raise InvalidSetting(f"to={to!r} is not one of {', '.join(STEPS)}, or a number.")

    def by_question(self) -> list[Progress]:
        """Count the chunks of each question."""
        counts = [Counter[str]() for _ in self.pools]
        for page in self.pages:
            if page.item is not None:
                label = self.label(page)
                state = "open" if label is None else "skipped" if label.grade is None else "graded"
                counts[page.question][state] += 1
        return [Progress(one["graded"], one["skipped"], one.total()) for one in counts]

    def progress(self) -> Progress:
        """Count the chunks of all questions."""
        counts = self.by_question()
        return Progress(
            sum(one.graded for one in counts),
            sum(one.skipped for one in counts),
            sum(one.total for one in counts),
        )

    def done(self) -> int:
        """Return how many questions have no open chunk."""
        return sum(one.open == 0 for one in self.by_question())

    def grades(self) -> Counter[int]:
        """Return grade -> how many chunks here have it."""
        labels = [label for page in self.pages if (label := self.label(page)) is not None]
        return Counter(label.grade for label in labels if label.grade is not None)

    def _key(self, page: Page) -> tuple[str, str]:
        return self.pools[page.question].query, page.item.content if page.item else ""

    def _present(self) -> Page:
        if (page := self.page) is None or page.item is None:
            raise InvalidSetting("there is no chunk here to label; go to one first.")
        return page

    def _write(self, grade: int | None, page: Page | None, note: str | None) -> Page:
        page = page or self._present()
        item = page.item
        if item is None:
            raise InvalidSetting("there is no chunk here to label; go to one first.")
        if note is not None and len(note) > _NOTE_CHARS_MAX:
            raise InvalidSetting(
                f"the note has {len(note):,} characters; allowed are {_NOTE_CHARS_MAX:,}."
            )
        known = self.label(page)
        kept = note if note is not None else known.note if known else ""
        written, before = self.judgments.put(
            Judgment(
                query=self.pools[page.question].query,
                source=item.source,
                lines=item.lines,
                grade=grade,
                labeller=self.labeller,
                note=kept.strip(),
                when="",
                chunk_id=item.chunk_id,
                content=item.content,
            )
        )
        self._undoable.append((written, before))
        self._labels[self._key(page)] = written
        return page

    def _undone(self, label: Judgment) -> Judgment:
        self._refresh()
        for at, page in enumerate(self.pages):
            if page.item is not None and self._key(page) == (label.query, label.content):
                self.at = at
        return label

    def _refresh(self) -> None:
        """See what this person labelled elsewhere, too."""
        self._labels = self.judgments.latest(labeller=self.labeller)

    def _is_open(self, at: int) -> bool:
        page = self.pages[at]
        return page.item is not None and self.label(page) is None

    def _is_skipped(self, at: int) -> bool:
        label = self.label(self.pages[at])
        return label is not None and label.grade is None

    def _advance(self) -> None:
        self.at = self._first(self._is_open)

    def _first(self, wanted: Callable[[int], bool]) -> int:
        """The first wanted page from here on: in this question, then behind it, then before it."""
        here = self.page.question if self.page is not None else len(self.pools)

        def way(at: int) -> tuple[bool, bool, int]:
            is_elsewhere = self.pages[at].question != here
            return is_elsewhere, at <= self.at, at

        return next(filter(wanted, sorted(range(len(self.pages)), key=way)), len(self.pages))


def named(labeller: str) -> str:
    """Return a labeller's name, trimmed. Raises InvalidSetting for one that a table cannot hold."""
    name = labeller.strip()
    if not name or not name.isprintable() or len(name) > _NAME_CHARS_MAX:
        raise InvalidSetting(
            f"labeller={labeller!r:.100} is no name; give 1 to {_NAME_CHARS_MAX} printable "
            "characters."
        )
    return name
