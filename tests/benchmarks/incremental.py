"""The second build after one edited file against the first: seconds, their ratio, and whether the bytes are a clean build's.

`python tests/benchmarks/incremental.py CONTENT`
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 3


def build(content: Path, out: Path, cache: Path, *flags: str) -> float:
    """Build in a process of its own, as a user does; return the seconds."""
    command = [sys.executable, "-m", "ranvier_builder", "build", str(content), "-o", str(out), "--cache", str(cache)]
    started = time.perf_counter()
    subprocess.run([*command, "--default-audience", "public", *flags], stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def tree(folder: Path) -> dict[str, bytes]:
    """Read all files of a folder."""
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def main() -> None:
    """Build, edit one file, build again; compare with a clean build of the same content."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        content = Path(shutil.copytree(sys.argv[1], base / "content"))
        edited = sorted(content.rglob("*.md"))[100]
        first = [build(content, base / "public", base / "cache", "--fresh") for _ in range(RUNS)]
        time.sleep(2.5)  # a file that is younger than that is looked into again
        build(content, base / "public", base / "cache")
        second = []
        for run in range(RUNS):
            edited.write_text(edited.read_text("utf-8") + f"\nOne more line, the {run}th.\n", "utf-8")
            second.append(build(content, base / "public", base / "cache"))
        build(content, base / "clean", base / "other", "--jobs", "1")
        same = tree(base / "public") == tree(base / "clean")
        a, b = statistics.median(first), statistics.median(second)
        print(f"first {a:.2f} s, second {b:.2f} s: {b / a:.0%}; bytes {'equal' if same else 'DIFFER'}")


main()
