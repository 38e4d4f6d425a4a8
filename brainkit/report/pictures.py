"""Pictures as part of the page, within a bound."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from brainkit.markup import size
from brainkit.report.places import last_names

BYTES_MAX: Final = 5_000_000
"""Of one picture; a mailed file stays one that can be mailed."""
TOTAL_MAX: Final = 40_000_000
"""Of all pictures in one file."""
KINDS: Final = {
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif",
    ".webp": "image/webp", ".svg": "image/svg+xml",
}  # fmt: skip
"""What browsers show. As a picture, an SVG runs nothing and loads nothing."""


class Pictures:
    """The pictures of one file. ``notes`` says which are not there, and why."""

    def __init__(self, folder: Path | None) -> None:
        self.notes: list[str] = []
        self._folder = folder
        self._used = 0

    def data(self, content: bytes, kind: str, *, name: str) -> str | None:
        """Return a picture as an address that holds it; None, with a note, if it is too large."""
        if len(content) > BYTES_MAX:
            return self._left_out(name, f"{size(len(content))}, more than {size(BYTES_MAX)}")
        if self._used + len(content) > TOTAL_MAX:
            return self._left_out(name, f"the file's pictures have {size(TOTAL_MAX)} already")
        self._used += len(content)
        return f"data:{kind};base64,{base64.b64encode(content).decode()}"

    def encoded(self, text: str, kind: str, *, name: str) -> str | None:
        """Return a picture given in base64, as notebooks store it."""
        try:
            content = base64.b64decode("".join(text.split()), validate=True)
        except (binascii.Error, ValueError):
            return self._left_out(name, "its data is damaged")
        return self.data(content, kind, name=name)

    def file(self, address: str) -> str | None:
        """Return a picture that lies in the notebook's folder or below it.

        Others are not read: a notebook of someone else could name any file of this machine.
        """
        name = address.partition("?")[0]
        kind = KINDS.get(Path(name).suffix.lower())
        reason = self._refusal(address, kind)
        if reason is not None or self._folder is None or kind is None:
            return self._left_out(address, reason or "there is no folder to read it from")
        try:
            path = (self._folder / unquote(name)).resolve()
            if not path.is_relative_to(self._folder.resolve()):
                return self._left_out(address, "it is not in the notebook's folder")
            if path.stat().st_size > BYTES_MAX:
                return self._left_out(address, f"more than {size(BYTES_MAX)}")
            return self.data(path.read_bytes(), kind, name=address)
        except OSError as error:
            return self._left_out(address, (error.strerror or "it cannot be read").lower())
        except (ValueError, RuntimeError):  # what they say names places of this machine
            return self._left_out(address, "its name leads to no file")

    @staticmethod
    def _refusal(address: str, kind: str | None) -> str | None:
        if "://" in address or address.startswith(("//", "data:")):
            return "it is elsewhere on the web"
        return "it is no picture that browsers show" if kind is None else None

    def _left_out(self, name: str, reason: str) -> str | None:
        self.notes.append(f"Picture left out: {last_names(name)[:80]} ({reason}).")
        return None
