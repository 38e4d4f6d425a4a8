"""A short turn of the fuzzing campaign, the same inputs each time."""

from __future__ import annotations

import random
import time
from pathlib import Path
from types import ModuleType

import pytest

from brainkit.errors import BrainkitError

INPUTS = 12
FEWER = {"report": 4, "query": 3}  # half a second each
SLOW = ("brain-", "member-", "import")  # a brain is opened for each: run by the campaign

NAMES = (
    *("file-md", "file-rst", "file-csv", "file-tsv", "file-json", "file-jsonl", "file-yaml"),
    *("file-toml", "file-html", "file-txt", "file-sh", "file-sql", "file-ipynb", "file-docx"),
    *("file-word", "file-pdf", "file-encoded", "file-declared", "file-py", "file-js", "file-ts"),
    *("file-tsx", "file-java", "file-go", "file-rs", "file-c", "file-cpp", "file-cs", "file-kt"),
    *("file-swift", "file-pas", "analyzer", "query", "request", "response", "report", "judgments"),
    *("table-tsv", "table-csv", "beir-corpus", "beir-queries", "beir-qrels-test", "trec-qrels"),
    *("trec-topics", "config", "ignore", "configs-json", "configs-toml", "reply", "facts"),
)


def test_every_target_has_its_turn(targets: ModuleType) -> None:
    left_out = {name for name in targets.TARGETS if name.startswith(SLOW)}
    assert {*NAMES} == targets.TARGETS.keys() - left_out
    assert len(left_out) > 30


@pytest.mark.parametrize("name", NAMES)
def test_damage_is_read_or_refused_in_time(
    name: str, targets: ModuleType, mutate: ModuleType, folder: Path
) -> None:
    target, chance = targets.TARGETS[name], random.Random(name)
    seeds = list(target.seeds())
    for number in range(FEWER.get(name, INPUTS)):
        raw = mutate.mutated(seeds, chance) if number else seeds[0]
        inside = folder / str(number)
        inside.mkdir()
        began = time.process_time()
        try:
            target.run(raw, inside)
        except (BrainkitError, *target.allowed):
            continue
        finally:
            spent = time.process_time() - began
        # The first loads libraries.
        assert not number or spent < targets.SECONDS + target.seconds_per_mb * len(raw) / 1e6
