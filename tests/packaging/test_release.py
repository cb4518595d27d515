"""The release: one command, the same bytes each time, and a wheel that builds sites without Node and without a network."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from ranvier_builder.engine import pinned
from support.content import write_tree
from support.shared import shared_folder

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 12_000_000
PAGES = {
    "index.md": "# Nerves\n\nA nerve conducts.\n",
    "guide/install.md": "# Install the axon\n\nPut the zygomatic package on your machine.\n",
}
# Each Python of the environment runs this first: it refuses connections and look-ups of hosts.
NO_NETWORK = """\
import sys

def refuse(event, args):
    if event in ("socket.getaddrinfo", "socket.gethostbyname") or (event == "socket.connect" and isinstance(args[1], tuple)):
        raise OSError(f"a test without a network: {event}")

sys.addaudithook(refuse)
"""


def build_release(out: Path) -> dict[str, Path]:
    """Run the release command; return its files by their names."""
    env = {**os.environ, "PYTHON": sys.executable}
    ran = subprocess.run(["bash", ROOT / ".ci/release", out], env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return files_in(out)


def files_in(folder: Path) -> dict[str, Path]:
    return {path.name: path for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return files_in(shared_folder(tmp_path_factory, "release", build_release))


def file_with(files: dict[str, Path], ending: str) -> Path:
    (name,) = [name for name in files if name.endswith(ending)]
    return files[name]


def test_release_without_its_packages_names_the_cure(tmp_path: Path) -> None:
    """It stops before it makes the engine."""
    env = {**os.environ, "PYTHON": str(tmp_path / "python")}
    ran = subprocess.run(["bash", ROOT / ".ci/release", tmp_path / "out"], env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.endswith("cure: python3 -m venv .venv && .venv/bin/pip install -e . --group dev\n")
    assert not (tmp_path / "out").exists()


def test_release_has_the_same_bytes_each_time(release: dict[str, Path], tmp_path: Path) -> None:
    """A wheel and a source archive, each below 12 MB."""
    again = build_release(tmp_path)
    assert {name[-4:] for name in release} == {".whl", "r.gz"}
    for name, path in release.items():
        assert path.read_bytes() == again[name].read_bytes(), name
        assert path.stat().st_size < LARGEST, name


def test_release_contains_the_engine_and_the_licences(release: dict[str, Path]) -> None:
    wheel = zipfile.ZipFile(file_with(release, ".whl"))
    vendor = "ranvier_web/vendor/"
    sums = {name: hashlib.sha256(wheel.read(vendor + name)).hexdigest() for name in pinned.FILES}
    assert sums == pinned.FILES
    shipped = {name.removeprefix(vendor) for name in wheel.namelist() if name.startswith(vendor)} - sums.keys()
    assert sorted(re.sub("-[0-9a-f]{16}", "", name) for name in shipped) == [
        "prepared/core.sha256",
        "prepared/core.zip",
        "scripts/scripts.json",
    ]
    (metadata,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    names = {name.rpartition("/licenses/")[2] for name in wheel.namelist() if ".dist-info/licenses/" in name}
    assert names == {"LICENSE", "runtime/ranvier_web/licenses.txt"}
    types = {name for name in wheel.namelist() if name.startswith("ranvier_web/types/")}
    assert types == {f"ranvier_web/types/{name}.d.ts" for name in ("api", "errors", "options", "protocol")}
    assert "License-Expression: MIT AND MPL-2.0 AND " in wheel.read(metadata).decode()
    with tarfile.open(file_with(release, "r.gz")) as source:
        members = {member.name.partition("/")[2] for member in source.getmembers()}
    assert members >= {f"runtime/{vendor}{name}" for name in pinned.FILES} | {f"runtime/{name}" for name in types}
    assert members >= {"LICENSE", "tests/conftest.py", ".ci/run"}


def required(package: Distribution) -> Iterator[Distribution]:
    """Yield the packages that a plain install of a package brings, those of extras not."""
    for text in package.requires or ():
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield distribution(requirement.name)
            yield from required(distribution(requirement.name))


def in_wheel(release: dict[str, Path]) -> Distribution:
    """Return the package in the wheel: that of this environment may be another checkout."""
    wheel = zipfile.Path(file_with(release, ".whl"))
    (info,) = [folder for folder in wheel.iterdir() if folder.name.endswith(".dist-info")]
    return PathDistribution(info)


@pytest.fixture(scope="module")
def installed(release: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment with the wheel, with what it requires, and with nothing else."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False)
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    command = [sys.executable, "-m", "pip", "--python", programs / "python", "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*command, file_with(release, ".whl")], check=True, capture_output=True)
    (packages,) = home.glob("lib/python*/site-packages")
    for package in required(in_wheel(release)):
        for name in {file.parts[0] for file in package.files or () if file.parts[0] not in ("..", "__pycache__")}:
            if not (packages / name).exists():
                (packages / name).symlink_to(package.locate_file(name))
    (packages / "no_network.py").write_text(NO_NETWORK)
    (packages / "no_network.pth").write_text("import no_network\n")  # a system's Python may have a `sitecustomize` of its own
    return programs


def run(program: Path, *words: object) -> str:
    """Run a program of the environment without Node, without a cache, and without variables of this one."""
    env = {"HOME": str(program.parent), "PATH": str(program.parent), "XDG_CACHE_HOME": str(program.parent / "cache")}
    ran = subprocess.run([program, *map(str, words)], env=env, capture_output=True, text=True, check=False, cwd=program.parent)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return ran.stdout + ran.stderr


def test_plain_install_is_small(release: dict[str, Path], installed: Path) -> None:
    """The model of the search by meaning is an extra, because the packages that it requires are large."""
    names = {package.metadata["Name"].lower() for package in required(in_wheel(release))}
    assert "click" in names
    assert names.isdisjoint({"wordllama", "tokenizers", "huggingface-hub", "pydantic", "requests", "httpx", "scipy"})
    assert len(names) <= 30
    assert "wordllama" not in run(installed / "python", "-c", "import sys, ranvier_builder.pipeline; print(*sys.modules)")


def test_installed_wheel_builds_a_site_without_node_and_network(installed: Path, tmp_path: Path) -> None:
    """The site is complete, and identical to that of a checkout."""
    for program in ("node", "npm"):
        assert shutil.which(program, path=str(installed)) is None
    refusal = "import socket; socket.create_connection(('127.0.0.1', 9))"
    with pytest.raises(AssertionError, match="a test without a network"):
        run(installed / "python", "-c", refusal)
    assert run(installed / "ranvier", "--version").startswith(f"ranvier 0.1.0 (engine: Pyodide {pinned.VERSION};")
    content, out = write_tree(tmp_path / "content", dict(PAGES)), tmp_path / "public"
    report = run(installed / "ranvier", "build", content, "-o", out, "--default-audience", "public")
    assert "no search by meaning: its model is not installed" in " ".join(report.split())
    entry = json.loads((out / "_ranvier" / "entry.json").read_text("utf-8"))
    assert (out / "_ranvier" / entry["api"]).is_file()
    assert "Install the axon" in run(installed / "ranvier", "search", out, "zygomatic")
    run(installed / "ranvier", "check", out)
    again = tmp_path / "again"
    (tmp_path / "plain.toml").write_text('default_audience = "public"\n[search]\nvectors = false\n')
    command = [sys.executable, "-m", "ranvier_builder", "build", content, "-o", again, "-c", tmp_path / "plain.toml"]
    command += ["--cache", tmp_path / "cache"]
    subprocess.run(command, check=True, capture_output=True)
    assert json.loads((again / "_ranvier" / "entry.json").read_text("utf-8")) == entry
