"""Pascal, by a parser of its own: sections, types with their members, routines and statements.

The one current tree-sitter grammar that comes as a wheel is under the AGPL, which a kit under the
MIT licence should not bring along. Sections, ``;`` and ``end`` tell where definitions end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from typing import Final

from brainkit.parse.docs import comment_paragraph
from brainkit.parse.model import Definition, Entry, Parsed, Statement, qualified
from brainkit.parse.pascal_tokens import OPENERS, Source, Unbalanced, tokenize

_ROUTINES: Final = frozenset({"procedure", "function", "constructor", "destructor", "operator"})
_TYPES: Final = {
    "class": "class",
    "object": "class",
    "record": "record",
    "type": "record",  # only of "type helper for"
    "interface": "interface",
    "dispinterface": "interface",
}
_SECTIONS: Final = frozenset(
    {"type", "const", "var", "threadvar", "resourcestring", "label", "interface", "implementation"}
)
_VISIBILITIES: Final = frozenset(
    {"private", "protected", "public", "published", "strict", "automated"}
)
_DIRECTIVES: Final = frozenset(
    {
        *("abstract", "assembler", "cdecl", "compilerproc", "deprecated", "dispid", "dynamic"),
        *("experimental", "export", "external", "far", "final", "forward", "inline", "interrupt"),
        *("library", "local", "message", "near", "noreturn", "nostackframe", "overload"),
        *("override", "pascal", "platform", "register", "reintroduce", "safecall", "static"),
        *("stdcall", "unimplemented", "unsafe", "varargs", "virtual", "winapi"),
    }
)
_BLOCKS: Final = frozenset({"begin", "asm", "initialization", "finalization"})
_INNER_OPENERS: Final = OPENERS - {"finalization"}
_CLAUSES: Final = frozenset({"else", "except", "finally", "finalization", "until"})
_STOPS: Final = frozenset({"", "begin", "end", "implementation", "initialization", "finalization"})
_DEPTH_MAX: Final = 60


def parse_pascal(text: str) -> Parsed | None:
    """Return what a unit or program defines, or None if its blocks do not match their ends.

    If they do not, the branches of an ``{$IFDEF}`` may open the same block twice: then only the
    first one of each counts.
    """
    for branches in (True, False):
        try:
            return _parsed(tokenize(text, branches=branches))
        except Unbalanced:
            continue
    return None


def _parsed(source: Source) -> Parsed:
    documentation = source.above(0)[2] if source.word(0) in ("unit", "program") else []
    rows = source.text.count("\n") + 1
    module = Definition("", "module", "", comment_paragraph(documentation), 0, rows, (0, 0))
    parser = _Parser(source)
    entries = parser.declarations(module)
    module = replace(module, inner=partial(iter, entries))
    _read_through(module)
    return Parsed(module, parser.imports, [])


def _read_through(module: Definition) -> None:
    """Read every block once, so that one which nothing closes shows now and not while cutting."""
    stack = [module.inner()]
    while stack:
        entry = next(stack[-1], None)
        if entry is None:
            stack.pop()
        else:
            stack.append(entry.inner())


class _Parser:
    """Reads a source from left to right; ``at`` is the token it stands before."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.imports: list[tuple[int, list[str]]] = []
        self.at = 0
        self.in_interface = False
        self.depth = 0

    def declarations(
        self, owner: Definition, *, of_type: bool = False, of_routine: bool = False
    ) -> list[Entry]:
        """Read what a file, a type (up to its end) or a routine (up to its block) declares."""
        self.depth += 1
        if self.depth > _DEPTH_MAX:
            raise Unbalanced
        ends = {of_type: {"", "end"}, of_routine: {"", "begin", "asm"}}.get(True, {""})
        entries: list[Entry] = []
        section, attributed = "", -1
        while self._word() not in ends:
            start = self.at
            if self._word() == "[" and not self._word(1).startswith("'"):
                attributed = start if attributed < 0 else attributed
                self.at = self.source.closing(start) + 1
                continue
            apart, first, comments = self.source.above(start if attributed < 0 else attributed)
            attributed = -1
            entries += apart
            if self._word(1 if self._word() in ("class", "generic") else 0) in _ROUTINES:
                found = self._routine(owner, comments, bodiless=of_type or self.in_interface)
            elif section == "type" and self._word(1) in ("=", "<"):
                found = self._type(owner, comments)
            else:
                section = self._other(section)
                found = None
            stop = self.source.stop_row(self.at)
            if found is None:
                entries.append(Statement(first, stop, inner=self._inside(start)))
            else:
                entries.append(replace(found, first=first, stop=stop))
        self.depth -= 1
        return entries

    def _inside(self, start: int) -> Callable[[], Iterator[Entry]]:
        if self.source.word(start) in _BLOCKS:
            return partial(_nested, self.source, start, self.at)
        return partial(iter, ())

    def _other(self, section: str) -> str:
        """Pass over what is no definition; return the section that goes on after it."""
        word, start = self._word(), self.at
        self.at += 1
        if word in _SECTIONS:
            if word in ("interface", "implementation"):
                self.in_interface = word == "interface"
            return word
        if word in _VISIBILITIES:
            return ""
        if word == "[":  # the identity of an interface
            self.at = self.source.closing(start) + 1
            return section
        if word == "class" and self._word() in _SECTIONS:
            self.at += 1
            return "var"
        if word in _BLOCKS:
            self.at = self.source.closing(start) + 1
        if word == "end" or (word in _BLOCKS and self._word() == "."):
            # What follows the "end." of a file is not read by a compiler either.
            self.at = len(self.source.tokens)
        self._pass_semicolon()
        if word == "uses":
            self._import(start + 1)
        return section

    def _import(self, start: int) -> None:
        names: list[str] = []
        new = True
        for i in range(start, self.at):
            word = self.source.word(i)
            if word in (",", ";"):
                new = True
            elif new:
                names.append(self.source.written(i))
                new = False
            elif word == "." or self.source.word(i - 1) == ".":
                names[-1] += self.source.written(i)
        self.imports.append((self.source.tokens[start - 1].row, names))

    def _routine(
        self, owner: Definition, comments: list[str], *, bodiless: bool
    ) -> Definition | None:
        start = self.at
        name = self._routine_name()
        alias = self._word() == "="  # "procedure ILend.Lend = Give;" only names another
        self._pass_semicolon()
        head = self.at
        # A field may be called "message" or "platform" too.
        while self._word() in _DIRECTIVES and self._word(1) not in (":", ",", "=", "(", ""):
            bodiless = bodiless or self._word() in ("forward", "external")
            self._pass_semicolon()
        if alias or not name:
            return None
        definition = Definition(
            qualified(owner, name),
            "method" if "." in name else owner.member_kind("function"),
            self.source.line(start, head).rstrip("; "),
            comment_paragraph(comments),
            *(0, 0),
            self.source.head(start, head),
        )
        if bodiless:
            return replace(definition, bare=not definition.docstring)
        declared = self.declarations(definition, of_routine=True)
        if not self._word():
            raise Unbalanced
        begin = self.at
        self.at = self.source.closing(begin) + 1
        self._pass_semicolon()
        inner = partial(_body, declared, self.source, begin, self.at)
        return replace(definition, inner=inner)

    def _routine_name(self) -> str:
        """Read a name with the types it belongs to; an operator is named by its marks."""
        while self._word() not in _ROUTINES:
            self.at += 1
        self.at += 1
        name = ""
        if self._word(-1) == "operator":
            while self._word() not in ("(", ""):
                name += self.source.written(self.at)
                self.at += 1
            return f"operator {name}"
        while (word := self._word()) == "." or not name or name.endswith(".") or word == "<":
            if word in ("", "(", ";"):
                break
            if word == "<":
                self.at = self.source.closing(self.at)
            else:
                name += self.source.written(self.at)
            self.at += 1
        return name

    def _type(self, owner: Definition, comments: list[str]) -> Definition | None:
        start = self.at
        while self._word() not in ("=", ""):
            self.at += 1
        self.at += 1
        while self._word() in ("packed", "bitpacked", "type") and self._word(1) != "helper":
            self.at += 1
        word = self._word()
        if word in _TYPES and self._word(1) == ";":
            self._pass_semicolon()
            return None
        composed = word in _TYPES and self._word(1) != "of"
        if composed:
            self._pass_type_head()
        else:
            self._pass_semicolon()
        docstring = comment_paragraph(comments)
        definition = Definition(
            qualified(owner, self.source.written(start)),
            _TYPES[word] if composed else "enum" if word == "(" else "type",
            self.source.line(start, self.at).rstrip("; "),
            docstring,
            *(0, 0),
            self.source.head(start, self.at),
            bare=not (composed or word == "(" or docstring),
        )
        if composed and self._word() != ";":
            members = self.declarations(definition, of_type=True)
            if not self._word():
                raise Unbalanced
            self.at += 1
            definition = replace(definition, inner=partial(iter, members))
        if composed:
            self._pass_semicolon()
        return definition

    def _pass_type_head(self) -> None:
        """Pass ``class sealed (TBase, ILend)`` or ``record helper for TPlace``."""
        self.at += 1
        while self._word() in ("abstract", "sealed", "external", "helper"):
            self.at += 1
        if self._word() == "(":
            self.at = self.source.closing(self.at) + 1
        if self._word() == "for":
            self.at += 2
            while self._word() == ".":
                self.at += 2

    def _pass_semicolon(self) -> None:
        """Pass the next ``;``, or stop before a word that can only begin something else."""
        while self._word() not in _STOPS:
            word = self._word()
            if word in ("(", "[", "record"):
                self.at = self.source.closing(self.at)
            self.at += 1
            if word == ";":
                break

    def _word(self, ahead: int = 0) -> str:
        return self.source.word(self.at + ahead)


def _body(declared: list[Entry], source: Source, begin: int, stop: int) -> Iterator[Entry]:
    return chain(declared, _nested(source, begin, stop))


def _nested(source: Source, start: int, stop: int) -> Iterator[Entry]:
    """Yield the statements in every block between two tokens, but not those deeper inside."""
    i = start
    while i < stop:
        if source.word(i) in OPENERS:
            end = source.closing(i)
            yield from _statements(source, i + 1, end)
            i = end
        i += 1


def _statements(source: Source, start: int, stop: int) -> Iterator[Entry]:
    """Yield the statements from one token to another that begin on a line of their own."""
    begins = []
    after = True
    i = start
    while i < stop:
        word = source.word(i)
        alone = i > 0 and source.tokens[i].row > source.tokens[i - 1].row
        if alone and (after or word in _CLAUSES):
            begins.append(i)
        after = word == ";"
        i = source.closing(i) + 1 if word in _INNER_OPENERS else i + 1
    for place, (i, following) in enumerate(pairwise([*begins, stop])):
        apart, first, _ = source.above(i)
        yield from apart
        inner = partial(_nested, source, i, following)
        yield Statement(first, source.stop_row(following), opens=place == 0, inner=inner)
