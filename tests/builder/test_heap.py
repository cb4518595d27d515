"""B7: memory that a stage no longer uses goes back to the system."""

import gc
import platform
from pathlib import Path

import pytest
from ranvier_builder.heap import MANY_OBJECTS, rare_collections, trim_heap


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc keeps freed memory, and can return it")
def test_freed_memory_returns_to_the_system() -> None:
    texts = [bytes(2_000) for _ in range(50_000)]
    last = texts.pop()  # the end of the heap stays in use
    del texts
    before = resident_pages()
    trim_heap()
    assert before - resident_pages() > 10_000, "of 24,000 pages with 4,096 bytes"
    assert last == bytes(2_000)


def resident_pages() -> int:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1])


def test_collections_are_rare_only_during_a_build() -> None:
    before = gc.get_threshold()
    with rare_collections():
        assert gc.get_threshold() == (MANY_OBJECTS, *before[1:])
    assert gc.get_threshold() == before
    with pytest.raises(ZeroDivisionError), rare_collections():
        assert 1 / 0
    assert gc.get_threshold() == before
