"""Hostile files, records and queries: a result or a clear error, and nothing else is lost."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import brainkit
from brainkit.errors import (
    BrainkitError,
    InvalidRecord,
    InvalidRequest,
    NoSuchFolder,
    NotABrain,
)

FILES: dict[str, bytes] = {
    "empty.txt": b"",
    "blank.md": b" \n\t\n\r\n",
    "utf16.txt": "alpha in UTF-16 café\nsecond line\n".encode("utf-16"),
    "utf16be.txt": "\ufeffalpha in big endian\n".encode("utf-16-be"),
    "utf32.txt": "alpha in UTF-32\n".encode("utf-32"),
    "cp1252.txt": "alpha café “quoted” naïve façade\n".encode("cp1252"),
    "latin.py": "# -*- coding: latin-1 -*-\nalpha = 'é'\n".encode("latin-1"),
    "bom.md": "\ufeff# alpha heading\n\nbody\n".encode(),
    "crlf.txt": b"alpha first\r\nsecond\r\n",
    "cr.txt": b"alpha first\rsecond\r",
    "surrogates.txt": b"alpha \xed\xa0\x80 lone surrogate\n",
    "mixed.txt": b"alpha " + "é".encode() * 20 + b" \xff and more\n",
    "nul.txt": b"alpha\0beta\0",
    "picture.md": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR alpha",
    "program.bin": bytes(range(256)) * 40,
    "broken.py": b"def alpha(:\n    x = (\nclass\n",
    "deep.py": b"alpha = " + b"(" * 3000 + b")" * 3000,
    "deep_blocks.py": b"".join(b" " * i + b"if alpha:\n" for i in range(150)),
    "deep.md": b"> " * 800 + b"alpha\n" + b"- " * 300 + b"alpha\n",
    "deep.json": b"[" * 3000 + b"]" * 3000,
    "fence.md": b"# alpha\n\n```python\nnever closed\n" + b"#" * 300 + b" x\n",
    "html.md": b"alpha <script>alert(1)</script> </script> <img src=x onerror=alert(1)>\n",
    "controls.txt": b"alpha \x07\x08\x1b[31m red \x0c page\n" + b"text " * 40,
    "one_line.txt": b"alpha " * 850_000,
    "long_words.txt": ("alpha " + "x" * 15_000 + "\n").encode(),
    "lines.txt": b"\n" * 20_000 + b"alpha at the end\n",
    "rtl.txt": "alpha \u202e reversed \u2066 isolated \u200b zero width".encode(),
    "separators.txt": "alpha\u2028beta\u2029gamma\x85delta\x0bepsilon\n".encode(),
    "zalgo.txt": ("alpha z" + "\u0301\u0302\u0303" * 400).encode(),
    "astral.txt": "alpha 𝒜𝓁𝓅𝒽𝒶 👩‍👩‍👧‍👦 🏳️‍🌈 𠜎𠜱\n".encode(),
    "archive.gz": gzip.compress(b"alpha"),
}
NAMES: tuple[bytes, ...] = (
    b"-rf.md", b"#hash.md", b"!neg.md", b"[x].md", b"*.md", b" space .md", b"qu'o\"te.md",
    b"semi;colon.md", b"$(boom).md", b"<b>.md", b"back\\slash.md", "e\u0301.md".encode(),
    "é.md".encode(), "日本.md".encode(), b"new\nline.md", b"bell\x07.md", b"bad\xff.md",
    b"bad\xfe.md", b"x" * 252 + b".md", b"~home.md", b"%00.md", b"con.md", b"a:b.md",
)  # fmt: skip


def answers_of(brain: Any, query: str, **more: Any) -> list[str]:
    """The sources of an answer, after looking at all of its faces."""
    answer = brain.query(query, **more)
    repr(answer).encode()
    answer._repr_html_().encode()
    json.dumps(answer.to_dict())
    return [result.source for result in answer.results]


@pytest.fixture
def brain(tmp_path: Path, word_vectors: Any) -> Iterator[Any]:
    with brainkit.open(tmp_path / "x.brain", embedder=word_vectors) as brain:
        yield brain


def test_every_file_gets_a_row_and_the_good_ones_answer(tmp_path: Path, brain: Any) -> None:
    folder = tmp_path / "messy"
    folder.mkdir()
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "good.md").write_text("# Good\n\nalpha unharmed\n")
    (folder / "nowhere").symlink_to(folder / "not there")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe.txt")

    report = brain.ingest(folder, progress=False)
    rows = {row.source.removeprefix("messy/"): row for row in report.files}
    assert rows.keys() >= FILES.keys() | {"good.md", "nowhere", "pipe.txt"}
    left_out = {name for name, row in rows.items() if row.status == "skipped"}
    assert left_out >= {
        "empty.txt", "blank.md", "nul.txt", "picture.md", "program.bin", "one_line.txt",
        "archive.gz", "nowhere", "pipe.txt",
    }  # fmt: skip
    assert all(rows[name].detail for name in left_out), "each with its reason"
    assert all(row.chunks for name, row in rows.items() if name not in left_out)
    repr(report).encode()
    assert answers_of(brain, "alpha unharmed", top_k=1) == ["messy/good.md"]
    for name, words in {
        "utf16.txt": "UTF-16 café", "utf16be.txt": "big endian", "utf32.txt": "UTF-32",
        "cp1252.txt": "naïve façade", "latin.py": "é", "bom.md": "heading", "crlf.txt": "first",
        "broken.py": "alpha class", "surrogates.txt": "lone", "rtl.txt": "isolated",
        "lines.txt": "at the end",
    }.items():  # fmt: skip
        found = answers_of(brain, f"alpha {words}", file_paths=[name], mode="bm25")
        assert found == [f"messy/{name}"] * len(found) != [], name
    assert brain.check()
    assert brain.ingest(folder, progress=False).generation is None, "nothing differs"


def test_file_names_may_be_anything(tmp_path: Path, brain: Any) -> None:
    folder = os.fsencode(tmp_path / "names")
    os.mkdir(folder)
    words = {
        name: "q" + "bcdfghjklm"[n // 10] + "npqrstvwxz"[n % 10] for n, name in enumerate(NAMES)
    }
    for name, word in words.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(b"alpha " + word.encode())
    report = brain.ingest(tmp_path / "names", progress=False)
    assert len(report.files) == len(NAMES)
    skipped = [row.source for row in report.files if row.status == "skipped"]
    assert len(skipped) == 4, "a line break, a control character and undecodable bytes"
    repr(report).encode()
    for name, word in words.items():
        found = answers_of(brain, word, mode="bm25")
        readable = not {b"\n", b"\x07", b"\xff", b"\xfe"} & {bytes([byte]) for byte in name}
        assert found == ([f"names/{name.decode()}"] if readable else [])
    assert brain.check()


@pytest.mark.parametrize("name", [b"line\nbreak", b"bad\xff", b" ", b"-", b"[x]", b"#", b"!a"])
def test_folder_names_may_be_anything(name: bytes, tmp_path: Path, brain: Any) -> None:
    folder = Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), name)))
    folder.mkdir()
    (folder / "a.md").write_text("alpha")
    if name == b"bad\xff":
        with pytest.raises(NoSuchFolder, match="undecodable bytes"):
            brain.ingest(folder, progress=False)
        assert answers_of(brain, "alpha") == []
        return
    report = brain.ingest(folder, progress=False)
    assert answers_of(brain, "alpha") == [f"{report.label}/a.md"]
    assert brain.ingest(folder, progress=False).generation is None
    brain.remove(report.label)
    assert answers_of(brain, "alpha") == []


def test_a_brain_cannot_lie_at_undecodable_bytes(tmp_path: Path) -> None:
    with pytest.raises(NotABrain, match="undecodable bytes"):
        brainkit.open(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.brain"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [None, {}, {"a.bin": bytes(range(256)), "b.png": b"\x89PNG\0"}])
def test_a_folder_with_nothing_to_index_is_a_success_that_says_so(
    content: dict[str, bytes] | None, tmp_path: Path, brain: Any
) -> None:
    folder = tmp_path / "nothing"
    folder.mkdir()
    for name, raw in (content or {}).items():
        (folder / name).write_bytes(raw)
    report = brain.ingest(folder, progress=False)
    assert report.chunks == 0
    assert {row.status for row in report.files} <= {"skipped"}
    answer = brain.query("alpha")
    assert answer.results == ()
    assert "the brain has no chunks yet" in answer.response.notices[0].message
    assert brain.check()


def test_an_unreadable_file_is_named_and_costs_nothing_again(tmp_path: Path, brain: Any) -> None:
    folder = tmp_path / "rights"
    folder.mkdir()
    (folder / "good.md").write_text("alpha good")
    secret = folder / "closed.md"
    secret.write_text("alpha closed")
    secret.chmod(0)
    try:
        secret.read_bytes()
    except PermissionError:
        pass
    else:
        pytest.skip("chmod has no effect here (root)")
    report = brain.ingest(folder, progress=False)
    (row,) = [row for row in report.files if row.status == "skipped"]
    assert (row.source, row.detail) == ("rights/closed.md", "cannot be read: Permission denied")
    assert brain.ingest(folder, progress=False).generation is None
    assert answers_of(brain, "alpha") == ["rights/good.md"]
    secret.chmod(0o600)
    brain.ingest(folder, progress=False)
    assert sorted(answers_of(brain, "alpha")) == ["rights/closed.md", "rights/good.md"]


def test_a_skipped_file_is_looked_at_again_under_another_setting(
    tmp_path: Path, word_vectors: Any
) -> None:
    folder = tmp_path / "wide"
    folder.mkdir()
    (folder / "wide.txt").write_text("alpha " * 100)
    with brainkit.open(tmp_path / "x.brain", embedder=word_vectors, max_line_chars=100) as narrow:
        narrow.ingest(folder, progress=False)
        assert answers_of(narrow, "alpha") == []
    with brainkit.open(tmp_path / "x.brain", embedder=word_vectors) as wide:
        wide.ingest(folder, progress=False)
        assert set(answers_of(wide, "alpha")) == {"wide/wide.txt"}


def naughty(shared: Path) -> list[str]:
    strings: list[str] = json.loads((shared / "messy" / "blns.json").read_text())
    return strings


def test_naughty_strings_as_texts_ids_and_titles(shared: Path, brain: Any) -> None:
    strings = [text for text in naughty(shared) if text.strip()]
    brain.ingest_texts([{"id": "good", "text": "alpha unharmed"}], progress=False)
    texts = [{"id": f"t{n}", "text": text, "title": text} for n, text in enumerate(strings)]
    report = brain.ingest_texts(texts, progress=False)
    assert len(report.files) == len(strings)
    named = {}
    for text in strings:
        named.setdefault(text.encode("utf-16", "replace"), {"id": text, "text": "named"})
    brain.ingest_texts([*named.values()], progress=False)
    assert answers_of(brain, "alpha unharmed", top_k=1) == ["good"]
    assert brain.check()
    for text in strings[::60]:
        brain.remove(text)
    assert brain.check()


def test_naughty_strings_as_queries(shared: Path, brain: Any) -> None:
    strings = naughty(shared)
    brain.ingest_texts(
        [{"id": f"t{n}", "text": text} for n, text in enumerate(strings)], progress=False
    )
    for text in strings:
        short = text.strip()[:1000].strip()
        if not short:
            with pytest.raises(InvalidRequest, match="the query is empty"):
                brain.query(text)
            continue
        answers_of(brain, short, top_k=1, depth=5)
    for text in strings[::11]:
        short = text.strip()[:200] or "x"
        for mode in ("vector", "bm25", "multi"):
            answers_of(brain, short, mode=mode, file_paths=[short, "**"], collapse="source")
    assert answers_of(brain, "undefined", mode="bm25")


any_text = st.text(st.characters(), max_size=40)  # lone surrogates and NUL included
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | any_text | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=6,
)
fields = dict.fromkeys(("id", "text", "title", "metadata", "more�"), any_text | values)
records = st.lists(st.fixed_dictionaries({}, optional=fields), max_size=3)


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory, word_vectors: Any) -> Iterator[Any]:
    path = tmp_path_factory.mktemp("hostile") / "x.brain"
    with brainkit.open(path, embedder=word_vectors) as brain:
        brain.ingest_texts([{"id": "\U0001f600good", "text": "alpha unharmed"}], progress=False)
        yield brain


@given(records=records)
@settings(max_examples=50)
@example(records=[{"id": "\ud800", "text": "\udfff alpha \0", "title": "\ud800"}])
@example(records=[{"id": "a", "text": "\r\n\x85\u2028"}])
@example(records=[{"id": "a", "text": "x", "array": np.arange(3), "number": np.float32("nan")}])
def test_any_records_are_taken_or_refused(records: list[dict[str, Any]], lasting: Any) -> None:
    try:
        report = lasting.ingest_texts(records, progress=False)
    except InvalidRecord as error:
        str(error).encode("utf-8", "backslashreplace")
    else:
        repr(report).encode()
        assert {row.status for row in report.files} <= {"added", "changed", "unchanged", "skipped"}
    found = answers_of(lasting, "alpha unharmed", mode="bm25", top_k=50)
    assert "\U0001f600good" in found


def test_fields_nested_without_end_are_refused(brain: Any) -> None:
    circle: dict[str, Any] = {"id": "a", "text": "x"}
    circle["more"] = [circle]
    with pytest.raises(InvalidRecord, match="record 'a' has fields nested more than 50 deep"):
        brain.ingest_texts([circle], progress=False)


@given(
    query=st.text(st.characters(), max_size=60),
    mode=st.sampled_from(["vector", "bm25", "hybrid", "multi", "graph"]),
    file_paths=st.none() | st.lists(any_text, max_size=2),
    languages=st.none() | st.lists(any_text, max_size=2),
)
@example(query="\ud800", mode="hybrid", file_paths=None, languages=None)
@example(query="a", mode="bm25", file_paths=["!"], languages=None)
@example(query="a", mode="bm25", file_paths=["["], languages=["\ud800"])
@example(query="a", mode="bm25", file_paths=["a\0b", "\ud800"], languages=None)
def test_any_query_is_answered_or_refused(
    query: str, mode: str, file_paths: Any, languages: Any, lasting: Any
) -> None:
    try:
        answers_of(lasting, query, mode=mode, file_paths=file_paths, languages=languages)
    except BrainkitError as error:
        str(error).encode("utf-8", "backslashreplace")
