"""HTML of others: what it says stays, and nothing of it runs, loads or covers."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.report.clean import NO_PICTURE, clean, is_blank
from brainkit.report.styles import scoped_styles

HOSTILE = [
    "<script>x()</script>",
    "<img src=x onerror=x()>",
    "<svg onload=x()><script>x()</script></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=x()>",
    "<a href='java\tscript:x()'>a</a>",
    "<iframe srcdoc='<script>x()</script>'></iframe>",
    "<form action=//e><button>b</button></form>",
    "<style>@import '//e'</style><link rel=stylesheet href=//e>",
    "<base href=//e><meta http-equiv=refresh content='0;url=//e'>",
    '<noscript><p title="</noscript><img src=x onerror=x()>">',
    "<div style='position:fixed;inset:0;background:url(//e)'>d</div>",
    "<brainkit-view-1><script type='application/json'>{}</script></brainkit-view-1>",
    "<details open ontoggle=x()>d</details>",
    "<object data=//e></object><embed src=//e>",
]
RUNS = re.compile(
    r"<(?:script|style|iframe|svg|math|form|link|meta|base|object|embed|input|brainkit)"
    r"|\son\w+\s*=|javascript:|position:|url\(",
    re.IGNORECASE,
)


@pytest.mark.parametrize("html", HOSTILE)
def test_nothing_hostile_is_left(html: str) -> None:
    cleaned = clean(f"<p>before</p>{html}<p>after</p>")
    assert not RUNS.search(cleaned), cleaned
    assert "<p>before</p>" in cleaned


@given(st.lists(st.sampled_from([*HOSTILE, "<b", '"', "'", ">", "-->", "<!--", "x"]), max_size=6))
def test_no_mixture_of_them_is_left(parts: list[str]) -> None:
    cleaned = clean("".join(parts))
    assert not re.search(r"<(?:script|iframe|svg|math|form|style)|<[^>]*\son\w+=", cleaned, re.I)
    assert clean(cleaned) == cleaned


def test_tables_and_links_of_the_web_stay() -> None:
    table = '<table class="dataframe"><tbody><tr><td colspan="2">1</td></tr></tbody></table>'
    assert clean(table) == table
    assert 'href="https://example.org/a"' in clean('<a href="https://example.org/a">a</a>')
    assert "href" not in clean('<a href="../other.ipynb">a</a>')


def test_a_picture_elsewhere_is_a_picture_that_says_so() -> None:
    assert NO_PICTURE in clean('<img src="https://example.org/a.png" alt="a">')
    assert 'alt=""' in clean('<img src="a.png">')


def test_what_shows_nothing_is_blank() -> None:
    assert is_blank(clean("<div><script>1</script> </div>"))
    assert not is_blank(clean("<div>1</div>"))


@pytest.mark.parametrize(
    ("css", "kept"),
    [
        ("td{color:red}", "@scope (#o){td{color:red}}"),
        ("td{background:url(//e);color:red}", "@scope (#o){td{color:red}}"),
        ("td{width:calc(1px + image-set('//e'))}", ""),
        ("@import '//e'; @font-face{src:url(//e)}", ""),
        ("td{position:fixed;z-index:9}", ""),
        ('td::after{content:"x"}', ""),
        ("a{color:red}}</style><b>{}", "@scope (#o){a{color:red}}"),
        ('a[b="</sty" "le>"]{color:red}', r'@scope (#o){a[b="\3c /sty" "le>"]{color:red}}'),
    ],
)
def test_styles_hold_for_their_output_and_load_nothing(css: str, kept: str) -> None:
    assert scoped_styles(f"<style>{css}</style>", "#o") == kept
