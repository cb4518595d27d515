"""I3: a build without a cache reuses only its own results, and keeps nothing."""

from pathlib import Path

import pytest
from ranvier_builder.config import Config
from ranvier_builder.work.database import Memory, NoDatabase, WorkingDatabase, working_database


def fill(database: WorkingDatabase) -> list[object]:
    """Keep something of everything; return what is then cached."""
    database.keep_item("a.md", b"stamp", b"digest", b"neuron", b"warnings")
    database.keep_page("a.md", b"key", b"questions", "<p>", b"parts", ())
    database.keep_frame("a.html", b"inputs", "<html>")
    database.keep_value("clean", [b"digest"])
    database.commit()
    pages = [database.items(), database.pages(), database.frame("a.html", b"inputs")]
    cached = [*pages, database.value("clean")]
    database.forget_items(())
    database.forget_pages(())
    database.forget_frames(())
    return cached


def test_nothing_is_kept() -> None:
    assert not any(fill(NoDatabase()))


@pytest.mark.parametrize("cache", ["", "file/cache"])
def test_without_a_cache_results_are_kept_for_one_build(tmp_path: Path, cache: str) -> None:
    (tmp_path / "file").touch()
    memory = Memory(tmp_path / cache) if cache else None
    for _ in range(2):
        with working_database(tmp_path, tmp_path / "out", Config(), memory) as database:
            assert not any((database.items(), database.pages(), database.value("clean"), database.value("store")))
            assert all(fill(database))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_cache_is_kept_for_the_next_build(tmp_path: Path) -> None:
    for expected in (None, (b"digest",)):
        with working_database(tmp_path, tmp_path / "out", Config(), Memory(tmp_path / "cache")) as database:
            assert database.value("clean") == expected
            assert all(fill(database))
