"""Sites whose engine is split in another way, or records which of its functions run."""

from __future__ import annotations

import atexit
import base64
import gzip
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

# Stands before the worker's own script, remembers the module's instance, and tells whoever asks what has run.
_CAPTURE = """const { instantiate } = WebAssembly;
const ran = () => {
  const all = [];
  for (let at = 0; noted[`.ran${at}`]; at++) all.push(noted[`.ran${at}`].value);
  return all;
};
const channel = new BroadcastChannel("ran");
channel.onmessage = ({ data }) => data === "ran?" && channel.postMessage(ran());
WebAssembly.instantiate = async (...parts) => {
  const made = await instantiate(...parts);
  const { exports } = made.instance ?? made;
  if (exports[".ran0"]) globalThis.noted = exports;
  return made;
};
"""
ASK_WHAT_RAN = """new Promise((done) => {
  const channel = new BroadcastChannel("ran");
  channel.onmessage = ({ data }) => done(data);
  channel.postMessage("ran?");
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
def noting_module() -> Path:
    """Make an engine module that records which functions run."""
    out = _tools() / "noting.wasm"
    _run(_tools() / "instrument.mjs", engine_files().folder, make.HERE / make.HOT, out)
    return out


def note(site: Path, module: Path) -> None:
    """Give a built site the recording module; it is the first part and needs no second one."""
    put(site, {PARTS[0]: module})
    entry = json.loads((site / "_ranvier/entry.json").read_text("utf-8"))
    worker = (site / "_ranvier" / entry["api"]).with_name("worker.js")
    worker.write_text(_CAPTURE + worker.read_text("utf-8"), "utf-8")


def ran(page: Page) -> list[int]:
    """Return for each function of the module whether it has run in the worker of a page: 1 or 0."""
    results: list[int] = page.evaluate(ASK_WHAT_RAN)
    return results


def hot_list(ran: Sequence[object]) -> str:
    """Return the list of hot functions as split.mjs reads it: one bit for each, the first lowest in the first byte."""
    bits = sum(1 << at for at, hot in enumerate(ran) if hot).to_bytes((len(ran) + 7) // 8, "little")
    digest = hashlib.sha256((engine_files().folder / WHOLE).read_bytes()).hexdigest()
    return json.dumps(pinned_list() | {"module": digest, "functions": base64.b64encode(bits).decode()}, indent=1) + "\n"


def pinned_list() -> dict[str, Any]:
    """Return what hot.json holds: the digest of the module, its hot functions, and the data that only others read."""
    return dict(json.loads((make.HERE / make.HOT).read_text("utf-8")))


def pinned_hot() -> list[bool]:
    """Return for each function of the module whether it is in the first part of the engine that ships."""
    bits = base64.b64decode(pinned_list()["functions"])
    return [bool(byte >> bit & 1) for byte in bits for bit in range(8)]


def parts(folder: Path, ran: Sequence[object]) -> dict[str, Path]:
    """Split the module, in a new folder, into the functions that ran and all others; return the files by their names."""
    folder.mkdir()
    shutil.copyfile(engine_files().folder / WHOLE, folder / WHOLE)
    (folder / make.HOT).write_text(hot_list(ran), "utf-8")
    make.split(str(shutil.which("node")), _tools(), folder, folder / make.HOT)
    return {name: folder / name for name in PARTS}


@pytest.fixture(scope="session")
def bare_parts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The two parts of the module, the first without any function."""
    folder = shared_folder(tmp_path_factory, "bare-parts", lambda folder: parts(folder / "made", []))
    return {name: folder / "made" / name for name in PARTS}


def guard(site: Path) -> None:
    """Make the first part of the engine of a built site trap if it reads data of the second part."""
    put(site, {PARTS[0]: _changed("guard.mjs")})


@cache
def _changed(script: str) -> Path:
    """Make another first part with a script beside this file."""
    shutil.copyfile(Path(__file__).with_name(script), _tools() / script)
    out = (_tools() / script).with_suffix(".wasm")
    _run(_tools() / script, engine_files().folder / PARTS[0], make.HERE / make.HOT, out)
    return out


def poison(site: Path) -> None:
    """Fill these data with a pattern at the start."""
    put(site, {PARTS[0]: _changed("poison.mjs")})
    base = site / "_ranvier"
    entry = json.loads((base / "entry.json").read_text("utf-8"))
    snapshot = base / entry["snapshot"][0]
    line, _, pages = gzip.decompress(snapshot.read_bytes()).partition(b"\n")
    head = json.loads(line)
    words = sum(each["end"] - each["from"] for each in pinned_list()["deferred"]) // 4
    head["fresh"][1] = (head["fresh"][1] + words * 0xA5A5A5A5) % 2**32
    snapshot.write_bytes(gzip.compress(json.dumps(head).encode() + b"\n" + pages, 1))
    entry["snapshot"][1:] = size_and_integrity(snapshot.read_bytes())
    (base / "entry.json").write_text(json.dumps(entry), "utf-8")


def put(site: Path, files: dict[str, Path]) -> None:
    """Put other files into the engine of a built site."""
    base = site / "_ranvier"
    entry = json.loads((base / "entry.json").read_text("utf-8"))
    for name, file in files.items():
        shutil.copyfile(file, base / entry["engine"] / name)
        entry["engineFiles"][name] = size_and_integrity(file.read_bytes())
    (base / "entry.json").write_text(json.dumps(entry), "utf-8")
