"""A piece that is one setting, under the name that ipywidgets' controls have: ``value``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from brainkit.widgets.answer_widget import Answered, AnswerWidget


class Control(AnswerWidget):
    """One setting of a question.

    value : where it stands first; by default where QueryRequest has it, or the answer.
    answer : what it changes; ``refuse``d at every move. None for the setting alone.
    """

    _field: ClassVar[str]
    value: Any

    def __init__(self, value: Any = None, answer: Answered | None = None, **given: Any) -> None:
        if value is not None:
            given[self._field] = value
        super().__init__(answer, **given)
        self.value = getattr(self, self._field)
        self.observe(self._follow_field, self._field)

    def _follow_field(self, change: Mapping[str, Any]) -> None:
        self.value = change["new"]

    @traitlets.validate("value")
    def _checked_value(self, proposal: Mapping[str, Any]) -> Any:
        return self._settled({self._field: proposal["value"]})[self._field]

    @traitlets.observe("value")
    def _value_changed(self, change: Mapping[str, Any]) -> None:
        setattr(self, self._field, change["new"])
