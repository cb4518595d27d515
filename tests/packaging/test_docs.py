"""The manual documents every command, setting, option, preset, notice, dependency, field and error code."""

import dataclasses
import re
import shlex
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

import click
import pytest
import ranvier
from ranvier.presets import NAMES, preset
from ranvier.query.segments import Segment
from ranvier.store.format import FORMAT
from ranvier.text.analyse import ANALYSER, terms
from ranvier_builder.cli import main
from ranvier_builder.config import SETTINGS, Config
from ranvier_builder.engine.__main__ import main as engine_main
from ranvier_builder.search_settings import Pin, SearchSettings
from ranvier_builder.withheld import CURES, Reason

ROOT = Path(__file__).resolve().parents[2]
MANUAL = ROOT / "site_example" / "content"


def manual(path: str) -> str:
    return (MANUAL / path).read_text("utf-8")


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command by its whole name, those of a group behind it."""
    for name in sorted(main.commands):
        command = main.commands[name]
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", command.commands[inner]) for inner in sorted(command.commands))


COMMANDS = list(commands())


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_every_command_is_documented_and_has_help_with_an_example(name: str, command: click.Command) -> None:
    assert command.help
    assert command.epilog
    assert command.epilog.startswith(f"Example: ranvier {name}")
    page = manual("reference/cli.md")
    assert f"ranvier {name}" in page
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            for flag in parameter.opts:
                assert f"`{flag}`" in page or f"[{flag}" in page, f"ranvier {name} {flag}"


def command_lines() -> Iterator[tuple[str, str]]:
    """Yield each line of the manual and the README that calls our program, with its file; synopses with all their options."""
    for file in (ROOT / "README.md", *sorted(MANUAL.rglob("*.md"))):
        for block in re.findall(r"```(?:sh|console|yaml)\n(.*?)```", file.read_text("utf-8"), re.DOTALL):
            for line in re.split(r"\n| \| | && ", block.replace("\\\n", "")):
                if match := re.match(r" *(?:\$ |- |- run: )?(?:\S*/)?((?:ranvier|python -m ranvier_builder\S*) .*)", line):
                    yield file.name, re.sub(r"\[options\]|[\[\]]", "", match[1])


LINES = sorted(set(command_lines()))


@pytest.mark.parametrize(("file", "line"), LINES, ids=[f"{file}: {line}" for file, line in LINES])
def test_commands_of_the_manual_parse(monkeypatch: pytest.MonkeyPatch, file: str, line: str) -> None:
    """By the program itself, which then does not run; the files that they name need not exist."""
    monkeypatch.setattr(click.Path, "convert", lambda _self, value, _param, _context: Path(value))
    program, *words = shlex.split(line.removeprefix("python -m "), comments=True)
    command = {"ranvier": main, "ranvier_builder": main, "ranvier_builder.engine": engine_main}[program]
    while isinstance(command, click.Group) and words != ["--version"]:
        command = command.commands[words.pop(0)]
    with suppress(click.exceptions.Exit):  # of `--version`
        command.make_context(program, words)


def test_commands_are_found() -> None:
    files = {file for file, _ in LINES}
    assert {"README.md", "docs-in-ci.md", "private-pages.md", "cli.md"} <= files
    assert {line.split()[1] for _, line in LINES} >= set(main.commands)


def test_tables_of_options_have_the_defaults_of_the_code() -> None:
    """V1: no row without an option, and no other default."""
    page, count = manual("reference/cli.md"), 0
    for name, command in COMMANDS:
        section = page.partition(f"\n## ranvier {name}\n")[2].partition("\n## ")[0]
        options = {flag: item for item in command.params if isinstance(item, click.Option) for flag in item.opts}
        for row in map(cells, section.splitlines()):
            if len(row) == 3 and row[0].startswith("`-") and not isinstance(command, click.Group):
                for flag in re.findall("`(.+?)`", row[0]):
                    assert flag in options, f"ranvier {name} has no {flag}"
                    assert agrees(row[1], options[flag]), f"ranvier {name} {flag}: {row[1]}"
                    count += 1
    assert count > 50


def agrees(default_text: str, option: click.Option) -> bool:
    """Return whether a cell has the default of an option; the cell of one without a default is free, but for a number."""
    default = option.to_info_dict()["default"]
    if option.is_flag:
        return default_text == "off" and not default
    value = default[0] if isinstance(default, tuple) and default else default
    return default_text.strip("`") == str(value) if value not in (None, "", ()) else not default_text.isdigit()


def test_every_setting_is_documented() -> None:
    page = manual("reference/configuration.md")
    for name in SETTINGS:
        assert f"`{name}`" in page, name
    for kind in (Pin, Segment, SearchSettings):
        for field in dataclasses.fields(kind):
            assert field.name == "location" or f"`{field.name}`" in page, f"{kind.__name__}.{field.name}"


def test_table_of_settings_has_the_defaults_of_the_code() -> None:
    """The settings that are not tables."""
    lines = manual("reference/configuration.md").partition("\n## Keys\n")[2].partition("\n## ")[0].splitlines()
    rows = {row[0].strip("`"): row[1] for line in lines if len(row := cells(line)) == 3}
    default_text = {"": "empty", False: "`false`", True: "`true`", (): "`[]`"}
    free = ("title", "audience", "pins", "segments", "synonyms", "search", "search_placeholder")
    for name in SETTINGS:
        default = getattr(Config(), name)
        if default is not None and name not in free:
            assert rows[name] == default_text.get(default, f"`{default}`"), name


def test_format_pages_have_the_number_of_the_format() -> None:
    """A reader that is written from these pages must know which sites it may read."""
    patterns = {
        "index.md": (r"describes format (\d+)", r"describes number (\d+)"),
        "entry-file.md": (r'"format": (\d+)', r"describes (\d+)"),
        "manifest.md": (r"\| `format` \| integer \| (\d+) \|",),
    }
    for name, page_patterns in patterns.items():
        for pattern in page_patterns:
            assert re.findall(pattern, manual(f"format/{name}")) == [str(FORMAT)], f"{name}: {pattern}"
    assert f"describes `{ANALYSER}`" in manual("format/analyser.md")


def test_page_of_the_analyser_shows_its_terms() -> None:
    """A second reader follows these examples."""
    rows = re.findall(r"^\| `([^`]+)`( in German)? \| (`.+`) \|$", manual("format/analyser.md"), re.MULTILINE)
    assert len(rows) > 10
    for shown, german, expected in rows:
        assert terms(shown, "de" if german else "en") == re.findall("`([^`]+)`", expected), shown


@pytest.mark.parametrize("kind", [ranvier.SearchRequest, ranvier.RetrieveRequest, ranvier.Scope])
def test_every_option_is_documented(kind: type) -> None:
    page = manual("reference/python-api.md")
    for field in dataclasses.fields(kind):
        assert field.name in ("query", "scope") or f"`{field.name}`" in page, field.name


def test_manual_describes_every_preset() -> None:
    """Each leg, stage and number."""
    page = manual("reference/presets.md")
    rows = {row[0].strip("`"): row[1:] for line in page.splitlines() if len(row := cells(line)) == 5}
    for name in NAMES:
        preset_ = preset(name)
        legs, fusion, stages, hits = rows[name]
        assert re.findall(r"`([a-z0-9]+)`", legs) == [leg.name for leg in preset_.legs], name
        assert fusion.split("`")[1] == preset_.fuse.by, name
        assert preset_.fuse.by[:3] != "rrf" or fusion.endswith(f"k {preset_.fuse.k}"), name
        assert re.findall(r"[a-z]+", stages) == [stage.name for stage in preset_.adjust], name
        assert int(hits) == preset_.limits.results, name
        for part in (*(leg.name for leg in preset_.legs), *(stage.name for stage in preset_.adjust)):
            assert f"| `{part}`" in page or f", `{part}`" in page, part


def test_picture_of_the_steps_names_the_legs_and_stages_of_the_default_preset() -> None:
    """In their order, but for the notes that only curators search."""
    preset_ = preset("default")
    text = " ".join(re.findall(r"<text[^>]*>([^<]+)", manual("guide/tune-the-search-steps.svg")))
    names = [part.name for part in (*preset_.legs, *preset_.adjust) if part.name != "note"]
    assert [*dict.fromkeys(re.findall(rf"\b({'|'.join(names)})\b", text))] == names


NO_NUMBERS = ("name", "kind", "match", "table", "requires_all")  # they are no numbers


def test_manual_names_every_number_of_the_default_preset() -> None:
    """Which `[search.preset]` can change."""
    page, preset_ = manual("reference/presets.md").partition("## Names of the numbers")[2], preset("default")
    cells_by_name = {name: row[1] for line in page.splitlines() if len(row := cells(line)) == 2 for name in row[0].split(", ")}
    parts: dict[str, Any] = {f"legs.{leg.name}": leg for leg in preset_.legs} | {
        f"adjust.{stage.name}": stage for stage in preset_.adjust
    }
    for name in ("understand", "fuse", "gate", "diversify", "limits"):
        parts[name] = getattr(preset_, name)
    for name, part in parts.items():
        keys = [field.name for field in dataclasses.fields(part) if field.name not in NO_NUMBERS]
        assert re.findall(r"`(\w+)`", cells_by_name.get(f"`{name}`", "")) == keys, name


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []


def test_every_notice_is_documented() -> None:
    page = manual("reference/search-result.md")
    sources = (ROOT / "runtime" / "ranvier").rglob("*.py")
    codes = {code for file in sources for code in re.findall(r'Notice\(\s*"([a-z-]+)"', file.read_text("utf-8"))}
    assert {"some-words", "corrected", "literal"} <= codes
    for code in codes:
        assert f"| `{code}` |" in page, code


def test_every_reason_of_a_withheld_file_is_documented() -> None:
    page = manual("reference/build-report.md")
    reasons = (*CURES, Reason.SNIPPET)
    assert [reason for reason in reasons if f"| *{reason}* |" not in page] == []


def test_every_dependency_is_documented() -> None:
    page = manual("decisions/dependencies.md")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for requirement in (*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())):
        name = re.split(r"[<>=~!]", requirement)[0]
        assert f"`{name}`" in page, name


@pytest.mark.parametrize(
    ("kind", "page"),
    [
        (ranvier.Hit, "reference/search-result.md"),
        (ranvier.SearchResult, "reference/search-result.md"),
        (ranvier.SubResult, "reference/search-result.md"),
        (ranvier.Explanation, "reference/search-result.md"),
        (ranvier.LegRank, "reference/search-result.md"),
        (ranvier.Step, "reference/search-result.md"),
        (ranvier.RetrieveResult, "reference/retrieve-result.md"),
        (ranvier.RetrievedChunk, "reference/retrieve-result.md"),
        (ranvier.Backlink, "reference/python-api.md"),
    ],
)
def test_every_result_field_is_documented(kind: type, page: str) -> None:
    text = manual(page)
    for field in dataclasses.fields(kind):
        assert f"`{field.name}`" in text, field.name


def test_every_error_code_is_documented() -> None:
    page = manual("reference/errors.md")
    kinds = [kind for name in ranvier.__all__ if isinstance(kind := getattr(ranvier, name), type)]
    codes = {kind.code for kind in kinds if issubclass(kind, ranvier.RanvierError)} | {"engine", "stale"}
    for code in codes:
        assert f"`{code}`" in page, code


def test_readme_names_existing_files() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for path in re.findall(r"\]\((?!http)([^)#]+)\)", readme):
        assert (ROOT / path).exists(), path
    assert "bash .ci/run" in readme
    blocks = re.findall(r"```sh\n(.*?)```", readme, re.DOTALL)
    assert [block.count("\n") for block in blocks] == [1, 1], "two commands, each one line"
