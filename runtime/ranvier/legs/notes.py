"""The notes leg (L4, [000]): curators' shared notes, searched as plain substrings: no stemming, hyphens and dots count."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from ranvier.legs import LEXICAL, Leg, Recall
from ranvier.query.understand import ParsedQuery
from ranvier.store.snapshot import Steps, TermLookup
from ranvier.types import PARTIAL, WHOLE, Match, Ranking

MIN_TOKEN = 3  # characters of a token
_EDGES = "?.!,;:\"'()[]{}…¿¡«»“”‘’"
_WHOLE_QUERY, _ONE_TOKEN = 2_000_000, 1_000_000  # scores: the whole query before one of its tokens


@dataclass(frozen=True, slots=True)
class NotesLeg(Leg):
    """Searches the notes in the snapshot: notes that are not shared are never written (A4).

    `chunks`: return the first chunk of each Neuron instead of the Neuron, so that a matching note alone gives a passage.
    """

    name: str = "note"
    weight: float = 1.0
    chunks: bool = False
    kind: str = LEXICAL
    match: str = ""

    def planned_reads(self, query: ParsedQuery) -> tuple[list[TermLookup], tuple[str, ...]]:
        """Return the table of notes."""
        return [], ("note",)

    def recall(self, context: Recall) -> Steps[Ranking]:
        """Return the Neurons whose note contains the whole query, then those with one of its tokens."""
        rows = yield from context.snapshot.query("SELECT n, text FROM note ORDER BY n", (), (), ("note",))
        matches, note_matches = [], {}
        for neuron, note in rows:
            match = match_note(note, context.query.words)
            if match and neuron in context.scope_filter:
                matches.append(Match(neuron, _WHOLE_QUERY, WHOLE) if match[1] else Match(neuron, _ONE_TOKEN, PARTIAL))
                note_matches[neuron] = (note, match[0])
        matches.sort(key=lambda match: (-match.micro, match.row))
        if self.chunks:
            chunks_of = context.snapshot.manifest.chunks_of
            matches = [match._replace(row=chunks_of(match.row)[0]) for match in matches]
        return Ranking(self.name, tuple(matches[: context.candidates]), self.chunks, self.weight, note_matches=note_matches)


def match_note(note: str, query: str) -> tuple[str, bool] | None:
    """Search a note for the query in two passes; return the piece to mark, and whether it is the whole query.

    >>> match_note("Ask Obi-Wan first.", "who is Obi-Wan?")
    ('Obi-Wan', False)
    """
    phrase = " ".join(query.split()).strip(_EDGES)
    text = unicodedata.normalize("NFC", note)
    if phrase and (at := _find(text, phrase)) is not None:
        return text[at : at + len(phrase)], True
    for token in query.split():  # at blanks only: `Obi-Wan` stays one token
        bare = token.strip(_EDGES)
        if len(bare) >= MIN_TOKEN and (at := _find(text, bare)) is not None:
            return text[at : at + len(bare)], False
    return None


def _find(text: str, piece: str) -> int | None:
    """Find a piece, ignoring case. If lower() changes the length of the text, the comparison is case-sensitive."""
    lowered, needle = text.lower(), unicodedata.normalize("NFC", piece)
    at = lowered.find(needle.lower()) if len(lowered) == len(text) else text.find(needle)
    return None if at < 0 else at
