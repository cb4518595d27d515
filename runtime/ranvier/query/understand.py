"""The first stage: a request → a parsed query with scope and strategy. It reads no files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

from ranvier import text
from ranvier.query.expansion import ExpandedQuery, Expander, Expansion, Synonyms, expanded
from ranvier.query.filters import days, take_filters
from ranvier.query.intent import KEYWORD, classify
from ranvier.query.segments import Segment
from ranvier.query.syntax import COLUMNS, Understanding, before_operator, parse, take_exclusions, word_term
from ranvier.query.tree import Node, Query, Term, excludes, join, join_optional, leaves
from ranvier.requests import Scope, SearchRequest
from ranvier.types import IntentKind, Notice

# Quotation marks of phones and word processors: English, German, Swedish; perhaps not closed yet.
_CURLY = re.compile(r'(?:[“„]|(?<!\S)”)([^“”„"]*)([”“]|\Z)')
_COLUMN_PHRASE = re.compile(rf"""(?<![^\s()"])((?:{"|".join(COLUMNS)}):)"([^"]*)""")
_WORD_START = re.compile(r"(?<![^\s()])(?=[^\s()])")
_NO_NAME = re.compile(r"/\d+\Z|\(\)\Z|->|[.:#]")  # a signature or a separator
_MAX_NAMES = 4
_ADDRESS = re.compile(r"(?:https?://[^\s/]+)?/?([^\s?#]+?)(?:(?:index)?\.(?:html|mdx?))?(?:[?#]\S*)?\s*\Z")
_EDGES = " \t\r\n?!.,;:…\u200b\ufeff"
# Also that of Markdown, but not the dot of `.NET`.
_START = re.compile(rf"\A(?:(?!(?<!\.)\.[^{_EDGES}])[{_EDGES}*>`•]|[#-]+\s)+")


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A parsed query. `words` is the query without its filters and exclusions."""

    words: str
    query: Query
    intent: IntentKind
    strategy: str
    scope: Scope  # the scope of the request and of the filters in the query
    guaranteed: Scope  # the scope of filters that guarantee instead of narrow
    langs: tuple[str, ...]
    notices: tuple[Notice, ...]
    prefix: bool
    level: int
    filter_texts: tuple[str, ...]
    exclusions: str  # words, each with a hyphen before it and a blank after it
    expand: Callable[[ParsedQuery], ParsedQuery]  # computes the fields below
    expansion: ExpandedQuery = field(default_factory=lambda: expanded("", ()))
    rewrites: Mapping[str, Node] = field(default_factory=dict)  # with synonyms, or with two words as one → its tree
    section: Node | None = None  # pages whose name is the first words of the query, with the others in a heading

    @property
    def tree(self) -> Node | None:
        """The tree to search for, or `None`."""
        return self.query.tree

    @property
    def terms(self) -> list[Term]:
        """The terms that are not excluded, in order."""
        return list(leaves(self.query.tree))

    @property
    def variants(self) -> tuple[Node, ...]:
        """The trees of the variants."""
        return (*self.rewrites.values(), *([self.section] if self.section else ()))

    def reparsed(self, words: str, settings: Understanding) -> ParsedQuery:
        """Return the query with other words."""
        query = parse(self.exclusions + words, prefix=self.prefix, langs=self.langs, settings=settings)
        return self.expand(replace(self, words=words, query=query))


class QueryReader:
    """Parses the queries of one site with its languages, segments and synonyms."""

    def __init__(self, langs: tuple[str, ...], tuning: Mapping[str, Any], expander: Expander | None = None) -> None:
        self._langs = langs or ("en",)
        self._segments = [Segment(**fields) for fields in tuning.get("segments", ())]  # in order of priority
        synonyms = tuning.get("synonyms", {})
        self._expansion = Expansion(expander or (Synonyms(synonyms) if synonyms else None))

    def understand(self, request: SearchRequest, settings: Understanding) -> ParsedQuery:
        """Parse a request."""
        notices = []
        words = unicodedata.normalize("NFC", request.query.replace("\xad", ""))
        words = _CURLY.sub(lambda quoted: f'"{quoted[1]}' + '"' * bool(quoted[2]), words)
        if len(words) > settings.clamp:
            words = words[: settings.clamp]
            notices.append(Notice("clamped", f"Only the first {settings.clamp} characters were used."))
        if (time := request.scope.time) and not days(time):
            notices.append(Notice("bad-time", "A time is FROM..TO, with days as YYYY-MM-DD.", time))
        narrows = settings.filters == "narrow"
        filters = take_filters(words, exclusions=narrows) if settings.filters != "off" else take_filters("")
        if filters.texts:
            words = filters.rest
        words = words if request.prefix else words.rstrip(_EDGES)  # a blank at the end completes the last word
        if request.match != "substring":
            words = _START.sub("", words)
            if request.prefix and settings.operators:
                words = before_operator(words)
        langs = self._languages(words, request, filters.scope)
        query = parse(words, prefix=request.prefix, langs=langs, settings=settings)
        intent = classify(words, tolerant=settings.tolerant_intent)
        segments = self._segments if request.strategy == "auto" else []
        segment = next((segment for segment in segments if segment.covers(words)), None)
        guaranteed = Scope() if narrows else filters.scope
        if settings.filters == "guarantee" and days(request.scope.time):
            guaranteed = replace(guaranteed, time=guaranteed.time or request.scope.time)
        request_scope = replace(request.scope, time="") if guaranteed.time else request.scope
        scope = _combine(request_scope, filters.scope) if narrows else request_scope
        if segment and segment.path and not scope.path:
            scope = replace(scope, path=(segment.path,))
        exclusions = ""
        if query.plain and excludes(query.tree) and request.match != "substring":
            words, exclusions = take_exclusions(words)
        parsed = ParsedQuery(
            words=words,
            query=query,
            intent=intent,
            # A tag or a time forces the lexical mode ([004]).
            strategy=_strategy(request.strategy, segment.strategy if segment else "auto", intent, settings)
            if narrows or not (filters.scope.tags or filters.scope.time)
            else "bm25",
            scope=scope,
            guaranteed=guaranteed,
            langs=langs,
            notices=(*notices, *(_with_filters(notice, filters.texts) for notice in query.notices)),
            prefix=request.prefix,
            level=request.caller.level,
            filter_texts=filters.texts,
            exclusions=exclusions,
            expand=partial(self._expanded, settings=settings, exact=request.exact),
        )
        return parsed.expand(parsed)

    def _expanded(self, parsed: ParsedQuery, *, settings: Understanding, exact: bool) -> ParsedQuery:
        """Return the query with its variants."""
        words, langs, section = parsed.words, parsed.langs, None
        expansion = self._expansion.expand(words, 0 if exact else settings.variants)
        trees = {variant: parse(variant, langs=langs, settings=settings).tree for variant in expansion.expanded_queries}
        if settings.spelling and parsed.query.plain and not exact:
            for other in _joined(words, langs):
                trees[other] = parse(other, prefix=parsed.prefix, langs=langs, settings=settings).tree
            section = _section(words, parsed.query, langs, typing=parsed.prefix)
        rewrites = {variant: tree for variant, tree in trees.items() if tree is not None}
        return replace(parsed, expansion=expansion, rewrites=rewrites, section=section)

    def _languages(self, words: str, request: SearchRequest, filter_scope: Scope) -> tuple[str, ...]:
        """Return the languages of the scope, of the page if the script fits, of the script, or of the site."""
        scope_langs = [lang for lang in (*filter_scope.lang, *request.scope.lang) if lang[0] != "-"]
        named = [_primary(lang) for lang in scope_langs or [request.page_lang] if lang]
        scripts = text.languages(words)
        possible = named if scope_langs or not scripts or {*scripts} & {*named} else scripts
        langs = tuple(dict.fromkeys(lang for lang in possible if lang in self._langs))
        return langs or self._langs


def _joined(words: str, langs: tuple[str, ...]) -> Iterator[str]:
    """Write two neighbours of two or three words as one: `short codes` → `shortcodes`."""
    parts = words.split()
    if len(parts) > 3 or parts != [word for word, *_ in text.words(words)]:
        return
    for at, part in enumerate(parts[1:]):
        if not text.is_stop(parts[at], langs):
            yield " ".join((*parts[:at], parts[at] + part, *parts[at + 2 :]))


def _section(words: str, query: Query, langs: tuple[str, ...], *, typing: bool) -> Node | None:
    """Match pages named by the first words, with the others in headings: `Vec::push`, `lists:map/2`."""
    names = _NO_NAME.sub(" ", words).split()
    if any(term.quoted or term.columns for term in leaves(query.tree)):
        return None
    if (len(names) == 1 or "://" in words) and (spellings := (*name_terms(names[0], ()), *address_names(words))):
        return _named(spellings)
    if len(names) > _MAX_NAMES:
        return None
    terms = [word_term(name, langs, typing=typing and words.endswith(name)) for name in names]
    section: Node | None = None
    for size in range(1, len(names)):
        spellings = name_terms(" ".join(names[:size]), langs)
        headings = [replace(term, columns=("heading",)) for term in terms[size:] if term and not (term.stop and " " in words)]
        if spellings and headings:
            section = join_optional("OR", section, join("AND", [_named(spellings), *headings]))
    return section


def _named(spellings: tuple[str, ...]) -> Term:
    return Term((*zip(spellings),), columns=("name",))


def name_terms(words: str, langs: Iterable[str]) -> tuple[str, ...]:
    """Return the index terms of a name that equals some words: as written, stemmed, a short name; empty without letters."""
    names = [name for lang in (text.AS_WRITTEN, *langs) if (name := text.name(words, lang))]
    return tuple(dict.fromkeys([*names, *(f"{name}=" for name in names[:1])]))


def address_names(words: str) -> list[str]:
    """Return index terms of pages with an address: `/docs/guide/` → `=docs=guide=`, then `=guide=`."""
    address = _ADDRESS.match(words) if "/" in words else None
    paths = (address[1], address[1].partition("/")[2]) if address else ()
    return [f"={name}" for path in paths if (name := text.name(path, text.AS_WRITTEN))]


def _strategy(strategy: str, segment: str, intent: IntentKind, settings: Understanding) -> str:
    if strategy != "auto":
        return strategy
    if segment != "auto":
        return segment
    return settings.keyword_strategy if intent == KEYWORD else settings.semantic_strategy


def _combine(outer: Scope, inner: Scope) -> Scope:
    """Combine two scopes. If both set a field, the one in the query counts; if that only leaves pages out, both count."""
    values = {field.name: getattr(inner, field.name) for field in fields(Scope) if getattr(inner, field.name)}
    for name, value in values.items():
        if name != "titles" and isinstance(value, tuple) and all(text[0] == "-" for text in value):
            values[name] = (*getattr(outer, name), *value)
    return replace(outer, **values)


def _with_filters(notice: Notice, filter_texts: tuple[str, ...]) -> Notice:
    """Return the notice of excluded words with the filters in its query: who searches for it searches the same pages."""
    return replace(notice, subject=" ".join((*filter_texts, notice.subject))) if notice.code == "excluded" else notice


def _primary(lang: str) -> str:
    return lang.replace("_", "-").partition("-")[0].casefold()


def phrases(query: ParsedQuery) -> list[Term]:
    """Return the phrases of several words in a plain query."""
    return [term for term in query.terms if term.quoted and len(term.words) > 1] if query.query.plain else []


def as_words(query: ParsedQuery, settings: Understanding) -> ParsedQuery:
    """Return the query without its quotes: `title:"hot pack" size` → `title:hot title:pack size`."""
    words = _COLUMN_PHRASE.sub(lambda match: _WORD_START.sub(match[1], match[2]), query.words).replace('"', " ")
    return query.reparsed(words, settings)
