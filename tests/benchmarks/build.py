"""How long a build takes, and how much memory: median of three, each in a process of its own."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 3


def main() -> None:
    """Build three times and print what it took."""
    seconds, memory = [], []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "ranvier_builder", "build", sys.argv[1], "-o", f"{folder}/public"]
            started = time.perf_counter()
            child = subprocess.Popen([*command, "--default-audience", "public"], stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            assert child.returncode == 0
            seconds.append(time.perf_counter() - started)
            memory.append(usage.ru_maxrss / 1024)
            files = [file for file in Path(folder).rglob("*") if file.is_file()]
            sizes = sum(file.stat().st_size for file in files)
    print(
        f"{statistics.median(seconds):.1f} s, {statistics.median(memory):.0f} MiB peak, {len(files):,} files, {sizes:,} bytes"
    )


main()
