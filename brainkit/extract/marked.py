"""Markup told from prose: verbatim lines, code spans, roles and links, without moving an offset."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

MARKDOWN: Final = frozenset({"markdown", "quarto", "rmarkdown"})
REST: Final = "restructuredtext"

_FENCE: Final = re.compile(r"\s{0,3}(?:[-*+>]\s+|\d+[.)]\s+)*(`{3,}|~{3,})([^`]*)$")
_FRONT: Final = {"---": ("---", "..."), "+++": ("+++",)}
_MD_HEADING: Final = re.compile(r"\s{0,3}#{1,6}(?:\s|$)")
_MD_UNDERLINE: Final = re.compile(r"\s{0,3}(?:=+|-{2,})\s*$")
_REST_UNDERLINE: Final = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*$")
_REST_PROSE: Final = frozenset(
    {
        *("admonition", "attention", "caution", "danger", "deprecated", "error", "hint", "note"),
        *("important", "seealso", "sidebar", "tip", "topic", "versionadded", "versionchanged"),
        *("warning", "glossary", "container", "rubric", "epigraph"),
    }
)
"""Directives whose content is read as text; that of all others is not."""
_REST_DIRECTIVE: Final = re.compile(r"(\s*)\.\. (?:([\w:+.-]+)::|.*)")

_MD_CODE: Final = re.compile(r"(?<![`\\])(`+)(?!`)(.{1,2000}?)(?<!`)\1(?!`)", re.DOTALL)
_MD_LINK: Final = re.compile(
    r"\[((?:[^\[\]\n]|\n(?!\s*\n)|\[[^\[\]\n]*\]){0,300})\]"
    r"(?:\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
    r"|\[([^\[\]\n]{0,200})\])"
)
_MD_DEFINITION: Final = re.compile(
    r"^ {0,3}\[([^\]\n]{1,200})\]:\s*<?([^\s<>]+)>?.*$", re.MULTILINE
)
_AUTOLINK: Final = re.compile(
    r"<?\b(?:https?|ftp|mailto|file)://?[^\s<>\"'`|]+>?|\bwww\.[^\s<>\"'`|]+"
)
_TAG: Final = re.compile(r"</?[A-Za-z][^<>\n]{0,300}>|<!--.{0,2000}?-->", re.DOTALL)
_REST_CODE: Final = re.compile(r"``(.{1,2000}?)``", re.DOTALL)
_REST_ROLE: Final = re.compile(r":([\w:+.-]{1,60}):`([^`]{1,300})`")
_REST_LINK: Final = re.compile(r"`([^`<]{0,200})<([^`<>\n]{1,300})>`__?")
_REST_PLAIN: Final = re.compile(r"(?<![:`\w])`([^`\n]{1,200})`(?!`)_{0,2}")
_EXPLICIT: Final = re.compile(r"(.*?)<([^<>]+)>\s*$", re.DOTALL)
_SYMBOL_ROLES: Final = frozenset(
    {
        *("attr", "class", "const", "data", "exc", "func", "meth", "mod", "obj", "member"),
        *("function", "macro", "type", "struct", "enum", "var", "envvar", "option"),
    }
)


class Span(NamedTuple):
    """A stretch of a text. text : ``text[start:end]``, or the target of a link."""

    text: str
    start: int
    end: int


class Marked(NamedTuple):
    """A text with its markup told apart.

    plain : as long as the text, with ``|`` in place of code, targets and tags.
    code : what code spans and roles for symbols hold.
    links : targets as written, with the place of the link. ``doc:`` and ``ref:`` stand before what
        the roles of that name hold.
    """

    plain: str
    code: tuple[Span, ...]
    links: tuple[Span, ...]


def verbatim_lines(lines: Sequence[str], language: str | None) -> bytearray:
    """Return for each line whether it is prose (0), code or data (1), or a heading (2)."""
    if language in MARKDOWN:
        return _markdown_lines(lines)
    if language == REST:
        return _rest_lines(lines)
    return bytearray(len(lines))


def marked(text: str, language: str | None, *, definitions: dict[str, str]) -> Marked:
    """Tell the inline markup of a text apart.

    definitions : lower-case label -> target, of ``[label]: target`` anywhere in the file.
    """
    if language not in MARKDOWN and language != REST:
        return Marked(_AUTOLINK.sub(_blank, text), (), ())
    code: list[Span] = []
    links: list[Span] = []
    if language == REST:
        text = _rest(text, code, links)
    else:
        text = _markdown(text, code, links, definitions)
    return Marked(_AUTOLINK.sub(_blank, text), tuple(sorted(code, key=_start)), tuple(links))


def definitions_of(text: str, language: str | None) -> dict[str, str]:
    """Return the targets of reference links, by lower-case label.

    >>> definitions_of("[Guide]: docs/guide.md", "markdown")
    {'guide': 'docs/guide.md'}
    """
    if language not in MARKDOWN:
        return {}
    found: dict[str, str] = {}
    for match in _MD_DEFINITION.finditer(text):
        found.setdefault(" ".join(match[1].casefold().split()), match[2])
    return found


def _markdown_lines(lines: Sequence[str]) -> bytearray:
    kinds = bytearray(len(lines))
    closing = _FRONT.get(lines[0].rstrip(), ()) if lines else ()
    front = next((i for i, line in enumerate(lines) if i and line.rstrip() in closing), -1)
    fence = ""
    for i, line in enumerate(lines):
        opener = _FENCE.match(line)
        if i <= front or fence:
            kinds[i] = 1
            if fence and opener and opener[1].startswith(fence) and not opener[2].strip():
                fence = ""
        elif opener:
            kinds[i], fence = 1, opener[1]
        elif _MD_HEADING.match(line):
            kinds[i] = 2
        elif _MD_UNDERLINE.match(line) and i and lines[i - 1].strip() and not kinds[i - 1]:
            kinds[i - 1] = kinds[i] = 2
        elif _MD_DEFINITION.match(line):
            kinds[i] = 1
    return kinds


def _rest_lines(lines: Sequence[str]) -> bytearray:
    kinds = bytearray(len(lines))
    literal = -1  # the indentation that what is deeper than is verbatim; -1 for none
    for i, line in enumerate(lines):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        if literal >= 0 and indent > literal:
            kinds[i] = 1
            continue
        literal = -1
        directive = _REST_DIRECTIVE.match(line)
        if directive:
            if directive[2] not in _REST_PROSE:
                kinds[i], literal = 1, indent
            continue
        if line.rstrip().endswith("::"):
            literal = indent
        elif _REST_UNDERLINE.match(line):
            kinds[i] = 2
            if i and lines[i - 1].strip() and not kinds[i - 1]:
                kinds[i - 1] = 2
        elif re.match(r"\s*:[\w -]+:(\s|$)", line):
            kinds[i] = 1  # an option of a directive, or a field
    return kinds


def _markdown(text: str, code: list[Span], links: list[Span], definitions: dict[str, str]) -> str:
    def code_span(match: re.Match[str]) -> str:
        inner = match[2]
        left = len(inner) - len(inner.lstrip())
        start = match.start(2) + left
        if inner.strip():
            code.append(Span(inner.strip(), start, start + len(inner.strip())))
        return _blank(match)

    def link(match: re.Match[str]) -> str:
        target = match[2]
        if target is None:
            label = " ".join((match[3] or match[1]).casefold().split())
            target = definitions.get(label)
        if target is None:
            return match[0]
        links.append(Span(target, *match.span()))
        shown = match.end(1) - match.start()
        return f"|{match[0][1:shown]}" + _bars(match[0][shown:])

    text = _TAG.sub(_blank, _MD_CODE.sub(code_span, text))
    return _MD_LINK.sub(link, text)


def _rest(text: str, code: list[Span], links: list[Span]) -> str:
    def literal(match: re.Match[str]) -> str:
        code.append(Span(match[1], *match.span(1)))
        return _blank(match)

    def role(match: re.Match[str]) -> str:
        kind = match[1].rpartition(":")[2]
        explicit = _EXPLICIT.match(match[2])
        target, at = (match[2], match.start(2))
        if explicit:
            target, at = explicit[2], match.start(2) + explicit.start(2)
        if kind in ("doc", "ref"):
            links.append(Span(f"{kind}:{target.strip()}", *match.span()))
            shown = explicit[1] if explicit else ""
            start = match.start(2) - match.start()
            return _bars(match[0][:start]) + shown + _bars(match[0][start + len(shown) :])
        if kind in _SYMBOL_ROLES:
            bare = target.lstrip("~!.")
            at += len(target) - len(bare)
            bare = bare.rstrip()
            code.append(Span(bare, at, at + len(bare)))
        return _blank(match)

    def link(match: re.Match[str]) -> str:
        links.append(Span(match[2], *match.span()))
        return f"|{match[1]}" + _bars(match[0][1 + len(match[1]) :])

    text = _REST_CODE.sub(literal, text)
    text = _REST_LINK.sub(link, _REST_ROLE.sub(role, text))
    return _REST_PLAIN.sub(literal, text)


def _start(span: Span) -> int:
    return span.start


def _blank(match: re.Match[str]) -> str:
    return _bars(match[0])


def _bars(text: str) -> str:
    """As long as the text, and with its line ends, so that paragraphs stay what they are."""
    return "\n".join("|" * len(line) for line in text.split("\n"))
