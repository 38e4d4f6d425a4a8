"""The reasons for one result, alone."""

from __future__ import annotations

import traitlets

from brainkit.widgets.answer_widget import AnswerWidget


class ScoreBreakdown(AnswerWidget):
    """Why a result is where it is: the parts that sum to its score, and their arithmetic.

    answer : an answer.
    selected : chunk_id of the result that is explained; None for the best.
    alpha, rrf_k, weights, ... : as in QueryRequest; the arithmetic follows at once.
    """

    _kind = traitlets.Unicode("score-breakdown").tag(sync=True)
