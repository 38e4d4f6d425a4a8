"""Questions with judged sources: BEIR folders, TREC files, tables, and one's own labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from brainkit import markup
from brainkit.errors import InvalidDataset
from brainkit.evaluation.reading import json_lines, lines_of, separated, table_rows, topics_of
from brainkit.kit import kit_folder
from brainkit.settings import QUERY_CHARS_MAX

Qrels = Mapping[str, Mapping[str, int]]
_SHOWN: Final = 5
_CORPUS: Final = ("corpus.jsonl.gz", "corpus.jsonl")
_QUERIES: Final = ("queries.jsonl", "queries.jsonl.gz")
_TABLE: Final = ("query", "source", "grade")
SAMPLE: Final = "sample"


@dataclass(frozen=True)
class Dataset:
    """Queries with graded sources. A grade of 0 is judged and not relevant; larger is better.

    queries : query id -> text, of the judged queries in the order of their file.
    qrels : query id -> source -> grade.
    metadata : query id -> its other fields, such as ``type``, for breakdowns.
    cut : ids of queries that were longer than a request may be, and lost their end.
    notes : what was tolerated while reading, in full sentences.
    corpus : the file of documents, if the collection brings its own.
    """

    name: str
    queries: Mapping[str, str]
    qrels: Qrels
    metadata: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, repr=False)
    cut: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    corpus: Path | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.queries)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the documents as ``brain.ingest_texts`` takes them. Raises InvalidDataset."""
        if self.corpus is None:
            raise InvalidDataset(
                f"{self.name} has judgements but no documents; ingest the folder they are about."
            )
        yield from json_lines(self.corpus)

    def only(self, ids: Iterable[str]) -> Dataset:
        """Return the dataset with these queries alone. Raises InvalidDataset for an unknown id."""
        wanted = list(ids)
        if unknown := [one for one in wanted if one not in self.queries]:
            raise InvalidDataset(f"{self.name} has no query {_some(unknown)}.")
        kept = set(wanted)
        return replace(
            self,
            queries={one: text for one, text in self.queries.items() if one in kept},
            qrels={one: grades for one, grades in self.qrels.items() if one in kept},
            metadata={one: facts for one, facts in self.metadata.items() if one in kept},
            cut=tuple(one for one in self.cut if one in kept),
        )

    def folds(self, count: int = 2, *, seed: int = 0) -> list[tuple[Dataset, Dataset]]:
        """Return (train, test) pairs in which every query is tested once, shuffled by ``seed``.

        count : 2 or more, at most the number of queries.
        """
        if not 2 <= count <= len(self):
            raise InvalidDataset(
                f"folds={count}: {self.name} has {len(self)} queries, so 2 to {len(self)} folds "
                "can be made."
            )
        ids = list(self.queries)
        order = np.random.default_rng(seed).permutation(len(ids))
        parts = [{ids[at] for at in part} for part in np.array_split(order, count)]
        return [
            (self.only(one for one in ids if one not in part), self.only(part)) for part in parts
        ]

    def shuffled(self, *, seed: int = 0) -> Dataset:
        """Return the dataset with the judgements dealt out to other queries: a check on tuning.

        Whatever a setting gains on it, it gains by chance.
        """
        order = np.random.default_rng(seed).permutation(len(self))
        ids, rows = list(self.queries), [self.qrels[one] for one in self.queries]
        return replace(
            self,
            name=f"{self.name}, shuffled",
            qrels={one: rows[at] for one, at in zip(ids, order, strict=True)},
        )

    def summary(self) -> str:
        """Return one line: queries, judgements and what was tolerated."""
        grades = Counter(grade for row in self.qrels.values() for grade in row.values())
        relevant = sum(count for grade, count in grades.items() if grade > 0)
        text = f"{self.name}: {len(self):,} queries, {relevant:,} relevant sources"
        if grades[0]:
            text += f", {grades[0]:,} judged not relevant"
        if max(grades, default=0) > 1:
            text += f", grades up to {max(grades)}"
        return f"{text}, {len(self.cut)} cut" if self.cut else text

    def __repr__(self) -> str:
        return markup.terminal(f"<Dataset {self.summary()}>")

    def _repr_html_(self) -> str:
        head = f"<div><b>{markup.text(self.name)}</b></div>"
        lines = [f"<div>{markup.text(self.summary())}</div>"]
        lines += [f'<div class="notice">{markup.text(note)}</div>' for note in self.notes]
        return markup.block([head, *lines])


def load_dataset(
    source: Any, *, split: str = "test", queries: str | Path | None = None, name: str | None = None
) -> Dataset:
    """Read questions and judgements.

    source : ``"sample"``, the questions about the sample that comes with brainkit; a BEIR folder
        (``queries.jsonl``, ``qrels/<split>.tsv``, maybe ``corpus.jsonl``; each maybe gzipped); a
        TREC qrels file, with its topics in ``queries``; a CSV or TSV file, a DataFrame or dicts
        with query, source and grade (and maybe query_id); ``brain.judgments``, whose labels count
        for the sources where their texts are now; or a ``judgments.tsv``, or the brain's folder
        with it, whose labels count for the sources where they were given.
    split : which qrels of a BEIR folder.
    Queries without a source of grade above 0 are left out, as every measure of theirs is 0 whatever
    is found; ``notes`` says how many.
    Raises InvalidDataset for judgements of unknown queries, two that disagree, grades below 0, and
    for a split that is empty or not there.
    """
    from brainkit.evaluation.judgments import Judgments  # which reads by this module

    if isinstance(source, Judgments):
        return source.to_dataset()
    if isinstance(source, str | Path):
        topics = None if queries is None else Path(queries).expanduser()
        if source == SAMPLE and not Path(source, "qrels").is_dir():
            source, name = kit_folder("data") / "sample-questions", name or SAMPLE
        return _from_path(Path(source).expanduser(), split, topics, name)
    rows = source.to_dict("records") if hasattr(source, "to_dict") else list(source)
    return _from_rows(list(enumerate(rows, 1)), name or "table", where="the table")


def _from_path(path: Path, split: str, topics: Path | None, name: str | None) -> Dataset:
    from brainkit.evaluation.judgments import FILE, Judgments, holds_labels

    labels = path / FILE if path.is_dir() else path
    if topics is None and labels.is_file() and holds_labels(labels):
        return Judgments(labels).to_dataset()
    if path.is_dir():
        return _from_folder(path, split, name)
    if not path.is_file():
        raise InvalidDataset(
            f"{str(path)!r} is neither a folder nor a file; give a BEIR folder, a qrels file with "
            f"queries=, a table of query, source, grade, or {SAMPLE!r}."
        )
    if topics is not None:
        return _from_trec(path, topics, name)
    return _from_rows(table_rows(path), name or path.stem, where=str(path))


def _from_folder(folder: Path, split: str, name: str | None) -> Dataset:
    asked = next((folder / one for one in _QUERIES if (folder / one).is_file()), None)
    splits = sorted((folder / "qrels").glob("*.tsv*")) if (folder / "qrels").is_dir() else []
    known = {path.name.split(".tsv")[0]: path for path in splits}
    if asked is None or not known:
        raise InvalidDataset(
            f"{folder} holds no BEIR collection: it needs queries.jsonl and qrels/<split>.tsv."
        )
    if split not in known:
        raise InvalidDataset(f"{folder} has no split {split!r}; it has {', '.join(known)}.")
    texts, metadata = {}, {}
    for number, row in enumerate(json_lines(asked), 1):
        if not isinstance(row, dict) or not {"_id", "text"} <= row.keys():
            raise InvalidDataset(f"{asked}, line {number}: needs _id and text, as a JSON object.")
        texts[str(row["_id"])] = str(row["text"])
        facts = {k: v for k, v in row.items() if k not in ("_id", "text", "metadata")}
        more = row.get("metadata")
        metadata[str(row["_id"])] = {**facts, **(more if isinstance(more, dict) else {})}
    judged = []
    for number, cells in separated(known[split], "\t"):
        if number == 1 and cells[:1] == ["query-id"]:
            continue
        if len(cells) != 3:
            raise InvalidDataset(
                f"{known[split]}, line {number}: {len(cells)} columns; needs query-id, corpus-id "
                "and score, separated by tabs."
            )
        judged.append((f"{known[split]}, line {number}", *cells))
    corpus = next((folder / one for one in _CORPUS if (folder / one).is_file()), None)
    own = name or (folder.name if split == "test" else f"{folder.name}/{split}")
    return _dataset(own, texts, judged, metadata=metadata, corpus=corpus)


def _from_trec(qrels: Path, topics: Path, name: str | None) -> Dataset:
    judged = []
    for number, line in enumerate(lines_of(qrels), 1):
        cells = line.split()
        if cells and len(cells) != 4:
            raise InvalidDataset(
                f"{qrels}, line {number}: {len(cells)} columns; a TREC qrels line has query id, 0, "
                "document id and grade."
            )
        if cells:
            judged.append((f"{qrels}, line {number}", cells[0], cells[2], cells[3]))
    return _dataset(name or qrels.stem, topics_of(topics), judged)


def _from_rows(rows: Sequence[tuple[int, Mapping[str, Any]]], name: str, *, where: str) -> Dataset:
    texts: dict[str, str] = {}
    metadata: dict[str, dict[str, Any]] = {}
    judged = []
    for number, row in rows:
        missing = [column for column in _TABLE if column not in row]
        if missing:
            raise InvalidDataset(
                f"{where}, line {number}: no column {', '.join(missing)} (there are: "
                f"{', '.join(map(str, row))}); needs query, source and grade."
            )
        text, source = _text(row["query"]), _text(row["source"])
        if not text or not source:
            raise InvalidDataset(f"{where}, line {number}: no {'source' if text else 'query'}.")
        id_ = _text(row.get("query_id")) or text
        if texts.setdefault(id_, text) != text:
            raise InvalidDataset(
                f"{where}, line {number}: query_id {id_!r} has two texts, {texts[id_]!r:.60} and "
                f"{text!r:.60}."
            )
        facts = {k: v for k, v in row.items() if k not in (*_TABLE, "query_id")}
        metadata.setdefault(id_, facts)
        judged.append((f"{where}, line {number}", id_, source, row["grade"]))
    return _dataset(name, texts, judged, metadata=metadata)


def _dataset(
    name: str,
    texts: Mapping[str, str],
    judged: Iterable[tuple[Any, ...]],
    *,
    metadata: Mapping[str, Mapping[str, Any]] | None = None,
    corpus: Path | None = None,
) -> Dataset:
    qrels: dict[str, dict[str, int]] = {}
    repeated = 0
    for where, query, source, given in judged:
        grade = _grade(given, where)
        if query not in texts:
            raise InvalidDataset(f"{where}: judges query {query!r}, which has no text.")
        before = qrels.setdefault(query, {}).setdefault(source, grade)
        if before != grade:
            raise InvalidDataset(
                f"{where}: grades {source!r} for query {query!r} with {grade}, and before that "
                f"with {before}; keep one of the two."
            )
        repeated += 1
    repeated -= sum(map(len, qrels.values()))
    if not qrels:
        raise InvalidDataset(f"{name} has no judgements: nothing can be measured on it.")
    useful = {query for query, grades in qrels.items() if max(grades.values()) > 0}
    if not useful:
        raise InvalidDataset(f"{name} has no query with a source of grade above 0.")
    notes = []
    if len(useful) < len(qrels):
        notes.append(f"{len(qrels) - len(useful):,} queries without a relevant source left out.")
    if repeated:
        notes.append(f"{repeated:,} judgements were given twice, alike.")
    queries = {one: text.strip() for one, text in texts.items() if one in useful}
    if blank := [one for one, text in queries.items() if not text]:
        raise InvalidDataset(f"{name}: the query {_some(blank)} has no text.")
    cut = tuple(one for one, text in queries.items() if len(text) > QUERY_CHARS_MAX)
    if cut:
        notes.append(f"{len(cut):,} queries cut to {QUERY_CHARS_MAX:,} characters: {_some(cut)}.")
    return Dataset(
        name=name,
        queries={one: text[:QUERY_CHARS_MAX].strip() for one, text in queries.items()},
        qrels={one: qrels[one] for one in queries},
        metadata={one: dict((metadata or {}).get(one, {})) for one in queries},
        cut=cut,
        notes=tuple(notes),
        corpus=corpus,
    )


def _text(given: Any) -> str:
    """Return a cell as text; "" for one that is missing, which pandas has as NaN."""
    return "" if given is None or given != given else str(given).strip()  # noqa: PLR0124


def _grade(given: Any, where: str) -> int:
    try:
        number = float(given)
        grade = int(number)
    except (TypeError, ValueError, OverflowError):
        raise InvalidDataset(f"{where}: grade {given!r:.40} is no whole number.") from None
    if grade != number or grade < 0:
        raise InvalidDataset(
            f"{where}: grade {given!r:.40}; grades are whole numbers from 0 (not relevant) up."
        )
    return grade


def _some(ids: Sequence[str]) -> str:
    shown = ", ".join(repr(one) for one in ids[:_SHOWN])
    return shown + (f" and {len(ids) - _SHOWN:,} more" if len(ids) > _SHOWN else "")
