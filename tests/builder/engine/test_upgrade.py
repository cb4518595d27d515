"""`python -m ranvier_builder.engine --upgrade VERSION` prints what depends on the release of Pyodide."""

import re
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from ranvier_builder.engine import make, pinned, upgrade
from ranvier_builder.engine.__main__ import main
from ranvier_builder.errors import EngineError

ROOT = Path(__file__).resolve().parents[3]


def test_values_of_the_pinned_release_are_the_pinned_ones() -> None:
    """So a printed value for another release belongs at the named place."""
    printed = CliRunner().invoke(main, ["--upgrade", pinned.VERSION])
    assert printed.exit_code == 0, printed.output
    lines = printed.output.splitlines()
    assert f'engine/pinned.py: VERSION = "{pinned.VERSION}"' in lines
    assert f'engine/pinned.py: INTEGRITY = "{pinned.INTEGRITY}"' in lines
    lock = (ROOT / "runtime/ranvier_web/boot/engine-lock.js").read_text("utf-8")
    values = [line.partition(": ")[2] for line in lines if line.startswith("ranvier_web/boot/engine-lock.js: ")]
    assert len(values) == 4
    assert [value for value in values if f"    {value},\n" not in lock] == []
    for script in upgrade.LOADING:
        abi, library = (line.partition(": ")[2] for line in lines if line.startswith(f"engine/{script}: "))
        text = (ROOT / "builder/ranvier_builder/engine" / script).read_text("utf-8")
        assert f"{{ {abi} }}" in text
        assert f"const {library};" in text
    (names,) = [line.partition(": ")[2] for line in lines if line.startswith("ranvier_web/licenses.txt: ")]
    licenses = (ROOT / "runtime/ranvier_web/licenses.txt").read_text("utf-8")
    assert [name for name in names.split(", ") if not re.search(f"^{re.escape(name)} ", licenses, re.MULTILINE)] == []
    assert "any more" not in printed.output


def test_release_that_does_not_exist_is_an_error() -> None:
    printed = CliRunner().invoke(main, ["--upgrade", "0.0.0-none"])
    assert printed.exit_code == 1
    assert "npm failed" in printed.output


def test_missing_modules_of_a_library_are_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "library.zip", "w") as archive:
        for module in pinned.MODULES:
            if module not in ("json.scanner", "struct"):
                archive.writestr(f"{module.replace('.', '/')}/__init__.py", "")
    assert upgrade.missing_modules(tmp_path / "library.zip") == ["json.scanner", "struct"]


def test_release_without_a_needed_file_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tarfile

    def fetch(npm: str, folder: Path, version: str) -> Path:
        with tarfile.open(folder / "pyodide.tgz", "w:gz") as archive:
            archive.addfile(tarfile.TarInfo("package/pyodide.mjs"))
        return folder / "pyodide.tgz"

    monkeypatch.setattr(make, "fetch", fetch)
    with pytest.raises(EngineError, match=r"has no pyodide-lock\.json"):
        upgrade.print_pins("9.9.9", print)
