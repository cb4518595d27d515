"""Findings of `ranvier check` in a built site, complete and damaged (M1, X3)."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from ranvier.store.format import checked_by_name, digest, pack, unpack
from ranvier_builder import Config
from ranvier_builder.check.findings import SEVERE
from ranvier_builder.check.site import check_site, is_site
from support.content import build_tree, index_without_engine, write_tree
from support.damage import cut, findings_of, flip
from support.shared import copied_fixture

site = copied_fixture("small_site")


def with_manifest(site: Path, values: dict[str, object]) -> None:
    """Write another manifest for a site, with a right digest."""
    base = site / "_ranvier"
    entry = json.loads((base / "entry.json").read_text("utf-8"))
    old = base / entry["manifest"]
    data = pack(unpack("manifest", checked_by_name(old.name, old.read_bytes())) | values)
    old.unlink()
    new = f"manifest-{digest(data).hex()}.bin"
    (base / new).write_bytes(data)
    (base / "entry.json").write_text(json.dumps(entry | {"manifest": new}), "utf-8")


def first_file(site: Path, pattern: str) -> Path:
    return sorted((site / "_ranvier").glob(pattern))[0]


def test_complete_site_has_no_findings(site: Path) -> None:
    report = check_site(site)
    assert report.findings == []
    assert report.pages == len(list(site.rglob("*.html")))
    assert report.neurons == 36
    assert report.chunks > report.neurons
    assert report.links > report.pages


def test_manual_site_has_no_findings(example_site: Path) -> None:
    """With the engine: every file, link and anchor."""
    assert [str(finding) for finding in check_site(example_site).findings] == []


def test_check_accepts_the_site_or_its_inner_folder(site: Path, large_store: Path) -> None:
    assert check_site(site / "_ranvier") == check_site(site)
    health = check_site(large_store)
    assert (health.findings, health.pages, health.chunks) == ([], 0, 1600)


def test_is_site_recognises_sites(small_site: Path, large_store: Path, tmp_path: Path) -> None:
    assert is_site(small_site)
    assert is_site(small_site / "_ranvier")
    assert is_site(large_store)
    assert not is_site(tmp_path)
    assert not is_site(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "kind",
    "text/*.bin index/*.bin packs/*.bin words/*.bin hot-*.bin manifest-*.bin files-* core-*.wasm web-*/* engine-*/*".split(),
)
@pytest.mark.parametrize(("damage", "check"), [(cut, "damaged_file"), (flip, "damaged_file"), (Path.unlink, "missing_file")])
def test_damaged_and_missing_files_are_found(site: Path, kind: str, damage: Callable[[Path], None], check: str) -> None:
    file = first_file(site, kind)
    damage(file)
    name = file.relative_to(site / "_ranvier").as_posix()
    report = check_site(site)
    assert (check, "entry.json" if kind.startswith("manifest") else name) in findings_of(report)
    assert {finding.check for finding in report.findings} <= SEVERE


def test_unnamed_file_is_found(site: Path) -> None:
    write_tree(site, {"_ranvier/text/left-over.bin": b"old", "_ranvier/.DS_Store": b"x"})
    assert findings_of(check_site(site)) == {("unnamed_file", "text/left-over.bin"), ("unnamed_file", ".DS_Store")}


@pytest.mark.parametrize(
    "entry", ["", "{", "[]", '{"format": 99}', '{"format": 1, "manifest": "../x", "hot": "y"}', b"\xff\xfe"]
)
def test_invalid_entry_file_is_found(site: Path, entry: str | bytes) -> None:
    write_tree(site, {"_ranvier/entry.json": entry})
    assert ("damaged_file", "entry.json") in findings_of(check_site(site))


def test_entry_file_of_another_build_is_found(site: Path, tmp_path: Path) -> None:
    """An incomplete upload."""
    out = build_tree(tmp_path, {"index.md": "# Other\n\nQuite another site.\n"})
    shutil.copyfile(out / "_ranvier" / "entry.json", site / "_ranvier" / "entry.json")
    assert ("missing_file", "entry.json") in findings_of(check_site(site))


@pytest.mark.parametrize(
    ("key", "value", "check"),
    [
        ("api", "web-9/api.js", "damaged_file"),
        ("core", 7, "damaged_file"),
        ("engineFiles", {"pyodide.asm.wasm": 1}, "damaged_file"),
        *(("files", value, "damaged_file") for value in ("files-zz.json", "../files", 5, None, ["a"])),
        ("sizes", "sizes-zz.json", "damaged_file"),
    ],
)
def test_wrong_paths_in_the_entry_file_are_found(site: Path, key: str, value: object, check: str) -> None:
    """The rest of the site is still checked."""
    file = site / "_ranvier" / "entry.json"
    entry = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps(entry | {key: value}), "utf-8")
    unnamed = {("unnamed_file", entry[key])} if key in ("files", "sizes") else set()
    report = check_site(site)
    assert findings_of(report) == {(check, "entry.json")} | unnamed
    assert report.chunks


def test_broken_links_and_anchors_of_pages_are_found(site: Path) -> None:
    page = """<!doctype html><title>x</title><a href="../">home</a> <a href="../guide/install/#requirements">fine</a>
    <a href="../gone/">gone</a> <a href="../gone/#x">gone</a> <a href="../guide/install/#nowhere">lost</a> <a href="#top">up</a>
    <a href="?q=1">self</a> <a href="https://example.org/">far</a> <a href="mailto:x@example.org">mail</a> <img src="no.png">
    <a href="../guide/install">no slash</a> <a href="../../beside/">out of the site</a>
    <a href="">self</a> <a href="/guide/">root</a>"""
    write_tree(site, {"new/index.html": page})
    assert sorted(str(finding) for finding in check_site(site).findings) == [
        "new/index.html: ../gone/#x: no such file",
        "new/index.html: ../gone/: no such file",
        "new/index.html: guide/install/index.html has no anchor 'nowhere'",
        "new/index.html: no.png: no such file",
    ]


def test_broken_link_on_every_page_is_reported_once(site: Path) -> None:
    for number in range(5):
        write_tree(site, {f"x{number}/index.html": '<a href="/gone/">gone</a><a href="/gone/">again</a>'})
    assert [str(finding) for finding in check_site(site).findings] == [
        "x0/index.html: /gone/: no such file, also on 4 other pages"
    ]


def test_page_of_an_older_build_is_found(site: Path) -> None:
    """An incomplete upload: the page would load missing scripts."""
    write_tree(site, {"old/index.html": '<script type="module" src="../_ranvier/web-1/api.js"></script>'})
    assert findings_of(check_site(site)) == {("missing_file", "old/index.html")}


def test_missing_page_is_found(site: Path) -> None:
    """By the list of written files, by links, and by hits that lead to it."""
    shutil.rmtree(site / "guide" / "upgrade")
    report = check_site(site)
    findings = [str(finding) for finding in report.findings]
    assert ("missing_file", "guide/upgrade/index.html") in findings_of(report)
    assert any("a hit leads to 'guide/upgrade/'" in line for line in findings)
    assert any("upgrade/: no such file" in line for line in findings)


@pytest.mark.parametrize("name", ["404.html", "ranvier-sw.js", ".nojekyll", "llms.txt", "_ranvier/licenses.txt"])
def test_missing_file_without_a_link_is_found(site: Path, name: str) -> None:
    (site / name).unlink()
    assert findings_of(check_site(site)) == {("missing_file", name)}


@pytest.mark.parametrize(
    "old",
    ['import "./_ranvier/web-0123456789ab/offline/service-worker.js";\n', "", '<html lang="en">', 'import "\0/offline/a.js";'],
)
def test_service_worker_of_another_build_is_found(site: Path, old: str) -> None:
    (site / "ranvier-sw.js").write_text(old, "utf-8")
    assert findings_of(check_site(site)) == {("damaged_file", "ranvier-sw.js")}


@pytest.mark.parametrize("url", ["https://example.org/", "https://example.org/notes/", "https://example.org/a/b"])
def test_check_of_a_site_below_a_path(tmp_path: Path, url: str) -> None:
    """The absolute links of the 404 page and of the sitemap begin with the path of the site."""
    site = build_tree(
        tmp_path,
        {"index.md": "Home", "a b/ü.md": "Text [home](../index.md)", "a b/c.md": "[ü](ü.md)"},
        Config(default_audience="public", url=url),
    )
    assert [str(finding) for finding in check_site(site).findings] == []
    shutil.rmtree(site / "a-b" / "c")
    checks = {finding.check for finding in check_site(site).findings}
    assert checks == {"missing_file", "sitemap", "broken_link"}


def test_site_without_words_has_no_findings(tmp_path: Path) -> None:
    assert check_site(build_tree(tmp_path, {"index.md": ""})).findings == []


def test_foreign_files_beside_a_site_are_ignored(site: Path) -> None:
    write_tree(site, {".git/index.html": '<a href="gone">', "robots.txt": "x", "notes.html": '<a href="robots.txt">r</a>'})
    assert check_site(site).findings == []


@pytest.mark.parametrize(
    "html", ["", "<", "\0", "<a href='#%%'>", "<a href='//[bad'>x</a>", "<a href='%ff'>", "<base href><a href='index.html'>"]
)
def test_malformed_pages_do_not_stop_the_check(site: Path, html: str) -> None:
    write_tree(site, {"odd.html": html})
    assert {finding.file for finding in check_site(site).findings} <= {"odd.html"}


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-16"])
def test_links_of_a_page_in_another_encoding_are_followed(site: Path, encoding: str) -> None:
    """Its links and anchors are those that a browser reads."""
    page = f'<meta charset="{encoding}"><a href="é.html#é"> <a href="\n é.html#TOP"> <a href="no.html"><p id="é">'
    write_tree(site, {"é.html": page.encode(encoding), "other.html": '<a href="é.html#é">x</a>'})
    assert [str(finding) for finding in check_site(site).findings] == ["é.html: no.html: no such file"]


def test_unreadable_page_is_found(site: Path) -> None:
    (site / "lost.html").symlink_to("nowhere.html")
    os.mkfifo(site / "pipe.html")  # a check that opens it never ends
    assert findings_of(check_site(site)) == {("broken_link", "lost.html"), ("broken_link", "pipe.html")}


@pytest.mark.parametrize(
    "values",
    [
        {"inventory": [b"", []]},
        {"inventory": [b"x" * 12, ["many"]]},
        {"bounds": {"substring_fts": [b"", []]}},
        {"terms": {"list": [5], "first": [], "files": [b"", []]}},
        {"terms": {"list": [], "first": [b"", b"n"], "files": [b"m" * 24, [6, 7]]}},
        {"packs": {}},
        {"packs": {"neuron": [5, b"short", [1]]}},
        {"words": [b"", []]},
    ],
)
def test_manifest_with_wrong_values_is_found(site: Path, values: dict[str, object]) -> None:
    """The digests are right. The check does not crash."""
    with_manifest(site, values)
    assert {finding.check for finding in check_site(site).findings} & SEVERE


def test_check_of_100_000_links_is_fast(site: Path) -> None:
    links = "".join(f'<a href="../p{number}/#a">x</a>' for number in range(100_000))
    write_tree(site, {"many/index.html": links})
    assert len(check_site(site).findings) == 100_000


def test_check_of_an_indexed_site(tmp_path: Path) -> None:
    """N8."""
    page = '<!doctype html><title>{0}</title><main><h1 id="x">{0}</h1><p>The {0} page has words enough.</main>'
    files: dict[str, str | bytes] = {f"{name}.html": page.format(name) for name in ("index", "about", "contact")}
    public = write_tree(tmp_path / "public", files | {"about.html": page.format("about") + '<a href="/contact#x">c</a>'})
    index_without_engine(public)
    report = check_site(public)
    assert (report.findings, report.pages, report.neurons) == ([], 3, 3)
    (public / "contact.html").unlink()
    assert {finding.check for finding in check_site(public).findings} == {"broken_link"}
    write_tree(public, {"_ranvier/sw.js": "old"})
    (public / "_ranvier" / "search.js").unlink()
    write_tree(public, {"about.html": '<script type="module" src="_ranvier/search.js"></script>'})
    findings = findings_of(check_site(public))
    assert {("missing_file", "about.html"), ("missing_file", "search.js"), ("damaged_file", "sw.js")} <= findings
    assert len([file for check, file in findings if check == "missing_file"]) == 2
