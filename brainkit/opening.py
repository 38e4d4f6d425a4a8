"""Open a brain, or make one: of nothing, or of what another exported."""

from __future__ import annotations

from brainkit.brain import OPEN, OPENING, AnyEmbedder, Brain, PathLike
from brainkit.engine import Engine
from brainkit.errors import InvalidExport, NotABrain
from brainkit.rerank import AnyReranker
from brainkit.settings import from_environment
from brainkit.store.exchange import import_into
from brainkit.store.layout import resolved


def import_brain(export: PathLike, path: PathLike, *, embedder: AnyEmbedder | None = None) -> Brain:
    """Make a new brain at ``path`` from a file that ``brain.export`` wrote, and open it.

    Nothing is embedded again. Raises InvalidExport if the file is not whole, NotABrain if the
    folder is taken.
    """
    folder = resolved(path, refuse=NotABrain)
    limit = from_environment().exact_limit_chunks
    import_into(folder, resolved(export, refuse=InvalidExport), exact_limit=limit)
    return open_brain(folder, embedder=embedder)


def open_brain(
    path: PathLike,
    *,
    embedder: AnyEmbedder | None = None,
    reranker: AnyReranker | None = None,
    create: bool = True,
    **settings: int | str,
) -> Brain:
    """Open a brain folder, or make one. Opening it twice in one process gives the same brain.

    path : by custom ``NAME.brain``.
    embedder : ``local`` (default), ``static``, ``openai`` (which sends texts away), an Embedder
        such as an OpenAIEmbedder, or any callable list[str] -> (n, dim). Left out, a brain keeps
        the embedder that made its vectors.
    reranker : what answers ``rerank=True``; see ``Brain.reranker``. It is not stored.
    create : False raises NotABrain if there is none.
    settings : fields of brainkit.settings.Settings, such as ``chunk_tokens=128``.
    Raises NotABrain, BrainDamaged, BrainTooNew, EmbedderMismatch, InvalidSetting.
    """
    folder = resolved(path, refuse=NotABrain)
    with OPENING:
        brain = OPEN.get(folder)
        if brain is not None and not brain._engine.layout.exists():
            brain._engine.close()  # its folder was deleted
            del OPEN[folder]
            brain = None
        if brain is not None and embedder is None and not settings:
            if reranker is not None:
                brain.reranker = reranker
            return brain
        if brain is not None and reranker is None:
            reranker = brain.reranker
        engine = Engine(
            folder, embedder=embedder, reranker=reranker, settings=dict(settings), create=create
        )
        if brain is None:
            brain = Brain(engine)
            OPEN[folder] = brain
        else:
            brain._take_over(engine)
        return brain
