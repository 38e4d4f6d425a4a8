"""Path, entities and graph answers: what is printed, as JSON too, and every way to ask wrongly."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

HOP = ("path", "retry_with_backoff", "MAX_DELAY_SECONDS")


def test_a_path_is_one_line_then_hop_by_hop_with_place_and_sentence(
    run: Any, reading: Path
) -> None:
    result = run("path", "Sessions", "HMAC-SHA256")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "Sessions <- part_of <- The token -> mentions -> HMAC-SHA256",
        "",
        " 1. The token -> part_of -> Sessions",
        "    sample/shelf/docs/sessions.md:6",
        "    ## The token",
        " 2. The token -> mentions -> HMAC-SHA256",
        "    sample/shelf/docs/sessions.md:9-10",
        "    The signature is HMAC-SHA256 (RFC 2104) over the first two parts, with a secret that "
        "only client and server know.",
    ]


def test_a_path_as_json_holds_every_hop_and_its_evidence(run: Any, reading: Path) -> None:
    document = json.loads(run(*HOP, "--json").stdout)
    assert document["path"] == "retry.retry_with_backoff -> uses -> retry.MAX_DELAY_SECONDS"
    ((hop,),) = document["paths"]
    assert hop["predicate"] == "uses"
    assert hop["evidence"]["source"] == "sample/shelf/src/shelf/retry.py"
    assert "MAX_DELAY_SECONDS" in hop["evidence"]["sentence"]
    assert [one["kinds"] for one in document["entities"]] == [["function"], ["constant"]]


def test_no_path_says_what_each_end_is_connected_to_and_exits_with_1(
    run: Any, reading: Path
) -> None:
    result = run("path", "Sessions", "retry")
    assert result.exit_code == 1
    assert "No relations lead from Sessions to retry." in result.stdout
    assert re.search(r"retry is connected to \d+ entities, such as retry\.", result.stdout)
    document = json.loads(run("path", "Sessions", "retry", "--json").stdout)
    assert document["path"] is None
    assert len(document["notes"]) == 3


def test_entities_are_listed_with_kind_and_other_names(run: Any, reading: Path) -> None:
    result = run("entities", "retry", "--kind", "function")
    lines = result.stdout.splitlines()
    assert lines[0] == "2 entities of kind function like 'retry'."
    assert lines[3].split()[:4] == ["retry.retry_with_backoff", "function", "1", "4"]
    assert "retry_with_backoff" in lines[3].split()[4:]
    document = json.loads(run("entities", "--limit", "3", "--json").stdout)
    assert document["total"] > len(document["entities"]) == 3
    degrees = [one["degree"] for one in document["entities"]]
    assert degrees == sorted(degrees, reverse=True)


def test_nothing_like_it_exits_with_1(run: Any, reading: Path) -> None:
    result = run("entities", "zzyzx")
    assert (result.exit_code, result.stdout) == (1, "0 entities like 'zzyzx'.\n")


def test_names_are_merged_and_given_and_taken_back(run: Any, filled: Path) -> None:
    told = run("entities", "--alias", "retry_with_backoff", "Polite Retry")
    assert told.stderr == "retry_with_backoff is now also called Polite Retry.\n"
    assert run("path", "polite retry", "MAX_DELAY_SECONDS").exit_code == 0
    told = run("entities", "--merge", "HMAC-SHA256", "Sessions", "--json")
    (merged,) = json.loads(told.stdout)["merges"]
    assert merged["names"] == ["HMAC-SHA256", "Sessions"]
    assert run("path", "HMAC-SHA256", "Sessions").stdout.startswith("Sessions\n")
    listed = run("entities", "--merges").stdout
    assert "unmerge('hmacsha256', 'sessions') undoes it" in listed
    run("entities", "--merge", "HMAC-SHA256", "Sessions", "--undo")
    run("entities", "--alias", "retry_with_backoff", "Polite Retry", "--undo")
    assert json.loads(run("entities", "--merges", "--json").stdout) == {"merges": [], "edits": []}
    assert run("path", "polite retry", "MAX_DELAY_SECONDS").exit_code == 2


WRONG = [
    (("path", "Sesions", "Hubs"), "did you mean 'Sessions'?"),
    (("path", "Sessions"), "Missing argument 'TO'"),
    (("entities", "--kind", "functoin"), "did you mean 'function'?"),
    (("entities", "--limit", "0"), "0 is not in the range"),
    (("entities", "--undo"), "name which"),
    (("entities", "x", "--merges"), "one at a time"),
    (("entities", "--merge", "Sessions", "sessions"), "one entity already"),
    (("entities", "--alias", "Sessions"), "requires 2 arguments"),
    (("entities", "--alias", "Sessions", "**"), "no letter or digit"),
]


@pytest.mark.parametrize(("args", "said"), WRONG)
def test_a_mistake_is_explained(args: tuple[str, ...], said: str, run: Any, reading: Path) -> None:
    told = run(*args)
    assert told.exit_code == 2
    assert said in told.stderr


def test_a_graph_answer_shows_its_path_and_what_is_related(run: Any, reading: Path) -> None:
    ask = ("query", "what uses MAX_DELAY_SECONDS", "--mode", "graph")
    text = run(*ask).stdout
    assert "retry.retry_with_backoff -> uses -> retry.MAX_DELAY_SECONDS" in text
    assert re.search(r"^ {4}related: .*retry\.retry_with_backoff", text, flags=re.MULTILINE)
    first = json.loads(run(*ask, "--json").stdout)["results"][0]
    assert first["relationship_path"]
    assert first["related_entities"]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("path", "max_"), ["MAX_DELAY_SECONDS", "max delay seconds"]),
        (("path", "Sessions", "HMA"), ["HMAC-SHA256"]),
        (("path", "--brain", "nowhere.brain", "S"), []),
        (("entities", "--kind", "fun"), ["function"]),
        (("entities", "--merge", "Hubs", "HMA"), ["HMAC-SHA256"]),
        (("path", "100%"), []),
    ],
)
def test_completion_offers_entities(
    words: tuple[str, ...], offered: list[str], run: Any, reading: Path
) -> None:
    environment = {
        "_BRAINKIT_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(("brainkit", *words)),
        "COMP_CWORD": str(len(words)),
    }
    result = run(prog_name="brainkit", env=environment)
    found = [line.partition(",")[2] for line in result.stdout.splitlines() if line]
    assert set(found) <= set(offered)
    assert bool(found) == bool(offered)
