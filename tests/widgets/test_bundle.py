"""The committed module is what its sources give, small, and safe inside a script element."""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from brainkit.report.page import report_source
from brainkit.widgets.hosting import explorer_source
from brainkit.widgets.labelling import labelling_source
from brainkit.widgets.view import evaluation_source, module_source

SOURCES = {
    module_source: 80_000,
    explorer_source: 100_000,
    report_source: 100_000,
    evaluation_source: 60_000,
    labelling_source: 40_000,
}
_RUNS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\.href\s*=|"
    r"setAttribute\(\"on|DOMParser|createContextualFragment|https?://(?!www\.w3\.org/2000/svg)"
)


@pytest.fixture(scope="session")
def sources(repository: Path) -> Path:
    return repository / "brainkit" / "widgets" / "js"


@pytest.mark.parametrize("joined", SOURCES)
def test_the_module_is_fresh(joined: Callable[[], str], sources: Path) -> None:
    files = {
        file.relative_to(sources).as_posix(): file
        for kind in ("*.js", "*.css")
        for file in sources.rglob(kind)
    }
    digest = hashlib.sha256()
    for name in sorted(name for name in files if not name.startswith("node_modules/")):
        digest.update(f"{name}\0{files[name].read_text('utf-8')}\0".encode())
    said = re.match(r"/\*brainkit ([0-9a-f]{64})\*/", joined())
    assert said is not None
    assert said[1] == digest.hexdigest(), "run: node brainkit/widgets/js/build.mjs"


@pytest.mark.parametrize(
    "command", [["node", "build.mjs", "--check"], ["npx", "--no-install", "tsc"]]
)
def test_the_tools_agree(command: list[str], sources: Path, node: str) -> None:
    if not (sources / "node_modules").is_dir():
        pytest.skip(
            "no esbuild and typescript: npm install --no-package-lock in brainkit/widgets/js"
        )
    done = subprocess.run(command, cwd=sources, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("joined", "limit"), SOURCES.items())
def test_the_module_is_small_and_cannot_end_its_element(
    joined: Callable[[], str], limit: int
) -> None:
    code = joined()
    assert len(code.encode()) <= limit
    assert code.isascii()
    assert not re.search(r"</script|<!--", code, re.I)


def test_no_source_can_run_data(sources: Path) -> None:
    for file in sources.rglob("*.js"):
        if "node_modules" in file.parts:
            continue
        text = file.read_text("utf-8")
        assert not _RUNS.search(text), file.name
        assert text.count("\n") <= 250, f"{file.name} has more than 250 lines"


def test_two_tools_with_exact_versions_and_no_lock_file(sources: Path) -> None:
    versions = re.findall(
        r'"(?:esbuild|typescript)": "([^"]+)"', (sources / "package.json").read_text()
    )
    assert len(versions) == 2
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)
    assert not [*sources.glob("*lock*")]
