"""B1, B4: full-text hits before the engine: the script of the page answers from the lists as the Python reference does."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from parity.test_suggestions import differences, node
from ranvier_builder.write import list_files
from ranvier_builder.write.surface import typed
from support.content import build_without_engine
from support.instant import Lists
from support.names import ODD
from support.queries import by_hand
from support.sites import EXAMPLE


def queries_of(lists: Lists, many: int, seed: int) -> list[str]:
    """Return words of the site, and beginnings of them, alone and together."""
    random = Random(seed)
    words = sorted(word for shard in lists.shards() for word in shard.words)
    results = []
    for _ in range(many):
        some = random.choices(words, k=random.randint(1, 4)) + random.choices(["how", "the", "", "xyzzy"], k=1)
        random.shuffle(some)
        some[-1] = some[-1][: random.randint(1, 9)]
        results.append(" ".join(some) + random.choice(["", " "]))
    titles = [title for title, *_ in lists.root.get("table", [])]
    return [*results, *titles, *(title.rpartition(" ")[0] for title in titles)]


@pytest.mark.parametrize("shard", ["as built", "small", "smallest", "grouped", "with pages"])
def test_instant_answers_agree_on_the_manual(shard: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words, pages, places and order, for any division into files."""
    if shard != "as built":
        monkeypatch.setattr(list_files, "WHOLE", 1_000)
        monkeypatch.setattr(list_files, "SHARD", 20_000 if shard in ("small", "with pages") else 3_000)
        monkeypatch.setattr(list_files, "MOST_NAMED", 8 if shard == "grouped" else 10_000)
        monkeypatch.setattr(list_files, "GROUP", 5)
        monkeypatch.setattr(list_files, "TABLE", 0 if shard == "with pages" else 100_000)
    build_without_engine(EXAMPLE / "content", tmp_path / "out")
    base = tmp_path / "out" / "_ranvier"
    root = json.loads((base / "entry.json").read_bytes())["lists"]
    lists = Lists(base)
    queries = [*queries_of(lists, 400, 3), *by_hand(), *ODD]
    ours = [
        {"words": typed(query), "hits": [[hit.title, hit.url, hit.heading, hit.anchor] for hit in lists.search(query)]}
        for query in queries
    ]
    theirs = node("instant", [{"base": str(base), "root": root, "queries": queries}], tmp_path)
    plain = [
        {
            "words": answer["words"],
            "hits": [[hit[key] for key in ("title", "url", "heading", "anchor")] for hit in answer["hits"]],
        }
        for answer in theirs
    ]
    assert differences(queries, ours, plain) == []
    assert all("".join(hit["text"]) == hit["title"] for answer in theirs for hit in answer["hits"])
    assert sum(bool(answer["hits"]) for answer in theirs) > 300
