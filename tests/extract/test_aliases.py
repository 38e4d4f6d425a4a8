"""Other names of what a text is about."""

from __future__ import annotations

import pytest

from brainkit.extract.aliases import aliases_of


@pytest.mark.parametrize(
    ("title", "opening", "aliases"),
    [
        ("Dark City (1998 film)", "Dark City is a film.", {"Dark City": 0.9}),
        ("Jon Gunn", "Jonathan Michael Gunn is a director.", {"Jonathan Michael Gunn": 0.8}),
        (
            "Alex da Kid",
            "Alexander Grant (born 1982), professionally known as Alex da Kid, is a producer.",
            {"Alexander Grant": 0.8},
        ),
        (
            "Walram II, Count of Nassau",
            "Walram II of Nassau was Count of Nassau.",
            {"Walram II": 0.8, "Walram II of Nassau": 0.8},
        ),
        # A name that opens the text of another thing, part of a longer title, a list.
        ("Namibia", "South Africa withdrew in 1990.", {}),
        ("Obesity", "In the United States it is common.", {}),
        ("New York Central Railroad", "New York had a railroad.", {}),
        ("Fish Oil, Nuts, and Diabetes", "OBJECTIVE The aim.", {}),
        ("Lambert", "Lambert was a duke.", {}),
        ("", "", {}),
    ],
)
def test_aliases(title: str, opening: str, aliases: dict[str, float]) -> None:
    assert dict(aliases_of(title, opening)) == aliases
