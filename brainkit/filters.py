"""Filters: which chunks a query may find."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pathspec import GitIgnoreSpec

from brainkit.errors import FilterError, nearest
from brainkit.globs import glob, spec_of
from brainkit.models import Chunk, Notice, QueryRequest


def is_filtered(request: QueryRequest) -> bool:
    """Tell whether the request filters at all."""
    return any((request.source_types, request.languages, request.file_paths))


class PathFilter:
    """Gitignore-style globs over sources: ``*`` stops at ``/``, ``**`` does not, ``!`` takes back.

    A glob matches the source with or without its label (the part before the first ``/``); one
    without a ``/`` matches at any depth; the last glob that matches decides.
    Raises FilterError for a pattern that cannot match, such as ``!`` alone.

    >>> PathFilter(["docs/*.md", "!*.draft.md"]).keeps("sample/docs/a.md")
    True
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self._patterns = [
            (pattern, compiled)
            for pattern in patterns
            for compiled in _compiled(pattern).patterns
            if compiled.include is not None
        ]

    def keeps(self, source: str) -> bool:
        """Tell whether the globs keep a source."""
        kept = False
        for _, compiled in self._patterns:
            if self._matches(compiled, source):
                kept = bool(compiled.include)
        return kept

    def unused(self, sources: Sequence[str]) -> list[str]:
        """Return the globs that match no source."""
        return [
            pattern
            for pattern, compiled in self._patterns
            if not any(self._matches(compiled, source) for source in sources)
        ]

    @staticmethod
    def _matches(compiled: object, source: str) -> bool:
        match = compiled.match_file  # type: ignore[attr-defined]
        relative = source.partition("/")[2]
        return match(source) is not None or (bool(relative) and match(relative) is not None)


def _compiled(pattern: str) -> GitIgnoreSpec:
    try:
        return spec_of([glob(pattern)])
    except ValueError:
        raise FilterError(
            f"{pattern!r} is no gitignore-style glob; give one such as 'src/**' or '*.md'."
        ) from None


def check_languages(request: QueryRequest, known: Mapping[str, int]) -> None:
    """Raise FilterError if the request names a language that no chunk of the brain has."""
    for word in request.languages or ():
        if known and word not in known:
            raise FilterError(
                f"languages={word!r}: no chunk of this brain has that language"
                f"{nearest(word, known)} (known: {', '.join(known)})"
            )


def unused_paths(paths: PathFilter, sources: Sequence[str]) -> list[Notice]:
    """Return a notice for every glob that matches no source."""
    return [
        Notice(
            kind="no-path",
            message=f"file_paths {pattern!r} matches none of the {len(sources)} sources.",
        )
        for pattern in paths.unused(sources)
    ]


def passes(chunk: Chunk, request: QueryRequest, paths: PathFilter | None) -> bool:
    """Tell whether one chunk passes every filter, for filtering after retrieval."""
    return (
        (request.source_types is None or chunk.source_type in request.source_types)
        and (request.languages is None or chunk.language in request.languages)
        and (paths is None or paths.keeps(chunk.source))
    )
