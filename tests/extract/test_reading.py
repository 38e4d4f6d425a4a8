"""A chat model over many chunks, against a server on this machine that also misbehaves."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from brainkit.errors import EndpointUnavailable, InvalidSetting
from brainkit.extract.llm import Found, ModelExtractor, Unusable
from brainkit.extract.reading import GIVE_UP_AFTER, Readings, estimate, read_all, readings_of
from brainkit.hosted import Endpoint, Price
from brainkit.kept import Kept, content_hash

Serve = Callable[..., Any]
AT_ONCE = {"retry_after_ms": "1"}


def a_triplet(text: str, **changes: str) -> dict[str, str]:
    """Every text of these tests is "<Name> uses <Name>."."""
    subject, object_ = re.findall(r"[A-Z]\w+", text)
    return {
        "subject": subject,
        "subject_kind": "product",
        "predicate": "uses",
        "object": object_,
        "object_kind": "product",
        **changes,
    }


def asked_text(request: dict[str, Any]) -> str:
    return str(request["messages"][-1]["content"])


def texts(count: int) -> dict[bytes, str]:
    return {content_hash(t): t for t in (f"Tool{n} uses Part{n}." for n in range(count))}


def found(text: str) -> tuple[Found, ...]:
    return (Found(**a_triplet(text)),)


@pytest.fixture
def well(loopback: ModuleType) -> Callable[[dict[str, Any]], Any]:
    """What a well-behaved server answers."""

    def answer(request: dict[str, Any]) -> Any:
        return loopback.completion(json.dumps({"triplets": [a_triplet(asked_text(request))]}))

    return answer


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Callable[[ModelExtractor], Kept]]:
    open_ones = []

    def opened(extractor: ModelExtractor) -> Kept:
        manager = readings_of(tmp_path / "relations", extractor)
        open_ones.append(manager)
        return manager.__enter__()

    yield opened
    for manager in open_ones:
        manager.__exit__(None, None, None)


def reader(server: Any, **options: Any) -> ModelExtractor:
    endpoint = Endpoint(base_url=server.base_url, retries=2, timeout_seconds=5)
    return ModelExtractor(endpoint=endpoint, **options)


def test_every_text_is_read_once_and_a_second_run_asks_nothing(
    serve: Serve, well: Any, kept: Any
) -> None:
    server = serve(lambda path, request, nth: well(request))
    extractor = reader(server)
    given = texts(12)
    first = read_all(extractor, given, kept(extractor))
    assert first.found == {one: found(text) for one, text in given.items()}
    assert (first.read, first.reused, first.tokens_read, first.tokens_written) == (12, 0, 1200, 240)
    again = read_all(extractor, given, kept(extractor))
    assert again.found == first.found
    assert (again.read, again.reused, again.tokens, len(server.requests)) == (0, 12, 0, 12)


def test_the_request_holds_a_strict_schema_of_the_vocabularies(
    serve: Serve, well: Any, kept: Any
) -> None:
    server = serve(lambda path, request, nth: well(request))
    extractor = reader(server, entity_types=("product",), relation_types=("uses", "sells"))
    read_all(extractor, texts(1), kept(extractor))
    ((path, request, _),) = server.requests
    schema = request["response_format"]["json_schema"]
    item = schema["schema"]["properties"]["triplets"]["items"]
    assert path == "/v1/chat/completions"
    assert schema["strict"] is True
    assert item["additionalProperties"] is False
    assert item["properties"]["predicate"]["enum"] == ["uses", "sells"]
    assert item["properties"]["object_kind"]["enum"] == ["product"]
    assert sorted(item["required"]) == sorted(item["properties"])


@pytest.mark.parametrize("named", ["response_format", "temperature", "max_completion_tokens"])
def test_a_parameter_that_the_server_does_not_know_is_left_out_from_then_on(
    serve: Serve, well: Any, kept: Any, loopback: ModuleType, named: str
) -> None:
    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        if named in request:
            return loopback.error(400, f"Unsupported parameter: '{named}'")
        return well(request)

    server = serve(script)
    extractor = reader(server, concurrency=1)
    result = read_all(extractor, texts(5), kept(extractor))
    assert result.read == 5
    refused = {"response_format": 2}.get(named, 1)  # json_schema, then json_object
    assert len(server.requests) == 5 + refused
    last = server.requests[-1][1]
    assert ("max_tokens" in last) == (named == "max_completion_tokens")


BAD_REPLIES = {
    "not JSON": ("Sure! Here you are", {}, "not the JSON asked for"),
    "cut JSON": ('{"triplets": [{"subject": "To', {}, "not the JSON asked for"),
    "a list": ("[]", {}, "not the JSON asked for"),
    "no list": ('{"triplets": "none"}', {}, "no list of triplets"),
    "nothing": (None, {}, "not the JSON asked for"),
    "deep": ("[" * 100_000, {}, "not the JSON asked for"),
    "refusal": (None, {"refusal": "I cannot help with that."}, "refused: I cannot help"),
    "filtered": (None, {"reason": "content_filter"}, "refused: content filter"),
    "too long": ('{"triplets": []}', {"reason": "length"}, "cut off at its longest length"),
}


@pytest.mark.parametrize("case", BAD_REPLIES)
def test_a_bad_reply_is_reported_for_its_chunk_and_asked_again_next_time(
    serve: Serve, well: Any, kept: Any, loopback: ModuleType, case: str
) -> None:
    content, how, reason = BAD_REPLIES[case]
    healthy = False

    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        if "Tool3 " in asked_text(request) and not healthy:
            return loopback.completion(content, **how)
        return well(request)

    server = serve(script)
    extractor = reader(server)
    given = texts(6)
    bad = content_hash("Tool3 uses Part3.")
    result = read_all(extractor, given, kept(extractor))
    assert list(result.failed) == [bad]
    assert reason in result.failed[bad]
    assert result.read == 5
    assert result.tokens == 6 * 120  # a bad reply is paid for, too
    healthy = True
    again = read_all(extractor, given, kept(extractor))
    assert (again.read, again.reused, again.failed) == (1, 5, {})
    assert again.found == {one: found(text) for one, text in given.items()}


def test_json_in_a_code_fence_is_json(serve: Serve, kept: Any, loopback: ModuleType) -> None:
    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        plain = json.dumps({"triplets": [a_triplet(asked_text(request))]})
        return loopback.completion(f"```json\n{plain}\n```")

    extractor = reader(serve(script))
    assert read_all(extractor, texts(1), kept(extractor)).read == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"predicate": "destroys"},
        {"subject_kind": "alien"},
        {"subject": "Nothing of the kind"},
        {"object": "Part"},
        {"object": "Tool0"},
        {"subject": ""},
        {"subject": "x" * 200},
    ],
)
def test_a_triplet_outside_the_rules_is_dropped_and_counted(changes: dict[str, str]) -> None:
    """Names must stand in the text as whole words, differ, and be of the vocabularies."""
    extractor, text = ModelExtractor(), "Tool0 uses Part0."
    good, bad = a_triplet(text), a_triplet(text, **changes)
    kept, dropped = extractor.checked(json.dumps({"triplets": [bad, good]}), text=text)
    assert (kept, dropped) == (found(text), 1)


def test_names_may_differ_in_case_and_accents_but_not_in_words() -> None:
    extractor, text = ModelExtractor(), "The Café Central uses espresso machines by Faema."
    row = a_triplet("Tool uses Part", subject="cafe central", object="FAEMA")
    assert extractor.checked(json.dumps({"triplets": [row]}), text=text)[1] == 0


def test_odd_rows_are_no_error() -> None:
    rows: list[Any] = [None, 3, [], "x", {"subject": 1}, {}]
    assert ModelExtractor().checked(json.dumps({"triplets": rows}), text="x") == ((), 6)


@pytest.mark.parametrize("status", [429, 500, 503, 408])
def test_a_busy_server_is_asked_again(
    serve: Serve, well: Any, kept: Any, loopback: ModuleType, status: int
) -> None:
    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        if nth <= 2:
            return loopback.error(status, "slow down", **AT_ONCE)
        return well(request)

    server = serve(script)
    extractor = reader(server, concurrency=1)
    result = read_all(extractor, texts(2), kept(extractor))
    assert (result.read, result.failed, len(server.requests)) == (2, {}, 4)


def test_lost_connections_and_half_answers_are_asked_again(
    serve: Serve, well: Any, kept: Any, loopback: ModuleType
) -> None:
    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        return loopback.Reply(b'{"id": "chat', cut=True) if nth == 1 else well(request)

    extractor = reader(serve(script), concurrency=1)
    result = read_all(extractor, texts(3), kept(extractor))
    assert result.read + len(result.failed) == 3
    assert read_all(extractor, texts(3), kept(extractor)).failed == {}


def test_a_server_that_hangs_is_given_up_after_the_time_limit(
    serve: Serve, well: Any, kept: Any, loopback: ModuleType
) -> None:
    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        hangs = "Tool1 " in asked_text(request)
        return loopback.Reply({}, wait_seconds=30) if hangs else well(request)

    server = serve(script)
    endpoint = Endpoint(base_url=server.base_url, retries=0, timeout_seconds=0.3)
    extractor = ModelExtractor(endpoint=endpoint)
    result = read_all(extractor, texts(4), kept(extractor))
    assert result.read == 3
    assert result.failed == {content_hash("Tool1 uses Part1."): "no answer within 0.3 s"}


FATAL = {
    "invalid_api_key": (401, "check OPENAI_API_KEY"),
    "model_not_found": (404, "no such model or path"),
    "insufficient_quota": (429, "quota is used up"),
}


@pytest.mark.parametrize("code", FATAL)
def test_what_no_request_can_get_past_ends_the_run_and_keeps_what_is_done(
    serve: Serve, well: Any, kept: Any, loopback: ModuleType, code: str
) -> None:
    status, told = FATAL[code]

    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        return well(request) if nth <= 3 else loopback.error(status, "no", code=code, **AT_ONCE)

    server = serve(script)
    extractor = reader(server, concurrency=1)
    with pytest.raises(EndpointUnavailable, match=told):
        read_all(extractor, texts(9), kept(extractor))
    server.script = lambda path, request, nth: well(request)
    again = read_all(extractor, texts(9), kept(extractor))
    assert (again.reused, again.read) == (3, 6)


def test_a_dead_server_ends_the_run_after_some_failures(
    serve: Serve, kept: Any, loopback: ModuleType
) -> None:
    server = serve(lambda path, request, nth: loopback.error(500, "down", **AT_ONCE))
    extractor = reader(server, concurrency=1)
    result = read_all(extractor, texts(40), kept(extractor))
    assert len(result.failed) == GIVE_UP_AFTER
    assert result.not_read == 40 - GIVE_UP_AFTER
    assert "in a row failed" in (result.stopped or "")
    assert "HTTP 500: down" in (result.stopped or "")


@pytest.mark.parametrize("concurrency", [1, 3])
def test_a_cap_stops_before_it_is_passed_and_the_next_run_goes_on(
    serve: Serve, well: Any, kept: Any, concurrency: int
) -> None:
    server = serve(lambda path, request, nth: well(request))
    # A text takes 100 tokens read and 20 written: at 1 and 5 dollars a million, $0.0002.
    capped = reader(server, concurrency=concurrency, price=Price(1, 5), max_cost=0.001)
    result = read_all(capped, texts(20), kept(capped))
    spent = Price(1, 5).of(result.tokens_read, result.tokens_written)
    assert 0 < spent <= 0.001
    assert result.stopped == "max_cost=$0.0010 would be passed"
    assert result.read + result.not_read == 20
    by_tokens = reader(server, concurrency=concurrency, max_tokens=600)
    second = read_all(by_tokens, texts(20), kept(by_tokens))
    assert second.reused == result.read
    assert second.read * 120 <= 600
    assert second.stopped == "max_tokens=600 would be passed"


def test_an_estimate_counts_what_is_missing(serve: Serve, well: Any, kept: Any) -> None:
    server = serve(lambda path, request, nth: well(request))
    extractor = reader(server, price=Price(1, 5))
    some = dict(list(texts(10).items())[:4])
    read_all(extractor, some, kept(extractor))
    told = estimate(extractor, texts(10), kept(extractor))
    assert (told.chunks, told.kept, told.tokens_written) == (6, 4, 6 * 150)
    assert told.cost == pytest.approx((told.tokens_read * 1 + 900 * 5) / 1e6)
    assert "6 chunks to read (4 were read before)" in str(told)
    assert str(estimate(extractor, some, kept(extractor))).startswith("nothing to read")
    assert len(server.requests) == 4


def test_other_vocabularies_read_anew(serve: Serve, well: Any, kept: Any) -> None:
    server = serve(lambda path, request, nth: well(request))
    one, other = reader(server), reader(server, relation_types=("uses",))
    read_all(one, texts(2), kept(one))
    assert read_all(other, texts(2), kept(other)).reused == 0


def test_a_key_is_needed_by_openai_itself_and_sent_only_as_a_header(
    serve: Serve, well: Any, kept: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    extractor = ModelExtractor()
    with pytest.raises(EndpointUnavailable, match="OPENAI_API_KEY is not set"):
        read_all(extractor, texts(1), kept(extractor))
    secret = "sk-test-0123456789abcdef"
    monkeypatch.setenv("OPENAI_API_KEY", secret)
    server = serve(lambda path, request, nth: well(request))
    mine = reader(server)
    read_all(mine, texts(1), kept(mine))
    _, body, headers = server.requests[0]
    assert headers["authorization"] == f"Bearer {secret}"
    assert secret not in json.dumps(body) + repr(mine) + mine.identity
    assert not any(secret.encode() in file.read_bytes() for file in tmp_path.rglob("*.sqlite"))


def test_a_message_never_repeats_the_key(
    serve: Serve, kept: Any, loopback: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "sk-test-0123456789abcdef"
    monkeypatch.setenv("OPENAI_API_KEY", secret)
    server = serve(lambda path, request, nth: loopback.error(401, f"bad key {secret}"))
    extractor = reader(server)
    with pytest.raises(EndpointUnavailable) as caught:
        read_all(extractor, texts(1), kept(extractor))
    assert secret not in str(caught.value)
    assert "bad key (key)" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"entity_types": ()}, "one word or more"),
        ({"relation_types": "uses"}, "one word or more"),
        ({"concurrency": 0}, "1 to 64"),
        ({"max_cost": 1.0, "model": "mine"}, "price of 'mine'"),
        ({"max_tokens": 0}, "more than 0"),
    ],
)
def test_settings_out_of_range_are_named(options: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidSetting, match=told):
        ModelExtractor(**options)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"base_url": "localhost:11434"}, "is no address"),
        ({"base_url": "http://me:secret@host/v1"}, "would be stored"),
        ({"key": "sk-123"}, "set OPENAI_API_KEY"),
        ({"timeout_seconds": 0}, "a number, above 0"),
    ],
)
def test_an_endpoint_refuses_what_cannot_work(options: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidSetting, match=told) as caught:
        Endpoint(**options)
    assert "secret@" not in str(caught.value)


def test_nothing_to_read_needs_no_key(kept: Any) -> None:
    extractor = ModelExtractor()
    assert read_all(extractor, {}, kept(extractor)) == Readings()


def test_an_unusable_reply_says_what_it_cost() -> None:
    with pytest.raises(Unusable) as caught:
        ModelExtractor().checked("no", text="x", tokens_read=7, tokens_written=2)
    assert (caught.value.tokens_read, caught.value.tokens_written) == (7, 2)
