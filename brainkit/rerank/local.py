"""The default reranker: a small cross-encoder as int8 ONNX, on the CPU, nothing to download."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from brainkit.embed.model_folder import (
    MODEL,
    OPTIONS,
    TOKENIZER,
    own_file,
    packaged_file,
    packaged_folder,
    read_options,
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
from brainkit.embed.vectors import encodable
from brainkit.errors import EmbedderUnavailable, RerankerFailed, RerankerUnavailable
from brainkit.rerank.base import checked

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

SHA256 = {
    MODEL: "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
    TOKENIZER: "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
}
MAX_TOKENS = 512
_PACKAGED = "reranker_en"


class LocalReranker:
    """Rerank with an ONNX cross-encoder in this process.

    The model reads question and text as one pair and gives a logit. A pair that is longer than its
    window loses the end of the *text*; a question keeps at least its first half window. Each pair
    runs alone (see ``embed.onnx.run_all``): in batches of four, scores differ by up to 0.2.

    folder : holds ``model.onnx`` and ``tokenizer.json``, and may hold ``brainkit.json`` with
        ``name`` and ``max_tokens``. None means the one that is installed with brainkit.
    workers : pairs read at the same time, 1 or more; default one per CPU, at most 8.
    Raises RerankerUnavailable on first use if a file is missing or is not the expected one.
    """

    sends = False

    def __init__(self, folder: str | Path | None = None, *, workers: int | None = None) -> None:
        self._own = None if folder is None else Path(folder).expanduser()
        self._workers = workers or min(usable_cpus(), WORKERS_MAX)
        self._loading = threading.Lock()
        self._loaded: tuple[InferenceSession, Tokenizer] | None = None

    @cached_property
    def name(self) -> str:
        """What the folder's ``brainkit.json`` calls it, else the folder's name."""
        if self._own is None:
            return f"local:{_PACKAGED}"
        try:
            given = read_options(self._own).name
        except EmbedderUnavailable as error:
            raise RerankerUnavailable(str(error)) from error
        return f"local:{given or self._own.resolve().name}"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the logit of each pair, in the order of the texts; the same ones every time."""
        if not texts:
            return []
        session, tokenizer = self._ready()
        asked = self._shortened(query, tokenizer)
        pairs = tokenizer.encode_batch([(asked, encodable(text)) for text in texts])

        def score(pair: Encoding) -> float:
            try:
                return float(run_one(session, pair)[0])
            except Exception as error:  # the library's classes are outside its public API
                raise RerankerFailed(
                    f"{self.name} failed on a pair of {len(pair)} tokens; if its window is "
                    f"smaller, say so as max_tokens in {OPTIONS} beside it. It said: {error}"
                ) from error

        return checked(run_all(score, pairs, workers=self._workers), texts, name=self.name)

    def _shortened(self, query: str, tokenizer: Tokenizer) -> str:
        clean, room = encodable(query), self._max_tokens // 2
        offsets = tokenizer.encode(clean, add_special_tokens=False).offsets
        return clean if len(offsets) <= room else clean[: offsets[room - 1][1]]

    def _ready(self) -> tuple[InferenceSession, Tokenizer]:
        with self._loading:
            if self._loaded is None:
                try:
                    session = _opened(self._file(MODEL))
                    tokenizer = open_tokenizer(self._file(TOKENIZER))
                    tokenizer.enable_truncation(self._max_tokens, strategy="only_second")
                except EmbedderUnavailable as error:  # says which file, and what to do
                    raise RerankerUnavailable(f"the reranker cannot be used: {error}") from error
                self._loaded = session, tokenizer
            return self._loaded

    @cached_property
    def _max_tokens(self) -> int:
        return MAX_TOKENS if self._own is None else read_options(self._own).max_tokens

    def _file(self, name: str) -> Path:
        if self._own is not None:
            return own_file(self._own, name)
        return packaged_file(packaged_folder(_PACKAGED), name, sha256=SHA256[name])


@cache
def shared(folder: str | None) -> LocalReranker:
    """Return the one reranker of this process for a folder, so that brains share its memory."""
    return LocalReranker(folder)


def _opened(path: Path) -> InferenceSession:
    session = open_session(path)
    taken = [argument.name for argument in session.get_inputs()]
    scores = session.get_outputs()[0]
    if not set(taken) <= set(INPUTS) or len(scores.shape) != 2 or scores.shape[1] != 1:
        raise EmbedderUnavailable(
            f"{path} takes {', '.join(taken)} and gives {scores.name} of shape {scores.shape}; "
            f"expected is a cross-encoder that takes {', '.join(INPUTS)} and gives (batch, 1)."
        )
    return session
