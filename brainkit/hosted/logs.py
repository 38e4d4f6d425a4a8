"""Some services want their key in the address, and the HTTP library logs every address."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import quote, quote_plus

LOGGER: Final = "httpx2"
COVER: Final = "(key)"
SHORTEST: Final = 6
"""Shorter ones are parts of many words, and no secrets."""


def covered(text: str, secrets: Iterable[str]) -> str:
    """Return a text with secrets covered, however an address would write them.

    >>> covered("POST /v1?key=ab%2Fcd%2Fef", ["ab/cd/ef"])
    'POST /v1?key=(key)'
    """
    for secret in sorted({form for one in secrets for form in _forms(one)}, key=len, reverse=True):
        text = text.replace(secret, COVER)
    return text


def keep_out(secrets: Iterable[str]) -> None:
    """Cover these in what the HTTP library logs from now on."""
    _FILTER.secrets.update(secrets)
    logging.getLogger(LOGGER).addFilter(_FILTER)  # once, however often it is added


class _Covering(logging.Filter):
    def __init__(self) -> None:
        super().__init__()
        self.secrets: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        told = record.getMessage()
        without = covered(told, self.secrets)
        if without != told:
            record.msg, record.args = without, ()
        return True


_FILTER: Final = _Covering()


def _forms(secret: str) -> Iterator[str]:
    if len(secret) >= SHORTEST:
        yield from (secret, quote(secret), quote(secret, safe=""), quote_plus(secret))
