"""The same pages for all libraries: HTML files, and JSON objects for libraries that index records."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import unquote

from common import PUBLIC
from line import compress
from ranvier_builder.model import Rendered
from ranvier_builder.pipeline import survey
from ranvier_builder.work.pool import pool

JS = Path(__file__).parent / "js"
LIBRARIES = ("minisearch", "flexsearch", "lunr", "orama")
_HTML = """<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>{title}</title>
<body><main><h1>{title}</h1>
{html}</main></body></html>
"""

_CODE = ("engine-", "core-", "langs-", "theme-", "wasm.")  # prefixes of names

Cost = dict[str, float]


@dataclass(frozen=True, slots=True)
class Peer:
    """One library: its site, and the script that each page begins with; without one, the page loads `search.js`."""

    name: str
    site: Path
    script: str = ""

    @property
    def methods(self) -> tuple[str, ...]:
        """Only Ranvier has instant hits, hits of words, and a full ranking with meaning."""
        return ("first", "words", "full") if self.name == "ranvier" else ("full",)

    @property
    def index(self) -> Path:
        """The folder or file of the index."""
        names = {"ranvier": "_ranvier", "pagefind": "pagefind", "fts5": "pages.db"}
        return self.site / names.get(self.name, "index.json")


def write_pages(content: Path, work: Path) -> list[Rendered]:
    """Render a content folder: `html/…/index.html`, and the lines of `pages.jsonl`; return the pages."""
    shutil.rmtree(work / "html", ignore_errors=True)
    with pool(0) as executor:
        pages = list(survey(content, PUBLIC, executor=executor).rendered)
    with (work / "pages.jsonl").open("w", encoding="utf-8") as lines:
        for item in pages:
            neuron, file = item.page.neuron, work / "html" / _path(item.page.url)
            file.parent.mkdir(parents=True, exist_ok=True)
            title = escape(neuron.title)
            file.write_text(_HTML.format(lang=escape(neuron.lang or PUBLIC.lang), title=title, html=item.html), "utf-8")
            lines.write(json.dumps(_record(item), ensure_ascii=False) + "\n")
    return pages


def _path(url: str) -> str:
    return f"{unquote(url)}index.html" if url.endswith("/") or not url else unquote(url)


def _record(item: Rendered) -> dict[str, str]:
    return {
        "url": f"/{item.page.url}",
        "title": item.page.neuron.title,
        "headings": "\n".join(section.headings[-1] for section in item.sections if section.headings),
        "text": "\n".join(block.text for section in item.sections for block in section.blocks),
    }


def installed(work: Path) -> Path:
    """Copy the scripts beside their pinned packages; return the folder.

    The lock file has no packages for platforms that a registry may lack; `npm ci` would refuse it.
    """
    folder = work / "js"
    shutil.copytree(JS, folder, dirs_exist_ok=True)
    if not (folder / "node_modules").is_dir():
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=folder, check=True)
    return folder


def peers(work: Path) -> list[Peer]:
    """Return all libraries, Ranvier first."""
    sites = work / "sites"
    scripted = [Peer(name, sites / name, (JS / f"{name}.js").read_text("utf-8")) for name in ("ranvier", "pagefind")]
    return [*scripted, *(Peer(name, sites / name) for name in LIBRARIES), Peer("fts5", sites / "fts5")]


def index(peer: Peer, work: Path, js: Path, runs: int) -> dict[str, Any]:
    """Make a peer's index some times; return the medians of its costs, and its files and bytes."""
    costs = []
    for _ in range(runs):
        shutil.rmtree(peer.site, ignore_errors=True)
        peer.site.mkdir(parents=True)
        costs.append(_MAKERS.get(peer.name, _library)(peer, work, js))
    if peer.name in LIBRARIES:
        subprocess.run(["node", js / "pack.mjs", peer.name, peer.site / "search.js"], check=True)
    files = [file for file in (peer.index.rglob("*") if peer.index.is_dir() else [peer.index]) if file.is_file()]
    data = [file for file in files if not is_code(str(file.relative_to(peer.site)))]
    return {
        **{key: median(cost[key] for cost in costs) for key in costs[0]},
        "runs": [cost["cpu"] for cost in costs],
        "files": len(files),
        "bytes": _size(files),
        "data": _size(data),
        "sent": compress(files),
    }


def is_code(path: str) -> bool:
    """Return whether a file is the same for every site: scripts, modules, the engine with its library and memory."""
    return path.endswith((".js", ".mjs", ".wasm")) or any(part.startswith(_CODE) for part in path.split("/"))


def _size(files: list[Path]) -> int:
    return sum(file.stat().st_size for file in files)


def _cost(*command: str | Path) -> Cost:
    script = Path(__file__).with_name("cost.py")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    result = subprocess.run([sys.executable, script, *command], check=True, stdout=subprocess.PIPE, env=environment)
    cost: Cost = json.loads(result.stdout)
    return cost


def _ranvier(peer: Peer, work: Path, _: Path) -> Cost:
    shutil.copytree(work / "html", peer.site, dirs_exist_ok=True)
    return _cost(sys.executable, "-m", "ranvier_builder", "index", peer.site, "--quiet")


def _pagefind(peer: Peer, work: Path, js: Path) -> Cost:
    shutil.copytree(work / "html", peer.site, dirs_exist_ok=True)
    return _cost(js / "node_modules/.bin/pagefind", "--site", peer.site, "--root-selector", "main", "--quiet")


def _fts5(peer: Peer, work: Path, _: Path) -> Cost:
    return _cost(sys.executable, Path(__file__).with_name("fts5.py"), work / "pages.jsonl", peer.index)


def _library(peer: Peer, work: Path, js: Path) -> Cost:
    return _cost("node", js / "index.mjs", peer.name, work / "pages.jsonl", peer.site / "index.json")


_MAKERS: dict[str, Callable[[Peer, Path, Path], Cost]] = {"ranvier": _ranvier, "pagefind": _pagefind, "fts5": _fts5}
