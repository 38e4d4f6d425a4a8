"""A corpus without meaning, but with what decides speed: Zipf's terms and clustered vectors."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from brainkit.embed.given import GivenEmbedder
from brainkit.embed.local import BGE_SMALL

Floats = NDArray[np.float32]

DIM = BGE_SMALL.dim
_VOCABULARY = 60_000
_WORDS_PER_TEXT = 110  # after stop words, as a chunk of 256 tokens of English holds
_OFFSET = 25  # Mandelbrot's: the most frequent term is then in about a third of the texts
_CLUSTERS = 300
_SPREAD = 0.8  # length of the noise added to a centre of length 1
_DECAY = 0.35  # of deviation by axis: the local dimension is then 23, of bge-small's vectors 25
_CONSONANTS, _VOWELS = "bdfgklmnprtvz", "aou"  # endings that the stemmer leaves alone


@dataclass(frozen=True)
class Corpus:
    """Texts, their vectors, and questions made of a text's own words with a vector near its own."""

    size: int
    seed: int = 7
    questions: int = 120

    @cached_property
    def texts(self) -> list[str]:
        """The texts, all different."""
        random = np.random.default_rng(self.seed)
        weights = 1.0 / (np.arange(_VOCABULARY) + _OFFSET) ** 1.07
        bounds = np.cumsum(weights / weights.sum())
        lengths = np.maximum(
            5, random.lognormal(np.log(_WORDS_PER_TEXT), 0.4, self.size).astype(int)
        )
        drawn = np.searchsorted(bounds, random.random(int(lengths.sum())))
        words = np.array(_words(random), object)
        starts = np.cumsum(lengths)[:-1]
        parts = np.split(words[np.minimum(drawn, _VOCABULARY - 1)], starts)
        return [f"{' '.join(part)} {_word(at)}" for at, part in enumerate(parts)]

    @cached_property
    def vectors(self) -> Floats:
        """Unit vectors, shape (size, DIM)."""
        random = np.random.default_rng(self.seed + 1)
        centres = _unit(_drawn(_CLUSTERS, random))
        members = random.integers(_CLUSTERS, size=self.size)
        return _near(centres[members], random)

    @cached_property
    def asked(self) -> dict[str, Floats]:
        """Question -> its unit vector, shape (DIM,)."""
        random = np.random.default_rng(self.seed + 2)
        rows = random.choice(self.size, size=min(self.questions, self.size), replace=False)
        texts = []
        for row in rows:
            words = self.texts[row].split()
            count = int(random.integers(3, 9))
            texts.append(" ".join(random.choice(words, size=count).tolist()))
        return dict(zip(texts, _near(self.vectors[rows], random), strict=True))

    def records(self) -> Iterator[dict[str, str]]:
        """Yield the texts as ``ingest_texts`` takes them."""
        width = len(str(self.size - 1))
        for at, text in enumerate(self.texts):
            yield {"id": f"r{at:0{width}d}", "text": text}

    def embedder(self) -> Lookup:
        """Return the embedder that knows these texts and questions."""
        known = dict(zip(self.texts, self.vectors, strict=True))
        return Lookup({**known, **self.asked})


class Lookup:
    """Answers as the local embedder, so that a brain takes it for that, but runs no model.

    Its vectors are looked up by text. Tokens are estimated as for any callable, since these words
    are in no vocabulary. ``seconds`` is what looking up took.
    """

    identity = BGE_SMALL
    max_tokens = 100_000  # nothing is cut
    batch_size = 1024

    def __init__(self, vectors: dict[str, Floats]) -> None:
        self._vectors = vectors
        self._counter = GivenEmbedder(self.embed_documents)
        self.seconds = 0.0

    def embed_documents(self, texts: Sequence[str]) -> Floats:
        """Return the vectors of texts of the corpus."""
        start = time.perf_counter()
        found = np.stack([self._vectors[text] for text in texts])
        self.seconds += time.perf_counter() - start
        return found

    def embed_query(self, text: str) -> Floats:
        """Return the vector of a question of the corpus."""
        return self._vectors[text]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Estimate the tokens of each text."""
        return self._counter.count_tokens(texts)


def _words(random: np.random.Generator) -> list[str]:
    order = random.permutation(_VOCABULARY)
    return [_word(int(at)) for at in order]


def _word(number: int) -> str:
    """Return the number's own word: syllables of a consonant and a vowel, four or more."""
    syllables = []
    number += (len(_CONSONANTS) * len(_VOWELS)) ** 3
    while number:
        number, digit = divmod(number, len(_CONSONANTS) * len(_VOWELS))
        syllables.append(_CONSONANTS[digit // len(_VOWELS)] + _VOWELS[digit % len(_VOWELS)])
    return "".join(syllables)


def _near(vectors: Floats, random: np.random.Generator) -> Floats:
    noise = _unit(_drawn(len(vectors), random))
    noise *= np.float32(_SPREAD)
    noise += vectors
    return _unit(noise)


def _drawn(count: int, random: np.random.Generator) -> Floats:
    """Draw directions that vary most along a few axes, as those of real texts do."""
    drawn = random.standard_normal((count, DIM), np.float32)
    drawn *= (np.arange(1, DIM + 1) ** -_DECAY).astype(np.float32)
    return drawn


def _unit(vectors: Floats) -> Floats:
    scaled: Floats = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return scaled
