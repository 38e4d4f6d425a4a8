"""A view with a host, as the explorer has: what needs a kernel, and what the kernel hears."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import brainkit
from brainkit.analyze import Analyzer
from brainkit.answer import place
from brainkit.widgets.view import answer_view

Host = Callable[..., Any]
# Answers wait until the test lets them go, in any order.
KERNEL = """{
  asked: [],
  query(request) {
    return new Promise((done, fail) => host.asked.push({ request, done, fail }));
  },
}"""


@pytest.fixture
def view_of(sample: brainkit.Brain) -> Callable[..., dict[str, Any]]:
    def made(query: str = "how are sessions signed", **fields: Any) -> dict[str, Any]:
        return answer_view(sample.query(query, trace="full", **fields).response, Analyzer())

    return made


def data(view: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in view.items() if name != "table"}


def places(brain: brainkit.Brain, query: str, **fields: Any) -> list[str]:
    return [place(result) for result in brain.query(query, **fields).results]


def ask(live: Any, query: str) -> None:
    live.do("root.querySelector('[type=search]').value = args[0]", query)
    live.click("[type=submit]")


def test_a_question_is_answered_by_the_kernel(
    view_of: Any, host: Host, sample: brainkit.Brain
) -> None:
    live = host(view_of(), KERNEL)
    ask(live, "normalize isbn")
    assert live.text(".busy") == "Asking…"
    assert live.page.value("host.asked[0].request.query") == "normalize isbn"
    live.do("host.asked[0].done(args[0])", data(view_of("normalize isbn")))
    live.wait("root.querySelector('.busy').textContent === ''")
    assert live.texts(".place") == places(sample, "normalize isbn")


def test_one_question_is_in_flight_and_only_the_newest_waits(
    view_of: Any, host: Host, sample: brainkit.Brain
) -> None:
    live = host(view_of(), KERNEL)
    for query in ("one", "two", "three", "isbn"):
        ask(live, query)
    asked = "host.asked.map(one => one.request.query)"
    assert live.page.value(asked) == ["one"]
    before = live.texts(".place")
    live.do("host.asked[0].done(args[0])", data(view_of("catalogue")))
    live.wait("host.asked.length === 2")
    assert live.page.value(asked) == ["one", "isbn"]
    assert live.texts(".place") == before  # an answer that nobody waits for is not drawn
    live.do("host.asked[1].done(args[0])", data(view_of("isbn")))
    live.wait("root.querySelector('.busy').textContent === ''")
    assert live.texts(".place") == places(sample, "isbn")


def test_an_answer_that_comes_after_a_setting_was_moved_is_not_drawn(
    view_of: Any, host: Host, sample: brainkit.Brain
) -> None:
    live = host(view_of(), KERNEL)
    ask(live, "catalogue")
    live.click("input[value=bm25]")  # the trace in hand answers it
    live.do("host.asked[0].done(args[0])", data(view_of("catalogue")))
    live.wait("root.querySelector('.busy').textContent === ''")
    assert live.texts(".place") == places(sample, "how are sessions signed", mode="bm25")


def test_an_error_of_the_kernel_is_shown_and_goes_away(view_of: Any, host: Host) -> None:
    live = host(view_of(), KERNEL)
    ask(live, "first")
    live.do("host.asked[0].fail(new Error('<b>the brain was closed</b>'))")
    live.wait("root.querySelector('.error')")
    assert live.text(".error") == "Error <b>the brain was closed</b>"
    live.set("alpha", 0.4)
    assert live.text(".error") is None


def test_what_the_trace_lacks_is_asked_of_the_kernel(sample: brainkit.Brain, host: Host) -> None:
    answer = sample.query("isbn", mode="bm25")
    live = host(answer_view(answer.response, Analyzer()), KERNEL)
    live.click("input[value=vector]")
    assert live.page.value("host.asked[0].request.mode") == "vector"


def test_settings_are_reported_as_they_move_and_when_they_settle(view_of: Any, host: Host) -> None:
    live = host(
        view_of(), "{ heard: [], changed: (r, settled) => host.heard.push([r.alpha, settled]) }"
    )
    live.set("alpha", 0.3, 0.2)
    assert live.page.value("host.heard") == [[0.3, False], [0.2, False], [0.2, True]]


def test_the_chosen_result_is_reported(view_of: Any, host: Host) -> None:
    view = view_of()
    live = host(view, "{ heard: [], selected: id => host.heard.push(id) }")
    live.click(".place", nth=1)
    second = live.text(".row.chosen .place")
    (heard,) = live.page.value("host.heard")
    (chunk,) = [c for c in view["trace"]["candidates"] if c["chunk_id"] == heard]
    assert second.startswith(chunk["source"])


def test_a_change_from_outside_is_drawn_and_not_reported(
    view_of: Any, host: Host, sample: brainkit.Brain
) -> None:
    view = view_of()
    live = host(
        view,
        "{ heard: [], changed: () => host.heard.push(1),"
        " subscribe: f => (host.tell = f, () => { host.tell = null; }) }",
    )
    live.do("host.tell({ request: { ...args[0], mode: 'bm25' } })", view["request"])
    assert live.texts(".place") == places(sample, "how are sessions signed", mode="bm25")
    assert live.page.value("host.heard") == []
    live.do("stop()")
    assert live.page.value("host.tell") is None


def test_grades_are_kept_and_taken_back(view_of: Any, host: Host) -> None:
    live = host(view_of(), "{ heard: [], label: async (id, grade) => void host.heard.push(grade) }")
    for expected in ("true", "false"):
        live.click(".grades button", nth=3)
        live.wait(f"root.querySelectorAll('.grades button')[3].ariaPressed === '{expected}'")
    assert live.page.value("host.heard") == [3, None]


def test_neighbours_are_shown_around_the_chunk(view_of: Any, host: Host) -> None:
    live = host(
        view_of(), "{ open: async () => ({ before: '<i>', text: 'chunk', after: 'after' }) }"
    )
    assert live.texts(".row:first-child .actions button")[2] == "Show neighbours"
    live.click(".row:first-child .actions button", nth=2)
    live.wait("root.querySelector('.around')")
    assert live.text(".text") == "<i>\nchunk\nafter"


def test_after_the_clean_up_nothing_is_left_and_nothing_is_drawn(view_of: Any, host: Host) -> None:
    live = host(view_of(), KERNEL)
    ask(live, "late")
    live.do("stop(); host.asked[0].done(args[0])", data(view_of("isbn")))
    assert live.do("return root.childElementCount") == 0


def test_drawing_fifty_times_leaves_no_more_than_drawing_once(view_of: Any, host: Host) -> None:
    live = host(view_of(), "{}")
    again = (
        "for (let n = 0; n < args[0]; n++) { stop(); window.stop = render(here, args[1], host); }"
    )
    view = data(view_of())
    live.do(again, 2, view)
    before = live.page.counted()
    live.do(again, 50, view)
    after = live.page.counted()
    for name in ("nodes", "jsEventListeners"):
        assert after[name] <= before[name] * 1.2, (name, before, after)
