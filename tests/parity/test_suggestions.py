"""B1, B4: the page's own script suggests what the core does: the same names, order and marks, in every script and sign."""

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
from ranvier.suggest import Suggester
from ranvier.text.keys import fold, keys, split_matches, units
from ranvier_builder.write import titles as written
from ranvier_builder.write.titles import page_names, write_titles
from support.content import build_without_engine
from support.names import ODD, code_points, site
from support.queries import by_hand
from support.sites import EXAMPLE, ROOT

SCRIPT = Path(__file__).with_name("suggestions.mjs")


def node(what: str, queries: Any, folder: Path) -> Any:
    """Ask the page's own script."""
    file = folder / "asked.json"
    file.write_text(json.dumps(queries), "utf-8")
    ran = subprocess.run(["node", str(SCRIPT), what, str(file)], capture_output=True, timeout=120, cwd=ROOT, check=False)
    assert ran.returncode == 0, ran.stderr.decode()[-2000:]
    return json.loads(ran.stdout)


def differences(queries: list[Any], ours: list[Any], theirs: list[Any]) -> list[tuple[Any, Any, Any]]:
    assert len(queries) == len(ours) == len(theirs)
    return [row for row in zip(queries, ours, theirs, strict=True) if row[1] != row[2]][:5]


def test_folding_agrees_on_every_code_point(tmp_path: Path) -> None:
    """For every Unicode version, in the planes that have characters: within a word and after it."""
    every = code_points()
    texts = [" ".join(f"a{item}b" for item in every[at : at + 40]) for at in range(0, len(every), 40)]
    texts += ["".join(f"港{item}" for item in every[at : at + 90]) for at in range(0, 0x3000, 90)]
    theirs = node("keys", {"texts": texts, "queries": texts, "marked": []}, tmp_path)
    assert differences(texts, [fold(text) for text in texts], theirs["folded"]) == []
    assert differences(texts, keys(texts), theirs["keys"]) == []
    assert differences(texts, [units(text) for text in texts], theirs["units"]) == []


def test_marks_agree_on_random_text(tmp_path: Path) -> None:
    random = Random(5)
    texts = ["".join(random.choices([*"aB1 -_+#'.Éßﬁ", *ODD], k=random.randint(1, 9))).replace("\n", " ") for _ in range(1500)]
    pairs = []
    for text in texts:
        start = random.randrange(len(text))
        pairs.append((text, f"{text[start : start + random.randint(1, 6)]} {random.choice(ODD)} {random.choice('aeb1')}"))
    theirs = node("keys", {"texts": texts, "queries": [query for _, query in pairs], "marked": pairs}, tmp_path)
    assert differences(texts, keys(texts), theirs["keys"]) == []
    assert differences(pairs, [units(query) for _, query in pairs], theirs["units"]) == []
    ours = [list(split_matches(pair, units(query))) for pair, query in pairs]
    assert differences(pairs, ours, theirs["marked"]) == []
    assert sum(len(our) > 1 for our in ours) > 700
    assert ["".join(our) for our in ours] == texts


def plain(result: Any) -> list[dict[str, Any]]:
    return [{**asdict(item), "text": list(item.text)} for item in result]


def asked_of(base: Path, root: bytes, queries: list[tuple[str, int]]) -> list[list[dict[str, Any]]]:
    """Ask the core, over a folder with files of names."""
    suggester, out = Suggester(root), []
    for query, limit in queries:
        steps = suggester.suggest(query, limit)
        try:
            need = next(steps)
            while True:
                need = steps.send({name: (base / name).read_bytes() for name in need.files})
        except StopIteration as done:
            out.append(plain(done.value))
    return out


def beginnings_of(names: list[str], many: int, seed: int) -> list[tuple[str, int]]:
    """Make queries of what names begin with, of one name's words or of two names', now and then with a slip or a sign."""
    random, out = Random(seed), []
    for _ in range(many):
        words = (random.choice(names) + " " + random.choice((random.choice(names), ""))).split() or ["x"]
        some = random.sample(words, min(len(words), random.randint(1, 3)))
        typed = " ".join(word[: random.randint(1, len(word))] for word in some)
        made = random.choice(
            (typed, typed, typed.upper(), f" {typed}?", typed.replace(" ", "-"), f"{typed} {random.choice(ODD)}")
        )
        out.append((made, random.choice((1, 3, 8, 8, 8, 20, 500))))
    return out


SITES = {
    "made": (900, False, 160_000),
    "odd": (500, True, 160_000),
    "shared out": (900, False, 1000),
    "odd, out": (700, True, 1000),
}


@pytest.mark.parametrize("what", SITES)
def test_suggestions_agree_on_generated_sites(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages, odd, whole = SITES[what]
    monkeypatch.setattr(written, "WHOLE", whole)
    monkeypatch.setattr(written, "RUN", 6000)
    monkeypatch.setattr(written, "HEAD", 2000)
    rendered = site(pages, odd=odd)
    digests, sizes = write_titles(tmp_path, rendered)
    root = digests[:DIGEST]
    names = [name.text for name in page_names(rendered).names]
    queries = [*beginnings_of(names, 250, 7), *((query, 8) for query in by_hand()), *((item, 8) for item in ODD)]
    ours = asked_of(tmp_path, root, queries)
    theirs = node("suggest", [{"base": str(tmp_path), "root": f"titles/{root.hex()}.bin", "queries": queries}], tmp_path)
    assert differences(queries, ours, theirs) == []
    assert sum(map(bool, ours)) > 150
    assert {item["kind"] for result in ours for item in result} == {"title", "alias", "heading", "tag"}
    assert (len(sizes) > 20) == (whole == 1000)


def test_suggestions_agree_on_the_manual(tmp_path: Path) -> None:
    """Through the library, with the name in the entry file."""
    build_without_engine(EXAMPLE / "content", tmp_path / "out")
    base = tmp_path / "out" / "_ranvier"
    entry = json.loads((base / "entry.json").read_bytes())
    names = json.loads(inflate(entry["titles"], (base / entry["titles"]).read_bytes()))
    messages = [*names["titles"], *names["headings"], *names["tags"], *names["aliases"]]
    queries = [*beginnings_of(messages, 400, 9), *((query, 8) for query in by_hand())]
    with ranvier.open_snapshot(tmp_path / "out") as library:
        ours = [plain(library.suggest(query, limit=limit)) for query, limit in queries]
    theirs = node("suggest", [{"base": str(base), "root": entry["titles"], "queries": queries}], tmp_path)
    assert differences(queries, ours, theirs) == []
    assert sum(map(bool, ours)) > 250
