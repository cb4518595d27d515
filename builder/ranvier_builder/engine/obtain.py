"""Finds the finished engine, or makes it once and keeps it.

Looked for in this order: the folder `RANVIER_ENGINE_DIR` names, the installed `ranvier_web/vendor/`, the user's
cache. A folder named by hand or shipped is never repaired, only refused; the cache is ours, so what is damaged
there is made again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType

from platformdirs import user_cache_path

from ranvier_builder.engine import make, pinned
from ranvier_builder.errors import EngineError

Progress = Callable[[str], None]
"""Is told, in a few words, what is being done; only called when something takes time."""

VARIABLE = "RANVIER_ENGINE_DIR"


@dataclass(frozen=True, slots=True)
class EngineFiles:
    """The finished engine on disk; every file has been compared with its pinned hash."""

    folder: Path
    version: str
    sha256: Mapping[str, str]

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files to publish, in the order of their names."""
        return tuple(self.folder / name for name in sorted(self.sha256))

    @property
    def digest(self) -> str:
        """One short hash over all files, for the name of the published folder."""
        lines = "".join(f"{name} {self.sha256[name]}\n" for name in sorted(self.sha256))
        return hashlib.sha256(lines.encode()).hexdigest()[:16]


def engine_files(progress: Progress | None = None) -> EngineFiles:
    """Return the engine's files, found where they are, else made and cached. Raise `EngineError` with the cure."""
    if named := os.environ.get(VARIABLE):
        return proved(Path(named), cure=f"point {VARIABLE} at a folder made by `python -m ranvier_builder.engine`")
    shipped = shipped_folder()
    if shipped is not None:
        return proved(shipped, cure=f"install Ranvier again; in a checkout, delete {shipped}")
    cached = cache_folder()
    if not faults(cached):
        return _engine(cached)
    return _make_cached(cached, progress or silent)


def shipped_folder() -> Path | None:
    """Return the folder of a released wheel that holds the engine; None in a checkout, where it is empty."""
    try:
        vendor = resources.files("ranvier_web").joinpath("vendor")
    except ModuleNotFoundError:
        return None
    folder = Path(str(vendor))
    return folder if any((folder / name).is_file() for name in pinned.FILES) else None


def cache_folder() -> Path:
    """Return where this version, trimmed by this recipe, is cached."""
    return cache_root() / f"engine-{pinned.VERSION}-{make.recipe_hash()}"


def cache_root() -> Path:
    """Return the user's cache, where engines and what was prepared with them lie side by side."""
    return user_cache_path("ranvier")


def work_folder(root: Path) -> Path:
    """Make a folder beside the places in the cache, from which finished things are moved there whole."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="engine-", suffix=".part", dir=root))
    except OSError as error:
        cure = f"make it writable, or set {VARIABLE} to a folder that holds the engine"
        raise EngineError(f"the cache folder cannot be written: {error.strerror}", file=root, cure=cure) from error


def proved(folder: Path, *, cure: str) -> EngineFiles:
    """Return the engine in a folder that is not ours to repair, or refuse it and say which file is wrong."""
    for name, fault in faults(folder).items():
        raise EngineError(f"the engine's {name} {fault}", file=folder, cure=cure)
    return _engine(folder)


def faults(folder: Path) -> dict[str, str]:
    """Return what is wrong with each file of an engine folder; empty for the pinned engine."""
    found: dict[str, str] = {}
    for name, digest in pinned.FILES.items():
        try:
            content = (folder / name).read_bytes()
        except OSError:
            found[name] = "is missing or cannot be read"
            continue
        if hashlib.sha256(content).hexdigest() != digest:
            found[name] = f"is not the one of Pyodide {pinned.VERSION} as Ranvier trims it"
    return found


def _engine(folder: Path) -> EngineFiles:
    return EngineFiles(folder, pinned.VERSION, MappingProxyType(dict(pinned.FILES)))


def _make_cached(cached: Path, progress: Progress) -> EngineFiles:
    """Make the engine next to its place in the cache, then move it there whole."""
    work = work_folder(cached.parent)
    try:
        finished = work / "finished"
        make.make(finished, progress)
        proved(finished, cure="please report this: the trim should give the same bytes everywhere; a released wheel works")
        return _move(finished, cached, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _move(finished: Path, cached: Path, work: Path) -> EngineFiles:
    """Put the finished folder in place. Another build may do the same now: whoever is first wins, both are right."""
    if cached.exists() and faults(cached):
        try:
            cached.replace(work / "damaged")
        except OSError:
            pass  # the other build has just taken it away, or mended it: the proof below decides
    try:
        finished.replace(cached)
    except OSError as error:
        return proved(cached, cure=f"delete {cached} and build again ({error.strerror})")
    return _engine(cached)


def silent(_: str) -> None:
    """Take a progress message and say nothing."""
