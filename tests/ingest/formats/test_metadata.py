"""Metadata of a document: plain, bounded, and never that of a chunk."""

from __future__ import annotations

import datetime
import json

from hypothesis import given
from hypothesis import strategies as st

from brainkit.ingest.formats.document import OWN_METADATA
from brainkit.ingest.formats.metadata import CHARS_MAX, TEXT_CHARS_MAX, bounded


def test_values_become_plain_json() -> None:
    facts = {
        "date": datetime.datetime(2024, 5, 1, 12, tzinfo=datetime.UTC),
        "tags": ("a", {1}),
        "nested": {1: float("nan"), "x\x00": b"raw"},
        "draft": True,
    }
    assert bounded(facts) == (
        {
            "date": "2024-05-01T12:00:00+00:00",
            "tags": ["a", [1]],
            "nested": {"1": None, "x\ufffd": "b'raw'"},
            "draft": True,
        },
        None,
    )


def test_names_that_belong_to_a_chunk_are_left_out() -> None:
    kept, note = bounded({"columns": [0, 3], "title": "A"})
    assert (kept, note) == ({"title": "A"}, "metadata left out: columns")


def test_long_texts_are_cut_and_what_is_too_much_is_named() -> None:
    kept, note = bounded({"a": "x" * 9_000, **{f"k{i}": "y" * 400 for i in range(10)}})
    assert kept["a"] == "x" * TEXT_CHARS_MAX + "…"
    # {"a": "xxx…"} takes 500 + 15 characters, each {"k0": "yyy"} 400 + 10: three more fit 2,000.
    assert [*kept] == ["a", "k0", "k1", "k2"]
    assert note == "metadata left out: k3, k4, k5, k6, k7 and 2 more"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=20,
)


@given(st.dictionaries(st.text() | st.sampled_from(sorted(OWN_METADATA)), values))
def test_anything_becomes_a_little_json(facts: dict[str, object]) -> None:
    kept, _ = bounded(facts)
    assert len(json.dumps(kept, allow_nan=False).encode()) <= 2 * CHARS_MAX
    assert not OWN_METADATA & set(kept)
