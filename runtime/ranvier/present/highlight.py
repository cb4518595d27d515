"""Highlighting: wraps the query words of a text in `<mark>` and escapes everything else."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import accumulate
from typing import NamedTuple

from ranvier import text

SNIPPET_TOKENS = 32  # [003]
LEAD_IN = 4  # words before the first match of a snippet, for context
WORD_COST = 4  # characters of a script without blanks that count as one word
EDGE = 20  # characters; longer text without a blank is cut at the word
LINE = 60  # characters; an excerpt of lines is extended by at most as many at each end
_BLANKS = re.compile(r"\s+")
_EMPTY_LINES = re.compile(r"[ \t]*\n(?:[ \t]*\n)*")
# Kana and Han that no normalisation changes, and each of which is a character by itself.
_PLAIN_PAIRS = re.compile("[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff]+")
_PLAIN_WORD = re.compile("[A-Za-z][a-z]*")
_NONE = frozenset[str]()
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def escape(plain: str) -> str:
    """Escape text for HTML, in an element or in a quoted attribute: `a<b` → `a&lt;b`."""
    return plain.translate(_ESCAPES)


class Word(NamedTuple):
    """A word of a text, or a character of a script without blanks: its place, its size, and the query terms that it matches."""

    start: int
    end: int  # of the longest match that begins here; else of the word
    cost: int
    terms: frozenset[str] = _NONE


# Faster than `Word(…)`: a page of a script without blanks has thousands of words.
_word: Callable[[tuple[int, int, int, frozenset[str]]], Word] = partial(tuple.__new__, Word)


class Marker:
    """Finds one query's words in texts. `whole` are terms; `prefixes` are those of terms or of unfolded words.

    `substrings` are marked anywhere, ignoring case and accents. `lang`: the default language of texts.
    """

    def __init__(
        self, whole: frozenset[str], prefixes: tuple[str, ...] = (), lang: str = "en", substrings: tuple[str, ...] = ()
    ) -> None:
        self._whole = whole
        self._prefixes = prefixes
        self._lang = lang
        self._substrings = substrings
        self._likely = tuple({text.shared_prefix(term) for term in (*whole, *prefixes)})  # prefixes of words that can match
        self._units: dict[str, dict[str, list[Word]]] = {}
        self._pairs: dict[str, tuple[int, frozenset[str]]] = {}
        self._texts: dict[tuple[str, str], list[Word]] = {}

    def terms_in(self, plain: str, lang: str | None = None) -> set[str]:
        """Return the query words that a text has."""
        key = plain, lang or self._lang
        if self._substrings or key in self._texts:
            return {term for word in self._words(*key) for term in word.terms}
        return {term for unit, _ in text.units(plain) for term in self._unit_terms(unit, key[1])}

    def mark(self, plain: str, lang: str | None = None) -> str:
        """Mark a whole text: `Two <b> cats`, cat → `Two &lt;b&gt; <mark>cats</mark>`."""
        return _marked(plain, self._words(plain, lang), 0, len(plain))

    def snippet(self, plain: str, lang: str | None = None, *, lines: bool = False) -> str:
        """Mark the window that has most of the query words. `lines`: keep line breaks and indents."""
        words = self._words(plain, lang)
        first, last = _best_window(words, SNIPPET_TOKENS * WORD_COST)
        window = words[first:last]
        start = _edge(plain, window[0].start, -1) if first else 0
        end = _edge(plain, max(word.end for word in window), 1) if last < len(words) else len(plain)
        if lines:
            start, end = _line_edges(plain, start, end)
            window = [word for word in words if start <= word.start < end]
        marked = _marked(plain, window, start, end)
        body = _EMPTY_LINES.sub("\n", marked).strip("\n").rstrip() if lines else _BLANKS.sub(" ", marked).strip()
        blank = "\n" if lines else " "
        return (f"…{blank}" if start else "") + body + (f"{blank}…" if end < len(plain) else "")

    def _words(self, plain: str, lang: str | None) -> list[Word]:
        """Return the words of a text; results are cached."""
        key = plain, lang or self._lang
        words = self._texts.get(key)
        if words is None:
            words = self._texts[key] = self._with_substrings(plain, self._read(*key))
        return words

    def _read(self, plain: str, lang: str) -> list[Word]:
        words: list[Word] = []
        for unit, at in text.units(plain):
            if _PLAIN_PAIRS.fullmatch(unit):
                matches = enumerate(self._matches(unit), at)
                words += [_word((start, start + length, 1, terms)) for start, (length, terms) in matches]
            else:
                words += [_word((at + start, at + end, cost, terms)) for start, end, cost, terms in self._unit(unit, lang)]
        return words

    def _unit_terms(self, unit: str, lang: str) -> set[str]:
        """Return the query words in a unit, without their positions, which cost more."""
        if _PLAIN_PAIRS.fullmatch(unit):
            return {term for _, terms in self._matches(unit) for term in terms}
        return {term for word in self._unit(unit, lang) for term in word.terms}

    def _unit(self, unit: str, lang: str) -> list[Word]:
        cache = self._units.setdefault(lang, {})
        words = cache.get(unit)
        if words is None:
            words = cache[unit] = self._unit_words(unit, lang)
        return words

    def _unit_words(self, unit: str, lang: str) -> list[Word]:
        """Return the words of one unit. Words that cannot match are not stemmed, because stemming is slow."""
        if _PLAIN_WORD.fullmatch(unit) and text.is_english(unit, lang) and not unit.lower().startswith(self._likely):
            return [Word(0, len(unit), WORD_COST)]
        words: list[Word] = []
        for term, start, end in text.unit_tokens(unit, lang):
            match, length = self._match(term, unit[start:end], lang)
            cost = max(1, (end - start) // 2) if text.is_unspaced(term) else WORD_COST  # a pair costs half
            word = Word(start, end, cost)
            if match:
                word = word._replace(end=start + length, terms=frozenset((match,)))
            if words and words[-1].start == start:
                words[-1] = _longer(words[-1], word)
            else:
                words.append(word)
        return words

    def _matches(self, run: str) -> list[tuple[int, frozenset[str]]]:
        """Return, for each character, the length of its match (or of its pair with the next one) and the matching terms."""
        cache = self._pairs
        pairs = [run[at : at + 2] for at in range(len(run))]
        for pair in pairs:
            if pair not in cache:
                cache[pair] = self._pair(pair)
        return [cache[pair] for pair in pairs]

    def _pair(self, pair: str) -> tuple[int, frozenset[str]]:
        """Match two characters, or the last one alone; they are their own term and fold to themselves."""
        if pair in self._whole:
            return len(pair), frozenset((pair,))
        prefix = next((prefix for prefix in self._prefixes if pair.startswith(prefix)), "")
        return (len(prefix), frozenset((prefix,))) if prefix else (len(pair), _NONE)

    def _with_substrings(self, plain: str, words: list[Word]) -> list[Word]:
        places = [(*place, substring) for substring in self._substrings for place in text.places(plain, substring)]
        by_start = {word.start: word for word in words}
        for start, end, substring in places:
            match = Word(start, end, 0, frozenset((substring,)))
            by_start[start] = _longer(by_start[start], match) if start in by_start else match
        return sorted(by_start.values()) if places else words

    def _match(self, term: str, word: str, lang: str) -> tuple[str, int]:
        """Return the query word that a word of a text matches, and the number of matching characters."""
        if term in self._whole:
            return term, len(word)
        folded = text.fold(word, lang) if self._prefixes and not _PLAIN_PAIRS.fullmatch(word) else word
        for prefix in self._prefixes:
            if term.startswith(prefix) or folded.startswith(prefix):
                # Mark only the matching character of a pair.
                return prefix, len(prefix) if text.is_unspaced(term) and len(term) == len(word) else len(word)
        return "", 0


def _longer(left: Word, right: Word) -> Word:
    """Join two readings of the same place: the longer match, or the shorter word if neither matches."""
    ends = [word.end for word in (left, right) if word.terms]
    end = max(ends) if ends else min(left.end, right.end)
    return Word(left.start, end, max(left.cost, right.cost), left.terms | right.terms)


def _best_window(words: list[Word], budget: int) -> tuple[int, int]:
    """Return the first and last index of the window with most distinct query words; ties: most words, then the earliest."""
    costs = [0, *accumulate(word.cost for word in words)]
    best, last = _densest(words, costs, budget)
    lead_in = min(LEAD_IN * WORD_COST, budget - (costs[last] - costs[best]))
    first = best
    while first and (costs[best] - costs[first - 1] <= lead_in or costs[-1] - costs[first - 1] <= budget):
        first -= 1
    last = max(last, first)
    while last < len(words) and costs[last + 1] - costs[first] <= budget:
        last += 1
    return first, last


def _densest(words: list[Word], costs: list[int], budget: int) -> tuple[int, int]:
    """Return the index of the first match of the best window, and the index after its last one."""
    matches = [at for at, word in enumerate(words) if word.terms]
    best, last, best_score = 0, 0, (0, 0)
    counts: dict[str, int] = {}
    end = 0  # index in `matches` of the first match after the window
    for index, at in enumerate(matches):
        while end < len(matches) and (costs[matches[end] + 1] - costs[at] <= budget or matches[end] == at):
            for term in words[matches[end]].terms:
                counts[term] = counts.get(term, 0) + 1
            end += 1
        score = (len(counts), end - index)
        if score > best_score:
            best, last, best_score = at, matches[end - 1] + 1, score
        for term in words[at].terms:
            counts[term] -= 1
            if not counts[term]:
                del counts[term]
    return best, last


def _edge(plain: str, at: int, step: int) -> int:
    """Move an end of a snippet outwards to the next blank, up to `EDGE` characters: `json` → `.json`, `end` → `end.`"""
    for distance in range(EDGE):
        next_place = at + step * distance - (step < 0)
        if not 0 <= next_place < len(plain) or plain[next_place].isspace():
            return at + step * distance
    return at


def _line_edges(plain: str, start: int, end: int) -> tuple[int, int]:
    """Extend a range of a text to whole lines, if they are short."""
    first, last = plain.rfind("\n", 0, start) + 1, plain.find("\n", end)
    last = len(plain) if last < 0 else last
    return (first if start - first <= LINE else start), (last if last - end <= LINE else end)


def _marked(plain: str, words: list[Word], start: int, end: int) -> str:
    """Escape a range of a text and mark its matches; overlapping or adjacent matches in a word are one mark."""
    out, at = [], start
    for first, last in _spans(words):
        out += [escape(plain[at:first]), "<mark>", escape(plain[first:last]), "</mark>"]
        at = last
    return "".join((*out, escape(plain[at:end])))


def _spans(words: list[Word]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for word in words:
        if word.terms and spans and word.start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], word.end)
        elif word.terms:
            spans.append((word.start, word.end))
    return spans
