"""What must not leave the machine with a report: secrets, and where its files lie.

Secrets are collected from the whole document and the environment first, and then taken out wherever
they stand: a key that a cell assigns is the same key in a traceback without its name. Everything
goes through twice, each time in one place: as the document that comes in, before any text of it is
cut (``data``), and as the page that goes out, whatever was made of it (``page``).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from brainkit.ingest.secrets import looks_random, secret_spans
from brainkit.report.places import Places
from brainkit.report.said import Edit, applied, rewritten
from brainkit.report.written import readings, written
from brainkit.widgets.view import view_of

COVER: Final = "\u2022"
"""Stands for each character of a secret, so that offsets into a text stay what they are."""
VIEW_DATA: Final = '<script type="application/json" class="brainkit-data">'
_SECRET_NAME: Final = re.compile(
    r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|PASSPHRASE|CREDENTIALS?|AUTH|COOKIE)S?(?:_|$)"
    r"|APIKEY|ACCESSKEY",
    re.IGNORECASE,
)
_NO_SECRET: Final = re.compile(r"/.*|\d+|[a-z]+", re.DOTALL)
"""Values of such variables that are none: a file, a number, a plain word."""
_VALUE_MIN: Final = 8
_HEAD: Final = 6
_LONG_PART: Final = 16
_TELLING: Final = 12
"""So many characters of a random secret's beginning are taken out wherever they stand."""
_CUT: Final = re.compile(r"\s*(?:…|\.\.\.|\Z)")
_PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?"
    r"(?:-----END [A-Z0-9 ]+-----|\Z)"
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
            are shown from; by default the present one.
        """
        self.found: dict[str, set[str]] = {}
        self._where = ""
        found = dict(_of_environment(os.environ if environment is None else environment))
        for text in dict.fromkeys(one for one in texts_of(document) if len(one) >= _VALUE_MIN):
            for form in readings(text):
                for start, end, kind in secret_spans(form):
                    found.setdefault(form[start:end], kind)
        kinds = {form: kind for value, kind in _with_parts(found) for form in written(value)}
        self._forms: dict[str, list[tuple[str, str]]] = {}
        for form, kind in sorted(kinds.items(), key=lambda pair: (-len(pair[0]), pair[0])):
            self._forms.setdefault(form[:_HEAD].lower(), []).append((form, kind))
        heads = "|".join(map(re.escape, self._forms))
        self._heads = re.compile(heads, re.IGNORECASE) if heads else None
        self._places = Places(folder)

    def at(self, where: str) -> None:
        """Say where what follows is from, for people."""
        self._where = where

    def text(self, text: str) -> str:
        """Return a text of the same length without its secrets.

        >>> key = "AKIA" + "2E4T7QX9LZB5RW3M"
        >>> Scrubber({}, environment={"AWS_KEY": key}).text(f"it is {key}!")
        'it is ••••••••••••••••••••!'
        """
        return applied(text, self._secrets(text))

    def data(self, value: Any) -> Any:
        """Return a document without the secrets of its texts, each as long as it was.

        A text that is stored as lines becomes one, as a secret may reach over their ends. A view
        in an output keeps its table and its data; the code that draws it is left out.
        """
        if isinstance(value, str):
            before, is_view, _ = value.partition(VIEW_DATA)
            return self._view(value, before) if is_view else self.text(value)
        if isinstance(value, list | tuple):
            return [self.data(one) for one in value]
        if isinstance(value, Mapping):
            return {
                self.text(str(name)): one if _is_binary(str(name)) else
                self.data("".join(one) if _is_lines(str(name), one, value) else one)
                for name, one in value.items()
            }  # fmt: skip
        return value

    def page(self, html: str) -> str:
        """Return a part of the page without secrets and this machine's folders, as it is read.

        In the data of views and figures, folders are covered like secrets, as their texts are
        marked by offsets.
        """
        return rewritten(html, self._edits, self._covered)

    def said(self, text: str) -> str:
        """Return what is said about the page, such as a warning, as the page would say it."""
        return applied(text, self._edits(text))

    def warnings(self) -> list[str]:
        """Say what was taken out and where, never what it was."""
        return [
            f"{kind} taken out of {', '.join(sorted(places, key=_in_order))}"
            for kind, places in sorted(self.found.items())
        ]

    def _view(self, html: str, table: str) -> str:
        try:
            view = view_of(html)
        except (ValueError, RecursionError):
            return self.text(html)  # damaged, and to be told as such
        text = json.dumps(self.data(view), ensure_ascii=False).replace("<", "\\u003c")
        return f"{self.text(table)}{VIEW_DATA}{text}</script>"

    def _edits(self, text: str) -> list[Edit]:
        secrets = self._secrets(text)
        places = self._places.edits(applied(text, secrets))  # of the same length
        met = [one for one in secrets
               if not any(one[0] < end and start < one[1] for start, end, _ in places)]  # fmt: skip
        return sorted([*met, *places])

    def _covered(self, value: Any) -> Any:
        """JSON with secrets and folders covered; the same object where nothing was."""
        if isinstance(value, str):
            text = self.text(value)
            spans = self._places.spans(text)
            return applied(text, [(*one, _cover(text[slice(*one)])) for one in spans])
        if isinstance(value, list):
            changed = [self._covered(one) for one in value]
            return value if all(map(_is, changed, value)) else changed
        if isinstance(value, dict):
            names = list(map(self._covered, value))
            values = list(map(self._covered, value.values()))
            same = all(map(_is, names, value)) and all(map(_is, values, value.values()))
            return value if same else dict(zip(names, values, strict=True))
        return value

    def _secrets(self, text: str) -> list[Edit]:
        found = [] if self._heads is None else list(self._known(text, self._heads))
        if "PRIVATE KEY" in text:
            found += [(*one.span(), "private key") for one in _PRIVATE_KEY.finditer(text)]
        edits: list[Edit] = []
        for start, end, kind in sorted(found, key=lambda one: (one[0], -one[1])):
            after = edits[-1][1] if edits else 0
            if end > after:
                self.found.setdefault(kind, set()).add(self._where or "the report")
                first = max(start, after)
                edits.append((first, end, _cover(text[first:end])))
        return edits

    def _known(self, text: str, heads: re.Pattern[str]) -> Iterator[tuple[int, int, str]]:
        """Where a secret stands, whole or as much of it as a cut has left."""
        at = 0
        while match := heads.search(text, at):
            start, at = match.start(), match.start() + 1
            for form, kind in self._forms.get(match[0].lower(), ()):
                length = _common(form, text, start)
                if length == len(form) or _tells(form, text, start, length):
                    yield start, start + length, kind
                    at = start + length
                    break


def texts_of(document: Any) -> Iterator[str]:
    """Yield every text in nested lists and mappings; pictures, which are long, are left out."""
    if isinstance(document, str):
        before, is_view, _ = document.partition(VIEW_DATA)
        yield before
        if is_view:
            try:
                yield from texts_of(view_of(document))
            except (ValueError, RecursionError):  # damaged, so that it is not shown either
                return
    elif isinstance(document, Mapping):
        for name, value in document.items():
            if not _is_binary(str(name)):
                yield from texts_of(value)
    elif isinstance(document, list | tuple):
        if document and all(isinstance(one, str) for one in document):
            yield "".join(document)  # as nbformat stores lines
        for one in document:
            yield from texts_of(one)


def _is_binary(name: str) -> bool:
    return name.startswith("image/") and name != "image/svg+xml"


def _is_lines(name: str, value: Any, within: Mapping[Any, Any]) -> bool:
    """Tell whether this is a text as nbformat stores it: a cell's, a stream's, or a form's."""
    is_text = (
        name.startswith("text/")
        or name == "image/svg+xml"
        or (name == "source" and "cell_type" in within)
        or (name == "text" and within.get("output_type") == "stream")
    )
    return is_text and isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is(one: object, other: object) -> bool:
    return one is other or (isinstance(one, str) and one == other)


def _cover(secret: str) -> str:
    return re.sub(r"[^\n]", COVER, secret)


def _common(form: str, text: str, start: int) -> int:
    """How much of a form stands in a text, in any case."""
    if text[start : start + len(form)].lower() == form.lower():
        return len(form)
    pairs = zip(form, text[start : start + len(form)], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0].lower() == pair[1].lower(), pairs))


def _tells(form: str, text: str, start: int, length: int) -> bool:
    """Tell whether the beginning of a secret is enough of it to be taken out.

    Of one made of words that is half of it, at a cut: its first words may be anybody's.
    """
    if length < _HEAD:
        return False
    random = looks_random(form)
    if random and length >= _TELLING and looks_random(form[:length]):
        return True
    return (random or 2 * length >= len(form)) and bool(_CUT.match(text, start + length))


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


def _of_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in environment.items():
        named = bool(_SECRET_NAME.search(name)) and len(value) >= _VALUE_MIN
        if (named and not _NO_SECRET.fullmatch(value)) or looks_random(value):
            yield value, f"value of the environment variable {name}"


def _in_order(place: str) -> tuple[int, str]:
    digits = re.search(r"\d+", place)
    return (int(digits[0]) if digits else 0, place)
