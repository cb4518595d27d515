"""Names of published pages: path, address, file name, title, alias and id. One index for links and for the tree."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from ranvier_builder.model import Page
from ranvier_builder.paths import CANVAS, INDEXES, MARKDOWN, PAGES, fold

_ENDINGS = (*MARKDOWN, ".html", ".htm")  # links of other systems may have these extensions

_DOTTED = re.compile(r"[^\W\d][\w-]*(?:\.[^\W\d][\w-]*)*\.[^\W\d][\w-]{2,}\Z")  # `work.plan`, and neither `v1.2` nor `page.en`
_NOTE_ID = re.compile(r"\A\d{12}(?:\d\d)?(?=[ _-])")  # of a Zettelkasten, `202401011200 Title`: links may have only the id
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_JOURNAL = re.compile(rf"({'|'.join(_MONTHS)})[a-z]* (\d{{1,2}})(?:st|nd|rd|th), (\d{{4}})\Z")  # `Jan 2nd, 2024` of Logseq
HOST = re.compile(r"https?://[^/]*")
_NUMBERS = re.compile(r"(?:(?<=/)|\A)\d{1,3}(?:-\d{1,3})?[-_.](?=[^\W\d])")  # `01-` of `01-guide/02-install`
NearestPages = dict[str, tuple[int, str, int]]  # folder → depth, path and number of the least deep page below it


def bare(path: str) -> str:
    """Remove optional parts of a link: `Guide/Index.md` → `guide`, `a.html` → `a`."""
    name = without_ending(fold(path).strip("/"))
    folder, _, last = name.rpartition("/")
    return folder if last in INDEXES else name


def without_ending(path: str) -> str:
    """Remove a page's extension: `a.md` → `a`, `v1.2` → `v1.2`."""
    return next((path.removesuffix(ending) for ending in _ENDINGS if path.endswith(ending)), path)


class PageNames:
    """Finds pages by their names. It stores only paths and slugs, because it is sent to other processes."""

    def __init__(self, pages: Iterable[Page]) -> None:
        sorted_pages = sorted(pages, key=lambda page: page.neuron.path)
        self._places = tuple((page.neuron.path, page.slug) for page in sorted_pages)
        self._stems = tuple(_stem(path) for path, _ in self._places)
        self._exact = {path: number for number, (path, _) in enumerate(self._places)}
        self._paths: dict[str, int] = {}
        self._addresses: dict[str, int] = {}
        self._tiers: tuple[dict[str, list[int]], ...] = ({}, {}, {})  # names, titles and aliases, ids
        self._nearest: dict[tuple[int, str], NearestPages] = {}
        dotted = sum(bool(_DOTTED.match(stem.rpartition("/")[2])) for stem in self._stems)
        self.is_dotted = 3 * dotted > len(sorted_pages)  # Dendron's style of names
        self._index_paths(sorted_pages)
        for number, page in enumerate(sorted_pages):
            self._index_names(number, page)
        for number, page in enumerate(sorted_pages):  # aliases of other systems may be former addresses
            for alias in page.neuron.aliases:
                if "/" in alias:
                    self._addresses.setdefault(bare(alias), number)
            for address in _addresses_of(page):
                self._addresses.setdefault(bare(address), number)

    def _index_paths(self, pages: list[Page]) -> None:
        """Index each page by its path, its path without extension and, if it is its folder's index, the folder."""
        for number, (path, _) in enumerate(self._places):
            if path.lower().endswith(PAGES):  # any other path is the file itself
                self._paths.setdefault(fold(path), number)
        for number, stem in enumerate(self._stems):
            self._paths.setdefault(stem, number)
        for number, stem in enumerate(self._stems):
            if pages[number].is_index:
                folder = stem.rpartition("/")[0]
                self._paths.setdefault(f"{folder}/", number)
                self._paths.setdefault(folder, number)

    def _index_names(self, number: int, page: Page) -> None:
        neuron, stem = page.neuron, self._stems[number]
        self._addresses.setdefault(fold(page.slug), number)
        folder, _, last = stem.rpartition("/")
        names = {last, folder.rpartition("/")[2]} if last in INDEXES else {last}
        names |= {*_NOTE_ID.findall(last)}
        for tier, tier_names in zip(
            self._tiers, (names, {fold(neuron.title), *map(fold, neuron.aliases)}, {fold(neuron.id)}), strict=True
        ):
            for name in tier_names - {""}:
                tier.setdefault(name, []).append(number)

    def slug(self, number: int) -> str:
        """Return the address of a page."""
        return self._places[number][1]

    def at(self, path: str) -> int | None:
        """Find a page by its path from the content's root, or by its address; extensions are optional."""
        number = self._at_path(path)
        if number is None:
            number = self._addresses.get(fold(path).strip("/"))
        return self._addresses.get(bare(path)) if number is None else number

    def at_file(self, path: str) -> int | None:
        """Find a page by its path in a table of contents.

        If this is the path of a file, it is not that of another index of the folder, which may be published instead.
        """
        number = self.at(path)
        name = PurePosixPath(fold(path))
        if number is None or (name.suffix not in PAGES and name.name not in INDEXES):
            return number
        page_name = PurePosixPath(fold(self._places[number][0]))
        return number if name.name in (page_name.name, page_name.stem) else None

    def _at_path(self, path: str) -> int | None:
        if path in self._exact and path.lower().endswith(PAGES):
            return self._exact[path]
        key = fold(path).strip("/")
        if path.endswith("/") and f"{key}/" in self._paths:
            return self._paths[f"{key}/"]
        for spelling in (key, without_ending(key), bare(key)):
            if spelling in self._paths:
                return self._paths[spelling]
        return None

    def find(self, source: str, target: str) -> int | None:
        """Find a page by name, relative to a path: by path, name, title, alias, id, path suffix or address."""
        numbers = self._candidates(source, target.strip().replace("\\", "/"))
        return next((number for number in numbers if number is not None), None)

    def _candidates(self, source: str, target: str) -> Iterator[int | None]:
        if target.startswith("."):
            yield self._at_path(posixpath.normpath(posixpath.join(posixpath.dirname(source), target)))
        if not target.strip("/"):
            return
        yield self._at_path(target)
        key = without_ending(fold(target).strip("/"))
        for tier in range(len(self._tiers)):
            yield from (self._by_name(source, tier, spelling) for spelling in (fold(target), key))
        yield self._by_path_suffix(source, key) if "/" in key else None
        if journal := _JOURNAL.match(key):
            yield self._by_name(source, 1, f"{journal[3]}-{_MONTHS.index(journal[1]) + 1:02}-{int(journal[2]):02}")
        address = bare(target)
        yield self._addresses.get(address, self._addresses.get(address.replace(" ", "-")))  # as wikis name their files

    def refer(self, source: str, reference: str) -> int | None:
        """Find the page that a property of another page names: by id, by path relative to that page, then as a link."""
        name = reference.strip()
        if name.startswith("[[") and name.endswith("]]"):  # Obsidian's form of a link in a property
            name = name[2:-2].partition("|")[0].partition("#")[0].strip()
        relative = posixpath.normpath(posixpath.join(posixpath.dirname(source), name))
        numbers = (self.by_id(name), self.at(relative), self.find(source, name))
        return next((number for number in numbers if number is not None), None)

    def by_id(self, name: str) -> int | None:
        """Find a page by its id."""
        return next(iter(self._tiers[2].get(fold(name), ())), None)

    def _by_path_suffix(self, source: str, key: str) -> int | None:
        """Find a page by its path suffix: `[[deep/note]]` is `archive/deep/note.md`, an index, or a folder note."""
        folder, _, last = key.rpartition("/")
        candidates = self._tiers[0].get(folder.rpartition("/")[2] if last in INDEXES else last, ())
        endings = (f"/{key}", *(f"/{key}/{name}" for name in (*INDEXES, last)))
        matches = [number for number in candidates if f"/{self._stems[number]}".endswith(endings)]
        return self._nearest_to(source, self._nearest_by_folder(matches)) if matches else None

    def _by_name(self, source: str, tier: int, name: str) -> int | None:
        """Return the page with this name in the nearest folder; of several, the first by path."""
        numbers = self._tiers[tier].get(name, ())
        if len(numbers) < 2:
            return numbers[0] if numbers else None
        nearest = self._nearest.get((tier, name))
        if nearest is None:
            nearest = self._nearest[tier, name] = self._nearest_by_folder(numbers)
        return self._nearest_to(source, nearest)

    def _nearest_by_folder(self, numbers: Iterable[int]) -> NearestPages:
        """Map each folder to its least deep page. With it, thousands of pages with one title need only linear time."""
        nearest: NearestPages = {}
        for number in numbers:
            path = self._places[number][0]
            candidate = (path.count("/"), path, number)
            for folder in _folders(path):
                nearest[folder] = min(nearest.get(folder, candidate), candidate)
        return nearest

    @staticmethod
    def _nearest_to(source: str, nearest: NearestPages) -> int:
        height = source.count("/")
        candidates = [(up, nearest[folder]) for up, folder in enumerate(_folders(source)) if folder in nearest]
        return min((up + depth - (height - up), path, number) for up, (depth, path, number) in candidates)[2]


def _addresses_of(page: Page) -> Iterator[str]:
    """Yield a page's addresses in other systems: as given, below its folder or top folder; slug and path without numbers,
    or without that of the last part.
    """
    folder = posixpath.dirname(page.neuron.path)
    for address in page.neuron.addresses:
        path = HOST.sub("", address)
        yield path
        if not path.startswith("/"):
            yield posixpath.join(folder, path)
            yield posixpath.join(folder.partition("/")[0], path)
    for address in (page.slug, without_ending(page.neuron.path)):  # a slug has a hyphen where the path has an underscore
        above, slash, name = address.rpartition("/")
        plain_names = _NUMBERS.sub("", address), f"{above}{slash}{_NUMBERS.sub('', name)}"
        yield from (plain for plain in plain_names if plain != address)


def _folders(path: str) -> list[str]:
    """Return the folders above a file, the nearest first, the content's root last."""
    return [*(str(folder) for folder in PurePosixPath(path).parents)]


def _stem(path: str) -> str:
    file = PurePosixPath(fold(path))
    if file.suffix == CANVAS:  # `[[Plan]]` is the note beside `Plan.canvas`
        return str(file)
    return without_ending(str(file)) if file.suffix in _ENDINGS else str(file.with_suffix(""))
