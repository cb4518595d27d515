"""Browser assets: the same bytes every time, nothing unneeded, and no path of a machine."""

import hashlib
import io
import json
import re
import zipfile
from base64 import b64encode
from pathlib import Path

import brotli
import pytest
from ranvier_builder import build, load_config
from ranvier_builder.assets import as_module, pack_sources, select
from support.content import read_tree
from support.sites import EXAMPLE


@pytest.mark.wordllama
def test_building_twice_gives_the_same_bytes(example_site: Path, tmp_path: Path) -> None:
    """Into another folder; `diff -r` would be empty."""
    build(EXAMPLE / "content", tmp_path / "again", load_config(EXAMPLE / "ranvier.toml"))
    site, second_build = read_tree(example_site), read_tree(tmp_path / "again")
    assert site.keys() == second_build.keys()
    assert [name for name in site if site[name] != second_build[name]] == []


def test_packed_core_is_the_installed_core() -> None:
    """B1: byte for byte, stored, sorted, undated, without what a server alone needs, and without other stemmers."""
    data, others = select(pack_sources(), ("en",))
    assert (data, others) == (select(pack_sources(), ("en-GB",))[0], None)
    archive = zipfile.ZipFile(io.BytesIO(data))
    members = archive.infolist()
    assert [member.filename for member in members] == sorted(member.filename for member in members)
    assert {member.compress_type for member in members} == {zipfile.ZIP_STORED}
    assert {member.date_time for member in members} == {(1980, 1, 1, 0, 0, 0)}
    names = set(archive.namelist())
    assert "ranvier/engine.py" in names
    assert not names & {"ranvier/store/source.py", "ranvier/suggest.py", "ranvier/store/titles.py", "ranvier/text/keys.py"}
    assert packed(names, "snowballstemmer/") == {"__init__", "among", "basestemmer", "english_stemmer"}
    assert packed(names, "ranvier/text/function_words/") == {"__init__", "en"}
    import ranvier

    root = Path(ranvier.__file__).parent
    for name in names:
        if name.startswith("ranvier/"):
            assert archive.read(name) == (root.parent / name).read_bytes(), name
    assert len(data) < 490_000


def packed(names: set[str], folder: str) -> set[str]:
    return {name.removeprefix(folder).removesuffix(".py") for name in names if name.startswith(folder)}


@pytest.mark.parametrize("size", [0, 119, 120, 16_375, 16_376, 540_000])
def test_archive_is_published_as_a_module_with_one_custom_section(size: int) -> None:
    """Sizes around those at which the number of the section's length gets another byte."""
    archive = bytes(range(256)) * (size // 256) + bytes(size % 256)
    module = as_module(archive)
    assert module.startswith(b"\0asm\1\0\0\0\0")
    length, at, shift = 0, 9, 0
    while True:
        length |= (module[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if module[at - 1] < 128:
            break
    assert module[at:] == b"\x07archive" + archive
    assert length == len(module) - at


@pytest.mark.parametrize(
    ("langs", "stemmers", "lists"),
    [
        (("de-AT",), {"german"}, {"de"}),
        (("nb", "nn"), {"norwegian"}, {"no"}),
        (("ja", "zh"), set(), set()),
        (("zz", ""), set(), set()),
        (("en-GB", "fr", "es"), {"french", "spanish"}, {"fr", "es"}),
    ],
)
def test_stemmers_of_the_site_languages_are_published(langs: tuple[str, ...], stemmers: set[str], lists: set[str]) -> None:
    """B1, I2: the browser stems as the build does, and downloads no other language; English is in the core."""
    sources = pack_sources()
    core, data = select(sources, langs)
    names = set(zipfile.ZipFile(io.BytesIO(data)).namelist()) if data else set()
    assert packed(names, "snowballstemmer/") == {f"{name}_stemmer" for name in stemmers}
    assert packed(names, "ranvier/text/function_words/") == lists
    assert names.isdisjoint(zipfile.ZipFile(io.BytesIO(core)).namelist())
    assert (core, data) == select(sources, reversed(langs))


def test_entry_file_names_existing_files(example_site: Path) -> None:
    base = example_site / "_ranvier"
    entry = json.loads((base / "entry.json").read_text("utf-8"))
    for key in ("api", "core", "titles", "manifest", "hot", "files", "offline"):
        assert (base / entry[key]).is_file(), key
    assert entry["langs"] is None
    digests = {f"{entry['engine']}{name}": seal for name, seal in entry["engineFiles"].items()}
    assert digests.keys() == {file.relative_to(base).as_posix() for file in base.glob("engine-*/*")}
    names = "pyodide.js pyodide.asm.js pyodide.primary.wasm pyodide.secondary.wasm python_stdlib.wasm".split()
    assert {*entry["engineFiles"]} == {*names}, "without the whole module"
    needed = [base / entry["engine"] / name for name in names if "secondary" not in name] + [base / entry["core"]]
    assert sum(path.stat().st_size for path in needed) < 4_090_000, "bytes before the first search, uncompressed"
    for name, (size, integrity) in digests.items():
        data = (base / name).read_bytes()
        assert (len(data), integrity) == (size, "sha256-" + b64encode(hashlib.sha256(data).digest()).decode()), name
    (modules,) = base.glob("web-*")
    shipped = {file.relative_to(modules).as_posix() for file in modules.rglob("*") if file.is_file()}
    assert "worker.js" in shipped
    assert not any(name.startswith(("vendor", "node_modules")) or name.endswith(".py") for name in shipped)


def test_every_page_names_its_scripts(example_site: Path) -> None:
    """G1: its own, the box and the API."""
    pages = sorted(example_site.rglob("*.html"))
    assert len(pages) >= 25
    for page in pages:
        html = page.read_text("utf-8")
        scripts = re.findall(r'<(script|link)\b[^>]* (?:src|href)="([^"]+\.js)"', html)
        names = [(tag, name.rpartition("/")[2]) for tag, name in scripts]
        assert names == [("script", "page.js"), ("script", "search-box.js"), ("link", "api.js")]
        assert html.count("<script") == 2
        assert html.count('rel="modulepreload"') == 1
        for _, name in scripts:
            assert (example_site / name.lstrip("/") if name.startswith("/") else page.parent / name).is_file()


def test_published_manual_has_nothing_private_and_no_local_path(example_site: Path, private_words: list[str]) -> None:
    """A2, A4, A6: the manual has Neurons that are not public on purpose. Every packed file is unpacked."""
    assert len(private_words) >= 4
    checkout_path = str(EXAMPLE.parent).encode()
    for name, data in read_tree(example_site).items():
        for plain in (name.encode(), *unpacked(name, data)):
            lower = plain.lower()
            assert checkout_path not in plain, name
            assert b"#claim-" not in lower or name.endswith((".js", ".py")) or name.startswith("_ranvier/core-"), name
            for word in private_words:
                assert word.encode() not in lower, f"{word} in {name}"


def unpacked(name: str, data: bytes) -> list[bytes]:
    import zlib

    return [data, zlib.decompress(data)] if name.endswith(".bin") else [data]


@pytest.fixture(scope="session")
def private_words() -> list[str]:
    """Invented words of the manual's unpublished parts. The fixture asserts that the sources have them."""
    words = ["quillfeather", "marrowglass", "ostervane", "brindlewick"]
    sources = " ".join(file.read_text("utf-8").lower() for file in (EXAMPLE / "content").rglob("*.md"))
    assert [word for word in words if word not in sources] == []
    return words


def test_first_page_is_small(example_site: Path) -> None:
    """G1, B4: everything that a page loads by itself, in Brotli: no engine, and nothing that only a search needs."""
    base = example_site / "_ranvier"
    (web,), (theme,) = base.glob("web-*"), base.glob("theme-*")
    shared = [
        theme / "style.css",
        theme / "page.js",
        web / "ui" / "search-box.js",
        web / "api.js",
        example_site / "favicon.svg",
    ]
    common = sum(len(brotli.compress(file.read_bytes())) for file in shared)
    pages = {page: len(brotli.compress(page.read_bytes())) for page in example_site.rglob("*.html")}
    largest = max(pages, key=lambda page: pages[page])
    assert common + pages[example_site / "index.html"] <= 35_000
    assert common + pages[largest] <= 50_000, largest
    assert len(brotli.compress((theme / "page.js").read_bytes())) <= 1_800
