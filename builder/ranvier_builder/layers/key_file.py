"""The secret file of a site's layers: the key of each layer, and its slots. It is never published.

A slot is what one passphrase or token opens. The file keeps the key that PBKDF2 made of it, so that a new layer key can be
wrapped without the passphrase. Only salts and wrapped keys are published.
"""

from __future__ import annotations

import json
import os
import secrets
import tempfile
import unicodedata
from base64 import b64decode, b64encode
from dataclasses import asdict, dataclass, field, replace
from hashlib import pbkdf2_hmac
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from ranvier_builder.audience import AUDIENCES
from ranvier_builder.errors import BuildError
from ranvier_builder.layers.container import KEY, NONCE, Container, additional_data

FORMAT = 1
LAYERS = AUDIENCES[1:]  # what is public needs no key
ITERATIONS = 600_000  # of PBKDF2 with SHA-256: OWASP's advice of 2023
MIN_LENGTH = 12  # characters of a passphrase: the host's readers can try passphrases without limit
_SALT = 16  # bytes
_TOKEN = 32  # characters of 31 kinds: 158 random bits
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # none of them look alike
_KEY_PATH = "keys"  # stands for a path in the additional data of a wrapped key
_CURE = "ranvier keys add FILE NAME"


@dataclass(frozen=True, slots=True)
class Slot:
    """A reader's access to one layer. `wrapping` is derived from the passphrase; `nonce` and `wrapped` hold the layer's key."""

    name: str
    salt: bytes
    iterations: int
    wrapping: bytes = field(repr=False)
    nonce: bytes = b""
    wrapped: bytes = b""

    def wrap(self, container: Container) -> Slot:
        """Return the slot with the key of a layer."""
        nonce = secrets.token_bytes(NONCE)
        wrapped = AESGCM(self.wrapping).encrypt(nonce, container.key, additional_data(container.id, _KEY_PATH))
        return replace(self, nonce=nonce, wrapped=wrapped)


@dataclass(frozen=True, slots=True)
class LayerKey:
    """A layer's key, and who has it."""

    container: Container
    slots: tuple[Slot, ...] = ()


def read_keys(file: Path) -> dict[str, LayerKey]:
    """Read a key file: audience → key and slots. The message of its `BuildError` has no part of a key."""
    try:
        raw = json.loads(file.read_text("utf-8-sig"))
        layers = {audience: _layer(raw["layers"][audience]) for audience in LAYERS if audience in raw["layers"]}
    except OSError as error:
        raise BuildError(f"the keys cannot be read: {error.strerror}", file=file, cure=_CURE) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BuildError("is not a file of keys", file=file, cure=f"name another file; {_CURE} writes a new one") from None
    if raw.get("format") != FORMAT:
        raise BuildError(f"has format {raw.get('format')!r}, and this version reads {FORMAT}", file=file)
    return layers


def write_keys(file: Path, layers: dict[str, LayerKey]) -> None:
    """Replace a key file, or the file that a link leads to. Only its owner may read it."""
    text = json.dumps(
        {"format": FORMAT, "layers": {name: _as_json(layers[name]) for name in LAYERS if name in layers}}, indent=1
    )
    try:
        target = Path(os.path.realpath(file))
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)  # mode 0600
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text + "\n")
        Path(temporary).replace(target)
    except OSError as error:
        raise BuildError(f"the keys cannot be written: {error.strerror}", file=file, cure="name another file") from None


def add_slot(layers: dict[str, LayerKey], audience: str, name: str, passphrase: str) -> dict[str, LayerKey]:
    """Return the layers with another slot; a layer without slots gets a new key."""
    if not name.strip():
        raise BuildError("a key must have a name", cure=_CURE)
    if any(slot.name == name for layer in layers.values() for slot in layer.slots):
        raise BuildError(f"there is already a key with the name {name!r}", cure="use another name, or revoke that key")
    if len(passphrase) < MIN_LENGTH:
        raise BuildError(f"the passphrase has less than {MIN_LENGTH} characters", cure="use a longer one, or --token")
    salt = secrets.token_bytes(_SALT)
    slot = Slot(name, salt, ITERATIONS, wrapping_key(passphrase, salt, ITERATIONS))
    layer = layers.get(audience) or LayerKey(new_container())
    return {**layers, audience: replace(layer, slots=(*layer.slots, slot.wrap(layer.container)))}


def revoke_slot(layers: dict[str, LayerKey], name: str) -> dict[str, LayerKey]:
    """Return the layers without a slot: its layer gets a new key, which is wrapped for the other slots."""
    audience = next((level for level, layer in layers.items() if any(slot.name == name for slot in layer.slots)), None)
    if audience is None:
        raise BuildError(f"there is no key with the name {name!r}", cure="ranvier keys list FILE shows the names")
    container = new_container()
    slots = tuple(slot.wrap(container) for slot in layers[audience].slots if slot.name != name)
    return {**layers, audience: LayerKey(container, slots)}


def new_container() -> Container:
    """Return a layer with a random key."""
    return Container(secrets.token_hex(8), secrets.token_bytes(KEY))


def new_token() -> str:
    """Return a random passphrase, in groups of eight characters."""
    characters = "".join(secrets.choice(_ALPHABET) for _ in range(_TOKEN))
    return "-".join(characters[at : at + 8] for at in range(0, _TOKEN, 8))


def wrapping_key(passphrase: str, salt: bytes, iterations: int) -> bytes:
    """Return the key that a passphrase stands for; the same letters in another Unicode form are the same passphrase."""
    return pbkdf2_hmac("sha256", unicodedata.normalize("NFC", passphrase).encode(), salt, iterations, KEY)


def public_keys(layers: dict[str, LayerKey]) -> dict[str, Any]:
    """Return what a browser needs to try a passphrase: no name of a reader or an audience."""
    return {
        "format": FORMAT,
        "layers": [
            {
                "id": layer.container.id,
                "slots": [
                    {"salt": slot["salt"], "iterations": slot["iterations"], "nonce": slot["nonce"], "key": slot["wrapped"]}
                    for slot in _as_json(layer)["slots"]
                ],
            }
            for layer in layers.values()
        ],
    }


def _layer(raw: dict[str, Any]) -> LayerKey:
    return LayerKey(Container(str(raw["id"]), b64decode(raw["key"])), tuple(map(_slot, raw["slots"])))


def _slot(raw: dict[str, Any]) -> Slot:
    salt, wrapping, nonce, wrapped = (b64decode(raw[name]) for name in ("salt", "wrapping", "nonce", "wrapped"))
    return Slot(str(raw["name"]), salt, int(raw["iterations"]), wrapping, nonce, wrapped)


def _as_json(layer: LayerKey) -> dict[str, Any]:
    slots = [{name: _text(value) for name, value in asdict(slot).items()} for slot in layer.slots]
    return {"id": layer.container.id, "key": _text(layer.container.key), "slots": slots}


def _text(value: Any) -> Any:
    return b64encode(value).decode() if isinstance(value, bytes) else value
