"""V2: the pool of engines: newer builds, limits, errors."""

import asyncio
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from ranvier import Library
from ranvier.errors import FetchError
from ranvier_builder.api import engines
from ranvier_builder.api.engines import BusyError, EnginePool
from support.whole_site import page, whole_site


def first_title(library: Library) -> str:
    return library.search("kestrel").hits[0].title


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return whole_site(tmp_path / "old", {"a.md": page("# Old\n\nA kestrel.")})


@pytest.fixture
def pool(site: Path) -> Iterator[EnginePool]:
    pool = EnginePool(site, 2, 5.0)
    yield pool
    pool.close()


@pytest.mark.parametrize("folder", [".", "_ranvier"])
def test_new_build_is_searched_without_a_restart(tmp_path: Path, site: Path, folder: str) -> None:
    """Otherwise, a page that is private in the new build would still be in the answers."""
    pool = EnginePool(site / folder, 1, 5.0)
    assert asyncio.run(pool.run(first_title)) == "Old"
    new = whole_site(tmp_path / "new", {"b.md": page("# New\n\nA kestrel.")})
    shutil.rmtree(site)
    pages = asyncio.run(pool.run(lambda library: library.engine.snapshot.manifest.neuron_count))
    assert pages == 1, "the old build still answers"
    new.rename(site)
    assert asyncio.run(pool.run(first_title)) == "New"
    pool.close()


def test_pool_recovers_after_the_site_was_away(site: Path) -> None:
    """The only engine fails and is closed; it does not return to the pool."""

    def fail(_: Library) -> str:
        raise FetchError("index/x.bin", "is missing")

    pool, away = EnginePool(site, 1, 5.0), site.with_name("away")
    assert asyncio.run(pool.run(first_title)) == "Old"
    site.rename(away)
    with pytest.raises(FetchError):
        asyncio.run(pool.run(fail))
    away.rename(site)
    assert asyncio.run(pool.run(first_title)) == "Old"
    pool.close()


def test_missing_site_is_an_error(tmp_path: Path) -> None:
    pool = EnginePool(tmp_path, 1, 5.0)
    with pytest.raises(FetchError):
        asyncio.run(pool.run(first_title))
    pool.close()


def test_engines_of_several_threads_answer_together(pool: EnginePool) -> None:
    both = threading.Barrier(2, timeout=5)

    def question(library: Library) -> str:
        both.wait()  # returns only if two threads wait
        return first_title(library)

    async def ask() -> list[str]:
        return await asyncio.gather(*(pool.run(question) for _ in range(2)))

    assert asyncio.run(ask()) == ["Old", "Old"]


def test_slow_answer_times_out_and_the_pool_continues(site: Path) -> None:
    pool, end = EnginePool(site, 1, 0.2), threading.Event()

    async def ask() -> bool:
        with pytest.raises(BusyError, match=r"longer than 0\.2 s"):
            await pool.run(lambda _: end.wait(10))
        end.set()
        return await pool.run(lambda library: library.engine.snapshot.manifest.neuron_count == 1)

    assert asyncio.run(ask())
    pool.close()


def test_too_many_waiting_requests_are_refused(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "_MAX_QUEUED", 2)
    pool, end = EnginePool(site, 1, 5.0), threading.Event()

    async def ask() -> list[object]:
        questions = [asyncio.ensure_future(pool.run(lambda _: end.wait(10))) for _ in range(3)]
        await asyncio.wait(questions, return_when=asyncio.FIRST_COMPLETED)
        end.set()
        return await asyncio.gather(*questions, return_exceptions=True)

    answers = asyncio.run(ask())
    assert [isinstance(answer, BusyError) for answer in answers] == [False, False, True]
    pool.close()
