"""[000]: FTS5 over whole Neurons for `search` and over chunks for `retrieve`, shared notes beside them, one plain bm25."""

from ranvier.legs.notes import NotesLeg
from ranvier.legs.text import TextLeg
from ranvier.presets import Limits, Preset
from ranvier.query.syntax import Understanding
from ranvier.rank.fuse import Fusion
from ranvier.store.tables import CHUNKS, NEURONS

# title, tags, heading, path, body: [000] indexes title, content and breadcrumb of Neurons, and content and breadcrumb (which
# begins with the title) of chunks, all with the same weight.
PRESET = Preset(
    name="wiki",
    understand=Understanding(drop_stops=False, spelling=False, variants=0, filters="off", semantic_strategy="bm25"),
    legs=(TextLeg("text", NEURONS, weights=(1.0, 0.0, 1.0, 0.0, 1.0), min_full_matches=0), NotesLeg()),
    retrieve=(TextLeg("text", CHUNKS, weights=(1.0, 0.0, 1.0, 0.0, 1.0), min_full_matches=0), NotesLeg(chunks=True)),
    fuse=Fusion("raw"),
    limits=Limits(results=20, overfetch=3),
)
