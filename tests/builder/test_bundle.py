"""Served scripts: comments and blanks are removed, and joined modules keep their exports."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from ranvier_builder.bundle import joined, lean, served

WEB = Path(__file__).parents[2] / "runtime" / "ranvier_web"
SCRIPTS = [path for path in sorted(WEB.rglob("*.js")) if "vendor" not in path.parts]
MODULES = {path.relative_to(WEB).as_posix(): path.read_bytes() for path in SCRIPTS}

CASES = [
    ("/** What. */\nexport const a = 1; // why\n\n  // more\n  f(a);\n", "export const a = 1;\nf(a);\n"),
    ('const url = "http://x/*y*/"; // z\n', 'const url = "http://x/*y*/";\n'),
    ("const re = /[/*]\\/\\//g; /* z */\n", "const re = /[/*]\\/\\//g;\n"),
    ("s.replace(/\\/\\*/, '//');\n", "s.replace(/\\/\\*/, '//');\n"),
    ("const a = b / c; // d / e\n", "const a = b / c;\n"),
    ("const css = `\n  a { }  /* kept */\n`;\n", "const css = `\n  a { }  /* kept */\n`;\n"),
    ("const x = /** @type {any} */ (y);\n", "const x =  (y);\n"),
    ("import(/* webpackIgnore: true */ url);\n", "import(/* webpackIgnore: true */ url);\n"),
    ("'it\\'s // no comment';\n", "'it\\'s // no comment';\n"),
]


@pytest.mark.parametrize(("script", "bare"), CASES)
def test_comments_and_indentation_are_removed(script: str, bare: str) -> None:
    assert lean(script) == bare


@pytest.mark.parametrize("name", sorted(MODULES))
def test_minified_scripts_keep_every_line_of_code(name: str) -> None:
    """Only the alphabet constant of hosts may differ."""
    script = MODULES[name].decode()
    bare = lean(script)
    assert bare.isascii()
    assert re.findall(r"^ *(?:/\*\*|//|\* ).*", bare, re.MULTILINE) == []
    assert lean(bare) == bare
    code = ["".join(item if item.isascii() else f"\\u{ord(item):04x}" for item in line.strip()) for line in script.splitlines()]
    plain = [line for line in code if line and not re.search(r"/[/*]|^\*|\*/", line)]
    lines = set(map(str.strip, bare.splitlines()))
    assert [line for line in plain if line not in lines and re.match(r"[a-zA-Z}#]", line) and line[-1] in ";{"] == []


def test_joined_module_includes_its_imports(tmp_path: Path) -> None:
    """Other modules that import them get the same objects."""
    scripts = {
        "ui/a.js": 'import { b } from "./b.js";\nimport { w } from "../w.js";\nexport const a = () => b + w;\n',
        "ui/b.js": 'import {\n  c,\n} from "./c.js";\nexport const b = c + 1;\n',
        "ui/c.js": "export const c = 1;\nconst hidden = 5;\n",
        "w.js": "export const w = 10;\n",
        "late.js": 'import { b } from "./ui/b.js";\nimport { a } from "./ui/a.js";\nconsole.log(a(), b);\n',
    }
    parts = joined(scripts, "ui/a.js", {"w.js": "w.js"})
    assert parts["ui/b.js"] == 'export { b } from "./a.js";\n'
    assert parts["ui/a.js"].count("import") == 1
    assert parts["ui/a.js"].endswith("export { c, b, a };\n")
    for name, script in {**scripts, **parts, "package.json": '{"type": "module"}'}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(script)
    output = subprocess.run(["node", tmp_path / "late.js"], capture_output=True, text=True, timeout=60)
    assert (output.stdout, output.stderr) == ("12 2\n", "")


@pytest.mark.parametrize(
    ("inner", "why"),
    [
        ("export const b = 1;\nconst a = 2;\n", "a: declared by"),
        ("export const b = import.meta.url;\n", "names a file beside it"),
    ],
)
def test_modules_that_cannot_be_joined_are_an_error(inner: str, why: str) -> None:
    scripts = {"a.js": 'import { b } from "./b/b.js";\nexport const a = b;\n', "b/b.js": inner}
    with pytest.raises(ValueError, match=why):
        joined(scripts, "a.js", {})


def test_served_scripts_are_modules_and_deterministic(tmp_path: Path) -> None:
    scripts = served(MODULES)
    assert scripts == served(MODULES)
    assert scripts.keys() == MODULES.keys()
    for name, script in scripts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(WEB / name, tmp_path / name)
        (tmp_path / name).with_suffix(".mjs").write_bytes(script)
    for path in sorted(tmp_path.rglob("*.mjs")):
        assert subprocess.run(["node", "--check", path], capture_output=True, timeout=60).stderr == b"", path
    assert sum(map(len, scripts.values())) < 0.75 * sum(map(len, MODULES.values()))


def test_shared_imports_of_a_separate_file_are_joined() -> None:
    scripts = {
        "a.js": 'import { b } from "./b.js";\nimport { w, v } from "./w.js";\nexport const a = b + w + v;\n',
        "b.js": 'import { w } from "./w.js";\nexport const b = w;\n',
        "w.js": "export const v = 1;\nexport const w = 2;\n",
    }
    assert joined(scripts, "a.js", {"w.js": "w.js"})["a.js"].startswith('import { w, v } from "./w.js";\nconst b = w;\n')


LOADS = {
    "ui/search-box.js": 'import { d } from "./d.js";\n'
    'const late = [new URL("../api.js", import.meta.url), new URL("./late.js", import.meta.url)];\n',
    "ui/d.js": "export const d = 1;\n",
    "ui/late.js": 'import { d } from "./d.js";\nimport { e } from "./e.js";\nimport { f } from "../f.js";\n'
    'export const l = () => d + e + f + new URL("./later.js", import.meta.url);\n',
    "ui/e.js": "export const e = 2;\n",
    "ui/later.js": 'import { e } from "./e.js";\nexport const m = e;\n',
    "api.js": 'import { f } from "./f.js";\nconst w = new URL("./worker.js", import.meta.url);\n',
    "f.js": "export const f = 3;\n",
    "worker.js": 'import { f } from "./f.js";\nconsole.log(f);\n',
}


def test_dynamically_imported_modules_are_joined() -> None:
    scripts = {name: script.decode() for name, script in served({name: text.encode() for name, text in LOADS.items()}).items()}
    assert re.findall(r'import \{ (\w+) \} from "(.*)";', scripts["ui/late.js"]) == [
        ("d", "./search-box.js"),
        ("f", "../api.js"),
    ]
    assert re.findall(r'import \{ (\w+) \} from "(.*)";', scripts["ui/later.js"]) == [("e", "./late.js")]
    for alone in ("ui/search-box.js", "api.js", "worker.js"):
        assert "import {" not in scripts[alone]
    assert "const f = 3" in scripts["api.js"]
    assert "const f = 3" in scripts["worker.js"], "a worker shares no script with a page"


def test_scripts_are_imported_with_a_retry_and_a_timeout() -> None:
    """X3: `import("./x.js")` has neither."""
    importing = {name for name, script in MODULES.items() if re.search(r"\bimport\(", lean(script.decode()))}
    # The engine's scripts are fetched before; the last is told by the entry file which folder is today's.
    assert importing == {"modules.js", "boot/engine-files.js", "search.js"}
