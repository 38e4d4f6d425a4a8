"""One OpenAI-compatible address and how to speak to it. A key is never stored, shown or sent on."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from brainkit.errors import EndpointUnavailable, InvalidSetting
from brainkit.hosted.logs import covered, keep_out

if TYPE_CHECKING:
    import httpx2
    from openai import OpenAI

KEY: Final = "OPENAI_API_KEY"
AZURE_KEY: Final = "AZURE_OPENAI_API_KEY"
BASE_URL: Final = "OPENAI_BASE_URL"
OWN_HEADERS: Final = "OPENAI_CUSTOM_HEADERS"
OWN_NAMES: Final = ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID")
"""Variables that the openai library adds to requests by itself."""
TIMEOUT_SECONDS: Final = 60.0  # a hung server must not freeze a notebook for the library's 600 s
RETRIES: Final = 5  # with jittered backoff, which honours Retry-After up to 2 minutes
_MESSAGE_CHARS: Final = 200
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
_OPENAI: Final = "api.openai.com"
_VERSION: Final = "api-version"


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """Where a hosted model answers.

    base_url : of any OpenAI-compatible server; None takes ``OPENAI_BASE_URL``, else OpenAI itself.
        A query goes with every request, and is never shown; with an ``api-version`` in it, as Azure
        wants one, the key is sent as ``api-key``.
    key : None reads ``OPENAI_API_KEY`` at each use (at Azure ``AZURE_OPENAI_API_KEY`` first); or a
        function that returns the key. Servers other than OpenAI's may need none.
    organization : OpenAI organisation to bill. headers : sent with every request, and never shown.
    timeout_seconds : of one request, above 0. retries : 0 or more, after 429, 5xx and lost lines.
    ``OPENAI_CUSTOM_HEADERS``, ``OPENAI_ORG_ID`` and ``OPENAI_PROJECT_ID`` are sent to OpenAI and
    to the server of ``OPENAI_BASE_URL``; one that ``base_url`` names gets what is given here.
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
            _check_address(self.base_url, name="base_url")
        if isinstance(self.key, str):
            raise InvalidSetting(
                f"key is a text, which could end up in a notebook; set {KEY} in the environment, "
                "or give a function that returns it."
            )
        _check_number("timeout_seconds", self.timeout_seconds, kinds=(int, float), above=0)
        _check_number("retries", self.retries, kinds=(int,), above=-1)
        for name, value in self.headers.items():
            if {type(name), type(value)} != {str} or not _sendable(name + value):
                raise InvalidSetting(
                    f"headers[{name!r:.60}] cannot be sent: names and values are texts of visible "
                    "ASCII characters (the value is not shown, as it may be a key)."
                )

    def __repr__(self) -> str:
        given = None if self.base_url is None else _bare(self.base_url)
        return (
            f"Endpoint(base_url={given!r}, organization={self.organization!r}, "
            f"timeout_seconds={self.timeout_seconds:g}, retries={self.retries})"
        )

    @property
    def address(self) -> str:
        """The server in use, for identities and messages; ``openai`` for OpenAI itself."""
        whole = self._whole
        return urlunsplit(urlsplit(whole)._replace(query="", fragment="")) if whole else "openai"

    @property
    def on_this_machine(self) -> bool:
        """Tell whether the address is this machine's own."""
        return is_loopback(self.address)

    @property
    def key_is_set(self) -> bool:
        """Tell whether there is a key to send, and nothing more of it."""
        return bool(self._key())

    def client(self, *, retries: int | None = None) -> OpenAI:
        """Return a client of the openai library, which asks for the key at each request.

        retries : by the library itself; None for those of this endpoint.
        Raises EndpointUnavailable if a key is missing, or is none that can be sent.
        """
        from openai import OpenAI

        # The key is in no variable, since tracebacks may show those.
        if self.address == "openai" and not self.key_is_set:
            raise EndpointUnavailable(
                f"OpenAI needs a key and {KEY} is not set; set it before starting Jupyter, "
                "give base_url= of a server of your own, or use the local models."
            )
        if not _sendable(self._key()):
            raise EndpointUnavailable(
                f"the key{self._from} holds a character that no request can carry, such as a line "
                "end or a curly quote; set it again."
            )
        options: dict[str, Any] = {
            "base_url": None if self.address == "openai" else self.address,
            "organization": self.organization,
            "default_headers": dict(self.headers),
            "default_query": self._query,
            "timeout": self.timeout_seconds,
            "max_retries": self.retries if retries is None else retries,
        }
        # Servers of one's own mostly need no key, but the library insists on one.
        client = OpenAI(api_key=lambda: self._key() or "none", **options)
        if not self._is_meant_by_variables:
            client.organization, client.project = self.organization, None
            client.admin_api_key, client._custom_headers = None, dict(self.headers)
        keep_out(self._hidden_in_query())
        connections = client._client  # the library lets them be given, but then does not close them
        connections.follow_redirects = False  # one would carry an api-key on to wherever it leads
        if self._is_azure:
            connections.event_hooks = {"request": [_as_azure(self._key)], "response": []}
        return client

    def told(self, error: Exception) -> str:
        """Return what went wrong in one line, without the key and without what was sent."""
        from httpx2 import TimeoutException, TransportError
        from openai import APIConnectionError, APIStatusError, APITimeoutError

        if isinstance(error, APITimeoutError | TimeoutException):
            text = f"no answer within {self.timeout_seconds:g} s"
        elif isinstance(error, APIConnectionError):
            text = f"{self.address} cannot be reached"
        elif isinstance(error, TransportError):
            text = "the connection broke in the middle of the answer"
        elif isinstance(error, APIStatusError):
            text = f"HTTP {error.status_code}: {_reason(error.body) or 'no reason given'}"
        else:
            text = f"{type(error).__name__}: {error}"
        return self.without_key(" ".join(text.split()))[:_MESSAGE_CHARS]

    def fatal(self, error: Exception) -> EndpointUnavailable | None:
        """Return what to raise if no later request can succeed either, else None."""
        from openai import APIStatusError, AuthenticationError, NotFoundError, PermissionDeniedError

        if isinstance(error, AuthenticationError | PermissionDeniedError):
            sent = True
            with suppress(Exception):  # the function that gave the key may be at fault
                sent = self.key_is_set
            told = "refuses the key" if sent else "wants a key and was sent none"
            where = "" if sent else ", and name the server in the call"
            return EndpointUnavailable(
                f"{self.address} {told} ({self.told(error)}); check {self._variable}{where}."
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

    def without_key(self, text: str) -> str:
        """Return a text, such as an error of someone else's, with all that may be a key covered:
        the key itself, headers, values in the query of the address.
        """
        values = [*self.headers.values(), *_of_variables()]
        secrets = [*values, *(value.split()[-1] for value in values if value.strip())]
        with suppress(Exception):  # an address out of the environment may be none
            secrets += self._hidden_in_query()
        with suppress(Exception):  # what fails may be the very function that gives the key
            secrets.append(self._key())
        return covered(text, secrets)

    @property
    def _query(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self._whole).query))

    def _hidden_in_query(self) -> list[str]:
        return [value for name, value in self._query.items() if name != _VERSION]

    @property
    def _is_meant_by_variables(self) -> bool:
        """Tell whether what the library finds in the environment is for this server."""
        if self.base_url is None or self.base_url == os.environ.get(BASE_URL):
            return True
        host = urlsplit(self.base_url).hostname or ""
        return host == _OPENAI or host.endswith(f".{_OPENAI}")

    @property
    def _whole(self) -> str:
        given = self.base_url or os.environ.get(BASE_URL) or ""
        if given and self.base_url is None:
            _check_address(given, name=BASE_URL)
        return given

    @property
    def _is_azure(self) -> bool:
        return _VERSION in self._query

    @property
    def _variable(self) -> str:
        return AZURE_KEY if self._is_azure and os.environ.get(AZURE_KEY) else KEY

    @property
    def _from(self) -> str:
        return " that the function gave" if self.key else f" in {self._variable}"

    def _key(self) -> str:
        found = self.key() if self.key else os.environ.get(self._variable)
        return (found or "").strip()  # a key out of a file often brings its line end along


def is_loopback(address: str) -> bool:
    """Tell whether an address is this machine's own.

    >>> is_loopback("http://localhost:11434/v1"), is_loopback("https://localhost.example.com/v1")
    (True, False)
    """
    return urlsplit(address).hostname in _LOOPBACK


def _check_address(given: str, *, name: str) -> None:
    try:
        parts = urlsplit(given)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    else:
        if parts.username or parts.password:
            raise InvalidSetting(
                f"{name} holds a user name or password, which would be stored; set "
                f"{KEY} or give key=a function instead."
            )
    if not usable:
        raise InvalidSetting(
            f"{name}={_bare(given)!r} is no address; give one such as 'http://localhost:11434/v1'."
        )


def _bare(given: str) -> str:
    """Return an address, or what should be one, without what may be a key.

    >>> _bare("https://ann:secret@example.com/v1?key=secret")
    'https://example.com/v1'
    """
    return re.sub(r"//[^/]*@", "//", re.split(r"[?#]", given, maxsplit=1)[0])


def _check_number(name: str, value: Any, *, kinds: tuple[type, ...], above: int) -> None:
    is_one = isinstance(value, kinds) and not isinstance(value, bool)
    if not is_one or not above < value < math.inf:
        what = "a number" if float in kinds else "a whole number"
        raise InvalidSetting(
            f"{name}={value!r:.60}: allowed is {what}, {'0 or more' if above < 0 else 'above 0'}."
        )


def _of_variables() -> Iterator[str]:
    """Yield what the openai library may add to requests of what it finds in the environment."""
    for line in os.environ.get(OWN_HEADERS, "").splitlines():
        yield line.partition(":")[2].strip()
    yield from filter(None, map(os.environ.get, OWN_NAMES))


def _as_azure(key: Callable[[], str]) -> Callable[[httpx2.Request], None]:
    """Return what moves the key of a request to the header where Azure reads it."""

    def put(request: httpx2.Request) -> None:
        request.headers.pop("Authorization", None)
        if now := key():
            request.headers["api-key"] = now

    return put


def _sendable(text: str) -> bool:
    """Tell whether a header can carry it; what cannot would be quoted in an error."""
    return text.isascii() and text.isprintable()


def _reason(body: object) -> str:
    """Return the reason that an error's body gives, whichever server words it."""
    if isinstance(body, Mapping):
        for name in ("message", "error", "detail"):
            if found := body.get(name):
                return _reason(found) if isinstance(found, Mapping) else str(found)
        return ""
    return body if isinstance(body, str) else ""
