"""Packed scripts: few small files with the same behaviour, the same bytes each time, and found without Node."""

import re
import subprocess
from pathlib import Path

import brotli
import pytest
from ranvier_builder.assets import modules
from ranvier_builder.engine import bundle, make, obtain, packed_scripts
from ranvier_builder.errors import EngineError

BEFORE_ENGINE = ("ui/search-box.js", "api.js")
MAX_SIZE = 18_200  # bytes, in Brotli
IMPORTED = re.compile(r'\b(?:from|import)"([^"]*)"')
COMMENT = re.compile(r"/\*[\s\S]*?\*/|(?<=\s)// .*$", re.MULTILINE)

SITE = {
    "ui/search-box.js": b'import { next } from "./counter.js";\nimport { w } from "../w.js";\n'
    b"export const first = next() + w;\nexport const load = (name) => import(new URL(name, import.meta.url));\n"
    b'const late = new URL("./late.js", import.meta.url);\n'
    b'export const urls = [late, new URL("../api.js", import.meta.url)];\n',
    "ui/counter.js": b"/*! Licence of the counter */\nlet count = 0;\nexport const next = () => (count += 1);\n",
    "ui/late.js": b'import { next } from "./counter.js";\nexport const second = next();\n'
    b'export const url = new URL("./later.js", import.meta.url);\n',
    "ui/later.js": b'import { next } from "./counter.js";\nexport const third = next();\n',
    "w.js": b"export const w = 10;\n",
    "api.js": b'export { SiteVersion } from "./site-version.js";\nexport { url } from "./deep/sha.js";\n'
    b'export const worker = new URL("./worker.js", import.meta.url);\n',
    "site-version.js": b'import { w } from "./w.js";\nexport class SiteVersion {\n  longName = "\xc3\xa4" + w;\n}\n',
    "deep/sha.js": b'export const url = new URL("./sum.js", import.meta.url);\n',
    "deep/sum.js": b"export const sum = 1;\n",
    "worker.js": b'import { w } from "./w.js";\nconsole.log(w);\n',
}


def packed(sources: dict[str, bytes], folder: Path) -> dict[str, str]:
    folder.mkdir()
    bundle.pack(sources, folder)
    assert [path.name for path in folder.iterdir()] == [bundle.SCRIPTS]
    return {name: code.decode() for name, code in bundle._read(folder).items()}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The scripts of `SITE`."""
    return packed(SITE, tmp_path_factory.mktemp("small") / "scripts")


@pytest.fixture(scope="module")
def scripts() -> dict[str, bytes]:
    """The scripts of every site."""
    return packed_scripts(modules())


def test_packing_twice_gives_the_same_bytes(scripts: dict[str, bytes], tmp_path: Path) -> None:
    repacked = packed(dict(reversed(modules().items())), tmp_path / "again")
    assert {name: code.encode() for name, code in repacked.items()} == scripts


def test_scripts_before_the_engine_are_small(scripts: dict[str, bytes]) -> None:
    """B4: the search box, suggestions and full-text hits are two files without imports."""
    size = sum(len(brotli.compress(scripts[name])) for name in BEFORE_ENGINE)
    print(f"{size} bytes")
    assert size <= MAX_SIZE
    assert [name for name in BEFORE_ENGINE if IMPORTED.search(scripts[name].decode())] == []


def test_scripts_are_ascii_modules(scripts: dict[str, bytes], tmp_path: Path) -> None:
    """`node --check` takes one file; this parses all of them in one process, and runs none."""
    for name, code in scripts.items():
        assert code.isascii()
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(code)
    program = """
      import { readFileSync } from "node:fs";
      import { SourceTextModule } from "node:vm";
      for (const name of process.argv.slice(1)) new SourceTextModule(readFileSync(name, "utf8"), { identifier: name });
      console.log("parsed");
    """
    options = ["--no-warnings", "--experimental-vm-modules", "--input-type=module", "-e", program, "--"]
    process = subprocess.run(["node", *options, *scripts], cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=60)
    assert (process.stderr, process.stdout) == ("", "parsed\n")


def test_every_script_that_is_named_exists(scripts: dict[str, bytes]) -> None:
    """Scripts that are imported or loaded on demand; workers share no script with a page."""
    for name, code in scripts.items():
        text = code.decode()
        for path in (*IMPORTED.findall(text), *re.findall(r'new URL\("([^"]*\.js)",import\.meta\.url\)', text)):
            assert (Path("/", name).parent / path).resolve().relative_to("/").as_posix() in scripts, f"{name}: {path}"
    for name in ("worker.js", "offline/service-worker.js", "offline/removal.js"):
        assert "import" not in re.sub(r"import(\(|\.meta\b)", "", scripts[name].decode())
    # In WebKit, an import of a worker's script runs it a second time.
    assert [path for code in scripts.values() for path in IMPORTED.findall(code.decode()) if path.endswith("worker.js")] == []


def test_api_keeps_its_names(scripts: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for name in ("api.js", "site-version.js"):
        (tmp_path / name).write_bytes(scripts[name])
    program = """
      import { open, RanvierError } from "./api.js";
      import { SiteVersion } from "./site-version.js";
      const error = new RanvierError({ code: "fetch", message: "m" });
      console.log(Object.keys(open("http://127.0.0.1:1/", { start: "on-demand" })).join(), error.name, error.code);
      console.log(Object.getOwnPropertyNames(SiteVersion.prototype).join());
    """
    output = run(tmp_path, program).splitlines()
    assert output == [
        "ready,search,retrieve,backlinks,suggest,instant,folders,preload,unlock,lock,status,close RanvierError fetch",
        "constructor,ready,call,suggest,instant,folders,preload,status,close",
    ]


def test_modules_loaded_on_demand_are_files_with_shared_state(small: dict[str, str], tmp_path: Path) -> None:
    """No list names them; a module that both import is one module, also if it is in the file of the script that loads them."""
    assert sorted(small) == sorted(SITE.keys() - {"ui/counter.js", "w.js", "deep/sha.js"})
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for name, code in small.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(code)
    program = """
      const { first, load, urls } = await import("./ui/search-box.js");
      const { second, url } = await load("./late.js");
      const { third } = await import(url);
      const { SiteVersion } = await import("./site-version.js");
      const api = await import("./api.js");
      const paths = [...urls, url, api.url, api.worker].map(({ pathname }) => pathname.slice(process.cwd().length));
      console.log(first, second, third, new SiteVersion().longName, api.SiteVersion === SiteVersion, paths.join());
    """
    output = run(tmp_path, program)
    assert output == "11 2 3 ä10 true /ui/late.js,/api.js,/ui/later.js,/deep/sum.js,/worker.js\n"


def run(folder: Path, program: str) -> str:
    command = ["node", "--input-type=module", "-e", program]
    process = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", timeout=60)
    assert process.stderr == ""
    return process.stdout


def test_licence_comments_stay(small: dict[str, str]) -> None:
    assert "Licence of the counter" in small["ui/search-box.js"]
    comments = re.findall(r"/\*.*?\*/", " ".join(small.values()))
    assert comments == ["/*! Licence of the counter */"]


def test_a_missing_module_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"ui/late\.js"):
        packed({name: data for name, data in SITE.items() if name != "ui/late.js"}, tmp_path / "scripts")


def test_scripts_are_packed_once_and_again_after_a_change(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packings: list[dict[str, bytes]] = []

    def fake(sources: dict[str, bytes], into: Path) -> None:
        packings.append(sources)
        bundle.write(sources, into)

    monkeypatch.setattr(bundle, "pack", fake)
    for name, data in (("a.js", b"1"), ("a.js", b"1"), ("a.js", b"2"), ("b.js", b"2")):
        assert packed_scripts({name: data}) == {name: data}
    assert packings == [{"a.js": b"1"}, {"a.js": b"2"}, {"b.js": b"2"}]
    (cache / f"{bundle.PREFIX}{bundle.digest({'b.js': b'2'})}" / bundle.SCRIPTS).write_text("{")
    assert packed_scripts({"b.js": b"2"}) == {"b.js": b"2"}
    assert len(packings) == 4


@pytest.mark.parametrize("place", ["named", "shipped"])
def test_packed_scripts_need_no_node(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """Other scripts in the folder, as in a checkout after a change, are an error that names the command."""
    monkeypatch.setattr(make.shutil, "which", lambda name: None)
    folder = tmp_path / "ready"
    folder.mkdir()
    if place == "named":
        monkeypatch.setenv(obtain.VARIABLE, str(folder))
    else:
        monkeypatch.setattr(obtain, "shipped_folder", lambda: folder)
    bundle.write({"a.js": b"packed"}, folder / f"{bundle.PREFIX}{bundle.digest({'a.js': b'source'})}")
    assert packed_scripts({"a.js": b"source"}) == {"a.js": b"packed"}
    assert not cache.exists()
    with pytest.raises(EngineError, match="scripts are not packed yet, or have changed") as caught:
        packed_scripts({"a.js": b"changed"})
    assert "python -m ranvier_builder.engine --into" in (caught.value.cure or "")


def test_scripts_are_imported_with_a_retry_and_a_timeout() -> None:
    """X3: `import("./x.js")` has neither."""
    sources = {name: COMMENT.sub("", data.decode()) for name, data in modules().items()}
    # The engine's scripts are fetched before; the entry file names the current folder of the last two.
    importing = {name for name, code in sources.items() if re.search(r"\bimport\(", code)}
    assert importing == {"modules.js", "boot/engine-files.js", "search.js", "pagefind/pagefind.js"}
