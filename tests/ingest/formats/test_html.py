"""HTML: what a reader sees, with headings; and pages that nobody should have written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brainkit.ingest.formats import Document
from brainkit.ingest.pieces import Piece
from brainkit.settings import Settings

Reader = Callable[..., Document]
Refusal = Callable[..., str]
Cutter = Callable[..., list[Piece]]

PAGE = """<!doctype html>
<html><head><meta charset="utf-8"><title>The  guide</title>
<meta name="author" content="Ann Other"><style>p { color: red }</style></head>
<body><nav><a href="/">Home</a></nav>
<h1>Guide<a class="headerlink" href="#g">¶</a></h1>
<p>Hello <b>w</b>orld,
it is &lt;late&gt;.<br>Good night.</p>
<h2>Code</h2>
<pre><code>def f():

    return "a &amp; b"
</code></pre>
<ul><li>one<li>two<ol><li>inner</ol></ul>
<table><tr><th>name<th>age</tr><tr><td><p>Bo</p><td>3</table>
<script>document.write("<p>no</p>")</script>
</body></html>"""

TEXT = """\
Guide

Hello world, it is <late>.
Good night.

Code

def f():

    return "a & b"

- one
- two
  - inner

name | age
Bo | 3
"""


def text(document: Reader, page: str, settings: Settings | None = None) -> str:
    return document(page, "a.html", settings).extracted.text


def test_a_page_as_it_is_read(document: Reader, cut: Cutter) -> None:
    found = document(PAGE, "guide.html")
    assert found.extracted.text == TEXT
    assert found.extracted.metadata == {"title": "The guide", "author": "Ann Other"}
    assert [
        (p.start_line, p.end_line, p.metadata["heading_path"], p.context) for p in cut(found)
    ] == [
        (1, 4, ["Guide"], ""),
        (6, 17, ["Guide", "Code"], "Guide"),
    ]


def test_paragraphs_end_their_lines_at_sentences(document: Reader) -> None:
    sentence = "This sentence has exactly fifty characters in it. "
    assert text(document, f"<p>{sentence * 4}") == (
        f"{(sentence * 2).strip()}\n{(sentence * 2).strip()}\n"  # 50 < 80 <= 100
    )


@pytest.mark.parametrize(
    "tricky",
    [
        "<script>var a = '</p>'; /* <p>no</p> */</script>",
        "<script>a</script ><script>no</script/><script>no</SCRIPT\n>",
        "<script><!-- <p>no --></script>",
        "<style></stylex>no</style>",
        "<!-- <p>no</p> -- > no -->",
        "<template><p>no</p></template><noscript>no</noscript>",
        "<p hidden>no</p><svg><title>no</title><text>no</text></svg>",
        "<nav><ul><li>no</ul><nav>no</nav></nav>",
        '<a title="><script>no">',
    ],
)
def test_what_is_not_for_reading(document: Reader, tricky: str) -> None:
    assert text(document, f"<p>before</p>{tricky}<p>after</p>") == "before\n\nafter\n"


def test_a_script_that_never_ends_takes_the_rest(document: Reader) -> None:
    assert text(document, "<p>before</p><script>if (a < b) {</p>") == "before\n"


def test_a_table_that_lays_out_a_page_is_read_as_paragraphs(document: Reader) -> None:
    long = "words " * 50
    assert text(document, f"<table><tr><td>menu<td><h2>Title</h2><p>{long}<p>{long}</table>") == (
        f"menu\n\nTitle\n\n{long.strip()}\n\n{long.strip()}\n"
    )


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [("windows-1251", "cp1251"), ("Shift_JIS", "cp932"), ("koi8-r", "koi8-r")],
)
@pytest.mark.parametrize("form", ['<meta charset="{}">', "<?xml version='1.0' encoding='{}'?>"])
def test_the_declared_encoding_is_honoured(
    document: Reader, declared: str, encoding: str, form: str
) -> None:
    words = "日本語" if encoding == "cp932" else "Привет"
    found = document(f"{form.format(declared)}<p>{words}".encode(encoding), "a.html")
    assert found.extracted.text == f"{words}\n"
    assert (found.encoding, found.note) == (encoding, f"decoded as {encoding} (declared)")


@pytest.mark.parametrize("declared", ["iso-8859-1", "utf-16", "rot13", "no-such"])
def test_utf8_wins_over_a_declaration(document: Reader, declared: str) -> None:
    found = document(f'<meta charset="{declared}"><p>grün', "a.html")
    assert (found.extracted.text, found.encoding, found.note) == ("grün\n", "utf-8", None)


@pytest.mark.parametrize("declared", ["utf-16", "rot13", "no-such", "utf-8"])
def test_a_declaration_that_cannot_be_is_a_guess_again(document: Reader, declared: str) -> None:
    found = document(f'<meta charset="{declared}"><p>grün und schön'.encode("cp1252"), "a.html")
    assert (found.extracted.text, found.encoding) == ("grün und schön\n", "cp1252")


def test_a_line_that_is_too_long_is_left_out_and_said(document: Reader) -> None:
    found = document(
        f"<p>before<pre>{'x' * 300}</pre><p>after", "a.html", Settings(max_line_chars=200)
    )
    assert found.extracted.text == "before\n\nafter\n"
    assert (
        found.note == "1 block left out: a line is over the limit (200 characters, max_line_chars)"
    )


@pytest.mark.parametrize("page", ["<script>1</script>", "<nav>Home</nav>", "<p>&nbsp;</p>", "<br>"])
def test_a_page_without_text_has_a_reason(refused: Refusal, page: str) -> None:
    assert refused(page, "a.html") == "no text: only markup, scripts or navigation"


@pytest.mark.parametrize(
    "page",
    [
        "<p>" + "<div>" * 100_000 + "deep",
        "".join(f"<b id={i}>" for i in range(5_000)) + "<p>deep" * 20_000,
        "<table><tr><td>" * 30_000 + "deep",
        "<ul><li>" * 50_000 + "deep",
        "<h1>" * 50_000 + "deep",
        "<pre>" * 50_000 + "deep",
        "</div>" * 100_000 + "deep",
        "<table>" + "<tr>" + "<td>deep" * 100_000,
        "<table>" + "<tr><td>deep<td>x" * 50_000,
        "deep" + "&lt;" * 10_000 + "<a " * 500_000,
        "deep" + "<!--" * 500_000,
    ],
    ids=lambda page: page[:12],
)
def test_hostile_pages_take_seconds_and_keep_their_text(
    document: Reader, cut: Cutter, page: str
) -> None:
    found = document(page, "a.html", Settings(max_line_chars=2_000_000))
    assert "deep" in found.extracted.text
    assert len(found.extracted.text) < 5 * len(page)
    cut(found, 500)
