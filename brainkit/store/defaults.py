"""A brain's own defaults in ``defaults.json``: readable, diffable, whole or absent.

The file belongs to the brain, not to a generation: it stays through ingests and other embedders.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, Final

from brainkit.errors import InvalidRequest, InvalidSetting
from brainkit.models import QueryRequest
from brainkit.store.layout import Layout, write_whole

FILE: Final = "defaults.json"
_BYTES_MAX: Final = 100_000
_ANY_QUERY: Final = "?"


@dataclass(frozen=True)
class Stored:
    """Settings that a brain answers with where a question gives none.

    settings : field of QueryRequest -> value, as JSON has it. told : where they come from, in
    words. by, when : who stored them, and the time in UTC. embedder : whose vectors the brain had
    then. figures : what was measured of them.
    """

    settings: Mapping[str, Any]
    told: str
    by: str
    when: str
    embedder: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)


def checked(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as JSON, as they were given. Raises InvalidRequest naming what is wrong."""
    if "query" in settings:
        raise InvalidRequest("defaults hold for every question, so they cannot have a query.")
    request = QueryRequest.model_validate({**settings, "query": _ANY_QUERY})
    plain = request.model_dump(mode="json")
    return {name: plain[name] for name in QueryRequest.model_fields if name in settings}


def new(
    settings: Mapping[str, Any],
    *,
    told: str,
    by: str,
    embedder: str,
    figures: Mapping[str, Any],
) -> Stored:
    """Return defaults to store now. Raises InvalidRequest."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Stored(checked(settings), told, by, now, embedder, figures)


def read(layout: Layout) -> Stored | None:
    """Return what is stored, None if nothing is.

    Raises InvalidSetting naming the file and the way out if it cannot be read.
    """
    path = layout.folder / FILE
    try:
        with path.open("rb") as file:
            data = file.read(_BYTES_MAX + 1)
        return parse(data)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InvalidSetting(
            f"{path} cannot be used ({error}). Correct it; or delete it, as brain.use(None) and "
            "`brainkit defaults --reset` do, to have the built-in defaults."
        ) from None


def write(layout: Layout, stored: Stored | None) -> None:
    """Store defaults, or none. The writer's lock must be held."""
    path = layout.folder / FILE
    if stored is None:
        path.unlink(missing_ok=True)
    else:
        write_whole(path, text(stored))


def text(stored: Stored) -> bytes:
    """Return defaults as the file has them."""
    return (json.dumps(asdict(stored), indent=1, ensure_ascii=False) + "\n").encode()


def parse(data: bytes) -> Stored:
    """Return defaults from what a file holds. Raises ValueError saying what is wrong with it."""
    if len(data) > _BYTES_MAX:
        raise ValueError(f"it has over {_BYTES_MAX:,} bytes")
    try:
        value = json.loads(data.decode("utf-8"))
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    if not isinstance(value, dict):
        raise ValueError("it holds no JSON object")
    known = [one.name for one in fields(Stored)]
    if unknown := [name for name in value if name not in known]:
        raise ValueError(f"{unknown[0]!r} is not one of {', '.join(known)}")
    for name, kind in (("settings", dict), ("told", str), ("by", str), ("when", str)):
        if not isinstance(value.get(name), kind):
            raise ValueError(f"{name} is missing or not as it should be")
    if not isinstance(value.get("embedder", ""), str):
        raise ValueError("embedder is no text")
    if not isinstance(value.get("figures", {}), dict):
        raise ValueError("figures is no JSON object")
    return Stored(**{**value, "settings": checked(value["settings"])})
