"""The snapshot (B2, X3): planned reads, integrity, and never a silent miss."""

import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import ranvier
from ranvier import FetchError, FormatError, IntegrityError
from ranvier.store import snapshot
from ranvier.store.format import FORMAT, deflate
from ranvier.store.snapshot import Snapshot, TermLookup
from ranvier.store.source import FolderSource
from ranvier.store.terms import TermList
from ranvier.store.texts import Texts
from ranvier_builder.model import Link, Rendered
from ranvier_builder.write import split, store, terms
from ranvier_builder.write.facts import Collection
from support.content import drive, generated, write_tree
from support.shared import copied_fixture
from support.stores import StoreReader, make_store, open_store

SQL = "SELECT rowid, rank FROM {0} WHERE {0} MATCH ? AND rank MATCH ? ORDER BY rank, rowid"
RANK = {"chunk_fts": "bm25(0, 10, 5, 5, 1, 1)", "neuron_fts": "bm25(0, 10, 5, 5, 1, 1)", "substring_fts": "bm25(3, 2, 1)"}


def lookups(*terms: str, table: str = "chunk_fts") -> list[TermLookup]:
    return [TermLookup(term.rstrip("*"), term.endswith("*"), table) for term in terms]


# A query, and the terms that it reads.
QUERIES: tuple[tuple[str, str, tuple[str, ...]], ...] = tuple(
    (table, *query)
    for table in ("chunk_fts", "neuron_fts")
    for query in (
        ("everywher", ("everywher",)),
        ("alpha3", ("alpha3",)),
        ("only17x2", ("only17x2",)),
        ("nosuchword", ("nosuchword",)),
        ("zzzz", ("zzzz",)),
        ("aaaa", ("aaaa",)),
        ("everywher alpha3", ("everywher", "alpha3")),
        ("alpha1 OR alpha2 OR only3x3", ("alpha1", "alpha2", "only3x3")),
        ("everywher NOT alpha3", ("everywher", "alpha3")),
        ('"everywher only17x2"', ("everywher", "only17x2")),
        ("NEAR(everywher alpha3, 5)", ("everywher", "alpha3")),
        ("ba*", ("ba*",)),
        ("b*", ("b*",)),
        ("z*", ("z*",)),
        ("only1*", ("only1*",)),
        ("(ba* OR da*) AND alpha5", ("ba*", "da*", "alpha5")),
        ("日本語", ("日本語",)),
        ('name:"part=ba"*', ("part=ba*",)),
    )
) + tuple(
    ("substring_fts", *query)
    for query in (
        ("ver", ("ver",)),
        ('"eve ver ery"', ("eve", "ver", "ery")),
        ("17x alp", ("17x", "alp")),
        ("zzz", ("zzz",)),
        ("title:pag", ("pag",)),
        ('"3"*', ("3*",)),
        ('"e"* AND "al"*', ("e*", "al*")),
        ('"\x80"*', ("\x80*",)),
    )
)


@pytest.fixture(scope="module", params=[(1, None), (6, 2)], ids=str)
def split_store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The generated store; the parameters are the pages of an index file and the files of a list."""
    folder = tmp_path_factory.mktemp(f"per{request.param[0]}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "split_snapshot", lambda file: split.split_snapshot(file, *request.param))
        patch.setattr(terms, "LONG", 5)
        patch.setattr(store, "BOUNDS", 10_000)
        make_store(folder, generated())
    return folder / "base"


@pytest.fixture
def large(large_store: Path) -> Iterator[StoreReader]:
    with open_store(large_store) as reader:
        yield reader


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: f"{query[0]} {query[1]}")
def test_planned_reads_cover_the_query(split_store: Path, query: tuple[str, str, tuple[str, ...]]) -> None:
    """One round for posting files, two if lists name them; substring files arrive with their page map."""
    table, match, words = query
    with open_store(split_store) as reader:
        hot, core = set(reader.pages.pages), reader.snapshot
        request = SQL.format(table), (match, RANK[table]), lookups(*words, table=table)
        rows, needs = drive(core.query(*request), reader.source)
        assert core.misses == 0
        uses_lists = table != "substring_fts" and not core.names_all_files
        assert len(needs) <= 1 + uses_lists
        assert not uses_lists or all(name.startswith("packs/") for name in needs[0].files)
        with closing(sqlite3.connect(split_store.parent / "work" / "snapshot.sqlite")) as whole:
            assert rows == whole.execute(*request[:2]).fetchall()
        names = [name for need in needs for name in need.files]
        assert len(names) == len(set(names))
        if table != "substring_fts":
            planned = {page for one_list in core._lists.values() for page in _pages(one_list, names)}
            assert planned - hot <= reader.pages.pages - hot
            assert uses_lists or reader.pages.pages - hot == planned - hot
        again, needs = drive(core.query(*request), reader.source)
        assert (again, needs) == (rows, []), "no file is requested again"


def _pages(item: TermList, names: list[str]) -> list[int]:
    return [page for at in range(len(item.files.sizes)) if item.files.name(at) in names for page in item.pages_of(at)]


def test_without_bounds_substrings_take_two_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B2: on a large site only the substring pack names the files of a term; there is no miss."""
    monkeypatch.setattr(store, "BOUNDS", 0)
    make_store(tmp_path, generated(40))
    with open_store(tmp_path / "base") as reader:
        assert reader.snapshot.manifest.bounds == {}
        request = SQL.format("substring_fts"), ("eve", RANK["substring_fts"]), lookups("eve", table="substring_fts")
        rows, needs = drive(reader.snapshot.query(*request), reader.source)
        assert (len(rows), reader.snapshot.misses) == (160, 0)
        assert [{name.partition("/")[0] for name in need.files} for need in needs] == [{"packs"}, {"index"}]


def test_listed_text_shards_take_one_more_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B2: on a large site the manifest names lists of text shards."""
    monkeypatch.setattr(store, "TEXTS", 2)
    monkeypatch.setattr(store, "TEXTS_LISTED", 3)
    pages = generated(60)
    make_store(tmp_path / "listed", pages)
    monkeypatch.undo()
    make_store(tmp_path / "plain", pages)
    with open_store(tmp_path / "listed" / "base") as single, open_store(tmp_path / "plain" / "base") as other:
        assert len(single.snapshot.manifest.text.sizes) == -(-len(other.snapshot.manifest.text.sizes) // 3) > 2
        uses_lists, plain = Texts(single.snapshot.manifest), Texts(other.snapshot.manifest)
        first, needs = drive(uses_lists.passages([1, 2, 240]), single.source)
        second, plain_needs = drive(plain.passages([1, 2, 240]), other.source)
        assert (first, len(plain_needs)) == (second, 1)
        assert [{name.partition("/")[0] for name in need.files} for need in needs] == [{"packs"}, {"text"}]
        assert (uses_lists.names_all_files, plain.names_all_files) == (False, True)
        results, needs = drive(uses_lists.passages(range(1, 241)), single.source)
        assert results == drive(plain.passages(range(1, 241)), other.source)[0]
        names = [name for need in needs for name in need.files]
        assert len(names) == len(set(names)), "no file is requested twice"


def test_sizes_are_fetched_for_matching_rows_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B2: on a large site."""
    monkeypatch.setattr(split, "ROWS", 300)
    monkeypatch.setattr(store, "split_snapshot", lambda file: split.split_snapshot(file, 2, 5, 0))
    make_store(tmp_path, generated(300))
    with open_store(tmp_path / "base") as reader:
        _, needs = drive(reader.snapshot.fetch_terms(lookups("only17x2")), reader.source)
        # All sizes of the table are a few bytes: they come with the list.
        assert [(len(need.files), {name.partition("/")[0] for name in need.files}) for need in needs] == [
            (1 + 4, {"packs"}),
            (1, {"index"}),
        ]
    monkeypatch.setattr(snapshot, "_FEW_SIZES", 0)
    with open_store(tmp_path / "base") as reader, closing(sqlite3.connect(tmp_path / "work" / "snapshot.sqlite")) as whole:
        assert {table: len(sizes.first) for table, sizes in reader.snapshot.manifest.sizes.items()} == {
            "chunk_fts": 4,
            "neuron_fts": 0,  # one page, which is hot
        }
        # A rare word takes one round each for its list, its postings and the size of its row. A frequent word takes two rounds.
        for words, sized, rounds in (("only17x2", 1, 3), ("everywher", 3, 2), ("everywher", 0, 0), ("nosuchword", 0, 1)):
            request = SQL.format("chunk_fts"), (words, RANK["chunk_fts"])
            rows, needs = drive(reader.snapshot.query(*request, lookups(words)), reader.source)
            assert rows == whole.execute(*request).fetchall()
            names = {name for need in needs for name in need.files}
            files = reader.snapshot.manifest.sizes["chunk_fts"].files
            assert sum(files.name(number) in names for number in range(4)) == sized, words
            assert len(needs) == rounds, words
        assert reader.snapshot.misses == 0
    with open_store(tmp_path / "base") as reader, closing(sqlite3.connect(tmp_path / "work" / "snapshot.sqlite")) as whole:
        request = SQL.format("chunk_fts"), ("everywher", RANK["chunk_fts"])
        assert drive(reader.snapshot.query(*request), reader.source)[0] == whole.execute(*request).fetchall()
        assert reader.snapshot.misses > 0, "files that were not planned are fetched"


@pytest.mark.parametrize("table", ["chunk_fts", "neuron_fts"])
def test_planned_reads_cover_every_kind_of_term(split_store: Path, table: str) -> None:
    """B2: terms, prefixes, and neighbours of the first and last term of a leaf."""
    request = SQL.format(table)
    with closing(sqlite3.connect(split_store.parent / "work" / "snapshot.sqlite")) as whole:
        whole.execute(f"CREATE VIRTUAL TABLE temp.v USING fts5vocab('main', '{table}', 'row')")
        every = [term for (term,) in whole.execute("SELECT term FROM v")]
        starts = [bytes(term)[1:].decode("utf-8", "ignore") for (term,) in whole.execute(f"SELECT term FROM {table}_idx")]
        edges = [f"{term}{end}" for term in starts if term for end in ("", "a", "zz")][:: max(1, len(starts) // 25)]
        sample = [*edges, *every[:: len(every) // 30], *(term[:2] for term in every[:: len(every) // 20]), "everywhera"]
        for term in sample:
            for prefix in (False, True):
                with open_store(split_store) as reader:
                    query = f'"{term}"' + "*" * prefix
                    result = drive(
                        reader.snapshot.query(request, (query, RANK[table]), [TermLookup(term, prefix, table)]), reader.source
                    )[0]
                    assert reader.snapshot.misses == 0, query
                    assert result == whole.execute(request, (query, RANK[table])).fetchall(), query


def test_tables_and_packs_are_fetched_in_one_round(large: StoreReader) -> None:
    terms = [*lookups("alpha3", "only17x2"), *lookups("alpha3", "ba*", table="neuron_fts")]
    join = "SELECT count(*), max(neuron.title) FROM neuron_fts JOIN neuron ON n = neuron_fts.rowid WHERE neuron_fts MATCH ?"
    rows, needs = drive(large.snapshot.query(join, ("alpha3 ba*",), terms, ("neuron", "tag", "note")), large.source)
    assert len(needs) == 1
    assert {name.partition("/")[0] for name in needs[0].files} == {"index", "packs"}
    assert rows[0][0] > 0
    assert rows[0][1].startswith("Page ")
    assert large.snapshot.misses == 0


def test_prefetched_files_are_not_fetched_again(large: StoreReader) -> None:
    _, needs = drive(large.snapshot.fetch_terms(lookups("alpha3", "eve", table="substring_fts"), ["neuron"]), large.source)
    assert [len(need.files) > 0 for need in needs] == [True]
    request = SQL.format("substring_fts"), ("eve", RANK["substring_fts"])
    rows, later_needs = drive(
        large.snapshot.query(*request, lookups("eve", table="substring_fts"), ["neuron", "substring"]), large.source
    )
    assert len(rows) == 1600
    assert later_needs == []


def test_empty_tables_have_no_pack(large: StoreReader) -> None:
    """They are in the hot pack."""
    assert sorted(large.snapshot.manifest.packs) == ["neuron", "substring"]
    for table, pack in (("note", "note"), ("tag", "tag"), ("link", "link"), ("derived", "link")):
        rows, needs = drive(large.snapshot.query(f"SELECT count(*) FROM {table}", (), (), (pack,)), large.source)
        assert (rows, needs) == ([(0,)], [])


@pytest.mark.parametrize("sql", ["SELECT * FROM nothing", "SELECT", "SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH '(('"])
def test_invalid_sql_fetches_nothing(large: StoreReader, sql: str) -> None:
    """Q5: the error is raised at once."""
    with pytest.raises(sqlite3.OperationalError):
        next(large.snapshot.query(sql))
    assert large.snapshot.misses == 0


@pytest.mark.parametrize("table", sorted(RANK))
def test_unplanned_page_is_fetched_and_counted(large: StoreReader, table: str) -> None:
    """A miss costs rounds, but no row."""
    request = SQL.format(table), ("eve" if table == "substring_fts" else "everywher", RANK[table])
    rows, needs = drive(large.snapshot.query(*request), large.source)
    assert len(rows) == (400 if table == "neuron_fts" else 1600)
    assert needs
    assert large.snapshot.misses > 0
    substring = {name for need in needs for name in need.files} & {large.snapshot.manifest.packs["substring"].files.name(0)}
    assert bool(substring) == (table == "substring_fts"), "the largest files come last"


def test_unplanned_pack_is_fetched_and_counted(large: StoreReader) -> None:
    rows, needs = drive(large.snapshot.query("SELECT count(*) FROM neuron"), large.source)
    assert rows == [(400,)]
    assert large.snapshot.misses > 0
    assert needs


def test_interleaved_searches_give_their_own_answers(large: StoreReader) -> None:
    """In any order, with a miss and a new connection in between."""
    jobs = [
        (SQL.format("chunk_fts"), ("alpha3 ba*", RANK["chunk_fts"]), lookups("alpha3", "ba*"), ()),
        (SQL.format("neuron_fts"), ("everywher", RANK["neuron_fts"]), (), ()),  # unforeseen
        (SQL.format("substring_fts"), ("17x", RANK["substring_fts"]), lookups("17x", table="substring_fts"), ("neuron",)),
        ("SELECT n, title FROM neuron WHERE n < 5", (), (), ("neuron",)),
        (SQL.format("substring_fts"), ("ver", RANK["substring_fts"]), lookups("ver", table="substring_fts"), ()),
        ("SELECT count(*) FROM name", (), (), ()),  # unforeseen
    ]
    with closing(sqlite3.connect(Path(large.source.base).parent / "work" / "snapshot.sqlite")) as whole:
        expected = [whole.execute(sql, parameters).fetchall() for sql, parameters, _, _ in jobs]
    running = {at: (large.snapshot.query(*job), None) for at, job in enumerate(jobs)}
    results: dict[int, Any] = {}
    while running:
        for at, (steps, files) in sorted(running.items(), reverse=len(results) % 2 == 0):
            try:
                running[at] = steps, large.source.answer(steps.send(files))  # type: ignore[arg-type]
            except StopIteration as done:
                results[at] = done.value
                del running[at]
    assert [results[at] for at in range(len(jobs))] == expected


def test_abandoned_search_leaves_no_state(large: StoreReader) -> None:
    request = SQL.format("chunk_fts"), ("alpha3", RANK["chunk_fts"]), lookups("alpha3")
    steps = large.snapshot.query(*request)
    first = next(steps)
    steps.close()
    rows, needs = drive(large.snapshot.query(*request), large.source)
    assert needs == [first]
    assert rows


def spoil(file: Path, damage: str) -> bytes:
    """Damage a file; return its original content."""
    data = file.read_bytes()
    match damage:
        case "bit":
            file.write_bytes(bytes([data[0]]) + bytes([data[1] ^ 1]) + data[2:])
        case "cut":
            file.write_bytes(data[: len(data) // 2])
        case "page":
            file.write_bytes(b"<!doctype html><title>Not found</title>")
        case "other":  # a complete file: an older version, or the error page of a host
            file.write_bytes(deflate(bytes(8192)))
        case "gone":
            file.unlink()
    return data


copy = copied_fixture("large_store")


def everything(snapshot: Snapshot) -> Any:
    """Read something of each kind of file."""
    texts = Texts(snapshot.manifest)
    rows = yield from snapshot.query(SQL.format("chunk_fts"), ("ba*", RANK["chunk_fts"]), lookups("ba*"), ("neuron",))
    words = yield from snapshot.vocabulary.words(["ba"])
    passages = yield from texts.passages(row for row, _ in rows[:5])
    return rows, words, passages


@pytest.mark.parametrize("damage", ["bit", "cut", "page", "other", "gone"])
@pytest.mark.parametrize("folder", ["index", "packs", "words", "text"])
def test_damaged_or_missing_file_is_an_error_and_is_fetched_again(copy: Path, folder: str, damage: str) -> None:
    """X3: the error names the file."""
    with open_store(copy) as good:
        expected = drive(everything(good.snapshot), good.source)[0]
    planned = {file: spoil(file, damage) for file in (copy / folder).iterdir()}
    with open_store(copy) as reader:
        for _ in range(2):
            with pytest.raises(FetchError if damage == "gone" else IntegrityError) as caught:
                drive(everything(reader.snapshot), reader.source)
            assert caught.value.name.startswith(f"{folder}/")
            assert caught.value.code == ("fetch" if damage == "gone" else "integrity")
        for file, data in planned.items():
            file.write_bytes(data)
        assert drive(everything(reader.snapshot), reader.source)[0] == expected


def test_damaged_file_of_a_round_discards_the_round(large: StoreReader) -> None:
    hot = set(large.pages.pages)
    request = SQL.format("chunk_fts"), ("b*", RANK["chunk_fts"]), lookups("b*"), ("neuron",)
    steps = large.snapshot.query(*request)
    need = next(steps)
    assert len(need.files) > 2
    delivered = large.source.answer(need)
    delivered[need.files[-1]] += b"x"
    with pytest.raises(IntegrityError):
        steps.send(delivered)
    assert large.pages.pages == hot, "no page was kept"
    rows, needs = drive(large.snapshot.query(*request), large.source)
    assert rows
    assert needs == [need]


def test_undelivered_file_is_an_error(large: StoreReader) -> None:
    steps = large.snapshot.fetch_terms(lookups("alpha3"))
    next(steps)
    with pytest.raises(FetchError, match="was not received"):
        steps.send({})


@pytest.mark.parametrize("kind", ["manifest", "hot"])
@pytest.mark.parametrize("damage", ["bit", "cut", "page", "other", "gone"])
def test_damaged_or_missing_manifest_or_hot_pack_is_an_error(copy: Path, kind: str, damage: str) -> None:
    spoil(next(copy.glob(f"{kind}-*.bin")), damage)
    with pytest.raises(FetchError if damage == "gone" else IntegrityError, match=kind):
        ranvier.open_snapshot(copy)


def test_folder_without_an_entry_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match=r"entry\.json"):
        ranvier.open_snapshot(tmp_path)


@pytest.mark.parametrize(
    "entry",
    [
        '{"format": 1}',
        f'{{"format": {FORMAT}}}',  # names nothing
        f'{{"format": {FORMAT}, "manifest": "manifest-00.bin"}}', f'{{"format": {FORMAT}, "manifest": 5, "hot": null}}',
        "[]", "{", "", "<!doctype html>", b"\xff\xfe{}",
    ],
)  # fmt: skip
def test_invalid_entry_file_names_the_cure(tmp_path: Path, entry: str | bytes) -> None:
    write_tree(tmp_path, {"entry.json": entry})
    with pytest.raises(FormatError, match="build the site again"):
        ranvier.open_snapshot(tmp_path)


@pytest.mark.parametrize("substring", [True, False])
@pytest.mark.parametrize("pages", [0, 1, 3, 30])
def test_small_sites_are_searched(tmp_path: Path, pages: int, substring: bool) -> None:
    """From an empty one on: the whole index may be one hot page. Without a substring index nothing is found by substrings."""
    make_store(tmp_path, generated(pages, 2), collection=Collection("site", substring=substring))
    with open_store(tmp_path / "base") as reader:
        for table, term, count in (
            ("chunk_fts", "everywher", pages * 2),
            ("neuron_fts", "everywher", pages),
            ("chunk_fts", "only1x0", min(pages, 1)),
            ("neuron_fts", "nosuchword", 0),
            ("substring_fts", "ver", pages * 2 * substring),
        ):
            request = SQL.format(table), (term, RANK[table]), lookups(term, table=table), ("neuron", "substring")
            assert len(drive(reader.snapshot.query(*request), reader.source)[0]) == count
        assert reader.snapshot.misses == 0
        assert reader.rows("SELECT count(*) FROM neuron", (), "neuron") == [(pages,)]
        assert len(reader.snapshot.weights) == len(reader.snapshot.linked) == reader.snapshot.manifest.neuron_count == pages
        assert ("substring" in reader.snapshot.manifest.packs) == (substring and pages > 0)


def test_weights_links_and_settings_need_no_fetch(tmp_path: Path) -> None:
    weights = (1.0, 0.0, 2.5, -3.0, 10.0, 1.03)
    links = ((), ("p0001", "p0001"), ("p0001", "p0003"), ("p0002", None, "gone"), (), ("p0001",))
    pages: list[Rendered] = []
    for item, weight, to in zip(generated(6, 1), weights, links, strict=True):
        page = replace(item.page, neuron=replace(item.page.neuron, weight=weight))
        pages.append(replace(item, page=page, links=tuple(Link("x", end) for end in to)))
    tuning = {"pins": {"how to": ["p1"]}, "segments": [{"pattern": "a.*"}], "synonyms": {}, "preset": {"fuse": {"k": 60}}}
    make_store(tmp_path, pages, collection=Collection("site", tuning=tuning))
    with open_store(tmp_path / "base") as reader:
        assert [*reader.snapshot.weights] == [16, 0, 40, 0, 160, 16]
        assert [*reader.snapshot.linked] == [3, 1, 0, 0, 0, 0], "a link to oneself counts for nothing"
        assert reader.snapshot.tuning == tuning
        assert reader.rows("SELECT source, target FROM link ORDER BY source, target", (), "link") == [
            (2, 1),
            (3, 1),
            (4, 2),
            (6, 1),
        ]


@pytest.mark.parametrize("name", ["a b", "50% off", "what?", "sharp#1", "%41"])
def test_temporary_folder_may_have_special_characters(
    tmp_path: Path, large_store: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """SQLite opens the page file by a URI."""
    (tmp_path / name).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / name))
    with open_store(large_store) as reader:
        assert reader.rows("SELECT count(*) FROM neuron", (), "neuron") == [(400,)]
    assert list((tmp_path / name).iterdir()) == [], "no file is left in it"


def test_manifest_names_every_file_of_the_store(large: StoreReader) -> None:
    manifest = large.snapshot.manifest
    drive(large.snapshot.fetch_terms((), ["substring"]), large.source)
    base = large.source.base
    leaves = [*manifest.terms.whole, large.snapshot._leaves["substring_fts"].bounds]
    packs = [*(pack.files for pack in manifest.packs.values()), manifest.inventory]
    groups = [*(leaf.files for leaf in leaves), *packs, manifest.words, manifest.text]
    sizes = {files.name(number): size for files in groups for number, size in enumerate(files.sizes)}
    folders = ("index", "packs", "words", "text")
    assert sizes == {f"{folder}/{file.name}": file.stat().st_size for folder in folders for file in (base / folder).iterdir()}
    assert (manifest.chunk_count, manifest.neuron_count, manifest.langs) == (1600, 400, ("en",))


def test_folder_source_takes_the_site_or_its_inner_folder(small_site: Path) -> None:
    entry: Mapping[str, Any] = FolderSource(small_site).entry()
    assert FolderSource(small_site / "_ranvier").entry() == entry
