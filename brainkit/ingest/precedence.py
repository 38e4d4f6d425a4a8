"""What holds for an ingest: the call, then the environment, then `brainkit.toml`, then defaults."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from brainkit.embed import Identity
from brainkit.errors import InvalidSetting, nearest
from brainkit.extract.facts import FACTS_VERSION
from brainkit.ingest.config import CONFIG_FILE, Config, toml_value
from brainkit.ingest.pieces import EXTRACTION_VERSION
from brainkit.settings import SHAPING, Settings

_WITHOUT_READING: Final = frozenset(
    {*SHAPING, "exact_limit_chunks", "max_files", "max_depth", "max_file_bytes"}
)
"""Settings that need no unchanged file read again: they hold for the brain, or for the walk."""


@dataclass(frozen=True, slots=True)
class InForce:
    """Settings of one ingest.

    embedder : name to use for a brain without vectors, or None for the brain's own choice.
    reading : fingerprint of all that decides what is made of an unchanged file; where it differs
        from the last ingest's, such files are looked at again.
    notes : what the file asks for in vain.
    """

    settings: Settings
    embedder: str | None
    reading: str
    notes: tuple[str, ...] = ()

    @property
    def shape(self) -> dict[str, int | str]:
        """The settings that a brain stores, since they shaped its chunks."""
        return shape_of(self.settings)


def overridden(base: Settings, changes: Mapping[str, Any]) -> Settings:
    """Return settings with those of a call. Raises InvalidSetting for an unknown name."""
    known = asdict(base)
    for name in changes:
        if name not in known:
            raise InvalidSetting(
                f"there is no setting {name!r}{nearest(name, known)}; "
                f"settings are {', '.join(known)}."
            )
    return replace(base, **changes)


def kept(base: Settings, stored: Mapping[str, Any], *, asked: Mapping[str, Any]) -> Settings:
    """Return settings with those that a brain was made with.

    Raises InvalidSetting if the call asked for another value of one of them.
    """
    for name in SHAPING:
        if name in asked and asked[name] != stored[name]:
            raise InvalidSetting(
                f"{name}={asked[name]!r}: this brain was made with {stored[name]!r}, which shaped "
                "its chunks; make a new brain to change it (embeddings are then computed anew)."
            )
    return replace(base, **{name: stored[name] for name in SHAPING})


def shape_of(settings: Settings) -> dict[str, int | str]:
    """Return the settings that shape what is stored."""
    return {name: getattr(settings, name) for name in SHAPING}


def unshaped(asked: Settings, meta: Mapping[str, Any]) -> Settings:
    """Return the settings of a brain without files: what was chosen for it, else those asked now.

    What a removed folder wanted has no say any more.
    """
    return replace(asked, **{name: meta["settings"][name] for name in meta.get("chosen", ())})


def in_force(
    config: Config,
    *,
    settings: Settings,
    outranked: Collection[str],
    meta: Mapping[str, Any],
    is_empty: bool,
    embedder_given: bool,
) -> InForce:
    """Lay what a folder says over the settings of a brain.

    settings : the brain's own, with environment and call already applied.
    outranked : settings that the call or the environment named, at whatever time the brain was
        made or now; the file has no say in them.
    meta : of the generation to begin with. is_empty : it holds nothing that was shaped yet.
    embedder_given : the call named one.
    """
    chosen = {*outranked, *meta.get("chosen", ())}
    asked = {name: value for name, value in config.settings.items() if name not in chosen}
    late = {
        name: value
        for name, value in asked.items()
        if name in SHAPING and not is_empty and value != getattr(settings, name)
    }
    notes = [
        f"{CONFIG_FILE} asks for {name} = {toml_value(value)}, but this brain was made with "
        f"{toml_value(getattr(settings, name))} and keeps it; make a new brain to change it"
        for name, value in late.items()
    ]
    embedder = None if embedder_given else config.embedder
    made_by = meta.get("embedder")
    if embedder and made_by:
        identity = Identity.from_dict(made_by)
        if identity.provider != embedder:
            notes.append(
                f"{CONFIG_FILE} asks for the embedder {embedder!r}, but this brain's vectors were "
                f"made by {identity}; brain.reembed({embedder!r}) switches"
            )
        embedder = None
    in_use = overridden(settings, {n: v for n, v in asked.items() if n not in late})
    return InForce(in_use, embedder, _reading(in_use, config), tuple(notes))


def _reading(settings: Settings, config: Config) -> str:
    values = {n: v for n, v in asdict(settings).items() if n not in _WITHOUT_READING}
    rules = [[rule.paths, rule.type, rule.language] for rule in config.rules]
    text = json.dumps([EXTRACTION_VERSION, FACTS_VERSION, values, rules], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def check_given(*, include: object, exclude: object, label: object) -> None:
    """Raise InvalidSetting unless globs are lists of texts and the label is a text, or left out."""
    for name, globs in (("include", include), ("exclude", exclude)):
        if isinstance(globs, str):
            raise InvalidSetting(f"{name}={globs!r} is one string; give a list: [{globs!r}].")
        if globs is not None and not (
            isinstance(globs, Collection) and all(isinstance(one, str) for one in globs)
        ):
            raise InvalidSetting(
                f"{name}={globs!r:.60} is no list of texts; give globs such as ['docs/**']."
            )
    if not isinstance(label, str | None):
        raise InvalidSetting(
            f"label={label!r:.60} is a {type(label).__name__}; give a text, or leave it out."
        )
