"""What looks like a secret is found by kind and line; what only mentions one is left in peace."""

from __future__ import annotations

import random
import string
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainkit.ingest.secrets import Secret, find_secrets, looks_random, secrets_in_chunks, told

LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def drawn(count: int, letters: str = LETTERS, seed: int = 7) -> str:
    """A made-up key, so that this file holds nothing that a scanner would take for a real one."""
    return "".join(random.Random(seed).choices(letters, k=count))


UPPER, LOWER = string.ascii_uppercase + string.digits, string.ascii_lowercase + string.digits
JWT = "eyJhbGciOiJIUzI1NiJ9." + "eyJ1aWQiOjQyLCJyb2xlIjoicm9vdCJ9." + drawn(43)
KEY_BODY = "\n".join(drawn(64, seed=seed) for seed in range(4))
SECRETS = {
    f'key = "AKIA{drawn(16, UPPER)}"': "AWS Access Key",
    f'aws_secret_access_key = "{drawn(40)}"': "AWS Access Key",
    f"ghp_{drawn(36)}": "GitHub Token",
    f"github_pat_{drawn(22)}_{drawn(59)}": "GitHub token",
    f"glpat-{drawn(20)}": "GitLab token",
    f"xoxb-{drawn(11, string.digits)}-{drawn(12, string.digits)}-{drawn(24)}": "Slack Token",
    f"https://hooks.slack.com/services/T{drawn(8, UPPER)}/B{drawn(8, UPPER)}/{drawn(24)}": (
        "Slack Token"
    ),
    f"sk_live_{drawn(24)}": "Stripe Access Key",
    f"rk_live_{drawn(24)}": "Stripe Access Key",
    f"sk-{drawn(20)}T3BlbkFJ{drawn(20)}": "OpenAI API key",
    f"sk-proj-{drawn(74)}T3BlbkFJ{drawn(74)}": "OpenAI API key",
    f"sk-ant-api03-{drawn(93)}AA": "Anthropic API key",
    f"AIza{drawn(35)}": "Google API key",
    f"GOCSPX-{drawn(28)}": "Google OAuth secret",
    f"hf_{drawn(34, string.ascii_letters)}": "Hugging Face token",
    f"pypi-AgEIcHlwaS5vcmc{drawn(80)}": "PyPI token",
    f"npm_{drawn(36)}": "NPM tokens",
    f"SG.{drawn(22)}.{drawn(43)}": "SendGrid API Key",
    f"sq0csp-{drawn(43)}": "Square OAuth Secret",
    f"AC{drawn(32, HEX)}": "Twilio API Key",
    f"{drawn(32, HEX)}-us12": "Mailchimp Access Key",
    f"M{drawn(23)}.{drawn(6)}.{drawn(27)}": "Discord Bot Token",
    f"DefaultEndpointsProtocol=https;AccountKey={drawn(86)}==": "Azure storage key",
    JWT: "JSON web token",
    f"Authorization: Bearer {drawn(40)}": "bearer token",
    f"postgres://app:{drawn(16)}@db.internal:5432/prod": "login in a URL",
    f"-----BEGIN RSA PRIVATE KEY-----\n{KEY_BODY}\n-----END RSA PRIVATE KEY-----": "private key",
    f"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{KEY_BODY}": "private key",
    "-----BEGIN OPENSSH PRIVATE KEY-----\\n" + KEY_BODY.replace("\n", "\\n"): "private key",
    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n" + KEY_BODY: "private key",
    "key: |\n    -----BEGIN EC PRIVATE KEY-----\n    " + KEY_BODY.replace("\n", "\n    "): (
        "private key"
    ),
    f'password = "{drawn(16)}"': "password or token",
    f"'db_password': '{drawn(16)}',": "password or token",
    f'{{"accessToken": "{drawn(32, HEX)}"}}': "password or token",
    f'api_key: str = "{drawn(24)}"': "password or token",
    f'login(user, password="{drawn(20)}!")': "password or token",
    f"const client_secret = `{drawn(30)}`": "password or token",
    f'private static final String API_KEY = "{drawn(20)}";': "password or token",
    f'SECRET_KEY = b"{drawn(24)}"': "password or token",
    'password = "kX9#mP2$vL7(nQ4"': "password or token",
}
HARMLESS = [
    'password = os.environ["DB_PASSWORD"]',
    "token = get_token(request)",
    'password = "correct horse battery staple"',
    'password = "password"',
    'api_key = "your-api-key-goes-here-123-abc4"',
    f'token = "<{drawn(14)}>"',
    'secret = "${SECRET_FROM_VAULT_1A2B}"',
    'token_url = "https://auth2.internal/oauth2/v1/token"',
    'token = "oauth2_client_credentials_v2"',
    'password_field = "form1_password2_input3"',
    'secret_id = "0190c2f4-5b6a-7c8d-9e0f-1a2b3c4d5e6f"',
    'token = "0190c2f4-5b6a-7c8d-9e0f-1a2b3c4d5e6f"',
    'token = "2024-01-01T12:30:45Z"',
    'private_key = "~/.ssh/deploy2/key3.pem"',
    r'token = r"[a-z0-9]{3}\d[A-F0-9]{5}"',
    'publicKeyToken="1fc8b3b9a1e18e3b"',
    'key = "AKIAIOSFODNN7EXAMPLE"',
    f"ghp_{'x' * 36}",
    "eyJhbGciOiJIUzI1NiJ9.no-payload.signature",
    "postgres://user:password@db/prod",
    "postgres://app:s3cret99@localhost/dev",
    "https://user:hunter22@example.com/",
    "the file begins with -----BEGIN RSA PRIVATE KEY----- and ends likewise",
    "-----BEGIN PUBLIC KEY-----\n" + KEY_BODY,
    f"sha256 = '{drawn(64, HEX)}'",
    f'integrity="sha512-{drawn(86)}=="',
    f"uses: actions/checkout@{drawn(40, HEX)}",
    f"data:image/png;base64,{drawn(4000)}",
    "",
]


@pytest.mark.parametrize(("text", "kind"), SECRETS.items(), ids=range(len(SECRETS)))
def test_a_secret_is_found_on_its_line(text: str, kind: str) -> None:
    line = 3 + text.partition("-----BEGIN")[0].count("\n") * ("-----BEGIN" in text)
    assert Secret(line, kind) in find_secrets(f"first\n\n{text}\nlast\n")


@pytest.mark.parametrize("text", HARMLESS, ids=range(len(HARMLESS)))
def test_what_is_no_secret_is_not_reported(text: str) -> None:
    assert find_secrets(f"{text}\n") == ()


def test_a_value_without_quotes_counts_only_where_values_have_none() -> None:
    line = f"DB_PASSWORD={drawn(16)}\n"
    assert find_secrets(line, language="shell") == (Secret(1, "password or token"),)
    assert find_secrets(line, language="python") == ()
    assert find_secrets("TOKEN=$(cat token1.txt2)\n", language="shell") == ()
    yaml = f"a: 1\ndb:\n  password: {drawn(16)}\n"
    assert find_secrets(yaml, language="yaml") == (Secret(3, "password or token"),)


def test_a_known_form_is_reported_once_and_by_its_name() -> None:
    text = f'token = "ghp_{drawn(36)}"\ntoken = "ghp_{drawn(36, seed=8)}"\n'
    assert find_secrets(text) == (Secret(1, "GitHub Token"), Secret(2, "GitHub Token"))


@given(st.lists(st.sampled_from(["", "x = 1", "# token", '"""']), max_size=30), st.integers(0, 30))
def test_the_line_is_true_wherever_the_secret_stands(lines: list[str], at: int) -> None:
    at = min(at, len(lines))
    lines = [*lines[:at], f"sk_live_{drawn(24)}", *lines[at:]]
    assert find_secrets("\n".join(lines)) == (Secret(at + 1, "Stripe Access Key"),)


def test_nothing_of_the_value_is_kept() -> None:
    value = drawn(36)
    (found,) = find_secrets(f"ghp_{value}")
    assert repr(found) == "Secret(line=1, kind='GitHub Token')"
    assert value not in told([found])


def test_many_findings_are_told_in_one_line() -> None:
    found = [Secret(line, "private key") for line in range(1, 1003)]
    assert told(found) == (
        "looks like it holds secrets: private key on line 1, private key on line 2, "
        "private key on line 3 and 999 more"
    )
    assert told([]) == ""


@pytest.mark.parametrize(
    "unit",
    ["eyJ", "eyJ.", "aws key ", "sk-", "://a:bcdefgh", "='abcdefghijklm", "npm_", "Bearer a",
     "-----BEGIN PRIVATE KEY-----", "xoxb-1-", "password=", "AKIA"],
)  # fmt: skip
def test_a_megabyte_made_to_be_slow_is_not(unit: str) -> None:
    """A pattern that looks again at what it has read would run into pytest's timeout."""
    assert find_secrets(unit * (1_000_000 // len(unit)), language="yaml") == ()


def test_the_standard_library_holds_no_secrets() -> None:
    """Over a hundred modules, some of which are about keys, tokens and passwords."""
    folder = Path(sysconfig.get_path("stdlib"))
    modules = sorted(folder.glob("*.py"))
    assert len(modules) > 100
    assert {
        path.name: found
        for path in modules
        if (found := find_secrets(path.read_text("utf-8"), language="python"))
    } == {}


def test_the_sample_holds_no_secrets(repository: Path) -> None:
    files = [path for path in (repository / "data" / "sample").rglob("*") if path.is_file()]
    assert len(files) > 20
    assert [path for path in files if find_secrets(path.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    ("value", "random_looking"),
    [
        ("q8Zr4mT1xKc7Vb2N", True),
        ("9f86d081884c7d65", True),
        ("zoVnVcBd4eYfXsQw", True),
        ("getUserNameToken1", False),
        ("correcthorsebattery", False),
        ("oauth2_client_secret", False),
        ("123456789012", False),
        ("short1a2b", False),
    ],
)
def test_random_looking(value: str, random_looking: bool) -> None:
    assert looks_random(value) is random_looking


def test_chunks_are_searched_as_the_one_text_they_are() -> None:
    chunks = [(1, "x = 1"), (4, "-----BEGIN PRIVATE KEY-----"), (5, f"{KEY_BODY}"), (4, "again")]
    assert secrets_in_chunks(chunks, language=None) == (Secret(4, "private key"),)
    twice = [(7, f"a\nsk_live_{drawn(24)}"), (8, f"sk_live_{drawn(24)}")]  # overlap repeats a line
    assert secrets_in_chunks(twice, language=None) == (Secret(8, "Stripe Access Key"),)
    whole = f"ghp_{drawn(36)}"  # in a line that no chunk can hold
    parts = [(3, f"x {whole[:9]}"), (3, whole[9:20]), (3, f"{whole[20:]} y"), (4, "z")]
    assert secrets_in_chunks(parts, language=None) == (Secret(3, "GitHub Token"),)
    assert secrets_in_chunks([], language=None) == ()
