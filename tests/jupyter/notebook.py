"""Drive JupyterLab's own page: open notebooks, run cells, and ask the kernel what it holds."""

from __future__ import annotations

import ast
import importlib.util
import time
from pathlib import Path
from types import ModuleType
from typing import Any

PATIENCE_S = 60.0
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
# What a cell drew that is live and to be seen: elements with a shadow root in its outputs.
_DRAWN = (
    "[...window.panels[{path!r}].content.widgets[{cell}]"
    ".node.querySelectorAll('.jp-Cell-outputArea *')]"
    ".filter(e => e.shadowRoot && e.checkVisibility())[{nth}]?.shadowRoot"
)


def _live() -> ModuleType:
    path = Path(__file__).parents[1] / "widgets" / "live.py"
    spec = importlib.util.spec_from_file_location("jupyter_live", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LIVE = _live()


class Lab:
    """JupyterLab in one tab. ``jupyterapp`` is its application, which it exposes for tests."""

    def __init__(self, page: Any, address: str, token: str) -> None:
        self.page, self.address, self._token = page, address, token
        page.resize(1400, 1000)
        self.start().close()

    def start(self) -> Notebook:
        """Go where `brainkit lab` sends the browser, and return the lesson that it opens."""
        self.page.run(
            "() => { for (const one of window.jupyterapp?.shell.widgets('main') ?? [])"
            " one.dispose(); }"  # or the page would ask what to do with changes
        )
        self.page.visit("about:blank")
        self.page.wait("location.href === 'about:blank'")
        self.page.visit(f"{self.address}/?token={self._token}")
        self.wait("location.pathname.includes('/lab/tree/')")
        path = str(self.page.value("decodeURIComponent(location.pathname.split('/tree/')[1])"))
        # A notebook takes the page for itself once it is shown: nothing may come before this one.
        self.wait(f"window.jupyterapp?.shell.currentWidget?.context?.path === {path!r}")
        self.do(
            "await app.restored;"
            "const panel = app.shell.currentWidget;"
            "await panel.context.ready; await panel.revealed; await panel.sessionContext.ready;"
            "window.panels = {[args[0]]: panel};",
            path,
        )
        return Notebook(self, path)

    def do(self, body: str, *arguments: Any) -> Any:
        """Run a function body with ``app`` and its arguments as ``args``; return its JSON."""
        script = f"async (...args) => {{ const app = jupyterapp; {body} }}"
        return self.page.run(script, *arguments)

    def wait(self, condition: str) -> None:
        """Wait until a JavaScript condition holds; kernels take their time to start."""
        self.page.wait(condition, timeout_s=PATIENCE_S)

    def new(self, path: str) -> Notebook:
        """Make an empty notebook with a kernel."""
        self.do(
            "await app.serviceManager.contents.save(args[0],"
            " {type: 'notebook', format: 'json', content: args[1]})",
            path,
            {"cells": [], "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5},
        )
        return self.open(path)

    def open(self, path: str, *, kernel: bool = True) -> Notebook:
        """Open a notebook; without a kernel it is only shown."""
        self.do(
            "const panel = await app.commands.execute('docmanager:open', {path: args[0],"
            " factory: 'Notebook', kernelPreference: {name: 'python3', shouldStart: args[1]}});"
            "window.panels[args[0]] = panel;"
            "app.shell.activateById(panel.id);"
            "await panel.context.ready; await panel.revealed;"
            "if (args[1]) await panel.sessionContext.ready;",
            path,
            kernel,
        )
        return Notebook(self, path)

    def theme(self, name: str) -> None:
        """Switch to ``JupyterLab Light`` or ``JupyterLab Dark``."""
        self.do("await app.commands.execute('apputils:change-theme', {theme: args[0]})", name)
        light = str("Light" in name).lower()
        self.wait(f"document.body.dataset.jpThemeLight === '{light}'")


class Notebook:
    """One open notebook, the one that is shown."""

    def __init__(self, lab: Lab, path: str) -> None:
        self.lab, self.page, self.path = lab, lab.page, path

    def do(self, body: str, *arguments: Any) -> Any:
        """Run a function body with ``panel``, and its arguments as ``args``; return its JSON."""
        return self.lab.do(f"const panel = window.panels[{self.path!r}]; {body}", *arguments)

    def start(self, code: str, *, cell: int = 1) -> None:
        """Write a cell, adding it if it is missing, and run it without waiting for its end."""
        self.do(
            "const [code, at] = args, { content } = panel;"
            "while (content.widgets.length <= at)"
            "  content.model.sharedModel.insertCell(content.widgets.length, {cell_type: 'code'});"
            "content.activeCellIndex = at;"
            "content.mode = 'command';"
            "content.activeCell.model.sharedModel.setSource(code);"
            "window.running = app.commands.execute('notebook:run-cell');",
            code,
            cell,
        )

    def finish(self) -> None:
        """Wait until the cell that was started has run."""
        self.do("await window.running")

    def run(self, code: str, *, cell: int = 1) -> None:
        """Write a cell and run it."""
        self.start(code, cell=cell)
        self.finish()

    def show(self, code: str, *, cell: int = 1, nth: int = 0) -> Any:
        """Run a cell and return the live view that it draws."""
        self.run(code, cell=cell)
        return self.view(cell=cell, nth=nth)

    def view(self, *, cell: int = 1, nth: int = 0) -> Any:
        """The n-th live view below a cell, scrolled to, as soon as there is one."""
        root = _DRAWN.format(path=self.path, cell=cell, nth=nth)
        self.do("panel.content.widgets[args[0]].node.scrollIntoView({block: 'start'})", cell)
        self.lab.wait(f"{root}?.childElementCount > 0")
        live = LIVE.LiveView(self.page, root=root)
        live.do("root.host.scrollIntoView({block: 'start'})")
        return live

    def output(self, *, cell: int = 1) -> str:
        """The JavaScript that finds the outputs of a cell, as soon as they are drawn."""
        found = f"window.panels[{self.path!r}].content.widgets[{cell}].node"
        area = f"{found}.querySelector('.jp-Cell-outputArea')"
        self.do("panel.content.widgets[args[0]].node.scrollIntoView({block: 'start'})", cell)
        self.lab.wait(f"{area}?.querySelector('.jp-OutputArea-output')?.innerText")
        return area

    def text(self, *, cell: int = 1) -> str:
        """What the outputs of a cell say on the page."""
        return str(self.page.value(f"{self.output(cell=cell)}.innerText"))

    def python(self, expression: str) -> Any:
        """The value of a Python expression in the kernel, a literal."""
        reply = self.do(
            "const future = panel.sessionContext.session.kernel.requestExecute({code: '',"
            " silent: true, store_history: false, user_expressions: {value: args[0]}});"
            "return (await future.done).content.user_expressions.value;",
            expression,
        )
        assert reply["status"] == "ok", reply
        return ast.literal_eval(reply["data"]["text/plain"])

    def wait_python(self, expression: str, value: Any) -> None:
        """Wait until an expression in the kernel has a value."""
        deadline = time.monotonic() + PATIENCE_S
        while (found := self.python(expression)) != value:
            assert time.monotonic() < deadline, f"{expression} is {found!r}, not {value!r}"

    def save(self) -> None:
        """Save it, as Ctrl-S does."""
        self.do("await panel.context.save()")

    def restart(self) -> None:
        """Restart its kernel."""
        self.do("await panel.sessionContext.restartKernel()")

    def close(self) -> None:
        """End its kernel and close it, saved or not."""
        self.do("await panel.sessionContext.shutdown(); panel.dispose()")
