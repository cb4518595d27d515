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
from ranvier_builder.model import Neuron

_LATIN = tuple("ca cs da de en es fi fr hu id it nl no pl pt ro sv tr".split())
_LOOKED_AT = 20_000  # characters of a page that are used
_FEWEST, _HITS = 30, 8  # minimum numbers of words and of function words
_PAGES = 200  # a guessed language needs at least one page in this many published pages
_SHARE, _LEAD = 0.12, 1.3  # minimum share of function words; minimum lead over the second language
_SCRIPT = 0.2  # minimum share of letters: a Japanese text on programming has many Latin letters
_KANA = 0.05  # minimum share in Japanese; a Chinese text can quote a few
# Names of folders that mean a language and rarely anything else; so not `go`, `js`, `id`, `is` and `it`.
_FOLDERS = frozenset(
    """ar bg bn ca cs da de el en es et fa fi fr he hi hu hy ja ka ko lt lv nb nl pl pt ro ru sk sr sv ta th tr uk ur vi
    zh""".split()
)
_TAG = re.compile(r"(?P<lang>[a-z]{2,3})(?:[-_](?P<script>[a-z]{4}))?(?:[-_](?P<region>[a-z]{2}|\d{3}))?", re.IGNORECASE)
# As in BCP 47; no language has a code of more than three letters. `x-` and `i-` begin private and old tags.
_ANY_TAG = re.compile(r"(?:[a-z]{2,3}|[xi](?=-))(?:-[a-z0-9]{1,8})*", re.IGNORECASE | re.ASCII)
_UNSAID = re.compile(r"!?\[\[[^\[\]]*\]\]|\]\([^()\s]*\)|<[^<>]*>|\{[{%][^{}]*[}%]\}|https?://\S+")
_WORD = re.compile(r"[^\W\d_]+")
# Letters that distinguish a language from the first language of its script.
_TELLING = (
    ("ru", "uk", re.compile("[іїєґ]"), re.compile("[ыэё]")),
    ("ru", "be", re.compile("ў"), re.compile("[ищ]")),
    ("ru", "sr", re.compile("[ђјљњћџ]"), re.compile("[ыэёй]")),
    ("ru", "bg", re.compile("[ъ]"), re.compile("[ыэё]")),
    ("ar", "ur", re.compile("[ٹڈڑں]"), re.compile("[ةىث]")),
    ("ar", "fa", re.compile("[پچژگ]"), re.compile("[ةى]")),
)


class Language(NamedTuple):
    """A BCP 47 tag, empty if unknown; `guessed` if only function words support it, not a folder or a script."""

    tag: str
    guessed: bool = False


def language_of(path: str, text: str) -> Language:
    """Return the language of a page, from its folder or its text.

    Args:
        path: relative to the content folder.
        text: the page's Markdown.

    """
    own = detected(text)
    folder = next((tag for part in PurePosixPath(path).parts[:-1] if (tag := _folder(part, own.tag))), "")
    return Language(folder) if folder and own.tag in ("", primary(folder)) else own


def tag_of(lang: str) -> str:
    """Return a language tag with hyphens, `en_US` → `en-US`; empty if it is not one."""
    tag = lang.replace("_", "-")
    return tag if _ANY_TAG.fullmatch(tag) else ""


def without_strays(neurons: Sequence[Neuron]) -> tuple[Neuron, ...]:
    """Remove guessed languages with less than one page in `_PAGES`.

    Each language of a site adds a stemmer and more word forms to every query. A page of code can look like Romanian.

    Args:
        neurons: all published Neurons.

    """
    counts = Counter(primary(neuron.lang) for neuron in neurons if neuron.lang)
    strays = {lang for lang, count in counts.items() if count * _PAGES < len(neurons)}
    return tuple(
        replace(neuron, lang="") if neuron.lang_guessed and primary(neuron.lang) in strays else neuron for neuron in neurons
    )


def _folder(name: str, own: str) -> str:
    tag = _TAG.fullmatch(name)
    lang = tag["lang"].lower() if tag else ""
    if tag is None or not (lang in _FOLDERS or (own and primary(lang) == own)):
        return ""
    script, region = (tag["script"] or "").capitalize(), (tag["region"] or "").upper()
    return "-".join(filter(None, (lang, script, region)))


def detected(text: str) -> Language:
    """Return the primary language of a text."""
    prose = _UNSAID.sub(" ", without(text[:_LOOKED_AT], code(text[:_LOOKED_AT]))).lower()
    words = _WORD.findall(prose)
    by_script = _by_script("".join(words))
    return Language(by_script) if by_script else Language(_by_words(words), guessed=True)


def _by_script(letters: str) -> str:
    if letters.isascii() or not letters:
        return ""
    counts = {langs[0]: len(pattern.findall(letters)) for pattern, langs in _scripts()}
    kana = counts["ja"]
    if kana and kana >= _KANA * (kana + counts["zh"]):
        counts["ja"], counts["zh"] = kana + counts["zh"], 0
    lang, count = max(counts.items(), key=lambda pair: pair[1])
    if count < max(_SCRIPT * len(letters), _HITS):
        return ""
    for first, other, yes, no in _TELLING:
        if lang == first and len(yes.findall(letters)) > len(no.findall(letters)):
            return other
    return lang


def _by_words(words: list[str]) -> str:
    """Detect a language by its function words; a word of several languages counts as a fraction for each."""
    small_words, hits = _small_words(), Counter[str]()
    scores: dict[str, float] = {}
    for word in words:
        for lang in small_words.get(word, ()):
            scores[lang] = scores.get(lang, 0.0) + 1 / len(small_words[word])
            hits[lang] += 1
    ranked = [*sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])), ("", 0.0), ("", 0.0)]
    (lang, score), (_, second) = ranked[:2]
    is_told = len(words) >= _FEWEST and hits[lang] >= max(_HITS, _SHARE * len(words)) and score >= _LEAD * second
    return lang if is_told else ""


@cache
def _scripts() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    return tuple((re.compile(f"[{characters}]"), langs) for characters, langs in LANGUAGES)


@cache
def _small_words() -> dict[str, tuple[str, ...]]:
    langs: dict[str, list[str]] = {}
    for lang in _LATIN:
        words = importlib.import_module(f"ranvier.text.function_words.{lang}").WORDS.split() if lang != "en" else STOP_WORDS
        for word in sorted({*words}):
            langs.setdefault(word, []).append(lang)
    return {word: tuple(langs) for word, langs in langs.items()}
