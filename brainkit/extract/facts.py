"""What one file says of named things, before anything is known of other files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final, Literal, NamedTuple

FACTS_VERSION = 1
"""To be raised whenever equal bytes give other facts: unchanged files are then read again."""

PROSE_KINDS = frozenset({"document", "heading", "term"})
"""Kinds of what prose names; all others are of code."""

Scope = Literal["file", "path", "name"]


class Target(NamedTuple):
    """Where a reference points, as far as its own file can tell.

    path : names joined by dots, of modules and then of symbols; a component ``()`` is what calling
        the one before gives: ``create_app.().route``.
    scope : ``file``, from the top of this file, so ``Flask.route``; ``path``, from the top of the
        root folder, so ``src.flask.app.Flask`` after a relative import; ``name``, an absolute name
        whose beginning some folder of the root answers to, so ``flask.app.Flask``.
    """

    scope: Scope
    path: str


class Named(NamedTuple):
    """Something that the file defines or is about.

    path : its place in the file; "" is the file itself. Symbols of code are dotted:
        ``Flask.route``. Headings and terms have any path that no other has.
    name : as a reader would write it: ``route``, ``Signing sessions``.
    kind : package, module, class, interface, ..., function, method, constant; document, heading,
        term.
    parent : path of what contains it, None for the file itself.
    chunks : positions, from 0, of the file's chunks that define it, or that stand under it.
    aliases : (other name, weight above 0 and at most 1) by which it may be meant.
    """

    path: str
    name: str
    kind: str
    parent: str | None
    chunks: tuple[int, ...] = ()
    aliases: tuple[tuple[str, float], ...] = ()


class Reference(NamedTuple):
    """A use of something by name: subject -> predicate -> the first target that can be resolved.

    subject : path of the Named thing that refers. chunk : position of the chunk it stands in.
    start, end : offsets in that chunk's text of the sentence or line that says so; 0, 0 if none.
    """

    subject: str
    predicate: str
    targets: tuple[Target, ...]
    chunk: int
    start: int = 0
    end: int = 0


class Run(NamedTuple):
    """A stretch of prose that may hold names: it is looked up among all names of a generation.

    kind : ``name``, capitalised words and what joins them; ``code``, a code span; ``symbol``,
        a word written like an identifier.
    at : offset of the text in its chunk. start, end : of the sentence around it.
    opens : whether its first word opens a sentence, and so is capitalised anyway.
    """

    text: str
    kind: Literal["name", "code", "symbol"]
    chunk: int
    at: int
    start: int
    end: int
    opens: bool = False


class Triplet(NamedTuple):
    """A relation that a model read out of a chunk: two names with their kinds, and a predicate."""

    subject: str
    subject_kind: str
    predicate: str
    object: str
    object_kind: str
    chunk: int


@dataclass(frozen=True, slots=True)
class Facts:
    """All that one file says.

    family : languages that can refer to each other: python, javascript, jvm, go, rust, csharp, c,
        one of its own for every other language, and ``prose``.
    module : dotted path of the file below its root, without its suffix (``src.flask.app``;
        ``src.flask`` for an ``__init__.py``), or the declared package and file (Java, C#, Go).
    bindings : path in the file -> what it stands for: imported names, aliases, attributes and
        variables with a known type, and ``f.()`` for what ``f`` returns.
    """

    family: str
    module: str
    named: tuple[Named, ...] = ()
    references: tuple[Reference, ...] = ()
    bindings: Mapping[str, Target] = field(default_factory=dict)
    runs: tuple[Run, ...] = ()
    triplets: tuple[Triplet, ...] = ()

    def to_json(self) -> str:
        """Return the facts as compact JSON; equal facts give equal text."""
        plain: dict[str, Any] = {"family": self.family, "module": self.module}
        for name in ("named", "references", "triplets"):
            if value := getattr(self, name):
                plain[name] = value
        if self.runs:
            plain["runs"] = _packed(self.runs)
        if self.bindings:
            plain["bindings"] = dict(sorted(self.bindings.items()))
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Facts:
        """Read what ``to_json`` wrote.

        >>> facts = Facts("prose", "notes", named=(Named("", "Notes", "document", None, (0,)),))
        >>> Facts.from_json(facts.to_json()) == facts
        True
        """
        plain = json.loads(text)
        return cls(
            family=plain["family"],
            module=plain["module"],
            named=tuple(_named(row) for row in plain.get("named", ())),
            references=tuple(_reference(row) for row in plain.get("references", ())),
            bindings={path: Target(*row) for path, row in plain.get("bindings", {}).items()},
            runs=tuple(_unpacked(plain.get("runs", ()))),
            triplets=tuple(Triplet(*row) for row in plain.get("triplets", ())),
        )


_KINDS: Final[dict[str, Literal["name", "code", "symbol"]]] = {
    "n": "name",
    "c": "code",
    "s": "symbol",
}


def _packed(runs: Iterable[Run]) -> list[list[Any]]:
    """Return runs by sentence, as most of what is stored of prose is runs.

    Each sentence is [chunk, start, end, text, at from the start, text, at, ...]; before a text
    stands the first letter of its kind, a capital where it opens.
    """
    packed = []
    for (chunk, start, end), within in groupby(runs, key=lambda run: (run.chunk, *run[4:6])):
        row: list[Any] = [chunk, start, end]
        for run in within:
            letter = run.kind[0].upper() if run.opens else run.kind[0]
            row += (letter + run.text, run.at - start)
        packed.append(row)
    return packed


def _unpacked(rows: Iterable[list[Any]]) -> Iterator[Run]:
    for chunk, start, end, *within in rows:
        for text, at in zip(within[::2], within[1::2], strict=True):
            kind = _KINDS[text[0].lower()]
            yield Run(text[1:], kind, chunk, start + at, start, end, text[0].isupper())


def _named(row: list[Any]) -> Named:
    path, name, kind, parent, chunks, aliases = row
    return Named(path, name, kind, parent, tuple(chunks), tuple((a, w) for a, w in aliases))


def _reference(row: list[Any]) -> Reference:
    subject, predicate, targets, chunk, start, end = row
    return Reference(subject, predicate, tuple(Target(*t) for t in targets), chunk, start, end)
