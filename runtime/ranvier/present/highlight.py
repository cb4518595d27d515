"""Marks: the words of a text that the query asks for, wrapped in `<mark>`, with everything else escaped."""

from __future__ import annotations

import re
from typing import NamedTuple

from ranvier import text

SNIPPET_TOKENS = 32  # [003]
LEAD_IN = 4  # words before the first match of a snippet: a match at the very edge reads badly
EDGE = 20  # characters; what is longer without a blank is cut at the word
_BLANKS = re.compile(r"\s+")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def escape(plain: str) -> str:
    """Escape text for HTML, in an element or in a quoted attribute: `a<b` → `a&lt;b`."""
    return plain.translate(_ESCAPES)


class Word(NamedTuple):
    """A word of a text: where it stands, and the query word that it answers to, or `""`."""

    start: int
    end: int
    wanted: str


class Marker:
    """Finds one query's words in texts. `whole` are terms; `starts` are beginnings of terms, or of words as written."""

    def __init__(self, whole: frozenset[str], starts: tuple[str, ...] = ()) -> None:
        self._whole = whole
        self._starts = starts
        self._wanted: dict[str, str] = {}  # by the word as written: most words of a text come often
        self._texts: dict[str, list[Word]] = {}

    def words(self, plain: str) -> list[Word]:
        """Read a text; each is read once, however often it is asked about."""
        found = self._texts.get(plain)
        if found is None:
            read = text.words(plain)
            found = self._texts[plain] = [Word(start, end, self._want(written)) for written, start, end in read]
        return found

    def found(self, plain: str) -> set[str]:
        """Return the query words that a text holds."""
        return {word.wanted for word in self.words(plain) if word.wanted}

    def mark(self, plain: str) -> str:
        """Mark a whole text: `Two <b> cats`, cat → `Two &lt;b&gt; <mark>cats</mark>`."""
        return _marked(plain, self.words(plain), 0, len(plain))

    def snippet(self, plain: str, size: int = SNIPPET_TOKENS) -> str:
        """Mark the stretch of about `size` words that holds most of the query's words."""
        words = self.words(plain)
        first = _best_window(words, size)
        window = words[first : first + size]
        start = _edge(plain, window[0].start, -1) if first else 0
        end = _edge(plain, window[-1].end, 1) if first + size < len(words) else len(plain)
        body = _BLANKS.sub(" ", _marked(plain, window, start, end)).strip()
        return ("… " if start else "") + body + (" …" if end < len(plain) else "")

    def _want(self, written: str) -> str:
        wanted = self._wanted.get(written)
        if wanted is None:
            wanted = self._wanted[written] = self._look_up(written)
        return wanted

    def _look_up(self, written: str) -> str:
        term = text.term(written)
        if term in self._whole:
            return term
        folded = text.fold(written) if self._starts else ""
        return next((start for start in self._starts if term.startswith(start) or folded.startswith(start)), "")


def _best_window(words: list[Word], size: int) -> int:
    """Return the first word of the window with most distinct query words, then most, then the earliest."""
    places = [at for at, word in enumerate(words) if word.wanted]
    best, last, best_score = 0, 0, (0, 0)
    for number, at in enumerate(places):
        inside = [other for other in places[number : number + size] if other < at + size]
        score = (len({words[other].wanted for other in inside}), len(inside))
        if score > best_score:
            best, last, best_score = at, inside[-1], score
    lead_in = min(LEAD_IN, size - 1 - (last - best))
    return max(0, min(best - lead_in, len(words) - size))


def _edge(plain: str, at: int, step: int) -> int:
    """Move an end of a snippet outwards to the next blank, some characters at most: `json` → `.json`, `end` → `end.`"""
    for moved in range(EDGE):
        beside = at + step * moved - (step < 0)
        if not 0 <= beside < len(plain) or plain[beside].isspace():
            return at + step * moved
    return at


def _marked(plain: str, words: list[Word], start: int, end: int) -> str:
    out, at = [], start
    for word in words:
        if word.wanted:
            out += [escape(plain[at : word.start]), "<mark>", escape(plain[word.start : word.end]), "</mark>"]
            at = word.end
    return "".join((*out, escape(plain[at:end])))
