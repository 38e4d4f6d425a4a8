"""Answers, comparisons and maps as outputs in JupyterLab: the page and Python say the same."""

from __future__ import annotations

import ast
from typing import Any

import pytest

QUESTION = "how are sessions signed"
PLACES = "[f'{r.source}:{r.start_line}' for r in %s.results]"
HOSTILE = [
    "</script><script>window.hit = 1</script><img src=x onerror='window.hit = 1'> session",
    "<svg onload='window.hit = 1'></svg> [session](javascript:window.hit=1) \\u202egnp.exe\\u2066",
    "{{constructor.constructor('window.hit=1')()}} \\u200bsession</textarea></pre>",
]


def starts(live: Any, selector: str = ".place") -> list[str]:
    """The citations that a list shows, up to their first line."""
    texts = live.texts(selector)
    return [f"{source}:{lines.partition('-')[0]}" for source, _, lines in
            (text.rpartition(":") for text in texts)]  # fmt: skip


def test_an_answer_shows_what_python_ranks_under_every_setting(notebook: Any) -> None:
    live = notebook.show(f"answer = brain.query({QUESTION!r}, trace='full')\nanswer")
    assert starts(live) == notebook.python(PLACES % "answer")
    for settings in ({"mode": "bm25"}, {"mode": "multi", "rrf_k": 10}, {"mode": "hybrid"}):
        live.click(f"input[value={settings['mode']}]")
        if "rrf_k" in settings:
            live.set("rrf_k", 100)  # the slider is logarithmic: 10 ** (100 / 100)
        assert starts(live) == notebook.python(PLACES % f"answer.refuse(**{settings})")


def test_a_comparison_shows_both_sides_and_moves_one(notebook: Any) -> None:
    live = notebook.show(
        f"c = brain.compare({QUESTION!r}, a={{'mode': 'bm25'}}, b={{'mode': 'vector'}})\nc"
    )
    found = "[r.source.rpartition('/')[2] + ':' + str(r.start_line) for r in c.%s.results]"
    for side in "ab":
        shown = starts(live, f".list.of-{side.upper()} .file")
        assert shown == notebook.python(found % side)
    only = notebook.python("len(c.only_b)")
    badges = live.texts(".list.of-B .badge")
    assert sum(badge.startswith("only here") for badge in badges) == only
    live.click(".side.of-B input[value=bm25]")
    assert starts(live, ".list.of-A .file") == starts(live, ".list.of-B .file")
    assert live.text(".summary").startswith("5 shared")


def test_the_code_of_a_comparison_gives_it_again(notebook: Any) -> None:
    live = notebook.show(f"c = brain.compare({QUESTION!r}, a={{}}, b={{'mode': 'multi'}})\nc")
    call = live.text("footer code")
    asked = "[[r.chunk_id for r in one.results] for one in (c.a, c.b)]"
    again = asked.replace("c.a, c.b", f"{call}.a, {call}.b")
    assert notebook.python(again) == notebook.python(asked)


def test_a_map_marks_the_results_and_the_nearest_neighbours(notebook: Any) -> None:
    live = notebook.show(f"m = brain.map({QUESTION!r})\nm")
    live.wait("root.querySelector('.plot canvas, .plot svg')")
    assert starts(live) == notebook.python(PLACES % "m.answer")
    near = notebook.python("[round(float(s), 3) for s in m.query_near.similar[0]]")
    shown = [ast.literal_eval(number) for number in live.texts(".neighbours .n")]
    assert shown == pytest.approx(near, abs=1e-9)
    live.click(".place", nth=1)
    second = notebook.python("f'{m.answer.results[1].source}:{m.answer.results[1].start_line}'")
    live.wait("root.querySelector('.row.chosen')")
    assert live.text(".picked h4").startswith(second)


def test_hostile_texts_names_and_questions_are_shown_as_text(notebook: Any) -> None:
    notebook.run(
        f"texts = [{', '.join(repr(one) for one in HOSTILE)}]\n".replace("\\\\u", "\\u")
        + "hostile = brainkit.open('hostile.brain', embedder='static')\n"
        "hostile.ingest_texts([{'id': text, 'title': text, 'text': text} for text in texts],"
        " progress=False)",
        cell=0,
    )
    for n, code in enumerate(
        (
            "hostile.query(texts[0], trace='full')",
            "explorer = hostile.explore(texts[1])\nexplorer",
            "hostile.compare(texts[2], a={'mode': 'bm25'}, b={})",
            "hostile.map(texts[0])",
        ),
        start=1,
    ):
        live = notebook.show(code, cell=n)
        assert live.do("return root.querySelectorAll('script, img, a').length") == 0
        assert "window.hit" in live.do("return root.textContent")
    for n, code in enumerate(("hostile.info()", "hostile", "hostile.to_frame()"), start=5):
        notebook.run(code, cell=n)
        assert notebook.text(cell=n)
    assert notebook.page.value("typeof window.hit") == "undefined"
    notebook.run("hostile.close()", cell=1)
