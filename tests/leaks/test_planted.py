"""A3: leaks planted by hand into each kind of written file are found."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import msgpack
import pytest
from leaks.conftest import BuiltSite
from leaks.tree import CONFIG, WITHHELD
from ranvier_builder import Config, publish
from ranvier_builder.check.against import check_against
from ranvier_builder.check.findings import Finding
from ranvier_builder.output import list_written
from ranvier_builder.pipeline import Stages
from support.content import build_without_engine, stub_assets, write_tree

TITLE = "Merger with Lanternfold"
SENTENCE = "We will buy the neighbour's garden before anybody hears of it"
MERGER = "plans/merger.md"


def zipped(name: str, text: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return out.getvalue()


def database(folder: Path) -> bytes:
    """A database from which a row was deleted: its words are on a free page, and in no table."""
    file = folder / "left.db"
    db = sqlite3.connect(file)
    db.execute("PRAGMA secure_delete = OFF")
    db.execute("CREATE TABLE t (x)")
    db.execute("INSERT INTO t VALUES (?)", (f"{SENTENCE}. " * 200,))
    db.commit()
    db.execute("DELETE FROM t")
    db.commit()
    db.close()
    return file.read_bytes()


FILES: dict[str, tuple[str, bytes]] = {
    # what → a file of its own, and its bytes
    "text of a page": ("new/index.html", f"<p>See {TITLE}.</p>".encode()),
    "a phrase over inline elements": ("a.html", b"<article><p>Merger <b>with</b> <i>Lanternfold</i></p></article>"),
    "an alternative text": ("a-2.html", f'<img alt="{TITLE}">'.encode()),
    "an attribute for scripts": ("a-3.html", b'<div data-project="Project Oakmantle"></div>'),
    "a comment": ("a-4.html", f"<!-- {SENTENCE} -->".encode()),
    "an inline script": ("a-5.html", f"<script>const was = {TITLE!r};</script>".encode()),
    "a meta element": ("a-6.html", b'<meta name="keywords" content="garden, zephyrine">'),
    "a relative link": ("guide/x/index.html", b'<a href="../../plans/merger/">x</a>'),
    "a link to the site's own address": ("a-7.html", b'<a href="https://garden.example/plans/merger/#a">x</a>'),
    "a link to the site by another spelling": ("a-8.html", b'<a href="http://x@GARDEN.example:443/y/../%70lans/merger/">x</a>'),
    "a link without a scheme": ("a-9.html", b'<a href="//garden.example/plans/merger/">x</a>'),
    "a template": ("a-10.html", f"<template><p>{TITLE}</p></template>".encode()),
    "a script with escapes": ("a.js", TITLE.replace(" ", "\\u0020").encode()),
    "an address in a text": ("a.txt", TITLE.replace(" ", "%20").encode()),
    "a heading further down": ("a-11.html", b"<p>Copperfinch terms</p>"),
    "a number": ("a-12.html", b"<p>4412907</p>"),
    "a percent-encoded link": ("a-13.html", b'<a href="/plans%2Fmerger.html">x</a>'),
    "a link to a page at the top": ("guide/y/index.html", b'<a href="../../partners/">x</a>'),
    "a sitemap": ("sitemap-2.xml", b"<urlset><url><loc>https://garden.example/plans/merger/</loc></url></urlset>"),
    "a feed": ("feed.xml", f'<?xml version="1.0"?><feed><title>{TITLE}</title></feed>'.encode()),
    "a Markdown twin": ("guide/x.md", SENTENCE.encode()),
    "llms.txt": ("llms.txt", b"- [Notes](/plans/merger.md)\n"),
    "a debug file": ("debug.json", json.dumps({"pages": [{"title": TITLE}]}).encode()),
    "a key of a debug file": ("debug-2.json", json.dumps({TITLE: 1}).encode()),
    "a source map": ("web.js.map", json.dumps({"version": 3, "sourcesContent": [f"// {SENTENCE}"]}).encode()),
    "a script": ("web.js", f"// {SENTENCE}".encode()),
    "a style sheet": ("a.css", f"/* {TITLE} */".encode()),
    "a compressed twin": ("index.html.gz", gzip.compress(f"<p>{TITLE}</p>".encode())),
    "a compressed twin within another": ("x.gz", gzip.compress(zlib.compress(TITLE.encode()))),
    "after a stream's end": ("x.bin", zlib.compress(b"nothing") + TITLE.encode()),
    "an archive's member": ("x.zip", zipped("a.txt", SENTENCE)),
    "a name in an archive": ("x-2.zip", zipped("plans/merger.md", "")),
    "packed values": ("_ranvier/text/x.bin", zlib.compress(msgpack.packb([1, ["a", TITLE]]))),
    "bytes in packed values": ("_ranvier/text/x-2.bin", zlib.compress(msgpack.packb([TITLE.encode()]))),
    "a text in UTF-16": ("x.txt", TITLE.encode("utf-16")),
    "a text in UTF-16 within bytes": ("x.dat", b"\0\1\2\3" + TITLE.encode("utf-16-le") + b"\0\0"),
    "a text in Latin-1": ("x-2.txt", f"Fönster: {TITLE}".encode("latin-1")),
    "a picture's own words": ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\x0dtEXtTitle\0" + TITLE.encode() + b"\0\0\xff"),
    "a file's name": ("plans/merger/index.html", b""),
    "a folder's name": ("plans/other.txt", b""),
    "a file named by a title": ("merger-with-lanternfold.txt", b""),
    "another case and other signs": ("x-3.txt", b"MERGER_WITH-lanternfold"),
    "an id": ("x-4.txt", b"see secret-4711-vellichor"),
    "a field": ("x-5.txt", b"ninety thousand silver marks"),
    "a body of one word": ("x-6.txt", b"Silverbriar"),
    "a field of one word of a published page": ("x.html", b"<p>Swordfishx</p>"),
    "a comment of one word in a published page": ("x-2.html", b"<p>Plumthistle</p>"),
    "a claim": ("x.js", b"#claim-ab12cd34"),
    "Japanese": ("x-3.html", "<p>古い温室を取り壊して</p>".encode()),
    "a Japanese title inside a sentence": ("x-4.html", "<p>これは秘密の庭です</p>".encode()),
}
# Too short to be searched for in foreign files: they are found only in files that the build wrote.
SHORT = {
    "a folder's name",
    "a link to the site by another spelling",
    "a meta element",
    "Japanese",
    "a text in UTF-16 within bytes",
}
SPELLINGS = {
    "a link to a page at the top": "partners.md",
    "a body of one word": "short.md",
    "a claim": "guide/planting.md",
    "a field of one word of a published page": "guide/planting.md",
    "a comment of one word in a published page": "guide/planting.md",
} | dict.fromkeys(("Japanese", "a Japanese title inside a sentence"), "ja.md")


def plant(built: BuiltSite, name: str, data: bytes) -> None:
    (built.out / name).parent.mkdir(parents=True, exist_ok=True)
    (built.out / name).write_bytes(data)


@pytest.fixture(autouse=True, scope="module")
def without_engine() -> Iterator[None]:
    with patch.object(publish, "write_assets", stub_assets):
        yield


def prove(built: BuiltSite, config: Config = CONFIG) -> list[Finding]:
    """Check a site against its content, as `ranvier check OUT --against CONTENT` does."""
    return check_against(built.out, built.content, Stages(replace(config, search=replace(config.search, vectors=False))))


def list_files(built: BuiltSite) -> None:
    """List all files of the site as written by the build."""
    list_written(built.out, built.out / "_ranvier")


@pytest.fixture(scope="module")
def findings(master: BuiltSite, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Finding]]:
    """The findings of all planted files: as foreign files, and as files that the build wrote."""
    site = BuiltSite(master.content, Path(shutil.copytree(master.out, tmp_path_factory.mktemp("planted") / "out")))
    for name, data in FILES.values():
        plant(site, name, data)
    foreign = prove(site)
    list_files(site)
    return {"foreign": foreign, "listed": prove(site)}


def test_only_planted_files_are_found(findings: dict[str, list[Finding]]) -> None:
    assert len({name for name, _ in FILES.values()}) == len(FILES)
    for of_site in findings.values():
        assert {finding.file for finding in of_site} - {"_ranvier/written.txt"} == {name for name, _ in FILES.values()}


@pytest.mark.parametrize("case", FILES)
def test_planted_leak_is_found_with_its_source(case: str, findings: dict[str, list[Finding]]) -> None:
    name, _ = FILES[case]
    foreign, leaks = ([finding for finding in of_site if finding.file == name] for of_site in findings.values())
    assert {finding.check for finding in foreign} == {"unproved" if case in SHORT else "leak"}
    assert case in SHORT or any(f"{SPELLINGS.get(case, MERGER)}:" in finding.message for finding in foreign)
    assert "leak" in {finding.check for finding in leaks}


@pytest.mark.parametrize("words", [TITLE, "Silverbriar", "4412907", "plans/merger/", "x"])
def test_changed_written_files_are_found(words: str, built: BuiltSite) -> None:
    """A word, a number, an address, or random bytes."""
    names = ["index.html", "guide/planting/index.html", "sitemap.xml", "_ranvier/entry.json"]
    for name in names:
        plant(built, name, (built.out / name).read_bytes() + words.encode())
    assert {(finding.check, finding.file) for finding in prove(built)} == {("leak", name) for name in names}


def test_missing_written_file_is_found(built: BuiltSite) -> None:
    (built.out / "guide/planting/index.html").unlink()
    (finding,) = prove(built)
    assert (finding.check, finding.file) == ("leak", "guide/planting/index.html")
    assert "is missing" in finding.message


def test_deleted_row_on_a_free_database_page_is_found(built: BuiltSite, tmp_path: Path) -> None:
    plant(built, "left.db", database(tmp_path))
    (finding,) = prove(built)
    assert (finding.check, finding.file) == ("leak", "left.db")
    assert MERGER in finding.message


def test_unpublished_media_file_is_found(built: BuiltSite) -> None:
    plant(built, "_media/0-unknown.png", b"whatever")
    plant(built, "_media/0-talk.mp3", WITHHELD["talk.mp3"])  # type: ignore[arg-type]
    list_files(built)
    results = {(finding.check, finding.file) for finding in prove(built)}
    assert {("leak", "_media/0-talk.mp3"), ("leak", "_media/0-unknown.png")} <= results


def test_search_index_of_another_audience_is_found(built: BuiltSite, tmp_path: Path) -> None:
    shutil.rmtree(built.out / "_ranvier")
    build_without_engine(built.content, tmp_path / "curator", replace(CONFIG, publish_for="curator"))
    shutil.copytree(tmp_path / "curator" / "_ranvier", built.out / "_ranvier")
    leaks = [finding for finding in prove(built) if finding.check == "leak"]
    assert any(finding.file.startswith("_ranvier/text/") and MERGER in finding.message for finding in leaks)


def test_unchanged_site_passes_with_progress(built: BuiltSite) -> None:
    steps: list[tuple[str, int]] = []
    config = replace(CONFIG, search=replace(CONFIG.search, vectors=False))
    stages = Stages(config, lambda stage, count: steps.append((stage, count)))
    assert check_against(built.out, built.content, stages) == []
    assert [stage for stage, _ in steps if stage] == ["Reading", "Proving"]


@pytest.mark.parametrize("audience", ["tool", "curator"])
def test_build_for_another_audience_passes(audience: str, built: BuiltSite, tmp_path: Path) -> None:
    """A1: of the same content."""
    config = replace(CONFIG, publish_for=audience)
    build_without_engine(built.content, tmp_path / audience, config)
    assert prove(BuiltSite(built.content, tmp_path / audience), config) == []
    assert "tool/agents.md" in str(prove(BuiltSite(built.content, tmp_path / audience)))


def test_site_of_older_content_fails(built: BuiltSite, tmp_path: Path) -> None:
    """A page was edited since: the written files are not those of the content."""
    content = Path(shutil.copytree(built.content, tmp_path / "content"))
    write_tree(content, {"index.md": "---\ntitle: Garden notes\naudience: public\n---\nA new sentence.\n"})
    results = {finding.file for finding in prove(BuiltSite(content, built.out))}
    assert "index.html" in results


def test_files_of_hosts_and_of_version_control_are_no_leak(built: BuiltSite) -> None:
    write_tree(built.out, {".git/config": TITLE, "CNAME": "garden.example\n", "robots.txt": "User-agent: *\n"})
    assert [(item.check, item.file) for item in prove(built)] == [("unproved", "CNAME"), ("unproved", "robots.txt")]


def test_site_of_another_version_is_reported_once(built: BuiltSite) -> None:
    """Every file differs; withheld text in it is reported, too."""
    with patch.object(publish, "write_assets", lambda *args: replace(stub_assets(*args), web="web-1")):
        (built.out / "_ranvier" / "web-0" / "api.js").write_text("another")
        assert [finding.check for finding in prove(built)] == ["other_version"]
        plant(built, "index.html", f"<p>{TITLE}</p>".encode())
        assert [finding.check for finding in prove(built)] == ["leak", "other_version"]
