"""Prepares what a browser starts from: the core as bytecode, and Python's memory with the core imported.

Both have to be made by the interpreter that will read them, so Node runs the engine itself; without Node, and with
nothing ready-made, a site goes out with the core's sources: it works the same and starts later.

Looked for in this order: the folder `RANVIER_ENGINE_DIR` names, the installed `ranvier_web/vendor/`, the user's cache.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from ranvier_builder.engine import make, obtain, trim_stdlib
from ranvier_builder.engine.obtain import EngineFiles, Progress
from ranvier_builder.errors import EngineError

RECIPE = ("prepare.mjs", "encode.mjs", "sweep.mjs", "settle.py", "bytecode.py", "trim_stdlib.py")
PREFIX = "prepared-"
CORE = "core.zip"
MEMORY = "memory"
SUMS = "sums.json"
PATIENCE = 300


@dataclass(frozen=True, slots=True)
class Prepared:
    """The core as it goes out, and where its memory snapshot is: gzip, read by `ranvier_web/boot/snapshot.js`."""

    core: bytes
    snapshot: Path | None


def runtime_files(core: bytes, engine: EngineFiles, progress: Progress | None = None) -> Prepared:
    """Return the core's bytecode and a snapshot, found, else made and cached.

    `core` is the stored zip of sources that every site shares. Without Node it comes back as it is, with no snapshot.
    Raise `EngineError` when Node is there but fails.
    """
    if (snapshot := ready(core, engine)) is not None:
        return snapshot
    name = PREFIX + digest(core, engine)
    node = shutil.which("node")
    say = progress or obtain.silent
    if node is None:
        say("no Node.js: browsers will start from the core's sources, some seconds later")
        return Prepared(core, None)
    say("preparing the core's bytecode and a snapshot of Python's memory")
    return _make_cached(core, engine, node, name)


def ready(core: bytes, engine: EngineFiles) -> Prepared | None:
    """Return what was prepared before; None where nothing was."""
    name = PREFIX + digest(core, engine)
    for folder in _folders():
        if whole(folder / name):
            obtain.used(folder / name)
            return _prepared(folder / name)
    return None


def digest(core: bytes, engine: EngineFiles) -> str:
    """Return a short hash over all that the result is made of. Node is not in it: it runs the engine, and packs nothing."""
    sink = hashlib.sha256(f"{engine.digest}\n{hashlib.sha256(core).hexdigest()}\n".encode())
    for data in (*((make.HERE / name).read_bytes() for name in RECIPE), _lock().read_bytes()):
        sink.update(hashlib.sha256(data).digest())
    return sink.hexdigest()[:16]


def whole(folder: Path) -> bool:
    """Tell whether a prepared folder is there and holds what was once put into it."""
    try:
        sums = json.loads((folder / SUMS).read_text("utf-8"))
        return bool(sums == _sums(folder))
    except (OSError, ValueError):
        return False


def prepare(core: bytes, engine: Path, node: str, into: Path) -> None:
    """Let Node fill an empty folder."""
    sources = into / "sources"
    with zipfile.ZipFile(io.BytesIO(core)) as archive:
        archive.extractall(sources)
    order = [node, str(make.HERE / "prepare.mjs"), str(engine), str(_lock()), str(sources), str(into)]
    make.run(order, into, cure="use Node.js 20 or later; or hide it from PATH to go without a snapshot", patience=PATIENCE)
    made = into / "core"
    members = ((path.relative_to(made).as_posix(), path.read_bytes()) for path in made.rglob("*") if path.is_file())
    (into / CORE).write_bytes(trim_stdlib.pack(members))
    (into / SUMS).write_text(json.dumps(_sums(into)), encoding="utf-8")
    shutil.rmtree(sources)
    shutil.rmtree(made)


def _folders() -> Iterator[Path]:
    if named := os.environ.get(obtain.VARIABLE):
        yield Path(named)
    elif (shipped := obtain.shipped_folder()) is not None:
        yield shipped
    yield obtain.cache_root()


def _lock() -> Path:
    """Return the module that says how a browser boots the engine: the snapshot is made with the same options."""
    return Path(str(resources.files("ranvier_web").joinpath("boot/engine-lock.js")))


def _sums(folder: Path) -> dict[str, str]:
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in (CORE, MEMORY)}


def _prepared(folder: Path) -> Prepared:
    return Prepared((folder / CORE).read_bytes(), folder / MEMORY)


def _make_cached(core: bytes, engine: EngineFiles, node: str, name: str) -> Prepared:
    """Prepare next to the place in the cache, then move it there whole; a damaged folder makes way."""
    root = obtain.cache_root()
    work = obtain.work_folder(root)
    try:
        finished = work / "finished"
        finished.mkdir()
        prepare(core, engine.folder, node, finished)
        if (root / name).exists() and not whole(root / name):
            with suppress(OSError):  # another build has just done so
                (root / name).replace(work / "damaged")
        try:
            finished.replace(root / name)
        except OSError as error:  # another build was first: both are right
            if not whole(root / name):
                raise EngineError(f"cannot be replaced: {error.strerror}", file=root / name, cure="delete it") from error
        obtain.tidy(root / name)
        return _prepared(root / name)
    finally:
        shutil.rmtree(work, ignore_errors=True)
