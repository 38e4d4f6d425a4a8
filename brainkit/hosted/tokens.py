"""How many tokens a hosted model will bill, without asking anybody."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module, util
from pathlib import Path
from typing import Final

ENCODING: Final = "cl100k_base"
"""Of all of OpenAI's embedding models."""
_URL: Final = f"https://openaipublic.blob.core.windows.net/encodings/{ENCODING}.tiktoken"
_SHA256: Final = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
_PIECES: Final = re.compile(r"[A-Za-z]+|[0-9]+|[^\x00-\x7f]+|[!-/:-@\[-`{-~]")
_LETTERS, _DIGITS, _BYTES = 5, 3, 3


def estimated(text: str) -> int:
    """Estimate the tokens of a text: rather too many than too few.

    Every 5 ASCII letters of a word, 3 digits, mark, or 3 bytes of another script counts one. No
    token crosses a line end, so that the counts of lines add up.

    >>> estimated("How are sessions signed?"), estimated("x = 12345")
    (7, 4)
    """
    return sum(map(_of_piece, _PIECES.findall(text)))


def beginning(text: str, most: int) -> str:
    """Return as much of the beginning of a text as ``most`` estimated tokens hold.

    >>> beginning("alpha beta gamma", 2)
    'alpha beta'
    """
    count = 0
    for piece in _PIECES.finditer(text):
        count += _of_piece(piece[0])
        if count > most:
            return text[: piece.start()].rstrip()
    return text


def _of_piece(piece: str) -> int:
    if not piece.isascii():
        return -(-len(piece.encode("utf-8", "replace")) // _BYTES)
    return -(-len(piece) // (_LETTERS if piece.isalpha() else _DIGITS))


def counter(model: str) -> Callable[[Sequence[str]], list[int]]:
    """Return what counts the tokens that are billed: exactly where possible, else by estimate.

    Exactly needs OpenAI's own tokenizer, tiktoken, with its vocabulary on this machine already:
    it would otherwise fetch it, which nobody asked for.
    """
    exact = _exact() if model.startswith("text-embedding-") else None
    return exact or (lambda texts: [estimated(text) for text in texts])


@functools.cache
def _exact() -> Callable[[Sequence[str]], list[int]] | None:
    if util.find_spec("tiktoken") is None or not _vocabulary_is_here():
        return None
    encoding = import_module("tiktoken").get_encoding(ENCODING)

    def count(texts: Sequence[str]) -> list[int]:
        # Ordinary: a text may spell a special token, which is an error otherwise.
        return [len(encoding.encode_ordinary(text)) for text in texts]

    return count


def _vocabulary_is_here() -> bool:
    """Tell whether tiktoken will find the very file it looks for, and not the network."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    if folder is None:
        folder = str(Path(tempfile.gettempdir(), "data-gym-cache"))
    if not folder:  # set to nothing, it keeps no files and always fetches
        return False
    path = Path(folder, hashlib.sha1(_URL.encode(), usedforsecurity=False).hexdigest())
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == _SHA256
    except OSError:
        return False
