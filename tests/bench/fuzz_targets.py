"""What is fuzzed: each door with sound inputs, and with what it may raise and take."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from fuzz_doors import (
    QUESTION,
    SYMBOLS,
    members,
    open_brain,
    run_analyzer,
    run_beir,
    run_brain,
    run_config,
    run_configs,
    run_facts,
    run_file,
    run_ignore,
    run_import,
    run_judgments,
    run_member,
    run_query,
    run_reply,
    run_report,
    run_request,
    run_response,
    run_table,
    run_trec,
    run_word,
    seed_brain,
)
from fuzz_seeds import (
    BEIR,
    CONFIG,
    IGNORE,
    LABELS,
    REQUEST,
    TEXTS,
    TREC,
    XML_TOPICS,
    encoded,
    notebook,
    pdf_documents,
    word_documents,
    word_parts,
)

from brainkit.hosted.failure import Failure


@dataclass(frozen=True)
class Target:
    """One door.

    run : does the work with the bytes, in a folder of its own.
    seeds : sound inputs. allowed : what it may raise besides BrainkitError.
    seconds_per_mb : what it may take, and `SECONDS` besides.
    """

    run: Callable[[bytes, Path], None]
    seeds: Callable[[], Sequence[bytes]]
    allowed: tuple[type[Exception], ...] = ()
    seconds_per_mb: float = 20.0


SECONDS: Final = 1.0


def _responses() -> list[bytes]:
    found = []
    for mode in ("multi", "hybrid", "graph"):
        answer = open_brain().query(QUESTION, mode=mode, top_k=2, depth=4, trace="full")
        found.append(answer.response.model_dump_json().encode())
    return found


def _report_notebooks() -> list[bytes]:
    whole = json.loads(notebook())
    answer = open_brain().query(QUESTION, mode="multi", top_k=2, depth=3, trace="full")
    from brainkit.widgets.view import mimebundle

    bundle = mimebundle(answer.view(), plain=repr(answer))
    whole["cells"][1]["outputs"].append(
        {"output_type": "display_data", "metadata": {}, "data": bundle}
    )
    return [notebook(), json.dumps(whole).encode()]


def _of_brain(name: str) -> list[bytes]:
    return [(seed_brain() / name).read_bytes()]


def _facts() -> list[bytes]:
    told = []
    with open_brain()._engine.reading() as generation:
        told = [text for text in generation.chunks.facts().values() if text]
    return [text.encode() for text in told[:4]]


def _files() -> dict[str, Target]:
    found: dict[str, Target] = {}
    for ending, text in TEXTS.items():
        run = partial(run_file, name=f"a.{ending}")
        found[f"file-{ending}"] = Target(run, partial(list, [text]))
    for path in sorted(SYMBOLS.glob("*")):
        if path.suffix == ".tsv":
            continue
        name = path.name.removesuffix(".txt")
        run = partial(run_file, name=name)
        found[f"file-{Path(name).suffix[1:]}"] = Target(run, partial(_one, path))
    found["file-ipynb"] = Target(partial(run_file, name="a.ipynb"), lambda: [notebook()])
    found["file-docx"] = Target(partial(run_file, name="a.docx"), word_documents, seconds_per_mb=60)
    found["file-word"] = Target(run_word, word_parts, seconds_per_mb=60)
    found["file-pdf"] = Target(partial(run_file, name="a.pdf"), pdf_documents, seconds_per_mb=60)
    found["file-encoded"] = Target(partial(run_file, name="a.txt"), encoded)
    found["file-declared"] = Target(
        partial(run_file, name="a.py"), lambda: [b"# coding: latin-1\n" + t for t in encoded()]
    )
    return found


def _one(path: Path) -> list[bytes]:
    return [path.read_bytes()]


def _brains() -> dict[str, Target]:
    """Every file of a brain, with a manifest that says it is right; every member of an export."""
    found: dict[str, Target] = {}
    if "FUZZ_SEEDS" not in os.environ:
        return found
    for path in sorted(seed_brain().rglob("*")):
        name = path.relative_to(seed_brain()).as_posix()
        if path.is_file() and path.suffix != ".lock":
            run = partial(run_brain, name=name)
            short = Path(name).name if path.suffix != ".sqlite" else "embeddings"
            found[f"brain-{short}"] = Target(run, partial(_of_brain, name), seconds_per_mb=60)
    names = (
        *("manifest.json", "roots.parquet", "files.parquet", "chunks.parquet", "vectors.parquet"),
        *("facts.parquet", "entity_edits.parquet"),
    )
    for name in names:
        run = partial(run_member, name=name)
        seeds = partial(_member, name)
        found[f"member-{name}"] = Target(run, seeds, seconds_per_mb=60)
    return found


def _exported() -> list[bytes]:
    members()
    return [(Path(os.environ["FUZZ_SEEDS"]) / "seed.zip").read_bytes()]


def _member(name: str) -> list[bytes]:
    return [members()[name]]


TARGETS: Final[dict[str, Target]] = {
    **_files(),
    "analyzer": Target(run_analyzer, lambda: [*TEXTS.values(), *encoded()]),
    "query": Target(run_query, lambda: [TEXTS["txt"], IGNORE, QUESTION.encode()]),
    "request": Target(run_request, lambda: [REQUEST]),
    "response": Target(run_response, _responses, (ValueError,)),
    "report": Target(run_report, _report_notebooks, seconds_per_mb=40),
    "judgments": Target(run_judgments, lambda: [LABELS]),
    "table-tsv": Target(
        partial(run_table, name="q.tsv"),
        lambda: [b"query\tsource\tgrade\nhow\tp/a.md\t2\n", LABELS],
    ),
    "table-csv": Target(
        partial(run_table, name="q.csv"), lambda: [b'query,source,grade\n"how, why",p/a.md,2\n']
    ),
    **{
        f"beir-{part.partition('.')[0].replace('/', '-')}": Target(
            partial(run_beir, part=part), partial(list, [sound])
        )
        for part, sound in BEIR.items()
    },
    "trec-qrels": Target(partial(run_trec, part="qrels.txt"), lambda: [TREC["qrels.txt"]]),
    "trec-topics": Target(
        partial(run_trec, part="topics.txt"), lambda: [TREC["topics.txt"], XML_TOPICS]
    ),
    "config": Target(run_config, lambda: [CONFIG]),
    "ignore": Target(run_ignore, lambda: [IGNORE]),
    "configs-json": Target(
        partial(run_configs, name="c.json"), lambda: [b'{"a": {"mode": "bm25", "alpha": 0.3}}']
    ),
    "configs-toml": Target(
        partial(run_configs, name="c.toml"), lambda: [b'[a]\nmode = "bm25"\nalpha = 0.3\n']
    ),
    "reply": Target(
        run_reply,
        lambda: [
            b'{"data": [{"index": 1, "embedding": [2, 3]}, {"index": 0, "embedding": '
            b'"AACAPwAAAEA="}], "usage": {"total_tokens": 9}}'
        ],
        (Failure,),
    ),
    "facts": Target(run_facts, _facts, (ValueError,)),
    "import": Target(run_import, _exported),
    **_brains(),
}  # fmt: skip
"""Name -> target. The files of a brain need FUZZ_SEEDS, a folder in which one is made."""
