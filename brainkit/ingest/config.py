"""`brainkit.toml`: what a folder says about how it wants to be ingested."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, NoReturn, get_args

from pathspec import GitIgnoreSpec

from brainkit.analyze import Analyzer
from brainkit.errors import InvalidSetting, nearest
from brainkit.ingest.ignore import globs
from brainkit.ingest.languages import LANGUAGES, source_type_of
from brainkit.ingest.toml_text import toml_of
from brainkit.models import SourceType
from brainkit.settings import Settings

CONFIG_FILE: Final = "brainkit.toml"
EMBEDDERS: Final = ("local", "static")
"""A folder may come from anyone, so it may not have its texts sent away: hosted ones are for you
to name in a call.
"""

_ELSEWHERE: Final = frozenset({"exact_limit_chunks"})
"""Settings of a brain as a whole, which several folders may share."""

_BYTES_MAX: Final = 1_000_000
_TYPES: Final = get_args(SourceType)


@dataclass(frozen=True, slots=True)
class TypeRule:
    """What files are, where the conventions would say something else. None leaves it to them."""

    paths: tuple[str, ...]
    spec: GitIgnoreSpec = field(repr=False)
    type: SourceType | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """The contents of a `brainkit.toml`; without one, nothing at all.

    settings : field of Settings -> value, for those that the file names.
    include, exclude : globs as for ``brain.ingest``; None where the file has none.
    embedder : name, or None.
    rules : in the order of the file; of those that match a path, the last that says something
        about its type or its language decides about that.
    """

    path: Path | None = None
    settings: Mapping[str, int | str] = field(default_factory=dict)
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    embedder: str | None = None
    rules: tuple[TypeRule, ...] = ()

    def typed(self, relative: str, language: str | None) -> tuple[SourceType, str | None]:
        """Return source type and language of a file.

        language : what its name and first line say. A rule's language comes first, and the
            conventions of that language then decide about the type, unless a rule does.
        """
        matching = [rule for rule in self.rules if rule.spec.match_file(relative)]
        language = next((r.language for r in reversed(matching) if r.language), language)
        ruled = next((r.type for r in reversed(matching) if r.type), None)
        return ruled or source_type_of(relative, language), language


def read_config(root: Path) -> Config:
    """Read the `brainkit.toml` of a folder; a single file has none.

    Raises InvalidSetting naming the file, the key and what is allowed; also if it is a link, since
    what a folder says must not depend on what lies outside, or anything but a readable file.
    """
    path = root / CONFIG_FILE
    if not root.is_dir():
        return Config()
    try:
        status = path.lstat()
    except FileNotFoundError:
        return Config()
    except OSError as error:
        raise InvalidSetting(f"{path} cannot be read: {error.strerror}.") from None
    if not stat.S_ISREG(status.st_mode):
        kind = "a link" if stat.S_ISLNK(status.st_mode) else "no file"
        raise InvalidSetting(f"{path} is {kind}; put a file of that name there, or nothing.")
    try:
        # What lies there by now may be another thing than a moment ago.
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        with open(os.open(path, flags), "rb") as file:
            raw = file.read(_BYTES_MAX + 1)
    except OSError as error:
        raise InvalidSetting(f"{path} cannot be read: {error.strerror}.") from None
    if len(raw) > _BYTES_MAX:
        raise InvalidSetting(f"{path} has more than {_BYTES_MAX:,} bytes; shorten it.")
    try:
        return parse_config(raw.decode("utf-8-sig"), path=path)
    except UnicodeDecodeError as error:
        raise InvalidSetting(
            f"{path} is not UTF-8 (at byte {error.start:,}); save it so."
        ) from None


def parse_config(text: str, *, path: Path) -> Config:
    """Return what a `brainkit.toml` says.

    path : where it came from, for messages. Raises InvalidSetting.

    >>> parse_config("[chunks]\\ntokens = 128\\n", path=Path("brainkit.toml")).settings
    {'chunk_tokens': 128}
    """
    try:
        document = toml_of(text)
    except ValueError as error:
        raise InvalidSetting(f"{path} is not valid TOML: {error}.") from None
    checked = _Checked(path)
    known = keys()
    for table, content in document.items():
        checked.one_of(table, known, "table", where="")
        if not isinstance(content, dict):
            checked.refuse(table, f"= {content!r:.40} is no table; write [{table}] above its keys")
        for key in content:
            checked.one_of(key, known[table], "key", where=f"[{table}] ")
    ingest, types = document.get("ingest", {}), document.get("types", {})
    config = Config(
        path,
        settings=checked.settings(document),
        include=checked.globs(ingest.get("include", []), "[ingest] include") or None,
        exclude=checked.globs(ingest.get("exclude", []), "[ingest] exclude") or None,
        embedder=document.get("embedder", {}).get("name"),
        rules=checked.rules(types.get("rules", [])),
    )
    if config.embedder is not None:
        checked.one_of(config.embedder, EMBEDDERS, "embedder", where="[embedder] name = ")
    return config


def keys() -> dict[str, dict[str, str]]:
    """Return table -> key -> field of Settings; the field is ``""`` for what is not a setting.

    >>> keys()["chunks"]
    {'tokens': 'chunk_tokens', 'overlap': 'chunk_overlap_tokens'}
    """
    tables: dict[str, dict[str, str]] = {
        "ingest": {"include": "", "exclude": ""},
        "chunks": {},
        "analyzer": {},
        "embedder": {"name": ""},
        "types": {"rules": ""},
    }
    for one in fields(Settings):
        if one.name in _ELSEWHERE:
            continue
        prefix, _, rest = one.name.partition("_")
        match prefix:
            case "chunk":
                tables["chunks"][rest.removesuffix("_tokens")] = one.name
            case "analyzer":
                tables["analyzer"][rest] = one.name
            case _:
                tables["ingest"][one.name] = one.name
    return tables


@dataclass(frozen=True, slots=True)
class _Checked:
    """Values as they must be, or an error that names the file."""

    path: Path

    def refuse(self, where: str, why: str) -> NoReturn:
        raise InvalidSetting(f"{self.path}: {where} {why}.")

    def one_of(self, word: Any, allowed: Iterable[str], what: str, *, where: str) -> None:
        allowed = list(allowed)
        if word not in allowed:
            listed = ", ".join(allowed) if len(allowed) <= 20 else f"{len(allowed)} are known"
            hint = nearest(word, allowed) if isinstance(word, str) else ""
            self.refuse(f"{where}{word!r:.60}", f"is no {what}{hint} ({what}s: {listed})")

    def texts(self, value: Any, where: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self.refuse(where, f'= {value!r:.60} is no list of texts; write ["...", "..."]')
        return tuple(value)

    def globs(self, value: Any, where: str) -> tuple[str, ...]:
        patterns = self.texts(value, where)
        for pattern in patterns:
            if ".." in pattern.split("/"):
                self.refuse(where, f"{pattern!r} leads out of the folder; nothing there is read")
            try:
                globs([pattern], field=where)
            except InvalidSetting as error:
                raise InvalidSetting(f"{self.path}: {error}") from None
        return patterns

    def settings(self, document: Mapping[str, Mapping[str, Any]]) -> dict[str, int | str]:
        defaults = Settings()
        found: dict[str, int | str] = {}
        for table, names in keys().items():
            for key, name in names.items():
                if not name or key not in document.get(table, {}):
                    continue
                value, default = document[table][key], getattr(defaults, name)
                if type(value) is not type(default):
                    kind = {int: "whole number", str: "text"}.get(type(default), "true or false")
                    self.refuse(
                        f"[{table}] {key}",
                        f"= {value!r:.40} is no {kind}; the default is {toml_value(default)}",
                    )
                found[name] = value
        try:
            Analyzer(language=str(found.get("analyzer_language", defaults.analyzer_language)))
            Settings(**found)  # type: ignore[arg-type]  # their types are those of the defaults
        except InvalidSetting as error:
            raise InvalidSetting(f"{self.path}: {error}") from None
        return found

    def rules(self, value: Any) -> tuple[TypeRule, ...]:
        if not isinstance(value, list):
            self.refuse("[types] rules", f"= {value!r:.40} is no list of rules")
        return tuple(self.rule(one, number) for number, one in enumerate(value, start=1))

    def rule(self, value: Any, number: int) -> TypeRule:
        where = f"[types] rule {number}"
        if not isinstance(value, dict):
            self.refuse(
                where, f'= {value!r:.40} is no rule; write {{ paths = [...], type = "doc" }}'
            )
        for key in value:
            self.one_of(key, ("paths", "type", "language"), "key", where=f"{where}: ")
        paths = self.globs(value.get("paths", []), f"{where}: paths")
        if not paths:
            self.refuse(where, 'has no paths; name some, such as paths = ["docs_src/**"]')
        if "type" not in value and "language" not in value:
            self.refuse(where, "says neither type nor language; give one of them, or both")
        if "type" in value:
            self.one_of(value["type"], _TYPES, "type", where=f"{where}: type = ")
        if "language" in value:
            self.one_of(value["language"], LANGUAGES, "language", where=f"{where}: language = ")
        spec = globs(paths, field=where)
        return TypeRule(paths, spec, value.get("type"), value.get("language"))


def toml_value(value: int | str) -> str:
    """Return a setting as it is written in the file.

    >>> toml_value("english"), toml_value(50_000), toml_value(False)
    ('"english"', '50_000', 'false')
    """
    if isinstance(value, str):
        return f'"{value}"'
    return str(value).lower() if isinstance(value, bool) else f"{value:_}"
