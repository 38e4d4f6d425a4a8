"""The explorer in Python: messages in, state out; a browser is simulated by what it would send."""

from __future__ import annotations

import gc
import json
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import ipywidgets
import pytest
from traitlets import TraitError

import brainkit
from brainkit.errors import BrainClosed, InvalidRequest, NoSuchSource
from brainkit.evaluation.judgments import FILE, Judgments
from brainkit.widgets import cells
from brainkit.widgets import explorer as explorer_module
from brainkit.widgets.explorer import HISTORY, Explorer
from brainkit.widgets.view import view_of

SCRIPT = '</script><img src=x onerror="hit = 1">\u202e\x00'


class Browser:
    """What the front end would send to a widget, and what it would hear."""

    def __init__(self, widget: Any) -> None:
        self.widget = widget
        self.heard: list[dict[str, Any]] = []
        widget.comm.publish_msg = self._hear

    def ask(self, kind: str, **content: Any) -> dict[str, Any]:
        """Send a question and return its reply."""
        self._send({"method": "custom", "content": {"id": "q", "ask": kind, **content}})
        (reply,) = [one["content"] for one in self.heard if one["method"] == "custom"]
        self.heard.clear()
        return reply

    def query(self, identity: str, **changes: Any) -> None:
        """Send a query under the present settings, some changed."""
        request = {**self.widget._request, **changes}
        content = {"id": identity, "ask": "query", "request": request}
        self._send({"method": "custom", "content": content})

    def set(self, **settings: Any) -> None:
        """Move settings, as a slider does."""
        self._send({"method": "update", "state": {"_request": self.widget._request | settings}})

    def state(self) -> dict[str, Any]:
        """What the model of the front end has heard since it was asked last; each value once."""
        updates = [one["state"] for one in self.heard if one["method"] == "update"]
        self.heard.clear()
        return {name: value for state in updates for name, value in state.items()}

    def _send(self, data: dict[str, Any]) -> None:
        self.widget._handle_msg({"content": {"data": json.loads(json.dumps(data))}, "buffers": []})

    def _hear(self, kind: str, data: Any = None, **_: Any) -> None:
        if kind == "comm_msg":
            self.heard.append(json.loads(json.dumps(data)))


@pytest.fixture
def explore(brain: brainkit.Brain) -> Iterator[Callable[..., Any]]:
    """Open an explorer of the small brain, with a browser at its other end."""
    opened: list[Explorer] = []

    def made(query: str | None = "isbn", *, of: brainkit.Brain = brain, **fields: Any) -> Any:
        opened.append(of.explore(query, **fields))
        return opened[-1], Browser(opened[-1])

    yield made
    for explorer in opened:
        explorer.close()
    (brain.folder / FILE).unlink(missing_ok=True)


def filled(folder: Path, embedder: Any) -> brainkit.Brain:
    """A brain of three sources; ``long`` has several chunks, one after the other."""
    notes = folder / "notes"
    notes.mkdir()
    (notes / "isbn.md").write_text("# The check digit\n\nAn isbn ends in a check digit.\n")
    (notes / "check.py").write_text("def check_digit(isbn: str) -> int:\n    return 7\n")
    lines = "\n".join(f"word{n} isbn line {n} of a long text" for n in range(60))
    (notes / "long.txt").write_text(lines)
    sizes = {"chunk_tokens": 64, "chunk_overlap_tokens": 16}
    brain = brainkit.open(folder / "b.brain", embedder=embedder, **sizes)
    brain.ingest(notes, progress=False)
    return brain


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory, word_vectors: Any) -> Iterator[brainkit.Brain]:
    with filled(tmp_path_factory.mktemp("explorer"), word_vectors) as opened:
        yield opened


@pytest.fixture
def own(tmp_path: Path, word_vectors: Any) -> Iterator[brainkit.Brain]:
    """Such a brain for a test that changes it; its folder of notes is ``tmp_path / "notes"``."""
    with filled(tmp_path, word_vectors) as opened:
        yield opened


def scores(answer: brainkit.Answer) -> list[tuple[str, float]]:
    return [(result.chunk_id, result.score) for result in answer.results]


# Traits


def test_the_first_question_is_answered_before_the_call_returns(
    brain: brainkit.Brain, explore: Any
) -> None:
    explorer, _ = explore("check digit", mode="multi", top_k=3)
    assert isinstance(explorer.answer, brainkit.Answer)
    assert scores(explorer.answer) == scores(brain.query("check digit", mode="multi", top_k=3))
    assert (explorer.query, explorer.mode, explorer.top_k) == ("check digit", "multi", 3)


def test_request_and_code_give_the_very_answer(brain: brainkit.Brain, explore: Any) -> None:
    explorer, browser = explore(languages=["python", "markdown"])
    browser.set(alpha=0.25, collapse="overlap")
    again = [brain.query(explorer.request), eval(explorer.code, {"brain": brain})]
    assert [scores(one) for one in again] == [scores(explorer.answer)] * 2
    assert explorer.request.alpha == 0.25


def test_settings_set_in_python_are_answered_at_once(brain: brainkit.Brain, explore: Any) -> None:
    explorer, browser = explore()
    trace = explorer.answer.trace
    explorer.alpha = 0.9
    assert explorer.answer.trace is trace  # fused again, not asked again
    assert scores(explorer.answer) == scores(brain.query("isbn", alpha=0.9))
    assert browser.state() == {"_request": explorer.answer.request.model_dump(mode="json")}
    explorer.languages = ["python"]
    assert explorer.answer.trace.allowed_chunks == 1
    explorer.query = "digit"
    assert scores(explorer.answer) == scores(brain.query("digit", alpha=0.9, languages="python"))


def test_an_empty_filter_is_no_filter_and_depth_grows_with_top_k(explore: Any) -> None:
    explorer, _ = explore(depth=5)
    explorer.languages = ()
    explorer.top_k = 20
    assert (explorer.languages, explorer.depth, explorer.error) == (None, 20, None)


def test_a_value_that_cannot_be_is_refused_and_nothing_changes(explore: Any) -> None:
    explorer, _ = explore()
    before = explorer.request
    for name, value in {"alpha": 7.0, "mode": "hybird", "source_types": ["docs"]}.items():
        with pytest.raises(TraitError, match=name):
            setattr(explorer, name, value)
    assert explorer.request == before
    with pytest.raises(InvalidRequest, match="did you mean 'alpha'"):
        explore("isbn", alhpa=0.3)


def test_without_a_question_settings_wait_for_one(explore: Any) -> None:
    explorer, browser = explore(None)
    assert (explorer.answer, explorer.request, explorer.code) == (None, None, "")
    browser.set(mode="bm25")
    assert (explorer.mode, explorer.error) == ("bm25", None)
    explorer.query = "isbn"
    assert explorer.answer.request.mode == "bm25"


def test_traits_are_observed_and_linked(explore: Any) -> None:
    explorer, browser = explore()
    heard: list[float] = []
    explorer.observe(lambda change: heard.append(change["new"]), "alpha")
    slider = ipywidgets.FloatSlider(max=1)
    link = ipywidgets.link((explorer, "alpha"), (slider, "value"))
    assert slider.value == 0.5
    slider.value = 0.75
    browser.set(alpha=0.1)
    assert (heard, slider.value, explorer.answer.request.alpha) == ([0.75, 0.1], 0.1, 0.1)
    link.unlink()
    picked = ipywidgets.SelectMultiple(options=["python", "markdown"])
    ipywidgets.dlink((picked, "value"), (explorer, "languages"))
    picked.value = ("python",)
    assert explorer.answer.request.languages == ("python",)
    slider.close()
    picked.close()


# What the browser asks


def test_a_query_is_answered_off_the_comm(brain: brainkit.Brain, explore: Any) -> None:
    explorer, browser = explore()
    answering = threading.Event()
    names: list[str] = []
    explorer.observe(
        lambda _: (names.append(threading.current_thread().name), answering.set()), "answer"
    )
    browser.query("1", query="check digit")
    assert answering.wait(20)
    assert explorer.wait(20)
    assert names == ["brainkit explorer"]
    assert scores(explorer.answer) == scores(brain.query("check digit"))
    state = browser.state()
    assert state["_answered"] == ["1"]
    assert state["_request"]["query"] == explorer.query == "check digit"
    assert state["_view"]["trace"]["request"]["query"] == "check digit"


def test_moving_a_slider_sends_nothing_back(explore: Any) -> None:
    explorer, browser = explore()
    for alpha in (0.4, 0.3, 0.2):
        browser.set(alpha=alpha)
    assert explorer.answer.request.alpha == 0.2
    assert {one["method"] for one in browser.heard} <= {"echo_update"}


def test_a_setting_that_the_trace_lacks_waits_for_the_browsers_own_query(explore: Any) -> None:
    explorer, browser = explore()
    before = explorer.answer
    browser.set(languages=["python"])
    assert explorer.answer is before
    browser.query("1")
    explorer.wait(20)
    assert explorer.answer.request.languages == ("python",)


class Gated:
    """The brain, answering only when the test lets it, but for questions about isbns."""

    def __init__(self, brain: brainkit.Brain) -> None:
        self._brain = brain
        self.asked: list[str] = []
        self.began, self.go = threading.Semaphore(0), threading.Semaphore(0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._brain, name)

    def query(self, request: Any, **options: Any) -> Any:
        self.asked.append(request.query)
        if request.query != "isbn":
            self.began.release()
            assert self.go.acquire(timeout=20)
        return self._brain.query(request, **options)


def test_the_newest_question_wins_and_those_between_are_never_asked(brain: brainkit.Brain) -> None:
    gated = Gated(brain)
    explorer = Explorer(gated)
    browser = Browser(explorer)
    browser.query("a", query="one")
    assert gated.began.acquire(timeout=20)
    for identity, query in (("b", "two"), ("c", "three"), ("d", "isbn")):
        browser.query(identity, query=query)
    gated.go.release()
    assert explorer.wait(20)
    assert gated.asked == ["one", "isbn"]
    assert explorer.query == "isbn"
    states = [one["state"] for one in browser.heard if one["method"] == "update"]
    assert [state["_answered"] for state in states] == [["a"], ["b", "c", "d"]]
    explorer.close()


def test_an_answer_that_comes_late_does_not_take_the_place_of_a_newer_one(
    brain: brainkit.Brain,
) -> None:
    gated = Gated(brain)
    explorer = Explorer(gated)
    browser = Browser(explorer)
    browser.query("a", query="slow")
    assert gated.began.acquire(timeout=20)
    explorer.query = "isbn"  # in Python, while the browser's question is open
    newer = explorer.answer
    gated.go.release()
    assert explorer.wait(20)
    assert explorer.answer is newer
    assert browser.state()["_answered"] == ["a"]  # which then draws what there is
    explorer.close()


def test_errors_of_the_kernel_are_shown_and_the_answer_stays(explore: Any) -> None:
    explorer, browser = explore()
    before = explorer.answer
    browser.query("1", languages=["klingon"])
    explorer.wait(20)
    state = browser.state()
    assert state["error"].startswith("languages='klingon': no chunk")
    assert state["_answered"] == ["1"]
    assert explorer.answer is before
    browser.query("2", query="digit")
    explorer.wait(20)
    assert (explorer.error, browser.state()["error"]) == (None, None)
    browser.query("3", query=" ")
    explorer.wait(20)
    assert explorer.error.startswith("query=' '")


def test_what_a_browser_cannot_mean_is_told_and_changes_nothing(explore: Any) -> None:
    explorer, browser = explore()
    before = explorer.request
    for settings in ({"alpha": 9}, {"depth": "deep"}, {"weights": None}, {"surprise": 1}):
        browser.set(**settings)
        assert explorer.error
        assert explorer.request == before
    browser._send({"method": "custom", "content": {"ask": "close", "id": "1"}})
    browser._send({"method": "custom", "content": ["query"]})
    assert "chunk_id" in browser.ask("open")["error"]


def test_a_closed_brain_is_told_not_raised(own: brainkit.Brain, explore: Any) -> None:
    explorer, browser = explore(of=own)
    own.close()
    browser.query("1", query="digit")
    explorer.wait(20)
    assert "was closed" in explorer.error
    with pytest.raises(BrainClosed):
        own.query("digit")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_observer_that_fails_does_not_end_the_explorer(explore: Any) -> None:
    explorer, browser = explore()

    def fails(_: Any) -> None:
        raise KeyError("mine")

    explorer.observe(fails, "answer")
    browser.query("1", query="digit")
    explorer.wait(20)
    assert explorer.error == "KeyError: 'mine'"
    explorer.unobserve(fails, "answer")
    browser.query("2", query="isbn")
    explorer.wait(20)
    assert (explorer.error, explorer.query) == (None, "isbn")


def test_hostile_text_goes_through_as_text(brain: brainkit.Brain, explore: Any) -> None:
    explorer, browser = explore(SCRIPT)
    browser.query("1", query=SCRIPT, file_paths=[f"!{SCRIPT}", "**"])
    explorer.wait(20)
    assert explorer.query == SCRIPT.strip()
    assert explorer.request.file_paths == (f"!{SCRIPT}", "**")
    assert eval(explorer.code, {"brain": brain}).request.query == SCRIPT.strip()
    chunk = explorer.answer.results[0].chunk_id
    explorer.label(chunk, 1)
    assert [one.query for one in Judgments(brain.folder)] == [SCRIPT.strip()]
    assert explorer.labels == {chunk: 1}


# Filters, neighbours, history, labels, pages


@pytest.mark.parametrize(
    "filters",
    [
        {},
        {"source_types": ["doc"]},
        {"languages": ["python"]},
        {"file_paths": ["*.md", "!isbn.md", "long.*"]},
        {"source_types": ["doc"], "file_paths": ["notes/**"]},
    ],
)
def test_the_count_is_what_a_query_may_find(
    filters: dict[str, Any], brain: brainkit.Brain, explore: Any
) -> None:
    explorer, browser = explore()
    reply = browser.ask("count", request={**explorer._request, **filters})
    trace = brain.query("isbn", **filters).trace
    assert reply["reply"] == [trace.allowed_chunks, trace.total_chunks]


def test_a_glob_that_cannot_match_is_told(explore: Any) -> None:
    explorer, browser = explore()
    reply = browser.ask("count", request={**explorer._request, "file_paths": ["!"]})
    assert "gitignore-style glob" in reply["error"]


def test_choices_follow_the_brain(own: brainkit.Brain, explore: Any, tmp_path: Path) -> None:
    explorer, browser = explore(of=own)
    languages = dict(explorer._choices["languages"])
    assert (languages["python"], languages["markdown"], languages.get("go")) == (1, 1, None)
    (tmp_path / "notes" / "more.go").write_text("package more\n\nfunc Isbn() {}\n")
    own.ingest(tmp_path / "notes", progress=False)
    browser.query("1", query="isbn")
    explorer.wait(20)
    assert dict(explorer._choices["languages"])["go"] >= 1


def test_a_chunk_opens_with_its_neighbours_and_no_line_twice(
    brain: brainkit.Brain, explore: Any
) -> None:
    _, browser = explore()
    chunks = brain.sql(
        "select chunk_id, text, start_line from chunks where source = 'notes/long.txt' order by 3"
    )
    assert len(chunks) > 3
    whole = (brain.folder.parent / "notes" / "long.txt").read_text()
    around = browser.ask("open", chunk_id=chunks["chunk_id"][1])["reply"]
    assert around["text"] == chunks["text"][1]
    shown = "\n".join(around[name] for name in ("before", "text", "after"))
    assert whole.startswith(shown)
    first = browser.ask("open", chunk_id=chunks["chunk_id"][0])["reply"]
    last = browser.ask("open", chunk_id=chunks["chunk_id"][len(chunks) - 1])["reply"]
    assert (first["before"], last["after"]) == ("", "")
    assert "not in this brain any more" in browser.ask("open", chunk_id="gone")["error"]


def test_history_holds_the_last_questions_once_each(explore: Any) -> None:
    explorer, browser = explore("first")
    for n in range(HISTORY):
        explorer.query = f"question {n}"
    explorer.query = "question 3"
    explorer.alpha = 0.1
    assert explorer.history[:3] == ["question 3", "question 19", "question 18"]
    assert len(explorer.history) == len(set(explorer.history)) == HISTORY
    assert browser.state()["history"] == explorer.history


def test_labels_are_on_disk_at_once_and_come_back(brain: brainkit.Brain, explore: Any) -> None:
    explorer, browser = explore()
    assert explorer.labels == {}
    first, second = (result.chunk_id for result in explorer.answer.results[:2])
    assert browser.ask("label", chunk_id=first, grade=3)["reply"] is None
    browser.ask("label", chunk_id=second, grade=0)
    (one, two) = sorted(Judgments(brain.folder), key=lambda label: label.grade or 0)
    assert (one.chunk_id, two.chunk_id) == (second, first)
    assert (two.query, two.grade, two.source) == ("isbn", 3, explorer.answer.results[0].source)
    browser.ask("label", chunk_id=second, grade=None)
    assert explorer.labels == {first: 3}
    assert explore("isbn")[0].labels == {first: 3}
    assert explore("digit")[0].labels == {}
    explorer.query = "digit"
    assert explorer.labels == {}
    explorer.query = "isbn"
    assert explorer.labels == {first: 3}


def test_a_label_finds_its_text_after_a_rename(
    own: brainkit.Brain, explore: Any, tmp_path: Path
) -> None:
    explorer, _ = explore("check digit", of=own, languages=["markdown"])
    explorer.label(explorer.answer.results[0].chunk_id, 2)
    (tmp_path / "notes" / "isbn.md").rename(tmp_path / "notes" / "renamed.md")
    own.ingest(tmp_path / "notes", progress=False)
    explorer.query = "isbn"
    explorer.query = "check digit"
    assert explorer.labels == {explorer.answer.results[0].chunk_id: 2}
    assert explorer.answer.results[0].source == "notes/renamed.md"


def test_labels_of_what_is_not_there_are_refused(explore: Any) -> None:
    explorer, browser = explore()
    with pytest.raises(NoSuchSource, match="ask again"):
        explorer.label("gone", 1)
    chunk = explorer.answer.results[0].chunk_id
    assert "grades are 0" in browser.ask("label", chunk_id=chunk, grade=4)["error"]
    with pytest.raises(InvalidRequest, match="no question yet"):
        explore(None)[0].label(chunk, 1)


def test_an_answer_is_saved_beside_the_notebook_and_nothing_is_overwritten(
    explore: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, browser = explore("Where is ../the ISBN?")
    paths = [Path(browser.ask("save")["reply"]) for _ in range(2)]
    assert [path.name for path in paths] == ["where-is-the-isbn.html", "where-is-the-isbn-2.html"]
    assert {path.parent for path in paths} == {tmp_path}
    page = paths[0].read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "Where is ../the ISBN?" in page
    with pytest.raises(InvalidRequest, match="no answer to save"):
        explore(None)[0].save_html()


def test_the_brain_is_asked_while_an_ingest_runs(
    own: brainkit.Brain, explore: Any, tmp_path: Path
) -> None:
    explorer, browser = explore(of=own)
    embedding, go_on = threading.Event(), threading.Event()
    (tmp_path / "notes" / "new.md").write_text("# A new isbn\n\nIt is new.\n")
    engine = own._engine
    known = engine._embedders[0]

    class Slow:
        identity = known.identity

        def __getattr__(self, name: str) -> Any:
            return getattr(known, name)

        def embed_documents(self, texts: Any) -> Any:
            embedding.set()
            assert go_on.wait(20)
            return known.embed_documents(texts)

    engine._embedders[0] = Slow()
    ingest = threading.Thread(target=lambda: own.ingest(tmp_path / "notes", progress=False))
    ingest.start()
    assert embedding.wait(20)
    browser.query("1", query="check digit")
    assert explorer.wait(20)
    assert (explorer.query, explorer.error) == ("check digit", None)
    before = explorer.answer.trace.generation
    go_on.set()
    ingest.join(20)
    explorer.query = "new isbn"
    assert explorer.answer.trace.generation > before


# Ends


def widgets() -> int:
    return len(ipywidgets.Widget.get_manager_state()["state"])


@pytest.fixture
def run_cell(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Pretend that the kernel runs a cell: what follows is made by it."""
    parent: dict[str, Any] = {}
    kernel = SimpleNamespace(get_parent=lambda: parent)
    for module in (cells, explorer_module):
        monkeypatch.setattr(module, "kernel", lambda: kernel)
    runs = iter(range(10_000))

    def run(cell: str | None, code: str = "", deleted: list[str] | None = None) -> None:
        parent.update(
            header={"msg_type": "execute_request", "msg_id": f"run-{next(runs)}"},
            metadata={"cellId": cell, "deletedCells": deleted or []} if cell else {},
            content={"code": code},
        )

    run("elsewhere")
    return run


def test_fifty_runs_of_a_cell_leave_the_widgets_of_one(
    brain: brainkit.Brain, run_cell: Any
) -> None:
    kept, answers = [], []
    for n in range(50):
        run_cell("one")
        kept.append(brain.explore("isbn"))  # as IPython's Out does
        answers.append(weakref.ref(kept[-1].answer))
        if n == 0:
            models = widgets()
    gc.collect()
    assert widgets() == models
    assert sum(answer() is not None for answer in answers) == 1
    assert [one.comm is None for one in kept] == [True] * 49 + [False]
    kept[-1].close()


def test_what_one_run_makes_stands_side_by_side(brain: brainkit.Brain, run_cell: Any) -> None:
    run_cell("one")
    a, b = brain.explore("isbn"), brain.explore("digit")
    run_cell("two")
    c = brain.explore("isbn")
    assert [one.comm is None for one in (a, b, c)] == [False] * 3
    run_cell("one")
    d = brain.explore("isbn")
    assert [one.comm is None for one in (a, b, c)] == [True, True, False]
    run_cell("three", deleted=["two"])
    e = brain.explore("isbn")
    assert [one.comm is None for one in (c, d, e)] == [True, False, False]
    d.close()
    e.close()


def test_a_front_end_without_cell_ids_is_known_by_its_code(
    brain: brainkit.Brain, run_cell: Any
) -> None:
    run_cell(None, "brain.explore()")
    a = brain.explore()
    run_cell(None, "brain.explore('isbn')")
    b = brain.explore("isbn")
    run_cell(None, "brain.explore()")
    c = brain.explore()
    assert [one.comm is None for one in (a, b, c)] == [True, False, False]
    b.close()
    c.close()


def test_a_closed_explorer_says_nothing_more(brain: brainkit.Brain) -> None:
    gated = Gated(brain)
    explorer = Explorer(gated)
    browser = Browser(explorer)
    browser.query("1", query="digit")
    assert gated.began.acquire(timeout=20)
    explorer.close()
    browser.heard.clear()
    gated.go.release()
    assert explorer.wait(20)
    assert (explorer.answer, browser.heard) == (None, [])
    explorer.close()


def test_in_a_notebook_it_leaves_an_answer_for_when_there_is_no_kernel(
    explore: Any, run_cell: Any
) -> None:
    run_cell("one")
    explorer, _ = explore("check digit")
    published: list[dict[str, Any]] = []
    cells.kernel().shell = SimpleNamespace(
        display_pub=SimpleNamespace(publish=lambda data, _=None: published.append(data))
    )
    explorer._ipython_display_()
    live, left = published
    assert live["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer.model_id
    assert live["text/plain"] == repr(explorer)
    assert f'data-of="{explorer._name}"' in left["text/html"]
    assert view_of(left["text/html"])["request"]["query"] == "check digit"
    assert left["text/plain"] == repr(explorer.answer)


def test_in_a_terminal_it_is_its_repr(explore: Any) -> None:
    explorer, _ = explore("check\x1b[31m digit")
    with pytest.raises(NotImplementedError):
        explorer._ipython_display_()
    assert repr(explorer) == "<Explorer of b.brain: 'check\\x1b[31m digit'>"
    explorer.close()
    assert repr(explorer) == "<Explorer, closed>"
