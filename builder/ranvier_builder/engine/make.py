"""Make the engine from Pyodide's npm package: fetch, check, unpack, shake, lighten, split, trim. Needs Node and npm."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from ranvier_builder.engine import pinned
from ranvier_builder.errors import EngineError

HERE = Path(__file__).parent
TOOLS = ("package.json", "package-lock.json")
HOT = "hot.json"
SCRIPTS = ("module.mjs", "shake.mjs", "lighten.mjs", "split.mjs")
COMPILERS = ("frozen.py", "trim_stdlib.py", "bytecode.py")
TOOL_SCRIPTS = (*SCRIPTS, *COMPILERS, "instrument.mjs")
RECIPE = ("trim.mjs", HOT, *COMPILERS, *SCRIPTS, *(f"tools/{name}" for name in TOOLS))
_QUOTED_BYTES = 600  # bytes of a failing program's output that are in the message
TIMEOUT = 600  # seconds for each step: enough for a slow connection, and a process that hangs is ended

CURE = (
    "install Node.js with npm; or set RANVIER_ENGINE_DIR to a folder that contains the engine "
    "(`python -m ranvier_builder.engine --into DIR` makes one on any machine with Node); "
    "or install a released wheel of Ranvier, which contains the engine"
)


def make(finished: Path, progress: Callable[[str], None]) -> None:
    """Fill an empty folder with the engine's files; the caller verifies them."""
    npm, node = (program(name, "the engine is missing") for name in ("npm", "node"))
    with tempfile.TemporaryDirectory(prefix="ranvier-engine-") as folder:
        stock = Path(folder) / "stock"
        progress(f"fetching Pyodide {pinned.VERSION} from npm")
        archive = fetch(npm, Path(folder))
        check_integrity(archive)
        extract(archive, stock)
        (finished / pinned.LOADER).write_bytes(without_source_map((stock / pinned.LOADER).read_bytes()))
        progress("fetching the JavaScript tools that shrink its module and glue")
        tools = install(npm, Path(folder) / "tools")
        progress("shaking them")
        shake(node, tools, stock, finished)
        progress("making the module's data smaller")
        lighten(node, tools, stock, finished)
        progress("splitting the module")
        split(node, tools, finished, HERE / HOT)
        progress("trimming its standard library")
        trim(node, stock, finished / pinned.LIBRARY)


def recipe_hash() -> str:
    """Return a short hash over all inputs of the result, so that each recipe has its own folder."""
    hasher = hashlib.sha256(f"{pinned.INTEGRITY}\n{' '.join(pinned.MODULES)}\n{pinned.FILES}\n".encode())
    hasher.update(json.dumps(replacements()).encode())
    for name in RECIPE:
        hasher.update((HERE / name).read_bytes())
    return hasher.hexdigest()[:12]


def fetch(npm: str, folder: Path, version: str = pinned.VERSION) -> Path:
    """Download the package's archive into a folder with npm. No script of the package is run."""
    command = [npm, "pack", f"pyodide@{version}", "--ignore-scripts", "--loglevel=error", "--pack-destination", str(folder)]
    run(command, folder, cure=f"check the network and npm's registry setting; or {CURE}")
    for archive in sorted(folder.glob("*.tgz")):
        return archive
    raise EngineError("npm reported no error, but wrote no archive", cure=CURE)


def check_integrity(archive: Path) -> None:
    """Raise `EngineError` if an archive is not identical to the pinned one."""
    actual = integrity(archive)
    if actual != pinned.INTEGRITY:
        cure = "check npm's registry setting: a proxy may change packages; or " + CURE
        raise EngineError(
            f"Pyodide {pinned.VERSION} has integrity {actual}, not {pinned.INTEGRITY}", file=archive.name, cure=cure
        )


def integrity(archive: Path) -> str:
    """Return the digest of a file in the form of a subresource integrity."""
    return f"sha512-{base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()}"


def extract(archive: Path, into: Path, names: Iterable[str] = pinned.STOCK) -> None:
    """Write the members that the engine needs, without their folders."""
    into.mkdir()
    with tarfile.open(archive, "r:gz") as package:
        names_by_member = {f"package/{name}": name for name in names}
        for member in package:
            content = package.extractfile(member) if member.name in names_by_member and member.isreg() else None
            if content is not None:
                (into / names_by_member[member.name]).write_bytes(content.read())
    for name in sorted(names_by_member.values()):
        if not (into / name).is_file():
            raise EngineError(f"the package has no {name}", file=archive.name, cure=CURE)


def without_source_map(module: bytes) -> bytes:
    """Remove the line that names a source map: the map is not published, and developer tools would request it."""
    return re.sub(rb"\n//# sourceMappingURL=[^\n]*", b"", module)


def install(npm: str, folder: Path, source: str = "tools", scripts: Iterable[str] = TOOL_SCRIPTS) -> Path:
    """Return a folder with our scripts and the packages of `source`, which are identical to those of its lock file."""
    folder.mkdir(exist_ok=True)
    for name in TOOLS:
        shutil.copyfile(HERE / source / name, folder / name)
    # The optional ones are programs for one platform each; none is needed.
    command = [npm, "ci", "--omit=optional", "--ignore-scripts", "--loglevel=error", "--no-audit", "--no-fund"]
    run(command, folder, cure=f"check the network and npm's registry setting; or {CURE}")
    for name in scripts:
        shutil.copyfile(HERE / name, folder / name)
    return folder


def _shrink(script: str, node: str, tools: Path, stock: Path, engine: Path) -> None:
    """Write a smaller module into a folder, with the stock Pyodide as the source."""
    run([node, str(tools / script), str(stock), str(engine)], engine, cure=f"use Node.js 20 or later; or {CURE}")


shake = partial(_shrink, "shake.mjs")  # the module and its glue, without code that only a later linked module could call
lighten = partial(_shrink, "lighten.mjs")  # its data, with smaller frozen modules and no docstrings


def split(node: str, tools: Path, engine: Path, hot: Path) -> None:
    """Write the two parts of the module into its folder: the functions in the list `hot`, and all others.

    Raise `EngineError` if the list was made for another module.
    """
    cure = "use Node.js 20 or later; for another module, make a new list of its hot functions, as CONTRIBUTING.md describes"
    run([node, str(tools / "split.mjs"), str(engine), str(hot)], engine, cure=cure)


def trim(node: str, stock: Path, library: Path) -> None:
    """Write the trimmed standard library, made by the stock Pyodide in a folder."""
    request_file = library.with_suffix(".json")
    request_file.write_text(json.dumps({"modules": pinned.MODULES, "replacements": replacements()}), encoding="utf-8")
    try:
        run([node, str(HERE / "trim.mjs"), str(stock), str(request_file), str(library)], stock, cure="use Node.js 20 or later")
    finally:
        request_file.unlink()


def replacements() -> dict[str, str]:
    """Return our modules by the names of the library members that they replace."""
    folder = HERE / "replacements"
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in sorted(folder.rglob("*.py"))}


def program(name: str, reason: str) -> str:
    """Return the path of a program; if it is missing, raise `EngineError` with the reason why it is needed."""
    path = shutil.which(name)
    if path is None:
        raise EngineError(f"{reason}, and {name}, which is needed to make it, is not installed", cure=CURE)
    return path


def run(command: list[str], folder: Path, *, cure: str, timeout: float = TIMEOUT) -> None:
    """Run a program; if it fails, the end of its output is in the message."""
    program_name = Path(command[0]).stem
    try:
        with tempfile.TemporaryFile() as output:  # not a pipe: Node ends before it has written a long message to a pipe
            process = subprocess.run(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT, timeout=timeout, check=False)
            output.seek(max(0, output.seek(0, 2) - _QUOTED_BYTES))
            text = output.read().decode(errors="replace").strip()
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineError(f"{program_name} could not be run to the end: {error}", cure=cure) from error
    if process.returncode:
        raise EngineError(f"{program_name} failed with status {process.returncode}: {text or 'without a message'}", cure=cure)
