"""A small site with judged queries whose measures can be computed by hand."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ranvier_builder import Config
from ranvier_builder.evaluate.measures import Query
from ranvier_builder.search_settings import SearchSettings

from support.content import build_tree

WORDS = tuple("anchor bollard capstan davit ensign fender gunwale hawser jetty keel lanyard mizzen".split())
SECOND = 0.630929754  # nDCG@10 of the one right page at rank 2: 1 / log2(3)
SUMMED = {"fuse": {"by": "sum"}}  # explicit, so that the figures do not change when the default's fusion changes
NO_EXACT = SUMMED | {"adjust": {"exact": False}}  # with it, `LIGHT_TITLES` alone brings every right page up
LIGHT_TITLES = "legs.page.weights=[0.1,3.0,3.0,1.5,1.0]"


def judged_site(folder: Path, preset: dict[str, Any] = SUMMED) -> Path:
    """Build a site with two pages for each word: one has it as its title; the relevant one has it often and ranks second."""
    tree: dict[str, str | bytes] = {"index.md": "# Harbour\n\nA harbour.\n"}
    for word in WORDS:
        text = f"The {word} is scrubbed. A {word} that is dry lasts; oil the {word}. Each {word} is kept."
        tree[f"names/{word}.md"] = f"# {word.title()}\n\nA name for a boat.\n"
        tree[f"about/{word}-care.md"] = f"# Care of gear, {word[::-1]}\n\n{text}\n"
    config = Config(default_audience="public", search=SearchSettings(preset))
    return build_tree(folder, tree, config)


def about(words: Sequence[str] = WORDS) -> tuple[Query, ...]:
    """Return each word as a query."""
    return tuple(Query(word, word, {f"about/{word}-care.md": 1}) for word in words)
