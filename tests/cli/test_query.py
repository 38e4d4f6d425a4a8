"""Query: what is printed on a terminal, in a pipe and as JSON, and every way to ask wrongly."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from brainkit.models import QueryRequest, QueryResponse

ASK = ("query", "how", "are", "sessions", "signed")
BRAINKIT = [sys.executable, "-c", "from brainkit.cli import main; main(prog_name='brainkit')"]


def test_a_result_has_rank_citation_scores_reason_and_excerpt(run: Any, reading: Path) -> None:
    result = run(*ASK, "--top-k", "1")
    assert result.exit_code == 0
    assert result.stderr == ""
    place, scores, why, *excerpt = result.stdout.splitlines()
    assert re.fullmatch(r" 1\. sample/shelf/[\w/.]+:\d+-\d+", place)
    assert re.fullmatch(r" {4}score 0\.\d{4} · vector 0\.\d{3} · bm25 \d+\.\d{3}", scores)
    assert "by meaning" in why
    assert "sign" in "".join(excerpt)
    assert re.fullmatch(r"1 of \d+ candidates by hybrid in [\d.,]+ ms", excerpt[-1])


def test_matched_terms_stand_out_on_a_terminal_only(run: Any, reading: Path) -> None:
    ask = ("query", "SessionSigner", "--mode", "bm25")
    terminal = {"FORCE_COLOR": "1", "COLUMNS": "100"}
    assert "\x1b[1;33mSessionSigner\x1b[0m" in run(*ask, env=terminal).stdout
    for plain in (run(*ask), run(*ask, env={**terminal, "NO_COLOR": "1"})):
        assert "\x1b" not in plain.stdout
        assert "SessionSigner" in plain.stdout


def test_sixty_columns_fold_long_names_and_lose_nothing(run: Any, reading: Path) -> None:
    environment = {"COLUMNS": "60"}
    for args in ((*ASK, "--explain"), ("info",), ("plan", "data/sample", "--all"), ("doctor",)):
        lines = run(*args, env=environment).stdout.splitlines()
        assert max(map(len, lines)) <= 60
    folded = run("info", env=environment).stdout
    assert str(reading) in re.sub(r"\s", "", folded)


def test_the_parts_shown_add_up_to_the_score(run: Any, reading: Path) -> None:
    text = run("query", "SessionSigner", "--mode", "bm25", "-k", "1", "--explain").stdout
    rows = re.findall(r"^ {4}(\w+) +([\d.]+)(?:  (.*))?$", text, flags=re.MULTILINE)
    *parts, (name, total, _) = [row for row in rows if row[0] != "score"]
    assert name == "sum"
    assert [part for part, _, _ in parts] == ["sessionsigner", "session", "signer", "sessionsign"]
    assert all("idf" in arithmetic for _, _, arithmetic in parts)
    assert sum(float(value) for _, value, _ in parts) == pytest.approx(float(total), abs=2e-4)


def test_json_is_the_response_and_with_its_trace_makes_it_again(run: Any, reading: Path) -> None:
    short = json.loads(run(*ASK, "--json").stdout)
    full = run(*ASK, "--json", "--trace").stdout
    response = QueryResponse.model_validate_json(full)
    assert "trace" not in short
    assert short["results"] == json.loads(full)["results"]
    assert response.request.query == "how are sessions signed"
    assert [result.rank for result in response.results] == [1, 2, 3, 4, 5]
    assert response.trace.candidates


def test_a_trace_needs_json(run: Any, reading: Path) -> None:
    result = run(*ASK, "--trace")
    assert result.exit_code == 2
    assert "add --json" in result.stderr


def test_every_option_is_a_field_of_the_request(run: Any, reading: Path) -> None:
    result = run(
        *("query", "signing", "--mode", "multi", "--top-k", "3", "--alpha", "0.25"),
        *("--depth", "20", "--rrf-k", "10", "--normalize", "minmax"),
        *("--weights", "vector=2, bm25=0.5", "--threshold", "0.1", "--type", "doc"),
        *("--type", "test", "--language", "python", "--language", "markdown"),
        *("--path", "**/*.py", "--path", "docs/", "--filter-stage", "post"),
        *("--collapse", "source", "--json"),
    )
    asked = QueryRequest(
        query="signing",
        mode="multi",
        top_k=3,
        alpha=0.25,
        depth=20,
        rrf_k=10,
        normalize="minmax",
        weights={"vector": 2, "bm25": 0.5},
        similarity_threshold=0.1,
        source_types=["doc", "test"],
        languages=["python", "markdown"],
        file_paths=["**/*.py", "docs/"],
        filter_stage="post",
        collapse="source",
    )
    assert json.loads(result.stdout)["request"] == asked.model_dump(mode="json")


def test_no_result_says_why_and_exits_with_1(run: Any, reading: Path) -> None:
    ask = ("query", "zzyzx", "--mode", "bm25")
    told, document = run(*ask), run(*ask, "--json")
    assert told.exit_code == document.exit_code == 1
    assert "note: bm25: no chunk holds any of: zzyzx." in told.stdout
    assert json.loads(document.stdout)["results"] == []


WRONG = [
    (("--mode", "hybird"), "did you mean 'hybrid'?"),
    (("--top-k", "51"), "from 1 to 50"),
    (("--top-k", "some"), "'some' is not a valid integer"),
    (("--alpha", "nan"), "alpha=nan"),
    (("--weights", "vector"), "'vector' is not NAME=NUMBER"),
    (("--weights", "vector=1,vector=2"), "'vector' is given twice"),
    (("--weights", "vektor=1"), "there is no field 'weights.vektor'; did you mean 'vector'?"),
    (("--type", "text"), "'text' is not one of doc, code, test"),
    (("--language", "pyhton"), "did you mean 'python'?"),
    (("--top-k", "5", "--depth", "2"), "depth=2 is less than top_k=5"),
    (("--brain", "none.brain"), "there is no brain at"),
    (("--brain", "data"), "not a brain"),
    (("--brain", "data/sample/handbook/hubs.md"), "is a file"),
    (("--modus", "x"), "--modus"),
]


@pytest.mark.parametrize(("args", "said"), WRONG)
def test_a_mistake_is_explained(args: tuple[str, ...], said: str, run: Any, reading: Path) -> None:
    told = run("query", "q", *args)
    assert told.exit_code == 2
    assert told.stdout == ""
    assert said in told.stderr
    document = run("query", "q", *args, "--json")
    assert document.exit_code == 2
    assert document.stderr == ""
    assert said in json.loads(document.stdout)["error"]["message"]


@pytest.mark.parametrize("args", [("--nope", "--json"), ("nope", "--json"), ("query", "--json")])
def test_a_command_line_that_cannot_be_parsed_is_a_document_too(
    args: tuple[str, ...], run: Any
) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert set(json.loads(result.stdout)["error"]) == {"type", "message"}


def test_no_brain_here_says_how_to_make_one_and_makes_none(run: Any, bare: Path) -> None:
    for command in (("query", "q"), ("info",), ("check",), ("remove", "x")):
        result = run(*command)
        assert result.exit_code == 2
        assert "--brain PATH" in result.stderr
        assert "brainkit ingest FOLDER" in result.stderr
    assert [path.name for path in bare.iterdir()] == ["data"]


@pytest.mark.parametrize("mode", ["bm25", "hybrid"])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_arguments_that_are_not_utf8_never_break_printing(
    mode: str, encoding: str, run: Any, reading: Path
) -> None:
    environment = {"PYTHONIOENCODING": encoding}
    odd = "\udce9\udcff"
    for args, code in [
        (("query", f"sessions {odd}", "--mode", mode), 0),
        (("query", "q", "--mode", odd), 2),
        (("query", "q", "--path", odd, "--mode", mode), 1),
        (("query", "q", "--language", odd, "--json"), 2),
        (("query", "q", "--brain", odd), 2),
        (("remove", odd, "--yes"), 2),
        ((odd,), 2),
    ]:
        result = run(*args, env=environment)
        assert result.exit_code == code, result.output


def test_a_reader_that_leaves_early_ends_the_command_quietly(reading: Path) -> None:
    command = [*BRAINKIT, "query", "session", "--mode", "bm25"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_output_that_cannot_be_written_is_a_message(
    options: tuple[str, ...], reading: Path
) -> None:
    command = [*BRAINKIT, "query", "session", "--mode", "bm25", *options]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "No space left on device" in done.stderr


def test_text_with_terminal_commands_is_shown_and_not_obeyed(run: Any, bare: Path) -> None:
    hostile = "A session\x0c is \x1b]0;owned\x07 \x1b[31m and signed\x9b here."
    (bare / "evil").mkdir()
    (bare / "evil" / "a.txt").write_text(hostile, encoding="utf-8")
    run("ingest", "evil")
    colour = {"FORCE_COLOR": "1", "COLUMNS": "100"}
    shown = run("query", "session signed", "--mode", "bm25", env=colour).stdout
    assert "\x1b[1;33msigned\x1b[0m" in shown
    own = re.sub(r"\x1b\[[\d;]*m", "", shown)
    assert "␛]0;owned␇ ␛[31m and signed� here." in own
    assert "\x1b" not in own


def test_reranking_shows_the_score_and_the_move(run: Any, reading: Path) -> None:
    ask = ("query", "how long is a session good for", "--rerank", "--rerank-depth", "3")
    result = run(*ask, "--top-k", "4", "--json")
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    scores = [one["rerank_score"] for one in answer["results"]]
    assert scores[:3] == sorted(scores[:3], reverse=True)
    assert scores[3] is None
    moves = [one["explanation"]["move"] for one in answer["results"]]
    assert sorted(move["before"] for move in moves[:3]) == [1, 2, 3]
    assert [move["after"] for move in moves[:3]] == [1, 2, 3]
    assert "Not read by the reranker." in run(*ask).stdout


def test_the_reranker_is_named_in_the_environment(run: Any, reading: Path) -> None:
    address = {"BRAINKIT_RERANKER": "http://127.0.0.1:9/rerank"}
    result = run("query", "session", "--rerank", env=address)
    assert result.exit_code == 0
    assert "rerank: 127.0.0.1:9" in result.stdout
    assert "the results are in fused order" in " ".join(result.stdout.split())
    wrong = run("query", "session", "--rerank", env={"BRAINKIT_RERANKER": "locl"})
    assert wrong.exit_code != 0
    assert "did you mean 'local'" in wrong.stderr
