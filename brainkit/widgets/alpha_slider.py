"""The alpha slider, alone."""

from __future__ import annotations

import traitlets

from brainkit.widgets.control import Control


class AlphaSlider(Control):
    """The weight of the vector side in hybrid mode, with the guide to its values.

    value : 0, only keywords, to 1, only vectors; 0.5 by default. The same as ``alpha``.

    >>> AlphaSlider(0.3).value
    0.3
    """

    _kind = traitlets.Unicode("alpha-slider").tag(sync=True)
    _field = "alpha"

    value = traitlets.Float()
