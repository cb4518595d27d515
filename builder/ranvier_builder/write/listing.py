"""The lists of a build's files, for offline use: what belongs to the build, and what a download of the whole search fetches."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ranvier_builder.output import UNHASHED
from ranvier_builder.paths import files_below
from ranvier_builder.write.files import compact_json, size_and_integrity, write_hashed

# of a digest: 40 bits, so that a file of another build, which must not stay, is never taken for one of 100,000 of this build
DIGITS = 10
# Names that end in a digest of the content.
_BY_DIGEST = re.compile(
    r"(?:(?:index|packs|text|vectors|words|titles|lists)/|(?:manifest|hot|core|langs)-)"
    r"([0-9a-f]{12,24})\.(?:bin|json|wasm)"
)


def write_lists_of_files(base: Path) -> dict[str, str]:
    """List all files that are now below `base`; return the names of the two lists by their keys in the entry file.

    `files` says which files belong to the build. The service worker of each visitor reads it, so it is short: `shell` has the
    files without a digest in their name, with their bytes and integrity in the format of browsers; `digests` has the first
    `DIGITS` digits of the digests of the others, sorted, in a row. `sizes` has the bytes of all files by their names.
    """
    shell: dict[str, list[Any]] = {}
    digests: list[str] = []
    sizes: dict[str, int] = {}
    for name in files_below(base):
        if name in UNHASHED:
            continue
        content = (base / name).read_bytes()
        sizes[name] = len(content)
        if match := _BY_DIGEST.fullmatch(name):
            digests.append(match[1][:DIGITS])
        else:
            shell[name] = size_and_integrity(content)
    lists = {"files": {"shell": shell, "digests": "".join(sorted(digests))}, "sizes": sizes}
    return {key: write_hashed(base, key, compact_json(value), ".json") for key, value in lists.items()}
