"""A static host at the end of a line, for benchmarks in browsers: it counts bytes, and adds latency and a bandwidth.

Bytes are transferred bytes without headers. Every response waits for a round trip, and all bodies share one bandwidth.
"""

import hashlib
import http.server
import json
import mimetypes
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import brotli
from playwright.sync_api import Browser, Page

LINES = {"loopback": (0.0, 0.0), "4G: 100 ms, 10 Mbit/s": (0.1, 10e6), "3G: 300 ms, 1.6 Mbit/s": (0.3, 1.6e6)}
COMPRESSED = {".js", ".mjs", ".css", ".html", ".json", ".svg", ".wasm", ".txt", ".xml"}
PACKED = Path(tempfile.gettempdir()) / "ranvier-bench-brotli"  # by digest: quality 11 needs a second or two a MB
VISITED = "visit"  # an empty page of each site
_EMPTY_PAGE = b"<!doctype html><html lang=en><meta charset=utf-8><link rel=icon href='data:,'><title>Visit</title>"


class Request(NamedTuple):
    """One request."""

    path: str
    size: int  # bytes of the response


@dataclass
class Line:
    """A static host at the end of a line."""

    site: Path
    trip: float = 0.0  # seconds
    speed: float = 0.0  # bits a second; 0: no limit
    log: list[Request] = field(default_factory=list)
    waiting: int = 0  # pending requests
    clock: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, count: int = 1) -> None:
        """Count a pending request; -1: a response has been sent."""
        with self.lock:
            self.waiting += count

    def send(self, body: bytes, write: Any) -> None:
        """Write a body at the line's speed, which all responses share."""
        if not self.speed:
            write(body)
            return
        for at in range(0, len(body), 16_384):
            piece = body[at : at + 16_384]
            with self.lock:
                now = time.monotonic()
                self.clock = max(self.clock, now) + len(piece) * 8 / self.speed
                wait = self.clock - now
            time.sleep(max(0.0, wait))
            write(piece)


@cache
def packed(file: Path) -> tuple[bytes, str]:
    """Return a file as the host sends it, and its encoding."""
    data = file.read_bytes()
    if file.suffix not in COMPRESSED:
        return data, ""
    cached = PACKED / hashlib.sha256(data).hexdigest()
    if not cached.is_file():
        PACKED.mkdir(exist_ok=True)
        part = cached.with_suffix(f".{threading.get_ident()}")
        part.write_bytes(brotli.compress(data, quality=11))
        part.replace(cached)
    return cached.read_bytes(), "br"


def compress(files: Iterable[Path]) -> int:
    """Compress files, as a host does when they are published; return the transferred bytes."""
    with ThreadPoolExecutor(2) as pool:
        return sum(len(body) for body, _ in pool.map(packed, files))


@contextmanager
def served(line: Line) -> Iterator[str]:
    """Serve a site; yield its address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Write nothing."""

        def do_GET(self) -> None:
            line.begin()
            try:
                self.answer(urlsplit(self.path).path.lstrip("/"))
            except OSError:
                """The browser has left the page."""
            finally:
                line.begin(-1)

        def answer(self, path: str) -> None:
            file = line.site / unquote(path)
            file = file / "index.html" if file.is_dir() else file
            time.sleep(line.trip)
            exists, body, encoding = file.is_file(), b"", ""
            if exists:
                body, encoding = packed(file)
            elif path == VISITED:
                exists, body = True, _EMPTY_PAGE
            self.send_response(200 if exists else 404)
            kind = "text/html" if path == VISITED else mimetypes.guess_type(file)[0]
            self.send_header("content-type", kind or "application/octet-stream")
            self.send_header("content-length", str(len(body)))
            self.send_header("cache-control", "max-age=600")
            if encoding:
                self.send_header("content-encoding", encoding)
            self.end_headers()
            line.send(body, self.wfile.write)
            with line.lock:
                line.log.append(Request(path, len(body)))

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, *_: Any) -> None:
            """Ignore connections that the browser closes when a page is left."""

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()


def fresh(browser: Browser, url: str, script: str, speed: float = 0.0) -> Page:
    """Open a page in a new profile, and report the values of the line as the browser does for a real line."""
    page = browser.new_context().new_page()
    downlink = min(speed / 1e6, 10) if speed else 10
    connection = {"effectiveType": "3g" if 0 < speed < 4e6 else "4g", "downlink": downlink}
    page.add_init_script(f"Object.defineProperty(Navigator.prototype, 'connection', {{ value: {json.dumps(connection)} }})")
    page.add_init_script(script)
    page.goto(url)
    return page


def quiet(line: Line, page: Page, timeout: float = 60.0) -> None:
    """Wait until no request has been pending for a quarter of a second.

    Raises:
        TimeoutError: requests do not end.

    """
    end, since, count = time.monotonic() + timeout, time.monotonic(), len(line.log)
    while time.monotonic() < since + 0.25:
        page.wait_for_timeout(25)
        if line.waiting or count != len(line.log):
            since, count = time.monotonic(), len(line.log)
        if time.monotonic() > end:
            raise TimeoutError("requests do not end")
