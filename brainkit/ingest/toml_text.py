"""TOML that anyone may have written, read in a time in proportion to its length."""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

DOTS_MAX: Final = 100
"""In one name. tomllib takes the square of them: half a minute for a name of 60 kB."""

_APART: Final = re.compile(r"[,={}\[\]]")


def toml_of(text: str) -> dict[str, Any]:
    """Return what a TOML text says. Raises ValueError, also if it is nested too deep.

    >>> toml_of("[chunks]\\ntokens = 128")
    {'chunks': {'tokens': 128}}
    """
    for number, line in enumerate(text.split("\n"), start=1):
        names = _APART.split(line.replace(" ", "").replace("\t", ""))
        if any(name.count(".") > DOTS_MAX for name in names):
            raise ValueError(f"line {number} has a name of more than {DOTS_MAX} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
