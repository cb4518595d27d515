"""Detects the language of a page without one in its frontmatter, by its folder and by its words.

The script identifies many languages; function words identify those in Latin letters. A page with few words, or with several
possible languages, gets the language of its folder, or of the site.
"""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import PurePosixPath
from typing import NamedTuple

from ranvier.text import primary
from ranvier.text.languages import STOP_WORDS
from ranvier.text.scripts import LANGUAGES

from ranvier_builder.markdown.code import code, without
from ranvier_builder.markdown.dialects.includes import MARK
from ranvier_builder.model import Neuron
from ranvier_builder.paths import INDEXES

_LATIN = tuple("ca cs da de en es fi fr hu id it nl no pl pt ro sv tr".split())
_MAX_CHARACTERS = 20_000  # characters of a page that are used
_MIN_WORDS, _MIN_HITS = 30, 8  # minimum numbers of words and of function words
_PAGES_PER_GUESS = 200  # a guessed language needs at least one page in this many published pages
_MIN_SHARE, _MIN_LEAD = 0.12, 1.3  # minimum share of function words; minimum lead over the second language
_ELIDED = {*"cdjlmnst"}  # words of French, Italian and Catalan before an apostrophe: in English, `C` is a name
_MIN_SCRIPT = 0.2  # minimum share of letters: a Japanese text on programming has many Latin letters
_MIN_KANA = 0.05  # minimum share in Japanese; a Chinese text can quote a few
_MIN_JAPANESE = 2  # different characters of Japanese alone; a Chinese text can have the name of a Japanese town
_VARIANTS = frozenset("僞爲説鋭閲")  # Chinese forms of Hong Kong and of old books, in no Chinese standard of Python
# Names of folders that mean a language and rarely anything else; so not `go`, `js`, `id`, `is` and `it`.
_FOLDERS = frozenset(
    """ar bg bn ca cs da de el en es et fa fi fr he hi hu hy ja ka ko lt lv nb nl pl pt ro ru sk sr sv ta th tr uk ur vi
    zh""".split()
)
_ENDINGS = ("cs", "pl")  # in the name of a page about a program: `main.pl.md`
_TAG = re.compile(r"(?P<lang>[a-z]{2,3})(?:[-_](?P<script>[a-z]{4}))?(?:[-_](?P<region>[a-z]{2}|\d{3}))?", re.IGNORECASE)
# As in BCP 47; no language has a code of more than three letters. `x-` and `i-` begin private and old tags.
_ANY_TAG = re.compile(r"(?:[a-z]{2,3}|[xi](?=-))(?:-[a-z0-9]{1,8})*", re.IGNORECASE | re.ASCII)
_NOT_PROSE = re.compile(r"!?\[\[[^\[\]]*\]\]|\]\([^()\s]*\)|<[^<>]*>|\{[{%][^{}]*[}%]\}|https?://\S+")
_WORD = re.compile(r"[^\W\d_]+")
# Letters that distinguish a language from the first language of its script.
_DISTINCTIVE = (
    ("ru", "uk", re.compile("[іїєґ]"), re.compile("[ыэё]")),
    ("ru", "be", re.compile("ў"), re.compile("[ищ]")),
    ("ru", "sr", re.compile("[ђјљњћџ]"), re.compile("[ыэёй]")),
    ("ru", "bg", re.compile("[ъ]"), re.compile("[ыэё]")),
    ("ar", "ur", re.compile("[ٹڈڑں]"), re.compile("[ةىث]")),
    ("ar", "fa", re.compile("[پچژگ]"), re.compile("[ةى]")),
)


class Language(NamedTuple):
    """A BCP 47 tag, empty if unknown; `is_guessed` if only function words support it, not a folder or a script."""

    tag: str
    is_guessed: bool = False


def language_of(path: str, text: str) -> Language:
    """Return the language of a page, from its folder, its name, `index.de.md`, or its text.

    Args:
        path: relative to the content folder.
        text: the page's title and Markdown. In a short Japanese page, only the title may have kana.

    """
    detected = detect(text)
    *folders, name = PurePosixPath(path).parts
    stem, _, lang = name.rpartition(".")[0].rpartition(".")
    is_lang = stem and (lang.lower() not in _ENDINGS or stem.lower() in INDEXES)
    parts = (*(folder.rpartition(".")[2] for folder in folders), lang if is_lang else "")  # `content.de` of Hugo
    folder = next((tag for part in parts if (tag := _folder(part, detected.tag))), "")
    return Language(folder) if folder and detected.tag in ("", primary(folder)) else detected


def tag_of(lang: str) -> str:
    """Return a language tag with hyphens, `en_US` → `en-US`; empty if it is not one."""
    tag = lang.replace("_", "-")
    return tag if _ANY_TAG.fullmatch(tag) else ""


def drop_rare_guesses(neurons: Sequence[Neuron]) -> tuple[Neuron, ...]:
    """Remove guessed languages with less than one page in `_PAGES_PER_GUESS`.

    Each language of a site adds a stemmer and more word forms to every query. A page of code can look like Romanian.

    Args:
        neurons: all published Neurons.

    """
    rare_langs = rare_languages([neuron.lang for neuron in neurons])
    return tuple(
        replace(neuron, lang="") if neuron.lang_guessed and primary(neuron.lang) in rare_langs else neuron for neuron in neurons
    )


def rare_languages(langs: Sequence[str]) -> frozenset[str]:
    """Return the primary languages of less than one page in `_PAGES_PER_GUESS`; `langs` has the tag of each page."""
    counts = Counter(primary(lang) for lang in langs if lang)
    return frozenset(lang for lang, count in counts.items() if count * _PAGES_PER_GUESS < len(langs))


def _folder(name: str, detected_lang: str) -> str:
    tag = _TAG.fullmatch(name)
    lang = tag["lang"].lower() if tag else ""
    if tag is None or not (lang in _FOLDERS or (detected_lang and primary(lang) == detected_lang)):
        return ""
    script, region = (tag["script"] or "").capitalize(), (tag["region"] or "").upper()
    return "-".join(filter(None, (lang, script, region)))


def detect(text: str) -> Language:
    """Return the primary language of a text."""
    text = MARK.sub(" ", text)[:_MAX_CHARACTERS]
    prose = _NOT_PROSE.sub(" ", without(text, code(text))).lower()
    words = _WORD.findall(prose)
    by_script = _by_script("".join(words))
    return Language(by_script) if by_script else Language(_by_words(words), is_guessed=True)


def _by_script(letters: str) -> str:
    if letters.isascii() or not letters:
        return ""
    counts = {langs[0]: len(re.findall(f"[{characters}]", letters)) for characters, langs in LANGUAGES}
    kana = counts["ja"]
    if kana and kana >= _MIN_KANA * (kana + counts["zh"]):
        counts["ja"], counts["zh"] = kana + counts["zh"], 0
    lang, count = max(counts.items(), key=lambda pair: pair[1])
    if count < max(_MIN_SCRIPT * len(letters), _MIN_HITS):
        return ""
    for first, other, other_letters, first_letters in _DISTINCTIVE:
        if lang == first and len(other_letters.findall(letters)) > len(first_letters.findall(letters)):
            return other
    return "ja" if lang == "zh" and _is_japanese(letters) else lang


def _is_japanese(letters: str) -> bool:
    """Return whether a text with few kana, such as a table, has the characters of Japanese: all are in its standard.

    Some are in no standard of Chinese. None of 4,710 lines of the Chinese manual of FastAPI has two of these, also if they are
    converted to the traditional forms of Taiwan and Hong Kong.
    """
    characters = {letter for letter in letters if letter >= "\u3400"} - _VARIANTS
    if not all(_is_in(letter, "cp932") for letter in characters):
        return False
    return sum(not (_is_in(letter, "gb2312") or _is_in(letter, "big5hkscs")) for letter in characters) >= _MIN_JAPANESE


def _is_in(letter: str, standard: str) -> bool:
    return bool(letter.encode(standard, "ignore"))


def _by_words(words: list[str]) -> str:
    """Detect a language by its function words; a word of several languages counts as a fraction for each."""
    function_words, hits = _function_words(), Counter[str]()
    scores: dict[str, float] = {}
    for word in words:
        for lang in function_words.get(word, ()):
            scores[lang] = scores.get(lang, 0.0) + 1 / len(function_words[word])
            hits[lang] += 1
    ranked = [*sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])), ("", 0.0), ("", 0.0)]
    (lang, score), (_, runner_up) = ranked[:2]
    is_certain = (
        len(words) >= _MIN_WORDS and hits[lang] >= max(_MIN_HITS, _MIN_SHARE * len(words)) and score >= _MIN_LEAD * runner_up
    )
    return lang if is_certain else ""


@cache
def _function_words() -> dict[str, tuple[str, ...]]:
    langs: dict[str, list[str]] = {}
    for lang in _LATIN:
        words = importlib.import_module(f"ranvier.text.function_words.{lang}").WORDS.split() if lang != "en" else STOP_WORDS
        for word in sorted({*words} - _ELIDED):
            langs.setdefault(word, []).append(lang)
    return {word: tuple(langs) for word, langs in langs.items()}
