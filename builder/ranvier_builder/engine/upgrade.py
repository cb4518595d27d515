"""What must be pinned anew for another Pyodide: `python -m ranvier_builder.engine --upgrade VERSION` prints it.

Nothing is changed. CONTRIBUTING.md has the steps, and the tests that show what does not fit.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from ranvier_builder.engine import make, pinned
from ranvier_builder.engine.trim_stdlib import find

LOCK = "pyodide-lock.json"
LOADING = ("lighten.mjs", "trim.mjs")  # scripts that load the stock Pyodide


def print_pins(version: str, echo: Callable[[str], object]) -> None:
    """Fetch a release of Pyodide with npm, and print the values that depend on it.

    Raise `EngineError` if there is no such release, or if it has no file of a name that the engine needs.
    """
    npm = make.program("npm", "another Pyodide must be fetched")
    with tempfile.TemporaryDirectory(prefix="ranvier-engine-") as folder:
        archive = make.fetch(npm, Path(folder), version)
        stock = Path(folder) / "stock"
        make.extract(archive, stock, (*pinned.STOCK, LOCK))
        info = json.loads((stock / LOCK).read_text("utf-8"))["info"] | {"version": version}
        echo(f'engine/pinned.py: VERSION = "{version}"')
        echo(f'engine/pinned.py: INTEGRITY = "{make.integrity(archive)}"')
        for script in LOADING:
            echo(f'engine/{script}: abi_version: "{info["abi_version"]}"')
            echo(f'engine/{script}: LIBRARY = "/lib/python{"".join(info["python"].split(".")[:2])}.zip"')
        for name in ("abi_version", "platform", "python", "version"):
            echo(f'ranvier_web/boot/engine-lock.js: {name}: "{info[name]}"')
        echo(f"ranvier_web/licenses.txt: Pyodide {version}, CPython {info['python'].rpartition('.')[0]}")
        for module in missing_modules(stock / pinned.LIBRARY):
            echo(f"engine/pinned.py: MODULES: the library has no {module} any more")
    echo('engine/hot.json: {"module": "", "functions": "", "deferred": []}, then --show-hashes, then tests/benchmarks/hot.py')


def missing_modules(library: Path) -> list[str]:
    """Return the names in `pinned.MODULES` that a standard library does not have."""
    with zipfile.ZipFile(library) as archive:
        names = set(archive.namelist())
    missing = []
    for module in pinned.MODULES:
        try:
            find(module, names)
        except LookupError:
            missing.append(module)
    return missing
