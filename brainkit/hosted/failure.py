"""What can go wrong with one request, and whether to wait, to divide it, or to give up."""

from __future__ import annotations

import email.utils
import math
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal

from brainkit.hosted.endpoint import Endpoint

if TYPE_CHECKING:
    from openai import APIStatusError

Kind = Literal["busy", "broken", "lost", "timeout", "garbled", "refused", "capped", "fatal"]
_BUSY: Final = frozenset({408, 409, 425, 429})
_DIVISIBLE: Final = frozenset({400, 413, 422})
_NEVER: Final = frozenset({501, 505})
_ADVICE: Final[Mapping[str | None, str]] = {
    "model": "check model=",
    "dimensions": "leave dimensions= out, or give a number that this model knows",
    "encoding_format": "this server cannot send numbers",
}
"""What to do where the server names a parameter of the request: then no text is at fault."""


class Failure(Exception):
    """A request that gave nothing. It holds no request and no key, and comes from no other error.

    kind : ``busy`` (429), ``broken`` (5xx), ``lost`` and ``timeout`` deserve another attempt, as
        does ``garbled``, an answer that is none; ``refused`` is about the texts sent; ``capped``
        was not sent, since another attempt could pass a cap; after ``fatal`` no request can
        succeed.
    retry_after_seconds : what the server asks for, None if it asks for nothing.
    status : of HTTP, where there was one.
    maybe_paid : the server may have computed what was asked, and bill it.
    """

    def __init__(
        self,
        kind: Kind,
        reason: str,
        *,
        retry_after_seconds: float | None = None,
        status: int | None = None,
        maybe_paid: bool = False,
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.retry_after_seconds = retry_after_seconds
        self.status = status
        self.maybe_paid = maybe_paid

    def told(self, reason: str) -> Failure:
        """Return the same failure with another reason."""
        return Failure(
            self.kind,
            reason,
            retry_after_seconds=self.retry_after_seconds,
            status=self.status,
            maybe_paid=self.maybe_paid,
        )


def failure_of(error: Exception, endpoint: Endpoint) -> Failure:
    """Return what an error of the openai library, or of what it stands on, comes to.

    Whatever a server puts into its answer, and whatever a key function does, this raises nothing:
    the error at hand holds the request, and with it the key.
    """
    try:
        return _read(error, endpoint)
    except Exception as other:  # noqa: BLE001 - see above
        also = type(other).__name__
    return Failure("fatal", f"{type(error).__name__}, and reading it failed with {also}")


def _read(error: Exception, endpoint: Endpoint) -> Failure:
    from httpx2 import (
        DecodingError,
        ReadError,
        ReadTimeout,
        RemoteProtocolError,
        TimeoutException,
        TransportError,
    )
    from openai import APIConnectionError, APIStatusError, APITimeoutError

    if isinstance(error, APIStatusError):
        return _of_status(error, endpoint.told(error), endpoint)
    # The library's own errors come from those of the connection; others are those themselves.
    library = isinstance(error, APIConnectionError)
    origin = error.__cause__ if library and error.__cause__ else error
    kind: Kind = "fatal"
    if isinstance(origin, DecodingError):
        kind = "garbled"
    elif isinstance(error, APITimeoutError | TimeoutException):
        kind = "timeout"
    elif isinstance(error, APIConnectionError | TransportError):
        kind = "lost"
    paid = isinstance(origin, DecodingError | ReadError | ReadTimeout | RemoteProtocolError)
    return Failure(kind, endpoint.told(error), maybe_paid=paid)


def _of_status(error: APIStatusError, told: str, endpoint: Endpoint) -> Failure:
    code, headers = error.status_code, error.response.headers
    kind: Kind = "fatal"
    if (fatal := endpoint.fatal(error)) is not None:
        told = str(fatal)
    elif code in _BUSY:
        kind = "busy"
    elif code >= 500 and code not in _NEVER:
        kind = "broken"
    elif code in _DIVISIBLE and isinstance(error.param, str) and error.param in _ADVICE:
        told += f"; {_ADVICE[error.param]}"
    elif code in _DIVISIBLE and error.code != "model_not_found":
        kind = "refused"
    elif code < 400:
        target = endpoint.without_key(headers.get("location", "another address"))
        told = f"it sends on to {target:.200}; give that address as base_url="
    return Failure(kind, told, retry_after_seconds=retry_after_seconds(headers), status=code)


def retry_after_seconds(headers: Mapping[str, str], *, now: float | None = None) -> float | None:
    """Return how long a server asks to be left alone: seconds, milliseconds or an HTTP date.

    headers : with lower-case names. now : seconds since 1970.

    >>> retry_after_seconds({"retry-after": "1.5"}), retry_after_seconds({"retry-after-ms": "20"})
    (1.5, 0.02)
    >>> retry_after_seconds({"retry-after": "Thu, 01 Jan 1970 00:01:00 GMT"}, now=50.0)
    10.0
    >>> retry_after_seconds({"retry-after": "soon"}) is None
    True
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit
        except (KeyError, ValueError):
            continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    try:
        date = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, date.timestamp() - (time.time() if now is None else now))
    except (TypeError, ValueError, IndexError, OverflowError, OSError):
        return None
