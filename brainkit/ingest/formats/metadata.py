"""What a document says about itself, as plain JSON of a bounded size: each chunk carries it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from brainkit.ingest.formats.document import OWN_METADATA, storable

CHARS_MAX: Final = 2_000
TEXT_CHARS_MAX: Final = 500


def bounded(facts: Mapping[Any, Any]) -> tuple[dict[str, Any], str | None]:
    """Return as many of the facts as `CHARS_MAX` allows, in their order, and which are left out.

    Dates become ISO text, texts end after `TEXT_CHARS_MAX` characters, and names that belong to
    single chunks (`OWN_METADATA`) are left out.

    >>> import datetime
    >>> bounded({"title": "A", "date": datetime.date(2024, 5, 1), "page": 3})
    ({'title': 'A', 'date': '2024-05-01'}, 'metadata left out: page')
    """
    kept: dict[str, Any] = {}
    left_out = []
    room = CHARS_MAX
    for key, value in facts.items():
        name = storable(str(key))[:TEXT_CHARS_MAX]
        plain = _plain(value)
        size = len(json.dumps({name: plain}))
        if name in OWN_METADATA or size > room:
            left_out.append(name)
        else:
            kept[name] = plain
            room -= size
    if not left_out:
        return kept, None
    shown = ", ".join(name[:40] for name in left_out[:5])
    more = f" and {len(left_out) - 5:,} more" if len(left_out) > 5 else ""
    return kept, f"metadata left out: {shown}{more}"


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        text = storable(value)
        return text if len(text) <= TEXT_CHARS_MAX else f"{text[:TEXT_CHARS_MAX]}…"
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {storable(str(name)): _plain(inner) for name, inner in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return [_plain(inner) for inner in value]
    return _plain(value.isoformat() if hasattr(value, "isoformat") else str(value))
