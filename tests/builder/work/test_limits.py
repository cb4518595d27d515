"""N9: a file that exceeds the limits of time or memory is left out and named; the build continues."""

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from ranvier_builder import Config, build, publish
from ranvier_builder.errors import BuildError
from ranvier_builder.model import Page, Rendered, Report
from ranvier_builder.render.links import Links
from ranvier_builder.work import limits
from ranvier_builder.work import read as reading
from ranvier_builder.work import render as rendering
from ranvier_builder.work.database import Memory
from ranvier_builder.work.limits import Unfinished
from ranvier_builder.work.pool import BATCH, Processes, map_batches, pool
from support.content import stub_assets, write_tree
from support.jobs import LOW_MEMORY, batch, work
from support.pictures import another

CONFIG = Config(default_audience="public")
TIME = Unfinished("takes more than 0.3 seconds of processor time")
MEMORY = Unfinished("takes more than 256 MB of memory")
pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has neither timers nor limits")


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lower the limits, as `support.jobs` does in other processes; afterwards signal, timer and limits are as they were."""
    monkeypatch.setattr(limits, "SECONDS", 0.3)
    monkeypatch.setattr(limits, "MEMORY", LOW_MEMORY)
    before = _state()
    yield
    assert _state() == before


def _state() -> tuple[object, ...]:
    import resource

    kinds = resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_CORE
    return signal.getsignal(signal.SIGPROF), signal.getitimer(signal.ITIMER_PROF), *map(resource.getrlimit, kinds)


PROCESS_ENDED = Unfinished("ends the process that works on it, by its time, its memory or a fault of a library")


def results_of(executor: Executor | None, *items: str) -> list[str | Unfinished]:
    """Process items between other items, and return their results."""
    fillers = [f"item {number}" for number in range(5 * BATCH)]
    results = list(map_batches(batch, [*fillers, *items, *fillers], len, executor, lambda _: None))
    capitals = [item.upper() for item in fillers]
    assert results[: len(fillers)] == capitals
    assert results[-len(fillers) :] == capitals
    return results[len(fillers) : -len(fillers)]


@pytest.mark.parametrize(
    ("item", "limit"),
    [
        *((item, TIME) for item in ("in Python", "in a regular expression", "behind a library that catches all")),
        ("memory", MEMORY),
    ],
)
def test_limit_stops_a_call_in_this_process(item: str, limit: Unfinished) -> None:
    assert batch(["a", item, "b"]) == ["A", limit, "B"]


def test_time_limit_grows_with_file_size() -> None:
    (result,) = limits.each(work, ["in Python"], lambda _: 100_000)
    assert result == Unfinished("takes more than 1.3 seconds of processor time")


def test_call_that_ignores_the_timer_loses_only_its_process() -> None:
    """The other calls of its batch and later batches complete."""
    with pool(2) as executor:
        unfinished = [TIME, PROCESS_ENDED, PROCESS_ENDED, MEMORY]
        assert results_of(executor, "in Python", "in C", "killed", "memory") == unfinished
        assert results_of(executor, "killed", "a")[1] == "A"


def test_large_batch_is_repeated_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a large site a batch has more items."""
    monkeypatch.setattr(import_module("ranvier_builder.work.pool"), "MAX_BATCHES", 2)
    with pool(2) as executor:
        assert results_of(executor, "a", "killed", "b") == ["A", PROCESS_ENDED, "B"]


def test_broken_process_pool_is_replaced() -> None:
    """The remaining calls run in a process of our own."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        for _ in range(2):
            first, second = results_of(executor, "in Python", "killed")
            assert isinstance(first, Unfinished)
            assert isinstance(second, Unfinished)


def test_threads_have_no_time_limit() -> None:
    with ThreadPoolExecutor(2) as executor:
        assert results_of(executor, "a", "b") == ["A", "B"]


def test_call_that_ends_its_process_fails_alone() -> None:
    with Processes(2) as executor:
        calls = [executor.submit(work, item) for item in ("a", "killed", "b", "c")]
        assert [call.exception() is None for call in calls] == [True, False, True, True]
        assert executor.submit(work, "d").result() == "D"


def test_timer_of_the_caller_is_restored() -> None:
    terminated = threading.Event()
    before = signal.signal(signal.SIGPROF, lambda *_: terminated.set())
    try:
        signal.setitimer(signal.ITIMER_PROF, 100)
        assert batch(["a"]) == ["A"]
        assert 90 < signal.getitimer(signal.ITIMER_PROF)[0] < 101
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


TREE: dict[str, str | bytes] = {
    "index.md": "# Home\n\n[The slow one](kestrel.md), [[Kestrel]] and ![a map](kestrel.png).\n",
    "kestrel.md": "# Kestrel\n\nSome words.\n",
    "kestrel.png": another(1),
    "other.md": "# Other\n",
}


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(publish, "write_assets", stub_assets)
    monkeypatch.setattr(reading, "_SETTLE_TIME", 0)
    return write_tree(tmp_path / "content", TREE)


def end_reading(patch: pytest.MonkeyPatch) -> None:
    read = reading._read

    def overtime(root: Path, config: Config, job: reading._Job) -> reading._Result:
        if job[0].path == "kestrel.md":
            raise limits._TimeExceeded
        return read(root, config, job)

    patch.setattr(reading, "_read", overtime)


def end_rendering(patch: pytest.MonkeyPatch) -> None:
    draw = rendering.render_page

    def overtime(page: Page, *rest: Any) -> rendering.RenderedPage:
        if page.neuron.path == "kestrel.md" and page.neuron.body:
            raise limits._TimeExceeded
        return draw(page, *rest)

    patch.setattr(rendering, "render_page", overtime)


def test_file_that_takes_too_long_to_read_is_withheld(tmp_path: Path, content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A2, N9: no address, name or picture of it is published; the next build tries again."""
    memory, out = Memory(tmp_path / "cache"), tmp_path / "public"
    with monkeypatch.context() as patch:
        end_reading(patch)
        report = build(content, out, CONFIG, memory=memory)
    assert limit_warnings(report) == [
        "kestrel.md: takes more than 0.3 seconds of processor time: left out; "
        "make it smaller or simpler, or list it under `exclude`"
    ]
    assert (report.read, report.published, sum(report.withheld.values())) == (3, 2, 1)
    assert not (out / "kestrel").exists()
    assert not [file for file in out.rglob("*") if file.suffix == ".png"]
    assert "href" not in (out / "index.html").read_text().partition("<article")[2].partition("</article")[0]
    assert build(content, out, CONFIG, memory=memory).published == 3


def test_page_that_takes_too_long_to_render_has_no_text(tmp_path: Path, content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """N9: its address and title stay for the links of other pages; the next build tries again."""
    memory, out = Memory(tmp_path / "cache"), tmp_path / "public"
    page = out / "kestrel" / "index.html"
    with monkeypatch.context() as patch:
        end_rendering(patch)
        report = build(content, out, CONFIG, memory=memory)
        with pytest.raises(BuildError, match="1 limit"):
            build(content, tmp_path / "strict", replace(CONFIG, strict=True), memory=memory)
    assert limit_warnings(report) == [
        "kestrel.md: takes more than 0.3 seconds of processor time: published without its text; "
        "make it smaller or simpler, or list it under `exclude`"
    ]
    assert report.published == 3
    assert "Kestrel" in page.read_text()
    assert "Some words." not in page.read_text()
    assert not build(content, out, CONFIG, memory=memory).warnings
    assert "Some words." in page.read_text()


def limit_warnings(report: Report) -> list[str]:
    return [str(warning) for warning in report.warnings if warning.kind == "limit"]


def test_page_of_megabytes_is_read(tmp_path: Path) -> None:
    write_tree(tmp_path, {"large.md": "# Large\n\n" + "Some words of a page. " * 92_000})
    neuron, warnings = reading.read_item(tmp_path, reading.Item("large.md"), CONFIG)
    assert len(neuron.body) > 2_000_000
    assert warnings == []
    rendered = rendering.render_page(Page(neuron, 1, "x", "large", "large/", False), Links(tmp_path, [], (), CONFIG), CONFIG)[0]
    assert isinstance(rendered, Rendered)
    assert len(rendered.html) > 2_000_000
