"""Parse a text within bounds: how far a parser may go, and how much of a tree can be trusted."""

from __future__ import annotations

from tree_sitter import Node, Parser

from brainkit.parse.grammar import Grammar, loaded_language

STEPS_SPARE = 1500
STEPS_PER_BYTE = 0.02
STEPS_MAX = 30_000
"""How often a parser may report before it is stopped: at first, per byte passed, and in all.

It reports every hundred operations: 12 times per 1000 bytes of sound code, 40 times in a table of
digits, and 50 to 250 times where it follows many readings of the text at once, each report later
than the one before. Such a file can take hours. Counts, unlike seconds, are the same on every
machine, so equal bytes are cut alike.
"""
READ_SPARE = 64_000_000
READ_PER_BYTE = 16
"""How many bytes a parser may ask for: sound code is read less than twice, but a comment that is
never closed once from every place where it might begin."""

_READ_BYTES = 4096
_RETRY_SHARE_MIN = 0.01
"""The share of broken lines from which parsing again, with less to see, is worth the time."""


def root_of(text: str, *, grammar: Grammar) -> Node | None:
    """Return the root of a file's syntax tree, or None if too much of it does not parse."""
    found = trusted(text, grammar=grammar)
    return found[1] if found else None


def trusted(text: str, *, grammar: Grammar) -> tuple[bytes, Node, list[tuple[int, int]]] | None:
    """Return (source, root, rows that did not parse), or None if these are too many."""
    # A lone surrogate has no UTF-8 form; only rows and names are taken from it, so "?" will do.
    source = text.encode("utf-8", "replace")
    found = _parsed(source, grammar)
    if found is None:
        return None
    root, broken = found
    full = sum(1 for line in text.split("\n") if line and not line.isspace())
    if sum(stop - first for first, stop in broken) > grammar.error_share_max * full:
        return None
    return source, root, broken


def stop_of(node: Node) -> int:
    """Return the row after the last one of a node."""
    end = node.end_point
    return end.row + (end.column > 0 or end.row == node.start_point.row)


class _Effort:
    """What parsing a file has taken so far, over all attempts."""

    def __init__(self) -> None:
        self.steps = 0
        self.passed = 0
        self.read = 0
        self.size = 0

    def too_many_steps(self, offset: int) -> bool:
        allowed = STEPS_SPARE + STEPS_PER_BYTE * (self.passed + offset)
        return self.steps > min(allowed, STEPS_MAX)

    def too_much_read(self) -> bool:
        return self.read > READ_SPARE + READ_PER_BYTE * self.size


def _parsed(source: bytes, grammar: Grammar) -> tuple[Node, list[tuple[int, int]]] | None:
    """Return the root of the tree with the fewest broken rows, and these; None if it takes ages."""
    effort = _Effort()
    root = _root(source, grammar, effort)
    if root is None:
        return None
    broken = _broken(root, grammar)
    enough = _RETRY_SHARE_MIN * source.count(b"\n")
    for hide in grammar.retries:
        if sum(stop - first for first, stop in broken) <= enough:
            break
        source = hide(source)
        other = _root(source, grammar, effort)
        still = _broken(other, grammar) if other else broken
        if other and sum(b - a for a, b in still) < sum(b - a for a, b in broken):
            root, broken = other, still
    return root, broken


def _root(source: bytes, grammar: Grammar, effort: _Effort) -> Node | None:
    """Return the root of a tree, or None if that takes more than is left of the effort allowed."""
    parser = Parser(loaded_language(grammar.wheel, grammar.entry))
    if not source.endswith(b"\n"):
        source += b"\n"  # the scanner of Kotlin never ends at some ends without one
    effort.size += len(source)
    parsing = True

    def read(start: int, _: object) -> bytes:
        part = source[start : start + _READ_BYTES]
        if not parsing:  # a node's text is read through here too, as often as anyone likes
            return part
        effort.read += len(part)
        # A text that seems to end here brings the parser to its next report at once.
        return b"" if effort.too_much_read() else part

    def spent(offset: int, _: bool) -> bool:
        effort.steps += 1
        return effort.too_many_steps(offset) or effort.too_much_read()

    try:
        # Only a parser that is fed piece by piece can be stopped.
        tree = parser.parse(read, progress_callback=spent)
    except ValueError:
        return None
    parsing = False
    if effort.too_much_read():
        return None
    effort.passed += len(source)
    return tree.root_node


def _broken(root: Node, grammar: Grammar) -> list[tuple[int, int]]:
    """Return the (first, stop) rows of what did not parse, apart and in order.

    A definition that is whole counts as parsed even if the parser did not know where it belongs.
    """
    found: list[tuple[int, int]] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            done = node.start_point.row
            for child in node.children:
                if child.type in grammar.kinds or child.type in grammar.wrappers:
                    stack.append(child)
                    found.append((done, child.start_point.row))
                    done = max(done, stop_of(child))
            found.append((done, stop_of(node)))
        elif node.has_error:
            stack += node.children
    apart: list[tuple[int, int]] = []
    for first, stop in sorted(rows for rows in found if rows[0] < rows[1]):
        if apart and first <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(stop, apart[-1][1]))
        else:
            apart.append((first, stop))
    return apart
