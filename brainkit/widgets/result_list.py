"""The results, alone."""

from __future__ import annotations

import traitlets

from brainkit.widgets.answer_widget import AnswerWidget


class ResultList(AnswerWidget):
    """The results, best first, with marks of what moved against the setting before.

    answer : an answer.
    mode, alpha, rrf_k, weights, ... : as in QueryRequest; the list follows at once.
    selected : chunk_id of the result that was clicked; None before.
    """

    _kind = traitlets.Unicode("result-list").tag(sync=True)
