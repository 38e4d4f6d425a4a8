"""The template's colours are legible on both grounds, by the formula of the web's guidelines."""

from __future__ import annotations

import pytest

from brainkit.viz.template import COLOURS, INK, TEMPLATE

WHITE, DARK = "#ffffff", "#111111"


def luminance(colour: str) -> float:
    """Relative luminance.  Source: WCAG 2.2."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_formula() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("ground", [WHITE, DARK])
@pytest.mark.parametrize("colour", COLOURS)
def test_marks_have_three_to_one(colour: str, ground: str) -> None:
    assert contrast(colour, ground) >= 3


@pytest.mark.parametrize("ground", [WHITE, DARK])
def test_text_has_as_much_as_one_colour_can_have_on_both(ground: str) -> None:
    """Best is where both are equal: sqrt(contrast of the grounds)."""
    assert contrast(INK, ground) >= 0.98 * contrast(WHITE, DARK) ** 0.5


def test_labels_have_a_ground_of_their_own() -> None:
    hover = TEMPLATE.layout.hoverlabel
    assert contrast(hover.bgcolor, hover.font.color) >= 7
