"""New generations that no file asked for: the empty first one, new terms, new vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from brainkit.analyze import Analyzer, embedded_text
from brainkit.embed import Embedder
from brainkit.ingest import pipeline
from brainkit.ingest.precedence import shape_of
from brainkit.ingest.prepare import Tools
from brainkit.settings import Settings
from brainkit.store.chunks import ChunkStore
from brainkit.store.draft import Draft, drafting
from brainkit.store.layout import Layout


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


def analyze_again(
    layout: Layout, base: ChunkStore, *, analyzer: Analyzer, exact_limit: int
) -> None:
    """Store the terms anew: the analyzer is another version than the one that made them."""
    with drafting(layout, base) as draft:
        keys, terms = [], []
        for key, chunk in base.stored():
            keys.append(key)
            terms.append(analyzer.terms(embedded_text(chunk.context, chunk.text)))
        draft.replace_terms(keys, terms)
        draft.set_meta("analyzer", analyzer.identity)
        draft.publish(exact_limit=exact_limit)


def embed_again(
    layout: Layout,
    base: ChunkStore,
    *,
    tools: Tools,
    ready: Callable[[Embedder], None],
    progress: bool,
) -> int:
    """Store the vectors anew and return the number of chunks.

    ready : called with the embedder before queries can meet the new generation.
    """
    chunks = list(base.stored())
    vectors = pipeline.embed(
        [chunk for _, chunk in chunks], tools=tools, layout=layout, progress=progress
    )
    ready(tools.embedder)
    with drafting(layout, base) as draft:
        draft.drop_vectors()
        hashes = [(key, chunk.content_hash) for key, chunk in chunks]
        draft.add_vectors(hashes, vectors.by_hash)
        draft.set_meta("embedder", tools.embedder.identity.to_dict())
        draft.publish(exact_limit=tools.settings.exact_limit_chunks)
    return len(chunks)
