"""B2, B4: lists of the best pages of each word: the answers of the core, in few bytes, the same for the same pages."""

import json
from bisect import bisect_right
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import ranvier
from ranvier.store.format import inflate
from ranvier.store.titles import utf16
from ranvier_builder.check.stored import read_inventory
from ranvier_builder.model import Chunk, Rendered
from ranvier_builder.write import impacts, list_files, postings
from ranvier_builder.write.list_files import RankedPages, files
from ranvier_builder.write.surface import surface_words
from support.content import build_tree, build_without_engine, generated, page, write_tree
from support.instant import UNIT, Entry, Lists
from support.shared import opened_fixture, site_fixture
from support.stores import make_store

PAGES = {
    "index.md": "# Harbour\n\nBoats, tides and the people of the harbour.\n\n## Boats\n\nSee [tides](tides.md).",
    "tides.md": "---\ntags: [sea]\naliases: [Ebb and flow]\nlinkTitle: Moon water\n---\n# Tides\n\nIt rises.\n\n"
    "## Spring tides\n\nHigh ones.",
    "tables.md": "# Tide tables\n\nOf each tide: `getUserName`, C++, v1.10.\n\n## Tide\n\nWhat a tide is.",
    "heavy.md": "---\nweight: 4\n---\n# Mooring\n\nBoats and a tide, moored by ropes.\n\n## Ropes\n\nRopes don't float.",
    "hafen.md": "---\nlang: de\n---\n# Häfen\n\nDie Schiffe und Boote liegen im Hafen; größere Schiffe warten auf Tiden.",
    "port.md": "---\nlang: fr\n---\n# Sécurité du port\n\nLes données de sécurité des bateaux et des marées.",
    "minato.md": "---\nlang: ja\n---\n# 港\n\n日本語の港。東京の港は大きい。港湾の船。",
    "thai.md": "---\nlang: th\n---\n# ท่าเรือ\n\nเรืออยู่ในท่าเรือ",
    "korean.md": "---\nlang: ko\n---\n# 항구\n\n항구의 배는 크다. 항구 안내.",
    "gothic.md": "# Letters\n\n𐌰𐌱𐌲 is Gothic, 﨎 is rare, zebra is not.",
    "cellar.md": "---\nnoindex: true\n---\n# Cellar\n\nDungeons are dark under the tide.",
}
site = site_fixture(build_tree, PAGES)
library = opened_fixture("site")


@pytest.fixture
def lists(site: Path) -> Lists:
    return Lists(site / "_ranvier")


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("generated")
    make_store(folder, generated(150))
    return folder / "base"


def shards(lists: Lists) -> list[Any]:
    return [*lists.shards()]


def words(lists: Lists) -> list[str]:
    return [word for shard in shards(lists) for word in shard.words]


def entries(lists: Lists, word: str) -> tuple[Entry, ...]:
    (shard,) = lists.shards_of(word)
    result = shard.get(word)
    assert result is not None, word
    return result.entries


def hundredths(impact: int) -> int:
    """Return the score of an impact."""
    return impact // UNIT * UNIT + impact % UNIT


def assert_same_answers(library: ranvier.Library, lists: Lists, word: str) -> None:
    """Compare a list with the search's own answer: the same scores in the same order, and pages but for ties."""
    hits = library.search(word, limit=10, strategy="bm25").hits
    listed = entries(lists, word)
    assert len(listed) >= len(hits) > 0, word
    assert [hundredths(entry.impact) for entry in listed[: len(hits)]] == pytest.approx(
        [hit.score * 100 for hit in hits], abs=1
    ), word
    scores = {entry.url: hundredths(entry.impact) for entry in listed}
    for hit in hits:
        if hit.score > hits[-1].score + 0.01:
            assert scores[hit.url] == pytest.approx(hit.score * 100, abs=1), word


def test_lists_agree_with_the_search(library: ranvier.Library, lists: Lists) -> None:
    """For every word of a small site, with names, endings, weights and links."""
    for word in words(lists):
        if word.isascii():
            assert_same_answers(library, lists, word)
    tides = entries(lists, "tides")
    assert [entry.impact // UNIT for entry in tides[:3]] == [10, 4, 0], "an equal title, and a heading with another ending"
    assert entries(lists, "tide")[1][:4] == ("Tide tables", "tables/", "Tide", "tide")


def test_lists_have_the_number_of_pages_of_a_heading(tmp_path: Path) -> None:
    """P1: one page, two, three or four have it."""
    trees = ("alder", "birch", "cedar", "damson")
    sections = [[f"## {tree}\n\nA {tree} grows.\n" for tree in trees[at:]] for at in range(4)]
    files = {f"p{at}.md": "\n".join((f"# Garden {at}\n", *parts)) for at, parts in enumerate(sections)}
    site = build_tree(tmp_path, files)
    lists = Lists(site / "_ranvier")
    with ranvier.open_snapshot(site) as library:
        for tree in trees:
            assert_same_answers(library, lists, tree)
    assert [entries(lists, tree)[0].impact // UNIT for tree in trees] == [5, 1, 1, 0]


def test_lists_of_a_large_site_agree_with_the_search(large: Path) -> None:
    """For a sample of rare and common words."""
    lists = Lists(large)
    listed_words = words(lists)
    with ranvier.open_snapshot(large) as library:
        for word in ["everywhere", "alpha3", "only7x2", "page", *Random(5).sample(listed_words, 60)]:
            assert_same_answers(library, lists, word)


def test_edited_page_changes_no_score_of_other_pages(tmp_path: Path) -> None:
    """I3: average lengths are rounded, so that the files of other words keep their names."""
    pages = generated(60)
    original = pages[0].chunks[0]
    edited = replace(original, body=f"{original.body} lighthouse lighthouse lighthouse")
    scores = []
    for name, chunk in (("before", original), ("after", edited)):
        make_store(tmp_path / name, [replace(pages[0], chunks=(chunk, *pages[0].chunks[1:])), *pages[1:]])
        lists = Lists(tmp_path / name / "base")
        listed = {word: entries(lists, word) for word in words(lists)}
        url = pages[0].page.url
        scores.append({word: {entry.url: entry.impact for entry in row if entry.url != url} for word, row in listed.items()})
    short = {word for word, row in scores[0].items() if len(row) < 40}
    assert {word: scores[0][word] for word in short} == {word: scores[1][word] for word in short}
    assert len(short) > 500


def test_words_of_the_lists_are_folded_words_of_the_texts(site: Path) -> None:
    """Parts of identifiers are words, too. A word without hits has no list."""
    listed_words = words(Lists(site / "_ranvier"))
    expected = {"harbour", "grossere", "securite", "donnees", "getusername", "user", "name", "c++", "v1", "10", "sea", "ebb"}
    assert expected <= {*listed_words}
    assert "t" not in listed_words
    assert listed_words == sorted(listed_words, key=utf16)
    assert len(listed_words) == len({*listed_words})


def test_lists_handle_accents_and_languages(lists: Lists) -> None:
    """A word is read in each language of the site. An accent that folding removes helps its stemmer."""
    for word, url in (("securite", "port/"), ("hafen", "hafen/"), ("hafens", ""), ("grossere", "hafen/"), ("boote", "hafen/")):
        results = lists.search(f"{word} ")
        assert [hit.url for hit in results[:1]] == ([url] if url else []), word


@pytest.mark.parametrize("query", ["日本", "港", "港湾", "東京", "京"])
def test_lists_have_pairs_and_single_letters_of_unspaced_scripts(library: ranvier.Library, lists: Lists, query: str) -> None:
    """The list of a single letter has all words that begin with it."""
    assert_same_answers(library, lists, query)


@pytest.mark.parametrize("query", ["日本語の港", "ท่าเรือ", "항구"])
def test_lists_answer_queries_in_unspaced_scripts(library: ranvier.Library, lists: Lists, query: str) -> None:
    assert lists.search(query)[0].url == library.search(query).hits[0].url


def test_long_unspaced_text_keeps_all_pairs() -> None:
    """The text is cut into parts for folding."""
    text = "".join(chr(0x4E00 + number) for number in range(700))
    assert {text[at : at + 2] for at in range(len(text) - 1)} <= surface_words([text]).keys()


def test_root_file_names_the_function_words_of_each_language(lists: Lists) -> None:
    assert {"the", "und", "les", "fur"} <= {*lists.root["stop"]}
    assert "tide" not in lists.root["stop"]


def test_noindex_pages_are_in_no_list(site: Path) -> None:
    """N1."""
    folder = site / "_ranvier" / "lists"
    search_bytes = b"".join(inflate(file.name, file.read_bytes()) for file in sorted(folder.iterdir()))
    assert b"tide" in search_bytes
    assert b"cellar" not in search_bytes.lower()
    assert b"dungeons" not in search_bytes


def test_lists_of_a_small_site_are_one_file(lists: Lists) -> None:
    assert lists.search("tide ")
    assert lists.root["starts"] == lists.root["files"] == []
    assert lists.root["pages"] == len(PAGES) - 1
    assert len(lists.read) == 1


def listed(count: int) -> RankedPages:
    return RankedPages.of((((at, -1), 100 - at) for at in range(count)), 100)


def test_shards_are_sorted_by_utf16_code_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """JavaScript compares strings this way. Words with the same beginning stay together if they fit."""
    monkeypatch.setattr(list_files, "WHOLE", 0)
    monkeypatch.setattr(list_files, "SHARD", 80)
    monkeypatch.setattr(list_files, "TABLE", 10_000)
    sorted_words = sorted(["a", "ab", "abacus", "z", "𐌰", "𐌰𐌱", "𐌱", "﨎", "﨏"], key=utf16)
    assert sorted_words.index("𐌱") < sorted_words.index("﨎"), "the order by code points is reversed"
    rendered = generated(3)
    root, *contents = (
        json.loads(inflate("lists", data))
        for data in files({word: listed(at % 3 + 1) for at, word in enumerate(sorted_words)}, rendered, [])
    )
    shard_words = [shard["words"].split("\n") for shard in contents]
    assert [word for row in shard_words for word in row] == sorted_words
    assert len(shard_words) > 3
    for number, row in enumerate(shard_words):
        assert all(bisect_right(root["starts"], utf16(word), key=utf16) - 1 == number for word in row)


def test_page_table_is_in_the_root_or_in_each_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answers are the same."""
    rendered = generated(60)
    answers = []
    for folder, limit in (("shared", 100_000), ("own", 0)):
        monkeypatch.setattr(list_files, "TABLE", limit)
        make_store(tmp_path / folder, rendered)
        lists = Lists(tmp_path / folder / "base")
        assert ("table" in lists.root) == bool(limit)
        answers.append([lists.search(query) for query in ("alpha3", "everywhere only7x2 ", "page 12", "alp")])
    assert answers[0] == answers[1]
    assert all(answers[0])


def test_lists_of_a_large_site_have_files_that_name_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B4: the root stays small, and the answers are the same."""
    monkeypatch.setattr(list_files, "WHOLE", 0)
    monkeypatch.setattr(list_files, "SHARD", 2_000)
    rendered = generated(60)
    answers, roots = [], []
    for limit in (1000, 8):
        monkeypatch.setattr(list_files, "MAX_FILES", limit)
        monkeypatch.setattr(list_files, "GROUP", 4)
        make_store(tmp_path / str(limit), rendered)
        lists = Lists(tmp_path / str(limit) / "base")
        roots.append(lists.root)
        answers.append([lists.search(query) for query in ("alpha3 ", "everywhere only7x2 ", "page 12", "alp")])
        assert words(lists) == sorted(words(lists), key=utf16)
    assert answers[0] == answers[1]
    assert all(answers[0])
    shards_named = len(roots[0]["files"])
    assert shards_named > 8
    assert len(roots[1]["files"]) == -(-shards_named // 4)


def test_entry_file_and_inventory_name_the_lists(site: Path, library: ranvier.Library, tmp_path: Path) -> None:
    """M1: an empty site has none; of other sites every file is checked."""
    base = site / "_ranvier"
    entry = json.loads((base / "entry.json").read_bytes())
    inventory = read_inventory(base, library.engine.snapshot.manifest)
    names = {f"lists/{file.name}" for file in (base / "lists").iterdir()}
    assert entry["lists"] in names == {name for name in inventory or () if name.startswith("lists/")}
    assert names <= json.loads((base / entry["sizes"]).read_bytes()).keys()
    assert make_store(tmp_path / "none", []).lists is None


def test_lists_are_small(large: Path) -> None:
    """B2: the bytes that three words read, and the size of all lists relative to the index."""
    lists = Lists(large)
    lists.search("only7x2 alpha3 everywhere ")
    assert sum(map(len, lists.read.values())) < 30_000


def test_page_without_words_has_no_list(tmp_path: Path) -> None:
    """Only punctuation: no list and no file."""
    page_with_title = page("empty.md", title="…")
    page_without_title = replace(page_with_title, neuron=replace(page_with_title.neuron, path="….md"))
    assert make_store(tmp_path / "site", [Rendered(page_without_title, "", (), (Chunk("", (), ""),))]).lists is None


def test_lists_do_not_depend_on_the_block_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B4: impacts are summed for some terms at a time; parts of words are among them."""
    content = write_tree(tmp_path / "content", PAGES)
    names = []
    for rows, block in ((1_000_000, 2000), (1, 2000), (7, 3)):
        monkeypatch.setattr(impacts, "_ROWS", rows)
        monkeypatch.setattr(postings, "_BLOCK", block)
        out = tmp_path / f"{rows}-{block}"
        build_without_engine(content, out)
        names.append(sorted(file.name for file in (out / "_ranvier" / "lists").iterdir()))
    assert names[0] == names[1] == names[2]
