"""Other bytes from sound ones: small damage, borrowed parts, and parts repeated without end."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Final

REPEATED_BYTES: Final = 60_000
"""Long enough for a cost that grows with the square to stand out, short enough to run often."""

_WORD: Final = re.compile(rb"[A-Za-z_]+|\d+|[^\w\s]+|\n[ \t]*")
_TOKENS: Final = (
    b"", b"\0", b"\xff", b"\r", b"\n", b"\t", b" ", b"\\", b'"', b"'", b"`", b"```", b"#", b"---\n",
    b"(", b")", b"[", b"]", b"{", b"}", b"<", b">", b"/*", b"*/", b"//", b"<!--", b"-->", b"]]>",
    b"<![CDATA[", b"&amp;", b"&#0;", b"&#x110000;", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
    "\u2028".encode(), "\u202e".encode(), "\u0130".encode(), "\ufdfa".encode(), b"\xef\xbb\xbf",
    "e\u0301".encode(), "\u1100\u1161".encode(), "\U0001f468\u200d\U0001f469".encode(),
    b"null", b"NaN", b"-Infinity", b"1e999", b"-0.0", b"9" * 25, b"9" * 5000, b"true", b"[]", b"{}",
    b"__proto__", b"../", b"/etc/passwd", b"%s%n", b"{0}", b"${x}", b"*", b"**", b"?", b"!", b"[!",
    b"[z-a]", b"\xff\xfe", b"\x1b$B", b"~{", b"\x1b$)C", b"PK\x03\x04", b"%PDF-", b"endobj",
    b"<script>", b"</script>", b"e" * 300, b"a.b" * 90, b"::", b"->", b"=>", b"@", b"\\u0000",
    b"\\ud800", b"\\x", b"aA1_" * 60,
)  # fmt: skip


def mutated(seeds: Sequence[bytes], chance: random.Random) -> bytes:
    """Return one of the seeds with one to several changes, or with a part repeated to 60 kB."""
    raw = bytearray(chance.choice(seeds))
    if chance.random() < 0.12:
        return _repeated(bytes(raw), chance)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 5, 9, 20))):
        _change(raw, seeds, chance)
    return bytes(raw)


def _change(raw: bytearray, seeds: Sequence[bytes], chance: random.Random) -> None:
    at = chance.randrange(len(raw) + 1)
    end = min(len(raw), at + chance.choice((0, 1, 1, 2, 4, 8, 30, 200)))
    match chance.randrange(9):
        case 0:  # one bit
            if at < len(raw):
                raw[at] ^= 1 << chance.randrange(8)
        case 1:
            raw[at:end] = chance.randbytes(end - at)
        case 2:
            del raw[at:end]
        case 3:  # twice, or many times
            raw[at:end] = raw[at:end] * chance.choice((2, 3, 20))
        case 4 | 5:
            raw[at:end] = chance.choice(_TOKENS)
        case 6:  # a part of another seed
            other = chance.choice(seeds)
            start = chance.randrange(len(other) + 1)
            raw[at:end] = other[start : start + chance.choice((1, 8, 60, 400))]
        case 7:  # cut off
            if chance.random() < 0.3:
                del raw[at:]
        case _:  # a word of the seeds in another's place
            words = _WORD.findall(chance.choice(seeds)) or [b"x"]
            there = _WORD.search(bytes(raw[at : at + 100]))
            if there:
                raw[at + there.start() : at + there.end()] = chance.choice(words)


def _repeated(raw: bytes, chance: random.Random) -> bytes:
    """Repeat a part, or two parts in turn or one after all of the other, between two halves."""
    parts = [_part(raw, chance) for _ in range(chance.choice((1, 2)))]
    total = sum(map(len, parts)) or 1
    count = max(1, REPEATED_BYTES // total)
    nested = chance.random() < 0.5
    middle = b"".join(part * count for part in parts) if nested else b"".join(parts) * count
    at = chance.randrange(len(raw) + 1)
    kept = 2000 if chance.random() < 0.5 else 0
    return raw[max(0, at - kept) : at] + middle + raw[at : at + kept]


def _part(raw: bytes, chance: random.Random) -> bytes:
    if chance.random() < 0.3:
        return chance.choice(_TOKENS)[:50] or b"x"
    words = _WORD.findall(raw) or [b"x"]
    at = chance.randrange(len(words))
    return b" ".join(words[at : at + chance.choice((1, 1, 2, 3, 6))])
