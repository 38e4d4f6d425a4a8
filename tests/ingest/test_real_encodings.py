"""CPython's own samples of legacy encodings, where the running Python ships its tests."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest

from brainkit.ingest.load import Loaded, load
from brainkit.settings import Settings

TESTS = Path(sysconfig.get_path("stdlib")) / "test"
SAMPLES = sorted((TESTS / "cjkencodings").glob("*-utf8.txt"))
EQUAL = {
    *("big5", "euc_jisx0213", "euc_jp", "gb18030", "gb2312", "gbk", "hz", "iso2022_jp"),
    *("iso2022_kr", "shift_jis", "shift_jisx0213"),
}


@pytest.mark.skipif(not SAMPLES, reason=f"this Python ships no {TESTS / 'cjkencodings'}")
@pytest.mark.parametrize("twin", SAMPLES, ids=lambda path: path.name.removesuffix("-utf8.txt"))
def test_a_legacy_text_equals_its_utf_8_twin_and_says_that_it_was_guessed(twin: Path) -> None:
    name = twin.name.removesuffix("-utf8.txt")
    path = twin.with_name(f"{name}.txt")
    found = load(path, relative=path.name, settings=Settings())
    wanted = load(twin, relative=twin.name, settings=Settings())
    assert isinstance(wanted, Loaded)
    assert wanted.note is None
    if name in EQUAL:
        assert isinstance(found, Loaded)
        assert found.text == wanted.text
    told = found.note if isinstance(found, Loaded) else found.reason
    assert "guessed" in str(told)


@pytest.mark.skipif(not (TESTS / "encoded_modules").is_dir(), reason="this Python ships no tests")
@pytest.mark.parametrize(
    ("module", "encoding", "word"),
    [("module_iso_8859_1", "iso-8859-1", "Les hommes"), ("module_koi8_r", "koi8-r", "Познание")],
)
def test_a_python_file_is_read_as_it_declares(module: str, encoding: str, word: str) -> None:
    path = TESTS / "encoded_modules" / f"{module}.py"
    found = load(path, relative=path.name, settings=Settings())
    assert isinstance(found, Loaded)
    assert found.encoding == encoding
    assert word in found.text
