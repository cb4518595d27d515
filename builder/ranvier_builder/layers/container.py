"""A layer's files: encrypted, with meaningless names, and padded to classes of sizes.

`runtime/ranvier_web/layers/sealed-files.js` reads them. `site_example/content/format/layers.md` describes them.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from ranvier.store.format import deflate

KEY = 32  # bytes, for AES-256
NONCE = 12  # bytes, the only length that GCM uses without hashing (NIST SP 800-38D, 5.2.1.1)
MARK = 6  # bytes of a nonce in the directory: enough to tell two builds of a file apart
_NAME = 16  # bytes of a file's name
_MIN_SIZE = 1024  # bytes of plaintext
_RAW, _DEFLATED = 0, 1
DIRECTORY = ""  # the path of the directory: no file of a site has it


def size_class(length: int) -> int:
    """Return the smallest of 1, 1¼, 1½ and 1¾ times a power of two, and at least 1,024, that holds `length` bytes.

    Padding costs at most 25 % of a large file. An observer learns one of four sizes for each doubling.
    """
    if length <= _MIN_SIZE:
        return _MIN_SIZE
    step = 1 << ((length - 1).bit_length() - 3)
    return -(-length // step) * step


@dataclass(frozen=True, slots=True)
class Container:
    """The keys of one layer. `id` is public, 16 hex digits; `key` has 32 random bytes, and is used for one `id` only."""

    id: str
    key: bytes = field(repr=False)

    def name(self, path: str) -> str:
        """Return the name of the file that contains `path`: 32 hex digits."""
        return self._mac("names", path.encode())[:_NAME].hex()

    def seal(self, path: str, content: bytes) -> bytes:
        """Return nonce, ciphertext and tag of a file. Its content is deflated if that makes it smaller, as no host can later.

        The plaintext is a byte for the packing, the length in four bytes (big endian), the content, and zeros. The nonce is
        derived from path and plaintext, so that an unchanged file keeps its bytes, and no nonce encrypts two plaintexts.
        """
        packed = deflate(content)
        packing, body = (_DEFLATED, packed) if len(packed) < len(content) else (_RAW, content)
        plain = bytes([packing]) + len(body).to_bytes(4, "big") + body
        padded = plain.ljust(size_class(len(plain)), b"\0")
        nonce = self._mac("nonces", hashlib.sha256(padded).digest() + path.encode())[:NONCE]
        return nonce + AESGCM(self._subkey("files")).encrypt(nonce, padded, additional_data(self.id, path))

    def _mac(self, purpose: str, message: bytes) -> bytes:
        return hmac.digest(self._subkey(purpose), message, "sha256")

    def _subkey(self, purpose: str) -> bytes:
        return HKDF(SHA256(), KEY, self.id.encode(), f"ranvier layer {purpose}".encode()).derive(self.key)


def additional_data(layer: str, path: str) -> bytes:
    """Return the additional data of a ciphertext: it cannot be moved to another layer or path."""
    return f"ranvier layer 1\n{layer}\n{path}".encode()
