"""The votes of multi mode, alone."""

from __future__ import annotations

import traitlets

from brainkit.widgets.answer_widget import AnswerWidget


class RrfChart(AnswerWidget):
    """Votes by rank: a stacked bar per result, with the arithmetic of each vote.

    answer : an answer whose trace holds the lists; it is shown in multi mode.
    rrf_k, weights, depth, top_k : as in QueryRequest; the bars follow at once.
    """

    _kind = traitlets.Unicode("rrf-chart").tag(sync=True)
