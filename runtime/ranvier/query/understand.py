"""The first stage: a request → what to look for, where, and how. Nothing is read for it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from ranvier import text
from ranvier.query.expansion import ExpandedQuery, Expander, Expansion, Synonyms, expanded
from ranvier.query.filters import days, take_filters
from ranvier.query.intent import KEYWORD, SEMANTIC, Intent, classify
from ranvier.query.scope import TOP
from ranvier.query.segments import first_match, read_segments
from ranvier.query.syntax import MAX_QUERY, Reading, parse
from ranvier.query.tree import Node, Query, Term, leaves
from ranvier.requests import Scope, SearchRequest
from ranvier.types import Notice

# As telephones and word processors write them, in English and in German.
_CURLY = re.compile('[“„]([^“”„"]*)[”“]')
_EDGES = " \t\r\n?!.,;:…"


@dataclass(frozen=True, slots=True)
class Understanding:
    """How a preset reads queries."""

    clamp: int = MAX_QUERY  # characters (Q1, [004])
    operators: bool = True  # AND, OR, NOT, NEAR, parentheses, columns; without: [003]'s safe mode
    drop_stops: bool = True  # words that say nothing do not drive recall
    mended_intent: bool = True  # without: [001]'s rules to the letter
    keyword_strategy: str = "bm25"  # of `auto`, by intent: what a keyword query is answered with
    semantic_strategy: str = "rag"
    filters: str = "narrow"  # filters in a query narrow it; "guarantee": what they name comes first ([004]); "off": words
    spelling: bool = True  # unknown words are mended by the site's own vocabulary
    variants: int = 3  # other ways to say it (Q7); 0: none


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query, understood. `words` is what is left of it without its filters."""

    words: str
    query: Query
    intent: Intent
    strategy: str
    scope: Scope  # the request's, and what narrows it from inside the query
    guaranteed: Scope  # what filters name that guarantee instead of narrowing
    langs: tuple[str, ...]
    expansion: ExpandedQuery
    variants: tuple[Node, ...] = ()  # what the other ways to say it look for
    notices: tuple[Notice, ...] = ()
    prefix: bool = False
    level: int = TOP
    written_filters: tuple[str, ...] = ()

    @property
    def tree(self) -> Node | None:
        """What to look for; `None`: nothing."""
        return self.query.tree

    @property
    def terms(self) -> list[Term]:
        """Every term that is wanted, in order."""
        return list(leaves(self.query.tree))

    def reparsed(self, words: str, notice: Notice, reading: Reading) -> ParsedQuery:
        """Return the same query with other words: a spelling that was mended, a filter that was none."""
        query = parse(words, prefix=self.prefix, langs=self.langs, reading=reading)
        return replace(self, words=words, query=query, notices=(*self.notices, notice))


class QueryReader:
    """Understands the queries of one site: its languages, its segments and synonyms."""

    def __init__(self, langs: tuple[str, ...], tuning: Mapping[str, Any], expander: Expander | None = None) -> None:
        self._langs = langs or ("en",)
        self._segments = read_segments(tuning.get("segments", ()))
        synonyms = tuning.get("synonyms", {})
        self._expansion = Expansion(expander or (Synonyms(synonyms) if synonyms else None))

    def understand(self, request: SearchRequest, settings: Understanding) -> ParsedQuery:
        """Read a request."""
        notices = []
        words = _CURLY.sub(r'"\1"', unicodedata.normalize("NFC", request.query))
        if len(words) > settings.clamp:
            words = words[: settings.clamp]
            notices.append(Notice("clamped", f"Only the first {settings.clamp} characters were used."))
        filters = take_filters(words) if settings.filters != "off" else take_filters("")
        if filters.written:
            words = filters.rest
        words = (
            words.lstrip(_EDGES) if request.prefix else words.strip(_EDGES)
        )  # a blank at the end says that the word is whole
        narrows = settings.filters == "narrow"
        langs = self._languages(words, request, filters.scope)
        query = parse(words, prefix=request.prefix, langs=langs, reading=reading(settings))
        intent = classify(words, mended=settings.mended_intent)
        segment = first_match(self._segments, words) if request.strategy == "auto" else None
        guaranteed = Scope() if narrows else filters.scope
        if settings.filters == "guarantee" and days(request.scope.time):
            guaranteed = replace(guaranteed, time=guaranteed.time or request.scope.time)
        own = replace(request.scope, time="") if guaranteed.time else request.scope
        scope = _both(own, filters.scope) if narrows else own
        if segment and segment.path and not scope.path:
            scope = replace(scope, path=(segment.path,))
        wide = settings.variants and not request.exact and bool(words)
        expansion = self._expansion.expand(words) if wide else expanded(words, ())
        trees = (parse(variant, langs=langs, reading=reading(settings)).tree for variant in expansion.expanded_queries)
        return ParsedQuery(
            words=words,
            query=query,
            intent=intent,
            # A tag or a time is a matter of words, not of meaning ([004]: it forces the lexical mode).
            strategy=_strategy(request.strategy, segment.strategy if segment else "auto", intent, settings)
            if narrows or not (filters.scope.tags or filters.scope.time)
            else "bm25",
            scope=scope,
            guaranteed=guaranteed,
            langs=langs,
            expansion=expansion,
            variants=tuple(tree for tree in trees if tree is not None),
            notices=(*notices, *_notices(request.scope), *query.notices),
            prefix=request.prefix,
            level=request.caller.level,
            written_filters=filters.written,
        )

    def _languages(self, words: str, request: SearchRequest, inside: Scope) -> tuple[str, ...]:
        """The query's language: what it is narrowed to, else the page's, else by its script, else every one of the site."""
        guessed_langs = [_primary(lang) for lang in (*inside.lang, *request.scope.lang) or (request.page_lang,) if lang]
        guessed = guessed_langs or text.languages(words)
        searched = tuple(dict.fromkeys(lang for lang in guessed if lang in self._langs))
        return searched or self._langs


def reading(settings: Understanding) -> Reading:
    """Return how the parser is to read."""
    return Reading(operators=settings.operators, drop_stops=settings.drop_stops, clamp=settings.clamp)


def _strategy(strategy: str, segment: str, intent: Intent, settings: Understanding) -> str:
    if strategy != "auto":
        return strategy
    if segment != "auto":
        return segment
    return {KEYWORD: settings.keyword_strategy, SEMANTIC: settings.semantic_strategy}[intent.kind]


def _both(outer: Scope, inner: Scope) -> Scope:
    """Narrow by both; where both say the same field, the query's own word counts, for it is the later one."""
    narrowing = {field.name: getattr(inner, field.name) for field in fields(Scope) if getattr(inner, field.name)}
    return replace(outer, **narrowing)


def _notices(scope: Scope) -> tuple[Notice, ...]:
    if scope.time and not days(scope.time):
        return (Notice("bad-time", "A time is FROM..TO, with days as YYYY-MM-DD.", scope.time),)
    return ()


def _primary(lang: str) -> str:
    return lang.replace("_", "-").partition("-")[0].casefold()
