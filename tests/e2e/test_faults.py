"""X1, X2, X3: with any fault of any file, the answer is right, or has a notice, or is an error that names the file.

A cell of the matrix is a file, a fault and a query, asked during the fault and, on the same page, after it. Many run at once,
each below its own address, so that no cache helps. In `tests/`, `python -m e2e.test_faults matrix.md` writes the matrix as a
table.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import ranvier
from parity.compare import plain, same
from playwright.sync_api import Browser, Page, sync_playwright
from ranvier.store.files import Files
from ranvier.store.format import checked
from ranvier.store.manifest import Manifest, read_manifest
from ranvier.store.vectors import Head
from ranvier_builder.check.stored import read_inventory
from support.browser import _ARGUMENTS, CHROMIUM
from support.fault_site import build_faulty, build_small
from support.faults import Fault, FaultyHost, faulty
from support.instant import Hit, Lists

# How each is done: `support.faults`. A number after it: so many times, and then no more. Those of a row follow each other on
# one page before all is well again; of those that need no second question, the files of a start have one start together.
CHAINS = (
    ("lost", "broken", "404", "500", "truncated", "altered"),
    ("late",),
    ("silent",),
    ("500 ×1",),
    ("truncated ×1",),
)
FAULTS = tuple(fault for chain in CHAINS for fault in chain)
TOGETHER = ("late", "500 ×1", "truncated ×1")
PATIENCE = 6000  # ms, where a file is silent; a start on a busy machine must not be taken for one
LANES = {"others": ("one", "two", "three"), "silent": ("four", "five", "six", "seven")}

# Works off one queue of jobs: a job is a row of questions to one engine, each under its own fault.
RUN = """async (queue) => {
  const order = async (what, key) => (await fetch(`/-/${what}/${key}`, { cache: "no-store" })).json();
  const told = async (promise, limit) => {
    const late = new Promise((_, reject) => setTimeout(() => reject({ name: "late" }), limit));
    try { return { done: await Promise.race([promise, late]) }; }
    catch ({ name, code, message }) { return { name, code, message }; }
  };
  const answers = [];
  for (let job = await order("next", queue); job; job = await order("next", queue)) {
    const base = new URL(`/@${job.name}/_ranvier/`, location.href).href;
    let [engine, tries] = [null, 0];
    const ask = async ([what, query, options]) => {
      // As the search box does: a browser may remember of an address that there is no module.
      engine ??= (await import(`${base}${job.api}${tries++ ? `?try=${tries}` : ""}`)).open(base, job.options);
      return engine[what](query, options);
    };
    for (const key of job.from) await order("on", key);
    for (const { key, question, last } of job.steps) {
      await order("on", key);
      const first = await told(ask(question), job.limit);
      await order("off", key);
      answers.push({ key, first, ...(last ? { again: await told(ask(question), job.limit) } : {}) });
    }
    engine?.close();
  }
  return answers;
}"""


@dataclass(frozen=True)
class Kind:
    """A kind of file, and a question that needs it. `files`: of which addresses; each is one that an error may name."""

    name: str
    files: tuple[str, ...]
    what: str = "search"
    query: str = "unique40x2 wombat"
    options: tuple[tuple[str, Any], ...] = (("limit", 3),)
    site: str = "large"
    frugal: bool = False
    by_browser: bool = False  # asked for by the page's own `import`: what the browser says is all that anybody hears
    named: str = ""  # what an error may name as well

    @property
    def question(self) -> tuple[str, str, dict[str, Any]]:
        """As the driver takes it."""
        return self.what, self.query, dict(self.options)


@dataclass(frozen=True)
class Site:
    """A built site, what it is to answer, and what without the files of meaning."""

    folder: Path
    entry: Mapping[str, Any]
    library: ranvier.Library
    wordless: ranvier.Library

    def answer(self, kind: Kind, *, words: bool = False) -> Any:
        """What the server's core says."""
        if kind.what == "instant":
            return [shown(hit) for hit in Lists(self.folder / "_ranvier").search(kind.query, dict(kind.options)["limit"])]
        ask = getattr(self.wordless if words else self.library, kind.what)
        result = ask(kind.query, **dict(kind.options))
        return [plain(item) for item in result] if kind.what == "suggest" else plain(result)


Sites = Mapping[str, Site]


def started(site: Site) -> list[Kind]:
    """Every file between a page and its first answer."""
    entry, scripts = site.entry, site.entry["api"].removesuffix("api.js")
    assert [_imported(site, f"{scripts}{name}") for name in ("api.js", "worker.js")] == [[], []]
    return [
        Kind("entry", ("entry.json",), named="manifest-"),
        Kind("script: api", (f"{scripts}api.js",), what="suggest", query="page 4", by_browser=True),
        Kind("script: worker", (f"{scripts}worker.js",), named="worker.js"),
        Kind("engine: loader", (f"{entry['engine']}pyodide.js",)),
        Kind("engine: glue", (f"{entry['engine']}pyodide.asm.js",)),
        Kind("engine: wasm", (f"{entry['engine']}pyodide.primary.wasm",)),
        Kind("engine: library", (f"{entry['engine']}python_stdlib.bin",), frugal=True),
        Kind("snapshot", (entry["snapshot"][0],)),
        Kind("core", (entry["core"],), frugal=True),
        Kind("langs", (entry["langs"],)),
        Kind("manifest", (entry["manifest"],)),
        Kind("hot", (entry["hot"],)),
        Kind("all of a small site", ("index/", "text/"), query="axon", site="small"),
    ]


def _imported(site: Site, script: str) -> list[str]:
    """Return the files that a published script imports."""
    text = (site.folder / "_ranvier" / script).read_text("utf-8")
    return re.findall(r'from ?"\./([^"]+)"', text)


def query_of(site: Site) -> list[list[Kind]]:
    """Every file that a question fetches, in rows for one engine each: what one needs, none before it has fetched."""
    manifest = _manifest(site)
    vectors = _vectors(site, manifest)
    inventory = read_inventory(site.folder / "_ranvier", manifest) or {}
    shards = [name for name in inventory if name.startswith("titles/") and name != manifest.titles.name(0)]
    lists_root = site.entry["lists"]
    lists_shards = [name for name in inventory if name.startswith("lists/") and name != lists_root]
    words, meaning = (("limit", 3), ("strategy", "bm25")), (("limit", 3), ("strategy", "rag"))
    tagged = partial(Kind, options=(("limit", 3), ("tags", ["tag3"]), ("strategy", "bm25")))
    by_meaning = partial(Kind, options=meaning, query="what did the keeper write")
    return [
        [
            Kind("words", _names(manifest.words), query="womabt", options=words),
            Kind("text", _names(manifest.text), query="unique40x2", options=words),
            Kind("index", ("index/",), query="bemena", options=words),
            tagged("packs", _names(manifest.packs["tag"].files), query="wombat"),
            Kind(
                "pack of substrings",
                _names(manifest.packs["substring"].files),
                query="nique6",
                options=(("match", "substring"),),
            ),
            by_meaning("vectors: head", vectors["head"]),
            by_meaning("vectors: other tokens", vectors["tokens"][1:], query="größe harbour"),
            by_meaning("vectors: rows", vectors["rows"], query="which ship came when"),
        ],
        [by_meaning("vectors: tokens", vectors["tokens"][:1])],
        [
            by_meaning("vectors: shards", vectors["shards"]),
            by_meaning("vectors: homes", vectors["homes"], query="ship brought it", options=(*meaning, ("tags", ["tag1"]))),
        ],
        [
            Kind("titles: root", _names(manifest.titles), what="suggest", query="page 4"),
            Kind("titles: shards", (*shards,), what="suggest", query="bemena"),
        ],
        [
            Kind("lists: root", (lists_root,), what="instant", query="harbour "),
            Kind("lists: shards", (*lists_shards,), what="instant", query="bemena "),
        ],
    ]


def shown(hit: Hit) -> dict[str, Any]:
    """Return what the page's script answers, without the marks."""
    return {"title": hit.title, "heading": hit.heading, "url": hit.url, "anchor": hit.anchor}


def _manifest(site: Site) -> Manifest:
    name = site.entry["manifest"]
    data = (site.folder / "_ranvier" / name).read_bytes()
    return read_manifest(checked(name, data, bytes.fromhex(re.split(r"[-.]", name)[1])))


def _vectors(site: Site, manifest: Manifest) -> dict[str, tuple[str, ...]]:
    assert manifest.vectors
    (name,) = _names(manifest.vectors.head)
    data = (site.folder / "_ranvier" / name).read_bytes()
    head = Head(name, checked(name, data, manifest.vectors.head.digest(0)))
    rows = {"head": manifest.vectors.head, "tokens": manifest.vectors.tokens}
    return {
        kind: _names(files)
        for kind, files in (rows | {"rows": head.rows, "shards": head.shards, "homes": head.shard_map}).items()
    }


def _names(files: Files) -> tuple[str, ...]:
    return tuple(files.name(number) for number in range(len(files.sizes)))


def rows(sites: Sites, fault: str) -> list[list[Kind]]:
    """Say which kinds are asked for of one engine, one after the other, under a fault."""
    start = started(sites["large"])
    alone = [kind for kind in start if kind.by_browser or kind.frugal or kind.site == "small"]
    alone += [kind for kind in start if kind.named == "worker.js" and fault == "truncated ×1"]
    together = [kind for kind in start if fault in TOGETHER and kind not in alone]
    return [*([together] if together else []), *([kind] for kind in start if kind not in together), *query_of(sites["large"])]


def planned(sites: Sites, host: FaultyHost) -> dict[str, tuple[Kind, str]]:
    """Put every job in the host's queues; return which cell each key is."""
    cells: dict[str, tuple[Kind, str]] = {}
    host.queues = {"others": [], "silent": []}
    for chain in CHAINS:
        for row in rows(sites, chain[0]):
            job = _job(sites[row[0].site], f"{row[0].site}-{len(cells)}", row, chain)
            for kind in row:
                for fault in chain:
                    key = f"{len(cells)}"
                    cells[key] = kind, fault
                    how, _, times = fault.partition(" ×")
                    part = rf"^/@{job['name']}/_ranvier/(?:{'|'.join(map(re.escape, kind.files))})"
                    host.switched[key] = Fault(part, how, int(times or -1))
                    step = {"key": key, "question": kind.question, "last": fault == chain[-1]}
                    job["steps"].append(step)
                    # What a first search by meaning needs is fetched as soon as the engine has started.
                    early = kind.name in ("vectors: head", "vectors: tokens") or (fault in TOGETHER and row[0].name == "entry")
                    if fault == chain[0] and early:
                        job["from"].append(key)
            host.queues["silent" if chain == ("silent",) else "others"].append(job)
    return cells


def _job(site: Site, name: str, row: list[Kind], chain: tuple[str, ...]) -> dict[str, Any]:
    options: dict[str, Any] = {
        "shared": False,
        "frugal": row[0].frugal,
        "start": "asked" if row[0].what in ("suggest", "instant") else "now",
    }
    if chain == ("silent",):  # a start from the library takes longer; without a snapshot it is one
        options["timeout"] = PATIENCE * (2 if row[0].frugal or row[0].name == "snapshot" else 1)
    limit = 4000 if row[0].by_browser else 60_000
    return {"name": name, "api": site.entry["api"], "options": options, "limit": limit, "from": [], "steps": []}


def outcomes(browser: Browser, sites: Sites, host: FaultyHost) -> dict[tuple[str, str], str]:
    """Ask every question under every fault; return for each kind and fault how it ended, "WRONG …" where it must not end so."""
    cells = planned(sites, host)
    context = browser.new_context()
    crashed: list[str] = []
    pages: list[Page] = []
    for queue, lanes in LANES.items():
        for lane in lanes if host.queues[queue] else ():
            page = context.new_page()
            page.on("pageerror", lambda error: crashed.append(str(error)))
            page.goto(host.lane(lane))
            page.evaluate(f"(queue) => {{ globalThis.running = ({RUN})(queue); }}", queue)
            pages.append(page)
    answers = [answer for page in pages for answer in page.evaluate("globalThis.running")]
    context.close()
    assert crashed == [], crashed
    results = sorted(answers, key=lambda answer: int(answer["key"]))
    return {
        (kind.name, fault): ended(sites[kind.site], kind, fault, result)
        for result in results
        for kind, fault in [cells[result["key"]]]
    }


def ended(site: Site, kind: Kind, fault: str, answer: Mapping[str, Any]) -> str:
    """Say how a cell ended. Right again when the fault is gone, in any case; of several in a row, after the last of them."""
    first = judged(site, kind, answer["first"])
    again = judged(site, kind, answer["again"]) if "again" in answer else "right"
    if fault == "late" and first != "right":
        return f"WRONG when late: {first}"
    return first if again == "right" else f"WRONG after it, {first} first: {again}"


def judged(site: Site, kind: Kind, answer: Mapping[str, Any]) -> str:
    """Hold an answer, or an error, against what may be."""
    if "done" in answer:
        if kind.what == "instant":
            hits = [{key: hit[key] for key in ("title", "heading", "url", "anchor")} for hit in answer["done"]]
            return "right" if hits == site.answer(kind) else f"WRONG {hits}"
        if not (lines := same(site.answer(kind), answer["done"])):
            return "right"
        notices = answer["done"].get("notices", ()) if isinstance(answer["done"], dict) else ()
        if any(notice["code"] == "no-vectors" for notice in notices) and not same(
            site.answer(kind, words=True), answer["done"]
        ):
            return "words, and says so"
        return f"WRONG {lines[:3]}"
    name, code, message = answer["name"], answer.get("code"), answer.get("message") or ""
    if kind.by_browser and name in ("SyntaxError", "TypeError", "late"):
        return "import waits" if name == "late" else "import fails"
    named = any(Path(file).name in message for file in kind.files) or (kind.named and kind.named in message)
    if name != "RanvierError" or code not in ("fetch", "integrity", "format", "engine", "gone") or not named:
        return f"WRONG {name} {code}: {message}"
    return f"error: {code}"


def table(results: Mapping[tuple[str, str], str]) -> str:
    """Lay the outcomes out as Markdown."""
    kinds = list(dict.fromkeys(kind for kind, _ in results))
    faults = [fault for fault in FAULTS if any(fault == result for _, result in results)]
    lines = [
        ["", *faults],
        ["---"] * (len(faults) + 1),
        *([kind, *(results[kind, fault] for fault in faults)] for kind in kinds),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _site(folder: Path) -> Site:
    wordless = folder.parent / "without-vectors"
    shutil.copytree(folder, wordless, ignore=lambda _, names: [name for name in names if name == "vectors"])
    entry = json.loads((folder / "_ranvier" / "entry.json").read_text("utf-8"))
    return Site(folder, entry, ranvier.open_snapshot(folder), ranvier.open_snapshot(wordless))


def _both(folder: Path) -> dict[str, Site]:
    return {"large": _site(build_faulty(folder / "large")), "small": _site(build_small(folder / "small"))}


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sites]:
    """The two sites."""
    built = _both(tmp_path_factory.mktemp("faults"))
    yield built
    for site in built.values():
        site.library.close()
        site.wordless.close()


@pytest.mark.timeout(600)  # three hundred cells, and some are silent for seconds
def test_every_file_with_every_fault(chromium: Browser, sites: Sites) -> None:
    with faulty(sites["large"].folder, {"small": sites["small"].folder}) as host:
        result = outcomes(chromium, sites, host)
    assert {cell: ended for cell, ended in result.items() if "WRONG" in ended} == {}
    assert len(result) == len(FAULTS) * (len(started(sites["large"])) + sum(map(len, query_of(sites["large"]))))


if __name__ == "__main__":
    with TemporaryDirectory() as scratch, sync_playwright() as playwright:
        both = _both(Path(scratch))
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        with faulty(both["large"].folder, {"small": both["small"].folder}) as server:
            Path(sys.argv[1]).write_text(table(outcomes(launched, both, server)), "utf-8")
        launched.close()
