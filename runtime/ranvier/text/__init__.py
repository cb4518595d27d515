"""Text → terms. The index, queries and highlights use the same analyser; languages are added only in this package."""

from ranvier.text.analyse import ANALYSER, CLAIM, Token, terms, tokens, unit_tokens, units, words
from ranvier.text.languages import STOP_WORDS, completions, fold, is_english, is_stop, primary, shared_prefix, stemmer_of
from ranvier.text.query_forms import AS_WRITTEN, forms, name, row, unfinished
from ranvier.text.scripts import languages
from ranvier.text.substrings import places, substrings, trigrams
from ranvier.text.unspaced import is_open, is_particle, is_unspaced, without_particle

__all__ = [
    "ANALYSER",
    "AS_WRITTEN",
    "CLAIM",
    "STOP_WORDS",
    "Token",
    "completions",
    "fold",
    "forms",
    "is_english",
    "is_open",
    "is_particle",
    "is_stop",
    "is_unspaced",
    "languages",
    "name",
    "places",
    "primary",
    "row",
    "shared_prefix",
    "stemmer_of",
    "substrings",
    "terms",
    "tokens",
    "trigrams",
    "unfinished",
    "unit_tokens",
    "units",
    "without_particle",
    "words",
]
