"""The tables of a comparison, from its results."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

NAMES = {
    "ranvier": "Ranvier",
    "pagefind": "Pagefind",
    "minisearch": "MiniSearch",
    "flexsearch": "FlexSearch",
    "lunr": "lunr",
    "orama": "Orama",
    "fts5": "FTS5",
}
SHORT = {"loopback": "this machine", "4G: 100 ms, 10 Mbit/s": "4G", "3G: 300 ms, 1.6 Mbit/s": "3G"}
ON_4G = "4G: 100 ms, 10 Mbit/s"

Data = dict[str, Any]
# The format of a value by its unit: seconds, milliseconds, kilobytes, megabytes, a count, a measure from 0 to 1.
UNITS: dict[str, Callable[[float], str]] = {
    "s": lambda value: f"{value:.1f} s",
    "ms": lambda value: f"{value:,.0f} ms" if value >= 10 else f"{value:.1f} ms",
    "kB": lambda value: f"{value / 1000:,.0f} kB",
    "MB": lambda value: f"{value / 1e6:,.1f} MB",
    "": lambda value: f"{value:,.0f}",
    "score": lambda value: f"{value:.3f}".removeprefix("0"),
}


@dataclass(frozen=True, slots=True)
class Column:
    """The value of each library; libraries without a value are missing."""

    head: str
    unit: str
    values: dict[str, float]

    def figure(self, peer: str) -> str:
        """Write a value, or nothing."""
        return UNITS[self.unit](self.values[peer]) if peer in self.values else ""


@dataclass(frozen=True, slots=True)
class Table:
    """Some columns; the file name of the plot ends in `name`, `about` describes the measurement."""

    name: str
    title: str
    about: str
    columns: tuple[Column, ...]


def tables(data: Data) -> Iterator[Table]:
    """Yield all tables."""
    yield _indexes(data)
    yield _first(data)
    yield _session(data)
    yield _typing(data)
    yield _item_table(data)
    if judged := _judged(data):
        yield judged


def noise(data: Data) -> float:
    """Return the median of the relative differences between the times of two equal visits."""
    pairs = []
    for figures in (visits for peer in data["first/loopback"].values() for visits in peer.values()):
        half = len(figures) // 2
        pairs += [(first["ms"], second["ms"]) for first, second in zip(figures[:half], figures[half:], strict=True)]
    return median(2 * abs(first - second) / (first + second) for first, second in pairs)


def spread(data: Data) -> tuple[float, float]:
    """Return the shortest and the longest first full ranking on the 4G line, in parts of the median; of the middle peer."""
    peers = [[item["ms"] for item in peer["full"]] for peer in data[f"first/{ON_4G}"].values()]
    return median(min(times) / median(times) for times in peers), median(max(times) / median(times) for times in peers)


def _indexes(data: Data) -> Table:
    costs = {name: data[f"index/{name}"] for name in NAMES}
    rows = (("Time", "s", "wall"), ("Processor", "s", "cpu"), ("Memory", "MB", "memory"), ("Files", "", "files"))
    columns = [Column(head, unit, {name: cost[key] for name, cost in costs.items()}) for head, unit, key in rows]
    columns.append(Column("Index", "MB", {name: cost["data"] for name, cost in costs.items()}))
    totals = {name: costs[name]["bytes"] for name in ("ranvier", "pagefind")}
    columns.append(Column("Index and code", "MB", totals))
    runs = max(len(cost["runs"]) for cost in costs.values())
    about = (
        f"Ranvier and Pagefind read HTML, the others one JSON file. Each index was made {runs} times; medians. *Memory* is "
        "that of the largest process. *Index* depends on the pages, as stored on the host. The next table has the code of "
        "the JavaScript libraries."
    )
    return Table("index", "Making the index", about, tuple(columns))


def _first(data: Data) -> Table:
    on_4g = data[f"first/{ON_4G}"]
    columns = [
        Column(head, unit, {name: _middle(peer["full"], key) for name, peer in on_4g.items()})
        for head, unit, key in (("Code", "kB", "code"), ("Fetched", "kB", "bytes"), ("Files", "", "files"))
    ]
    for title, method in (("First answer", "first"), ("Words", "words"), ("Full", "full")):
        for line, short in SHORT.items():
            peers = data[f"first/{line}"].items()
            values = {name: _middle(peer.get(method, peer["full"]), "ms") for name, peer in peers}
            columns.append(Column(f"{title}, {short}", "ms", values))
    about = (
        "A visitor is on a page and asks; nothing has been fetched before. *First answer* is the first list of pages, *words* "
        "the ranking by words, *full* the ranking of the finished query. Only Ranvier has three; in its *full* ranking "
        "meaning counts beside words if the query has three words or more. *Code*, *fetched* and *files* are up to the full "
        "ranking on the 4G line."
    )
    return Table("first", "The first search of a visitor", about, tuple(columns))


def _session(data: Data) -> Table:
    columns = [_sum("Fetched", "kB", data, "bytes"), _sum("Files", "", data, "files")]
    for line, short in SHORT.items():
        peers = data[f"session/{line}"].items()
        columns.append(Column(f"Each further, {short}", "ms", {name: median(items[0]["ms"][1:]) for name, items in peers}))
    for line, short in SHORT.items():
        peers = data[f"session/{line}"].items()
        columns.append(Column(f"All ten, {short}", "s", {name: sum(items[0]["ms"]) / 1000 for name, items in peers}))
    about = (
        "One visitor asks ten different queries and waits for each full ranking. *Fetched* and *files* are those of the whole "
        "visit on the 4G line, with what Ranvier fetches ahead. *All ten* adds up the time that the visitor waits."
    )
    return Table("session", "Ten searches", about, tuple(columns))


def _sum(head: str, unit: str, data: Data, key: str) -> Column:
    return Column(head, unit, {name: items[0][key] for name, items in data[f"session/{ON_4G}"].items()})


def _typing(data: Data) -> Table:
    on_4g = data[f"typing/{ON_4G}"].items()
    columns = [
        Column("Fetched", "kB", {name: _middle(items, "bytes") for name, items in on_4g}),
        Column("Files", "", {name: _middle(items, "files") for name, items in on_4g}),
    ]
    for line, short in SHORT.items():
        peers = data[f"typing/{line}"].items()
        columns.append(Column(f"Rows, {short}", "ms", {name: _middle(items, "ms") for name, items in peers}))
    about = (
        "A visitor types a word, a letter every 150 ms, and each key asks. *Rows* is the time from the last key to the rows "
        "of the word: of Ranvier the suggestions, while its engine is still loading. *Fetched* and *files* are those of the "
        "4G line, with the engine."
    )
    return Table("typing", "Typing a word", about, tuple(columns))


def _item_table(data: Data) -> Table:
    columns = [
        Column(f"Again, {head}", "ms", {name: data[f"warm/{name}"][key] for name in NAMES})
        for head, key in (("median", "median"), ("95th percentile", "p95"))
    ]
    counts = data["known queries"]
    for kind, head in (("titles", "Titles"), ("headings", "Headings"), ("phrases", "Phrases")):
        columns.append(Column(f"{head}, MRR@10", "score", {name: data[f"known/{name}"][kind] for name in NAMES}))
    about = (
        f"{counts['titles']} titles and {counts['headings']} headings that stand on one page only, and {counts['phrases']} "
        "headings of two to six words in their exact letters. *MRR@10* is the mean of 1 / rank of the page, 0 beyond rank 10. "
        "*Again* is the time of a full ranking whose files are already there, of Ranvier with meaning. FTS5 runs in Python, "
        "not in a browser."
    )
    return Table("known", "Known items", about, tuple(columns))


def _judged(data: Data) -> Table | None:
    names = [key.partition("/")[2] for key in data if key.startswith("judged queries/")]
    columns = []
    for name in sorted(names):
        for measure in ("nDCG@10", "recall@100"):
            values = {peer: data[f"judged/{name}/{peer}"][measure] for peer in NAMES}
            columns.append(Column(f"{name}, {measure}", "score", values))
    sizes = {name: data[f"judged queries/{name}"] for name in sorted(names)}
    counts = "; ".join(f"`{name}`: {queries:,} queries, {docs:,} documents" for name, (queries, docs) in sizes.items())
    about = f"Queries with judged documents. {counts}. Each document is a page."
    return Table("judged", "Judged collections", about, tuple(columns)) if columns else None


def _middle(items: list[Data], key: str) -> float:
    return median(item[key] for item in items)
