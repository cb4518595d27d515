"""A second reader of encrypted layers, written from the manual: `site_example/content/format/layers.md`."""

import json
import zlib
from base64 import b64decode
from hashlib import pbkdf2_hmac
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def decrypted(key: bytes, data: bytes, bound: str) -> bytes:
    """Decrypt nonce, ciphertext and tag; raise `InvalidTag` for a wrong key and for changed data."""
    nonce, body, tag = data[:12], data[12:-16], data[-16:]
    engine = Cipher(algorithms.AES(key), modes.GCM(nonce, tag)).decryptor()
    engine.authenticate_additional_data(bound.encode())
    return engine.update(body) + engine.finalize()


class OpenLayer:
    """A layer with its key."""

    def __init__(self, base: Path, layer: str, key: bytes) -> None:
        self.folder, self.id, self.key = base / "layers" / layer, layer, key
        self.directory: dict[str, Any] = json.loads(self.read("")) if self.folder.is_dir() else {}

    def subkey(self, purpose: str) -> bytes:
        return HKDF(hashes.SHA256(), 32, self.id.encode(), f"ranvier layer {purpose}".encode()).derive(self.key)

    def name(self, path: str) -> str:
        mac = hmac.HMAC(self.subkey("names"), hashes.SHA256())
        mac.update(path.encode())
        return f"{mac.finalize()[:16].hex()}.bin"

    def open(self, path: str, data: bytes) -> bytes:
        plain = decrypted(self.subkey("files"), data, f"ranvier layer 1\n{self.id}\n{path}")
        length = int.from_bytes(plain[1:5], "big")
        content, padding = plain[5 : 5 + length], plain[5 + length :]
        assert len(content) == length
        assert padding.strip(b"\0") == b""
        return zlib.decompress(content) if plain[0] else content

    def read(self, path: str) -> bytes:
        return self.open(path, (self.folder / self.name(path)).read_bytes())

    def write_to(self, folder: Path) -> None:
        """Write all files of the layer into a folder, over existing files."""
        for path in self.directory["files"]:
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(self.read(path))


def unlocked(base: Path, passphrase: str, file: str = "locked") -> OpenLayer | None:
    """Open the layer of a passphrase, from published files alone; `None` if it opens none."""
    for layer in json.loads((base / "layers" / f"{file}.json").read_bytes())["layers"]:
        for slot in layer["slots"]:
            wrapping = pbkdf2_hmac("sha256", passphrase.encode(), b64decode(slot["salt"]), slot["iterations"])
            try:
                key = decrypted(
                    wrapping, b64decode(slot["nonce"]) + b64decode(slot["key"]), f"ranvier layer 1\n{layer['id']}\nkeys"
                )
            except InvalidTag:  # another slot
                continue
            return OpenLayer(base, layer["id"], key)
    return None
