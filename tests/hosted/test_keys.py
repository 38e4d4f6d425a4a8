"""A fake key in the environment is found nowhere: not in a brain, a notebook, a report, a log."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

import brainkit
from brainkit.doctor import examine
from brainkit.embed.openai import OpenAIEmbedder
from brainkit.errors import BrainkitError, EndpointUnavailable
from brainkit.extract.llm import ModelExtractor
from brainkit.hosted import Endpoint
from brainkit.hosted.pace import Pace

KEY = "sk-proj-" + "Vb2NwE5yLs9G" + "d3HfJ6pAoU0iq8Zr"  # fmt: skip
PARTS = (KEY, KEY[8:24], KEY[-12:])
MODEL = "text-embedding-3-small"
Serve = Callable[..., Any]


@pytest.fixture(autouse=True)
def _planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("BRAINKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


@pytest.fixture
def logs() -> Iterator[io.StringIO]:
    """Everything that any library logs, at every level."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    for name in ("openai", "httpx2", "httpcore2", "httpcore", "brainkit"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    yield stream
    root.removeHandler(handler)
    root.setLevel(before)
    for name in ("openai", "httpx2", "httpcore2", "httpcore", "brainkit"):
        logging.getLogger(name).setLevel(logging.NOTSET)


def assert_clean(text: str, where: str) -> None:
    for part in PARTS:
        assert part not in text, where


def files_of(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def everything_of(error: BaseException) -> str:
    """What a curious reader of an error could print: also of those it came from, and locals."""
    seen: list[str] = []
    one: BaseException | None = error
    while one is not None:
        seen += [repr(one), str(vars(one)), *map(repr, one.args)]
        for attribute in ("request", "response", "body"):
            found = getattr(one, attribute, None)
            seen += [repr(found), str(dict(getattr(found, "headers", {})))]
        told = traceback.TracebackException.from_exception(one, capture_locals=True)
        for frame in told.stack:
            if "/tests/" not in frame.filename.replace(os.sep, "/"):  # our own locals hold KEY
                seen.append(str(frame.locals))
        one = one.__cause__ or one.__context__
    return "\n".join(seen)


FAILURES: dict[str, Callable[[ModuleType, dict[str, Any]], Any]] = {
    "refused": lambda lb, request: lb.error(401, f"Incorrect API key provided: {KEY}."),
    "echoed": lambda lb, request: lb.error(400, f"bad header Authorization: Bearer {KEY}"),
    "down": lambda lb, request: lb.error(503, "down"),
    "reset": lambda lb, request: lb.Reply(b"{", reset=True),
    "hang": lambda lb, request: lb.Reply({}, wait_seconds=30),
    "garbled": lambda lb, request: lb.Reply(KEY.encode()),
    "moved": lambda lb, request: lb.Reply(b"", status=307, headers={"Location": "http://x/v2"}),
}


def embedder(server: Any, **options: Any) -> OpenAIEmbedder:
    pace = Pace(1, sleep=lambda seconds: None, clock=iter(range(10**9)).__next__)
    return OpenAIEmbedder(
        MODEL, base_url=server.base_url, dimensions=8, timeout=1, pace=pace, **options
    )


@pytest.mark.parametrize("name", FAILURES)
def test_no_error_holds_it_nor_comes_from_one_that_does(
    name: str, serve: Serve, loopback: ModuleType, logs: io.StringIO
) -> None:
    server = serve(lambda path, request, nth: FAILURES[name](loopback, request))
    one = embedder(server, headers={"X-Second": KEY})
    for call in (lambda: one.embed_query("alpha"), lambda: one.embed_documents(["alpha"])):
        with pytest.raises(BrainkitError) as caught:
            call()
        assert_clean(everything_of(caught.value), "error")
    assert server.requests[0][2]["authorization"] == f"Bearer {KEY}", "it was really sent"
    assert_clean(logs.getvalue(), "logs")


@pytest.mark.parametrize("name", ["refused", "down"])
def test_nor_does_that_of_a_chat_model(
    name: str, serve: Serve, loopback: ModuleType, tmp_path: Path, logs: io.StringIO
) -> None:
    server = serve(lambda path, request, nth: FAILURES[name](loopback, request))
    endpoint = Endpoint(base_url=server.base_url, retries=0, timeout_seconds=5)
    extractor = ModelExtractor(endpoint=endpoint)
    with brainkit.open(tmp_path / "x.brain") as brain:
        texts = [{"id": "a", "text": "Alpha uses Beta."}]
        try:
            report = brain.ingest_texts(texts, extract=extractor, progress=False)
            assert_clean(json.dumps(report.to_dict()), "report")
        except EndpointUnavailable as error:
            assert_clean(everything_of(error), "error")
    assert_clean(logs.getvalue() + repr(extractor), "logs")


@pytest.mark.parametrize("key", ["sk-\u201cproj\u201d-never-shown", "sk-two\nlines-never-shown"])
def test_a_malformed_key_is_not_quoted_by_what_refuses_it(
    key: str, serve: Serve, loopback: ModuleType
) -> None:
    server = serve(lambda path, request, nth: loopback.embeddings(request))
    now = ["sk-well-formed"]
    one = embedder(server, key=lambda: now[0])
    one.embed_query("alpha")
    now[0] = key  # after the client was made: only httpx looks at it now
    with pytest.raises(BrainkitError) as caught:
        one.embed_query("beta")
    assert "never-shown" not in everything_of(caught.value)


def test_it_is_in_no_file_of_a_brain_nor_in_what_is_shown(
    serve: Serve, loopback: ModuleType, tmp_path: Path, logs: io.StringIO
) -> None:
    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        if any("poison" in text for text in request["input"]):
            return loopback.error(400, f"no: {KEY}")
        return loopback.embeddings(request)

    server = serve(script)
    one = embedder(server, headers={"X-Second": KEY})
    shown: list[str] = [repr(one), repr(one.endpoint), repr(vars(one)), repr(one.identity)]
    with brainkit.open(tmp_path / "x.brain", embedder=one) as brain:
        texts = [{"id": f"r{n}", "text": f"alpha number{n}"} for n in range(9)]
        report = brain.ingest_texts([*texts, {"id": "p", "text": "poison"}], progress=False)
        assert report.refused == 1
        answer = brain.query("alpha", mode="hybrid", trace="full")
        shown += [json.dumps(report.to_dict()), repr(report), report._repr_html_()]
        shown += [answer._repr_html_(), answer.trace.model_dump_json(), repr(brain.info())]
        brain.report([answer, report], tmp_path / "report.html")
        brain.export(tmp_path / "x.zip")
    examined = examine(tmp_path, hosted=one)
    assert {f.name for f in examined.findings} >= {"OPENAI_API_KEY", "endpoint"}
    shown.append(json.dumps(examined.to_dict()))
    for text in shown:
        assert_clean(text, "shown")
    for path in files_of(tmp_path):
        content = path.read_bytes()
        for part in PARTS:
            assert part.encode() not in content, path
    assert (tmp_path / "cache" / "servers.json").exists()
    assert_clean(logs.getvalue(), "logs")


_CELLS = """
%xmode Verbose
import brainkit
one = brainkit.OpenAIEmbedder("text-embedding-3-small", base_url={url!r}, dimensions=8, retries=0)
brain = brainkit.open("notes.brain", embedder=one); brain
---
brain.ingest_texts([{{"id": "a", "text": "alpha"}}, {{"id": "b", "text": "beta"}}])
---
brain.query("alpha", mode="vector")
---
one, one.endpoint, vars(one)
---
brain.query("poison", mode="vector")
---
brain.ingest_texts([{{"id": "c", "text": "gamma"}}])
---
brainkit.OpenAIEmbedder(key="sk-literal")
---
from brainkit.doctor import examine; examine(brain.folder.parent)
"""


@pytest.mark.slow
def test_it_is_in_no_notebook_that_ran_with_errors_and_no_report_of_it(
    serve: Serve, loopback: ModuleType, tmp_path: Path, repository: Path
) -> None:
    """Verbose tracebacks show the values of all variables on the way."""

    def script(path: str, request: dict[str, Any], nth: int) -> Any:
        if "gamma" in request["input"][0] or "poison" in request["input"][0]:
            return loopback.error(401, f"Incorrect API key provided: {KEY}")
        return loopback.embeddings(request)

    server = serve(script)
    cells = [nbformat.v4.new_code_cell(cell.strip())
             for cell in _CELLS.format(url=server.base_url).split("---")]  # fmt: skip
    notebook = nbformat.v4.new_notebook(cells=cells)
    path = tmp_path / "notes.ipynb"
    nbformat.write(notebook, path)
    command = ["nbconvert", "--to", "notebook", "--execute", "--allow-errors", "--inplace"]
    environment = {**os.environ, "PYTHONPATH": str(repository), "OPENAI_LOG": "debug"}
    subprocess.run(
        [sys.executable, "-m", *command, str(path)],
        check=True, cwd=tmp_path, env=environment, capture_output=True,
    )  # fmt: skip
    told = path.read_text()
    assert told.count('"output_type": "error"') == 3
    assert "refuses the key" in told
    assert_clean(told, "notebook")
    brainkit.export_html(path, tmp_path / "notes.html")
    for one in files_of(tmp_path):
        assert KEY.encode() not in one.read_bytes(), one
