"""The fast embedder: the average of static token vectors, with the weights of wordllama's wheel."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from brainkit.embed.base import Identity
from brainkit.embed.vectors import encodable, unit_rows
from brainkit.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from tokenizers import Tokenizer

WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
TENSOR = "embedding.weight"
UNLIMITED = 1 << 20
_INSTALL = 'run: pip install "brainkit[static]"'
_SLICE = 4096
_DTYPES = {"F16": "<f2", "F32": "<f4"}


class StaticEmbedder:
    """Embed a text as the mean of its tokens' vectors: no word order, no context, but fast.

    wordllama's data files are read, its code is not imported: importing it would reset the host's
    logging, and it looks for its own tokenizer in a folder that its wheel does not have, so that it
    can only load by downloading. The vectors are the same.

    Raises EmbedderUnavailable on first use if the package is not installed.
    """

    batch_size = 1024
    max_tokens = UNLIMITED
    """A mean has no window; the number only bounds what a chunker may ask for."""

    @cached_property
    def identity(self) -> Identity:
        """Computed from the files, so that another wheel with other weights is another identity."""
        hashes = [hashlib.sha256(_read(name)).hexdigest()[:16] for name in (WEIGHTS, TOKENIZER)]
        return Identity(
            provider="static",
            model="wordllama-l2-supercat-256",
            dim=self._table.shape[1],
            revision="-".join(hashes),
        )

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, float32 (n, dim); a text without tokens gets a zero row."""
        table = self._table
        sums = np.zeros((len(texts), table.shape[1]), np.float32)  # as long as needed: scaled below
        for at, ids in enumerate(self._tokens(texts)):
            for start in range(0, len(ids), _SLICE):  # bounds the memory of a very long text
                sums[at] += table[ids[start : start + _SLICE]].sum(axis=0)
        return unit_rows(sums)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of a question, float32 (dim,); it is embedded like a document."""
        vector: NDArray[np.float32] = self.embed_documents([text])[0]
        return vector

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text."""
        return [len(ids) for ids in self._tokens(texts)]

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        clean = [encodable(text) for text in texts]
        encodings = self._tokenizer.encode_batch_fast(clean, add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    @cached_property
    def _table(self) -> NDArray[np.float32]:
        return _tensor(_read(WEIGHTS), TENSOR)

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_buffer(_read(TOKENIZER))
        rows = len(self._table)
        if tokenizer.get_vocab_size() > rows:
            raise EmbedderUnavailable(
                f"wordllama's tokenizer has {tokenizer.get_vocab_size()} tokens but its weights "
                f"have {rows} rows; {_INSTALL} --force-reinstall"
            )
        return tokenizer


def _read(name: str) -> bytes:
    spec = importlib.util.find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise EmbedderUnavailable(
            f"embedder='static' needs the package wordllama, which is not installed; {_INSTALL}"
        )
    path = Path(spec.submodule_search_locations[0], name)
    try:
        return path.read_bytes()
    except OSError as error:
        raise EmbedderUnavailable(
            f"{path} cannot be read ({error.strerror}); {_INSTALL} --force-reinstall"
        ) from error


def _tensor(raw: bytes, name: str) -> NDArray[np.float32]:
    """Return one matrix of a safetensors file: u64 header length, JSON header, then the numbers."""
    try:
        length = int.from_bytes(raw[:8], "little")
        entry = json.loads(raw[8 : 8 + length])[name]
        begin, end = entry["data_offsets"]
        flat = np.frombuffer(raw[8 + length :][begin:end], _DTYPES[entry["dtype"]])
        table: NDArray[np.float32] = flat.reshape(entry["shape"]).astype(np.float32)
    except (ValueError, KeyError, TypeError) as error:
        raise EmbedderUnavailable(
            f"wordllama's weights cannot be read ({error!r}); {_INSTALL} --force-reinstall"
        ) from error
    return table
