"""Engines in threads. After a new build they open the site again."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from ranvier import Library, open_snapshot
from ranvier.errors import FetchError, FormatError
from ranvier.store.source import FolderSource

from ranvier_builder.paths import file_version

T = TypeVar("T")
Version = tuple[int, ...]  # of the entry file

_MAX_QUEUED = 16  # requests for each thread that may wait


class BusyError(Exception):
    """Too many requests wait, or one took too long."""


class EnginePool:
    """Runs functions with an engine, in threads. A thread takes an idle engine, or opens one."""

    def __init__(self, folder: Path, threads: int, timeout: float) -> None:
        self._folder = folder
        self._entry = FolderSource(folder).base / "entry.json"
        self._timeout = timeout  # seconds
        self._free_slots = threads * _MAX_QUEUED
        self._idle: deque[tuple[Version, Library]] = deque()  # its methods are atomic
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="engine")

    def close(self) -> None:
        """Wait for the running functions, and close all engines."""
        self._threads.shutdown(cancel_futures=True)
        for _, library in self._idle:
            library.close()
        self._idle.clear()

    async def run(self, function: Callable[[Library], T]) -> T:
        """Call a function with an engine of the newest build.

        Raises:
            BusyError: too many requests wait, or the answer took longer than the timeout.

        """
        if not self._free_slots:
            raise BusyError("too many requests wait")
        self._free_slots -= 1
        loop = asyncio.get_running_loop()
        future = self._threads.submit(self._call, function)
        future.add_done_callback(lambda _: loop.is_closed() or loop.call_soon_threadsafe(self._release))
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._timeout)
        except TimeoutError:
            raise BusyError(f"the answer took longer than {self._timeout:g} s") from None

    def _release(self) -> None:
        self._free_slots += 1

    def _call(self, function: Callable[[Library], T]) -> T:
        library: Library | None
        version, library = self._take()
        try:
            return function(library)
        except FetchError:  # a new build may have replaced the files
            library.close()
            library = None  # it stays closed if no other engine can be opened
            version, library = file_version(self._entry), open_snapshot(self._folder)
            return function(library)
        finally:
            if library is not None:
                self._idle.append((version, library))

    def _take(self) -> tuple[Version, Library]:
        """Take an idle engine of the newest build, or open one. While a build replaces the site, take an older one."""
        newest = file_version(self._entry)
        try:
            version, library = self._idle.pop()
        except IndexError:
            return newest, open_snapshot(self._folder)
        if newest in ((), version):
            return version, library
        try:
            fresh = open_snapshot(self._folder)
        except (FetchError, FormatError):
            return version, library
        library.close()
        return newest, fresh
