"""Sites whose engine is split in another way, or records which of its functions run."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from ranvier_builder.engine import engine_files, make
from ranvier_builder.write.files import sealed

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


def noting_module(folder: Path) -> Path:
    """Make, in a new folder, an engine module that records which functions run."""
    tools = make.install(str(shutil.which("npm")), folder)
    out = folder / "noting.wasm"
    order = ["instrument.mjs", str(engine_files().folder), str(make.HERE / make.HOT), str(out)]
    make.run([str(shutil.which("node")), str(tools / order[0]), *order[1:]], folder, cure="use Node.js 20 or later")
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
    tools = make.install(str(shutil.which("npm")), folder)
    shutil.copyfile(engine_files().folder / WHOLE, folder / WHOLE)
    (folder / make.HOT).write_text(hot_list(ran), "utf-8")
    make.split(str(shutil.which("node")), tools, folder, folder / make.HOT)
    return {name: folder / name for name in PARTS}


def guard(site: Path, folder: Path) -> None:
    """Make the first part of the engine of a built site trap if it reads data of the second part."""
    put(site, {PARTS[0]: changed("guard.mjs", folder)})


def changed(script: str, folder: Path) -> Path:
    """Make another first part, in a new folder, with a script beside this file."""
    tools = make.install(str(shutil.which("npm")), folder)
    shutil.copyfile(Path(__file__).with_name(script), tools / script)
    out = folder / "changed.wasm"
    order = [str(shutil.which("node")), script, str(engine_files().folder / PARTS[0]), str(make.HERE / make.HOT), str(out)]
    make.run(order, tools, cure="use Node.js 20 or later")
    return out


def poison(site: Path, folder: Path) -> None:
    """Fill these data with a pattern at the start."""
    put(site, {PARTS[0]: changed("poison.mjs", folder)})
    base = site / "_ranvier"
    entry = json.loads((base / "entry.json").read_text("utf-8"))
    snapshot = base / entry["snapshot"][0]
    line, _, pages = gzip.decompress(snapshot.read_bytes()).partition(b"\n")
    head = json.loads(line)
    words = sum(each["end"] - each["from"] for each in pinned_list()["deferred"]) // 4
    head["fresh"][1] = (head["fresh"][1] + words * 0xA5A5A5A5) % 2**32
    snapshot.write_bytes(gzip.compress(json.dumps(head).encode() + b"\n" + pages, 1))
    entry["snapshot"][1:] = sealed(snapshot.read_bytes())
    (base / "entry.json").write_text(json.dumps(entry), "utf-8")


def put(site: Path, files: dict[str, Path]) -> None:
    """Put other files into the engine of a built site."""
    base = site / "_ranvier"
    entry = json.loads((base / "entry.json").read_text("utf-8"))
    for name, file in files.items():
        shutil.copyfile(file, base / entry["engine"] / name)
        entry["engineFiles"][name] = sealed(file.read_bytes())
    (base / "entry.json").write_text(json.dumps(entry), "utf-8")
