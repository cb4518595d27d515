"""The vector leg (L3): cosine between the query's vector and the chunks', in the clusters nearest to it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING

from ranvier.legs import SEMANTIC, Leg, Recall
from ranvier.query.fts import matching_rows
from ranvier.query.tree import excludes
from ranvier.query.understand import ParsedQuery
from ranvier.store.fetch import gather, nothing
from ranvier.store.snapshot import Snapshot, Steps
from ranvier.store.tables import CHUNKS
from ranvier.types import BY_MEANING, Match, Ranking

if TYPE_CHECKING:
    from ranvier.store.vectors import Vectors

MAX_FILES = 16  # of rows for one query: those that most of its words need
QUOTATION_WORDS = 4  # content words of a quotation, all in one chunk
MAX_SHARED_WORDS = 2  # content words; if a chunk has more, and all, meaning has no lead
MAX_LEAD_WORDS = 8  # content words; longer queries have no lead
# At the edges of words, but not of `.NET` and `C#`: the model has other tokens for `(stop)`.
_PUNCTUATION = re.compile(r"""(?<!\S)[!-,/:-@[-^`{-~-]+|[!"$-*,./:-@[-^`{-~-]+(?!\S)""")
LETTERS_PER_TOKEN = 2.4  # to a token of the query; measured: gibberish 1.5 to 2.2, questions 2.7 to 7


@dataclass(frozen=True, slots=True)
class VectorLeg(Leg):
    """Finds chunks by meaning. A query in a language that the site's model does not support finds nothing."""

    name: str = "vector"
    threshold: float = 0.3  # cosine ([001]: MIN_SIMILARITY_THRESHOLD)
    threshold_without_words: float = 0.0  # if no page has any word; above 0, gibberish finds nothing
    weight: float = 1.0
    lead: float = 0.0  # additional weight of the nearest pages in short questions
    quotation_factor: float = 1.0  # factor on the weight of quotations
    candidates: int = 0  # rows; 0: as many as the preset says
    budget: int = 1250  # bytes of shards that a query may fetch, × the square root of the number of vectors
    min_budget: int = 75_000  # its lower bound
    max_budget: int = 400_000  # upper bound; the nearest shard is always read
    exhaustive_limit: int = 0  # up to so many vectors, all are compared ([001]: 10,000)
    kind: str = SEMANTIC
    match: str = "auto"  # a request for words or substrings excludes meaning
    requires_all: bool = False

    def is_applicable(self, snapshot: Snapshot, query: ParsedQuery) -> bool:
        """Tell whether the site has vectors and their model reads the language of the query.

        A query with excluded words is a keyword query: the excluded words are near in meaning to the others.
        """
        from ranvier.vectors.language import supports  # imported with the first semantic query

        files = snapshot.manifest.vectors
        if files is None or not query.words.strip() or excludes(query.tree):
            return False
        return supports(files.langs, query.words, query.langs)

    def prefetch(self, snapshot: Snapshot, query: ParsedQuery, *, narrowed: bool) -> Steps[None]:
        """Fetch everything but the shards, also for text that looks like gibberish: a question of short words often does.

        On a large site, the search by words waits for lists first. Meanwhile the nearest shards are fetched, too.
        """
        if (vectors := snapshot.vectors) is None:
            return
        shard_map = vectors.shards_of(()) if narrowed else nothing()
        query_vector, _ = yield from gather(encode_query(vectors, query.words), shard_map)
        if any(query_vector) and not (narrowed or snapshot.names_all_files):
            head = yield from vectors.head()
            order = nearest_first(head.centroids.dots(query_vector))
            yield from vectors.shards(self.probed(order, head.shards.sizes, head.count))

    def recall(self, context: Recall) -> Steps[Ranking]:
        """Return chunks, the most similar first; ties by number."""
        from ranvier.vectors.pool import MICRO, cosine, length

        vectors, limit = context.snapshot.vectors, self.candidates or context.candidates
        empty = Ranking(self.name, (), True, self.weight, semantic=True)
        if vectors is None or (
            context.no_word_matches and self.threshold_without_words and (yield from is_gibberish(vectors, context.query.words))
        ):
            return empty
        query = yield from encode_query(vectors, context.query.words)
        if not any(query):
            return empty
        head = yield from vectors.head()
        similarities = head.centroids.dots(query)
        order = nearest_first(similarities)
        if context.scope_filter.numbers is not None:  # spend the budget on shards of the scope
            chunks_of = context.snapshot.manifest.chunks_of
            chunks = (chunk for neuron in sorted(context.scope_filter.numbers) for chunk in chunks_of(neuron))
            scope_shards = yield from vectors.shards_of(chunks)
            order = [number for number in order if number in scope_shards]
        shards = yield from vectors.shards(self.probed(order, head.shards.sizes, head.count))
        threshold = max(self.threshold, self.threshold_without_words) if context.no_word_matches else self.threshold
        min_cosine, divisor = round(threshold * MICRO), length(query, head.resolution)
        neuron_of = context.snapshot.manifest.neuron_of
        matches = []
        for number, shard in shards.items():
            for chunk, dot in zip(shard.chunks, shard.dots(query, similarities[number]), strict=True):
                if (micro := cosine(dot, divisor)) >= min_cosine and neuron_of(chunk) in context.scope_filter:
                    matches.append(Match(chunk, micro, BY_MEANING))
        matches.sort(key=lambda match: (-match.micro, match.row))
        weight, lead = yield from self._weights(context)
        # Not truncated, because every chunk has a cosine.
        return Ranking(self.name, tuple(matches[:limit]), True, weight, semantic=True, lead=lead)

    def _weights(self, context: Recall) -> Steps[tuple[float, float]]:
        """Return the weight and the lead for a query. Words of one chunk count more than words of several sections."""
        query, weight, lead = context.query, self.weight, self.lead
        if not lead and self.quotation_factor == 1.0:
            return weight, lead
        words = len({term.forms for term in query.terms if not term.stop})
        if words > MAX_LEAD_WORDS or re.search("_|[a-z0-9][A-Z]", query.words):  # models know no identifiers
            lead = 0.0
        if words <= MAX_SHARED_WORDS or not (context.matched and query.tree):
            return weight, lead
        if not (yield from matching_rows(context.snapshot, CHUNKS, query.tree, context.scope_filter, 1)):
            return weight, lead
        return (round(weight * self.quotation_factor, 6) if words >= QUOTATION_WORDS else weight), 0.0

    def probed(self, order: list[int], sizes: tuple[int, ...], count: int) -> list[int]:
        """Return the nearest shards that fit into the budget."""
        if count <= self.exhaustive_limit:
            return order
        shard_count, total_size = min(1, len(order)), sizes[order[0]] if order else 0
        budget = min(max(self.budget * isqrt(count), self.min_budget), self.max_budget)
        while shard_count < len(order) and total_size + sizes[order[shard_count]] <= budget:
            total_size += sizes[order[shard_count]]
            shard_count += 1
        return order[:shard_count]


def nearest_first(similarities: list[int]) -> list[int]:
    """Return the numbers of shards, those with the most similar centroids first; ties by number."""
    return sorted(range(len(similarities)), key=lambda number: (-similarities[number], number))


def is_gibberish(vectors: Vectors, words: str) -> Steps[bool]:
    """Tell whether the model splits the words into many tokens: `qwertz` is four tokens, a word of its vocabulary is one.

    Every vector has a nearest chunk, so a cosine cannot tell gibberish from a question in words that a small site lacks.
    """
    tokenizer = (yield from vectors.vocabulary(words)).tokenizer
    split_words = tokenizer.words(words)
    return sum(map(len, split_words)) < LETTERS_PER_TOKEN * sum(len(tokenizer.encode(word)) for word in split_words)


def encode_query(vectors: Vectors, words: str) -> Steps[list[int]]:
    """Return the query's vector, from -127 to 127; all zeros, or empty, if the model knows none of its words."""
    from ranvier.vectors.pool import fit, pool

    words = _PUNCTUATION.sub(" ", words)
    vocabulary = yield from vectors.vocabulary(words)
    tokenizer = vocabulary.tokenizer
    places = [vocabulary.place(token) for word in tokenizer.words(words) for token in tokenizer.encode(word)]
    counts = Counter(file for file, _ in places)
    files = {file for file, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MAX_FILES]}
    rows = yield from vectors.rows([place for place in places if place[0] in files])
    return fit(pool(rows))
