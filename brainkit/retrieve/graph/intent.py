"""The relation that a question asks for in words: "what calls X", "subclasses of X"."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from brainkit.retrieve.graph.paths import Asked

_NAME: Final = (
    r"(?:(?:the|a|an|class|function|method|module|package|file|constant|type|struct|interface)\s+)*"
    r"(?P<name>[`\"'“‘]?[\w.:/#-]*\w[`\"'”’]?(?:\(\))?)"
)
_WHO: Final = r"(?:what|who|which(?:\s+\w+){0,2}?|where)"


class _Row(NamedTuple):
    """One relation: how it is asked for, and by which predicates it is stored.

    instead : the predicates to follow where there is none of the first.
    into : patterns that ask for subjects, the name being the object. out : the other way round.
    """

    predicates: tuple[str, ...]
    instead: tuple[str, ...]
    into: tuple[str, ...]
    out: tuple[str, ...]


_TABLE: Final = (
    _Row(
        ("tests",),
        (),
        (
            r"(?:which|what)\s+(?:unit\s+)?tests?\s+(?:cover|check|exercise|test|use|call)s?\s+"
            r"(?:that\s+)?{name}",
            r"{who}\s+(?:covers?|tests?|exercises?)\s+{name}",
            r"(?:unit\s+)?tests?\s+(?:of|for|covering|that\s+(?:cover|test|exercise))\s+{name}",
            r"where\s+is\s+{name}\s+(?:tested|covered)",
            r"how\s+is\s+{name}\s+tested",
        ),
        (r"what\s+(?:does|do)\s+{name}\s+(?:tests?|cover|exercise)",),
    ),
    _Row(
        ("calls",),
        ("uses",),
        (
            r"{who}\s+(?:calls?|invokes?)\s+{name}",
            r"(?:callers?|calls|callees\s+calling)\s+(?:of|to)\s+{name}",
            r"where\s+(?:is|are)\s+{name}\s+(?:called|invoked)",
            r"(?:from\s+)?where\s+do(?:es)?\s+\w+\s+call\s+{name}",
        ),
        (
            r"what\s+(?:functions\s+|methods\s+)?(?:does|do)\s+{name}\s+(?:calls?|invoke)",
            r"(?:what|which(?:\s+\w+)?)\s+(?:is|are)\s+(?:called|invoked)\s+(?:by|from|in)\s+{name}",
            r"callees\s+of\s+{name}",
        ),
    ),
    _Row(
        ("inherits", "implements"),
        (),
        (
            r"{who}\s+(?:inherits?|derives?|descends?)\s+from\s+{name}",
            r"{who}\s+(?:extends?|subclass(?:es)?|overrides?|implements?)\s+{name}",
            r"(?:subclass(?:es)?|child(?:ren)?(?:\s+classes)?|descendants|implementations?|"
            r"implementers|implementors)\s+of\s+{name}",
            r"(?:is|are)\s+{name}\s+(?:subclassed|inherited|extended|implemented)",
        ),
        (
            r"(?:what|which\s+\w+)\s+(?:does|do)\s+{name}\s+(?:inherit|derive|descend)(?:\s+from)?",
            r"(?:what|which\s+\w+)\s+(?:does|do)\s+{name}\s+(?:extend|subclass|implement)",
            r"(?:super\s*class(?:es)?|base(?:\s+class(?:es)?)?|bases|parents?(?:\s+class(?:es)?)?|"
            r"ancestors)\s+of\s+{name}",
        ),
    ),
    _Row(
        ("imports",),
        ("uses",),
        (
            r"{who}\s+imports?\s+{name}",
            r"where\s+(?:is|are)\s+{name}\s+imported",
            r"(?:importers|imports)\s+of\s+{name}",
        ),
        (
            r"what\s+(?:modules\s+|names\s+)?(?:does|do)\s+{name}\s+import",
            r"(?:what|which(?:\s+\w+)?)\s+(?:is|are)\s+imported\s+(?:by|in|into)\s+{name}",
        ),
    ),
    _Row(
        ("uses", "calls", "imports"),
        ("inherits", "implements", "mentions"),
        (
            r"{who}\s+(?:uses?|depends?\s+on|relies\s+on|needs?|instantiates?|creates?)\s+{name}",
            r"where\s+(?:is|are)\s+{name}\s+(?:used|instantiated|referenced)",
            r"(?:users?|usages?|uses)\s+of\s+{name}",
        ),
        (
            r"what\s+(?:does|do)\s+{name}\s+(?:use|need|depend\s+on|rely\s+on)",
            r"dependenc(?:y|ies)\s+of\s+{name}",
        ),
    ),
    _Row(
        ("links_to", "mentions"),
        (),
        (
            r"{who}\s+(?:links?\s+to|mentions?|refers?\s+to)\s+{name}",
            r"where\s+(?:is|are)\s+{name}\s+mentioned",
        ),
        (r"what\s+(?:does|do)\s+{name}\s+(?:link\s+to|mention|refer\s+to)",),
    ),
    _Row(
        ("defines", "contains"),
        (),
        (),
        (
            r"what\s+(?:does|do)\s+{name}\s+(?:define|contain)",
            r"(?:methods|members|attributes|functions|classes|contents)\s+(?:of|in)\s+{name}",
        ),
    ),
)


class Intent(NamedTuple):
    """What is asked for, and where in the question the name of its one side stands."""

    asked: Asked
    start: int
    end: int


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], _Row, bool], ...]:
    return tuple(
        (re.compile(rf"\b{form.format(who=_WHO, name=_NAME)}(?!\w)", re.IGNORECASE), row, forward)
        for row in _TABLE
        for forward, forms in ((False, row.into), (True, row.out))
        for form in forms
    )


def intents(question: str) -> tuple[Intent, ...]:
    """Return the relations that a question asks for, by where they begin.

    >>> [one] = intents("What does dispatch_request call?")
    >>> one.asked.words, one.asked.predicates, one.asked.forward
    ('what does dispatch_request call', ('calls',), True)
    >>> intents("who directed Blind Husbands")
    ()
    """
    found: dict[int, Intent] = {}
    for pattern, row, forward in _patterns():
        for match in pattern.finditer(question):
            words = " ".join(match[0].split())
            asked = Asked(_lower_first(words), row.predicates, forward, row.instead)
            start, end = match.span("name")
            if not any(one.start < end and start < one.end for one in found.values()):
                found.setdefault(match.start(), Intent(asked, start, end))
    return tuple(found[at] for at in sorted(found))


def _lower_first(words: str) -> str:
    return words[:1].lower() + words[1:]
