"""The question chooses among neighbours: every factor by hand, and what it leaves out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from brainkit.analyze import Analyzer
from brainkit.engine import Engine
from brainkit.models import QueryRequest, QueryResponse
from brainkit.retrieve.base import Question
from brainkit.retrieve.graph.paths import Linked
from brainkit.retrieve.graph.wording import Wording
from brainkit.search import search
from brainkit.store.generation import Generation

FILMS = [
    {
        "id": "film",
        "title": "Blind Husbands",
        "text": "Blind Husbands, directed by Erich Stroheim, shows Castle Rock, where they filmed.",
    },
    {"id": "director", "title": "Erich Stroheim", "text": "Born in Vienna, he acted and wrote."},
    {"id": "place", "title": "Castle Rock", "text": "A town below a hill, with a market."},
    {"id": "far", "title": "Salt Marsh", "text": "A film about birds directed by nobody."},
]

Ask = Callable[..., QueryResponse]


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory, word_vectors: Any) -> Iterator[Generation]:
    engine = Engine(tmp_path_factory.mktemp("films") / "x.brain", embedder=word_vectors)
    engine.ingest_texts(FILMS, split=False, progress=False)
    with engine.reading() as generation:
        yield generation
    engine.close()


@pytest.fixture(scope="module")
def ask(films: Generation, tmp_path_factory: pytest.TempPathFactory, word_vectors: Any) -> Ask:
    engine = Engine(tmp_path_factory.mktemp("other") / "x.brain", embedder=word_vectors)

    def asked(text: str, **fields: Any) -> QueryResponse:
        question = Question(text, analyzer=engine.analyzer, embedder=lambda: engine.embedder(films))
        fields = {"mode": "graph", "graph_scorer": "guided", **fields}
        return search(films, question, QueryRequest(query=text, **fields))

    return asked


def test_the_words_of_the_question_choose_among_equal_neighbours(ask: Ask) -> None:
    """Both are named once by the film; only one stands beside "directed"."""
    directed = ask("who directed Blind Husbands")
    filmed = ask("where was Blind Husbands filmed")
    assert [r.source for r in directed.results][:2] == ["film", "director"]
    assert [r.source for r in filmed.results][:2] == ["film", "place"]
    path = ("Blind Husbands -> mentions -> Erich Stroheim",)
    assert directed.results[1].relationship_path == path


def test_parts_sum_to_the_score_and_the_factors_are_those_of_the_docs(ask: Ask) -> None:
    film, director = ask("who directed Blind Husbands").results[:2]
    for result in (film, director):
        assert sum(p.value for p in result.explanation.parts) == pytest.approx(result.score)
    reached, text = director.explanation.parts
    assert (reached.name, text.name) == ("Erich Stroheim", "text")
    seed, way, rare, fit = (float(x) for x in reached.arithmetic.split(" * ")[1:])
    # In 2 of 4 chunks each: the film's name once as the title, once in the text of its own chunk.
    assert way == 0.7
    assert rare == pytest.approx(math.log(5 / 2) / math.log(5), abs=1e-4)
    assert fit == 1.0
    assert reached.value == pytest.approx(0.625 * seed * way * rare * fit, rel=1e-3)


def test_a_faint_path_is_no_evidence(ask: Ask) -> None:
    """Nothing leads to the other film, though its text is of films and directing."""
    assert "far" not in [r.source for r in ask("who directed Blind Husbands").results]


def test_no_path_goes_further_than_asked(ask: Ask) -> None:
    alone = ask("who directed Blind Husbands", traversal_depth=0)
    assert {r.source for r in alone.results} == {"film"}


def test_what_is_near_a_name_by_hand(films: Generation) -> None:
    """d counts terms, without stop words: "direct" is next to the name, "film" two away."""
    text = "a film directed"
    question = Question(text, analyzer=Analyzer(), embedder=lambda: pytest.fail("embeds nothing"))
    wording = Wording.of(question, Linked(), films.keywords)
    assert set(wording.weights) == {"film", "direc"}
    assert sum(wording.weights.values()) == pytest.approx(1.0)
    near = wording.near("Erich Stroheim", "The film, directed by Erich Stroheim, is old.")
    film, direct = wording.weights["film"], wording.weights["direc"]
    assert near == pytest.approx(film * math.exp(-2 / 6) + direct * math.exp(-1 / 6))
    nowhere = wording.near("Castle Rock", "The film, directed by Erich Stroheim, is old.")
    assert nowhere == pytest.approx(0.5 * (film + direct))


def test_several_supports_are_those_of_each(films: Generation) -> None:
    graph = films.graph
    relations = np.arange(graph.relations, dtype=np.int32)[::-1]
    at, rows, starts, ends = graph.support_of_each(relations, most=2)
    for position, relation in enumerate(relations.tolist()):
        one, mine = graph.support(relation), at == position
        assert rows[mine].tolist() == one.rows[:2].tolist()
        assert starts[mine].tolist() == one.starts[:2].tolist()
        assert ends[mine].tolist() == one.ends[:2].tolist()
