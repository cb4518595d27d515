"""Import rules, read from the code: which package imports which, and what the core may load."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from support.imports import imports as imports_of

ROOT = Path(__file__).resolve().parents[2]
OURS = {"ranvier", "ranvier_web", "ranvier_builder", "ranvier_themes"}
# `ranvier.store.source` reads folders for a server; it is left out of what browsers get, so only it may touch files.
SERVER_ONLY = {"source.py"}
CORE_MAY = {
    *("__future__ array bisect collections dataclasses functools hashlib heapq importlib itertools json math re".split()),
    *("sqlite3 struct time types typing unicodedata zlib".split()),
    *("msgpack snowballstemmer".split()),
}
FOLDERS = {"pathlib", "tempfile", "urllib"}
# Inside the core, imports point one way: a package may import those to the right of it.
LAYERS = """sites library bridge engine listing suggest present recall correction presets legs rank query store
    options requests vectors text types errors""".split()


def imports(file: Path, *, lazy: bool = True) -> Iterator[str]:
    """Yield the full names of modules that a file imports. A relative import is an error."""
    yield from imports_of(file.read_bytes(), lazy=lazy)


def modules(package: str) -> list[Path]:
    shelf = {"ranvier_builder": "builder", "ranvier_themes": "themes"}.get(package, "runtime")
    return sorted((ROOT / shelf / package).rglob("*.py"))


@pytest.mark.parametrize(
    ("package", "may"),
    [("ranvier", {"ranvier"}), ("ranvier_web", set()), ("ranvier_themes", set()), ("ranvier_builder", OURS)],
)
def test_packages_follow_the_import_rule(package: str, may: set[str]) -> None:
    results = {(file.name, name.split(".")[0]) for file in modules(package) for name in imports(file)}
    assert [(file, name) for file, name in sorted(results) if name in OURS - may] == []
    assert package == "ranvier_web" or results


def test_core_imports_few_modules() -> None:
    """B1: the standard library of Pyodide, two pure wheels; no threads, sockets, processes or folders."""
    for file in modules("ranvier"):
        may = CORE_MAY | {"ranvier"} | (FOLDERS if file.name in SERVER_ONLY else set())
        top = {name.split(".")[0] for name in imports(file, lazy=False)}
        if file.name == "library.py":
            may = may | FOLDERS  # it takes a path; the last test checks the modules that a browser loads
        assert top <= may, f"{file.name}: {top - may}"


def test_imports_of_the_core_have_one_direction() -> None:
    core = ROOT / "runtime" / "ranvier"
    for file in modules("ranvier"):
        layer = file.relative_to(core).parts[0].removesuffix(".py")
        if layer == "__init__":
            continue
        for name in imports(file):
            if name.startswith("ranvier."):
                below = name.split(".")[1]
                if below in LAYERS:
                    assert LAYERS.index(layer) <= LAYERS.index(below), f"{file.relative_to(core)} imports {name}"


@pytest.mark.parametrize("package", ["ranvier", "ranvier_builder", "ranvier_themes"])
def test_no_circular_imports(package: str) -> None:
    """Imports inside functions and for type checkers count, too; only those of the package itself, for its version, do not."""
    files = {module_name(file): file for file in modules(package)}
    graph = {name: {*needed(file, files)} - {package} for name, file in files.items()}
    assert tuple(TopologicalSorter(graph).static_order())
    if package == "ranvier_builder":
        assert not [name for name in imports(files["ranvier_builder.model"]) if name.split(".")[0] in OURS]


def module_name(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts[1:]).removesuffix(".__init__")


def needed(file: Path, files: dict[str, Path]) -> Iterator[str]:
    """Yield the modules that a file imports: of `from package import module` the module."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names = ((f"{node.module}.{alias.name}", str(node.module)) for alias in node.names)
            yield from (name if name in files else parent for name, parent in names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


# The stages of a build, and which of the builder's other packages each may import. Only `audience` stands between `read` and
# `render`: what runs after the gate cannot reach what runs before it.
STAGES = {
    "markdown": set[str](),
    "read": {"markdown"},
    "render": {"markdown", "media"},
    "web": {"read", "markdown", "render"},  # pages of another generator: reads them and places them
    "embed": set[str](),
    "media": {"markdown"},
    "write": {"embed", "render", "markdown"},
    "site": {"render"},
}


@pytest.mark.parametrize("stage", STAGES)
def test_imports_of_build_stages_have_one_direction(stage: str) -> None:
    """A1: index writing needs no page templates."""
    folder = ROOT / "builder" / "ranvier_builder"
    others = {path.name for path in folder.iterdir() if path.is_dir()} - {stage}
    for file in sorted((folder / stage).rglob("*.py")):
        stages = {name.split(".")[1] for name in imports(file) if name.startswith("ranvier_builder.")} & others
        assert stages <= STAGES[stage], f"{file.relative_to(folder)} imports {stages - STAGES[stage]}"


def test_proof_imports_nothing_that_it_checks() -> None:
    """A3: it imports only settings, errors and file endings."""
    proof = {*"canvas copy exports header nodes private proof reader scan unfenced unpack withholding".split()}
    may = {"ranvier_builder.config", "ranvier_builder.errors", "ranvier_builder.paths"}
    for name in proof:
        results = {item for item in imports(ROOT / f"builder/ranvier_builder/check/{name}.py") if item.startswith("ranvier")}
        assert results <= may | {f"ranvier_builder.check.{other}" for other in proof}, name


def test_bridge_imports_no_unneeded_module() -> None:
    """In a fresh interpreter."""
    code = "import sys; import ranvier.bridge; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded_modules = set(ran.stdout.split())
    assert "ranvier.engine" in loaded_modules
    unwanted = "threading subprocess socket asyncio multiprocessing numpy ssl http.client urllib.request email logging argparse"
    assert loaded_modules & set(unwanted.split()) == set()
    assert not loaded_modules & OURS - {"ranvier"}
