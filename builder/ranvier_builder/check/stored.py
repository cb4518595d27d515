"""Check that `_ranvier/` is what was built: entry → manifest → every file that it names, and no other files (M1).

Each file is compared with its digest, and the index must answer a search. The numbers in the index are not checked here, and
of encrypted layers only that they are there: their names and contents are secret.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from ranvier import RanvierError, open_snapshot
from ranvier.store.files import Files, read_files
from ranvier.store.format import checked_by_name, digest, inflate, unpack
from ranvier.store.manifest import SUBSTRING, Leaves, Manifest, read_leaves, read_manifest
from ranvier.store.source import FolderSource
from ranvier.store.terms import read_term_list
from ranvier.store.texts import Passage, read_list, read_shard
from ranvier.text import STOP_WORDS, words

from ranvier_builder.check.findings import Finding, SiteHealth
from ranvier_builder.check.vectors import missing_vectors, read_file, read_vectors
from ranvier_builder.model import Progress
from ranvier_builder.output import LAYERS, UNHASHED
from ranvier_builder.paths import files_below

_DIGEST_FOLDER = "pagefind-"  # folders whose name has a digest of all their files
_WRAPPED_KEYS = re.compile(rf"{LAYERS}/[^/]+\.json")
_LIST_OF_FILES = re.compile(r"(?:files|sizes)-([0-9a-f]{24})\.json")
_MAX_PROBES = 50  # number of chunks from which a search word is chosen


def check_stored(base: Path, progress: Progress) -> SiteHealth:
    """Check a `_ranvier` folder; each problem is a finding, never an exception."""
    out = SiteHealth()
    sizes = {name: (base / name).stat().st_size for name in files_below(base)}
    out.files, out.bytes = len(sizes), sum(sizes.values())
    try:
        entry = FolderSource(base).entry()
        manifest = read_manifest(checked_by_name(entry["manifest"], FolderSource(base).read(entry["manifest"])))
    except RanvierError as error:
        check = "missing_file" if error.code == "fetch" else "damaged_file"
        out.findings.append(Finding(check, "entry.json", 0, f"the site cannot be opened: {error}"))
        return out
    try:
        _check_files(base, entry, manifest, sizes, out, progress)
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        # The digest is valid and the values are not: Ranvier did not build it. The check continues.
        out.findings.append(Finding("damaged_file", entry["manifest"], 0, f"has unexpected content: {error!r}"))
    return out


def _check_files(
    base: Path, entry: dict[str, Any], manifest: Manifest, sizes: dict[str, int], out: SiteHealth, progress: Progress
) -> None:
    tables, tables_complete = _tables(base, manifest)
    vectors = read_vectors(base, manifest)
    inventory = read_inventory(base, manifest)
    texts, texts_complete = _texts(base, manifest)
    words, words_complete = _words(base, manifest)
    index_files = [*_manifest_files(manifest, tables), *texts, *words]
    expected = _expected_files(entry, inventory, [*index_files, *vectors.files])
    for key in sorted(entry.keys() & {"files", "sizes"}):
        list_name = str(entry[key])
        if match := _LIST_OF_FILES.fullmatch(list_name):
            expected[list_name] = sizes.get(list_name, 0), bytes.fromhex(match[1])
        else:
            out.findings.append(Finding("damaged_file", "entry.json", 0, f"{key} cannot be {entry[key]!r}"))
    progress("Checking files", len(expected))
    for name, (size, file_digest) in sorted(expected.items()):
        out.findings += _check_file(base, name, sizes.get(name), size, file_digest)
        progress("", 1)
    expected_names = expected.keys() | UNHASHED | {entry["manifest"]}
    expected_names |= {name for name in sizes if name.startswith(_DIGEST_FOLDER)}
    out.findings += _changed_folders(base, sizes)
    expected_names |= _layer_files(base, entry, sizes, out)
    complete = {
        "index/": tables_complete and words_complete,
        "vectors/": vectors.is_complete,
        "text/": texts_complete,
        "": inventory is not None,
    }
    unknown = tuple(folder for folder, is_known in complete.items() if not is_known)
    unnamed = sorted(name for name in sizes.keys() - expected_names if not name.startswith(unknown))
    out.findings += [Finding("unnamed_file", name, 0, "is not named by a manifest") for name in unnamed]
    out.findings += _check_entry(entry, inventory, sizes) if inventory is not None else ()
    out.chunks, out.neurons = manifest.chunk_count, manifest.neuron_count
    out.vectors, out.model = (vectors.head.count, vectors.head.model) if vectors.head is not None else (0, "")
    passages = [passage for files in texts for shard in _shards(base, files) for passage in shard.values()]
    out.urls |= {passage.neuron.url for passage in passages}
    if not any(finding.check in ("missing_file", "damaged_file") for finding in out.findings):
        out.findings += missing_vectors(vectors, passages)
    out.findings += _check_search(base, index_files, passages)


def read_inventory(base: Path, manifest: Manifest) -> dict[str, tuple[int, bytes]] | None:
    """Return sizes and digests of the files that the core does not read; `None` if their list is damaged."""
    if len(manifest.inventory.sizes) != 1:
        raise ValueError("the inventory is missing")
    try:
        raw: Any = unpack("the inventory", read_file(base, manifest.inventory))
    except (OSError, RanvierError):
        return None
    rows = [read_files(folder, raw[folder]) for folder in ("titles", "lists")]
    return {name: (size, digest) for name, (size, digest) in raw["assets"].items()} | _sizes_and_digests(rows)


def _words(base: Path, manifest: Manifest) -> tuple[list[Files], bool]:
    """Return the posting files of words, and whether they are complete: a list of them may be damaged."""
    files = [term_list.files for term_list in manifest.terms.whole]
    lists = manifest.terms.lists
    for number in range(len(lists.sizes)):
        with suppress(OSError, RanvierError, LookupError, TypeError, ValueError):
            files.append(read_term_list(unpack("a list", read_file(base, lists, number))).files)
    return files, len(files) == len(manifest.terms.whole) + len(lists.sizes)


def _texts(base: Path, manifest: Manifest) -> tuple[list[Files], bool]:
    """Return the text shards, and whether they are complete: a list of them may be damaged."""
    if not manifest.text_per_list:
        return [manifest.text], True
    lists = []
    for number in range(len(manifest.text.sizes)):
        with suppress(OSError, RanvierError, TypeError, ValueError):
            lists.append(read_list("a list", read_file(base, manifest.text, number)).files)
    return lists, len(lists) == len(manifest.text.sizes)


def _tables(base: Path, manifest: Manifest) -> tuple[dict[str, Leaves], bool]:
    """Return the posting leaves in the pack of substrings, and whether they are complete: the pack may be damaged."""
    pack = manifest.packs.get(SUBSTRING)
    if pack is None:
        return {}, True
    try:
        raw: Any = unpack("a pack", read_file(base, pack.files))
        return {table: read_leaves(leaves) for table, leaves in raw["tables"].items()}, True
    except (OSError, RanvierError, LookupError, TypeError, ValueError, AttributeError):
        return {}, False


def _changed_folders(base: Path, names: Iterable[str]) -> Iterator[Finding]:
    """Report folders of `ranvier index --pagefind` that do not have the digest in their name."""
    folders: dict[str, list[str]] = {}
    for name in sorted(names):
        folder, _, file_name = name.partition("/")
        if folder.startswith(_DIGEST_FOLDER):
            folders.setdefault(folder, []).append(file_name)
    for folder, file_names in folders.items():
        try:
            listing = b"".join(name.encode() + b"\0" + digest((base / folder / name).read_bytes()) for name in file_names)
        except OSError as error:
            yield Finding("damaged_file", f"{folder}/", 0, f"cannot be read: {error.strerror}")
            continue
        if folder != f"{_DIGEST_FOLDER}{digest(listing)[:6].hex()}":
            yield Finding("damaged_file", f"{folder}/", 0, "its files were changed")


def _layer_files(base: Path, entry: dict[str, Any], names: Iterable[str], out: SiteHealth) -> set[str]:
    """Return the files of encrypted layers: the wrapped keys, and all files in the folders that they name.

    With the setting `unlock` the entry file does not name the wrapped keys.
    """
    locked = str(entry.get("locked", ""))
    files = {locked} if locked else set(filter(_WRAPPED_KEYS.fullmatch, names))
    for key_file in sorted(files):
        try:
            folders = [f"{LAYERS}/{layer['id']}/" for layer in json.loads((base / key_file).read_bytes())["layers"]]
        except FileNotFoundError:
            out.findings.append(Finding("missing_file", key_file, 0, "is missing, although the entry file names it"))
            continue
        except (OSError, ValueError, LookupError, TypeError):
            out.findings.append(Finding("damaged_file", key_file, 0, "is not a file of wrapped keys"))
            continue
        for folder in folders:
            layer = {name for name in names if name.startswith(folder)}
            if not layer:
                out.findings.append(Finding("missing_file", folder, 0, f"is missing, although {key_file} names it"))
            files |= layer
    return files


def _expected_files(
    entry: dict[str, Any], inventory: dict[str, tuple[int, bytes]] | None, files: Iterable[Files]
) -> dict[str, tuple[int, bytes]]:
    """Return size and digest of every file whose digest is in another file."""
    return {entry["hot"] if name == "hot" else name: row for name, row in (inventory or {}).items()} | _sizes_and_digests(files)


def _sizes_and_digests(all_files: Iterable[Files]) -> dict[str, tuple[int, bytes]]:
    return {files.name(at): (size, files.digest(at)) for files in all_files for at, size in enumerate(files.sizes)}


def _manifest_files(manifest: Manifest, tables: dict[str, Leaves]) -> list[Files]:
    """Return all deflated files in the manifest and in the pack of substrings."""
    packs = [pack.files for pack in manifest.packs.values()]
    sizes = [sizes.files for sizes in manifest.sizes.values()]
    others = [*sizes, manifest.terms.lists, manifest.words, manifest.text, manifest.inventory]
    return [*(leaves.bounds.files for leaves in tables.values()), *packs, *others]


def _check_file(base: Path, name: str, actual_size: int | None, size: int, expected_digest: bytes) -> Iterator[Finding]:
    if actual_size is None:
        yield Finding("missing_file", name, 0, "is missing, although the manifest names it")
    elif actual_size != size:
        yield Finding("damaged_file", name, 0, f"has {actual_size:,} bytes instead of {size:,}")
    else:
        try:
            if digest((base / name).read_bytes()) != expected_digest:
                yield Finding("damaged_file", name, 0, "its content was changed")
        except OSError as error:
            yield Finding("damaged_file", name, 0, f"cannot be read: {error.strerror}")


def _check_entry(
    entry: dict[str, Any], inventory: dict[str, tuple[int, bytes]], file_sizes: dict[str, int]
) -> Iterator[Finding]:
    """Compare the entry file's data for browsers with the files."""
    engine = str(entry.get("engine", ""))
    for key in ("api", "core", "langs", "titles", "lists", "folders"):
        if entry.get(key) is not None and entry[key] not in inventory:
            yield Finding("damaged_file", "entry.json", 0, f"{key} names {entry[key]!r}, but the inventory does not")
    sizes = entry.get("engineFiles", {})
    for name, value in sorted(sizes.items() if isinstance(sizes, dict) else ()):
        file_size = file_sizes.get(f"{engine}{name}")
        size = value[0] if isinstance(value, list) and value else value
        if file_size is not None and file_size != size:
            yield Finding(
                "damaged_file", "entry.json", 0, f"gives {name} a size of {size} bytes, but the file has {file_size:,}"
            )


def _shards(base: Path, files: Files) -> Iterator[dict[int, Passage]]:
    """Yield the intact text shards; damaged ones are reported already."""
    for number in range(len(files.sizes)):
        with suppress(OSError, RanvierError, ValueError, TypeError):
            yield read_shard("a shard", read_file(base, files, number))


def _check_search(base: Path, index_files: Iterable[Files], passages: Iterable[Passage]) -> Iterator[Finding]:
    """Unpack all index files, open the snapshot and search for a word of its text."""
    for name in _sizes_and_digests(index_files):
        try:
            inflate(name, (base / name).read_bytes())
        except (OSError, RanvierError) as error:
            yield Finding("no_search", name, 0, f"an index file cannot be read: {error}")
    bodies = (passage.body for passage in islice(passages, _MAX_PROBES))
    word = next((f'"{name}"' for body in bodies for name, _, _ in words(body) if _is_distinctive(name)), "")
    try:
        with open_snapshot(base) as library:
            hits = library.search(word).total_hits
    except Exception as error:  # also SQLite's errors: any error that a search can raise
        yield Finding("no_search", "entry.json", 0, f"the snapshot cannot be searched: {error}")
        return
    if word and not hits:
        yield Finding("no_search", "entry.json", 0, f"a text contains the word {word}, but the search does not find it")


def _is_distinctive(word: str) -> bool:
    return len(word) > 3 and word.lower() not in STOP_WORDS
