"""What a brain holds and whether it is whole: plain data with a readable face."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from brainkit import markup
from brainkit.embed import Identity
from brainkit.engine import Engine
from brainkit.markup import size
from brainkit.store import layout
from brainkit.store.layout import folder_bytes

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True)
class Info:
    """Counts, sizes in bytes, settings and identities of a brain.

    search : how vectors are searched: ``exact``, or ``hnsw`` with its measured recall@10.
    """

    path: str
    generation: str
    kept: tuple[str, ...]
    roots: Mapping[str, str | None]
    counts: Mapping[str, int]
    source_types: Mapping[str, int]
    languages: Mapping[str, int]
    skipped: int
    disk_bytes: Mapping[str, int]
    embedder: str
    search: str
    analyzer: Mapping[str, str | int]
    settings: Mapping[str, int | str]
    versions: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return asdict(self)

    def rows(self) -> list[tuple[str, str]]:
        """Return (what, value) pairs for people."""
        disk = sum(self.disk_bytes.values())
        stores = ", ".join(f"{name} {size(n)}" for name, n in self.disk_bytes.items())
        return [
            ("path", self.path),
            (
                "generation",
                f"{self.generation}" + (f" (kept: {', '.join(self.kept)})" * bool(self.kept)),
            ),
            ("roots", "\n".join(f"{k}: {v}" for k, v in self.roots.items()) or "none"),
            ("counts", ", ".join(f"{n:,} {what}" for what, n in self.counts.items())),
            ("types", ", ".join(f"{k} {n:,}" for k, n in self.source_types.items()) or "none"),
            ("languages", ", ".join(f"{k} {n:,}" for k, n in self.languages.items()) or "none"),
            ("unreadable files", f"{self.skipped:,}"),
            ("disk", f"{size(disk)} ({stores})"),
            ("embedder", self.embedder),
            ("vector search", self.search),
            ("analyzer", ", ".join(f"{k} {v}" for k, v in self.analyzer.items())),
            ("settings", ", ".join(f"{k} {_plain(v)}" for k, v in self.settings.items())),
            ("made with", ", ".join(f"{k} {v}" for k, v in self.versions.items())),
        ]

    def __repr__(self) -> str:
        return "\n".join(f"{what:<14} {value}" for what, value in self.rows())

    def __rich__(self) -> RenderableType:
        from rich.table import Table
        from rich.text import Text

        grid = Table(box=None, show_header=False, pad_edge=False)
        grid.add_column(style="bold", no_wrap=True)
        grid.add_column(overflow="fold")
        for what, value in self.rows():
            grid.add_row(what, Text(markup.terminal(value)))
        return grid

    def _repr_html_(self) -> str:
        return markup.table(["brain", ""], self.rows())


@dataclass(frozen=True)
class Check:
    """Whether a brain is whole; ``faults`` says what is not, and what happens about it."""

    path: str
    generation: str
    faults: tuple[str, ...]

    def __bool__(self) -> bool:
        return not self.faults

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {**asdict(self), "ok": bool(self)}

    def __repr__(self) -> str:
        if self:
            return f"{self.path}: {self.generation} is whole; every hash and every store agrees."
        faults = "\n".join(f"- {fault}" for fault in self.faults)
        count = "1 fault" if len(self.faults) == 1 else f"{len(self.faults)} faults"
        return (
            f"{self.path}: {self.generation} has {count}. Indexes are made again "
            f"from {layout.DATABASE} at the next query.\n{faults}"
        )

    def __rich__(self) -> RenderableType:
        from rich.text import Text

        return Text(markup.terminal(repr(self)), style="" if self else "red")

    def _repr_html_(self) -> str:
        kind = "dim" if self else "notice"
        return markup.block([f'<div class="{kind}">{markup.text(repr(self))}</div>'])


def info_of(engine: Engine) -> Info:
    """Collect what a brain holds."""
    with engine.reading() as generation:
        chunks, manifest = generation.chunks, generation.manifest
        stored = generation.meta.get("embedder")
        files = chunks.files()
        folder = generation.folder
        recall = manifest.recall_at_10 if manifest else None
        disk = {
            "chunks": folder_bytes(folder / layout.DATABASE),
            "vectors": sum(
                folder_bytes(folder / name)
                for name in (layout.VECTORS, layout.HNSW, layout.EQUALS)
                if (folder / name).exists()
            ),
            "keywords": folder_bytes(folder / layout.KEYWORDS),
            "graph": folder_bytes(folder / layout.GRAPH),
            "embeddings": folder_bytes(engine.layout.embeddings),
        }
        if engine.layout.relations.exists():
            disk["relations"] = folder_bytes(engine.layout.relations)
        kept = tuple(n for n in engine.layout.generations() if n != generation.name)
        disk["kept generations"] = sum(folder_bytes(engine.layout.generation(n)) for n in kept)
        settings = engine.settings
        return Info(
            path=str(engine.layout.folder),
            generation=generation.name,
            kept=kept,
            roots=chunks.roots(),
            counts={
                "chunks": generation.size,
                "sources": sum(1 for row in files.values() if row.chunks),
                "vectors": chunks.count("vectors"),
                "terms": chunks.count("terms"),
                "entities": chunks.count("entities"),
                "relations": chunks.count("relations"),
            },
            source_types=chunks.values_of("source_type"),
            languages=chunks.values_of("language"),
            skipped=sum(1 for row in files.values() if row.skipped),
            disk_bytes=disk,
            embedder=str(Identity.from_dict(stored)) if stored else "none yet",
            search="exact" if recall is None else f"hnsw, recall@10 {recall:.3f} measured",
            analyzer=generation.meta["analyzer"],
            settings=asdict(settings),
            versions=manifest.versions if manifest else {},
        )


def _plain(value: int | str) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,}" if isinstance(value, int) else value
