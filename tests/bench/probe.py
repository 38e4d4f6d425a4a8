"""In a fresh process: how long the import and the first answer take, and how much memory.

    python tests/bench/probe.py BRAIN QUESTIONS

Prints one JSON object. QUESTIONS is a text file with one a line; opening.py writes it.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path


def main(folder: str, questions: str) -> dict[str, float]:
    """Import, open, ask once by hybrid with the default embedder, then ask on in every mode."""
    start = time.perf_counter()
    import brainkit

    imported = time.perf_counter()
    texts = Path(questions).read_text("utf-8").splitlines()
    begin = time.perf_counter()
    brain = brainkit.open(folder)
    opened = time.perf_counter()
    brain.query(texts[0])
    answered = time.perf_counter()
    for text in texts[:20]:
        for mode in ("vector", "bm25", "hybrid", "multi"):
            brain.query(text, mode=mode)
    brain.close()
    return {
        "import_s": imported - start,
        "open_s": opened - begin,
        "first_answer_s": answered - begin,
        "max_rss_mb": peak_memory_mb(),
    }


def peak_memory_mb() -> float:
    """Return the most memory this process ever held, mapped index files included.

    On Linux not from getrusage, which counts the parent before exec too.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text("ascii"))
        if found:
            return int(found[1]) / 1024
    import resource  # Windows has none, and then no figure

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1024**2


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(*sys.argv[1:])))
