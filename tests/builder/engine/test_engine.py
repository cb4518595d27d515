"""The engine is the pinned one, or there is an error with the cure."""

import hashlib
import io
import re
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from ranvier_builder.engine import engine_files, make, obtain, pinned
from ranvier_builder.errors import EngineError

NPM = shutil.which("npm")
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(not (NPM and NODE), reason="Node and npm make the engine")
pytestmark = pytest.mark.usefixtures("cache")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """A stand-in engine of four small files, pinned; making it writes these bytes."""
    content = {name: f"the {name}".encode() for name in pinned.FILES}
    monkeypatch.setattr(pinned, "FILES", {name: trim_hash(data) for name, data in content.items()})

    def fake(finished: Path, progress: Callable[[str], None]) -> None:
        progress("making")
        fill(finished, content)

    monkeypatch.setattr(make, "make", fake)
    return content


def trim_hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def fill(folder: Path, content: dict[str, bytes]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in content.items():
        (folder / name).write_bytes(data)
    return folder


def tgz(path: Path, members: dict[str, bytes], kind: bytes = tarfile.REGTYPE) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.size, entry.linkname = kind, len(data), "/etc/passwd"
            archive.addfile(entry, io.BytesIO(data))
    return path


class TestFinding:
    def test_named_engine_folder_comes_first(
        self, tmp_path: Path, small: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = fill(tmp_path / "mine", small)
        monkeypatch.setenv(obtain.VARIABLE, str(folder))
        engine = engine_files()
        assert engine.folder == folder
        assert [path.name for path in engine.paths] == sorted(small)
        assert re.fullmatch("[0-9a-f]{16}", engine.digest)

    def test_named_engine_folder_with_a_damaged_file_is_refused(
        self, tmp_path: Path, small: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = fill(tmp_path / "mine", small | {"pyodide.mjs": b"else"})
        monkeypatch.setenv(obtain.VARIABLE, str(folder))
        with pytest.raises(EngineError, match=r"pyodide\.mjs differs") as caught:
            engine_files()
        assert "RANVIER_ENGINE_DIR" in (caught.value.cure or "")
        assert (folder / "pyodide.mjs").read_bytes() == b"else"

    def test_shipped_engine_is_used_before_the_cache(
        self, tmp_path: Path, small: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        vendor = fill(tmp_path / "vendor", small)
        monkeypatch.setattr(obtain, "shipped_folder", lambda: vendor)
        assert engine_files().folder == vendor

    def test_incomplete_shipped_engine_is_refused(
        self, tmp_path: Path, small: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        vendor = fill(tmp_path / "vendor", {"pyodide.mjs": small["pyodide.mjs"]})
        monkeypatch.setattr(obtain, "shipped_folder", lambda: vendor)
        with pytest.raises(EngineError, match="is missing"):
            engine_files()


class TestCache:
    def test_engine_is_made_once(self, small: dict[str, bytes]) -> None:
        messages: list[str] = []
        first = engine_files(messages.append)
        second = engine_files(messages.append)
        assert messages == ["making"]
        assert first == second
        assert first.folder == obtain.cache_folder()
        assert [path.name for path in first.folder.parent.iterdir()] == [first.folder.name]

    @pytest.mark.parametrize("damage", ["changed", "missing"])
    def test_damaged_cached_engine_is_made_again(self, small: dict[str, bytes], damage: str) -> None:
        wasm = engine_files().folder / "pyodide.asm.wasm"
        wasm.unlink()
        if damage == "changed":
            wasm.write_bytes(b"\0asm")
        assert (engine_files().folder / "pyodide.asm.wasm").read_bytes() == small["pyodide.asm.wasm"]
        assert [path.name for path in obtain.cache_folder().parent.iterdir()] == [obtain.cache_folder().name]

    def test_concurrent_builds_share_one_engine(self, small: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
        def outrun(finished: Path, progress: Callable[[str], None]) -> None:
            fill(finished, small)
            fill(obtain.cache_folder(), small)

        monkeypatch.setattr(make, "make", outrun)
        assert engine_files().folder == obtain.cache_folder()
        assert [path.name for path in obtain.cache_folder().parent.iterdir()] == [obtain.cache_folder().name]

    def test_engine_with_wrong_digests_is_not_cached(self, small: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(make, "make", lambda finished, _: fill(finished, small | {pinned.LIBRARY: b"else"}))
        with pytest.raises(EngineError, match=r"python_stdlib\.zip differs"):
            engine_files()
        assert list(obtain.cache_folder().parent.iterdir()) == []

    def test_unwritable_cache_is_an_error_with_the_cure(self, tmp_path: Path, small: dict[str, bytes]) -> None:
        (tmp_path / "cache").write_text("a file where the folder should be")
        with pytest.raises(EngineError, match="cannot be written") as caught:
            engine_files()
        assert obtain.VARIABLE in (caught.value.cure or "")


class TestFetching:
    @pytest.mark.parametrize("program", ["npm", "node"])
    def test_missing_program_is_an_error_with_the_cures(self, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
        monkeypatch.setattr(make.shutil, "which", lambda name: None if name == program else f"/bin/{name}")
        with pytest.raises(EngineError, match=f"{program}, which is needed") as caught:
            engine_files()
        for cure in ("install Node.js", "set RANVIER_ENGINE_DIR to a folder", "install a released wheel"):
            assert cure in (caught.value.cure or "")

    def test_archive_with_a_wrong_digest_is_refused(self, tmp_path: Path) -> None:
        archive = tgz(tmp_path / "pyodide.tgz", {"package/pyodide.mjs": b"evil"})
        with pytest.raises(EngineError, match="has integrity sha512-") as caught:
            make.check_integrity(archive)
        assert "registry" in (caught.value.cure or "")

    @pytest.mark.parametrize("name", ["../out", "package/../../out", "/out", "package\\..\\out", "C:/out"])
    def test_archive_path_out_of_the_folder_is_ignored(self, tmp_path: Path, name: str) -> None:
        archive = tgz(tmp_path / "p.tgz", {**{f"package/{file}": b"x" for file in pinned.STOCK}, name: b"evil"})
        make.extract(archive, tmp_path / "stock")
        assert {file.name for file in (tmp_path / "stock").iterdir()} == {*pinned.STOCK}
        assert not [*tmp_path.rglob("*out")]

    def test_symlink_in_an_archive_is_no_file(self, tmp_path: Path) -> None:
        archive = tgz(tmp_path / "p.tgz", {f"package/{file}": b"" for file in pinned.STOCK}, kind=tarfile.SYMTYPE)
        with pytest.raises(EngineError, match="the package has no"):
            make.extract(archive, tmp_path / "stock")

    def test_incomplete_package_is_refused(self, tmp_path: Path) -> None:
        archive = tgz(tmp_path / "p.tgz", {"package/pyodide.mjs": b""})
        with pytest.raises(EngineError, match=r"has no pyodide\.asm\.mjs"):
            make.extract(archive, tmp_path / "stock")

    def test_output_of_a_failing_program_is_quoted(self, tmp_path: Path) -> None:
        with pytest.raises(EngineError, match="sh failed with status 3: no such package"):
            make.run(["sh", "-c", "echo no such package >&2; exit 3"], tmp_path, cure="none")

    @needs_node
    def test_end_of_a_long_output_is_quoted(self, tmp_path: Path) -> None:
        """Node prints the whole line of a script that fails, and a packed script is a single line."""
        (tmp_path / "packed.mjs").write_text(f"throw new Error('the reason'); // {'x' * 200_000}")
        with pytest.raises(EngineError, match="Error: the reason"):
            make.run([str(NODE), str(tmp_path / "packed.mjs")], tmp_path, cure="none")
