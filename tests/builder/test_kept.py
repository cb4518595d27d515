"""Old hashed files stay for the pages that are open, as long as nothing of theirs was withdrawn (B2, A2, A3)."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
import ranvier
from click.testing import CliRunner
from ranvier.store.format import digest
from ranvier_builder import Config, Report, indexing, kept
from ranvier_builder.check import find_leaks
from ranvier_builder.check.stored import check_stored
from ranvier_builder.cli import main
from ranvier_builder.kept import Build, carry_over, listed, lists, read_builds
from ranvier_builder.work import Memory
from support.content import build_without_engine, stub_assets, write_tree

PAGES: dict[str, str | bytes] = {
    "index.md": "# Home\n\nAll about nerves.\n",
    "axon.md": "# Axon\n\nAn axon conducts.\n",
    "myelin.md": "# Myelin\n\nMyelin insulates.\n",
    "secret.md": "---\naudience: curator\n---\n# Wolverine\n\nThe wolverine plan is nobody's business but ours.\n",
}
PUBLIC = Config(default_audience="public", keep_builds=1)


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "content", PAGES)


@pytest.fixture
def built(tmp_path: Path, content: Path) -> Callable[..., Report]:
    """Build `public` from the content, with some files written over it first; `None` deletes one."""

    def again(config: Config = PUBLIC, **files: str | None) -> Report:
        for name, text in files.items():
            (content / f"{name}.md").unlink() if text is None else (content / f"{name}.md").write_text(text)
        return build_without_engine(content, tmp_path / "public", config)

    return again


def tree(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def plant(base: Path, said: object) -> str:
    """Write a list, and name it in the record as that of the one earlier build; return its name."""
    data = json.dumps(said).encode()
    name = f"files-{digest(data).hex()}.json"
    (base / name).write_bytes(data)
    record = json.loads((base / "builds.json").read_text())
    record["builds"][1:] = [{"files": name, "for": "public", "pages": ""}]
    (base / "builds.json").write_text(json.dumps(record))
    return name


def silently(_: str, __: int) -> None:
    """Take progress."""


def entry(base: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads((base / "entry.json").read_text())
    return found


def test_an_open_page_goes_on_searching(tmp_path: Path, built: Callable[..., Report]) -> None:
    """B2: with the entry file of before, every file that a search asks for is still there, and so is every new one."""
    base = tmp_path / "public" / "_ranvier"
    assert built().kept == 0
    before = (base / "entry.json").read_bytes()
    first = tree(base)
    report = built(axon="# Axon\n\nA zebra.\n")
    assert (report.kept, report.dropped) == (1, "")
    assert entry(base)["manifest"] != json.loads(before)["manifest"]
    assert first.keys() <= tree(base).keys()
    shutil.copytree(tmp_path / "public", tmp_path / "open")
    (tmp_path / "open" / "_ranvier" / "entry.json").write_bytes(before)
    with ranvier.open_snapshot(tmp_path / "open") as old, ranvier.open_snapshot(tmp_path / "public") as new:
        assert [hit.title for hit in old.search("conducts").hits] == ["Axon"]
        assert new.search("conducts").total_hits == old.search("zebra").total_hits == 0
        assert [hit.title for hit in new.search("zebra").hits] == ["Axon"]
    assert check_stored(base, silently).findings == []


@pytest.mark.parametrize("keep", [0, 1, 2])
def test_so_many_builds_and_no_more(tmp_path: Path, built: Callable[..., Report], keep: int) -> None:
    base = tmp_path / "public" / "_ranvier"
    config = Config(default_audience="public", keep_builds=keep)
    manifests = []
    for word in ("one", "two", "three", "four"):
        report = built(config, axon=f"# Axon\n\nNumber {word}.\n")
        manifests.append(entry(base)["manifest"])
    assert report.kept == keep
    assert [(base / name).exists() for name in manifests] == [name in manifests[3 - keep :] for name in manifests]
    assert len(list(base.glob("files-*.json"))) == keep + 1
    assert (base / "builds.json").exists() == (keep > 0)


def test_builds_stay_deterministic(tmp_path: Path, content: Path, built: Callable[..., Report]) -> None:
    """The same content over the same output is the same bytes, however often; into an empty folder, as without any of this."""
    built()
    built(axon="# Axon\n\nA zebra.\n")
    twice = tree(tmp_path / "public")
    built()
    assert tree(tmp_path / "public") == twice
    build_without_engine(content, tmp_path / "fresh", PUBLIC)
    build_without_engine(content, tmp_path / "none", Config(default_audience="public", keep_builds=0))
    fresh, none = tree(tmp_path / "fresh"), tree(tmp_path / "none")
    assert json.loads(fresh.pop("_ranvier/builds.json"))["builds"][0]["files"] == entry(tmp_path / "fresh/_ranvier")["files"]
    assert fresh == none
    assert none.items() <= twice.items()


def test_back_again(tmp_path: Path, built: Callable[..., Report]) -> None:
    """What was taken back is the new build, and no earlier one of itself."""
    base = tmp_path / "public" / "_ranvier"
    names = []
    for text in ("One.", "Two.", "One."):
        built(Config(default_audience="public", keep_builds=3), axon=f"# Axon\n\n{text}\n")
        names.append(entry(base)["files"])
    assert [build.files for build in read_builds(base)] == names[2:0:-1]
    assert names[0] == names[2]


WITHDRAWN = {
    "deleted": None,
    "withheld": "---\naudience: curator\n---\n# Axon\n\nAn axon conducts.\n",
    "noindex": "---\nnoindex: true\n---\n# Axon\n\nAn axon conducts.\n",
    "renamed": "---\nid: another\n---\n# Axon\n\nAn axon conducts.\n",
}


@pytest.mark.parametrize("how", WITHDRAWN)
def test_what_is_withdrawn_takes_all_old_files_along(tmp_path: Path, built: Callable[..., Report], how: str) -> None:
    """A2: a page that an earlier build published, even two builds ago, and that is not public any more."""
    config = Config(default_audience="public", keep_builds=3)
    built(config)
    built(config, myelin="# Myelin\n\nMyelin is fat.\n")
    report = built(config, axon=WITHDRAWN[how])
    assert report.kept == 0
    assert report.dropped == "a page or a note that it published is not public any more: no file of an earlier build was kept"
    base = tmp_path / "public" / "_ranvier"
    build_without_engine(tmp_path / "content", tmp_path / "fresh", config)
    assert tree(base) == tree(tmp_path / "fresh" / "_ranvier")


def test_builds_for_other_readers_go(built: Callable[..., Report]) -> None:
    """A2: the same pages, but what a curator may see on them besides is nobody else's."""
    built(Config(default_audience="public", publish_for="curator", keep_builds=1), secret=None)
    report = built(axon="# Axon\n\nA zebra.\n")
    assert (report.kept, report.dropped) == (0, "it was built for other readers: no file of an earlier build was kept")


def test_text_that_was_moved_to_a_withheld_page_takes_them_along(tmp_path: Path, built: Callable[..., Report]) -> None:
    """A3: no page was withdrawn, and still an old file says what is withheld now. The build itself is not to blame."""
    plan = "The quagga expedition leaves Rotterdam on the third of November with eleven persons."
    built(axon=f"# Axon\n\nAn axon conducts. {plan}\n")
    report = built(axon="# Axon\n\nAn axon conducts.\n", secret=f"---\naudience: curator\n---\n# Wolverine\n\n{plan}\n")
    assert report.kept == 0
    assert "secret.md" in report.dropped
    base = tmp_path / "public" / "_ranvier"
    build_without_engine(tmp_path / "content", tmp_path / "fresh", PUBLIC)
    assert tree(base) == tree(tmp_path / "fresh" / "_ranvier")


NOTE = "the zebra marches at midnight to quaggatown"
SHARED = "---\nuser_note: {note}\nuser_note_shared: {shared}\n---\n# Axon\n\nAn axon {does}.\n"


@pytest.mark.parametrize("after", [SHARED.format(note=NOTE, shared="false", does="leads"), "# Axon\n\nAn axon leads.\n"])
def test_a_note_that_is_not_shared_any_more_takes_them_along(tmp_path: Path, built: Callable[..., Report], after: str) -> None:
    """A2, A3: the note of a page that stays, private or gone. It stands in the packs alone."""
    built(axon=SHARED.format(note=NOTE, shared="true", does="conducts"))
    report = built(axon=after)
    assert report.kept == 0
    assert report.dropped.startswith("a page or a note that it published is not public any more")
    build_without_engine(tmp_path / "content", tmp_path / "fresh", PUBLIC)
    assert tree(tmp_path / "public") == tree(tmp_path / "fresh")


def test_the_check_reads_packs_of_earlier_builds(tmp_path: Path, content: Path, built: Callable[..., Report]) -> None:
    """A3: the same where the record says nothing of notes, in a build and in `ranvier check --against`."""
    built(axon=SHARED.format(note=NOTE, shared="true", does="conducts"))
    after = SHARED.format(note=NOTE, shared="false", does="leads")
    with patch.object(Build, "withdrawn", lambda *_: ""):
        with patch("ranvier_builder.pipeline.find_leaks", return_value=[]):
            assert built(axon=after).kept == 1
        leaks = find_leaks(tmp_path / "public", content, PUBLIC, earlier=lists(tmp_path / "public" / "_ranvier"))
        assert {(leak.kind, leak.of) for leak in leaks} == {("note", "axon.md")}
        assert any(leak.file.startswith("_ranvier/packs/") for leak in leaks)
        report = built(Config(default_audience="public", keep_builds=2), axon=after + "\nOn.\n")
    assert report.dropped == "something that it said is withheld by now (axon.md): no file of an earlier build was kept"
    assert not {*tree(tmp_path / "public")} & {leak.file for leak in leaks}


def test_a_word_that_is_withheld_now_takes_them_along(built: Callable[..., Report]) -> None:
    """A3: shorter than anything that is looked for in files; the old index is opened, and has a term that no page has."""
    built(axon="# Axon\n\nAn axon conducts. Code quagga.\n")
    report = built(
        axon="# Axon\n\nAn axon conducts.\n", secret="---\naudience: curator\n---\n# Codes\n\nAt noon say quagga twice.\n"
    )
    assert (report.kept, "secret.md" in report.dropped) == (0, True)


@pytest.mark.parametrize("name", ["evil.html", "web-0/evil.html"])
def test_a_record_is_not_believed(tmp_path: Path, content: Path, built: Callable[..., Report], name: str) -> None:
    """A3: a page that somebody put there, with a list and a record that name it: found, and carried into no other build."""
    built()
    base = tmp_path / "public" / "_ranvier"
    data = (content / "secret.md").read_bytes()
    write_tree(base, {name: data})
    plant(base, {"shell": {name: [len(data), kept._integrity(data)]}, "data": {}})
    args = ["check", str(tmp_path / "public"), "--json", "--against", str(content), "--default-audience", "public"]
    findings = json.loads(CliRunner().invoke(main, args).stdout)["findings"]
    assert ("leak", f"_ranvier/{name}") in {(one["check"], one["file"]) for one in findings}
    assert (("unnamed_file", name) in {(one["check"], one["file"]) for one in findings}) == (name == "evil.html")
    report = built(Config(default_audience="public", keep_builds=5), axon="# Axon\n\nA zebra.\n")
    assert (report.kept, bool(report.dropped), (base / name).exists()) == (0 if "/" in name else 1, True, False)


def test_what_cannot_be_searched_is_not_kept(tmp_path: Path, built: Callable[..., Report]) -> None:
    """A3: a list without search data, of files that say nothing: nobody can prove them."""
    built()
    base = tmp_path / "public" / "_ranvier"
    write_tree(base, {"web-1/x.js": "export {};"})
    plant(base, {"shell": {"web-1/x.js": [10, kept._integrity(b"export {};")]}, "data": {}})
    report = built(Config(default_audience="public", keep_builds=5), axon="# Axon\n\nA zebra.\n")
    assert report.dropped == "it could not be proved to hold nothing withheld: no file of an earlier build was kept"
    assert not (base / "web-1").exists()


def test_no_build_is_kept_unasked(tmp_path: Path, built: Callable[..., Report]) -> None:
    """A2: by itself, what was edited out of a page is gone with the next build."""
    base = tmp_path / "public" / "_ranvier"
    for text in ("The safe opens with quagga.", "It conducts."):
        report = built(Config(default_audience="public"), axon=f"# Axon\n\n{text}\n")
    build_without_engine(tmp_path / "content", tmp_path / "fresh", Config(default_audience="public"))
    assert (report.kept, report.dropped) == (0, "")
    assert tree(base) == tree(tmp_path / "fresh" / "_ranvier")


def test_files_of_vectors_stay_too(tmp_path: Path, content: Path) -> None:
    """A3: the old ones' vectors are compared with the old texts: no leak. A stranger's is one, though a list names it."""
    for text in ("conducts", "insulates"):
        (content / "axon.md").write_text(f"# Axon\n\nAn axon {text}.\n")
        report = build_without_engine(content, tmp_path / "public", PUBLIC, vectors=True)
    assert (report.kept, report.dropped, report.vectors) == (1, "", report.chunks)
    base = tmp_path / "public" / "_ranvier"
    ((old, files),) = lists(base).items()
    assert {name for name in files - _current(base) if name.startswith("vectors/")}
    args = ["check", str(tmp_path / "public"), "--json", "--against", str(content), "--default-audience", "public"]

    def leaks() -> set[str]:
        findings = json.loads(CliRunner().invoke(main, args).stdout)["findings"]
        return {one["file"] for one in findings if one["check"] == "leak"}

    assert leaks() == set()
    stranger = base / "vectors" / f"{digest(b'x').hex()}.bin"
    stranger.write_bytes(b"x")
    assert leaks() == {f"_ranvier/vectors/{stranger.name}"}
    said = json.loads((base / old).read_text())
    said["data"][f"vectors/{stranger.name}"] = 1
    planted = plant(base, said)
    assert leaks() == {f"_ranvier/{planted}"}


def test_a_build_that_remembers_keeps_the_same(tmp_path: Path, content: Path) -> None:
    """I3: with a memory and without one."""
    from dataclasses import replace

    from ranvier_builder import build, pipeline

    config = replace(PUBLIC, search=replace(PUBLIC.search, vectors=False))
    with patch.object(pipeline, "write_assets", stub_assets):
        for text in ("One.", "Two.", "Three."):
            (content / "axon.md").write_text(f"# Axon\n\n{text}\n")
            kept = [
                build(content, tmp_path / "memory", config, memory=Memory(tmp_path / "cache")).kept,
                build(content, tmp_path / "plain", config).kept,
            ]
    assert kept == [1, 1]
    assert tree(tmp_path / "memory") == tree(tmp_path / "plain")


@pytest.mark.parametrize("damage", ["changed", "gone", "list", "record"])
def test_what_was_changed_is_not_passed_on(tmp_path: Path, built: Callable[..., Report], damage: str) -> None:
    base = tmp_path / "public" / "_ranvier"
    built()
    text = next((base / "text").iterdir())
    before = text.name
    if damage == "changed":
        text.write_bytes(text.read_bytes() + b"wolverine")
    elif damage == "gone":
        text.unlink()
    elif damage == "list":
        (base / entry(base)["files"]).write_text('{"shell": {"../../x": [1, ""]}, "data": {}}')
    else:
        (base / "builds.json").write_text('{"builds": [{"files": "../../x", "for": "public", "pages": ""}]}')
    report = built(axon="# Axon\n\nA zebra.\n")
    assert report.kept == 0
    assert report.dropped == ("" if damage == "record" else "1 earlier build(s) had been changed, and were not kept")
    assert not (base / "text" / before).exists()
    assert len(read_builds(base)) == 1


@pytest.mark.parametrize(
    "name", ["../out", "/etc/passwd", "web-0/../../x", "web-0/a\\b", "entry.json", "a\\b", "C:x", "evil.html", "web-0"]
)
def test_a_list_can_name_nothing_outside(tmp_path: Path, name: str) -> None:
    """The old folder may hold anything. Of what a build writes, only the program's own files have names without a digest."""
    old, new = tmp_path / "old", tmp_path / "new"
    said = json.dumps({"shell": {name: [1, "sha256-x"]}, "data": {}}).encode()
    files = f"files-{digest(said).hex()}.json"
    record = {"builds": [{"files": files, "for": "public", "pages": ""}]}
    write_tree(old, {files: said, "builds.json": json.dumps(record)})
    new.mkdir()
    (now,) = read_builds(old)
    kept = carry_over(old, new, type(now)("files-" + 24 * "0" + ".json", "public", frozenset()), 1)
    assert (kept.builds, kept.files) == (0, frozenset())


def test_a_site_is_checked_with_its_earlier_builds(tmp_path: Path, content: Path, built: Callable[..., Report]) -> None:
    """M1, A3: they are named, so nothing is unnamed; what is missing or changed of them is told; the proof passes over none
    of their texts."""
    base = tmp_path / "public" / "_ranvier"
    built()
    built(axon="# Axon\n\nA zebra.\n")

    def found(*more: str) -> list[tuple[str, str]]:
        said = CliRunner().invoke(main, ["check", str(tmp_path / "public"), "--json", *more]).stdout
        findings = json.loads(said)["findings"]
        return [(one["check"], one["file"]) for one in findings if one["file"] != "404.html"]

    assert found("--against", str(content), "--default-audience", "public") == []
    old = next(name for name in sorted(listed(base)) if name.startswith("text/") and name not in _current(base))
    (base / "stray.bin").write_bytes(b"x")
    (base / old).write_bytes(b"short")
    assert found() == [("damaged_file", old), ("unnamed_file", "stray.bin")]
    (base / old).unlink()
    assert found() == [("missing_file", old), ("unnamed_file", "stray.bin")]


def _current(base: Path) -> set[str]:
    said = json.loads((base / entry(base)["files"]).read_text())
    return {*said["shell"], *said["data"]}


def test_the_list_names_every_file_and_its_digest(tmp_path: Path, built: Callable[..., Report]) -> None:
    """B3: what "download" takes, and what files are compared with whose names hold no digest."""
    base = tmp_path / "public" / "_ranvier"
    built()
    named = entry(base)["files"]
    unhashed = {"entry.json", "written.txt", "builds.json"}
    assert _current(base) == tree(base).keys() - {named} - unhashed
    said = json.loads((base / named).read_text())
    assert all((base / name).stat().st_size == size for name, size in said["data"].items())
    assert all((base / name).stat().st_size == size for name, (size, _) in said["shell"].items())


def test_an_indexed_site_keeps_them_too(tmp_path: Path) -> None:
    """N8: `ranvier index` on a site of another generator, indexed again after an edit, and after a page asked to stay out."""
    site = write_tree(
        tmp_path / "site",
        {
            "index.html": "<title>Nerves</title><main><h1>Nerves</h1><p>All about nerves.</p></main>",
            "axon.html": "<title>Axon</title><main><h1>Axon</h1><p>It conducts.</p></main>",
        },
    )
    base = site / "_ranvier"
    config = Config(search=type(Config().search)(vectors=False), keep_builds=1)

    def index(axon: str) -> Report:
        (site / "axon.html").write_text(axon)
        with patch.object(indexing, "write_assets", stub_assets):
            return indexing.index(site, config)

    index("<title>Axon</title><main><h1>Axon</h1><p>It conducts.</p></main>")
    before = entry(base)["manifest"]
    write_tree(base, {".stray.html": "x", "stray.html": "x"})
    assert index("<title>Axon</title><main><h1>Axon</h1><p>A zebra.</p></main>").kept == 1
    assert not [*base.glob("*stray.html")]
    assert (base / before).is_file()
    assert check_stored(base, silently).findings == []
    hidden = index("<meta name=robots content=noindex><title>Axon</title><main><h1>Axon</h1><p>A zebra.</p></main>")
    assert (hidden.kept, bool(hidden.dropped)) == (0, True)
    assert not (base / before).exists()
