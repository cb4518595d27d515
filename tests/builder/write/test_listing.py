"""The list of the files of a build (B3): for downloads, and to compare files whose names have no digest."""

import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from ranvier_builder.output import UNHASHED
from ranvier_builder.write.listing import write_list
from support.content import build_tree, write_tree


def test_file_list_has_every_file_with_its_digest(tmp_path: Path) -> None:
    base = build_tree(tmp_path, {"a.md": "# Axon\n\nIt conducts."}) / "_ranvier"
    name = json.loads((base / "entry.json").read_bytes())["files"]
    listing = json.loads((base / name).read_bytes())
    sizes = {file.relative_to(base).as_posix(): file.stat().st_size for file in base.rglob("*") if file.is_file()}
    assert listing["data"] | {item: size for item, (size, _) in listing["shell"].items()} == {
        item: size for item, size in sizes.items() if item not in {name, *UNHASHED}
    }
    for item, (_, integrity) in listing["shell"].items():
        assert integrity == f"sha256-{b64encode(sha256((base / item).read_bytes()).digest()).decode()}"


def test_names_with_a_digest_are_recognised(tmp_path: Path) -> None:
    names = ("web-0123456789ab/index/x.js", "index/x.bin", f"index/{24 * 'a'}.bin", "core-0123456789ab.wasm", "entry.json")
    write_tree(tmp_path, dict.fromkeys(names, "1"))
    listing = json.loads((tmp_path / write_list(tmp_path)).read_bytes())
    assert {*listing["data"]} == {f"index/{24 * 'a'}.bin", "core-0123456789ab.wasm"}
    assert {*listing["shell"]} == {"web-0123456789ab/index/x.js", "index/x.bin"}
