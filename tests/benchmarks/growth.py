"""Costs of builds as a tree grows: processor time, wall time, memory of all processes, files and bytes of each kind.

`python tests/benchmarks/growth.py FOLDER… [--jobs 1] [--no-vectors] [--again]`: one row for each folder, built in a new
process, without a cache and without the browser's engine. `--again` then edits one paragraph of one file and builds again: it
prints the processor time, and how many of the files with digests in their names change. `--svg FILE` draws the rows.
"""

import argparse
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from peers.plot import Panel, draw

PAGE_SIZE = resource.getpagesize()
PLOTTED = ("cpu ms a page", "MB", "files a page", "kB a page", "menu kB a page", "fixed kB")
_MENU = re.compile(rb'<details class="side menu">.*?</nav>', re.DOTALL)
EDIT = "\n\nThis paragraph was added after the first build.\n"


def main() -> None:
    """Print the table; or build, in the process of one build."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-vectors", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--svg", type=Path, help="file for a plot of the rows")
    parser.add_argument("--out", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.out:
        _build(args.folder[0], args.out, args.jobs, not args.no_vectors)
        return
    rows = []
    for folder in args.folder:
        with tempfile.TemporaryDirectory(prefix="ranvier-bench-", dir=folder.resolve().parent) as scratch:
            rows.append(_measure(folder, Path(scratch), args))
    if args.svg:
        args.svg.write_text(plot(rows), "utf-8")


def plot(rows: list[dict[str, Any]]) -> str:
    """Return a picture with a bar for each row in a panel for each figure."""
    bars = [(f"{row['pages']:,}", row) for row in rows]
    return draw([Panel(head, [(name, row[head], f"{row[head]:,}") for name, row in bars]) for head in PLOTTED], first="")


def _build(content: Path, out: Path, jobs: int, vectors: bool) -> None:
    import common  # noqa: F401 (it makes `support` importable)
    from ranvier_builder import Config, build, publish
    from ranvier_builder.work.database import Memory
    from ranvier_builder.work.pool import pool
    from support.content import stub_assets

    config = Config(default_audience="public")
    config = replace(config, search=replace(config.search, vectors=vectors))
    with pool(jobs) as executor, patch.object(publish, "write_assets", stub_assets):
        build(content, out / "public", config, executor=executor, memory=Memory(out / "cache"))


def _measure(folder: Path, scratch: Path, args: argparse.Namespace) -> dict[str, Any]:
    flags = ["--jobs", str(args.jobs), *(["--no-vectors"] if args.no_vectors else [])]
    content = shutil.copytree(folder, scratch / "content") if args.again else folder
    pages = sum(1 for _ in content.rglob("*.md"))
    row = {"tree": folder.name, "pages": pages, "vectors": not args.no_vectors} | _build_in_process(content, scratch, flags)
    row |= {"cpu ms a page": round(1000 * row["cpu s"] / pages, 1)} | output_sizes(scratch / "public", pages)
    print(json.dumps(row), flush=True)
    if args.again:
        before = _hashed(scratch / "public")
        file = sorted(content.rglob("*.md"))[pages // 2]
        time.sleep(2.5)  # a younger file is read again
        _build_in_process(content, scratch, flags)
        file.write_text(file.read_text("utf-8") + EDIT, "utf-8")
        edited = {"tree": folder.name, "again": True} | _build_in_process(content, scratch, flags)
        after = _hashed(scratch / "public")
        renamed = Counter(name.rpartition("/")[0] for name in after - before)
        print(json.dumps(edited | {"hashed": len(after), "renamed": len(after - before), "in": dict(renamed)}), flush=True)
    return row


def _build_in_process(content: Path, scratch: Path, flags: list[str]) -> dict[str, Any]:
    """Build in a new process; return seconds and megabytes."""
    start = time.perf_counter()
    command = [sys.executable, __file__, str(content), "--out", str(scratch), *flags]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    child = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    peak = [0]
    threading.Thread(target=_watch, args=(child.pid, peak), daemon=True).start()
    errors = child.communicate()[1]
    assert child.returncode == 0, errors.decode()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return {"cpu s": round(cpu, 1), "wall s": round(time.perf_counter() - start, 1), "MB": peak[0] * PAGE_SIZE >> 20}


def _watch(session: int, peak: list[int]) -> None:
    """Record the peak of the memory of all processes of a session, ten times a second."""
    while Path(f"/proc/{session}").exists():
        total = 0
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    if int((entry / "stat").read_text().rpartition(")")[2].split()[3]) == session:
                        total += int((entry / "statm").read_text().split()[1])
                except (OSError, IndexError):
                    continue
        peak[0] = max(peak[0], total)
        time.sleep(0.1)


def _hashed(site: Path) -> set[str]:
    base = site / "_ranvier"
    names = {file.relative_to(base).as_posix() for file in base.rglob("*") if file.is_file()}
    return {name for name in names if re.search("[0-9a-f]{16}", name)}


def output_sizes(site: Path, pages: int) -> dict[str, Any]:
    """Return files and bytes of each kind, and of the files before each search: entry file, manifest and hot pack."""
    files, sizes, menus = Counter[str](), Counter[str](), 0
    for file in site.rglob("*"):
        if file.is_file():
            path = file.relative_to(site)
            kind = (path.parts[1] if len(path.parts) > 2 else "root") if path.parts[0] == "_ranvier" else "pages"
            files[kind] += 1
            sizes[kind] += file.stat().st_size
            if kind == "pages" and path.suffix == ".html":
                menus += sum(map(len, _MENU.findall(file.read_bytes())))
    total, count = sum(sizes.values()), sum(files.values())
    names = ("entry.json", "manifest-*.bin", "hot-*.bin")
    fixed = sum(file.stat().st_size for name in names for file in (site / "_ranvier").glob(name))
    return {
        "fixed kB": round(fixed / 1000, 1),
        "files": count,
        "files a page": round(count / pages, 2),
        "kB a page": round(total / pages / 1000, 1),
        "menu kB a page": round(menus / pages / 1000, 1),
        "of each kind": {kind: [files[kind], round(sizes[kind] / pages / 1000, 2)] for kind in sorted(files)},
    }


if __name__ == "__main__":
    main()
