"""Vectors that were paid for once: content hash -> vector, one SQLite file per identity."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from brainkit.embed.base import Identity
from brainkit.errors import EmbedderFailed, EmbedderUnavailable
from brainkit.kept import Kept, identity_in

_FLOAT32 = np.dtype("<f4")


class EmbeddingCache:
    """Keep vectors by the hash of their text, for one identity; see Kept for what can go wrong.

    folder : the ``embeddings`` folder of a brain; made when the first vector is kept.
    identity : names the file by its digest. Where that file was begun by an identity of the same
        digest that does not agree with this one, as with other weights under the same name, it is
        the file with ``-2`` behind the digest, and so on. So vectors of two embedders cannot meet,
        and neither has to be paid for again where a brain goes from one to the other and back.
    """

    def __init__(self, folder: str | Path, identity: Identity) -> None:
        self._identity = identity
        self._kept = Kept(
            self._file(Path(folder)),
            identity=json.dumps(identity.to_dict(), sort_keys=True),
            is_ours=self._agrees,
            what="embeddings",
            maker="embedder",
            whole=lambda vector: len(vector) == identity.dim * _FLOAT32.itemsize,
        )

    @property
    def path(self) -> Path:
        """The file."""
        return self._kept.path

    @property
    def note(self) -> str | None:
        """What the user should know about this cache, in full sentences; None if all is well."""
        return self._kept.note

    @property
    def fault(self) -> str | None:
        """Why nothing more is kept; None as long as nothing is known against it."""
        return self._kept.fault

    def begin(self) -> str | None:
        """Make the file before anything is paid for; return why nothing can be kept, if so."""
        return self._kept.begin()

    @property
    def count(self) -> int:
        """Number of vectors kept."""
        return self._kept.count

    def get_many(self, hashes: Iterable[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """Return the vectors that are kept for these hashes; read-only, float32 (dim,) each."""
        found = self._kept.get(hashes)
        return {digest: np.frombuffer(vector, _FLOAT32) for digest, vector in found.items()}

    def put_many(self, hashes: Sequence[bytes], vectors: NDArray[np.float32]) -> None:
        """Keep one batch, all or nothing; a hash that is there already gets the new vector.

        Raises EmbedderFailed if ``vectors`` is not of shape (len(hashes), dim).
        """
        matrix = np.ascontiguousarray(vectors, _FLOAT32)
        if matrix.shape != (len(hashes), self._identity.dim):
            raise EmbedderFailed(
                f"The cache of {self._identity} was given vectors of shape {matrix.shape} for "
                f"{len(hashes)} texts; expected {(len(hashes), self._identity.dim)}."
            )
        self._kept.put(list(zip(hashes, (row.tobytes() for row in matrix), strict=True)))

    def close(self) -> None:
        """Let go of the file; using the cache again opens it again."""
        self._kept.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _file(self, folder: Path) -> Path:
        names = (f"{self._identity.digest}{'' if n == 1 else f'-{n}'}.sqlite" for n in count(1))
        return next(path for path in map(folder.joinpath, names) if not self._is_anothers(path))

    def _is_anothers(self, path: Path) -> bool:
        """Tell whether a file is sound and of the same name, but another model's."""
        stored = identity_in(path)
        found = None if stored is None else _parsed(stored)
        return (
            found is not None and found.digest == self._identity.digest and not self._is_same(found)
        )

    def _agrees(self, stored: str) -> bool:
        found = _parsed(stored)
        return found is not None and self._is_same(found)

    def _is_same(self, other: Identity) -> bool:
        """Tell whether vectors may be taken over, which is stricter than to compare them: of two
        names, one probed and one believed, neither can vouch for the other."""
        probed = self._identity.probes is not None
        return self._identity.agrees(other) and probed == (other.probes is not None)


def _parsed(stored: str) -> Identity | None:
    try:
        return Identity.from_dict(json.loads(stored))
    except (ValueError, TypeError, AttributeError, EmbedderUnavailable):
        return None
