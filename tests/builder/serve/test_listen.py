"""`ranvier serve` and `ranvier mcp --http`: the printed address accepts connections; errors of addresses (V1)."""

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
import uvicorn
from ranvier_builder.serve.listen import listen
from support.cli import failure, reset_signals, run
from support.content import write_tree


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "site", {"index.html": "<p>home</p>", "_ranvier/entry.json": "{}"})


@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP"])
def test_printed_address_accepts_connections(site: Path, name: str) -> None:
    """V1: the real port of `--port 0`; one request, without a retry. A signal ends the server."""
    command = [sys.executable, "-m", "ranvier_builder", "serve", str(site), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=reset_signals) as server:
        try:
            assert server.stderr is not None
            address = re.search(r"http://127\.0\.0\.1:\d+/", server.stderr.readline())
            assert address is not None
            with urlopen(address[0]) as response:
                assert response.read() == b"<p>home</p>"
            server.send_signal(getattr(signal, name))
            assert (server.wait(10), server.stderr.read()) == (0, "")
        finally:
            server.kill()  # for a failed test: leaving the block waits for the process


@pytest.mark.parametrize(
    ("tokens", "line"),
    [
        (None, r"Serving \S+ at (http://127\.0\.0\.1:\d+)/ and its API at \1/openapi\.html "),
        ("public public-0123456789abcdef", r"Serving the API at http://127\.0\.0\.1:\d+/openapi\.html "),
    ],
)
def test_address_of_the_api_is_printed(
    small_site: Path, monkeypatch: pytest.MonkeyPatch, tokens: str | None, line: str
) -> None:
    """V2."""
    if tokens is not None:
        monkeypatch.setenv("RANVIER_TOKENS", tokens)
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: None)
    result = run("serve", small_site, "--api", "--port", 0)
    assert result.exit_code == 0
    assert re.match(line, result.stderr)


@pytest.mark.parametrize("command", [("serve", "--api"), ("mcp", "--http")])
def test_empty_variable_of_tokens_starts_no_open_server(
    small_site: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """V2: a secret that is not set in a pipeline is an empty variable."""
    monkeypatch.setenv("RANVIER_TOKENS", "")
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: None)
    assert "RANVIER_TOKENS: has no token\n  cure: " in failure(command[0], small_site, *command[1:], "--port", 0)


def test_connection_is_accepted_before_the_application_runs() -> None:
    with listen("127.0.0.1", 0) as server, socket.create_connection(server.getsockname(), timeout=5) as client:
        assert client.getpeername() == server.getsockname()


@pytest.mark.parametrize("command", [("serve",), ("serve", "--api"), ("mcp", "--http")])
def test_port_in_use_is_an_error_with_a_cure(small_site: Path, command: tuple[str, ...]) -> None:
    with listen("127.0.0.1", 0) as server:
        port = server.getsockname()[1]
        output = failure(command[0], small_site, *command[1:], "--port", port)
    assert f"Error: cannot listen on 127.0.0.1:{port}: Address already in use\n" in output
    assert "cure: stop the other server, or use --port 0" in output


@pytest.mark.parametrize("command", [("serve",), ("mcp", "--http")])
def test_empty_host_does_not_listen_on_all_addresses(small_site: Path, command: tuple[str, ...]) -> None:
    output = failure(command[0], small_site, *command[1:], "--host", "", "--port", 0)
    assert "Error: the host is empty\n  cure: use --host 127.0.0.1" in output


def test_foreign_address_is_an_error(site: Path) -> None:
    """192.0.2.0/24 is reserved for examples (RFC 5737), so no machine has such an address."""
    output = failure("serve", site, "--host", "192.0.2.1", "--port", 0)
    assert "cannot listen on 192.0.2.1:0: " in output
    assert "--host" in output
