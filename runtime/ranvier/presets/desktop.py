"""[001]: bm25 10/1/5 over whole Neurons for every query; for semantic queries also cosine, fused by RRF with k = 60."""

from ranvier.legs.text import TextLeg
from ranvier.legs.vector import VectorLeg
from ranvier.presets import Limits, Preset
from ranvier.query.syntax import Understanding
from ranvier.rank.fuse import Fusion
from ranvier.store.tables import CHUNKS, NEURONS

# title 10, content 1, tags 5 (here: title, tags, heading, path, body). Headings are content; path is not indexed there.
WEIGHTS = (10.0, 5.0, 1.0, 0.0, 1.0)

_MEANING = VectorLeg(threshold=0.3, exhaustive_limit=10_000)

PRESET = Preset(
    name="desktop",
    understand=Understanding(
        drop_stops=False, tolerant_intent=False, spelling=False, variants=0, filters="off", semantic_strategy="rag"
    ),
    legs=(TextLeg("text", NEURONS, weights=WEIGHTS, min_full_matches=0), _MEANING),
    retrieve=(TextLeg("text", CHUNKS, weights=WEIGHTS, min_full_matches=0), _MEANING),  # retrieval needs chunks
    fuse=Fusion("rrf_or_raw", k=60),
    limits=Limits(results=20),
)
