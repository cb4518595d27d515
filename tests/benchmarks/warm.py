"""Time of a query in the core, in Pyodide under Node and in this Python. The queries are titles of the site, in sequence.

Times are processor times. *First* includes the unpacking of the files of a query; *again*, all files are in memory.
"""

import argparse
import json
import random
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import ranvier
from common import indexed
from ranvier.bridge import Bridge
from ranvier.store.source import SparseFile
from ranvier_builder.assets import pack_sources, select
from ranvier_builder.engine.obtain import engine_files

SEED = 7
OPTIONS = {"limit": 8, "prefix": True}  # as the search box asks
RUNTIME = Path(ranvier.__file__).parents[1] / "ranvier_web"
Timed = tuple[float, str]  # processor time in ms, and the answer as JSON


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content", type=Path, help="a folder of Markdown, or a site that was built from one")
    parser.add_argument("--queries", type=int, default=100, metavar="N")
    parser.add_argument("--slowest", type=int, default=0, metavar="N", help="show the slowest repeated searches in Pyodide")
    args = parser.parse_args()
    with _site(args.content) as site:
        queries = _titles(site, args.queries)
        requests = [["search", json.dumps({"query": query, **OPTIONS})] for query in ["axon", *queries, *queries]]
        for name, search in (("Pyodide", _in_pyodide), ("CPython", _in_python)):
            times = search(site, requests)[1:]
            first, repeated = times[: len(queries)], times[len(queries) :]
            print(f"{name:8} first {_figures(first)}   again {_figures(repeated)}")
            if name == "Pyodide":
                for (elapsed, _), query in sorted(zip(repeated, queries, strict=True), reverse=True)[: args.slowest]:
                    print(f"    {elapsed:6.0f} ms   {query!r}")


@contextmanager
def _site(folder: Path) -> Iterator[Path]:
    if (folder / "_ranvier").is_dir():
        yield folder
    else:
        with indexed(folder) as site:
            yield site


def _titles(site: Path, count: int) -> list[str]:
    with ranvier.open_snapshot(site) as library:
        titles = sorted({hit.title for hit in library.search("", return_all=True, sort="title").hits})
    return random.Random(SEED).sample(titles, min(count, len(titles)))


def _in_pyodide(site: Path, requests: Sequence[Any]) -> list[Timed]:
    script = Path(__file__).with_suffix(".mjs")
    with tempfile.NamedTemporaryFile(suffix=".zip") as core:
        Path(core.name).write_bytes(select(pack_sources(), ())[0])
        command = ["node", str(script), str(RUNTIME), str(engine_files().folder), core.name, str(site)]
        result = subprocess.run(command, input=json.dumps(requests).encode(), stdout=subprocess.PIPE, check=True)
    return [(elapsed, answer) for elapsed, answer in json.loads(result.stdout)]


def _in_python(site: Path, requests: Sequence[Any]) -> list[Timed]:
    base = site / "_ranvier"
    entry = json.loads((base / "entry.json").read_bytes())
    names = [entry["manifest"], entry["hot"]]
    pages = SparseFile()
    bridge = Bridge(names, [(base / name).read_bytes() for name in names], pages)
    times = [_timed(bridge, base, *request) for request in requests]
    bridge.engine.close()
    pages.close()
    return times


def _timed(bridge: Bridge, base: Path, method: str, request: str) -> Timed:
    start = time.process_time()
    answer = bridge.start(1, method, request)
    elapsed = time.process_time() - start
    while "need" in (step := json.loads(answer)):
        files = [(base / name).read_bytes() for name in step["need"]]
        start = time.process_time()
        answer = bridge.feed(1, step["need"], files)
        elapsed += time.process_time() - start
    return elapsed * 1000, answer


def _figures(times: Sequence[Timed]) -> str:
    ranked = sorted(elapsed for elapsed, _ in times)
    return f"median {median(ranked):.1f}, p95 {ranked[int(len(ranked) * 0.95)]:.1f}, worst {ranked[-1]:.1f} ms"


if __name__ == "__main__":
    main()
