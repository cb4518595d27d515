"""`ranvier index` (N8, G1, V1): search for the HTML of another generator, which it does not change."""

import hashlib
import json
import os
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest
import ranvier
from ranvier_builder import BuildError, Config, indexing, publish
from ranvier_builder.config import load_config
from ranvier_builder.errors import OutputError, ReadError
from ranvier_builder.output import replace_output
from ranvier_builder.withheld import Reason
from support.cli import json_of, run
from support.content import Tree, build_without_engine, read_tree, stub_assets, write_tree
from support.content import index_without_engine as index

PAGES: dict[str, str | bytes] = {
    "index.html": "<html lang=en><title>Nerves</title><main><h1>Nerves</h1><p>All about nerves.</p></main>",
    "guide/index.html": "<title>Guide - Nerves</title><main><h1>Guide</h1><p>How axons conduct.</p></main>",
    "guide/myelin.html": "<title>Myelin - Nerves</title><main><h1>Myelin</h1><h2 id=sheath>The sheath</h2>It insulates.</main>",
    "404.html": "<title>Not found</title><main>wolverine</main>",
    "style.css": "p { color: red }",
    ".well-known/x.html": "<main>wolverine</main>",
    "private/draft.html": "<meta name=robots content=noindex><title>Wolverine</title><main>wolverine</main>",
}


@pytest.fixture
def site(tree: Tree) -> Path:
    """A small site of another generator."""
    return tree(dict(PAGES))


def digests(folder: Path, *, times: bool = False) -> dict[str, tuple[str, int]]:
    """Everything below a folder but `_ranvier`, folders too, with the times of files and of folders below the top."""
    results = {}
    for item in sorted(folder.rglob("*")):
        path = item.relative_to(folder).as_posix()
        if path.split("/")[0] != "_ranvier":
            data = item.read_bytes() if item.is_file() else b""
            results[path] = (hashlib.sha256(data).hexdigest(), item.stat().st_mtime_ns if times else 0)
    return results


def urls(folder: Path, query: str) -> list[str]:
    with ranvier.open_snapshot(folder) as library:
        return [hit.url for hit in library.search(query).hits]


def test_index_adds_a_folder_and_changes_no_other_file(site: Path) -> None:
    """G1: neither bytes nor times."""
    before = digests(site, times=True)
    report = index(site)
    assert digests(site, times=True) == before
    assert urls(site, "myelin") == ["guide/myelin.html"]
    assert urls(site, "axons") == ["guide/"]
    assert urls(site, "nerves")[0] == ""
    assert (report.read, report.published, report.chunks) == (5, 3, 3)
    assert report.withheld == {Reason.NO_CONTENT: 1, Reason.NOINDEX: 1}
    assert report.warnings == []
    assert report.files == len(read_tree(site / "_ranvier"))
    assert report.bytes == sum(map(len, read_tree(site / "_ranvier").values()))


def test_hits_of_an_indexed_site_have_anchors_and_titles(site: Path) -> None:
    index(site)
    with ranvier.open_snapshot(site) as library:
        (hit,) = library.search("sheath").hits
    assert (hit.title, hit.anchor, hit.breadcrumb) == ("Myelin", "sheath", "Myelin > The sheath")
    assert [(sub.title, sub.url) for sub in hit.sub_results] == [("The sheath", "guide/myelin.html#sheath")]


def test_indexing_twice_gives_the_same_bytes(site: Path) -> None:
    """The older index is replaced and not read."""
    index(site)
    first = read_tree(site / "_ranvier")
    index(site)
    assert read_tree(site / "_ranvier") == first
    assert sorted(item.name for item in site.iterdir() if "ranvier" in item.name) == ["_ranvier"]
    (site / "guide" / "myelin.html").unlink()
    index(site)
    assert urls(site, "myelin") == []


def test_files_of_an_index(site: Path) -> None:
    """The loader module and the entry file have fixed names."""
    index(site, Config(title="Set"))
    result = read_tree(site / "_ranvier")
    entry = json.loads(result["entry.json"])
    assert entry["site"] == {"title": "Set", "lang": "en"}
    assert b"ui/search-box.js" in result["search.js"]
    assert result["written.txt"].decode().splitlines() == sorted(result)
    assert {entry["manifest"], entry["hot"], entry["core"]} <= result.keys()


def everything_written(folder: Path) -> bytes:
    """Names and contents of all files, packed ones unpacked."""
    parts = []
    for name, data in read_tree(folder / "_ranvier").items():
        parts += [name.encode(), data, zlib.decompress(data) if name.endswith(".bin") else b""]
    return b"\n".join(parts).lower()


def test_hidden_text_of_pages_is_not_indexed(tree: Tree) -> None:
    """A2: ignored text, noindex pages, comments, scripts and attributes."""
    words = [f"quillfeather{number}" for number in range(20)]
    say = iter(words)
    site = tree(
        {
            "a.html": f"""<head><title>A</title><meta name=generator content={next(say)}><script>{next(say)}</script>
            <style>.{next(say)} {{}}</style></head><body class={next(say)}><!-- {next(say)} -->
            <main data-x={next(say)}><h1>A</h1>
            <p>seen <b data-ranvier-ignore title={next(say)}>{next(say)}<i data-pagefind-filter=x>{next(say)}</i></b>
            <p data-pagefind-ignore>{next(say)}</p>
            <div data-pagefind-ignore=all><h2 id={next(say)}>{next(say)}</h2></div>
            <p hidden>{next(say)}</p><template><p>{next(say)}</p></template><noscript>{next(say)}</noscript>
            <a href=https://example.org/{next(say)}>link</a></main></body>""",
            "b.html": f"<meta name=robots content=noindex><title>{next(say)}</title><p>{next(say)}",
            f"{next(say)}.html": "<meta name=ranvier content=noindex><p>x",
        }
    )
    index(site)
    files_before = everything_written(site)
    assert b"seen" in files_before
    assert [word for word in words if word.encode() in files_before] == []
    with ranvier.open_snapshot(site) as library:
        assert [word for word in words if library.search(word).hits] == []


def test_index_files_hold_no_hidden_word(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A2: including the vocabulary, which is read from the database before it is split."""
    kept = tmp_path / "kept.sqlite"
    from ranvier_builder.write import store

    split = store.split_snapshot

    def keep(database: Path) -> object:
        kept.write_bytes(database.read_bytes())
        return split(database)

    monkeypatch.setattr(store, "split_snapshot", keep)
    index(site)
    with closing(sqlite3.connect(kept)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for table, word, missing_word in (("chunk_fts", "insul", "wolverin"), ("neuron_fts", "insul", "wolverin")):
            database.execute(f"CREATE VIRTUAL TABLE temp.{table}_words USING fts5vocab('main', '{table}', 'row')")
            terms = {term for (term,) in database.execute(f"SELECT term FROM temp.{table}_words")}
            assert word in terms
            assert not {term for term in terms if missing_word in term}
        query = "SELECT count(*) FROM substring_fts WHERE substring_fts MATCH ?"
        assert database.execute(query, ('"ins nsu sul"',)).fetchone() > (0,)
        assert database.execute(query, ('"wol olv lve"',)).fetchone() == (0,)


@pytest.mark.parametrize("glob", ["guide/my*", "./guide/my*", "**/myelin*"])
def test_excluded_files_are_not_indexed(site: Path, glob: str) -> None:
    assert index(site, Config(exclude=(glob,))).warnings == []
    assert (urls(site, "myelin"), urls(site, "axons")) == ([], ["guide/"])


def test_excluded_folder_is_not_indexed(site: Path, tmp_path: Path) -> None:
    write_tree(tmp_path, {"ranvier.toml": 'lang = "en"\nexclude = ["guide/", "nosuch", "*.excalidraw.md"]\n'})
    report = index(site, load_config(tmp_path / "ranvier.toml"))
    assert urls(site, "axons") == []
    assert [str(warning) for warning in report.warnings] == [
        "ranvier.toml:2: exclude: 'nosuch' matches no HTML file; remove it, or write the path of a file below the site's folder"
    ]


def test_html_files_are_pages(site: Path) -> None:
    pages = "http-status/404.html guide/search.html page.HTM open_source.html _ranvier.html deep/_ranvier/x.html".split()
    generator_files = (
        *(
            "404.html", "de/404.html", "404/index.html", "search/index.html", "genindex.html", "genindex-A.html",
            "theindex.html",
        ),
        *("_modules/pkg/mod.html", "api/main_8cpp_source.html", "google0123456789abcdef.html", "index.txt", ".hidden.html"),
        *("api/src-html/org/A.html", "src/std/lib.rs.html", "ref/chap19_mj.html"),
    )  # fmt: skip
    write_tree(site, {path: f"<title>{path}</title><main>zebra in {path}</main>" for path in (*pages, *generator_files)})
    index(site)
    assert sorted(urls(site, "zebra")) == sorted(pages)


def test_symlinks_out_of_the_site_are_not_followed(site: Path, tmp_path: Path) -> None:
    write_tree(tmp_path / "elsewhere", {"x.html": "<main>zebra</main>"})
    (site / "linked.html").symlink_to(tmp_path / "elsewhere" / "x.html")
    (site / "folder").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    (site / "loop").symlink_to(site, target_is_directory=True)
    index(site)
    assert urls(site, "zebra") == []


@pytest.mark.skipif(os.name != "posix", reason="names are bytes on POSIX only")
def test_file_name_without_a_valid_address_is_reported(site: Path) -> None:
    Path(os.fsdecode(os.fsencode(site) + b"/\xff.html")).write_text("<main>zebra</main>")
    report = index(site)
    assert [(warning.kind, warning.file) for warning in report.warnings] == [("name", "\\udcff.html")]
    assert urls(site, "zebra") == []


def test_unusual_pages_are_indexed_and_reported(site: Path) -> None:
    """N9."""
    write_tree(site, {"bad.html": b"<main>caf\xe9 zebra</main>", "empty.html": b"", "copy/x.html": PAGES["guide/index.html"]})
    report = index(site)
    assert report.kinds() == {"encoding": 1, "duplicate": 1, "empty": 1}
    assert urls(site, "café") == ["bad.html"]
    with pytest.raises(BuildError, match="a strict build fails on warnings"):
        index(site, Config(strict=True))
    assert urls(site, "café") == ["bad.html"], "the older index is still there"


def test_index_refuses_a_ranvier_site(tree: Tree, tmp_path: Path) -> None:
    content = tree({"a.md": "text"})
    build_without_engine(content, tmp_path / "public")
    before = read_tree(tmp_path / "public")
    with pytest.raises(OutputError, match="already has a search"):
        index(tmp_path / "public")
    assert read_tree(tmp_path / "public") == before


def test_build_refuses_an_indexed_site_as_output(site: Path, tmp_path: Path) -> None:
    """Its pages belong to another generator."""
    index(site)
    before = digests(site)
    content = write_tree(tmp_path / "notes", {"a.md": "text"})
    with pytest.raises(OutputError, match="another generator's site"):
        build_without_engine(content, site)
    assert digests(site) == before


@pytest.mark.parametrize("files", [{"_ranvier/mine.txt": "x"}, {"_ranvier": "x"}])
def test_foreign_ranvier_folder_is_refused(site: Path, files: dict[str, str | bytes]) -> None:
    write_tree(site, files)
    with pytest.raises(OutputError, match="move it away"):
        index(site)
    assert all((site / path).is_file() for path in files)


def test_symlinked_ranvier_folder_is_refused(site: Path, tmp_path: Path) -> None:
    write_tree(tmp_path / "elsewhere", {"entry.json": "{}"})
    (site / "_ranvier").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputError, match="is a symbolic link"):
        index(site)
    assert (tmp_path / "elsewhere" / "entry.json").read_text() == "{}"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.txt": "x"}, "contains no HTML file"),
        (
            {"a.html": "<meta name=robots content=noindex>x", "404.html": "x"},
            "no page that can be indexed .*1: an error.*1: marked as noindex",
        ),
    ],
)
def test_index_without_pages_is_an_error(tree: Tree, files: dict[str, str | bytes], message: str) -> None:
    site = tree(files)
    with pytest.raises(ReadError, match=message):
        index(site)
    assert not (site / "_ranvier").exists()


def test_index_of_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="is not a folder"):
        index(tmp_path / "nothing")


def test_index_without_pages_names_what_leaves_them_out(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tree({"a.html": "x"})
    with pytest.raises(ReadError, match=r"contains no HTML file, except those of exclude: \*, b"):
        index(site, Config(exclude=("*", "b")))
    with pytest.raises(ReadError, match=r"contains no HTML file\n"):
        index(tree({"empty/b.txt": "x"}) / "empty", Config(exclude=("drafts/",)))

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(ReadError, match=r"no page that can be indexed \(a.html: cannot be read: Permission denied"):
        index(site)


@pytest.mark.parametrize("stage", ["write_store", "write_entry"])
def test_failed_indexing_keeps_the_older_index(site: Path, monkeypatch: pytest.MonkeyPatch, stage: str) -> None:
    index(site)
    before = read_tree(site / "_ranvier")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(publish, stage, fail)
        with pytest.raises(OutputError, match="the build stopped"):
            index(site)
    assert read_tree(site / "_ranvier") == before
    assert sorted(item.name for item in site.iterdir() if "ranvier" in item.name) == ["_ranvier"]


def test_leftovers_of_a_killed_indexing_are_removed(site: Path) -> None:
    """It was killed during the swap: the older index has the backup name, and there is an unfinished one."""
    index(site)
    before = read_tree(site / "_ranvier")
    (site / "_ranvier").rename(site / "._ranvier.ranvier-old")
    write_tree(site, {"._ranvier.ranvier-new-x/web/a.js": "x"})
    with replace_output(site / "_ranvier", None, base=".") as work:
        assert read_tree(site / "_ranvier") == before
        write_tree(work.site, dict(before))
    assert read_tree(site / "_ranvier") == before
    assert sorted(item.name for item in site.iterdir() if "ranvier" in item.name) == ["_ranvier"]


def test_parallel_indexing_writes_the_same_bytes(tree: Tree) -> None:
    """I3: with more pages than one batch."""
    from concurrent.futures import ThreadPoolExecutor

    site = tree({f"p{at:03}.html": f"<title>P{at} - S</title><main><h1>P{at}</h1>text {at}</main>" for at in range(80)})
    index(site)
    files_of_index = read_tree(site / "_ranvier")
    with ThreadPoolExecutor(2) as executor:
        index(site, executor=executor)
    assert read_tree(site / "_ranvier") == files_of_index


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("", "/"),
        ("https://example.org", "/"),
        ("https://example.org/docs/", "/docs/"),
        ('https://example.org/"><b>&c', "/&quot;&gt;&lt;b&gt;&amp;c/"),
    ],
)
def test_index_prints_the_html_lines_to_paste(url: str, base: str) -> None:
    lines = f'<script type="module" src="{base}_ranvier/search.js"></script>\n<ranvier-search></ranvier-search>'
    assert indexing.snippet(url) == lines


def test_index_command_prints_report_and_lines(site: Path) -> None:
    """V1: the report to the terminal, the lines to standard output."""
    with patch.object(publish, "write_assets", stub_assets):
        ran = run("index", site, "--url", "https://x.org/d/", "--exclude", "guide/my*", "--jobs", 1)
        assert ran.exit_code == 0, ran.output
        assert ran.stdout == f"{indexing.snippet('https://x.org/d/')}\n"
        assert "published" in ran.stderr
        report = json_of("index", site, "--lang", "de", "--jobs", 1)
        assert (report["published"], report["html"][:8]) == (3, "<script ")
    with ranvier.open_snapshot(site) as library:
        assert library.search("myelin").hits
    assert run("index", site / "guide" / "myelin.html").exit_code != 0
