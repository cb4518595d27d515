"""`ranvier init` (V1): it writes a site that can be built, and it changes no existing file."""

import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import ranvier
import yaml
from click.testing import CliRunner, Result
from ranvier_builder import publish
from ranvier_builder.cli import main
from support.content import stub_assets, write_tree

Run = Callable[..., Result]
SETTINGS, WORKFLOW = "ranvier.toml", ".github/workflows/ranvier.yml"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(publish, "write_assets", stub_assets)
    monkeypatch.chdir(tmp_path)

    def call(*words: object, answers: str = "") -> Result:
        result = CliRunner().invoke(main, [str(word) for word in words], input=answers)
        assert result.exit_code == 0, result.output
        return result

    return call


def files(folder: Path) -> list[str]:
    return sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())


def titles(site: str) -> set[str]:
    with ranvier.open_snapshot(site) as library:
        return {hit.title for hit in library.search("", return_all=True).hits}


def test_new_site_can_be_built_and_searched(run: Run, tmp_path: Path) -> None:
    """V1: the printed next command works, and so do the commands of the workflow."""
    output = run("init", "--yes", "--title", 'Field "notes"').output
    assert files(tmp_path) == [WORKFLOW, "notes/index.md", SETTINGS]
    assert output.splitlines()[:3] == [f"Wrote  {Path(name)}" for name in (SETTINGS, "notes/index.md", WORKFLOW)]
    build, serve = (shlex.split(command)[1:] for command in output.partition("Next: ")[2].split("&&"))
    run(*build, "--strict")
    assert titles("public") == {'Field "notes"'}
    main.commands[serve[0]].make_context(serve[0], serve[1:]).close()


def test_without_a_terminal_the_error_names_the_flag(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["init", str(tmp_path)])
    assert result.exit_code == 1
    assert result.output.endswith(
        "\nError: the questions need a terminal\n  cure: ranvier init --yes uses the defaults and asks nothing\n"
    )


def test_workflow_runs_commands_that_exist(run: Run, tmp_path: Path) -> None:
    """V1."""
    run("init", "--yes", "--notes", "my notes: new")
    workflow = yaml.safe_load((tmp_path / WORKFLOW).read_text())
    assert workflow[True] == {"push": {"branches": ["main"]}, "workflow_dispatch": None}  # YAML 1.1 reads `on` as true
    steps = workflow["jobs"]["publish"]["steps"]
    (script,) = (step["run"] for step in steps if "run" in step)
    install, *commands = script.splitlines()
    assert install == f'pip install "ranvier[vectors]=={ranvier.__version__}"'
    for command in commands:
        program, *words = shlex.split(command)
        assert program == "ranvier"
        run(*words)
    (upload,) = (step["with"]["path"] for step in steps if "upload-pages-artifact" in step.get("uses", ""))
    assert (tmp_path / upload / "index.html").is_file()


def test_answers_become_settings(run: Run, tmp_path: Path) -> None:
    """V1: four questions; a wrong answer is asked again."""
    answers = "Field notes\n../up\nwiki\nsome\nall\nexample.org\nhttps://example.org/notes/\n"
    output = run("init", "site", answers=answers).output
    assert output.count("Error: ") == 3
    settings = tomllib.loads((tmp_path / "site/ranvier.toml").read_text())
    assert settings == {"title": "Field notes", "url": "https://example.org/notes/", "lang": "en", "default_audience": "public"}
    write_tree(tmp_path, {"site/wiki/a.md": "# A\n", "site/wiki/b.md": "---\naudience: curator\n---\n# B\n"})
    run("build", "site/wiki")
    assert titles("public") == {"Field notes", "A"}


def test_only_marked_notes_are_published_by_default(run: Run, tmp_path: Path) -> None:
    """V1, A1: an empty answer takes the default, which publishes nothing without a mark."""
    write_tree(tmp_path, {"docs/a.md": "# Private\n", "docs/b.md": "---\naudience: public\n---\n# Open\n"})
    run("init", answers="\n\n\n\n")
    run("build", "docs")
    assert titles("public") == {tmp_path.name, "Open"}


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ({}, "notes --output public"),
        ({"README.md": "# A project"}, "notes --output public"),
        ({"README.md": "# A project", "docs/a.md": "# A"}, "docs --output public"),
        ({"a.md": "# A"}, ". --output public"),
        ({".obsidian/app.json": "{}", "docs/a.md": "# A"}, ". --output ../public"),
    ],
)
def test_folder_of_notes_is_found(run: Run, tmp_path: Path, tree: dict[str, str | bytes], words: str) -> None:
    """V1: and the site of a vault is built outside of it, because Obsidian would list its Markdown files."""
    write_tree(tmp_path, tree)
    assert f"Next: ranvier build {words} &&" in run("init", "--yes").output


def test_existing_files_are_kept(run: Run, tmp_path: Path) -> None:
    """V1: each of them is named, and the missing ones are written."""
    write_tree(tmp_path, {"docs/ranvier.toml": 'title = "Mine"\n', "docs/README.md": "---\naudience: public\n---\n# Home\n"})
    output = run("init", "--yes").output
    assert f"Kept   {Path('docs/ranvier.toml')}: it is there already" in output
    assert f"Kept   {Path('docs/README.md')}: it is there already" in output
    assert files(tmp_path) == [WORKFLOW, "docs/README.md", "docs/ranvier.toml"]
    run("build", "docs")
    before = {name: (tmp_path / name).read_bytes() for name in files(tmp_path)}
    assert run("init", "--yes", "--title", "Other").output.count("Kept ") == 3
    assert {name: (tmp_path / name).read_bytes() for name in files(tmp_path)} == before


@pytest.mark.parametrize(("name", "text"), [("Home.md", "# Home\n"), ("a.md", "---\nslug: /\n---\n# A\n")])
def test_home_page_of_another_system_is_kept(run: Run, tmp_path: Path, name: str, text: str) -> None:
    """V1: of a wiki, and of Docusaurus."""
    write_tree(tmp_path, {f"docs/{name}": text})
    assert f"Kept   {Path('docs', name)}: it is there already" in run("init", "--yes").output
    assert "docs/index.md" not in files(tmp_path)


def test_workflow_is_at_the_top_of_the_repository(run: Run, tmp_path: Path) -> None:
    """V1: elsewhere GitHub does not see it."""
    (tmp_path / ".git").mkdir()
    run("init", "web/site", "--yes")
    assert files(tmp_path) == [WORKFLOW, "web/site/notes/index.md", "web/site/ranvier.toml"]
    assert "ranvier build web/site/notes --output public" in (tmp_path / WORKFLOW).read_text()


def test_notes_of_a_vault_are_published_by_their_property(run: Run, tmp_path: Path) -> None:
    """V1, A1, N8: `publish: true` of an Obsidian vault."""
    notes: dict[str, str | bytes] = {
        ".obsidian/app.json": "{}",
        "a.md": "---\npublish: true\n---\n# Open\n\nOne\ntwo\n",
        "b.md": "---\npublish: false\n---\n# Shut\n",
        "c.md": "# Unmarked\n",
        "d.md": "---\naudience: public\n---\n# Public\n",
    }
    write_tree(tmp_path, notes)
    run("init", "--yes")
    run("build", ".", "--strict")
    assert titles("public") == {tmp_path.name, "Open", "Public"}
    assert "<p>One<br>\ntwo</p>" in Path("public/a/index.html").read_text()


@pytest.mark.parametrize(
    "words", [("--url", "example.org"), ("--notes", "../elsewhere"), ("--notes", "/tmp"), ("--publish", "some")]
)
def test_wrong_option_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    """V1."""
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(main, ["init", "--yes", *words]).exit_code == 2
    assert files(tmp_path) == []


def test_file_in_the_way_is_an_error(tmp_path: Path) -> None:
    """V1."""
    write_tree(tmp_path, {"site": "a file", "half/notes": "a file"})
    for folder in ("site", "half"):
        result = CliRunner().invoke(main, ["init", str(tmp_path / folder), "--yes", "--notes", "notes"])
        assert result.exit_code == 1
        assert "Error: " in result.output
        assert "Traceback" not in result.output
