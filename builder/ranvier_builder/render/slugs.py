"""Published Neurons → pages with addresses: unique, stable, the same on every machine."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from urllib.parse import quote

from ranvier.text import primary

from ranvier_builder.composed import composed
from ranvier_builder.model import Neuron, Page, Warn
from ranvier_builder.paths import CANVAS, INDEXES, MARKDOWN, fold, suffix, without_export_id
from ranvier_builder.render.translations import is_tag

_MAX_BYTES = 200  # file systems allow 255, and `-2` may follow
_HOME = "home"
RESERVED = {"search", "404"}  # pages that every site has
# Names that Windows, where a site may be unpacked, forbids for folders.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}
_SEPARATORS = re.compile(r"[^\w+]+|_+")  # dots too: no page may replace `index.html` or `sitemap.xml`


def slugify(name: str) -> str:
    """Return one segment of an address: `Getting Started!` → `getting-started`; never empty, never with a dot."""
    folded = composed(name).lower()
    return shorten(_SEPARATORS.sub("-", folded).strip("-") or "page")


def segment(name: str) -> str:
    """Do the same as `slugify`; a name that Windows forbids gets a number."""
    slug = slugify(without_export_id(name))
    return f"{slug}-2" if slug in _DEVICES else slug


def shorten(slug: str) -> str:
    """Limit a name to a length that file systems allow; a longer name is cut and gets a digest."""
    if len(slug.encode("utf-8", "replace")) <= _MAX_BYTES:
        return slug
    return f"{slug[: _MAX_BYTES // 4]}-{hashlib.sha256(slug.encode('utf-8', 'replace')).hexdigest()[:8]}"


def pages(neurons: Iterable[Neuron], site: str, lang: str = "") -> list[Page]:
    """Assign an address and a number to each Neuron, in the order of addresses; `lang` is the language of the site."""
    used_slugs = set[str]()
    numbers: dict[str, int] = {}
    folders: dict[str, str] = {}
    places = []
    for neuron in sorted(neurons, key=lambda candidate: (_rank(candidate, lang), candidate.path)):
        addresses = _addresses(neuron, folders, lang)
        slug, is_index = next((address for address in addresses if address[0] not in used_slugs), addresses[-1])
        if slug in used_slugs:
            slug, is_index = free_slug(slug or "home", used_slugs, numbers), False
        used_slugs.add(slug)
        folders |= _notion_folder(neuron, slug)  # the pages in it come later
        places.append((slug, is_index, neuron))
    places.sort(key=lambda place: tuple(place[0].split("/")))
    return [
        Page(neuron, seq, seq_id(site, neuron.id), slug, quote(slug) + "/" if slug else "", is_index)
        for seq, (slug, is_index, neuron) in enumerate(places, 1)
    ]


def clashes(placed_pages: Iterable[Page], lang: str = "") -> list[Warn]:
    """Report pages whose address differs from their path: another page has it, or the name has no letter or digit."""
    placed_pages = list(placed_pages)
    by_slug = {page.slug: page for page in placed_pages}
    folders = {path: slug for page in placed_pages for path, slug in _notion_folder(page.neuron, page.slug).items()}
    warnings = []
    tops = set[str]()  # reported pages and folders
    for page in placed_pages:
        top, _, below = page.slug.partition("/")
        slugs = [slug for slug, _ in _addresses(page.neuron, folders, lang)]
        if page.slug not in slugs and slugs[-1] in by_slug:
            other = by_slug[slugs[-1]].neuron.path
            warnings.append(
                Warn(page.neuron.path, "name", f"has the same address as {other}: published at {page.slug}/ instead")
            )
        elif top not in tops and slugify(PurePosixPath(page.neuron.path).with_suffix("").parts[0]) in RESERVED:
            tops.add(top)
            subject = "is in a folder that has" if below else "has"
            message = f"{subject} the same address as a page that every site has: published at {page.slug}/ instead"
            warnings.append(Warn(page.neuron.path, "name", message))
        elif not _SEPARATORS.sub("", unicodedata.normalize("NFC", PurePosixPath(page.neuron.path).stem)):
            warnings.append(Warn(page.neuron.path, "name", f"has no letter or digit in its name: published at {page.slug}/"))
    return warnings


def seq_id(site: str, neuron: str) -> str:
    """Return the id in hits, `<site>_<8 hex>` [000], from a site's name and a Neuron's id."""
    return f"{site}_{hashlib.sha256(neuron.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def _rank(neuron: Neuron, lang: str) -> tuple[int, bool]:
    """Return the priority for an address: `index.md` before `README.md`, other files, folder notes, and canvases last.

    `install.md` comes before `install.en.md`.
    """
    stem, plain = PurePosixPath(neuron.path).stem.lower(), _stem(neuron, lang).lower()
    if suffix(neuron.path) == CANVAS:
        return len(INDEXES) + 2, False
    if is_home(neuron) and stem != _HOME:
        return (-2 if stem in INDEXES else -1), False  # its translation, `index-de.md`, may name the same address
    return INDEXES.index(plain) if plain in INDEXES else len(INDEXES) + _is_folder_note(neuron), stem != plain


def _stem(neuron: Neuron, lang: str) -> str:
    """Return the name of a page's file, without the language of the site: `install.en.md` → `install`."""
    stem = PurePosixPath(neuron.path).stem
    name, _, tag = stem.rpartition(".")
    own = neuron.lang.lower() or lang.lower()
    is_site_lang = lang.lower() in (own, primary(own)) or own == primary(lang.lower())
    return name if name and is_site_lang and is_tag(tag, own) else stem


def _is_folder_note(neuron: Neuron) -> bool:
    """Whether a page has its folder's name, as Docusaurus and Obsidian's folder notes have it: `Guide/Guide.md`."""
    path = PurePosixPath(neuron.path)
    return suffix(neuron.path) in MARKDOWN and fold(path.stem) == fold(path.parent.name)


def is_home(neuron: Neuron) -> bool:
    """Return whether a page in the first folder is the home page: `Home.md` of a wiki, or `slug: /` of Docusaurus."""
    path = PurePosixPath(neuron.path)
    return len(path.parts) == 1 and suffix(neuron.path) in MARKDOWN and (path.stem.lower() == _HOME or "/" in neuron.addresses)


def _notion_folder(neuron: Neuron, slug: str) -> dict[str, str]:
    """Return the folder of a page with an id of Notion, and its address; empty for another page."""
    path = PurePosixPath(neuron.path)
    return {str(path.with_suffix("")): slug} if without_export_id(path.stem) != path.stem else {}


def _addresses(neuron: Neuron, folders: Mapping[str, str], lang: str) -> list[tuple[str, bool]]:
    """Return possible addresses of a page, the best first, and whether each makes the page the index of its folder.

    `folders` are addresses of folders with an id of Notion, by path: two of them can have the same name.
    """
    path, stem = PurePosixPath(neuron.path), _stem(neuron, lang)
    is_index = stem.lower() in INDEXES
    folder_slug = folders.get(str(path.parent))
    above = folder_slug.split("/") if folder_slug else path.parts[:-1]
    names = dict.fromkeys((stem, path.stem))
    file = [(_joined((*above, name)), False) for name in names if name.lower() not in INDEXES or name.lower() == "readme"]
    folder = [(_joined(above), True)] if is_index or _is_folder_note(neuron) or is_home(neuron) else []
    return [*folder, *file]


def _joined(names: Iterable[str]) -> str:
    parts = [segment(name) for name in names]
    if parts and parts[0] in RESERVED:  # a folder too: its list would replace the search page
        parts[0] += "-2"
    return "/".join(parts)


def free_slug(slug: str, used_slugs: set[str], numbers: dict[str, int]) -> str:
    """Add a number to an address in use. `numbers` has the next number, because thousands of pages may share an address."""
    number = numbers.get(slug, 2)
    while f"{slug}-{number}" in used_slugs:
        number += 1
    numbers[slug] = number + 1
    return f"{slug}-{number}"


def same_ids(pages: list[Page]) -> list[Warn]:
    """Return a warning for each page whose id is that of an earlier page."""
    first: dict[str, Page] = {}
    return [
        Warn(page.neuron.path, "duplicate", f"has the same id as {first[page.neuron.id].neuron.path}: {page.neuron.id!r}")
        for page in pages
        if first.setdefault(page.neuron.id, page) is not page
    ]
