"""What leaves this machine, and that nothing goes with it that looks like a secret."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from brainkit.embed import Identity
from brainkit.errors import SecretsFound
from brainkit.ingest.secrets import TITLE, Secret, secrets_in_chunks
from brainkit.store.chunks import ChunkStore

ON_THIS_MACHINE: Final = frozenset({"local", "static", "callable"})
"""Providers that brainkit itself sends nothing to. What a callable does is its owner's choice."""

_SHOWN: Final = 5


def is_hosted(identity: Identity) -> bool:
    """Tell whether texts leave this machine when this embedder reads them.

    What the embedder declares counts; without a word from it, an unknown provider is hosted.

    >>> is_hosted(Identity(provider="mine", model="m", dim=2, revision="1"))
    True
    >>> is_hosted(Identity(provider="mine", model="m", dim=2, revision="1", hosted=False))
    False
    """
    if identity.hosted is not None:
        return identity.hosted
    return identity.provider not in ON_THIS_MACHINE


def refuse_secrets(chunks: ChunkStore, identity: Identity) -> None:
    """Raise SecretsFound if a brain holds what must not be sent to this embedder unasked."""
    if not is_hosted(identity):
        return
    found = dict(_stored_secrets(chunks))
    if found:
        shown = "; ".join(
            f"{source}: {', '.join(map(str, secrets))}"
            for source, secrets in list(found.items())[:_SHOWN]
        )
        more = f"; and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
        raise SecretsFound(
            f"{len(found):,} sources look like they hold secrets, and {identity} is hosted "
            f"({shown}{more}). Nothing was sent. brain.remove(source) takes one out; "
            "send_secrets=True sends them all the same."
        )


def secrets_note(count: int, identity: Identity, *, forced: bool, reader: str | None = None) -> str:
    """Return what an ingest says of so many files that look like they hold secrets.

    reader : address of a chat model that reads the chunks too.
    >>> local = Identity(provider="local", model="m", dim=2, revision="1")
    >>> secrets_note(1, local, forced=False)
    '1 file looks like it holds secrets (report.secrets: where and what kind). Nothing is sent.'
    """
    one = count == 1
    who = f"{count:,} {'file looks like it holds' if one else 'files look like they hold'} secrets"
    hosted = [identity.provider] if is_hosted(identity) else []
    receivers = " and ".join(filter(None, [*hosted, reader]))
    if not receivers:
        end = "Nothing is sent."
    elif forced:
        end = f"Sent to {receivers}, as send_secrets=True asks."
    else:
        end = (
            f"{'Left out, so' if hosted else 'Indexed, but'} nothing of {'it' if one else 'them'} "
            f"goes to {receivers}; send_secrets=True sends all the same."
        )
    return f"{who} (report.secrets: where and what kind). {end}"


def holds_secrets(chunks: ChunkStore, source: str) -> bool:
    """Tell whether a stored source looks like it holds secrets, contexts and all.

    All its chunks are read together, as a key may be cut in several.
    """
    return any(secrets for _, secrets in _stored_secrets(chunks, source))


def _stored_secrets(
    chunks: ChunkStore, source: str | None = None
) -> Iterator[tuple[str, tuple[Secret, ...]]]:
    where = "" if source is None else "where source = $source"
    table = chunks.table(
        "select source, language, start_line, text, context from chunks "
        f"{where} order by source, start_line, key",
        None if source is None else {"source": source},
    )
    columns = (table.column(name).to_pylist() for name in table.column_names)
    for (name, language), found in groupby(zip(*columns, strict=True), key=lambda row: row[:2]):
        rows = list(found)
        contexts = dict.fromkeys(row[4] for row in rows)
        before = [(TITLE, context) for context in contexts if context]
        secrets = secrets_in_chunks([*before, *(row[2:4] for row in rows)], language=language)
        if secrets:
            yield name, secrets
