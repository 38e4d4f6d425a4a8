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
    from brainkit.answer import Answer
    from brainkit.brain import Brain, import_brain
    from brainkit.brain import open_brain as open
    from brainkit.embed import Embedder, Identity
    from brainkit.errors import BrainkitError
    from brainkit.evaluation.datasets import Dataset, load_dataset
    from brainkit.evaluation.experiment import Evaluation, evaluate
    from brainkit.evaluation.sweep import Sweep, sweep
    from brainkit.ingest.report import IngestReport
    from brainkit.models import QueryMode, QueryRequest, QueryResponse, QueryResult, Trace, Weights

__version__ = "0.1.0"

_HOME = {
    "Answer": "brainkit.answer",
    "Brain": "brainkit.brain",
    "BrainkitError": "brainkit.errors",
    "Dataset": "brainkit.evaluation.datasets",
    "Embedder": "brainkit.embed",
    "Evaluation": "brainkit.evaluation.experiment",
    "Identity": "brainkit.embed",
    "IngestReport": "brainkit.ingest.report",
    "QueryMode": "brainkit.models",
    "QueryRequest": "brainkit.models",
    "QueryResponse": "brainkit.models",
    "QueryResult": "brainkit.models",
    "Sweep": "brainkit.evaluation.sweep",
    "Trace": "brainkit.models",
    "Weights": "brainkit.models",
    "evaluate": "brainkit.evaluation.experiment",
    "import_brain": "brainkit.brain",
    "load_dataset": "brainkit.evaluation.datasets",
    "open": "brainkit.brain",
    "sweep": "brainkit.evaluation.sweep",
}

__all__ = [
    "Answer",
    "Brain",
    "BrainkitError",
    "Dataset",
    "Embedder",
    "Evaluation",
    "Identity",
    "IngestReport",
    "QueryMode",
    "QueryRequest",
    "QueryResponse",
    "QueryResult",
    "Sweep",
    "Trace",
    "Weights",
    "evaluate",
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
