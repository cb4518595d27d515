"""The service worker's file. Its name is fixed, because browsers identify it by name; it only imports current modules."""

from __future__ import annotations

import os
from pathlib import Path


def write_worker(file: Path, base: Path, web: str, works_offline: bool) -> str | None:
    """Write a site's service worker.

    Args:
        file: in the site's root, so that its scope includes every page; or in the base, if the rest of the site is not ours.
        base: the `_ranvier` folder.
        web: the name of the modules' folder below the base.
        works_offline: whether the site works offline. Otherwise the worker removes an older worker.

    Returns:
        Its address relative to the base, for `entry.json`; `None` if the site does not work offline.

    """
    modules = (base / web).relative_to(file.parent).as_posix()
    module = "service-worker" if works_offline else "removal"
    file.write_text(f'import "./{modules}/offline/{module}.js";\n', "utf-8", newline="\n")
    return Path(os.path.relpath(file, base)).as_posix() if works_offline else None
