"""A scan of the texts, for when the index fails (X2, [004]). It is slow and never the first choice."""

from __future__ import annotations

from ranvier.errors import FetchError
from ranvier.legs import Recall
from ranvier.legs.grep import long_enough
from ranvier.query.understand import ParsedQuery
from ranvier.store.snapshot import Steps
from ranvier.store.texts import Passage
from ranvier.types import PARTIAL, Match, Ranking

NAME = "scan"
MAX_CHUNKS = 20_000  # about 10 MB of text: more is too slow for a search


def scan(context: Recall, limit: int) -> Steps[Ranking]:
    """Return chunks of Neurons with the query in their path, then in their text, then with one of its words.

    The score is 1 / (i + 1) for the Neuron at position i, as in [004].

    Raises:
        FetchError: a text cannot be fetched (X3). Other errors give an empty result: this is the last resort.

    """
    try:
        count = min(context.snapshot.manifest.chunk_count, MAX_CHUNKS)
        passages = yield from context.texts.passages(range(1, count + 1))
        return Ranking(NAME, tuple(_matches(context, passages, limit)), True)
    except FetchError:
        raise
    except Exception:
        return Ranking(NAME, (), True)


def _matches(context: Recall, passages: dict[int, Passage], limit: int) -> list[Match]:
    terms = _terms(context.query)
    best: dict[int, int] = {}  # Neuron → the first pass that matches it
    chunks: dict[int, list[int]] = {}  # Neuron → its matching chunks
    first: dict[int, int] = {}
    for chunk, passage in sorted(passages.items()):
        neuron = context.snapshot.manifest.neuron_of(chunk)
        passes = _passes(passage, terms) if neuron in context.scope_filter else []
        if passes:
            best[neuron] = min(best.get(neuron, passes[0]), passes[0])
            first.setdefault(neuron, chunk)
        if any(number % 2 for number in passes):
            chunks.setdefault(neuron, []).append(chunk)
    ranked = sorted((number, neuron) for neuron, number in best.items())
    rows = [
        Match(chunk, round(1_000_000 / (at + 1)), PARTIAL)
        for at, (_, neuron) in enumerate(ranked)
        for chunk in chunks.get(neuron, [first[neuron]])
    ]
    return rows[:limit]


def _passes(passage: Passage, terms: tuple[list[str], list[str]]) -> list[int]:
    """Return the passes that match a chunk: 0 and 1 for the whole query in path or text, 2 and 3 for one of its words."""
    path = f"{passage.neuron.path} {passage.neuron.title}".casefold()
    body = f"{passage.heading} {passage.body}".casefold()
    searches = [(words, text) for words in terms for text in (path, body)]
    return [at for at, (words, text) in enumerate(searches) if any(term in text for term in words)]


def _terms(query: ParsedQuery) -> tuple[list[str], list[str]]:
    """Return the unchanged query, and its words."""
    whole = " ".join(query.words.split()).casefold()
    words = [word for word in query.expansion.salient_terms if word != whole]
    return long_enough([whole]), long_enough(words)
