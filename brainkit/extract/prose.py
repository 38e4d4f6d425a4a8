"""What prose says of named things: titles, headings, terms, links, and runs that may hold names."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Any, Final, Protocol

from brainkit.extract.aliases import aliases_of
from brainkit.extract.facts import Facts, Named, Reference, Run, Target
from brainkit.extract.links import slug, target_of
from brainkit.extract.marked import MARKDOWN, REST, Marked, definitions_of, marked, verbatim_lines
from brainkit.extract.names import key_of, never_a_name, words_of
from brainkit.extract.runs import identifiers, runs
from brainkit.extract.sentences import sentences
from brainkit.extract.terms import terms

PROSE: Final = frozenset(
    {
        *(None, "text", "html", "docx", "pdf", "jupyter", "asciidoc", "latex", "org", "textile"),
        *("typst", "mediawiki", "rdoc", "rd", "roff", "template", REST, *MARKDOWN),
    }
)
"""Languages that people read; of others, names are known only where they are written as such."""

_REST_LABEL: Final = re.compile(r"^\.\. _([^:\n`]{1,80}):[ \t]*$")
_EMPHASIS: Final = re.compile(r"(?<![*\w])(\*{1,2})(?=\S)([^*\n]{3,80}?)(?<=\S)\1(?![*\w])")
_LOWER_WORD: Final = re.compile(r"(?<!\w)[^\W\d_A-Z]+(?!\w)")
_NAME_CHARS: Final = 200


class Chunk(Protocol):
    """A chunk of a file, as ingest makes it."""

    @property
    def text(self) -> str:
        """Its lines, or a part of one line."""

    @property
    def start_line(self) -> int:
        """Its first line in the file's text, from 1."""

    @property
    def end_line(self) -> int:
        """Its last line, inclusive."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """What ingest knows of it; ``heading_path``, ``cell_type`` and ``language`` are read."""


@dataclass
class _Found:
    """What was found so far."""

    root: str
    named: dict[str, Named] = field(default_factory=dict)
    references: list[Reference] = field(default_factory=list)
    bindings: dict[str, Target] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)

    def name(self, one: Named) -> None:
        """Add something named; chunks of one named before add up."""
        known = self.named.get(one.path)
        if known is not None:
            one = known._replace(chunks=tuple(sorted({*known.chunks, *one.chunks})))
        self.named[one.path] = one


def prose_facts(
    text: str,
    *,
    chunks: Sequence[Chunk],
    relative: str,
    language: str | None,
    title: str = "",
    path: str = "",
) -> Facts:
    """Return the names and links of a document or record.

    chunks : all of the file, so that places are right; those of code cells have no prose.
    path : of the document among what the file names.
    """
    found = _Found(path)
    paths = [_heading_path(chunk) for chunk in chunks]
    shared = _shared_heading(paths)
    subjects = _outline(found, chunks, paths, relative=relative, title=title, shared=shared)
    lines = text.split("\n")
    kinds = verbatim_lines(lines, language)
    definitions = definitions_of(text, language)
    common = frozenset(_LOWER_WORD.findall(text))
    if language == REST:
        _labels(found, lines, chunks, subjects)
    for number, chunk in enumerate(chunks):
        if chunk.metadata.get("cell_type") == "code":
            found.runs += _code_runs([(0, chunk.text)], number)
            continue
        inside = kinds[chunk.start_line - 1 : chunk.end_line]
        prose, code = _parted(chunk.text, inside, paths[number])
        what = marked(prose, language, definitions=definitions)
        spans = list(sentences(what.plain))
        found.runs += _runs(what, spans, number, common)
        found.runs += _code_runs(code, number)
        for link in what.links:
            target = target_of(link.text, relative)
            if target is not None:
                start, end = _around(spans, link.start)
                found.references.append(
                    Reference(subjects[number], "links_to", (target,), number, start, end)
                )
        if language in MARKDOWN or language == REST:
            for term in terms(prose):
                path = f"term {key_of(term)}"
                found.name(Named(path, term, "term", subjects[number], (number,)))
    return Facts(
        family="prose",
        module=posixpath.splitext(relative)[0].replace("/", "."),
        named=tuple(found.named.values()),
        references=tuple(found.references),
        bindings=found.bindings,
        runs=tuple(found.runs),
    )


def identifier_facts(
    chunks: Sequence[Chunk], *, relative: str, title: str = "", bare: bool = False
) -> Facts:
    """Return the facts of a file that is neither prose nor understood as code.

    bare : without the identifiers it holds.
    """
    name = title or posixpath.basename(relative) or relative
    places = tuple(range(len(chunks)))
    return Facts(
        family="prose",
        module=posixpath.splitext(relative)[0].replace("/", "."),
        named=(Named("", name[:_NAME_CHARS], "document", None, places),),
        runs=()
        if bare
        else tuple(
            run for number in places for run in _code_runs([(0, chunks[number].text)], number)
        ),
    )


def _heading_path(chunk: Chunk) -> tuple[str, ...]:
    path = chunk.metadata.get("heading_path")
    if not isinstance(path, (list, tuple)):
        return ()
    return tuple(title for title in path if isinstance(title, str) and title.strip())


def _shared_heading(paths: Sequence[tuple[str, ...]]) -> str:
    """Return the heading that encloses everything after what precedes it: that of the document."""
    tops = {path[0] for path in paths if path}
    return tops.pop() if len(tops) == 1 else ""


def _outline(
    found: _Found,
    chunks: Sequence[Chunk],
    paths: Sequence[tuple[str, ...]],
    *,
    relative: str,
    title: str,
    shared: str,
) -> list[str]:
    """Add the document and its headings; return for each chunk what it is about, innermost."""
    name = " ".join(unescape(title or shared or posixpath.basename(relative) or relative).split())
    opening = chunks[0].text if chunks and title and not any(paths) else ""
    aliases = dict(aliases_of(name, opening))
    if shared and shared != name:
        aliases[shared] = 1.0
    found.name(
        Named(
            found.root,
            name[:_NAME_CHARS],
            "document",
            None,
            tuple(range(len(chunks))),
            tuple(aliases.items()),
        )
    )
    subjects = []
    for number, path in enumerate(paths):
        inner = path[1:] if shared else path
        parent = found.root
        for depth, heading in enumerate(inner, start=1):
            place = "# " + " > ".join(inner[:depth])
            if _says_nothing(heading):
                continue
            if depth == len(inner) or place not in found.named:
                found.name(Named(place, heading[:_NAME_CHARS], "heading", parent, (number,)))
            parent = place
        subjects.append(parent)
    return subjects


def _says_nothing(heading: str) -> bool:
    """Tell whether a heading names nothing: Usage, See also. What is below belongs to that above.

    Version 3.1 is something.
    """
    return all(never_a_name(word) and not word.isdigit() for word in words_of(heading))


def _labels(
    found: _Found, lines: Sequence[str], chunks: Sequence[Chunk], subjects: Sequence[str]
) -> None:
    """Bind reST labels to the heading they stand before."""
    for i, line in enumerate(lines):
        label = _REST_LABEL.match(line)
        if not label:
            continue
        below = next((n for n in range(i + 1, len(lines)) if lines[n].strip()), i)
        for chunk, subject in zip(chunks, subjects, strict=True):
            if chunk.start_line <= below + 1 <= chunk.end_line:
                found.bindings["#" + slug(label[1])] = Target("file", subject)
                break


def _parted(
    text: str, kinds: Sequence[int], path: Sequence[str]
) -> tuple[str, list[tuple[int, str]]]:
    """Return the prose with all other lines blanked, and verbatim lines with their offsets."""
    lines = text.split("\n")
    if len(lines) != len(kinds):  # a part of one line
        return text, []
    code = []
    at = 0
    for i, line in enumerate(lines):
        if kinds[i] == 1:
            code.append((at, line))
        if kinds[i] or line.strip() in path:
            lines[i] = " " * len(line)
        at += len(line) + 1
    return "\n".join(lines), code


def _runs(
    what: Marked, spans: Sequence[tuple[int, int]], chunk: int, common: frozenset[str]
) -> Iterator[Run]:
    """Yield the runs of a chunk.

    common : words that the file has in lower case; alone, they are capitalised for their place.
    """
    plain = what.plain
    for start, end in spans:
        for one in runs(plain, start, end):
            text = plain[one.start : one.end]
            if len(text) <= _NAME_CHARS:
                opens = one.opens or text.lower() in common
                yield Run(text, one.kind, chunk, one.start, start, end, opens)
    for stressed in _EMPHASIS.finditer(plain):
        text = stressed[2]
        if text.islower() and " " in text:  # capitalised words are runs already
            start, end = _around(spans, stressed.start(2))
            yield Run(text, "name", chunk, stressed.start(2), start, end, opens=True)
    for span in what.code:
        if len(span.text) <= _NAME_CHARS:
            start, end = _around(spans, span.start)
            yield Run(span.text, "code", chunk, span.start, start, end)


def _code_runs(code: Sequence[tuple[int, str]], chunk: int) -> Iterator[Run]:
    seen: set[str] = set()
    for at, line in code:
        for one in identifiers(line):
            text = line[one.start : one.end]
            if text not in seen and len(text) <= _NAME_CHARS:
                seen.add(text)
                start = line.rfind("\n", 0, one.start) + 1
                end = line.find("\n", one.end)
                end = len(line) if end < 0 else end
                yield Run(text, "symbol", chunk, at + one.start, at + start, at + end)


def _around(spans: Sequence[tuple[int, int]], at: int) -> tuple[int, int]:
    before = bisect_right(spans, at, key=lambda span: span[0]) - 1
    return spans[before] if before >= 0 and at < spans[before][1] else (0, 0)
