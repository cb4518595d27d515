"""B6: the titles of folders, which the search box shows above each page; nothing of withheld or unsearched pages (A2)."""

import json
from pathlib import Path
from typing import Any

from ranvier.store.format import deflate, inflate
from ranvier_builder.check.stored import check_stored
from support.content import build_tree, index_without_engine, write_tree
from support.shared import site_fixture

TREE: dict[str, str | bytes] = {
    "index.md": "# Home\n\nHello.\n",
    "guide/index.md": "# The guide\n\nAll of it.\n",
    "guide/host-and-deploy/_index.md": "---\ntitle: Hosting\n---\nHosts.\n",
    "guide/host-and-deploy/nginx.md": "# Nginx\n\nA server.\n",
    "secret-plans/index.md": "---\ntitle: Takeover of Kestrel\naudience: []\n---\nWithheld.\n",
    "secret-plans/open.md": "# Open\n\nPublished.\n",
    "quiet/index.md": "---\ntitle: Whispered\nnoindex: true\n---\nNot searched.\n",
    "quiet/page.md": "# Page\n\nSearched.\n",
    "only-hidden/index.md": "---\ntitle: Behind the wall\n---\nx\n",
    "only-hidden/gone.md": "---\naudience: []\n---\nWithheld.\n",
    "free.md": "---\ntitle: Free\nparent: guide/index.md\n---\nMoved.\n",
}


def read(site: Path) -> dict[str, Any]:
    base = site / "_ranvier"
    name = json.loads((base / "entry.json").read_bytes())["folders"]
    data: dict[str, Any] = json.loads(inflate(name, (base / name).read_bytes()))
    return data


site = site_fixture(build_tree, TREE)


def test_folders_have_the_titles_of_their_pages(site: Path) -> None:
    folders = read(site)
    titles = dict(zip(folders["urls"], folders["titles"], strict=True))
    assert titles["guide/"] == "The guide"
    assert titles["guide/host-and-deploy/"] == "Hosting"
    at = folders["urls"].index("guide/host-and-deploy/")
    assert folders["urls"][folders["parents"][at]] == "guide/"
    assert folders["page_folders"] == {"free/": folders["urls"].index("guide/")}


def test_titles_of_withheld_and_unsearched_pages_are_not_written(site: Path) -> None:
    """A folder whose page is withheld is named after its address, also on its generated page; an unsearched one is left out."""
    folders = read(site)
    titles = dict(zip(folders["urls"], folders["titles"], strict=True))
    assert titles["secret-plans/"] == "Secret plans"
    assert folders["pageless"] == []
    assert "Secret plans" in (site / "secret-plans" / "index.html").read_text()
    assert {"quiet/", "only-hidden/"}.isdisjoint(titles)
    files = [*(site / "_ranvier" / "titles").iterdir(), *(site / "_ranvier" / "lists").iterdir()]
    search_bytes = b"".join(inflate(file.name, file.read_bytes()) for file in files)
    assert b"Hosting" in search_bytes
    assert b"Kestrel" not in search_bytes
    assert b"Whispered" not in search_bytes


def test_a_folder_around_all_others_is_left_out(tmp_path: Path) -> None:
    pages: dict[str, str | bytes] = {f"en/{name}/a.md": "# A\n\nx\n" for name in ("one", "two")}
    folders = read(build_tree(tmp_path, pages | {"en/b.md": "# B\n"}))
    assert (folders["urls"], folders["parents"], folders["page_folders"]) == (["en/one/", "en/two/"], [-1, -1], {})


def test_a_site_without_folders_has_no_file(tmp_path: Path) -> None:
    site = build_tree(tmp_path, {"a.md": "# A\n\nx\n"})
    assert json.loads((site / "_ranvier/entry.json").read_bytes())["folders"] is None


def test_the_site_is_complete_with_its_folders(site: Path) -> None:
    """The inventory names the file, and the check notices if it is damaged."""
    base = site / "_ranvier"
    file = base / json.loads((base / "entry.json").read_bytes())["folders"]

    def problems() -> list[str]:
        return [finding.file for finding in check_stored(base, lambda stage, count: None).findings]

    data, before = file.read_bytes(), problems()
    name = f"titles/{file.name}"
    assert name not in before
    file.write_bytes(deflate(inflate(name, data).replace(b"Hosting", b"Hostile")))
    assert name in problems()
    file.write_bytes(data)


def test_pages_of_another_generator_are_in_folders(tmp_path: Path) -> None:
    page = "<!doctype html><title>{0}</title><main><h1>{0}</h1><p>Words of {0}.</main>"
    pages = {"guide/index.html": "The guide", "guide/nginx.html": "Nginx", "notes/b.html": "B", "a.html": "A"}
    index_without_engine(write_tree(tmp_path, {path: page.format(title) for path, title in pages.items()}))
    folders = read(tmp_path)
    assert (folders["urls"], folders["titles"], folders["page_folders"]) == (["notes/", "guide/"], ["Notes", "The guide"], {})
    assert folders["pageless"] == [0]
