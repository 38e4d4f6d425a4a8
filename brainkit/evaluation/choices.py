"""From what somebody hands to ``brain.use`` to settings, and what speaks for them."""

from __future__ import annotations

from collections.abc import Mapping

from brainkit.errors import InvalidSetting
from brainkit.evaluation.configs import Choice, Config, given_fields
from brainkit.evaluation.outcome import Evaluation
from brainkit.evaluation.swept import Sweep
from brainkit.models import QueryRequest

_BY_HAND = "settings given by hand"


def choice_of(config: Config | Choice | Sweep) -> Choice:
    """Return the settings meant. Raises InvalidSetting saying what may be given instead."""
    if isinstance(config, Choice):
        return config
    if isinstance(config, Sweep):
        return config.choice
    if isinstance(config, Evaluation):
        raise InvalidSetting(
            f"an evaluation has {len(config.configs)} configurations; say which: "
            f"evaluation.choice({next(iter(config.configs))!r})."
        )
    if not isinstance(config, Mapping | QueryRequest):
        raise InvalidSetting(
            f"config={config!r:.60} is a {type(config).__name__}; give fields of a query, such as "
            "{'alpha': 0.3}, a sweep, or None for the built-in defaults."
        )
    fields = given_fields(config)
    if not fields:
        raise InvalidSetting(
            "the settings are empty; give at least one, or None for the built-in defaults."
        )
    return Choice(fields, _BY_HAND, {})
