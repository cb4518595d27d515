"""Requests a second and latency of `GET /search`, beside plain SQLite FTS5 behind the same kind of server. Needs wrk.

Both servers are Starlette on uvicorn, one process, four threads, with the same access log. The plain one has whole pages in one
table (`porter unicode61`, the words of a query joined by OR) and returns ten rows with title, path and snippet. The queries are
headings of the content, in turn. wrk runs on the same machine, so compare only figures of the same run.
CPU is the processor time of the server for a request, which other programs on the machine hardly change.
"""

import argparse
import asyncio
import json
import os
import random
import re
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import uvicorn
from common import indexed
from ranvier_builder.api.app import AccessLog, api_app
from ranvier_builder.api.tokens import Tokens
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

_SCRIPT = """
local paths, at = {%s}, 0
request = function()
  at = at %% #paths + 1
  return wrk.format("GET", paths[at])
end
"""
_SQL = """SELECT title, path, snippet(page, 1, '<mark>', '</mark>', '…', 30), bm25(page, 3, 1, 0) FROM page
WHERE page MATCH ? ORDER BY bm25(page, 3, 1, 0) LIMIT 10"""


def plain_app(file: str) -> Starlette:
    """Return a search server over one FTS5 table."""
    local, threads = threading.local(), ThreadPoolExecutor(4)

    def rows(query: str) -> list[Any]:
        if not hasattr(local, "base"):
            local.base = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        return local.base.execute(_SQL, (words,)).fetchall()  # type: ignore[no-any-return]

    async def search(request: Request) -> JSONResponse:
        documents = await asyncio.get_running_loop().run_in_executor(threads, rows, request.query_params["q"])
        return JSONResponse({"documents": documents})

    return Starlette(routes=[Route("/search", search)], middleware=[Middleware(AccessLog)])


def ranvier_app(folder: str) -> Starlette:
    """Return the API of a site."""
    return api_app(Path(folder), Tokens())


def serve(make: Callable[[str], Starlette], argument: str, port: int) -> None:
    """Serve an application, in a new process, without its log."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    uvicorn.run(make(argument), host="127.0.0.1", port=port, log_level="error", access_log=False)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content", type=Path)
    parser.add_argument("--site", type=Path, help="CONTENT as a site that is built already")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--connections", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--wrk", default="wrk", help="the program")
    args = parser.parse_args()
    texts = {file: file.read_text("utf-8", "replace") for file in sorted(args.content.rglob("*.md"))}
    heading = re.compile(r"^#{1,4} ([A-Za-z][\w ]{2,60})$", re.MULTILINE)
    heads = sorted({head.strip() for text in texts.values() for head in heading.findall(text)})
    random.Random(7).shuffle(heads)
    with tempfile.TemporaryDirectory(prefix="ranvier-bench-") as folder, _site(args) as site:
        file = Path(folder) / "plain.sqlite"
        with sqlite3.connect(file) as base:
            base.execute("CREATE VIRTUAL TABLE page USING fts5(title, body, path UNINDEXED, tokenize = 'porter unicode61')")
            rows = ((path.stem, text, path.relative_to(args.content).as_posix()) for path, text in texts.items())
            base.executemany("INSERT INTO page VALUES (?, ?, ?)", rows)
        print(f"{len(texts)} pages, {len(heads[:400])} queries, {args.seconds} s each; load average {os.getloadavg()[0]:.1f}")
        print(f"{'':24}{'connections':>12}{'requests/s':>12}{'p50, ms':>10}{'p99, ms':>10}{'CPU, ms':>10}{'errors':>8}")
        for name, make, argument, options in (
            ("plain FTS5", plain_app, file, ""),
            ("Ranvier, words", ranvier_app, site, "&limit=10&strategy=bm25"),
            ("Ranvier, auto", ranvier_app, site, "&limit=10"),
        ):
            paths = [f"/search?q={quote(head)}{options}" for head in heads[:400]]
            _measure(name, make, str(argument), paths, args)
    print(f"load average {os.getloadavg()[0]:.1f}")


def _site(args: Any) -> AbstractContextManager[Path]:
    return nullcontext(args.site) if args.site else indexed(args.content)


def _measure(name: str, make: Callable[[str], Starlette], argument: str, paths: list[str], args: Any) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = get_context("spawn").Process(target=serve, args=(make, argument, port), daemon=True)
    process.start()
    script = Path(tempfile.gettempdir()) / f"ranvier-bench-{os.getpid()}.lua"
    script.write_text(_SCRIPT % ", ".join(map(json.dumps, paths)))
    try:
        _wait(f"http://127.0.0.1:{port}{paths[0]}")
        for connections in args.connections:
            command = [args.wrk, "-t1", f"-c{connections}", f"-d{args.seconds}s", "--timeout", "10s", "--latency"]
            run = [*command, "-s", str(script), f"http://127.0.0.1:{port}"]
            before = _processor_time(process.pid)
            text = subprocess.run(run, check=True, capture_output=True, text=True).stdout
            p50, p99 = (_milliseconds(re.search(rf"{share}%\s+(\S+)", text)[1]) for share in (50, 99))  # type: ignore[index]
            spent = (_processor_time(process.pid) - before) / int(re.search(r"(\d+) requests in", text)[1])  # type: ignore[index]
            rate = float(re.search(r"Requests/sec:\s+(\S+)", text)[1])  # type: ignore[index]
            errors = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
            figures = f"{rate:12.0f}{p50:10.1f}{p99:10.1f}{spent * 1000:10.1f}"
            print(f"{name:24}{connections:12}{figures}{errors[1] if errors else 0:>8}", flush=True)
    finally:
        script.unlink()
        process.terminate()
        process.join(10)


def _processor_time(process: int | None) -> float:
    """Return the seconds of processor time that a process has used, on Linux. They do not depend on other processes."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _wait(url: str) -> None:
    for _ in range(200):
        try:
            with urlopen(url) as response:
                assert json.load(response)["documents"]
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not start")


def _milliseconds(text: str) -> float:
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()  # type: ignore[union-attr]
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


if __name__ == "__main__":
    main()
