"""The analyzer: what each kind of text becomes, and what holds for every text."""

from __future__ import annotations

import json
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.analyze import Analyzer, Token, highlight_spans
from brainkit.errors import InvalidSetting

ENGLISH = Analyzer()

PROSE = {
    "The sessions are signed.": "session sign",
    "don't, we'll; it's the user's": "don't we'll user",
    "users\u2019 don\u2019t": "user don't",
    "l'avion f'text' O'Brien": "l avion f text o brien",
    "IT OR US": "us",
    "APIs and DNAs": "api dna",
    "to be or not to be": "",
    "C is not R": "c r",
    "anti-inflammatory scikit-learn": "anti inflammatori scikit learn",
    "straße STRASSE": "strass strass",
    "İstanbul": "istanbul",
    "ＡＢＣ ﬁne co\u00adoperate \ufeffbom": "abc fine cooper bom",
    "cafe\u0301 café": "café café",
    "हिन्दी में": "हिन्दी में",
}
IDENTIFIERS = {
    "getUserName": "getusername get user name getusernam",
    "execute_query": "execute_query execut queri",
    "HTTPServer2": "httpserver2 http server 2",
    "MAX_CHUNK_SIZE": "max_chunk_size max chunk size",
    "sign_sessions": "sign_sessions sign session",
    "is_valid": "is_valid valid",
    "__init__": "__init__ init",
    "NumPy": "numpy num py numpi",
    "userIDs": "userids user id userid",
    "McDonald's": "mcdonald mc donald",
    "x86_64": "x86_64 x 86 64",
    "user.name": "user name",
    "self.user_id": "self user_id user id",
    "9f86d081884c7d65": "9f86d081884c7d65",
}
NAMES = {
    "C++": "c++",
    "C++17": "c++ 17",
    "Ｃ＋＋": "c++",
    "C/C++.": "c c++",
    "i++": "i++",
    "libstdc++": "libstdc++ libstdc",
    "C# F# (c#7)": "c# f# c# 7",
    "a#b": "b",
    ".NET": ".net",
    "ASP.NET": "asp.net asp .net net",
    "Node.js": "node.js node js",
    "data.json": "data json",
    "Objective-C": "objective-c object c",
}
NUMBERS = {
    "3.11.2": "3.11.2 3.11 3",
    "v2.0": "v2.0 v2 v 2.0 2",
    "python3.11": "python3.11 python3 python 3.11 3",
    "1.2.3rc1": "1.2.3 1.2 1 rc1 rc 1",
    "0.05": "0.05 0",
    "2020.": "2020",
    "½": "1 2",
    "5..6": "5 6",
}
ADDRESSES = {
    "https://example.com/docs?id=7": "https exampl com doc id 7",
    "jane.doe@example.com": "jane doe exampl com",
    "src/main.py": "src main py",
    r"C:\Users\me": "c user me",
}
UNSPACED = {
    "東京都": "東 東京 京 京都 都",
    "東、京": "東 京",
    "タワー": "タ タワ ワ ワー ー",
    "ｶﾞ": "ガ",
    "かな": "か かな な",
    "책은 물": "책 책은 은 물",
    "Python入門": "python 入 入門 門",
    "แมว": "แม มว",
    "สวัสดี": "สวั วัส สดี",
    "ก": "ก",
    "ພາສາ": "ພາ າສ ສາ",
    "ភាសា": "ភាសា",
    "မြန်မာ": "မြန် န်မာ",
}
SYMBOLS = {
    "!!! ... ---- ____": "",
    "🚀 launch": "🚀 launch",
    "☕\ufe0f ☕": "☕ ☕",
    "👍🏽": "👍🏽",
    "🇩🇪🇫🇷": "🇩🇪 🇫🇷",
    "1\ufe0f\u20e3": "1",
    "ab\ud800cd \udfff": "ab cd",
    "": "",
}
GOLDEN = PROSE | IDENTIFIERS | NAMES | NUMBERS | ADDRESSES | UNSPACED | SYMBOLS

ANY_TEXT = st.text(
    st.one_of(
        st.characters(),
        st.characters(max_codepoint=0x7F),
        st.sampled_from(
            "\ud800\udfff\u00ad\u200d\ufe0f\u0301\u2019\u00bd\u338f\u0130\u1e9e\u037a\u1100\u1161"
            "\u11a8\u314f\uffc2\uff9e\uff76\u09c7\u09be\u6771\u0e41\u0e33\U0001f1e9\U0001f44d"
        ),
    )
)


@pytest.mark.parametrize(("text", "terms"), GOLDEN.items())
def test_terms(text: str, terms: str) -> None:
    assert ENGLISH.terms(text) == terms.split()


def test_tokens_say_where_they_are_and_why_they_were_dropped() -> None:
    blob = "QUJDabc1+/" * 11
    assert ENGLISH.analyze(f"The ½ user_id's, {blob}== {'x' * 101}") == [
        Token("The", 0, 3, (), "stop word"),
        Token("½", 4, 5, ("1",)),
        Token("½", 4, 5, (), "punctuation"),
        Token("½", 4, 5, ("2",)),
        Token("user_id's", 6, 15, ("user_id", "user", "id")),
        Token(",", 15, 16, (), "punctuation"),
        Token(f"{blob}==", 17, 129, (), "too long"),
        Token("x" * 101, 130, 231, (), "too long"),
    ]


def test_a_long_path_is_not_mistaken_for_base64() -> None:
    path = "/home/reader/projects/retrieval" * 5
    assert ENGLISH.terms(path) == ["home", "reader", "project", "retriev"] * 5


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("c++", "modern C++17", True),
        ("c", "modern C++17", False),
        ("c", "written in C.", True),
        ("c#", "C++ and C", False),
        (".net", "ASP.NET Core", True),
        ("net", "the .NET runtime", False),
        ("user name", "getUserName()", True),
        ("sessions", "def sign_session(key):", True),
        ("numpy", "NumPy arrays", True),
        ("3.11", "Python 3.11.2", True),
        ("11", "Python 3.11.2", False),
        ("3.11.2", "Python 3.12", True),
        ("don't", "don\u2019t", True),
        ("京都", "東京都", True),
        ("検索", "全文検索の仕組み", True),
        ("검색", "검색을", True),
        ("แมว", "ฉันรักแมว", True),
    ],
)
def test_what_a_query_finds(query: str, text: str, found: bool) -> None:
    assert (not set(ENGLISH.terms(query)).isdisjoint(ENGLISH.terms(text))) is found


def test_the_languages_differ_in_stop_words_and_stems_only() -> None:
    assert Analyzer("none").terms("The users' is_valid C++") == [
        "the", "users", "is_valid", "is", "valid", "c++",
    ]  # fmt: skip
    assert Analyzer("german").terms("die Häuser und the NumPy") == [
        "die", "haus", "und", "the", "numpy", "num", "py",
    ]  # fmt: skip
    assert Analyzer("french").terms("l'avion des amies") == ["l", "avion", "de", "ami"]


def test_an_unknown_language_is_refused_with_the_nearest() -> None:
    with pytest.raises(InvalidSetting, match=r"language='englsh' is not.*did you mean 'english'"):
        Analyzer("englsh")


def test_the_identity_names_everything_that_decides_the_terms() -> None:
    identity = Analyzer("german").identity
    assert identity["language"] == "german"
    assert set(identity) == {"version", "language", "pystemmer", "unicode"}
    assert identity != ENGLISH.identity
    assert json.loads(json.dumps(identity)) == identity


def test_highlights_are_spans_of_the_original() -> None:
    text = "ﬁne e\u0301tude: getUserName, 東京都 names the user's café"
    terms = ENGLISH.terms("ÉTUDE users 東京都 café")
    marked = [text[start:end] for start, end in highlight_spans(ENGLISH, text, terms)]
    assert marked == [
        "e\u0301tude", "getUserName", "東京都", "user's", "café",
    ]  # fmt: skip
    assert highlight_spans(ENGLISH, text, []) == []


def test_threads_share_one_table_of_words() -> None:
    texts = [" ".join(f"connections{i % n} word{i}ing" for i in range(500)) for n in range(1, 9)]
    alone = [Analyzer("danish").terms(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(Analyzer("norwegian").terms, texts)) != []
        assert list(pool.map(Analyzer("danish").terms, texts)) == alone


@given(ANY_TEXT)
def test_terms_are_those_of_the_tokens(text: str) -> None:
    tokens = ENGLISH.analyze(text)
    assert ENGLISH.terms(text) == [term for token in tokens for term in token.terms]
    for token in tokens:
        assert (token.dropped is None) == bool(token.terms)
        for term in token.terms:
            term.encode()


@given(ANY_TEXT)
def test_tokens_cover_all_that_is_not_space_in_order(text: str) -> None:
    tokens = ENGLISH.analyze(text)
    covered = {place for token in tokens for place in range(token.start, token.end)}
    assert covered >= {place for place, char in enumerate(text) if not char.isspace()}
    assert all(token.text == text[token.start : token.end] != "" for token in tokens)
    assert [token.start for token in tokens] == sorted(token.start for token in tokens)


@given(ANY_TEXT)
def test_a_token_alone_gives_its_terms_again(text: str) -> None:
    for token in ENGLISH.analyze(text):
        assert set(token.terms) <= set(ENGLISH.terms(token.text))


@given(ANY_TEXT)
def test_normal_forms_are_equal(text: str) -> None:
    terms = ENGLISH.terms(text)
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert ENGLISH.terms(unicodedata.normalize(form, text)) == terms


@given(ANY_TEXT, ANY_TEXT)
def test_highlights_are_disjoint_ascending_and_match(text: str, query: str) -> None:
    wanted = set(ENGLISH.terms(query))
    spans = highlight_spans(ENGLISH, text, wanted)
    assert all(end < start for (_, end), (start, _) in pairwise(spans))
    for start, end in spans:
        assert not wanted.isdisjoint(ENGLISH.terms(text[start:end]))


WORD = st.text("abcdeghiklmnoprstuvwxyz", min_size=2, max_size=9)


@given(st.lists(WORD, min_size=2, max_size=5), st.sampled_from(["snake", "upper", "camel", "dash"]))
def test_an_identifier_is_found_by_its_whole_and_by_each_part(words: list[str], style: str) -> None:
    identifier = {
        "snake": "_".join(words),
        "upper": "_".join(words).upper(),
        "camel": words[0] + "".join(word.title() for word in words[1:]),
        "dash": "-".join(words),
    }[style]
    indexed = set(ENGLISH.terms(f"x = {identifier}(y)"))
    for word in words:
        assert set(ENGLISH.terms(word)) <= indexed
    if style != "dash":
        assert ENGLISH.terms(identifier)[0] == identifier.lower()
        assert not indexed.isdisjoint(ENGLISH.terms(identifier.lower()))


def test_naughty_strings_are_covered_and_never_raise(shared: Path) -> None:
    naughty = shared / "messy" / "blns.json"
    for text in json.loads(naughty.read_text(encoding="utf-8")):
        tokens = ENGLISH.analyze(text)
        assert ENGLISH.terms(text) == [term for token in tokens for term in token.terms]
        assert bool(tokens) == bool(text.strip())
