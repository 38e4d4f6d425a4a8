"""Drive a headless Chromium over its own pipe: no driver, no port, no library.

Source: https://chromedevtools.github.io/devtools-protocol/
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars", "--remote-debugging-pipe",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no name is ever looked up
)  # fmt: skip
PATIENCE_S = 20.0
# The browser reads from descriptor 3 and writes to 4: put ours there, and become it.
_START = """
import os, sys
ends = [os.dup(int(end)) for end in sys.argv[1:3]]
for place, end in zip((3, 4), ends):
    os.dup2(end, place)
    os.set_inheritable(place, True)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find_chromium() -> str | None:
    """Return the command of an installed Chromium, or None."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


class BrowserError(AssertionError):
    """The page threw, or a condition did not come true in time."""


class Chromium:
    """One browser process; ``page()`` opens a tab in it."""

    def __init__(self, command: str, profile: Path) -> None:
        self._ids = itertools.count(1)
        self._rest = b""
        self.events: dict[str, list[dict[str, Any]]] = {}
        down_read, self._down = os.pipe()
        self._up, up_write = os.pipe()
        flags = [*FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, str(down_read), str(up_write), command, *flags],
            pass_fds=(down_read, up_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(down_read)
        os.close(up_write)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._down)  # which ends it
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._up)

    def allow(self, *permissions: str) -> None:
        """Let pages do what a person would be asked about, such as ``clipboardReadWrite``."""
        self.call("Browser.grantPermissions", {"permissions": permissions})

    def page(self) -> Page:
        """Open an empty tab."""
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        joined = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})
        return Page(self, target, joined["sessionId"])

    def call(
        self, method: str, params: Mapping[str, Any] | None = None, session: str | None = None
    ) -> dict[str, Any]:
        """Send a command and return its result. Raises BrowserError with the browser's message."""
        id_ = next(self._ids)
        message: dict[str, Any] = {"id": id_, "method": method, "params": dict(params or {})}
        if session is not None:
            message["sessionId"] = session
        _write_all(self._down, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == id_:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return dict(answer["result"])
            self._keep(answer)

    def drain(self) -> None:
        """Take in the events that have arrived."""
        while self._rest.count(b"\0") or select.select([self._up], [], [], 0)[0]:
            self._keep(self._read())

    def _keep(self, event: dict[str, Any]) -> None:
        if "method" in event:
            self.events.setdefault(str(event.get("sessionId")), []).append(event)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            if not select.select([self._up], [], [], PATIENCE_S)[0]:
                raise BrowserError(f"the browser said nothing for {PATIENCE_S:g} s")
            data = os.read(self._up, 1 << 20)
            if not data:
                raise BrowserError("the browser ended")
            self._rest += data
        one, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(one))


class Page:
    """One tab. ``errors`` and ``requests`` are what its scripts threw and what it asked the net."""

    def __init__(self, browser: Chromium, target: str, session: str) -> None:
        self._browser, self._target, self._session = browser, target, session
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._call(f"{domain}.enable")

    def close(self) -> None:
        """Close the tab."""
        self._browser.call("Target.closeTarget", {"targetId": self._target})

    def open(self, file: Path) -> None:
        """Open a local file and wait until it and its modules have run."""
        self._call("Page.navigate", {"url": file.as_uri()})
        self.wait("document.readyState === 'complete' && location.href.startsWith('file:')")

    def visit(self, address: str) -> None:
        """Go to an address on this machine; wait for what it shows with ``wait``."""
        self._call("Page.navigate", {"url": address})

    def resize(self, width: int, height: int = 900, *, scale: float = 1) -> None:
        """Set the size of the window in CSS pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        self._call("Emulation.setDeviceMetricsOverride", size)

    def media(self, **features: str) -> None:
        """Emulate media features, such as ``prefers_color_scheme="dark"``; ``type`` for print."""
        kind = features.pop("type", "")
        named = [{"name": n.replace("_", "-"), "value": v} for n, v in features.items()]
        self._call("Emulation.setEmulatedMedia", {"media": kind, "features": named})

    def run(self, script: str, *arguments: Any) -> Any:
        """Call a JavaScript function with JSON arguments; wait for its promise; return its JSON."""
        call = f"({script})(...{json.dumps(arguments)})"
        return self.value(call)

    def value(self, expression: str) -> Any:
        """Evaluate an expression, a promise too. Raises BrowserError with what it threw."""
        options = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        answer = self._call("Runtime.evaluate", {**options, "userGesture": True})
        if thrown := answer.get("exceptionDetails"):
            raise BrowserError(thrown.get("exception", {}).get("description") or thrown["text"])
        return answer["result"].get("value")

    def wait(self, condition: str, *, timeout_s: float = PATIENCE_S) -> None:
        """Return as soon as a JavaScript condition holds. Raises BrowserError if it never does."""
        deadline = time.monotonic() + timeout_s
        # Bounded by the browser's own frames and not by a sleep of ours; a navigation that ends
        # the page meanwhile is asked again.
        frames = f"new Promise(done => {{ let n = 30; const look = () => ({condition}) ? done(true)"
        frames += " : n-- > 0 ? requestAnimationFrame(look) : done(false); look(); })"
        while time.monotonic() < deadline:
            try:
                if self.value(frames) is True:
                    return
            except BrowserError as error:
                if "navigat" not in str(error) and "destroyed" not in str(error):
                    raise
        raise BrowserError(f"not true after {timeout_s:g} s: {condition}")

    def press(self, key: str, code: int) -> None:
        """Press and release a key, named as in ``KeyboardEvent.key``; ``code`` is its key code."""
        named = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        typed = {"type": "keyDown", "text": "\r"} if key == "Enter" else {"type": "rawKeyDown"}
        self._call("Input.dispatchKeyEvent", {**typed, **named})
        self._call("Input.dispatchKeyEvent", {"type": "keyUp", **named})

    def type(self, text: str) -> None:
        """Type a text into what has the focus."""
        self._call("Input.insertText", {"text": text})

    def drag(self, points: list[tuple[float, float]]) -> None:
        """Press the mouse at the first point, move through the others, and release it."""
        self._mouse("mouseMoved", points[0], held=False)
        self._mouse("mousePressed", points[0])
        for point in points[1:]:
            self._mouse("mouseMoved", point)
        self._mouse("mouseReleased", points[-1])

    def counted(self) -> dict[str, int]:
        """Collect garbage, then count ``nodes``, ``jsEventListeners`` and ``documents``."""
        for _ in range(3):  # what observers held is free only in the frame after
            self.value("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
            self._call("HeapProfiler.collectGarbage")
        return self._call("Memory.getDOMCounters")

    def screenshot(self, file: Path, *, box: Sequence[float] | None = None) -> None:
        """Write a PNG of the whole page, or of a box of it: left, top, width, height."""
        part = {}
        if box is not None:
            part["clip"] = dict(zip(("x", "y", "width", "height"), box, strict=True), scale=1)
        data = self._call("Page.captureScreenshot", {"captureBeyondViewport": True, **part})["data"]
        file.write_bytes(base64.b64decode(data))

    @property
    def errors(self) -> list[str]:
        """What scripts threw or logged as an error, and what a policy refused."""
        return [
            str(event["params"])
            for event in self._events()
            if event["method"] == "Runtime.exceptionThrown"
            or (
                event["method"] == "Runtime.consoleAPICalled" and event["params"]["type"] == "error"
            )
            or (
                event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error"
            )
        ]

    @property
    def requests(self) -> list[str]:
        """The addresses that the page asked for, but for local files and data in the page."""
        urls = [
            str(event["params"].get("request", event["params"])["url"])
            for event in self._events()
            if event["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated")
        ]
        return [url for url in urls if not url.startswith(("file:", "data:", "blob:", "about:"))]

    def _events(self) -> list[dict[str, Any]]:
        self._browser.drain()
        return self._browser.events.get(self._session, [])

    def _mouse(self, kind: str, point: tuple[float, float], *, held: bool = True) -> None:
        pressed = {"button": "left", "buttons": 1, "clickCount": 1} if held else {}
        at = {"type": kind, "x": point[0], "y": point[1]}
        self._call("Input.dispatchMouseEvent", {**at, **pressed})

    def _call(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return self._browser.call(method, params, self._session)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
