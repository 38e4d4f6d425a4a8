"""Names in runs: known ones, and those that become entities as they are long or repeated."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from brainkit.extract.builder import GraphBuilder, Handle
from brainkit.extract.facts import Run
from brainkit.extract.lexicon import Lexicon, Owners, tokenized
from brainkit.extract.names import key_of, never_a_name, pattern_of, tokens_of
from brainkit.extract.proper import pieces

_SHORT_FORM: Final = 0.5
"""What a part of a name is worth where its file has the whole of it elsewhere."""

_OPENINGS_MAX: Final = 2
"""In how many files, for one where it is a name, a word may be capitalised just for its place."""
_BEARERS_MAX: Final = 3
"""A word in more names than this is no name of its own in any of them."""

_Words = tuple[str, ...]


class _Hit(NamedTuple):
    """A name in a run. words : its tokens, folded. owners : None where nobody declared it.

    opens : whether it opens a sentence, and is capitalised anyway.
    """

    words: _Words
    written: str
    owners: Owners | None
    opens: bool


class _Longer(NamedTuple):
    """The only longer name of a file that a word begins or ends; None if there are several."""

    hit: _Hit | None
    ends: bool


class ProperNames:
    """Finds the names of runs, and makes entities of names that nobody declared.

    A name is an entity if it has several words, or if it stands in two files other than at the
    start of a sentence and is no part of a longer name there. To be fed the runs of every file by
    ``count`` before ``settle``; then ``found`` tells what they name.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._read: dict[tuple[str, bool], tuple[_Hit, ...]] = {}
        self._sources: Counter[_Words] = Counter()
        self._openings: Counter[_Words] = Counter()
        self._spellings: dict[_Words, Counter[str]] = defaultdict(Counter)
        self._identifiers: Counter[str] = Counter()
        self._as_code: set[str] = set()
        self._owners: dict[_Words, Owners] = {}
        self._code: dict[str, Owners] = {}

    def count(self, runs: Sequence[Run], own: Iterable[tuple[str, Handle]]) -> None:
        """Take in the runs of one file. own : names of what the file is about."""
        longer = self._longer(runs, own)
        seen: set[_Words] = set()
        openings: set[_Words] = set()
        identifiers: set[str] = set()
        for run in runs:
            if run.kind != "name":
                if pattern_of(run.text) and not self._lexicon.code(run.text):
                    identifiers.add(run.text)
                    if run.kind == "code":
                        self._as_code.add(run.text)
                continue
            for hit in self._hits(run):
                if hit.owners is not None:
                    continue
                if len(hit.words) > 1 or not (hit.opens or hit.words[0] in longer):
                    self._spellings[hit.words][hit.written] += 1
                    seen.add(hit.words)
                elif hit.opens:
                    openings.add(hit.words)
        self._sources.update(seen)
        self._openings.update(openings)
        self._identifiers.update(identifiers)

    def settle(self, builder: GraphBuilder) -> None:
        """Make entities of the names that count as such; one that only adds words is the other."""
        parts = _part_of_names(self._spellings)
        repeated = {
            words
            for words, sources in self._sources.items()
            if sources > 1 and (len(words) > 1 or self._stands_alone(words, parts))
        }
        inner = {
            words: within
            for words in self._spellings
            if words not in repeated and (within := _inner(words, repeated))
        }
        for words, spellings in self._spellings.items():
            if words in inner or (len(words) == 1 and words not in repeated):
                continue
            entities = {
                builder.entity(key_of(written), name=written, kind="name", times=times)
                for written, times in spellings.items()
                if not self._lexicon.knows(written)
            }
            self._owners[words] = tuple((entity, 1.0) for entity in sorted(entities))
        for words, within in inner.items():
            owners = {owner for part in within for owner in self._owners.get(part, ())}
            self._owners[words] = tuple(sorted(owners))
        for words, spellings in self._spellings.items():
            if borne := self._borne(words, min(spellings), parts):
                self._owners[words] = (*self._owners.get(words, ()), *borne)
        self._settle_identifiers(builder)

    def _settle_identifiers(self, builder: GraphBuilder) -> None:
        for written, sources in sorted(self._identifiers.items()):
            pattern = pattern_of(written)
            if sources < 2 or pattern is None or never_a_name(written):
                continue
            entity = builder.find(key_of(written))
            if entity is None:
                plain = written not in self._as_code and "_" not in written
                kind = "name" if plain or pattern.name == "Capitalized" else pattern.entity_type
                entity = builder.entity(key_of(written), name=written, kind=kind)
            self._code[written] = ((entity, 1.0),)

    def _stands_alone(self, words: _Words, parts: Mapping[str, int]) -> bool:
        """Tell whether a word is a name: not mostly a part of names, nor mostly an opening word."""
        sources = self._sources[words]
        return sources > parts[words[0]] and _OPENINGS_MAX * sources >= self._openings[words]

    def _borne(self, words: _Words, written: str, parts: Mapping[str, int]) -> Owners:
        """Return what a declared name of one word means that a longer name ends or begins with.

        King Oswiu is Oswiu. But of two Empires, neither is the film: the word is in many names.
        """
        for word, ends in _ends(words):
            if parts[word] <= _BEARERS_MAX:
                token = tokenized(written)[-1 if ends else 0]
                owners = self._lexicon.word(written[token.start : token.end], token, opens=True)
                if owners:
                    return tuple((entity, weight * _SHORT_FORM) for entity, weight in owners)
        return ()

    def found(
        self, runs: Sequence[Run], own: Iterable[tuple[str, Handle]]
    ) -> Iterator[tuple[Run, Handle, float]]:
        """Yield what the runs of one file name, with the weight of the name."""
        longer = self._longer(runs, own)
        for run in runs:
            if run.kind != "name":
                owners = self._lexicon.code(run.text) or self._code.get(run.text, ())
                for entity, weight in owners:
                    yield run, entity, weight
                continue
            for hit in self._hits(run):
                for entity, weight in self._meant(hit, longer):
                    yield run, entity, weight

    def of(self, words: Sequence[str]) -> Owners:
        """Return what these folded tokens mean, as a name that nobody declared."""
        return self._owners.get(tuple(words), ())

    def _meant(self, hit: _Hit, longer: Mapping[str, _Longer]) -> Iterator[tuple[Handle, float]]:
        owners = self._owners_of(hit)
        whole = longer.get(hit.words[0]) if len(hit.words) == 1 else None
        if whole is None or (owners and not whole.ends):
            yield from owners
            return
        if hit.owners is not None:
            for entity, weight in owners:
                yield entity, weight * _SHORT_FORM
        if whole.hit is not None:
            for entity, weight in self._owners_of(whole.hit):
                yield entity, weight * _SHORT_FORM

    def _owners_of(self, hit: _Hit) -> Owners:
        return self._owners.get(hit.words, ()) if hit.owners is None else hit.owners

    def _longer(self, runs: Sequence[Run], own: Iterable[tuple[str, Handle]]) -> dict[str, _Longer]:
        """Return for each word that begins or ends longer names in a file which one it stands for.

        Names of the file's own subject come first: whoever reads of Charles Mingus takes Mingus
        for him.
        """
        found: dict[str, _Longer] = {}
        for name, entity in own:
            hit = _Hit(tokens_of(name), name, ((entity, 1.0),), False)
            for word, ends in _ends(hit.words):
                found.setdefault(word, _Longer(hit, ends))
        subjects = frozenset(found)
        hits = (hit for run in runs if run.kind == "name" for hit in self._hits(run))
        for hit in hits:
            for word, ends in _ends(hit.words):
                known = found.get(word)
                if known is None:
                    found[word] = _Longer(hit, ends)
                elif word not in subjects and known.hit and known.hit.words != hit.words:
                    found[word] = _Longer(None, known.ends or ends)
        return found

    def _hits(self, run: Run) -> tuple[_Hit, ...]:
        at = (run.text, run.opens)
        hits = self._read.get(at)
        if hits is None:
            hits = self._read[at] = tuple(self._reading(*at))
        return hits

    def _reading(self, text: str, opens: bool) -> Iterator[_Hit]:
        tokens = tokenized(text)
        start = 0
        for match in [*self._lexicon.matches(text, tokens), None]:
            first = len(tokens) if match is None else match.first
            rest = tokens[start:first]
            for a, b in pieces(text, rest, opens=opens and start == 0):
                written = " ".join(text[rest[a].start : rest[b - 1].end].split())
                opening = opens and start == 0 and a == 0
                if not any(map(str.isupper, written)):
                    continue
                owners = None
                if b - a == 1:
                    owners = self._lexicon.word(written, rest[a], opens=opening) or None
                yield _Hit(_words(rest[a:b]), written, owners, opening)
            if match is not None:
                start = match.last
                words = _words(tokens[first:start])
                yield _Hit(words, "", match.owners, opens and first == 0)


def _words(tokens: Sequence[NamedTuple]) -> _Words:
    return tuple(token[0] for token in tokens)


def _ends(words: _Words) -> tuple[tuple[str, bool], ...]:
    return ((words[-1], True), (words[0], False)) if len(words) > 1 else ()


def _part_of_names(names: Iterable[_Words]) -> Counter[str]:
    """Count the names of several words that each word begins or ends.

    A word that does so more often than it stands alone is a part of names, like John.
    """
    begins: Counter[str] = Counter(words[0] for words in names if len(words) > 1)
    ends: Counter[str] = Counter(words[-1] for words in names if len(words) > 1)
    return Counter({word: max(begins[word], ends[word]) for word in {*begins, *ends}})


def _inner(words: _Words, names: frozenset[_Words] | set[_Words]) -> list[_Words]:
    """Return the names of several words that stand in a longer one, leftmost and longest first."""
    found = []
    first = 0
    while first < len(words) - 1:
        for last in range(len(words), first + 1, -1):
            if words[first:last] in names:
                found.append(words[first:last])
                first = last - 1
                break
        first += 1
    return found
