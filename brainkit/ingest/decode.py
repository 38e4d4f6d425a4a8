"""Bytes to text: byte order marks, declarations, UTF-8, and then a guess that says it is one."""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from typing import Final, NamedTuple

_MARKS: Final = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MAGIC: Final = (
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive or office document"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"\x7fELF", "an ELF program"),
    (b"\xca\xfe\xba\xbe", "a Java class or Mach-O program"),
    (b"\xcf\xfa\xed\xfe", "a Mach-O program"),
    (b"\x1f\x8b\x08", "a gzip archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old office document"),
    (b"SQLite format 3\x00", "an SQLite database"),
)
_CONTROLS: Final = bytes(set(range(32)) - set(b"\t\n\r\f\b\x1b")) + b"\x7f"
_CONTROL_SHARE: Final = 0.05  # random bytes have 0.11; coloured logs and page breaks stay below
_HIGH: Final = bytes(range(128, 256))
_ASCII: Final = bytes(set(range(32, 127)) - set(b"\\")) + rb"\\ \n" + b"\n"  # valid as escapes too

# Western, Central European, Cyrillic, Greek, Turkish and the usual Asian encodings. Left to choose
# among all its codecs, charset-normalizer reads short texts as EBCDIC or UTF-16 of rare characters.
_GUESSABLE: Final = [
    *("cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1254"),
    *("cp932", "euc_jp", "gb18030", "big5", "cp949"),
]
_SAMPLE_BYTES: Final = 64_000
# Latin-1 without the Icelandic letters, where Turkish has its own, plus the rest of cp1252.
_WESTERN: Final = re.compile("[\x00-\x7f\xa0-ÏÑ-Ýßàáâãäåæçèéêëìíîïñòóôõö÷øùúûüýÿŒœŠšŸŽžƒˆ˜‐-›€™]+")
_SYLLABLES: Final = re.compile("[\u3040-\u30ff\u31f0-\u31ff\uac00-\ud7a3]")
_EAST_ASIAN: Final = re.compile(
    "[\u3000-\u31ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]"
)
_SYLLABLE_SHARE: Final = 0.25  # Japanese and Korean have more; what fits by chance has less
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


class Decoded(NamedTuple):
    """A text, Python's name of its encoding, and how far that was a guess or a repair."""

    text: str
    encoding: str
    note: str | None = None


def decode(raw: bytes, *, python: bool = False) -> Decoded | str:
    r"""Return the text of these bytes, or why they are not text.

    python : honour a PEP 263 encoding declaration.

    In this order: byte order mark, UTF-16 without a mark, seven-bit East Asian text, binary test,
    declaration, UTF-8, a guess.
    The text is free of NUL, which HTML and C cannot hold, and of lone surrogates.

    >>> decode("caf\xe9\n".encode("utf-16"))
    Decoded(text='café\n', encoding='utf-16-le', note='decoded as utf-16-le (byte order mark)')
    >>> decode(b"\x89PNG\r\n\x1a\n\x00")
    'binary: a PNG picture'
    """
    decoded = (
        _marked(raw)
        or _wide_without_mark(raw)
        or _shifted(raw)
        or _binary(raw)
        or (_declared(raw) if python else None)
        or _utf8(raw)
        or _guessed(raw)
    )
    if isinstance(decoded, str):
        return decoded
    text, replaced = _UNSTORABLE.subn("\ufffd", decoded.text)
    return _mended(decoded._replace(text=text), replaced)


def _marked(raw: bytes) -> Decoded | None:
    """Decode after a byte order mark; None if there is none or what follows belies it."""
    if raw.startswith(codecs.BOM_UTF8):
        decoded = _utf8(raw.removeprefix(codecs.BOM_UTF8))
        sound = decoded and not _full_of_controls(raw) and b"\x00" not in raw
        return decoded._replace(encoding="utf-8-sig") if decoded and sound else None
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            text = raw[len(mark) :].decode(encoding, "replace")
            broken = text.count("\ufffd")
            if broken * 10 <= len(text) and not _full_of_controls(text.encode()):
                note = f"decoded as {encoding} (byte order mark)"
                return _mended(Decoded(text, encoding, note), broken)
    return None


def _wide_without_mark(raw: bytes) -> Decoded | None:
    """Recognise UTF-16 of mostly ASCII text: NUL is every other byte, and hardly one between."""
    nuls = raw[0::2].count(0), raw[1::2].count(0)
    if len(raw) % 2 or max(nuls) * 5 < len(raw) or min(nuls) * 20 > max(nuls):
        return None  # fewer than 2 in 5 characters are ASCII
    encoding = "utf-16-le" if nuls[1] > nuls[0] else "utf-16-be"
    note = f"decoded as {encoding} (guessed: no byte order mark)"
    text = _strictly(raw, encoding)
    return Decoded(text, encoding, note) if text and not _full_of_controls(text.encode()) else None


def _shifted(raw: bytes) -> Decoded | None:
    """Recognise East Asian text in seven bits by its shifts: ESC $ (ISO 2022) or ~{ (HZ)."""
    if not raw.isascii():
        return None
    shifts = {b"\x1b$B": "iso2022_jp_2", b"\x1b$)C": "iso2022_kr", b"~{": "hz"}
    for shift, encoding in shifts.items():
        text = _strictly(raw, encoding) if shift in raw else None
        if text and any(letter > "\x7f" and letter.isalpha() for letter in text):
            return Decoded(text, encoding, f"decoded as {encoding} (guessed)")
    return None


def _binary(raw: bytes) -> str | None:
    kind = next((name for magic, name in _MAGIC if raw.startswith(magic)), None)
    if kind:
        return f"binary: {kind}"
    if b"\x00" in raw:
        return "binary: it has NUL bytes"
    return "binary: it is full of control characters" if _full_of_controls(raw) else None


def _full_of_controls(raw: bytes) -> bool:
    return len(raw) - len(raw.translate(None, _CONTROLS)) > _CONTROL_SHARE * len(raw)


def _declared(raw: bytes) -> Decoded | None:
    """Honour PEP 263 where the codec keeps ASCII as it is (unlike UTF-7) and decodes the file."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
        if encoding == "utf-8" or _ASCII.decode(encoding) != _ASCII.decode("ascii"):
            return None
        return Decoded(raw.decode(encoding), encoding, f"decoded as {encoding} (declared)")
    except (SyntaxError, LookupError, ValueError):
        return None


def _utf8(raw: bytes) -> Decoded | None:
    """Decode UTF-8, mending it where at most one in five of the non-ASCII characters is broken."""
    text = _strictly(raw, "utf-8")
    if text is not None:
        return Decoded(text, "utf-8")
    text = raw.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    if broken * 5 > len(text) - len(text.encode("ascii", "ignore")):
        return None
    return _mended(Decoded(text, "utf-8"), broken)


def _guessed(raw: bytes) -> Decoded | str:
    from charset_normalizer import from_bytes  # few files come this far

    matches = from_bytes(_telling_lines(raw), cp_isolation=_GUESSABLE)
    ties = [
        name
        for match in matches
        if (match.chaos, match.coherence) == (matches[0].chaos, matches[0].coherence)
        for name in match.could_be_from_charset
    ]
    for encoding in _by_likelihood(raw, ties):
        text = _strictly(raw, encoding)
        if text is not None:
            return Decoded(text, encoding, f"decoded as {encoding} (guessed)")
    return _rarely(raw) or "binary, or text in an encoding that could not be guessed"


def _rarely(raw: bytes) -> Decoded | None:
    """Try East Asian encodings that charset-normalizer refuses; syllables tell which fits best."""
    fits: list[tuple[float, Decoded]] = []
    for encoding in ("shift_jis_2004", "euc_jis_2004", "cp949", "johab"):
        text = _strictly(raw, encoding) or ""
        foreign = [letter for letter in text if not letter.isascii()]
        if foreign and len(_EAST_ASIAN.sub("", "".join(foreign))) * 20 <= len(foreign):
            syllables = len(foreign) - len(_SYLLABLES.sub("", "".join(foreign)))
            note = f"decoded as {encoding} (guessed)"
            fits.append((syllables / len(foreign), Decoded(text, encoding, note)))
    best = max(fits, key=lambda fit: fit[0], default=None)
    return best[1] if best is not None and best[0] > _SYLLABLE_SHARE else None


def _by_likelihood(raw: bytes, ties: list[str]) -> list[str]:
    """Order the encodings that charset-normalizer finds equally good, on what it does not look at.

    It prefers cp1250 to the far more common cp1252 wherever both give letters, takes short Cyrillic
    for accented Latin, and KOI8-R, which has the cases the other way round, for cp1251 in capitals.
    """
    western = _strictly(raw, "cp1252") or ""
    if _WESTERN.fullmatch(western) and (
        (ties[0] in ("cp1250", "cp1254") and "cp1252" in ties)
        if ties
        else len(raw.translate(None, _HIGH)) * 10 >= len(raw) * 7
    ):
        return ["cp1252", *ties]
    if ties[:1] == ["cp1250"]:
        ties = sorted(ties, key=lambda name: name != "cp1251")
    if ties[:1] == ["cp1251"] and "koi8_r" in ties:
        text = raw.decode("cp1251", "ignore")
        if sum(map(str.isupper, text)) > sum(map(str.islower, text)):
            return ["koi8_r", *ties]
    return ties


def _telling_lines(raw: bytes) -> bytes:
    """Return the lines with a non-ASCII byte, up to a sample's size: the rest tells nothing."""
    sample = bytearray()
    for line in raw.split(b"\n"):
        if not line.isascii():
            sample += line + b"\n"
            if len(sample) > _SAMPLE_BYTES:
                break
    return bytes(sample)


def _strictly(raw: bytes, encoding: str) -> str | None:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError:
        return None


def _mended(decoded: Decoded, broken: int) -> Decoded:
    if not broken:
        return decoded
    places = "1 place" if broken == 1 else f"{broken:,} places"
    note = decoded.note or f"decoded as {decoded.encoding}"
    return decoded._replace(note=f"{note}; {places} replaced by U+FFFD")
