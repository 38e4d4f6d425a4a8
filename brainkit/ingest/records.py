"""Records for ingest_texts: dicts, data frames, BEIR corpora."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from brainkit.errors import InvalidRecord
from brainkit.ingest.formats.document import storable

_NESTED_MAX = 50


def rows_of(records: Any) -> Iterable[Any]:
    """Return the rows of a pandas or polars DataFrame, an Arrow table or any iterable of dicts."""
    if hasattr(records, "iter_rows"):  # polars
        return list(records.iter_rows(named=True))
    if hasattr(records, "to_pylist"):  # pyarrow
        return list(records.to_pylist())
    if hasattr(records, "to_dict") and hasattr(records, "columns"):  # pandas
        return list(records.to_dict("records"))
    if isinstance(records, (str, bytes, Mapping)) or not isinstance(records, Iterable):
        raise InvalidRecord(
            f"ingest_texts got one {type(records).__name__}; give a list of records such as "
            '[{"id": "a", "text": "..."}] or a DataFrame with these columns.'
        )
    return list(records)


def checked(records: Iterable[Any], *, labels: Container[str] = ()) -> Iterator[dict[str, Any]]:
    """Yield each record as id, text, title and metadata.

    ``id`` (or ``_id``) must be there, once, and not lie where files are: it may not be one of the
    labels nor begin with ``label/``. ``text`` or ``title`` must be a string. All other fields
    become metadata. Raises InvalidRecord before anything is written.
    """
    seen: set[str] = set()
    for number, record in enumerate(records, start=1):
        if not isinstance(record, Mapping):
            raise InvalidRecord(
                f"record {number} is a {type(record).__name__}; give a dict with id and text."
            )
        fields = dict(record)
        id_ = fields.pop("id", None)
        id_ = fields.pop("_id", None) if id_ is None else id_
        if not isinstance(id_, (str, int)) or isinstance(id_, bool) or not str(id_).strip():
            raise InvalidRecord(f"record {number} has id {id_!r}; give each a unique string id.")
        source = storable(str(id_))
        if source in seen:
            raise InvalidRecord(
                f"id {source!r} comes twice (again at record {number}); ids are unique."
            )
        label = source.partition("/")[0]
        if label in labels:
            raise InvalidRecord(
                f"id {source!r} is a place in the folder ingested as {label!r}; choose another id."
            )
        seen.add(source)
        text, title = fields.pop("text", None), fields.pop("title", None)
        if not isinstance(text, str) and not isinstance(title, str):
            raise InvalidRecord(
                f"record {source!r} has text {text!r}; its text (or title) must be a string."
            )
        nested = fields.get("metadata")
        if isinstance(nested, Mapping):
            del fields["metadata"]
        metadata = {**fields, **(nested if isinstance(nested, Mapping) else {})}
        title = storable(title).strip() if isinstance(title, str) else ""
        if title:
            metadata["title"] = title
        yield {
            "id": source,
            "text": storable(text) if isinstance(text, str) else "",
            "title": title,
            "metadata": _plain(metadata, of=source),
        }


def _plain(value: Any, *, of: str, depth: int = 0) -> Any:
    """Return metadata as JSON can hold it; anything else as its text."""
    if depth > _NESTED_MAX:
        raise InvalidRecord(
            f"record {of!r} has fields nested more than {_NESTED_MAX} deep, or in a circle; "
            "flatten them."
        )
    inner = partial(_plain, of=of, depth=depth + 1)
    match value:
        case Mapping():
            return {storable(str(name)): inner(one) for name, one in value.items()}
        case list() | tuple():
            return [inner(one) for one in value]
        case float():
            return value if math.isfinite(value) else None
        case None | bool() | int():
            return value
        case _ if hasattr(value, "tolist"):  # a NumPy array or scalar
            return inner(value.tolist())
        case _:
            return storable(str(value))
