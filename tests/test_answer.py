"""What an answer is in a notebook, in a terminal and on a page."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from IPython.core.formatters import DisplayFormatter

import brainkit
from brainkit.errors import InvalidSetting
from brainkit.widgets import drawn
from brainkit.widgets.view import MIME, view_of

SCRIPT = '</script><img src=x onerror="hit = 1">'


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory, word_vectors: Any) -> Iterator[brainkit.Brain]:
    folder = tmp_path_factory.mktemp("answer")
    with brainkit.open(folder / "b.brain", embedder=word_vectors) as opened:
        opened.ingest_texts(
            [{"id": "isbn", "text": f"the isbn {SCRIPT}"}, {"id": "other", "text": "something"}],
            progress=False,
        )
        yield opened


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend to be a Jupyter kernel."""
    monkeypatch.setattr(drawn, "kernel", SimpleNamespace)


@pytest.mark.usefixtures("notebook")
def test_in_a_notebook_an_answer_draws_itself(brain: brainkit.Brain) -> None:
    answer = brain.query("the isbn", mode="bm25")
    bundle = answer._repr_mimebundle_()
    assert bundle is not None
    assert list(bundle) == ["text/plain", "text/html", MIME]
    assert bundle["text/plain"] == repr(answer)
    view = view_of(bundle["text/html"])
    assert view is not None
    assert view["request"] == answer.request.model_dump(mode="json")
    assert view["trace"]["candidates"][0]["text"] == f"the isbn {SCRIPT}"


@pytest.mark.usefixtures("notebook")
def test_where_scripts_do_not_run_there_is_a_table_to_read(brain: brainkit.Brain) -> None:
    bundle = brain.query("the isbn", mode="bm25")._repr_mimebundle_()
    assert bundle is not None
    table = re.sub(r"<script.*?</script>|<style.*?</style>", "", bundle["text/html"], flags=re.S)
    assert "<img" not in table
    words = html.unescape(re.sub(r"<[^>]+>", " ", table))
    for shown in ("the isbn", "isbn:1", SCRIPT, "1 of 1 candidates by bm25"):
        assert shown in words


def test_in_a_terminal_an_answer_is_its_text(brain: brainkit.Brain) -> None:
    answer = brain.query("the isbn")
    assert answer._repr_mimebundle_() is None
    data, _ = DisplayFormatter(active_types=["text/plain"]).format(answer)
    assert data == {"text/plain": repr(answer)}


def test_an_answer_is_saved_as_a_page_of_its_own(brain: brainkit.Brain, tmp_path: Path) -> None:
    answer = brain.query(SCRIPT)
    path = answer.save_html(tmp_path / "page.html")
    page = path.read_text("utf-8")
    assert f"<title>{html.escape(SCRIPT, quote=True)}</title>" in page
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//", page)
    assert json.dumps(SCRIPT).replace("<", "\\u003c") in page
    with pytest.raises(InvalidSetting, match="cannot be written"):
        answer.save_html(tmp_path)
