"""Nothing asks the network unless the user asked for it: the whole offline path, without one."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

OFFLINE = """
import hashlib, json, re, sys
from pathlib import Path

asked = []

def deny(event, details):
    # Whatever Python opens comes by here, before the system is asked.
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        if details and getattr(details[0], "family", None) == 1:  # to a process of this machine
            return
        asked.append((event, repr(details)[:200]))
        raise OSError(f"this test has no network: {event} {details!r:.200}")

sys.addaudithook(deny)

import numpy as np
import brainkit

def words(texts):
    out = np.zeros((len(texts), 32), np.float32)
    for row, text in enumerate(texts):
        for word in re.findall(r"\\\\w+", text.casefold()):
            out[row] += np.frombuffer(hashlib.sha256(word.encode()).digest(), np.uint8) - 127.5
    return out

here, sample = Path(sys.argv[1]), Path(sys.argv[2])
modes = ("vector", "bm25", "hybrid", "graph", "multi")
found = {}
with brainkit.open(here / "local.brain", reranker="local") as brain:  # the default embedder
    brain.plan(sample / "shelf" / "docs")
    brain.ingest(sample / "shelf" / "docs", progress=False)
    for mode in modes:
        answer = brain.query("how are sessions signed", mode=mode, rerank=mode == "hybrid")
        found[mode] = len(answer.results)
        answer._repr_html_(), answer.explain(1), answer.to_frame()
    answer.save_html(here / "answer.html")
    brain.export(here / "x.zip")
    brain.check(), brain.info(), brain.map("sessions")
    brain.compare("sessions", a={"mode": "bm25"}, b={"mode": "vector"})
    brain.sql("select count(*) from chunks")
brainkit.import_brain(here / "x.zip", here / "again.brain").close()
with brainkit.open(here / "words.brain", embedder=words) as brain:
    brain.ingest(sample, progress=False)
    table = brainkit.evaluate(
        brain, brainkit.load_dataset("sample"), {name: {"mode": name} for name in ("bm25", "multi")}
    )
    table._repr_html_()
    explorer = brain.explore("sessions")
    explorer.close()
notebook = {"cells": [{"cell_type": "markdown", "metadata": {}, "source":
    "![far](https://example.org/a.png) $x^2$"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
(here / "a.ipynb").write_text(json.dumps(notebook))
brainkit.export_html(here / "a.ipynb", here / "a.html")
from brainkit.doctor import examine
examine(here)

import duckdb
with brainkit.open(here / "local.brain") as brain:
    for statement in ("install httpfs", "load httpfs", "select * from 'https://example.org/a.csv'",
                      "select * from read_csv('/etc/passwd')", "attach '/tmp/other.duckdb'",
                      "copy chunks to '/tmp/out.csv'"):
        try:
            brain.sql(statement)
        except brainkit.BrainkitError:
            continue
        except duckdb.Error as error:
            raise SystemExit(f"{statement}: {error!r}")
        raise SystemExit(f"{statement} was done")
try:
    import urllib.request
    urllib.request.urlopen("https://example.org")
except OSError:
    pass
print(json.dumps({"found": found, "asked": asked}))
"""


def without_network() -> list[str]:
    """The command that takes the network away from another, where the system lets one do so."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return []
    command = [unshare, "--user", "--map-root-user", "--net"]
    tried = subprocess.run([*command, "true"], capture_output=True, check=False)
    return command if tried.returncode == 0 else []


@pytest.mark.timeout(300)
def test_the_whole_offline_path_asks_no_network(tmp_path: Path, repository: Path) -> None:
    script = tmp_path / "offline.py"
    script.write_text(OFFLINE.replace("\\\\\\\\", "\\\\"), "utf-8")
    done = subprocess.run(
        [*without_network(), sys.executable, script, tmp_path, repository / "data" / "sample"],
        capture_output=True, text=True, check=False, cwd=repository,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert all(told["found"].values()), told
    events = {event for event, _ in told["asked"]}
    assert events == {"socket.getaddrinfo"}, "the hook sees what asks: the last line of the script"
    assert len(told["asked"]) == 1, told["asked"]
