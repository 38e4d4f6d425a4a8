"""The sample corpus is true: its links, its names, its numbers, its judgements and its code."""

from __future__ import annotations

import ast
import base64
import hashlib
import hmac
import json
import math
import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from brainkit.models import QueryRequest
from brainkit.settings import BM25_B, BM25_K1, RRF_K, Settings

DATA = Path(__file__).parents[2] / "data"
SAMPLE = DATA / "sample"
HANDBOOK = SAMPLE / "handbook"
SHELF = SAMPLE / "shelf"
QUESTIONS = DATA / "sample-questions"
ARTICLES = sorted(HANDBOOK.glob("*.md"))
PAGES = sorted([*SAMPLE.rglob("*.md"), *QUESTIONS.rglob("*.md")])

FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
SYMBOL = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")

# Names that the articles use as examples of names, or that belong to other libraries.
FOREIGN = {
    *("getUserName", "HTTPServer2", "HTTP", "HTTPS", "Server", "RetryPolicies"),
    *("CamelCase", "snake_case", "SCREAMING_SNAKE", "node_modules", "ef_search"),
}


def name_of(path: Path) -> str:
    return path.relative_to(DATA).as_posix()


def prose(path: Path) -> str:
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def article(name: str) -> str:
    """Text of an article on one line, so that wrapping does not hide a number."""
    return " ".join((HANDBOOK / f"{name}.md").read_text(encoding="utf-8").split())


def tables(name: str) -> list[list[list[str]]]:
    """Tables of an article: a list of rows, each a list of cells; the header comes first."""
    text = (HANDBOOK / f"{name}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"(?:^\|.*\n?)+", text, flags=re.MULTILINE)
    return [
        [
            [cell.strip() for cell in line.strip("|").split(" | ")]
            for line in block.splitlines()
            if not set(line) <= set("|- ")
        ]
        for block in blocks
    ]


def table(name: str, *header: str) -> list[list[str]]:
    """Rows of the one table whose header starts with these cells."""
    found = [rows for rows in tables(name) if rows[0][: len(header)] == list(header)]
    assert len(found) == 1, (name, header, [rows[0] for rows in tables(name)])
    return found[0][1:]


@cache
def shelf_names() -> tuple[set[str], dict[str, set[str]]]:
    """Every name that the package or its tests define, and the members of each class."""
    names: set[str] = set()
    members: dict[str, set[str]] = {}
    for path in SHELF.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                names.add(node.name)
                inside = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
                fields = [part.target for part in node.body if isinstance(part, ast.AnnAssign)]
                attributes = {
                    part.attr
                    for part in ast.walk(node)
                    if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
                }
                members[node.name] = (
                    inside
                    | attributes
                    | {field.id for field in fields if isinstance(field, ast.Name)}
                )
            elif isinstance(node, ast.FunctionDef):
                names |= {node.name, *(arg.arg for arg in node.args.args + node.args.kwonlyargs)}
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
    return names, members


def bm25(chunks: dict[str, list[str]], query: list[str], k1: float, b: float) -> dict[str, float]:
    average = sum(map(len, chunks.values())) / len(chunks)
    scores = dict.fromkeys(chunks, 0.0)
    for term in query:
        n = sum(term in terms for terms in chunks.values())
        idf = math.log(1 + (len(chunks) - n + 0.5) / (n + 0.5))
        for key, terms in chunks.items():
            f = terms.count(term)
            scores[key] += idf * f * (k1 + 1) / (f + k1 * (1 - b + b * len(terms) / average))
    return scores


@pytest.fixture(scope="module")
def chunks() -> dict[str, list[str]]:
    """The four chunks as they stand in the article."""
    rows = table("bm25", "chunk", "text", "length")
    cut = {key: re.findall(r"\w+", text.lower()) for key, text, _ in rows}
    assert [len(terms) for terms in cut.values()] == [int(length) for _, _, length in rows]
    return cut


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_relative_links_resolve(page: Path) -> None:
    for target in LINK.findall(prose(page)):
        assert (page.parent / target).is_file(), f"{name_of(page)} points to {target}"


def test_the_contents_list_names_every_article_once() -> None:
    listed = Counter(re.findall(r"\(([\w-]+\.md)\)", prose(HANDBOOK / "README.md")))
    assert listed == Counter(path.name for path in ARTICLES if path.name != "README.md")


@pytest.mark.parametrize("page", ARTICLES, ids=name_of)
def test_articles_are_short_and_open_with_a_claim(page: Path) -> None:
    title, claim, *_ = page.read_text(encoding="utf-8").split("\n\n")
    assert title.startswith("# ")
    assert claim[0].isalnum()
    assert claim.endswith(".")
    assert len(prose(page).split()) <= 900


@pytest.mark.parametrize("page", [page for page in PAGES if "shelf-" not in str(page)], ids=name_of)
def test_code_spans_name_things_that_exist(page: Path) -> None:
    names, members = shelf_names()
    known = (
        names | FOREIGN | QueryRequest.model_fields.keys() | Settings.__dataclass_fields__.keys()
    )
    known |= {f"SHELF_{field.upper()}" for field in members["ClientConfig"]}
    for span in SPAN.findall(prose(page)):
        if not SYMBOL.fullmatch(span) or span.endswith((".py", ".md", ".jsonl")):
            continue
        owner, _, member = span.partition(".")
        if owner in members and member:
            assert member in members[owner], f"{owner} has no {member}"
        elif owner == "shelf":
            assert (SHELF / "src/shelf" / f"{member}.py").is_file(), span
        elif "_" in span or span != span.lower():
            assert span in known, f"{span} is not a name of shelf or brainkit"


def test_bm25_scores(chunks: dict[str, list[str]]) -> None:
    assert (BM25_K1, BM25_B) == (1.5, 0.75)
    scores = bm25(chunks, ["session", "key"], 1.5, 0.75)
    rows = table("bm25", "chunk", "session", "key")
    assert {row[0]: float(row[3]) for row in rows} == {
        key: round(score, 4) for key, score in scores.items() if score
    }
    text = article("bm25")
    for b in (0.0, 1.0):
        moved = bm25(chunks, ["session", "key"], 1.5, b)
        assert ", ".join(f"{moved[key]:.4f}" for key in ("c1", "c2", "c4")) in text
    the = bm25(chunks, ["the"], 1.5, 0.75)["c3"]
    assert f"c3 enters the list with {the:.4f}" in text


def test_bm25_saturation() -> None:
    header, worths = next(rows for rows in tables("bm25") if rows[0][0] == "f" and len(rows[0]) > 2)
    for f, worth in zip(header[1:], worths[1:], strict=True):
        assert worth == f"{int(f) * 2.5 / (int(f) + 1.5):.4f}"


def test_removing_a_chunk_changes_the_others(chunks: dict[str, list[str]]) -> None:
    rest = {key: terms for key, terms in chunks.items() if key != "c3"}
    *_, idf, score = table("incremental-indexing", "", "with c3")
    assert idf[1:] == ["ln 2 = 0.6931", f"ln 1.6 = {math.log(1 + 1.5 / 2.5):.4f}"]
    query = ["session", "key"]
    assert score[1:] == [f"{bm25(c, query, 1.5, 0.75)['c1']:.4f}" for c in (chunks, rest)]


def test_cosine_rows() -> None:
    a = (3, 4, 0)
    for cell, dot, length, similarity, distance in table("cosine-similarity", "b", "a . b"):
        b = [int(number) for number in re.findall(r"-?\d+", cell)]
        product = sum(x * y for x, y in zip(a, b, strict=True))
        assert (float(dot), float(length)) == (product, math.hypot(*b))
        assert float(similarity) == product / (math.hypot(*a) * math.hypot(*b))
        assert float(distance) == pytest.approx(1 - float(similarity))
    assert f"1 / sqrt(384) = {1 / math.sqrt(384):.3f}" in article("cosine-similarity")


def test_alpha_blend_and_crossings() -> None:
    rows = table("alpha-blending", "chunk", "similarity", "BM25")
    raw = {key: (float(s), float(b)) for key, s, b, *_ in rows}
    top_v, top_b = (max(side) for side in zip(*raw.values(), strict=True))
    v = {key: s / top_v for key, (s, _) in raw.items()}
    b = {key: s / top_b for key, (_, s) in raw.items()}
    assert [row[3:] for row in rows] == [[f"{v[key]:.3f}", f"{b[key]:.3f}"] for key in raw]
    for alpha, *scores, best in table("alpha-blending", "alpha", "A"):
        blend = {key: float(alpha) * v[key] + (1 - float(alpha)) * b[key] for key in raw}
        for shown, key in zip(scores, raw, strict=True):
            assert float(shown) == pytest.approx(blend[key], abs=6e-5)
        assert best == max(blend, key=lambda key: blend[key])
    for pair, arithmetic in table("alpha-blending", "pair"):
        i, j = pair.split(" and ")
        crossing = (b[j] - b[i]) / ((v[i] - v[j]) + (b[j] - b[i]))
        assert arithmetic.endswith(f"= {crossing:.4f}")


@pytest.mark.parametrize("outsider", [False, True])
def test_max_and_minmax(outsider: bool) -> None:
    raw = {
        row[0]: (float(row[1]), float(row[2]))
        for row in table("normalisation", "chunk", "similarity")
    }
    assert raw == {"A": (0.8, 2), "B": (0.6, 8), "C": (0.72, 5)}
    if outsider:
        raw["D"] = (0.2, 0.0)
    ends = [(min(side), max(side)) for side in zip(*raw.values(), strict=True)]
    by_max, by_range = {}, {}
    for key, pair in raw.items():
        both = list(zip(pair, ends, strict=True))
        by_max[key] = sum(score / top for score, (_, top) in both) / 2
        by_range[key] = sum((score - low) / (top - low) for score, (low, top) in both) / 2
    rows = table("normalisation", "chunk", "max blend" if outsider else "v max")
    shown = {row[0]: (row[1], row[2]) if outsider else (row[3], row[6]) for row in rows}
    assert shown == {key: (f"{by_max[key]:.4f}", f"{by_range[key]:.4f}") for key in raw}
    assert max(by_range, key=lambda key: by_range[key]) == ("B" if outsider else "C")


def test_rrf_example_and_its_two_facts() -> None:
    lists = list(zip(*(row[1:] for row in table("reciprocal-rank-fusion", "rank")), strict=True))
    for chunk, contributions, score in table("reciprocal-rank-fusion", "chunk"):
        ranks = [column.index(chunk) + 1 for column in lists if chunk in column]
        assert contributions == " + ".join(f"1/{RRF_K + rank}" for rank in ranks)
        assert score == f"{sum(1 / (RRF_K + rank) for rank in ranks):.6f}"
    text = article("reciprocal-rank-fusion")
    assert f"1/61 + 1/63 = {1 / 61 + 1 / 63:.6f}" in text
    assert f"1/62 + 1/62 = {1 / 62 + 1 / 62:.6f}" in text
    assert all((2 / (60 + n) > 1 / 61) == (n < 62) for n in range(1, 100) if n != 62)
    assert f"2/121 = {2 / 121:.6f} against 1/61 = {1 / 61:.6f}" in text


def test_ndcg_and_the_measures_beside_it() -> None:
    grades = [
        int(row[1]) for row in table("evaluation", "rank", "grade", "discount log2(rank + 1)")
    ]
    ideal = [int(row[1]) for row in table("evaluation", "rank", "grade", "gain / discount")]
    assert (grades, ideal) == ([3, 0, 2, 1], [3, 2, 2, 1])

    def dcg(gains: list[int]) -> float:
        return sum(gain / math.log2(place + 1) for place, gain in enumerate(gains, start=1))

    text = article("evaluation")
    assert f"DCG@4 = {dcg(grades):.4f}" in text
    assert f"ideal sum is {dcg(ideal):.4f}" in text
    assert f"= {dcg(grades) / dcg(ideal):.4f}" in text
    steep, steepest = ([2**grade - 1 for grade in order] for order in (grades, ideal))
    assert f"DCG@4 = {dcg(steep):.4f}, an ideal of {dcg(steepest):.4f}" in text
    assert f"nDCG@4 = {dcg(steep) / dcg(steepest):.4f}" in text
    assert f"= {(1 / 1 + 2 / 3 + 3 / 4) / 4:.4f}" in text


def test_graph_scores_by_hops() -> None:
    hop = {"ShelfClient": 0, "retry_with_backoff": 1, "HttpTransport": 1, "backoff_delays": 2}
    whole = sum(0.5**hops for hops in hop.values())
    for mentioned, total, score in table("entity-graphs", "chunk mentions"):
        found = sum(0.5 ** hop[name] for name in SPAN.findall(mentioned))
        assert (total, score) == (f"{found:.2f}", f"{found / whole:.4f}")


def test_single_figures() -> None:
    starved = math.comb(950, 10) / math.comb(1000, 10)
    assert f"= {starved:.3f}" in article("filters-and-starvation")
    assert f"3 / 7 = {3 / 7:.4f}" in article("deduplication")
    assert f"sqrt(50) = {0.3 / math.sqrt(50):.3f}" in article("noise-and-significance")
    assert f"1 - 0.95^20 = {1 - 0.95**20:.2f}" in article("noise-and-significance")
    eight_of_nine = 2 * (math.comb(9, 8) + math.comb(9, 9)) / 2**9
    assert ["8 and 1", f"{eight_of_nine:.4f}"] in table("noise-and-significance", "wins and losses")
    assert f"1 - 0.95^3 = {1 - 0.95**3:.3f}" in article("latency")
    chance = 0.6 * 0.5 + 0.4 * 0.5
    assert f"= {(0.70 - chance) / (1 - chance):.2f}" in article("judging-relevance")
    assert f"0.60 / 127 = {0.60 / 127:.6f}" in article("quantisation")
    bytes_ = table("quantisation", "stored as")
    assert [row[2] for row in bytes_] == [
        f"{int(row[1].replace(',', '')) / 10:.1f} MB" for row in bytes_
    ]


def test_latency_percentiles() -> None:
    text = (HANDBOOK / "latency.md").read_text(encoding="utf-8")
    (times,) = [sorted(map(int, line.split())) for line in re.findall(r"^9 [\d ]+$", text, re.M)]
    rows = {row[0]: row[1] for row in table("latency", "statistic")}
    assert float(rows["mean"]) == sum(times) / len(times)
    assert int(rows["p50, the 10th of 20"]) == times[9]
    assert int(rows["p95, the 19th of 20"]) == times[18]


def test_worst_case_of_the_client() -> None:
    config = (SHELF / "src/shelf/config.py").read_text(encoding="utf-8")
    retries = int(*re.findall(r"^MAX_RETRIES = (\d+)", config, re.M))
    timeout = float(*re.findall(r"^DEFAULT_TIMEOUT_SECONDS = ([\d.]+)", config, re.M))
    waits = sum(2**attempt for attempt in range(retries))
    assert (retries + 1) * timeout + waits == 65
    assert "65 seconds" in article("latency")
    assert "sixty-five seconds" in (SHELF / "docs/settings.md").read_text(encoding="utf-8")


def test_the_three_languages_agree() -> None:
    digest = hmac.new(b"0123456789abcdef", b"ada.1060", hashlib.sha256).digest()
    token = "ada.1060." + base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    for spec in ("shelf-ts/test/sessionSigner.spec.ts", "shelf-go/signer_test.go"):
        assert token in (SAMPLE / spec).read_text(encoding="utf-8")
    lists = [
        re.findall(r'"(a an and [^"]+)"', (SAMPLE / path).read_text(encoding="utf-8"))
        for path in ("shelf/src/shelf/tokens.py", "shelf-ts/src/tokens.ts", "shelf-go/tokens.go")
    ]
    assert lists[0] == lists[1] == lists[2]
    assert f"has {len(lists[0][0].split())} entries" in article("stemming-and-stop-words")


def questions() -> dict[str, dict[str, str]]:
    lines = (QUESTIONS / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    parsed = [json.loads(line) for line in lines]
    return {query["_id"]: {"text": query["text"], **query["metadata"]} for query in parsed}


def judgements() -> dict[str, dict[str, int]]:
    text = (QUESTIONS / "qrels/test.tsv").read_text(encoding="utf-8")
    header, *rows = [line.split("\t") for line in text.splitlines()]
    assert header == ["query-id", "corpus-id", "score"]
    assert len({(query, source) for query, source, _ in rows}) == len(rows)
    qrels: dict[str, dict[str, int]] = {}
    for query, source, grade in rows:
        qrels.setdefault(query, {})[source] = int(grade)
    return qrels


def test_questions_are_of_five_kinds() -> None:
    kinds = Counter(query["type"] for query in questions().values())
    assert set(kinds) == {"exact", "paraphrase", "relation", "test", "language"}
    assert min(kinds.values()) >= 12
    assert f"{kinds.total()} questions" in prose(QUESTIONS / "README.md")


def test_every_question_has_a_full_answer_among_existing_files() -> None:
    qrels = judgements()
    assert qrels.keys() == questions().keys()
    for query, grades in qrels.items():
        assert max(grades.values()) == 3, query
        assert set(grades.values()) <= {1, 2, 3}
        for source in grades:
            assert source.startswith("sample/")
            assert (DATA / source).is_file(), source


def test_exact_questions_occur_in_a_best_source() -> None:
    qrels = judgements()
    for key, query in questions().items():
        if query["type"] == "exact":
            best = [DATA / source for source, grade in qrels[key].items() if grade == 3]
            wanted = query["text"].removesuffix(" header")
            assert any(wanted in path.read_text(encoding="utf-8") for path in best), key


def test_the_corpus_repeats_no_question() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SAMPLE.rglob("*.md"))
    for key, query in questions().items():
        assert query["type"] == "exact" or query["text"] not in text, key


def test_shelf_passes_its_own_tests(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, f"--basetemp={tmp_path / 'inner'}", "--doctest-modules", "tests", "src"],
        cwd=SHELF,
        env={**os.environ, "PYTHONPATH": str(SHELF / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
