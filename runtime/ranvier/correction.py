"""Spelling correction of a query: which of its words are doubtful, and which words of the site replace them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from ranvier import text
from ranvier.legs.text import COLUMNS
from ranvier.presets import Preset
from ranvier.query import spelling
from ranvier.query.fts import matching_rows, term_lookups
from ranvier.query.scope import ScopeFilter
from ranvier.query.spelling import RARE, is_sure
from ranvier.query.syntax import word_term
from ranvier.query.tree import Term
from ranvier.query.understand import ParsedQuery
from ranvier.store.fetch import gather
from ranvier.store.snapshot import Snapshot, Steps
from ranvier.store.tables import NEURONS
from ranvier.types import Notice

_MAX_TRIED = 5  # candidate corrections that are tried in a scope
Corrections = dict[str, str]  # a word of the query → a word of the site, or two with a blank between them


def initials(words: Iterable[str]) -> list[str]:
    """Return the possible first letters of the corrections of doubtful words."""
    doubtful = filter(spelling.is_correctable, map(text.fold, words))
    return sorted({start for word in doubtful for start in spelling.initials(word)})


class Corrector:
    """Finds the corrections of one query in its scope.

    `fetch` returns steps that fetch the files for a corrected query. `by_meaning`: a search by meaning reads the words of the
    model, which tell whether a word is one.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        query: ParsedQuery,
        scope_filter: ScopeFilter,
        preset: Preset,
        fetch: Callable[[ParsedQuery], Sequence[Steps[None]]],
        *,
        by_meaning: bool,
    ) -> None:
        self._snapshot = snapshot
        self._query = query
        self._scope_filter = scope_filter
        self._preset = preset
        self._fetch = fetch
        self._by_meaning = by_meaning

    def corrections(self) -> Steps[tuple[Corrections, Corrections]]:
        """Return the corrections of all doubtful words, and those of words that no page has and that are sure."""
        scope_counts = yield from self._doubtful()
        terms = [term for term in self._query.terms if scope_counts.get(term.spelling, RARE + 1) <= RARE]
        letters = initials(term.spelling for term in terms)
        counts = (yield from self._snapshot.vocabulary.words(letters)) if letters else {}
        limit = 1 if self._scope_filter.numbers is None else _MAX_TRIED
        candidates = {term.spelling: _candidates(term, scope_counts[term.spelling], counts, limit) for term in terms}
        if self._scope_filter.numbers is not None:
            yield from self._prefetch(candidates)
        corrections = yield from self._find_splits(candidates, scope_counts, counts)
        unknown = dict(corrections)
        for word in candidates:
            if word in corrections:
                continue
            if correction := (yield from self._find_correction(candidates[word])):
                corrections[word] = correction
                if scope_counts[word] or not is_sure(text.fold(word), correction, counts[correction]):
                    continue
                if not (self._by_meaning and (yield from self._is_word(word, correction))):
                    unknown[word] = correction
        return corrections, unknown

    def corrected(self, corrections: Mapping[str, str]) -> ParsedQuery:
        """Return the query with its words replaced, and with a notice."""
        words = spelling.correct(self._query.words, corrections)
        notice = Notice("corrected", f"Searched for “{words.strip()}”.", words.strip())
        notices = (other for other in self._query.notices if other.code != notice.code)
        return replace(self._query.reparsed(words, self._preset.understand), notices=(*notices, notice))

    def _doubtful(self) -> Steps[dict[str, int]]:
        """Count the Neurons in the scope that have each doubtful word, up to `RARE` + 1.

        All but `name` count: a word of the text is no mistake because no title has it.
        """
        counts: dict[str, int] = {}
        for term in self._query.terms:
            if term.spelling and spelling.is_correctable(text.fold(term.spelling)):
                counts[term.spelling] = yield from self._count(replace(term, columns=COLUMNS), RARE + 1)
        return counts

    def _prefetch(self, candidates: Mapping[str, Sequence[str]]) -> Steps[None]:
        """Fetch in one round the postings of all candidate corrections, and the files of the likeliest one."""
        likeliest = {misspelling: words[0] for misspelling, words in candidates.items() if words}
        terms = [term for words in candidates.values() for word in words if (term := self._term_of(word)) is not None]
        lookups = [lookup for term in terms for lookup in term_lookups(term, NEURONS)]
        if likeliest:
            yield from gather(self._snapshot.fetch_terms(lookups), *self._fetch(self.corrected(likeliest)))

    def _find_splits(
        self, candidates: Mapping[str, Sequence[str]], scope_counts: Mapping[str, int], counts: Mapping[str, int]
    ) -> Steps[Corrections]:
        """Return two words for each unknown word without a sure correction, if the scope has them side by side."""
        terms: dict[tuple[str, str], Term] = {}
        in_column = {term.spelling for term in self._query.terms if term.columns}  # a column's name has one word after it
        for word, corrections in candidates.items():
            folded = text.fold(word)
            if not scope_counts[word] and word not in in_column and not (corrections and is_sure(folded, corrections[0], 0)):
                for pair in spelling.splits(folded, counts):
                    term, parts = self._term_of("-".join(pair)), [self._term_of(part) for part in pair]
                    if term is not None and not any(part is None or part.stop for part in parts):
                        terms[word, " ".join(pair)] = term
        yield from self._snapshot.fetch_terms([lookup for term in terms.values() for lookup in term_lookups(term, NEURONS)])
        splits: Corrections = {}
        for (word, pair_words), term in terms.items():
            if word not in splits and (yield from self._count(term, 1)):
                splits[word] = pair_words
        return splits

    def _find_correction(self, candidates: Sequence[str]) -> Steps[str]:
        """Return the first candidate correction that occurs in the scope; "" if there is none.

        Words outside of the scope are ignored, so the correction reveals no word that the caller may not see (A5).
        """
        if self._scope_filter.numbers is None:
            return next(iter(candidates), "")
        for candidate in candidates:
            term = self._term_of(candidate)
            if term is not None and (yield from self._count(term, 1)):
                return candidate
        return ""

    def _is_word(self, word: str, correction: str) -> Steps[bool]:
        """Tell whether the model has a word that is no usual mistake. The search by meaning reads the same files."""
        if self._snapshot.vectors is None or spelling.differs_in_doubling(text.fold(word), correction):
            return False
        try:
            vocabulary = yield from self._snapshot.vectors.vocabulary(self._query.words)
        except Exception:  # X1: words answer without vectors
            return False
        return len(vocabulary.tokenizer.encode(text.fold(word))) == 1

    def _count(self, term: Term, limit: int) -> Steps[int]:
        return len((yield from matching_rows(self._snapshot, NEURONS, term, self._scope_filter, limit)))

    def _term_of(self, word: str) -> Term | None:
        return word_term(word, (*self._snapshot.manifest.langs, "und"))


def _candidates(term: Term, count_in_scope: int, counts: Mapping[str, int], limit: int) -> list[str]:
    """Return up to `limit` candidate corrections of a word that `count_in_scope` Neurons have, the likeliest first."""
    word = text.fold(term.spelling)
    own_count = {word: max(count_in_scope, counts.get(word, 0))} if count_in_scope else {}  # `split` is known by `splitting`
    return spelling.candidates(word, {other: count for other, count in counts.items() if other != word} | own_count, limit)
