"""What the node types of one language mean here, and a few ways to read a node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from tree_sitter import Language, Node, Query


def text_of(node: Node | None) -> str:
    """Return the source of a node; nothing for no node."""
    return (node.text or b"").decode("utf-8", "replace") if node else ""


def named(node: Node) -> str:
    """Return the text of a definition's field ``name``."""
    return text_of(node.child_by_field_name("name"))


def unquoted(node: Node) -> list[str]:
    """Return the module that a string or include path names."""
    return [text_of(node).strip("\"'`<>")]


def block_of(definition: Node, blocks: frozenset[str]) -> Node | None:
    """Return the field ``body`` of a definition, else its first child that is a block."""
    return definition.child_by_field_name("body") or next(
        (child for child in definition.named_children if child.type in blocks), None
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """One language's row.

    wheel, entry : the package with the grammar and its function; loaded on first use.
    kinds : definitions and what they are called here; a function may say "" for "none after all".
    wrappers : nodes around one definition whose text belongs to its signature, such as export.
    blocks : what holds statements or members.
    clauses : parts of a statement that begin on a line of their own, such as else.
    scopes : statements in which definitions count even if the whole is small. A scope or clause
        that is a block too holds its statements directly.
    file_scopes : statements that put all that follows into a namespace.
    leading : attributes that stand beside what they belong to, before it.
    hidden : attributes inside a definition, left out of its signature.
    ends : what ends a signature besides a block.
    name, body : the name of a definition; the node with its members or statements, where the
        default (field ``body``, or the first block) will not do.
    imports, modules : a query whose captures ``@import`` name modules, and which those are.
    docs : how a comment of documentation begins; if empty, any comment above documents.
    docstring : documentation inside the body, where a language has that instead of comments.
    documents_file : the node whose comment is about the whole file.
    class_opener : what a class line ends with in a context.
    indented : whether only comments of the same indentation belong to what is below them.
    retries : what to hide, step by step, from the parser of a file with errors.
    error_share_max : the share of the lines that may fail to parse, 0 to 1. A file with more is
        not trusted at all. What failed is never a definition; the rest of the file still is.
    """

    wheel: str
    entry: str = "language"
    kinds: Mapping[str, str | Callable[[Node], str]]
    wrappers: frozenset[str] = frozenset()
    blocks: frozenset[str]
    clauses: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    file_scopes: frozenset[str] = frozenset()
    comments: frozenset[str] = frozenset({"comment"})
    leading: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    name: Callable[[Node], str] = named
    body: Callable[[Node], Node | None] | None = None
    imports: str
    modules: Callable[[Node], list[str]] = unquoted
    docs: tuple[str, ...] = ()
    docstring: Callable[[Node], str] | None = None
    documents_file: str = ""
    class_opener: str = ""
    indented: bool = False
    retries: tuple[Callable[[bytes], bytes], ...] = ()
    error_share_max: float = 0.5


class GrammarUnavailable(ImportError):
    """A grammar is not installed, or is not one for this machine or this tree-sitter."""


@cache
def loaded_language(wheel: str, entry: str) -> Language:
    """Load a grammar; its shared library stays loaded.

    Raises GrammarUnavailable, which says how to get it.
    """
    try:
        return Language(getattr(import_module(wheel), entry)())
    # A wheel for another tree-sitter may lack the entry or have a version that is not understood.
    except (ImportError, OSError, AttributeError, ValueError) as error:
        fault = "is missing" if isinstance(error, ModuleNotFoundError) else f"fails: {error}"
        package = wheel.replace("_", "-")
        raise GrammarUnavailable(
            f"its grammar {fault}; run: pip install {package}", name=wheel
        ) from error


def fault_of(grammar: Grammar) -> str | None:
    """Return why a grammar cannot be loaded and what to do; None if it can."""
    try:
        loaded_language(grammar.wheel, grammar.entry)
    except GrammarUnavailable as error:
        return str(error)
    return None


@cache
def query_of(wheel: str, entry: str, source: str) -> Query:
    """Compile a query of a grammar."""
    return Query(loaded_language(wheel, entry), source)
