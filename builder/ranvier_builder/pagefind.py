"""The files for `ranvier index --pagefind`: a module with Pagefind's API, and the data of each page that it returns."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

from ranvier_builder.composed import composed
from ranvier_builder.errors import OutputError
from ranvier_builder.model import Rendered, Section
from ranvier_builder.output import BASE
from ranvier_builder.web.page import WebPage
from ranvier_builder.write.analyse import primary
from ranvier_builder.write.files import compact_json

FOLDER, MODULE = "pagefind", "pagefind.js"
_MODULES = (MODULE, "filters.js", "search.js")
_EXPORT = 'export * from "../'
_SORT = "sort."  # before the name of a sort key in the other fields of a page
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE)


def pagefind_files(pages: Sequence[WebPage], rendered: Sequence[Rendered], lang: str) -> dict[str, bytes]:
    """Return the modules and their data by file name; `pages` and `rendered` are parallel, `lang` is the site's language.

    `site.json` has the languages, and the filters of each: filter, value, tag, number of pages. `sorts.json` has the ids of
    the pages with a sort key, in ascending order. `pages/<last 8 digits of seq_id>.json` has the data of a page by its id.
    """
    contents = {name: (files("ranvier_web") / FOLDER / name).read_bytes() for name in _MODULES}
    contents["site.json"] = compact_json(_site(pages, rendered, lang))
    contents["sorts.json"] = compact_json(_sorts(pages, rendered))
    data: dict[str, dict[str, Any]] = defaultdict(dict)
    for page, rendered_page in zip(pages, rendered, strict=True):
        data[f"pages/{rendered_page.page.seq_id[-8:]}.json"][rendered_page.page.neuron.id] = _page(page, rendered_page)
    return contents | {name: compact_json(pages_by_id) for name, pages_by_id in data.items()}


def write_module(site: Path, target: str) -> None:
    """Write `pagefind/pagefind.js`, which exports the module at `target`, a path from the site's root; replace an older one.

    Raises:
        OutputError: the folder is a link, which may lead out of the site; or the file cannot be written.

    """
    folder = site / FOLDER
    if folder.is_symlink():
        raise OutputError("is a symbolic link, which may lead out of the site", file=folder, cure="remove the link")
    file = folder / MODULE
    try:
        folder.mkdir(exist_ok=True)
        file.unlink(missing_ok=True)  # perhaps a link
        file.write_text(f'{_EXPORT}{target}";\n', "utf-8", newline="\n")
    except OSError as error:  # for example, a file has the name of the folder
        cure = "move away what has its name, or check the permissions of the folder"
        raise OutputError(f"cannot be written: {error.strerror}", file=file, cure=cure) from None


def remove_module(site: Path) -> None:
    """Remove a `pagefind/pagefind.js` that exports a module of an older index, which a new one no longer has."""
    file = site / FOLDER / MODULE
    start = f"{_EXPORT}{BASE}/{FOLDER}-".encode()
    with suppress(OSError):  # there is none, or it cannot be read
        if not file.parent.is_symlink() and file.read_bytes().startswith(start):
            file.unlink()
            file.parent.rmdir()  # if it is empty


def _site(pages: Sequence[WebPage], rendered: Sequence[Rendered], lang: str) -> dict[str, Any]:
    codes: dict[str, str] = {}  # the language of a page as its author wrote it → as the index has it
    counts: dict[str, Counter[str]] = {}
    for page, rendered_page in zip(pages, rendered, strict=True):
        written = rendered_page.page.neuron.lang
        code = codes[written.lower()] = primary(written, lang)
        counts.setdefault(code, Counter()).update(["", *page.filters])
    return {
        "langs": codes,
        "main": min(counts, key=lambda code: (-counts[code][""], code)),
        "filters": {
            code: [[*_pair(tag), composed(composed(tag).casefold()), tags[tag]] for tag in sorted(tags) if tag]
            for code, tags in counts.items()
        },
    }


def _pair(tag: str) -> tuple[str, str]:
    name, _, value = tag.partition("/")
    return name, value


def _sorts(pages: Sequence[WebPage], rendered: Sequence[Rendered]) -> dict[str, list[str]]:
    values: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for page, rendered_page in zip(pages, rendered, strict=True):
        for key, value in page.extra:
            if key.startswith(_SORT):
                values[key.removeprefix(_SORT)].append((value, rendered_page.page.neuron.id))
    return {key: _ascending(pairs) for key, pairs in values.items()}


def _ascending(pairs: list[tuple[str, str]]) -> list[str]:
    """Sort numbers as numbers, if all values are numbers; equal values stay in the order of the pages."""
    kind = float if all(_NUMBER.fullmatch(value) for value, _ in pairs) else str
    return [page for _, page in sorted(pairs, key=lambda pair: kind(pair[0]))]


def _page(page: WebPage, rendered_page: Rendered) -> dict[str, Any]:
    title = rendered_page.page.neuron.title
    anchors, words = [], title.split()
    for section, heading in _with_headings(rendered_page.sections):
        if section.anchor and heading:
            element = f"h{min(section.levels[-1], 6)}"
            anchors.append({"element": element, "id": section.anchor, "text": heading, "location": len(words)})
        words += " ".join((heading, *(block.text for block in section.blocks))).split()
    filters: dict[str, list[str]] = defaultdict(list)
    for name, value in map(_pair, page.filters):
        filters[name].append(value)
    image = {"image": page.image} if page.image else {}
    return {
        "raw_url": f"/{page.url}",
        "content": " ".join(words),
        "word_count": len(words),
        "anchors": anchors,
        "filters": filters,
        "meta": image | dict(page.meta) | {"title": title},
    }


def _with_headings(sections: Iterable[Section]) -> Iterator[tuple[Section, str]]:
    """Yield each section with its heading; the heading is empty if the section continues the one before."""
    start = Section("", (), (), ())
    for previous_section, section in pairwise((start, *sections)):
        is_new = (section.anchor, section.headings) != (previous_section.anchor, previous_section.headings)
        yield section, section.headings[-1] if is_new and section.headings else ""
