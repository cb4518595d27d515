"""The browser's scripts as a site serves them: packed by Rollup and Terser, found or made, like the engine.

A released wheel contains them. A checkout packs them with Node and npm after each change of a module, and caches them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from ranvier_builder.engine import make, obtain
from ranvier_builder.engine.obtain import Progress

PREFIX = "scripts-"
SCRIPTS = "scripts.json"
RECIPE = ("bundle.mjs", *(f"bundler/{name}" for name in make.TOOLS))
REASON = "the browser's scripts are not packed yet, or have changed"


def packed_scripts(modules: Mapping[str, bytes], progress: Progress = obtain.silent) -> dict[str, bytes]:
    """Return the served scripts by name, `{"api.js": b"…", …}`, made from the ES modules by name.

    Raise `EngineError` if they were not packed before, and Node or npm is missing or fails.
    """
    name = f"{PREFIX}{digest(modules)}"
    if (folder := obtain.finished_folder(name, is_whole)) is not None:
        return _read(folder)
    progress("packing the browser's scripts")
    return _read(obtain.cached(name, lambda into: pack(modules, into), is_whole))


def digest(modules: Mapping[str, bytes]) -> str:
    """Return a short hash over all inputs of the result."""
    inputs = {**modules, **{f"recipe {name}": (make.HERE / name).read_bytes() for name in RECIPE}}
    lines = "".join(f"{hashlib.sha256(data).hexdigest()} {name}\n" for name, data in sorted(inputs.items()))
    return hashlib.sha256(lines.encode()).hexdigest()[:16]


def pack(modules: Mapping[str, bytes], into: Path) -> None:
    """Write the served scripts into a folder, with Node and npm packages from the cache."""
    node, npm = (make.program(program, REASON) for program in ("node", "npm"))
    name = f"bundler-{digest({})}"
    tools = obtain.cached(name, lambda folder: make.install(npm, folder, "bundler", RECIPE[:1]), Path.is_dir)
    source = into / "modules.json"
    source.write_text(json.dumps({name: data.decode() for name, data in sorted(modules.items())}), encoding="utf-8")
    make.run([node, str(tools / "bundle.mjs"), str(source), str(into / SCRIPTS)], into, cure="use Node.js 20 or later")
    source.unlink()


def write(scripts: Mapping[str, bytes], folder: Path) -> None:
    """Write packed scripts into a new folder, in the form of the cache."""
    folder.mkdir(exist_ok=True)
    text = json.dumps({name: code.decode() for name, code in scripts.items()})
    (folder / SCRIPTS).write_text(text, encoding="utf-8", newline="\n")


def is_whole(folder: Path) -> bool:
    """Return whether a folder contains readable scripts."""
    try:
        return bool(_read(folder))
    except (OSError, ValueError):
        return False


def _read(folder: Path) -> dict[str, bytes]:
    scripts: dict[str, str] = json.loads((folder / SCRIPTS).read_text("utf-8"))
    return {name: code.encode() for name, code in scripts.items()}
