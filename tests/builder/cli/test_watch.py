"""`ranvier build --watch` (I3): it builds again after a change and survives a failed build."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.content import write_tree

# A build without the browser's half: the same command, with that one stage replaced.
# A shell that starts the tests in the background has SIGINT ignored, which processes inherit.
RUN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path[:0] = sys.argv[1].split("|")
from ranvier_builder import publish
from ranvier_builder.cli import main
from support.content import stub_assets
publish.write_assets = stub_assets
main(sys.argv[2:])
"""


def until(what: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if what():
            return
        assert process.poll() is None, "it ended by itself"
        time.sleep(0.1)
    pytest.fail("nothing happened for 30 seconds")


def text_of(page: Path) -> str:
    """Read a page; between two sites there is none for a moment."""
    try:
        return page.read_text()
    except OSError:
        return ""


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to a process of its own there")
def test_watch_builds_again_after_a_change(tmp_path: Path) -> None:
    content = write_tree(
        tmp_path / "content", {"index.md": "# Home\n\nOne.\n", "ranvier.toml": 'default_audience = "public"\n'}
    )
    page, log = tmp_path / "public" / "index.html", tmp_path / "log"
    words = [
        "build",
        str(content),
        "-o",
        str(tmp_path / "public"),
        "--watch",
        "--cache",
        str(tmp_path / "cache"),
        "--jobs",
        "1",
    ]
    with log.open("wb") as report:
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, "|".join(sys.path), *words], stdout=report, stderr=report, env=os.environ
        )
        try:
            until(lambda: b"Watching" in log.read_bytes(), process)
            assert "One." in page.read_text()
            time.sleep(0.5)  # the watcher starts after it has said so
            write_tree(content, {"index.md": "# Home\n\nTwo.\n"})
            until(lambda: "Two." in text_of(page), process)
            write_tree(content, {"ranvier.toml": "titel = 1\n"})
            until(lambda: b"there is no setting" in log.read_bytes(), process)
            assert "Two." in page.read_text(), "the old site stays"
            write_tree(content, {"ranvier.toml": 'default_audience = "public"\ntitle = "Renamed"\n'})
            until(lambda: "Renamed" in text_of(page), process)
            shutil.rmtree(content)
            time.sleep(1.5)
            write_tree(tmp_path / "content", {"index.md": "---\naudience: public\n---\n# Home\n\nThree.\n"})
            until(lambda: "Three." in text_of(page), process)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(10)
    assert b"Traceback" not in log.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to a process of its own there")
def test_watch_ignores_the_site_inside_the_content(tmp_path: Path) -> None:
    content = write_tree(tmp_path / "content", {"index.md": "---\naudience: public\n---\n# Home\n\nOne.\n"})
    page, log = content / "public" / "index.html", tmp_path / "log"
    words = ["build", str(content), "-o", str(content / "public"), "--watch", "--cache", str(tmp_path / "cache"), "--jobs", "1"]
    with log.open("wb") as report:
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, "|".join(sys.path), *words], stdout=report, stderr=report, env=os.environ
        )
        try:
            until(lambda: b"Watching" in log.read_bytes(), process)
            time.sleep(0.5)
            (content / "index.md").write_text("---\naudience: public\n---\n# Home\n\nTwo.\n")
            until(lambda: "Two." in text_of(page), process)
            time.sleep(3)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(10)
    assert log.read_bytes().count(b"is ready") == 2
