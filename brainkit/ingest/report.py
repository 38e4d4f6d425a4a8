"""What an ingest did, or would do, file by file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self

from brainkit.extract.reading import Estimate
from brainkit.hosted.bill import Bill
from brainkit.ingest.secrets import Secret
from brainkit.markup import table, terminal

if TYPE_CHECKING:
    from rich.console import RenderableType

Status = Literal["added", "changed", "renamed", "unchanged", "removed", "skipped"]
SHOWN = 20


@dataclass(frozen=True, slots=True)
class FileReport:
    """One file or record: what became of it, and why.

    detail : the reason it was skipped, how it was decoded, or what it was renamed from.
    secrets : where it looks like it holds secrets, for files that are new or changed.
    """

    source: str
    status: Status
    chunks: int = 0
    tokens: int = 0
    detail: str = ""
    secrets: tuple[Secret, ...] = ()


@dataclass(frozen=True)
class IngestReport:
    """The outcome of one ingest, or with ``dry_run`` of a plan.

    label : name of the root, the first part of its sources; ``""`` for records.
    embedded, reused : chunks whose vector was computed now, or taken from the cache.
    refused : chunks without a usable vector; they are found by keywords only.
    cut : texts longer than the embedder's window, of which it saw the beginning.
    generation : the generation that now answers, or None if nothing changed.
    estimate : what reading relations with a chat model takes, or took; None if none was asked.
    bill : what is sent to a hosted embedder and costs, or was; None for others.
    """

    label: str
    root: str | None
    files: tuple[FileReport, ...]
    embedder: str
    dry_run: bool = False
    embedded: int = 0
    reused: int = 0
    refused: int = 0
    cut: int = 0
    generation: str | None = None
    estimate: Estimate | None = None
    bill: Bill | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Number of files by status."""
        return dict(Counter(row.status for row in self.files))

    @property
    def chunks(self) -> int:
        """Chunks of all added, changed and renamed files."""
        return sum(
            row.chunks for row in self.files if row.status in ("added", "changed", "renamed")
        )

    @property
    def tokens(self) -> int:
        """Tokens of those chunks, by the embedder's own tokenizer."""
        return sum(
            row.tokens for row in self.files if row.status in ("added", "changed", "renamed")
        )

    @property
    def changed(self) -> bool:
        """Tell whether anything differs from what the brain held before."""
        return any(row.status not in ("unchanged", "skipped") for row in self.files) or (
            self.generation is not None
        )

    @property
    def secrets(self) -> list[tuple[str, int, str]]:
        """(source, line, kind) of all that looks like a secret in new and changed files."""
        return [(row.source, one.line, one.kind) for row in self.files for one in row.secrets]

    def rows(self, *statuses: Status) -> list[FileReport]:
        """Return the files with one of these statuses, or all."""
        return [row for row in self.files if not statuses or row.status in statuses]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        whole = asdict(self)
        return {**whole, "counts": self.counts, "chunks": self.chunks, "tokens": self.tokens}

    def summary(self) -> str:
        """Return what happened in one or two sentences."""
        where = self.root or "records"
        counts = ", ".join(f"{n:,} {status}" for status, n in sorted(self.counts.items()))
        if not self.files:
            return f"{where}: there is nothing here to index."
        if self.dry_run:
            return f"{where}: {counts}; {self.chunks:,} chunks, {self.tokens:,} tokens to embed."
        if self.generation is None:
            return f"{where}: nothing changed ({counts})."
        text = f"{where}: {counts}; {self.chunks:,} new chunks"
        if self.embedded or self.reused:
            text += f" ({self.embedded:,} embedded, {self.reused:,} from the cache)"
        if self.refused:
            text += f"; {self.refused:,} without a usable vector, found by keywords only"
        if self.cut:
            text += f"; {self.cut:,} longer than the embedder's window, which saw their beginning"
        return f"{text}, in {sum(self.seconds.values()):.1f} s."

    def __repr__(self) -> str:
        return self.summary()

    def __rich__(self) -> RenderableType:
        return self.to_rich()

    def to_rich(
        self, *, whole: bool = False, hint: str = "report.rows() has them all"
    ) -> RenderableType:
        """Return the report for a terminal.

        whole : list every file, not only the first that changed or were left out.
        hint : said where files are not listed.
        """
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        grid = Table(box=None, pad_edge=False, header_style="dim")
        grid.add_column("status", no_wrap=True)
        grid.add_column("chunks", justify="right", no_wrap=True)
        grid.add_column("source", overflow="fold")
        shown, more = (self.files, "") if whole else self._shown(hint)
        for row in shown:
            source = Text(terminal(row.source))
            source.append(terminal(f"  {row.detail}" if row.detail else ""), style="dim")
            grid.add_row(row.status, f"{row.chunks:,}" if row.chunks else "", source)
        lines: list[RenderableType] = [Text(terminal(self.summary()), style="bold")]
        lines += [Text(terminal(note), style="yellow") for note in self.notes]
        if shown:
            lines += [Text(""), grid]
        return Group(*lines, *([Text(more, style="dim")] if more else []))

    def _repr_html_(self) -> str:
        shown, more = self._shown("report.rows() has them all")
        cells = [[row.source, row.status, f"{row.chunks:,}", row.detail] for row in shown]
        return table(
            ["source", "status", "chunks", "detail"],
            cells,
            caption=" ".join([self.summary(), *self.notes]),
            footer=more,
            right=(2,),
        )

    def _shown(self, hint: str) -> tuple[Sequence[FileReport], str]:
        """The rows worth a look: what changed or was left out, first those with a reason."""
        rows = [row for row in self.files if row.status != "unchanged"]
        rows.sort(key=lambda row: not row.detail)
        rest = len(rows) - SHOWN
        more = f"and {rest:,} more; {hint}" if rest > 0 else ""
        return rows[:SHOWN], more


class ReembedReport(int):
    """The outcome of a reembed, or of its plan; as a number, how many chunks the brain has.

    embedder : the new one. dry_run : nothing was sent or written yet.
    embedded, reused : chunks whose vector was computed now, or would be, and those whose vector is
        kept from before.
    refused : chunks without a usable vector; they are found by keywords only.
    bill : what is sent to a hosted embedder and costs, or was; None for others.
    """

    embedder: str
    dry_run: bool
    embedded: int
    reused: int
    refused: int
    bill: Bill | None
    notes: tuple[str, ...]

    def __new__(
        cls,
        chunks: int,
        *,
        embedder: str,
        embedded: int,
        reused: int,
        refused: int = 0,
        bill: Bill | None = None,
        notes: Sequence[str] = (),
        dry_run: bool = False,
    ) -> Self:
        """Make the number that knows where it is from."""
        made = super().__new__(cls, chunks)
        made.embedder, made.dry_run = embedder, dry_run
        made.embedded, made.reused, made.refused = embedded, reused, refused
        made.bill, made.notes = bill, tuple(notes)
        return made

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        bill = None if self.bill is None else asdict(self.bill)
        return {"chunks": int(self), **vars(self), "notes": list(self.notes), "bill": bill}

    def summary(self) -> str:
        """Return what happened, or would, in a few sentences."""
        done = "to embed" if self.dry_run else "embedded"
        text = (
            f"{int(self):,} chunks, now with vectors of {self.embedder}"
            if not self.dry_run
            else f"{int(self):,} chunks would get vectors of {self.embedder}"
        )
        text += f" ({self.embedded:,} {done}, {self.reused:,} from the cache)"
        if self.refused:
            text += f"; {self.refused:,} without a usable vector, found by keywords only"
        return " ".join([f"{text}.", *self.notes, *([str(self.bill)] if self.bill else [])])

    def __repr__(self) -> str:
        return self.summary()
