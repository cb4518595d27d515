"""`ranvier segment` (Q3, V1, [002]): it edits ranvier.toml and keeps the rest of the file."""

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import Result
from ranvier_builder.toml_edit import Tables, toml_string
from support import cli

SETTINGS = """\
# The notes of a field station.
title = "Notes" # keep

# Code is looked for as it is written.
[[segments]]
name = "code" # the first
pattern = 'function|class'

# People who ask.
[[segments]]
name = "why"
pattern = "^why"
strategy = "bm25"   # no vectors yet

# Other words.
[synonyms]
k8s = ["kubernetes"]
"""


@pytest.fixture
def toml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "ranvier.toml"
    file.write_text(SETTINGS)
    return file


def run(*words: object) -> Result:
    return cli.run("segment", *words)


def names(file: Path) -> list[str]:
    return [item["name"] for item in tomllib.loads(file.read_bytes().decode()).get("segments", [])]


def test_usage_error_names_the_nested_command() -> None:
    output = run("set", "x", "--pattern").output
    assert "segment set [OPTIONS] NAME" in output
    assert "for example, ranvier segment set code" in output


def test_segment_set_and_list(toml: Path) -> None:
    """Q3, [002]: `segment set code-queries --strategy bm25 --pattern …`, then `segment list`."""
    pattern = "function|class|import|export|const|let|var"
    output = run("set", "code-queries", "--strategy", "bm25", "--pattern", pattern)
    assert output.exit_code == 0, output.output
    assert "3 segments" in output.output
    assert names(toml) == ["code", "why", "code-queries"]
    segments = json.loads(run("list", "--json").output)
    assert segments[2] == {"name": "code-queries", "pattern": pattern, "strategy": "bm25"}
    lines = run("list").output.splitlines()
    assert [" ".join(line.split()[:3]) for line in lines[1:]] == ["1 code auto", "2 why bm25", "3 code-queries bm25"]


def test_new_segment_is_appended(toml: Path) -> None:
    run("set", "new", "--pattern", "n")
    new = '\n[[segments]]\nname = "new"\npattern = "n"\n'
    assert toml.read_text() == SETTINGS.replace("# no vectors yet\n", f"# no vectors yet\n{new}")


def test_segment_change_edits_one_line(toml: Path) -> None:
    run("set", "why", "--strategy", "vector")
    assert toml.read_text() == SETTINGS.replace('strategy = "bm25"   #', 'strategy = "vector"   #')
    run("set", "code", "--path", "src")
    assert "pattern = 'function|class'\npath = \"src\"\n\n# People" in toml.read_text()


@pytest.mark.parametrize(
    ("words", "order"),
    [
        (("set", "new", "--pattern", "n", "--priority", "1"), ["new", "code", "why"]),
        (("set", "new", "--pattern", "n", "--priority", "2"), ["code", "new", "why"]),
        (("set", "new", "--pattern", "n", "--priority", "99"), ["code", "why", "new"]),
        (("set", "why", "--priority", "1"), ["why", "code"]),
        (("set", "code", "--priority", "2"), ["why", "code"]),
        (("set", "code", "--priority", "1"), ["code", "why"]),
    ],
)
def test_segment_order_is_the_priority(toml: Path, words: tuple[str, ...], order: list[str]) -> None:
    """Q3, [002]: segments are evaluated in order; every comment of the file stays."""
    assert run(*words).exit_code == 0
    assert names(toml) == order
    text = toml.read_text()
    comments = [line for line in SETTINGS.splitlines() if line.startswith("#")]
    assert sorted(line for line in text.splitlines() if line.startswith("#")) == sorted(comments)
    assert text.index("# Code is") < text.index('name = "code"'), "a comment goes with its table"
    assert text.endswith('# Other words.\n[synonyms]\nk8s = ["kubernetes"]\n')


def test_segment_change_keeps_the_byte_order_mark(toml: Path) -> None:
    toml.write_text("[[segments]]\nname = 'a'\npattern = 'x'\n", "utf-8-sig")
    assert run("set", "a", "--pattern", "y").exit_code == 0
    assert toml.read_bytes().decode() == "\ufeff[[segments]]\nname = 'a'\npattern = \"y\"\n"


def test_segment_remove(toml: Path) -> None:
    assert "1 segment now" in run("remove", "code").output
    assert names(toml) == ["why"]
    assert run("remove", "why").exit_code == 0
    assert toml.read_text() == (
        '# The notes of a field station.\ntitle = "Notes" # keep\n\n# Other words.\n[synonyms]\nk8s = ["kubernetes"]\n'
    )
    assert run("list").output == "There are no segments.\n"
    assert run("list", "--json").output == "[]\n"


def test_segment_set_keeps_windows_line_ends(toml: Path) -> None:
    toml.write_bytes(b'title = "x"\r\n[audience]\r\nITPro = "public"')
    run("set", "a", "--pattern", "a")
    assert toml.read_bytes() == (
        b'title = "x"\r\n[audience]\r\nITPro = "public"\r\n\r\n[[segments]]\r\nname = "a"\r\npattern = "a"\r\n'
    )
    toml.write_bytes(b"")
    run("set", "a", "--pattern", "a")
    assert toml.read_bytes() == b'[[segments]]\nname = "a"\npattern = "a"\n'


@pytest.mark.parametrize("pattern", ["a\\d+", "it's \\w", 'say "x"', "tab\there", "日本語", "\x7f", "a\nb", "'''", "\\"])
def test_segment_patterns_round_trip(pattern: str) -> None:
    assert tomllib.loads(f"x = {toml_string(pattern)}") == {"x": pattern}
    assert toml_string(r"\bdef \w+") == r"'\bdef \w+'", "a literal string"


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (SETTINGS, ("set", "", "--pattern", "x"), "a segment must have a name"),
        (SETTINGS, ("set", "new"), "needs a pattern"),
        (SETTINGS, ("set", "new", "--pattern", "("), "is not a regular expression"),
        (SETTINGS, ("set", "code", "--pattern", "*"), "is not a regular expression"),
        (SETTINGS, ("remove", "nosuch"), "there are: code, why"),
        ('segments = [{name = "a", pattern = "a"}]\n', ("set", "b", "--pattern", "b"), "write each segment as a table"),
        ('x = """\n[[segments]]\n"""\n', ("set", "b", "--pattern", "b"), "there is no setting 'x'"),
        (
            'title = """\n[[segments]]\n"""\n[[segments]]\nname = "a"\npattern = "b"\n',
            ("set", "b", "--pattern", "b"),
            "write each",
        ),
        ('[[segments]]\nname = "a"\npattern = """\nb"""\n', ("set", "a", "--pattern", "c"), "by hand"),
        ("segments = 1\n", ("list",), "segments must be a list of tables"),
        ("title = ", ("list",), "is not valid TOML"),
        (None, ("list",), "there is no ranvier.toml in this folder"),
    ],
)
def test_refused_segment_change_writes_nothing(toml: Path, text: str | None, words: tuple[str, ...], message: str) -> None:
    if text is None:
        toml.unlink()
    else:
        toml.write_text(text)
    result = run(*words)
    assert result.exit_code == (2 if "must have a name" in message else 1)
    assert message in result.output
    assert "Traceback" not in result.output
    assert (toml.read_text() if toml.exists() else None) == text
    assert [file.name for file in toml.parent.iterdir()] == ([] if text is None else ["ranvier.toml"])


def test_segments_of_a_file_that_cannot_be_replaced_stay(toml: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    before = toml.read_text()
    monkeypatch.setattr(Path, "replace", refuse)
    result = run("set", "new", "--pattern", "x")
    assert result.exit_code == 1
    assert "ranvier.toml: cannot be written: Permission denied\n  cure: check the permissions" in result.output
    assert (toml.read_text(), [file.name for file in toml.parent.iterdir()]) == (before, ["ranvier.toml"])


def test_link_to_settings_stays(toml: Path) -> None:
    file = toml.rename(toml.parent / "shared.toml")
    toml.symlink_to(file)
    assert run("set", "new", "--pattern", "x").exit_code == 0
    assert toml.is_symlink()
    assert names(file) == ["code", "why", "new"]


def test_segment_config_flag(toml: Path) -> None:
    other_toml = toml.with_name("other.toml")
    other_toml.write_text("")
    assert run("set", "a", "--pattern", "a", "-c", other_toml).exit_code == 0
    assert names(other_toml) == ["a"]
    assert toml.read_text() == SETTINGS


def test_text_between_toml_tables_stays() -> None:
    text = '[[a]]\nx = "1"\n[b]\ny = 1\n[[a]]\nx = "2"'
    tables = Tables(text, "a")
    assert len(tables) == 2
    assert str(tables) == f"{text}\n"
    tables.move(1, 0)
    assert [item["x"] for item in tomllib.loads(str(tables))["a"]] == ["2", "1"]
    assert tomllib.loads(str(tables))["b"] == {"y": 1}
