"""`ranvier check` (M1, V1): content or a site, as a table or as JSON, and its exit code."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from ranvier_builder import Config, publish
from ranvier_builder.check.findings import CHECKS
from ranvier_builder.console import report_json
from ranvier_builder.model import KINDS, Report
from support import cli
from support.content import build_without_engine, stub_assets, write_tree
from support.shared import copied_fixture
from support.sites import EXAMPLE

VAULT: dict[str, str | bytes] = {
    "index.md": "# Home\n\nSee [one](one.md), [gone](gone.md) and [[secret]].\n",
    "one.md": "---\nupdated: 2001-02-03\ntags: [a]\n---\n# One\n\nBack [home](index.md), on to [nowhere](index.md#nowhere).\n",
    "copy/one.md": "# Two\n\nA text that is there twice.\n",
    "copy/two.md": "# Two\n\nA text that is there twice.\n",
    "secret.md": "---\naudience: curator\n---\n# Secret\n\nA plan.\n",
    "bad.md": "---\n[\n---\nText\n",
}


def run(*words: object) -> Result:
    return cli.run("check", *words)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "docs", VAULT)


site = copied_fixture("small_site")


def places_by_check(result: Result) -> dict[str, list[str]]:
    report = json.loads(result.stdout)
    out: dict[str, list[str]] = {}
    for finding in report["findings"]:
        out.setdefault(finding["check"], []).append(f"{finding['file']}:{finding['line']}")
    assert {check: len(place) for check, place in out.items()} == {check: n for check, n in report["counts"].items() if n}
    return out


def test_proof_of_a_site_without_audiences_is_refused(site: Path, vault: Path) -> None:
    (site / "_ranvier" / "search.js").touch()
    result = run(site, "--against", vault)
    assert (result.exit_code, "cure: leave out --against" in result.output) == (1, True)


def test_check_of_content_reports_each_finding_with_its_line(vault: Path) -> None:
    """M1."""
    result = run(vault, "--default-audience", "public", "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert (report["checked"], report["ok"], report["severe"]) == ("content", False, False)
    numbers = report["numbers"]
    assert (numbers["neurons"], numbers["published"], sum(numbers["withheld"].values())) == (6, 4, 2)
    checks = places_by_check(result)
    assert checks["broken_link"] == checks["withheld_link"] == ["index.md:3"]
    assert (checks["broken_heading"], checks["stale"]) == (["one.md:7"], ["one.md:0"])
    assert (checks["orphan"], checks["same_text"]) == (["copy/one.md:0", "copy/two.md:0"], ["copy/one.md:0"])
    assert "same_title" not in checks  # copies have the same title
    assert [place.partition(":")[0] for place in checks["frontmatter"]] == ["bad.md"]


def test_check_of_content_is_readable(vault: Path) -> None:
    output = run(vault, "--default-audience", "public").output
    for part in ("Broken links  1", "index.md:3: gone.md: the target does not exist", "Orphans  2", "notes", "withheld"):
        assert part in output, part


def test_check_writes_nothing(vault: Path) -> None:
    before = sorted((file, file.read_bytes()) for file in vault.parent.rglob("*") if file.is_file())
    run(vault)
    assert sorted((file, file.read_bytes()) for file in vault.parent.rglob("*") if file.is_file()) == before


def test_check_of_correct_content_finds_nothing(tmp_path: Path) -> None:
    content = write_tree(tmp_path / "docs", {"index.md": "# Home\n\nSee [a](a.md).\n", "a.md": "Text [up](index.md).\n"})
    for words in ((), ("--strict",)):
        result = run(content, *words)
        assert (result.exit_code, "No problems found." in result.output) == (0, True), result.output


def test_strict_check_fails_on_findings(vault: Path) -> None:
    assert run(vault).exit_code == 0
    assert run(vault, "--strict").exit_code == 1
    assert run(vault, "--strict", "--json").exit_code == 1


def test_stale_days_flag(vault: Path) -> None:
    assert "stale" in places_by_check(run(vault, "--json", "--stale-days", 365))
    assert "stale" not in places_by_check(run(vault, "--json", "--stale-days", 100_000))


def test_check_reads_the_config_of_the_content(vault: Path) -> None:
    write_tree(vault, {"ranvier.toml": 'default_audience = "public"\nexclude = ["copy/*"]\n'})
    report = json.loads(run(vault, "--json").stdout)
    assert (report["numbers"]["neurons"], report["numbers"]["published"]) == (4, 2)
    other_toml = write_tree(vault.parent, {"other.toml": 'default_audience = "tool"\n'}) / "other.toml"
    assert json.loads(run(vault, "--json", "-c", other_toml).stdout)["numbers"]["published"] == 0


def test_most_frequent_broken_link_comes_first(tmp_path: Path) -> None:
    """One mistyped address on every page is one line."""
    files: dict[str, str | bytes] = {f"p{number}.md": f"[a](rare{number}.md) [b](gone.md)\n" for number in range(9)}
    content = write_tree(tmp_path / "docs", files)
    output = run(content).output
    first, second = "p0.md:1: gone.md: the target does not exist (9 times)", "p0.md:1: rare0.md: the target does not exist"
    assert f"Broken links  18\n  {first}\n  {second}" in output
    assert "--verbose prints them all" in output
    every = run(content, "-v").output
    assert all(f"  p{number}.md:1: {name}.md: " in every for number in range(9) for name in ("gone", f"rare{number}"))


def test_verbose_check_lists_all_pages_of_a_group(tmp_path: Path) -> None:
    content = write_tree(tmp_path / "docs", {f"{name}.md": "---\ntitle: Plan\n---\nThe same.\n" for name in "abcd"})
    assert "a.md: has the same text as b.md and 2 more\n" in run(content).output
    assert "a.md: has the same text as b.md and 2 more\n    c.md\n    d.md\n" in run(content, "-v").output


def test_check_of_a_complete_site_finds_nothing(site: Path) -> None:
    result = run(site)
    assert (result.exit_code, "No problems found." in result.output) == (0, True), result.output
    report = json.loads(run(site, "--json").stdout)
    assert (report["checked"], report["ok"], report["severe"]) == ("site", True, False)
    assert list(report["counts"]) == list(CHECKS)
    assert report["numbers"]["neurons"] == 36


def test_check_of_a_damaged_site_fails(site: Path) -> None:
    """M1, X3: also without `--strict`."""
    file = sorted((site / "_ranvier" / "text").iterdir())[0]
    file.write_bytes(b"x")
    result = run(site)
    assert result.exit_code == 1
    assert "Damaged files  1" in result.output
    assert run(site, "--json").exit_code == 1


def test_broken_link_fails_a_strict_check_only(site: Path) -> None:
    write_tree(site, {"x.html": '<a href="gone/">gone</a>'})
    assert run(site).exit_code == 0
    assert run(site, "--strict").exit_code == 1


def test_many_links_to_missing_headings_of_an_indexed_site_have_a_hint(site: Path) -> None:
    """Scripts of other generators make headings; those of `ranvier build` make none."""
    hint = "this check runs no scripts"
    write_tree(site, {"x.html": "".join(f'<a href="./#made-{number}">x</a>' for number in range(21))})
    assert hint not in run(site).output
    (site / "_ranvier" / "search.js").touch()
    assert hint in run(site).output
    assert hint not in run(site, "--quiet").output
    write_tree(site, {"x.html": '<a href="./#made">x</a>'})
    assert hint not in run(site).output


def test_site_without_its_entry_file_is_damaged(site: Path) -> None:
    (site / "_ranvier" / "entry.json").unlink()
    result = run(site)
    assert result.exit_code == 1
    assert "entry.json" in result.output


LEAKY: dict[str, str | bytes] = {
    "index.md": "---\naudience: public\n---\n# Home\n\nA public text of some words.\n",
    "plans/wolverine-merger.md": "---\naudience: curator\ntitle: The wolverine merger\n---\n"
    "We buy the quagga works before spring comes.\n",
}


@pytest.fixture
def leaky(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A content folder and a site of its public part."""
    monkeypatch.setattr(publish, "write_assets", stub_assets)
    content = write_tree(tmp_path / "docs", LEAKY)
    build_without_engine(content, tmp_path / "out", vectors=True)
    return content, tmp_path / "out"


def test_check_against_content_without_a_leak(leaky: tuple[Path, Path]) -> None:
    """A3."""
    content, site = leaky
    result = run(site, "--against", content, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["numbers"]["leaks"] == 0
    assert "leaks" not in json.loads(run(site, "--json").stdout)["numbers"]


def test_check_against_content_fails_on_a_leak(leaky: tuple[Path, Path]) -> None:
    """A3: the leak is planted after the build."""
    content, site = leaky
    write_tree(site, {"robots.txt": "We buy the quagga works before spring comes."})
    result = run(site, "--against", content, "--json")
    assert result.exit_code == 1
    assert any(place.startswith("robots.txt") for place in places_by_check(result)["leak"])
    assert run(site).exit_code == 0  # without the content, the check knows no withheld words
    assert "Leaks" in run(site, "--against", content).output


def test_check_against_content_uses_the_settings_of_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A3: its options, and the syntax that the settings of MkDocs turn on."""
    monkeypatch.setattr(publish, "write_assets", stub_assets)
    files: dict[str, str | bytes] = {
        "mkdocs.yml": "markdown_extensions: [pymdownx.caret]\n",
        "docs/index.md": "# Home\n\nx^2^\n",
    }
    content, site = write_tree(tmp_path, files) / "docs", tmp_path / "out"
    build_without_engine(content, site, Config(default_audience="public", url="https://example.org/"), vectors=None)
    assert "x<sup>2" in (site / "index.html").read_text("utf-8")
    options = ("--against", content, "--default-audience", "public")
    result = run(site, *options, "--url", "https://example.org/")
    assert (result.exit_code, "Leaks" in result.output) == (0, False), result.output
    assert "Leaks" in run(site, *options).output
    assert "nothing was published" in run(site, *options[:2]).output


@pytest.mark.parametrize("files", [{}, {"a.txt": "x"}, {"index.html": "<p>x"}])
def test_folder_that_is_neither_content_nor_site_is_an_error(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    (tmp_path / "some").mkdir()
    result = run(write_tree(tmp_path / "some", files))
    assert result.exit_code == 1
    assert "is neither a folder with Markdown files nor a built site" in result.output
    assert "cure: ranvier check CONTENT" in result.output


def test_check_refuses_wrong_arguments(vault: Path) -> None:
    assert "is not a folder" in run(vault / "nowhere").output
    assert "is not a site built by Ranvier" in run(vault, "--against", vault).output
    assert run(vault, "--stale-days", -1).exit_code == 2
    assert run().exit_code == 2


def test_file_names_are_not_terminal_markup(tmp_path: Path) -> None:
    content = write_tree(tmp_path / "docs", {"[bold]x[/].md": "[y](\x1b[31mgone.md)\n", "index.md": "Home\n"})
    result = run(content)
    assert result.exit_code == 0, result.output
    assert "[bold]x[/].md: no page links here" in result.output
    assert "\x1b" not in result.output


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("reference/cli.md", (*CHECKS, "checked", "path", "ok", "severe", "numbers", "counts", "findings", "others")),
        ("reference/build-report.md", (*KINDS, *report_json(Report()))),
    ],
)
def test_manual_names_every_check_and_json_key(page: str, names: tuple[str, ...]) -> None:
    text = (EXAMPLE / "content" / page).read_text("utf-8")
    assert [name for name in names if f"`{name}`" not in text] == []
