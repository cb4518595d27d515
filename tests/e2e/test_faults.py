"""X1, X2, X3: with any fault of any file, the answer is correct, or has a notice, or is an error that names the file.

A cell of the matrix is a file, a fault and a query that is sent during the fault and, on the same page, after it. Many cells
run at once, each below its own address, so that none uses the cache of another one.
"""

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import ranvier
from parity.compare import compare, plain
from playwright.sync_api import Browser, Page
from ranvier.store.files import Files
from ranvier.store.format import checked
from ranvier.store.manifest import Manifest, read_manifest
from ranvier.store.vectors import Head
from ranvier_builder.check.stored import read_inventory
from support.fault_site import build_small
from support.faults import Fault, FaultyHost, faulty
from support.instant import Hit, Lists

# `support.faults` describes the faults; "×1" limits one to one request. The faults of a chain follow each other on one page,
# and the query is repeated after the last one. For the faults in `SHARED_START`, all files of the start share one start.
CHAINS = (("lost", "broken", "404", "500", "truncated", "altered"), ("late",), ("silent",), ("500 ×1",), ("truncated ×1",))
FAULTS = tuple(fault for chain in CHAINS for fault in chain)
SHARED_START = ("late", "500 ×1", "truncated ×1")
SILENT_TIMEOUT = 6000  # ms; the start of an engine on a busy machine takes less
LANES = {"others": ("one", "two", "three"), "silent": ("four", "five", "six", "seven")}

# Runs the jobs of a queue: a job sends queries to one engine, each under its own fault.
RUN = """async (queue) => {
  const command = async (name, key) => (await fetch(`/-/${name}/${key}`, { cache: "no-store" })).json();
  const settled = async (promise, limit) => {
    const timeout = new Promise((_, reject) => setTimeout(() => reject({ name: "timeout" }), limit));
    try { return { done: await Promise.race([promise, timeout]) }; }
    catch ({ name, code, message }) { return { name, code, message }; }
  };
  const answers = [];
  for (let job = await command("next", queue); job; job = await command("next", queue)) {
    const base = new URL(`/@${job.name}/_ranvier/`, location.href).href;
    let [engine, tries] = [null, 0];
    const call = async ([method, query, options]) => {
      // As in the search box: a browser may cache the failure of an import.
      engine ??= (await import(`${base}${job.api}${tries++ ? `?try=${tries}` : ""}`)).open(base, job.options);
      return engine[method](query, options);
    };
    for (const key of job.from) await command("on", key);
    for (const { key, request, last } of job.steps) {
      await command("on", key);
      const during = await settled(call(request), job.limit);
      await command("off", key);
      answers.push({ key, during, ...(last ? { after: await settled(call(request), job.limit) } : {}) });
    }
    engine?.close();
  }
  return answers;
}"""


@dataclass(frozen=True)
class Kind:
    """A kind of file, and a query that needs it. `files`: the beginnings of their addresses; an error must name one of them."""

    name: str
    files: tuple[str, ...]
    method: str = "search"
    query: str = "unique40x2 wombat"
    options: tuple[tuple[str, Any], ...] = (("limit", 3),)
    site: str = "large"
    imported: bool = False  # by the page: an error of the import is an error of the browser
    other_name: str = ""  # an error may name this, too

    @property
    def request(self) -> tuple[str, str, dict[str, Any]]:
        """The call, as `RUN` reads it."""
        return self.method, self.query, dict(self.options)


@dataclass(frozen=True)
class Site:
    """A built site, and libraries that open it with and without its vectors."""

    folder: Path
    entry: Mapping[str, Any]
    library: ranvier.Library
    words_only: ranvier.Library

    def answer(self, kind: Kind, *, words_only: bool = False) -> Any:
        """Return the answer of the core in CPython."""
        if kind.method == "instant":
            return [fields_of(hit) for hit in Lists(self.folder / "_ranvier").search(kind.query, dict(kind.options)["limit"])]
        call = getattr(self.words_only if words_only else self.library, kind.method)
        result = call(kind.query, **dict(kind.options))
        return [plain(item) for item in result] if kind.method == "suggest" else plain(result)


Sites = Mapping[str, Site]


def start_kinds(site: Site) -> list[Kind]:
    """Return the kinds of files that the start of an engine fetches."""
    entry, scripts = site.entry, site.entry["api"].removesuffix("api.js")
    assert [_imports(site, f"{scripts}{name}") for name in ("api.js", "worker.js")] == [[], []]
    return [
        Kind("entry", ("entry.json",), other_name="manifest-"),
        Kind("script: api", (f"{scripts}api.js",), method="suggest", query="page 4", imported=True),
        Kind("script: worker", (f"{scripts}worker.js",), other_name="worker.js"),
        Kind("engine: loader", (f"{entry['engine']}pyodide.js",)),
        Kind("engine: glue", (f"{entry['engine']}pyodide.asm.js",)),
        Kind("engine: wasm", (f"{entry['engine']}pyodide.primary.wasm",)),
        Kind("engine: library", (f"{entry['engine']}python_stdlib.wasm",)),
        Kind("core", (entry["core"],)),
        Kind("langs", (entry["langs"],)),
        Kind("manifest", (entry["manifest"],)),
        Kind("hot", (entry["hot"],)),
        Kind("all of a small site", ("index/", "text/"), query="axon", site="small"),
    ]


def _imports(site: Site, script: str) -> list[str]:
    """Return the files that a published script imports."""
    text = (site.folder / "_ranvier" / script).read_text("utf-8")
    return re.findall(r'from ?"\./([^"]+)"', text)


def query_kinds(site: Site) -> list[list[Kind]]:
    """Return the kinds of files that queries fetch; each row is for one engine, and no query fetches a file of a later one."""
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
            by_meaning(
                "vectors: shard map", vectors["shard_map"], query="ship brought it", options=(*meaning, ("tags", ["tag1"]))
            ),
        ],
        [
            Kind("titles: root", _names(manifest.titles), method="suggest", query="page 4"),
            Kind("titles: shards", (*shards,), method="suggest", query="bemena"),
        ],
        [
            Kind("lists: root", (lists_root,), method="instant", query="harbour "),
            Kind("lists: shards", (*lists_shards,), method="instant", query="bemena "),
        ],
    ]


def fields_of(hit: Hit) -> dict[str, Any]:
    """Return the fields of an instant hit in JavaScript, without its marks."""
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
        for kind, files in (rows | {"rows": head.rows, "shards": head.shards, "shard_map": head.shard_map}).items()
    }


def _names(files: Files) -> tuple[str, ...]:
    return tuple(files.name(number) for number in range(len(files.sizes)))


def rows(sites: Sites, fault: str) -> list[list[Kind]]:
    """Return the rows of kinds under a fault; each row is for one engine."""
    start = start_kinds(sites["large"])
    separate = [kind for kind in start if kind.imported or kind.site == "small"]
    separate += [kind for kind in start if kind.other_name == "worker.js" and fault == "truncated ×1"]
    shared = [kind for kind in start if fault in SHARED_START and kind not in separate]
    return [*([shared] if shared else []), *([kind] for kind in start if kind not in shared), *query_kinds(sites["large"])]


def plan(sites: Sites, host: FaultyHost) -> dict[str, tuple[Kind, str]]:
    """Put every job into the host's queues; return the cell of each key."""
    cells: dict[str, tuple[Kind, str]] = {}
    host.queues = {"others": [], "silent": []}
    for chain in CHAINS:
        for row in rows(sites, chain[0]):
            job = _job(sites[row[0].site], f"{row[0].site}-{len(cells)}", row, chain)
            for kind in row:
                for fault in chain:
                    key = f"{len(cells)}"
                    cells[key] = kind, fault
                    effect, _, times = fault.partition(" ×")
                    part = rf"^/@{job['name']}/_ranvier/(?:{'|'.join(map(re.escape, kind.files))})"
                    host.switched[key] = Fault(part, effect, int(times or -1))
                    step = {"key": key, "request": kind.request, "last": fault == chain[-1]}
                    job["steps"].append(step)
                    # The first two files of a vector search are prefetched with the start.
                    prefetched = kind.name in ("vectors: head", "vectors: tokens") or (
                        fault in SHARED_START and row[0].name == "entry"
                    )
                    if fault == chain[0] and prefetched:
                        job["from"].append(key)
            host.queues["silent" if chain == ("silent",) else "others"].append(job)
    return cells


def _job(site: Site, name: str, row: list[Kind], chain: tuple[str, ...]) -> dict[str, Any]:
    options: dict[str, Any] = {
        "shared": False,
        "frugal": False,
        "start": "on-demand" if row[0].method in ("suggest", "instant") else "now",
    }
    if chain == ("silent",):
        options["timeout"] = SILENT_TIMEOUT
    limit = 4000 if row[0].imported else 60_000
    return {"name": name, "api": site.entry["api"], "options": options, "limit": limit, "from": [], "steps": []}


def outcomes(browser: Browser, sites: Sites, host: FaultyHost) -> dict[tuple[str, str], str]:
    """Run all jobs; return the outcome of each kind and fault. A forbidden outcome begins with "WRONG"."""
    cells = plan(sites, host)
    context = browser.new_context()
    page_errors: list[str] = []
    pages: list[Page] = []
    for queue, lanes in LANES.items():
        for lane in lanes if host.queues[queue] else ():
            page = context.new_page()
            page.on("pageerror", lambda error: page_errors.append(str(error)))
            page.goto(host.lane(lane))
            page.evaluate(f"(queue) => {{ globalThis.running = ({RUN})(queue); }}", queue)
            pages.append(page)
    answers = [answer for page in pages for answer in page.evaluate("globalThis.running")]
    context.close()
    assert page_errors == [], page_errors
    results = sorted(answers, key=lambda answer: int(answer["key"]))
    return {
        (kind.name, fault): outcome(sites[kind.site], kind, fault, result)
        for result in results
        for kind, fault in [cells[result["key"]]]
    }


def outcome(site: Site, kind: Kind, fault: str, answer: Mapping[str, Any]) -> str:
    """Return the outcome of a cell. After the last fault of a chain, the answer must be correct."""
    during = answer_outcome(site, kind, answer["during"])
    after = answer_outcome(site, kind, answer["after"]) if "after" in answer else "right"
    if fault == "late" and during != "right":
        return f"WRONG when late: {during}"
    return during if after == "right" else f"WRONG after the fault: {after}; during it: {during}"


def answer_outcome(site: Site, kind: Kind, answer: Mapping[str, Any]) -> str:
    """Compare an answer with that of CPython, or check its error."""
    if "done" in answer:
        if kind.method == "instant":
            hits = [{key: hit[key] for key in ("title", "heading", "url", "anchor")} for hit in answer["done"]]
            return "right" if hits == site.answer(kind) else f"WRONG {hits}"
        if not (lines := compare(site.answer(kind), answer["done"])):
            return "right"
        notices = answer["done"].get("notices", ()) if isinstance(answer["done"], dict) else ()
        warns = any(notice["code"] == "no-vectors" for notice in notices)
        if warns and not compare(site.answer(kind, words_only=True), answer["done"]):
            return "words and a notice"
        return f"WRONG {lines[:3]}"
    name, code, message = answer["name"], answer.get("code"), answer.get("message") or ""
    if kind.imported and name in ("SyntaxError", "TypeError", "timeout"):
        return "import waits" if name == "timeout" else "import fails"
    names_file = any(Path(file).name in message for file in kind.files) or (kind.other_name and kind.other_name in message)
    if name != "RanvierError" or code not in ("fetch", "integrity", "format", "engine", "worker") or not names_file:
        return f"WRONG {name} {code}: {message}"
    return f"error: {code}"


def _site(folder: Path, words_only: Path) -> Site:
    shutil.copytree(folder, words_only, ignore=lambda _, names: [name for name in names if name == "vectors"])
    entry = json.loads((folder / "_ranvier" / "entry.json").read_text("utf-8"))
    return Site(folder, entry, ranvier.open_snapshot(folder), ranvier.open_snapshot(words_only))


@pytest.fixture(scope="module")
def sites(faulty_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sites]:
    """The two sites."""
    folder = tmp_path_factory.mktemp("faults")
    built = {"large": faulty_folder / "site", "small": build_small(folder)}
    sites_by_name = {name: _site(site, folder / f"{name}-without-vectors") for name, site in built.items()}
    yield sites_by_name
    for site in sites_by_name.values():
        site.library.close()
        site.words_only.close()


@pytest.mark.timeout(600)  # three hundred cells, and some are silent for seconds
def test_every_file_with_every_fault(chromium: Browser, sites: Sites) -> None:
    with faulty(sites["large"].folder, {"small": sites["small"].folder}) as host:
        result = outcomes(chromium, sites, host)
    assert {cell: text for cell, text in result.items() if "WRONG" in text} == {}
    assert len(result) == len(FAULTS) * (len(start_kinds(sites["large"])) + sum(map(len, query_kinds(sites["large"]))))
