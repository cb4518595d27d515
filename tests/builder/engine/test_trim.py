"""The trimmed library is plain and complete, and the core runs on it."""

import io
import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from ranvier_builder.engine import engine_files, make, pinned, trim_stdlib

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(not NODE, reason="Node makes the engine")
REPORT = """Traceback (most recent call last):
  File "<exec>", line N, in failed
ZeroDivisionError: division by zero
a note

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "<exec>", line N, in failed
Later: too late
"""


def test_source_map_comment_is_removed() -> None:
    assert make.without_source_map(b"export{a};\n//# sourceMappingURL=a.map\n") == b"export{a};\n"


def test_library_archive_is_deterministic() -> None:
    packed = trim_stdlib.pack([("b.pyc", b"bb"), ("a/__init__.pyc", b"a" * 999)])
    assert packed == trim_stdlib.pack([("a/__init__.pyc", b"a" * 999), ("b.pyc", b"bb")])
    assert assert_plain(packed) == ["a", "b"]


def test_unknown_library_module_is_an_error() -> None:
    with pytest.raises(LookupError, match="no module nosuch"):
        trim_stdlib.find("nosuch", {"json/__init__.py"})


def test_list_of_modules_has_no_duplicate() -> None:
    names = [name for line in pinned._MODULE_GROUPS for name in line.split()]
    assert len(names) == len(set(names))


@needs_node
def test_library_has_no_path_of_the_machine() -> None:
    library = (engine_files().folder / pinned.LIBRARY).read_bytes()
    assert assert_plain(library) == sorted(["archives", *pinned.MODULES])
    assert str(Path.home()).encode() + b"/" not in library


def test_every_replacement_is_a_kept_module() -> None:
    """No stand-in ships for a module that does not."""
    names = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in make.replacements()}
    assert names
    assert names <= {"archives", *pinned.MODULES}


@needs_node
def test_core_runs_on_the_trimmed_engine() -> None:
    """The functions that the worker uses, with only the library."""
    engine = engine_files()
    command = [str(NODE), str(Path(__file__).with_name("boot.mjs")), f"{engine.folder}/"]
    process = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert process.stderr == ""
    result = json.loads(process.stdout)
    assert re.sub(r"line \d+", "line N", result.pop("error")) == REPORT
    assert re.fullmatch(r"<exec>:\d+: FutureWarning: Possible nested set at position 1", result.pop("output")[0])
    assert result == {"fts5": [[1], [2]], "called": [["méthode", 3], "a,b"], "idle": []}


def assert_plain(archive: bytes) -> list[str]:
    """Check how a library is stored; return the modules in it."""
    with zipfile.ZipFile(io.BytesIO(archive)) as archive_file:
        entries = archive_file.infolist()
    names = [entry.filename for entry in entries]
    assert names == sorted(names)
    assert {(entry.compress_type, entry.date_time, entry.create_system) for entry in entries} == {
        (zipfile.ZIP_STORED, (1980, 1, 1, 0, 0, 0), 3)
    }
    return sorted(name.removesuffix(".pyc").removesuffix("/__init__").replace("/", ".") for name in names)
