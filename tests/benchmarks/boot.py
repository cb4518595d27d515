"""Worker created → core imported, three ways in the same run: stock Pyodide, the trimmed engine, the memory snapshot.

A profile's first load and its second, medians; and what each way fetches. Loopback: the bytes cost nothing here.
"""

from __future__ import annotations

import gzip
import shutil
import statistics
import tempfile
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import brotli
import common  # noqa: F401  # finds `support`
from playwright.sync_api import Browser, sync_playwright
from ranvier_builder.assets import pack_core
from ranvier_builder.engine import engine_files, make, runtime_files
from support.browser import _ARGUMENTS, CHROMIUM
from support.sites import serving

RUNS = 3
WAYS = {
    "stock": ("stock/", "sources.zip"),
    "trimmed": ("engine/", "core.zip"),
    "snapshot": ("engine/", "core.zip", "memory.bin"),
}
_TIMED = """(way) => new Promise((resolve, reject) => {
  const start = performance.now();
  const worker = new Worker("/boot.js", { type: "module" });
  worker.onerror = (event) => reject(new Error(event.message));
  worker.onmessage = ({ data: [, said] }) => {
    worker.terminate();
    resolve([performance.now() - start, said]);
  };
  worker.postMessage(way);
})"""


def main() -> None:
    """Print a table."""
    with tempfile.TemporaryDirectory(prefix="ranvier-bench-") as folder:
        root = Path(folder)
        furnish(root)
        with serving(root) as served, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
            times = measure(browser, served.url)
            browser.close()
        print(f"{'':10} {'cold ms':>9} {'second ms':>10} {'raw':>12} {'gzip':>12} {'brotli':>12}", flush=True)
        for way, names in WAYS.items():
            cold, second = (statistics.median(each) for each in times[way])
            print(f"{way:10} {cold:9.0f} {second:10.0f}", end=" ", flush=True)
            print(*(f"{size:12,}" for size in weigh(root, way, names)))


def furnish(root: Path) -> None:
    """Lay out what the three ways fetch."""
    archive = make.fetch(str(shutil.which("npm")), root)
    make.check_integrity(archive)
    make.extract(archive, root / "stock")
    engine, core = engine_files(print), pack_core()
    shutil.copytree(engine.folder, root / "engine")
    prepared = runtime_files(core, engine, print)
    assert prepared.snapshot is not None, "Node makes it"
    (root / "sources.zip").write_bytes(core)
    (root / "core.zip").write_bytes(prepared.core)
    shutil.copyfile(prepared.snapshot, root / "memory.bin")
    shutil.copytree(str(files("ranvier_web").joinpath("boot")), root / "web" / "boot")
    shutil.copytree(str(files("ranvier_web").joinpath("store")), root / "web" / "store")
    shutil.copyfile(Path(__file__).with_name("boot.js"), root / "boot.js")
    (root / "nothing").write_bytes(b"")
    (root / "index.html").write_text("<!doctype html><title>boot</title>")


def measure(browser: Browser, url: str) -> dict[str, tuple[list[float], list[float]]]:
    """Take turns, so that what disturbs one way disturbs all; the first turn does not count."""
    times: dict[str, tuple[list[float], list[float]]] = {way: ([], []) for way in WAYS}
    for turn in range(RUNS + 1):
        for way, kept in times.items():
            context = browser.new_context()
            page = context.new_page()
            for each in kept:
                page.goto(url)
                time, said = page.evaluate(_TIMED, way)
                assert said == "totalHits"
                if turn:
                    each.append(time)
            context.close()
    return times


def weigh(root: Path, way: str, names: tuple[str, ...]) -> list[int]:
    """Raw, gzip and brotli bytes of what a way fetches; from a snapshot the library is not."""
    paths: list[Any] = []
    for name in names:
        paths += sorted((root / name).glob("pyodide*")) if name.endswith("/") else [root / name]
    if way != "snapshot":
        paths.append(root / names[0] / make.pinned.LIBRARY)
    return [sum(each) for each in zip(*(packed(path.read_bytes()) for path in paths), strict=True)]


@lru_cache
def packed(data: bytes) -> tuple[int, int, int]:
    """Raw, gzip and brotli bytes; some seconds for the module, which two ways share."""
    return len(data), len(gzip.compress(data, 9)), len(brotli.compress(data, quality=11))


main()
