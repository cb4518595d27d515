"""The command line (V1): its output, its errors, and no traceback for any mistake."""

import errno
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import ranvier
from click.testing import CliRunner, Result
from ranvier.store.format import FORMAT
from ranvier.text import ANALYSER
from ranvier.types import to_plain
from ranvier_builder import publish
from ranvier_builder.cli import main
from ranvier_builder.engine import pinned
from support.content import stub_assets, write_tree

Run = Callable[..., Result]
COMMANDS = sorted(main.commands)
# Ctrl-C while the command imports other packages.
STOPPED = """
import sys
class Stop:
    def find_spec(name, *_):
        if name.partition(".")[0] in ("click", "ranvier"):
            raise KeyboardInterrupt
sys.meta_path.insert(0, Stop)
import ranvier_builder.cli
"""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(publish, "write_assets", stub_assets)
    return lambda *words: CliRunner().invoke(main, [str(word) for word in words])


def refused(result: Result) -> str:
    """Assert that a command failed with an error message and no traceback; return its output."""
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.output.startswith("Error: ")
    assert "Traceback" not in result.output
    return result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_command_examples_parse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The example in the help of each command is valid."""
    words = shlex.split(str(main.commands[name].epilog).partition("Example: ranvier ")[2])[1:]
    monkeypatch.chdir(tmp_path)
    Path("public").mkdir()
    main.commands[name].make_context(name, words).close()


def test_version(run: Run) -> None:
    versions = f"ranvier {ranvier.__version__} (engine: Pyodide {pinned.VERSION}; format {FORMAT}; analyser {ANALYSER})"
    assert run("--version").output == f"{versions}\n"


def test_search_prints_readable_hits(run: Run, small_site: Path) -> None:
    output = run("search", small_site, "conduction").output
    assert "1. Install the axon" in output
    assert "guide/install/" in output
    assert "# Slow conduction" in output
    assert "<mark>" not in output
    assert "&amp;" not in output
    assert "more" in run("search", small_site, "relay", "--limit", 2).output
    assert "No results." in run("search", small_site, "xyzzyplugh").output


def test_page_text_is_not_terminal_markup(run: Run, small_site: Path) -> None:
    output = run("search", small_site, "hostile quetzal").output
    assert "<script>alert(1)</script>" in output
    assert run("search", small_site, "[bold]relay[/nosuch]").exit_code == 0


@pytest.mark.parametrize("query", ["", "AND", '"', "(", "\ud800", "x" * 10_000, "-x", "\u2028"])
def test_unusual_queries_are_no_errors(run: Run, small_site: Path, query: str) -> None:
    """Q5."""
    for name in ("search", "retrieve"):
        result = run(name, "--json", "--", small_site, query)
        assert result.exit_code == 0, result.output
        assert isinstance(json.loads(result.stdout), dict)


def test_retrieve_prints_the_context_or_json(run: Run, small_site: Path) -> None:
    """P2."""
    with ranvier.open_snapshot(small_site) as library:
        expected = library.retrieve("conduction", top_k=2, max_chars=60)
    words = ("retrieve", small_site, "conduction", "--top-k", 2, "--max-chars", 60)
    assert run(*words).stdout == expected.formatted_context + "\n"
    result = json.loads(run(*words, "--json").stdout)
    assert result | {"timing": 0} == to_plain(expected) | {"timing": 0}
    assert result["total_chars"] <= 60


@pytest.mark.parametrize("name", ["search", "retrieve", "backlinks", "serve"])
def test_folder_without_a_site_is_an_error(run: Run, tmp_path: Path, name: str) -> None:
    output = refused(run(name, tmp_path, *(["x"] if name != "serve" else [])))
    assert "entry.json" in output or "ranvier build" in output


@pytest.mark.parametrize("name", ["search", "retrieve", "backlinks", "serve", "index"])
def test_missing_site_is_an_error_with_a_cure(run: Run, tmp_path: Path, name: str) -> None:
    output = refused(run(name, tmp_path / "nowhere", *(["x"] if name not in ("serve", "index") else [])))
    assert "nowhere: is not a folder\n  cure: " in output
    assert "ranvier index" not in output, "it cannot make this folder"


def test_printed_commands_quote_a_path_with_blanks(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    content = write_tree(tmp_path / "docs", {"a.md": "Text\n"})
    assert "ranvier build CONTENT -o 'my site'\n" in run("search", "my site", "x").output
    output = run("build", content, "-o", "my site", "--default-audience", "public").output
    assert "my site is ready: ranvier serve 'my site'\n" in output
    assert "cure: ranvier serve 'my site'\n" in run("index", "my site").output


def test_file_instead_of_a_site_has_no_cure_that_builds_there(run: Run) -> None:
    assert refused(run("serve", __file__)).endswith("test_main.py: is not a folder\n")


@pytest.mark.parametrize("folder", ["index", "text"])
def test_site_with_a_damaged_file_is_an_error(run: Run, large_store: Path, tmp_path: Path, folder: str) -> None:
    """X3."""
    site = shutil.copytree(large_store, tmp_path / "site")
    for file in (site / folder).iterdir():
        file.write_bytes(b"damaged")
    output = refused(run("search", site, "alpha3"))
    assert f"{folder}/" in output
    assert output.endswith("cure: build the site again\n")


@pytest.mark.parametrize(
    "words",
    [
        "search",
        *(f"search . x --{option}" for option in ("limit 0", "limit 101", "offset -1", "preset nosuch", "strategy bm26")),
        *("search . x --min-confidence 1.1", "search . x --candidates 9", "retrieve . x --max-chars 0"),
        *("serve . --timeout nan", "serve . --chat-timeout inf"),
        *("backlinks .", "segment set", "segment set x --strategy nosuch", "nosuch", "build --nosuch"),
        *("serve . --port 70000", "serve . --tokens tokens.txt", "mcp . --tokens tokens.txt", "serve . --chat"),
        shlex.join(("build", ".", "--cache", __file__)),
    ],
)
def test_wrong_usage_exits_with_2(run: Run, words: str) -> None:
    result = run(*shlex.split(words))
    assert result.exit_code == 2
    assert "Usage:" in result.output
    assert "Error:" in result.output


def test_wrong_usage_shows_an_example(run: Run) -> None:
    assert run("serve").output.endswith("Missing argument 'SITE'.\n  cure: for example, ranvier serve public --port 8000\n")
    assert "cure: for example, ranvier keys add" in run("keys", "add").output
    assert "cure: for example, ranvier serve public" in run("serve", ".", "--chat").output


@pytest.mark.parametrize(
    "words", [("build", ".", "--layers", "public"), ("serve", ".", "--port", "70000"), ("search", "."), ("nosuch",)]
)
def test_wrong_usage_shows_no_example_that_does_not_cure_it(run: Run, small_site: Path, words: tuple[str, ...]) -> None:
    output = run(*(small_site if word == "." else word for word in words)).output
    assert "Error: " in output
    assert "cure:" not in output


@pytest.mark.parametrize("name", ["keys", "segment"])
def test_group_without_a_command_prints_its_help(run: Run, name: str) -> None:
    output = run(name).output
    assert output.count("Usage:") == 1
    assert "Commands:" in output
    assert "Error:" not in output


@pytest.mark.parametrize(
    "words",
    [
        *((name, "") for name in COMMANDS if name not in ("keys", "segment")),
        ("keys", "list", ""),
        ("segment", "list", "--config", ""),
        ("build", ".", "--output", ""),
        ("build", ".", "--cache", ""),
        ("serve", ".", "--api", "--tokens", ""),
        ("init", "--yes", "--notes", ""),
    ],
)
def test_empty_path_is_not_the_current_folder(run: Run, words: tuple[str, ...]) -> None:
    """V1: a variable that is not set."""
    result = run(*words)
    assert result.exit_code == 2
    assert result.output.endswith("the path is empty. Write . for the current folder.\n")


@pytest.mark.parametrize(
    "words", [("build",), ("build", ".", "-o"), ("check",), ("index",), ("init",), ("search",), ("serve",)]
)
def test_path_that_cannot_be_looked_up_is_no_bug(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path, reason in ((loop, os.strerror(errno.ELOOP)), (tmp_path / ("a" * 300), os.strerror(errno.ENAMETOOLONG))):
        result = run(*words, path)
        assert result.exit_code == 2, result.output
        assert result.output.endswith(f"{path}: {reason}\n")


@pytest.mark.parametrize(
    ("names_file", "message"),
    [
        (True, "entry.json: Permission denied\n  cure: check the permissions of the file and of the folders above it\n"),
        (False, "Permission denied\n  cure: set RANVIER_TRACEBACK=1 to see the traceback, and report this error\n"),
    ],
)
def test_missing_permission_for_a_file_is_no_bug(
    run: Run, monkeypatch: pytest.MonkeyPatch, small_site: Path, names_file: bool, message: str
) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied", *[str(path)][:names_file])

    monkeypatch.setattr(Path, "is_file", refuse)
    assert refused(run("search", small_site, "quay")).endswith(message)


def test_ctrl_c_during_the_start_prints_no_traceback() -> None:
    """Before the commands are loaded, nothing else handles it."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", STOPPED], env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (1, "Aborted!\n")


def test_build_prints_a_summary(run: Run, tmp_path: Path) -> None:
    files = {"a.md": "---\naudience: public\n---\nText\n", "b.md": "Text\n", "c.md": "---\naudience: tool\n---\n"}
    result = run("build", write_tree(tmp_path / "docs", dict(files)), "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "out" / "_ranvier" / "entry.json").is_file()
    output = " ".join(result.output.split())
    reasons = ("1: audience tool", "1: no audience, and no default_audience is set")
    for part in ("pages read 3", "published 1", "withheld 2", *reasons, "ranvier serve"):
        assert part in output


def test_quiet_commands_print_only_warnings(run: Run, tmp_path: Path) -> None:
    """V1: nothing without a warning; the numbers and the next command are left out."""
    notes = write_tree(tmp_path / "notes", {"a.md": "# A\n\nSee [b](b.md).\n", "b.md": "# B\n\nSee [a](a.md).\n"})
    calls = [
        ("build", notes, "-o", tmp_path / "out", "--default-audience", "public"),
        ("check", notes),
        ("index", tmp_path / "web"),
    ]
    write_tree(tmp_path, {"web/index.html": "<!doctype html><title>W</title><main><h1>W</h1><p>Words.</p></main>"})
    for words in calls:
        assert run(*words).output
        assert run(*words, "--quiet").output == ""
    (notes / "b.md").write_text("# B\n\nSee [a](a.md) and [[Nothing]].\n")
    for words in calls[:2]:
        output = run(*words, "--quiet").output
        assert "b.md:3: " in output
        assert "Nothing" in output
        assert len(output.splitlines()) == 2


def test_warning_about_an_option_names_the_command_line(run: Run, tmp_path: Path) -> None:
    site = write_tree(tmp_path / "web", {"index.html": "<title>W</title><main><p>Words.</p></main>"})
    assert "command line: exclude: 'nosuch' matches no HTML file; remove it" in run("index", site, "--exclude", "nosuch").output


def test_build_that_publishes_nothing_fails_with_the_cure(run: Run, tmp_path: Path) -> None:
    """A1: the first build without a default audience."""
    result = run("build", write_tree(tmp_path / "docs", {"a.md": "Text\n"}), "-o", tmp_path / "out")
    assert result.exit_code == 1, result.output
    assert "nothing was published, because all files are withheld (1: no audience" in result.output
    assert "set)\n  cure: set --default-audience public" in result.output
    assert "is ready" not in result.output
    assert "remove" not in result.output
    assert run("build", tmp_path / "docs", "-o", tmp_path / "out", "--default-audience", "public").exit_code == 0
    result = run("build", tmp_path / "docs", "-o", tmp_path / "out", "--json")
    assert result.exit_code == 1
    assert f"; if the pages are private now, remove {tmp_path / 'out'}, which still has them" in result.output
    assert (tmp_path / "out" / "a" / "index.html").is_file(), "the old site is kept"


@pytest.mark.parametrize(
    ("front", "default", "line"),
    [
        ("title: A: b", "", "is set)\n  cure: set --default"),
        ("title: A: b\ndraft: true", "public", "read)\n  a.md:3: withheld because of `draft`"),
        ("title: A: b\naudience:", "public", "read)\n  cure: change"),
        ("title: A: b\naudience: staff", "", "an unknown audience)\n  a.md: unknown audience 'staff'"),
    ],
)
def test_build_that_publishes_nothing_shows_only_the_line_that_is_the_reason(
    run: Run, tmp_path: Path, front: str, default: str, line: str
) -> None:
    content = write_tree(tmp_path / "docs", {"a.md": f"---\n{front}\n---\nText\n"})
    result = run("build", content, "-o", tmp_path / "out", "--default-audience", default)
    assert line in result.output.partition("nothing was published")[2]


def test_summary_begins_with_withheld_files_and_the_cure(run: Run, tmp_path: Path) -> None:
    """A1, N9."""
    files: dict[str, str | bytes] = {"a.md": "Text\n", "b.md": "---\ntitle: x\ndescription: audience: all\n---\n"}
    result = run("build", write_tree(tmp_path / "docs", files), "-o", tmp_path / "out", "--default-audience", "public")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    at = lines.index(
        "1 file is withheld: a field that withholds the page, an empty audience, or frontmatter that cannot be read"
    )
    assert lines[at + 1].startswith("  b.md:3: frontmatter cannot be read: ")
    assert lines[at + 2].startswith("  cure: change that line, if the page is for everybody; put a")
    assert lines[at + 3].startswith("pages read")


def test_build_flags(run: Run, tmp_path: Path) -> None:
    content = write_tree(tmp_path / "docs", {"a.md": "Text\n", "b.md": "---\naudience: tool\n---\n"})
    flags = ("--default-audience", "public", "--audience", "tool", "--url", "https://x.example/d/")
    result = run("build", content, "-o", tmp_path / "out", *flags)
    assert result.exit_code == 0, result.output
    assert "published 2" in " ".join(result.output.split())
    assert "https://x.example/d/a/" in (tmp_path / "out" / "sitemap.xml").read_text()


def test_build_warns_with_file_and_line(run: Run, tmp_path: Path) -> None:
    """N9."""
    files: dict[str, str | bytes] = {f"bad{number:02}.md": "---\na: [\n---\n" for number in range(15)}
    content = write_tree(tmp_path / "docs", files | {"[bold].md": "---\naudience: public\n---\n[x](gone.md)\n"})
    result = run("build", content, "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "bad00.md:" in result.output
    assert "bad14.md" not in result.output
    assert "… and 12 more" in result.output
    verbose = run("build", content, "-o", tmp_path / "out", "--verbose")
    assert "bad14.md:" in verbose.output
    assert "[bold].md:4: a link leads to no published page: gone.md" in verbose.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("build", "nowhere"), "nowhere: is not a folder"),
        (("build", "docs", "-o", "mine"), "not built by ranvier"),
        (("build", "docs", "-o", "docs"), "contains the content folder"),
        (("build", "docs", "--audience", "everybody"), "cannot be 'everybody'"),
        (("build", "docs", "--url", "x.example"), "url cannot be"),
        (("build", "docs", "-c", "bad.toml"), "did you mean 'default_audience'?"),
        (("build", "docs", "-c", "theme.toml"), "nosuch"),
        (("build", "docs", "-o", "docs/a.md"), "is a file"),
    ],
)
def test_build_errors_name_the_mistake(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    settings = {"bad.toml": "default_audence = 'public'\n", "theme.toml": "theme = 'nosuch'\n"}
    write_tree(tmp_path, {"docs/a.md": "x", "mine/x": "x", **settings})
    monkeypatch.chdir(tmp_path)
    assert message in refused(run(*words))
    assert (tmp_path / "docs" / "a.md").read_text() == "x"


def test_watch_goes_on_beside_a_setting_that_is_no_path(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> Iterator[set[object]]:
        yield from (set[object](), set[object]())  # before the first build, and after it
        raise KeyboardInterrupt

    monkeypatch.setattr("watchfiles.watch", interrupted)
    content = write_tree(
        tmp_path / "docs", {"a.md": "---\naudience: public\n---\nText.\n", "book.toml": '[book]\nsrc = "\\u0000"\n'}
    )
    result = run("build", content, "-o", tmp_path / "out", "--watch", "--jobs", 1)
    assert (result.exit_code, "Error" in result.output) == (0, False)


@pytest.mark.parametrize("setting", ["flag", "file"])
def test_strict_build_fails_on_a_warning_and_keeps_the_old_site(run: Run, tmp_path: Path, setting: str) -> None:
    """N9: by the flag or by ranvier.toml; without a warning the build succeeds."""
    content, out = write_tree(tmp_path / "docs", {"a.md": "---\naudience: public\n---\nFirst words.\n"}), tmp_path / "out"
    flags = ["--strict"] if setting == "flag" else []
    write_tree(content, {"ranvier.toml": "strict = true\n"} if setting == "file" else {})
    assert run("build", content, "-o", out, *flags).exit_code == 0
    write_tree(content, {"a.md": "---\naudience: public\n---\nSecond words, [x](gone.md).\n"})
    report = refused(run("build", content, "-o", out, *flags))
    assert "a.md:4: a link leads to no published page: gone.md" in report
    assert "First words." in (out / "a" / "index.html").read_text("utf-8")
