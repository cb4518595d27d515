"""A site's vectors, whole, damaged and miscounted; and chunks that have none (M1, [002])."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgpack
import pytest
from ranvier.store.format import unpack
from ranvier_builder import Config
from ranvier_builder.check.findings import GRAVE
from ranvier_builder.check.site import SiteHealth, check_site
from support.content import build_without_engine, write_tree
from support.vector_files import VectorFolder, opened

PAGES = {
    "index.md": "---\ntitle: Garden\naliases: [Orchard]\n---\nA garden with beds.\n\n## Beans\n\nBeans climb on poles.\n",
    "water.md": "# Water\n\nEvery morning the beds get water from the rain barrel.\n\n## Hoses\n\nA hose leaks.\n",
    "boden.md": "---\nlang: de\n---\n# Boden\n\nDer Boden ist im Frühling noch kalt und nass.\n",
}
SETTINGS = Config(default_audience="public")


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vectors")
    build_without_engine(write_tree(folder / "content", {**PAGES}), folder / "site", SETTINGS, vectors=True)
    return folder / "site"


@pytest.fixture
def site(master: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(master, tmp_path / "site"))


def found(one: SiteHealth) -> set[tuple[str, str]]:
    return {(finding.check, finding.file) for finding in one.findings}


def test_a_whole_site_has_a_vector_for_each_chunk_that_the_model_reads(site: Path) -> None:
    """The German page has none, and nothing is wrong with that: the model reads English."""
    one = check_site(site)
    assert one.findings == ()
    assert (one.chunks, one.vectors, one.model) == (5, 4, "WordLlama 256")


def test_a_site_without_vectors_is_whole(tmp_path: Path) -> None:
    build_without_engine(write_tree(tmp_path / "content", {**PAGES}), tmp_path / "site", SETTINGS)
    one = check_site(tmp_path / "site")
    assert (one.findings, one.vectors, one.model) == ((), 0, "")


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


@pytest.mark.parametrize(("damage", "check"), [(cut, "damaged_file"), (flip, "damaged_file"), (Path.unlink, "missing_file")])
@pytest.mark.parametrize(
    ("kind", "number"), [("head", 0), ("tokens", 0), ("tokens", 1), ("rows", 0), ("rows", 5), ("shards", 0)]
)
def test_every_kind_of_file_and_damage(site: Path, kind: str, number: int, damage: Callable[[Path], None], check: str) -> None:
    """Each file is sealed by manifest or head; where the head is damaged, the rest is not accused of being nobody's."""
    name = VectorFolder(site / "_ranvier").name(kind, number)
    damage(site / "_ranvier" / name)
    assert found(check_site(site)) == {(check, name)}


def test_a_file_that_nothing_names(site: Path) -> None:
    write_tree(site, {"_ranvier/vectors/0123456789abcdef01234567.bin": b"x"})
    assert found(check_site(site)) == {("unnamed_file", "vectors/0123456789abcdef01234567.bin")}


def again(files: VectorFolder, chunks: list[int]) -> None:
    files.put_shard(0, chunks, files.shard(0)[1])


def token_twice(files: VectorFolder) -> None:
    tokens = files.tokens(0)
    files.put_tokens(0, {**tokens, "▁zzzz": tokens["▁beans"] if "▁beans" in tokens else max(tokens.values())})


def more_tokens(files: VectorFolder) -> None:
    tokens = files.tokens(1)
    files.put_tokens(1, {**tokens, "▁zzzzé": max(max(tokens.values()), max(files.tokens(0).values())) + 1})


WRONG: dict[str, tuple[Callable[[VectorFolder], object], str]] = {
    "count": (lambda files: files.head.update(count=9), "the head says 9, the shards hold 4"),
    "a chunk twice": (lambda files: again(files, [1, 2, 3, 3]), "1 chunks have more than one vector"),
    "chunks that do not rise": (lambda files: again(files, [1, 2, 4, 3]), "the numbers of its chunks do not rise"),
    "a chunk that is not there": (lambda files: again(files, [1, 2, 3, 99]), "1 vectors are of chunks that are not there"),
    "chunk 0": (lambda files: again(files, [0, 1, 2, 3]), "1 vectors are of chunks that are not there"),
    "too few chunks": (lambda files: again(files, [1, 2, 3]), "1,024 bytes instead of 3 vectors"),
    "centroids": (lambda files: files.head.update(centroids=files.head["centroids"] * 2), "centroids: not one"),
    "a short file of rows": (lambda files: files.put("rows", 0, files.data("rows", 0)[:-1]), "rows of 256 dimensions"),
    "a file of rows more": (lambda files: files.head.update(per_file=[32, 64]), "tokens need"),
    "no rows to a file": (lambda files: files.head.update(per_file=[0, 128]), "rows lie 0 and 128 to a file"),
    "a token used twice": (
        lambda files: files.head.update(order=[*files.head["order"][:-1], files.head["order"][0]]),
        "1 tokens are listed twice",
    ),
    "a token of nobody's": (
        lambda files: files.head.update(order=[*files.head["order"][:-1], 999_999]),
        "1 tokens that the site uses are not in the vocabulary",
    ),
    "an id twice": (token_twice, "1 tokens have an id that another has"),
    "a token without a row": (more_tokens, "bytes instead of"),
    "no head": (lambda files: files.head.pop("rows"), "the head of the vectors holds something else"),
}


@pytest.mark.parametrize("what", WRONG)
def test_counts_that_do_not_agree(site: Path, what: str) -> None:
    """A builder's mistake: every digest is right, and the numbers are not."""
    change, said = WRONG[what]
    with opened(site) as files:
        change(files)
    told = [one for one in check_site(site).findings if one.check == "wrong_count"]
    assert any(said in one.message for one in told), told
    assert {one.check for one in check_site(site).findings} <= GRAVE


def test_a_dropped_shard(site: Path) -> None:
    """Neither named nor there: its chunks are missed, for the head still counts them."""
    with opened(site) as files:
        (site / "_ranvier" / files.name("shards", 0)).unlink()
        files.head["shards"] = [b"", []]
    told = [str(one) for one in check_site(site).findings]
    assert "manifest: vectors: the head says 4, the shards hold 0" in told


@pytest.mark.parametrize("values", [{"order": "x"}, {"shards": [b"short", [1]]}, {"options": {"x": 1}}, {"tokenizer": "x"}])
def test_a_head_that_nobody_builds(site: Path, values: dict[str, object]) -> None:
    """Reported, never a crash."""
    with opened(site) as files:
        files.head.update(values)
    assert {one.check for one in check_site(site).findings} & GRAVE


def test_homes_that_are_not_the_shards(site: Path) -> None:
    """A narrowed search would look in the wrong shards."""
    with opened(site) as files:
        homes = unpack("homes", files.data("homes", 0))
        files.put("homes", 0, msgpack.packb([*homes[1:], homes[0] + 1]))
    (one,) = check_site(site).findings
    assert one.check == "wrong_count"
    assert "not where the shards have their chunks" in one.message


def test_chunks_without_a_vector(site: Path) -> None:
    """[002] missing embeddings: told by page; it is no damage."""
    with opened(site) as files:
        files.without(0, 3)
        files.without(0, 2)
    (one,) = check_site(site).findings
    assert (one.check, one.file) == ("missing_vector", "water.md")
    assert one.message.startswith("2 of 2 chunks have words and no vector")
    assert one.check not in GRAVE


def test_a_chunk_of_no_words_needs_no_vector(tmp_path: Path) -> None:
    """A model that reads every language is asked for every chunk, but only for words."""
    content = write_tree(
        tmp_path / "content", {"a.md": "---\ntitle: Words\n---\nSome of them.\n", "b.md": "---\ntitle: '!'\n---\n!\n"}
    )
    build_without_engine(content, tmp_path / "site", SETTINGS, vectors=True)
    with opened(tmp_path / "site") as files:
        files.without(0, 1)
    assert check_site(tmp_path / "site").findings == ()
