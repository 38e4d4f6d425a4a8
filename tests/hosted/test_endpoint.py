"""Addresses, keys and what an error may say of them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import ModuleType
from typing import Any

import openai
import pytest

from brainkit.errors import EndpointUnavailable, InvalidSetting
from brainkit.hosted import Endpoint, endpoint
from brainkit.hosted.endpoint import is_loopback


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("base_url", "address"),
    [
        (None, "openai"),
        ("http://localhost:11434/v1", "http://localhost:11434/v1"),
        ("https://x.openai.azure.com/d?api-version=1", "https://x.openai.azure.com/d"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
    ],
)
def test_the_address_has_no_query(base_url: str | None, address: str) -> None:
    assert Endpoint(base_url=base_url).address == address


@pytest.mark.parametrize(
    "given",
    ["localhost", "localhost:80/v1", "ftp://x/v1", "http://", "http://x:99999/", "http://["],
)
def test_what_is_no_address_is_refused_wherever_it_stands(
    given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InvalidSetting, match=r"base_url=.* is no address"):
        Endpoint(base_url=given)
    monkeypatch.setenv("OPENAI_BASE_URL", given)
    with pytest.raises(InvalidSetting, match=r"OPENAI_BASE_URL=.* is no address"):
        _ = Endpoint().address


def test_a_password_in_an_address_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    given = "https://ann:precious@example.com/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", given)
    for make in (lambda: Endpoint(base_url=given), lambda: Endpoint().address):
        with pytest.raises(InvalidSetting, match="user name or password") as caught:
            make()
        assert "precious" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://[::1]/v1", True),
        ("openai", False),
        ("http://127.0.0.1.example.com/v1", False),
        ("http://10.0.0.2/v1", False),
    ],
)
def test_only_loopback_is_this_machine(address: str, here: bool) -> None:
    assert is_loopback(address) is here


@pytest.mark.parametrize("key", ["sk-\u201cquoted\u201d", "sk-two\nlines", "sk-\x00"])
def test_a_key_that_no_header_can_carry_is_named_but_not_shown(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EndpointUnavailable, match="no request can carry") as caught:
        Endpoint(key=lambda: key).client()
    assert "sk-" not in str(caught.value)
    frame = caught.value.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == endpoint.__file__:
            assert not [v for v in frame.tb_frame.f_locals.values() if v == key]
        frame = frame.tb_next


def test_a_line_end_after_a_key_is_forgiven() -> None:
    assert Endpoint(key=lambda: "sk-1\n").key_is_set
    Endpoint(key=lambda: "sk-1\n").client().close()


def test_errors_of_others_are_told_without_key_and_headers() -> None:
    one = Endpoint(key=lambda: "sk-precious", headers={"X-Key": "also-precious"})
    told = one.told(ValueError("bad header b'Bearer sk-precious' also-precious"))
    assert told == "ValueError: bad header b'Bearer (key)' (key)"


def test_a_key_function_that_fails_still_lets_errors_be_told() -> None:
    def key() -> str:
        raise RuntimeError("vault closed")

    assert Endpoint(key=key).told(ValueError("x")) == "ValueError: x"


def test_a_key_in_the_query_of_an_address_is_shown_nowhere(
    serve: Callable[..., Any], loopback: ModuleType, caplog: pytest.LogCaptureFixture
) -> None:
    server = serve(lambda path, request, nth: loopback.error(404, f"no {path}"))
    given = f"{server.base_url}?subscription-key=sec%2Fret-word&api-version=2024-10-21"
    one = Endpoint(base_url=given, key=lambda: "", retries=0)
    with (
        caplog.at_level(logging.DEBUG),
        one.client() as client,
        pytest.raises(openai.NotFoundError) as caught,
    ):
        client.embeddings.create(model="mine", input="alpha")
    assert server.requests[0][0].count("subscription-key=sec%2Fret-word") == 1, "it was sent"
    assert "HTTP Request: POST" in caplog.text
    for shown in (caplog.text, repr(one), one.told(caught.value), str(one.fatal(caught.value))):
        assert "ret-word" not in shown
    assert "api-version=2024-10-21" in caplog.text
    assert server.base_url in repr(one)


@pytest.mark.parametrize(
    "given", ["htps://x/v1?key=precious", "x/v1#precious", "http://ann:precious@[/v1"]
)
def test_what_is_no_address_is_told_without_what_may_be_a_key(given: str) -> None:
    with pytest.raises(InvalidSetting, match="is no address") as caught:
        Endpoint(base_url=given)
    assert "precious" not in str(caught.value)


@pytest.mark.parametrize("named", ["in the call", "by the variable"])
def test_what_the_library_adds_by_itself_goes_only_where_it_belongs(
    named: str, serve: Callable[..., Any], loopback: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(lambda path, request, nth: loopback.embeddings(request))
    monkeypatch.setenv(
        "OPENAI_CUSTOM_HEADERS", "X-Gate: gate-precious\nAuthorization: Bearer other-precious"
    )
    monkeypatch.setenv("OPENAI_ORG_ID", "org-precious")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-precious")
    if named == "by the variable":
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    given = {"base_url": server.base_url} if named == "in the call" else {}
    one = Endpoint(**given, key=lambda: "sk-own-key", headers={"X-Own": "mine"})  # type: ignore[arg-type]
    with one.client() as client:
        client.embeddings.create(model="mine", input=["alpha"])
    ((_, _, headers),) = server.requests
    assert headers["x-own"] == "mine"
    if named == "in the call":
        assert headers["authorization"] == "Bearer sk-own-key"
        assert "precious" not in str(headers)
    else:
        assert (headers["x-gate"], headers["openai-project"]) == ("gate-precious", "proj-precious")
    for secret in ("gate-precious", "org-precious", "proj-precious", "other-precious"):
        assert secret not in one.told(ValueError(f"bad header {secret}"))
