"""[004]: grep recalls, BM25 over five fields ranks, folders and links boost, min–max; filters guarantee their Neurons."""

from ranvier.legs.grep import GrepLeg, RankedAmong
from ranvier.legs.text import TextLeg
from ranvier.legs.vector import VectorLeg
from ranvier.presets import Limits, Preset
from ranvier.query.syntax import Understanding
from ranvier.rank.diversity import Diversity
from ranvier.rank.fuse import Fusion
from ranvier.rank.graph import GraphBoost
from ranvier.rank.groups import FolderBoost, TagBoost
from ranvier.rank.normalise import MinMax
from ranvier.store.tables import CHUNKS

# title 5, tags 4, heading 2.5, path 1.5, body 1; OR of prefixes.
_RANKED = TextLeg("fulltext", CHUNKS, weights=(5.0, 4.0, 2.5, 1.5, 1.0), any_word=True, prefixes=True)

PRESET = Preset(
    name="vault",
    understand=Understanding(operators=False, spelling=False, filters="guarantee", variants=3, keyword_strategy="rag"),
    legs=(RankedAmong("lexical", GrepLeg(limit=200), _RANKED), VectorLeg()),
    fuse=Fusion("blend"),
    # Semantic hits join with their own scores, after all stages above have changed the lexical hits.
    adjust=(FolderBoost(of="lexical"), GraphBoost(of="lexical"), MinMax(of="lexical"), TagBoost(of="lexical")),
    diversify=Diversity(enabled=True),
    limits=Limits(results=30, candidates=200, return_all=100),
)
