"""The default preset. Every number was chosen by measurement (see "The default ranking" in the manual's decisions)."""

from ranvier.legs.notes import NotesLeg
from ranvier.legs.pairs import PairsLeg
from ranvier.legs.substring import SubstringLeg
from ranvier.legs.text import TextLeg
from ranvier.legs.vector import VectorLeg
from ranvier.presets import Limits, Preset
from ranvier.query.syntax import Understanding
from ranvier.rank.confidence import ConfidenceGate
from ranvier.rank.diversity import Diversity
from ranvier.rank.fuse import Fusion
from ranvier.rank.prior import Linked, Weight
from ranvier.rank.tiers import Coverage, Exact
from ranvier.store.tables import CHUNKS, NEURONS

# title, tags, heading, path, body
_PAGE = (3.0, 3.0, 3.0, 1.5, 1.0)

PRESET = Preset(
    name="default",
    understand=Understanding(),
    legs=(
        TextLeg("page", NEURONS, weights=_PAGE, min_full_matches=10, short_query_words=3),
        TextLeg("section", CHUNKS, weights=(2.0, 3.0, 4.0, 1.0, 1.0), by_length=1 / 3, candidates=500, any_word=True),
        PairsLeg("pairs", weights=_PAGE, weight=0.3),
        NotesLeg(),
        SubstringLeg(last_resort=True),
        VectorLeg(
            threshold=0.1, threshold_without_words=0.2, lead=0.2, quotation_factor=0.3, candidates=150, exhaustive_limit=1200
        ),
    ),
    fuse=Fusion("sum", collapse_repeats=True),
    adjust=(
        *(Weight(), Linked()),
        Coverage(whole=2.0, prefix=1.0),
        # Larger than any bm25 score: these gains divide the list into tiers, and scores sort each tier.
        Exact(title=1000.0, heading=500.0, ending=100.0, prefix=0.6, part=400.0, within=10.0, step=100.0),
    ),
    gate=ConfidenceGate(),
    diversify=Diversity(enabled=True, per_neuron=3, versions=True, translations=True),
    limits=Limits(results=30, candidates=200),
)
