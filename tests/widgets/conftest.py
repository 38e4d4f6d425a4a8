"""Node and Chromium for the tests of the front end; both may be absent on a user's machine."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest

import brainkit
from brainkit.widgets.view import module_source, view_html

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def node(without: Callable[[str], NoReturn]) -> str:
    """The command of Node.js; skips where there is none."""
    return shutil.which("node") or without("node")


@pytest.fixture(scope="session")
def ask_node(node: str) -> Iterator[Callable[[str, Any], Any]]:
    """Ask the browser's modules: (job, JSON) -> JSON, all in one Node process."""
    script = HERE / "parity.mjs"
    with subprocess.Popen(
        [node, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask(job: str, data: Any) -> Any:
            process.stdin.write(json.dumps([job, data]) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
            assert answer, f"node ended during {job}: its message is above"
            return json.loads(answer)

        yield ask
        process.stdin.close()


@pytest.fixture(scope="session")
def chromium(start_chromium: Callable[[], Any]) -> Iterator[Any]:
    """A headless Chromium with an empty profile and no network; skips where there is none."""
    with start_chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def support(load: Callable[[str], ModuleType]) -> Callable[[str], ModuleType]:
    """Load a module of this folder by name."""
    return lambda name: load(f"widgets/{name}.py")


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """A new tab, which must not have asked the network for anything."""
    tab = chromium.page()
    yield tab
    asked = tab.requests
    tab.close()
    assert asked == []


@pytest.fixture(scope="session")
def sample(
    tmp_path_factory: pytest.TempPathFactory, repository: Path, word_vectors: Any
) -> Iterator[brainkit.Brain]:
    """A brain of the sample folder."""
    folder = tmp_path_factory.mktemp("sample") / "sample.brain"
    with brainkit.open(folder, embedder=word_vectors) as brain:
        brain.ingest(repository / "data" / "sample", progress=False)
        yield brain


@pytest.fixture
def show(page: Any, tmp_path: Path, support: Callable[[str], ModuleType]) -> Callable[..., Any]:
    """Show views on a page as strict as a report, wait until all are drawn, return the first."""
    live = support("live")

    def shown(*views: Mapping[str, Any], head: str = "") -> Any:
        digest = base64.b64encode(hashlib.sha256(module_source().encode()).digest()).decode()
        policy = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'"
        file = tmp_path / "page.html"
        file.write_text(
            '<!doctype html><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">{head}'
            + "".join(view_html(view) for view in views),
            "utf-8",
        )
        page.open(file)
        every = "[...document.querySelectorAll('brainkit-view-1')]"
        page.wait(f"{every}.filter(v => v.shadowRoot?.childElementCount).length === {len(views)}")
        return live.LiveView(page)

    return shown


@pytest.fixture
def host(page: Any, tmp_path: Path, support: Callable[[str], ModuleType]) -> Callable[..., Any]:
    """Draw a view with a host, a JavaScript object, as a widget does; ``stop()`` cleans up."""
    live = support("live")

    def drawn(view: Mapping[str, Any], script: str) -> Any:
        file = tmp_path / "host.html"
        file.write_text('<!doctype html><meta charset="utf-8"><div id="here"></div>', "utf-8")
        page.open(file)
        data = {name: value for name, value in view.items() if name != "table"}
        page.run(
            "async (code, view) => {"
            "  const module = URL.createObjectURL(new Blob([code], {type: 'text/javascript'}));"
            "  const { render } = await import(module);"
            "  window.render = render;"
            f"  window.host = {script};"
            "  window.here = document.getElementById('here');"
            "  window.stop = render(here, view, host);"
            "}",
            module_source(),
            data,
        )
        return live.LiveView(page, root="window.here.shadowRoot")

    return drawn
