"""Whole notebooks, run and exported by the command as a user does, and opened without a network."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

import brainkit
from brainkit.cli import main
from brainkit.kit import kit_folder
from brainkit.lab import BRAIN, FIRST

KEY = "sk-proj-" + "Ab3dEf6hIj9kLm2nOp5q" + "T3BlbkFJ" + "Qr8tUv1wXy4zAb7cDe0f"
POSITION = """
(() => {
  const view = [...document.querySelectorAll('[data-view]')]
    .find(one => one.shadowRoot?.querySelector('[aria-label=alpha]')?.checkVisibility());
  view.scrollIntoView();
  return view.dataset.view;
})()
"""
MIXED = (
    "# A mixed notebook\n\nWith a note[^1] and $e=mc^2$.\n\n| a |\n|--|\n| 1 |\n\n[^1]: Yes.",
    "import os, sys, brainkit\nbrain = brainkit.open('sample.brain')\n"
    "brain.query('how are sessions signed', trace='full')",
    "brain.compare('how are sessions signed', a={'alpha': 0.2}, b={'mode': 'multi'})",
    "brain.map('how are sessions signed', limit=100)",
    "#| fig-cap: Two bars\nimport plotly.graph_objects as go\n"
    "go.Figure(go.Bar(x=['a', 'b'], y=[1, None]), layout={'title': {'text': os.getcwd()}})",
    "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 3, 2], label='line');",
    "import pandas\nframe = pandas.DataFrame({'a': [1, 2], 'b': ['<b>x</b>', os.getcwd()]})\nframe",
    "frame.style.map(lambda value: 'background-color: gold' if value == 2 else '')",
    "from IPython.display import HTML, JSON, Javascript, Latex, Markdown, SVG, display\n"
    "display(Latex(r'$\\frac{1}{2}$'), Markdown('**md**'), JSON({'a': [1]}))\n"
    "display(HTML('<script>document.title = 1</script><b onclick=\"x()\">bold</b>'))\n"
    'display(SVG(\'<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>\'))\n'
    "display(Javascript('document.title = 4'))",
    "import ipywidgets\nipywidgets.VBox([ipywidgets.IntSlider(value=3)])",
    "from tqdm.auto import tqdm\nfor _ in tqdm(range(3), desc='reading'): pass",
    f"key = {KEY!r}\nprint('key', key, os.getcwd(), os.path.expanduser('~'), file=sys.stderr)",
    "raise RuntimeError(f'401 for {key} in {os.getcwd()}/x')",
    "for n in range(200): display(Markdown(f'output {n}'))",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working folder with the sample in a brain of fast vectors."""
    target = tmp_path_factory.mktemp("lessons") / "work"
    with brainkit.open(target / BRAIN, embedder="static") as brain:
        brain.ingest(kit_folder("data") / "sample", label="sample", progress=False)
    return target


def exported(folder: Path, name: str) -> tuple[Path, Any]:
    """What ``brainkit report NAME --execute --json`` wrote, and said."""
    before = (folder / name).read_bytes()
    done = CliRunner().invoke(main, ["report", str(folder / name), "--execute", "--json"])
    assert done.exit_code == 0, done.output
    assert (folder / name).read_bytes() == before
    said = json.loads(done.stdout)
    return Path(said["file"]), said


@pytest.fixture(scope="module")
def start(folder: Path) -> Path:
    shutil.copy(kit_folder("notebooks") / FIRST, folder)
    return exported(folder, FIRST)[0]


@pytest.fixture(scope="module")
def mixed(folder: Path) -> tuple[Path, list[str]]:
    cells: list[dict[str, Any]] = [{"cell_type": "markdown", "metadata": {}, "source": MIXED[0]}]
    for source in MIXED[1:]:
        tags = ["raises-exception"] if source.startswith("raise") else []
        cells.append({"cell_type": "code", "metadata": {"tags": tags}, "source": source,
                      "execution_count": None, "outputs": []})  # fmt: skip
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    (folder / "mixed.ipynb").write_text(json.dumps(book), "utf-8")
    file, said = exported(folder, "mixed.ipynb")
    return file, said["warnings"]


def visit(page: Any, file: Path) -> None:
    """Open it, and draw all of it; it may ask for itself and nothing else."""
    page.resize(1300, 900)
    page.visit(file.as_uri())
    page.wait("document.documentElement?.dataset.brainkit === '1'")
    page.value(
        "(async () => { for (const one of document.querySelectorAll('[data-view], [data-chart]'))"
        "{ one.scrollIntoView(); await new Promise(requestAnimationFrame); } })()"
    )
    page.wait(
        "[...document.querySelectorAll('[data-view]')].every(one => one.shadowRoot?.firstChild)"
        " && [...document.querySelectorAll('[data-chart]')].every(one => one.querySelector('svg'))"
    )
    asked = [event["params"]["request"]["url"].partition(":")[0] for event in page._events()
             if event["method"] == "Network.requestWillBeSent"]  # fmt: skip
    assert [scheme for scheme in asked if scheme != "data"] == ["file"]


def reranks(page: Any, load: Callable[[str], ModuleType]) -> None:
    """Alpha moves a ranking, by mouse and by keyboard."""
    root = f"document.querySelector('[data-view=\"{page.value(POSITION)}\"]').shadowRoot"
    view = load("widgets/live.py").LiveView(page, root=root)
    left, top, width, height = view.box("[aria-label=alpha]")
    before = view.rows()
    page.drag([(left + width * share, top + height / 2) for share in (0.5, 0.3, 0.1)])
    dragged = view.rows()
    view.do("root.querySelector('[aria-label=alpha]').focus()")
    page.press("ArrowLeft", 37)
    assert before != dragged != view.rows()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_start_notebook(start: Path, page: Any, load: Callable[[str], ModuleType]) -> None:
    assert start.stat().st_size < 1_000_000
    text = start.read_text("utf-8")
    assert str(start.parent) not in text
    assert "plotly.js" not in text
    visit(page, start)
    reranks(page, load)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_notebook_that_mixes_everything(
    mixed: tuple[Path, list[str]], page: Any, load: Callable[[str], ModuleType]
) -> None:
    file, warnings = mixed
    assert file.stat().st_size < 7_000_000
    assert warnings == ["OpenAI API key taken out of cell 12, cell 13"]
    text = file.read_text("utf-8")
    for secret in (KEY, KEY[:20], str(file.parent)):
        assert secret not in text
    visit(page, file)
    reranks(page, load)
    said = page.value("document.querySelector('main').innerText")
    for words in (
        "Figure 1. Two bars", "<b>x</b>", "bold", "An interactive widget (VBox) needs a running",
        "An output that runs JavaScript", "RuntimeError: 401 for ••••", "output 199",
    ):  # fmt: skip
        assert words in said
    assert "reading" not in said.partition("tqdm")[2].partition("key =")[0].partition("pass")[2]
    assert page.value("document.title") == "A mixed notebook"
    assert page.value("document.querySelectorAll('img').length") == 2
    assert page.value("document.querySelectorAll('math').length") == 2
