"""The list of a build's files. A browser uses it to download the whole search for offline use."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from ranvier_builder.output import UNHASHED
from ranvier_builder.paths import files_below
from ranvier_builder.write.files import size_and_integrity, write_hashed

# Names that end in a digest of the content.
_BY_DIGEST = re.compile(
    r"(?:(?:index|packs|text|vectors|words|titles|lists)/|(?:manifest|hot|files|core|langs)-)"
    r"[0-9a-f]{12,24}\.(?:bin|json|wasm)"
)


def write_list(base: Path) -> str:
    """List all files that are now below `base`; return the list's own name.

    `shell` has the files without a digest in their name: bytes, and integrity in the format of browsers. `data` has the
    others: bytes.
    """
    shell: dict[str, list[Any]] = {}
    data: dict[str, int] = {}
    for name in files_below(base):
        if name in UNHASHED:
            continue
        content = (base / name).read_bytes()
        if _BY_DIGEST.fullmatch(name):
            data[name] = len(content)
        else:
            shell[name] = size_and_integrity(content)
    listing = json.dumps({"shell": shell, "data": data}, separators=(",", ":"), sort_keys=True).encode()
    return write_hashed(base, "files", listing, ".json")
