"""A7: `ranvier keys`, and `ranvier build --layers`."""

import builtins
import json
import os
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from click.testing import CliRunner, Result
from ranvier_builder import publish
from ranvier_builder.cli import main
from ranvier_builder.layers import key_file
from support.cli import failure, run
from support.content import stub_assets, write_tree
from support.layers import unlocked

CONTENT = {"index.md": "# Home\n\nPublic text.\n", "inner.md": "---\naudience: curator\n---\n# Inner\n\nQuagga plans.\n"}


@pytest.fixture(autouse=True)
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_file, "ITERATIONS", 1000)


def run_with_input(text: str, *words: object) -> Result:
    return CliRunner().invoke(main, list(map(str, words)), input=text)


def names(file: Path) -> list[str]:
    return [slot["name"] for slot in json.loads(run("keys", "list", file, "--json").stdout)]


def test_passphrases_come_from_the_input_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A7: and never from an argument."""
    file = tmp_path / "keys.json"
    assert run_with_input("correct horse battery\n", "keys", "add", file, "anna").exit_code == 0
    monkeypatch.setenv("RANVIER_PASSPHRASE", "another long passphrase")
    assert run("keys", "add", file, "tom", "--layer", "tool").exit_code == 0
    assert names(file) == ["tom", "anna"]
    anna, tom = (key_file.read_keys(file)[layer].slots[0] for layer in ("curator", "tool"))
    assert anna.wrapping == key_file.wrapping_key("correct horse battery", anna.salt, 1000)
    assert tom.wrapping == key_file.wrapping_key("another long passphrase", tom.salt, 1000)


@pytest.mark.parametrize("source", ["input", "environment"])
def test_passphrase_in_another_encoding_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    passphrase = "schlösser am see".encode("latin-1")
    if source == "environment":
        monkeypatch.setenv("RANVIER_PASSPHRASE", os.fsdecode(passphrase))
    words = ["keys", "add", str(tmp_path / "keys.json"), "anna"]
    result = CliRunner().invoke(main, words, input=passphrase)
    assert result.exit_code == 1
    assert "Error: the passphrase is not UTF-8\n  cure: " in result.output
    assert not (tmp_path / "keys.json").exists()


def test_passphrase_is_not_printed_and_a_token_is_printed_once(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    assert "battery" not in run_with_input("correct horse battery\n", "keys", "add", file, "anna").output
    result = run("keys", "add", file, "ben", "--token")
    slot = key_file.read_keys(file)["curator"].slots[1]
    assert slot.wrapping == key_file.wrapping_key(result.stdout.strip(), slot.salt, 1000)


def test_list_and_revoke(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    run("keys", "add", file, "anna", "--token")
    run("keys", "add", file, "ben", "--token")
    assert run("keys", "revoke", file, "anna").exit_code == 0
    assert names(file) == ["ben"]
    assert "ben" in run("keys", "list", file).stdout
    assert "there is no key with the name 'anna'" in failure("keys", "revoke", file, "anna")


def layered(tmp_path: Path, *words: object) -> Result:
    content, keys = write_tree(tmp_path / "content", dict(CONTENT)), tmp_path / "keys.json"
    if not keys.exists():
        run_with_input("correct horse battery\n", "keys", "add", keys, "anna")
    more = ("--default-audience", "public", "--jobs", 1, *words)
    with patch.object(publish, "write_assets", stub_assets):
        return run("build", content, "-o", tmp_path / "out", "--layers", "public,curator", "--keys", keys, *more)


def test_build_writes_layers_and_reports_them(tmp_path: Path) -> None:
    """A7"""
    result = layered(tmp_path, "--json", "-q")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert (report["published"], report["layers"]["curator"]["published"]) == (1, 2)
    layer = unlocked(tmp_path / "out/_ranvier", "correct horse battery")
    assert layer
    assert b"Quagga" in layer.read("inner/index.html")


def test_report_has_a_line_for_each_layer(tmp_path: Path) -> None:
    assert "layer curator: 2 pages, 1 of them not public" in layered(tmp_path).output


@pytest.mark.parametrize(
    "words",
    [
        ("--layers", "public,curator"),
        ("--keys", __file__),
        ("--layers", "public,tool", "--keys", __file__, "--audience", "tool"),
    ],
)
def test_options_that_do_not_fit_are_errors(tmp_path: Path, words: tuple[str, ...]) -> None:
    assert "--layers" in failure("build", tmp_path, "-o", tmp_path / "out", *words, code=2)


def test_missing_package_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real_import = builtins.__import__

    def without(name: str, *more: Any, **options: Any) -> Any:
        if name.startswith("cryptography"):
            raise ModuleNotFoundError(f"No module named {name!r}")
        return real_import(name, *more, **options)

    for name in [name for name in sys.modules if name.startswith("ranvier_builder.layers")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr("ranvier_builder.layers")
    monkeypatch.setattr(builtins, "__import__", without)
    assert "pip install 'ranvier[layers]'" in failure("keys", "list", tmp_path / "keys.json")
