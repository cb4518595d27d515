"""Sites whose engine is split differently, or records which of its functions run."""

import atexit
import base64
import hashlib
import json
import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from ranvier_builder.engine import engine_files, make
from ranvier_builder.write.files import size_and_integrity

from support.shared import shared_folder

PARTS = ("pyodide.primary.wasm", "pyodide.secondary.wasm")
WHOLE = "pyodide.asm.wasm"
LINKED = "() => performance.getEntriesByName('ranvier: secondary linked').length"

# Precedes the worker's script; it stores the exports of the module, and sends the list of executed functions on request.
_RECORD = """const { instantiate } = WebAssembly;
const executed = () => {
  const flags = [];
  for (let at = 0; recorded[`.ran${at}`]; at++) flags.push(recorded[`.ran${at}`].value);
  return flags;
};
const channel = new BroadcastChannel("executed");
channel.onmessage = ({ data }) => data === "request" && channel.postMessage(executed());
WebAssembly.instantiate = async (...parts) => {
  const result = await instantiate(...parts);
  const { exports } = result.instance ?? result;
  if (exports[".ran0"]) globalThis.recorded = exports;
  return result;
};
"""
READ_EXECUTED = """new Promise((done) => {
  const channel = new BroadcastChannel("executed");
  channel.onmessage = ({ data }) => done(data);
  channel.postMessage("request");
})"""


@cache
def _tools() -> Path:
    """Return a folder with the engine's tools; it is removed at the end."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return make.install(str(shutil.which("npm")), folder)


def _run(script: Path, *arguments: Path) -> None:
    make.run([str(shutil.which("node")), str(script), *map(str, arguments)], _tools(), cure="use Node.js 20 or later")


@cache
def instrumented_module() -> Path:
    """Make an engine module that records which functions run."""
    out = _tools() / "instrumented.wasm"
    _run(_tools() / "instrument.mjs", engine_files().folder, out)
    return out


def instrument(site: Path, module: Path) -> None:
    """Replace the engine of a built site by the recording module, which needs no second part."""
    replace_files(site, {PARTS[0]: module})
    entry = json.loads((site / "_ranvier/entry.json").read_text("utf-8"))
    worker = (site / "_ranvier" / entry["api"]).with_name("worker.js")
    worker.write_text(_RECORD + worker.read_text("utf-8"), "utf-8")


def executed(page: Page) -> list[int]:
    """Return for each function of the module whether it has run in the worker of a page: 1 or 0."""
    flags: list[int] = page.evaluate(READ_EXECUTED)
    return flags


def hot_list(hot: Sequence[object]) -> str:
    """Return the hot functions as split.mjs reads them: one bit for each; the first is the lowest bit of the first byte."""
    bits = sum(1 << at for at, flag in enumerate(hot) if flag).to_bytes((len(hot) + 7) // 8, "little")
    digest = hashlib.sha256((engine_files().folder / WHOLE).read_bytes()).hexdigest()
    return json.dumps(pinned_list() | {"module": digest, "functions": base64.b64encode(bits).decode()}, indent=1) + "\n"


def pinned_list() -> dict[str, Any]:
    """Return hot.json: the digest of the module, its hot functions, and the data that only its cold functions read."""
    return dict(json.loads((make.HERE / make.HOT).read_text("utf-8")))


def pinned_hot() -> list[bool]:
    """Return for each function of the module whether it is in the first part of the released engine."""
    bits = base64.b64decode(pinned_list()["functions"])
    return [bool(byte >> bit & 1) for byte in bits for bit in range(8)]


def split(folder: Path, hot: Sequence[object]) -> dict[str, Path]:
    """Split the module, in a new folder, into hot and cold functions; return the files by their names."""
    folder.mkdir()
    shutil.copyfile(engine_files().folder / WHOLE, folder / WHOLE)
    (folder / make.HOT).write_text(hot_list(hot), "utf-8")
    make.split(str(shutil.which("node")), _tools(), folder, folder / make.HOT)
    return {name: folder / name for name in PARTS}


@pytest.fixture(scope="session")
def bare_parts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The two parts of the module, the first without any function."""
    folder = shared_folder(tmp_path_factory, "bare-parts", lambda folder: split(folder / "made", []))
    return {name: folder / "made" / name for name in PARTS}


def guard(site: Path) -> None:
    """Make the first part of the engine of a built site trap if it reads data of the second part."""
    replace_files(site, {PARTS[0]: _guarded_module()})


@cache
def _guarded_module() -> Path:
    script, out = _tools() / "guard.mjs", _tools() / "guarded.wasm"
    shutil.copyfile(Path(__file__).with_name(script.name), script)
    _run(script, engine_files().folder / PARTS[0], make.HERE / make.HOT, out)
    return out


def replace_files(site: Path, files: dict[str, Path]) -> None:
    """Replace files of the engine of a built site."""
    base = site / "_ranvier"
    entry = json.loads((base / "entry.json").read_text("utf-8"))
    for name, file in files.items():
        shutil.copyfile(file, base / entry["engine"] / name)
        entry["engineFiles"][name] = size_and_integrity(file.read_bytes())
    (base / "entry.json").write_text(json.dumps(entry), "utf-8")
