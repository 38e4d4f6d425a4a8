"""Documentation comments of every style, down to their first paragraph."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from textwrap import dedent

DOCSTRING_CHARS_MAX = 300

_BLANK_LINES = re.compile(r"\n\s*\n")
_LINE = re.compile(r"(?://+!?<?|#+|--+)(.*?)\s*\Z", re.DOTALL)
_STAR = re.compile(r"^[ \t]*\*+(?=\s|$) ?", re.MULTILINE)
_RULE = re.compile(r"^[^\w\n]{3,}$", re.MULTILINE)
_DIRECTIVE = re.compile(
    r"^\s*(?:[a-z]+:(?!:|//)\S+|(?:eslint|prettier|istanbul|nolint|noinspection|clang-format)\b.*)$",
    re.MULTILINE | re.IGNORECASE,
)
_BRIEF = re.compile(r"\A\s*[@\\](?:brief|short|summary|desc(?:ription)?|(?:file)?overview)\b\s*")
_FILE = re.compile(r"^\s*[@\\](?:file|module|packageDocumentation|license|copyright)\b.*$", re.M)
_TAG = re.compile(r"^\s*[@\\][a-zA-Z]", re.MULTILINE)
_LINK = re.compile(r"\{@link(?:plain)?\s+#?((?:[^\s{}()]|\([^{}()]*\))+)(?:\s+([^{}]+))?\}")
_INLINE = re.compile(r"\{@\w+\s+([^{}]*)\}")
_TITLE = re.compile(r"\A[^\n]+\n([=~^\"#*-])\1{2,}[ \t]*\n\s*(?=\S)")
_SUMMARY = re.compile(r"<summary>(.*?)(?:</summary>|\Z)", re.DOTALL)
_REFERENCE = re.compile(r"<(?:see|seealso|paramref|typeparamref)\s+\w+\s*=\s*\"([^\"]*)\"\s*/?>")
_PARAGRAPH = re.compile(r"</?(?:p|para)\b[^<>\n]*>")
_MARKUP = re.compile(r"</?(?:a|b|br|c|code|em|i|li|ol|pre|see|strong|summary|tt|ul)\b[^<>\n]*>")


def first_paragraph(text: str) -> str:
    """Return the first paragraph without its indentation, cut at DOCSTRING_CHARS_MAX characters.

    A title that is underlined counts only if nothing follows it.

    >>> first_paragraph("  Lends books.\\n\\n  One each.")
    'Lends books.'
    >>> first_paragraph("shelf\\n~~~~~\\n\\nLends books.")
    'Lends books.'
    """
    return _paragraph(_TITLE.sub("", inspect.cleandoc(text)))


def comment_paragraph(comments: Sequence[str], *, marks: tuple[str, ...] = ()) -> str:
    """Return the first paragraph of comments, without their marks, markup and tags.

    comments : in order, each as it stands in the file.
    marks : how a comment of documentation begins; the others are left out. Without marks, every
        comment documents unless one of them has a mark known from other languages.

    >>> comment_paragraph(["/**\\n * Lends {@code one}.\\n * @return it\\n */"])
    'Lends one.'
    >>> comment_paragraph(["// internal", "/// Lends <see cref=\\"Book\\"/>s."])
    'Lends Books.'
    """
    documenting = [c for c in comments if c.startswith(marks or ("/**", "///", "/*!", "//!"))]
    if not documenting and not marks:
        documenting = [*comments]
    text = "\n".join(map(_unmarked, documenting))
    summary = _SUMMARY.search(text)
    if summary:
        text = summary[1]
    text = _LINK.sub(lambda link: link[2] or link[1], text)
    text = _REFERENCE.sub(r"\1", _INLINE.sub(r"\1", text))
    text = _MARKUP.sub("", _PARAGRAPH.sub("\n\n", text))
    text = _RULE.sub("", _DIRECTIVE.sub("", _FILE.sub("", text)))
    text = _BRIEF.sub("", text.strip("\n"))
    tag = _TAG.search(text)
    return _paragraph(dedent(text[: tag.start()] if tag else text).strip())


def _paragraph(text: str) -> str:
    return _BLANK_LINES.split(text, maxsplit=1)[0][:DOCSTRING_CHARS_MAX].strip()


def _unmarked(comment: str) -> str:
    comment = comment.strip()
    line = _LINE.match(comment)
    if line:
        # One space after the mark is style; more of it is indentation.
        return line[1].removeprefix(" ")
    if comment.startswith("{"):
        body = comment[1:].removesuffix("}")
    elif comment.startswith("(*"):
        body = comment[2:].removesuffix("*)")
    else:
        body = comment[2:].removesuffix("*/").strip("*").removeprefix("!").removeprefix("<")
    first, *rest = body.split("\n")
    return inspect.cleandoc("\n".join([first, *(_STAR.sub("", line) for line in rest)]))
