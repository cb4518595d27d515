"""The lists of the files of a build (B3): what belongs to it, and what a download fetches."""

import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from ranvier_builder.output import UNHASHED
from ranvier_builder.write.listing import DIGITS, write_lists_of_files
from support.content import build_tree, write_tree


def test_lists_have_every_file(tmp_path: Path) -> None:
    base = build_tree(tmp_path, {"a.md": "# Axon\n\nIt conducts."}) / "_ranvier"
    entry = json.loads((base / "entry.json").read_bytes())
    belonging, sizes = (json.loads((base / entry[key]).read_bytes()) for key in ("files", "sizes"))
    on_disk = {file.relative_to(base).as_posix(): file.stat().st_size for file in base.rglob("*") if file.is_file()}
    assert sizes == {name: size for name, size in on_disk.items() if name not in {entry["files"], entry["sizes"], *UNHASHED}}
    assert len(belonging["digests"]) == DIGITS * (len(sizes) - len(belonging["shell"]))
    for name, (size, integrity) in belonging["shell"].items():
        assert size == sizes[name]
        assert integrity == f"sha256-{b64encode(sha256((base / name).read_bytes()).digest()).decode()}"


def test_names_with_a_digest_are_recognised(tmp_path: Path) -> None:
    names = ("web-0123456789ab/index/x.js", "index/x.bin", f"index/{24 * 'a'}.bin", "core-0123456789ab.wasm", "entry.json")
    write_tree(tmp_path, dict.fromkeys(names, "1"))
    listing = json.loads((tmp_path / write_lists_of_files(tmp_path)["files"]).read_bytes())
    assert listing["digests"] == "0123456789" + 10 * "a"
    assert {*listing["shell"]} == {"web-0123456789ab/index/x.js", "index/x.bin"}
