"""The CI files of the manual: valid YAML of the right form, and steps that run."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import ranvier
import yaml
from packaging.requirements import Requirement
from support.content import write_tree

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "site_example" / "content" / "guide" / "docs-in-ci.md"
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
GITHUB, GITLAB = (yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL))


def github_commands() -> list[str]:
    return [step["run"] for job in GITHUB["jobs"].values() for step in job["steps"] if "run" in step]


def gitlab_commands() -> list[str]:
    return list(GITLAB["pages"]["script"])


def test_github_workflow_has_the_right_form() -> None:
    """Triggers, permissions for Pages, and steps that each use an action of a version or run a command."""
    triggers = GITHUB[True]  # YAML 1.1 reads the key `on` as true
    assert triggers == {"push": {"branches": ["main"]}}
    assert GITHUB.keys() == {"name", True, "permissions", "jobs"}
    assert GITHUB["permissions"] == {"contents": "read", "pages": "write", "id-token": "write"}
    for job in GITHUB["jobs"].values():
        assert job.keys() == {"runs-on", "environment", "steps"}
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            assert step.keys() <= {"uses", "with", "run"}
            assert "run" in step or re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"])
    actions = {
        step["uses"].partition("@")[0]: step.get("with", {}) for step in GITHUB["jobs"]["docs"]["steps"] if "uses" in step
    }
    assert [*actions] == [f"actions/{name}" for name in ("checkout", "setup-python", "upload-pages-artifact", "deploy-pages")]
    assert actions["actions/upload-pages-artifact"] == {"path": "public"}
    supported_python(actions["actions/setup-python"]["python-version"])


def test_gitlab_pipeline_has_the_right_form() -> None:
    """GitLab publishes the folder `public` of the job `pages`."""
    assert GITLAB.keys() == {"pages"}
    job = GITLAB["pages"]
    assert job.keys() == {"image", "variables", "cache", "script", "artifacts", "rules"}
    assert job["artifacts"]["paths"] == ["public"]
    assert job["rules"] == [{"if": "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH"}]
    supported_python(job["image"].removeprefix("python:"))


def supported_python(version: Any) -> None:
    """Fail for a number such as 3.1, which YAML makes of an unquoted 3.10, and for versions that are not supported."""
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    assert f"Programming Language :: Python :: {version}" in classifiers


def test_both_have_the_same_steps() -> None:
    """Only the address of the site differs, which GitLab has in a variable."""
    assert [
        command.replace('"$CI_PAGES_URL/"', "https://example.org/docs/") for command in gitlab_commands()
    ] == github_commands()


def test_steps_run(tmp_path: Path) -> None:
    """With a folder of notes, in order; only the installation is not run, and names this version and existing extras."""
    install, *commands = gitlab_commands()
    requirement = Requirement(install.removeprefix("pip install ").strip('"'))
    assert (requirement.name, str(requirement.specifier)) == ("ranvier", f"=={ranvier.__version__}")
    assert requirement.extras <= EXTRAS.keys()
    write_tree(tmp_path, {"docs/index.md": "# Notes\n\nHow to install it.\n", "docs/b.md": "# Second\n\nInstall twice.\n"})
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "ranvier"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m ranvier_builder "$@"\n')
    program.chmod(0o755)
    env = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "CI_PAGES_URL": "https://group.example.org/notes"}
    assert [command.split()[1] for command in commands] == ["build", "check"]
    for command in commands:
        ran = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, f"{command}: {ran.stderr}"
    assert (tmp_path / "public" / "sitemap.xml").is_file()
