"""[003]: the same words in two indexes, trigrams and stems, by RRF; every token in quotes."""

from ranvier.legs.substring import SubstringLeg
from ranvier.legs.text import TextLeg
from ranvier.presets import Limits, Preset
from ranvier.query.syntax import Understanding
from ranvier.rank.fuse import Fusion
from ranvier.store.tables import CHUNKS

PRESET = Preset(
    name="tasks",
    understand=Understanding(
        operators=False, drop_stops=False, spelling=False, variants=0, filters="off", semantic_strategy="bm25"
    ),
    legs=(
        SubstringLeg("trigram", (1.0, 1.0, 1.0), literal=True),
        TextLeg("text", CHUNKS, weights=(1.0, 0.0, 1.0, 0.0, 1.0), min_full_matches=0),
    ),
    fuse=Fusion("rrf", k=60),
    limits=Limits(results=20, candidates_grow=True),
)
