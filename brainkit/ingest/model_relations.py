"""Relations that a chat model reads out of the chunks of a root, as part of its ingest.

What a model read of a chunk belongs to the text of that chunk: it stays with the text when files
change around it or are renamed, until the model is asked again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from brainkit.analyze import embedded_text
from brainkit.extract.facts import Facts, Triplet
from brainkit.extract.llm import Found, ModelExtractor
from brainkit.extract.reading import Estimate, Readings, estimate, read_all, readings_of
from brainkit.hosted.prices import dollars
from brainkit.ingest.prepare import Prepared
from brainkit.ingest.secrets import secrets_in_chunks
from brainkit.ingest.tools import Tools
from brainkit.progress import bar
from brainkit.store.generation import Generation
from brainkit.store.layout import Layout
from brainkit.store.sound import contradictions_named

_REASONS_SHOWN: Final = 3
ByHash = Mapping[bytes, Sequence[Found]]


@dataclass(frozen=True)
class _Source:
    """The chunks of one file or record in their order: content hashes, and the texts to send.

    holds_secret : it looks like it does. stored : its chunks are in the brain already.
    """

    name: str
    hashes: Sequence[bytes]
    texts: Sequence[str]
    holds_secret: bool
    stored: bool


def keep_relations(prepared: Prepared, *, base: Generation) -> None:
    """Let every chunk that comes again keep what a model read of its text."""
    if not prepared.facts:
        return
    before = _read_before(base)
    if not before:
        return
    hashes: dict[str, Sequence[bytes]] = dict(base.chunks.content_hashes())
    hashes |= {row.source: [one.content_hash for one in chunks] for row, chunks in prepared.new}
    for source, facts in prepared.facts.items():
        prepared.facts[source] = _with(facts, source, hashes.get(source, ()), before)


def read_relations(
    prepared: Prepared,
    *,
    base: Generation,
    label: str,
    tools: Tools,
    extractor: ModelExtractor,
    layout: Layout,
    dry_run: bool,
    progress: bool,
) -> Estimate:
    """Read the relations of all chunks of a root, and put them among the facts of their files.

    With ``dry_run`` nothing is sent. Chunks of files that look like they hold secrets are not sent
    unless the tools say so. Notes say how it went. Ctrl-C keeps what is done for the next time.
    Raises EndpointUnavailable where no request can succeed; then nothing is changed.
    """
    sources = list(_sources(prepared, base, label, scan=not tools.send_secrets))
    sent = [one for one in sources if tools.send_secrets or not one.holds_secret]
    texts = {hash_: text for one in sent for hash_, text in zip(one.hashes, one.texts, strict=True)}
    withheld = sum(one.holds_secret and one.stored for one in sources)
    if withheld and not tools.send_secrets:
        prepared.notes.append(_withheld(withheld, extractor))
    with readings_of(layout.relations, extractor) as kept:
        told = estimate(extractor, texts, kept)
        if dry_run:
            prepared.notes.append(f"{extractor}: {told}.")
            return told
        with bar(total=told.chunks, what="reading relations", unit="chunk", on=progress) as step:

            def stepped(count: int) -> None:
                step(count)

            readings = read_all(extractor, texts, kept, step=stepped)
    prepared.notes += _notes(readings, extractor)
    found = {**_read_before(base), **readings.found}
    stored = base.chunks.facts([one.name for one in sources if one.stored])
    for one in sources:
        text = stored.get(one.name)
        with contradictions_named(f"the graph of {one.name}"):
            was = Facts.from_json(text) if text else None
        facts = _with(prepared.facts.get(one.name, was), one.name, one.hashes, found)
        if facts != was or one.name in prepared.facts:
            prepared.facts[one.name] = facts
    return told


def _sources(prepared: Prepared, base: Generation, label: str, *, scan: bool) -> Iterator[_Source]:
    """Yield all that the root will hold. scan : look for secrets in what is stored."""
    secret = {row.source for row in prepared.reports if row.secrets}
    for row, chunks in prepared.new:
        if chunks:
            yield _Source(
                row.source,
                [one.content_hash for one in chunks],
                [embedded_text(one.context, one.text) for one in chunks],
                row.source in secret,
                stored=False,
            )
    gone = {*prepared.gone, *(row.source for row, _ in prepared.new)}
    with base.chunks.cursor() as cursor:
        stored = cursor.execute(
            "select source, chunks.language, start_line, context, text, content_hash from chunks "
            "join files using (source) where label = $label order by source, key",
            {"label": label},
        ).fetchall()
    for (source, language), rows in groupby(stored, key=lambda row: row[:2]):
        if source not in gone:
            chunks_of_it = list(rows)
            texts = [embedded_text(context, text) for *_, context, text, _ in chunks_of_it]
            lines = [(row[2], text) for row, text in zip(chunks_of_it, texts, strict=True)]
            holds = scan and bool(secrets_in_chunks(lines, language=language))
            yield _Source(source, [row[-1] for row in chunks_of_it], texts, holds, stored=True)


def _read_before(base: Generation) -> dict[bytes, tuple[Found, ...]]:
    """Return content hash -> what a model read of it, as the brain holds it."""
    if not base.chunks.has_graph:
        return {}
    with base.chunks.cursor() as cursor:
        rows = cursor.execute(
            "select facts, list(content_hash order by key) from facts join chunks using (source) "
            "where contains(facts, '\"triplets\":') group by source, facts order by source"
        ).fetchall()
    found: dict[bytes, list[Found]] = {}
    for text, hashes in rows:
        own: dict[bytes, list[Found]] = {}
        with contradictions_named("the graph"):
            for *triplet, chunk in Facts.from_json(text).triplets:
                own.setdefault(hashes[chunk], []).append(Found(*triplet))
        found |= own
    return {hash_: tuple(dict.fromkeys(some)) for hash_, some in found.items()}


def _with(facts: Facts | None, source: str, hashes: Sequence[bytes], found: ByHash) -> Facts | None:
    triplets = tuple(
        Triplet(*one, chunk=at) for at, hash_ in enumerate(hashes) for one in found.get(hash_, ())
    )
    if facts is None:  # the file could not be understood, but the model read it
        return Facts("prose", source, triplets=triplets) if triplets else None
    return replace(facts, triplets=triplets)


def _withheld(count: int, extractor: ModelExtractor) -> str:
    files = "1 unchanged file looks" if count == 1 else f"{count:,} unchanged files look"
    return (
        f"{files} like holding secrets, so nothing of {'it' if count == 1 else 'them'} goes to "
        f"{extractor.endpoint.address}; send_secrets=True sends all the same."
    )


def _notes(readings: Readings, extractor: ModelExtractor) -> list[str]:
    """Return how a run went, in full sentences."""
    relations = sum(map(len, readings.found.values()))
    told = f"{extractor} read {_many(readings.read, 'chunk')}"
    if readings.reused:
        told += f" (and {readings.reused:,} before)"
    told += f": {_many(relations, 'relation')}"
    if readings.tokens:
        told += f"; {readings.tokens_read:,} tokens in, {readings.tokens_written:,} out"
        if price := extractor.known_price:
            told += f", {dollars(price.of(readings.tokens_read, readings.tokens_written))}"
    notes = [f"{told}."]
    if readings.dropped:
        notes.append(
            f"Dropped {_many(readings.dropped, 'relation')}: words that are not among those "
            "allowed, or names that are not in the text."
        )
    if readings.failed:
        reasons = Counter(readings.failed.values()).most_common()
        shown = "; ".join(f"{n:,} x {reason}" for reason, n in reasons[:_REASONS_SHOWN])
        more = f"; and {len(reasons) - _REASONS_SHOWN} other reasons"
        count = _many(len(readings.failed), "chunk")
        notes.append(
            f"{count} could not be read ({shown}"
            f"{more if len(reasons) > _REASONS_SHOWN else ''}); the next ingest with extract= "
            "tries again."
        )
    if readings.stopped:
        notes.append(
            f"Reading stopped early: {readings.stopped}. {_many(readings.not_read, 'chunk')} left; "
            "the next ingest with extract= goes on there."
        )
    if readings.note:
        notes.append(readings.note)
    return notes


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
