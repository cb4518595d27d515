"""Processes of a build."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from ranvier_builder.pipeline import survey
from ranvier_builder.work.pool import MAX_BATCHES, Processes, background, map_batches, map_items
from support.content import OPEN

BUSY = """
import time
from ranvier_builder.work.pool import Processes

processes = Processes(2)
processes.submit(abs, -1).result()
processes.submit(time.sleep, 600)
print("busy", flush=True)
time.sleep(600)
"""
UNGUARDED = """
from ranvier_builder.work.pool import Processes, map_batches

with Processes(1) as executor:
    print(*map_batches(list, range(64), int, executor, print))
"""
# A shell that starts the tests in the background has SIGINT ignored, which processes inherit.
INTERRUPTED = """
import signal, time
from ranvier_builder.work.pool import Processes

signal.signal(signal.SIGINT, signal.default_int_handler)
with Processes(2) as processes:
    for start in [processes.submit(time.sleep, 0.5) for _ in range(2)]:
        start.result()
    try:
        print("idle", flush=True)  # the signal can arrive before this call returns
        time.sleep(600)
    except KeyboardInterrupt:
        pass
"""


def test_processes_end_if_the_build_is_killed() -> None:
    command = [sys.executable, "-c", BUSY]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as build:
        assert build.stdout
        assert build.stdout.readline() == "busy\n"
        build.kill()
        # the end of the output, because all processes of the build have ended
        assert build.communicate(timeout=60)[0] == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to a process of its own there")
def test_processes_print_nothing_after_ctrl_c() -> None:
    """A terminal sends the signal to all processes."""
    command = [sys.executable, "-c", INTERRUPTED]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as build:
        assert build.stdout
        assert build.stdout.readline() == "idle\n"
        os.killpg(build.pid, signal.SIGINT)
        assert build.communicate(timeout=60) == ("", "")


class Immediate(Processes):
    """Does each task when it is submitted, and counts them."""

    def __init__(self, task_limit: int) -> None:
        self.task_limit = task_limit
        self.tasks = 0

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        future = Future[Any]()
        future.set_result(call(*args, **kwargs))
        return future


def test_tasks_are_limited_in_number_and_in_advance() -> None:
    """Each task carries the index of links, and its results wait in memory."""
    executor, items, finished = Immediate(7), [str(number) for number in range(20_000)], 0
    results, ahead = [], []

    def count(items_of_task: int) -> None:
        nonlocal finished
        finished += 1
        ahead.append(executor.tasks - finished)

    for result in map_batches(lambda task: [item * 2 for item in task], items, len, executor, count):
        results.append(result)
    assert results == [item * 2 for item in items]
    assert executor.tasks == finished <= MAX_BATCHES
    assert max(ahead) == 7


def process_id(_: object = None) -> int:
    return os.getpid()


def end_other_process(parent: int) -> int:
    """Return the id of the process; a process other than `parent` dies."""
    if os.getpid() != parent:
        os._exit(1)
    return os.getpid()


def fail(message: str) -> None:
    raise ValueError(message)


def end_after_ten_minutes(file: Path) -> None:
    file.touch()
    time.sleep(600)


def test_background_call_runs_in_another_process_if_there_is_one() -> None:
    with Processes(1) as executor:
        with background(executor, process_id) as other_id, background(None, process_id) as own_id:
            assert own_id() == os.getpid() != other_id()
        with background(executor, end_other_process, os.getpid()) as own_id:
            assert own_id() == os.getpid()


def test_error_of_a_background_call_is_raised() -> None:
    with (
        Processes(1) as executor,
        background(executor, fail, "bad word") as result,
        pytest.raises(ValueError, match="bad word"),
    ):
        result()


def test_background_call_ends_with_its_block(tmp_path: Path) -> None:
    """The build does not wait for it after an error."""
    file, before = tmp_path / "started", multiprocessing.active_children()
    with Processes(1) as executor, background(executor, end_after_ten_minutes, file):
        for _ in range(300):
            if file.exists():
                break
            time.sleep(0.1)
    assert file.exists()
    assert multiprocessing.active_children() == before


def test_items_of_a_process_that_dies_are_processed_here() -> None:
    parent = os.getpid()
    with Processes(2) as executor:
        arguments: Any = (lambda _: 1_000_000, executor)
        assert parent not in map_items(process_id, range(40), *arguments)
        assert [*map_items(end_other_process, [parent] * 2, *arguments)] == [parent] * 2
        assert [*map_items(abs, range(-40, 3), *arguments)] == [*map(abs, range(-40, 3))]
        assert [*map_items(process_id, range(3), lambda _: 1, executor)] == [parent] * 3


def test_small_site_is_not_pickled_for_processes(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    with patch("pickle.dumps") as dumps, Processes(2) as executor:
        assert survey(tmp_path, OPEN, executor=executor).rendered
    assert not dumps.called


def test_script_whose_import_starts_the_build_gets_an_error(tmp_path: Path) -> None:
    """Its processes import it, and end. The files are not their cause."""
    script = tmp_path / "script.py"
    script.write_text(UNGUARDED)
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 1
    assert result.stdout == ""
    assert (
        "BuildError: no process of the build can start\n  cure: in a script, call the build below `if __name__" in result.stderr
    )
