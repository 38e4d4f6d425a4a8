from __future__ import annotations

import pytest

from shelf import SessionSigner
from shelf.errors import ConfigError, SessionExpired, SignatureError

SECRET = b"0123456789abcdef"


def test_verify_returns_the_reader_that_was_signed() -> None:
    signer = SessionSigner(SECRET)
    assert signer.verify(signer.sign("ada")) == "ada"


def test_verify_refuses_a_changed_reader() -> None:
    signer = SessionSigner(SECRET)
    token = signer.sign("ada")
    with pytest.raises(SignatureError):
        signer.verify(token.replace("ada", "eve", 1))


def test_verify_refuses_another_secret() -> None:
    token = SessionSigner(SECRET).sign("ada")
    with pytest.raises(SignatureError):
        SessionSigner(b"fedcba9876543210").verify(token)


def test_verify_refuses_an_expired_session() -> None:
    now = 1_000.0
    signer = SessionSigner(SECRET, lifetime_seconds=60, clock=lambda: now)
    token = signer.sign("ada")
    now = 1_059.0
    assert signer.verify(token) == "ada"
    now = 1_060.0
    with pytest.raises(SessionExpired, match="ada"):
        signer.verify(token)


@pytest.mark.parametrize("token", ["", "ada", "ada.99999999999", "ada.99999999999.é", "..."])
def test_verify_refuses_malformed_tokens(token: str) -> None:
    with pytest.raises(SignatureError):
        SessionSigner(SECRET).verify(token)


@pytest.mark.parametrize("reader", ["", "ada.b"])
def test_sign_refuses_names_that_would_break_the_format(reader: str) -> None:
    with pytest.raises(SignatureError):
        SessionSigner(SECRET).sign(reader)


def test_short_secrets_are_refused() -> None:
    with pytest.raises(ConfigError, match="16 or more"):
        SessionSigner(b"short")
