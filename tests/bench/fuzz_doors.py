"""Every door by which bytes that someone else made come in, as functions to be fuzzed.

Each takes bytes and either does its work, or raises one of the errors that it promises. What
brainkit contains but should not have met, such as a reader that failed, is raised as well.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import os
import re
import shutil
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from fuzz_seeds import (
    BEIR,
    PATHS,
    RELATIONS,
    TREC,
)

import brainkit
from brainkit.analyze import Analyzer, highlight_spans
from brainkit.cli.settings import configs_of
from brainkit.embed import resolve
from brainkit.errors import BrainkitError
from brainkit.evaluation.datasets import load_dataset
from brainkit.evaluation.judgments import Judgments
from brainkit.extract.checked import checked as checked_facts
from brainkit.hosted.answers import rows_of
from brainkit.ingest.config import Config, read_config
from brainkit.ingest.ignore import ignored_by, read_ignore_file
from brainkit.ingest.one_file import from_file
from brainkit.ingest.tools import Tools
from brainkit.ingest.walk import Found
from brainkit.models import QueryRequest, QueryResponse
from brainkit.settings import Settings

REPOSITORY: Final = Path(__file__).resolve().parents[2]
SYMBOLS: Final = REPOSITORY / "tests" / "ingest" / "symbols"
SAMPLE: Final = REPOSITORY / "data" / "sample"
QUESTION: Final = "how are sessions signed"


class Contained(Exception):
    """Something failed where nothing should, and only the net below caught it."""


def word_vectors(texts: Sequence[str]) -> Any:
    """An embedder that costs nothing and is the same everywhere: 16 numbers of a text's words."""
    out = np.zeros((len(texts), 16), np.float32)
    for row, text in enumerate(texts):
        for word in re.findall(r"\w+", text.casefold())[:200]:
            out[row] += np.frombuffer(hashlib.md5(word.encode("utf-8", "replace")).digest(), "u1")
    return out


@contextmanager
def nothing_contained() -> Iterator[None]:
    """Raise what brainkit logs as the failure of one of its parts."""
    found: list[BaseException] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.exc_info and record.exc_info[1] is not None:
                found.append(record.exc_info[1])

    log, handler = logging.getLogger("brainkit"), Kept()
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(before)
    if found:
        raise Contained(type(found[0]).__name__) from found[0]


@cache
def _tools() -> Tools:
    settings = Settings()
    return Tools(Analyzer(language="english"), resolve(word_vectors), settings)


def run_file(raw: bytes, folder: Path, *, name: str) -> None:
    """Read a file, cut it, look for secrets and for what it says, as an ingest does."""
    path = folder / name
    path.write_bytes(raw)
    found = Found(path, name, len(raw), 0, (1, 1))
    with nothing_contained():
        made = from_file(found, source=f"x/{name}", label="x", tools=_tools(), config=Config())
    if made.row.skipped is None and not made.chunks:
        raise Contained("neither chunks nor a reason")
    for chunk in made.chunks:
        (chunk.text + chunk.context + json.dumps(chunk.metadata)).encode()
        if not 1 <= chunk.start_line <= chunk.end_line:
            raise Contained(f"lines {chunk.start_line} to {chunk.end_line}")
    if made.facts is not None:
        told = made.facts.to_json()
        checked_facts(told, lengths=[len(chunk.text) for chunk in made.chunks])


def run_analyzer(raw: bytes, folder: Path) -> None:
    """Text to terms, and where terms are in a text."""
    text = raw.decode("utf-8", "replace")
    for language in ("english", "german", "none"):
        analyzer = Analyzer(language=language)
        terms = analyzer.terms(text)
        highlight_spans(analyzer, text[:5000], set(list(terms)[:50]))


def run_request(raw: bytes, folder: Path) -> None:
    """A request as JSON."""
    request = QueryRequest.model_validate_json(raw)
    if QueryRequest.model_validate_json(request.model_dump_json()) != request:
        raise Contained("another request after a round trip")


def run_response(raw: bytes, folder: Path) -> None:
    """An answer as JSON: fused again, explained and drawn."""
    from brainkit.answer import Answer

    response = QueryResponse.model_validate_json(raw)
    answer = Answer(response, analyzer=Analyzer(language="english"))
    _seen(answer)
    for changes in ({"alpha": 0.1}, {"mode": "multi", "rrf_k": 3}, {"mode": "vector"}):
        try:
            _seen(answer.refuse(**changes))
        except BrainkitError:
            continue


def _seen(answer: Any) -> None:
    repr(answer).encode()
    answer._repr_html_().encode()
    for rank in range(1, len(answer) + 1):
        answer.explain(rank)


def run_report(raw: bytes, folder: Path) -> None:
    """A notebook as a report."""
    path = folder / "a.ipynb"
    path.write_bytes(raw)
    brainkit.export_html(path, folder / "a.html")


def run_judgments(raw: bytes, folder: Path) -> None:
    """A file of labels, read, counted, written again."""
    path = folder / "judgments.tsv"
    path.write_bytes(raw)
    labels = Judgments(path)
    held = list(labels)
    labels.queries(), labels.labellers(), labels.latest()
    if held:
        labels.put(held[0])
        labels.undo(held[0].labeller)
    labels.to_dataset()


def run_table(raw: bytes, folder: Path, *, name: str) -> None:
    """Judged questions as a table."""
    path = folder / name
    path.write_bytes(raw)
    dataset = load_dataset(path)
    dataset.summary(), dataset._repr_html_()


def run_beir(raw: bytes, folder: Path, *, part: str) -> None:
    """A BEIR folder of which one file is anything."""
    (folder / "qrels").mkdir(exist_ok=True)
    for name, sound in BEIR.items():
        (folder / name).write_bytes(raw if name == part else sound)
    dataset = load_dataset(folder)
    list(dataset.records())
    dataset.shuffled(seed=1)


def run_trec(raw: bytes, folder: Path, *, part: str) -> None:
    """Qrels and topics of which one is anything."""
    for name, sound in TREC.items():
        (folder / name).write_bytes(raw if name == part else sound)
    load_dataset(folder / "qrels.txt", queries=folder / "topics.txt")


def run_config(raw: bytes, folder: Path) -> None:
    """A folder's `brainkit.toml`, and what its globs and rules say of paths."""
    (folder / "brainkit.toml").write_bytes(raw)
    config = read_config(folder)
    for path in PATHS:
        config.typed(path, "python")


def run_ignore(raw: bytes, folder: Path) -> None:
    """A `.gitignore`, asked about paths."""
    path = folder / ".gitignore"
    path.write_bytes(raw)
    rules = read_ignore_file(path, folder="")
    for relative in PATHS:
        ignored_by([rules], relative, is_folder=False)


def run_configs(raw: bytes, folder: Path, *, name: str) -> None:
    """Configurations to compare, in a file."""
    path = folder / name
    path.write_bytes(raw)
    for fields in configs_of([str(path)]).values():
        QueryRequest(**{"query": "x", **fields})


def run_reply(raw: bytes, folder: Path) -> None:
    """What an embedding server answered."""
    rows_of(raw, count=2, dim=None)


def run_facts(raw: bytes, folder: Path) -> None:
    """What a file is said to say, in a brain that someone else made."""
    checked_facts(raw.decode("utf-8", "replace"), lengths=[100, 100, 100])


def run_import(raw: bytes, folder: Path) -> None:
    """An exported brain."""
    path = folder / "x.zip"
    path.write_bytes(raw)
    made = folder / "x.brain"
    with brainkit.import_brain(path, made, embedder=word_vectors) as brain:
        asked(brain)


def run_member(raw: bytes, folder: Path, *, name: str) -> None:
    """An exported brain of which one member is anything, with a hash that matches."""
    held = dict(members())
    held[name] = raw
    if name != "manifest.json":
        manifest = json.loads(held["manifest.json"])
        manifest["sha256"][name] = hashlib.sha256(raw).hexdigest()
        held["manifest.json"] = json.dumps(manifest).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for member, data in held.items():
            archive.writestr(member, data)
    run_import(buffer.getvalue(), folder)


def run_brain(raw: bytes, folder: Path, *, name: str) -> None:
    """A brain's folder of which one file is anything, and the manifest says that it is right."""
    made = folder / "x.brain"
    shutil.copytree(seed_brain(), made)
    (made / name).write_bytes(raw)
    generation = made / Path(name).parts[0]
    if generation.name.startswith("gen-") and Path(name).name != "manifest.json":
        manifest = json.loads((generation / "manifest.json").read_bytes())
        digest = hashlib.sha256(raw).hexdigest()
        inside = (made / name).relative_to(generation).as_posix()
        manifest["files"][inside] = {"sha256": digest, "bytes": len(raw)}
        del manifest["sha256"]
        whole = hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()
        (generation / "manifest.json").write_text(json.dumps({**manifest, "sha256": whole}))
    with brainkit.open(made, embedder=word_vectors) as brain:
        asked(brain)
        brain.check()
        brain.info()


def asked(brain: brainkit.Brain) -> None:
    for mode in ("vector", "bm25", "hybrid", "graph", "multi"):
        _seen(brain.query(QUESTION, mode=mode, top_k=2, depth=5))


def run_query(raw: bytes, folder: Path) -> None:
    """Any text as a query, a filter and a mode's word."""
    brain = open_brain()
    text = raw.decode("utf-8", "replace")
    for mode in ("hybrid", "graph", "multi"):
        try:
            brain.query(text[:1000], mode=mode, top_k=2)
        except BrainkitError:
            continue
    brain.query(QUESTION, file_paths=text.split("\n")[:20], mode="bm25")


@cache
def open_brain() -> brainkit.Brain:
    return brainkit.open(seed_brain(), embedder=word_vectors)


@cache
def seed_brain() -> Path:
    """A small brain of the sample, made once in the place that FUZZ_SEEDS names."""
    made = Path(os.environ["FUZZ_SEEDS"]) / "seed.brain"
    if not made.exists():
        with brainkit.open(made, embedder=word_vectors) as brain:
            brain.ingest(SAMPLE / "shelf" / "src", progress=False)
            asked(brain)
        current = (made / "CURRENT").read_text().strip()
        for other in made.glob("gen-*"):
            if other.name != current:
                shutil.rmtree(other)
    return made


@cache
def members() -> dict[str, bytes]:
    path = Path(os.environ["FUZZ_SEEDS"]) / "seed.zip"
    if not path.exists():
        open_brain().export(path)
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def run_word(raw: bytes, folder: Path) -> None:
    """A Word document whose main part is anything, packed soundly."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_rels/.rels", RELATIONS)
        archive.writestr("word/document.xml", raw)
    run_file(buffer.getvalue(), folder, name="a.docx")
