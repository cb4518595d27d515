"""Phrases in quotes that no page has: the search falls back to their words."""

from __future__ import annotations

from dataclasses import replace

from ranvier.query.syntax import Reading, parse
from ranvier.query.tree import Term
from ranvier.query.understand import ParsedQuery


def phrases(query: ParsedQuery) -> list[Term]:
    """Return the phrases of several words in a plain query."""
    return [term for term in query.terms if term.quoted and len(term.words) > 1] if query.query.plain else []


def as_words(query: ParsedQuery, reading: Reading) -> ParsedQuery:
    """Return the query without its quotes: `"hot pack" size` → `hot pack size`."""
    words = query.words.replace('"', " ")
    return replace(query, words=words, query=parse(words, prefix=query.prefix, langs=query.langs, reading=reading))
