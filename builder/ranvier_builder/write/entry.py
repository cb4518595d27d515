"""The one file without a digest in its name, written last: until it is there, nothing points at the new files."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ranvier import __version__
from ranvier.store.format import FORMAT

from ranvier_builder.assets import Assets
from ranvier_builder.write.store import Stored


def write_entry(
    base: Path, title: str, lang: str, assets: Assets, stored: Stored, more: Mapping[str, Any] | None = None
) -> None:
    """Write `entry.json` below `base`, the site's `_ranvier` folder."""
    engine = {name.rpartition("/")[2]: path for name, path in assets.files.items() if name.startswith(f"{assets.engine}/")}
    snapshot = [assets.snapshot, *_sealed(assets.files[assets.snapshot])] if assets.snapshot else None
    entry = {
        "format": FORMAT,
        "version": __version__,
        "site": {"title": title, "lang": lang},
        "api": f"{assets.web}/api.js",
        "engine": f"{assets.engine}/",
        "engineFiles": {name: _sealed(path) for name, path in sorted(engine.items())},
        "snapshot": snapshot,
        "core": assets.core,
        "langs": assets.langs,
        "titles": stored.titles,
        "manifest": stored.manifest,
        "hot": stored.hot,
        "vectors": [*stored.meaning],
        **(more or {}),
    }
    (base / "entry.json").write_text(json.dumps(entry, ensure_ascii=False, indent=1) + "\n", "utf-8", newline="\n")


def _sealed(path: Path) -> list[Any]:
    """Return a file's size, and its digest as browsers compare it: nothing of the engine runs before."""
    data = path.read_bytes()
    return [len(data), f"sha256-{base64.b64encode(hashlib.sha256(data).digest()).decode()}"]
