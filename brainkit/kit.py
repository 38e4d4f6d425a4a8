"""Where the files that come with brainkit are: its sample data and its lessons."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from brainkit.errors import NoSuchFolder

_PACKAGE = Path(__file__).resolve().parent


def kit_folder(name: Literal["data", "notebooks"]) -> Path:
    """Return the folder ``data`` or ``notebooks``, wherever this brainkit was installed.

    A wheel carries both inside the package, under ``_kit``; in a checkout (``pip install -e``)
    they lie beside the package.

    Raises NoSuchFolder when neither place has it: the installation is incomplete.

    >>> kit_folder("data").name
    'data'
    """
    places = (_PACKAGE / "_kit" / name, _PACKAGE.parent / name)
    for place in places:
        if place.is_dir():
            return place
    raise NoSuchFolder(
        f"brainkit's folder {name!r} is neither {places[0]} nor {places[1]}; "
        "allowed are 'data' and 'notebooks'. If the name is right, install brainkit again."
    )
