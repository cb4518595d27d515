"""Keys of names for suggestions: folding and word boundaries.

Python (the core) and JavaScript (the page's script) both compute suggestions, with the same results. So this is not the
analyser: it is independent of language, does not stem, and uses only operations that are the same in every Unicode since 14.

fold    later code points than Unicode 14's → a blank; NFKD; accents and invisible signs dropped; lower, upper and lower case
        again (`ß` → `ss`); strokes as the analyser's (`ø` → `o`). Not composed again: `하` is a prefix of `한`.
pieces  a run of letters, digits and marks, with the `+` and `#` after it: `c++`; in Korean and scripts without blanks, each
        character with its marks.
key     a blank before each piece; after a tab, the parts that begin at a hump: `getUserName` → ` getusername\\t username name`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from ranvier.text.unicode import LATER_THAN_14, Blanked

# Assigned by Unicode 17.0; listed here, because browsers have them before Python.
LATER_THAN_16: tuple[tuple[int, int], ...] = (
    (0x088F, 0x088F), (0x0C5C, 0x0C5C), (0x0CDC, 0x0CDC), (0x1ACF, 0x1ADD), (0x1AE0, 0x1AEB), (0x20C1, 0x20C1),
    (0x2B96, 0x2B96), (0xA7CE, 0xA7CF), (0xA7D2, 0xA7D2), (0xA7D4, 0xA7D4), (0xA7F1, 0xA7F1), (0xFBC3, 0xFBD2),
    (0xFD90, 0xFD91), (0xFDC8, 0xFDCE), (0x10940, 0x10959), (0x11DB0, 0x11DE9), (0x16EA0, 0x16ED3), (0x16FF2, 0x16FF6),
    (0x187F8, 0x187FF), (0x18D09, 0x18DF2), (0x1CEBA, 0x1CEF0), (0x1E6C0, 0x1E6FF), (0x1F6D8, 0x1F6D8), (0x1F8D0, 0x1F8D8),
    (0x1FA54, 0x1FA57), (0x1FAEA, 0x1FAEA), (0x1FAEF, 0x1FAEF), (0x1FBFA, 0x1FBFA), (0x2B73A, 0x2B73F), (0x2CEA2, 0x2CEAD),
    (0x323B0, 0x33479),
)  # fmt: skip
# Scripts without blanks, and Hangul's leading consonants: each character is a piece. Ranges may include unassigned code points.
UNSPACED: tuple[tuple[int, int], ...] = (
    (0x0E00, 0x0EFF), (0x1000, 0x115F), (0x1780, 0x17FF), (0x1950, 0x19DF), (0x1A20, 0x1AAF), (0x3005, 0x312F),
    (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA9E0, 0xA9FF), (0xAA60, 0xAADF), (0xF900, 0xFAFF),
    (0x1B000, 0x1B16F), (0x20000, 0x3FFFF),
)  # fmt: skip
_HANGUL_REST = (0x1160, 0x11FF)  # vowels and final consonants, part of the preceding sign
_GEORGIAN = (0x10A0, 0x10FF)  # inside of an unspaced range, but written with blanks
MAX_QUERY_LENGTH = 200  # code points of a query that are used
MAX_PREFIX_LENGTH = 16  # code points of the prefixes that assign names to files
HUMP = "\x01"
Span = tuple[int, int]

_HUMPS = re.compile(r"([a-z0-9])(?=[A-Z])")
_DROPPED = re.compile(
    "[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u200c\u200d\ufe00-\ufe0f]+"
)
_STROKES = str.maketrans(
    {"ς": "σ", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ŧ": "t"}
)
_ASCII_PIECE = re.compile(r"[a-z0-9\x01]+[+#]*")
_ASCII_UNIT = re.compile(r"[a-z0-9+#]+")
# A pattern over the kinds of characters below: a character with its marks, or a run of letters.
_PIECE = re.compile(r"u[mv]*|[wmvh]+s*")
_UNIT = re.compile(r"[uwmvs]+")


class _Kinds(dict[int, str]):
    """Code point → its kind: u unspaced, v the rest of a Hangul syllable, w letter or digit, m mark, s sign, h hump."""

    def __missing__(self, code: int) -> str:
        self[code] = kind = _kind(code)
        return kind


def _kind(code: int) -> str:
    character = chr(code)
    if character in "+#":
        return "s"
    if character == HUMP:
        return "h"
    category = unicodedata.category(character)[0]
    if category == "M":
        return "m"
    if category not in "LN":
        return " "
    if _HANGUL_REST[0] <= code <= _HANGUL_REST[1]:
        return "v"
    unspaced = any(first <= code <= last for first, last in UNSPACED) and not _GEORGIAN[0] <= code <= _GEORGIAN[1]
    return "u" if unspaced else "w"


_KINDS, _BLANKED = _Kinds(), Blanked((*LATER_THAN_14, *LATER_THAN_16))


def fold(text: str) -> str:
    """Fold case, accents and compatibility forms: `Größe` → `grosse`, `한` → its three letters."""
    if text.isascii():
        return text.lower()
    bare = _DROPPED.sub("", unicodedata.normalize("NFKD", text.translate(_BLANKED)))
    return bare.lower().upper().lower().translate(_STROKES)


def insert_humps(text: str) -> str:
    """Mark the start of each hump: `userName` → `user\\x01Name`."""
    return _HUMPS.sub(rf"\1{HUMP}", text)


def units(query: str) -> list[str]:
    """Return the units of a query as they appear in a key: `"Get C++"` → `["get", "c++"]`."""
    folded = fold(query[:MAX_QUERY_LENGTH])
    pattern, kinds = (_ASCII_UNIT, folded) if folded.isascii() else (_UNIT, folded.translate(_KINDS))
    runs = (folded[unit.start() : unit.end()] for unit in pattern.finditer(kinds))
    return [unit for run in runs if (unit := " ".join(run[start:end] for start, end in _pieces(run)))]


def keys(texts: list[str]) -> list[str]:
    """Return the key of each text. Texts have no line feeds; all are folded at once."""
    return [_key(folded) for folded in fold(insert_humps("\n".join(texts))).split("\n")] if texts else []


def beginnings(text: str) -> set[str]:
    """Return the prefixes that can be typed first: each piece with its adjacent ones, up to `MAX_PREFIX_LENGTH` code points."""
    folded = fold(insert_humps(text))
    whole, inner = _words(folded)
    out = {folded[start:end] for start, end in inner}
    for first, (start, _) in enumerate(whole):
        key, at = "", start
        for begin, end in whole[first : first + MAX_PREFIX_LENGTH]:
            if begin != at:
                break
            key, at = f"{key} {folded[begin:end]}" if key else folded[begin:end], end
        out.add(key)
    return {key.replace(HUMP, "")[:MAX_PREFIX_LENGTH] for key in out} - {""}


def split_matches(text: str, units: Sequence[str]) -> tuple[str, ...]:
    """Cut a text into pieces; every second one is a match: `Install`, `["in"]` → `("", "In", "stall")`."""
    key, places = _map_key(text)
    matches = sorted((at, len(unit)) for unit in units if (at := key.find(f" {unit}")) >= 0)
    spans = sorted((places[at + 1], _end(text, places[at + length])) for at, length in matches)
    out, after = [""], 0
    for start, end in spans:
        if start > after or len(out) == 1:
            out[-1] += text[after:start]
            out += [text[start:end], ""]
        elif end > after:
            out[-2] += text[after:end]
        after = max(after, end)
    out[-1] += text[after:]
    return tuple(out) if out[-1] or len(out) == 1 else tuple(out[:-1])


def _key(folded: str) -> str:
    if HUMP not in folded:
        return "".join(f" {folded[start:end]}" for start, end in _pieces(folded))
    whole, inner = _words(folded)
    spellings = ["".join(f" {folded[start:end]}" for start, end in words).replace(HUMP, "") for words in (whole, inner)]
    return "\t".join(spellings) if inner else spellings[0]


def _map_key(text: str) -> tuple[str, list[int]]:
    """Return the key of a text, and for each of its characters the place in the text."""
    letters, origins, place = [], [], 0
    for character in insert_humps(text):
        letters.append(fold(character))
        origins += [place] * len(letters[-1])
        place += character != HUMP
    folded = "".join(letters)
    key, places = "", []
    for joint, words in zip(("", "\t"), _words(folded), strict=True):
        key += joint if words else ""
        places += [0] if joint and words else []
        for start, end in words:
            at = [place for place in range(start, end) if folded[place] != HUMP]
            key += " " + "".join(folded[place] for place in at)
            places += [0, *(origins[place] for place in at)]
    return key, places


def _words(folded: str) -> tuple[list[Span], list[Span]]:
    """Return the ranges of pieces, and of the parts that begin at a hump."""
    whole = list(_pieces(folded))
    return whole, [(at + 1, end) for start, end in whole for at in range(start, end) if folded[at] == HUMP]


def _pieces(folded: str) -> Iterator[Span]:
    pattern, kinds = (_ASCII_PIECE, folded) if folded.isascii() else (_PIECE, folded.translate(_KINDS))
    return (piece.span() for piece in pattern.finditer(kinds))


def _end(text: str, last: int) -> int:
    """Return the end of a character with its marks."""
    end = last + 1
    while end < len(text) and (not (folded := fold(text[end])) or all(_KINDS[ord(character)] == "m" for character in folded)):
        end += 1
    return end
