"""brainkit: explore, teach and explain retrieval.

>>> import brainkit
>>> brain = brainkit.open("notes.brain")  # doctest: +SKIP
>>> brain.ingest("~/project")  # doctest: +SKIP
>>> brain.query("how are sessions signed")  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from brainkit.answer import Answer
    from brainkit.brain import Brain
    from brainkit.chunk_map import ChunkMap
    from brainkit.comparison import Comparison
    from brainkit.embed import Embedder, Identity
    from brainkit.embed.openai import OpenAIEmbedder
    from brainkit.errors import BrainkitError
    from brainkit.evaluation.datasets import Dataset, load_dataset
    from brainkit.extract.llm import ModelExtractor
    from brainkit.hosted import Endpoint, Price
    from brainkit.ingest.report import IngestReport
    from brainkit.models import QueryMode, QueryRequest, QueryResponse, QueryResult, Trace, Weights
    from brainkit.opening import import_brain
    from brainkit.opening import open_brain as open
    from brainkit.report.export import export_html
    from brainkit.rerank import Reranker
    from brainkit.rerank.hosted import HostedReranker
    from brainkit.widgets.evaluated import Evaluation, Sweep, evaluate, sweep

__version__ = "0.1.0"

_HOME = {
    "Answer": "brainkit.answer",
    "Brain": "brainkit.brain",
    "BrainkitError": "brainkit.errors",
    "ChunkMap": "brainkit.chunk_map",
    "Comparison": "brainkit.comparison",
    "Dataset": "brainkit.evaluation.datasets",
    "Embedder": "brainkit.embed",
    "Endpoint": "brainkit.hosted",
    "Evaluation": "brainkit.widgets.evaluated",
    "HostedReranker": "brainkit.rerank.hosted",
    "Identity": "brainkit.embed",
    "IngestReport": "brainkit.ingest.report",
    "ModelExtractor": "brainkit.extract.llm",
    "OpenAIEmbedder": "brainkit.embed.openai",
    "Price": "brainkit.hosted",
    "QueryMode": "brainkit.models",
    "QueryRequest": "brainkit.models",
    "QueryResponse": "brainkit.models",
    "QueryResult": "brainkit.models",
    "Reranker": "brainkit.rerank",
    "Sweep": "brainkit.widgets.evaluated",
    "Trace": "brainkit.models",
    "Weights": "brainkit.models",
    "evaluate": "brainkit.widgets.evaluated",
    "export_html": "brainkit.report.export",
    "import_brain": "brainkit.opening",
    "load_dataset": "brainkit.evaluation.datasets",
    "open": "brainkit.opening",
    "sweep": "brainkit.widgets.evaluated",
}

__all__ = [
    "Answer",
    "Brain",
    "BrainkitError",
    "ChunkMap",
    "Comparison",
    "Dataset",
    "Embedder",
    "Endpoint",
    "Evaluation",
    "HostedReranker",
    "Identity",
    "IngestReport",
    "ModelExtractor",
    "OpenAIEmbedder",
    "Price",
    "QueryMode",
    "QueryRequest",
    "QueryResponse",
    "QueryResult",
    "Reranker",
    "Sweep",
    "Trace",
    "Weights",
    "evaluate",
    "export_html",
    "import_brain",
    "load_dataset",
    "open",
    "sweep",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that ``import brainkit`` stays light."""
    if name not in _HOME:
        raise AttributeError(f"module 'brainkit' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), "open_brain" if name == "open" else name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Add ``%brain`` and ``%%ask`` to a notebook: what ``%load_ext brainkit`` runs."""
    import_module("brainkit.magics").load(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Take them out again: what ``%unload_ext brainkit`` runs."""
    import_module("brainkit.magics").unload(shell)
