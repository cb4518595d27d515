"""The query language: words, "phrases", AND, OR, NOT, -word, prefix*, NEAR(a b, 5), title:word, parentheses (Q5).

A query that does not parse is read as plain words, operators included, and the result has a notice: readers never get a
syntax error. Only terms of the analyser reach FTS5, so nothing in a query can break out of its quotes.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from ranvier import text
from ranvier.query.tree import (
    LONG_ROW,
    MAX_TERMS,
    Near,
    Node,
    Query,
    Term,
    excluded,
    excludes,
    join,
    join_optional,
    leaves,
    limit_repeats,
    limit_terms,
    without_stops,
)
from ranvier.types import Notice

MAX_QUERY = 1000  # characters (Q1)
MAX_DEPTH = 16  # nested parentheses; FTS5's own parser gives up at about a hundred
MIN_TYPED = 3  # letters from which an unfinished word is looked up as a prefix
OPERATORS = ("AND", "OR", "NOT")
NEAR_DISTANCE = 10  # FTS5's default

# Column names before a colon, and the columns that they select.
COLUMNS = {
    "title": ("title",), "heading": ("heading",), "headings": ("heading",), "tag": ("tags",), "tags": ("tags",),
    "body": ("body",), "content": ("body",), "text": ("body",),
}  # fmt: skip

# The beginning of a word that a hyphen excludes: three letters, or one that no option of a program begins with.
EXCLUDABLE = r"(?:[^\W\d_]{3}|[^\W\d_A-Za-z])"
_LEXEME = re.compile(
    # A hyphen before a word, a phrase or a group excludes it; `-v` and `--flag` are words, and so is a name that begins with a
    # capital: `Get-ChildItem -Recurse`.
    rf'(?:(?<!\S)(?P<minus>-)(?={EXCLUDABLE}|\(|"\s*[^\s"]))?'
    r"(?:(?P<column>" + "|".join(COLUMNS) + r"):(?=[^\s:]))?"
    r'(?:"(?P<phrase>[^"]*)"?(?P<star>\*?)|(?P<paren>[()])|(?P<word>[^\s()"]+))'
)

_PUNCTUATION = "\"'.,;:!?()[]"  # around a word in a sentence
# Words joined by a hyphen, with any punctuation around them: `(free-stream)`, but not `--free-stream`.
_HYPHENATED = re.compile(r"[^\w-]*[^\W\d_]+(?:[-‐‑][^\W\d_]+)+[^\w-]*")
_DISTANCE = re.compile(r",?(\d{1,3})")


class _ParseError(Exception):
    """The operators cannot be parsed."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """A preset's options for reading queries."""

    clamp: int = MAX_QUERY  # characters (Q1, [004])
    operators: bool = True  # AND, OR, NOT, NEAR, parentheses, columns; False: the safe mode of [003]
    drop_stops: bool = True  # stop words do not drive recall
    tolerant_intent: bool = True  # False: exactly the rules of [001]
    keyword_strategy: str = "bm25"  # strategy of `auto` for keyword queries
    semantic_strategy: str = "rag"
    # "narrow": filters narrow the query; "guarantee": the Neurons that they name come first ([004]); "off": they are words
    filters: str = "narrow"
    spelling: bool = True  # correct unknown words with the site's vocabulary
    variants: int = 3  # maximum number of query variants (Q7), up to 3


def parse(
    query: str, *, prefix: bool = False, langs: tuple[str, ...] = ("en",), settings: Understanding = Understanding()
) -> Query:
    """Parse a query. With `prefix`, a last word without a blank after it is unfinished."""
    notices = list[Notice]()
    query = text.CLAIM.sub(" ", unicodedata.normalize("NFC", query))
    if prefix and settings.operators:
        query = before_operator(query)
    lexemes = list(_LEXEME.finditer(query))
    typing = prefix and bool(query) and not query[-1].isspace()
    if not settings.operators:
        return _limit(_literal(query, typing, langs), True, notices, settings)
    if len(lexemes) > 1 and lexemes[0].group() == "NOT" and not _has_outer_or(lexemes):
        notices.append(Notice("only-not", "A query needs a word to search for before NOT."))
        return Query(None, False, tuple(notices))
    parser = _Parser(lexemes, typing, langs, is_unfinished=prefix)
    try:
        tree, plain = parser.parse()
        if (exclusions := list(filter(_is_exclusion, lexemes))) and any(excluded(tree)):
            notices.append(_exclusion_notice(lexemes, exclusions))
    except _ParseError:
        notices.append(
            Notice("literal", "The operators in this query do not fit together; all of them were searched as words.")
        )
        tree, plain = _literal(query, typing, langs), True
    return _limit(tree, plain, notices, settings)


def before_operator(query: str) -> str:
    """Drop the last operators of a query: their right operand is not typed yet."""
    lexemes = list(_LEXEME.finditer(query))
    while len(lexemes) > 1 and lexemes[-1].group() in OPERATORS:
        query = query[: lexemes.pop().start()]
    return query


def _exclusion_notice(lexemes: list[re.Match[str]], exclusions: list[re.Match[str]]) -> Notice:
    """Return the notice of excluded words; `subject` is the query without the exclusions."""
    names = ", ".join(f"“{lexeme['phrase'] or lexeme['word'] or '(…)'}”" for lexeme in exclusions)
    remaining = " ".join(lexeme.group()[lexeme in exclusions :] for lexeme in lexemes)
    return Notice("excluded", f"Pages with {names} are left out.", remaining)


def take_exclusions(query: str) -> tuple[str, str]:
    """Take what a hyphen excludes out of a query: `cat -dog` → "cat  ", "-dog "."""
    exclusions = "".join(f"{lexeme.group()} " for lexeme in filter(_is_exclusion, _LEXEME.finditer(query)))
    exclusions += '" ' * (exclusions.count('"') % 2)  # the last phrase may be open
    return _LEXEME.sub(lambda lexeme: " " if _is_exclusion(lexeme) else lexeme.group(), query), exclusions


def _is_exclusion(lexeme: re.Match[str]) -> bool:
    """Tell whether a hyphen excludes a word or a phrase; `-Recurse` is a name."""
    return bool(lexeme["minus"]) and not (lexeme["word"] or "")[:1].isupper()


def _limit(tree: Node | None, plain: bool, notices: list[Notice], settings: Understanding) -> Query:
    """Limit the number of terms and drop stop words."""
    if tree is not None and settings.drop_stops:
        tree = without_stops(tree)
    if tree is not None and sum(len(term.forms[-1]) for term in leaves(tree)) > LONG_ROW:
        from ranvier.query.runs import pairs_of_runs  # few queries need it

        tree = pairs_of_runs(tree)
    limited = limit_terms(tree) if tree is not None else None
    if limited is not tree:
        notices.append(Notice("clamped", f"Only the first {MAX_TERMS} words were used."))
    if limited is not None and plain and not excludes(limited):
        limited = limit_repeats(limited)
    return Query(limited, plain, tuple(notices))


def _has_outer_or(lexemes: list[re.Match[str]]) -> bool:
    """Tell whether there is an OR outside of all parentheses: then a query with a leading NOT has terms to search for."""
    depth = 0
    for lexeme in lexemes:
        depth += {"(": 1, "-(": 1, ")": -1}.get(lexeme.group(), 0)
        if depth == 0 and lexeme.group() == "OR":
            return True
    return False


def word_term(raw: str, langs: tuple[str, ...], *, prefix: bool = False, typing: bool = False) -> Term | None:
    """Analyse one word; `None` without a letter or digit: `get_user` → `getuser`, or `get` and `user` in a row."""
    as_written = raw
    if not prefix and (raw := text.without_particle(as_written)) != as_written:
        typing = False  # the particle ends the word
    forms = text.forms(raw, langs)
    if not forms:
        return None
    start = text.unfinished(raw, langs) or ""
    is_single = len(forms[0]) == 1
    hyphenated = _HYPHENATED.fullmatch(raw) is not None
    if typing and is_single and len(forms) > 1 and len(start) < MIN_TYPED and start.isascii() and not hyphenated:
        start = forms[0][0]  # if the last part of an identifier has just begun, as in `getP`, the whole is the prefix
    # A single unfinished letter is treated as a stop word.
    first_letter = typing and len(start) == 1 and start.isascii()
    stop = is_single and (first_letter or text.is_particle(raw) or text.is_stop(raw, langs))
    bare = raw.strip(_PUNCTUATION)
    # whole words, no contractions
    is_word = text.words(bare) == [(bare, 0, len(bare))] and not {*bare} & {*"'’"}
    spelling = bare if is_single and is_word and raw == as_written else ""
    if prefix or (typing and (len(start) >= MIN_TYPED or not start.isascii())):
        spelling, stems = "" if prefix else spelling, text.completions(start, langs, raw)
        return Term(forms, start=start, stems=stems, stop=stop and not prefix, spelling=spelling, hyphenated=hyphenated)
    return Term(forms, stop=stop, spelling=spelling, hyphenated=hyphenated)


def phrase_term(phrase: str, langs: tuple[str, ...], *, prefix: bool, typing: bool) -> Term | None:
    """Analyse a phrase: its rows of terms, one for each language that gives different terms.

    With `typing`, its last word is unfinished; the first letters of a word do not count yet.
    """
    start = (text.unfinished(phrase, langs) or "") if typing and not phrase[-1:].isspace() else ""
    if start.isascii() and 0 < len(start) < MIN_TYPED and (before := phrase.rstrip().rpartition(" ")[0]):
        phrase, start = before, ""
    rows = dict.fromkeys(text.row(phrase, lang) for lang in langs)
    forms = tuple(row for row in rows if row)
    stems = text.completions(start, langs, phrase)
    return Term(forms, prefix=prefix, start=start, stems=stems, quoted=True) if forms else None


class _Parser:
    """or := and (OR and)*   and := item ((AND | NOT | AND NOT)? item)*   item := ( or ) | NEAR(…) | -term | column:term."""

    def __init__(self, lexemes: list[re.Match[str]], typing: bool, langs: tuple[str, ...], *, is_unfinished: bool) -> None:
        self._lexemes = lexemes
        self._typing = typing
        self._is_unfinished = is_unfinished  # so parentheses may still be open
        self._langs = langs
        self._at = 0
        self._depth = 0
        self._plain = True

    def parse(self) -> tuple[Node | None, bool]:
        if not self._lexemes:
            return None, True
        tree = self._or_expression()
        if self._at < len(self._lexemes):
            raise _ParseError
        return tree, self._plain

    def _peek(self) -> str:
        return self._lexemes[self._at].group() if self._at < len(self._lexemes) else ""

    def _take(self, token: str) -> bool:
        if self._peek() != token:
            return False
        self._at += 1
        # Parentheses alone are not operators: people write (like this).
        self._plain = self._plain and token in "()"
        return True

    def _or_expression(self) -> Node | None:
        node = self._and_expression()
        while self._take("OR"):
            node = join_optional("OR", node, self._and_expression())
        return node

    def _and_expression(self) -> Node | None:
        node, exclusions = None, list[Node]()
        first = True
        while first or self._peek() not in ("", "OR", ")"):
            op = "AND"
            if not first:
                self._take("AND")  # people write `a AND NOT b` for `a NOT b`
                op = "NOT" if self._take("NOT") else "AND"
            is_excluded = self._is_next_excluded()
            typing = self._typing
            self._typing = typing and op == "AND" and not (is_excluded and node)  # no longer word leaves a page out
            other = self._item()
            self._typing = typing
            if is_excluded and other is not None:
                exclusions.append(other)
            else:
                node = join_optional(op, node, other)
            first = False
        # A query with no other words searches for them.
        return join("AND", exclusions) if node is None else join("NOT", [node, *exclusions])

    def _is_next_excluded(self) -> bool:
        return any(map(_is_exclusion, self._lexemes[self._at : self._at + 1]))

    def _item(self) -> Node | None:
        if self._peek() in ("", ")", *OPERATORS):
            raise _ParseError
        if self._take("(") or self._take("-("):
            return self._group()
        lexeme = self._lexemes[self._at]
        self._at += 1
        if lexeme.group() == "NEAR" and self._peek() == "(":
            return self._near()
        return self._term(lexeme)

    def _group(self) -> Node | None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _ParseError
        node = None if self._closes() else self._or_expression()  # `get()` is a name
        if not self._take(")") and not self._closes():
            raise _ParseError
        self._depth -= 1
        return node

    def _closes(self) -> bool:
        """Tell whether a parenthesis ends here, perhaps because the rest of the query is not typed yet."""
        return self._peek() == ")" or (self._is_unfinished and self._at == len(self._lexemes))

    def _near(self) -> Node | None:
        self._plain, self._at = False, self._at + 1
        terms: list[Term] = []
        distance = NEAR_DISTANCE
        while self._peek() not in ("", ")"):
            lexeme = self._lexemes[self._at]
            self._at += 1
            number = _DISTANCE.fullmatch(lexeme.group())
            if number and self._closes() and terms:
                distance = int(number[1])
            elif (term := self._term(lexeme, ",")) is not None:
                terms.append(term)
        if not self._take(")") and not self._closes():
            raise _ParseError
        return Near(tuple(terms), distance) if len(terms) > 1 else (terms[0] if terms else None)

    def _term(self, lexeme: re.Match[str], trailing: str = "") -> Term | None:
        last = self._at == len(self._lexemes)
        if lexeme["phrase"] is not None:
            unfinished = self._typing and last and not lexeme.group().endswith(('"', "*"))
            term = phrase_term(lexeme["phrase"], self._langs, prefix=bool(lexeme["star"]), typing=unfinished)
        else:
            raw = (lexeme["word"] or lexeme.group()).rstrip(trailing)
            term = word_term(raw, self._langs, prefix=raw.endswith("*"), typing=self._typing and last)
        if term is None:
            return None
        return replace(term, at=self._at, columns=COLUMNS[lexeme["column"]] if lexeme["column"] else ())


def _literal(query: str, typing: bool, langs: tuple[str, ...]) -> Node | None:
    words = query.split()
    terms = [(at, word_term(word, langs, typing=typing and at == len(words))) for at, word in enumerate(words, 1)]
    return join("AND", [replace(term, at=at) for at, term in terms if term is not None])
