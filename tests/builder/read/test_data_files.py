"""Fields for the pages of a folder, or for one page, in files beside them."""

from pathlib import Path

import pytest
from ranvier_builder.read.outline import read_outline
from support.content import build_tree, read_tree, write_tree


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("blog/drafts/.meta.yml", "draft: true"),
        ("blog/drafts/.meta.yml", "Audience: curator"),
        ("blog/drafts/_metadata.yml", "draft: true"),
        ("blog/drafts/_metadata.yaml", "draft: true"),
        ("blog/drafts/drafts.json", '{"published": false}'),
        ("blog/drafts/drafts.11tydata.json", '{"permalink": false}'),
        ("blog/drafts/drafts.11tydata.js", "module.exports = {draft: true, x: f()}"),
        ("blog/drafts/drafts.11tydata.mjs", "export default {permalink: false};"),
        ("blog/drafts/drafts.11tydata.cjs", "module.exports = {published: false}"),
        ("blog/drafts/drafts.11tydata.js", "export default{x:1,permalink:false}"),
        ("blog/drafts/drafts.11tydata.js", "export default () => ({draft: true})"),
        ("blog/drafts/drafts.11tydata.js", "module.exports = async function (x) {\n  return { draft: true, y: f(x) };\n}"),
    ],
)
def test_fields_of_a_folder_withhold_its_pages(tmp_path: Path, file: str, text: str) -> None:
    """A1: unless a page names an audience."""
    drafts = dict.fromkeys(("blog/drafts/a.md", "blog/drafts/b/c.md"), "# Kestrel")
    drafts |= {"blog/drafts/d.md": "---\naudience: public\n---\n# D"}
    site = build_tree(tmp_path, {"index.md": "# Home\n\n[A](blog/drafts/a.md)", "blog/e.md": "# E", file: text, **drafts})
    pages = {path.relative_to(site).parent.as_posix() for path in site.rglob("index.html")}
    assert pages & {"blog/e", "blog/drafts/a", "blog/drafts/b/c", "blog/drafts/d"} == {"blog/e", "blog/drafts/d"}


@pytest.mark.parametrize(
    ("text", "is_held"),
    [("audience: curator\n\ttitle: a", True), ("title: {#if}\ndraft: true", True), ("title: {#if}\ntags: [a]", False)],
)
def test_fields_of_a_folder_that_cannot_be_read_are_reported(tmp_path: Path, text: str, is_held: bool) -> None:
    """A1: they withhold the folder if they could."""
    outline = read_outline(write_tree(tmp_path, {"a/b.md": "# B", "a/.meta.yml": text}), ["a/b.md"])
    (warning,) = outline.warnings
    assert (warning.file, "withheld" in warning.message, "a" in outline.held_folders) == ("a/.meta.yml", is_held, is_held)


def test_linked_fields_of_a_folder_withhold_its_pages(tmp_path: Path) -> None:
    """A1: one file for several folders."""
    root = write_tree(tmp_path, {"a/b.md": "# B", "drafts.yml": "draft: true"})
    (root / "a" / "_metadata.yml").symlink_to("../drafts.yml")
    assert read_outline(root, ["a/b.md", "drafts.yml"]).held_folders == {"a": "a/_metadata.yml"}


def test_fields_of_retype_are_in_files_beside_the_pages(tmp_path: Path) -> None:
    """A1: those of a folder in `index.yml`."""
    files = dict.fromkeys(("a/index.yml", "b.yml", "c/d.yml"), "visibility: private\n")
    files |= dict.fromkeys(("a/b.md", "b.md", "c/d.md"), "")
    assert read_outline(write_tree(tmp_path, files), [*files]).held_folders == {}
    assert read_outline(write_tree(tmp_path, {"retype.yml": ""}), [*files]).held_folders.keys() == {"a", "b.md", "c/d.md"}


@pytest.mark.parametrize("plugin", ["meta", "material/meta"])
def test_name_of_the_file_with_fields_may_be_a_setting(tmp_path: Path, plugin: str) -> None:
    """A1: of Material for MkDocs."""
    settings = f"plugins:\n- {plugin}: {{meta_file: fields.yml}}\n"
    root = write_tree(tmp_path, {"mkdocs.yml": settings, "docs/a/fields.yml": "draft: true\n", "docs/a/b.md": "# B\n"})
    assert read_outline(root / "docs", ["a/b.md"]).held_folders == {"a": "a/fields.yml"}


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("kestrel.json", '{"draft": true}'),
        ("kestrel.11tydata.json", '{"Draft": "yes"}'),
        ("kestrel.11tydata.json", '{"draft": true,}'),  # it cannot be read, but names the field
        ("kestrel.11tydata.json", '{"permalink": false}'),
        ("kestrel.11tydata.js", "module.exports = {draft: true};"),
        ("kestrel.11tydata.cjs", "module.exports = {published: false};"),
        ("kestrel.11tydata.mjs", "export default {permalink: false};"),
    ],
)
def test_fields_of_a_page_in_another_file_withhold_it(tmp_path: Path, file: str, text: str) -> None:
    """A1, A3: of Eleventy. No page shows its files, and one with an audience is a page nevertheless."""
    write_tree(tmp_path, {"eleventy.config.js": ""})
    tree = {
        "index.md": "# Home\n\n[A](b/kestrel.md)\n",
        f"b/{file}": text,
        "b/kestrel.md": "# Osprey\n\n![](kestrel.png)\n",
        "b/kestrel.vtt": "WEBVTT\n\n00:00.000 --> 00:02.000\nA heron.\n",
        "b/kestrels.md": "# Shown\n",
        f"c/{file}": text,
        "c/kestrel.md": "---\naudience: public\n---\n# Gull\n",
    }
    data = b"".join(read_tree(build_tree(tmp_path, tree)).values()).lower()
    assert b"shown" in data
    assert b"gull" in data
    assert b"osprey" not in data
    assert b"heron" not in data


def test_withheld_page_is_not_included(tmp_path: Path) -> None:
    """A3: unlike a page that is not written."""
    fields = {"a.11tydata.json": '{"draft": true}', "b.11tydata.json": '{"permalink": false}'}
    parts = {"a.md": "Kestrel", "b.md": "Heron", "index.md": '# Home\n\n--8<-- "a.md"\n\n--8<-- "b.md"\n'}
    data = b"".join(read_tree(build_tree(tmp_path, parts | fields)).values())
    assert b"Heron" in data
    assert b"Kestrel" not in data


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("blog/.meta.yml", "draft: false\ntags: [a]"),
        ("blog/other.json", '{"draft": true}'),
        ("package/package.json", '{"private": true}'),
        (".meta.yml", "draft: true"),
        ("blog/_metadata.yml", "- draft"),
        ("b.json", '{"private": true}'),  # an example beside its page; there is no Eleventy
        ("b.json", "{"),
        ("b.11tydata.json", '{"draft": false}'),
        ("b.11tydata.js", "export default {published: isPublished(), draft: process.env.X === 'a'}"),
        ("b.11tydata.js", "export default () => ({draft: f()})"),
        ("b.11tydata.js", "export default (data) => { if (data.x) { return {draft: true} } }"),
        ("c.11tydata.json", '{"draft": true}'),
        (f"{'x' * 255}/a.md", "# A"),  # the longest name of a folder; with an ending it would be too long
    ],
)
def test_other_files_and_fields_withhold_nothing(tmp_path: Path, file: str, text: str) -> None:
    """N9."""
    files = {"blog/a.md": "# A", "package/a.md": "# A", "b.md": "# B", file: text}
    outline = read_outline(write_tree(tmp_path, files), [*files])
    assert (outline.excluded, outline.held_folders, outline.warnings) == ({}, {}, ())
