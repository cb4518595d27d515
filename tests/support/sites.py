"""Sites that are built once in a test run, and a server."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from ranvier_builder import Report, build, load_config
from ranvier_builder.serve.static import static_app
from starlette.applications import Starlette
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from support.content import build_without_engine
from support.shared import shared_folder

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "site_example"


@pytest.fixture(scope="session")
def example_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manual, built as the README says."""

    def fill(folder: Path) -> None:
        report: Report = build(EXAMPLE / "content", folder / "public", load_config(EXAMPLE / "ranvier.toml"))
        assert report.published >= 25

    return shared_folder(tmp_path_factory, "example", fill) / "public"


@pytest.fixture(scope="session")
def manual_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manual with vectors, without the files of a browser."""

    def fill(folder: Path) -> None:
        report = build_without_engine(EXAMPLE / "content", folder / "public", vectors=True)
        assert report.vectors == report.chunks

    return shared_folder(tmp_path_factory, "index", fill) / "public"


class Recorder:
    """Records the path of every request, and can damage responses."""

    def __init__(self, app: ASGIApp, headers: dict[str, str]) -> None:
        self._app = app
        self._headers = [(key.encode(), value.encode()) for key, value in headers.items()]
        self.paths: list[str] = []
        self.sent: dict[str, int] = {}
        self.pending = 0
        self.faults: dict[str, str] = {}  # part of a path → "500", "garbled" or "cut"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        path: str = scope["path"]
        self.paths.append(path)
        fault = next((fault for part, fault in self.faults.items() if part in path), "")

        async def pass_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers]
                if fault == "500":
                    message["status"] = 500
                    message["headers"] = [pair for pair in message["headers"] if pair[0] != b"cache-control"]
                if fault == "cut":
                    message["headers"] = [pair for pair in message["headers"] if pair[0] != b"content-length"]
            elif body := message.get("body", b""):
                if fault == "garbled":
                    message["body"] = body[:-1] + bytes([body[-1] ^ 1])
                if fault == "cut":
                    message["body"] = body[: len(body) // 2]
                self.sent[path] = self.sent.get(path, 0) + len(message["body"])
            await send(message)

        self.pending += 1
        try:
            await self._app(scope, receive, pass_on)
        finally:
            self.pending -= 1

    def wait_idle(self) -> None:
        """Wait until no request is pending."""
        for _ in range(500):
            if not self.pending:
                return
            time.sleep(0.02)
        raise AssertionError("a request is pending after ten seconds")


class SiteServer:
    """A site on a local port."""

    def __init__(self, port: int, recorder: Recorder, path: str) -> None:
        self.url = f"http://127.0.0.1:{port}{path}"
        self.recorder = recorder


class _Server(uvicorn.Server):
    """A server that closes all connections at its end. uvicorn leaves used and new connections open."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._abort_connections()
        await super().shutdown(sockets)
        self._abort_connections()  # accepted while the server was being closed
        await asyncio.sleep(0)  # the loop closes an aborted socket in its next turn

    def _abort_connections(self) -> None:
        for connection in list(self.server_state.connections):
            assert connection.transport is not None
            connection.transport.abort()


@contextmanager
def serving(
    site: Path,
    *,
    headers: dict[str, str] | None = None,
    under: str = "/",
    live: bool = False,
    host: Callable[[ASGIApp], ASGIApp] = lambda app: app,
) -> Iterator[SiteServer]:
    """Serve a site, perhaps below a path; `host` may change the responses."""
    app: ASGIApp = host(static_app(site, live=live))
    if under != "/":
        outer = Starlette()
        outer.mount(under.rstrip("/"), app)
        app = outer
    recorder = Recorder(app, headers or {})
    server = _Server(uvicorn.Config(recorder, host="127.0.0.1", port=0, log_level="warning", ws="none", lifespan="off"))
    server.config.timeout_graceful_shutdown = 1  # an event stream has no end
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield SiteServer(_port(server), recorder, under)
    finally:
        server.should_exit = True
        thread.join(10)


def _port(server: uvicorn.Server) -> int:
    for _ in range(500):
        if server.started:
            return int(server.servers[0].sockets[0].getsockname()[1])
        time.sleep(0.02)
    raise RuntimeError("the server did not start in ten seconds")
