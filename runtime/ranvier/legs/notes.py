"""The notes leg (L4, [000]): curators' notes that they share, as plain substrings: no stemming, hyphens and dots kept."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from ranvier.legs import LEXICAL, Leg, Recall
from ranvier.query.understand import ParsedQuery
from ranvier.store.snapshot import Sought, Steps
from ranvier.types import PARTIAL, WHOLE, Match, Ranking

LEAST = 3  # characters of a token
_EDGES = "?.!,;:\"'()[]{}…¿¡«»“”‘’"
_WHOLE_QUERY, _ONE_TOKEN = 2_000_000, 1_000_000  # scores: the whole query before one of its tokens


@dataclass(frozen=True, slots=True)
class NotesLeg(Leg):
    """Only what a snapshot holds can be found: notes that are not shared are never written (A4).

    `chunks`: it hands on the first chunk of each Neuron instead of the Neuron, so that a note alone brings a passage.
    """

    name: str = "note"
    weight: float = 1.0
    chunks: bool = False
    kind: str = LEXICAL
    match: str = ""

    def planned_reads(self, query: ParsedQuery) -> tuple[list[Sought], tuple[str, ...]]:
        """The table of notes."""
        return [], ("note",)

    def recall(self, context: Recall) -> Steps[Ranking]:
        """Return first those whose note has the whole query, then those with one of its tokens."""
        rows = yield from context.snapshot.query("SELECT n, text FROM note ORDER BY n", (), (), ("note",))
        matches, shown = [], {}
        for neuron, note in rows:
            match = matched(note, context.query.words)
            if match and neuron in context.within:
                matches.append(Match(neuron, _WHOLE_QUERY, WHOLE) if match[1] else Match(neuron, _ONE_TOKEN, PARTIAL))
                shown[neuron] = (note, match[0])
        matches.sort(key=lambda match: (-match.micro, match.row))
        if self.chunks:
            chunks_of = context.snapshot.manifest.chunks_of
            matches = [match._replace(row=chunks_of(match.row)[0]) for match in matches]
        return Ranking(self.name, tuple(matches[: context.candidates]), self.chunks, self.weight, shown=shown)


def matched(note: str, query: str) -> tuple[str, bool] | None:
    """Look for the query in a note in two passes; return what of the note to mark, and whether it was the whole query.

    >>> matched("Ask Obi-Wan first.", "who is Obi-Wan?")
    ('Obi-Wan', False)
    """
    whole = " ".join(query.split()).strip(_EDGES)
    text = unicodedata.normalize("NFC", note)
    if whole and (at := _find(text, whole)) is not None:
        return text[at : at + len(whole)], True
    for token in query.split():  # at blanks only: `Obi-Wan` stays one
        bare = token.strip(_EDGES)
        if len(bare) >= LEAST and (at := _find(text, bare)) is not None:
            return text[at : at + len(bare)], False
    return None


def _find(text: str, piece: str) -> int | None:
    """Find a piece whatever its case; lower() may lengthen a text, and then only the text as it is is looked at."""
    low, wanted = text.lower(), unicodedata.normalize("NFC", piece)
    at = low.find(wanted.lower()) if len(low) == len(text) else text.find(wanted)
    return None if at < 0 else at
