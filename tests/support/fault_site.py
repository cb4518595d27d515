"""A site in two languages with search data in many files, so that each query needs other files."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest
from ranvier_builder import Config, build
from ranvier_builder.search_settings import SearchSettings
from ranvier_builder.write import titles

from support.content import OPEN, write_tree
from support.shared import shared_folder

PAGES = 90
SMALL: dict[str, str | bytes] = {
    "index.md": "# Nerves\n\nWelcome to the home page of nerves.\n",
    "axon.md": "# Axon\n\nAn axon conducts a spike from node to node.\n",
    "myelin.md": "# Myelin\n\nMyelin is the sheath of an axon.\n",
}
_PLAIN = "the keeper of the harbour writes down what every ship brought and when it came".split()
_NARROW = {"legs": {"vector": {"min_budget": 1, "budget": 1}}}  # only the nearest cluster, so that each query needs another one


def build_faulty(folder: Path, *, animal: str = "wombat") -> Path:
    """Build the site below a folder, or build it again; `animal` is a word of every page. Return its folder."""
    write_tree(folder / "content", {f"{lang}/p{number:03}.md": page for number, lang, page in _pages(animal)})
    search = SearchSettings(preset=_NARROW)
    with patch.object(titles, "WHOLE", 4000), patch.object(titles, "RUN", 4000):
        build(folder / "content", folder / "site", Config(default_audience="public", search=search))
    return folder / "site"


@pytest.fixture(scope="session")
def faulty_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the content and the built site. Do not change it: copy it."""
    return shared_folder(tmp_path_factory, "faulty", build_faulty)


def build_small(folder: Path) -> Path:
    """Build a site that the first query fetches completely."""
    build(write_tree(folder / "content", SMALL), folder / "site", OPEN)
    return folder / "site"


def _pages(animal: str) -> list[tuple[int, str, str]]:
    random = Random(3)
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    words = ["".join(random.choice(syllables) for _ in range(random.randint(2, 4))) for _ in range(3000)]

    def prose(count: int) -> str:
        return " ".join(random.choice(words) if random.random() < 0.6 else random.choice(_PLAIN) for _ in range(count))

    def section(number: int, at: int) -> str:
        return f"## Part {random.choice(words)}\n\nUnique{number}x{at} {animal} {prose(120)}.\n"

    out = []
    for number in range(PAGES):
        lang = "de" if number % 3 == 2 else "en"
        head: Mapping[str, str] = {"lang": lang, "tags": f"[tag{number % 7}]", "kind": "guide" if number % 2 else "note"}
        lines = "\n".join(f"{name}: {value}" for name, value in head.items())
        body = "\n".join(section(number, at) for at in range(5))
        out.append((number, lang, f"---\n{lines}\n---\n# Page {number} {random.choice(words)}\n\n{body}"))
    return out
