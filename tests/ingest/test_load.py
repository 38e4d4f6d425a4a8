"""Reading files: encodings, line ends, binaries and limits."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.ingest.decode import Decoded, decode
from brainkit.ingest.load import Loaded, Unreadable, lines_of, load, long_line
from brainkit.settings import Settings


def loaded(
    folder: Path, raw: bytes, name: str = "a.txt", settings: Settings | None = None
) -> Loaded:
    result = outcome(folder, raw, name, settings)
    assert isinstance(result, Loaded), result
    return result


def reason(folder: Path, raw: bytes, name: str = "a.txt", settings: Settings | None = None) -> str:
    result = outcome(folder, raw, name, settings)
    assert isinstance(result, Unreadable), result
    return result.reason


def outcome(
    folder: Path, raw: bytes, name: str = "a.txt", settings: Settings | None = None
) -> Loaded | Unreadable:
    (folder / name).write_bytes(raw)
    return load(folder / name, relative=name, settings=settings or Settings())


def test_plain_utf8_needs_no_note(tmp_path: Path) -> None:
    raw = "grüße\n日本\n".encode()
    assert loaded(tmp_path, raw) == Loaded(
        "grüße\n日本\n", hashlib.sha256(raw).hexdigest(), "utf-8", None
    )


@pytest.mark.parametrize(
    ("codec", "mark", "encoding", "note"),
    [
        ("utf-8", b"\xef\xbb\xbf", "utf-8-sig", None),
        ("utf-16-le", b"\xff\xfe", "utf-16-le", "decoded as utf-16-le (byte order mark)"),
        ("utf-16-be", b"\xfe\xff", "utf-16-be", "decoded as utf-16-be (byte order mark)"),
        ("utf-32-le", b"\xff\xfe\0\0", "utf-32-le", "decoded as utf-32-le (byte order mark)"),
        ("utf-32-be", b"\0\0\xfe\xff", "utf-32-be", "decoded as utf-32-be (byte order mark)"),
        ("utf-16-le", b"", "utf-16-le", "decoded as utf-16-le (guessed: no byte order mark)"),
        ("utf-16-be", b"", "utf-16-be", "decoded as utf-16-be (guessed: no byte order mark)"),
    ],
)
def test_unicode_with_and_without_marks(
    tmp_path: Path, codec: str, mark: bytes, encoding: str, note: str | None
) -> None:
    text = "# Überschrift\nline two, mostly ASCII 😀\n"
    result = loaded(tmp_path, mark + text.encode(codec))
    assert (result.text, result.encoding, result.note) == (text, encoding, note)


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("cp1252", "naïve café résumé\n"),
        ("cp1252", "It’s a “quoted” text – with dashes and 5 €\n"),
        ("cp1252", "# Author: André Müller\n"),
        ("cp1252", "¿Qué niño comió la piña?\n"),
        ("cp1252", "Hon är på väg till affären för att köpa ägg åt oss.\n"),
        ("cp1250", "Zażółć gęślą jaźń, proszę bardzo o więcej\n"),
        ("cp1251", "Это русский текст о поиске документов.\n"),
        ("cp1251", "Привет, мир\n"),
        ("koi8_r", "Это русский текст о поиске документов.\n"),
        ("cp1253", "Αυτό είναι ένα ελληνικό κείμενο\n"),
        ("cp932", "これは日本語のテキストです。検索の説明をします。\n"),
        ("euc_jp", "これは日本語のテキストです。検索の説明をします。\n"),
        ("gb18030", "# 中文注释\n"),
        ("big5", "這是一個中文文本,用於測試編碼檢測。\n"),
        ("cp949", "이것은 한국어 텍스트입니다. 검색을 설명합니다.\n"),
    ],
)
def test_legacy_encodings_are_guessed_with_a_note(tmp_path: Path, codec: str, text: str) -> None:
    result = loaded(tmp_path, text.encode(codec))
    assert (result.text, result.encoding) == (text, codec)
    assert result.note == f"decoded as {codec} (guessed)"


def test_shift_jis_is_read_as_its_superset(tmp_path: Path) -> None:
    text = "日本語の文書\n" * 3
    result = loaded(tmp_path, text.encode("shift_jis"))
    assert (result.text, result.encoding) == (text, "cp932")


def test_one_accent_at_the_end_of_a_long_file_is_seen(tmp_path: Path) -> None:
    text = "plain line of text\n" * 20_000 + "café\n"
    assert loaded(tmp_path, text.encode("cp1252")).text == text


def test_a_few_broken_bytes_do_not_turn_utf8_into_something_else(tmp_path: Path) -> None:
    text = "über die Größe der Bäume\n" * 3
    result = loaded(tmp_path, text.encode() + b"cut \xc3\n")
    assert result.text == text + "cut \ufffd\n"
    assert (result.encoding, result.note) == (
        "utf-8",
        "decoded as utf-8; 1 place replaced by U+FFFD",
    )


def test_a_cut_utf16_file_keeps_what_is_whole(tmp_path: Path) -> None:
    result = loaded(tmp_path, "whole text\n".encode("utf-16") + b"x")
    assert result.text == "whole text\n\ufffd"
    assert result.note == "decoded as utf-16-le (byte order mark); 1 place replaced by U+FFFD"


@pytest.mark.parametrize(
    "cookie", ["# -*- coding: latin-1 -*-", "# vim: set fileencoding=latin-1 :"]
)
@pytest.mark.parametrize("head", ["", "#!/usr/bin/python\n"])
def test_a_python_files_declaration_is_honoured(tmp_path: Path, cookie: str, head: str) -> None:
    text = f"{head}{cookie}\nname = 'Ã©'\n"  # bytes C3 A9: valid UTF-8 for é, but declared Latin-1
    result = loaded(tmp_path, text.encode("latin-1"), "a.py")
    assert (result.text, result.encoding) == (text, "iso-8859-1")
    assert result.note == "decoded as iso-8859-1 (declared)"
    assert loaded(tmp_path, text.encode("latin-1"), "a.txt").encoding == "utf-8"


@pytest.mark.parametrize(
    "codec", ["klingon", "rot13", "utf-7", "unicode_escape", "utf-16", "ascii"]
)
def test_a_declaration_that_cannot_hold_is_passed_over(tmp_path: Path, codec: str) -> None:
    text = f"# coding: {codec}\nx = 'ü \\n +AGE-'\n"
    assert loaded(tmp_path, text.encode(), "a.py").text == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"a\rb\rc", "a\nb\nc"),
        (b"a\r\r\nb\n\rc", "a\n\nb\n\nc"),
        ("page\x0cb\x85c\u2028d\u2029 one line\x0b still\n".encode(), None),
    ],
)
def test_only_the_three_line_ends_end_a_line(tmp_path: Path, raw: bytes, text: str | None) -> None:
    result = loaded(tmp_path, raw).text
    assert result == (raw.decode() if text is None else text)
    assert len(lines_of(result)) == result.count("\n") + 1


@given(st.text())
def test_lines_join_to_the_text(text: str) -> None:
    lines = lines_of(text)
    assert "\n".join(lines) == text
    assert len(lines) == text.count("\n") + 1


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", "empty"),
        (b" \r\n\t\n", "blank"),
        (b"\xef\xbb\xbf", "blank"),
        (b"%PDF-1.7\n", "binary: a PDF document"),
        (b"PK\x03\x04rest", "binary: a ZIP archive or office document"),
        (b"\x89PNG\r\n\x1a\n\0\0", "binary: a PNG picture"),
        (b"\x7fELF\x02\x01", "binary: an ELF program"),
        (b"text with \0 inside", "binary: it has NUL bytes"),
        (b"\xef\xbb\xbftext\0", "binary: it has NUL bytes"),
        (bytes(range(1, 32)) * 9, "binary: it is full of control characters"),
        (b"\0\1\2\3" * 50, "binary: it has NUL bytes"),
        (
            b"\x81\x8d\x8f\x90\x9d\xff" * 20,
            "binary, or text in an encoding that could not be guessed",
        ),
    ],
)
def test_what_is_not_text_says_why(tmp_path: Path, raw: bytes, expected: str) -> None:
    assert reason(tmp_path, raw) == expected


def test_coloured_logs_and_page_breaks_are_text(tmp_path: Path) -> None:
    raw = b"\x1b[31merror\x1b[0m: no\n\x0c\nnext page\n"
    assert loaded(tmp_path, raw).text == raw.decode()


def test_nul_in_utf16_is_replaced(tmp_path: Path) -> None:
    result = loaded(tmp_path, "ten letters and one \0\n".encode("utf-16"))
    assert result.text == "ten letters and one \ufffd\n"
    assert result.note == "decoded as utf-16-le (byte order mark); 1 place replaced by U+FFFD"


def test_a_minified_line_is_named_with_its_length(tmp_path: Path) -> None:
    raw = b"var a;\n" + b"x" * 5_000_000 + b"\n"
    assert reason(tmp_path, raw, "a.min.js") == (
        "a line of 5,000,000 characters (the limit is 20,000, max_line_chars): minified or data"
    )


def test_the_line_limit_counts_characters_and_is_inclusive(tmp_path: Path) -> None:
    settings = Settings(max_line_chars=100)
    assert loaded(tmp_path, ("é" * 100 + "\n").encode(), settings=settings).text == "é" * 100 + "\n"
    assert reason(tmp_path, ("é" * 101).encode(), settings=settings).startswith("a line of 101 ")
    assert long_line("a\nb", settings=settings) is None


@pytest.mark.parametrize("name", ["a.ipynb", "a.html"])
def test_lines_of_files_to_be_extracted_are_not_judged_here(tmp_path: Path, name: str) -> None:
    assert len(loaded(tmp_path, b"x" * 30_000, name).text) == 30_000


def test_the_size_limit_holds_for_what_is_read(tmp_path: Path) -> None:
    settings = Settings(max_file_bytes=10)
    assert loaded(tmp_path, b"x" * 10, settings=settings).text == "x" * 10
    assert reason(tmp_path, b"x" * 11, settings=settings) == (
        "11 bytes; the limit is 10 (max_file_bytes)"
    )


def test_a_missing_file_and_a_folder_give_the_systems_reason(tmp_path: Path) -> None:
    assert load(tmp_path / "gone", relative="gone", settings=Settings()) == Unreadable(
        "cannot be read: No such file or directory"
    )
    folder = load(tmp_path, relative="x", settings=Settings())
    assert isinstance(folder, Unreadable)
    assert folder.reason.startswith("cannot be read: ")


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="permissions do not bind this user"
)
def test_a_file_without_permission_gives_the_systems_reason(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("text")
    (tmp_path / "a.md").chmod(0)
    assert load(tmp_path / "a.md", relative="a.md", settings=Settings()) == Unreadable(
        "cannot be read: Permission denied"
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_the_files_place_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")
    assert load(tmp_path / "a.md", relative="a.md", settings=Settings()) == Unreadable(
        "not a file but a pipe or device"
    )


@given(st.binary(max_size=300))
def test_any_bytes_give_storable_text_or_a_reason(raw: bytes) -> None:
    for python in (False, True):
        decoded = decode(raw, python=python)
        if isinstance(decoded, Decoded):
            assert "\0" not in decoded.text
            decoded.text.encode("utf-8")
        else:
            assert decoded


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1))
def test_utf8_comes_back_unchanged(text: str) -> None:
    raw = text.encode()
    if not raw.startswith((b"\xef\xbb\xbf", b"%PDF-")):
        assert decode(raw) == Decoded(text, "utf-8")
