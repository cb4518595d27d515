"""Built sites with vectors (I4, X1): languages, unusual pages, and sites without vectors."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ranvier
from ranvier_builder import Config
from ranvier_builder.search_settings import SearchSettings
from support.content import build_without_engine, read_tree, write_tree
from support.meaning import write_model

ENGLISH = "# Boats\n\nA vessel sails across the ocean.\n\n## Wind\n\nIt blows from the west.\n"
GERMAN = "---\nlang: de\n---\n# Boote\n\nEin Schiff segelt über das Meer.\n"
SITE = {"gb.md": f"---\nlang: en-GB\n---\n{ENGLISH}", "none.md": ENGLISH}
SITE |= {"at.md": GERMAN.replace("de", "de-AT", 1), "de.md": GERMAN}


@pytest.fixture(scope="module")
def bilingual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bilingual")
    report = build_without_engine(write_tree(folder / "c", dict(SITE)), folder / "out", vectors=True)
    assert (report.chunks, report.vectors) == (6, 4)
    return folder / "out"


def test_pages_in_other_languages_have_no_vectors(bilingual: Path) -> None:
    """I4: WordLlama reads English; other pages are found by their words."""
    with ranvier.open_snapshot(bilingual) as library:
        vectors = library.engine.snapshot.vectors
        assert vectors is not None
        head = library.run(vectors.head())
        shards = library.run(vectors.shards(range(len(head.shards.sizes))))
        neurons = {library.engine.snapshot.manifest.neuron_of(chunk) for shard in shards.values() for chunk in shard.chunks}
        results = {hit.path for hit in library.search("ship upon the waves", strategy="vector", limit=10).hits}
        assert len(neurons) == 2
        assert results <= {"gb.md", "none.md"}
        assert results


@pytest.mark.parametrize(
    ("query", "options", "strategy"),
    [
        ("ship upon the waves", {}, "rag"),
        ("ein Schiff auf dem Meer", {}, "bm25"),
        ("ship upon the waves", {"page_lang": "de"}, "bm25"),
        ("ship upon the waves", {"page_lang": "en-US"}, "rag"),
        ("ship upon the waves", {"lang": "de"}, "bm25"),
        ("lang:de ship upon the waves", {}, "bm25"),
        ("ship upon the waves", {"lang": ["de", "en"]}, "rag"),
    ],
)
def test_queries_in_other_languages_are_answered_by_words(
    bilingual: Path, query: str, options: dict[str, Any], strategy: str
) -> None:
    """L3, X1: without a warning."""
    with ranvier.open_snapshot(bilingual) as library:
        result = library.search(query, **options)
        assert result.strategy == strategy
        assert "no-vectors" not in [notice.code for notice in result.notices]


def test_site_in_another_language_has_no_vectors(tmp_path: Path) -> None:
    """I4."""
    config = Config(default_audience="public", lang="de")
    content = write_tree(tmp_path / "c", {"a.md": "# Boote\n\nEin Schiff."})
    report = build_without_engine(content, tmp_path / "out", config, vectors=True)
    assert (report.chunks, report.vectors) == (1, 0)
    assert not (tmp_path / "out" / "_ranvier" / "vectors").exists()
    with ranvier.open_snapshot(tmp_path / "out") as library:
        assert library.engine.snapshot.vectors is None


UNUSUAL_SITES = {
    "no words": {"a.md": "# \n\n...\n"},
    "emoji": {"a.md": "😀 😀\n"},
    "code": {"a.md": "```c\nint x = 1; }{ ;;\n```\n"},
    "empty": {"a.md": ""},
    "not indexed": {"a.md": "---\nnoindex: true\n---\n# A ship\n"},
    "one page": {"a.md": "# A ship\n"},
    "the same page again": {f"p{at}.md": "# A ship\n\nAt sea.\n" for at in range(5)},
    "everything": {
        "a.md": "",
        "b.md": "😀",
        "c.md": "```\n}{\n```\n",
        "d.md": "---\nnoindex: true\n---\n# x\n",
        "e.md": "# A ship\n",
    },
}


@pytest.fixture(scope="module")
def nautical_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a model of a few words."""
    words = ("a", "ship", "vessel", "at", "sea", "int", "x", "}", "{", "b", "c")
    rows = np.random.default_rng(6).normal(size=(len(words) + 1, 32)).round(3)
    rows[3] = rows[2] + 0.1 * rows[9]
    return str(write_model(tmp_path_factory.mktemp("model") / "nautical", words, rows))


@pytest.mark.parametrize("name", UNUSUAL_SITES)
def test_unusual_sites_with_vectors_are_built_and_searched(tmp_path: Path, nautical_model: str, name: str) -> None:
    """N9, I4, X1: the same bytes twice, and every strategy answers."""
    config = Config(default_audience="public", search=SearchSettings(model=nautical_model))
    content = write_tree(tmp_path / "c", dict(UNUSUAL_SITES[name]))
    for out in ("one", "two"):
        build_without_engine(content, tmp_path / out, config, vectors=True)
    assert read_tree(tmp_path / "one") == read_tree(tmp_path / "two")
    with ranvier.open_snapshot(tmp_path / "one") as library:
        for query in ("a ship at sea", "x", "😀", "int x", "nosuchword at all here"):
            for strategy in ("auto", "vector", "rag", "bm25"):
                hits, chunks = library.search(query, strategy=strategy).hits, library.retrieve(query, strategy=strategy).chunks
                paths = {*(hit.path for hit in hits), *(chunk.neuron_path for chunk in chunks)}
                assert paths <= {*UNUSUAL_SITES[name]} - {"d.md"}
        if name == "everything":
            hit = library.search("a vessel", strategy="vector").hits[0]
            assert (hit.path, hit.coverage) == ("e.md", "none")


@pytest.mark.parametrize("name", ["emoji", "code"])
@pytest.mark.wordllama
def test_unusual_sites_with_wordllama_are_searched(tmp_path: Path, name: str) -> None:
    """N9, I4: unknown words are spelled in bytes."""
    report = build_without_engine(write_tree(tmp_path / "c", dict(UNUSUAL_SITES[name])), tmp_path / "out", vectors=True)
    assert report.vectors == 1
    with ranvier.open_snapshot(tmp_path / "out") as library:
        assert library.search("nosuchword at all here", strategy="vector").strategy == "vector"


def test_site_without_vectors_answers_by_words(tmp_path: Path) -> None:
    """X1: there is no folder of vectors, and strategy vector falls back to words."""
    config = Config(default_audience="public", search=SearchSettings(vectors=False))
    report = build_without_engine(write_tree(tmp_path / "c", {"a.md": ENGLISH}), tmp_path / "out", config)
    assert report.vectors == 0
    assert not (tmp_path / "out" / "_ranvier" / "vectors").exists()
    with ranvier.open_snapshot(tmp_path / "out") as library:
        for strategy, notices in (("auto", []), ("bm25", []), ("rag", ["no-vectors"]), ("vector", ["no-vectors"])):
            result = library.search("the vessel sails across", strategy=strategy)
            assert ([notice.code for notice in result.notices], result.strategy) == (notices, "bm25")
            assert result.hits
