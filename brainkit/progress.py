"""A progress bar in notebook and terminal, for anything that takes over a second."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any


@contextmanager
def bar(
    *, total: int, what: str, unit: str, on: bool, beside: Callable[[], str] | None = None
) -> Iterator[Callable[[int], object]]:
    """Yield a function that moves the bar on by so many; the bar appears after one second.

    beside : what to say behind the bar, asked at each step.
    """
    from tqdm.auto import tqdm

    with tqdm(
        total=total, desc=what, unit=unit, delay=1.0, disable=not on or total == 0, leave=False
    ) as shown:

        def step(count: int) -> None:
            if beside is not None:
                shown.set_postfix_str(beside(), refresh=False)
            shown.update(count)

        yield step


def steps(progress: bool) -> Callable[[Sequence[Any], str], Iterable[Any]]:
    """Return a wrapper that shows a bar while a list is worked through."""

    def each(items: Sequence[Any], what: str) -> Iterator[Any]:
        with bar(total=len(items), what=what, unit="file", on=progress) as step:
            for item in items:
                yield item
                step(1)

    return each
