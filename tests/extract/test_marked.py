"""Markup told from prose, in Markdown and reStructuredText."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.extract.marked import definitions_of, marked, verbatim_lines

MARKDOWN = """\
---
title: Notes
---
Notes
=====
Text
```python
# not a heading
```
## Part
~~~
```
~~~
[ref]: target.md
"""
REST = """\
Notes
=====

Text::

    literal

.. code-block:: python
   :emphasize: 1

   code

.. note::
   prose

.. _label:

Part
----
"""


def test_lines_of_markdown() -> None:
    # front matter, a title with its underline, text, a fence, a heading, a fence, a definition
    assert list(verbatim_lines(MARKDOWN.split("\n"), "markdown")) == [
        *(1, 1, 1), *(2, 2), 0, *(1, 1, 1), 2, *(1, 1, 1), 1, 0,
    ]  # fmt: skip


def test_lines_of_restructuredtext() -> None:
    kinds = verbatim_lines(REST.split("\n"), "restructuredtext")
    lines = REST.split("\n")
    assert [lines[i].strip() for i, kind in enumerate(kinds) if kind == 0 and lines[i]] == [
        "Text::", ".. note::", "prose",
    ]  # fmt: skip
    assert [lines[i] for i, kind in enumerate(kinds) if kind == 2] == [
        "Notes", "=====", "Part", "----",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code", "links"),
    [
        ("Use `Flask.route` here", ["Flask.route"], []),
        ("Use `` a`b `` here", ["a`b"], []),
        ("See [hubs](hubs.md#why) now", [], ["hubs.md#why"]),
        ("See [`Hub`](hubs.md 'title')", ["Hub"], ["hubs.md"]),
        ("See [the\nguide][Guide] or [guide][]", [], ["docs/guide.md", "docs/guide.md"]),
        ("![alt](picture.png) and [x]", [], ["picture.png"]),
        ("no \\`code` here", [], []),
    ],
)
def test_inline_markdown(text: str, code: list[str], links: list[str]) -> None:
    what = marked(text, "markdown", definitions={"guide": "docs/guide.md"})
    assert [span.text for span in what.code] == code
    assert [span.text for span in what.links] == links
    assert all(text[span.start : span.end] == span.text for span in what.code)


@pytest.mark.parametrize(
    ("text", "code", "links"),
    [
        ("the :class:`~flask.Flask` class", ["flask.Flask"], []),
        ("the :py:meth:`route <flask.Flask.route>`", ["flask.Flask.route"], []),
        ("run ``flask run`` or `x`", ["flask run", "x"], []),
        ("see :doc:`/cli` and :doc:`the guide <a/b>`", [], ["doc:/cli", "doc:a/b"]),
        ("see :ref:`app-context`", [], ["ref:app-context"]),
        ("see `Jinja <https://jinja.org>`_", [], ["https://jinja.org"]),
    ],
)
def test_inline_restructuredtext(text: str, code: list[str], links: list[str]) -> None:
    what = marked(text, "restructuredtext", definitions={})
    assert [span.text for span in what.code] == code
    assert [span.text for span in what.links] == links
    assert all(text[span.start : span.end] == span.text for span in what.code)


def test_prose_keeps_its_place_and_markup_becomes_bars() -> None:
    text = "See [Hubs](hubs.md), `Flask` and <b>Bold</b> at https://x.org/Path."
    plain = marked(text, "markdown", definitions={}).plain
    assert plain == "See |Hubs||||||||||, ||||||| and |||Bold|||| at |||||||||||||||||||"
    assert len(plain) == len(text)


@given(
    st.text("a`[]()<>:_*\n\\~.#| ", max_size=80), st.sampled_from(["markdown", "restructuredtext"])
)
def test_no_markup_moves_an_offset_or_a_line(text: str, language: str) -> None:
    what = marked(text, language, definitions=definitions_of(text, language))
    assert len(what.plain) == len(text)
    assert [len(line) for line in what.plain.split("\n")] == [len(x) for x in text.split("\n")]
    assert all(text[span.start : span.end] == span.text for span in what.code)
