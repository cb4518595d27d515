"""Bytecode of the core: deterministic, complete, and optional for a build."""

import io
import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from ranvier_builder.assets import pack_sources
from ranvier_builder.engine import EngineFiles, bytecode, engine_files, obtain, pinned, prepare, runtime_files
from ranvier_builder.engine.prepare import write
from ranvier_builder.engine.trim_stdlib import pack
from ranvier_builder.errors import EngineError
from support.imports import imports

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(not NODE, reason="Node runs the engine")

FROZEN = set(
    """abc array codecs collections.abc importlib.machinery importlib.util io itertools math os sys time unicodedata
    zlib""".split()
)
"""Modules that are frozen into the interpreter or written in C."""

IMPORTS_WHILE_RUNNING = {
    ("ranvier/engine.py", "ranvier.suggest"),  # names, which the page's own script suggests
    ("ranvier/library.py", "pathlib"),  # a folder
    ("ranvier/library.py", "ranvier.store.source"),
}
"""Imports in functions that no browser calls."""


@pytest.fixture(scope="module")
def engine() -> EngineFiles:
    return engine_files()


@pytest.fixture(scope="module")
def prepared(engine: EngineFiles, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One making."""
    return make(engine, tmp_path_factory.mktemp("one"))


@pytest.fixture
def fake_prepare(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Replace `prepare` with a function that writes a small archive; return the folders that it wrote to."""
    requests: list[Path] = []

    def fake(core: bytes, engine: Path, node: str, into: Path) -> None:
        requests.append(into)
        write(packed(b"bytecode of " + core), into)

    monkeypatch.setattr(prepare, "prepare", fake)
    monkeypatch.setattr(prepare.shutil, "which", lambda name: f"/bin/{name}")
    return requests


def make(engine: EngineFiles, into: Path) -> Path:
    prepare.prepare(pack_sources(), engine.folder, str(NODE), into)
    return into


def packed(content: bytes) -> bytes:
    """Return an archive with one member."""
    return pack([("ranvier/__init__.pyc", content)])


class TestMaking:
    @needs_node
    def test_bytecode_is_deterministic(self, engine: EngineFiles, prepared: Path, tmp_path: Path) -> None:
        """Byte-equal, from another folder, and without a path of the machine."""
        second_bundle = make(engine, tmp_path)
        core = (prepared / prepare.CORE).read_bytes()
        assert (second_bundle / prepare.CORE).read_bytes() == core
        for path in (prepared, tmp_path, engine.folder, Path.home(), prepare.make.HERE):
            assert len(str(path)) < 6 or str(path).encode() not in core
        assert {path.name for path in prepared.iterdir()} == {prepare.CORE, prepare.DIGEST}

    @needs_node
    def test_prepared_core_is_bytecode(self, prepared: Path) -> None:
        sources = zipfile.ZipFile(io.BytesIO(pack_sources())).namelist()
        with zipfile.ZipFile(prepared / prepare.CORE) as core:
            names = core.namelist()
            expected = [name.replace(".py", ".pyc") if name.endswith(".py") else name for name in sources]
            assert names == sorted([*expected, "compiled_patterns.pyc"])
            assert {entry.compress_type for entry in core.infolist()} == {zipfile.ZIP_STORED}
            flags = {core.read(name)[4:8] for name in names if name.endswith(".pyc")}
        assert flags == {b"\1\0\0\0"}, "never compared with a source"

    @needs_node
    def test_queries_compile_no_pattern(self, engine: EngineFiles, prepared: Path) -> None:
        """Every module of the core and of all languages is imported, and queries are parsed."""
        command = [str(NODE), str(Path(__file__).with_name("imports.mjs")), f"{engine.folder}/", str(prepared / prepare.CORE)]
        process = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert process.stderr == ""
        names = set(json.loads(process.stdout))
        assert {"ranvier.bridge", "ranvier.text.units", "re"} <= names
        assert not {"re._compiler", "re._parser"} & names

    @needs_node
    @pytest.mark.parametrize(
        ("source", "message"),
        [(b"return", "'return' outside function"), (b"import no_such_module", "No module named 'no_such_module'")],
    )
    def test_core_that_cannot_be_compiled_or_imported_is_an_error(
        self, engine: EngineFiles, tmp_path: Path, source: bytes, message: str
    ) -> None:
        core = pack([("ranvier/__init__.py", b""), ("ranvier/bridge.py", source)])
        with pytest.raises(EngineError, match=message):
            prepare.prepare(core, engine.folder, str(NODE), tmp_path)

    def test_every_import_of_the_core_is_published(self) -> None:
        """In functions, too: a browser has no other modules."""
        with zipfile.ZipFile(io.BytesIO(pack_sources())) as archive:
            sources = {name.removeprefix("languages/"): archive.read(name) for name in archive.namelist()}
        modules = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in sources}
        published = modules | {*pinned.MODULES} | FROZEN
        ours = [(name, name.rpartition("/")[0].replace("/", ".")) for name in sources if not name.startswith("msgpack/")]
        needed = {(name, item) for name, package in ours for item in imports(sources[name], package, types=False)}
        missing_imports = {(name, item) for name, item in needed if item not in published}
        assert missing_imports == IMPORTS_WHILE_RUNNING


class TestFinding:
    def test_prepared_files_are_made_once(self, cache: Path, fake_prepare: list[Path], engine: EngineFiles) -> None:
        messages: list[str] = []
        first = runtime_files(b"core", engine, messages.append)
        second = runtime_files(b"core", engine, messages.append)
        assert first == second == packed(b"bytecode of core")
        assert (len(fake_prepare), len(messages)) == (1, 1)
        assert [path.name for path in cache.iterdir()] == [f"prepared-{prepare.digest(b'core', engine)}"]

    @pytest.mark.parametrize("damage", [b"damaged", packed(b"of another core")])
    def test_damaged_bytecode_is_made_again(
        self, cache: Path, fake_prepare: list[Path], engine: EngineFiles, damage: bytes
    ) -> None:
        runtime_files(b"core", engine)
        (folder,) = cache.iterdir()
        (folder / prepare.CORE).write_bytes(damage)
        assert runtime_files(b"core", engine) == packed(b"bytecode of core")
        assert len(fake_prepare) == 2
        assert list(cache.iterdir()) == [folder]

    def test_each_core_has_its_own_cache_folder(self, cache: Path, fake_prepare: list[Path], engine: EngineFiles) -> None:
        assert prepare.digest(b"core", engine) != prepare.digest(b"other", engine)
        runtime_files(b"core", engine)
        assert runtime_files(b"other", engine) == packed(b"bytecode of other")

    def test_old_cache_folders_are_removed(self, cache: Path, fake_prepare: list[Path], engine: EngineFiles) -> None:
        """Folders that were used within a day stay, and at least three of a kind."""
        names = "prepared-a prepared-b prepared-c prepared-d engine-1 engine-x.part".split()
        for age, name in enumerate(names):
            (cache / name).mkdir(parents=True)
            os.utime(cache / name, (1_700_000_000 + age, 1_700_000_000 + age))
        for name in ("engine-y.part", "prepared-busy"):
            (cache / name).mkdir()
        runtime_files(b"core", engine)
        fresh = f"prepared-{prepare.digest(b'core', engine)}"
        assert {path.name for path in cache.iterdir()} == {fresh, "prepared-busy", "prepared-d", "engine-1", "engine-y.part"}

    def test_used_cache_folder_stays(self, cache: Path, fake_prepare: list[Path], engine: EngineFiles) -> None:
        runtime_files(b"core", engine)
        (folder,) = cache.iterdir()
        os.utime(folder, (1_700_000_000, 1_700_000_000))
        runtime_files(b"core", engine)
        assert folder.stat().st_mtime > 1_700_000_000
        for number in range(4):
            runtime_files(b"other %d" % number, engine)
        assert folder.exists()

    @pytest.mark.parametrize("place", ["named", "shipped"])
    def test_prepared_files_need_no_node(
        self,
        cache: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        engine: EngineFiles,
        fake_prepare: list[Path],
        place: str,
    ) -> None:
        ready = tmp_path / "ready" / f"prepared-{prepare.digest(b'core', engine)}"
        ready.mkdir(parents=True)
        prepare.prepare(b"core", engine.folder, "", ready)
        if place == "named":
            monkeypatch.setenv(obtain.VARIABLE, str(ready.parent))
        else:
            monkeypatch.setattr(obtain, "shipped_folder", lambda: ready.parent)
        monkeypatch.setattr(prepare.shutil, "which", lambda name: None)
        assert runtime_files(b"core", engine) == packed(b"bytecode of core")
        assert not cache.exists()

    def test_sources_are_published_without_node(
        self, cache: Path, monkeypatch: pytest.MonkeyPatch, engine: EngineFiles
    ) -> None:
        monkeypatch.setattr(prepare.shutil, "which", lambda name: None)
        messages: list[str] = []
        assert runtime_files(b"core", engine, messages.append) == b"core"
        assert len(messages) == 1
        assert "no Node.js" in messages[0]


def test_stripped_bytecode_runs_as_before() -> None:
    """Branches, handlers, inner functions and parameters stay; positions and variable names are removed."""
    source = """
def f(x, /, y, *more, last=0, **named):
    "A text."
    total, scale = 0, 2
    def inner(z):
        nonlocal total
        far = z * scale
        total += far
        return far
    try:
        found = [inner(1 / part) for part in (x, y, *more)]
        return found, total, last, named
    except ZeroDivisionError as error:
        return None
def g():
    raise KeyError("x")
"""
    names: dict[str, Any] = {}
    exec(bytecode.strip_debug_data(compile(source, "a.py", "exec")), names)
    f = names["f"]
    assert f(1, 2, 4, last=3, other=4) == ([2.0, 1.0, 0.5], 3.5, 3, {"other": 4})
    assert f(1, y=0) is None
    assert f.__code__.co_linetable == b""
    assert f.__code__.co_varnames[:5] == ("x", "y", "last", "more", "named")
    assert not {"found", "error", "part"} & set(f.__code__.co_varnames)
    with pytest.raises(KeyError) as caught:
        names["g"]()
    assert caught.traceback[-1].frame.code.name == "g"
