"""Relevance labels in a brain's ``judgments.tsv``: readable, diffable, and never lost."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from brainkit.errors import InvalidDataset, InvalidSetting
from brainkit.evaluation.datasets import Dataset, load_dataset
from brainkit.store.layout import write_whole

FILE: Final = "judgments.tsv"
GRADES: Final = ("not relevant", "related", "relevant", "perfect")
"""What the grades 0 to 3 mean."""
_COLUMNS: Final = (
    "query", "source", "lines", "grade", "labeller", "note", "when", "chunk_id", "content",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judgment:
    """One label: what a person thinks of a chunk as an answer to a query.

    grade : 0 to 3, as GRADES; None was looked at and skipped. content : hash of the chunk's text,
    by which the label finds its chunk again after the file was renamed or the chunk moved.
    """

    query: str
    source: str
    lines: str
    grade: int | None
    labeller: str
    note: str
    when: str
    chunk_id: str
    content: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Query, content and labeller: a second label of the same replaces the first."""
        return self.query, self.content, self.labeller


class Judgments:
    """The labels of one brain. Every change is on disk, whole, before the call returns.

    Several notebooks may label at once: each change is made to the file as it then is.
    Raises InvalidDataset for a file that cannot be read, naming the line.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def __iter__(self) -> Iterator[Judgment]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def of(self, query: str, *, labeller: str | None = None) -> dict[str, Judgment]:
        """Return content hash -> label of a query, of one labeller or of the latest of all."""
        found = sorted((one for one in self if one.query == query), key=lambda one: one.when)
        return {one.content: one for one in found if labeller is None or one.labeller == labeller}

    def put(self, judgment: Judgment) -> None:
        """Add a label, or replace the one that the same person gave to the same text.

        Raises InvalidSetting for a grade that is not 0 to 3.
        """
        if judgment.grade is not None and judgment.grade not in range(len(GRADES)):
            raise InvalidSetting(
                f"grade={judgment.grade!r}: grades are 0 ({GRADES[0]}) to 3 ({GRADES[3]})."
            )
        if not judgment.when:
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            judgment = replace(judgment, when=now)
        with self._writing() as held:
            held[judgment.key] = judgment

    def remove(self, key: tuple[str, str, str]) -> bool:
        """Take a label back; return whether there was one."""
        with self._writing() as held:
            return held.pop(key, None) is not None

    def undo(self, labeller: str) -> Judgment | None:
        """Take back the last label of a person and return it; None if there is none."""
        with self._writing() as held:
            own = [one for one in held.values() if one.labeller == labeller]
            last = max(own, key=lambda one: (one.when, one.key), default=None)
            if last is not None:
                del held[last.key]
            return last

    def labellers(self) -> tuple[str, ...]:
        """Return who has labelled, by name."""
        return tuple(sorted({one.labeller for one in self}))

    def graded(self, *, labeller: str | None = None) -> dict[tuple[str, str], Judgment]:
        """Return (query, content) -> the latest label with a grade, of one person or of all."""
        found = sorted(self, key=lambda one: one.when)
        return {
            (one.query, one.content): one
            for one in found
            if one.grade is not None and labeller in (None, one.labeller)
        }

    def to_dataset(
        self,
        *,
        labeller: str | None = None,
        places: Mapping[str, Iterable[str]] | None = None,
        unit: str = "source",
    ) -> Dataset:
        """Return the labels as questions with graded sources, or chunks; the best grade counts.

        places : content hash -> where that text is now, so that labels survive a rename; without
            it a label counts where it was given.
        Raises InvalidDataset while no label has a grade above 0.
        """
        rows: dict[tuple[str, str], int] = {}
        for (query, content), one in self.graded(labeller=labeller).items():
            before = one.source if unit == "source" else one.chunk_id
            for at in (places or {}).get(content, ()) or [before]:
                rows[query, at] = max(one.grade or 0, rows.get((query, at), 0))
        table = [{"query": q, "source": s, "grade": grade} for (q, s), grade in rows.items()]
        if not any(row["grade"] for row in table):
            raise InvalidDataset(
                f"{self.path} has no label above 0 yet; label some results first, with the grade "
                "buttons of brain.explore() or brain.label(queries)."
            )
        return load_dataset(table, name="labels")

    @contextmanager
    def _writing(self) -> Iterator[dict[tuple[str, str, str], Judgment]]:
        """The labels by key, locked against other writers; written when the block ends well."""
        import portalocker

        lock = self.path.with_name(f".{FILE}.lock")
        with portalocker.Lock(lock, "a", timeout=10):
            held = {one.key: one for one in self._read()}
            before = dict(held)
            yield held
            if held != before:
                write_whole(self.path, _text(held.values()).encode("utf-8", "replace"))

    def _read(self) -> list[Judgment]:
        try:
            text = self.path.read_bytes().decode("utf-8")  # no line end of a note is another's
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidDataset(f"{self.path} cannot be read ({error}).") from None
        rows = csv.DictReader(io.StringIO(text, newline=""), delimiter="\t", strict=True)
        found = []
        try:
            if rows.fieldnames and (missing := set(_COLUMNS).difference(rows.fieldnames)):
                raise ValueError(f"no column {', '.join(sorted(missing))}")
            for row in rows:
                if None in row or None in row.values():
                    raise ValueError(f"has other than {len(_COLUMNS)} columns")
                values = {name: row[name] for name in _COLUMNS}
                grade = values.pop("grade")
                if grade not in ("", "0", "1", "2", "3"):
                    raise ValueError(f"grade {grade!r} is not 0 to 3")
                found.append(Judgment(**values, grade=int(grade) if grade else None))
        except (ValueError, csv.Error) as error:
            raise InvalidDataset(
                f"{self.path}, line {rows.line_num}: {error}; correct it or move the file away."
            ) from None
        return found


def export_trec(dataset: Dataset, folder: Path) -> tuple[Path, Path]:
    """Write ``qrels.txt`` and ``topics.tsv`` as trec_eval and its kin read them; return both."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = {query: str(n) for n, query in enumerate(dataset.queries, 1)}
    qrels = "".join(
        f"{numbers[query]} 0 {_no_blanks(source)} {grade}\n"
        for query, row in dataset.qrels.items()
        for source, grade in sorted(row.items())
    )
    topics = "".join(
        f"{numbers[query]}\t{' '.join(text.split())}\n" for query, text in dataset.queries.items()
    )
    for name, text in (("qrels.txt", qrels), ("topics.tsv", topics)):
        write_whole(folder / name, text.encode())
    return folder / "qrels.txt", folder / "topics.tsv"


def export_beir(dataset: Dataset, folder: Path, *, split: str = "test") -> Path:
    """Write ``queries.jsonl`` and ``qrels/<split>.tsv``, which ``load_dataset`` reads back."""
    import json

    (folder / "qrels").mkdir(parents=True, exist_ok=True)
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
        f"{ids[query]}\t{source}\t{grade}\n"
        for query, row in dataset.qrels.items()
        for source, grade in sorted(row.items())
    )
    write_whole(folder / "queries.jsonl", queries.encode())
    write_whole(folder / "qrels" / f"{split}.tsv", qrels.encode())
    return folder


def kappa(
    one: Mapping[tuple[str, str], Judgment], other: Mapping[tuple[str, str], Judgment]
) -> tuple[float, int]:
    """Return Cohen's kappa of two labellers, and on how many common labels it stands.

    kappa = (p_o - p_e) / (1 - p_e): 1 is agreement, 0 what chance gives. Where both always give
    one and the same grade, agreement cannot be told from chance: NaN.
    Source: Cohen, Educational and Psychological Measurement 20(1), 1960.
    """
    common = sorted(one.keys() & other.keys())
    pairs = [(one[key].grade, other[key].grade) for key in common]
    if not pairs:
        return float("nan"), 0
    agreed = sum(a == b for a, b in pairs) / len(pairs)
    grades = range(len(GRADES))
    by_chance = (
        sum(sum(a == g for a, _ in pairs) * sum(b == g for _, b in pairs) for g in grades)
        / len(pairs) ** 2
    )
    if by_chance == 1.0:
        return float("nan"), len(pairs)
    return (agreed - by_chance) / (1.0 - by_chance), len(pairs)


def default_labeller() -> str:
    """Return the name labels are given under where none is: ``BRAINKIT_LABELLER`` or ``me``."""
    return os.environ.get("BRAINKIT_LABELLER", "").strip() or "me"


def _text(judgments: Iterable[Judgment]) -> str:
    out = io.StringIO(newline="")
    rows = csv.writer(out, delimiter="\t", lineterminator="\n")
    rows.writerow(_COLUMNS)
    quoted = csv.writer(out, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_ALL)
    ordered = sorted(judgments, key=lambda one: (one.query, one.source, one.lines, one.key))
    for one in ordered:
        grade = "" if one.grade is None else one.grade
        values = [grade if n == "grade" else getattr(one, n) for n in _COLUMNS]
        # Readers end a line at a carriage return too, which the writer does not quote by itself.
        (quoted if any("\r" in str(value) for value in values) else rows).writerow(values)
    return out.getvalue()


def _no_blanks(source: str) -> str:
    """TREC columns are parted by blanks, so those in a name are written as %20."""
    return source.replace("%", "%25").replace(" ", "%20").replace("\t", "%09")
