"""Files of earlier builds are opened and searched as this build's are; no record and no list vouches for them (A3)."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from leaks.conftest import Built
from leaks.tree import CONFIG, WITHHELD
from ranvier_builder import Config
from ranvier_builder.check import Leak, Proofs, find_leaks
from support.content import build_without_engine, write_tree

KEPT = ("index/", "packs/", "text/", "words/", "titles/", "vectors/", "manifest-", "hot-", "files-")


def earlier(
    built: Built, folder: Path, *, vectors: bool = False, config: Config = CONFIG, **files: str
) -> dict[str, frozenset[str]]:
    """Build the same folder as it was once into another, and lay the search files of that beside the new ones."""
    old = Path(shutil.copytree(built.content, folder / "content"))
    write_tree(old, {f"{name}.md": text for name, text in files.items()})
    build_without_engine(old, folder / "old", config, vectors=vectors)
    base, new = folder / "old" / "_ranvier", built.out / "_ranvier"
    names = {path.relative_to(base).as_posix() for path in base.rglob("*") if path.is_file()}
    names = {name for name in names if name.startswith(KEPT)}
    for name in names:
        (new / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(base / name, new / name)
    return {next(name for name in names if name.startswith("files-")): frozenset(names)}


def leaks_of(built: Built, lists: Mapping[str, frozenset[str]], proofs: Proofs | None = None) -> list[Leak]:
    return find_leaks(built.out, built.content, CONFIG, earlier=lists, proofs=proofs)


@pytest.mark.parametrize("vectors", [False, True])
def test_another_build_of_the_same_is_clean(built: Built, tmp_path: Path, vectors: bool) -> None:
    """What was edited since, and is withheld by nobody, is no find; with what is known from before, neither."""
    before = "---\ntitle: Garden notes\n---\nA public garden, with peonies and a Roadmap for everybody.\n"
    lists = earlier(built, tmp_path, vectors=vectors, index=before)
    proofs = Proofs()
    assert leaks_of(built, lists, proofs) == []
    assert leaks_of(built, lists, Proofs(frozenset(proofs.new))) == []


def test_a_build_for_curators_is_found(built: Built, tmp_path: Path) -> None:
    """Every withheld page that such a build indexes, and only in that build's files."""
    lists = earlier(built, tmp_path, config=replace(CONFIG, publish_for="curator"))
    leaks = leaks_of(built, lists)
    ((name, files),) = lists.items()
    assert {leak.file.removeprefix("_ranvier/") for leak in leaks} <= files
    assert {"plans/merger.md", "roadmap.md", "short.md", "tool/agents.md"} <= {leak.of for leak in leaks} <= {"", *WITHHELD}
    assert any(leak.file == f"_ranvier/{name}" for leak in leaks)  # out of the data, put together


def test_vectors_of_other_texts_are_found(built: Built, tmp_path: Path) -> None:
    """The list names them, and the data that they lie beside have none."""
    lists = earlier(built, tmp_path)
    ((name, files),) = lists.items()
    write_tree(built.out / "_ranvier", {f"vectors/{24 * '0'}.bin": b"\0\1\2"})
    (leak,) = leaks_of(built, {name: files | {f"vectors/{24 * '0'}.bin"}})
    assert leak.file == f"_ranvier/{name}"
    (leak,) = leaks_of(built, lists)
    assert leak.file == f"_ranvier/vectors/{24 * '0'}.bin"


@pytest.mark.parametrize("name", ["evil.html", "web-0123456789ab/evil.html", "core-0123456789ab.zip", "packs/x.bin"])
def test_a_list_vouches_for_nothing(built: Built, tmp_path: Path, name: str) -> None:
    """A file of the program's name, with a page in it."""
    lists = earlier(built, tmp_path)
    ((listed, files),) = lists.items()
    write_tree(built.out / "_ranvier", {name: WITHHELD["plans/merger.md"]})
    found = {(leak.file, leak.of) for leak in leaks_of(built, {listed: files | {name}})}
    assert (f"_ranvier/{name}", "plans/merger.md") in found


@pytest.mark.parametrize("kind", ["manifest-", "hot-", "text/"])
def test_what_cannot_be_opened_is_a_find(built: Built, tmp_path: Path, kind: str) -> None:
    before = "---\ntitle: Garden notes\n---\nA public garden, with peonies and a Roadmap for everybody.\n"
    lists = earlier(built, tmp_path, index=before)
    ((name, files),) = lists.items()
    for one in [one for one in files if one.startswith(kind)]:
        (built.out / "_ranvier" / one).write_bytes(b"")
    assert f"_ranvier/{name}" in {leak.file for leak in leaks_of(built, lists)}
