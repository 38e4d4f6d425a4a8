"""One OpenAI-compatible address and how to speak to it. A key is never stored, shown or sent on."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from brainkit.errors import EndpointUnavailable, InvalidSetting

if TYPE_CHECKING:
    from openai import OpenAI

KEY: Final = "OPENAI_API_KEY"
BASE_URL: Final = "OPENAI_BASE_URL"
TIMEOUT_SECONDS: Final = 60.0  # a hung server must not freeze a notebook for the library's 600 s
RETRIES: Final = 5  # with the library's jittered backoff, which honours Retry-After up to 2 minutes
_MESSAGE_CHARS: Final = 200


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """Where a hosted model answers.

    base_url : of any OpenAI-compatible server; None takes ``OPENAI_BASE_URL``, else OpenAI itself.
    key : None reads ``OPENAI_API_KEY`` at each use; or a function that returns the key. Servers
        other than OpenAI's may need none.
    organization : OpenAI organisation to bill. headers : sent with every request.
    timeout_seconds : of one request, above 0. retries : 0 or more, after 429, 5xx and lost lines.
    Raises InvalidSetting for an address that is none, or a number out of range.
    """

    base_url: str | None = None
    key: Callable[[], str] | None = None
    organization: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout_seconds: float = TIMEOUT_SECONDS
    retries: int = RETRIES

    def __post_init__(self) -> None:
        if self.base_url is not None:
            parts = urlsplit(self.base_url)
            if parts.scheme not in ("http", "https") or not parts.netloc:
                raise InvalidSetting(
                    f"base_url={self.base_url!r} is no address; give one such as "
                    "'http://localhost:11434/v1'."
                )
            if parts.username or parts.password:
                raise InvalidSetting(
                    "base_url holds a user name or password, which would be stored; set "
                    f"{KEY} or give key=a function instead."
                )
        if isinstance(self.key, str):
            raise InvalidSetting(
                f"key is a text, which could end up in a notebook; set {KEY} in the environment, "
                "or give a function that returns it."
            )
        if self.timeout_seconds <= 0 or self.retries < 0:
            raise InvalidSetting(
                f"timeout_seconds={self.timeout_seconds}, retries={self.retries}: allowed are more "
                "than 0 seconds and 0 retries or more."
            )

    @property
    def address(self) -> str:
        """The server in use, for identities and messages; ``openai`` for OpenAI itself."""
        return self.base_url or os.environ.get(BASE_URL) or "openai"

    def client(self) -> OpenAI:
        """Return a client of the openai library. Raises EndpointUnavailable if a key is missing."""
        from openai import OpenAI

        key = self.key() if self.key else os.environ.get(KEY)
        if not key:
            if self.address == "openai":
                raise EndpointUnavailable(
                    f"OpenAI needs a key and {KEY} is not set; set it before starting Jupyter, "
                    "give base_url= of a server of your own, or use the local models."
                )
            key = "none"  # the library insists on one; servers of one's own mostly do not
        return OpenAI(
            api_key=key,
            base_url=None if self.address == "openai" else self.address,
            organization=self.organization,
            default_headers=dict(self.headers),
            timeout=self.timeout_seconds,
            max_retries=self.retries,
        )

    def told(self, error: Exception) -> str:
        """Return what went wrong in one line, without the key and without what was sent."""
        from openai import APIConnectionError, APIStatusError, APITimeoutError

        if isinstance(error, APITimeoutError):
            text = f"no answer within {self.timeout_seconds:g} s"
        elif isinstance(error, APIConnectionError):
            text = f"{self.address} cannot be reached"
        elif isinstance(error, APIStatusError):
            body = error.body if isinstance(error.body, Mapping) else {}
            text = f"HTTP {error.status_code}: {body.get('message') or 'no reason given'}"
        else:
            text = f"{type(error).__name__}: {error}"
        text = " ".join(text.split())[:_MESSAGE_CHARS]
        return self._without_key(text)

    def fatal(self, error: Exception) -> EndpointUnavailable | None:
        """Return what to raise if no later request can succeed either, else None."""
        from openai import APIStatusError, AuthenticationError, NotFoundError, PermissionDeniedError

        if isinstance(error, AuthenticationError | PermissionDeniedError):
            return EndpointUnavailable(
                f"{self.address} refuses the key ({self.told(error)}); check {KEY}."
            )
        if isinstance(error, NotFoundError):
            return EndpointUnavailable(
                f"{self.address} has no such model or path ({self.told(error)}); check model= and "
                "base_url=, which for most servers ends in /v1."
            )
        if isinstance(error, APIStatusError) and error.code == "insufficient_quota":
            return EndpointUnavailable(
                f"{self.address} says that the quota is used up ({self.told(error)}); what was "
                "finished is kept, so a later run goes on from here."
            )
        return None

    def _without_key(self, text: str) -> str:
        key = self.key() if self.key else os.environ.get(KEY)
        return text.replace(key, "(key)") if key else text
