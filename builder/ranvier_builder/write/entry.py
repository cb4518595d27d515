"""The entry file, the only one without a digest in its name. It is written last, because it refers to all new files."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ranvier import __version__
from ranvier.store.format import FORMAT

from ranvier_builder.assets import Assets
from ranvier_builder.output import BASE, ENTRY
from ranvier_builder.write.files import size_and_integrity
from ranvier_builder.write.store import StoreResult


def write_entry(
    base: Path, title: str, lang: str, assets: Assets, stored: StoreResult, more: Mapping[str, Any] | None = None
) -> None:
    """Write `entry.json` below `base`, the site's `_ranvier` folder."""
    engine = {name.rpartition("/")[2]: path for name, path in assets.files.items() if name.startswith(f"{assets.engine}/")}
    entry = {
        "format": FORMAT,
        "version": __version__,
        "site": {"title": title, "lang": lang},
        "api": f"{assets.web}/api.js",
        "engine": f"{assets.engine}/",
        "engineFiles": {name: size_and_integrity(path.read_bytes()) for name, path in sorted(engine.items())},
        "core": assets.core,
        "langs": assets.langs,
        "titles": stored.titles,
        "lists": stored.lists,
        "folders": stored.folders,
        "manifest": stored.manifest,
        "hot": stored.hot,
        "vectors": [*stored.meaning],
        **({"translations": {**stored.translations}} if stored.translations else {}),
        **(more or {}),
    }
    _write(base, entry)


def name_build(base: Path, site: Path) -> None:
    """Add `build` to the entry file below `base`: a digest of it and of all files of the site outside of `_ranvier`.

    A browser with cached pages detects with it that they belong to another build, even if all search files are the same.
    """
    hasher = hashlib.sha256((base / ENTRY).read_bytes())
    for at, folders, names in os.walk(site):
        skipped = {name for name in (*folders, *names) if name.startswith(".")} | ({BASE} if Path(at) == site else set())
        folders[:] = sorted({*folders} - skipped)
        for file in (Path(at, name) for name in sorted({*names} - skipped)):
            hasher.update(hashlib.sha256(os.fsencode(file.relative_to(site).as_posix())).digest())
            hasher.update(_digest(file))
    add_to_entry(base, {"build": hasher.hexdigest()[:24]})


def add_to_entry(base: Path, more: Mapping[str, Any]) -> None:
    """Add keys to the entry file below `base`."""
    _write(base, json.loads((base / ENTRY).read_bytes()) | more)


def _digest(file: Path) -> bytes:
    """Return the digest of a file's content. A file that cannot be read counts as empty: no host can send it either."""
    with suppress(OSError):
        if file.is_file():
            with file.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").digest()
    return hashlib.sha256().digest()


def _write(base: Path, entry: Mapping[str, Any]) -> None:
    (base / ENTRY).write_text(json.dumps(entry, ensure_ascii=False, indent=1) + "\n", "utf-8", newline="\n")
