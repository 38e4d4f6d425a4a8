"""One ingest: prepare -> read, if a model is asked -> embed -> write one new generation.

Finished work is never lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from brainkit.analyze import embedded_text
from brainkit.embed import Identity
from brainkit.embed.batching import batches, room, tokens_cut
from brainkit.embed.cache import EmbeddingCache
from brainkit.embed.matching import confirm
from brainkit.embed.vectors import unit_rows
from brainkit.errors import BrainNotWritten
from brainkit.hosted.bill import Bill, Paid, source_of
from brainkit.hosted.spending import Spending
from brainkit.ingest.edits import followed
from brainkit.ingest.model_relations import keep_relations, read_relations
from brainkit.ingest.prepare import Prepared
from brainkit.ingest.report import IngestReport
from brainkit.ingest.tools import Tools
from brainkit.progress import bar, steps
from brainkit.store.chunks import NewChunk
from brainkit.store.draft import Draft, drafting
from brainkit.store.generation import Generation
from brainkit.store.layout import Layout

Floats = NDArray[np.float32]


@dataclass
class Vectors:
    """What embedding gave: vector by content hash, and how it went."""

    by_hash: dict[bytes, Floats]
    embedded: int = 0
    reused: int = 0
    refused: int = 0
    cut: int = 0
    bill: Bill | None = None
    notes: list[str] = field(default_factory=list)


@dataclass
class Seconds:
    """Wall time per stage, in seconds."""

    by_stage: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.by_stage[stage] = time.perf_counter() - start


def embed(
    chunks: Sequence[NewChunk],
    *,
    tools: Tools,
    layout: Layout,
    progress: bool,
    counted: bool = False,
) -> Vectors:
    """Embed what the cache does not have, and keep every finished batch in it at once.

    Chunks with equal text are embedded once.
    counted : the tokens of the chunks are this embedder's own, so they are not counted again.
    Raises EmbedderMismatch if another model answers than the identity says, and BrainNotWritten,
    before anything is sent, if what must be paid for could not be kept.
    """
    identity = tools.embedder.identity
    texts = {c.content_hash: embedded_text(c.context, c.text) for c in chunks}
    with EmbeddingCache(layout.embeddings, identity) as cache:
        known = cache.get_many(list(texts))
        hashes = [hash_ for hash_ in texts if hash_ not in known]
        missing = [texts[hash_] for hash_ in hashes]
        result = Vectors(known, reused=sum(c.content_hash in known for c in chunks))
        if counted and missing and identity.max_tokens is not None:
            fits = room(tools.embedder)
            long = {c.content_hash for c in chunks if c.tokens > fits}
            result.cut = len(long.difference(known))
        elif missing:
            result.cut = sum(n > 0 for n in tokens_cut(tools.embedder, missing))
        spending = tools.embedder.spending() if isinstance(tools.embedder, Paid) else None
        if missing:
            if spending:
                _check_kept(cache.begin())
            confirm(tools.embedder)
        beside = spending.told if spending else None
        with bar(
            total=len(missing), what="embedding", unit="chunk", on=progress, beside=beside
        ) as step:

            def keep(positions: Sequence[int], vectors: Floats) -> None:
                done = [hashes[at] for at in positions]
                if not identity.normalized:
                    vectors = unit_rows(vectors)
                cache.put_many(done, vectors)
                result.by_hash.update(zip(done, vectors, strict=True))
                step(len(positions))
                if spending:
                    _check_kept(cache.fault)

            refused = batches(tools.embedder, missing, on_batch=keep, spending=spending)
        without = {hashes[at] for at in refused}
        result.refused = sum(c.content_hash in without for c in chunks)
        result.embedded = len(chunks) - result.reused - result.refused
        result.notes += [
            f"no vector for {texts[hashes[at]][:60]!r}: {why}"
            for at, why in list(refused.items())[:5]
        ]
        if cache.note:
            result.notes.append(cache.note)
        if spending and isinstance(tools.embedder, Paid):
            result.bill = _bill(
                tools.embedder, chunks, kept=result.reused, missing=missing, spending=spending
            )
    return result


def _check_kept(fault: str | None) -> None:
    if fault is not None:
        raise BrainNotWritten(
            f"{fault} They are paid for, so nothing more is sent: make the folder writable and do "
            "the same again."
        )


def plan(chunks: Sequence[NewChunk], *, tools: Tools, layout: Layout) -> Vectors:
    """Say what embedding would find kept, and what it would send and cost if it is paid for."""
    texts = {c.content_hash: embedded_text(c.context, c.text) for c in chunks}
    with EmbeddingCache(layout.embeddings, tools.embedder.identity) as cache:
        known = cache.get_many(list(texts))
    missing = [text for hash_, text in texts.items() if hash_ not in known]
    result = Vectors(known, reused=sum(c.content_hash in known for c in chunks))
    if isinstance(tools.embedder, Paid):
        result.bill = _bill(tools.embedder, chunks, kept=result.reused, missing=missing)
    return result


def _bill(
    embedder: Paid,
    chunks: Sequence[NewChunk],
    *,
    kept: int,
    missing: Sequence[str],
    spending: Spending | None = None,
) -> Bill:
    """Return the bill of a run, or without ``spending`` of one to come."""
    tokens = embedder.billed(missing) if spending is None else spending.tokens
    address, price = embedder.endpoint.address, embedder.price
    return Bill(
        model=embedder.model,
        address=address,
        chunks=len(chunks),
        duplicates=len(chunks) - kept - len(missing),
        kept=kept,
        texts=len(missing),
        tokens=tokens,
        cost=price.of(tokens) if price else None,
        price_source=source_of(price, model=embedder.model, address=address),
        withheld=0,
        planned=spending is None,
    )


def write(
    prepared: Prepared,
    vectors: Vectors,
    *,
    layout: Layout,
    base: Generation,
    exact_limit: int,
    finish: Callable[[Draft], None],
    progress: bool,
) -> str:
    """Write the difference as one new generation and make it current.

    finish : sets roots and settings on the draft, before it is published.
    """
    with drafting(layout, base.chunks) as draft:
        draft.remove([*prepared.gone, *(row.source for row, _ in prepared.new)])
        draft.add_vectors(draft.add(prepared.new), vectors.by_hash)
        draft.facts.set(prepared.facts)
        if prepared.renamed and (said := draft.facts.edits()):
            draft.facts.set_edits(followed(said, prepared.renamed, base, prepared.facts))
        finish(draft)
        return draft.publish(exact_limit=exact_limit, each=steps(progress))


def run(
    prepare: Callable[[], Prepared],
    *,
    layout: Layout,
    base: Generation,
    tools: Tools | None,
    exact_limit: int,
    label: str,
    root: str | None,
    finish: Callable[[Draft], None],
    always: bool = False,
    dry_run: bool = False,
    progress: bool = True,
) -> IngestReport:
    """Prepare, read, embed and write, or with ``dry_run`` only prepare; return the report.

    tools : None if nothing new can come of it, as when sources are removed: then no embedder is
        needed.
    always : write a generation even if no file differs, since ``finish`` changes something.
    """
    seconds = Seconds()
    vectors = Vectors({})
    name = None
    estimate = None
    with seconds("prepare"):
        prepared = prepare()
    if tools is not None and tools.extractor is not None:
        with seconds("read"):
            estimate = read_relations(
                prepared,
                base=base,
                label=label,
                tools=tools,
                extractor=tools.extractor,
                layout=layout,
                dry_run=dry_run,
                progress=progress,
            )
    else:
        keep_relations(prepared, base=base)
    chunks = [chunk for _, new in prepared.new for chunk in new]
    if dry_run:
        if tools and isinstance(tools.embedder, Paid):
            vectors.bill = plan(chunks, tools=tools, layout=layout).bill
    elif prepared.anything or always:
        with seconds("embed"):
            if chunks and tools:
                vectors = embed(chunks, tools=tools, layout=layout, progress=progress, counted=True)
        with seconds("write"):
            name = write(
                prepared,
                vectors,
                layout=layout,
                base=base,
                exact_limit=exact_limit,
                finish=finish,
                progress=progress,
            )
    bill = vectors.bill
    if bill is not None:
        withheld = sum(row.status == "skipped" and bool(row.secrets) for row in prepared.reports)
        bill = replace(bill, withheld=withheld)
    return IngestReport(
        label=label,
        root=root,
        files=tuple(sorted(prepared.reports, key=lambda report: report.source)),
        embedder=_embedder(base, tools),
        dry_run=dry_run,
        embedded=vectors.embedded,
        reused=vectors.reused,
        refused=vectors.refused,
        cut=vectors.cut,
        generation=name,
        estimate=estimate,
        bill=bill,
        seconds=seconds.by_stage,
        notes=(*prepared.notes, *vectors.notes, *([str(bill)] if bill else [])),
    )


def _embedder(base: Generation, tools: Tools | None) -> str:
    if tools is not None:
        return str(tools.embedder.identity)
    stored = base.meta.get("embedder")
    return str(Identity.from_dict(stored)) if stored else "none yet"
