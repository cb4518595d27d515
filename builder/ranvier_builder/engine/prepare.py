"""Prepare the start in browsers: the core as bytecode, and a snapshot of Python's memory with the core imported.

Both must be made by the interpreter that reads them, so Node runs the engine itself. Without Node and without
prepared files, a site is published with the core's sources: it works in the same way and starts later.

Search order: the folder in `RANVIER_ENGINE_DIR`, the installed `ranvier_web/vendor/`, the user's cache.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from ranvier_builder.engine import make, obtain, trim_stdlib
from ranvier_builder.engine.annotations import without_annotations
from ranvier_builder.engine.constructors import with_constructors
from ranvier_builder.engine.obtain import EngineFiles, Progress

SOURCES = ("annotations.py", "constructors.py")
RECIPE = ("prepare.mjs", "encode.mjs", "sweep.mjs", "settle.py", "bytecode.py", "trim_stdlib.py", *SOURCES)
PREFIX = "prepared-"
CORE = "core.zip"
MEMORY = "memory"
SUMS = "sums.json"
TIMEOUT = 300


@dataclass(frozen=True, slots=True)
class Prepared:
    """The core with the modules of all languages, and the file of the core's memory snapshot: gzip, read by `snapshot.js`."""

    core: bytes
    snapshot: Path | None


def runtime_files(core: bytes, engine: EngineFiles, progress: Progress = obtain.silent) -> Prepared:
    """Find the core's bytecode and a snapshot, or make and cache them.

    `core` is the stored zip of sources that all sites share, with the modules of languages below `languages/`. Without Node, it
    is returned unchanged, without a snapshot.
    Raise `EngineError` if Node exists but fails.
    """
    if (snapshot := ready(core, engine)) is not None:
        return snapshot
    name = PREFIX + digest(core, engine)
    node = shutil.which("node")
    if node is None:
        progress("no Node.js: browsers start from the core's sources, which takes some seconds longer and fetches 1.6 MB more")
        return Prepared(core, None)
    progress("preparing the core's bytecode and a snapshot of Python's memory")
    return _prepared(obtain.cached(name, lambda into: prepare(core, engine.folder, node, into), is_whole))


def ready(core: bytes, engine: EngineFiles) -> Prepared | None:
    """Return the files that were prepared before, or None."""
    name = PREFIX + digest(core, engine)
    for folder in folders():
        if is_whole(folder / name):
            obtain.mark_used(folder / name)
            return _prepared(folder / name)
    return None


def digest(core: bytes, engine: EngineFiles) -> str:
    """Return a short hash over all inputs of the result. Node is not included: it runs the engine, and packs nothing."""
    sink = hashlib.sha256(f"{engine.digest}\n{hashlib.sha256(core).hexdigest()}\n".encode())
    for data in (*((make.HERE / name).read_bytes() for name in RECIPE), _lock().read_bytes()):
        sink.update(hashlib.sha256(data).digest())
    return sink.hexdigest()[:16]


def is_whole(folder: Path) -> bool:
    """Return whether a prepared folder exists and its files match their hashes."""
    try:
        sums = json.loads((folder / SUMS).read_text("utf-8"))
        return bool(sums == _sums(folder))
    except (OSError, ValueError):
        return False


def prepare(core: bytes, engine: Path, node: str, into: Path) -> None:
    """Fill an empty folder with Node."""
    sources = into / "sources"
    with zipfile.ZipFile(io.BytesIO(core)) as archive:
        archive.extractall(sources)
    for path in sources.rglob("*.py"):
        path.write_bytes(without_annotations(with_constructors(path.read_bytes())))
    command = [node, str(make.HERE / "prepare.mjs"), str(engine), str(_lock()), str(sources), str(into)]
    make.run(command, into, cure="use Node.js 20 or later; or remove it from PATH to build without a snapshot", timeout=TIMEOUT)
    compiled = into / "core"
    members = ((path.relative_to(compiled).as_posix(), path.read_bytes()) for path in compiled.rglob("*") if path.is_file())
    (into / CORE).write_bytes(trim_stdlib.pack(members))
    (into / SUMS).write_text(json.dumps(_sums(into)), encoding="utf-8")
    shutil.rmtree(sources)
    shutil.rmtree(compiled)


def folders() -> Iterator[Path]:
    """Yield the folders that may contain finished files, the first choice first."""
    if named := os.environ.get(obtain.VARIABLE):
        yield Path(named)
    elif (shipped := obtain.shipped_folder()) is not None:
        yield shipped
    yield obtain.cache_root()


def _lock() -> Path:
    """Return the module with the boot options of browsers: the snapshot is made with the same options."""
    return Path(str(resources.files("ranvier_web").joinpath("boot/engine-lock.js")))


def _sums(folder: Path) -> dict[str, str]:
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in (CORE, MEMORY)}


def _prepared(folder: Path) -> Prepared:
    return Prepared((folder / CORE).read_bytes(), folder / MEMORY)
