"""A part of the manual with encrypted layers, and a plain build for curators."""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

import pytest
from ranvier_builder import build, load_config
from ranvier_builder.layers import key_file
from ranvier_builder.layers.build import build_layers

from support.content import write_tree
from support.pictures import another
from support.shared import shared_folder
from support.sites import EXAMPLE

ANNA, TOM = "correct horse battery", "the passphrase of tom"
PRIVATE_FILES = {
    "curator/quagga.md": (
        "---\naudience: curator\n---\n# Quagga plans\n\nThe quagga returns in spring. ![A quagga](quagga.png)\n\n"
        "See [the notes](thornmere.md), [the home page](../index.md) and [below](#stable).\n\n"
        "## Stable\n\nA stable for the quagga.\n"
    ),
    "curator/quagga.png": another(7),
}


@dataclass(frozen=True)
class LayeredManual:
    """`site` has layers for tools and curators; `curator` is `--audience curator` of the same content."""

    content: Path
    site: Path
    curator: Path


@pytest.fixture(scope="session")
def layered_manual(tmp_path_factory: pytest.TempPathFactory) -> LayeredManual:
    """Both builds of a part of the manual; a key for curators, and one for tools. Do not change them: copy them."""
    folder = shared_folder(tmp_path_factory, "layered", _build)
    return LayeredManual(folder / "content", folder / "site", folder / "curator")


def _build(folder: Path) -> None:
    content = folder / "content"
    for part in ("curator", "tool", "format"):
        shutil.copytree(EXAMPLE / "content" / part, content / part)
    shutil.copy(EXAMPLE / "content/index.md", content)
    write_tree(content, dict(PRIVATE_FILES))
    with patch.object(key_file, "ITERATIONS", 1000):
        keys = key_file.add_slot(key_file.add_slot({}, "curator", "anna", ANNA), "tool", "tom", TOM)
    key_file.write_keys(folder / "keys.json", keys)
    config = load_config(EXAMPLE / "ranvier.toml")
    build_layers(content, folder / "site", config, ("public", "tool", "curator"), folder / "keys.json")
    build(content, folder / "curator", replace(config, publish_for="curator"))
