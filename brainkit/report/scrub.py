"""What must not leave the machine with a report: secrets, and where its files lie.

Secrets are collected from the whole document and the environment first, and then taken out wherever
they stand: a key that a cell assigns is the same key in a traceback without its name.
"""

from __future__ import annotations

import html
import os
import re
import string
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from brainkit.ingest.secrets import looks_random, secret_spans
from brainkit.widgets.view import view_of

COVER: Final = "\u2022"
"""Stands for each character of a secret, so that offsets into a text stay what they are."""
_SECRET_NAME: Final = re.compile(
    r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|PASSPHRASE|CREDENTIALS?|AUTH|COOKIE)S?(?:_|$)"
    r"|APIKEY|ACCESSKEY",
    re.IGNORECASE,
)
_NO_SECRET: Final = re.compile(r"/.*|\d+|[a-z]+", re.DOTALL)
"""Values of such variables that are none: a file, a number, a plain word."""
_VALUE_MIN: Final = 8
_VALUE_MAX: Final = 5_000
_PART_MIN: Final = 6
_LONG_PART: Final = 16
VIEW_DATA: Final = '<script type="application/json" class="brainkit-data">'
_PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?"
    r"(?:-----END [A-Z0-9 ]+-----|\Z)"
)
_OF_PATHS: Final = string.ascii_letters + string.digits + "_./\\~:-…"
_ANSI: Final = re.compile(r"\x1b\[[0-9;]*m")
_PATH: Final = re.compile(
    r"(?<![\w/.:~])(?:[A-Za-z]:[\\/]|/)(?:[^\s<>\"'|:*?\\/]+[\\/])+([^\s<>\"'|:*?\\/]+)"
)


class Scrubber:
    """Takes secrets out of what it is given; ``found`` is which kinds it took out, and where."""

    def __init__(
        self,
        document: Any,
        *,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        """Collect what is secret.

        document : anything of texts, lists and mappings, such as a notebook.
        environment : by default this process's. folder : the notebook's, which paths in outputs
            are shown from.
        """
        self.found: dict[str, set[str]] = {}
        self._where = ""
        found = dict(_of_environment(os.environ if environment is None else environment))
        for text in texts_of(document):
            for form in _forms(text):
                for start, end, kind in secret_spans(form):
                    found.setdefault(form[start:end], kind)
        kinds = {form.lower(): kind for form, kind in _with_parts(found)}
        self._kinds = dict(sorted(kinds.items(), key=lambda pair: -len(pair[0])))
        every = "|".join(map(re.escape, self._kinds))
        self._values = re.compile(every, re.IGNORECASE) if every else None
        self._places = _places(folder)

    def at(self, where: str) -> None:
        """Say where the texts that follow are from, for people."""
        self._where = where

    def text(self, text: str) -> str:
        """Return a text of the same length without its secrets.

        >>> key = "AKIA" + "2E4T7QX9LZB5RW3M"
        >>> Scrubber({}, environment={"AWS_KEY": key}).text(f"it is {key}!")
        'it is ••••••••••••••••••••!'
        """
        if self._values is not None:
            text = self._values.sub(self._cover_value, text)
            text = self._cut_end(text)
        if "PRIVATE KEY" in text:
            text = _PRIVATE_KEY.sub(lambda match: self._cover("private key", match[0]), text)
        return text

    def data(self, value: Any) -> Any:
        """Return JSON without the secrets of its texts."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.data(one) for one in value]
        if isinstance(value, dict):
            return {self.text(str(name)): self.data(one) for name, one in value.items()}
        return value

    def output(self, text: str) -> str:
        """Return what a cell wrote without its secrets and this machine's folders."""
        text = self.text(text)
        for folder, shown in self._places:
            text = text.replace(folder, shown)
        before, *rest = re.split(r"[\\/]site-packages[\\/]", text)
        return "".join([before.rstrip(_OF_PATHS) if rest else before,
                        *(one.rstrip(_OF_PATHS) for one in rest[:-1]), *rest[-1:]])  # fmt: skip

    @staticmethod
    def own(text: str) -> str:
        """Return what brainkit wrote with absolute paths cut to their last name.

        >>> Scrubber.own("<Brain /home/ann/notes.brain gen-000001: 12 chunks>")
        '<Brain notes.brain gen-000001: 12 chunks>'
        """
        return _PATH.sub(r"\1", text)

    def warnings(self) -> list[str]:
        """Say what was taken out and where, never what it was."""
        return [
            f"{kind} taken out of {', '.join(sorted(places, key=_in_order))}"
            for kind, places in sorted(self.found.items())
        ]

    def _cover_value(self, match: re.Match[str]) -> str:
        kind = self._kinds.get(match[0].lower(), "secret")
        return self._cover(kind, match[0])

    def _cover(self, kind: str, secret: str) -> str:
        self.found.setdefault(kind, set()).add(self._where or "the report")
        return re.sub(r"[^\n]", COVER, secret)

    def _cut_end(self, text: str) -> str:
        """Cover the beginning of a secret that a cut text ends with."""
        end = text[-_VALUE_MAX:].lower()
        for value, kind in self._kinds.items():
            for length in range(min(len(value) - 1, len(end)), _PART_MIN - 1, -1):
                if end.endswith(value[:length]):
                    return text[:-length] + self._cover(kind, text[-length:])
        return text


def texts_of(document: Any) -> Iterator[str]:
    """Yield every text in nested lists and mappings; pictures, which are long, are left out."""
    if isinstance(document, str):
        before, is_view, _ = document.partition(VIEW_DATA)
        yield before
        if is_view:
            try:
                yield from texts_of(view_of(document))
            except ValueError:  # damaged, so that it is not shown either
                return
    elif isinstance(document, Mapping):
        for name, value in document.items():
            if not str(name).startswith("image/"):
                yield from texts_of(value)
    elif isinstance(document, list | tuple):
        if document and all(isinstance(one, str) for one in document):
            yield "".join(document)  # as nbformat stores lines
        for one in document:
            yield from texts_of(one)


def _with_parts(found: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Every secret, and its long parts: a question that holds a key is cut into terms.

    A part that was found by itself is of its whole's kind.
    """
    for value, kind in sorted(found.items(), key=lambda pair: len(pair[0])):
        for part in re.split(r"[\W_]+", value):
            if len(part) >= _LONG_PART:
                yield part, kind
    for value, kind in sorted(found.items(), key=lambda pair: len(pair[0])):
        whole = [one for one in found if len(one) > len(value) and value.lower() in one.lower()]
        yield value, found[max(whole, key=len)] if whole else kind


def _forms(text: str) -> set[str]:
    """A text as it stands, and as it is read: without colours, entities and JSON's escapes."""
    plain = _ANSI.sub("", text)
    forms = {text, plain}
    if "&" in plain:
        forms.add(html.unescape(plain))
    if '\\"' in plain:
        forms.add(plain.replace('\\"', '"'))
    return forms


def _of_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in environment.items():
        named = bool(_SECRET_NAME.search(name)) and len(value) >= _VALUE_MIN
        if (named and not _NO_SECRET.fullmatch(value)) or looks_random(value):
            yield value, f"value of the environment variable {name}"


def _places(folder: Path | None) -> list[tuple[str, str]]:
    """Folders of this machine and what is shown for them, the longest first."""
    shown = {str(Path.home()): "~", sys.prefix: "…"}
    if folder is not None:
        shown[str(folder.resolve())] = "."
    long = [(path + end, to + end) for path, to in shown.items() for end in "/\\" if len(path) > 1]
    return sorted(long, key=lambda pair: -len(pair[0]))


def _in_order(place: str) -> tuple[int, str]:
    digits = re.search(r"\d+", place)
    return (int(digits[0]) if digits else 0, place)
