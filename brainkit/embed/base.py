"""What an embedder is, and how a brain tells one from another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, Self

from brainkit.errors import EmbedderUnavailable, nearest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PROBE_TOLERANCE = 0.05
"""How far two answers to one probe may lie apart. Float32 noise moves a probe by 1e-6, a hosted
model that answers twice by up to 0.04 (cosine 0.9999); another model moves most of them by 1."""
_BESIDE = ("probes", "hosted", "address")  # fields that are not part of the name


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Everything that decides which vector a text gets.

    Vectors of two identities must never be compared, even at equal dimension: the spaces differ.

    provider : local, static, callable, or a word of your own for an Embedder of your own.
    model : name for people.
    dim : length of a vector.
    revision : fingerprint of the weights, so that a changed model under the same name is noticed.
    query_prefix, document_prefix : put before a text of that role.
    normalized : vectors have length 1.
    max_tokens : window of the model, special tokens included; ``None`` if unknown or unlimited.
    probes : random projections of the vectors of a few fixed texts, where nothing else tells two
        models apart; compared within a tolerance by ``agrees``, so neither ``==`` nor ``digest``
        counts them.
    hosted : texts leave this machine to be embedded; ``None`` lets the provider decide (only those
        of brainkit itself are known to stay here). Counts for no comparison.
    address : of a hosted model: ``openai`` for OpenAI itself, the address of a server on this
        machine, ``other`` for any other, which is not stored. Counts for no comparison.

    >>> print(Identity(provider="local", model="bge-small-en-v1.5", dim=384, revision="68807e"))
    local bge-small-en-v1.5 (384 dims)
    """

    provider: str
    model: str
    dim: int
    revision: str
    query_prefix: str = ""
    document_prefix: str = ""
    normalized: bool = True
    max_tokens: int | None = None
    probes: tuple[float, ...] | None = field(default=None, compare=False)
    hosted: bool | None = field(default=None, compare=False)
    address: str | None = field(default=None, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain JSON values; those beside the name only where known."""
        values = asdict(self)
        if self.probes is not None:
            values["probes"] = list(self.probes)
        return {n: v for n, v in values.items() if v is not None or n not in _BESIDE}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Self:
        """Rebuild what ``to_dict`` gave.

        Raises EmbedderUnavailable naming a field that this version does not know.
        """
        known = [field.name for field in fields(cls)]
        for name in given:
            if name not in known:
                raise EmbedderUnavailable(
                    f"The embedder identity has a field {name!r} that this brainkit does not know"
                    f"{nearest(name, known)} (fields: {', '.join(known)}); upgrade brainkit."
                )
        probes = given.get("probes")
        return cls(**{**given, "probes": None if probes is None else tuple(probes)})

    @cached_property
    def digest(self) -> str:
        """16 hex characters that name this identity in files; equal for equal identities only.

        Whether the vectors may be compared is for ``agrees`` to say.
        """
        named = {n: v for n, v in self.to_dict().items() if n not in _BESIDE}
        text = json.dumps(named, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def agrees(self, other: Identity) -> bool:
        """Tell whether vectors of the two may be compared: same digest, and alike in the probes.

        Where one of the two was never asked for probes, its name is believed.
        """
        if self.digest != other.digest or self.probes is None or other.probes is None:
            return self.digest == other.digest
        return len(self.probes) == len(other.probes) and all(
            abs(a - b) <= PROBE_TOLERANCE for a, b in zip(self.probes, other.probes, strict=True)
        )

    def __str__(self) -> str:
        return f"{self.provider} {self.model} ({self.dim} dims)"


class Embedder(Protocol):
    """Texts in, one float32 vector each out.

    Equal texts must get equal vectors, whatever else is in the call: a brain answers after any
    sequence of edits exactly as after a fresh ingest only if that holds.
    May also declare ``batch_size`` (texts per call, default 32), ``special_tokens`` (tokens that
    the model adds to each text, default 0) and ``counts_by_line`` (no token crosses a line end and
    a line end is none, so that counts of lines add up; default False, which counts more often).
    One that sends its own batches has ``embed_each``, one that is paid for ``spending`` and
    ``billed``, and one whose model may change meanwhile ``confirmed``: see OpenAIEmbedder.
    Files that look like they hold secrets are kept from an embedder that brainkit does not know,
    unless its identity says ``hosted=False``.
    """

    @property
    def identity(self) -> Identity:
        """Which vector space this is; cheap where possible, and constant."""
        ...

    @property
    def max_tokens(self) -> int:
        """Window of the model in tokens, special tokens included; what is beyond it is cut."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of texts to be found, shape (n, dim), in the order of the texts."""
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question, shape (dim,)."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text: no prefix, no special tokens, nothing cut."""
        ...
