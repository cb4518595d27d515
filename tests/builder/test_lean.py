"""Scripts as a site serves them: nothing but comments and blanks is lost, and joined modules export what they did."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from ranvier_builder.lean import joined, lean, served

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
def test_comments_and_indentation_go_and_nothing_else(script: str, bare: str) -> None:
    assert lean(script) == bare


@pytest.mark.parametrize("name", sorted(MODULES))
def test_of_each_script_nothing_but_comments_and_blanks_is_lost(name: str) -> None:
    """No comment is left over, and every line of code is there as it was, but for the alphabet: some hosts name another one."""
    script = MODULES[name].decode()
    bare = lean(script)
    assert bare.isascii()
    assert re.findall(r"^ *(?:/\*\*|//|\* ).*", bare, re.MULTILINE) == []
    assert lean(bare) == bare
    code = ["".join(one if one.isascii() else f"\\u{ord(one):04x}" for one in line.strip()) for line in script.splitlines()]
    plain = [line for line in code if line and not re.search(r"/[/*]|^\*|\*/", line)]
    lines = set(map(str.strip, bare.splitlines()))
    assert [line for line in plain if line not in lines and re.match(r"[a-zA-Z}#]", line) and line[-1] in ";{"] == []


def test_a_module_takes_in_those_that_it_needs(tmp_path: Path) -> None:
    """Whoever else imports one of them gets the same."""
    scripts = {
        "ui/a.js": 'import { b } from "./b.js";\nimport { w } from "../w.js";\nexport const a = () => b + w;\n',
        "ui/b.js": 'import {\n  c,\n} from "./c.js";\nexport const b = c + 1;\n',
        "ui/c.js": "export const c = 1;\nconst hidden = 5;\n",
        "w.js": "export const w = 10;\n",
        "late.js": 'import { b } from "./ui/b.js";\nimport { a } from "./ui/a.js";\nconsole.log(a(), b);\n',
    }
    parts = joined(scripts, "ui/a.js", {"w.js"})
    assert parts["ui/b.js"] == 'export { b } from "./a.js";\n'
    assert parts["ui/a.js"].count("import") == 1
    assert parts["ui/a.js"].endswith("export { c, b, a };\n")
    for name, script in {**scripts, **parts, "package.json": '{"type": "module"}'}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(script)
    said = subprocess.run(["node", tmp_path / "late.js"], capture_output=True, text=True, timeout=60)
    assert (said.stdout, said.stderr) == ("12 2\n", "")


@pytest.mark.parametrize(
    ("inner", "why"),
    [
        ("export const b = 1;\nconst a = 2;\n", "a: declared by"),
        ("export const b = import.meta.url;\n", "names a file beside it"),
    ],
)
def test_what_cannot_go_into_one_file_is_refused(inner: str, why: str) -> None:
    scripts = {"a.js": 'import { b } from "./b/b.js";\nexport const a = b;\n', "b/b.js": inner}
    with pytest.raises(ValueError, match=why):
        joined(scripts, "a.js", set())


def test_all_that_is_served_is_still_a_module_and_the_same_each_time(tmp_path: Path) -> None:
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


def test_what_several_import_from_a_file_that_stays_apart_is_imported_once() -> None:
    scripts = {
        "a.js": 'import { b } from "./b.js";\nimport { w, v } from "./w.js";\nexport const a = b + w + v;\n',
        "b.js": 'import { w } from "./w.js";\nexport const b = w;\n',
        "w.js": "export const v = 1;\nexport const w = 2;\n",
    }
    assert joined(scripts, "a.js", {"w.js"})["a.js"].startswith('import { w, v } from "./w.js";\nconst b = w;\n')
