"""What a plan says that a hosted embedder would cost, and what the ingest then did cost."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import tqdm
import tqdm.auto

import brainkit
from brainkit.embed.openai import OpenAIEmbedder
from brainkit.embed.vectors import PROBES
from brainkit.hosted.bill import Bill, Paid
from brainkit.ingest.report import IngestReport
from brainkit.progress import bar

TOKEN = "ghp_" + "q8Zr4mT1xK" "c7Vb2NwE5y" "Ls9Gd3HfJ6" "pAoU0i"  # fmt: skip


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BRAINKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("a", "copy"):
        (folder / f"{name}.txt").write_text("alpha beta\n")
    (folder / "b.txt").write_text("gamma delta\n")
    (folder / "secret.py").write_text(f"token = '{TOKEN}'\n")
    return folder


def bill_of(report: IngestReport) -> Bill:
    assert report.bill is not None
    return report.bill


def numbers(bill: Bill) -> tuple[int, ...]:
    return bill.chunks, bill.duplicates, bill.kept, bill.texts, bill.tokens, bill.withheld


def test_a_plan_and_its_ingest_agree(
    notes: Path, tmp_path: Path, serve: Callable[..., Any], loopback: ModuleType
) -> None:
    server = serve(lambda path, request, nth: loopback.embeddings(request))
    price = brainkit.Price(1000)
    one = OpenAIEmbedder(
        "text-embedding-3-small", dimensions=8, base_url=server.base_url, price=price
    )
    with brainkit.open(tmp_path / "x.brain", embedder=one) as brain:
        plan = brain.plan(notes, progress=False)
        # Only who is there is asked, with texts of ours, as kept vectors are filed under that.
        assert {text for _, body, _ in server.requests for text in body["input"]} == set(PROBES)
        assert numbers(bill_of(plan)) == (3, 1, 0, 2, 4, 1)
        assert bill_of(plan).cost == pytest.approx(4 * 1000 / 1e6)
        assert str(bill_of(plan)) in plan.notes
        assert "2 texts to send of 3 chunks (1 duplicate); about 4 tokens" in str(bill_of(plan))
        assert "about $0.0040 at the price given; 1 file not sent" in str(bill_of(plan))
        done = bill_of(brain.ingest(notes, progress=False))
        assert numbers(done) == (3, 1, 0, 2, 4, 1)
        assert "2 texts sent of 3 chunks" in str(done)
        (notes / "a.txt").write_text("gamma delta\n")
        (notes / "new.txt").write_text("alpha epsilon\n")
        again = brain.plan(notes, progress=False)
        assert numbers(bill_of(again)) == (2, 0, 1, 1, 3, 1), "gamma delta is kept from before"


def test_an_own_server_has_no_known_price(
    notes: Path, tmp_path: Path, serve: Callable[..., Any], loopback: ModuleType
) -> None:
    server = serve(lambda path, request, nth: loopback.embeddings(request))
    one = OpenAIEmbedder("mine", base_url=server.base_url)
    with brainkit.open(tmp_path / "x.brain", embedder=one) as brain:
        bill = bill_of(brain.plan(notes, progress=False))
    assert bill.cost is None
    assert "; the price is not known" in str(bill)


def test_embedders_that_cost_nothing_have_no_bill(
    notes: Path, tmp_path: Path, word_vectors: Any
) -> None:
    with brainkit.open(tmp_path / "x.brain", embedder=word_vectors) as brain:
        assert brain.plan(notes, progress=False).bill is None
        assert brain.ingest(notes, progress=False).bill is None
    assert isinstance(OpenAIEmbedder(), Paid)


def test_the_bar_says_what_is_spent_and_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = functools.partial(tqdm.std.tqdm, miniters=1, mininterval=0)
    monkeypatch.setattr(tqdm.auto, "tqdm", lambda **options: at_once(**{**options, "delay": 0.0}))
    spent = iter(["$1, about $1 left", "$2, about $0 left"])
    with bar(total=2, what="embedding", unit="chunk", on=True, beside=lambda: next(spent)) as step:
        step(1)
        step(1)
    shown = capsys.readouterr().err
    assert "1/2" in shown
    assert "$1, about $1 left" in shown
