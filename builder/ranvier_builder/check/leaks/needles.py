"""What may not be found, and how it is found: phrases as runs of words, single words, addresses, anchors of claims."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256
from itertools import chain

from ranvier_builder.check.leaks.words import GRAM, Address, Words, addresses, grams, is_unspaced, words

_CLAIM = re.compile(r"claim-([0-9a-z]{1,64})", re.IGNORECASE)
_CONTRACTION = re.compile(r"\b\w+['’](?:s|t|re|ve|ll|d|m)\b", re.IGNORECASE)  # the analyser makes one term of it
# Where two things stand side by side that nobody said in one breath: a title and the site's, cells, paragraphs.
_PIECES = re.compile(r"\n\n+| [|·>–—] |\t")
_SHORTEST = 3  # letters of a single word
_SHORTEST_PHRASE = 4
_SHORTEST_NUMBER = 5  # digits

Gram = tuple[str, ...]


class How(Enum):
    """How a string is searched."""

    TEXT = "text"  # for everything
    RAW = "raw"  # code and markup: a single word says nothing there
    BYTES = "bytes"  # text among bytes: signs without blanks between them must touch, for lengths and numbers read as letters


@dataclass(frozen=True, slots=True)
class Mark:
    """What a needle is, and of which withheld file."""

    kind: str
    of: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A needle that a string holds."""

    mark: Mark
    said: str
    gram: Gram = ()
    names: Address = ()


@dataclass(slots=True)
class Needles:
    """All needles of a content folder. The first who says a phrase keeps it."""

    singles: dict[str, Mark] = field(default_factory=dict)
    phrases: dict[int, dict[Gram, Mark]] = field(default_factory=lambda: defaultdict(dict))  # by length, 2 to 5
    paths: dict[Address, Mark] = field(default_factory=dict)
    folders: dict[Address, Mark] = field(default_factory=dict)
    claims: dict[str, Mark] = field(default_factory=dict)
    heard: set[str] = field(default_factory=set)  # every word that was allowed
    _starts: set[Gram] | None = None
    _ends: set[str] | None = None

    def __bool__(self) -> bool:
        return bool(self.singles or any(self.phrases.values()) or self.paths or self.folders or self.claims)

    def digest(self) -> bytes:
        """Digest all that a search looks for; the same needles give the same digest, in whatever order they came."""
        words = [" ".join(key) for size in range(2, GRAM + 1) for key in self.phrases[size]]
        addresses = [["/".join(key) for key in table] for table in (self.paths, self.folders)]
        said = sha256()
        for table in ([*self.singles], words, *addresses, [*self.claims]):
            said.update("\n".join([*sorted(table), "\0"]).encode("utf-8", "surrogatepass"))
        return said.digest()

    def phrase(self, text: str, mark: Mark, *, single: bool = True) -> None:
        """Add a phrase; where it is longer than five words, every run of five."""
        found = words(text)
        if all(word.isdecimal() for word in found) and not (len(found) == 1 and len(found[0]) >= _SHORTEST_NUMBER):
            return
        if len(found) > GRAM:
            self.runs(found, mark)
        elif len(found) > 1:
            if sum(len(word) * (1 if word.isascii() else 2) for word in found) >= _SHORTEST_PHRASE:
                self.phrases[len(found)].setdefault(tuple(found), mark)
        elif single and len(found[0]) >= _SHORTEST:
            self.singles.setdefault(found[0], mark)

    def runs(self, found: Words, mark: Mark) -> None:
        """Add every run of five words that is not made of numbers alone."""
        table = self.phrases[GRAM]
        for gram in grams(found, GRAM):
            if gram not in table and not all(word.isdecimal() for word in gram):
                table[gram] = mark

    def find(self, text: str, how: How = How.TEXT) -> Iterator[Hit]:
        """Yield what of the needles a string holds."""
        found = words(text)
        each = set(found)
        if how is How.TEXT:
            for word in self.singles.keys() & each:
                yield Hit(self.singles[word], word, (word,))
        phrases = chain(
            self._short(found, text) if len(found) > 1 else (), self._long(found, text) if len(found) >= GRAM else ()
        )
        yield from _touching(phrases, text) if how is How.BYTES else phrases
        if not self._last_words().isdisjoint(each):
            for names in addresses(text):
                yield from self.at(names)
        if self.claims and "claim-" in text.lower():
            for claim in {match.lower() for match in _CLAIM.findall(text)} & self.claims.keys():
                yield Hit(self.claims[claim], f"claim-{claim}")

    def _last_words(self) -> set[str]:
        """Return the first word of each address's last name: a text without any of them holds no address that is sought."""
        if self._ends is None:
            self._ends = {names[-1].partition("-")[0] for names in (*self.paths, *self.folders)}
        return self._ends

    def _long(self, found: Words, text: str) -> Iterator[Hit]:
        table = self.phrases[GRAM]
        hits = table.keys() & grams(found, GRAM)
        if hits:
            hits = {gram for piece in _PIECES.split(text) for gram in table.keys() & grams(words(piece), GRAM)}
        for gram in hits:
            yield Hit(table[gram], " ".join(gram), gram)

    def _short(self, found: Words, text: str) -> Iterator[Hit]:
        """Find phrases of two to four words. A pair is looked for first: nearly all texts hold none that begins one."""
        if self._starts is None:
            self._starts = {gram[:2] for size in range(2, GRAM) for gram in self.phrases[size]}
        if not self._starts or self._starts.isdisjoint(grams(found, 2)):
            return
        pieces = [words(piece) for piece in _PIECES.split(text)]
        for size in range(2, GRAM):
            table = self.phrases[size]
            for gram in {gram for piece in pieces for gram in table.keys() & grams(piece, size)} if table else ():
                yield Hit(table[gram], " ".join(gram), gram)

    def at(self, names: Address) -> Iterator[Hit]:
        """Find the withheld file that an address means: all of it, or its end where that has more than one name."""
        for start in range(min(len(names), 40)):
            rest = names[start:]
            if rest in self.paths and (not start or len(rest) > 1):
                yield Hit(self.paths[rest], "/".join(rest), names=rest)
        if self.folders:
            for start in range(min(len(names), 40)):
                for stop in range(start + 1, min(len(names), start + 12) + 1):
                    part = names[start:stop]
                    if part in self.folders and (not start or len(part) > 1):
                        yield Hit(self.folders[part], "/".join(part), names=part)

    def allow(self, texts: Iterable[str], *, single: bool = True) -> None:
        """Strike out what a reader may see anyway; without `single`, no word by itself."""
        for text in texts:
            found = words(text)
            each = set(found)
            if single:
                self.heard |= each
                self.heard.update(_CONTRACTION.findall(text))
            for word in self.singles.keys() & each if single else ():
                del self.singles[word]
            for size in range(2, GRAM + 1):
                table = self.phrases[size]
                for gram in table.keys() & grams(found, size) if table else ():
                    del table[gram]
            for names in addresses(text) if not self._last_words().isdisjoint(each) else ():
                self._allow_address(names)
            if self.claims and "claim-" in text.lower():
                for claim in _CLAIM.findall(text):
                    self.claims.pop(claim.lower(), None)
        self._starts = self._ends = None

    def _allow_address(self, names: Address) -> None:
        for start in range(min(len(names), 40)):
            self.paths.pop(names[start:], None)
            for stop in range(start + 1, min(len(names), start + 12) + 1) if self.folders else ():
                self.folders.pop(names[start:stop], None)

    def allow_path(self, names: Address) -> None:
        """Strike out a published address and the folders above it."""
        for stop in range(1, len(names) + 1):
            self.paths.pop(names[:stop], None)
            self.folders.pop(names[:stop], None)
        self._ends = None


def _touching(hits: Iterable[Hit], text: str) -> Iterator[Hit]:
    """Drop phrases of signs that do not touch, or that touch letters: a database has its terms side by side."""
    plain = ""
    for hit in hits:
        if any(map(is_unspaced, hit.gram)):
            plain = plain or unicodedata.normalize("NFKC", text).casefold()
            if not all(map(is_unspaced, hit.gram)) or "".join(hit.gram) not in plain:
                continue
        yield hit
