"""The walk of graph mode, alone."""

from __future__ import annotations

import traitlets

from brainkit.widgets.answer_widget import AnswerWidget


class GraphPath(AnswerWidget):
    """What the question named, what was reached, and the way to the selected result.

    answer : an answer of graph or multi mode.
    selected : chunk_id of the result whose way is drawn heavy and said as a sentence; None for
        the best.
    """

    _kind = traitlets.Unicode("graph-path").tag(sync=True)
