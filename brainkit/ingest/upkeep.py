"""New generations that no file asked for: the first one, new terms and facts, new vectors."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Sequence

from brainkit.analyze import Analyzer, embedded_text
from brainkit.embed import Embedder
from brainkit.errors import BrainBusy, EmbedderFailed
from brainkit.extract.facts import Facts
from brainkit.ingest import pipeline
from brainkit.ingest.one_file import facts_or_fault
from brainkit.ingest.precedence import shape_of
from brainkit.ingest.report import ReembedReport
from brainkit.ingest.tools import Tools
from brainkit.settings import Settings
from brainkit.store.chunks import ChunkStore, NewChunk
from brainkit.store.draft import Draft, drafting
from brainkit.store.facts import has_current_facts
from brainkit.store.generation import Generation
from brainkit.store.layout import Layout
from brainkit.store.locks import WriterLock

log = logging.getLogger("brainkit")
_CREATING_SECONDS = 30


def set_shape(draft: Draft, settings: Settings) -> None:
    """Store what shapes chunks and terms."""
    draft.set_meta("settings", shape_of(settings))
    draft.set_meta("analyzer", Analyzer(language=settings.analyzer_language).identity)


def publish_empty(layout: Layout, settings: Settings, *, chosen: Iterable[str]) -> None:
    """Make the first generation of a brain; ``chosen`` are the settings somebody asked for."""
    with drafting(layout, None) as draft:
        set_shape(draft, settings)
        draft.set_meta("chosen", sorted(chosen))
        draft.publish(exact_limit=settings.exact_limit_chunks)


def create_or_wait(layout: Layout, settings: Settings, *, chosen: Collection[str]) -> None:
    """Make an empty brain, or wait while another process or thread makes it."""
    give_up = time.monotonic() + _CREATING_SECONDS
    while not layout.exists():
        try:
            with WriterLock(layout, make=True):
                if not layout.exists():
                    publish_empty(layout, settings, chosen=chosen)
        except BrainBusy:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.02)


def is_current(base: Generation, analyzer: Analyzer) -> bool:
    """Tell whether terms and facts are of the versions that are made now."""
    return base.meta["analyzer"] == analyzer.identity and has_current_facts(base.meta)


def bring_up_to_date(
    layout: Layout, base: Generation, *, analyzer: Analyzer, exact_limit: int
) -> None:
    """Store terms and facts anew where another version than the present one made them.

    Files are read again for their facts by the next ingest of their folder; records cannot be, so
    theirs are made of the chunks that are stored.
    """
    with drafting(layout, base.chunks) as draft:
        if base.meta["analyzer"] != analyzer.identity:
            keys, terms = [], []
            for key, chunk in base.chunks.stored():
                keys.append(key)
                terms.append(analyzer.terms(embedded_text(chunk.context, chunk.text)))
            draft.replace_terms(keys, terms)
            draft.set_meta("analyzer", analyzer.identity)
        if not has_current_facts(base.meta):
            draft.facts.set(_facts_of_records(base.chunks))
        draft.publish(exact_limit=exact_limit)


def embed_again(
    layout: Layout,
    base: ChunkStore,
    *,
    tools: Tools,
    ready: Callable[[Embedder], None],
    progress: bool,
) -> ReembedReport:
    """Store the vectors anew and say how it went; chunks that got none are logged, too.

    ready : called with the embedder before queries can meet the new generation.
    Raises EmbedderFailed if no chunk got a vector; the brain then stays as it is.
    """
    chunks = list(base.stored())
    vectors = pipeline.embed(
        [chunk for _, chunk in chunks], tools=tools, layout=layout, progress=progress
    )
    if vectors.refused == len(chunks) > 0:
        raise EmbedderFailed(
            f"{tools.embedder.identity} gave none of {len(chunks):,} chunks a usable vector "
            f"({'; '.join(vectors.notes)}), so the brain keeps the vectors it has."
        )
    if vectors.refused:
        log.warning(
            "%d of %d chunks %s no usable vector, and %s found by words only: %s",
            vectors.refused,
            len(chunks),
            *(("has", "is") if vectors.refused == 1 else ("have", "are")),
            "; ".join(vectors.notes),
        )
    ready(tools.embedder)
    with drafting(layout, base) as draft:
        draft.drop_vectors()
        hashes = [(key, chunk.content_hash) for key, chunk in chunks]
        draft.add_vectors(hashes, vectors.by_hash)
        draft.set_meta("embedder", tools.embedder.identity.to_dict())
        draft.publish(exact_limit=tools.settings.exact_limit_chunks)
    return ReembedReport(
        len(chunks),
        embedder=str(tools.embedder.identity),
        embedded=vectors.embedded,
        reused=vectors.reused,
        refused=vectors.refused,
        bill=vectors.bill,
        notes=vectors.notes,
    )


def plan_again(layout: Layout, base: ChunkStore, *, tools: Tools) -> ReembedReport:
    """Say what ``embed_again`` would do, without sending a chunk or writing anything."""
    chunks = [chunk for _, chunk in base.stored()]
    found = pipeline.plan(chunks, tools=tools, layout=layout)
    return ReembedReport(
        len(chunks),
        embedder=str(tools.embedder.identity),
        embedded=len(chunks) - found.reused,
        reused=found.reused,
        bill=found.bill,
        dry_run=True,
    )


def _facts_of_records(base: ChunkStore) -> dict[str, Facts | None]:
    found = {}
    for source, chunks in base.of_records().items():
        found[source], _ = facts_or_fault(
            _text_of(chunks),
            chunks=chunks,
            source=source,
            relative=source,
            language=None,
            title=chunks[0].context,
        )
    return found


def _text_of(chunks: Sequence[NewChunk]) -> str:
    """Return the text that was cut into these chunks, but for blanks between them."""
    lines = [""] * max(chunk.end_line for chunk in chunks)
    for chunk in chunks:
        at, columns = chunk.start_line - 1, chunk.metadata.get("columns")
        if columns == [columns and columns[0], columns and columns[0] + len(chunk.text)]:
            lines[at] = lines[at].ljust(columns[0]) + chunk.text
        else:
            lines[at : chunk.end_line] = chunk.text.split("\n")
    return "\n".join(lines)
