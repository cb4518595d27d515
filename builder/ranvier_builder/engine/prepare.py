"""Compile the core to bytecode, and its patterns, so that browsers need not.

The interpreter that reads bytecode must make it, so Node runs the engine itself. Without Node and without prepared
files, a site is published with the core's sources: it works in the same way and starts later.

Search order: the folder in `RANVIER_ENGINE_DIR`, the installed `ranvier_web/vendor/`, the user's cache.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import zipfile
from importlib import resources
from pathlib import Path

from ranvier_builder.engine import make, obtain, trim_stdlib
from ranvier_builder.engine.annotations import without_annotations
from ranvier_builder.engine.constructors import with_constructors
from ranvier_builder.engine.obtain import EngineFiles, Progress

SOURCES = ("annotations.py", "constructors.py")
RECIPE = ("prepare.mjs", "bytecode.py", "patterns.py", "trim_stdlib.py", *SOURCES)
PREFIX = "prepared-"
CORE = "core.zip"
DIGEST = "core.sha256"
TIMEOUT = 300


def runtime_files(core: bytes, engine: EngineFiles, progress: Progress = obtain.silent) -> bytes:
    """Find the core's bytecode, or make and cache it.

    `core` is the stored zip of sources that all sites share, with the modules of languages below `languages/`. The
    result is such a zip, too. Without Node, `core` is returned unchanged.
    Raise `EngineError` if Node exists but fails.
    """
    if (prepared := ready(core, engine)) is not None:
        return prepared
    name = PREFIX + digest(core, engine)
    node = shutil.which("node")
    if node is None:
        progress("no Node.js: browsers start from the core's sources, which takes some seconds longer and fetches 1.6 MB more")
        return core
    progress("compiling the core to bytecode")
    return (obtain.cached(name, lambda into: prepare(core, engine.folder, node, into), is_whole) / CORE).read_bytes()


def ready(core: bytes, engine: EngineFiles) -> bytes | None:
    """Return the bytecode that was made before, or None."""
    folder = obtain.finished_folder(PREFIX + digest(core, engine), is_whole)
    return (folder / CORE).read_bytes() if folder else None


def digest(core: bytes, engine: EngineFiles) -> str:
    """Return a short hash over all inputs of the result. Node is not included: it runs the engine, and packs nothing."""
    sink = hashlib.sha256(f"{engine.digest}\n{hashlib.sha256(core).hexdigest()}\n".encode())
    for data in (*((make.HERE / name).read_bytes() for name in RECIPE), _lock().read_bytes()):
        sink.update(hashlib.sha256(data).digest())
    return sink.hexdigest()[:16]


def is_whole(folder: Path) -> bool:
    """Return whether a prepared folder exists and its archive has the digest beside it."""
    try:
        return hashlib.sha256((folder / CORE).read_bytes()).hexdigest() == (folder / DIGEST).read_text("utf-8")
    except (OSError, ValueError):
        return False


def write(core: bytes, folder: Path) -> None:
    """Write an archive and its digest into a folder, in the form of the cache."""
    folder.mkdir(exist_ok=True)
    (folder / CORE).write_bytes(core)
    (folder / DIGEST).write_text(hashlib.sha256(core).hexdigest(), "utf-8")


def prepare(core: bytes, engine: Path, node: str, into: Path) -> None:
    """Fill an empty folder with Node."""
    sources, compiled = into / "sources", into / "compiled"
    with zipfile.ZipFile(io.BytesIO(core)) as archive:
        archive.extractall(sources)
    for path in sources.rglob("*.py"):
        path.write_bytes(without_annotations(with_constructors(path.read_bytes())))
    command = [node, str(make.HERE / "prepare.mjs"), str(engine), str(_lock()), str(sources), str(compiled)]
    cure = "use Node.js 20 or later; or remove it from PATH to publish the core's sources"
    make.run(command, into, cure=cure, timeout=TIMEOUT)
    members = ((path.relative_to(compiled).as_posix(), path.read_bytes()) for path in compiled.rglob("*") if path.is_file())
    write(trim_stdlib.pack(members), into)
    shutil.rmtree(sources)
    shutil.rmtree(compiled)


def _lock() -> Path:
    """Return the module with the boot options of browsers: its hash seed decides the order of sets in bytecode."""
    return Path(str(resources.files("ranvier_web").joinpath("boot/engine-lock.js")))
