"""The words of a question that no name took, and how near to a mention a sentence says them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from brainkit.analyze import Analyzer
from brainkit.retrieve.base import Question
from brainkit.retrieve.graph.paths import Linked
from brainkit.store.keywords import KeywordIndex

_LETTERS = 5
"""Letters of a term that are compared. Stems part "director" from "directed"; of 4 letters too many
words are alike. R@5 on the first 300 questions of 2Wiki under stress: .80, and .83 with 5."""
_REACH = 6.0
"""Terms away from a mention at which a word counts 1/e: 3 and 12 are each .005 worse there."""


@dataclass(frozen=True)
class Wording:
    """What is left of a question when the names linked in it are taken out.

    terms : of the words left, in their order. weights : beginning of a term -> its share of the
        idf of all that are left, so they sum to 1.
    """

    terms: Sequence[str]
    weights: Mapping[str, float]
    _analyzer: Analyzer
    _known: dict[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, question: Question, linked: Linked, index: KeywordIndex) -> Wording:
        """Return the wording of a question."""
        taken = [(link.start, link.end) for link in linked.links if link.entities]
        terms = [
            term
            for token in question.tokens
            if not any(start < token.end and token.start < end for start, end in taken)
            for term in token.terms
        ]
        idf: dict[str, float] = {}
        for term in terms:
            known = index.statistics(term)
            unseen = math.log(1 + (len(index.lengths) + 0.5) / 0.5)
            beginning = term[:_LETTERS]
            idf[beginning] = max(idf.get(beginning, 0.0), known.idf if known else unseen)
        total = sum(idf.values())
        weights = {term: value / total for term, value in idf.items()} if total else {}
        return cls(terms, weights, question.analyzer)

    def near(self, name: str, sentence: str) -> float:
        """Return how much of the wording a sentence says near a name, from 0 to 1.

        sum over the words left of weight * exp(-d / 6), where d is how many terms lie between the
        word and the name. The name stands where most of its words follow each other; in a sentence
        without any it stands nowhere, and every word is half as much worth.
        """
        said, own = self._beginnings(sentence), set(self._beginnings(name))
        start, end = _longest_run(said, own)
        best: dict[str, float] = {}
        for at, term in enumerate(said):
            weight = self.weights.get(term)
            if weight is None or start <= at < end:
                continue
            away = start - at if at < start else at - end + 1
            worth = weight * (math.exp(-away / _REACH) if end > start else 0.5)
            best[term] = max(best.get(term, 0.0), worth)
        return sum(best.values())

    def _beginnings(self, text: str) -> Sequence[str]:
        found = self._known.get(text)
        if found is None:
            found = [term[:_LETTERS] for term in self._analyzer.terms(text)]
            self._known[text] = found
        return found


def _longest_run(said: Sequence[str], own: set[str]) -> tuple[int, int]:
    """Return where most terms that follow each other are among a name's own; the first of equals.

    >>> _longest_run(["of", "john", "by", "john", "ford"], {"john", "ford"})
    (3, 5)
    """
    best, start = (0, 0), 0
    for at, term in enumerate([*said, ""]):
        if term in own:
            continue
        if at - start > best[1] - best[0]:
            best = start, at
        start = at + 1
    return best
