"""What builds of real content folders report, as a table.

`python tests/benchmarks/trees.py FOLDER… [-- FLAGS]`: each folder is built in a process of its own, by one job, with nothing
remembered. A `ranvier.toml` beside or in the folder is used as by anybody.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any


def reported(content: Path, flags: list[str]) -> dict[str, Any]:
    """Build a folder; return its report."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "ranvier_builder", "build", str(content), "-o", f"{folder}/public", "--json"]
        flags = ["--jobs", "1", "--cache", f"{folder}/cache", *flags]
        ran = subprocess.run([*command, *flags], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        results: dict[str, Any] = json.loads(ran.stdout)
        return results


def main() -> None:
    """Print one line for each folder."""
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    for name in words[:at]:
        report = reported(Path(name), words[at + 1 :])
        report.pop("warnings", None)
        print(Path(name).name, json.dumps(report, ensure_ascii=False))


main()
