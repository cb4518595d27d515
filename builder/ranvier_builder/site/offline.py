"""The service worker's own file. Its name stays, for browsers know it by that; all it does is to name the modules of today."""

from __future__ import annotations

from pathlib import Path

from ranvier_builder.output import BASE, WORKER, WORKER_BESIDE


def write_worker(site: Path, web: str, wanted: bool) -> str | None:
    """Write a built site's service worker to the site's top: from there it may answer for every page.

    Args:
        site: the folder that is being written.
        web: the modules' folder, by its name below the base.
        wanted: the site is to work without a network. Otherwise a worker is written that takes an older one away.

    Returns:
        What `entry.json` says of it: its address, as seen from the base.

    """
    return _write(site / WORKER, f"./{BASE}/{web}", wanted, f"../{WORKER}")


def write_worker_beside(base: Path, web: str, wanted: bool) -> str | None:
    """Write the service worker of a site that another generator built; as `write_worker`, but into the base itself."""
    return _write(base / WORKER_BESIDE, f"./{web}", wanted, WORKER_BESIDE)


def _write(file: Path, modules: str, wanted: bool, address: str) -> str | None:
    module = "service-worker" if wanted else "removal"
    file.write_text(f'import "{modules}/offline/{module}.js";\n', "utf-8", newline="\n")
    return address if wanted else None
