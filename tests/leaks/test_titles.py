"""A2, A3: the files of names say what published pages are called, and nothing of any other."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from leaks.conftest import Built
from leaks.tree import CONFIG, garden
from ranvier.store.format import digest
from ranvier_builder.check import find_leaks
from ranvier_builder.errors import LeakError
from ranvier_builder.model import Neuron, Rendered, Section
from ranvier_builder.write import store
from ranvier_builder.write import titles as written
from support.content import build_without_engine, write_tree

MERGER = "plans/merger.md"
TITLES = "_ranvier/titles"


def columns(site: Path) -> dict[str, Any]:
    (file,) = (site / TITLES).iterdir()
    found: dict[str, Any] = json.loads(file.read_bytes())
    return found


def plant(built: Built, value: Any) -> str:
    """Write a file of names under its digest; return its name."""
    data = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    name = f"{TITLES}/{digest(data).hex()}.json"
    write_tree(built.out, {name: data})
    return name


def found(built: Built) -> set[tuple[str, str, str]]:
    return {(leak.file, leak.kind, leak.of) for leak in find_leaks(built.out, built.content, CONFIG)}


def test_only_what_is_published_is_named(built: Built) -> None:
    said = columns(built.out)
    assert sorted(said["titles"]) == ["A quiet corner", "Garden notes", "Planting"]
    assert (said["aliases"], said["tags"], said["headings"]) == (["Sowing"], ["garden"], [])
    assert found(built) == set()


@pytest.mark.parametrize(
    ("column", "text", "kind"),
    [
        ("titles", "Merger with Lanternfold", "title"),
        ("titles", "The merger (with Lanternfold)", "title"),
        ("aliases", "Project Oakmantle", "alias"),
        ("headings", "Copperfinch terms", "text"),
        ("tags", "zephyrine", "tag"),
        ("urls", "plans/merger/", "path"),
        ("anchors", "#claim-ab12cd34", "id"),
    ],
)
def test_a_planted_name_is_found(column: str, text: str, kind: str, built: Built) -> None:
    said = columns(built.out)
    name = plant(built, said | {column: [*said[column], text]})
    leaks = found(built)
    assert (name, kind, "guide/planting.md" if kind == "id" else MERGER) in leaks
    assert {file for file, _, _ in leaks} == {name}


def guide(built: Built, start: str, titles: list[str]) -> str:
    """Plant a root that leads to a file of some titles."""
    empty = {"aliased": [], "aliases": [], "anchors": [], "headed": [0], "headings": [], "tagged": [], "tags": []}
    inner = plant(built, {**empty, "titles": titles, "urls": ["x/"]})
    return plant(built, {"files": [Path(inner).stem], "heads": [], "runs": [start]})


@pytest.mark.parametrize("titles", [[], ["Garden notes"], ["Garden of silver"]])
def test_a_root_that_tells_a_word_which_no_file_has(titles: list[str], built: Built) -> None:
    name = guide(built, "silverbriar", titles)
    assert {file for file, _, of in found(built) if of == "short.md"} == {name}


def test_a_root_may_tell_the_beginning_of_a_published_word(built: Built) -> None:
    """As a withheld page may be called, by chance: the word itself is in the file, and says so."""
    guide(built, "silverbriar", ["Silverbriars"])
    assert found(built) == set()


def test_a_root_that_leads_nowhere(built: Built) -> None:
    name = plant(built, {"files": ["0" * 24, 5], "heads": ["silverbriar"], "runs": []})
    assert {file for file, _, _ in found(built)} == {name}


def leaking(indexed: Sequence[Rendered]) -> Sequence[Rendered]:
    """Add a withheld page, as a mistake in the builder would."""
    page = indexed[-1].page
    neuron = Neuron(MERGER, "Merger with Lanternfold", "", aliases=("Project Oakmantle",), tags=("zephyrine/deal",))
    section = Section("copperfinch-terms", ("Copperfinch terms",), (2,), ())
    return [*indexed, Rendered(dataclasses.replace(page, neuron=neuron, url="plans/merger/"), "", (section,), ())]


@pytest.mark.parametrize("most", [written.WHOLE, 10])
def test_a_build_that_names_a_withheld_page(tmp_path: Path, most: int) -> None:
    true = written.write_titles

    def wrong(base: Path, indexed: Sequence[Rendered]) -> Any:
        return true(base, leaking(indexed))

    content = garden(tmp_path / "content")
    with patch.object(written, "WHOLE", most), patch.object(store, "write_titles", wrong):
        with pytest.raises(LeakError) as caught:
            build_without_engine(content, tmp_path / "out", CONFIG)
    leaks = caught.value.leaks
    assert {(leak.kind, leak.of) for leak in leaks} >= {  # type: ignore[attr-defined]
        *(("title", MERGER), ("alias", MERGER), ("tag", MERGER), ("path", MERGER), ("text", MERGER)),
    }
    assert all(leak.file.startswith(TITLES) for leak in leaks)  # type: ignore[attr-defined]
    assert not (tmp_path / "out").exists()


def test_names_in_many_files_are_no_leak(tmp_path: Path) -> None:
    content = garden(tmp_path / "content")
    with patch.object(written, "WHOLE", 10), patch.object(written, "RUN", 60), patch.object(written, "HEAD", 30):
        build_without_engine(content, tmp_path / "out", CONFIG)
    assert len(list((tmp_path / "out" / TITLES).iterdir())) > 3
    assert find_leaks(tmp_path / "out", content, CONFIG) == []


def test_a_page_that_is_not_searched_is_not_suggested(tmp_path: Path) -> None:
    """N1."""
    tree = {
        "index.md": "# Home\n\nHere.\n",
        "hidden.md": "---\nnoindex: true\naliases: [Cellar]\ntags: [dark]\n---\n# Vault\n\n## Deep\n",
    }
    build_without_engine(write_tree(tmp_path / "content", dict(tree)), tmp_path / "out")
    said = columns(tmp_path / "out")
    assert (said["titles"], said["aliases"], said["headings"], said["tags"]) == (["Home"], [], [], [])
