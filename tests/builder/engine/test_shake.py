"""The module and its loader lose only what a dynamically linked module could call."""

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
FOLDER = Path(__file__).parent
WHOLE = "pyodide.asm.wasm"
NUMBERS = {
    # Of UTF-8, of Unicode, and of what lies beyond it.
    *(925_824, 983_040, 1_047_552, 1_048_320, 1_048_575, 1_048_576, 1_114_111, 1_114_112, 1_179_648),
    # Powers of ten, a factor of hashes.
    *(999_999, 1_000_000, 1_000_003),
    # Flags of files and of expressions, and sets of small numbers as bits.
    *(1_052_672, 1_359_873, 1_605_634, 3_672_064),
}
"""Numbers in the first part's functions that are no addresses of deferred data, though they could be."""


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our scripts beside the real packages that they import."""
    return make.install(NPM, tmp_path_factory.mktemp("tools") / "two words")


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    """What the engine does in one part."""
    return conversions(engine_files().folder)


def test_build_tools_are_pinned_by_digest_without_a_host() -> None:
    dependencies = json.loads((make.HERE / "tools/package.json").read_text("utf-8"))["dependencies"]
    locked = json.loads((make.HERE / "tools/package-lock.json").read_text("utf-8"))["packages"]
    assert locked.pop("")["dependencies"] == dependencies
    imported = (
        re.findall(r'^import .* from "(?!node:|\./)(.+)";$', (make.HERE / name).read_text("utf-8"), re.M)
        for name in make.SCRIPTS
    )
    assert set(dependencies) == {package for each in imported for package in each}
    assert all(locked[f"node_modules/{name}"]["version"] == version for name, version in dependencies.items())
    assert all(each["integrity"].startswith("sha512-") and "resolved" not in each for each in locked.values())


def test_missing_build_tools_are_an_error_with_the_cures(tmp_path: Path) -> None:
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho EINTEGRITY >&2\nexit 1\n")
    npm.chmod(0o755)
    with pytest.raises(EngineError, match="npm failed with status 1: EINTEGRITY") as caught:
        make.install(str(npm), tmp_path / "tools")
    for cure in ("registry", "set RANVIER_ENGINE_DIR to a folder", "install a released wheel"):
        assert cure in (caught.value.cure or "")


@needs_node
def test_changed_loader_script_stops_the_build(stock: Path, tools: Path, tmp_path: Path) -> None:
    for name in ("pyodide.mjs", "pyodide.asm.wasm"):
        shutil.copyfile(stock / name, tmp_path / name)
    (tmp_path / "pyodide.asm.mjs").write_text("async function create() {}\nexport default create;\n")
    with pytest.raises(EngineError, match=r"asks for no memory"):
        make.shake(NODE, tools, tmp_path, tmp_path)


@needs_node
def test_missing_frozen_modules_stop_the_build(stock: Path, tools: Path, tmp_path: Path) -> None:
    """Smaller ones are in this module already."""
    shutil.copyfile(engine_files().folder / WHOLE, tmp_path / WHOLE)
    with pytest.raises(EngineError, match=r"a frozen module of \d+ bytes cannot be replaced"):
        make.lighten(NODE, tools, stock, tmp_path)


@needs_node
def test_conversions_agree_with_stock_pyodide(stock: Path, whole: dict[str, Any], tmp_path: Path) -> None:
    """Errors, their types and traces, values, and fatal errors."""
    for name in pinned.STOCK:
        shutil.copyfile((engine_files().folder if name == pinned.LIBRARY else stock) / name, tmp_path / name)
    assert whole == conversions(tmp_path)
    assert {"_sqlite3", "math", "unicodedata", "zlib"} <= set(whole["built in"].split())
    assert whole["too much"][2] == "MemoryError"
    assert whole["interrupted"][2] == "KeyboardInterrupt"
    assert whole["collected"] is True
    assert "line 1, in runPython" in whole["through a generator"][3]
    assert whole["after"][3].startswith("Pyodide already fatally failed")


@needs_node
def test_first_part_has_no_address_of_deferred_data(tools: Path) -> None:
    """A function can read them only if the second part passes the address."""
    shutil.copyfile(FOLDER / "addresses.mjs", tools / "addresses.mjs")
    order = [NODE, "addresses.mjs", str(engine_files().folder), str(make.HERE / make.HOT)]
    result = subprocess.run(order, cwd=tools, capture_output=True, text=True, timeout=120, check=True).stdout
    assert set(json.loads(result)) == NUMBERS


@needs_node
def test_hot_functions_of_another_module_stop_the_build(tools: Path, tmp_path: Path) -> None:
    shutil.copyfile(engine_files().folder / "pyodide.asm.wasm", tmp_path / "pyodide.asm.wasm")
    (tmp_path / "hot.json").write_text('{"module": "5eed", "functions": ""}')
    with pytest.raises(EngineError, match=f"hot functions are those of module 5eed, and this one is {pinned.FILES[WHOLE]}"):
        make.split(NODE, tools, tmp_path, tmp_path / "hot.json")


@needs_node
@pytest.mark.parametrize("hot", ["pinned", "none"])
def test_conversions_agree_in_two_parts(tools: Path, whole: dict[str, Any], tmp_path: Path, hot: str) -> None:
    """Errors, traces, endless recursion, interrupts, and fatal errors; without hot functions every call is a stub."""
    folder = tmp_path / "engine"
    shutil.copytree(engine_files().folder, folder)
    if hot == "none":
        hot_list = json.loads((make.HERE / make.HOT).read_text("utf-8"))
        (tmp_path / "hot.json").write_text(json.dumps(hot_list | {"functions": ""}))
        make.split(NODE, tools, folder, tmp_path / "hot.json")
    parts = conversions(folder, "parts")
    assert parts.pop("links") == 1
    assert parts == whole


def conversions(engine: Path, *options: str) -> dict[str, Any]:
    """What cross.mjs saw on an engine."""
    order = [NODE, str(FOLDER / "cross.mjs"), f"{engine}/", *options]
    process = subprocess.run(order, capture_output=True, text=True, timeout=120, check=True)
    return dict(json.loads(process.stdout))
