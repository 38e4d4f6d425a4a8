"""Find what looks like a secret; say which kind and on which line, and never what it is."""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from itertools import accumulate, pairwise
from typing import Final, NamedTuple
from urllib.parse import unquote

TITLE: Final = 0
"""Start line of what is read before the first line of a source: its title, or a context."""
_SHOWN: Final = 3


@dataclass(frozen=True, slots=True, order=True)
class Secret:
    """A place that looks like a secret: line from 1, and kind for people. Never the value."""

    line: int
    kind: str

    def __str__(self) -> str:
        return f"{self.kind} on line {self.line:,}"


class _Rule(NamedTuple):
    """A pattern for a kind; ``holds`` decides about a match.

    words : if there are any, only texts with one of them, in any case, are searched.
    group : what the secret itself is in a match.
    """

    kind: str
    pattern: re.Pattern[str]
    holds: Callable[[re.Match[str]], bool]
    words: tuple[str, ...] = ()
    group: int = 0


_FROM_LIBRARY: Final = {
    "aws.AWSKeyDetector": ("akia", "asia", "abia", "acca", "a3t", "aws"),
    "discord.DiscordBotTokenDetector": (),
    "github_token.GitHubTokenDetector": (),
    "mailchimp.MailchimpDetector": ("-us",),
    "npm.NpmDetector": ("npm", "_authtoken"),
    "sendgrid.SendGridDetector": (),
    "slack.SlackDetector": ("xox", "hooks.slack.com"),
    "square_oauth.SquareOAuthDetector": (),
    "stripe.StripeDetector": (),
    "twilio.TwilioKeyDetector": (),
}
"""Detectors of detect-secrets for keys that have a form of their own, and words of which a text
must have one, in any case, before the slow ones look at it.

Left out are its entropy detectors (one finding per 150 characters of the standard library), the
one for names such as ``password`` (half a second per MB), and those for services that are rare and
as slow, or slow on purpose-made input.
"""

_FORMATS: Final = {
    "Anthropic API key": r"sk-ant-[a-z]+\d\d-[\w-]{80,}",
    "Azure storage key": r"AccountKey=([A-Za-z0-9+/]{86}==)",
    "GitHub token": r"github_pat_\w{22}_\w{59}",
    "GitLab token": r"gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat)-[\w-]{20,}",
    "Google API key": r"AIza(?<![\w+/-]AIza)[\w-]{35}(?![\w+/=-])",
    "Google OAuth secret": r"GOCSPX-[\w-]{28}",
    "Hugging Face token": r"hf_[A-Za-z]{34}(?!\w)",
    "OpenAI API key": r"sk-(?<![\w-]sk-)[\w-]{20,200}?T3BlbkFJ[\w-]{20,}",
    "PyPI token": r"pypi-AgE[\w-]{70,}",
    # The key itself must follow, in a string, indented or after its headers: naming it is no leak.
    "private key": r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?!-----)[\s\S]){0,400}?[A-Za-z0-9+/]{40}",
}
"""Forms that the library lacks, or knows too narrowly, as their issuers document them. Each begins
with letters that are searched fast; a check of what stands before comes after them.
"""

_JWT: Final = re.compile(r"eyJ(?<![\w=-]eyJ)[\w=-]+\.[\w=-]+\.[\w.+/=-]*")
_LOGIN: Final = re.compile(r"://([^:/?#\[\]@\s\"'`<>]{1,80}):([^:,/@\s\"'`<>]{6,200})@([\w.-]+)")
_BEARER: Final = re.compile(r"earer[ \t]+([\w.~+/-]{20,400})")
_QUOTED: Final = re.compile(r"[=:>(][ \t]{0,4}[brfu@]{0,2}([\"'`])([!#-&(-_a-~]{12,200})\1")
_PLAIN: Final = re.compile(r"^([^=:\n#]{3,80})[=:][ \t]*([!#-&(-_a-~]{12,200})[ \t\r]*$", re.M)
_NAME: Final = re.compile(
    r"(?:pass(?:word|wd|phrase)|(?:^|[^a-z])pass|pwd|secret|token|credentials?"
    r"|(?:api|access|auth|account|client|encryption|master|private|service|signing)[_-]?key)"
    r"(?:[_-]?(?:key|value|string|hex|b(?:ase)?64|prod(?:uction)?|live|staging|dev|test|\d+)){0,2}"
    r"[\"'`\])]*\s*(?::\s*[\w.|\[\]?]+\s*)?[:=]?$",
    re.IGNORECASE,
)
"""The end of a name that a secret is assigned to, maybe quoted or followed by a type."""

_UNQUOTED_IN: Final = frozenset({"ini", "yaml", "shell", "dockerfile", "make", "batch", "fish"})
"""Languages in which a value stands without quotes; elsewhere that would be a name."""

_PLACEHOLDER: Final = re.compile(
    r"example|sample|dummy|fake|placeholder|change.?me|replace|your|redacted|x{4}|\*{3}|\.{3}"
    r"|(.)\1{5}|0123456|1234567|abcdefg|deadbeef|\$[{(]|%[(sd](?![\da-f])|\{\w*\}|<\w[\w -]*>",
    re.IGNORECASE,
)
_SHAPED: Final = re.compile(
    r"[a-f\d]{8}(?:-[a-f\d]{4}){3}-[a-f\d]{12}|\d{4}-\d\d-\d\d.*|[a-z][\w+.-]*://.*|[./~].*|arn:.*"
    r"|.*(?:\(.*\)|\{.*\}|\[.*\]|\\).*|.*\.(?:py|js|ts|json|ya?ml|toml|txt|md|html?|pem|key)",
    re.IGNORECASE | re.DOTALL,
)
"""UUIDs, dates, addresses, paths, file names and code: assigned to such names, but no secrets."""

_HARMLESS_HOST: Final = re.compile(
    r"(?:.*\.)?(?:example(?:\.\w+)?|test|invalid|localhost|local)$|127\.|0\.0\.0\.0|host(?:name)?$",
    re.IGNORECASE,
)
_CLASSES: Final = (string.ascii_lowercase, string.ascii_uppercase, string.digits)


def find_secrets(text: str, *, language: str | None = None) -> tuple[Secret, ...]:
    r"""Return where a text looks like it holds secrets, by line and kind; each pair once.

    text : lines end with ``\n``.
    language : of the file; in configuration and shell a value may stand without quotes.

    Found are keys and tokens with a form of their own (AWS, GitHub, Slack, Stripe, OpenAI, Google
    and others), private keys, logins in URLs, JSON web tokens, and random-looking values assigned
    to a name such as ``password``. Not found are passwords made of words and values whose name says
    nothing. Placeholders such as ``AKIAIOSFODNN7EXAMPLE`` are not reported.

    >>> find_secrets("# none here\nkey = os.environ['KEY']\n")
    ()
    >>> find_secrets("\ntoken = 'q8Zr" + "4mT1xKc7Vb2N'\n")
    (Secret(line=2, kind='password or token'),)
    """
    places = {(start, kind) for start, _, kind in secret_spans(text, language=language)}
    if not places:
        return ()
    starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))
    found = {Secret(bisect_right(starts, at), kind) for at, kind in places}
    known = {secret.line for secret in found if secret.kind != _ASSIGNED}
    return tuple(sorted(s for s in found if s.kind != _ASSIGNED or s.line not in known))


def secret_spans(text: str, *, language: str | None = None) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of what looks like a secret, so that it can be taken out.

    As ``find_secrets``, which says where; the span is the secret without the name it is given.
    """
    folded = text.lower()
    for rule in _rules():
        if rule.words and not any(word in folded for word in rule.words):
            continue
        for match in rule.pattern.finditer(text):
            if rule.holds(match):
                yield *match.span(rule.group), rule.kind
    if language in _UNQUOTED_IN:
        for match in _PLAIN.finditer(text):
            if _named(match[1], match[2]):
                yield *match.span(2), _ASSIGNED


def secrets_in_chunks(
    chunks: Iterable[tuple[int, str]], *, language: str | None
) -> tuple[Secret, ...]:
    """Return where the chunks of one source look like they hold secrets, by line of the source.

    chunks : (start line, text) in the order of the source. They are searched as one text, so that
        a key cut in two is found. What stands at ``TITLE`` comes first, and is told as line 1.
    """
    lines: list[int] = []
    texts: list[str] = []
    before = -1
    for start, text in chunks:
        count = text.count("\n") + 1
        is_same_line = start == before  # as the parts of a very long one
        if start == TITLE:
            lines += [1] * count
        else:
            before = start + count - 1
            lines += range(start + is_same_line, start + count)
        texts += ["" if is_same_line or not texts else "\n", text]
    found = find_secrets("".join(texts), language=language)
    return tuple(sorted({Secret(lines[one.line - 1], one.kind) for one in found}))


def told(secrets: Sequence[Secret]) -> str:
    """Return what was found in one file, for people.

    >>> told([Secret(3, "Slack Token"), Secret(3, "private key")])
    'looks like it holds secrets: Slack Token on line 3, private key on line 3'
    """
    shown = ", ".join(map(str, secrets[:_SHOWN]))
    more = f" and {len(secrets) - _SHOWN:,} more" if len(secrets) > _SHOWN else ""
    return f"looks like it holds secrets: {shown}{more}" if secrets else ""


_ASSIGNED: Final = "password or token"


@lru_cache(maxsize=1)
def _rules() -> tuple[_Rule, ...]:
    return (
        *_library_rules(),
        *(
            _Rule(kind, re.compile(form), lambda match: _real(match[0]))
            for kind, form in _FORMATS.items()
        ),
        _Rule("JSON web token", _JWT, _is_jwt),
        _Rule("login in a URL", _LOGIN, _is_login, group=2),
        _Rule("bearer token", _BEARER, lambda match: looks_random(match[1]), group=1),
        _Rule(_ASSIGNED, _QUOTED, _is_assigned, group=2),
    )


def _library_rules() -> Iterator[_Rule]:
    """Take patterns and checks of the library, not its scan: that is by line, and global."""
    for place, words in _FROM_LIBRARY.items():
        module, name = place.split(".")
        detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name)()

        def holds(
            match: re.Match[str], find: Callable[[str], Iterable[str]] = detector.analyze_string
        ) -> bool:
            return _real(match[0]) and any(True for _ in find(match[0]))

        for pattern in detector.denylist:
            yield _Rule(detector.secret_type, pattern, holds, words)


def _real(value: str) -> bool:
    return len(set(value)) >= 8 and not _PLACEHOLDER.search(value)


def _is_jwt(match: re.Match[str]) -> bool:
    from detect_secrets.plugins.jwt import JwtTokenDetector

    return JwtTokenDetector.is_formally_valid(match[0].rstrip("."))


def _is_login(match: re.Match[str]) -> bool:
    user, password, host = match.groups()
    return (
        password != user
        and not _PLACEHOLDER.search(password)
        and not _HARMLESS_HOST.match(host)
        and (any(map(str.isdigit, unquote(password))) or looks_random(password))
    )


def _is_assigned(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 80) : match.start()]
    return _named(before.rpartition("\n")[2], match[2])


def _named(name: str, value: str) -> bool:
    return bool(_NAME.search(name)) and "public" not in name.lower() and looks_random(value)


def looks_random(value: str) -> bool:
    """Tell whether a value was drawn by a machine rather than made of words.

    It has 12 characters or more, letters among them, and changes between small letters, capitals,
    digits and others more often than words and numbers do: at every third character, or at every
    second where digits stand in one place or none.

    >>> looks_random("q8Zr4mT1xKc7Vb2N"), looks_random("oauth2_client_secret")
    (True, False)
    """
    if len(value) < 12 or _SHAPED.fullmatch(value) or _PLACEHOLDER.search(value):
        return False
    joined = re.sub(r"[-_.]", "", value)
    kinds = [next((i for i, one in enumerate(_CLASSES) if c in one), 3) for c in joined]
    changes = sum(a != b for a, b in pairwise(kinds))
    digit_groups = len(re.findall(r"\d+", value))
    return (
        any(c.isalpha() for c in value)
        and len(set(value)) >= 8
        and changes * (3 if digit_groups > 1 else 2) >= len(joined)
    )
