"""Relevance labels in a brain's ``judgments.tsv``: readable, diffable, and never lost."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from brainkit.errors import InvalidDataset, InvalidSetting, LabelNotWritten
from brainkit.evaluation.candidates import Unit
from brainkit.evaluation.datasets import Dataset, load_dataset
from brainkit.store.layout import write_whole
from brainkit.store.locks import no_locks
from brainkit.store.refused import gone

Key = tuple[str, str, str]
Places = Mapping[str, Sequence[str]]
"""Content hash -> the sources, or chunk ids, where that text is now."""
Whereabouts = Callable[[Collection[str], Unit], Places]
"""Looks up where texts are now, by their content hashes."""

FILE: Final = "judgments.tsv"
GRADES: Final = ("not relevant", "related", "relevant", "perfect")
"""What the grades 0 to 3 are called."""
MEANINGS: Final = (
    "it does not help with the question",
    "it is about the same subject, but answers nothing",
    "it answers a part of the question, or answers it indirectly",
    "it answers the question, by itself",
)
"""When to give each of them."""
TEXT_MAX: Final = 50_000
"""Characters of a note or name: quoted, a line stays below what Python's csv module reads."""
_PATIENCE_S: Final = 10.0
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
    def key(self) -> Key:
        """Query, content and labeller: a second label of the same replaces the first."""
        return self.query, self.content, self.labeller


class Judgments:
    """The labels of one brain. Every change is on disk, whole, before the call returns.

    path : the brain's folder, or a file of labels. whereabouts : looks up where labelled texts are
    now, so that labels follow them through renames; ``brain.judgments`` has it.
    Several notebooks may label at once: each change is made to the file as it then is.
    Raises InvalidDataset for a file that cannot be read, naming the line.
    """

    def __init__(self, path: Path, *, whereabouts: Whereabouts | None = None) -> None:
        self.path = path if path.is_file() else path / FILE
        self._whereabouts = whereabouts

    def __iter__(self) -> Iterator[Judgment]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def of(self, query: str, *, labeller: str | None = None) -> dict[str, Judgment]:
        """Return content hash -> label of a query, of one labeller or of the latest of all."""
        found = sorted((one for one in self if one.query == query), key=lambda one: one.when)
        return {one.content: one for one in found if labeller is None or one.labeller == labeller}

    def put(self, judgment: Judgment) -> tuple[Judgment, Judgment | None]:
        """Add a label, or replace the one that the same person gave to the same text.

        Returns it as it is on disk now, with its time, and the one that it replaced.
        Raises InvalidSetting for a grade that is not 0 to 3 or a text that is too long,
        LabelNotWritten if the file cannot be written, which is then as it was.
        """
        is_grade = type(judgment.grade) is int and judgment.grade in range(len(GRADES))
        if judgment.grade is not None and not is_grade:  # True, too, would be written as a word
            raise InvalidSetting(
                f"grade={judgment.grade!r}: grades are 0 ({GRADES[0]}) to 3 ({GRADES[3]})."
            )
        for name in ("query", "source", "note", "labeller"):
            if (length := len(getattr(judgment, name))) > TEXT_MAX:
                raise InvalidSetting(f"{name} has {length:,} characters; at most {TEXT_MAX:,} fit.")
        if not judgment.when:
            now = datetime.now(UTC).isoformat(timespec="microseconds")
            judgment = replace(judgment, when=now)
        with self._writing() as held:
            before = held.get(judgment.key)
            held[judgment.key] = judgment
        return judgment, before

    def remove(self, key: Key) -> bool:
        """Take a label back; return whether there was one."""
        with self._writing() as held:
            return held.pop(key, None) is not None

    def take_back(self, now: Judgment, before: Judgment | None) -> bool:
        """Bring back what was ``before`` a label, None for nothing; return whether that was done.

        It is not if the label was changed since.
        """
        with self._writing() as held:
            if held.get(now.key) != now:
                return False
            if before is None:
                del held[now.key]
            else:
                held[now.key] = before
            return True

    def undo(self, labeller: str, *, among: Collection[Key] | None = None) -> Judgment | None:
        """Take back the last label of a person and return it; None if there is none.

        among : keys of the labels that are meant; None for all of that person.
        """
        with self._writing() as held:
            own = [
                one
                for one in held.values()
                if one.labeller == labeller and (among is None or one.key in among)
            ]
            last = max(own, key=lambda one: (one.when, one.key), default=None)
            if last is not None:
                del held[last.key]
            return last

    def labellers(self) -> tuple[str, ...]:
        """Return who has labelled, by name."""
        return tuple(sorted({one.labeller for one in self}))

    def queries(self) -> tuple[str, ...]:
        """Return the questions that have labels, those labelled first before others."""
        first: dict[str, str] = {}
        for one in self:
            first[one.query] = min(one.when, first.get(one.query, one.when))
        return tuple(sorted(first, key=lambda query: (first[query], query)))

    def latest(self, *, labeller: str | None = None) -> dict[tuple[str, str], Judgment]:
        """Return (query, content) -> the latest label of one person or of all, also of skipped."""
        found = sorted(self, key=lambda one: one.when)
        return {(one.query, one.content): one for one in found if labeller in (None, one.labeller)}

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
        places: Places | None = None,
        unit: Unit = "source",
        whole: bool = False,
    ) -> Dataset:
        """Return the labels as questions with graded sources, or chunks.

        A label is about one chunk; the best grade of a source's chunks is the grade of the source.

        labeller : whose labels; None for the latest of all persons on each chunk.
        places : content hash -> where that text is now; by default as ``whereabouts`` says. A text
            that is nowhere any more counts where it was labelled.
        whole : keep questions without a grade above 0, which no measure can use.
        Raises InvalidDataset while no label has a grade above 0, or with ``whole`` no grade at all.
        """
        graded = self.graded(labeller=labeller)
        if places is None and self._whereabouts is not None:
            places = self._whereabouts({content for _, content in graded}, unit)
        qrels: dict[str, dict[str, int]] = {}
        for (query, content), one in graded.items():
            before = one.source if unit == "source" else one.chunk_id
            row = qrels.setdefault(query, {})
            for at in (places or {}).get(content, ()) or [before]:
                row[at] = max(one.grade or 0, row.get(at, 0))
        if not (qrels if whole else any(any(row.values()) for row in qrels.values())):
            whose = "" if labeller is None else f" by {labeller!r}"
            raise InvalidDataset(
                f"{self.path} has no label above 0{whose} yet; label some results first, with "
                "brain.label(queries) or the grade buttons of brain.explore()."
            )
        if whole:
            return Dataset("labels", {query: query for query in qrels}, qrels)
        table = [
            {"query": query, "source": at, "grade": grade}
            for query, row in qrels.items()
            for at, grade in row.items()
        ]
        return load_dataset(table, name="labels")

    @contextmanager
    def _writing(self) -> Iterator[dict[Key, Judgment]]:
        """The labels by key, locked against other writers; written when the block ends well."""
        import portalocker

        lock = self.path.with_name(f".{self.path.name}.lock")
        try:
            with portalocker.Lock(lock, "a", timeout=_PATIENCE_S):
                held = {one.key: one for one in self._read()}
                before = dict(held)
                yield held
                if held != before:
                    write_whole(self.path, _text(held.values()).encode("utf-8", "replace"))
        except portalocker.exceptions.AlreadyLocked:
            raise LabelNotWritten(
                f"{self.path} is being written by another process for over {_PATIENCE_S:g} s, so "
                "nothing was changed; try again."
            ) from None
        except portalocker.LockException as error:
            raise LabelNotWritten(no_locks(self.path.parent, error)) from None
        except FileNotFoundError:
            raise LabelNotWritten(gone(self.path.parent)) from None
        except OSError as error:
            raise LabelNotWritten(
                f"{self.path} cannot be written ({error.strerror or error}), so nothing was "
                "changed; make room or give the right to write, and try again."
            ) from None

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


def holds_labels(path: Path) -> bool:
    """Tell whether a file is one of labels, by its first line."""
    head = "\t".join(_COLUMNS).encode()
    with path.open("rb") as file:
        return file.read(len(head)) == head


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
