"""HTML of others: what it says stays, and nothing of it runs, loads or covers."""

from __future__ import annotations

import re
from typing import Any

import pytest
import tinycss2
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
BROKEN = [
    "td{color:'a\n}b{color:red}",
    "td{font-family:a b};}p{color:red}",
    "td{color:red)}p{color:red}",
    "td{width:calc(1px;}}p{color:red}",
    "a:is(b{color:red}} #after{color:red}",
    'a[b="\n{color:red} p{color:red}',
    "a\\",
    "td{color:red\\",
    "/* td{color:red}",
    "td{color:red}/*",
    "td{font-family:x ('a}b{color:red}",
    "x}y{color:red}",
    "a'b\n{color:red}",
    "td::before\\{}}b{color:red}",
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
        ("td{color:'a\n}b{color:red}", "@scope (#o){b{color:red}}"),
        ("td{color:red;width:'a\n;gap:1px}p{gap:0}", "@scope (#o){td{color:red;gap:1px}p{gap:0}}"),
        ("td::before\\{}}b{color:red}", ""),
        ("a[b='\n]{color:red} c{color:red}", "@scope (#o){c{color:red}}"),
        ("td{width:(url(//e))}", ""),
        ("td{width:[1px url(//e)];color:red}", "@scope (#o){td{color:red}}"),
        ("td{color:}}} * {color:red}", ""),
        ("{color:red}", ""),
        ('a[b="</sty" "le>"]{color:red}', r'@scope (#o){a[b="\3c /sty" "le>"]{color:red}}'),
    ],
)
def test_styles_hold_for_their_output_and_load_nothing(css: str, kept: str) -> None:
    assert scoped_styles(f"<style>{css}</style>", "#o") == kept


BITS = [
    *(
        "td",
        "a",
        ":is(",
        ")",
        "[b=",
        "]",
        "{",
        "}",
        "color:",
        "red",
        ";",
        "'",
        '"',
        "\n",
        "\\",
        "/*",
    ),
    *(
        "*/",
        "url(",
        "//e",
        "@scope",
        "(",
        "<!--",
        "-->",
        "</style",
        "!important",
        ",",
        "width:",
        "1px",
    ),
]


def is_one_rule(css: str) -> None:
    """What follows in the page is read as it is written, and the style itself is one rule."""
    style = scoped_styles(f"<style>{css}</style>", "#o")
    after = "#after{color:blue}"
    rules = tinycss2.parse_stylesheet(style + after)
    assert tinycss2.serialize(rules[-1:]) == after
    assert [rule.type for rule in rules] == ["at-rule"] * bool(style) + ["qualified-rule"]
    if style:
        held = tinycss2.parse_stylesheet(rules[0].content)
        assert {rule.type for rule in held} == {"qualified-rule"}


@pytest.mark.parametrize("css", BROKEN)
def test_a_broken_style_stays_in_its_scope(css: str) -> None:
    is_one_rule(css)


@given(st.lists(st.sampled_from(BITS), max_size=24))
def test_no_mixture_leaves_its_scope(parts: list[str]) -> None:
    is_one_rule("".join(parts))


def test_browsers_read_broken_styles_as_one_scope(page: Any) -> None:
    styles = [scoped_styles(f"<style>{css}</style>", "#o") for css in BROKEN]
    kinds = page.run(
        "styles => styles.map(css => { const sheet = new CSSStyleSheet();"
        " sheet.replaceSync(css + '#after{color:blue}');"
        " return [...sheet.cssRules].map(rule => rule.constructor.name); })",
        styles,
    )
    for style, found in zip(styles, kinds, strict=True):
        assert found == ["CSSScopeRule"] * bool(style) + ["CSSStyleRule"]
