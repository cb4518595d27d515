"""Firefox and WebKit, driven by their own protocols: Marionette over a socket, WebDriver over HTTP."""

import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, ClassVar, Protocol

FIREFOX = os.environ.get("RANVIER_FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox") or "firefox-esr"
WEBKIT_DRIVER = os.environ.get("RANVIER_WEBKIT_DRIVER") or shutil.which("WebKitWebDriver") or "WebKitWebDriver"
_MINI_BROWSER = next((str(file) for file in sorted(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"))), "MiniBrowser")
TIMEOUT = 40.0  # seconds; the engine starts within them on a slow machine
# WebDriver's code points of keys without a character.
_KEYS = {"Control": "\ue009", "Enter": "\ue007", "Escape": "\ue00c", "ArrowDown": "\ue015", "Tab": "\ue004"}

# A first start must send no requests, show no dialogs and open no second tab.
_PREFERENCES: dict[str, str | int | bool] = {
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "marionette.port": 0,  # any free port; Firefox writes its number into a file
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
# Reads the errors and warnings of Firefox about pages and workers, and the console messages of their scripts.
_READ_FIREFOX_MESSAGES = """
const storage = Cc["@mozilla.org/consoleAPI-storage;1"].getService(Ci.nsIConsoleAPIStorage);
const isPage = (file) => /^(https?|file):/.test(file);
const consoleMessages = storage.getEvents().filter(({ filename }) => isPage(filename))
  .map((event) => `${event.level}: ${Array.from(event.arguments ?? [], String).join(" ")}`);
const errors = Services.console.getMessageArray()
  .filter((entry) => entry instanceof Ci.nsIScriptError && isPage(entry.sourceName))
  .map((entry) => `${entry.flags & entry.warningFlag ? "warning" : "error"}: ${entry.errorMessage} (${entry.sourceName})`);
storage.clearEvents();
Services.console.reset();
return [...errors, ...consoleMessages];
"""


class CommandError(Exception):
    """The browser could not run a command."""


class Connection(Protocol):
    """Sends commands to a browser; names are those of Marionette, parameters those of WebDriver."""

    def send(self, command: str, **parameters: Any) -> Any:
        """Send a command and wait for its result."""
        ...

    def messages(self) -> list[str]:
        """Return the console messages since the last call, if the protocol has them."""
        ...


class Marionette:
    """Firefox's own protocol: JSON, each message with its length before it."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=2 * TIMEOUT)
        self._stream = self._socket.makefile("rb")
        self._last = 0
        self._receive()  # Firefox starts with a message about its protocol
        self.send("NewSession")
        self.send("SetTimeouts", script=int(TIMEOUT * 1000))

    def send(self, command: str, **parameters: Any) -> Any:
        self._last += 1
        prefix = "Marionette" if command == "SetContext" else "WebDriver"
        body = json.dumps([0, self._last, f"{prefix}:{command}", parameters]).encode()
        self._socket.sendall(b"%d:%b" % (len(body), body))
        _, _, error, result = self._receive()
        if error:
            raise CommandError(f"{command}: {error.get('error')}: {error.get('message')}")
        return result.get("value", result) if isinstance(result, dict) else result

    def messages(self) -> list[str]:
        self.send("SetContext", value="chrome")
        lines: list[str] = self.send("ExecuteScript", script=_READ_FIREFOX_MESSAGES, args=[])
        self.send("SetContext", value="content")
        return lines

    def close(self) -> None:
        self._stream.close()
        self._socket.close()

    def _receive(self) -> Any:
        length = b""
        while (byte := self._stream.read(1)) not in (b":", b""):
            length += byte
        return json.loads(self._stream.read(int(length)))


class WebDriver:
    """W3C WebDriver over HTTP, as far as the tests need it."""

    _PATHS: ClassVar[dict[str, tuple[str, str]]] = {
        "Navigate": ("POST", "/url"),
        "ExecuteAsyncScript": ("POST", "/execute/async"),
        "PerformActions": ("POST", "/actions"),
        "ReleaseActions": ("DELETE", "/actions"),
        "SetTimeouts": ("POST", "/timeouts"),
        "DeleteSession": ("DELETE", ""),
    }

    def __init__(self, address: str, capabilities: dict[str, Any]) -> None:
        session = self._request("POST", f"{address}/session", {"capabilities": {"alwaysMatch": capabilities}})
        self._base = f"{address}/session/{session['sessionId']}"
        self.send("SetTimeouts", script=int(TIMEOUT * 1000))

    def send(self, command: str, **parameters: Any) -> Any:
        method, path = self._PATHS[command]
        return self._request(method, self._base + path, parameters if method == "POST" else None)

    def messages(self) -> list[str]:
        return []  # WebDriver has no command for console messages, and WebKit does not print those of an automated session

    def close(self) -> None:
        self.send("DeleteSession")

    def _request(self, method: str, url: str, body: dict[str, Any] | None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"content-type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=2 * TIMEOUT) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise CommandError(f"{url}: {error.read().decode('utf-8', 'replace')}") from None


class RemoteBrowser:
    """One window of a browser."""

    def __init__(self, name: str, connection: Connection) -> None:
        self.name = name
        self._connection = connection

    def goto(self, url: str) -> None:
        """Open a page and wait until it is loaded."""
        self._connection.send("Navigate", url=url)

    def evaluate(self, expression: str) -> Any:
        """Evaluate an expression in the page; a promise is awaited."""
        script = (
            "const done = arguments[arguments.length - 1];"
            f"(async () => ({expression}))().then((value) => done([value ?? null]), (error) => done(String(error)));"
        )
        try:
            answer = self._connection.send("ExecuteAsyncScript", script=script, args=[])
        except CommandError as error:
            if "unload event" not in str(error):
                raise
            return None  # WebKit: the page was left during the script
        if isinstance(answer, str):
            raise CommandError(f"{expression}: {answer}")
        return answer[0] if answer else None  # without an answer, the page was left during the script

    def wait_for(self, expression: str, seconds: float = TIMEOUT) -> Any:
        """Poll an expression until it has a value; return the value."""
        deadline = time.monotonic() + seconds
        while not (value := self.evaluate(expression)):
            if time.monotonic() > deadline:
                page = f"{self.name}, {self.evaluate('location.href')}"
                raise AssertionError(f"{page}: false for {seconds} s: {expression}; console messages: {self.messages()}")
            time.sleep(0.05)
        return value

    def press(self, *keys: str) -> None:
        """Press keys together, by name."""
        codes = [_KEYS.get(key, key) for key in keys]
        down = [{"type": "keyDown", "value": code} for code in codes]
        self._act("key", [*down, *({"type": "keyUp", "value": code} for code in reversed(codes))])

    def type(self, text: str) -> None:
        """Type a text, key after key."""
        self._act("key", [{"type": method, "value": letter} for letter in text for method in ("keyDown", "keyUp")])

    def click(self, expression: str) -> None:
        """Wait until the element of an expression is visible, and click in its middle."""
        self.wait_for(f"({expression})?.getClientRects().length")
        middle = f"((box) => [box.x + box.width / 2, box.y + box.height / 2])(({expression}).getBoundingClientRect())"
        x, y = (int(value) for value in self.evaluate(middle))
        move = {"type": "pointerMove", "x": x, "y": y, "duration": 0}
        self._act("pointer", [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}])

    def messages(self) -> list[str]:
        """Return the console messages since the last call, if the protocol has them."""
        return self._connection.messages()

    def _act(self, device: str, steps: list[dict[str, Any]]) -> None:
        self._connection.send("PerformActions", actions=[{"type": device, "id": device, "actions": steps}])
        self._connection.send("ReleaseActions")


@contextmanager
def firefox(folder: Path) -> Iterator[RemoteBrowser]:
    """Start Firefox without a window, with a fresh profile below an absolute path."""
    profile = folder / "profile"
    profile.mkdir(parents=True)
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in _PREFERENCES.items())
    (profile / "user.js").write_text("".join(lines))
    command = [FIREFOX, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", str(profile)]
    with _running(command, folder), ExitStack() as stack:
        port = _wait_for(lambda: _read_number(profile / "MarionetteActivePort"))
        connection = Marionette(port)
        stack.callback(connection.close)
        connection.messages()  # discard the messages of the start
        yield RemoteBrowser("Firefox", connection)


@contextmanager
def webkit(folder: Path) -> Iterator[RemoteBrowser]:
    """Start the small browser of WebKitGTK on a virtual screen, with a temporary profile."""
    screen = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"]
    with _running(screen, folder / "screen"), ExitStack() as stack:
        display = _wait_for(lambda: _read_number(folder / "screen" / "output.txt"))
        port = _free_port()
        command = [WEBKIT_DRIVER, f"--port={port}", "--host=127.0.0.1"]
        # Without the last compiler of JavaScriptCore, the engine starts in two seconds instead of four.
        variables = {"DISPLAY": f":{display}", "LIBGL_ALWAYS_SOFTWARE": "1", "JSC_useOMGJIT": "0"}
        stack.enter_context(_running(command, folder / "driver", **variables))
        _wait_for(lambda: _listens(port) or None)
        connection = WebDriver(
            f"http://127.0.0.1:{port}", {"webkitgtk:browserOptions": {"binary": _MINI_BROWSER, "args": ["--automation"]}}
        )
        stack.callback(connection.close)
        yield RemoteBrowser("WebKit", connection)


BROWSERS = {"Firefox": firefox, "WebKit": webkit}


@contextmanager
def _running(command: list[str], folder: Path, **variables: str) -> Iterator[None]:
    """Run a program with its home and its output in a folder; terminate it afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    home = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "LANG": "C.UTF-8"}
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env={**os.environ, **home, **variables})
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)


def _read_number(file: Path) -> int | None:
    """Read a number that a program has written as a whole line of a file."""
    result = re.search(r"^(\d+)$", file.read_text("utf-8", "replace") if file.exists() else "", re.MULTILINE)
    return int(result[1]) if result else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _wait_for(read: Callable[[], Any]) -> Any:
    """Poll until there is a value."""
    deadline = time.monotonic() + TIMEOUT
    while (value := read()) is None:
        if time.monotonic() > deadline:
            raise RuntimeError("a browser did not start")
        time.sleep(0.05)
    return value
