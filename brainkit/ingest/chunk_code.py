"""Code by definition: a function or class is a piece while it fits, and knows its name.

A parser only says at which lines to cut, so pieces are whole lines like everywhere else.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from brainkit.ingest.chunk_text import PLAIN, SOFT, UNIT, chunk_text, pack
from brainkit.ingest.pieces import Budget, Header, Lines, Piece
from brainkit.parse.grammar import GrammarUnavailable
from brainkit.parse.model import OPEN_KINDS, Definition, Parsed
from brainkit.parse.table import CLASS_OPENERS, PARSERS


class _File(NamedTuple):
    lines: Lines
    breaks: bytearray
    class_opener: str


class _Task(NamedTuple):
    """Lines first to last-1 of a definition: the whole of it, or a run between those inside it."""

    owner: Definition
    headers: tuple[Header, ...]
    first: int
    last: int
    whole: bool


def chunk_code(text: str, *, language: str = "python", budget: Budget) -> list[Piece]:
    """Cut code into definitions, each with the comments and attributes right above it.

    A type over the budget becomes its header (up to the first method) and its methods; a function
    over the budget is split at its statements, and at the statements inside those that are too
    large themselves. A namespace or module is always cut into what it holds. Definitions are never
    merged, but for undocumented prototypes, aliases and the like (``Definition.bare``), which are
    grouped up to the budget as other statements are. Closing lines go with the definition above.

    language : a key of PARSERS.
    Metadata: ``symbol_kind`` (``module`` for what is outside all definitions), and where they exist
    ``symbol_name``, ``signature``, ``docstring`` (as in Definition), ``imports`` (the modules
    imported here) and ``part`` ([i, n], i from 1, if n pieces share the symbol). The context is the
    signatures that stand above the piece and enclose it. A piece with lines that do not parse says
    ``{"parse": "partial"}``; a file of which too much does not, or whose grammar cannot be loaded,
    is cut by lines, and all its pieces say ``{"parse": "failed"}``.
    """
    try:
        parsed = PARSERS[language](text)
    except GrammarUnavailable:
        parsed = None
    if parsed is None:
        return [
            replace(piece, metadata={"parse": "failed", **piece.metadata})
            for piece in chunk_text(text, budget=budget, overlap=False)
        ]
    lines = Lines(text, budget)
    breaks = bytearray([PLAIN]) * len(lines)
    for i in range(1, len(lines)):
        if lines.blank[i - 1] and not lines.blank[i]:
            breaks[i] = SOFT
    file = _File(lines, breaks, CLASS_OPENERS.get(language, ""))
    owned: list[tuple[Definition, Piece]] = []
    tasks = [_Task(parsed.module, (), 0, len(lines), True)]
    while tasks:
        task = tasks.pop()
        fits = lines.cost(task.first, task.last) <= lines.room(task.headers, "\n")
        if task.whole and not (fits and task.owner.kind not in OPEN_KINDS):
            tasks += reversed(_split(task, file))
        else:
            found = pack(lines, breaks, task.first, task.last, headers=task.headers)
            owned += [(task.owner, piece) for piece in found]
    return _described(owned, parsed)


def _split(task: _Task, file: _File) -> list[_Task]:
    """Cut a definition into those inside it and the runs of lines between them."""
    owner, headers = task.owner, task.headers
    if owner.signature:
        opener = file.class_opener if owner.kind == "class" else ""
        cost = file.lines.cost(*owner.head)
        headers = (*headers, Header(owner.head[0], owner.signature + opener, cost))
    tasks: list[_Task] = []
    done = task.first
    for inner, between in _definitions(owner, headers, file):
        first = max(done, inner.first) if inner else task.last
        if not between and tasks:
            # Nothing begins here, so what encloses the definition above ends.
            tasks[-1] = tasks[-1]._replace(last=first)
        elif not between and inner and owner.kind in OPEN_KINDS:
            first = done
        else:
            tasks.append(_Task(owner, headers, done, first, False))
        if inner is None:
            break
        done = max(first, inner.stop)
        if inner.first < first and tasks and not between:
            # It begins on the line where another ends.
            tasks[-1] = tasks[-1]._replace(last=done)
        else:
            tasks.append(_Task(inner, headers, first, done, True))
    return tasks


def _definitions(
    owner: Definition, headers: tuple[Header, ...], file: _File
) -> Iterator[tuple[Definition | None, bool]]:
    """Yield the definitions inside one, in order, and None; mark the breaks between statements.

    Each comes with whether a statement begins between it and the one before. Statements are units;
    those inside another are units only if that one is too large for a piece. The first one of a
    block stays with the line that opens it.
    """
    lines, breaks, _ = file
    room = lines.room(headers, "\n")
    between = False
    stack = [(owner.inner(), True)]
    while stack:
        entries, marked = stack[-1]
        entry = next(entries, None)
        if entry is None:
            stack.pop()
        elif isinstance(entry, Definition):
            if entry.bare:
                between = True
                breaks[entry.first] = UNIT if marked else breaks[entry.first]
            else:
                yield entry, between
                between = False
        else:
            between = True
            if marked and not entry.opens:
                breaks[entry.first] = UNIT
            too_large = lines.cost(entry.first, entry.stop) > room
            if too_large or entry.scope:
                stack.append((entry.inner(), marked and too_large))
    yield None, between


def _described(owned: list[tuple[Definition, Piece]], parsed: Parsed) -> list[Piece]:
    """Give each piece its symbol, the modules it imports and its place among the symbol's parts."""
    parts = Counter(id(owner) for owner, _ in owned)
    seen: Counter[int] = Counter()
    rows = [row for row, _ in parsed.imports]
    pieces: list[Piece] = []
    for owner, piece in owned:
        metadata = _symbol(owner, first=not pieces)
        start, stop = piece.start_line - 1, piece.end_line
        within = parsed.imports[bisect_left(rows, start) : bisect_left(rows, stop)]
        if within:
            metadata["imports"] = list(dict.fromkeys(m for _, modules in within for m in modules))
        if owner.kind != "module" and parts[id(owner)] > 1:
            seen[id(owner)] += 1
            metadata["part"] = [seen[id(owner)], parts[id(owner)]]
        if any(first < stop and start < end for first, end in parsed.broken):
            metadata["parse"] = "partial"
        pieces.append(replace(piece, metadata={**metadata, **piece.metadata}))
    return pieces


def _symbol(owner: Definition, *, first: bool) -> dict[str, Any]:
    metadata = {
        "symbol_name": owner.name,
        "symbol_kind": owner.kind,
        "signature": owner.signature,
        # A module's documentation is its own first piece's, not that of all its runs.
        "docstring": owner.docstring if owner.kind != "module" else "",
    }
    if first and owner.kind == "module":
        metadata["docstring"] = owner.docstring
    return {key: value for key, value in metadata.items() if value}
