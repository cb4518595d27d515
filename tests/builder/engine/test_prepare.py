"""Bytecode and memory snapshot of the core: deterministic, restored without the library, and optional for a build."""

from __future__ import annotations

import gzip
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
from ranvier_builder.engine import EngineFiles, Prepared, bytecode, engine_files, obtain, prepare, runtime_files
from ranvier_builder.errors import EngineError

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(not NODE, reason="Node runs the engine")

LATE = {
    "_frozen_importlib_external": "tokenize importlib.metadata importlib.readers",  # sources, and files within packages
    "zipimport": "importlib.readers",
    "importlib.util": "threading",  # modules that are imported when they are first used
    "collections.abc": "annotationlib",  # how a type with parameters is printed
    "copyreg": "operator",  # copies of unions of types
    "os": "subprocess",  # popen
    "posixpath": "pwd",  # another user's home
    "ranvier.engine": "ranvier.suggest",  # names, which the page's own script suggests
    "ranvier.library": "pathlib ranvier.store.source",  # a folder
}
"""Imports in functions that a search never calls, by who would import: all else has to be in a snapshot."""

HEAP = 31_457_280
"""Bytes of memory beyond which no snapshot is restored."""


@pytest.fixture(scope="module")
def engine() -> EngineFiles:
    return engine_files()


@pytest.fixture(scope="module")
def prepared(engine: EngineFiles, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One making."""
    return make(engine, tmp_path_factory.mktemp("one"))


@pytest.fixture
def fake_prepare(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Replace `prepare` with a function that writes two small files; return the folders that it wrote to."""
    requests: list[Path] = []

    def fake(core: bytes, engine: Path, node: str, into: Path) -> None:
        requests.append(into)
        (into / prepare.CORE).write_bytes(b"bytecode of " + core)
        (into / prepare.MEMORY).write_bytes(b"memory")
        (into / prepare.SUMS).write_text(json.dumps(prepare._sums(into)))

    monkeypatch.setattr(prepare, "prepare", fake)
    monkeypatch.setattr(prepare.shutil, "which", lambda name: f"/bin/{name}")
    return requests


def make(engine: EngineFiles, into: Path) -> Path:
    prepare.prepare(pack_sources(), engine.folder, str(NODE), into)
    return into


def head(memory: Path) -> dict[str, object]:
    return dict(json.loads(gzip.decompress(memory.read_bytes()).split(b"\n", 1)[0]))


class TestMaking:
    @needs_node
    def test_prepared_files_are_deterministic(self, engine: EngineFiles, prepared: Path, tmp_path: Path) -> None:
        """Byte-equal, from another folder: no clock, no chance and no path of the machine is in it."""
        other = make(engine, tmp_path)
        assert (other / prepare.CORE).read_bytes() == (prepared / prepare.CORE).read_bytes()
        assert (other / prepare.MEMORY).read_bytes() == (prepared / prepare.MEMORY).read_bytes()
        memory = gzip.decompress((prepared / prepare.MEMORY).read_bytes())
        for path in (prepared, tmp_path, engine.folder, Path.home(), prepare.make.HERE):
            assert len(str(path)) < 6 or str(path).encode() not in memory
        assert b"Node.js" not in memory, "no version of Node.js"
        assert sorted(path.name for path in prepared.iterdir()) == sorted((prepare.CORE, prepare.MEMORY, prepare.SUMS))

    @needs_node
    def test_snapshot_fits_into_a_fresh_memory(self, prepared: Path) -> None:
        written = head(prepared / prepare.MEMORY)
        assert written["memory"] == HEAP
        end = written["end"]
        assert isinstance(end, int)
        assert end <= HEAP
        assert (prepared / prepare.MEMORY).stat().st_size < 950_000

    @needs_node
    def test_snapshot_has_no_copy_of_the_archives(self, prepared: Path) -> None:
        memory = gzip.decompress((prepared / prepare.MEMORY).read_bytes())
        with zipfile.ZipFile(prepared / prepare.CORE) as core:
            contents = {name: core.read(name) for name in core.namelist()}
        assert [name for name, data in contents.items() if len(data) > 200 and data[16:] in memory] == []

    @needs_node
    def test_prepared_core_is_bytecode(self, prepared: Path) -> None:
        sources = zipfile.ZipFile(io.BytesIO(pack_sources())).namelist()
        with zipfile.ZipFile(prepared / prepare.CORE) as core:
            names = core.namelist()
            assert names == sorted(name.replace(".py", ".pyc") if name.endswith(".py") else name for name in sources)
            assert {entry.compress_type for entry in core.infolist()} == {zipfile.ZIP_STORED}
            flags = {core.read(name)[4:8] for name in names if name.endswith(".pyc")}
        assert flags == {b"\1\0\0\0"}, "never compared with a source"

    @needs_node
    def test_core_that_does_not_run_is_an_error(self, engine: EngineFiles, tmp_path: Path) -> None:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("ranvier/__init__.py", "")
            archive.writestr("ranvier/bridge.py", "import no_such_module")
        with pytest.raises(EngineError, match="No module named 'no_such_module'"):
            prepare.prepare(out.getvalue(), engine.folder, str(NODE), tmp_path)


class TestRestoring:
    @needs_node
    def test_snapshot_is_restored_as_in_the_worker(self, engine: EngineFiles, prepared: Path) -> None:
        """Python with the core and FTS5, from memory alone; before it, six snapshots that do not fit were refused."""
        script = Path(__file__).with_name("restore.mjs")
        done = subprocess.run(
            [str(NODE), str(script), f"{engine.folder}/", str(prepared / prepare.MEMORY)],
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.stderr == ""
        result = json.loads(done.stdout)
        assert result["fts5"] == [[1]]
        assert result["core"]
        assert result["path"] == ["", "/lib/python314.zip"]
        assert (result["camel"], result["late"]) == ("totalHits", "zz")
        assert result["environment"]["_"] == "./this.program"
        for line in result["missing"]:
            importer, imported = line.split(": ")
            assert any(f"{imported}.".startswith(f"{name}.") for name in LATE[importer].split()), line
        assert {line.split(": ")[0] for line in result["missing"]} == set(LATE)
        assert set(result["refused"].values()) == {"Snapshot has invalid magic number"}
        assert len(result["refused"]) == len(result["warned"]) == 6
        assert all(line.startswith("snapshot: ") for line in result["warned"])


class TestFinding:
    def test_prepared_files_are_made_once(self, cache: Path, fake_prepare: list[Path], engine: EngineFiles) -> None:
        messages: list[str] = []
        first = runtime_files(b"core", engine, messages.append)
        second = runtime_files(b"core", engine, messages.append)
        assert first == second
        assert first.core == b"bytecode of core"
        assert (len(fake_prepare), len(messages)) == (1, 1)
        assert [path.name for path in cache.iterdir()] == [f"prepared-{prepare.digest(b'core', engine)}"]

    @pytest.mark.parametrize("damage", [prepare.CORE, prepare.MEMORY, prepare.SUMS])
    def test_damaged_prepared_files_are_made_again(
        self, cache: Path, fake_prepare: list[Path], engine: EngineFiles, damage: str
    ) -> None:
        snapshot = runtime_files(b"core", engine).snapshot
        assert snapshot is not None
        (snapshot.parent / damage).write_bytes(b"damaged")
        again = runtime_files(b"core", engine)
        assert again.snapshot is not None
        assert again.snapshot.read_bytes() == b"memory"
        assert again.core == b"bytecode of core"
        assert len(fake_prepare) == 2
        assert len(list(cache.iterdir())) == 1

    def test_each_core_has_its_own_cache_folder(self, cache: Path, fake_prepare: list[Path], engine: EngineFiles) -> None:
        assert prepare.digest(b"core", engine) != prepare.digest(b"other", engine)
        runtime_files(b"core", engine)
        assert runtime_files(b"other", engine).core == b"bytecode of other"

    def test_old_cache_folders_are_removed(self, cache: Path, fake_prepare: list[Path], engine: EngineFiles) -> None:
        """Folders that were used within a day stay, and at least three of a kind."""
        names = "prepared-a prepared-b prepared-c prepared-d engine-1 engine-x.part".split()
        for age, name in enumerate(names):
            (cache / name).mkdir(parents=True)
            os.utime(cache / name, (1_700_000_000 + age, 1_700_000_000 + age))
        for name in ("engine-y.part", "prepared-busy"):
            (cache / name).mkdir()
        fresh = runtime_files(b"core", engine).snapshot
        assert fresh is not None
        left = {path.name for path in cache.iterdir()}
        assert left == {fresh.parent.name, "prepared-busy", "prepared-d", "engine-1", "engine-y.part"}

    def test_used_cache_folder_stays(self, cache: Path, fake_prepare: list[Path], engine: EngineFiles) -> None:
        snapshot = runtime_files(b"core", engine).snapshot
        assert snapshot is not None
        os.utime(snapshot.parent, (1_700_000_000, 1_700_000_000))
        runtime_files(b"core", engine)
        assert snapshot.parent.stat().st_mtime > 1_700_000_000
        for number in range(4):
            runtime_files(b"other %d" % number, engine)
        assert snapshot.exists()

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
        assert runtime_files(b"core", engine) == Prepared(b"bytecode of core", ready / prepare.MEMORY)
        assert not cache.exists()

    def test_sources_are_published_without_node(
        self, cache: Path, monkeypatch: pytest.MonkeyPatch, engine: EngineFiles
    ) -> None:
        monkeypatch.setattr(prepare.shutil, "which", lambda name: None)
        messages: list[str] = []
        assert runtime_files(b"core", engine, messages.append) == Prepared(b"core", None)
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
    exec(bytecode.bare(compile(source, "a.py", "exec")), names)
    f = names["f"]
    assert f(1, 2, 4, last=3, other=4) == ([2.0, 1.0, 0.5], 3.5, 3, {"other": 4})
    assert f(1, y=0) is None
    assert f.__code__.co_linetable == b""
    assert f.__code__.co_varnames[:5] == ("x", "y", "last", "more", "named")
    assert not {"found", "error", "part"} & set(f.__code__.co_varnames)
    with pytest.raises(KeyError) as caught:
        names["g"]()
    assert caught.traceback[-1].frame.code.name == "g"
