"""Signed session tokens: who is asking, and until when."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Callable

from shelf.errors import ConfigError, SessionExpired, SignatureError

MIN_SECRET_BYTES = 16
SESSION_LIFETIME_SECONDS = 3600


class SessionSigner:
    """Makes and checks tokens of the form `reader.expiry.signature`.

    The signature is HMAC-SHA256 over `reader.expiry`. The token is readable by anyone who holds it;
    it is protected against change, not against reading.

    secret : at least 16 bytes, shared by client and server.
    lifetime_seconds : how long a token is good for, default one hour.
    clock : returns the time in seconds; tests pass their own.
    """

    def __init__(
        self,
        secret: bytes,
        *,
        lifetime_seconds: int = SESSION_LIFETIME_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if len(secret) < MIN_SECRET_BYTES:
            raise ConfigError(
                f"the secret has {len(secret)} bytes; give {MIN_SECRET_BYTES} or more"
            )
        self._secret = secret
        self.lifetime_seconds = lifetime_seconds
        self._clock = clock

    def sign(self, reader: str) -> str:
        """Return a token for this reader that expires `lifetime_seconds` from now.

        Raises SignatureError if the name is empty or contains a dot, which separates the parts.
        """
        if not reader or "." in reader:
            raise SignatureError(f"reader={reader!r} must be non-empty and without a dot")
        payload = f"{reader}.{int(self._clock()) + self.lifetime_seconds}"
        return f"{payload}.{self._signature(payload)}"

    def verify(self, token: str) -> str:
        """Return the reader's name.

        The signature is checked before the expiry: a forged date must not choose the error.
        Raises SignatureError if the token was changed, SessionExpired if it is too old.
        """
        payload, _, signature = token.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(payload).encode()):
            raise SignatureError("the session token does not carry our signature")
        reader, _, expiry = payload.partition(".")
        if int(expiry) <= self._clock():
            raise SessionExpired(f"the session of {reader!r} expired; sign in again")
        return reader

    def _signature(self, payload: str) -> str:
        digest = hmac.new(self._secret, payload.encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
