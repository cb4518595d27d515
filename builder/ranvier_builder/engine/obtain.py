"""Find the finished engine, or make it once and cache it.

Search order: the folder in `RANVIER_ENGINE_DIR`, the installed `ranvier_web/vendor/`, the user's cache. A named
or shipped folder is never repaired, only refused. In the cache, damaged engines are made again, and engines that
were not used for some time are removed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from platformdirs import user_cache_path

from ranvier_builder.engine import make, pinned
from ranvier_builder.errors import EngineError

Progress = Callable[[str], None]  # called with a short description of each step that takes time


def silent(_: str) -> None:
    """Ignore a progress message."""


VARIABLE = "RANVIER_ENGINE_DIR"

KEEP = 3  # folders of each kind that stay in the cache at any age, for those who change between versions
DAY = 86_400  # seconds; no build takes that long, so no build uses a folder that was last used earlier


@dataclass(frozen=True, slots=True)
class EngineFiles:
    """The finished engine on disk; every file matches its pinned hash."""

    folder: Path

    @property
    def paths(self) -> tuple[Path, ...]:
        """All files, sorted by name."""
        return tuple(self.folder / name for name in sorted(pinned.FILES))

    @property
    def published(self) -> tuple[Path, ...]:
        """The files that a browser needs: without the whole module, which compiles the core under Node."""
        return tuple(path for path in self.paths if path.name != pinned.WHOLE)

    @property
    def digest(self) -> str:
        """One short hash over all files, for the name of the published folder."""
        lines = "".join(f"{name} {digest}\n" for name, digest in sorted(pinned.FILES.items()))
        return hashlib.sha256(lines.encode()).hexdigest()[:16]


def engine_files(progress: Progress = silent) -> EngineFiles:
    """Find the engine's files, or make and cache them. Raise `EngineError` with a cure."""
    if named := os.environ.get(VARIABLE):
        return verify(Path(named), cure=f"set {VARIABLE} to a folder made by `python -m ranvier_builder.engine`")
    vendor = shipped_folder()
    if vendor is not None:
        return verify(vendor, cure=f"install Ranvier again; in a checkout, delete {vendor}")
    folder = cached(cache_folder().name, lambda folder: _make(folder, progress), lambda folder: not find_faults(folder))
    return EngineFiles(folder)


def finished_folder(name: str, is_whole: Callable[[Path], bool]) -> Path | None:
    """Return a folder that was made before: in the named folder or the shipped one, or in the cache. None if there is none."""
    named = os.environ.get(VARIABLE)
    for parent in (Path(named) if named else shipped_folder(), cache_root()):
        if parent is not None and is_whole(parent / name):
            mark_used(parent / name)
            return parent / name
    return None


def shipped_folder() -> Path | None:
    """Return the folder with the engine in a released wheel; None in a checkout, where it is empty."""
    try:
        vendor = resources.files("ranvier_web").joinpath("vendor")
    except ModuleNotFoundError:
        return None
    folder = Path(str(vendor))
    return folder if any((folder / name).is_file() for name in pinned.FILES) else None


def cache_folder() -> Path:
    """Return the cache folder of this version and recipe."""
    return cache_root() / f"engine-{pinned.VERSION}-{make.recipe_hash()}"


def cache_root() -> Path:
    """Return the user's cache, which contains engines and prepared files."""
    return user_cache_path("ranvier")


def work_folder(root: Path) -> Path:
    """Create a temporary folder in the cache, from which finished folders are moved to their places."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="engine-", suffix=".part", dir=root))
    except OSError as error:
        cure = f"make it writable, or set {VARIABLE} to a folder that contains the engine"
        raise EngineError(f"the cache folder cannot be written: {error.strerror}", file=root, cure=cure) from error


def cached(name: str, fill: Callable[[Path], object], is_whole: Callable[[Path], bool]) -> Path:
    """Return a folder of the cache. If it is missing or damaged, fill a temporary folder and move it to its place."""
    folder = cache_root() / name
    if is_whole(folder):
        mark_used(folder)
        return folder
    work = work_folder(folder.parent)
    try:
        finished = work / "finished"
        finished.mkdir()
        fill(finished)
        if folder.exists() and not is_whole(folder):
            with suppress(OSError):  # another build has just moved it
                folder.replace(work / "damaged")
        try:
            finished.replace(folder)
        except OSError as error:  # another build was first: both results are correct
            if not is_whole(folder):
                raise EngineError(f"cannot be replaced: {error.strerror}", file=folder, cure="delete it") from error
        remove_old(folder)
        return folder
    finally:
        shutil.rmtree(work, ignore_errors=True)


def mark_used(folder: Path) -> None:
    """Mark a cache folder as used, by its modification time. Other folders are not changed."""
    if folder.parent == cache_root():
        with suppress(OSError):  # a read-only cache is not tidied either
            os.utime(folder)


def remove_old(newest: Path) -> None:
    """Remove old folders of the same kind as a new folder, and old unfinished folders.

    Ages are relative to the new folder's time, so no clock is needed.
    """
    mark_used(newest)
    kind = newest.name.partition("-")[0]
    ages = sorted((-at, path.name, path) for path in newest.parent.iterdir() if (at := _last_use(path)) is not None)
    now = _last_use(newest) or 0.0
    old = [path for at, _, path in ages if -at < now - DAY]
    finished = [path for *_, path in ages if path.name.startswith(f"{kind}-") and path.suffix != ".part"]
    for path in old:
        if path.suffix == ".part" or path in finished[KEEP:]:
            shutil.rmtree(path, ignore_errors=True)


def _last_use(path: Path) -> float | None:
    try:
        return path.stat().st_mtime if path.is_dir() else None
    except OSError:  # another build has just removed it
        return None


def verify(folder: Path, *, cure: str) -> EngineFiles:
    """Return the engine in a folder without repairing it; raise `EngineError` with the name of a wrong file."""
    for name, fault in find_faults(folder).items():
        raise EngineError(f"the engine's {name} {fault}", file=folder, cure=cure)
    return EngineFiles(folder)


def find_faults(folder: Path) -> dict[str, str]:
    """Return the fault of each wrong file of an engine folder; empty for the pinned engine."""
    faults: dict[str, str] = {}
    for name, digest in pinned.FILES.items():
        try:
            content = (folder / name).read_bytes()
        except OSError:
            faults[name] = "is missing or cannot be read"
            continue
        if hashlib.sha256(content).hexdigest() != digest:
            faults[name] = f"differs from Ranvier's trimmed file of Pyodide {pinned.VERSION}"
    return faults


def _make(folder: Path, progress: Progress) -> None:
    make.make(folder, progress)
    cure = "please report this error, and use a released wheel: the trimmed files should be identical everywhere"
    verify(folder, cure=cure)
