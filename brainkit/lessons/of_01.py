"""Lesson 01: what a search engine sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from brainkit.lessons.exercise import Exercise, Mistake, NothingToFind, Prediction
from brainkit.lessons.four import CHUNKS, found_by, terms
from brainkit.lessons.reading import number, word, words

if TYPE_CHECKING:
    from brainkit.brain import Brain

_NAME: Final = "MAX_RETRIES is 4"


def _finds_only_c(question: str) -> bool:
    return len(question.split()) == 1 and found_by(question) == {"c"}


def _not_only_c(question: str) -> str:
    found = sorted(found_by(question))
    if len(question.split()) != 1:
        return "one word is asked for."
    if not terms(question):
        return f"{question!r} is a stop word: nothing is left of it to look for."
    if not found:
        return f"no chunk holds {terms(question)[0]!r}; the table above has the terms that exist."
    return f"{question!r} finds {', '.join(found)}; look for a row with a count in column c alone."


def documents(brain: Brain, text: str) -> int:
    """Return how many chunks hold the first term of a text."""
    found = [term.documents for term in brain.query(text, mode="bm25").trace.terms if term.term]
    if not found or not found[0]:
        raise NothingToFind(f"no chunk of this brain holds {text!r}; choose another word")
    return found[0]


def _with_the_letters(brain: Brain, text: str) -> int:
    rows = brain.sql(
        "select count(*) as n from chunks where contains(lower(text), $letters)",
        {"letters": text.casefold()},
    )
    return int(rows["n"][0])


PREDICTIONS: Final[Mapping[str, Prediction]] = {
    "kept": Prediction(number(within=0), lambda: float(len(terms(CHUNKS["a"])))),
}

EXERCISES: Final[Mapping[int, Exercise]] = {
    1: Exercise(
        words(ordered=False),
        lambda: frozenset(terms(_NAME)),
        "a name is kept whole and in its parts, so MAX_RETRIES, max and retries all find it.",
        (
            Mistake(
                lambda given: "is" in given,
                "'is' is a stop word, and those are dropped.",
                is_test=True,
            ),
            Mistake(
                lambda given: "retries" in given,
                "the parts of a name are cut to their stems like other words: which of 'retries'?",
                is_test=True,
            ),
            Mistake(
                lambda given: "max" not in given,
                "a name is kept whole, and its parts are kept too.",
                is_test=True,
            ),
            Mistake(lambda given: "4" not in given, "a number is a term too.", is_test=True),
        ),
        "ask Analyzer().terms for them, and compare each with the table above.",
    ),
    2: Exercise(
        word(),
        _finds_only_c,
        "it becomes a term that only c holds. Case, ending and stop words made no difference.",
        otherwise=_not_only_c,
        is_test=True,
    ),
    3: Exercise(
        number(within=0),
        lambda: len({term for text in CHUNKS.values() for term in terms(text)}),
        "each term is stored once, with the list of the chunks that hold it.",
        (
            Mistake(
                lambda: sum(len(terms(text)) for text in CHUNKS.values()),
                "that is the length of all chunks together; a term that comes twice counts once.",
            ),
            Mistake(
                lambda: sum(len(text.split()) for text in CHUNKS.values()),
                "that is the number of words as written; stop words are not in the index.",
            ),
            Mistake(
                lambda: len({w for text in CHUNKS.values() for w in text.casefold().split()}),
                "that still has the stop words 'the' and 'on', which are not in the index.",
            ),
        ),
        "count the rows of the table of terms.",
    ),
    4: Exercise(
        number(within=0),
        documents,
        "this is what the engine looks up: the length of one list, without reading any text.",
        (
            Mistake(
                _with_the_letters,
                "that many texts have these letters in a row. The index has whole terms: letters "
                "inside another word don't count, and other endings of the word do.",
            ),
            Mistake(
                lambda brain, text: len(brain.query(text, mode="bm25")),
                "those are the results shown, at most top_k of them.",
            ),
            Mistake(
                lambda brain, text: brain.query(text, mode="bm25").response.candidates,
                "those are the candidates, and their list ends at the depth of 50.",
            ),
        ),
        "it is in the trace: brain.query(word, mode='bm25').trace.terms[0].documents.",
    ),
}
