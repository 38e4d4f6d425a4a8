"""The traits of a question and its answer, which every piece has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self

import traitlets

from brainkit.errors import InvalidRequest, NotInTrace
from brainkit.models import QueryRequest, QueryResponse
from brainkit.widgets.compact import Json
from brainkit.widgets.hosting import HAND, Hosted

FIELDS = tuple(QueryRequest.model_fields)
"""Settings of a question; each is a trait of every piece."""
FILTERS = ("source_types", "languages", "file_paths", "entity_types", "relationship_types")
_ANY_QUERY = "?"  # stands in while there is no question yet: settings are checked without one


class Answered(Protocol):
    """An answer, as far as widgets look at it."""

    @property
    def response(self) -> QueryResponse:
        """The results and their trace."""
        ...

    def refuse(self, **changes: Any) -> Self:
        """Fuse again under other settings, from the trace alone; raises NotInTrace."""
        ...

    def view(self, kind: str = "answer") -> Json:
        """Return the answer for the browser."""
        ...


class AnswerWidget(Hosted):
    """An answer whose settings can be changed, in the browser and as traits.

    answer : what is shown, None for nothing yet. Setting it takes over its settings.
    query, mode, top_k, alpha, similarity_threshold, source_types, languages, file_paths, depth,
    rrf_k, weights, normalize, bm25_k1, bm25_b, traversal_depth, entity_types, relationship_types,
    graph_scorer, filter_stage, collapse, rerank, rerank_depth : as in QueryRequest. Changing one
        fuses again and sets ``answer``; a filter that is empty is None. An impossible value raises
        TraitError.
    selected : chunk_id of the result that is explained; None for the best.
    labels : grade 0 to 3 by chunk_id, for the present question.
    error : why the last change could not be answered, or None. The view shows it.
    """

    _request = traitlets.Dict().tag(sync=True)
    _view = traitlets.Dict().tag(sync=True)

    answer = traitlets.Any(None, allow_none=True)
    selected = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    labels = traitlets.Dict().tag(sync=True)
    error = traitlets.Unicode(None, allow_none=True).tag(sync=True)

    query = traitlets.Unicode()
    mode = traitlets.Unicode()
    top_k = traitlets.Int()
    alpha = traitlets.Float()
    similarity_threshold = traitlets.Float()
    source_types = traitlets.Any(None, allow_none=True)
    languages = traitlets.Any(None, allow_none=True)
    file_paths = traitlets.Any(None, allow_none=True)
    depth = traitlets.Int()
    rrf_k = traitlets.Float()
    weights = traitlets.Dict()
    normalize = traitlets.Unicode()
    bm25_k1 = traitlets.Float()
    bm25_b = traitlets.Float()
    traversal_depth = traitlets.Int()
    entity_types = traitlets.Any(None, allow_none=True)
    relationship_types = traitlets.Any(None, allow_none=True)
    graph_scorer = traitlets.Unicode()
    filter_stage = traitlets.Unicode()
    collapse = traitlets.Unicode()
    rerank = traitlets.Bool()
    rerank_depth = traitlets.Int()

    def __init__(self, answer: Answered | None = None, **given: Any) -> None:
        fields = {name: given.pop(name) for name in FIELDS if name in given}
        start = {} if answer is None else _plain(answer.response.request)
        request = settled(start, fields)
        traits = {name: _trait(value) for name, value in request.items()}
        if unknown := {name: given[name] for name in given if name not in self.traits()}:
            settled({}, unknown)  # raises, naming the nearest setting
        super().__init__(_request=request, **traits, **given)
        if answer is not None:
            self._take(answer, _changes(start, request))

    @property
    def request(self) -> QueryRequest | None:
        """The question and every setting, as ``brain.query`` takes them; None without a question.

        What hands did in the browser is in it: ``brain.query(explorer.request)`` gives the answer.
        """
        return QueryRequest(**self._request) if self._request["query"] else None

    def _let_go(self) -> None:
        self.answer, self.selected = None, None
        self.labels, self._view = {}, {}

    @traitlets.validate(*FIELDS)
    def _checked(self, proposal: Mapping[str, Any]) -> Any:
        name = proposal["trait"].name
        return _trait(self._settled({name: proposal["value"]})[name])

    @traitlets.validate("_request")
    def _checked_request(self, proposal: Mapping[str, Any]) -> dict[str, Any]:
        return self._settled(proposal["value"])

    @traitlets.observe(*FIELDS)
    def _field_changed(self, change: Mapping[str, Any]) -> None:
        if change["new"] != _trait(self._request[change["name"]]):
            self._request = self._settled({change["name"]: change["new"]})

    @traitlets.observe("_request")
    def _request_changed(self, _: Mapping[str, Any]) -> None:
        for name, value in self._request.items():
            setattr(self, name, _trait(value))
        self._follow()

    @traitlets.observe("answer")
    def _answer_changed(self, change: Mapping[str, Any]) -> None:
        answer, before = change["new"], change["old"]
        with HAND, self.hold_sync():
            if answer is None:
                self._view = {}
                return
            response: QueryResponse = answer.response
            if before is None or before.response.trace is not response.trace:
                self._view = self._drawn(answer)
            self._request = _plain(response.request)
            if self.selected not in {result.chunk_id for result in response.results}:
                self.selected = None
            self.error = None

    def _take(self, answer: Answered, changes: Mapping[str, Any]) -> None:
        """Show an answer under the settings that were given beside it."""
        self.answer = answer.refuse(**changes) if changes else answer

    def _follow(self) -> None:
        """Bring the answer up to the settings."""
        answer: Answered | None = self.answer
        if answer is None:
            return
        changes = _changes(_plain(answer.response.request), self._request)
        if not changes:
            self.error = None
            return
        try:
            self.answer = answer.refuse(**changes)
        except NotInTrace as error:
            self._lack(error)

    def _lack(self, error: NotInTrace) -> None:
        """The trace does not hold what the settings ask for."""
        self._tell(str(error))

    def _tell(self, problem: str) -> None:
        self.error = problem

    def _drawn(self, answer: Answered) -> Json:
        """The answer for the browser, without what has traits of its own."""
        view = answer.view()
        return {name: view[name] for name in ("schema", "trace", "timings_ms", "query_time_ms")}

    def _settled(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return settled(self._request, changes)
        except InvalidRequest as error:
            raise traitlets.TraitError(str(error)) from None


def settled(request: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return all settings of a question as JSON, with some changed and checked.

    An empty question is allowed, an empty filter is no filter, and the depth grows with top_k.
    Raises InvalidRequest.
    """
    merged = {**request, **changes}
    merged |= {name: merged.get(name) or None for name in FILTERS}
    query = merged.get("query") or ""
    asked = merged | {"query": query if str(query).strip() else _ANY_QUERY}
    top_k, depth = asked.get("top_k"), asked.get("depth")
    if isinstance(top_k, int) and isinstance(depth, int) and "depth" not in changes:
        asked["depth"] = max(depth, top_k)
    plain = _plain(QueryRequest(**asked))
    return plain if query is asked["query"] else {**plain, "query": ""}


def _plain(request: QueryRequest) -> dict[str, Any]:
    return request.model_dump(mode="json")


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in after.items() if before.get(name) != value}


def _trait(value: Any) -> Any:
    """A value as a trait: lists are tuples, as other widgets have them."""
    return tuple(value) if isinstance(value, list) else value
