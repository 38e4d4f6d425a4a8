"""Where a name is silent, the content tells, all the way through an ingest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import brainkit


def test_a_header_and_a_script_are_what_they_hold(
    tmp_path: Path, word_vectors: Callable[[list[str]], Any]
) -> None:
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "a.h").write_text(
        "#pragma once\n\nnamespace shelf {\n\n"
        "class Index {\n public:\n  int size() const;\n};\n\n}\n"
    )
    (folder / "b.h").write_text("#ifndef B_H\n#define B_H\nint size(void);\n#endif\n")
    (folder / "tool").write_text("#!/usr/bin/env python3\ndef main():\n    return 0\n")
    with brainkit.open(tmp_path / "a.brain", embedder=word_vectors) as brain:
        brain.ingest(folder, progress=False)
        files = brain.sql("select source, language from files order by source")
        assert dict(zip(files["source"], files["language"], strict=True)) == {
            "p/a.h": "cpp",
            "p/b.h": "c",
            "p/tool": "python",
        }
