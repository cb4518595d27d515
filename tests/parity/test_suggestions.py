"""B1, B4: the script of the page gives the suggestions of the core: names, order and marks, for every character."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import pytest
import ranvier
from ranvier.store.format import DIGEST, inflate
from ranvier.store.source import FolderSource
from ranvier.suggest import Suggester
from ranvier.text.keys import fold, keys, split_matches, units
from ranvier_builder.write import titles as written
from ranvier_builder.write.titles import page_names, write_titles
from support.content import build_without_engine, drive
from support.names import UNUSUAL_WORDS, code_points, site
from support.queries import by_hand
from support.sites import EXAMPLE, ROOT

SCRIPT = Path(__file__).with_name("suggestions.mjs")


def node(method: str, queries: Any, folder: Path) -> Any:
    """Run the script of the page in Node."""
    file = folder / "queries.json"
    file.write_text(json.dumps(queries), "utf-8")
    result = subprocess.run(["node", str(SCRIPT), method, str(file)], capture_output=True, timeout=120, cwd=ROOT, check=False)
    assert result.returncode == 0, result.stderr.decode()[-2000:]
    return json.loads(result.stdout)


def differences(queries: list[Any], expected: list[Any], actual: list[Any]) -> list[tuple[Any, Any, Any]]:
    return [row for row in zip(queries, expected, actual, strict=True) if row[1] != row[2]][:5]


def test_folding_agrees_on_every_code_point(tmp_path: Path) -> None:
    """For every Unicode version, in the planes that have characters: within a word and after it."""
    characters = code_points()
    texts = [" ".join(f"a{item}b" for item in characters[at : at + 40]) for at in range(0, len(characters), 40)]
    texts += ["".join(f"港{item}" for item in characters[at : at + 90]) for at in range(0, 0x3000, 90)]
    actual = node("keys", {"texts": texts, "queries": texts, "marked": []}, tmp_path)
    assert differences(texts, [fold(text) for text in texts], actual["folded"]) == []
    assert differences(texts, keys(texts), actual["keys"]) == []
    assert differences(texts, [units(text) for text in texts], actual["units"]) == []


def test_marks_agree_on_random_text(tmp_path: Path) -> None:
    random = Random(5)
    texts = [
        "".join(random.choices([*"aB1 -_+#'.Éßﬁ", *UNUSUAL_WORDS], k=random.randint(1, 9))).replace("\n", " ")
        for _ in range(1500)
    ]
    pairs = []
    for text in texts:
        start = random.randrange(len(text))
        pairs.append(
            (text, f"{text[start : start + random.randint(1, 6)]} {random.choice(UNUSUAL_WORDS)} {random.choice('aeb1')}")
        )
    actual = node("keys", {"texts": texts, "queries": [query for _, query in pairs], "marked": pairs}, tmp_path)
    assert differences(texts, keys(texts), actual["keys"]) == []
    assert differences(pairs, [units(query) for _, query in pairs], actual["units"]) == []
    expected = [list(split_matches(pair, units(query))) for pair, query in pairs]
    assert differences(pairs, expected, actual["marked"]) == []
    assert sum(len(parts) > 1 for parts in expected) > 700
    assert ["".join(parts) for parts in expected] == texts


def plain(result: Any) -> list[dict[str, Any]]:
    return [{**asdict(item), "text": list(item.text)} for item in result]


def suggestions_of(base: Path, root: bytes, queries: list[tuple[str, int]]) -> list[list[dict[str, Any]]]:
    """Return the suggestions of the core for a folder with files of names."""
    suggester, source = Suggester(root), FolderSource(base)
    return [plain(drive(suggester.suggest(query, limit), source)[0]) for query, limit in queries]


def prefix_queries(names: list[str], count: int, seed: int) -> list[tuple[str, int]]:
    """Make queries of prefixes of words of one or two names, sometimes with capitals, punctuation or special words."""
    random, out = Random(seed), []
    for _ in range(count):
        words = (random.choice(names) + " " + random.choice((random.choice(names), ""))).split() or ["x"]
        sample = random.sample(words, min(len(words), random.randint(1, 3)))
        prefixes = " ".join(word[: random.randint(1, len(word))] for word in sample)
        query = random.choice(
            (
                prefixes,
                prefixes,
                prefixes.upper(),
                f" {prefixes}?",
                prefixes.replace(" ", "-"),
                f"{prefixes} {random.choice(UNUSUAL_WORDS)}",
            )
        )
        out.append((query, random.choice((1, 3, 8, 8, 8, 20, 500))))
    return out


SITES = {
    "generated": (900, False, 160_000),
    "unusual words": (500, True, 160_000),
    "several files": (900, False, 1000),
    "unusual words, several files": (700, True, 1000),
}


@pytest.mark.parametrize("name", SITES)
def test_suggestions_agree_on_generated_sites(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages, unusual, whole = SITES[name]
    monkeypatch.setattr(written, "WHOLE", whole)
    monkeypatch.setattr(written, "RUN", 6000)
    monkeypatch.setattr(written, "HEAD", 2000)
    named_pages = site(pages, unusual=unusual)
    digests, sizes = write_titles(tmp_path, named_pages)
    root = digests[:DIGEST]
    names = [item.text for item in page_names(named_pages).names]
    queries = [*prefix_queries(names, 250, 7), *((query, 8) for query in by_hand()), *((item, 8) for item in UNUSUAL_WORDS)]
    expected = suggestions_of(tmp_path, root, queries)
    actual = node("suggest", [{"base": str(tmp_path), "root": f"titles/{root.hex()}.bin", "queries": queries}], tmp_path)
    assert differences(queries, expected, actual) == []
    assert sum(map(bool, expected)) > 150
    assert {item["kind"] for result in expected for item in result} == {"title", "alias", "heading", "tag"}
    assert (len(sizes) > 20) == (whole == 1000)


def test_suggestions_agree_on_the_manual(tmp_path: Path) -> None:
    """With the name of the file in the entry file."""
    build_without_engine(EXAMPLE / "content", tmp_path / "out")
    base = tmp_path / "out" / "_ranvier"
    entry = json.loads((base / "entry.json").read_bytes())
    names = json.loads(inflate(entry["titles"], (base / entry["titles"]).read_bytes()))
    texts = [*names["titles"], *names["headings"], *names["tags"], *names["aliases"]]
    queries = [*prefix_queries(texts, 400, 9), *((query, 8) for query in by_hand())]
    with ranvier.open_snapshot(tmp_path / "out") as library:
        expected = [plain(library.suggest(query, limit=limit)) for query, limit in queries]
    actual = node("suggest", [{"base": str(base), "root": entry["titles"], "queries": queries}], tmp_path)
    assert differences(queries, expected, actual) == []
    assert sum(map(bool, expected)) > 250
