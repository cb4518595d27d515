"""The one file without a digest in its name, written last: until it is there, nothing points at the new files."""

from __future__ import annotations

import json
from pathlib import Path

from ranvier import __version__
from ranvier.store.format import FORMAT

from ranvier_builder.assets import Assets
from ranvier_builder.write.store import Stored

# What Pyodide's loader brings by `fetch`; its modules come by `import`. The worker asks for these before the loader can.
_FETCHED = ("pyodide.asm.wasm", "python_stdlib.zip")


def write_entry(base: Path, title: str, lang: str, assets: Assets, stored: Stored) -> None:
    """Write `entry.json` below `base`, the site's `_ranvier` folder."""
    entry = {
        "format": FORMAT,
        "version": __version__,
        "site": {"title": title, "lang": lang},
        "api": f"{assets.web}/api.js",
        "engine": f"{assets.engine}/",
        "engineFiles": {name: assets.files[f"{assets.engine}/{name}"].stat().st_size for name in _FETCHED},
        "core": assets.core,
        "manifest": stored.manifest,
        "hot": stored.hot,
    }
    (base / "entry.json").write_text(json.dumps(entry, ensure_ascii=False, indent=1) + "\n", "utf-8", newline="\n")
