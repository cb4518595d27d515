"""Writes the pieces to disk under `_ranvier/`: each is named by its digest, the manifest is written last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from ranvier.store.files import read_files, steps
from ranvier.store.format import DIGEST, FORMAT, deflate, digest, pack
from ranvier.store.manifest import SUBSTRING
from ranvier.store.tables import SUBSTRINGS
from ranvier.text import ANALYSER

from ranvier_builder.heap import trim_heap
from ranvier_builder.model import Rendered
from ranvier_builder.write.analyse import analyse, terms_of
from ranvier_builder.write.facts import Collection, Facts
from ranvier_builder.write.files import put, write_hashed
from ranvier_builder.write.lists import write_lists
from ranvier_builder.write.repeats import repeated_passages
from ranvier_builder.write.shards import LARGE_SHARD, MANY_PAGES, SHARD, text_shards
from ranvier_builder.write.snapshot import PAGE_SIZE, write_snapshot
from ranvier_builder.write.split import SplitSnapshot, SubstringFiles, split_snapshot
from ranvier_builder.write.titles import write_titles
from ranvier_builder.write.translations import Translations
from ranvier_builder.write.vectors import write_vectors
from ranvier_builder.write.versions import newest_versions
from ranvier_builder.write.vocabulary import shards

TEXTS = 1_600  # maximum number of text shards in the manifest, 15 bytes each; above it, lists name them …
TEXTS_LISTED = 128  # … with this many each
BOUNDS = 200  # maximum number of substring posting files whose term bounds are in the manifest
# zlib levels; the fast one for most of the index: positions compress badly, and level 9 takes as long as all the rest
_BEST_LEVEL, _FAST_LEVEL = 9, 6
Start = Callable[..., AbstractContextManager[Callable[[], Any]]]


@dataclass(frozen=True, slots=True)
class StoreResult:
    """The files that the entry file must name, and the number of chunks."""

    manifest: str
    hot: str
    chunks: int
    vectors: int = 0
    titles: str | None = None
    lists: str | None = None
    folders: str | None = None
    meaning: tuple[str, ...] = ()  # the files that a search by meaning loads first
    translations: Mapping[str, str] = field(default_factory=dict)  # language → its folder in addresses


def start_later(call: Callable[..., Any], *args: Any) -> AbstractContextManager[Callable[[], Any]]:
    """Call a function when its result is needed."""
    return nullcontext(partial(call, *args))


def write_store(
    base: Path,
    work: Path,
    rendered: Sequence[Rendered],
    collection: Collection,
    assets: dict[str, Path],
    start: Start = start_later,
) -> StoreResult:
    """Write all search files below `base`.

    Args:
        base: the `_ranvier` folder.
        work: a folder for unpublished files.
        rendered: the published pages.
        collection: the data of all pages together.
        assets: the engine's files by name, which the manifest lists.
        start: starts a call in another process, and gives a function that waits for its result.

    """
    indexed = [_with_terms(page, collection) for page in rendered if not page.page.neuron.noindex]
    facts = Facts(indexed, collection)
    newest = newest_versions(indexed)
    repeats = repeated_passages(indexed, newest)
    list_arguments = base, indexed, facts, collection.tuning, newest, repeats, work
    vector_arguments = indexed, collection.lang, collection.model, partial(put, base / "vectors"), work
    start_vectors = start if collection.model else start_later
    with start(write_lists, *list_arguments) as lists_of, start_vectors(write_vectors, *vector_arguments) as vectors_of:
        database = work / "snapshot.sqlite"
        count = write_snapshot(database, indexed, facts, substring=collection.substring)
        split = split_snapshot(database)
        words = shards(terms.words for terms in map(terms_of, indexed))
        substrings = _put_substrings(base, split.substrings)
        trim_heap()
        titles = write_titles(base, indexed, collection.folders, newest.keys())
        trim_heap()
        vectors, vector_count = vectors_of()
        trim_heap()
        lists = lists_of()
    hit_facts = {
        "weights": facts.weights(),
        "linked": facts.linked(),
        "versions": _columns(newest),
        "repeats": _columns(repeats),
    }
    translations = Translations(indexed, collection.lang)
    hot = pack(split.hot | hit_facts | translations.columns() | {"tuning": collection.tuning})
    asset_digests = {name: _size_and_digest(file.read_bytes()) for name, file in sorted(assets.items())} | {
        "hot": _size_and_digest(hot)
    }
    manifest = pack(
        {
            "format": FORMAT,
            "analyser": ANALYSER,
            "langs": facts.langs(),
            "page_size": PAGE_SIZE,
            "page_count": split.page_count,
            "packs": _put_packs(base, split, substrings),
            "terms": _put_lists(base, split),
            "sizes": {name: _put_sizes(base, parts) for name, parts in split.sizes.items()},
            # If they are many, only their pack has them.
            "bounds": {SUBSTRINGS: substrings["bounds"]} if 0 < len(split.substrings.files) <= BOUNDS else {},
            "words": put(base / "words", [pack(shard) for _, shard in words]),
            "word_first": [first for first, _ in words],
            **_put_texts(base, text_shards(indexed, collection.lang, SHARD if len(indexed) <= MANY_PAGES else LARGE_SHARD)),
            # The first chunk of each Neuron, as steps.
            "neuron_first": [1, *(len(page.chunks) for page in indexed)][: len(indexed)],
            "chunk_count": count,
            "vectors": vectors,
            "titles": [titles[0][:DIGEST], titles[1][:1]],
            "inventory": put(base / "packs", [pack({"titles": titles, "lists": lists, "assets": asset_digests})]),
        }
    )
    first_files = tuple(read_files("vectors", vectors[part]).name(0) for part in ("head", "tokens")) if vectors else ()
    names = (write_hashed(base, "manifest", manifest), write_hashed(base, "hot", hot))
    last = read_files("titles", titles).name(len(titles[1]) - 1) if collection.folders else None
    roots = _root("titles", titles), _root("lists", lists)
    return StoreResult(*names, count, vector_count, *roots, last, first_files, translations.folders(newest))


def _with_terms(page: Rendered, collection: Collection) -> Rendered:
    if page.terms is not None:
        return page
    addresses = page.page.slug, page.page.url
    return replace(page, terms=analyse(page.page.neuron, page.chunks, collection.lang, addresses))


def _columns(numbers: Mapping[int, int]) -> list[list[int]]:
    """Write the keys of a map, which rise, as steps, then its values."""
    return [steps(numbers), [*numbers.values()]]


def _put_substrings(base: Path, split: SubstringFiles) -> dict[str, Any]:
    files = put(base / "index", (deflate(data, _FAST_LEVEL) for data in split.files))
    return split.head | {"pages": steps(split.head["pages"]), "bounds": [files, [*split.first], [*split.last]]}


def _put_texts(base: Path, shards: Iterable[list[Any]]) -> dict[str, Any]:
    """Write text shards, and lists of them if they are many; return their part of the manifest."""
    first: list[int] = []

    def packed() -> Iterator[bytes]:
        for shard in shards:
            first.append(shard[0][0])
            yield pack(shard)

    digests, sizes = files = put(base / "text", packed())
    if len(first) <= TEXTS:
        return {"text": files, "text_first": steps(first), "text_per_list": 0}
    starts = range(0, len(first), TEXTS_LISTED)
    lists = []
    for at in starts:
        end = at + TEXTS_LISTED
        lists.append([steps(first[at:end]), digests[at * DIGEST : end * DIGEST], sizes[at:end]])
    files = put(base / "packs", map(pack, lists))
    return {"text": files, "text_first": steps(first[at] for at in starts), "text_per_list": TEXTS_LISTED}


def _put_lists(base: Path, split: SplitSnapshot) -> dict[str, Any]:
    """Write the files of words, and lists of them if there are several; return their part of the manifest."""
    level = _BEST_LEVEL if len(split.lists) <= 1 else _FAST_LEVEL
    heads = [part.head | {"files": put(base / "index", (deflate(data, level) for data in part.files))} for part in split.lists]
    if len(heads) <= 1:
        return {"list": heads, "first": [], "files": [b"", []]}
    packs = (pack(head | own) for head, own in zip(heads, split.list_pages, strict=True))
    return {"list": [], "first": [part.first for part in split.lists], "files": put(base / "packs", packs)}


def _put_sizes(base: Path, parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Write files of row sizes; return the first row of each, and their names."""
    first = [part["pages"][0][1] for part in parts]
    return {"first": steps(first), "files": put(base / "packs", [pack(part) for part in parts])}


def _put_packs(base: Path, split: SplitSnapshot, substrings: dict[str, Any]) -> dict[str, list[Any]]:
    """Write the packs; the substring pack also carries its table's page map and digests, and its page runs are not listed."""
    out = {}
    for name, raw in sorted(split.packs.items()):
        table_data = {"tables": {SUBSTRINGS: substrings}} if name == SUBSTRING else {}
        digests, (size,) = put(base / "packs", [pack(raw | table_data)])
        ends = [] if name == SUBSTRING else _ends(split.runs(name))
        out[name] = [size, digests, ends]
    return out


def _ends(runs: Iterable[tuple[int, int]]) -> list[int]:
    """Encode runs of pages as the gap before each and its length."""
    out, end = [], 0
    for first, count in runs:
        out += [first - end, count]
        end = first + count
    return out


def _root(folder: str, row: list[Any]) -> str | None:
    return read_files(folder, row).name(0) if row[0] else None


def _size_and_digest(data: bytes) -> list[Any]:
    return [len(data), digest(data)]
