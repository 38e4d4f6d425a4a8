"""The mode picker, alone."""

from __future__ import annotations

import traitlets

from brainkit.widgets.control import Control


class ModePicker(Control):
    """The five modes, with the guidance on when to use which.

    value : vector, bm25, hybrid (default), graph or multi; the same as ``mode``.
    answer : given one, modes that its trace cannot answer are disabled and say why.

    >>> ModePicker("bm25").value
    'bm25'
    """

    _kind = traitlets.Unicode("mode-picker").tag(sync=True)
    _field = "mode"

    value = traitlets.Unicode()
