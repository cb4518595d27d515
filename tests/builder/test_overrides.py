"""Search settings become data of the snapshot (Q3, Q7): they refer to published pages only."""

from pathlib import Path
from typing import Any

import pytest
import ranvier
from ranvier.query.segments import Segment
from ranvier_builder import Config, pipeline, publish
from ranvier_builder.model import Warn
from ranvier_builder.overrides import site_overrides
from ranvier_builder.search_settings import Pin, SearchSettings
from support.content import OPEN, write_tree
from support.stores import make_store

TREE: dict[str, str | bytes] = {
    "index.md": "# Home\n\nOf harbours.\n",
    "a.md": "---\nid: first\n---\n# Quay\n\nA harbour has a quay.\n",
    "deep/b.md": "---\naliases: [landing]\n---\n# Pier\n\nThe pier of a harbour; harbour, harbour.\n",
    "deep/c.md": "---\nlang: de\n---\n# Der Hafen\n\nEin Hafen hat Mauern.\n",
    "quiet.md": "---\nnoindex: true\n---\n# Quiet\n\nNot searched.\n",
    "secret.md": "---\naudience: curator\n---\n# Zephyrine plan\n\nNobody may know.\n",
    "other/secret.md": "# Another\n\nOf the same file name.\n",
}


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "content", TREE)


def tuned(content: Path, **settings: object) -> tuple[dict[str, Any], list[Warn]]:
    all_settings = {"search": SearchSettings(abbreviations=False)} | settings
    config = Config(default_audience="public", **all_settings)  # type: ignore[arg-type]
    return site_overrides(config, pipeline.survey(content, config).rendered)


def number(content: Path, path: str) -> int:
    """The number of a page in the snapshot."""
    rendered = pipeline.survey(content, OPEN).rendered
    return [page.page.neuron.path for page in rendered if not page.page.neuron.noindex].index(path) + 1


def searched(content: Path, folder: Path, query: str, **settings: object) -> list[str]:
    """Write a store that is tuned so, and search it: titles."""
    config = Config(default_audience="public", **settings)  # type: ignore[arg-type]
    result = pipeline.survey(content, config)
    make_store(folder, result.rendered, collection=publish.collection_of(result.publication(config), config))
    with ranvier.open_snapshot(folder / "base") as library:
        return [hit.title for hit in library.search(query).hits]


def test_default_settings_write_nothing(content: Path) -> None:
    assert tuned(content) == ({}, [])
    assert tuned(content, search=SearchSettings(substring=False, abbreviations=False)) == ({}, [])


@pytest.mark.parametrize(
    ("name", "path"),
    [
        *((name, "a.md") for name in ("first", "a.md", "a", "/a/", "Quay", "quay")),
        *((name, "deep/b.md") for name in ("landing", "deep/b/")),
        ("/", "index.md"),
        ("other/secret.md", "other/secret.md"),
    ],
)
def test_pins_are_resolved_to_pages(content: Path, name: str, path: str) -> None:
    values, warnings = tuned(content, pins=(Pin("moor", (name,)),))
    assert values["pins"]["moor="] == [number(content, path)]
    assert not warnings


@pytest.mark.parametrize("name", ["secret.md", "Zephyrine plan", "quiet.md", "nosuch", "secret.md "])
def test_pin_on_an_unpublished_page_is_dropped(content: Path, name: str) -> None:
    """A2: neither number nor query is written; the warning is the same for withheld and missing pages."""
    values, (warning,) = tuned(content, pins=(Pin("zephyrine", (name,), ("site.toml", 7)),))
    assert values == {}
    assert str(warning) == f"site.toml:7: the search does not contain the target of a pin: {name}"


def test_pins_of_equal_queries_are_merged_in_every_language(content: Path) -> None:
    pins = (Pin("Häfen", ("deep/c.md", "nosuch", "a.md")), Pin("häfen!", ("a.md", "deep/b.md")))
    values, warnings = tuned(content, pins=pins)
    numbers = [number(content, path) for path in ("deep/c.md", "a.md", "deep/b.md")]
    assert values["pins"] == {ranvier.text.name("Häfen", lang): numbers for lang in ("en", "de")}
    assert len(warnings) == 1


def test_other_settings_are_stored(content: Path) -> None:
    preset = {"limits": {"results": 3}}
    segments = (Segment("code", "def", "bm25"), Segment("why", "why", path="deep"))
    search = SearchSettings(preset, abbreviations=False)
    result = tuned(content, segments=segments, synonyms={"wharf": ("quay", "pier")}, search=search)
    code = {"name": "code", "pattern": "def", "strategy": "bm25", "path": ""}
    why = {"name": "why", "pattern": "why", "strategy": "auto", "path": "deep"}
    assert result == ({"segments": [code, why], "synonyms": {"wharf": ["quay", "pier"]}, "preset": preset}, [])


def test_abbreviations_are_synonyms(content: Path, tmp_path: Path) -> None:
    """Q7: in English and in the languages of the pages; synonyms of the site come first, and a setting disables them."""
    result = tuned(content, search=SearchSettings(), synonyms={"env": ("harbour",)})[0]["synonyms"]
    assert result["auth"] == ["authentication", "authorization", "authentifizierung", "autorisierung"]
    assert result["env"] == ["harbour"]
    assert "appli" not in result, "no page is in French"
    write_tree(
        content, {"settings.md": "# Configuration\n\nWhat is configured.\n", "config.md": "# Files\n\nA config of ours.\n"}
    )
    assert sorted(searched(content, tmp_path / "1", "configs")) == ["Configuration", "Files"]
    assert searched(content, tmp_path / "2", "configs", search=SearchSettings(abbreviations=False)) == ["Files"]


def test_settings_change_the_search(content: Path, tmp_path: Path) -> None:
    """Pins come first in their order; synonyms match; a segment narrows to its folder; presets are overridden."""
    plain = searched(content, tmp_path / "1", "harbour")
    assert plain[-1] != "Home"
    assert set(plain) == {"Pier", "Quay", "Home"}
    pins = (Pin("Harbours", ("index.md", "a.md")),)
    assert searched(content, tmp_path / "2", "harbour", pins=pins)[:2] == ["Home", "Quay"]
    assert searched(content, tmp_path / "3", "wharf") == []
    assert searched(content, tmp_path / "4", "wharf", synonyms={"wharf": ("quay",)}) == ["Quay"]
    segments = (Segment("deep", "harbou?r", path="deep"),)
    assert searched(content, tmp_path / "5", "harbour", segments=segments) == ["Pier"]
    search = SearchSettings({"limits": {"results": 1}})
    assert len(searched(content, tmp_path / "6", "harbour", search=search)) == 1


def test_site_without_substring_index(content: Path, tmp_path: Path) -> None:
    """A search without a hit then finds nothing and does not fail."""
    assert set(searched(content, tmp_path / "1", "arbou")) == {"Pier", "Quay", "Home"}
    assert searched(content, tmp_path / "2", "arbou", search=SearchSettings(substring=False)) == []
    sizes = [sum(file.stat().st_size for file in (tmp_path / text / "base").rglob("*.bin")) for text in ("1", "2")]
    assert sizes[1] < sizes[0]
