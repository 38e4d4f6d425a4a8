"""Whether index files are what they say: a brain that someone else made is data, not code.

A hash tells whether a file is what was written, not whether whoever wrote it meant well: it comes
with the file. Native code believes the sizes and numbers in what it maps, so these are checked
first, in a fraction of the time that hashing takes. What is unsound is made again from DuckDB.
"""

from __future__ import annotations

import json
import tokenize
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from brainkit.errors import BrainDamaged, BrainkitError

Array = NDArray[Any]
_BLOCK: Final = 50_000
_USEARCH_HEADER: Final = 64
_USEARCH_KINDS: Final = b"c\x0b\x0e\x0f"  # cosine; vectors of float32, keys of 64 bits, slots of 32
_KEY_AND_LEVEL: Final = 10
_CONNECTIVITY_MAX: Final = 1024


# What numpy raises for a header that is none, or one that lies about sizes.
_NO_ARRAY: Final = (
    ValueError, EOFError, OverflowError, MemoryError, SyntaxError, TypeError, tokenize.TokenError,
)  # fmt: skip


class Unsound(ValueError):
    """An index file contradicts itself, or what is kept with it."""


@contextmanager
def contradictions_named(what: str) -> Iterator[None]:
    """Raise BrainDamaged where rows of a database turn out not to fit each other.

    what : is made of them in the block. Checking each row against each other beforehand would take
        longer than making it.
    """
    try:
        yield
    except BrainkitError:
        raise
    except (
        ValueError, LookupError, TypeError, AttributeError, ArithmeticError, NotImplementedError,
        RecursionError,
    ) as error:  # fmt: skip
        raise BrainDamaged(
            f"{what} cannot be made, since what the brain's database holds contradicts itself "
            f"({type(error).__name__}: {str(error)[:80]}). Delete the brain and ingest again; if "
            "nobody else made or changed it, please report this."
        ) from error


def array(
    path: Path, *, dtypes: str | tuple[str, ...], shape: tuple[int | None, ...]
) -> NDArray[Any]:
    """Map an array that is of one of these types and, where it is not None, of this shape.

    A file that claims to be larger than it is cannot be mapped, so nothing is allocated for it.
    Raises Unsound.
    """
    try:
        # A slice of a memmap costs ten of an array's.
        found = np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except _NO_ARRAY as error:
        raise Unsound(f"{path.name} is no array ({str(error)[:80]})") from None
    kinds = (dtypes,) if isinstance(dtypes, str) else dtypes
    if found.dtype.str.lstrip("<|=") not in kinds or not found.flags.c_contiguous:
        raise Unsound(f"{path.name} holds {found.dtype}, not {' or '.join(kinds)}")
    if found.ndim != len(shape) or any(
        wanted not in (None, size) for wanted, size in zip(shape, found.shape, strict=True)
    ):
        raise Unsound(f"{path.name} has the shape {found.shape}, not {shape}")
    return found


def words_of(path: Path) -> Any:
    """Return what a JSON file says. Raises Unsound."""
    try:
        return json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise Unsound(f"{path.name} is no JSON ({str(error)[:80]})") from None


def within(name: str, values: Array, end: int, *, least: int = 0) -> None:
    """Raise Unsound unless all values are ``least`` to ``end - 1``."""
    if values.size and not (least <= values.min() and values.max() < end):
        raise Unsound(f"{name} points outside of what there is")


def bounds(name: str, values: Array, end: int) -> None:
    """Raise Unsound unless these say where the parts of something begin, from 0 to its end."""
    if not len(values) or values[0] != 0 or values[-1] != end or (values[1:] < values[:-1]).any():
        raise Unsound(f"{name} does not lead from 0 to {end:,}")


def texts(blob: Array, at: Array, counts: Any) -> None:
    """Raise Unsound unless the offsets cut the bytes into so many strings of UTF-8 each."""
    if not isinstance(counts, list) or not all(type(one) is int and one >= 0 for one in counts):
        raise Unsound("the strings are not counted")
    if sum(counts) + len(counts) != len(at):
        raise Unsound("there are other strings than are counted")
    within("the strings", at, len(blob) + 1)
    start = 0
    for count in counts:
        inside = at[start : start + count + 1]
        if (inside[1:] < inside[:-1]).any():
            raise Unsound("a string ends before it begins")
        start += count + 1
    inner = at[at < len(blob)]
    try:
        blob.tobytes().decode("utf-8")
    except UnicodeDecodeError:
        raise Unsound("the strings are not UTF-8") from None
    if ((blob[inner] & 0xC0) == 0x80).any():
        raise Unsound("a string begins within a character")


def postings(scores: Mapping[str, Array], vocabulary: Any, counts: Array, lengths: Array) -> None:
    """Raise Unsound unless these are postings: for each term its chunks, what it adds, how often.

    scores : data, indices and indptr as bm25s has them. vocabulary : term -> its number.
    """
    indptr, total = scores["indptr"], len(scores["indices"])
    bounds("the keyword index", indptr, total)
    within("the keyword index", scores["indices"], len(lengths))
    if len(scores["data"]) != total or len(counts) != total:
        raise Unsound("the keyword index has other scores or counts than postings")
    within("the keyword index", lengths, 2**31)
    if not isinstance(vocabulary, dict) or not all(
        type(number) is int and 0 <= number < len(indptr) - 1 for number in vocabulary.values()
    ):
        raise Unsound("the vocabulary names terms that have no postings")


def neighbours(path: Path, *, dim: int) -> None:
    """Raise Unsound unless usearch can map this file and stay within it.

    Its layout, by usearch 2: rows and bytes per row, the vectors, a header, the size and shape of
    the graph, the level of each node, and the nodes: key, level, and for each level from 0 up a
    count and slots for so many neighbours. Each neighbour must be a node that reaches that level.
    """
    raw = np.memmap(path, np.uint8, "r") if path.stat().st_size else np.empty(0, np.uint8)
    rows, width = _numbers(path, raw, 0, "<u4", 2)
    head = 8 + rows * width
    header = raw[head : head + _USEARCH_HEADER].tobytes()
    if rows and width != 4 * dim:
        raise Unsound(f"{path.name} has vectors of {width} bytes, not of {4 * dim}")
    if header[:7] != b"usearch" or header[13:17] != _USEARCH_KINDS or header[41:42] != b"\0":
        raise Unsound(f"{path.name} is no index of this kind")
    present, deleted, width = np.frombuffer(header[17:41], "<u8").tolist()
    at = head + _USEARCH_HEADER
    size, most, most_at_0, top, entry = _numbers(path, raw, at, "<u8", 5)
    if (present, deleted, width, size) != (rows, 0, dim, rows):
        raise Unsound(f"{path.name} counts its vectors in several ways")
    if not (1 <= most <= _CONNECTIVITY_MAX and 1 <= most_at_0 <= _CONNECTIVITY_MAX):
        raise Unsound(f"{path.name} has nodes of {most:,} neighbours")
    at += 40
    levels = np.asarray(_numbers(path, raw, at, "<i2", size, as_list=False), np.int64)
    if size and not (entry < size and levels.min() >= 0 and levels.max() == top == levels[entry]):
        raise Unsound(f"{path.name} has no way into its graph")
    base, above = 4 + 4 * most_at_0, 4 + 4 * most
    sizes = _KEY_AND_LEVEL + base + levels * above
    starts = at + 2 * size + np.concatenate(([0], np.cumsum(sizes)))
    if starts[-1] != len(raw):
        raise Unsound(f"{path.name} has {len(raw):,} bytes instead of {int(starts[-1]):,}")
    starts = starts[:-1]
    _keys(path, raw, starts, levels)
    for level in range(int(top) + 1 if size else 0):
        nodes = np.flatnonzero(levels >= level)
        before = base + (level - 1) * above if level else 0
        offsets = starts[nodes] + _KEY_AND_LEVEL + before
        _lists(path, raw, offsets, reach=levels >= level, most=most if level else most_at_0)


def _numbers(
    path: Path, raw: Array, at: int, dtype: str, count: int, *, as_list: bool = True
) -> Any:
    part = raw[at : at + np.dtype(dtype).itemsize * count].tobytes()
    if len(part) != np.dtype(dtype).itemsize * count:
        raise Unsound(f"{path.name} ends too early")
    found = np.frombuffer(part, dtype)
    return found.tolist() if as_list else found


def _keys(path: Path, raw: Array, starts: Array, levels: Array) -> None:
    """Each node's key must be a number of a row, and its level the one in the table."""
    for first in range(0, len(starts), _BLOCK):
        part = slice(first, first + _BLOCK)
        held = raw[starts[part, None] + np.arange(_KEY_AND_LEVEL)]
        keys = np.ascontiguousarray(held[:, :8]).view("<u8")[:, 0]
        own = np.ascontiguousarray(held[:, 8:]).view("<i2")[:, 0]
        if (keys >= 2**62).any() or (own != levels[part]).any():
            raise Unsound(f"{path.name} has nodes that are no rows")


def _lists(path: Path, raw: Array, offsets: Array, *, reach: Array, most: int) -> None:
    """Each list of neighbours must fit its place, and name nodes that have such a list too."""
    for first in range(0, len(offsets), _BLOCK):
        held = raw[offsets[first : first + _BLOCK, None] + np.arange(4 + 4 * most)].view("<u4")
        counts, slots = held[:, 0], held[:, 1:]
        if (counts > most).any():
            raise Unsound(f"{path.name} has lists of more than {most} neighbours")
        used = slots[np.arange(most) < counts[:, None]]
        if (used >= len(reach)).any() or not reach[used].all():
            raise Unsound(f"{path.name} names neighbours that are not there")
