"""`ranvier build --layers`: the public site, and beside it the build of each further audience, sealed.

Each layer is exactly the site that `--audience` builds, so the leak proof of that build is the proof of the layer, and after
unlocking a search has the hits, the order and the scores of that site.
"""

from __future__ import annotations

import filecmp
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path

from ranvier_builder.audience import AUDIENCES
from ranvier_builder.config import Config
from ranvier_builder.errors import BuildError, ConfigError
from ranvier_builder.layers.container import DIRECTORY, MARK, Container
from ranvier_builder.layers.key_file import LayerKey, public_keys, read_keys
from ranvier_builder.model import Progress, Report, silent
from ranvier_builder.output import BASE, LAYERS, WRITTEN, replace_output
from ranvier_builder.paths import files_below
from ranvier_builder.pipeline import build
from ranvier_builder.work.database import Memory
from ranvier_builder.write.entry import add_to_entry
from ranvier_builder.write.files import compact_json

LOCKED = "locked"  # default name of the file with the wrapped keys


def build_layers(
    content: Path,
    out: Path,
    config: Config,
    audiences: Sequence[str],
    key_file: Path,
    progress: Progress = silent,
    *,
    executor: Executor | None = None,
    memory: Memory | None = None,
) -> list[Report]:
    """Build a public site with encrypted layers; return the report of each audience, the first is the public one.

    Raises:
        BuildError: with the cure. The old site is unchanged.

    """
    _check_key_file(key_file, content, out)
    keys = _keys_of_layers(read_keys(key_file), audiences, key_file)
    with replace_output(out, content) as work:
        reports = []
        for audience in audiences:
            site, settings = work.scratch / audience, replace(config, publish_for=audience)
            reports.append(build(content, site, settings, progress, executor=executor, memory=memory, final_out=out))
        work.site.rmdir()
        (work.scratch / audiences[0]).rename(work.site)
        for audience, report in zip(audiences[1:], reports[1:], strict=True):
            progress("Encrypting", report.files)
            _seal(work.scratch / audience, work.site, keys[audience].container, report, progress)
        _publish_keys(work.site / BASE, keys, config.unlock)
        reports[0].weigh(work.site)
    return reports


def layer_audiences(text: str) -> tuple[str, ...]:
    """Return the audiences of `--layers public,tool,curator`, in rising order; raise `ConfigError`."""
    names = {name.strip() for name in text.split(",")}
    if "public" not in names or len(names) < 2 or not names <= {*AUDIENCES}:
        raise ConfigError(f"--layers cannot be {text!r}", cure="public and at least one of tool, curator: public,curator")
    return tuple(name for name in AUDIENCES if name in names)


def _check_key_file(key_file: Path, content: Path, out: Path) -> None:
    for folder in (content, out):
        if key_file.resolve().is_relative_to(folder.resolve()):
            raise BuildError(f"the secret keys are inside of {folder}", file=key_file, cure="move the file to another folder")


def _keys_of_layers(keys: dict[str, LayerKey], audiences: Sequence[str], file: Path) -> dict[str, LayerKey]:
    for audience in audiences[1:]:
        if audience not in keys or not keys[audience].slots:
            cure = f"ranvier keys add {file} NAME --layer {audience}"
            raise BuildError(f"no passphrase opens the layer {audience}", file=file, cure=cure)
    return {audience: keys[audience] for audience in audiences[1:]}


def _seal(site: Path, public: Path, container: Container, report: Report, progress: Progress) -> None:
    """Write the encrypted files of a layer, except those that the public site has too, and its directory.

    The directory has the size of each encrypted file, and the start of its nonce: a browser detects files of another build.
    """
    folder = public / BASE / LAYERS / container.id
    folder.mkdir(parents=True)
    listing: dict[str, list[int | str]] = {}
    for path in _private_files(site, public):
        sealed = container.seal(path, (site / path).read_bytes())
        (folder / f"{container.name(path)}.bin").write_bytes(sealed)
        listing[path] = [len(sealed), sealed[:MARK].hex()]
        progress("", 1)
    contents = {"audience": report.audience, "files": listing, "pages": report.audiences, "public": _public_files(site, public)}
    directory = compact_json(contents)
    (folder / f"{container.name(DIRECTORY)}.bin").write_bytes(container.seal(DIRECTORY, directory))


def _public_files(site: Path, public: Path) -> list[str]:
    """Return the paths that both sites have: a private page may link to these addresses, and to no others."""
    return sorted(path for path in files_below(site) if not path.startswith(f"{BASE}/") and (public / path).is_file())


def _private_files(site: Path, public: Path) -> Iterator[str]:
    for path in files_below(site):
        public_file = public / path
        if path != f"{BASE}/{WRITTEN}" and not (public_file.is_file() and filecmp.cmp(site / path, public_file, shallow=False)):
            yield path


def _publish_keys(base: Path, keys: dict[str, LayerKey], hidden: str) -> None:
    """Write the wrapped keys. Without a hidden name, the entry file names them, and the search box has a button."""
    name = f"{LAYERS}/{hidden or LOCKED}.json"
    (base / name).write_bytes(compact_json(public_keys(keys)))
    if not hidden:
        add_to_entry(base, {"locked": name})
