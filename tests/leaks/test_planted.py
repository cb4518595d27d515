"""A3: leaks put by hand into each kind of written file; the check opens all of them."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

import msgpack
import pytest
from leaks.conftest import Built
from leaks.tree import CONFIG, WITHHELD
from ranvier.store.docsize import leaf_page
from ranvier.store.format import checked_by_name, digest, pack, unpack
from ranvier_builder.check import find_leaks
from ranvier_builder.check.leaks.views import unused
from support.content import write_tree
from support.pictures import another

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
    db.execute("INSERT INTO t VALUES (?)", (SENTENCE * 200,))
    db.commit()
    db.execute("DELETE FROM t")
    db.commit()
    db.close()
    return file.read_bytes()


FILES: dict[str, tuple[str, bytes, str]] = {
    # what → file, its bytes, kind
    "text of a page": ("new/index.html", f"<p>See {TITLE}.</p>".encode(), "title"),
    "a phrase over inline elements": ("a.html", b"<article><p>Merger <b>with</b> <i>Lanternfold</i></p></article>", "title"),
    "an alternative text": ("a.html", f'<img alt="{TITLE}">'.encode(), "title"),
    "an attribute for scripts": ("a.html", b'<div data-project="Project Oakmantle"></div>', "alias"),
    "a comment": ("a.html", f"<!-- {SENTENCE} -->".encode(), "text"),
    "an inline script": ("a.html", f"<script>const was = {TITLE!r};</script>".encode(), "title"),
    "a meta element": ("a.html", b'<meta name="keywords" content="garden, zephyrine">', "tag"),
    "a relative link": ("guide/x/index.html", b'<a href="../../plans/merger/">x</a>', "path"),
    "a link to the site's own address": ("a.html", b'<a href="https://garden.example/plans/merger/#a">x</a>', "path"),
    "a link to the site by another spelling": (
        "a.html",
        b'<a href="http://x@GARDEN.example:443/y/../%70lans/merger/">x</a>',
        "path",
    ),
    "a link without a scheme": ("a.html", b'<a href="//garden.example/plans/merger/">x</a>', "path"),
    "a template": ("a.html", f"<template><p>{TITLE}</p></template>".encode(), "title"),
    "a script with escapes": ("a.js", TITLE.replace(" ", "\\u0020").encode(), "title"),
    "an address in a text": ("a.txt", TITLE.replace(" ", "%20").encode(), "title"),
    "a heading further down": ("a.html", b"<p>Copperfinch terms</p>", "text"),
    "a number": ("a.html", b"<p>4412907</p>", "field"),
    "a percent-encoded link": ("a.html", b'<a href="/plans%2Fmerger.html">x</a>', "path"),
    "a link to a page at the top": ("guide/x/index.html", b'<a href="../../partners/">x</a>', "path"),
    "a sitemap": ("sitemap-2.xml", b"<urlset><url><loc>https://garden.example/plans/merger/</loc></url></urlset>", "path"),
    "a feed": ("feed.xml", f'<?xml version="1.0"?><feed><title>{TITLE}</title></feed>'.encode(), "title"),
    "a Markdown twin": ("guide/x.md", SENTENCE.encode(), "text"),
    "llms.txt": ("llms.txt", b"- [Notes](/plans/merger.md)\n", "path"),
    "a debug file": ("debug.json", json.dumps({"pages": [{"title": TITLE}]}).encode(), "title"),
    "a key of a debug file": ("debug.json", json.dumps({TITLE: 1}).encode(), "title"),
    "a source map": ("web.js.map", json.dumps({"version": 3, "sourcesContent": [f"// {SENTENCE}"]}).encode(), "text"),
    "a script": ("web.js", f"// {SENTENCE}".encode(), "text"),
    "a style sheet": ("a.css", f"/* {TITLE} */".encode(), "title"),
    "a compressed twin": ("index.html.gz", gzip.compress(f"<p>{TITLE}</p>".encode()), "title"),
    "a compressed twin within another": ("x.gz", gzip.compress(zlib.compress(TITLE.encode())), "title"),
    "after a stream's end": ("x.bin", zlib.compress(b"nothing") + TITLE.encode(), "title"),
    "an archive's member": ("x.zip", zipped("a.txt", SENTENCE), "text"),
    "a name in an archive": ("x.zip", zipped("plans/merger.md", ""), "path"),
    "packed values": ("_ranvier/text/x.bin", zlib.compress(msgpack.packb([1, ["a", TITLE]])), "title"),
    "bytes in packed values": ("_ranvier/text/x.bin", zlib.compress(msgpack.packb([TITLE.encode()])), "title"),
    "a text in UTF-16": ("x.txt", TITLE.encode("utf-16"), "title"),
    "a text in UTF-16 within bytes": ("x.dat", b"\0\1\2\3" + TITLE.encode("utf-16-le") + b"\0\0", "title"),
    "a text in Latin-1": ("x.txt", f"Fönster: {TITLE}".encode("latin-1"), "title"),
    "a picture's own words": ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\x0dtEXtTitle\0" + TITLE.encode() + b"\0\0\xff", "title"),
    "a file's name": ("plans/merger/index.html", b"", "path"),
    "a folder's name": ("plans/other.txt", b"", "path"),
    "a file named by a title": ("merger-with-lanternfold.txt", b"", "title"),
    "another case and other signs": ("x.txt", b"MERGER_WITH-lanternfold", "title"),
    "an id": ("x.txt", b"see secret-4711-vellichor", "id"),
    "a field": ("x.txt", b"ninety thousand silver marks", "field"),
    "a body of one word": ("x.txt", b"Silverbriar", "title"),
    "a field of one word of a published page": ("x.html", b"<p>Swordfishx</p>", "field"),
    "a comment of one word in a published page": ("x.html", b"<p>Plumthistle</p>", "text"),
    "a claim": ("x.js", b"#claim-ab12cd34", "id"),
    "Japanese": ("x.html", "<p>古い温室を取り壊して</p>".encode(), "text"),
    "a Japanese title inside a sentence": ("x.html", "<p>これは秘密の庭です</p>".encode(), "title"),
}
OTHERS = {
    "a link to a page at the top": "partners.md",
    "a body of one word": "short.md",
    "a claim": "guide/planting.md",
    "a field of one word of a published page": "guide/planting.md",
    "a comment of one word in a published page": "guide/planting.md",
} | dict.fromkeys(("Japanese", "a Japanese title inside a sentence"), "ja.md")


def plant(built: Built, name: str, data: bytes) -> None:
    (built.out / name).parent.mkdir(parents=True, exist_ok=True)
    (built.out / name).write_bytes(data)


@pytest.mark.parametrize("what", FILES)
def test_a_planted_leak_is_found(what: str, built: Built) -> None:
    name, data, kind = FILES[what]
    plant(built, name, data)
    found = {(leak.file, leak.kind, leak.of) for leak in find_leaks(built.out, built.content, CONFIG)}
    if what == "a body of one word":
        assert found & {(name, one, "short.md") for one in ("title", "text")}
    else:
        assert (name, kind, OTHERS.get(what, MERGER)) in found, found
    assert {file for file, _, _ in found} == {name}, "nothing else is accused"


def test_what_a_deleted_row_left_on_a_free_page(built: Built, tmp_path: Path) -> None:
    plant(built, "left.db", database(tmp_path))
    (leak,) = find_leaks(built.out, built.content, CONFIG)
    assert (leak.file, leak.kind, leak.of) == ("left.db", "text", MERGER)
    assert leak.where.startswith("page ")


def test_a_free_page_of_the_hot_pack(built: Built) -> None:
    """Words that no query finds, on a page of the search data itself."""
    base = built.out / "_ranvier"
    entry = json.loads((base / "entry.json").read_bytes())
    hot = unpack("hot", checked_by_name(entry["hot"], (base / entry["hot"]).read_bytes()))
    hot["pages"][-1][1] = (
        hot["pages"][-1][1][:3000] + f" {SENTENCE} ".encode() + hot["pages"][-1][1][3000 + len(SENTENCE) + 2 :]
    )
    data = pack(hot)
    (base / entry["hot"]).unlink()
    entry["hot"] = f"hot-{digest(data).hex()}.bin"
    (base / entry["hot"]).write_bytes(data)
    (base / "entry.json").write_text(json.dumps(entry))
    found = find_leaks(built.out, built.content, CONFIG)
    assert (f"_ranvier/{entry['hot']}", "text", MERGER) in {(leak.file, leak.kind, leak.of) for leak in found}


def test_a_manifest_that_says_a_path(built: Built) -> None:
    base = built.out / "_ranvier"
    entry = json.loads((base / "entry.json").read_bytes())
    manifest = unpack("manifest", checked_by_name(entry["manifest"], (base / entry["manifest"]).read_bytes()))
    data = pack(manifest | {"sources": ["guide/planting.md", MERGER]})
    (base / entry["manifest"]).unlink()
    entry["manifest"] = f"manifest-{digest(data).hex()}.bin"
    (base / entry["manifest"]).write_bytes(data)
    (base / "entry.json").write_text(json.dumps(entry))
    found = {(leak.file, leak.kind, leak.of) for leak in find_leaks(built.out, built.content, CONFIG)}
    assert (f"_ranvier/{entry['manifest']}", "path", MERGER) in found


def test_a_medium_that_nobody_published(built: Built) -> None:
    plant(built, "_media/0-unknown.png", b"whatever")
    plant(built, "_media/0-talk.mp3", WITHHELD["talk.mp3"])  # type: ignore[arg-type]
    found = find_leaks(built.out, built.content, CONFIG)
    assert [(leak.file, leak.kind, leak.of) for leak in found] == [
        ("_media/0-talk.mp3", "media", "talk.mp3"),
        ("_media/0-unknown.png", "media", ""),
    ]


@pytest.mark.parametrize(
    ("link", "allowed"),
    [
        ("![x](img.png)", {"a/img.png"}),
        ("![x](./img.png)", {"a/img.png"}),
        ("![x](../priv/img.png)", {"priv/img.png"}),
        ("![x](/priv/img.png)", {"priv/img.png"}),
        ("![[priv/img.png]]", {"priv/img.png"}),
        ("![x](/static/img.png)", {"a/img.png", "priv/img.png"}),  # who knows
        ("text", set()),
    ],
)
def test_a_picture_is_known_by_its_folder(link: str, allowed: set[str], tmp_path: Path) -> None:
    """N7: a page that shows `img.png` does not publish another folder's."""
    tree = {"a/a.md": link, "a/img.png": another(1), "priv/img.png": another(2), "priv/b.md": "---\naudience: curator\n---\n"}
    content = write_tree(tmp_path / "content", tree)
    for number, name in enumerate(("a/img.png", "priv/img.png")):
        write_tree(tmp_path / "out", {f"_media/{number}-img.png": tree[name]})
    found = find_leaks(tmp_path / "out", content, replace(CONFIG, default_audience="public"))
    assert {leak.of for leak in found if leak.kind == "media"} == {"a/img.png", "priv/img.png"} - allowed


def test_search_data_that_cannot_be_opened_is_no_proof(built: Built) -> None:
    """It fails closed."""
    for file in (built.out / "_ranvier" / "index").iterdir():
        file.write_bytes(b"")
    for file in (built.out / "_ranvier").glob("hot-*.bin"):
        file.write_bytes(zlib.compress(b"\x80"))
    (leak,) = find_leaks(built.out, built.content, CONFIG)
    assert leak.where == "search data"
    assert leak.excerpt.startswith("cannot be opened")


def test_the_unbroken_site_is_clean_and_progress_is_told(built: Built) -> None:
    told: list[tuple[str, int]] = []
    assert find_leaks(built.out, built.content, CONFIG, lambda stage, count: told.append((stage, count))) == []
    assert told[0][0] == "Looking for leaks"
    assert sum(count for stage, count in told if not stage) == told[0][1] > 10


@pytest.mark.parametrize("who", ["tool", "curator"])
def test_what_another_audience_may_see_is_no_leak_there(who: str, built: Built) -> None:
    """A1: the same files, asked for somebody else."""
    plant(built, "x.html", b"<p>Wispdrake protocol</p>")
    assert find_leaks(built.out, built.content, CONFIG) != []
    assert find_leaks(built.out, built.content, replace(CONFIG, publish_for=who)) == []


def test_what_an_earlier_row_left_in_a_file_of_postings() -> None:
    """Postings are put together and read; what stands beside them on their pages is searched as bytes."""
    said = SENTENCE.encode()
    page = leaf_page(4096, 7, [b"postings and " + said, b"more"])
    left = page[:2000] + said + page[2000 + len(said) :]
    last = page[:-1] + b"x"
    for pages, expected in ((page, []), (page + left, [("page 2 of x", SENTENCE)]), (left + last, [("page 1 of x", SENTENCE)])):
        assert [(one.where, one.text) for one in unused("x", zlib.compress(pages))] == expected


def test_an_index_file_that_no_manifest_names(built: Built) -> None:
    """It is no part of what is put together, so that all of it is searched."""
    plant(built, "_ranvier/index/0.bin", zlib.compress(b"\0" * 50 + SENTENCE.encode() + b"\0" * 50))
    found = {(leak.file, leak.kind, leak.of) for leak in find_leaks(built.out, built.content, CONFIG)}
    assert ("_ranvier/index/0.bin", "text", MERGER) in found
