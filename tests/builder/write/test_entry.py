"""B3: `build` in the entry file changes if a reader could see a difference."""

import json
from pathlib import Path
from typing import Any

import pytest
from ranvier_builder import Config
from ranvier_builder.search_settings import SearchSettings
from support.content import build_tree, index_without_engine, write_tree


def picture(width: int) -> str:
    return f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='9'/>"


CONTENT: dict[str, str | bytes] = {
    "index.md": "# Home\n\nHello ![nest](nest.svg), [there](https://there.example/).\n",
    "aside.md": "---\nnoindex: true\n---\n# Aside\n\nNot in the search.\n",
    "nest.svg": picture(1),
}
SITE: dict[str, str | bytes] = {
    "index.html": "<!doctype html><title>Home</title><main><h1>Home</h1>Hello <img src=nest.svg>.</main>",
    "aside/404.html": "<!doctype html><title>Nothing</title>",
    "nest.svg": picture(1),
}


def entry(site: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((site / "_ranvier" / "entry.json").read_text("utf-8"))
    return loaded


def entry_with(folder: Path, changes: dict[str, str | bytes]) -> dict[str, Any]:
    return entry(build_tree(folder, {**CONTENT, **changes}))


def indexed(folder: Path, changes: dict[str, str | bytes]) -> dict[str, Any]:
    site = write_tree(folder / "site", {**SITE, **changes})
    index_without_engine(site, Config(search=SearchSettings(vectors=False)))
    return entry(site)


CHANGES: dict[str, dict[str, str | bytes]] = {
    "a page that is not in the search is withheld": {"aside.md": "---\nnoindex: true\naudience: curator\n---\n# Aside\n"},
    "a picture": {"nest.svg": picture(2)},
    "the address of a link": {"index.md": "# Home\n\nHello ![nest](nest.svg), [there](https://elsewhere.example/).\n"},
}


@pytest.mark.parametrize("change", list(CHANGES))
def test_build_name_changes_with_pages_and_assets(tmp_path: Path, change: str) -> None:
    before = entry_with(tmp_path / "before", {})
    after = entry_with(tmp_path / "after", CHANGES[change])
    assert before | {"build": after["build"]} == after
    assert before["build"] != after["build"]
    assert len(after["build"]) == 24


def test_build_name_changes_with_the_search_files(tmp_path: Path) -> None:
    assert entry_with(tmp_path / "a", {})["build"] != entry_with(tmp_path / "b", {"more.md": "# More\n\nMore.\n"})["build"]


@pytest.mark.parametrize("name", ["index.html", "aside/404.html", "nest.svg", "new/file.txt"])
def test_build_name_changes_with_an_indexed_site(tmp_path: Path, name: str) -> None:
    before = indexed(tmp_path, {})
    after = indexed(tmp_path, {name: f"{SITE.get(name, '')}<!-- changed -->"})
    assert before | {"build": after["build"]} == after
    assert before["build"] != after["build"]


def test_build_name_ignores_hidden_files(tmp_path: Path) -> None:
    """And older search files. A dangling symlink does not break the build."""
    before = indexed(tmp_path, {})
    (tmp_path / "site" / "_ranvier" / "older.txt").write_text("older")
    assert indexed(tmp_path, {".git/config": "changed", ".hidden": "changed"}) == before
    (tmp_path / "site" / "nowhere").symlink_to("nothing")
    assert indexed(tmp_path, {})["build"] != before["build"]
