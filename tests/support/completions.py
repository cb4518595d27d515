"""A local server with the protocol of chat completions, which it can violate."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class StandIn:
    """The server's address, its response, and the requests that it received.

    `parts` are the parts of the response. `status`, `kind` and `raw` replace the status, the content type and the body. With
    `stops`, the response lacks its end. `held`: the server waits for this event after the first part.
    """

    url: str = ""
    parts: Sequence[str] = ("The vault holds ", "kestrels [1].")
    status: int = 200
    kind: str = "text/event-stream"
    raw: bytes | None = None
    stops: bool = False
    held: threading.Event | None = None
    requests: list[tuple[dict[str, str], Any]] = field(default_factory=list)

    def events(self) -> Iterator[bytes]:
        """Yield the body."""
        if self.raw is not None:
            yield self.raw
            return
        yield (
            b": a comment\n\n"
            + _event({"choices": []})
            + _event({"choices": [{"delta": {"role": "assistant", "content": ""}}]})
        )
        for number, part in enumerate(self.parts):
            if number == 1 and self.held is not None:
                self.held.wait(30)
            yield _event({"choices": [{"delta": {"content": part}, "finish_reason": None}]})
        if not self.stops:
            yield _event({"choices": [{"delta": {}, "finish_reason": "stop"}]}) + b"data: [DONE]\n\n"


def _event(data: Any) -> bytes:
    return b"data: " + json.dumps(data).encode() + b"\n\n"


@contextmanager
def stand_in() -> Iterator[StandIn]:
    """Run the server on a free local port."""
    state = StandIn()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            state.requests.append(({name.lower(): value for name, value in self.headers.items()}, json.loads(body)))
            self.send_response(state.status)
            self.send_header("content-type", state.kind)
            self.send_header("location", "http://127.0.0.1:9/")
            self.end_headers()
            for part in state.events():
                self.wfile.write(part)
                self.wfile.flush()

        def log_message(self, *_: Any) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a client that hangs up is part of a test
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_port}/v1/chat/completions"
    try:
        yield state
    finally:
        if state.held is not None:
            state.held.set()
        server.shutdown()
        server.server_close()
        thread.join(10)
