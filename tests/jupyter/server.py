"""Start `brainkit lab` as a user does, on a free port, with nobody's settings and a known token."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
LAB = [sys.executable, "-c", "from brainkit.cli import main; main(prog_name='brainkit')", "lab"]
PATIENCE_S = 60.0
TOKEN = "a-token-of-the-tests"


@contextmanager
def serving(folder: Path, home: Path) -> Iterator[str]:
    """Yield the address of a server on a working folder; what it keeps of a user is in ``home``.

    Raises RuntimeError with what it said if it does not answer.
    """
    config = home / "config"
    config.mkdir(parents=True)
    (config / "jupyter_server_config.json").write_text(
        json.dumps({"IdentityProvider": {"token": TOKEN}}), "utf-8"
    )
    (config / "jupyter_lab_config.json").write_text(
        json.dumps({"LabApp": {"expose_app_in_browser": True}}), "utf-8"
    )
    own = {
        "HOME": home,
        "JUPYTER_CONFIG_DIR": config,
        "JUPYTER_DATA_DIR": home / "data",
        "JUPYTER_RUNTIME_DIR": home / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": home / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": home / "workspaces",
        "IPYTHONDIR": home / "ipython",
        "PYTHONPATH": CHECKOUT,
    }
    port, log = _free_port(), home / "log"
    with (
        log.open("wb") as said,
        subprocess.Popen(
            [*LAB, str(folder), "--no-browser", "--port", str(port)],
            env={**os.environ, **{name: str(value) for name, value in own.items()}},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        ) as process,
    ):
        address = f"http://127.0.0.1:{port}"
        try:
            if not _answers(process, f"{address}/api?token={TOKEN}"):
                raise RuntimeError(f"brainkit lab does not answer:\n{log.read_text('utf-8')}")
            yield address
        finally:
            process.terminate()


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def _answers(process: subprocess.Popen[bytes], address: str) -> bool:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE_S):
                return True
        except OSError:
            try:  # an end of the process is news; that it goes on is not
                process.wait(0.1)
            except subprocess.TimeoutExpired:
                continue
            return False
    return False
