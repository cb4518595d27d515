"""One unit of text → its terms: a word, an identifier as a whole and in parts, a number, a run without blanks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ranvier.text.languages import MAX_TERM, fold, term
from ranvier.text.scripts import INVISIBLE, MARKS
from ranvier.text.unspaced import has_unspaced, is_unspaced, pairs, runs

MAX_PARTS = 8  # of an identifier that is also a term as a whole
_MAX_SIGNED = 16  # letters before `++`

# The role of a token: a plain word, an identifier as a whole or a part of one; a sign as in C++, and the letters without it;
# the last character of a run without blanks. `QUERY_ONLY` is a whole that only queries use: the index has its parts in a row,
# and the whole would cost more than it finds.
WORD, WHOLE, PART, SIGN, BARE, LAST, QUERY_ONLY = range(7)

# English contractions belong to the word ("don't", "author's"), so that no lone "t" or "s" is indexed.
TAIL = r"['’](?:[sStTdDmM]|[rR][eE]|[vV][eE]|[lL][lL])(?![^\W_])"
_NET = r"(?:(?<![^\s(,;/])\.(?=(?:NET|Net|net)(?![^\W_])))?"


def _pattern(first: str, letter: str) -> str:
    return rf"{first}{letter}*(?:(?:[-.]|::){first}{letter}*)*(?:{TAIL}|\+\+|#(?![\w#]))?"


_SEGMENT = re.compile(r"[^.:]+")
_PIECE = re.compile(r"[^-_]+")
# getUser|Name, HTML|Parser, but neither i|Phone nor AP|Is.
_HUMP = re.compile(r"(?<=[A-Za-z][a-z0-9])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z]{2})")
_VERSION = re.compile(r"[vV]?\d+(?:\.\d+)+(?=-)")
_NUMBER = re.compile(r"\d\.\d")
_DATE = re.compile(r"\d+(?:-\d+)+")
_JOINT = re.compile(r"[-_.:]")
# Joined words that people often type as one: e-mail, front-matter, UTF-8, Node.js.
_TYPED_AS_ONE = re.compile(r"(?=.{3,13}$)[^\W\d_]+-[^\W\d_]+|[a-z]{2,4}-\d{1,4}|[^\W_]+\.(?:js|net)", re.IGNORECASE)
# An identifier of two words, which people also type as one: user_name.
_SNAKE = re.compile(r"(?=.{4,24}$)[^\W\d_]{2,}_[^\W\d_]{2,}")
# Names with a hump that are one word: "java" does not find JavaScript.
_ONE_WORD = frozenset(
    """bitbucket dropbox facebook github gitlab javascript linkedin mongodb openai paypal postgresql powershell typescript
    webassembly whatsapp wordpress youtube""".split()
)


class Piece(NamedTuple):
    """A term, its place, and its role."""

    term: str
    start: int
    end: int
    role: int = WORD


def unit_pattern(text: str) -> re.Pattern[str]:
    """Return the pattern of units: a word, or several joined words."""
    return _units(text.isascii(), ".net" in text or ".NET" in text or ".Net" in text)


@lru_cache(maxsize=4)
def _units(plain: bool, net: bool) -> re.Pattern[str]:
    """Compile the pattern. It is lazy, because the tables of marks are long."""
    first, letter = ("[A-Za-z0-9]", "[A-Za-z0-9_]") if plain else (r"[^\W_]", rf"[\w{MARKS}{INVISIBLE}]")
    return re.compile(_NET * net + _pattern(first, letter))


class UnitReader:
    """Reads units in one language, for a query (`of_query`) or for the index."""

    def __init__(self, lang: str, *, of_query: bool) -> None:
        self._lang = lang
        self._of_query = of_query

    def read(self, unit: str) -> list[Piece]:
        """Read one unit: `userName` → `usernam` (whole), `user` and `name` (parts)."""
        return list(self._mixed(unit)) if has_unspaced(unit) else self._spaced(unit)

    def _mixed(self, unit: str) -> Iterator[Piece]:
        """Read a unit with a script without blanks, `2015年` or `Tシャツ`: each script separately."""
        for run in runs(unit):
            at = run.start()
            if not is_unspaced(run.group()):
                yield from self._within(run.group(), at)
                continue
            neighbours = list(pairs(run.group()))
            yield from (Piece(pair, start + at, end + at) for pair, start, end in neighbours[:-1])
            yield from (Piece(last, start + at, end + at, LAST) for last, start, end in neighbours[-1:])

    def _within(self, part: str, at: int) -> Iterator[Piece]:
        """Read the units of a part of a unit."""
        for unit in _units(False, False).finditer(part):
            moved = at + unit.start()
            for piece, start, end, role in self._spaced(unit.group()):
                yield Piece(piece, start + moved, end + moved, role)

    def _spaced(self, unit: str) -> list[Piece]:
        if unit.isalpha() and not _HUMP.search(unit):
            stem = term(unit, self._lang)
            return [Piece(stem, 0, len(unit))] if stem else []
        if unit[0] == ".":
            net = [Piece(".net", 0, 4, SIGN), Piece(term("net", self._lang), 1, 4, BARE)]
            return [*net, *self._within(unit[4:], 4)]
        if unit[-1] in "+#":
            return self._signed(unit)
        apostrophe = max(unit.rfind("'"), unit.rfind("’"))
        if apostrophe > 0:
            return self._contracted(unit, apostrophe)
        version = _VERSION.match(unit)
        if version:
            return [*self._joined(version.group()), *self._within(unit[version.end() :], version.end())]
        return self._joined(unit)

    def _signed(self, unit: str) -> list[Piece]:
        """`C++`, `F#`: with the sign, and without it. `#` is not part of a longer word."""
        sign = "++" if unit[-1] == "+" else "#"
        bare = unit[: -len(sign)]
        pieces = self._spaced(bare)
        if len(pieces) != 1 or len(bare) > (_MAX_SIGNED if sign == "++" else 1) or bare.isdigit():
            return pieces
        return [Piece(fold(bare, self._lang) + sign, 0, len(unit), SIGN), pieces[0]._replace(role=BARE)]

    def _contracted(self, unit: str, apostrophe: int) -> list[Piece]:
        """`author's` → `author`; other contractions stay one word: `don't` → `dont`."""
        word, tail = unit[:apostrophe], unit[apostrophe + 1 :]
        pieces = self._spaced(word if tail in ("s", "S") or not word.isalpha() else word + tail)
        return [piece._replace(end=len(unit)) if piece.end >= apostrophe else piece for piece in pieces]

    def _joined(self, unit: str) -> list[Piece]:
        """Read a unit joined by dots, colons, hyphens, underscores and humps: the whole and its parts."""
        segments = [(m.group(), m.start(), _parts(m.group(), m.start())) for m in _SEGMENT.finditer(unit)]
        if all(len(parts) == 1 for _, _, parts in segments):
            return self._compound(unit, 0, [parts[0] for _, _, parts in segments])
        return [piece for segment, start, parts in segments for piece in self._compound(segment, start, parts)]

    def _compound(self, compound: str, at: int, parts: list[tuple[str, int]]) -> list[Piece]:
        role = PART if 1 < len(parts) <= MAX_PARTS and not _DATE.fullmatch(compound) else WORD
        pieces = [Piece(stem, start, start + len(part), role) for part, start in parts if (stem := term(part, self._lang))]
        if role == WORD:
            return pieces
        is_indexed = (
            _NUMBER.search(compound)
            or not _JOINT.search(compound)
            or _TYPED_AS_ONE.fullmatch(compound)
            or _SNAKE.fullmatch(compound)
        )
        whole = self._whole(parts, compound) if is_indexed or self._of_query else ""
        return [Piece(whole, at, at + len(compound), WHOLE if is_indexed else QUERY_ONLY), *pieces] if whole else pieces

    def _whole(self, parts: list[tuple[str, int]], compound: str) -> str:
        """Join the parts: a dot stays between digits, so that 1.1 is not 11, and a version loses its `v`."""
        out = parts[0][0]
        for part, _ in parts[1:]:
            out += ("." if "." in compound and out[-1].isdigit() and part[0].isdigit() else "") + part
        if len(out) > MAX_TERM:
            return ""
        if "." in out and out[0] in "vV" and out[1].isdigit():
            out = out[1:]
        return ".".join(term(part, self._lang) for part in out.split("."))


def _parts(segment: str, at: int) -> list[tuple[str, int]]:
    """Cut a segment at hyphens, underscores and humps; return each part with its place."""
    pieces = []
    for piece in _PIECE.finditer(segment):
        text, start = piece.group(), at + piece.start()
        humps = [m.start() for m in _HUMP.finditer(text)]
        if humps and text.lower() in _ONE_WORD:
            humps = []
        pieces += [(text[begin:end], start + begin) for begin, end in zip((0, *humps), (*humps, len(text)), strict=True)]
    return pieces
