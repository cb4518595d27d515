"""What an earlier check proved is not searched again; and a proof is worth nothing for another question, name or content."""

from __future__ import annotations

import shutil
from pathlib import Path
from unittest.mock import patch

import pytest
from leaks.conftest import Built
from leaks.tree import CONFIG
from ranvier_builder.check import Leak, Proofs, find_leaks
from ranvier_builder.check.leaks import files
from ranvier_builder.check.leaks.data import Data
from ranvier_builder.check.leaks.snapshot import Snapshot
from support.content import write_tree

WORDS = "Sprouting broccoli wants a sheltered corner by the southern wall"


def proved(built: Built) -> frozenset[bytes]:
    """Check a clean site, and return what that proved."""
    proofs = Proofs()
    assert find_leaks(built.out, built.content, CONFIG, proofs=proofs) == []
    assert len(proofs.new) > 10
    return frozenset(proofs.new)


def found(built: Built, known: frozenset[bytes]) -> list[Leak]:
    return find_leaks(built.out, built.content, CONFIG, proofs=Proofs(known))


def test_nothing_is_searched_twice(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    known = proved(built)
    searched: list[str] = []
    monkeypatch.setattr(files.FileSearch, "_file", lambda self, name, data, opened: searched.append(name) or ())
    assert found(built, known) == []
    assert searched == []
    write_tree(built.out, {"new.html": "<p>A new page.</p>"})
    assert found(built, known) == []
    assert searched == ["new.html"]


def test_other_bytes_under_a_proved_name(built: Built) -> None:
    write_tree(built.out, {"note.html": "<p>Nothing.</p>"})
    known = proved(built)
    write_tree(built.out, {"note.html": "<p>Merger with Lanternfold</p>"})
    assert [leak.file for leak in found(built, known)] == ["note.html"]


def test_proved_bytes_under_another_name(built: Built) -> None:
    write_tree(built.out, {"note.html": "<p>Nothing.</p>"})
    known = proved(built)
    write_tree(built.out, {"plans/merger/index.html": "<p>Nothing.</p>"})
    assert {leak.file for leak in found(built, known)} == {"plans/merger/index.html"}


def test_a_page_that_is_withheld_now_asks_anew(built: Built, tmp_path: Path) -> None:
    """The written file is the one that was proved; what may not be in it has changed."""
    mine = Built(Path(shutil.copytree(built.content, tmp_path / "content")), built.out)
    write_tree(mine.out, {"old.html": f"<p>{WORDS}.</p>"})
    known = proved(mine)
    write_tree(mine.content, {"broccoli.md": f"---\naudience: curator\n---\n{WORDS}.\n"})
    assert {(leak.file, leak.of) for leak in found(mine, known)} == {("old.html", "broccoli.md")}


def test_search_data_that_were_proved_are_not_taken_apart_again(built: Built, tmp_path: Path) -> None:
    """The same data and the same secrets; with another secret, or other data, all is asked anew."""
    known = proved(built)
    with patch.object(Data, "finds", side_effect=AssertionError("asked again")):
        assert found(built, known) == []
        mine = Built(Path(shutil.copytree(built.content, tmp_path / "content")), built.out)
        write_tree(mine.content, {"new.md": f"---\naudience: curator\n---\n{WORDS}.\n"})
        assert [leak.where for leak in found(mine, known)] == ["search data"], "it was asked, and failed closed"
        with patch.object(Snapshot, "digest", lambda self: b"other"):
            assert [leak.where for leak in found(built, known)] == ["search data"]
