"""The page tree (N5): folders and parents from frontmatter; daily notes by day (N6)."""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from ranvier_builder.model import Entry, Neuron, Outline
from ranvier_builder.pipeline import survey
from ranvier_builder.read.outline import read_outline
from ranvier_builder.render.menu import menu
from ranvier_builder.render.order import contents, is_contents, ordered, toctrees
from ranvier_builder.render.slugs import pages
from ranvier_builder.render.tree import Tree
from ranvier_builder.site.titles import Titles
from support.content import OPEN, build_tree, build_without_engine, write_tree

LINK = Titles("en", "en").link


def tree(*neurons: Neuron) -> Tree:
    return Tree(pages(neurons, "s"), "Site")


def neuron(path: str, title: str = "", parent: str = "", **more: Any) -> Neuron:
    return Neuron(path, title or path.removesuffix(".md"), **{"markdown": "", "id": path, "parent": parent, **more})


def lines_of(result: Tree) -> str:
    """Draw a tree as a list of titles, each with its way from the root."""
    nodes = (node for node in result if node.slug)
    return ", ".join("/".join([*(above.title for above in result.above(node.slug)[1:]), node.title]) for node in nodes)


def outline(*lines: str) -> Outline:
    """Make a table of contents: `Use` is a section, `> a.md` is a page below it."""
    entries = []
    for line in lines:
        name = line.lstrip("> ")
        depth = line.count(">")
        entries.append(Entry(name, "", depth) if name.endswith(".md") else Entry("", name, depth))
    return Outline(tuple(entries))


def listed(entries: Iterable[Entry]) -> list[tuple[str, str, int]]:
    """Return path, label and depth of the lines of a table of contents."""
    return [(entry.path, entry.label, entry.depth) for entry in entries]


def test_folders_are_sections() -> None:
    result = tree(neuron("b.md"), neuron("a/x.md", "X"), neuron("a/deep-folder/y.md", "Y"), neuron("a/index.md", "The A"))
    assert lines_of(result) == "b, The A, The A/X, The A/Deep folder, The A/Deep folder/Y"
    assert [node.slug for node in result] == ["", "b", "a", "a/x", "a/deep-folder", "a/deep-folder/y"]


@pytest.mark.parametrize(
    ("neurons", "lines"),
    [
        pytest.param([neuron("a/x.md", "X", "../b.md"), neuron("b.md", "B")], "B, B/X", id="a parent may be a path"),
        pytest.param([neuron("a/x.md", "X", "Thornmere")], "A, A/X", id="a withheld parent is an unknown one"),
        pytest.param([neuron("a/deep/x.md", "X", "b"), neuron("b.md", "B")], "B, B/X", id="empty folders are removed"),
        pytest.param([neuron("a/deep/x.md", "X", "b"), neuron("a/y.md", "Y"), neuron("b.md", "B")], "A, A/Y, B, B/X",
                     id="an empty folder in another is removed"),
        pytest.param([neuron("a.md", "Part 10"), neuron("b.md", "part 2"), neuron("c.md", "Part 1")],
                     "Part 1, part 2, Part 10", id="numbers in titles count as numbers"),
        pytest.param([*map(neuron, ("UPSTREAM_LICENSE.md", "LICENSE.md", "guide/x.md", "driving-licence.md", "zoo.md"))],
                     "driving-licence, zoo, Guide, Guide/guide/x, LICENSE, UPSTREAM_LICENSE",
                     id="licences come last, not pages about a licence"),
        pytest.param([*map(neuron, ("CHANGELOG.md", "CONTRIBUTING.md", "changelog.md", "g/CONTRIBUTING.md"))],
                     "changelog, G, G/g/CONTRIBUTING, CHANGELOG, CONTRIBUTING", id="files about a project"),
        pytest.param([neuron("LICENSE.md", order=1), neuron("a.md")], "LICENSE, a", id="a licence may have an order"),
        pytest.param([*map(neuron, ("proj.md", "proj.plan.md", "proj.plan.budget.md", "proj.gone.deep.md"))],
                     "proj, proj/proj.gone.deep, proj/proj.plan, proj/proj.plan/proj.plan.budget",
                     id="dotted names are a tree, as in Dendron, in which a missing level is skipped"),
        pytest.param([neuron("log/2026-01-31.md"), neuron("log/2026-11-02.md", "A named day"), neuron("log/x.md", "2025-12-24"),
                      neuron("log/about.md", "Zebra"), neuron("log/y.md", "Dated", kind="daily", created="2026-06-01"),
                      neuron("log/sub/z.md", "Z")],
                     "Log, Log/Zebra, Log/A named day, Log/Dated, Log/log/2026-01-31, Log/2025-12-24, Log/Sub, Log/Sub/Z",
                     id="days are between pages and folders, the newest first"),
        pytest.param([neuron("zebra.md", "Zebra"), neuron("03-third/page.md", "Page"), neuron("02-second.md", "Second"),
                      neuron("apple.md", "Apple", order=2.5, label="The apple"), neuron("01-first.md", "First")],
                     "First, Second, The apple, Third, Third/Page, Zebra",
                     id="an order comes before the number of a name, which no label has"),
    ],
)  # fmt: skip
def test_pages_are_placed_and_sorted(neurons: list[Neuron], lines: str) -> None:
    """N5, N6, A2."""
    assert lines_of(tree(*neurons)) == lines


@pytest.mark.parametrize(
    "parent", ["guide-id", "guide/start.md", "/guide/start", "start", "Getting started", "[[Getting started]]"]
)
def test_parent_by_id_path_name_or_title(parent: str) -> None:
    """N5: the page moves with its children; its address stays."""
    result = tree(
        neuron("guide/start.md", "Getting started", id="guide-id"),
        neuron("notes/index.md", "Notes", parent),
        neuron("notes/one.md", "One"),
        neuron("zoo.md", "Zoo"),
    )
    assert lines_of(result) == (
        "Zoo, Guide, Guide/Getting started, Guide/Getting started/Notes, Guide/Getting started/Notes/One"
    )
    assert result.warnings == []
    assert [node.slug for node in result.above("notes/one")] == ["", "guide", "guide/start", "notes"]
    assert [node.slug for node in result][3:] == ["guide/start", "notes", "notes/one"]
    lines = menu(result, "notes/one", LINK)
    assert lines[1]["children"][0]["children"][0]["children"][0]["current"] is True


@pytest.mark.parametrize(
    ("neurons", "messages"),
    [
        ([neuron("a.md", parent="a")], ["a.md: parent 'a' is this page itself: ignored"]),
        ([neuron("a.md", parent="nobody")], ["a.md: parent 'nobody' is not a published page: ignored"]),
        ([neuron("a.md", parent="b"), neuron("b.md", parent="a")], ["b.md: parent 'a' is already below this page: ignored"]),
        (
            [neuron("a.md", parent="b"), neuron("b.md", parent="c"), neuron("c.md", parent="a")],
            ["c.md: parent 'a' is already below this page: ignored"],
        ),
        (
            [neuron("a/index.md", parent="a/x"), neuron("a/x.md")],
            ["a/index.md: parent 'a/x' is already below this page: ignored"],
        ),
        ([neuron("index.md", parent="x"), neuron("x.md")], ["index.md: parent 'x' is already below this page: ignored"]),
    ],
)
def test_cyclic_and_unknown_parents_are_reported(neurons: list[Neuron], messages: list[str]) -> None:
    """N5, N9."""
    result = tree(*neurons)
    assert [str(warning) for warning in result.warnings] == messages
    assert {warning.kind for warning in result.warnings} == {"field"}
    assert len(list(result)) == len({page.slug for page in pages(neurons, "s")} | {""})


def test_deep_chain_of_parents_is_cut() -> None:
    """N9: the pages below the limit stay in their folder."""
    result = tree(*(neuron(f"p{number:04}.md", parent=f"p{number - 1:04}" if number else "") for number in range(1000)))
    assert max(len(result.above(node.slug)) for node in result) <= 42
    assert len(list(result)) == 1001
    assert menu(result, "p0039", LINK)
    in_folders = tree(neuron("a/" * 1000 + "x.md"))  # folders have no limit
    assert len(in_folders.above("a/" * 1000 + "x")) == 1001
    assert menu(in_folders, "a/" * 1000 + "x", LINK)


def test_menu_lists_a_large_folder_in_part() -> None:
    """The list links to the page of the section."""
    large_tree = tree(*(neuron(f"n{number:04}.md") for number in range(500)), neuron("deep/a.md"), neuron("deep/b.md"))
    for slug, expected in (("n0000", range(100)), ("n0250", range(200, 300)), ("n0499", range(401, 500))):
        lines = menu(large_tree, slug, LINK)
        assert len(lines) == 101
        assert [entry["url"] for entry in lines if entry["url"].startswith("n")] == [f"n{number:04}/" for number in expected]
        empty = dict.fromkeys(("title", "url"), "") | dict.fromkeys(("current", "is_section", "open"), False)
        assert lines[-1] == {**empty, "more": 501, "children": []}
        assert sum(entry["current"] for entry in lines) == 1
    (deep,) = [entry for entry in menu(large_tree, "deep/a", LINK) if entry["url"] == "deep/"]
    assert [child["url"] for child in deep["children"]] == ["deep/a/", "deep/b/"]


def test_menu_of_a_large_site_is_shortened() -> None:
    """N5: the own folder of the page is listed most; a section page lists everything."""
    large_tree = tree(
        *(neuron(f"{part}/{folder:02}/n{number:02}.md") for part in "abc" for folder in range(20) for number in range(40)),
        neuron("top.md"),
    )
    lines = menu(large_tree, "b/10/n20", LINK)
    assert [entry["url"] for entry in lines] == ["top/", "a/", "b/", "c/"]
    folders = lines[2]["children"]
    assert [entry["url"] for entry in folders] == [*(f"b/{number:02}/" for number in range(4, 16)), "b/"]
    pages = next(entry for entry in folders if entry["open"])["children"]
    assert [entry["url"] for entry in pages] == [*(f"b/10/n{number:02}/" for number in range(5, 35)), "b/10/"]
    assert (folders[-1]["more"], pages[-1]["more"]) == (20, 40)
    assert [entry["url"] for entry in menu(large_tree, "b/10", LINK) if entry["open"]] == ["b/"]


def test_menu_links_are_relative_and_lead_to_pages(tmp_path: Path) -> None:
    """N5."""
    pages: dict[str, str | bytes] = {f"a b/c/{name}.md": f"# {name}\n" for name in "xyz"}
    content = write_tree(tmp_path / "content", pages | {"a b/index.md": "# A\n"})
    site = tmp_path / "site"
    build_without_engine(content, site)
    for page in sorted(site.rglob("index.html")):
        links = page.read_text().partition('<nav aria-label="Contents">')[2].partition("</nav>")[0]
        for link in re.findall('href="([^"]*)"', links):
            assert (page.parent / unquote(link) / "index.html").is_file(), (page, link)
    html = (site / "a-b/c/x/index.html").read_text()
    assert all(f'<a href="{path}"' in html for path in ("../../../", "../../", "../", "./", "../y/"))
    assert 'rel="next" href="../y/"' in html
    assert "../../../a" not in html


def test_folder_settings_order_and_label_the_tree() -> None:
    outline = Outline(folders={"api": (1, "Reference"), "guide": (2, ""), "gone": (0, "Gone")})
    pages_ = pages((neuron("guide/a.md", "A"), neuron("api/b.md", "B"), neuron("c.md", "C")), "s")
    assert [node.title for node in Tree(pages_, "Site", outline).root.children] == ["Reference", "Guide", "C"]


@pytest.mark.parametrize(
    ("entries", "names", "lines"),
    [
        pytest.param([Entry("title.md", "Title page", 0), Entry("z.md", "Ownership", 0), Entry("y.md", "Borrowing", 1),
                      Entry("", "Not written", 0), Entry("gone.md", "Gone", 0), Entry("a.md", "Appendix", 0)],
                     ["a", "b", "y", "z", "title"], "Title page, Ownership, Ownership/Borrowing, Appendix, b",
                     id="pages that it does not list come last"),
        pytest.param([Entry("", "User guide", 0), Entry("guide/b.md", "", 1), Entry("guide/a.md", "", 1),
                      Entry("index.md", "Home", 0)], ["guide/a", "guide/b", "index"],
                     "User guide, User guide/guide/b, User guide/guide/a", id="a section labels its folder"),
        pytest.param([Entry("guide/withheld.md", "Buy them", 0), Entry("guide/a.md", "", 1)], ["guide/a", "index"],
                     "Guide, Guide/guide/a", id="the label of a page that is not published is not shown"),
    ],
)  # fmt: skip
def test_table_of_contents_orders_and_labels_pages(entries: list[Entry], names: list[str], lines: str) -> None:
    """N5, A3."""
    result = Tree(pages([neuron(f"{name}.md", name) for name in names], "s"), "Docs", Outline(tuple(entries)))
    assert lines_of(result) == lines
    assert result.root.title == "Docs"


def test_sections_of_a_table_of_contents_without_a_folder() -> None:
    """N5: pages keep their addresses; a section without a published page is removed."""
    first = ("Start here", "> install.md", "> Use", ">> use/a.md", "Basics", "> use/b.md")
    contents = outline(*first, "API", "Withheld", "> secret.md", "search.md")
    names = ("api", "install", "search", "use/a", "use/b", "use/c")
    result = Tree(pages([neuron(f"{name}.md", name) for name in names], "s"), "Site", contents)
    assert lines_of(result) == (
        "Start here, Start here/install, Start here/Use, Start here/Use/use/a, Basics, Basics/use/b, "
        "search, api, Use, Use/use/c"
    )
    slugs = ["start-here", "install", "start-here/use", "use/a", "basics", "use/b", "search-2", "api", "use", "use/c"]
    assert [node.slug for node in result if node.slug] == slugs


def test_folder_whose_pages_are_in_other_sections_is_in_no_menu() -> None:
    """N5: a link can lead to it, so it has a page, which lists the pages at the addresses below it."""
    contents = outline("One", "> use/a.md", "Two", "> use/b.md")
    result = Tree(pages([neuron(f"use/{name}.md", name) for name in "ab"], "s"), "Site", contents)
    assert [node.slug for node in result] == ["", "one", "use/a", "two", "use/b", "use"]
    assert [entry["title"] for entry in menu(result, "use", LINK)] == ["One", "Two"]
    folder = result.at("use")
    assert folder is not None
    assert [child.slug for child in folder.children] == ["use/a", "use/b"]
    assert [node.slug for node in result.above("use/a")] == ["", "one"]


SUMMARY = """# Summary

[Introduction](intro.md)

# Part

- [Ownership of `x`](ch04.md)
    - [Borrowing](./ch04-02.md#top)
    - [Draft]()
- [Macros](<more/ch05.md>)

---

[Appendix](appendix.md)
"""
SIDEBAR = "* [Home](/)\n* **Use**\n  * [[Setting up|Set Up]]\n  * [[Get It]]\n* [X](https://github.com/a/b/wiki/Y)\n"


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        ("src/SUMMARY.md", SUMMARY, [
            ("src/intro.md", "Introduction", 0), ("src/ch04.md", "Ownership of x", 0), ("src/ch04-02.md", "Borrowing", 1),
            ("", "Draft", 1), ("src/more/ch05.md", "Macros", 0), ("src/appendix.md", "Appendix", 0)]),
        # docsify's `_sidebar.md`, and `_Sidebar.md` of GitHub, whose links have the label first; a line may have no link.
        ("_Sidebar.md", SIDEBAR, [("/", "Home", 0), ("", "Use", 0), ("Set-Up", "Setting up", 1), ("Get-It", "Get It", 1),
            ("Y", "X", 0)]),
    ],
)  # fmt: skip
def test_table_of_contents_is_parsed(path: str, text: str, lines: list[tuple[str, str, int]]) -> None:
    table = neuron(path, markdown=text)
    assert is_contents(table)
    assert listed(contents(table, {})) == lines


def test_list_of_the_languages_of_a_gitbook_is_no_page() -> None:
    assert is_contents(neuron("LANGS.md", "Languages", markdown="# Languages\n\n* [English](en/)\n* [Deutsch](de/)\n"))
    assert not is_contents(neuron("langs.md", "Languages", markdown="We have [English](en/).\n\nAnd more.\n"))


def test_summary_in_words_is_no_table_of_contents() -> None:
    assert not is_contents(neuron("SUMMARY.md", "Summary", markdown="A summary in words.\n\n- [one](one.md)\n"))


def test_toctrees_order_pages() -> None:
    """N5: of Sphinx, from the first page down; a page that two lists name is below the first."""
    first, rest = (("", ""), ("Start", "guide/b"), ("", "guide/a.md"), ("Use", "")), (("", "/use*"), ("", "gone"))
    entries = toctrees(
        [
            neuron("a-loop.md", contents=(("", ""), ("", "a-loop"))),
            neuron("guide/a.md", contents=(("", ""), ("", "../use-2"), ("", "../index"))),
            *(neuron(f"{name}.md") for name in ("guide/b", "use-10", "use-2", "zoo")),
            neuron("index.md", contents=(*first, *rest, ("Web", "https://x.example"))),
            neuron("top.md", contents=(("", ""), ("", "index"))),
        ],
        {},
    )
    assert [f"{entry.depth} {entry.path} {entry.label}".strip() for entry in entries] == (
        ["0 top.md", "1 index.md", "2 guide/b.md Start", "2 guide/a.md", "3 use-2.md", "2  Use", "3 use-10.md", "0 a-loop.md"]
    )


@pytest.mark.parametrize(
    ("below", "expected"), [((("", "use"),), "Project, Project/UX, Project/UX/Use"), ((), "Project, Project/Use")]
)
def test_caption_above_one_section_is_no_label_of_its_page(below: tuple[tuple[str, str], ...], expected: str) -> None:
    """N5: in Sphinx, of `Project` above a page with a table of its own; above a page without one, it is the folder's."""
    home = neuron("index.md", contents=(("Project", ""), ("", "ux/index")))
    neurons = [home, neuron("ux/index.md", "UX", contents=below), neuron("ux/use.md", "Use")]
    result = Tree(pages(neurons, "s"), "Site", Outline(tuple(toctrees(neurons, {}))))
    assert lines_of(result) == expected


def test_toctrees_of_pages_that_list_each_other_begin_at_the_top() -> None:
    contents = {"guide/a.md": (("", "../index"),), "index.md": (("", "z"), ("", "guide/a")), "z.md": ()}
    pages = [neuron(path, contents=links) for path, links in contents.items()]
    entries = [(entry.path, entry.depth) for entry in toctrees(pages, {})]
    assert entries == [("index.md", 0), ("z.md", 1), ("guide/a.md", 1)]


def test_tables_of_contents_do_not_name_pages_of_more_readers() -> None:
    """A5: a caller may see the page, but not the table that gives it a label."""
    levels = {"index.md": 2, "SUMMARY.md": 2, "b.md": 2}
    table = neuron("SUMMARY.md", markdown="- [One](a.md)\n- [Two](b.md)\n")
    pages = [neuron("a.md"), neuron("b.md"), neuron("index.md", contents=(("One", "a"), ("Two", "b")))]
    for entries in (contents(table, levels), toctrees(pages, levels)):
        assert [entry.label for entry in entries if entry.path in ("a.md", "b.md")] == ["", "Two"]


@pytest.mark.parametrize(("weights", "orders"), [((1, 2), False), ((0.5, 10), False), ((2, 20), True)])
def test_hugo_weights_order_pages(weights: tuple[float, ...], orders: bool) -> None:
    """N5: they do not change the search then."""
    result = ordered(neuron(f"{number}.md", weight=weight) for number, weight in enumerate(weights))
    assert [item.weight for item in result] == ([1.0] * len(weights) if orders else list(weights))


NAV = """
site_name: !ENV [NAME, x]
nav:
  - Home: index.md
  - Guide &amp; help:
      - guide/b.md
      - '<code class="x"></code> <b>First</b> steps': guide/a.md
  - https://example.org/
  - Elsewhere: https://example.org/
"""


def test_mkdocs_and_docusaurus_settings_order_the_tree(tmp_path: Path) -> None:
    """N5: a broken settings file orders nothing."""
    docs = write_tree(
        tmp_path / "docs",
        {"api/_category_.json": '{"label": "API", "position": 3}', "b/_category_.yml": "a: [", "index.md": "# Home"},
    )
    write_tree(tmp_path, {"mkdocs.yml": NAV})
    result = read_outline(docs, ("api/_category_.json", "b/_category_.yml", "index.md"))
    guide = [("", "Guide & help", 0), ("guide/b.md", "", 1), ("guide/a.md", "First steps", 1)]
    assert listed(result.entries) == [("index.md", "Home", 0), *guide]
    assert result.folders == {"api": (3.0, "API")}


@pytest.mark.parametrize(
    ("names", "slugs"),
    [
        (("start/index", "install", "help/README", "ask"), ["start", "install", "help", "ask"]),
        (("install", "ask"), ["start", "install", "start/help", "ask"]),  # the indexes are not published
    ],
)
def test_index_of_a_section_of_mkdocs_is_its_page(tmp_path: Path, names: tuple[str, ...], slugs: list[str]) -> None:
    """N5: it had a list of its own above it, with the same title."""
    files = [f"{name}.md" for name in names]
    write_tree(tmp_path, {"mkdocs.yml": "nav: [{Start: [start/index.md, install.md, {Help: [help/README.md, ask.md]}]}]"})
    contents = read_outline(write_tree(tmp_path / "docs", dict.fromkeys(files, "x")), files)
    result = Tree(pages([neuron(file, file) for file in files], "s"), "Docs", contents)
    assert [node.slug for node in result if node.slug] == slugs
    assert lines_of(result) == "Start, Start/install.md, Start/Help, Start/Help/ask.md"


def test_index_of_a_section_is_before_other_pages_of_its_folder() -> None:
    """N5: an inner section with pages of the same folder gets a list of its own."""
    entries = [
        Entry("", "Guide", 0),
        Entry("use/index.md", "", 1, is_index=True),
        Entry("", "More", 1),
        Entry("use/a.md", "", 2),
    ]
    result = Tree(pages([neuron(f"use/{name}.md", name) for name in ("index", "a")], "s"), "S", Outline(tuple(entries)))
    assert [node.slug for node in result] == ["", "use", "use/more", "use/a"]
    assert lines_of(result) == "Guide, Guide/More, Guide/More/a"


@pytest.mark.parametrize("folder", ["", "en/"])
def test_each_language_of_mkdocs_static_i18n_has_its_nav(tmp_path: Path, folder: str) -> None:
    """N5: pages of the default language may be beside the folders of the others; a language without a folder has none."""
    navs = "{locale: ja, name: 日本語, nav: [{はじめに: a.md}]}, {locale: de, nav: [a.md]}, {locale: fr}"
    english = "{locale: en, default: true, nav: [{Guide: [b.md]}, a.md]}"
    write_tree(tmp_path, {"mkdocs.yml": f"plugins: [{{i18n: {{languages: [{navs}, {english}]}}}}]\n"})
    files = (f"{folder}a.md", f"{folder}b.md", "ja/a.md")
    english_entries = [("", "Guide", 0), (f"{folder}b.md", "", 1), (f"{folder}a.md", "", 0)]
    outline = read_outline(write_tree(tmp_path / "docs", dict.fromkeys(files, "a")), files)
    assert listed(outline.entries) == [*english_entries, ("", "日本語", 0), ("ja/a.md", "はじめに", 1)]


JUPYTER_PARTS = """root: index
parts:
- caption: Use
  chapters: [{file: a, title: A, sections: [{file: b}]}]
"""
JUPYTER_SUBTREES = """root: index
subtrees:
- caption: Use
  entries: [{file: a, title: A, subtrees: [{entries: [{file: b}]}]}]
"""
MYST = "project: {toc: [{title: Use, children: [{file: a, title: A, children: [{file: b}]}, {pattern: c}]}]}"
QUARTO_PART = "- part: Use\n  chapters: [{href: a, text: A, contents: [{file: b}]}]"
WEBSITE = "website: {sidebar: {contents: [{section: Use, contents: [{section: a.qmd, contents: [{href: b.md, text: B}]}]}]}}"
BOOK = "book: {chapters: [{part: Use, chapters: [{section: a.qmd, contents: [{file: b.md, text: B}]}]}]}"
RAILS = "- name: Use\n  documents: [{name: A, url: a.html}, {name: B, url: b.html}]"
GROUPS = '[{"group": "Use", "pages": [{"group": "A", "root": "/a", "pages": ["b"]}]}]'
TABS = f'{{"languages": [{{"tabs": [{{"groups": {GROUPS}}}, 1]}}]}}'

LANGUAGES = '{"languages": [{"language": "en", "pages": ["a"]}, {"language": "cn", "pages": []}]}'


@pytest.mark.parametrize(
    ("name", "text", "first", "second"),
    [
        ("_toc.yml", JUPYTER_PARTS, ("a", "A", 1), ("b", "", 2)),
        ("_toc.yml", JUPYTER_SUBTREES, ("a", "A", 1), ("b", "", 2)),
        ("myst.yml", MYST, ("a", "A", 1), ("b", "", 2)),
        ("_toc.yml", QUARTO_PART, ("a", "A", 1), ("b", "", 2)),
        ("documents.yaml", RAILS, ("a.html", "A", 1), ("b.html", "B", 1)),
        ("_quarto.yml", WEBSITE, ("a.qmd", "", 1), ("b.md", "B", 2)),
        ("_quarto.yml", BOOK, ("a.qmd", "", 1), ("b.md", "B", 2)),
        ("mint.json", f'{{"name": "Site", "navigation": {GROUPS}}}', ("a", "A", 1), ("b", "", 2)),
        ("docs.json", f'{{"name": "Site", "navigation": {TABS}}}', ("a", "A", 1), ("b", "", 2)),
        ("docs.json", f'{{"name": "Site", "navigation": {LANGUAGES}}}', ("a", "", 1), ("", "中文", 0)),
    ],
)
def test_settings_of_other_systems_order_the_tree(
    tmp_path: Path, name: str, text: str, first: tuple[str, str, int], second: tuple[str, str, int]
) -> None:
    outline = read_outline(write_tree(tmp_path, {name: text}), ())
    assert listed(outline.entries) == [("", "English" if text.endswith(f"{LANGUAGES}}}") else "Use", 0), first, second]
    assert outline.title == ("Site" if '"name"' in text else "")


def test_settings_that_contain_themselves_order_nothing(tmp_path: Path) -> None:
    text = "chapters: &loop\n- file: a\n  sections: *loop\n"
    assert read_outline(write_tree(tmp_path, {"_toc.yml": text}), ()).entries == ()


@pytest.mark.parametrize(
    "settings",
    [
        {"meta.json": '{"pages": ["z", "api", "---More---", "b"]}', "api/meta.json": '{"title": "API", "pages": ["y"]}'},
        {"_meta.json": '{"index": "Start", "z": "", "api": {"title": "API"}, "b": ""}', "api/_meta.json": '{"y": {}}'},
        {".order": "index\nz\r\napi\nb\n\n", "api/.order": "y"},  # of Azure DevOps
        {".pages": "nav:\n- z.md\n- API: api/\n- b.md\n- ...\n", "api/.pages": "arrange: [y.md]"},  # of plugins of MkDocs
        {".nav.yml": "nav: [z.md, {Other: [api, '*.md', 7]}, a.md]", "api/.nav.yml": "title: API\nsort: {direction: desc}"},
        {"_meta.js": "export default {index: 'Start', z: '', 'api': {title: 'API'}, b: ''}",
         "api/_meta.tsx": "const meta: MetaRecord = {y: {}}\nexport default meta"},
        {"_meta.json": '["z.md", {"type": "dir", "name": "api", "label": "API"}, {"type": "divider"}, 7, ["a"], "b"]',
         "api/_meta.json": '[{"type": "file", "name": "y"}, {"type": "custom-link", "label": "Web"}]'},  # of Rspress
    ],
)  # fmt: skip
def test_meta_files_order_pages_and_folders(tmp_path: Path, settings: dict[str, str]) -> None:
    pages = {"index.md": "# Home", "a.md": "# A", "b.md": "# B", "z.md": "# Z", "api/x.md": "# X", "api/y.md": "# Y"}
    tree = survey(write_tree(tmp_path, {**settings, **pages}), OPEN).tree
    assert [node.title for node in tree.root.children] == ["Z", "API", "B", "A"]
    assert [node.title for node in tree.root.children[1].children] == ["Y", "X"]


def test_meta_file_of_a_language_orders_its_pages(tmp_path: Path) -> None:
    """N5: of Nextra and Fumadocs. A folder of several languages has its English label."""
    files = {f"{name}.{lang}.mdx": f"# {name} {lang}" for lang in ("de", "en") for name in ("a", "b", "g/c")}
    settings = {"_meta.de.json": '{"b": "", "a": "", "g": "Anleitung"}', "meta.en.json": '{"pages": ["a", "b", "g"]}'}
    settings |= {"g/_meta.de.json": "{}", "g/meta.en.json": '{"title": "Guide"}', "g/meta.v1.json": '{"title": "Other"}'}
    texts = {path: f"---\nlang: {path[-6:-4]}\n---\n{text}" for path, text in files.items()}
    tree = survey(write_tree(tmp_path, {**settings, **texts}), OPEN).tree
    assert [node.title for node in tree.root.children] == ["a en", "b en", "Guide", "b de", "a de"]


def test_translations_beside_their_originals_come_last(tmp_path: Path) -> None:
    """N5: one language after the other. A page without an original keeps its place, and so does the order of a folder."""
    texts = {"b.md": "B", "c.md": "C", "b.fr.md": "Au", "c.de.md": "Ac", "b.de.md": "Ab", "d.de.md": "Ad", "fr/c.md": "Cf"}
    langs = {path: next((lang for lang in ("de", "fr") if lang in path), "en") for path in texts}
    files = {path: f"---\nlang: {langs[path]}\nnav_order: 1\n---\n# {title}\n" for path, title in texts.items()}
    tree = survey(write_tree(tmp_path, files), OPEN).tree
    assert [node.title for node in tree.root.children] == ["Ad", "B", "C", "Français", "Ab", "Ac", "Au"]


def test_label_of_a_withheld_page_is_no_label_of_its_folder(tmp_path: Path) -> None:
    files = {
        "_meta.json": '{"guide": "Ocelot", "b": {"title": "Bee"}}',
        "guide.mdx": "---\naudience: tool\n---\n# Secret\n",
        "guide/a.md": "# A",
        "b.md": "# B",
        "b/c.md": "# C",
    }
    tree = survey(write_tree(tmp_path, files), OPEN).tree
    assert sorted(node.title for node in tree.root.children) == ["Bee", "Guide"]


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("mkdocs.yml", "site_name: Kestrel", "Kestrel"),
        ("mkdocs.yaml", "docs_dir: other\nsite_name: Kestrel", "Home"),
        ("zensical.toml", '[project]\nsite_name = "Kestrel"', "Kestrel"),
        ("book.toml", '[book]\ntitle = "Kestrel"\nsrc = "docs"', "Kestrel"),
        ("docs/book.toml", '[book]\ntitle = "Kestrel"\nsrc = "."', "Kestrel"),
        ("docs/book.json", '{"title": "Kestrel"}', "Kestrel"),
        ("book.toml", "[book", "Home"),
        (
            "docs/index.html",
            "<script>window.$docsify = {name: 'Kestrel', plugins: [(a) => b(a)], repo: ''}</script>",
            "Kestrel",
        ),
        ("docs/index.html", "<script>window.$docsify = {name: '<img src=a.png>'}</script>", "Home"),
        ("docs/index.html", "<p>Kestrel</p>", "Home"),
        ("book.toml", '[book]\nsrc = "\\u0000"\ntitle = "Kestrel"', "Home"),
    ],
)
def test_settings_of_other_systems_give_the_site_title(tmp_path: Path, name: str, text: str, title: str) -> None:
    """N5: if `ranvier.toml` has no title."""
    write_tree(tmp_path, {name: text, "docs/index.md": "# Home", "docs/_sidebar.md": "- [Home](index.md)"})
    for config, expected in ((OPEN, title), (replace(OPEN, title="Mine"), "Mine")):
        assert survey(tmp_path / "docs", config).tree.root.title == expected


def test_order_does_not_depend_on_withheld_pages(tmp_path: Path) -> None:
    """A3: the proof passes, and no label of a withheld page or folder is in the site."""
    files: dict[str, str | bytes] = {
        "SUMMARY.md": "- [Kestrel](b.md)\n- [Merger plan](secret.md)\n- [Heron](a.md)\n",
        "a.md": "# A",
        "b.md": "# B",
        "secret.md": "---\naudience: curator\n---\n# Secret",
        "x/_category_.json": '{"label": "Plans of the merger"}',
        "x/secret.md": "---\naudience: curator\n---\n# Secret",
        "y/_category_.json": '{"label": "Open plans", "position": 1}',
        "y/c.md": "# C",
        "z.md": "# Z\n\n```{toctree}\n:caption: Merger\nMergers <secret>\n```\n<!--\n```{toctree}\nMerger <a>\n```\n-->",
    }
    site = build_tree(tmp_path, files)
    html = (site / "index.html").read_text()
    assert html.index("Kestrel") < html.index("Heron") < html.index("Open plans")
    assert "erger" not in html
    assert not (site / "summary").exists()
