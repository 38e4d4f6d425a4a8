"""Everything that can go wrong in a user's hands, one class per mistake.

Every message says what was given, what is allowed and what to do next.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class BrainkitError(Exception):
    """Base of all errors that brainkit raises on purpose."""


class InvalidRequest(BrainkitError, ValueError):
    """A field of a query request is unknown or out of its range."""


class InvalidSetting(BrainkitError, ValueError):
    """A setting or option outside a query is out of its range."""


class NotInTrace(BrainkitError, LookupError):
    """A re-fusion asked for something that the trace did not record."""


class DuplicateChunk(BrainkitError, ValueError):
    """A ranked list names the same chunk twice."""


class NoSuchFolder(BrainkitError, FileNotFoundError):
    """The path to ingest does not exist or cannot be read."""


class NoSuchSource(BrainkitError, LookupError):
    """A root, source or record named by the user is not in this brain."""


class OverlappingRoots(BrainkitError, ValueError):
    """A folder lies inside, or around, one that the brain already has."""


class InvalidRecord(BrainkitError, ValueError):
    """A record for ingest_texts lacks a text, or its id is missing, repeated or taken."""


class BrainBusy(BrainkitError, RuntimeError):
    """Another process or thread is writing this brain."""


class BrainDamaged(BrainkitError, RuntimeError):
    """The brain's database cannot be read."""


class BrainTooNew(BrainkitError, RuntimeError):
    """The brain was written by a newer brainkit."""


class BrainClosed(BrainkitError, RuntimeError):
    """The brain was closed."""


class NotABrain(BrainkitError, ValueError):
    """The path exists but is not a brain."""


class EmbedderMismatch(BrainkitError, ValueError):
    """The embedder given is not the one that made this brain's vectors."""


class EmbedderUnavailable(BrainkitError, RuntimeError):
    """The embedder's model, library or key cannot be found."""


class EmbedderFailed(BrainkitError, RuntimeError):
    """The embedder answered with something that is not one vector per text."""


class RerankerUnavailable(BrainkitError, RuntimeError):
    """The reranker's model or library cannot be found, or is not the expected one."""


class RerankerFailed(BrainkitError, RuntimeError):
    """The reranker answered with something that is not one score per text; queries go on."""


class EndpointUnavailable(BrainkitError, RuntimeError):
    """A hosted model cannot be used: no key, no such model, no server, no money left."""


class BudgetReached(BrainkitError, RuntimeError):
    """A cap on what a hosted model may cost ended a run; what was done is kept."""


class FilterError(BrainkitError, ValueError):
    """A filter names a source type or language that this brain does not have."""


class InvalidExport(BrainkitError, ValueError):
    """The file to import is not a whole export of a brain."""


class InvalidDataset(BrainkitError, ValueError):
    """A collection of judged queries cannot be read, or contradicts itself or the brain."""


class InvalidMeasure(BrainkitError, ValueError):
    """There is no measure of that name."""


class InvalidSQL(BrainkitError, ValueError):
    """DuckDB refuses the statement, or it gives no rows."""


class BrainReadOnly(BrainkitError, PermissionError):
    """The brain's folder cannot be written here."""


class SecretsFound(BrainkitError, PermissionError):
    """What looks like a secret would be sent to a hosted model, and nobody said that it may."""


class NoSuchEntity(BrainkitError, LookupError):
    """No entity of the graph has this name, or several have."""


class InvalidEdit(BrainkitError, ValueError):
    """What is said of two entities cannot be, or was never said."""


class InvalidReport(BrainkitError, ValueError):
    """What should become a report is no notebook, or nothing that a page can show."""


class ReportFailed(BrainkitError, RuntimeError):
    """A notebook could not be run to its end, so there is no report of it."""


class LabelNotWritten(BrainkitError, OSError):
    """A label could not be written to the brain's ``judgments.tsv``, which is as it was."""


class BrainNotWritten(BrainkitError, OSError):
    """A change could not be written to its end; the brain is as it was before."""


def nearest(word: str, allowed: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the closest allowed word, or ``""``.

    >>> nearest("hybird", ["vector", "hybrid"])
    "; did you mean 'hybrid'?"
    >>> nearest("zzz", ["vector", "hybrid"])
    ''
    """
    close = difflib.get_close_matches(word.casefold(), list(allowed), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""
