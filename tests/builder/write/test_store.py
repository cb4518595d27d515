"""The search files of a build: the same bytes each time, with digests as names (B2, A2)."""

import os
import subprocess
import sys
import zlib
from dataclasses import replace
from pathlib import Path

import msgpack
import pytest
import ranvier
from ranvier.store.format import digest
from ranvier_builder.model import Chunk, Neuron, Page, Rendered
from ranvier_builder.write import store
from ranvier_builder.write.shards import SHARD, card, text_shards
from support.content import generated, page, read_tree
from support.stores import make_store


def test_same_pages_give_the_same_bytes(tmp_path: Path) -> None:
    """B2, B3: every search file, in this process and in one with another hash seed."""
    imports = "import sys, pathlib\nfrom support.content import generated\nfrom support.stores import make_store\n"
    script = f"{imports}make_store(pathlib.Path(sys.argv[1]), generated(40))"
    make_store(tmp_path / "here", generated(40))
    files = read_tree(tmp_path / "here" / "base")
    assert {name.partition("/")[0] for name in files} >= {"index", "lists", "packs", "text", "titles", "words"}
    environment = os.environ | {"PYTHONHASHSEED": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "elsewhere")], env=environment, check=True)
    assert read_tree(tmp_path / "elsewhere" / "base") == files


def test_file_names_are_digests(large_store: Path) -> None:
    """B2."""
    files = {name: data for name, data in read_tree(large_store).items() if name != "entry.json"}
    assert len(files) > 100
    for name, data in files.items():
        assert digest(data).hex() == Path(name).stem.rpartition("-")[2]
        assert len(data) < 36_000 or not name.startswith(("index/", "text/", "words/"))


def test_small_site_has_no_empty_folders(tmp_path: Path) -> None:
    make_store(tmp_path / "s", [Rendered(page("a.md"), "", (), (Chunk("", (), "a word"),))])
    folders = [path for path in (tmp_path / "s" / "base").rglob("*") if path.is_dir()]
    assert folders
    assert all([*folder.iterdir()] for folder in folders)


def test_inventory_has_sizes_and_digests_of_assets(tmp_path: Path) -> None:
    (tmp_path / "api.js").write_bytes(b"export {}")
    result = make_store(tmp_path / "s", generated(1), {"web-0/api.js": tmp_path / "api.js"})
    manifest = msgpack.unpackb(zlib.decompress((tmp_path / "s" / "base" / result.manifest).read_bytes()))
    hot = (tmp_path / "s" / "base" / result.hot).read_bytes()
    (inventory,) = (tmp_path / "s" / "base" / "packs").glob(f"{manifest['inventory'][0].hex()}.bin")
    names = msgpack.unpackb(zlib.decompress(inventory.read_bytes()))
    assert names["assets"] == {"web-0/api.js": [9, digest(b"export {}")], "hot": [len(hot), digest(hot)]}
    assert result.chunks == manifest["chunk_count"] == 4


def test_noindex_pages_are_not_searched(tmp_path: Path) -> None:
    """N1."""
    visible = Rendered(page("a.md"), "", (), (Chunk("", (), "visible word"),))
    hidden = Rendered(page("b.md", noindex=True), "", (), (Chunk("", (), "hidden word"),))
    result = make_store(tmp_path, [visible, hidden])
    assert result.chunks == 1
    with ranvier.open_snapshot(tmp_path / "base") as library:
        assert [hit.path for hit in library.search("word").hits] == ["a.md"]
    packed = [data for name, data in read_tree(tmp_path / "base").items() if name.endswith(".bin")]
    assert b"hidden" not in b"".join(map(zlib.decompress, packed))


def test_card_has_only_the_fields_of_a_hit() -> None:
    """A2, A4: other frontmatter of a Neuron is never written."""
    neuron = Neuron("a/b.md", "T", "", id="i", tags=("x",), user_note="private", summary="s", derived_from=("d",), parent="p")
    neuron = replace(neuron, aliases=("Other name", "/former/address/", *("More" for _ in range(50))))
    fields = card(Page(neuron, 3, "site_1", "a/b", "a/b/", False))
    plain = ["i", "site_1", "a/b", "T", "a/b/", "a/b.md", "page", ["x"], "text", "en", ""]
    assert list(fields) == [*plain, ["Other name", *["More"] * 19]]


def shards(*sizes: list[int]) -> tuple[list[list[int]], list[int]]:
    """Write pages of chunks of some sizes; return for each shard the first chunks of its parts, and the table."""
    rendered = [
        Rendered(page(f"p{at}.md"), "", (), tuple(Chunk("", (), "x" * size) for size in row)) for at, row in enumerate(sizes)
    ]
    result = [*text_shards(rendered)]
    return [[part[0] for part in shard] for shard in result], [shard[0][0] for shard in result]


@pytest.mark.parametrize(
    ("sizes", "parts", "first"),
    [
        ([], [], []),
        ([[10]], [[1]], [1]),
        ([[10, 10], [10]], [[1, 3]], [1]),
        ([[SHARD - 500], [SHARD - 500]], [[1], [2]], [1, 2]),  # a page that does not fit begins another shard
        ([[10], [5000, 5000, 10]], [[1, 2], [3]], [1, 3]),  # a page longer than a shard is cut between chunks
        ([[SHARD * 3], [10]], [[1], [2]], [1, 2]),  # a chunk is never cut
    ],
)
def test_text_shards_are_split_between_pages_and_chunks(
    sizes: list[list[int]], parts: list[list[int]], first: list[int]
) -> None:
    shard_parts, table = shards(*sizes)
    assert table == first
    assert shard_parts == parts


def test_aliases_match_every_chunk(tmp_path: Path) -> None:
    neuron = Neuron("a.md", "T", "", id="a", aliases=("okapi",))
    rendered = Rendered(Page(neuron, 1, "s_1", "a", "a/", False), "", (), (Chunk("", (), "one"), Chunk("b", ("B",), "two")))
    make_store(tmp_path, [rendered])
    with ranvier.open_snapshot(tmp_path / "base") as library:
        assert len(library.retrieve("okapi").chunks) == 2


def test_text_shards_of_a_large_site_are_larger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B2: hosts limit the number of files. Hits and snippets are the same."""
    result, files = [], []
    for count in (100, 99):
        monkeypatch.setattr(store, "MANY_PAGES", count)
        folder = tmp_path / str(count)
        make_store(folder, generated(100))
        files.append(len([*(folder / "base" / "text").iterdir()]))
        with ranvier.open_snapshot(folder / "base") as library:
            result.append([(hit.id, hit.score, hit.snippet) for hit in library.search("alpha3 everywhere", limit=20).hits])
    assert result[0] == result[1]
    assert len(result[0]) == 20
    assert files[1] < 0.6 * files[0]
