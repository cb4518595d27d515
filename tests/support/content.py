"""Content folders written by a test, and sites built from them without the browser's engine."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from ranvier import Need
from ranvier_builder import Config, Report, build, publish
from ranvier_builder.assets import Assets
from ranvier_builder.engine import pinned
from ranvier_builder.indexing import index
from ranvier_builder.model import Chunk, Neuron, Page, Rendered
from selectolax.lexbor import LexborHTMLParser

OPEN = Config(default_audience="public")
Tree = Callable[[dict[str, str | bytes]], Path]
"""The fixture `tree`."""


def read_tree(folder: Path) -> dict[str, bytes]:
    """Read all files below a folder, by their paths."""
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def html_of(site: Path, slug: str) -> LexborHTMLParser:
    """Parse a page of a built site."""
    return LexborHTMLParser((site / slug / "index.html").read_text("utf-8"))


def write_tree(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files by their paths below a folder, as they are; return the folder."""
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def write_pages(content: Path, animal: str) -> None:
    """Write forty pages with different words: enough for a site that has files of each kind and is not fetched as a whole."""
    content.mkdir(exist_ok=True)
    for number in range(40):
        words = " ".join(f"{animal}{(number * 7919 + at * 104729) % 99991}" for at in range(300))
        text = f"# Page{number}\n\nThe {animal} of page{number} sleeps all day.\n\n{words}\n"
        (content / f"p{number}.md").write_text(text)


def stub_assets(
    base: Path, theme: Mapping[str, bytes], progress: Callable[[str], None] | None = None, langs: Iterable[str] = ()
) -> Assets:
    """Write stubs of the core, the modules and Pyodide, which other tests test."""
    scripts = ("web-0/api.js", "web-0/ui/search-box.js")
    names = (*scripts, *(f"engine-0/{name}" for name in sorted(pinned.FILES)))
    write_tree(base, {name: f"/* stub of {name} */" for name in names})
    theme_files = {f"theme-0/{name}": data for name, data in theme.items()}
    write_tree(base, dict(theme_files))
    (base / "core-0.wasm").write_bytes(b"a stub of the core")
    return Assets(
        "web-0", "theme-0", "engine-0", "core-0.wasm", {name: base / name for name in (*names, *theme_files, "core-0.wasm")}
    )


def build_without_engine(content: Path, out: Path, config: Config | None = None, *, vectors: bool | None = False) -> Report:
    """Build a site by the real pipeline, without browser assets.

    `vectors` is the setting; `None`: if WordLlama is installed.
    """
    config = config or OPEN
    with patch.object(publish, "write_assets", stub_assets):
        return build(content, out, replace(config, search=replace(config.search, vectors=vectors)))


def index_without_engine(site: Path, config: Config | None = None, **options: Any) -> Report:
    """Index a site of another generator by the real pipeline, without browser assets."""
    with patch.object(publish, "write_assets", stub_assets):
        return index(site, config or Config(), **options)


def build_tree(
    folder: Path, files: Mapping[str, str | bytes], config: Config | None = None, *, vectors: bool | None = False
) -> Path:
    """Write files to `folder/content` and build them without browser assets; return the site."""
    build_without_engine(write_tree(folder / "content", files), folder / "out", config, vectors=vectors)
    return folder / "out"


def drive(steps: Any, source: Any) -> tuple[Any, list[Need]]:
    """Answer all needs of a search from a `FolderSource`, or the like; return its result and the needs."""
    needs: list[Need] = []
    try:
        need = next(steps)
        while True:
            needs.append(need)
            need = steps.send(source.answer(need))
    except StopIteration as stop:
        return stop.value, needs


def page(path: str, *, title: str = "", seq: int = 1, noindex: bool = False, lang: str = "", address: str = "") -> Page:
    """Make a page with the address of its path; `address` is that in another system."""
    slug = path.removesuffix(".md")
    neuron = Neuron(path, title or slug, "", id=path, noindex=noindex, lang=lang, addresses=(address,) if address else ())
    return Page(neuron, seq, f"site_{seq:08x}", slug, f"{slug}/", False)


def generated(pages: int = 400, chunks: int = 4, words: int = 60, seed: int = 7) -> list[Rendered]:
    """Make pages of pseudo-words: some in every chunk, some in one, and families with a common prefix."""
    random = Random(seed)
    vocabulary = [
        "".join(random.choice("bdfgklmnprstvz") + random.choice("aeiou") for _ in range(random.randint(2, 4)))
        for _ in range(5000)
    ]
    weights = [1 / (rank + 2) for rank in range(len(vocabulary))]
    out = []
    for number in range(1, pages + 1):
        bodies = (random.choices(vocabulary, weights, k=words) for _ in range(chunks))
        page_chunks = tuple(
            Chunk(f"s{at}", (f"Part {body[0]}",), f"everywhere {' '.join(body)}. Only{number}x{at} alpha{number % 7}.")
            for at, body in enumerate(bodies)
        )
        out.append(Rendered(page(f"p{number:04}.md", title=f"Page {number}", seq=number), "", (), page_chunks))
    return out
