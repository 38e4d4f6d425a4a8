"""Accounts and caps, tokens, prices, and what is remembered of a server."""

from __future__ import annotations

import hashlib
import json
import socket
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.hosted import Price
from brainkit.hosted.known import Known, Memory, cache_folder
from brainkit.hosted.pace import Failure, Pace
from brainkit.hosted.spending import Cap, Spending
from brainkit.hosted.tokens import beginning, billable, counter, estimated


def test_a_fifth_of_a_cap_goes_out_before_the_server_has_counted() -> None:
    """Then 20 tokens are booked where 10 were estimated: (100 - 20) / 2 = 40 estimated ones fit."""
    spending = Spending(price=None, cap=Cap(max_tokens=100))
    assert (spending.room(), spending.careful) == (20, True)
    spending.reserve(10)
    assert spending.room() == 10
    spending.book(10, tokens=20)
    assert (spending.room(), spending.careful) == (40, False)
    assert str(spending) == "20 tokens"
    spending.reserve(10)
    spending.book(10, tokens=5)
    assert spending.room() == 37, "(100 - 25) / 2: what counted most holds"


def test_a_first_request_is_trusted_alone_and_another_attempt_has_to_fit() -> None:
    """62 of 100 go as the first; garbled, they may be paid for, and 124 would be too many."""
    spending = Spending(price=None, cap=Cap(max_tokens=100))
    assert spending.trusts(62)
    assert not spending.trusts(101)
    spending.reserve(62)
    assert spending.admits(62)
    assert not spending.trusts(1)
    spending.book_in_vain(62)
    assert not spending.admits(62)
    assert spending.tokens == 62


def test_the_lower_of_two_caps_holds_and_is_named() -> None:
    """$0.05 at $1,000 per million tokens are 50 tokens."""
    both = Spending(price=Price(1000), cap=Cap(max_cost=0.05, max_tokens=60))
    assert both.room() == 10
    assert both.cap_reached() == "max_cost=$0.0500"
    lower = Spending(price=Price(1000), cap=Cap(max_cost=0.07, max_tokens=60))
    assert lower.cap_reached() == "max_tokens=60"
    assert Spending(price=None).room() is None


def test_what_is_left_is_told_by_what_the_server_counts() -> None:
    """Of 1,000 tokens expected 400 were sent and counted as 200: 600 more are worth 300."""
    spending = Spending(price=Price(1000), expected=1000)
    spending.book(400, tokens=200)
    assert spending.told() == "$0.20, about $0.30 left"
    assert str(spending) == "200 tokens, $0.20"


def test_a_server_that_does_not_count_is_believed_to_count_as_estimated() -> None:
    spending = Spending(price=None)
    spending.book(7, tokens=None)
    assert spending.tokens == 7


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("\n \t\n", 0),
        ("word", 1),
        ("sessions", 2),
        ("getUserName()", 5),  # getUserName is 11 letters: 3; ( and )
        ("2026-11-30", 6),  # 2026 is 2, 11 and 30 one each, and two marks
        ("\u6771\u4eac", 2),  # 6 bytes
        ("caf\u00e9", 2),  # caf, and 2 bytes
        ("\u041f\u0440\u0438\u0432\u0435\u0442", 4),  # 12 bytes
    ],
)
def test_estimates_by_hand(text: str, tokens: int) -> None:
    assert estimated(text) == tokens


def test_estimates_of_lines_add_up_and_beginnings_hold_no_more() -> None:
    text = "def f(x):\n    return caf\u00e9 + 12345\n\u6771\u4eac"
    assert estimated(text) == sum(map(estimated, text.split("\n")))
    for most in range(estimated(text) + 2):
        cut = beginning(text, most)
        assert estimated(cut) <= most
        assert text.startswith(cut)


@pytest.mark.parametrize(
    ("text", "tokens"),  # as OpenAI's cl100k_base counts them
    [
        ("\u12a0\u121b\u122d\u129b " * 10, 121),  # Ethiopic
        ("aZ" * 20, 40),
        ("\n" * 50 + "\t \t " * 20, 43),
        ("\U0001f600" * 10, 20),
        ("\t\t\tx\n" * 10, 30),
        ("q8Zr4mT1xKc7Vb2NwE5yLs9Gd3HfJ6pAoU0iq8Zr" * 4, 149),
        ("\u2211\u222b\u2264\u2265\u2260\u2192\u21d2\u2200\u2203\u2208\u2209", 24),
    ],
)
def test_what_is_billed_is_not_above_the_estimate_for_caps(text: str, tokens: int) -> None:
    assert estimated(text) < tokens <= billable(text)


@given(st.text(st.one_of(st.characters(), st.sampled_from("abXY01 \n\t.,\u0436"))))
def test_what_may_be_billed_is_never_below_the_plain_estimate(text: str) -> None:
    assert billable(text) >= estimated(text)


_TIKTOKEN = """
class Encoding:
    def encode_ordinary(self, text):
        return list(text)


def get_encoding(name):
    return Encoding()
"""


@pytest.mark.parametrize("vocabulary", ["right", "wrong", "missing", "switched off"])
def test_tiktoken_counts_only_where_its_vocabulary_lies_already(
    vocabulary: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it does not, asking tiktoken would fetch it."""
    from brainkit.hosted import tokens

    (tmp_path / "tiktoken.py").write_text(_TIKTOKEN)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "tiktoken", raising=False)
    monkeypatch.setattr(socket, "socket", lambda *_: pytest.fail("it went to the network"))
    content = b"IQ== 0\n"
    monkeypatch.setattr(tokens, "_SHA256", hashlib.sha256(content).hexdigest())
    name = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"  # SHA-1 of the address it would fetch
    if vocabulary in ("right", "wrong"):
        (tmp_path / name).write_bytes(content if vocabulary == "right" else b"half of it")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "" if vocabulary == "switched off" else str(tmp_path))
    tokens._exact.cache_clear()
    count = counter("text-embedding-3-large")
    tokens._exact.cache_clear()
    assert count(["abcdef"]) == ([6] if vocabulary == "right" else [2])
    assert counter("mine")(["abcdef"]) == [2]


def test_what_is_learned_is_there_in_the_next_session_and_forgotten_after_a_month(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "folder" / "servers.json"
    Memory("http://x/v1", "a", path=path).learn(batch_texts=16)
    Memory("http://x/v1", "b", path=path).learn(takes_dimensions=False)
    assert Memory("http://x/v1", "a", path=path).known == Known(batch_texts=16)
    assert Memory("http://x/v1", "b", path=path).known == Known(takes_dimensions=False)
    assert Memory("http://y/v1", "a", path=path).known == Known()
    later = time.time() + 31 * 86_400
    monkeypatch.setattr(time, "time", lambda: later)
    assert Memory("http://x/v1", "a", path=path).known == Known()


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "null",
        '{"x a": 3}',
        '{"x a": {"batch_texts": 0, "learned": NOW}}',
        '{"x a": {"batch_texts": true, "learned": NOW}}',
        '{"x a": {"batch": 1, "learned": NOW}}',
        "\x00",
    ],
)
def test_a_damaged_memory_is_an_empty_one(content: str, tmp_path: Path) -> None:
    path = tmp_path / "servers.json"
    path.write_text(content.replace("NOW", json.dumps(time.time())))
    memory = Memory("x", "a", path=path)
    assert memory.known == Known()
    memory.learn(batch_texts=4)
    assert Memory("x", "a", path=path).known == Known(batch_texts=4)


def test_where_nothing_can_be_written_nothing_is_remembered(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    memory = Memory("x", "a", path=tmp_path / "file" / "servers.json")
    memory.learn(batch_texts=4)
    assert memory.known == Known(batch_texts=4)


def test_the_cache_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BRAINKIT_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path


def test_one_that_is_told_to_wait_holds_the_others_back_too() -> None:
    waits: list[float] = []
    now = [0.0]

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        now[0] += seconds

    ended = threading.Event()
    pace = Pace(5, clock=lambda: now[0], sleep=sleep, chance=lambda: 1.0)
    assert pace.wait(ended)
    assert pace.again(Failure("busy", "429", retry_after_seconds=4), 1)
    assert pace.wait(ended)
    assert waits == [4.25], "a quarter of a second by chance, on top of what was asked"
    assert pace.again(Failure("broken", "500"), 2)
    assert pace.wait(ended)
    assert waits[1:] == [1.5], "2 s less a quarter by chance"
    assert pace.again(Failure("busy", "429", retry_after_seconds=9), 1)
    assert not pace.wait(ended, within=5), "whoever cannot wait so long is told at once"
    ended.set()
    assert pace.wait(ended), "and a run that has ended waits for nothing"
    assert len(waits) == 2
    assert not pace.again(Failure("busy", "429"), 6)
    assert not pace.again(Failure("busy", "429", retry_after_seconds=121), 1)
    assert not pace.again(Failure("refused", "400"), 1)
    assert not pace.again(Failure("timeout", "hang"), 2)
