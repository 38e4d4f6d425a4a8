"""What turns texts into chunks: the analyzer, the embedder's tokenizer, the sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brainkit.analyze import Analyzer, embedded_text
from brainkit.embed import Embedder
from brainkit.embed.batching import room
from brainkit.extract.llm import ModelExtractor
from brainkit.ingest.counting import LineCounts
from brainkit.ingest.pieces import Budget, Piece
from brainkit.kept import content_hash
from brainkit.settings import Settings
from brainkit.store.chunks import NewChunk


@dataclass(frozen=True)
class Tools:
    """What turns text into chunks: the analyzer, the embedder's tokenizer, the sizes.

    send_secrets : a hosted model may read what looks like a secret.
    extractor : the chat model that reads relations out of the chunks, if any.
    """

    analyzer: Analyzer
    embedder: Embedder
    settings: Settings
    send_secrets: bool = False
    extractor: ModelExtractor | None = None

    def counts(self) -> LineCounts:
        """Return a counter for one file, with the embedder's own tokenizer."""
        by_line = getattr(self.embedder, "counts_by_line", False)
        return LineCounts(self.embedder.count_tokens, by_line=by_line)

    def budget(self, counts: LineCounts, *, title: str = "") -> Budget:
        """The largest chunk, in tokens: the setting, or what the embedder can see, less a title."""
        most = min(self.settings.chunk_tokens, room(self.embedder))
        most = max(most - sum(counts.of_lines([title] if title else [])), most // 2)
        return Budget(
            max_tokens=most,
            overlap_tokens=min(self.settings.chunk_overlap_tokens, most // 2),
            count=counts.of_lines,
        )


def new_chunks(
    pieces: Sequence[Piece],
    counts: LineCounts,
    tools: Tools,
    *,
    context: str = "",
    metadata: Mapping[str, Any] | None = None,
) -> list[NewChunk]:
    """Return the pieces with their terms and what identifies the text that is embedded.

    context, metadata : of every piece; a piece's own go first.
    """
    whole = [embedded_text(piece.context or context, piece.text) for piece in pieces]
    tokens = counts.of_texts(whole)
    return [
        NewChunk(
            start_line=piece.start_line,
            end_line=piece.end_line,
            text=piece.text,
            context=piece.context or context,
            terms=tools.analyzer.terms(text),
            content_hash=content_hash(text),
            tokens=count,
            metadata={**(metadata or {}), **piece.metadata},
        )
        for piece, text, count in zip(pieces, whole, tokens, strict=True)
    ]
