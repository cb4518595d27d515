"""The manual against the code: whatever can be called, set, met or imported has its words there."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from pathlib import Path

import click
import pytest
import ranvier
from ranvier_builder.cli import main
from ranvier_builder.config import Config

ROOT = Path(__file__).resolve().parents[2]
MANUAL = ROOT / "site_example" / "content"


def manual(path: str) -> str:
    return (MANUAL / path).read_text("utf-8")


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_is_documented_and_has_help_with_an_example(name: str) -> None:
    command = main.commands[name]
    assert command.help
    assert command.epilog
    assert command.epilog.startswith(f"Example: ranvier {name}")
    page = manual("reference/cli.md")
    assert f"ranvier {name}" in page
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            for flag in parameter.opts:
                assert flag in page, f"ranvier {name} {flag}"


def test_every_setting_is_documented() -> None:
    page = manual("reference/configuration.md")
    for field in dataclasses.fields(Config):
        assert f"`{field.name}`" in page, field.name


def test_every_dependency_earns_its_line() -> None:
    page = manual("decisions/dependencies.md")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for requirement in project["dependencies"]:
        name = re.split(r"[<>=~!]", requirement)[0]
        assert f"`{name}`" in page, name


@pytest.mark.parametrize(
    ("kind", "page"),
    [
        (ranvier.Hit, "reference/search-result.md"),
        (ranvier.SearchResult, "reference/search-result.md"),
        (ranvier.SubResult, "reference/search-result.md"),
        (ranvier.RetrieveResult, "reference/retrieve-result.md"),
        (ranvier.RetrievedChunk, "reference/retrieve-result.md"),
    ],
)
def test_every_field_of_an_answer_is_documented(kind: type, page: str) -> None:
    text = manual(page)
    for field in dataclasses.fields(kind):
        assert f"`{field.name}`" in text, field.name


def test_every_error_code_is_documented() -> None:
    page = manual("reference/errors.md")
    kinds = [kind for name in ranvier.__all__ if isinstance(kind := getattr(ranvier, name), type)]
    codes = {kind.code for kind in kinds if issubclass(kind, ranvier.RanvierError)} | {"engine", "stale"}
    for code in codes:
        assert f"`{code}`" in page, code


def test_readme_names_files_that_are_there() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for path in re.findall(r"\]\((?!http)([^)#]+)\)", readme):
        assert (ROOT / path).exists(), path
    assert "bash .ci/run" in readme
    blocks = re.findall(r"```sh\n(.*?)```", readme, re.DOTALL)
    assert [block.count("\n") for block in blocks] == [1, 1], "two commands, each one line"
