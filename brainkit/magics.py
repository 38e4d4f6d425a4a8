"""``%load_ext brainkit``: ``%brain`` to open and fill a brain, ``%%ask`` to ask it."""

from __future__ import annotations

import argparse
import glob
import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, NoReturn, get_args

from brainkit.brain import Brain
from brainkit.errors import BrainkitError, InvalidSetting
from brainkit.models import Collapse, FilterStage, Normalize, QueryMode
from brainkit.opening import open_brain

if TYPE_CHECKING:
    from IPython.core.completer import CompletionContext, SimpleMatcherResult
    from IPython.core.interactiveshell import InteractiveShell

_MATCHER = "brainkit"
_CHOICES: dict[str, tuple[str, ...]] = {
    "mode": tuple(mode.value for mode in QueryMode),
    "normalize": get_args(Normalize),
    "filter-stage": get_args(FilterStage),
    "collapse": get_args(Collapse),
}
_NUMBERS = {
    "alpha": float, "top-k": int, "depth": int, "rrf-k": float, "traversal-depth": int,
    "similarity-threshold": float, "rerank-depth": int,
}  # fmt: skip
_LISTS = ("source-types", "languages", "file-paths", "entity-types", "relationship-types")
_TOKEN = re.compile(r'"([^"]*)"|(\S+)')


class _Parser(argparse.ArgumentParser):
    """Says what is wrong instead of ending the process."""

    def error(self, message: str) -> NoReturn:
        raise InvalidSetting(f"%{self.prog}: {message}; %{self.prog} --help lists what there is.")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise _HelpWasShown


class _HelpWasShown(Exception):
    """Nothing else is to be done."""


def _ask_parser() -> _Parser:
    parser = _Parser(
        prog="ask",
        description="Ask the open brain. The text of the cell is the question: %%ask, then the "
        "question below. In one line: %ask --mode bm25 SessionSigner",
    )
    for name, words in _CHOICES.items():
        parser.add_argument(f"--{name}", choices=words)
    for name, kind in _NUMBERS.items():
        parser.add_argument(f"--{name}", type=kind, metavar="N")
    for name in _LISTS:
        parser.add_argument(f"--{name}", nargs="+", metavar="WORD", help="-- ends the words")
    parser.add_argument(
        "--rerank",
        action="store_true",
        default=None,  # left out, it is no answer to what the brain does by default
        help="let a model read the best, and order those",
    )
    parser.add_argument("--full", action="store_true", help="run every retriever, to re-fuse later")
    parser.add_argument("--into", metavar="NAME", help="put the answer into a variable, too")
    return parser


def _brain_parser() -> _Parser:
    parser = _Parser(prog="brain", description="Open a brain and fill it.")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=_Parser)

    def verb(name: str, told: str) -> argparse.ArgumentParser:
        return verbs.add_parser(name, help=told, description=f"{told[0].upper()}{told[1:]}.")

    opened = verb("open", "open a brain folder, or make one")
    opened.add_argument("path")
    opened.add_argument("--embedder", help="local (default), static or openai, for a new brain")
    opened.add_argument(
        "--into", metavar="NAME", default="brain", help="variable, by default brain"
    )
    for name, told in (("plan", "say what an ingest would do"), ("ingest", "take a folder in")):
        sub = verb(name, told)
        sub.add_argument("folder")
        sub.add_argument("--include", nargs="+", metavar="GLOB")
        sub.add_argument("--exclude", nargs="+", metavar="GLOB")
    verb("explore", "open the explorer").add_argument("query", nargs="*")
    verb("info", "say what the brain holds: counts, disk use, embedder, settings")
    verb("check", "verify every file, and that the stores agree")
    verb("close", "let the brain go")
    return parser


class Magics:
    """The magics of one shell, and the brain they speak of."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._brain: Brain | None = None

    def brain(self, line: str) -> Any:
        """``%brain open notes.brain``, then ``%brain ingest FOLDER``; ``%brain --help`` lists all.

        Alone it is the open brain.
        """
        words = _words(line)
        if not words:
            return self.current
        try:
            given = vars(_brain_parser().parse_args(words))
        except _HelpWasShown:
            return None
        return _VERBS[given.pop("verb")](self, given)

    def ask(self, line: str, cell: str | None = None) -> Any:
        """``%%ask --mode hybrid --alpha .3`` and the question below; ``%ask QUESTION`` in one line.

        The answer is the cell's value, so it is also ``_``. ``%%ask --help`` lists all options.
        """
        options, question = (line, cell) if cell is not None else _cut(line)
        try:
            given = vars(_ask_parser().parse_args([w for w in _words(options) if w != "--"]))
        except _HelpWasShown:
            return None
        into, full = given.pop("into"), given.pop("full")
        if into is not None:
            _check_name(into)
        fields = {name: value for name, value in given.items() if value is not None}
        answer = self.current.query(question, trace="full" if full else "needed", **fields)
        if into is not None:
            self._shell.user_ns[into] = answer
        return answer

    def offers(self, before: str, start: str) -> list[str] | None:
        """Return what may complete a word of a line; None if the line is not one of ours.

        before : the line up to the word. start : what there is of the word.
        """
        words = before.split()
        if not words or words[0] not in ("%brain", "%ask", "%%ask"):
            return None
        if words[0] == "%brain":
            given = _offered_to_brain(words[1:], start)
        elif (last := words[-1].removeprefix("--")) in _CHOICES:
            given = list(_CHOICES[last])
        else:
            names = (*_CHOICES, *_NUMBERS, *_LISTS, "rerank", "full", "into", "help")
            given = [f"--{name}" for name in names]
        return [one for one in given if one.startswith(start)]

    def open(self, given: Mapping[str, Any]) -> Brain:
        """Open a brain, as a variable too."""
        _check_name(given["into"])  # a brain that is open must have a name to be closed by
        opened = open_brain(given["path"], embedder=given["embedder"])
        self._shell.user_ns[given["into"]] = self._brain = opened
        return opened

    def explore(self, given: Mapping[str, Any]) -> Any:
        """Open the explorer."""
        return self.current.explore(" ".join(given["query"]) or None)

    def close(self, _: Mapping[str, Any]) -> None:
        """Let the brain go."""
        self.current.close()
        self._brain = None

    @property
    def current(self) -> Brain:
        """The brain that ``%brain open`` opened, else the only one in the notebook's variables."""
        if self._brain is not None:
            return self._brain
        named = [value for name, value in self._shell.user_ns.items() if name[0] != "_"]
        ours = {id(one): one for one in named if isinstance(one, Brain)}
        if len(ours) == 1:
            return next(iter(ours.values()))
        raise InvalidSetting(
            "several brains are open in this notebook; say which: %brain open PATH"
            if ours
            else "no brain is open; open one: %brain open notes.brain"
        )


_VERBS: dict[str, Callable[[Magics, Mapping[str, Any]], Any]] = {
    "open": Magics.open,
    "plan": lambda magics, given: magics.current.plan(**given),
    "ingest": lambda magics, given: magics.current.ingest(**given),
    "info": lambda magics, given: magics.current.info(),
    "check": lambda magics, given: magics.current.check(),
    "explore": Magics.explore,
    "close": Magics.close,
}


def load(shell: InteractiveShell) -> None:
    """Register the magics and their completion with a shell."""
    from IPython.core.completer import SimpleCompletion, context_matcher

    magics = Magics(shell)
    for magic, kind in ((magics.brain, "line"), (magics.ask, "line_cell")):
        shell.magics_manager.register_function(_clear(magic), kind, magic.__name__)

    def match(context: CompletionContext) -> SimpleMatcherResult:
        before = context.text_until_cursor
        start = before.rpartition(" ")[2]
        offered = magics.offers(before[: len(before) - len(start)], start)
        return {
            "completions": [SimpleCompletion(one, type="magic") for one in offered or ()],
            "matched_fragment": start,
            "suppress": offered is not None,  # names of Python mean nothing here
        }

    mark: Callable[[object], Any] = context_matcher(identifier=_MATCHER)
    shell.Completer.custom_matchers.append(mark(match))


def unload(shell: InteractiveShell) -> None:
    """Take the magics and their completion out of a shell again. Brains stay open."""
    for kind, name in (("line", "brain"), ("line", "ask"), ("cell", "ask")):
        shell.magics_manager.magics[kind].pop(name, None)
    matchers = shell.Completer.custom_matchers
    matchers[:] = [one for one in matchers if getattr(one, "matcher_identifier", "") != _MATCHER]


def _offered_to_brain(words: Sequence[str], start: str) -> list[str]:
    """A verb, then folders."""
    if not words:
        return list(_VERBS)
    if words[0] not in ("open", "plan", "ingest"):
        return []
    path = os.path.expanduser(start)
    folders = sorted(one for one in glob.glob(f"{glob.escape(path)}*") if os.path.isdir(one))
    return [start + one[len(path) :] for one in folders]


def _check_name(name: str) -> None:
    if not name.isidentifier() or iskeyword(name):
        raise InvalidSetting(f"--into {name!r} is not a name that a variable can have.")


def _clear(magic: Callable[..., Any]) -> Callable[..., Any]:
    """A mistake in what was asked is a line in the cell, not a page of traceback."""

    @wraps(magic)
    def told(*arguments: Any) -> Any:
        from IPython.core.error import UsageError

        try:
            return magic(*arguments)
        except BrainkitError as error:
            raise UsageError(str(error)) from None

    return told


def _words(line: str) -> list[str]:
    """Words at spaces; only double quotes hold words together, as questions have apostrophes.

    >>> _words('open "my notes.brain" --into b')
    ['open', 'my notes.brain', '--into', 'b']
    """
    return [quoted or word for quoted, word in _TOKEN.findall(line)]


def _cut(line: str) -> tuple[str, str]:
    """Return the options that begin a line and the question after them, as it was written.

    >>> _cut("--mode bm25 --full what's  new")
    ('--mode bm25 --full ', "what's  new")
    >>> _cut("--languages python go -- sessions")
    ('--languages python go -- ', 'sessions')
    """
    tokens = list(_TOKEN.finditer(line))
    at = 0
    while at < len(tokens) and tokens[at][0].startswith("--"):
        name = tokens[at][0].removeprefix("--")
        at += 1
        if name == "":
            break
        if name in _LISTS:
            at += _run_of_words([token[0] for token in tokens[at:]])
        elif name in (*_CHOICES, *_NUMBERS, "into"):
            at += 1
    start = tokens[at].start() if at < len(tokens) else len(line)
    return line[:start], line[start:]


def _run_of_words(words: Sequence[str]) -> int:
    return next((i for i, word in enumerate(words) if word.startswith("--")), len(words))
