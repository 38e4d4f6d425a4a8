"""Where the links of documents lead: from what a file says of a target to an entity."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from brainkit.extract.builder import Handle
from brainkit.extract.facts import Target
from brainkit.extract.graph import SourceFacts
from brainkit.extract.links import slug

_SUFFIXES: Final = (".md", ".rst", ".html", ".htm", ".txt", ".qmd", ".rmd", ".ipynb", ".adoc")
_INDEXES: Final = ("index", "README", "readme", "_index")


class Places:
    """Files and headings that a link may name.

    entities : (source, path) of everything that files define -> entity.
    """

    def __init__(
        self, sources: Sequence[SourceFacts], entities: Mapping[tuple[str, str], Handle]
    ) -> None:
        self._entities = entities
        self._by_path: dict[tuple[str, str], str] = {}
        self._by_tail: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._labels: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
        self._documents: dict[str, str] = {}
        self._slugs: dict[tuple[str, str], str] = {}
        for one in sources:
            if (one.source, "") in entities and one.label:
                self._add(one)

    def find(self, target: Target, label: str) -> Handle | None:
        """Return what a target means in the files of a label; None if nothing or several."""
        path, _, fragment = target.path.partition("#")
        if not path:
            places = self._labels.get((label, fragment), set())
            place = next(iter(places)) if len(places) == 1 else None
            return self._entities.get(place) if place else None
        source = self._source(path.strip("/"), label, exact=target.scope == "path")
        if source is None:
            return None
        heading = self._slugs.get((source, fragment)) if fragment else None
        return self._entities.get((source, heading or self._documents.get(source, "")))

    def _add(self, one: SourceFacts) -> None:
        path = one.source.removeprefix(f"{one.label}/")
        stem, suffix = posixpath.splitext(path)
        names = [path]
        if suffix.lower() in _SUFFIXES:
            names.append(stem)
            folder, name = posixpath.split(stem)
            if name in _INDEXES:
                names.append(folder)
        for name in names:
            known = self._by_path.get((one.label, name))
            self._by_path[one.label, name] = min(filter(None, (known, one.source)))
            parts = name.split("/")
            for at in range(len(parts)):
                self._by_tail[one.label, "/".join(parts[at:])].add(one.source)
        for named in one.facts.named:
            if named.kind == "document":
                self._documents[one.source] = named.path
            elif named.kind == "heading":
                self._slugs.setdefault((one.source, slug(named.name)), named.path)
        for written, bound in one.facts.bindings.items():
            if written.startswith("#"):
                self._labels[one.label, written[1:]].add((one.source, bound.path))

    def _source(self, path: str, label: str, *, exact: bool) -> str | None:
        stem, suffix = posixpath.splitext(path)
        for name in (path, stem) if suffix.lower() in _SUFFIXES else (path,):
            if exact:
                found = self._by_path.get((label, name))
                if found is not None:
                    return found
            else:
                tails = self._by_tail.get((label, name), set())
                if len(tails) == 1:
                    return next(iter(tails))
        return None
