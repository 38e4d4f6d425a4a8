"""Take the README's picture of the explorer, from JupyterLab itself.

    python tests/bench/picture.py --folder ~/.cache/brainkit-bench/lab

With --all it also takes every view, light and dark, wide and narrow, into a folder to be looked at.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from lab_page import TESTS, sample_notebook

PICTURE = TESTS.parent / "notebooks" / "images" / "explorer.png"
QUESTION = "how are sessions signed"
EXPLORER = f"explorer = brain.explore({QUESTION!r})\nexplorer"
VIEWS = {
    "explorer": EXPLORER,
    "answer": f"brain.query({QUESTION!r}, mode='multi', trace='full')",
    "graph": "brain.query('what calls normalize_isbn', mode='graph', trace='full')",
    "comparison": f"brain.compare({QUESTION!r}, a={{'mode': 'bm25'}}, b={{'mode': 'vector'}})",
    "map": f"brain.map({QUESTION!r})",
}
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
WIDTHS = {"wide": 1600, "middle": 1200, "narrow": 700}
MARGIN = 4


def take(live: Any, file: Path) -> None:
    """Write a PNG of a whole view, however long it is."""
    live.do("root.host.scrollIntoView({block: 'start'})")
    left, top, width, height = live.do(
        "const box = root.host.getBoundingClientRect();"
        "return [box.left, box.top, box.width, box.height]"
    )
    live.page.screenshot(file, box=(left - MARGIN, top, width + 2 * MARGIN, height))


def for_the_readme(notebook: Any, file: Path) -> None:
    """The explorer with a ranking that has just moved under the hand."""
    notebook.page.resize(1500, 1400, scale=1.1)
    notebook.lab.do("await app.commands.execute('application:toggle-left-area')")
    notebook.run(f"brain.query({QUESTION!r})")  # loads the model, which is no part of a query
    live = notebook.show(EXPLORER)
    live.wait("root.querySelector('.row')")
    live.tab("Alpha")
    live.set("alpha", 0.3)
    live.set("alpha", 0.4, 0.6, settle=False)
    live.wait("root.querySelector('.dot')")
    file.parent.mkdir(exist_ok=True)
    take(live, file)


def all_views(notebook: Any, folder: Path) -> None:
    """Every view in both themes and three widths, and each tab of the explorer."""
    folder.mkdir(parents=True, exist_ok=True)
    for theme, name in THEMES.items():
        notebook.lab.theme(name)
        for wide, width in WIDTHS.items():
            notebook.page.resize(width, 2400)
            for view, code in VIEWS.items():
                live = notebook.show(code)
                live.wait("root.childElementCount > 0")
                take(live, folder / f"{view}-{theme}-{wide}.png")
                tabs = live.texts("[role=tab]:not([hidden])")
                for tab in tabs if wide == "wide" else ():
                    live.tab(tab)
                    take(live, folder / f"{view}-{tab.replace(' ', '')}-{theme}.png")
    notebook.lab.theme(THEMES["light"])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("brainkit-lab"))
    parser.add_argument("--all", type=Path, metavar="INTO", help="take every view into a folder")
    arguments = parser.parse_args()
    with sample_notebook(arguments.folder) as notebook:
        if arguments.all:
            all_views(notebook, arguments.all)
        for_the_readme(notebook, PICTURE)


if __name__ == "__main__":
    main()
