"""A host that can lose, delay or damage files."""

import asyncio
import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".json": "application/json",
    ".wasm": "application/wasm",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
_FOREVER = "public, max-age=31536000, immutable"
_STATEMENT = re.compile(rb"^(?:import|export|const|class|var|async|function)\b", re.MULTILINE)
DELAY = 1.0  # seconds
BLANK = "/-/blank"  # an empty page


@dataclass(eq=False)
class Fault:
    """A fault of the files whose address matches a pattern.

    `effect`: "lost", the connection is closed without a response; "broken", it is closed after half of it; "404", "500";
    "truncated", a response with half of the file; "altered", one bit is changed; "late"; "silent", no response. `times`: the
    number of requests; -1 means all.
    """

    part: str
    effect: str
    times: int = -1

    def applies(self, path: str) -> bool:
        """Return whether the fault applies to a request, and count it."""
        if not self.times or not re.search(self.part, path):
            return False
        self.times -= 1
        return True


@dataclass
class FaultyHost:
    """A folder on a local port. `/@name/…` is the same folder with addresses that no browser has cached.

    `other_folders`: more folders, by the part of such a name before the first "-".
    """

    folder: Path
    other_folders: Mapping[str, Path] = field(default_factory=dict)
    port: int = 0
    faults: list[Fault] = field(default_factory=list)
    switched: dict[str, Fault] = field(default_factory=dict)  # a page turns these on and off: `/-/on/KEY`, `/-/off/KEY`
    queues: dict[str, list[Any]] = field(default_factory=dict)  # pages take items from these: `/-/next/NAME`
    replaced: dict[str, bytes] = field(default_factory=dict)  # the content by path, as in a cache
    paths: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The address of the folder."""
        return f"http://127.0.0.1:{self.port}/"

    def lane(self, name: str) -> str:
        """Return the address with another host name: a browser opens six connections to each, and a silent file blocks one."""
        return f"http://{name}.localhost:{self.port}{BLANK}"

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of a connection until it is closed."""
        try:
            while await self._answer((await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1].decode(), reader, writer):
                await writer.drain()
        except asyncio.CancelledError:  # the host ends without waiting for slow clients
            writer.transport.abort()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()

    async def _answer(self, address: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        path = address.partition("?")[0]
        if path == BLANK:
            writer.write(_head(200, "/", 0))
            return True
        if path.startswith("/-/"):
            body = json.dumps(self._run_command(*path.split("/")[2:])).encode()
            writer.write(_head(200, path, len(body)) + body)
            return True
        self.paths.append(path)
        effect = next((fault.effect for fault in self.faults if fault.applies(path)), "")
        status, body = (200, self.replaced[path]) if path in self.replaced else self._file(path)
        if effect == "lost":
            writer.transport.abort()
            return False
        if effect == "silent":
            await reader.read()
            return False
        if effect == "late":
            await asyncio.sleep(DELAY)
        if effect in ("404", "500"):
            status, body = int(effect), b"<!doctype html><title>Sorry</title>"
        elif effect == "truncated":
            body = body[: len(body) // 2]
        elif effect == "altered":
            body = altered(body, path)
        writer.write(_head(status, path, len(body)))
        writer.write(body[: len(body) // 2] if effect == "broken" else body)
        return effect != "broken"

    def _run_command(self, command: str, key: str) -> Any:
        if command == "next":
            return self.queues[key].pop(0) if self.queues[key] else None
        fault = self.switched[key]
        if command == "on" and fault not in self.faults:
            self.faults.append(fault)
        if command == "off" and fault in self.faults:
            self.faults.remove(fault)
        return None

    def _file(self, path: str) -> tuple[int, bytes]:
        name, _, below = path[2:].partition("/") if path.startswith("/@") else ("", "", path[1:])
        file = (
            self.other_folders.get(name.partition("-")[0], self.folder) / below / ("index.html" if path.endswith("/") else "")
        )
        return (200, _read(file, file.stat().st_mtime_ns)) if file.is_file() else (404, b"")


@lru_cache(maxsize=512)
def _read(file: Path, _: int) -> bytes:
    return file.read_bytes()


def altered(body: bytes, path: str) -> bytes:
    """Change one bit: in the first statement of a script, in a name of the entry file, else in the middle."""
    statement = _STATEMENT.search(body) if path.endswith(".js") else None
    at = statement.start() if statement else body.find(b'"manifest-') + 20 if path.endswith("entry.json") else len(body) // 2
    return body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :]


def _head(status: int, path: str, size: int) -> bytes:
    name = path.rpartition("/")[2]
    hashed = "/_ranvier/" in path and name not in ("entry.json", "sw.js")
    lines = [
        f"HTTP/1.1 {status} -",
        f"content-type: {_TYPES.get('.' + name.rpartition('.')[2] if name else '.html', 'application/octet-stream')}",
        f"content-length: {size}",
        *([f"cache-control: {_FOREVER if hashed else 'no-cache'}"] if status == 200 else []),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def _shut(server: asyncio.Server) -> None:
    """Accept no more connections, cancel pending responses, and wait until all connections are closed."""
    for listening in server.sockets:
        asyncio.get_running_loop().remove_reader(listening.fileno())
    await asyncio.sleep(0.01)  # a server that is closed does not close a connection that it has just accepted
    server.close()
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0.01)


@contextmanager
def faulty(folder: Path, other_folders: Mapping[str, Path] | None = None) -> Iterator[FaultyHost]:
    """Serve a folder from a thread."""
    host, loop, listening = FaultyHost(folder, other_folders or {}), asyncio.new_event_loop(), threading.Event()

    def run() -> None:
        server = loop.run_until_complete(asyncio.start_server(host.answer, "127.0.0.1", 0))
        host.port = server.sockets[0].getsockname()[1]
        listening.set()
        loop.run_forever()
        loop.run_until_complete(_shut(server))
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert listening.wait(10)
    try:
        yield host
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
