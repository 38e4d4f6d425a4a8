"""The filters, alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from brainkit.errors import InvalidRequest
from brainkit.widgets import corpus
from brainkit.widgets.answer_widget import Answered, AnswerWidget, settled
from brainkit.widgets.compact import Json


class FilterBar(AnswerWidget):
    """Which chunks a query may find, with a live count of those that are left.

    brain : what is counted, and gives the choices.
    answer : its filters stand first. Without a brain its candidates give the choices, and nothing
        is counted. It is never fused again: other filters need another query.
    source_types, languages, file_paths : as in QueryRequest; tuples of words, None for all.
    count : how many chunks the filters leave; of ``total``.
    """

    _kind = traitlets.Unicode("filter-bar").tag(sync=True)
    _choices = traitlets.Dict().tag(sync=True)
    _counts = traitlets.Bool().tag(sync=True)

    count = traitlets.Int(0)
    total = traitlets.Int(0)

    asks: ClassVar[Mapping[str, str]] = {"count": "_count"}

    def __init__(
        self, brain: corpus.Tables | None = None, answer: Answered | None = None, **given: Any
    ) -> None:
        self._brain = brain
        super().__init__(answer, _counts=brain is not None, **given)
        if brain is not None:
            with self._told():
                self._choices = corpus.choices(brain)
        self._follow()

    def _take(self, answer: Answered, changes: Mapping[str, Any]) -> None:
        self.answer = answer
        self._request = self._settled(changes)

    def _follow(self) -> None:
        if self._brain is not None:
            with self._told():
                self.count, self.total = corpus.allowed(self._brain, self._request)

    def _drawn(self, answer: Answered) -> Json:
        if self._brain is None:
            candidates = answer.response.trace.candidates
            self._choices = {
                "source_types": Counter(one.source_type for one in candidates).most_common(),
                "languages": Counter(c.language for c in candidates if c.language).most_common(),
            }
        return {}

    def _count(self, message: Mapping[str, Any]) -> list[int]:
        if self._brain is None:
            raise InvalidRequest("there is no brain to count in; give FilterBar one.")
        return list(corpus.allowed(self._brain, settled(message["request"], {})))

    def _let_go(self) -> None:
        super()._let_go()
        self._brain = None
