"""Where links lead."""

from __future__ import annotations

import pytest

from brainkit.extract.facts import Target
from brainkit.extract.links import slug, target_of


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("hubs.md", Target("path", "/docs/hubs.md")),
        ("../README.md", Target("path", "/README.md")),
        ("a/../b.md", Target("path", "/docs/b.md")),
        ("hubs.md#Why-not", Target("path", "/docs/hubs.md#why-not")),
        ("#why", Target("path", "/docs/page.md#why")),
        ("my%20file.md?x=1", Target("path", "/docs/my file.md")),
        ("doc:installation", Target("path", "/docs/installation")),
        ("doc:/cli", Target("name", "/cli")),
        ("/guide.md", Target("name", "/guide.md")),
        ("ref:App Context", Target("name", "#app-context")),
        ("https://example.org/a.md", None),
        ("mailto:a@example.org", None),
        ("//example.org/a", None),
        ("../../outside.md", None),
        ("#", None),
        ("", None),
    ],
)
def test_targets(written: str, target: Target | None) -> None:
    assert target_of(written, "docs/page.md") == target


def test_slugs_are_those_of_fragments() -> None:
    assert slug("What's new in 3.1?") == "whats-new-in-31"
    assert slug("snake_case") == "snake-case"
    assert slug("Über uns") == "uber-uns"
