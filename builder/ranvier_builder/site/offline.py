"""The service worker's file. Its name is fixed, because browsers identify it by name; it only imports current modules."""

from __future__ import annotations

from pathlib import Path

from ranvier_builder.output import BASE, WORKER, WORKER_BESIDE


def write_worker(site: Path, web: str, wanted: bool) -> str | None:
    """Write a built site's service worker to the site's root, so that its scope includes every page.

    Args:
        site: the output folder.
        web: the name of the modules' folder below the base.
        wanted: whether the site works offline. Otherwise the worker removes an older worker.

    Returns:
        Its address relative to the base, for `entry.json`; `None` if it is not wanted.

    """
    return _write(site / WORKER, f"./{BASE}/{web}", wanted, f"../{WORKER}")


def write_worker_beside(base: Path, web: str, wanted: bool) -> str | None:
    """Write the service worker of a site that another generator built; like `write_worker`, but into the base."""
    return _write(base / WORKER_BESIDE, f"./{web}", wanted, WORKER_BESIDE)


def _write(file: Path, modules: str, wanted: bool, address: str) -> str | None:
    module = "service-worker" if wanted else "removal"
    file.write_text(f'import "{modules}/offline/{module}.js";\n', "utf-8", newline="\n")
    return address if wanted else None
