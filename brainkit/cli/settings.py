"""Settings of a question on the command line: ``mode=hybrid,alpha=.3``, or in a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from brainkit.errors import InvalidSetting, nearest
from brainkit.ingest.toml_text import toml_of

_LISTS = ("source_types", "languages", "file_paths", "entity_types", "relationship_types")
_WORDS = {"true": True, "false": False, "none": None}
_EXAMPLE = "such as both:mode=hybrid,alpha=.3"


def settings_of(text: str) -> dict[str, Any]:
    """Return fields of a question from ``mode=hybrid,alpha=.3``, or the name of a mode alone.

    >>> settings_of("mode=multi,weights.graph=0,source_types=code+doc")
    {'mode': 'multi', 'weights': {'graph': 0}, 'source_types': ['code', 'doc']}
    >>> settings_of("bm25")
    {'mode': 'bm25'}

    Raises InvalidSetting. Which fields and values there may be, the request decides.
    """
    found: dict[str, Any] = {}
    pairs = text.split(",")
    if len(pairs) == 1 and "=" not in text:
        return {"mode": _mode(text.strip())}
    for pair in pairs:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not name or not value:
            raise InvalidSetting(f"{pair!r} is not NAME=VALUE; write for instance alpha=.3.")
        name, _, inner = name.partition(".")
        if inner:
            found.setdefault(name, {})[inner] = _value(value)
        elif name in found:
            raise InvalidSetting(f"{name!r} is given twice in {text!r}.")
        else:
            found[name] = value.split("+") if name in _LISTS else _value(value)
    return found


def configs_of(given: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """Return name -> settings from ``NAME:SETTINGS``, ``SETTINGS``, or JSON and TOML files.

    Raises InvalidSetting if two have one name, or a file is not as it should be.
    """
    from brainkit.evaluation.configs import called

    found: dict[str, Mapping[str, Any]] = {}
    for text in given:
        pairs: dict[str, Mapping[str, Any]]
        if Path(text).suffix in (".json", ".toml"):
            pairs = _from_file(Path(text))
        else:
            name, colon, settings = text.partition(":")
            if not colon or "=" in name:
                name, settings = "", text
            fields = settings_of(settings)
            pairs = {name.strip() or called(fields): fields}
        if twice := sorted(pairs.keys() & found.keys()):
            raise InvalidSetting(f"two configurations are called {twice[0]!r}; name them apart.")
        found |= pairs
    return found


def _from_file(path: Path) -> dict[str, Mapping[str, Any]]:
    try:
        text = path.read_text("utf-8")
        value = json.loads(text) if path.suffix == ".json" else toml_of(text)
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidSetting(f"{path} cannot be read ({error}).") from None
    if isinstance(value, dict) and set(value) == {"configs"}:
        value = value["configs"]
    if (
        not isinstance(value, dict)
        or not value
        or not all(isinstance(fields, dict) for fields in value.values())
    ):
        raise InvalidSetting(
            f"{path} holds no configurations: it needs settings by name, such as "
            + (
                '{"both": {"mode": "hybrid", "alpha": 0.3}}.'
                if path.suffix == ".json"
                else '[both] with mode = "hybrid" and alpha = 0.3 below.'
            )
        )
    return value


def _mode(word: str) -> str:
    from brainkit.models import QueryMode

    modes = [mode.value for mode in QueryMode]
    if word not in modes:
        raise InvalidSetting(
            f"{word!r} is neither NAME=VALUE nor a mode ({', '.join(modes)})"
            f"{nearest(word, modes)}; write settings, {_EXAMPLE}."
        )
    return word


def _value(text: str) -> Any:
    if text.casefold() in _WORDS:
        return _WORDS[text.casefold()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
