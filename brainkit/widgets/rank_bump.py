"""The scores and ranks of hybrid mode over alpha, alone."""

from __future__ import annotations

import traitlets

from brainkit.widgets.answer_widget import AnswerWidget


class RankBump(AnswerWidget):
    """Blended scores as straight lines in alpha, above the ranks that follow, on one axis.

    answer : an answer whose trace holds both sides; it is shown in hybrid mode.
    alpha : where the cursor stands. normalize, top_k : as in QueryRequest.
    selected : chunk_id of the line that is marked.
    """

    _kind = traitlets.Unicode("alpha-picture").tag(sync=True)
