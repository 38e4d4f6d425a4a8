"""Fusion agrees with cases computed by hand; the browser module passes the same file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from brainkit.fuse import fuse
from brainkit.models import QueryRequest

CASES = json.loads((Path(__file__).parents[2] / "data" / "fusion_cases.json").read_text("utf-8"))


def request_of(case: dict[str, Any]) -> QueryRequest:
    settings = dict(case["settings"])
    # A case may cut deeper than any request may return; top_k plays no part in fusion.
    return QueryRequest(query="q", mode=case["mode"], top_k=1, **settings)


def raw_of(case: dict[str, Any]) -> dict[str, dict[int, float]]:
    return {
        name: {int(id_): score for id_, score in scores.items()}
        for name, scores in case.get("raw", {}).items()
    }


def test_there_are_enough_cases_of_both_kinds() -> None:
    modes = [case["mode"] for case in CASES]
    assert modes.count("hybrid") >= 15
    assert modes.count("multi") >= 10
    assert len({case["name"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_case(case: dict[str, Any]) -> None:
    fused = fuse(case["lists"], raw_of(case), request_of(case))
    assert [[one.id, one.score] for one in fused] == case["expected"], case["why"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_arithmetic_shown_gives_the_expected_score(case: dict[str, Any]) -> None:
    for id_, score in case["expected"]:
        assert eval(case["arithmetic"][str(id_)], {"__builtins__": {}}) == score


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_parts_add_up_to_the_score(case: dict[str, Any]) -> None:
    for one in fuse(case["lists"], raw_of(case), request_of(case)):
        total = 0.0
        for part in one.parts.values():
            total += part
        assert total == one.score
