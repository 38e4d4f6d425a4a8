from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest

from brainkit import kit
from brainkit.errors import NoSuchFolder

CACHES = {"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
FIND = """
import sys
from pathlib import Path
import brainkit.kit
print(Path(brainkit.kit.__file__).parent)
for name in ("data", "notebooks"):
    print(brainkit.kit.kit_folder(name))
"""


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and CACHES.isdisjoint(path.parts)
    }


def run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.fail(f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done.stdout


@pytest.mark.parametrize("name", ["data", "notebooks"])
def test_a_checkout_serves_its_own_folders(
    name: Literal["data", "notebooks"], repository: Path
) -> None:
    assert kit.kit_folder(name) == repository / name


def test_a_folder_that_is_nowhere_is_named_with_the_allowed_ones() -> None:
    with pytest.raises(NoSuchFolder, match=r"'lessons'.*allowed are 'data' and 'notebooks'"):
        kit.kit_folder("lessons")  # type: ignore[arg-type]  # the mistake under test


@pytest.mark.slow
def test_an_installed_wheel_carries_data_and_lessons(tmp_path: Path, repository: Path) -> None:
    wheels, site, elsewhere = tmp_path / "wheels", tmp_path / "site", tmp_path / "elsewhere"
    elsewhere.mkdir()
    run(
        *(sys.executable, "-m", "build", "--wheel", "--no-isolation"),
        *("--outdir", wheels, repository),
        cwd=elsewhere,
    )
    (wheel,) = wheels.glob("brainkit-*.whl")
    run(
        *(sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--no-compile"),
        *("--target", site, wheel),
        cwd=elsewhere,
    )

    found = run(sys.executable, "-c", FIND, cwd=elsewhere, env={"PYTHONPATH": str(site)})

    package, data, notebooks = (Path(line) for line in found.splitlines())
    assert package == site / "brainkit"
    assert (data, notebooks) == (package / "_kit" / "data", package / "_kit" / "notebooks")
    assert contents(data) == contents(repository / "data")
    assert contents(notebooks) == contents(repository / "notebooks")
    assert (package / "py.typed").exists()
