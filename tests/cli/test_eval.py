"""``brainkit eval`` and ``brainkit defaults``, as a shell calls them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import brainkit
from brainkit.cli import eval as eval_module
from brainkit.cli.settings import configs_of, settings_of
from brainkit.errors import InvalidSetting
from brainkit.evaluation import datasets, experiment, sweep
from brainkit.models import QueryRequest

Run = Callable[..., Result]
ROWS = [
    ("how are sessions signed", "sample/shelf/docs/sessions.md", 2, "how"),
    ("signing", "sample/shelf/tests/test_signing.py", 1, "what"),
    ("retry a request", "sample/shelf/src/shelf/retry.py", 1, "how"),
    ("what is a hub", "sample/handbook/hubs.md", 1, "what"),
]
BRAIN = ("--brain", "sample.brain")


@pytest.fixture
def table(reading: Path, tmp_path: Path) -> str:
    """A table of judged questions about the small corpus."""
    lines = [",".join(map(str, row)) for row in [("query", "source", "grade", "type"), *ROWS]]
    (tmp_path / "mine.csv").write_text("\n".join(lines))
    return str(tmp_path / "mine.csv")


@pytest.fixture
def collection(tmp_path: Path) -> str:
    """A collection that brings its own documents, with two splits."""
    folder = tmp_path / "tiny"
    (folder / "qrels").mkdir(parents=True)
    words = ("owl", "cat", "dog", "fox", "hen", "ant")
    documents = [{"_id": f"d{n}", "text": f"The {word} sleeps."} for n, word in enumerate(words)]
    queries = [{"_id": f"q{n}", "text": f"where is the {word}"} for n, word in enumerate(words)]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(one) + "\n" for one in documents))
    (folder / "queries.jsonl").write_text("".join(json.dumps(one) + "\n" for one in queries))
    for split, numbers in (("train", range(3)), ("test", range(3, 6))):
        lines = ["query-id\tcorpus-id\tscore", *(f"q{n}\td{n}\t1" for n in numbers)]
        (folder / "qrels" / f"{split}.tsv").write_text("\n".join(lines))
    return str(folder)


def test_a_table_of_configurations(run: Run, table: str) -> None:
    result = run("eval", table, *BRAIN, "-c", "bm25", "-c", "both:mode=hybrid,alpha=.3")
    assert result.exit_code == 0, result.output
    first, *rest = result.stdout.splitlines()
    assert first == "mine: 4 queries, rankings of sources, differences from 'bm25'"
    assert [line.split()[0] for line in rest[1:3]] == ["bm25", "both"]
    assert "against bm25" in result.stdout
    assert "p50 ms" in result.stdout


def test_the_document_has_what_python_has(run: Run, table: str, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    asked = ("eval", table, *BRAIN, "-c", "bm25", "-c", "vector", "--measures", "R@5,nDCG(exp)@3")
    result = run(*asked, "--baseline", "vector", "--out", str(out), "--json")
    document = json.loads(result.stdout)
    assert json.loads(out.read_text()) == document
    with brainkit.open("sample.brain") as brain:
        found = brainkit.evaluate(
            brain,
            brainkit.load_dataset(table),
            {"bm25": {"mode": "bm25"}, "vector": {"mode": "vector"}},
            measures=["R@5", "nDCG(exp)@3"],
            baseline="vector",
            progress=False,
        )
    evaluation = document["evaluation"]
    for name in ("bm25", "vector"):
        own = evaluation["configs"][name]
        assert own["means"] == {str(m): found.mean(name, m) for m in found.measures}
        assert own["per_query"]["R@5"] == found.values(name, "R@5").tolist()
    assert [one["config"] for one in evaluation["comparisons"]] == ["bm25"]


def test_without_configurations_every_mode_and_the_brains_own_defaults(
    run: Run, filled: Path, table: str
) -> None:
    names = ["bm25", "vector", "hybrid", "graph", "multi"]
    document = json.loads(run("eval", table, *BRAIN, "--json").stdout)
    assert list(document["evaluation"]["configs"]) == names
    assert run("defaults", "alpha=.9", *BRAIN).exit_code == 0
    document = json.loads(run("eval", table, *BRAIN, "--json").stdout)
    assert list(document["evaluation"]["configs"]) == [*names, "defaults"]
    assert document["evaluation"]["configs"]["hybrid"]["alpha"] == 0.5
    assert document["evaluation"]["configs"]["defaults"]["alpha"] == 0.9


def test_a_narrow_terminal_has_tables_that_fit(run: Run, table: str) -> None:
    result = run("eval", table, *BRAIN, "-c", "bm25", "-c", "vector", env={"COLUMNS": "44"})
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 44
    for head in ("nDCG@10", "R@5", "RR@10", "AP@100", "won/tied/lost", "p (Holm)", "p95 ms"):
        assert head in result.stdout


def test_means_by_a_field_of_the_queries(run: Run, table: str) -> None:
    result = run("eval", table, *BRAIN, "-c", "bm25", "--by", "type")
    kinds = [
        line.split()[:2] for line in result.stdout.splitlines() if line[:4] in ("how ", "what")
    ]
    assert kinds == [["how", "2"], ["what", "2"]]
    wrong = run("eval", table, *BRAIN, "-c", "bm25", "--by", "kind")
    assert wrong.exit_code == 2
    assert "have the fields type" in wrong.stderr


def test_a_sweep_with_folds_and_its_choice_stored(run: Run, filled: Path, table: str) -> None:
    result = run("eval", table, *BRAIN, "--sweep", "alpha", "--folds", "2", "--use")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("alpha on mine, 4 queries, in mode hybrid: nDCG@10 is ")
    assert "too few queries to tell (at least 20)" in result.stdout
    assert "sample.brain has defaults of its own: alpha=" in result.stderr
    shown = json.loads(run("defaults", *BRAIN, "--json").stdout)
    assert shown["own"].keys() == {"alpha"}
    assert shown["from"].startswith("a sweep of alpha on mine, 4 queries")
    assert run("defaults", "alpha=.9", *BRAIN).exit_code == 0
    assert "this brain's own defaults: alpha=0.9." in run("query", "signing", *BRAIN).stdout
    reset = run("defaults", "--reset", *BRAIN)
    assert reset.stdout.startswith("sample.brain has the built-in defaults")
    assert "own defaults" not in run("query", "signing", *BRAIN).stdout


def test_a_grid_of_two_settings(run: Run, table: str) -> None:
    result = run("eval", table, *BRAIN, "--sweep", "k1 x b", "--folds", "2", "--json")
    (found,) = json.loads(result.stdout)["sweeps"]
    assert found["setting"] == "bm25_k1 x bm25_b"
    assert len(found["curve"]) == 30
    assert found["held_out"]["split"] == "2 folds"
    text = run("eval", table, *BRAIN, "--sweep", "k1 x b", "--folds", "2").stdout
    assert "The best of 30; --json has all." in text


def test_a_collection_is_taken_in_and_tuned_on_another_split(
    run: Run, bare: Path, collection: str
) -> None:
    missing = run("eval", collection, "--brain", "new.brain")
    assert missing.exit_code == 2
    assert "add --ingest: it makes the brain of the documents of tiny" in missing.stderr
    assert not Path("new.brain").exists()
    asked = ("eval", collection, "--brain", "new.brain", "--split", "train")
    result = run(*asked, "--ingest", "--sweep", "alpha", "--hold-out", "test", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["sweeps"][0]["dataset"] == "tiny/train"
    assert document["sweeps"][0]["held_out"]["split"] == "tiny"
    evaluation = document["evaluation"]
    assert evaluation["dataset"] == "tiny"
    assert evaluation["configs"]["tuned alpha"]["alpha"] == document["sweeps"][0]["best"]
    again = run("eval", collection, "--brain", "new.brain", "-c", "bm25", "--json")
    assert json.loads(again.stdout)["evaluation"]["configs"]["bm25"]["means"]["nDCG@10"] == 1.0


def test_what_the_brain_does_not_hold_is_told(run: Run, reading: Path, collection: str) -> None:
    result = run("eval", collection, *BRAIN, "-c", "bm25")
    assert result.exit_code == 2
    assert "none of the 3 relevant sources of tiny is in this brain" in result.stderr
    assert "--ingest" in result.stderr


def test_a_dataset_without_documents_cannot_be_taken_in(run: Run, filled: Path, table: str) -> None:
    result = run("eval", table, *BRAIN, "--ingest", "-c", "bm25")
    assert result.exit_code == 2
    assert "mine brings no documents" in result.stderr


def test_a_report_holds_the_sweep_and_the_table(run: Run, table: str, tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    asked = (
        "eval",
        table,
        *BRAIN,
        "-c",
        "bm25",
        "-c",
        "vector",
        "--sweep",
        "alpha",
        "--folds",
        "0",
    )
    result = run(*asked, "--html", str(target))
    assert result.exit_code == 0, result.output
    page = target.read_text("utf-8")
    assert f"Report: {target}" in result.stderr
    assert "Evaluation on mine" in page
    assert "what that gains is not known" in page
    assert "retry a request" in page


def test_an_interrupt_shows_what_is_done(
    run: Run, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, left = experiment.fetch, [5]

    def fetch(*given: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return real(*given, **more)

    monkeypatch.setattr(experiment, "fetch", fetch)
    monkeypatch.setattr(sweep, "fetch", fetch)
    asked = ("eval", table, *BRAIN, "-c", "bm25", "-c", "b:mode=bm25,file_paths=**", "--json")
    result = run(*asked)
    assert result.exit_code == 130
    document = json.loads(result.stdout)
    assert document["interrupted"]
    values = document["evaluation"]["configs"]["bm25"]["per_query"]["nDCG@10"]
    assert [one is None for one in values] == [False, False, False, True]
    left[0] = 3
    swept = run("eval", table, *BRAIN, "--sweep", "alpha", "-c", "bm25")
    assert swept.exit_code == 130
    assert "Interrupted: 3 of 4 queries were measured." in swept.stdout
    assert "What is shown is of the queries that were run." in swept.stderr


def test_a_configuration_that_cannot_run_is_told_by_the_exit_code(run: Run, table: str) -> None:
    result = run("eval", table, *BRAIN, "-c", "bm25", "-c", "odd:mode=bm25,languages=klingon")
    assert result.exit_code == 1
    assert "note: odd was not run: " in result.stdout
    assert "klingon" in result.stdout


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("-c", "bn25"), "did you mean 'bm25'"),
        (("-c", "a:mode=hybird"), "did you mean 'hybrid'"),
        (("-c", "a:alhpa=.3"), "did you mean 'alpha'"),
        (("-c", "a:alpha"), "'alpha' is neither NAME=VALUE nor a mode"),
        (("-c", "a:alpha=.3,mode"), "'mode' is not NAME=VALUE"),
        (("-c", "bm25", "-c", "bm25"), "two configurations are called 'bm25'"),
        (("-c", "none.toml"), "none.toml cannot be read"),
        (("--baseline", "bn25"), "did you mean 'bm25'"),
        (("--measures", "nDGC@10"), "did you mean 'ndcg'"),
        (("--measures", ","), "measures is empty"),
        (("--unit", "page"), "not one of source, chunk"),
        (("--sweep", "alhpa"), "did you mean 'alpha'"),
        (("--sweep", "alpha", "--base", "mode=bm25"), "plays no part in mode='bm25'"),
        (("--sweep", "alpha", "--folds", "1"), "2 to 4 folds"),
        (("--use",), "add --sweep"),
        (("--hold-out", "train"), "add --sweep"),
        (("--base", "bm25"), "add --sweep"),
        (("--embedder", "static"), "add --ingest"),
    ],
)
def test_mistakes_are_told_in_a_sentence(
    run: Run, table: str, options: tuple[str, ...], told: str
) -> None:
    result = run("eval", table, *BRAIN, *options)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.output


def test_configurations_come_from_files_too(tmp_path: Path) -> None:
    wanted = {"keywords": {"mode": "bm25"}, "both": {"mode": "hybrid", "weights": {"graph": 0}}}
    (tmp_path / "a.json").write_text(json.dumps(wanted))
    (tmp_path / "b.json").write_text(json.dumps({"configs": wanted}))
    (tmp_path / "a.toml").write_text(
        '[keywords]\nmode = "bm25"\n[both]\nmode = "hybrid"\nweights = {graph = 0}\n'
    )
    for name in ("a.json", "b.json", "a.toml"):
        assert configs_of([str(tmp_path / name)]) == wanted
    for text in ("{", "[]", "{}", '{"a": 1}'):
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(InvalidSetting, match=r"bad\.json (cannot be read|holds no config)"):
            configs_of([str(tmp_path / "bad.json")])


def test_settings_are_read_as_people_write_them() -> None:
    read = settings_of("mode=multi, rrf_k=20, weights.graph=.5, rerank=true, languages=python+go")
    assert read == {
        "mode": "multi", "rrf_k": 20, "weights": {"graph": 0.5}, "rerank": True,
        "languages": ["python", "go"],
    }  # fmt: skip
    assert QueryRequest(query="-", **read).weights.graph == 0.5
    assert configs_of(["mode=hybrid,alpha=.3"]) == {
        "hybrid alpha=0.3": settings_of("alpha=.3") | {"mode": "hybrid"}
    }
    with pytest.raises(InvalidSetting, match="'alpha' is given twice"):
        settings_of("alpha=1,alpha=0")


def test_names_that_help_does_not_load_are_those_of_the_library() -> None:
    assert eval_module.SAMPLE == datasets.SAMPLE
    assert tuple(eval_module._MEASURES.split(",")) == experiment.MEASURES


def test_defaults_are_shown_set_and_checked(run: Run, filled: Path) -> None:
    shown = run("defaults", *BRAIN)
    assert "built-in defaults" in shown.stdout
    assert run("defaults", "mode=bm25", "top_k=3", *BRAIN).exit_code == 0
    assert json.loads(run("defaults", *BRAIN, "--json").stdout)["own"] == {
        "mode": "bm25",
        "top_k": 3,
    }
    wrong = run("defaults", "alpha=7", *BRAIN)
    assert wrong.exit_code == 2
    assert "allowed is a number from 0 to 1" in wrong.stderr
    assert run("defaults", "alpha=1", "--reset", *BRAIN).exit_code == 2
    Path("sample.brain", "defaults.json").write_text("{")
    damaged = run("query", "signing", *BRAIN)
    assert damaged.exit_code == 0
    assert "defaults.json cannot be used" in damaged.stdout
    assert run("check", *BRAIN).exit_code == 1
    assert "cannot be used" in run("defaults", *BRAIN).stdout
    assert run("defaults", "--reset", *BRAIN).exit_code == 0
    assert run("check", *BRAIN).exit_code == 0
