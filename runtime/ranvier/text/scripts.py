"""Which characters belong to a word, which are written without blanks between words, and which language a script hints at.

Fixed tables of Unicode 14, so that every Python gives the same result; later code points are blanked before
(`ranvier.text.unicode`).
"""

from __future__ import annotations

import re

# Marks that continue a word: `\w` has none of them, and a vowel sign is half of a syllable. Letters, digits and code points
# that mean nothing may lie inside a range; punctuation does not. Beyond the first plane only scripts in daily use.
_MARKS = (
    (0x300, 0x36F), (0x483, 0x487), (0x591, 0x5BD), (0x5BF, 0x5BF), (0x5C1, 0x5C2), (0x5C4, 0x5C5), (0x5C7, 0x5C7),
    (0x610, 0x61A), (0x64B, 0x65F), (0x670, 0x670), (0x6D6, 0x6DC), (0x6DF, 0x6E8), (0x6EA, 0x6ED), (0x711, 0x7F3),
    (0x7FD, 0x7FD), (0x816, 0x82D), (0x859, 0x85B), (0x898, 0x8E1), (0x8E3, 0x963), (0x981, 0x9E3), (0x9FE, 0xA75),
    (0xA81, 0xAE3), (0xAFA, 0xB63), (0xB82, 0xBD7), (0xC00, 0xC63), (0xC81, 0xC83), (0xCBC, 0xD4D), (0xD57, 0xD63),
    (0xD81, 0xDF3), (0xE31, 0xE3A), (0xE47, 0xE4E), (0xEB1, 0xECD), (0xF18, 0xF19), (0xF35, 0xF35), (0xF37, 0xF37),
    (0xF39, 0xF39), (0xF3E, 0xF84), (0xF86, 0xFBC), (0xFC6, 0xFC6), (0x102B, 0x103E), (0x1056, 0x109D), (0x135D, 0x135F),
    (0x1712, 0x1734), (0x1752, 0x17D3), (0x17DD, 0x17DD), (0x180B, 0x180D), (0x180F, 0x193B), (0x1A17, 0x1A1B),
    (0x1A55, 0x1A7F), (0x1AB0, 0x1B44), (0x1B6B, 0x1B73), (0x1B80, 0x1BF3), (0x1C24, 0x1C37), (0x1CD0, 0x1CD2),
    (0x1CD4, 0x1DFF), (0x20D0, 0x20F0), (0x2CEF, 0x2CF1), (0x2D7F, 0x2DFF), (0x302A, 0x302F), (0x3099, 0x309A),
    (0xA66F, 0xA66F), (0xA674, 0xA67D), (0xA69E, 0xA6F1), (0xA802, 0xA827), (0xA82C, 0xA82C), (0xA880, 0xA8C5),
    (0xA8E0, 0xA8F1), (0xA8FF, 0xA92D), (0xA947, 0xA953), (0xA980, 0xA9C0), (0xA9E5, 0xAA4D), (0xAA7B, 0xAAC1),
    (0xAAEB, 0xAAEF), (0xAAF5, 0xAAF6), (0xABE3, 0xABEA), (0xABEC, 0xABED), (0xFB1E, 0xFB1E), (0xFE20, 0xFE2F),
    (0x11100, 0x11134), (0x1E8D0, 0x1E94A),
)  # fmt: skip
# Han, Kana, Bopomofo and Hangul. Korean has blanks, but its particles stick to its nouns.
_EAST_ASIAN = (
    (0x1100, 0x11FF), (0x3005, 0x3007), (0x3021, 0x3029), (0x3031, 0x3035), (0x3038, 0x303C), (0x3041, 0x3096),
    (0x3099, 0x309A), (0x309D, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x30FF), (0x3105, 0x312F), (0x3131, 0x318E),
    (0x31A0, 0x31BF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA960, 0xA97C), (0xAC00, 0xD7FB),
    (0xF900, 0xFAFF), (0xFF66, 0xFFDC), (0x1B000, 0x1B16F), (0x20000, 0x2FA1F), (0x30000, 0x3134A),
)  # fmt: skip
# Thai, Lao, Burmese, Khmer and the Tai scripts, without their digits.
_SOUTH_EAST_ASIAN = (
    (0x0E01, 0x0E3A), (0x0E40, 0x0E4E), (0x0E81, 0x0ECD), (0x0EDC, 0x0EDF), (0x1000, 0x103F), (0x1050, 0x108F),
    (0x109A, 0x109D), (0x1780, 0x17D3), (0x17D7, 0x17D7), (0x17DC, 0x17DD), (0x1950, 0x1974), (0x1980, 0x19C9),
    (0x1A20, 0x1A7F), (0xA9E0, 0xA9EF), (0xA9FA, 0xA9FE), (0xAA60, 0xAA7F), (0xAA80, 0xAADF),
)  # fmt: skip

# Marks of these scripts; in Thai and Lao also the vowels before and after a letter.
_HANGING = (
    (0x0E31, 0x0E31), (0x0E34, 0x0E3A), (0x0E47, 0x0E4E), (0x0EB1, 0x0EB1), (0x0EB4, 0x0EBC), (0x0EC8, 0x0ECD),
    (0x102B, 0x103E), (0x1056, 0x1059), (0x105E, 0x1060), (0x1062, 0x1064), (0x1067, 0x106D), (0x1071, 0x1074),
    (0x1082, 0x108D), (0x108F, 0x108F), (0x109A, 0x109D), (0x17B4, 0x17D3), (0x17DD, 0x17DD), (0x1A55, 0x1A7F),
)  # fmt: skip
_BEFORE, _BEHIND = "\u0e40-\u0e44\u0ec0-\u0ec4", "\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3"
_STACKED = "\u1039\u17d2\u1a60"  # the next letter is written below


def _characters(ranges: tuple[tuple[int, int], ...]) -> str:
    """Write ranges as a character class of `re`."""
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


MARKS = _characters(_MARKS)
# Soft hyphen, joiners and variation selectors: inside a word, but no part of it.
INVISIBLE = "\u00ad\u200c\u200d\ufe00-\ufe0f"
EAST_ASIAN = _characters(_EAST_ASIAN)
UNSEGMENTED = EAST_ASIAN + _characters(_SOUTH_EAST_ASIAN)
# One character: in East Asian scripts each code point, elsewhere a letter with its marks. No word begins or ends inside.
CLUSTER = rf"[{_BEFORE}]?.(?:[{_STACKED}].|[{_characters(_HANGING)}])*[{_BEHIND}]?"

# The first match decides between languages that share a script: Japanese is Han and Kana, Chinese only Han.
LANGUAGES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f", ("ja",)),
    ("\u1100-\u11ff\u3131-\u318e\uac00-\ud7fb", ("ko",)),
    ("\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f", ("zh", "ja")),
    ("\u0e01-\u0e4e", ("th",)),
    ("\u0e81-\u0edf", ("lo",)),
    ("\u1000-\u109f", ("my",)),
    ("\u1780-\u17dd", ("km",)),
    ("\u0900-\u097f", ("hi", "ne", "mr", "sa")),
    ("\u0980-\u09ff", ("bn", "as")),
    ("\u0b80-\u0bff", ("ta",)),
    ("\u0370-\u03ff\u1f00-\u1fff", ("el",)),
    ("\u0400-\u052f", ("ru", "uk", "bg", "sr", "be", "mk", "kk", "mn")),
    ("\u0531-\u058a", ("hy",)),
    ("\u0591-\u05f4", ("he", "yi")),
    ("\u0600-\u06ff\u0750-\u077f", ("ar", "fa", "ur", "ps")),
    ("\u10a0-\u10ff", ("ka",)),
)
_EAST_ASIAN_LANGS = ("ja", "ko", "zh")


def languages(text: str) -> tuple[str, ...]:
    """Return the possible languages of a text by its script: `日本の` → `("ja",)`; Latin gives no hint: `()`."""
    scripts: list[str] = []
    if not text.isascii():
        for characters, codes in LANGUAGES:
            if not (codes[0] in _EAST_ASIAN_LANGS and scripts) and re.search(f"[{characters}]", text):
                scripts += codes
    return tuple(scripts)
