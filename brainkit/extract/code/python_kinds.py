"""What kind of thing a variable of Python is, by its name and what it is given."""

from __future__ import annotations

import re
from typing import Final

from brainkit.extract.code.python_scopes import Bound
from brainkit.extract.code.python_types import last_name

_CONSTANT: Final = re.compile(r"_*[A-Z][A-Z0-9_]*")
_CAMEL: Final = re.compile(r"_*[A-Z]\w*[a-z]\w*")
_TYPE_MAKERS: Final = frozenset(
    {"TypeVar", "ParamSpec", "TypeVarTuple", "NewType", "TypeAliasType"}
)
_CLASS_MAKERS: Final = frozenset({"namedtuple", "NamedTuple", "TypedDict"})


def is_constant(name: str) -> bool:
    """Whether a name is written as those of constants are.

    >>> is_constant("MAX_SIZE"), is_constant("Shelf")
    (True, False)
    """
    return _CONSTANT.fullmatch(name) is not None


def kind_of(name: str, bound: Bound) -> str:
    """Return ``class``, ``type``, ``constant`` or ``variable`` for a name that is given a value."""
    value, annotation = bound.value, bound.annotation
    if bound.how == "type" or (annotation and last_name(annotation) == "TypeAlias"):
        return "type"
    if value is not None and value.type == "call":
        maker = value.child_by_field_name("function")
        if maker is not None and last_name(maker) in _TYPE_MAKERS:
            return "type"
        if maker is not None and last_name(maker) in _CLASS_MAKERS:
            return "class"
    if is_constant(name):
        return "constant"
    composed = value is not None and value.type in ("subscript", "binary_operator")
    return "type" if composed and annotation is None and _CAMEL.fullmatch(name) else "variable"
