"""The module and the glue lose what only a module linked later could call, and nothing else."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ranvier_builder.engine import engine_files, make, pinned
from ranvier_builder.errors import EngineError

NPM = str(shutil.which("npm"))
NODE = str(shutil.which("node"))
needs_node = pytest.mark.skipif("None" in (NPM, NODE), reason="Node and npm make the engine")
HERE = Path(__file__).parent
SHAKEN = ("pyodide.asm.mjs", "pyodide.asm.wasm")


@pytest.fixture(scope="module")
def shaker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """shake.mjs beside the real packages that it imports."""
    return make.install(NPM, tmp_path_factory.mktemp("tools") / "two words")


def test_the_tools_are_pinned_to_the_byte_and_to_no_registry() -> None:
    named = json.loads((make.HERE / "tools/package.json").read_text("utf-8"))["dependencies"]
    locked = json.loads((make.HERE / "tools/package-lock.json").read_text("utf-8"))["packages"]
    assert locked.pop("")["dependencies"] == named
    assert set(named) == set(
        re.findall(r'^import .* from "(?!node:)(.+)";$', (make.HERE / "shake.mjs").read_text("utf-8"), re.M)
    )
    assert all(locked[f"node_modules/{name}"]["version"] == version for name, version in named.items())
    assert all(each["integrity"].startswith("sha512-") and "resolved" not in each for each in locked.values())


def test_tools_that_cannot_be_had_name_the_ways_out(tmp_path: Path) -> None:
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho EINTEGRITY >&2\nexit 1\n")
    npm.chmod(0o755)
    with pytest.raises(EngineError, match="npm failed with status 1: EINTEGRITY") as caught:
        make.install(str(npm), tmp_path / "tools")
    for way in ("registry", "set RANVIER_ENGINE_DIR to a folder", "install a released wheel"):
        assert way in (caught.value.cure or "")


@needs_node
def test_a_shake_gives_the_pinned_bytes(stock: Path, shaker: Path, tmp_path: Path) -> None:
    """Made in another folder, the engine is the same."""
    make.shake(NODE, shaker, stock, tmp_path)
    for name in SHAKEN:
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == pinned.FILES[name]


@needs_node
def test_a_glue_that_is_not_what_it_was_stops_the_making(stock: Path, shaker: Path, tmp_path: Path) -> None:
    for name in ("pyodide.mjs", "pyodide.asm.wasm"):
        shutil.copyfile(stock / name, tmp_path / name)
    (tmp_path / "pyodide.asm.mjs").write_text("async function create() {}\nexport default create;\n")
    with pytest.raises(EngineError, match=r"asks for no memory"):
        make.shake(NODE, shaker, tmp_path, tmp_path)


@needs_node
def test_what_crosses_between_the_languages_is_the_stock_engines(stock: Path, tmp_path: Path) -> None:
    """Errors, their types and traces, values, fatal ends: word by word what Pyodide as it ships says."""
    for name in pinned.FILES:
        shutil.copyfile((engine_files().folder if name == pinned.LIBRARY else stock) / name, tmp_path / name)
    ours, theirs = crossed(engine_files().folder), crossed(tmp_path)
    assert ours == theirs
    assert {"_sqlite3", "math", "unicodedata", "zlib"} <= set(ours["built in"].split())
    assert ours["too much"][2] == "MemoryError"
    assert "line 1, in runPython" in ours["through a generator"][3]
    assert ours["after"][3].startswith("Pyodide already fatally failed")


def crossed(engine: Path) -> dict[str, Any]:
    """What cross.mjs saw on an engine."""
    order = [NODE, str(HERE / "cross.mjs"), f"{engine}/"]
    done = subprocess.run(order, capture_output=True, text=True, timeout=120, check=True)
    return dict(json.loads(done.stdout))
