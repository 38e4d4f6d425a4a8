"""Measure the explorer where it is used: in JupyterLab's page, from the hand to the painted frame.

    python tests/bench/explorer.py --folder ~/.cache/brainkit-bench/lab

The sample's labelled questions are asked one after the other, each for the first time, so that
each is embedded; then alpha is dragged. Times are of the page's own clock.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lab_page import sample_notebook
from rich.console import Console
from rich.table import Table

from brainkit.kit import kit_folder

MODES = ("hybrid", "multi", "bm25")
ANSWER_MS, HANDLER_MS, FRAME_MS = 150.0, 8.0, 50.0
WARM_UP = 3
STEPS = 100
ASK = """
const field = root.querySelector('[type=search]');
field.value = args[0];
const start = performance.now();
field.form.requestSubmit();
while (root.querySelector('.busy').textContent !== '') await new Promise(requestAnimationFrame);
await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
return performance.now() - start;
"""
DRAG = """
const control = root.querySelector('[aria-label=alpha]');
const [handled, painted] = [[], []];
for (const value of args[0]) {
  await new Promise(requestAnimationFrame);
  const start = performance.now();
  control.value = value;
  control.dispatchEvent(new Event('input'));
  handled.push(performance.now() - start);
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  painted.push(performance.now() - start);
}
return [handled, painted];
"""

console = Console(width=110, height=50, highlight=False)


def percentile(times: Sequence[float], share: float) -> float:
    """Return the time that this share of the times does not exceed."""
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def questions() -> list[str]:
    """The sample's labelled questions."""
    lines = (kit_folder("data") / "sample-questions" / "queries.jsonl").read_text("utf-8")
    return [json.loads(line)["text"] for line in lines.splitlines()]


def asked(notebook: Any, mode: str, texts: Sequence[str]) -> tuple[list[float], list[float]]:
    """Ask each question in the page; return what it took there, and of that in the kernel."""
    live = notebook.show(f"explorer = brain.explore(mode={mode!r})\nexplorer")
    whole, kernel = [], []
    for text in texts:
        whole.append(live.do(ASK, text))
        kernel.append(notebook.python("explorer.answer.response.query_time_ms"))
    return whole[WARM_UP:], kernel[WARM_UP:]


def measure(notebook: Any) -> bool:
    """Print a table of what was measured; return whether every target was met."""
    table = Table("what", "median ms", "p95 ms", "target", title="In JupyterLab's page")
    met = []
    texts = questions()
    share = len(texts) // len(MODES)
    for n, mode in enumerate(MODES):
        whole, kernel = asked(notebook, mode, texts[n * share : (n + 1) * share])
        middle = statistics.median(whole)
        met.append(middle <= ANSWER_MS)
        row = (f"{middle:.0f}", f"{percentile(whole, 0.95):.0f}", f"median {ANSWER_MS:.0f}")
        table.add_row(f"a new question, {mode}: Ask to painted answer", *row)
        row = (f"{statistics.median(kernel):.0f}", f"{percentile(kernel, 0.95):.0f}", "")
        table.add_row("  of that in the query, with its embedding", *row)
    live = notebook.show("explorer = brain.explore('how are sessions signed')\nexplorer")
    live.wait("root.querySelector('.row')")
    steps = [n / STEPS for n in range(STEPS + 1)]
    for name, times, target in zip(
        ("alpha dragged: the handler", "alpha dragged: to the painted frame"),
        live.do(DRAG, steps),
        (HANDLER_MS, FRAME_MS),
        strict=True,
    ):
        late = percentile(times, 0.95)
        met.append(late <= target)
        table.add_row(name, f"{statistics.median(times):.1f}", f"{late:.1f}", f"p95 {target:.0f}")
    console.print(table)
    return all(met)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("brainkit-lab"))
    arguments = parser.parse_args()
    with sample_notebook(arguments.folder) as notebook:
        met = measure(notebook)
    sys.exit(0 if met else "a target was missed")


if __name__ == "__main__":
    main()
