"""Everything that can go wrong, one class per kind of failure."""

from __future__ import annotations


class ShelfError(Exception):
    """Base of all errors that shelf raises on purpose."""


class ConfigError(ShelfError, ValueError):
    """A setting is missing, unknown or out of its range."""


class InvalidRecord(ShelfError, ValueError):
    """A record has no title, or an ISBN whose check digit is wrong."""


class InvalidQuery(ShelfError, ValueError):
    """A search has no terms left after analysis, or asks for fewer than one hit."""


class RecordNotFound(ShelfError, LookupError):
    """No record of the catalogue has the ISBN asked for."""


class SignatureError(ShelfError):
    """A session token was changed, or signed with another secret."""


class SessionExpired(SignatureError):
    """A session token is genuine but too old."""


class TransportError(ShelfError):
    """No answer arrived: the server is unreachable or the connection broke."""


class ServerBusy(TransportError):
    """The server answered 429 or 503 and may say when to come back.

    Attributes
    ----------
    retry_after_seconds : float | None
        The wait that the server asked for, or None when it named none.
    """

    def __init__(self, message: str, *, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds
