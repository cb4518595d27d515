"""Processes of a build."""

from __future__ import annotations

import subprocess
import sys

BUSY = """
import time
from ranvier_builder.work.pool import Processes

processes = Processes(2)
processes.submit(abs, -1).result()
processes.submit(time.sleep, 600)
print("busy", flush=True)
time.sleep(600)
"""


def test_processes_end_if_the_build_is_killed() -> None:
    command = [sys.executable, "-c", BUSY]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as build:
        assert build.stdout
        assert build.stdout.readline() == "busy\n"
        build.kill()
        # the end of the output, because all processes of the build have ended
        assert build.communicate(timeout=60)[0] == ""
