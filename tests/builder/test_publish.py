"""The service worker file (B3): with offline use, and without."""

import json
import re
from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.search_settings import SearchSettings
from support.content import Tree, build_tree, index_without_engine
from support.sites import ROOT

MODULES = ROOT / "runtime" / "ranvier_web"


def offline_of(site: Path) -> object:
    return json.loads((site / "_ranvier" / "entry.json").read_text())["offline"]


@pytest.mark.parametrize(
    ("offline", "address", "module"), [(True, "../ranvier-sw.js", "service-worker"), (False, None, "removal")]
)
def test_built_site_has_a_service_worker_at_the_top(tmp_path: Path, offline: bool, address: str | None, module: str) -> None:
    """It serves every page. Its name is fixed, and it imports modules named by digest."""
    out = build_tree(tmp_path, {"a.md": "# A\n"}, Config(default_audience="public", offline=offline))
    text = (out / "ranvier-sw.js").read_text()
    assert text == f'import "./_ranvier/web-0/offline/{module}.js";\n'
    assert (MODULES / "offline" / f"{module}.js").is_file()
    assert offline_of(out) == address
    assert "ranvier-sw.js" in (out / "_ranvier" / "written.txt").read_text().splitlines(), "ours to replace"


@pytest.mark.parametrize(("offline", "address", "module"), [(True, "sw.js", "service-worker"), (False, None, "removal")])
def test_indexed_site_has_a_service_worker_in_its_folder(tree: Tree, offline: bool, address: str | None, module: str) -> None:
    """N8: only `_ranvier/` is written."""
    site = tree({"index.html": "<title>A</title><main>Some text.</main>"})
    index_without_engine(site, Config(offline=offline, search=SearchSettings(vectors=False)))
    assert (site / "_ranvier" / "sw.js").read_text() == f'import "./web-0/offline/{module}.js";\n'
    assert offline_of(site) == address
    assert sorted(path.name for path in site.iterdir()) == ["_ranvier", "index.html"]


def test_service_worker_modules_import_only_each_other() -> None:
    """A service worker cannot load modules later."""
    files = [*(MODULES / "offline").glob("*.js")]
    assert files
    for file in files:
        text = file.read_text("utf-8")
        assert "import(" not in re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL), file.name
        if file.stem != "register":
            imports = re.findall(r'^import .* from "(.*)";$', text, re.MULTILINE)
            assert all(name.startswith("./") or name == "../save-data.js" for name in imports), file.name
