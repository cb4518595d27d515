"""[002]: text, trigrams and vectors by RRF; then authority, links, and a floor under confidence."""

from ranvier.legs.substring import SubstringLeg
from ranvier.legs.text import TextLeg
from ranvier.legs.vector import VectorLeg
from ranvier.presets import Limits, Preset
from ranvier.query.syntax import Understanding
from ranvier.rank.authority import Authority
from ranvier.rank.confidence import ConfidenceGate
from ranvier.rank.fuse import Fusion
from ranvier.rank.graph import LinkBoost
from ranvier.store.tables import CHUNKS, NEURONS

PRESET = Preset(
    name="brain",
    understand=Understanding(drop_stops=False, spelling=False, variants=0, filters="off"),
    legs=(
        TextLeg("bm25", NEURONS, weights=(1.0, 1.0, 1.0, 1.0, 1.0), min_full_matches=0),
        SubstringLeg("trigram", (1.0, 1.0, 1.0), hybrid=True),
        VectorLeg(),
    ),
    fuse=Fusion("rrf", k=60, scaled=True),
    adjust=(Authority(), LinkBoost()),
    gate=ConfidenceGate(min_confidence=0.3, by="score"),
    limits=Limits(results=10),
    # Passages are ranked by their own words, not by those of their page.
    retrieve=(
        TextLeg("bm25", CHUNKS, weights=(1.0, 1.0, 1.0, 1.0, 1.0), min_full_matches=0),
        SubstringLeg("trigram", (1.0, 1.0, 1.0), hybrid=True),
        VectorLeg(),
    ),
)
