"""Judged queries in the files that other tools read: TREC and BEIR."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote

from brainkit.errors import InvalidSetting
from brainkit.evaluation.datasets import Dataset
from brainkit.store.layout import write_whole

_BLANKS = re.compile(r"[%\s]")
_BREAKS = re.compile(r"[\t\r\n]")


def export_trec(dataset: Dataset, folder: Path) -> tuple[Path, Path]:
    """Write ``qrels.txt`` and ``topics.tsv`` as trec_eval and its kin read them; return both.

    Columns are parted by blanks there, so those in the name of a source are written as ``%20``.
    Files of that name are replaced. Raises InvalidSetting if they cannot be written.
    """
    numbers = {query: str(n) for n, query in enumerate(dataset.queries, 1)}
    qrels = "".join(
        f"{numbers[query]} 0 {_without(_BLANKS, source)} {grade}\n"
        for query, row in dataset.qrels.items()
        for source, grade in sorted(row.items())
    )
    topics = "".join(
        f"{numbers[query]}\t{' '.join(text.split())}\n" for query, text in dataset.queries.items()
    )
    _write({folder / "qrels.txt": qrels, folder / "topics.tsv": topics})
    return folder / "qrels.txt", folder / "topics.tsv"


def export_beir(dataset: Dataset, folder: Path, *, split: str = "test") -> Path:
    """Write ``queries.jsonl`` and ``qrels/<split>.tsv``, which ``load_dataset`` reads back.

    Files of that name are replaced. Raises InvalidSetting if they cannot be written.
    """
    ids = {query: f"q{n}" for n, query in enumerate(dataset.queries, 1)}
    queries = "".join(
        json.dumps(
            {"_id": ids[query], "text": text, "metadata": dict(dataset.metadata.get(query, {}))},
            ensure_ascii=False,
        )
        + "\n"
        for query, text in dataset.queries.items()
    )
    qrels = "query-id\tcorpus-id\tscore\n" + "".join(
        f"{ids[query]}\t{_without(_BREAKS, source)}\t{grade}\n"
        for query, row in dataset.qrels.items()
        for source, grade in sorted(row.items())
    )
    _write({folder / "queries.jsonl": queries, folder / "qrels" / f"{split}.tsv": qrels})
    return folder


def _write(files: dict[Path, str]) -> None:
    for path, text in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text.encode())
        except OSError as error:
            raise InvalidSetting(
                f"{path} cannot be written ({error.strerror}); give another folder."
            ) from None


def _without(characters: re.Pattern[str], source: str) -> str:
    """The name of a source with what would end its column written as in a URL.

    >>> _without(_BLANKS, "my notes/a.md")
    'my%20notes/a.md'
    """
    return characters.sub(lambda found: quote(found[0]), source)
