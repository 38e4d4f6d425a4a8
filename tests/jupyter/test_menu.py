"""JupyterLab's own menu: Save and Export Notebook As > Brainkit gives the file that stays alive."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest

QUESTION = "how are sessions signed"
PATIENCE_S = 60.0
# The middle of the menu item that begins with a text, among those to be seen; null if none is.
MIDDLE = """
(() => {
  const items = [...document.querySelectorAll('.lm-MenuBar-item, .lm-Menu-item')];
  const label = one => one.querySelector('.lm-MenuBar-itemLabel, .lm-Menu-itemLabel')?.innerText;
  const item = items.find(one => one.checkVisibility() && label(one)?.trim().startsWith(%r));
  const box = item?.getBoundingClientRect();
  return box ? [box.left + box.width / 2, box.top + box.height / 2] : null;
})()
"""


@pytest.fixture
def downloads(chromium: Any, tmp_path: Path) -> Iterator[Path]:
    """The folder where the browser puts what it is given to save."""
    folder = tmp_path / "downloads"
    folder.mkdir()
    options = {"behavior": "allow", "downloadPath": str(folder), "eventsEnabled": True}
    chromium.call("Browser.setDownloadBehavior", options)
    yield folder
    chromium.call("Browser.setDownloadBehavior", {"behavior": "default"})


def click(page: Any, label: str) -> None:
    """Click an item of the menu as soon as it is to be seen."""
    page.wait(f"{MIDDLE % label} !== null", timeout_s=PATIENCE_S)
    page.drag([tuple(page.value(MIDDLE % label))])


def saved(chromium: Any, page: Any, folder: Path) -> Path:
    """The file, once the browser says that it has all of it."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        page.value("new Promise(requestAnimationFrame)")  # which takes in the browser's events
        chromium.drain()
        told = [one["params"] for one in chromium.events.get("None", [])
                if one["method"] == "Browser.downloadProgress"]  # fmt: skip
        if any(one["state"] == "completed" for one in told):
            (file,) = folder.iterdir()
            return file
    raise AssertionError(
        f"nothing was saved after {PATIENCE_S:g} s; there is {[*folder.iterdir()]}"
    )


def test_the_menu_gives_a_live_file(
    *, lab: Any, notebook: Any, chromium: Any, downloads: Path, load: Callable[[str], ModuleType],
    without: Callable[[str], NoReturn],
) -> None:  # fmt: skip
    if not entry_points(group="nbconvert.exporters", name="brainkit"):
        without("brainkit itself (pip install -e .), which tells nbconvert of its exporter,")
    notebook.run(f"answer = brain.query({QUESTION!r}, trace='full')\nanswer")
    page = lab.page
    click(page, "File")
    click(page, "Save and Export Notebook As")
    click(page, "Brainkit")
    file = saved(chromium, page, downloads)
    assert file.name == "test_menu.html"
    opened = chromium.page()
    opened.open(file)
    root = "document.querySelector('[data-view]').shadowRoot"
    opened.wait(f"{root}?.childElementCount > 0")
    live = load("widgets/live.py").LiveView(opened, root=root)
    place = "[f'{r.source}:{r.start_line}-{r.end_line}' for r in %s.results]"
    assert live.texts(".place") == notebook.python(place % "answer")
    live.set("alpha", 0)
    assert live.texts(".place") == notebook.python(place % "answer.refuse(alpha=0)")
    assert (opened.errors, opened.requests) == ([], [])
    opened.close()
