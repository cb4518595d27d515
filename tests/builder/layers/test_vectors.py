"""A7: Python's `cryptography` and WebCrypto read and write the same files. `tests/js/layers.test.mjs` is the browser's half."""

import json
import subprocess
from base64 import b64decode
from pathlib import Path

import pytest
from builder.layers.vectors import FILE, FILES, LAYER, PASSPHRASE, vectors
from support.content import write_tree
from support.layers import OpenLayer, unlocked

INCOMPRESSIBLE = {"a": b"", "inner/ä/index.html": b"text", "b.bin": bytes(range(256)), "c.bin": bytes(range(254))}


def test_vectors_are_what_the_builder_writes() -> None:
    assert json.loads(FILE.read_text("utf-8")) == vectors()


def test_second_reader_opens_the_vectors(tmp_path: Path) -> None:
    write_tree(tmp_path, {name: b64decode(data) for name, data in vectors()["files"].items()})
    layer = unlocked(tmp_path, PASSPHRASE)
    assert layer
    assert {path: layer.read(path) for path in FILES} == FILES
    assert layer.directory["audience"] == "curator"


@pytest.fixture(scope="module")
def from_web_crypto() -> dict[str, bytes]:
    files = {path: data.hex() for path, data in INCOMPRESSIBLE.items()}
    order = json.dumps({"id": LAYER.id, "key": LAYER.key.hex(), "files": files})
    script = Path(__file__).with_name("seal.mjs")
    process = subprocess.run(["node", script], input=order, capture_output=True, encoding="utf-8", timeout=60)
    assert process.stderr == ""
    return {name: bytes.fromhex(data) for name, data in json.loads(process.stdout).items()}


def test_files_of_web_crypto_open_in_python(from_web_crypto: dict[str, bytes]) -> None:
    reader = OpenLayer(Path("nowhere"), LAYER.id, LAYER.key)
    content_by_path = {
        path: reader.open(path, from_web_crypto[reader.name(path).removesuffix(".bin")]) for path in INCOMPRESSIBLE
    }
    assert content_by_path == INCOMPRESSIBLE


def test_both_write_the_same_bytes(from_web_crypto: dict[str, bytes]) -> None:
    """Of files that do not get smaller: WebCrypto's writer does not deflate."""
    assert {LAYER.name(path): LAYER.seal(path, data) for path, data in INCOMPRESSIBLE.items()} == from_web_crypto
