"""Settings of a client: defaults, then a JSON file, then the environment."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from shelf.errors import ConfigError

MAX_RETRIES = 4
"""Attempts after the first one; at the default delay all five span about fifteen seconds."""

DEFAULT_TIMEOUT_SECONDS = 10.0
"""How long one attempt may take; a hung server must not freeze the reading room."""


@dataclass(frozen=True, kw_only=True)
class ClientConfig:
    """What a `ShelfClient` needs to know about its server."""

    base_url: str = "http://127.0.0.1:8080"
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    max_retries: int = MAX_RETRIES
    first_delay_seconds: float = 1.0

    def __post_init__(self) -> None:
        if not self.base_url.startswith(("http://", "https://")):
            raise ConfigError(f"base_url={self.base_url!r} must start with http:// or https://")
        if self.timeout_seconds <= 0:
            raise ConfigError(f"timeout_seconds={self.timeout_seconds} must be above 0")
        if self.max_retries < 0:
            raise ConfigError(f"max_retries={self.max_retries} must be 0 or more")
        if self.first_delay_seconds < 0:
            raise ConfigError(f"first_delay_seconds={self.first_delay_seconds} must be 0 or more")


def load_config(
    path: Path | None = None, *, environ: Mapping[str, str] = os.environ
) -> ClientConfig:
    """Read a JSON file and let every `SHELF_<NAME>` variable override it.

    Raises ConfigError if a name is unknown or a value has the wrong type.

    >>> load_config(environ={"SHELF_MAX_RETRIES": "2"}).max_retries
    2
    """
    given: dict[str, object] = {}
    if path is not None:
        given.update(json.loads(path.read_text(encoding="utf-8")))
    known = {field.name: field.type for field in fields(ClientConfig)}
    for name in known:
        if (text := environ.get(f"SHELF_{name.upper()}")) is not None:
            given[name] = text
    if unknown := sorted(set(given) - set(known)):
        raise ConfigError(f"unknown setting {unknown[0]!r}; known are {', '.join(known)}")
    converted: dict[str, Any] = {
        name: _convert(name, str(known[name]), value) for name, value in given.items()
    }
    return ClientConfig(**converted)


def _convert(name: str, kind: str, value: object) -> object:
    types: dict[str, Any] = {"str": str, "int": int, "float": float}
    try:
        return types[kind](value)
    except (TypeError, ValueError):
        raise ConfigError(f"{name}={value!r} is not of type {kind}") from None
