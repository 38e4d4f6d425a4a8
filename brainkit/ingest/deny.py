"""What is never read, whatever the patterns say: secrets, caches, installed packages, brains."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal, NamedTuple

_CACHE_TAG_SIGNATURE: Final = b"Signature: 8a477f597d28d172789f06886806bc55"  # bford.info/cachedir


class Denial(NamedTuple):
    """File names that are never read, and why. Patterns are lower case; names are folded first."""

    applies_to: Literal["folder", "file", "both"]
    reason: str
    patterns: str


DENIED: Final = (
    Denial(
        "both",
        "version control data",
        ".git .hg .svn .bzr .jj .sl _darcs .fslckout",
    ),
    Denial(
        "folder",
        "a cache folder",
        "__pycache__ .mypy_cache .pytest_cache .ruff_cache .ipynb_checkpoints .hypothesis .pytype "
        ".cache .sass-cache .parcel-cache .turbo .gradle .nyc_output .next .nuxt .svelte-kit "
        ".dart_tool .terraform",
    ),
    Denial(
        "folder",
        "installed packages",
        "node_modules bower_components jspm_packages site-packages __pypackages__ .pnpm-store "
        ".yarn .eggs *.egg-info .tox .nox .bundle",
    ),
    Denial("folder", "a virtual environment", "venv .venv virtualenv .virtualenv .direnv"),
    Denial("folder", "a brain's own folder", "*.brain"),
    Denial("folder", "an editor's private folder", ".idea .vs"),
    Denial("folder", "a folder of keys and credentials", ".ssh .gnupg .aws .azure .kube"),
    Denial("both", "an environment file, which may hold secrets", ".env*"),
    Denial(
        "file",
        "a key or certificate",
        "*.pem *.key *.p12 *.pfx *.p8 *.der *.crt *.cer *.csr *.jks *.keystore *.kdbx *.ppk *.gpg "
        "id_rsa* id_dsa* id_ecdsa* id_ed25519*",
    ),
    Denial(
        "file",
        "a file of credentials",
        ".netrc _netrc .pgpass .my.cnf .pypirc .npmrc .htpasswd .git-credentials .dockercfg "
        ".dockerconfigjson .s3cfg .boto .vault-token credentials.json client_secret*.json "
        "service-account*.json service_account*.json *.tfstate *.tfstate.backup",
    ),
    Denial(
        "file",
        "a lock file",
        "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb "
        "deno.lock poetry.lock uv.lock pdm.lock pipfile.lock pixi.lock pylock.toml pylock.*.toml "
        "conda-lock.yml cargo.lock gemfile.lock composer.lock go.sum go.work.sum flake.lock "
        "mix.lock pubspec.lock podfile.lock package.resolved packages.lock.json paket.lock "
        "gradle.lockfile .terraform.lock.hcl module.bazel.lock",
    ),
    Denial("file", "a drawing, whose text is coordinates", "*.svg"),
    Denial(
        "both",
        "left behind by the system or an editor",
        ".ds_store ._* thumbs.db desktop.ini .trash* .spotlight-v100 .fseventsd *.swp *.swo ~$*",
    ),
)
"""Holds even where an include pattern or a negation names the file."""


def denied(name: str, *, is_folder: bool) -> str | None:
    """Return why a file or folder of this name is never read, or None. Case makes no difference.

    >>> denied(".ENV.local", is_folder=False)
    'an environment file, which may hold secrets'
    >>> denied("environment.py", is_folder=False)
    """
    folded = name.casefold()
    matches = (reason for pattern, reason in _MATCHERS[is_folder] if pattern.match(folded))
    return next(matches, None)


def denied_by_content(folder: Path, names: Iterable[str]) -> str | None:
    """Return why a folder with these entries is not entered, or None.

    A virtual environment holds `pyvenv.cfg`, a brain `CURRENT` beside a `gen-*` folder, and a cache
    a `CACHEDIR.TAG` with the signature of that convention.
    """
    present = set(names)
    if "pyvenv.cfg" in present:
        return "a virtual environment"
    if "CURRENT" in present and any(name.startswith("gen-") for name in present):
        return "a brain's own folder"
    if "CACHEDIR.TAG" in present and _has_cache_signature(folder / "CACHEDIR.TAG"):
        return "a cache folder"
    return None


def _has_cache_signature(tag: Path) -> bool:
    try:
        if not tag.is_file():
            return False
        with tag.open("rb") as file:
            return file.read(len(_CACHE_TAG_SIGNATURE)) == _CACHE_TAG_SIGNATURE
    except OSError:
        return False


def _matchers(other_kind: str) -> list[tuple[re.Pattern[str], str]]:
    return [
        (re.compile("|".join(map(fnmatch.translate, denial.patterns.split()))), denial.reason)
        for denial in DENIED
        if denial.applies_to != other_kind
    ]


_MATCHERS: Final = {True: _matchers("file"), False: _matchers("folder")}
