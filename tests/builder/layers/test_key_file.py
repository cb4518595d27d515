"""A7: the secret file of keys."""

import json
import stat
from pathlib import Path

import pytest
from ranvier_builder.errors import BuildError
from ranvier_builder.layers import key_file
from ranvier_builder.layers.key_file import LayerKey, add_slot, public_keys, read_keys, revoke_slot, write_keys
from support.layers import unlocked

ANNA, BEN = "correct horse battery", "another long passphrase"


@pytest.fixture(autouse=True)
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_file, "ITERATIONS", 1000)


@pytest.fixture
def layers() -> dict[str, LayerKey]:
    return add_slot(add_slot({}, "curator", "anna", ANNA), "curator", "ben", BEN)


def unwrapped_key(folder: Path, layers: dict[str, LayerKey], passphrase: str) -> bytes | None:
    """Return the layer's key that a passphrase unwraps from the published part."""
    (folder / "layers").mkdir(exist_ok=True)
    (folder / "layers/locked.json").write_text(json.dumps(public_keys(layers)))
    layer = unlocked(folder, passphrase)
    return layer and layer.key


def test_each_passphrase_unwraps_the_key_of_its_layer(tmp_path: Path, layers: dict[str, LayerKey]) -> None:
    """A7"""
    layers = add_slot(layers, "tool", "tom", "the passphrase of tom")
    curator, tool = layers["curator"].container.key, layers["tool"].container.key
    passphrases = (ANNA, BEN, "the passphrase of tom", "the passphrase of nobody")
    assert [unwrapped_key(tmp_path, layers, words) for words in passphrases] == [curator, curator, tool, None]


def test_revoked_key_opens_nothing_and_others_stay(tmp_path: Path, layers: dict[str, LayerKey]) -> None:
    """A7: without the passphrases of the others."""
    after = revoke_slot(layers, "anna")
    assert after["curator"].container.key != layers["curator"].container.key
    assert after["curator"].container.id != layers["curator"].container.id
    assert unwrapped_key(tmp_path, after, ANNA) is None
    assert unwrapped_key(tmp_path, after, BEN) == after["curator"].container.key


def test_file_is_for_its_owner_and_is_read_as_it_was(tmp_path: Path, layers: dict[str, LayerKey]) -> None:
    file = tmp_path / "keys.json"
    write_keys(file, layers)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_keys(file) == layers
    file.write_text(file.read_text(), "utf-8-sig")  # an editor on Windows
    assert read_keys(file) == layers
    write_keys(file, layers)
    assert [path.name for path in tmp_path.iterdir()] == ["keys.json"]


def test_link_to_a_key_file_stays(tmp_path: Path, layers: dict[str, LayerKey]) -> None:
    """Otherwise a revoked key would stay in the file that the link leads to."""
    file, link = tmp_path / "vault/keys.json", tmp_path / "keys.json"
    file.parent.mkdir()
    write_keys(file, layers)
    link.symlink_to(file)
    write_keys(link, revoke_slot(layers, "anna"))
    assert link.is_symlink()
    assert "anna" not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600


def test_published_part_has_no_name_and_no_secret(layers: dict[str, LayerKey]) -> None:
    text = json.dumps(public_keys(layers))
    (anna, _), key = layers["curator"].slots, layers["curator"].container.key
    for secret in ("anna", "curator", ANNA, key_file._text(key), key_file._text(anna.wrapping), key.hex()):
        assert secret not in text


def test_secrets_are_not_in_representations(layers: dict[str, LayerKey]) -> None:
    (slot, *_), key = layers["curator"].slots, layers["curator"].container.key
    assert repr(key) not in repr(layers)
    assert repr(slot.wrapping) not in repr(layers)


def test_another_unicode_form_is_the_same_passphrase() -> None:
    salt = b"0" * 16
    assert key_file.wrapping_key("schlo\u0308sser am See", salt, 10) == key_file.wrapping_key("schlösser am See", salt, 10)


def test_names_are_unique_and_passphrases_long(layers: dict[str, LayerKey]) -> None:
    with pytest.raises(BuildError, match="already a key with the name 'anna'"):
        add_slot(layers, "tool", "anna", "a long passphrase")
    with pytest.raises(BuildError, match="a key must have a name"):
        add_slot(layers, "tool", " ", "a long passphrase")
    with pytest.raises(BuildError, match="less than 12 characters"):
        add_slot(layers, "tool", "tom", "short")
    with pytest.raises(BuildError, match="no key with the name 'tom'"):
        revoke_slot(layers, "tom")


def test_tokens_differ_and_have_158_bits() -> None:
    tokens = {key_file.new_token() for _ in range(50)}
    assert len(tokens) == 50
    assert all(len(token.replace("-", "")) == 32 for token in tokens)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"layers": {"curator": {}}}', '{"layers": {"curator": {"id": "a", "key": "!"}}}']
)
def test_a_damaged_file_is_an_error_without_its_content(tmp_path: Path, text: str) -> None:
    file = tmp_path / "keys.json"
    file.write_text(text)
    with pytest.raises(BuildError, match=r"is not a file of keys\n  cure: name another file") as caught:
        read_keys(file)
    assert caught.value.__cause__ is None


def test_a_newer_format_is_an_error(tmp_path: Path, layers: dict[str, LayerKey]) -> None:
    file = tmp_path / "keys.json"
    write_keys(file, layers)
    file.write_text(file.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(BuildError, match="has format 2"):
        read_keys(file)


def test_slots_keep_their_number_of_iterations(
    tmp_path: Path, layers: dict[str, LayerKey], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later version may use more; older slots still open."""
    monkeypatch.setattr(key_file, "ITERATIONS", 2000)
    more = add_slot(layers, "curator", "tom", "the passphrase of tom")
    assert [slot.iterations for slot in more["curator"].slots] == [1000, 1000, 2000]
    assert unwrapped_key(tmp_path, more, ANNA) == unwrapped_key(tmp_path, more, "the passphrase of tom") is not None
