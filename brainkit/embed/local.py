"""The default embedder: bge-small-en-v1.5 as int8 ONNX, on the CPU, with nothing to download."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from brainkit.embed.base import Identity
from brainkit.embed.model_folder import (
    MODEL,
    OPTIONS,
    TOKENIZER,
    Options,
    own_file,
    packaged_file,
    packaged_folder,
    read_options,
    sha256_of,
)
from brainkit.embed.onnx import (
    INPUTS,
    WORKERS_MAX,
    open_session,
    open_tokenizer,
    run_all,
    run_one,
    usable_cpus,
)
from brainkit.embed.vectors import encodable, unit_rows
from brainkit.errors import EmbedderFailed, EmbedderUnavailable

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

SHA256 = {
    MODEL: "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
    TOKENIZER: "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
}
BGE_SMALL = Identity(
    provider="local",
    model="bge-small-en-v1.5",
    dim=384,
    revision=f"{SHA256[MODEL][:16]}-{SHA256[TOKENIZER][:16]}",
    query_prefix="Represent this sentence for searching relevant passages: ",
    max_tokens=512,
)

_BATCH = 32  # texts: about 0.6 s on two cores, which is what an interrupt can lose


class LocalEmbedder:
    """Embed with an ONNX encoder in this process.

    Each text runs alone. The int8 model scales its activations by the extremes of the whole
    *batch*, so texts that share a batch, or its padding, change each other's vectors by up to 0.016
    per component. Alone, a text has one vector, bit for bit, whatever is embedded beside it and on
    however many threads. It costs nothing: concurrent single-threaded runs of one session embed 54
    texts of 175 tokens a second on two cores, padded batches of four 47.

    folder : holds ``model.onnx`` and ``tokenizer.json``, and may hold ``brainkit.json`` (see
        ``Options``). ``None`` means the bge-small-en-v1.5 that is installed with brainkit.
    workers : texts embedded at the same time, 1 or more; default one per CPU, at most 8. It changes
        speed and memory, never a vector.
    Raises EmbedderUnavailable on first use if a file is missing or is not the expected one, and
    EmbedderFailed if a model of your own has a smaller window than it was said to have.
    """

    def __init__(self, folder: str | Path | None = None, *, workers: int | None = None) -> None:
        self._own = None if folder is None else Path(folder).expanduser()
        self._workers = workers or min(usable_cpus(), WORKERS_MAX)
        # As many for each worker, so that none is idle while another ends the batch.
        self.batch_size = max(1, _BATCH // self._workers) * self._workers
        self._loading = threading.RLock()
        self._session: InferenceSession | None = None

    @property
    def identity(self) -> Identity:
        """Known in advance for the packaged model; one of your own is loaded to learn its size."""
        return BGE_SMALL if self._own is None else self._own_identity

    @property
    def counts_by_line(self) -> bool:
        """The packaged model's word pieces stop at white space, so the tokens of lines add up."""
        return self._own is None

    @property
    def max_tokens(self) -> int:
        """Window of the model in tokens, special tokens included; what is beyond it is cut."""
        return self._options.max_tokens

    @property
    def special_tokens(self) -> int:
        """Tokens that the model adds to each text: 2 for BERT, [CLS] and [SEP]."""
        return int(self._counting.num_special_tokens_to_add(False))

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, float32 (n, dim), in the order of the texts."""
        return self._embed([self._options.document_prefix + text for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of a question, float32 (dim,)."""
        vector: NDArray[np.float32] = self._embed([self._options.query_prefix + text])[0]
        return vector

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text: no prefix, no special tokens, nothing cut."""
        clean = [encodable(text) for text in texts]
        encodings = self._counting.encode_batch_fast(clean, add_special_tokens=False)
        return [len(encoding) for encoding in encodings]

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, self.identity.dim), np.float32)
        session = self._loaded()
        encodings = self._cutting.encode_batch_fast([encodable(text) for text in texts])
        rows = run_all(lambda one: self._run(session, one), encodings, workers=self._workers)
        return unit_rows(np.stack(rows))

    def _run(self, session: InferenceSession, encoding: Encoding) -> NDArray[np.float32]:
        try:
            states = run_one(session, encoding)
        except Exception as error:  # the library's classes are outside its public API
            raise EmbedderFailed(
                f"The model failed on a text of {len(encoding)} tokens; if its window is smaller "
                f"than {self.max_tokens}, say so as max_tokens in {OPTIONS} beside it. It said: "
                f"{error}"
            ) from error
        pooled: NDArray[np.float32] = (
            states.mean(axis=0) if self._options.pooling == "mean" else states[0]
        )
        return pooled

    def _loaded(self) -> InferenceSession:
        with self._loading:
            if self._session is None:
                self._session = _opened(self._file(MODEL))
            return self._session

    @cached_property
    def _counting(self) -> Tokenizer:
        return open_tokenizer(self._file(TOKENIZER))

    @cached_property
    def _cutting(self) -> Tokenizer:
        tokenizer = open_tokenizer(self._file(TOKENIZER))
        tokenizer.enable_truncation(self.max_tokens)
        return tokenizer

    @cached_property
    def _options(self) -> Options:
        if self._own is not None:
            return read_options(self._own)
        return Options(query_prefix=BGE_SMALL.query_prefix, max_tokens=BGE_SMALL.max_tokens or 0)

    @cached_property
    def _own_identity(self) -> Identity:
        files = [self._file(name) for name in (MODEL, TOKENIZER)]
        options = self._options
        return Identity(
            provider="local",
            model=options.name or files[0].parent.resolve().name,
            dim=self._run(self._loaded(), self._cutting.encode("a")).size,
            revision="-".join([sha256_of(path)[:16] for path in files] + [options.pooling]),
            query_prefix=options.query_prefix,
            document_prefix=options.document_prefix,
            max_tokens=options.max_tokens,
        )

    def _file(self, name: str) -> Path:
        if self._own is not None:
            return own_file(self._own, name)
        return packaged_file(packaged_folder("bge_small_en"), name, sha256=SHA256[name])


@cache
def shared(folder: str | None) -> LocalEmbedder:
    """Return the one embedder of this process for a folder, so that brains share its 110 MB."""
    return LocalEmbedder(folder)


def _opened(path: Path) -> InferenceSession:
    session = open_session(path)
    taken = [argument.name for argument in session.get_inputs()]
    states = session.get_outputs()[0]
    if not set(taken) <= set(INPUTS) or len(states.shape) != len(("batch", "tokens", "dim")):
        raise EmbedderUnavailable(
            f"{path} takes {', '.join(taken)} and gives {states.name} of shape {states.shape}; "
            f"expected is a text encoder that takes {', '.join(INPUTS)} and gives first "
            f"(batch, tokens, dim)."
        )
    return session
