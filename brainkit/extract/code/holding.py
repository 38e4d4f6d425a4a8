"""What holds things of one type: a list of books is not a book, but each of its elements is.

While a file is read, ``Book.()*`` is what holds books. The resolver never sees such a path: what
holds books under the name ``Shelf.books`` is written as a binding of ``Shelf.books[]`` to a book.
"""

from __future__ import annotations

from typing import Final

from brainkit.extract.code.model import Collector, Meaning
from brainkit.extract.facts import Target

_MARK: Final = "*"


def holder_of(element: Meaning) -> Meaning:
    """Return what holds things such as this one.

    >>> holder_of(Target("file", "Book.()")).path
    'Book.()*'
    """
    return element and Target(element.scope, element.path + _MARK)


def element_of(value: Meaning) -> Meaning:
    """Return what a value holds, if it holds anything.

    >>> element_of(Target("file", "Book.()*")).path, element_of(Target("file", "shelf.books")).path
    ('Book.()', 'shelf.books[]')
    """
    if value is None:
        return None
    if value.path.endswith(_MARK):
        return Target(value.scope, value.path.removesuffix(_MARK))
    return Target(value.scope, f"{value.path}[]")


def itself(value: Meaning) -> Meaning:
    """Return a value whose members can be asked for: None for what only holds others."""
    return None if value is None or value.path.endswith(_MARK) else value


def bind_value(collector: Collector, path: str, value: Meaning) -> None:
    """Say what a path stands for, or else what its elements do."""
    while value is not None and value.path.endswith(_MARK):
        path, value = f"{path}[]", element_of(value)
    if value is not None:
        collector.bind(path, value)
