"""HTML that others made, cut down to what can only be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import nh3

_TAGS = {
    *("a", "abbr", "b", "bdi", "bdo", "blockquote", "br", "caption", "center", "cite", "code"),
    *("col", "colgroup", "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption"),
    *("figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "mark"),
    *("ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "samp", "section", "small", "span"),
    *("strike", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead"),
    *("time", "tr", "tt", "u", "ul", "var", "wbr"),
}
_DROPPED = {
    *("script", "style", "title", "head", "noscript", "template", "iframe", "object", "embed"),
    *("svg", "math", "audio", "video", "canvas", "select", "textarea", "noembed", "noframes"),
}
"""With what they hold, which nobody was meant to read."""
_ATTRIBUTES = {
    "*": {"class", "dir", "id", "lang", "style", "title"},
    "a": {"href"},
    "img": {"src", "alt", "width", "height"},
    "col": {"span"},
    "colgroup": {"span"},
    "details": {"open"},
    "ol": {"start", "reversed"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
}
_STYLES = {
    *("background-color", "color", "direction", "font-family", "font-size", "font-style"),
    *("font-variant-numeric", "font-weight", "max-width", "min-width", "text-align"),
    *("text-decoration", "vertical-align", "white-space", "width"),
}
"""Of these no value can ask for anything, or lie over what is beside it."""
_CLASSES = re.compile(
    r"[a-z]{1,2}\d?|ansi-[\w-]+|brainkit|dataframe|dim|footnote[\w-]*|highlight|language-[\w+#-]+"
    r"|notice|scroll|src"
)
"""Those that the page's style knows; any other could mean something to the page by accident."""
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=\s]+")
_NO_ALT = re.compile(r"<img\b(?![^>]*\balt\b)", re.IGNORECASE)
_LINK = re.compile(r"(?:https?:|mailto:|#)", re.IGNORECASE)

Keep = Callable[[str], str | None]


NO_PICTURE = (
    "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIyNDAiI"
    "GhlaWdodD0iMjgiPjx0ZXh0IHg9IjYiIHk9IjE5IiBmb250LXNpemU9IjEzIiBmb250LWZhbWlseT0ic2Fucy1zZXJpZiIg"
    "ZmlsbD0iIzc5Nzk3OSI+cGljdHVyZSBub3QgaW4gdGhpcyBmaWxlPC90ZXh0Pjwvc3ZnPg=="
)
"""A picture of the words "picture not in this file"."""


def clean(
    html: str,
    *,
    keep_id: Keep = lambda _: None,
    keep_picture: Keep = lambda _: None,
    any_class: bool = False,
) -> str:
    """Return HTML without anything that runs, loads, submits or covers, well nested.

    keep_id : what becomes of an id; by default none is kept, as two outputs may have the same.
    keep_picture : the data that stands for a picture elsewhere; by default it is left out.
    any_class : keep every class, where an output brings its own style.
    Links to other places of the web stay links; those to files have nothing to lead to.

    >>> clean('<p onclick="x()">a<script>b</script><a href="javascript:c()">d</a></p>')
    '<p>a<a rel="noopener noreferrer">d</a></p>'
    """

    def keep(tag: str, name: str, value: str) -> str | None:
        if name == "id":
            return keep_id(value)
        if name == "class" and not any_class:
            return " ".join(one for one in value.split() if _CLASSES.fullmatch(one)) or None
        if name == "href":
            return value if _LINK.match(value) else None
        if name == "src":
            return value if _PICTURE.fullmatch(value) else keep_picture(value) or NO_PICTURE
        return value

    return nh3.clean(
        _NO_ALT.sub('<img alt=""', html),  # before cleaning, so that it need not understand HTML
        tags=_TAGS,
        clean_content_tags=_DROPPED,
        attributes=_ATTRIBUTES,
        attribute_filter=keep,
        filter_style_properties=_STYLES,
        url_schemes={"http", "https", "mailto", "data"},
        link_rel="noopener noreferrer",
    )


@lru_cache(maxsize=256)
def is_blank(html: str) -> bool:
    """Tell whether nothing of cleaned HTML can be seen."""
    return not re.sub(r"<(?!img\b)[^>]*>|\s|&nbsp;", "", html)
