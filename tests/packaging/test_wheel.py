"""The wheel: its content, and that it works on its own."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this checkout, built without the network: hatchling is a tool of this environment."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    (file,) = out.glob("*.whl")
    return file


def test_wheel_content(wheel: Path) -> None:
    """Four import packages and no other top-level name, with JS, CSS, templates, SQL and types."""
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {
        "ranvier",
        "ranvier_builder",
        "ranvier_themes",
        "ranvier_web",
    }
    for name in (
        *"""ranvier_builder/write/schema.sql ranvier/py.typed ranvier_builder/integrations/material/partials/search.html
        ranvier_builder/integrations/static/ranvier.css ranvier_builder/integrations/static/ranvier.js
        ranvier_builder/engine/hot.json ranvier_builder/engine/split.mjs ranvier_builder/engine/trim.mjs
        ranvier_builder/engine/bundle.mjs ranvier_builder/engine/bundler/package-lock.json
        ranvier_builder/engine/prepare.mjs ranvier_builder/engine/bytecode.py
        ranvier_builder/engine/replacements/asyncio/__init__.py ranvier_builder/engine/replacements/_pyodide/docstring.py
        ranvier_web/boot/split.js ranvier_themes/default/templates/page.html
        ranvier_themes/default/static/style.css ranvier_web/licenses.txt ranvier_web/worker.js
        ranvier_web/ui/search-box.js""".split(),
    ):
        assert name in names
    assert not [name for name in names if "test" in name or "node_modules" in name or "__pycache__" in name]


def test_wheel_names_the_plugin_for_mkdocs(wheel: Path) -> None:
    files = zipfile.ZipFile(wheel)
    (name,) = [name for name in files.namelist() if name.endswith(".dist-info/entry_points.txt")]
    plugins = files.read(name).decode().partition("[mkdocs.plugins]\n")[2]
    assert plugins.startswith("ranvier = ranvier_builder.integrations.mkdocs:RanvierPlugin\n")


def test_wheel_builds_the_same_core_as_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """Byte-equal for wheel and editable installs."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        "import sys, hashlib, ranvier; from ranvier_builder.assets import pack_sources; "
        "print(ranvier.__file__, hashlib.sha256(pack_sources()).hexdigest())"
    )
    path, core_digest = _run(code, tmp_path).split()
    assert path.startswith(str(tmp_path))
    assert core_digest == _run(code, None).split()[1]


def _run(code: str, path: Path | None) -> str:
    prefix = f"import sys; sys.path.insert(0, {str(path)!r}); " if path else ""
    command = [sys.executable, "-c", prefix + code]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT / "tests").stdout
