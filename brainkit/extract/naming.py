"""From names as files write them to entities and what mentions them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from brainkit.extract.builder import GraphBuilder, Handle
from brainkit.extract.facts import PROSE_KINDS, Named, Run
from brainkit.extract.graph import SourceFacts
from brainkit.extract.lexicon import Lexicon
from brainkit.extract.names import key_of
from brainkit.extract.places import Places
from brainkit.extract.proper_names import ProperNames
from brainkit.extract.titles import names_inside

Declared = dict[tuple[str, str], Handle]


def resolve_names(
    sources: Sequence[SourceFacts],
    builder: GraphBuilder,
    *,
    symbols: Mapping[tuple[str, str], Handle],
) -> None:
    """Add documents, headings, terms and proper names, their links, and what mentions what.

    To be called once all code symbols are in the builder with their aliases.
    symbols : (source, path) of the Named things of code -> entity; path "" is the module.
    Handles Named of kind document, heading and term, references ``links_to``, and runs.
    """
    lexicon = Lexicon()
    others = {one.source for one in sources if one.source_type != "test"}
    of_tests = {*symbols.values()} - {
        entity for (source, _), entity in symbols.items() if source in others
    }
    for entity, alias, weight in builder.aliases():
        lexicon.add(alias, entity, weight, exact=True, minor=entity in of_tests)
    declared = _declare(sources, builder, lexicon)
    names = ProperNames(lexicon)
    for one in sources:
        names.count(one.facts.runs, _own(one, declared))
    names.settle(builder)
    entities = {**symbols, **declared}
    places = Places(sources, entities)
    for one in sources:
        about = _outline(one, builder, declared, symbols)
        _link(one, builder, entities, places)
        _mention(one, builder, about, names.found(one.facts.runs, _own(one, declared)))
        _mention(one, builder, about, _in_titles(one, lexicon, names))


def _declarations(sources: Sequence[SourceFacts]) -> Iterator[tuple[SourceFacts, Named, str]]:
    for one in sources:
        for named in one.facts.named:
            if named.kind in PROSE_KINDS:
                yield one, named, key_of(named.name)


def _declare(sources: Sequence[SourceFacts], builder: GraphBuilder, lexicon: Lexicon) -> Declared:
    """Add what files declare: one of a name under that name, several under name and place.

    A term is one thing wherever it is defined, and the same as the document or heading that is
    the only one named like it. Records of one title are parts of one text, as of an article; files
    of one title (Introduction) are not.
    """
    times: dict[str, Counter[str]] = {kind: Counter() for kind in PROSE_KINDS}
    for one, named, key in _declarations(sources):
        if one.label or not times[named.kind][key]:
            times[named.kind][key] += 1
    of_code = {key for kind in times.values() for key in kind if builder.find(key) is not None}
    declared: Declared = {}
    for one, named, key in _declarations(sources):
        alone = key and key not in of_code and times[named.kind][key] == 1
        if named.kind == "heading" and times["document"][key]:
            alone = False
        own = alone or named.kind == "term"
        unique = key if own else f"{key}@{one.source}{named.path}"
        entity = builder.entity(unique, name=named.name, kind=named.kind, aliases=named.aliases)
        declared[one.source, named.path] = entity
        for alias, weight in ((named.name, 1.0), *named.aliases):
            lexicon.add(alias, entity, weight, weak=named.kind == "heading")
    return declared


def _own(one: SourceFacts, declared: Declared) -> list[tuple[str, Handle]]:
    """Return the names of what a file is about."""
    return [
        (name, declared[one.source, named.path])
        for named in one.facts.named
        if named.kind == "document"
        for name in (named.name, *(alias for alias, _ in named.aliases))
    ]


def _outline(
    one: SourceFacts,
    builder: GraphBuilder,
    declared: Declared,
    symbols: Mapping[tuple[str, str], Handle],
) -> dict[int, list[Handle]]:
    """Say what chunks are about and what is part of what; return the former, innermost last."""
    about: dict[int, list[Handle]] = {}
    for named in one.facts.named:
        if named.kind not in PROSE_KINDS:
            continue
        entity = declared[one.source, named.path]
        for chunk in named.chunks:
            builder.mention(entity, chunk=one.keys[chunk], role="about")
            if named.kind != "term":
                about.setdefault(chunk, []).append(entity)
        first = one.keys[named.chunks[0]] if named.chunks else 0
        module = symbols.get((one.source, "")) if named.kind == "document" else None
        if first and module is not None:  # a notebook
            builder.relate(module, "part_of", entity, chunk=first, start=0, end=0)
        parent = declared.get((one.source, named.parent)) if named.parent is not None else None
        if first and parent is not None and named.kind == "heading":
            builder.relate(entity, "part_of", parent, chunk=first, start=0, end=0)
    return about


def _link(
    one: SourceFacts,
    builder: GraphBuilder,
    entities: Mapping[tuple[str, str], Handle],
    places: Places,
) -> None:
    for reference in one.facts.references:
        if reference.predicate != "links_to":
            continue
        subject = entities.get((one.source, reference.subject))
        found = (places.find(target, one.label) for target in reference.targets)
        object_ = next((entity for entity in found if entity is not None), None)
        if subject is None or object_ is None or subject == object_:
            continue
        where = {"chunk": one.keys[reference.chunk], "start": reference.start, "end": reference.end}
        builder.relate(subject, "links_to", object_, **where)
        builder.mention(object_, role="mentions", **where)


def _in_titles(
    one: SourceFacts, lexicon: Lexicon, names: ProperNames
) -> Iterator[tuple[Run, Handle, float]]:
    """Yield what titles and headings name: their texts often say it only there."""
    for named in one.facts.named:
        if named.kind in ("document", "heading") and named.chunks:
            run = Run(named.name, "name", named.chunks[0], 0, 0, 0)
            for entity, weight in names_inside(named.name, lexicon, names):
                yield run, entity, weight


def _mention(
    one: SourceFacts,
    builder: GraphBuilder,
    about: Mapping[int, Sequence[Handle]],
    found: Iterator[tuple[Run, Handle, float]],
) -> None:
    for run, entity, weight in found:
        subjects = about.get(run.chunk, ())
        if entity in subjects:
            continue
        chunk = one.keys[run.chunk]
        builder.mention(
            entity, chunk=chunk, role="mentions", weight=weight, start=run.start, end=run.end
        )
        if subjects:
            builder.relate(
                subjects[-1], "mentions", entity, chunk=chunk, start=run.start, end=run.end
            )
