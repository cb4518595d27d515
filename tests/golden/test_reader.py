"""The manual's description of the format is enough for a second reader, which finds the same pages as the core."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import ranvier
from ranvier_builder import Config
from ranvier_builder.write import store
from support.content import build_tree

READER = Path(__file__).with_name("reader.py")
TERMS = ("axon", "myelin", "relay", "spike", "quetzal", "ostrich", "nerv", "conduct", "zygomat")


def read(site: Path, term: str) -> list[str]:
    """Run the reader in a Python without packages; return the paths that it prints."""
    command = [sys.executable, "-I", "-S", READER, site, term]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return [page["path"] for page in json.loads(ran.stdout)]


def rows(site: Path, term: str) -> list[str]:
    """Return the pages that contain a term, by the core."""
    with ranvier.open_snapshot(site) as library:
        return [hit.path for hit in library.search(f'"{term}"', limit=200, strategy="bm25").hits]


@pytest.mark.parametrize("term", TERMS)
def test_reader_finds_the_pages_of_the_core(small_site: Path, term: str) -> None:
    """All pages with the term, and the same page first."""
    expected = rows(small_site, term)
    assert expected
    assert sorted(read(small_site, term)) == sorted(expected)
    assert read(small_site, term)[0] == expected[0]


def test_reader_finds_nothing_for_a_missing_term(small_site: Path) -> None:
    assert read(small_site, "wolverin") == []


def test_reader_reads_a_large_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With lists of words, of row sizes and of text shards, which small sites do not have."""
    monkeypatch.setattr(store, "TEXTS", 1)
    monkeypatch.setattr(store, "TEXTS_LISTED", 2)
    monkeypatch.setattr(store, "split_snapshot", partial(store.split_snapshot, files_per_list=2, most_rows=1))
    texts = [" ".join(f"word{(page * 7919 + at * 104729) % 5003}" for at in range(400)) for page in range(60)]
    files = {f"p{at}.md": f"# P{at}\n\n{text}\n" for at, text in enumerate(texts)}
    site = build_tree(tmp_path, files, Config(lang="en", default_audience="public"))
    with ranvier.open_snapshot(site) as library:
        manifest = library.engine.snapshot.manifest
        assert len(manifest.terms.lists.sizes) > 2
        assert manifest.sizes
        assert manifest.text_per_list
    for term in ("word1", "word77", "word2501"):
        expected = [f"p{at}.md" for at, text in enumerate(texts) if term in text.split()]
        assert expected
        assert sorted(read(site, term)) == sorted(expected)
