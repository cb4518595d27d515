"""A2, A3: vectors come from published texts. What withheld pages could add to them is found, and changes no byte of them."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from leaks.conftest import Built
from leaks.tree import CONFIG, garden
from ranvier_builder import Config
from ranvier_builder.check import Leak, Proofs, find_leaks
from ranvier_builder.check.leaks import search
from ranvier_builder.embed.models import embedder
from ranvier_builder.errors import ConfigError, LeakError
from ranvier_builder.model import Chunk, Rendered
from ranvier_builder.write import store
from support.content import build_without_engine, write_tree
from support.vector_files import VectorFolder, opened

MERGER = "plans/merger.md"
SENTENCE = "We will buy the neighbour's garden before anybody hears of it"


@pytest.fixture(scope="module")
def master_with_vectors(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("meaning")
    content = garden(folder / "content")
    build_without_engine(content, folder / "out", CONFIG, vectors=True)
    return Built(content, folder / "out")


@pytest.fixture
def built(master_with_vectors: Built, tmp_path: Path) -> Built:
    shutil.copytree(master_with_vectors.out, tmp_path / "out")
    return Built(master_with_vectors.content, tmp_path / "out")


def found(built: Built, **how: Any) -> list[Leak]:
    return find_leaks(built.out, built.content, CONFIG, **how)


def name_of(built: Built, kind: str, number: int = 0) -> str:
    return f"_ranvier/{VectorFolder(built.out / '_ranvier').name(kind, number)}"


def test_a_clean_site_is_clean_and_made_again_the_same(built: Built) -> None:
    assert found(built) == []
    assert found(built, again=True) == []


def test_a_word_more_in_the_vocabulary(built: Built) -> None:
    """The tokens are the model's own, each of them: so they say nothing of the site."""
    with opened(built.out) as files:
        tokens = files.tokens(0)
        files.put_tokens(0, {**tokens, "▁lanternfold": max(tokens.values()) + 1})
    told = {(leak.file, leak.where, leak.excerpt) for leak in found(built)}
    assert (name_of(built, "tokens"), "tokens", "are not the model's: ▁lanternfold") in told


def test_a_word_less_in_the_vocabulary(built: Built) -> None:
    with opened(built.out) as files:
        tokens = files.tokens(1)
        tokens.popitem()
        files.put_tokens(1, tokens)
    assert (name_of(built, "tokens", 1), "tokens") in {(leak.file, leak.where) for leak in found(built)}


def test_a_token_that_only_a_withheld_page_has(built: Built) -> None:
    """Which tokens the site uses would tell words of withheld pages."""
    reader = embedder("wordllama").tokenizer.tokenizer()
    with opened(built.out) as files:
        (token, *_) = [one for one in reader.encode("neighbour") if one not in files.head["order"]]
        files.head["order"][-1] = token
    leaks = [leak for leak in found(built) if leak.where == "tokens that are used"]
    assert {leak.of for leak in leaks} == {MERGER, ""}
    assert {leak.file for leak in leaks} == {name_of(built, "head")}
    assert "neigh" in leaks[0].excerpt


def test_tokens_in_another_order(built: Built) -> None:
    """How often a word stands in what was embedded: a withheld page of common words would change it."""
    with opened(built.out) as files:
        files.head["order"] = [*files.head["order"][1:], files.head["order"][0]]
    (leak,) = found(built)
    assert (leak.file, leak.excerpt) == (name_of(built, "head"), "not as often as the published texts say them")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("0123456789abcdef01234567.bin", b"\x80\x7f" * 500),
        ("deeper/x.bin", b""),
        (".DS_Store", b"x"),
        ("x.txt", b"Silverbriar"),
    ],
)
def test_a_file_that_nothing_names(built: Built, name: str, data: bytes) -> None:
    """It may be the vectors of another audience: nobody could read that from it."""
    write_tree(built.out, {f"_ranvier/vectors/{name}": data})
    told = {(leak.file, leak.excerpt) for leak in found(built)}
    assert (f"_ranvier/vectors/{name}", "nothing names it") in told


def test_files_that_are_left_where_there_are_no_vectors(built: Built, master: Built, tmp_path: Path) -> None:
    """Of an older build."""
    out = Path(shutil.copytree(master.out, tmp_path / "without"))
    shutil.copytree(built.out / "_ranvier" / "vectors", out / "_ranvier" / "vectors")
    leaks = find_leaks(out, built.content, CONFIG)
    assert {leak.file.rpartition("/")[0] for leak in leaks} == {"_ranvier/vectors"}
    assert len({leak.file for leak in leaks}) == len(list((out / "_ranvier" / "vectors").iterdir()))


def a_chunk(files: VectorFolder, place: int, number: int) -> None:
    chunks, columns = files.shard(0)
    chunks[place] = number
    files.put_shard(0, chunks, columns)


def a_vector_more(files: VectorFolder) -> None:
    chunks, columns = files.shard(0)
    many = len(chunks)
    more = b"".join(columns[at : at + many] + b"\x80" for at in range(0, len(columns), many))
    files.put_shard(0, [*chunks, chunks[-1] + 1], more)
    files.head["count"] += 1


@pytest.mark.parametrize(
    "change",
    [
        lambda files: a_chunk(files, -1, 99),
        lambda files: a_chunk(files, 1, 1),
        lambda files: a_chunk(files, 0, 0),
        a_vector_more,
    ],
)
def test_a_vector_of_nothing_that_is_shown(built: Built, change: Callable[[VectorFolder], None]) -> None:
    """There are vectors of chunks of the snapshot alone, one for each."""
    with opened(built.out) as files:
        change(files)
    (leak, *_) = [leak for leak in found(built) if leak.where == "chunks"]
    assert leak.file == name_of(built, "shards")
    assert leak.excerpt.startswith("a vector more than there should be, of chunk")


def test_a_shard_that_is_gone(built: Built) -> None:
    """What cannot be read is not proved."""
    (built.out / name_of(built, "shards")).unlink()
    (leak,) = found(built)
    assert leak.where == "search data"


def test_a_shard_that_is_not_named_any_more(built: Built) -> None:
    name = name_of(built, "shards")
    with opened(built.out) as files:
        files.head["shards"] = [b"", []]
    assert (name, "nothing names it") in {(leak.file, leak.excerpt) for leak in found(built)}


def changed(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize("kind", ["rows", "shards", "head"])
def test_one_bit_of_a_number(built: Built, kind: str) -> None:
    """Digests are right, and a number looks like any other: only making it again tells."""
    with opened(built.out) as files:
        if kind == "head":
            files.head["centroids"] = changed(files.head["centroids"], 7)
        else:
            files.put(kind, 0, changed(files.data(kind, 0), len(files.data(kind, 0)) - 7))
    assert found(built) == []
    (leak,) = found(built, again=True)
    assert (leak.file, leak.where) == (name_of(built, kind), "again")
    assert leak.excerpt.startswith("not what the published texts give")


@pytest.mark.parametrize(
    "said", [SENTENCE, "来年の春に古い温室を取り壊して新しい建物を建てる", SENTENCE.encode("utf-16-le").decode("latin-1")]
)
def test_a_text_among_numbers(built: Built, said: str) -> None:
    with opened(built.out) as files:
        data, text = files.data("rows", 3), said.encode("latin-1" if "\0" in said else "utf-8")
        files.put("rows", 3, data[:500] + text + data[500 + len(text) :])
    told = {(leak.file, leak.where, leak.of) for leak in found(built)}
    assert told == {(name_of(built, "rows", 3), "numbers", "ja.md" if said[0] == "来" else MERGER)}


@pytest.mark.parametrize(
    "change",
    [
        lambda files: files.head.update(model="Merger with Lanternfold"),
        lambda files: files.head.update(sources=[MERGER]),
        lambda files: files.head.update(options=files.head["options"] | {"note": SENTENCE}),
        lambda files: files.head["rows"][1].append(SENTENCE),
        lambda files: files.head.update(centroids=files.head["centroids"] + SENTENCE.encode()),
        lambda files: files.said["langs"].append("lanternfold"),
    ],
)
def test_a_head_that_says_more(built: Built, change: Callable[[VectorFolder], None]) -> None:
    with opened(built.out) as files:
        change(files)
    assert found(built) != []


class NoModel:
    """Stands in for a place where the model is not installed."""

    def __call__(self, *args: Any) -> Any:
        raise ConfigError("the search by meaning needs WordLlama, which is not installed")


def test_without_the_model_it_is_said_what_was_not_proved(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never passed over in silence: a finding for whoever asks for such, and else a leak."""
    monkeypatch.setattr(search, "embedder", NoModel())
    unproved: list[str] = []
    assert found(built, unproved=unproved, again=True) == []
    assert unproved == [
        "the vectors were not compared with their model: the search by meaning needs WordLlama, which is not installed"
    ]
    (leak,) = found(built)
    assert (leak.where, leak.excerpt[:16]) == ("search data", "cannot be opened")


def test_without_the_model_the_rest_is_proved(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "embedder", NoModel())
    with opened(built.out) as files:
        tokens = files.tokens(0)
        files.put_tokens(0, {**tokens, "▁merger with lanternfold": max(tokens.values()) + 1})
        files.head["order"] = files.head["order"][::-1]
    told = {(leak.where, leak.kind, leak.of) for leak in found(built, unproved=[])}
    assert {("tokens", "title", MERGER), ("tokens that are used", "text", "")} <= told


def saying(text: str) -> Callable[[Rendered], Rendered]:
    """Make a page's last chunk say more than is shown of it."""

    def more(one: Rendered) -> Rendered:
        *chunks, last = one.chunks
        return dataclasses.replace(one, chunks=(*chunks, dataclasses.replace(last, body=f"{last.body} {text}")))

    return more


@pytest.mark.parametrize("said", [SENTENCE, "the garden of the garden", "Lanternfold"])
def test_a_build_that_embeds_what_it_does_not_show(tmp_path: Path, said: str) -> None:
    """Withheld words go into numbers only; words that published pages have, too, are found by how often they are there."""
    true = store.write_vectors

    def leaking(indexed: list[Rendered], *rest: Any) -> Any:
        return true([*indexed[:-1], saying(said)(indexed[-1])], *rest)

    with patch.object(store, "write_vectors", leaking), pytest.raises(LeakError) as caught:
        build_without_engine(garden(tmp_path / "content"), tmp_path / "out", CONFIG, vectors=True)
    assert {leak.where for leak in caught.value.leaks} == {"tokens that are used"}  # type: ignore[attr-defined]
    assert not (tmp_path / "out").exists()


def test_a_build_that_embeds_a_withheld_page(tmp_path: Path) -> None:
    true = store.write_vectors

    def leaking(indexed: list[Rendered], *rest: Any) -> Any:
        page = dataclasses.replace(indexed[-1], chunks=(Chunk("", ("Copperfinch terms",), SENTENCE),))
        return true([*indexed, page], *rest)

    with patch.object(store, "write_vectors", leaking), pytest.raises(LeakError) as caught:
        build_without_engine(garden(tmp_path / "content"), tmp_path / "out", CONFIG, vectors=True)
    leaks = caught.value.leaks
    assert {"chunks", "tokens that are used"} <= {leak.where for leak in leaks}  # type: ignore[attr-defined]
    assert MERGER in {leak.of for leak in leaks}  # type: ignore[attr-defined]


def vectors_of(site: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (site / "_ranvier" / "vectors").iterdir()}


def test_a_withheld_page_changes_no_byte_of_the_vectors(built: Built, tmp_path: Path) -> None:
    """A2: the same site with and without a page of words that nobody else has, and of words that everybody has."""
    more = {
        "zyzzyva.md": "---\naudience: curator\n---\n# Zyzzyva\n\nThe zyzzyva eats a garden and a roadmap, zyzzyva.\n",
        "a/first.md": "---\naudience: tool\n---\nA public garden for everybody, dig a hole, plant a garden.\n",
    }
    content = garden(tmp_path / "content", {**more})
    build_without_engine(content, tmp_path / "with", CONFIG, vectors=True)
    assert vectors_of(tmp_path / "with") == vectors_of(built.out)
    public = write_tree(tmp_path / "content", {"zyzzyva.md": "---\naudience: public\n---\n" + more["zyzzyva.md"][26:]})
    build_without_engine(public, tmp_path / "shown", CONFIG, vectors=True)
    assert vectors_of(tmp_path / "shown") != vectors_of(built.out), "a page that is shown changes them"


INNOCENT = {
    "index.md": "---\ntitle: Home\naliases: [Start page, /old/address]\n---\n# Home\n\nA page about roads, maps and gardens.\n",
    "two.md": "---\naliases: 'First, Second'\n---\n# Two\n\n## Same\n\nAgain.\n\n## Same\n\nAgain.\n",
    "de.md": "---\nlang: de\naliases: [Anfang]\n---\n# Deutsch\n\nNicht gelesen.\n",
    "empty.md": "# \n",
}


OURS = ("WordLlama 256", "Strip accents", "Per file", "bpe", "Centroids", "Merge", "Tokenizer", "Lanes", "▁roadmap")


def test_withheld_pages_that_are_called_as_something_of_ours(tmp_path: Path) -> None:
    """The vocabulary has 24,000 words, and any could be a withheld page's title or its only word."""
    tree = {f"{at}.md": f"---\naudience: curator\ntitle: {title}\n---\nRoadmap\n" for at, title in enumerate(OURS)}
    content = write_tree(tmp_path / "content", {**INNOCENT, **tree, "word.md": "---\naudience: tool\n---\nmerger\n"})
    settings = Config(default_audience="public")
    report = build_without_engine(content, tmp_path / "out", settings, vectors=True)
    assert (sum(report.withheld.values()), report.vectors) == (len(OURS) + 1, 4)
    assert find_leaks(tmp_path / "out", content, settings, again=True) == []


def test_what_was_proved_is_not_proved_again_unless_it_changed(built: Built) -> None:
    proofs = Proofs()
    assert found(built, proofs=proofs) == []
    known = frozenset(proofs.new)
    with patch.object(search, "Vectors", side_effect=AssertionError("asked again")):
        assert found(built, proofs=Proofs(known)) == []
        write_tree(built.out, {"_ranvier/vectors/x.bin": b"\x00"})
        assert [leak.where for leak in found(built, proofs=Proofs(known))] == ["search data"], "it was asked, and failed closed"
