"""Configurations: settings by name, as dicts or whole requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brainkit.errors import InvalidSetting
from brainkit.models import QueryRequest

Config = Mapping[str, Any] | QueryRequest


def named(configs: Mapping[str, Config] | Sequence[Config]) -> dict[str, QueryRequest]:
    """Return name -> request; without names, configurations are called by what they set.

    Raises InvalidSetting if there is none or two have one name, InvalidRequest for their fields.
    """
    if not isinstance(configs, Mapping | list | tuple) or not configs:
        raise InvalidSetting(
            f"configs={configs!r:.60}: give settings by name, such as "
            "{'keywords': {'mode': 'bm25'}, 'both': {'mode': 'hybrid', 'alpha': 0.3}}."
        )
    for config in configs.values() if isinstance(configs, Mapping) else configs:
        if not isinstance(config, Mapping | QueryRequest):
            raise InvalidSetting(
                f"the configuration {config!r:.60} is a {type(config).__name__}; give fields of "
                "QueryRequest, such as {'mode': 'bm25'}."
            )
    if isinstance(configs, Mapping):
        pairs = [(str(name), config) for name, config in configs.items()]
    else:
        pairs = [(called(config), config) for config in configs]
    found: dict[str, QueryRequest] = {}
    for name, config in pairs:
        if name in found:
            raise InvalidSetting(f"two configurations are called {name!r}; give them names.")
        found[name] = (
            config
            if isinstance(config, QueryRequest)
            else QueryRequest(query="-", **{k: v for k, v in config.items() if k != "query"})
        )
    return found


def given_fields(config: Config) -> dict[str, Any]:
    """Return the settings that a configuration itself gives, without a query."""
    if isinstance(config, QueryRequest):
        config = {name: getattr(config, name) for name in config.model_fields_set}
    return {name: value for name, value in config.items() if name != "query"}


@dataclass(frozen=True)
class Choice:
    """Settings that were chosen, and what speaks for them.

    told : where they come from, in words. figures : what was measured, as plain data for JSON.
    """

    fields: Mapping[str, Any]
    told: str
    figures: Mapping[str, Any]


def called(config: Config) -> str:
    """Return a name for a configuration that has none: what it sets."""
    given = given_fields(config)
    mode = str(given.pop("mode", "hybrid"))
    return " ".join([mode, *(f"{name}={value}" for name, value in given.items())])
