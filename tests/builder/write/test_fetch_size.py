"""Bytes and files that a reader fetches before and during a search of a large site (B2)."""

import zlib
from pathlib import Path

import pytest
import ranvier
from ranvier import Library
from ranvier.requests import SearchRequest, parse_request
from ranvier.store import snapshot as snapshots
from ranvier.store.snapshot import TermLookup
from ranvier_builder.write import terms
from support.content import drive, generated
from support.shared import opened_fixture
from support.stores import make_store, open_store


@pytest.fixture(scope="module")
def large_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """2,500 pages of four short sections: more terms, rows and files than the manifest and the hot pack hold."""
    folder = tmp_path_factory.mktemp("grown")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terms, "WHOLE", 100)
        make_store(folder, generated(2500, 4, 24))
    return folder / "base"


library = opened_fixture("large_site")


def queries(count: int) -> list[str]:
    """Words of the generated pages: some on one page, some on all."""
    bodies = [chunk.body.split() for item in generated(40, 4, 24, seed=9) for chunk in item.chunks]
    return [f"{bodies[at][3]} {bodies[at + 40][5]} {bodies[at + 80][at % 3]}".replace(".", "") for at in range(count)]


def files_of(library: Library, query: str) -> dict[str, int]:
    """Return the files that a search requests, with their sizes; all of them are planned."""
    _, needs = drive(library.engine.search(parse_request(SearchRequest, query, {"limit": 8})), library.source)
    assert library.engine.snapshot.misses == 0, query
    names = [name for need in needs for name in need.files]
    assert len(names) == len({*names})
    return {name: len(library.source.read(name)) for name in names}


def test_bytes_before_the_first_search_are_small(large_site: Path, library: Library) -> None:
    """Lists name terms, row sizes and substrings; each search fetches the lists that it needs."""
    manifest = library.engine.snapshot.manifest
    assert manifest.chunk_count == 10_000
    assert len(manifest.terms.first) > 1
    assert {table: len(sizes.first) for table, sizes in manifest.sizes.items()} == {"chunk_fts": 1, "neuron_fts": 1}
    entry = library.source.entry()
    packed = len(zlib.compress((large_site / "entry.json").read_bytes()))
    assert packed + sum((large_site / entry[name]).stat().st_size for name in ("manifest", "hot")) < 20_000


def test_search_of_a_large_site_fetches_few_files(large_site: Path) -> None:
    """Nothing that a search reads is unforeseen. Later searches find lists and sizes in memory."""
    for query in queries(12):
        with ranvier.open_snapshot(large_site) as result:
            assert len(files_of(result, query)) <= 45, query
    with ranvier.open_snapshot(large_site) as result:
        counts = sorted(len(files_of(result, query)) for query in queries(30))
    assert counts[15] <= 14
    assert counts[-1] <= 45


def test_rows_are_counted_for_rare_words_only(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """B2. A frequent word brings all sizes beside its postings; after it no rows are counted."""
    monkeypatch.setattr(snapshots, "_FEW_SIZES", 0)
    snapshot = library.engine.snapshot
    statements: list[str] = []
    snapshot._db.set_trace_callback(statements.append)

    def count(word: str) -> int:
        statements.clear()
        lookups = [TermLookup(word, table=table) for table in ("chunk_fts", "neuron_fts")]
        drive(snapshot.fetch_terms(lookups), library.source)
        return sum("DISTINCT" in sql for sql in statements)

    first, second, *_ = queries(1)[0].split()
    assert count(first) == 2
    assert count("everywher") == 0
    assert count(second) == 0


def test_most_words_need_one_index_file(large_store: Path) -> None:
    """For both indexes."""
    words = [word for query in queries(30) for word in query.split()]
    counts = []
    for word in dict.fromkeys(words):
        with open_store(large_store) as reader:
            lookups = [TermLookup(word, table=table) for table in ("chunk_fts", "neuron_fts")]
            _, needs = drive(reader.snapshot.fetch_terms(lookups), reader.source)
            counts.append(sum(len(need.files) for need in needs))
    assert max(counts) <= 3
    assert sum(counts) <= 1.2 * len(counts)
