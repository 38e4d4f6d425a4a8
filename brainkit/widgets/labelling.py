"""Labelling: one chunk after the other to grade by keyboard, blind to who found it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, Protocol

import traitlets

from brainkit import markup
from brainkit.evaluation.agreement import agreement
from brainkit.evaluation.configs import Config
from brainkit.evaluation.judgments import GRADES, MEANINGS, Judgments, default_labeller
from brainkit.evaluation.pooling import DEPTH, Item, Poolable, pools, questions
from brainkit.evaluation.session import Page, Progress, Session, Step, named
from brainkit.widgets.cells import kernel
from brainkit.widgets.compact import about
from brainkit.widgets.hosting import HAND, Hosted
from brainkit.widgets.labelled import labels_html
from brainkit.widgets.reopened import only_without


class Labelled(Poolable, Protocol):
    """A brain, as far as labelling looks at it."""

    @property
    def folder(self) -> Path:
        """Where it lies on disk."""
        ...

    @property
    def judgments(self) -> Judgments:
        """Its labels."""
        ...


@cache
def labelling_source() -> str:
    """Return the browser's modules of the labelling view, as one ES module."""
    return files("brainkit.widgets").joinpath("static/labelling.js").read_text("utf-8")


class Labelling(Hosted):
    """Grade what several configurations find, chunk by chunk.

    brain : where the chunks are, and the labels go. queries, configs, depth, labeller : as for
    ``Brain.label``.

    The view shows one chunk at a time, in an order shuffled for each question and labeller, and
    nothing of scores, ranks or retrievers. A label is in the brain's ``judgments.tsv``, synced to
    the disk, before the view says so. Running the cell again goes on at the first chunk without a
    label, also after a restart of the kernel. All that keys do can be done from Python, too.

    error : why the last change could not be made, or None. The view shows it.
    """

    _esm = labelling_source()
    _kind = traitlets.Unicode("labelling").tag(sync=True)
    _name = traitlets.Unicode().tag(sync=True)
    _grades = traitlets.List([list(one) for one in zip(GRADES, MEANINGS, strict=True)])
    _grades.tag(sync=True)
    _questions = traitlets.List(traitlets.List()).tag(sync=True)
    _page = traitlets.Dict().tag(sync=True)
    _said = traitlets.Unicode().tag(sync=True)

    labeller = traitlets.Unicode(read_only=True).tag(sync=True)
    error = traitlets.Unicode(None, allow_none=True).tag(sync=True)

    asks: ClassVar[Mapping[str, str]] = {
        "grade": "_asked_grade", "note": "_asked_note", "undo": "_asked_undo", "go": "_asked_go",
    }  # fmt: skip

    def __init__(
        self,
        brain: Labelled,
        queries: Any = None,
        *,
        configs: Mapping[str, Config] | Sequence[Config] | None = None,
        depth: int = DEPTH,
        labeller: str | None = None,
        progress: bool = True,
    ) -> None:
        self._brain = brain
        name = named(default_labeller() if labeller is None else labeller)
        asked = questions(queries, brain.judgments.queries())
        found = pools(brain, asked, labeller=name, configs=configs, depth=depth, progress=progress)
        self._session = Session(brain.judgments, found, labeller=name)
        self._has_left = False
        super().__init__(_name=uuid.uuid4().hex)
        self.set_trait("labeller", name)
        self._show("")

    @property
    def queries(self) -> tuple[str, ...]:
        """The questions, in their order."""
        return tuple(pool.query for pool in self._session.pools)

    @property
    def item(self) -> Item | None:
        """The chunk that is shown; None at the end, and for a question that finds nothing."""
        page = self._session.page
        return None if page is None else page.item

    @property
    def query(self) -> str | None:
        """The question that is shown; None at the end."""
        page = self._session.page
        return None if page is None else self._session.pools[page.question].query

    @property
    def progress(self) -> Progress:
        """How many chunks are graded, skipped and open, over all questions."""
        return self._session.progress()

    @property
    def done(self) -> int:
        """How many questions have no chunk that is neither graded nor skipped."""
        return self._session.done()

    def label(self, grade: int, *, note: str | None = None) -> None:
        """Grade the chunk that is shown, 0 to 3, and go on.

        note : words to keep with it. Raises InvalidSetting, LabelNotWritten.
        """
        with HAND:
            self._judged(grade, None, note)

    def skip(self, *, note: str | None = None) -> None:
        """Leave the chunk that is shown without a grade, and go on."""
        with HAND:
            self._judged(None, None, note)

    def note(self, text: str) -> None:
        """Keep words with the chunk that is shown, and stay there."""
        with HAND:
            self._noted(text, None)

    def undo(self) -> bool:
        """Take back the last change, and go there; return whether there was one."""
        with HAND:
            taken = self._session.undo()
            said = "There is nothing to take back."
            if taken is not None:
                said = f"Taken back: {_grade(taken.grade)}, {taken.source}:{taken.lines}"
            self._show(said)
            return taken is not None

    def go(self, to: Step | int) -> None:
        """Go to another chunk: the next, previous, next open or next skipped one, or the end.

        A number goes to that question, from 0: to its first open chunk.
        """
        with HAND:
            self._session.go(to)
            self._show("")

    def __repr__(self) -> str:
        now = self._session.progress()
        name = self._brain.folder.name  # and not the path, which would be saved in the notebook
        return markup.terminal(
            f"<Labelling of {name} by {self.labeller}: {now.graded:,} of {now.total:,} chunks "
            f"graded, {now.skipped:,} skipped, {self.done:,} of {len(self.queries):,} questions "
            "done>"
        )

    def _ipython_display_(self, **_: Any) -> None:
        """Show the view, and leave a table of the labels for when there is no kernel any more."""
        running = kernel()
        if self.comm is None or running is None:
            raise NotImplementedError  # IPython then shows the repr
        data, metadata = self._repr_mimebundle_() or ({}, {})
        running.shell.display_pub.publish(data, metadata)
        self._leave(running)
        self._has_left = True

    def _leave(self, running: Any, *, update: bool = False) -> None:
        """Put the table into the notebook, or bring the one there up to date."""
        table = labels_html(self._session, self._brain.folder.name)
        running.shell.display_pub.publish(
            {"text/plain": repr(self), "text/html": only_without(table, of=self._name)},
            transient={"display_id": self._name},
            update=update,
        )

    def _tell(self, problem: str) -> None:
        self.error = problem

    def _judged(self, grade: int | None, page: Page | None, note: str | None) -> None:
        judged = self._session.judge(grade, page=page, note=note)
        self._show(f"Saved: {_grade(grade)}, {_place(judged)}")

    def _noted(self, text: str, page: Page | None) -> None:
        noted = self._session.note(text, page=page)
        label = self._session.label(noted)
        waits = "" if label is None or label.grade is not None else "; it counts as skipped so far"
        self._show(f"Saved: the note, {_place(noted)}{waits}")

    def _asked_grade(self, message: Mapping[str, Any]) -> None:
        with HAND:
            note = message.get("note")
            self._judged(
                message["grade"], self._meant(message), None if note is None else str(note)
            )

    def _asked_note(self, message: Mapping[str, Any]) -> None:
        with HAND:
            self._noted(str(message["note"]), self._meant(message))

    def _asked_undo(self, _: Mapping[str, Any]) -> None:
        self.undo()

    def _asked_go(self, message: Mapping[str, Any]) -> None:
        self.go(message["to"])

    def _meant(self, message: Mapping[str, Any]) -> Page:
        """The page that the browser showed, whatever has happened here since."""
        return self._session.find(int(message["question"]), str(message["content"]))

    def _show(self, said: str) -> None:
        session = self._session
        with self.hold_sync():
            self._questions = [
                [pool.query, one.seen, one.total]
                for pool, one in zip(session.pools, session.by_question(), strict=True)
            ]
            page = session.page
            self._page = self._end() if page is None else self._drawn(page)
            self._said, self.error = said, None
        if said and self._has_left and (running := kernel()) is not None:
            self._leave(running, update=True)

    def _drawn(self, page: Page) -> dict[str, Any]:
        """What the browser may know of a page: no score, no rank, and not who found it."""
        item, label = page.item, self._session.label(page)
        if item is None:
            return {"question": page.question, "content": None}
        own = [one.content for one in self._session.pools[page.question].items]
        return {
            "question": page.question,
            "content": item.content,
            "number": own.index(item.content) + 1,
            "source": item.source,
            "lines": item.lines,
            "about": about(json.loads(item.metadata or "{}")),
            "source_type": item.source_type,
            "language": item.language,
            "text": item.text,
            "also": list(item.also),
            "grade": None if label is None else label.grade,
            "is_skipped": label is not None and label.grade is None,
            "note": "" if label is None else label.note,
        }

    def _end(self) -> dict[str, Any]:
        session = self._session
        given, now = session.grades(), session.progress()
        others = [one for one in session.judgments.labellers() if one != self.labeller]
        return {
            "question": None,
            "grades": [given[grade] for grade in range(len(GRADES))],
            "skipped": now.skipped,
            "open": now.open,
            "file": f"{self._brain.folder.name}/{session.judgments.path.name}",
            "agreement": [
                agreement(session.judgments, self.labeller, other).summary()
                for other in others
                if self.labeller in session.judgments.labellers()
            ],
        }


def _grade(grade: int | None) -> str:
    return "skipped" if grade is None else f"{grade} {GRADES[grade]}"


def _place(page: Page) -> str:
    return "" if page.item is None else f"{page.item.source}:{page.item.lines}"
