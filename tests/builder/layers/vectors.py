"""A small layer with fixed keys, for both implementations. `python -m builder.layers.vectors` in `tests` writes it again."""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from ranvier_builder.layers.container import Container
from ranvier_builder.layers.key_file import LayerKey, Slot, public_keys, wrapping_key
from ranvier_builder.write.files import compact_json

FILE = Path(__file__).with_name("vectors.json")
PASSPHRASE = "Schlösser am See, 12"
LAYER = Container("00112233aabbccdd", bytes(range(32)))
_ENTRY = {"format": 10, "version": "0", "locked": "not the public one"}
FILES = {
    "_ranvier/entry.json": compact_json(_ENTRY),
    "inner/ä b/index.html": "<p>Quagga ü</p>".encode(),
    "_ranvier/index/0011.bin": bytes(range(256)) * 20,
    "empty.txt": b"",
}


def vectors() -> dict[str, Any]:
    """Return the published files of the layer by their names below `_ranvier`, in Base64."""
    slot = Slot("anna", b"salt" * 4, 1000, wrapping_key(PASSPHRASE, b"salt" * 4, 1000), b"nonce" + bytes(7))
    wrapped = AESGCM(slot.wrapping).encrypt(slot.nonce, LAYER.key, b"ranvier layer 1\n00112233aabbccdd\nkeys")
    second_slot = Slot("ben", b"SALT" * 4, 1000, b"", bytes(12), bytes(48))
    slots = (second_slot, Slot("anna", slot.salt, 1000, slot.wrapping, slot.nonce, wrapped))
    ciphertext_by_path = {path: LAYER.seal(path, content) for path, content in FILES.items()}
    listing = {path: [len(data), data[:6].hex()] for path, data in ciphertext_by_path.items()}
    directory = compact_json(
        {"audience": "curator", "files": listing, "pages": {"inner/%C3%A4%20b/": "curator"}, "public": ["plain.txt"]}
    )
    files = {f"layers/{LAYER.id}/{LAYER.name(path)}.bin": data for path, data in ciphertext_by_path.items()}
    files[f"layers/{LAYER.id}/{LAYER.name('')}.bin"] = LAYER.seal("", directory)
    files["layers/locked.json"] = compact_json(public_keys({"curator": LayerKey(LAYER, slots)}))
    return {
        "passphrase": PASSPHRASE,
        "contents": {path: b64encode(content).decode() for path, content in FILES.items()},
        "names": {path: f"layers/{LAYER.id}/{LAYER.name(path)}.bin" for path in ("", *FILES)},
        "files": {name: b64encode(data).decode() for name, data in files.items()},
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n", "utf-8")
