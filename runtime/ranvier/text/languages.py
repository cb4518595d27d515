"""Languages: their stemmers, folding of letters, and stop words."""

from __future__ import annotations

import importlib
import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache, partial

from ranvier.text.scripts import MARKS

MAX_TERM = 64  # characters; a 100 kB line of base64 is one "word" that nobody searches

# Stems of English words whose forms Snowball separates: it keeps `us`, and drops the `s` of `alias`.
_ENGLISH_STEMS = {
    "alias": "alias", "analyses": "analysi", "axes": "axi", "buses": "bus", "canvas": "canvas", "children": "child",
    "cpus": "cpu", "criteria": "criterion", "fpus": "fpu", "gpus": "gpu", "indices": "index", "lens": "lens",
    "matrices": "matrix", "menus": "menu", "npus": "npu", "submenus": "submenu", "tpus": "tpu", "vcpus": "vcpu",
    "vertices": "vertex",
}  # fmt: skip
# Snowball's, by the primary subtag of BCP 47. A language without one is not stemmed.
STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french",
    "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish",
}  # fmt: skip
_ALIASES = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "ji": "yi"}
# Languages without Latin letters: Latin words in their texts are treated as English.
_OTHER_SCRIPTS = frozenset(
    """am ar as be bg bn dz el fa gu he hi hy ja ka kk km kn ko ky lo mk ml mn mr my ne or pa ps ru sa sd si sr ta te tg th ti
    ug uk ur yi zh yue""".split()
)

# Dropped from a query with other words, but not from the index, so that phrases find them.
STOP_WORDS = frozenset(
    """a about an and are as at be been but by can could did do does for from had has have how i if in into is it its
    me my no not of on or our should so than that the their them then there these they this those to was we were what
    when where which while who why will with would you your""".split()
)

# Combining accents of Latin, Greek and Cyrillic, and vowel points of Hebrew and Arabic, which most people omit.
# Marks of other scripts carry meaning.
_ACCENTS = re.compile(
    r"[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]+"
)
_NO_LETTER = re.compile(r"[\W_]+")
# Letters that do not decompose into a plain letter and an accent.
_STROKES = str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŧ": "t"}
)
_DANISH = str.maketrans({"å": "aa", "æ": "ae", "ø": "oe", "ä": "ae", "ö": "oe"})
_TURKISH = str.maketrans({"İ": "i", "I": "ı"})
_UMLAUTS = re.compile(r"ae|oe|(?<![qaeiouyäöü])ue")  # Snowball's own rule: Quelle and neue have none
_FRENCH = re.compile(r"(?<=\w{4}it)e(?=s?$)|e(?=es?$)|ie(?=res?$)")  # sécurité, données, première
_FRENCH_ACCENTS = {"e": "é", "ie": "iè"}
_RINGS = re.compile(r"aa|ae|oe")
_NOUN_ENDINGS = frozenset("а у ом ы е ов ам ами ах".split())  # of Russian nouns whose base form has no ending
_MIN_STEM = 3
_RING_LETTERS = {"aa": "å", "ae": "æ", "oe": "ø"}


@lru_cache(maxsize=256)
def primary(lang: str) -> str:
    """Return the primary subtag of a BCP 47 tag, one name for languages that share a stemmer: `de-AT` → `de`, `nb` → `no`."""
    code = lang.replace("_", "-").partition("-")[0].lower()
    return _ALIASES.get(code, code)


def stemmer_of(lang: str) -> str:
    """Return the name of a language's module in Snowball, without `_stemmer`; `""` if there is none."""
    return STEMMERS.get(primary(lang), "")


def fold(word: str, lang: str = "en") -> str:
    """Fold case, accents and compatibility forms, and keep letters and digits only: `Ｃafé’s` → `cafes`."""
    code = primary(lang)
    return _plain(_lower(word, code), code)[:MAX_TERM]


def term(word: str, lang: str = "en") -> str:
    """Return the term of one plain word in the index; may be empty: `Searching` → `search`."""
    code = primary(lang)
    if code == "en" or (code in _OTHER_SCRIPTS and word.isascii()):
        if word.isascii() and word.isalnum():  # most words
            return _stemmed(word[:MAX_TERM].lower(), "en")
        folded = _plain(_lower(word, "en"), "en")[:MAX_TERM]
        return _stemmed(folded, "en") if folded.isascii() else folded
    # Other stemmers need the accents of their language, so folding comes after stemming.
    native = _lower(word, code)[:MAX_TERM]
    if code == "fr":  # many people omit accents: those that the stemmer needs are restored in both cases
        native = _FRENCH.sub(lambda match: _FRENCH_ACCENTS[match.group()], _plain(native, code))
    return _plain(_stemmed(native, code), code)[:MAX_TERM]


def is_english(word: str, lang: str) -> bool:
    """Tell whether `term` treats a word of ASCII letters and digits as English."""
    code = primary(lang)
    return word.isascii() and word.isalnum() and (code == "en" or code in _OTHER_SCRIPTS)


def shared_prefix(stem: str) -> str:
    """Return the prefix that an English word shares with its stem: one letter, as in `dying` → `die`."""
    return stem[: max(1, len(stem) - 2)]


@lru_cache(maxsize=100_000)
def _stemmed(word: str, code: str) -> str:
    if code == "en" and word in _ENGLISH_STEMS:
        return _ENGLISH_STEMS[word]
    return word if word.isdecimal() else _stemmer(code)(word)


def _lower(word: str, code: str) -> str:
    """Lower case, with the language's own letters also for their alternative spellings: `MUELLER` → `müller` in German."""
    if code == "tr":
        word = word.translate(_TURKISH)
    word = word.casefold()
    if word.isascii():
        word = word if word.isalnum() else _NO_LETTER.sub("", word)
    else:
        word = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())
        word = _not_word().sub("", word)
    if code == "de":
        return _UMLAUTS.sub(lambda match: {"a": "ä", "o": "ö", "u": "ü"}[match.group()[0]], word)
    if code in ("da", "no"):
        return _RINGS.sub(lambda match: _RING_LETTERS[match.group()], word)
    return word


def _plain(word: str, code: str) -> str:
    """Remove accents; in Danish and Norwegian some letters become two."""
    if word.isascii():
        return word
    if code in ("da", "no"):
        word = word.translate(_DANISH)
    word = _ACCENTS.sub("", unicodedata.normalize("NFKD", word)).translate(_STROKES)
    return _not_word().sub("", unicodedata.normalize("NFKC", word).casefold())


@lru_cache(maxsize=1)
def _not_word() -> re.Pattern[str]:
    return re.compile(rf"[^\w{MARKS}]+|_+")


def bare(character: str) -> str:
    """Fold the case, accents and compatibility forms of any character, and leave all else as it is: `É` → `e`, `Ａ` → `a`."""
    if character.isascii():
        return character.lower()
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", character).casefold())
    return unicodedata.normalize("NFKC", _ACCENTS.sub("", folded).translate(_STROKES)).casefold()


@lru_cache(maxsize=64)
def _stemmer(code: str) -> Callable[[str], str]:
    """Import one stemmer module. The factory of the package would return a C stemmer if one is installed."""
    name = STEMMERS.get(code)
    if name is None:
        return str
    try:
        module = importlib.import_module(f"snowballstemmer.{name}_stemmer")
    except ModuleNotFoundError:  # a browser has only the stemmers of the site's languages
        if code == "en":
            raise
        return str
    stem: Callable[[str], str] = getattr(module, f"{name.title()}Stemmer")().stemWord
    return partial(_russian, stem) if code == "ru" else stem


def _russian(stem: Callable[[str], str], word: str) -> str:
    """Stem the base form of a noun like its other forms: Snowball takes `лимит` for a verb and cuts `ит`, but not in `лимита`.

    So the stem of a word with an ending of such nouns is stemmed again.
    """
    stemmed = stem(word)
    if word.removeprefix(stemmed) not in _NOUN_ENDINGS:
        return stemmed
    restemmed = stem(stemmed)
    return restemmed if len(restemmed) >= _MIN_STEM else stemmed


@lru_cache(maxsize=64)
def stop_words(lang: str) -> frozenset[str]:
    """Return the folded stop words of a language."""
    code = primary(lang)
    if code == "en":
        return STOP_WORDS
    return frozenset(fold(word, code) for word in _data(code, "WORDS"))


def _data(code: str, name: str) -> list[str]:
    """Read one word list of a language; a missing list is empty."""
    if not code.isascii() or not code.isalpha():
        return []
    try:
        words: str = getattr(importlib.import_module(f"ranvier.text.function_words.{code}"), name)
    except ModuleNotFoundError:
        return []
    return words.split()


def is_stop(word: str, langs: tuple[str, ...] = ("en",)) -> bool:
    """Tell whether a word is a stop word: in the first language, or in another language if the first does not have the word."""
    first, *others = dict.fromkeys(primary(lang) for lang in langs)
    if fold(word, first) in stop_words(first):
        return True
    if not others:
        return False
    from ranvier.text.function_words import CONTENT_ELSEWHERE

    return any((folded := fold(word, code)) in stop_words(code) and folded not in CONTENT_ELSEWHERE for code in others)


@lru_cache(maxsize=256)
def completions(start: str, langs: tuple[str, ...] = ("en",), text: str = "") -> tuple[str, ...]:
    """Return stems of words with the prefix `start` that do not have this prefix: `installatio` → `instal`, `usi` → `use`.

    The index holds stems, so an almost complete word may be longer than its stem in the index. `text` ends with the word as
    written: stemmers need its accents.
    """
    written = text[-len(start) :]
    written = written if fold(written, langs[0]) == start else start
    words: set[str] = set()
    for code in dict.fromkeys(primary(lang) for lang in langs):
        ascii_as_english = "en" if written.isascii() and code in _OTHER_SCRIPTS else code
        stems = {term(written + ending, code) for ending in _data(ascii_as_english, "ENDINGS")}
        words |= {stem for stem in stems if not stem.startswith(start) and start.startswith(stem[:-2])}
    return tuple(sorted(words - {""}))
