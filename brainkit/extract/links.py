"""Where a link leads: from what is written to a path below the root, or a name to look for."""

from __future__ import annotations

import posixpath
import re
from typing import Final
from urllib.parse import unquote

from brainkit.extract.facts import Target
from brainkit.extract.names import folded

_SCHEME: Final = re.compile(r"[A-Za-z][\w+.-]*:")
_SLUG_DROPS: Final = re.compile(r"[^\w\- ]")


def slug(title: str) -> str:
    """Return a heading as fragments of links name it.

    >>> slug("What's new in 3.1?"), slug("Über uns")
    ('whats-new-in-31', 'uber-uns')
    """
    return _SLUG_DROPS.sub("", folded(title)).strip().replace(" ", "-").replace("_", "-")


def target_of(written: str, relative: str) -> Target | None:
    """Return what a link in a file leads to; None for what is no place among the files.

    written : as in the file; ``doc:`` and ``ref:`` stand before the targets of these roles.
    relative : of the file, below its root.
    Scope ``path`` has a path from the root behind ``/``, then ``#`` and the slug of a heading if
    one is named. Scope ``name`` has the end of a path behind ``/``, or a label behind ``#``.

    >>> target_of("../hubs.md#Finding them", "docs/graphs/paths.md")
    Target(scope='path', path='/docs/hubs.md#finding-them')
    >>> target_of("doc:/cli", "docs/quickstart.rst"), target_of("https://example.org", "a.md")
    (Target(scope='name', path='/cli'), None)
    """
    if written.startswith("ref:"):
        return Target("name", "#" + slug(written.removeprefix("ref:")))
    written = written.removeprefix("doc:")
    if _SCHEME.match(written) or written.startswith("//"):
        return None
    path, _, fragment = unquote(written).partition("#")
    path = path.partition("?")[0]
    end = f"#{slug(fragment)}" if fragment else ""
    if path.startswith("/"):
        return Target("name", posixpath.normpath(path) + end)
    if not path:
        return Target("path", f"/{relative}{end}") if end else None
    whole = posixpath.normpath(posixpath.join(posixpath.dirname(relative), path))
    return None if whole.startswith("..") or whole == "." else Target("path", f"/{whole}{end}")
