"""Text → terms. One analyser serves index, query and highlight; a language is added here and nowhere else."""

from ranvier.text.analyse import ANALYSER, CLAIM, fold, term, terms, unfinished, words
from ranvier.text.english import STOP_WORDS, completions

__all__ = ["ANALYSER", "CLAIM", "STOP_WORDS", "completions", "fold", "term", "terms", "unfinished", "words"]
