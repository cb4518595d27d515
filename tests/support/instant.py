"""The instant lists in plain Python: the reference for the script of the page."""

import json
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ranvier.store.format import inflate
from ranvier.store.titles import slug, utf16
from ranvier.text.keys import keys
from ranvier_builder.write.surface import typed

UNIT = 10_000  # an impact is the gain of a name times this number, plus the score in hundredths
COMPLETED = 0.6
TITLE, TITLE_PREFIX, HEADING, HEADING_PREFIX = 100_000, 60_000, 50_000, 30_000
MAX_ROWS = 10
MAX_WORDS = 8
LETTER = re.compile("[a-z]")


class Hit(NamedTuple):
    """A page and the section of its rarest word; an empty section means the whole page."""

    title: str
    url: str
    heading: str
    anchor: str
    score: float


class Entry(NamedTuple):
    """A page in the list of a word."""

    title: str
    url: str
    heading: str
    anchor: str
    impact: int


class RankedPages(NamedTuple):
    """A word's list, best first."""

    entries: tuple[Entry, ...]
    rarity: int


class Shard:
    """One file of lists, read."""

    def __init__(self, raw: Any, table: Any) -> None:
        self._raw = raw
        self._pages = raw.get("pages", table)
        self.words: list[str] = raw["words"].split("\n")

    def get(self, word: str) -> RankedPages | None:
        """Return a word's list."""
        return self._listed(self._raw["lists"][self.words.index(word)]) if word in self.words else None

    def completions(self, prefix: str) -> list[RankedPages]:
        """Return the lists of all longer words with this prefix."""
        numbers = {
            number
            for word, number in zip(self.words, self._raw["lists"], strict=True)
            if word.startswith(prefix) and word != prefix
        }
        return [self._listed(number) for number in sorted(numbers)]

    def _listed(self, number: int) -> RankedPages:
        row = self._raw["ranked"][number]
        return RankedPages(tuple(map(self._entry, row[::2], row[1::2])), self._raw["rarity"][number])

    def _entry(self, place: int, impact: int) -> Entry:
        page, heading, anchor = self._raw["places"][place] if place >= 0 else (~place, "", "")
        title, url = self._pages[page]
        return Entry(title, url, heading, slug(heading) if anchor == 0 else anchor, impact)


class Lists:
    """The lists of a built site. `read`: the bytes of each file read so far, by name."""

    def __init__(self, base: Path) -> None:
        self._base = base
        self.read: dict[str, bytes] = {}
        name = json.loads((base / "entry.json").read_bytes())["lists"]
        self.root = self._file(name)
        self._files: dict[str, Any] = {}

    def shards(self) -> Iterator[Shard]:
        """Yield all shards, in the order of their words."""
        yield from self._below(self.root, lambda root: root["files"])

    def shards_of(self, word: str, *, completes: bool = False) -> list[Shard]:
        """Return the shards that may have a word, and for a completed word those with longer words."""

        def file_names(root: Any) -> list[str]:
            after = bisect_right(root["starts"], utf16(word), key=utf16)
            has_longer = completes and after < len(root["starts"]) and root["starts"][after].startswith(word)
            files: list[str] = root["files"][max(after - 1, 0) : after + has_longer]
            return files

        return [*self._below(self.root, file_names)]

    def _below(self, root: Any, file_names: Callable[[Any], list[str]]) -> Iterator[Shard]:
        if "all" in root:
            yield Shard(root["all"], None)
            return
        for digest in file_names(root):
            name = f"lists/{digest}.bin"
            if name not in self._files:
                self._files[name] = self._file(name)
            raw = self._files[name]
            yield from [Shard(raw, self.root.get("table"))] if "words" in raw else self._below(raw, file_names)

    def search(self, query: str, limit: int = MAX_ROWS) -> list[Hit]:
        """Return the best pages; the last word is completed if no blank follows."""
        words = list(dict.fromkeys(typed(query)))
        last = [] if query[-1:].isspace() else typed(query)[-1:]
        content_words = [word for word in words if word not in self.root["stop"]] or words
        longest = sorted(content_words, key=lambda word: -len(word.encode("utf-16-le")))[:MAX_WORDS]
        searched = [word for word in content_words if word in longest and not (word in last and LETTER.fullmatch(word))]
        results = [*self._matches(searched, last)]
        is_single = len(words) == 1 and all(factor == 1 for _, factor in results)
        pages = defaultdict[str, list[tuple[Entry, int, float]]](list)
        for pages_of_word, factor in results:
            for entry in pages_of_word.entries:
                impact = entry.impact if is_single else entry.impact % UNIT * factor
                pages[entry.url].append((entry, pages_of_word.rarity, impact))
        scores = {
            url: sum(impact for _, _, impact in row) + (0 if is_single else _gain(query, [entry for entry, _, _ in row]))
            for url, row in pages.items()
        }
        best = sorted(scores, key=lambda url: (-scores[url], utf16(url)))[:limit]
        return [Hit(*max(pages[url], key=lambda page: page[1])[0][:4], scores[url]) for url in best]

    def _matches(self, words: list[str], last: Collection[str]) -> Iterator[tuple[RankedPages, float]]:
        for word in words:
            completes = word in last and len(word) > 1
            shards = self.shards_of(word, completes=completes)
            exact = next((listed for shard in shards if (listed := shard.get(word))), None)
            if exact is not None:
                yield exact, 1
            elif completes:
                yield from _completed([listed for shard in shards for listed in shard.completions(word)])

    def _file(self, name: str) -> Any:
        self.read[name] = (self._base / name).read_bytes()
        return json.loads(inflate(name, self.read[name]))


def _gain(query: str, entries: list[Entry]) -> int:
    """Return the gain of a page with a title or heading that equals the query or begins with it."""
    query_key, title, *headings = (
        key.partition("\t")[0] for key in keys([query, entries[0].title, *(entry.heading for entry in entries)])
    )
    start = f"{query_key} "
    if not query_key:
        return 0
    if query_key == title:
        return TITLE
    if query_key in headings:
        return HEADING
    if f"{title} ".startswith(start):
        return TITLE_PREFIX
    return HEADING_PREFIX if any(f"{heading} ".startswith(start) for heading in headings) else 0


def _completed(lists: list[RankedPages]) -> Iterator[tuple[RankedPages, float]]:
    """Join the lists of several words: the best impact of each page."""
    best: dict[str, Entry] = {}
    for entry in (entry for listed in lists for entry in listed.entries):
        if entry.url not in best or best[entry.url].impact % UNIT < entry.impact % UNIT:
            best[entry.url] = entry
    if best:
        yield RankedPages(tuple(best.values()), min(listed.rarity for listed in lists)), COMPLETED
