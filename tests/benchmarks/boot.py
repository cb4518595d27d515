"""Time from the worker's creation to the imported core: with stock Pyodide, and with the engine of a site.

Medians of the first and the second load of a profile, and the fetched bytes. On loopback, bytes take no time.
"""

import gzip
import json
import shutil
import statistics
import tempfile
from importlib.resources import files
from pathlib import Path

import brotli
from common import PUBLIC
from playwright.sync_api import Browser, sync_playwright
from ranvier_builder import build
from ranvier_builder.assets import pack_sources, select
from ranvier_builder.engine import make
from support.browser import _ARGUMENTS, CHROMIUM
from support.sites import serving

RUNS = 3
STARTS = ("stock", "site")
_TIMED = """(method) => new Promise((resolve, reject) => {
  const start = performance.now();
  const worker = new Worker("/boot.js", { type: "module" });
  worker.onerror = (event) => reject(new Error(event.message));
  worker.onmessage = ({ data: [, result] }) => {
    worker.terminate();
    resolve([performance.now() - start, result]);
  };
  worker.postMessage(method);
})"""


def main() -> None:
    """Print a table."""
    with tempfile.TemporaryDirectory(prefix="ranvier-bench-") as folder:
        root = Path(folder)
        furnish(root)
        with serving(root) as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
            times = measure(browser, server.url)
            browser.close()
        print(f"{'':10} {'cold ms':>9} {'second ms':>10} {'raw':>12} {'gzip':>12} {'brotli':>12}", flush=True)
        for method in STARTS:
            cold, second = (statistics.median(samples) for samples in times[method])
            print(f"{method:10} {cold:9.0f} {second:10.0f}", end=" ", flush=True)
            print(*(f"{size:12,}" for size in weigh(root, method)))


def furnish(root: Path) -> None:
    """Write the files of both methods."""
    archive = make.fetch(str(shutil.which("npm")), root)
    make.check_integrity(archive)
    make.extract(archive, root / "stock")
    (root / "sources.zip").write_bytes(select(pack_sources(), ())[0])
    (root / "content").mkdir()
    (root / "content" / "index.md").write_text("# Home\n")
    build(root / "content", root / "site", PUBLIC)
    scripts = Path(str(files("ranvier_web").joinpath("api.js"))).parent
    shutil.copytree(scripts, root / "web", ignore=shutil.ignore_patterns("vendor"))
    shutil.copyfile(Path(__file__).with_name("boot.js"), root / "boot.js")
    (root / "index.html").write_text("<!doctype html><title>boot</title>")


def measure(browser: Browser, url: str) -> dict[str, tuple[list[float], list[float]]]:
    """Alternate the methods, so that disturbances affect all of them; the first turn does not count."""
    times: dict[str, tuple[list[float], list[float]]] = {method: ([], []) for method in STARTS}
    for turn in range(RUNS + 1):
        for method, samples in times.items():
            context = browser.new_context()
            page = context.new_page()
            for times_of_load in samples:
                page.goto(url)
                time, result = page.evaluate(_TIMED, method)
                assert result == "totalHits"
                if turn:
                    times_of_load.append(time)
            context.close()
    return times


def weigh(root: Path, method: str) -> list[int]:
    """Return raw, gzip and Brotli bytes that a method fetches for the core."""
    if method == "stock":
        paths = [root / "sources.zip", *(root / "stock" / name for name in make.pinned.STOCK)]
    else:
        base = root / "site" / "_ranvier"
        entry = json.loads((base / "entry.json").read_text("utf-8"))
        names = [name for name in entry["engineFiles"] if not name.endswith(".secondary.wasm")]
        paths = [*(base / entry["engine"] / name for name in names), base / entry["core"]]
    return [sum(sizes) for sizes in zip(*(packed(path.read_bytes()) for path in paths), strict=True)]


def packed(data: bytes) -> tuple[int, int, int]:
    """Return raw, gzip and Brotli bytes."""
    return len(data), len(gzip.compress(data, 9)), len(brotli.compress(data, quality=11))


main()
