"""I3: a build without a working database reuses nothing, and keeps nothing."""

from __future__ import annotations

from pathlib import Path

from ranvier_builder.config import Config
from ranvier_builder.work import Memory, NoDatabase, WorkingDatabase, working_database


def fill(database: WorkingDatabase) -> list[object]:
    """Keep something of everything; return what is then cached."""
    database.keep_item("a.md", b"stamp", b"digest", b"neuron", b"warnings")
    database.keep_page("a.md", b"key", b"questions", "<p>", b"parts", ())
    database.keep_frame("a.html", b"inputs", "<html>")
    database.keep_proof(b"copy", b"site")
    database.keep_clean([b"digest"])
    database.commit()
    pages = [database.items(), database.pages(), database.frame("a.html", b"inputs")]
    cached = [*pages, database.proof(b"copy"), database.clean()]
    database.forget_items(())
    database.forget_pages(())
    database.forget_frames(())
    return cached


def test_nothing_is_kept(tmp_path: Path) -> None:
    with working_database(tmp_path, tmp_path / "out", Config(), None) as database:
        assert isinstance(database, NoDatabase)
        assert not any(fill(database))
    with working_database(tmp_path, tmp_path / "out", Config(), Memory(tmp_path / "cache")) as database:
        assert not isinstance(database, NoDatabase)
        assert all(fill(database))


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with working_database(tmp_path, tmp_path / "out", Config(), Memory(tmp_path / "file" / "cache")) as database:
        assert isinstance(database, NoDatabase)
