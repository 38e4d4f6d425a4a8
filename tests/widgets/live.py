"""A drawn view as a test sees it: what it says, and what a hand can do to it."""

from __future__ import annotations

from typing import Any

_FIND = "document.querySelectorAll('brainkit-view-1')[{index}].shadowRoot"


class LiveView:
    """The n-th view of a page, from 0. Selectors are CSS, inside its shadow root."""

    def __init__(self, page: Any, index: int = 0, *, root: str | None = None) -> None:
        self.page = page
        self.root = root or _FIND.format(index=index)

    def do(self, body: str, *arguments: Any) -> Any:
        """Run a function body with ``root``, and its arguments as ``args``; return its JSON."""
        return self.page.run(
            f"async (...args) => {{ const root = {self.root}; {body} }}", *arguments
        )

    def text(self, selector: str) -> str | None:
        """What the first match says; None without a match."""
        return self.do("return root.querySelector(args[0])?.textContent ?? null", selector)

    def texts(self, selector: str) -> list[str]:
        """What each match says."""
        return self.do(
            "return [...root.querySelectorAll(args[0])].map(e => e.textContent)", selector
        )

    def rows(self) -> list[list[str]]:
        """Citation and score of each result, best first."""
        pairs = zip(self.texts(".place"), self.texts(".row .number"), strict=True)
        return [list(pair) for pair in pairs]

    def click(self, selector: str, *, nth: int = 0) -> None:
        """Click the n-th match, from 0."""
        self.do("root.querySelectorAll(args[0])[args[1]].click()", selector, nth)

    def tab(self, title: str) -> None:
        """Open a tab."""
        self.do(
            "[...root.querySelectorAll('[role=tab]')].find(t => t.innerText === args[0]).click()",
            title,
        )

    def set(self, name: str, *values: float | str, settle: bool = True) -> None:
        """Move a control through values, as a hand does; ``settle`` lets it go at the end."""
        self.do(
            "const [name, values, settle] = args;"
            "const control = root.querySelector(`[aria-label=${name}]`);"
            "for (const value of values) {"
            "  control.value = value;"
            "  control.dispatchEvent(new Event('input'));"
            "}"
            "if (settle) control.dispatchEvent(new Event('change'));",
            name,
            values,
            settle,
        )

    def value(self, name: str) -> str:
        """The value of a control."""
        return str(self.do("return root.querySelector(`[aria-label=${args[0]}]`).value", name))

    def box(self, selector: str) -> list[float]:
        """Left, top, width and height of the first match, in CSS pixels."""
        return self.do(
            "const box = root.querySelector(args[0]).getBoundingClientRect();"
            "return [box.left, box.top, box.width, box.height]",
            selector,
        )

    def wait(self, condition: str) -> None:
        """Wait until a condition on ``root`` holds."""
        self.page.wait(f"(root => {condition})({self.root})")
