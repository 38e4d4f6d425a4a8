"""The explorer: a brain to ask, beside its answer and the reasons for it."""

from __future__ import annotations

import itertools
import re
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

import traitlets

from brainkit import markup
from brainkit.errors import InvalidRequest, NotInTrace
from brainkit.evaluation.judgments import Judgments
from brainkit.models import QueryRequest
from brainkit.results import UNREAD
from brainkit.widgets import corpus
from brainkit.widgets.answer_widget import Answered, AnswerWidget, settled
from brainkit.widgets.cells import kernel
from brainkit.widgets.code import python_call
from brainkit.widgets.hosting import HAND, Hosted
from brainkit.widgets.labels import grades, put
from brainkit.widgets.newest import Newest
from brainkit.widgets.reopened import left_behind

HISTORY = 20


class Savable(Answered, Protocol):
    """An answer that can be written as a page."""

    def save_html(self, path: Path) -> Path:
        """Write a page that opens anywhere."""
        ...


class Askable(corpus.Tables, Protocol):
    """A brain, as far as an explorer looks at it."""

    @property
    def folder(self) -> Path:
        """Where it lies on disk."""
        ...

    def query(self, query: QueryRequest, *, trace: Literal["full"]) -> Savable:
        """Answer a request, running every retriever."""
        ...


class Explorer(AnswerWidget):
    """Ask a brain, and see the ranking move with every setting, with the reasons beside it.

    brain : what answers. query : a first question. fields : any other setting of QueryRequest.

    All settings are traits, in step with the browser: read them, ``observe`` them, ``link`` them
    to other widgets, set them. What is set in Python is answered before the assignment returns;
    what is asked in the browser is answered on a thread, the newest question winning.
    ``request`` is the exact question, ``code`` the call that asks it.

    answer : an Answer, the same as ``brain.query(explorer.request)`` gives.
    history : the last 20 questions, the newest first.
    labels : grade 0 to 3 by chunk_id for the present question, from the brain's judgments.tsv.
    Raises InvalidRequest for an impossible setting.
    """

    _kind = traitlets.Unicode("explorer").tag(sync=True)
    _choices = traitlets.Dict().tag(sync=True)
    _counts = traitlets.Bool(True).tag(sync=True)
    _answered = traitlets.List(traitlets.Unicode()).tag(sync=True)
    _name = traitlets.Unicode().tag(sync=True)

    history = traitlets.List(traitlets.Unicode()).tag(sync=True)

    asks: ClassVar[Mapping[str, str]] = {
        "count": "_count", "open": "_open", "label": "_grade", "save": "_save",
    }  # fmt: skip

    def __init__(self, brain: Askable, query: str = "", **fields: Any) -> None:
        self._brain = brain
        self._worker = Newest("brainkit explorer")
        self._turn = 0
        self._owed: list[str] = []
        self._seen = ""
        self._judgments = Judgments(brain.folder)
        super().__init__(query=query or "", _name=uuid.uuid4().hex, **fields)
        if not self._choices:
            with self._told():
                self._choices = corpus.choices(brain)

    @property
    def code(self) -> str:
        """The Python call that gives this answer; empty without a question."""
        return "" if self.request is None else python_call(self.request)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until no question asked in the browser is open; False after ``timeout`` seconds."""
        return self._worker.wait(timeout)

    def label(self, chunk_id: str, grade: int | None) -> None:
        """Say how relevant a chunk is to the present question, 0 to 3; None takes it back.

        It is in the brain's ``judgments.tsv`` before the call returns. Raises InvalidSetting for
        another grade, NoSuchSource for a chunk that is not there.
        """
        if self.request is None:
            raise InvalidRequest("there is no question yet to which a chunk could be relevant.")
        put(self._judgments, self._brain, self.request.query, chunk_id, grade)
        with HAND:
            self._show_labels()

    def save_html(self, path: str | Path | None = None) -> Path:
        """Write the answer as a page that opens anywhere; by default beside the notebook.

        Returns where it is. Raises InvalidRequest while there is no answer.
        """
        answer: Savable | None = self.answer
        if answer is None:
            raise InvalidRequest("there is no answer to save yet; ask a question first.")
        return answer.save_html(_free(self._request["query"]) if path is None else Path(path))

    def __repr__(self) -> str:
        if self.comm is None:
            return "<Explorer, closed>"
        name = self._brain.folder.name  # and not the path, which would be saved in the notebook
        return markup.terminal(f"<Explorer of {name}: {self._request['query']!r}>")

    def _ipython_display_(self, **_: Any) -> None:
        """Show the explorer, and leave its answer for whoever opens the notebook again."""
        running = kernel()
        if self.comm is None or running is None:
            raise NotImplementedError  # IPython then shows the repr
        publish = running.shell.display_pub.publish
        data, metadata = self._repr_mimebundle_() or ({}, {})
        publish(data, metadata)
        if (answer := self.answer) is not None:
            publish(left_behind(answer.view(), of=self._name, plain=repr(answer)))

    def _let_go(self) -> None:
        self._worker.drop()
        with HAND:
            self._turn += 1  # what is being asked now will not be shown
            super()._let_go()

    def _follow(self) -> None:
        if self._is_heard:
            with HAND:
                self._turn += 1  # what is being asked is not what is wanted any more
        if self.answer is not None:
            super()._follow()
            if not self._is_heard and _is_unread(self.answer):  # else the browser asks
                self._ask()
        elif self._request["query"] and not self._is_heard:
            self._ask()

    def _lack(self, error: NotInTrace) -> None:
        if not self._is_heard:  # else the browser asks, too
            self._ask()

    def _heard(self, widget: Hosted, content: Any, buffers: Any) -> None:
        if isinstance(content, dict) and content.get("ask") == "query":
            with HAND:
                self._owed.append(str(content.get("id")))
            request = content.get("request")
            self._worker.put(lambda: self._ask(request))
        else:
            super()._heard(widget, content, buffers)

    def _ask(self, asked: Any = None) -> None:
        """Answer what the browser asked, or the present settings; no error leaves."""
        with HAND:
            self._turn += 1
            turn, (owed, self._owed) = self._turn, (self._owed, [])
            asked = self._request if asked is None else asked
        found: Savable | None = None
        problem: Exception | None = None
        try:
            found = self._brain.query(QueryRequest.model_validate(asked), trace="full")
        except Exception as error:  # noqa: BLE001  # told below
            problem = error
        with HAND, self.hold_sync():
            with self._told():
                if turn == self._turn:  # else a newer question is being answered
                    if problem is not None:
                        raise problem
                    self.answer = found
            self._answered = owed

    def _drawn(self, answer: Answered) -> dict[str, Any]:
        query, generation = answer.response.request.query, answer.response.trace.generation
        self.history = [query, *(one for one in self.history if one != query)][:HISTORY]
        if generation != self._seen:
            self._choices, self._seen = corpus.choices(self._brain), generation
        return super()._drawn(answer)

    @traitlets.observe("_view")
    def _show_labels(self, _: Any = None) -> None:
        if (answer := self.answer) is not None:
            shown = [candidate.chunk_id for candidate in answer.response.trace.candidates]
            query = answer.response.request.query
            self.labels = grades(self._judgments, self._brain, query, shown)

    def _count(self, message: Mapping[str, Any]) -> list[int]:
        return list(corpus.allowed(self._brain, settled(message["request"], {})))

    def _open(self, message: Mapping[str, Any]) -> dict[str, str]:
        return corpus.around(self._brain, str(message["chunk_id"]))

    def _grade(self, message: Mapping[str, Any]) -> None:
        self.label(str(message["chunk_id"]), message["grade"])

    def _save(self, _: Mapping[str, Any]) -> str:
        return str(self.save_html())


def _is_unread(answer: Answered) -> bool:
    """Tell whether a new query would have a reranker read more."""
    return any(notice.kind == UNREAD for notice in answer.response.notices)


def _free(query: str) -> Path:
    """A name for a page that is not taken yet, from the words of a question."""
    words = re.findall(r"\w+", query.lower())[:8]
    stem = "-".join(words)[:60] or "answer"
    names = itertools.chain([f"{stem}.html"], (f"{stem}-{n}.html" for n in itertools.count(2)))
    return next(path for path in map(Path, names) if not path.exists())
