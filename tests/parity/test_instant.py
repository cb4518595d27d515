"""B1, B4: full-text hits before the engine: the script of the page gives the hits of the Python reference."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from parity.test_suggestions import differences, node
from ranvier.store.files import read_files
from ranvier_builder.write import list_files, store
from ranvier_builder.write.lists import write_lists
from ranvier_builder.write.surface import typed
from support.content import build_without_engine
from support.instant import Lists
from support.names import UNUSUAL_WORDS
from support.queries import by_hand
from support.sites import EXAMPLE


def queries_of(lists: Lists, count: int, seed: int) -> list[str]:
    """Return queries of words and prefixes of words of the site."""
    random = Random(seed)
    words = sorted(word for shard in lists.shards() for word in shard.words)
    queries = []
    for _ in range(count):
        terms = random.choices(words, k=random.randint(1, 4)) + random.choices(["how", "the", "", "xyzzy"], k=1)
        random.shuffle(terms)
        terms[-1] = terms[-1][: random.randint(1, 9)]
        queries.append(" ".join(terms) + random.choice(["", " "]))
    titles = [title for title, *_ in lists.root.get("table", [])]
    return [*queries, *titles, *(title.rpartition(" ")[0] for title in titles)]


SMALL = {"WHOLE": 1_000, "SHARD": 20_000, "MAX_FILES": 10_000, "GROUP": 5, "TABLE": 100_000}
DIVISIONS = {
    "as built": {"WHOLE": list_files.WHOLE},
    "small": SMALL,
    "smallest": SMALL | {"SHARD": 3_000},
    "grouped": SMALL | {"SHARD": 3_000, "MAX_FILES": 8},
    "with pages": SMALL | {"TABLE": 0},
}


@pytest.fixture(scope="module")
def divided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lists of the manual, in a folder for each division into files, with an entry file that names the root."""
    folder = tmp_path_factory.mktemp("lists")

    def write(base: Path, *arguments: Any) -> list[Any]:
        for name, limits in DIVISIONS.items():
            with patch.multiple(list_files, **limits):
                lists = read_files("lists", write_lists(folder / name, *arguments))
            (folder / name / "entry.json").write_text(json.dumps({"lists": lists.name(0)}), "utf-8")
        return write_lists(base, *arguments)

    with patch.object(store, "write_lists", write):
        build_without_engine(EXAMPLE / "content", folder / "out")
    return folder


@pytest.mark.parametrize("division", DIVISIONS)
def test_instant_answers_agree_on_the_manual(division: str, divided: Path, tmp_path: Path) -> None:
    """Words, pages, places and order, for any division into files."""
    base = divided / division
    root = json.loads((base / "entry.json").read_bytes())["lists"]
    lists = Lists(base)
    queries = [*queries_of(lists, 400, 3), *by_hand(), *UNUSUAL_WORDS]
    expected = [
        {"words": typed(query), "hits": [[hit.title, hit.url, hit.heading, hit.anchor] for hit in lists.search(query)]}
        for query in queries
    ]
    answers = node("instant", [{"base": str(base), "root": root, "queries": queries}], tmp_path)
    actual = [
        {
            "words": answer["words"],
            "hits": [[hit[key] for key in ("title", "url", "heading", "anchor")] for hit in answer["hits"]],
        }
        for answer in answers
    ]
    assert differences(queries, expected, actual) == []
    assert all("".join(hit["text"]) == hit["title"] for answer in answers for hit in answer["hits"])
    assert sum(bool(answer["hits"]) for answer in answers) > 300
