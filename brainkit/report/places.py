"""Where the files of this machine lie, and what a report says instead."""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from brainkit.report.said import Edit, rewritten
from brainkit.report.written import written

_INSTALLED: Final = re.compile(r"[\\/]site-packages[\\/]")
_OF_PATHS: Final = frozenset(string.ascii_letters + string.digits + "_./\\~:-…")
_BARE_PARTS: Final = 2
"""A folder at the root, as ``/root`` or ``/app``, is that of every container: it names nobody."""
_LAST: Final = re.compile(
    r"(?<![\w/.:~])(?:[A-Za-z]:[\\/]|/)(?:[^\s<>\"'|:*?\\/]+[\\/])+([^\s<>\"'|:*?\\/]+)"
)

_QUOTED: Final = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL)


class Places:
    """The home folder, the report's and Python's, as they are written in texts."""

    def __init__(self, folder: Path | None) -> None:
        """Take the folder that the report is of; by default the present one."""
        shown: dict[str, str] = {}
        own = Path.cwd() if folder is None else folder
        known = [(own, "."), (Path.home(), "~")]
        if sys.prefix != sys.base_prefix:  # an environment of somebody's, and no part of the system
            known.append((Path(sys.prefix), "…"))
        for path, instead in known:
            for one in (path.absolute(), path.resolve()):
                if one != Path(one.anchor):
                    shown.setdefault(str(one), instead)
        everywhere = [path for path in shown if len(Path(path).parts) > _BARE_PARTS]
        self._shown = {form: shown[path] for path in shown for form in _forms(path)}
        self._all = _pattern(path for path in shown if path in everywhere or shown[path] == "~")
        self._naming = _pattern(everywhere)

    def edits(self, text: str) -> list[Edit]:
        """Return how a text is changed so that no path in it begins at the machine's root."""
        if not text:
            return []
        found = list(_installed(text))
        ends = [(start, end) for start, end, _ in found]
        found += [
            (*match.span(), self._shown[match[0]])
            for match in self._all(text)
            if not any(match.start() < end and start < match.end() for start, end in ends)
        ]
        return sorted(found)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where the folders stand that say whose machine it is."""
        return [match.span() for match in self._naming(text)]


def last_names(text: str) -> str:
    """Return what brainkit wrote with absolute paths cut to their last name.

    >>> last_names("<Brain /home/ann/notes.brain gen-000001: 12 chunks>")
    '<Brain notes.brain gen-000001: 12 chunks>'
    """
    return _LAST.sub(r"\1", text)


def last_names_in(page: str) -> str:
    """Return cleaned HTML of ours likewise; what it quotes of the corpus stays as it is.

    >>> last_names_in("<td>/home/ann/r&amp;d.brain</td><pre>get('/records/' + name)</pre>")
    "<td>r&amp;d.brain</td><pre>get('/records/' + name)</pre>"
    """
    parts = _QUOTED.split(page)
    return "".join(
        part if part.startswith("<pre") else rewritten(part, _ends, lambda data: data)
        for part in parts
    )


def _ends(text: str) -> list[Edit]:
    return [(*match.span(), match[1]) for match in _LAST.finditer(text)]


def _installed(text: str) -> Iterator[Edit]:
    """What comes before the packages is how a machine is set up."""
    after = 0
    for match in _INSTALLED.finditer(text):
        start = match.start()
        while start > after and text[start - 1] in _OF_PATHS:
            start -= 1
        yield start, match.end(), ""
        after = match.end()


def _forms(path: str) -> tuple[str, ...]:
    return written(path, in_base64=False)


def _pattern(paths: Iterable[str]) -> Callable[[str], Iterator[re.Match[str]]]:
    """The way to find whole folders, the longest first: not ``/home/ann`` in ``/home/anna``."""
    forms = sorted({form for path in paths for form in _forms(path)}, key=len, reverse=True)
    if not forms:
        return lambda _: iter(())
    every = "|".join(map(re.escape, forms))
    # A letter before it makes it part of a longer path, but for options such as -I/home/ann.
    return re.compile(rf"(?:(?<!\w)|(?<=\s-\w))(?:{every})(?!\.?[\w-])").finditer
