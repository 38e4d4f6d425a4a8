"""Whatever a server or a key function does, an error says so and holds no key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from brainkit.embed.openai import OpenAIEmbedder
from brainkit.errors import BrainkitError
from brainkit.hosted.pace import Pace

KEY = "sk-proj-" + "a1" * 16
Serve = Callable[..., Any]


@pytest.fixture(autouse=True)
def _planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("BRAINKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def embedder(server: Any, **options: Any) -> OpenAIEmbedder:
    pace = Pace(2, sleep=lambda seconds: None, clock=iter(range(10**9)).__next__)
    return OpenAIEmbedder("mine", base_url=server.base_url, timeout=5, pace=pace, **options)


def chain_of(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    one: BaseException | None = error
    while one is not None:
        found.append(one)
        one = one.__cause__ or one.__context__
    return found


@pytest.mark.parametrize("value", [["body", "input"], {"at": 1}, 7, True, None, [[]]])
@pytest.mark.parametrize("field", ["param", "code", "message", "type"])
def test_a_field_of_an_error_may_be_anything(
    field: str, value: Any, serve: Serve, loopback: ModuleType
) -> None:
    told = {"message": "bad", "type": "x", "param": None, "code": None, field: value}
    one = embedder(serve(lambda *_: loopback.Reply({"error": told}, status=400)))
    for call in (lambda: one.embed_query("alpha"), lambda: one.embed_documents(["alpha"])):
        with pytest.raises(BrainkitError, match="not even an ordinary text is taken") as caught:
            call()
        assert chain_of(caught.value) == [caught.value]


@pytest.mark.parametrize("body", [b"[]", b"null", b'"no"', b"{", b"7", b"\xff", b"[[[[" * 9999])
def test_the_body_of_an_error_may_be_anything(
    body: bytes, serve: Serve, loopback: ModuleType
) -> None:
    one = embedder(serve(lambda *_: loopback.Reply(body, status=400)))
    with pytest.raises(BrainkitError) as caught:
        one.embed_query("alpha")
    assert chain_of(caught.value) == [caught.value]


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500])
@pytest.mark.parametrize("works", range(1, 6))
def test_a_key_function_may_fail_at_any_moment(
    works: int, status: int, serve: Serve, loopback: ModuleType
) -> None:
    calls = 0

    def key() -> str:
        nonlocal calls
        calls += 1
        if calls > works:
            raise RuntimeError(f"vault closed, {KEY}")
        return KEY

    one = embedder(serve(lambda *_: loopback.error(status, "no")), key=key)
    with pytest.raises(BrainkitError) as caught:
        one.embed_query("alpha")
    assert chain_of(caught.value) == [caught.value]


def test_an_answer_that_cannot_be_unpacked_is_asked_for_again(
    serve: Serve, loopback: ModuleType
) -> None:
    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        if nth == 1:
            return loopback.Reply(b"no gzip", headers={"Content-Encoding": "gzip"})
        return loopback.embeddings(request)

    assert embedder(serve(script)).embed_query("alpha").shape == (16,)
