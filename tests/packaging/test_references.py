"""CONTRIBUTING.md and docs refer to existing code."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("", "builder/ranvier_builder", "runtime", "runtime/ranvier", "runtime/ranvier_web", "builder", "tests")
TEXTS = (ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)+/?|[\w-]+\.(?:py|js|md|json)")
ATTRIBUTE = re.compile(r"([a-z_]+)\.([A-Z]\w*)(?:\.(\w+))?")


def references(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    """Return the texts in backticks that are nothing but a reference of this kind."""
    return [match for quoted in re.findall(r"`([^`\n]+)`", text) if (match := pattern.fullmatch(quoted))]


def exists(module: str, name: str, member: str | None) -> bool:
    """Look for `module.name.member` in the builder and its engine."""
    for package in ("ranvier_builder", "ranvier_builder.engine", "ranvier"):
        try:
            value = getattr(importlib.import_module(f"{package}.{module}"), name)
        except (ImportError, AttributeError):
            continue
        return member is None or hasattr(value, member)
    return False


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.name)
def test_paths_exist(file: Path) -> None:
    paths = [match[0] for match in references(PATH, file.read_text("utf-8")) if "*" not in match[0]]
    missing_paths = [path for path in paths if not any((ROOT / folder / path).exists() for folder in FOLDERS)]
    assert paths
    assert missing_paths == []


def test_attributes_exist() -> None:
    text = "".join(file.read_text("utf-8") for file in TEXTS)
    attributes = [match.groups() for match in references(ATTRIBUTE, text)]
    assert ("audience", "Gate", "admit") in attributes
    assert [names for names in attributes if not exists(*names)] == []
