"""Link targets (N4): links are resolved by path, name, title, alias and id."""

import pickle
from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.model import Neuron
from ranvier_builder.pipeline import survey
from ranvier_builder.read.files import walk
from ranvier_builder.render.links import Links, is_external
from ranvier_builder.render.slugs import pages
from support.content import OPEN, Tree, write_tree
from support.pictures import PDF, PNG, seal
from support.rendered import surveyed

NEURONS = [
    Neuron("index.md", "Home", "", id="1"),
    Neuron("guide/index.md", "The guide", "", id="2"),
    Neuron("guide/Install It.md", "Install", "", id="zettel-7", aliases=("Setting Up", "/old/place/")),
    Neuron("guide/deep/note.md", "Note", "", id="4"),
    Neuron("other/note.md", "Other note", "", id="5"),
    Neuron("v1.2.md", "Version 1.2", "", id="6"),
    Neuron("folder/only.mdx", "Only", "", id="7"),
    Neuron("Cafe\u0301.markdown", "Accented", "", id="8"),
    Neuron("en/methods/page.md", "Methods", "", id="9"),
    Neuron("Case.md", "Big case", "", id="10"),
    Neuron("case.md", "Small case", "", id="11"),
    Neuron("vault/area/plan/plan.md", "Plan", "", id="13"),
    Neuron("202401011200 Zettel.md", "Zettel", "", id="15"),
    Neuron("Wiki-Page.md", "Wiki", "", id="14"),
    Neuron("2024_01_02.md", "2024-01-02", "", id="17"),
    Neuron("X%2DY.md", "X-Y", "", id="16"),
    Neuron("report.pdf", "Report", "", id="12", modality="pdf", files=("report.pdf",)),
]
PLACED = {page.neuron.path: page for page in pages(NEURONS, "site")}
SVG = "http://www.w3.org/2000/svg"
SECRET = frozenset({"secret/plan.png"})


@pytest.fixture
def links(tree: Tree) -> Links:
    pictures = (
        *("pic.png", "guide/a b.png", "guide/deep/same.png", "other/same.png", "100%.png", "en/static.png", "public/pic.png"),
        *("static/img/logo.png", "guide/public/b.png", "secret/plan.png", ".hidden/x.png", "guide/.x.png", "drafts/d.png"),
    )
    other_files = {"report.pdf": PDF, "lively.svg": "<svg><script>x</script></svg>", "notes.exe": b"x", "dir.png/y.md": ""}
    root = tree({**dict.fromkeys(pictures, PNG), **other_files})
    (root.parent / "outside.png").write_bytes(PNG)
    (root / "leak.png").symlink_to(root.parent / "outside.png")
    return Links(root, PLACED.values(), walk(root, exclude=("drafts/*",)).files, refused=SECRET)


def target_of(links: Links, kind: str, source: str, target: str) -> str | None:
    """Say where a link leads: the path of a page or a file, or the address of a folder."""
    answer = links.look_up((kind, source, target))
    if answer is None:
        return None
    by_slug = {page.slug: page.neuron.path for page in PLACED.values()}
    return by_slug[answer[1]] if answer[0] == "page" else answer[1] + "/" if answer[0] == "section" else answer[1]


@pytest.mark.parametrize(
    ("source", "target", "result"),
    [
        ("index.md", "guide/index.md", "guide/index.md"),
        ("index.md", "guide/index.html", "guide/index.md"),
        ("index.md", "guide/", "guide/index.md"),
        ("index.md", "guide", "guide/index.md"),
        ("index.md", "./guide/Install%20It.md", "guide/Install It.md"),
        ("guide/index.md", "/X%2DY#part", "X%2DY.md"),  # of Azure DevOps
        ("index.md", "guide/install it.md", "guide/Install It.md"),  # case is forgiven
        ("index.md", "guide/Install%20It.html", "guide/Install It.md"),
        ("index.md", "guide/install-it/", "guide/Install It.md"),  # the address, as other generators write it
        ("index.md", "guide/Install It.md?plain=1", "guide/Install It.md"),
        ("index.md", "guide\\Install It.md", "guide/Install It.md"),  # as Windows writes paths
        ("guide/deep/note.md", "@/other/note.md", "other/note.md"),  # of Zola
        ("guide/deep/note.md", "{filename}/other/note.md", "other/note.md"),  # of Pelican
        ("guide/index.md", "%7Battach%7DInstall It.md", "guide/Install It.md"),
        ("guide/index.md", "|static|Install It.md", "guide/Install It.md"),
        ("index.md", "{static}", None),
        ("index.md", "/old/place", "guide/Install It.md"),  # a former address, as Hugo keeps them
        ("guide/index.md", "Install It.md", "guide/Install It.md"),
        ("guide/index.md", "Install It", "guide/Install It.md"),
        ("guide/deep/note.md", "../Install It.md", "guide/Install It.md"),
        ("guide/deep/note.md", "../../other/note.md", "other/note.md"),
        ("guide/deep/note.md", "../../Install It/", "guide/Install It.md"),  # relative to the address of the page
        ("guide/deep/note.md", "/other/note.md", "other/note.md"),
        ("guide/deep/note.md", "../../index.md", "index.md"),
        ("guide/deep/note.md", "/", "index.md"),
        ("guide/deep/note.md", "other/note/", "other/note.md"),  # without the slash at the beginning
        ("en/methods/page.md", "/methods/page/", "en/methods/page.md"),  # the site's root is a folder here
        ("index.md", "v1.2.md", "v1.2.md"),
        ("index.md", "v1.2", "v1.2.md"),
        ("index.md", "folder/only.mdx", "folder/only.mdx"),
        ("index.md", "folder/only.md", "folder/only.mdx"),
        ("index.md", "folder/", "folder/"),  # a folder without a page has a list
        ("index.md", "Folder", "folder/"),
        ("index.md", "Caf\u00e9.markdown", "Cafe\u0301.markdown"),  # accents may be spelt either way
        ("index.md", "cafe%CC%81", "Cafe\u0301.markdown"),
        ("index.md", "Case.md", "Case.md"),
        ("index.md", "case.md", "case.md"),
        ("index.md", "CASE.md", "Case.md"),  # the first by path
        ("index.md", "report.pdf", "report.pdf"),  # the file, and not the page about it
        ("index.md", "nothing.md", None),
        ("index.md", "../../etc/passwd", None),
        ("guide/index.md", "note.md", None),  # a Markdown link is a path, not a name
        ("guide/index.md", "Setting Up", None),
        # Files: only those of a kind that pages show, and none of a withheld Neuron.
        ("index.md", "pic.png", "pic.png"), ("index.md", "PIC.PNG", "pic.png"), ("guide/index.md", "../pic.png", "pic.png"),
        ("guide/index.md", "/pic.png", "pic.png"), ("en/methods/page.md", "/static.png", "en/static.png"),
        ("guide/index.md", "/img/logo.png", "static/img/logo.png"),  # as Docusaurus and Hugo publish it
        ("guide/index.md", "/b.png", "guide/public/b.png"), ("guide/index.md", "img/logo.png", None),
        ("guide/index.md", "a%20b.png", "guide/a b.png"), ("guide/index.md", "a b.png?w=100", "guide/a b.png"),
        ("index.md", "100%.png", "100%.png"),
        ("index.md", "a b.png", None),  # only wikilinks search in all folders
        ("index.md", "gone.png", None),
        ("index.md", "notes.exe", None),  # not a kind that pages show
        ("index.md", "dir.png", None),  # a folder
        ("index.md", "../outside.png", None), ("index.md", "guide/../../outside.png", None),
        ("index.md", "%2e%2e/outside.png", None),
        ("index.md", "leak.png", None),  # a link out of the folder
        ("index.md", ".hidden/x.png", None), ("guide/index.md", ".x.png", None), ("index.md", "drafts/d.png", None),
        ("index.md", "secret/plan.png", None),  # of a withheld Neuron, for any link
        ("index.md", "secret/%70lan.png", None), ("index.md", "/etc/hostname", None), ("index.md", "pic.png%00.png", None),
        ("index.md", f"{'x' * 5000}.png", None),  # longer than a file's name may be
        ("index.md", "//[x.png", None),
        ("index.md", "//a℀b/x.png", None),  # not a host that can be parsed
    ],
)  # fmt: skip
def test_links_are_resolved_by_path(links: Links, source: str, target: str, result: str | None) -> None:
    """A2."""
    assert target_of(links, "path", source, target) == result


@pytest.mark.parametrize(
    ("source", "target", "result"),
    [
        ("index.md", "Install It", "guide/Install It.md"), ("index.md", "install it.md", "guide/Install It.md"),
        ("index.md", "install", "guide/Install It.md"),  # its title
        ("index.md", "setting up", "guide/Install It.md"),  # its alias
        ("index.md", "zettel-7", "guide/Install It.md"),  # its id
        ("index.md", "202401011200", "202401011200 Zettel.md"),
        ("index.md", "Jan 2nd, 2024", "2024_01_02.md"),  # a journal of Logseq
        ("index.md", "January 3rd, 2024", None), ("index.md", "January 2, 2024", None),
        ("index.md", "Wiki Page", "Wiki-Page.md"),  # as wikis name their files
        ("index.md", "install-it", None),  # an address alone is no name
        ("index.md", "guide/install-it", "guide/Install It.md"), ("index.md", "guide/deep/note", "guide/deep/note.md"),
        ("index.md", " Note ", "other/note.md"),
        ("guide/index.md", "note", "guide/deep/note.md"),  # the nearest folder
        ("other/note.md", "note", "other/note.md"), ("index.md", "deep/note", "guide/deep/note.md"),
        ("index.md", "area/plan", "vault/area/plan/plan.md"),  # a folder note
        ("guide/deep/note.md", "../Install It", "guide/Install It.md"), ("index.md", "guide", "guide/index.md"),
        ("index.md", "folder", "folder/"), ("index.md", "only", "folder/only.mdx"), ("index.md", "v1.2", "v1.2.md"),
        ("index.md", "report", "report.pdf"), ("index.md", "report.pdf", "report.pdf"),
        ("index.md", "CAF\u00c9", "Cafe\u0301.markdown"), ("index.md", "pic.png", "pic.png"),
        ("other/note.md", "a b.png", "guide/a b.png"),  # a picture anywhere in the folder
        ("guide/index.md", "same.png", "guide/deep/same.png"),  # the nearest
        ("index.md", "same.png", "other/same.png"), ("index.md", "deep/same.png", "guide/deep/same.png"),
        ("index.md", "plan.png", None),  # a withheld Neuron's
        ("index.md", "secret/plan.png", None),
        ("index.md", "d.png", None),  # excluded
        ("index.md", "x.png", None),  # hidden
        ("index.md", "gone/note", None),  # the path names another folder
        ("index.md", "nothing", None), ("index.md", "", None), ("index.md", "/", None),
    ],
)  # fmt: skip
def test_wikilinks_are_resolved_by_name(links: Links, source: str, target: str, result: str | None) -> None:
    assert target_of(links, "name", source, target) == result


def test_file_with_a_wrong_extension_is_refused_with_the_reason(links: Links) -> None:
    """N7: no other file of that name replaces it."""
    reason = f'it does not begin with <svg xmlns="{SVG}"> (line 1)'
    assert links.look_up(("path", "index.md", "lively.svg")) == ("refused", reason)
    assert links.look_up(("name", "index.md", "lively.svg")) == ("refused", reason)


def test_link_answer_changes_with_the_file_content(links: Links) -> None:
    """I3: a page is rendered again when an answer changes."""
    assert links.look_up(("path", "index.md", "pic.png")) == ("media", "pic.png", f"{seal(PNG)}-pic.png", "8x6")
    assert links.look_up(("name", "index.md", "Install")) == ("page", "guide/install-it")


def test_pickled_links_have_no_page_texts(tree: Tree) -> None:
    """They are sent to other processes."""
    neurons = [Neuron(f"{number}.md", f"Title {number}", "text " * 10_000, id=str(number)) for number in range(50)]
    pickled = pickle.dumps(Links(tree({"pic.png": PNG}), pages(neurons, "s"), ["pic.png"]))
    assert len(pickled) < 20_000
    assert pickle.loads(pickled).look_up(("name", "1.md", "Title 7")) == ("page", "7")


LABELS = {
    "a.md": "# A page\n\n(The Start)=\n## The {class}`Axon` *soma* {#s}\n\n(rest)=\nwords\n\n```\n(code)=\nx\n```\n",
    "b/c.md": "# C\n\n(own)=\n## Own\n\n(x:own)=\n## Both\n\n<a id='tag'></a>\n",
    "b/e.md": "(both)=\n# E\n\n(how:to/é)=\n## How to\n\n(tag)=\nwords\n\n## *The* `parts` 2",
    "d.md": "# D\n\n(linked)=\n## On [[merger]]\n",
    "secret.md": "---\naudience: curator\n---\n(merger)=\n# Merger\n",
    "f.md": "# F\n\n## Seen\n\n<div class='x' hidden>\n\n(owls)=\n## Owls\n\n</div>\n",
    "g.md": "# G\n\n<p style='display: none'>\n\n## Owls\n\n</p>\n",
}


HOW = '<a href="../../b/e/#how-to-e">'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("{ref}`the  start`", '<a href="../../a/#the-start">The Axon soma</a>'),
        ("{ref}`*It* <rest>`", '<a href="../../a/#rest">*It*</a>'),
        ("[](rest) [it](<the start>)", '<a href="../../a/#rest">A page</a> <a href="../../a/#the-start">it</a>'),
        ("{ref}`own` {ref}`code` {ref}`merger` {ref}`x <gone>`", '<a href="#own">Own</a> code merger x'),
        (
            "{doc}`/a` {doc}`../a` {doc}`x <../a>` {doc}`gone/d`",
            '<a href="../../a/">A page</a> ' * 2 + '<a href="../../a/">x</a> d',
        ),
        (
            "[](../a.md) [](../a.md#rest) [](#own)",
            '<a href="../../a/">A page</a> <a href="../../a/#rest">A page</a> <a href="#own">Own</a>',
        ),
        ("{ref}`how:to/é` [](how:to/é) [it](#how:to/é)", f"{HOW}How to</a> {HOW}How to</a> {HOW}it</a>"),
        ("{ref}`x:own` [it](x:own)", '<a href="#x-own">Both</a> <a href="#x-own">it</a>'),
        (
            "[](../a.md#soma) [](e.md#the-parts-2)",
            '<a href="../../a/#soma">A page</a> <a href="../../b/e/#the-parts-2">The parts 2</a>',
        ),
        ("[](../d.md#on-merger)", '<a href="../../d/#on-merger">D</a>'),  # the heading names another page
        ("[](#rest) [it](#gone) [it](how:gone)", '<a href="../../a/#rest">A page</a> <a href="#gone">it</a> <a>it</a>'),
        ("{ref}`both` [it](#both) [it](#tag)", '<a href="../../b/e/#both">E</a> <a href="#both">it</a> <a href="#tag">it</a>'),
        ("{ref}`linked`", '<a href="../../d/#linked">D</a>'),  # the heading names another page
        (
            "[](../f.md#owls) {ref}`owls` [](../g.md#owls)",  # nothing is shown of a hidden heading
            '<a href="../../f/#owls">F</a> <a href="../../f/#owls">F</a> <a href="../../g/#owls">G</a>',
        ),
        ("[](#Hub.db_url)", '<a href="#Hub.db_url">Hub.db_url</a>'),  # an object of Python, documented elsewhere
        ("[](Hub.db_url) and [](merger)", " and "),  # can be a file that is not published
        ("[{ref}`rest`](../a.md)", '<a href="../../a/">rest</a>'),
    ],
)
def test_labels_and_titles_of_other_pages(tmp_path: Path, body: str, expected: str) -> None:
    """N4, N9: of MyST; a label on the same page comes first, and nothing is shown of a withheld page."""
    files: dict[str, str | bytes] = {**LABELS, "b/c.md": f"{LABELS['b/c.md']}\n\n{body}\n"}
    html = surveyed(tmp_path, files)["b/c.md"].html.replace(' rel="noopener noreferrer"', "")
    assert f">{expected}</p>" in html


B = '<a href="../b/'
REFERENCES = {
    "b.md": "# B\n\n## The `app_name` set\n\n```\n## In code\n```\n\n<a id='x'></a>\n\n## Use {#run.it}\n\n[](){#task-a}\n",
    "names.txt": "[c.d]: https://e.example/\n",
    "secret.md": "---\naudience: curator\n---\n# Merger\n",
}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "[`run`][run.it], [task][task-a] and [b][]",
            f'{B}#run.it"><code>run</code></a>, {B}#task-a">task</a> and {B}#B">b</a>',
        ),
        ("[it][the-app_name-set] and [the letter][b]", f'{B}#The%20%60app_name%60%20set">it</a> and {B}#B">the letter</a>'),
        ("[it][own-part] and [it][own]\n\n## Own part\n\n[own]: /b", '<a href="#Own%20part">it</a> and <a href="../b/">it</a>'),
        ("[a][in-code], [a][code] and [a][merger], [b c][], [d][merger.x]", "a, [a][code] and [a][merger], b c, d"),
        ("`[b][]` x[a][b] \\[a][b] ![a][b] [a\\][b]", "<code>[b][]</code> x[a][b] [a][b] ![a][b] [a][b]"),
        ("[the letter][b] and [it](here)\n\n(here)=\nwords", f'{B}#B">the letter</a> and <a href="#here">it</a>'),
        ('[it][c.d]\n\n--8<-- "names.txt"', '<a href="https://e.example/">it</a>'),
    ],
)
def test_references_to_headings_and_anchors_of_all_pages(tmp_path: Path, body: str, expected: str) -> None:
    """N4, N9: of mkdocs-autorefs. A definition comes first; nothing is known of a withheld page.

    A fragment may be the text of a heading, see `Fragments`.
    """
    files = {**REFERENCES, "a.md": f"# A\n\n{body}\n"}
    html = surveyed(tmp_path, files)["a.md"].html.replace(' rel="noopener noreferrer"', "")
    assert f"<p>{expected}</p>" in html


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("plugins: [search]", "m is [i][b] of"),
        ("plugins: [autorefs]", f'm is {B}#B">i</a> of'),
        ("plugins: [{mkdocstrings: {}}]", f'm is {B}#B">i</a> of'),
    ],
)
def test_two_words_in_brackets_are_indexes_unless_settings_turn_on_references(
    tmp_path: Path, settings: str, expected: str
) -> None:
    """N9: a heading may have the name of an index."""
    text = "# A\n\nm is [i][b] of n\n"
    files: dict[str, str | bytes] = {"mkdocs.yml": f"docs_dir: .\n{settings}\n", **REFERENCES, "a.md": text}
    html = surveyed(tmp_path / "content", files)["a.md"].html
    assert expected in html.replace(' rel="noopener noreferrer"', "")


@pytest.mark.timeout(20)
def test_links_to_labels_take_linear_time(tmp_path: Path) -> None:
    """N9: the timeout of the test is the limit."""
    body = "".join(f"## Part {number}\n\n[it](#there)\n\n" for number in range(4000))
    pages = surveyed(tmp_path, {"a.md": f"# A\n\n{body}", "b.md": "# B\n\n(there)=\nwords\n"})
    assert pages["a.md"].html.count('href="../b/#there"') == 4000


def test_embedded_text_has_its_references(tmp_path: Path) -> None:
    """N4, N9."""
    files: dict[str, str | bytes] = {**REFERENCES, "a.md": "# A\n\n![[c]]\n", "c.md": "# C\n\n[it][task-a]\n"}
    assert 'href="../b/#task-a"' in surveyed(tmp_path, files)["a.md"].html


def test_equally_near_pages_are_chosen_by_path() -> None:
    """The answer is the same on every machine."""
    neurons = [Neuron(f"{name}/same.md", name, "", id=name) for name in ("c", "a", "b")]
    links = Links(Path("/nowhere"), pages([*neurons, Neuron("x.md", "x", "")], "site"))
    assert links.look_up(("name", "x.md", "same")) == ("page", "a/same")


def test_link_to_a_folder_leads_to_its_index_page() -> None:
    """`index.md` ranks before `README.md`; a file `guide.md` is another page."""
    paths = ["g/README.md", "g/index.md", "g.md", "x.md"]
    links = Links(Path("/nowhere"), pages([Neuron(path, path, "", id=path) for path in paths], "s"))
    targets = {"g/": "g", "g": "g-2", "g.md": "g-2", "g/README.md": "g/readme", "g/index.md": "g"}
    for target, slug in targets.items():
        assert links.look_up(("path", "x.md", target)) == ("page", slug), target


@pytest.mark.parametrize("target", ["/", "/docs", "/docs/", "/handbook", "/handbook/", "../"])
def test_link_to_the_root_leads_to_its_page_or_list(target: str) -> None:
    page, home = Neuron("guide/a.md", "A", "", id="a"), Neuron("index.md", "Home", "", id="home")
    for neurons, kind in (([page], "section"), ([page, home], "page")):
        links = Links(Path("/nowhere"), pages(neurons, "s"), config=Config(base_paths=("/handbook/",)))
        assert links.look_up(("path", "guide/a.md", target)) == (kind, "")


def test_absolute_link_may_begin_with_the_path_of_the_content_in_its_repository(tmp_path: Path) -> None:
    """As GitHub reads it."""
    files = {"web/.git/HEAD": "", "web/site/text/a.md": "[B](/site/text/b.md) [C](/text/b.md)", "web/site/text/b.md": "# B"}
    result = survey(write_tree(tmp_path, files) / "web/site/text", OPEN)
    assert [warning.message for warning in result.warnings] == ["a link leads to no published page: /text/b.md"]
    files = {".git/HEAD": "", "a.md": "[B](/b.md) [C](/c.md)", "b.md": "# B"}
    result = survey(write_tree(tmp_path / "root", files), OPEN)
    assert [warning.message for warning in result.warnings] == ["a link leads to no published page: /c.md"]


@pytest.mark.parametrize(("links", "others", "is_base"), [(5, 0, True), (4, 0, False), (5, 4, True), (5, 5, False)])
def test_base_path_is_found_in_the_links_of_pages(tmp_path: Path, links: int, others: int, is_base: bool) -> None:
    """More than half of the absolute links, and at least five, must lead to pages without it."""
    addresses = [*(f"/parts/drag/guide/p{at}#a" for at in range(links)), *(f"/parts/drag/other/p{at}" for at in range(others))]
    files = {f"guide/p{at}.md": "# P\n" for at in range(9)} | {"a.md": "\n".join(f"- [to]({address})" for address in addresses)}
    result = survey(write_tree(tmp_path, files), OPEN)
    rendered = {page.page.neuron.path: page for page in result.rendered}["a.md"]
    targets = [f"guide/p{at}" if is_base else None for at in range(links)]
    assert [link.to for link in rendered.links] == [*targets, *[None] * others]


def test_pictures_choose_no_base_path(tmp_path: Path) -> None:
    """A1: otherwise a withheld picture could: links to it lead nowhere, as in a site without it."""
    addresses = [f"/parts/drag/{name}" for at in range(5) for name in (f"guide/p{at}", "_drafts/a.png")]
    files = {f"guide/p{at}.md": "# P\n" for at in range(5)} | {"a.md": "\n".join(f"[to]({address})" for address in addresses)}
    secret = {"parts/drag/_drafts/a.png": PNG}
    results = [survey(write_tree(tmp_path / str(at), files | extra), OPEN) for at, extra in enumerate(({}, secret))]
    targets = [[link.to for page in result.rendered for link in page.links] for result in results]
    assert targets == [[f"guide/p{at // 2}" if at % 2 == 0 else None for at in range(10)]] * 2


def test_root_of_a_site_in_language_folders_is_the_page_in_the_language_of_the_link() -> None:
    paths = ["x.md", "en/index.md", "en/y.md", "de/index.md"]
    links = Links(Path("/nowhere"), pages([Neuron(path, path, "", id=path) for path in paths], "s"))
    assert {links.look_up(("path", "en/y.md", target)) for target in ("/", "/docs/")} == {("page", "en")}
    assert links.look_up(("path", "x.md", "?v=1")) == ("page", "x")
    assert links.look_up(("path", "x.md", "/")) == ("section", "")


@pytest.mark.parametrize(
    ("source", "target", "slug"),
    [
        ("de/a.md", "b.md", "de/b"),
        ("de/a.md", "c.md", "c"),  # not translated yet
        ("de/a.md", "/de/sub/d/", "sub/d"),
        ("i18n/fr/docusaurus-plugin-content-docs/current/a.md", "./b.md#x", "docs/b"),
        ("x.de.md", "y.md", "y-de"),
        ("x.de.md", "y", "y-de"),
        ("x.de.md", "y.en.md", "y-en"),
        ("x.de.md", "sub/d.md", "sub/d"),
        ("x.de.md", "x.md", "x"),  # a link to the page in the other language
        ("x.md", "y.md", "y"),
        ("x.md", "/de/y/", "y-de"),
        ("x.md", "/DE/sub/d/", None),
        ("z.en.md", "w.md", "w"),
        ("z.de.md", "w.md", "w-de"),
        ("z.de.md", "/w/", "w-de"),
        ("z.de.md", "w.en.md", "w"),
        ("z.de.md", "/en/w/", "w"),
        ("z.en.md", "/de/w/", "w-de"),
    ],
)
def test_links_of_translations_lead_to_pages_in_the_same_language_or_in_the_sites(
    source: str, target: str, slug: str | None
) -> None:
    """N4, R7: as in Docusaurus, Hugo and mkdocs-static-i18n."""
    paths = """b.md c.md sub/d.md de/a.md de/b.md x.md x.de.md y.md y.de.md y.en.md z.en.md z.de.md w.en.md w.de.md docs/b.md
        i18n/fr/docusaurus-plugin-content-docs/current/a.md""".split()
    langs = {path: next((lang for lang in ("de", "fr") if f"{lang}/" in path or f".{lang}." in path), "") for path in paths}
    neurons = [Neuron(path, path, "", id=path, lang=lang) for path, lang in langs.items()]
    target_page = Links(Path("/"), pages(neurons, "s", "en")).look_up(("path", source, target))
    assert target_page == (("page", slug) if slug else None)


def test_link_leads_to_no_unlisted_page_that_its_author_has_not_named() -> None:
    paths = {"de/a.md": "de", "b.md": "", "x.de.md": "de", "y.md": "", "y.de.md": "de"}
    neurons = [Neuron(path, path, "", id=path, lang=lang, unlisted=path in ("b.md", "y.de.md")) for path, lang in paths.items()]
    links = Links(Path("/"), pages(neurons, "s"))
    assert links.look_up(("path", "x.de.md", "y.md")) == ("page", "y")
    assert links.look_up(("path", "x.de.md", "y.de.md")) == ("page", "y-de")
    assert links.look_up(("path", "de/a.md", "/de/b.md")) is None


@pytest.mark.parametrize("title", ["Untitled", ""])
@pytest.mark.timeout(45)
def test_thousands_of_duplicate_titles_are_resolved_quickly(title: str) -> None:
    """N9: 4,000 pages have one title."""
    folders = [f"f{number % 90}/g{number}" for number in range(4000)]
    neurons = [Neuron(f"{folder}/index.md", title or f"t{folder}", "", id=folder) for folder in folders]
    links = Links(Path("/nowhere"), pages(neurons, "s"))
    for folder in folders:
        if title:
            assert links.look_up(("name", f"{folder}/x.md", "untitled")) == ("page", folder)
        assert links.look_up(("name", "x.md", folder.rpartition("/")[2])) == ("page", folder)


def test_symlinked_media_is_not_published(tmp_path: Path) -> None:
    """A2: a symlink may lead to a withheld file or out of the content."""
    root = write_tree(tmp_path / "content", {"secret/plan.txt": "secret", ".git/config": "token", "real.txt": "x"})
    (root / "leak.txt").symlink_to(root / "secret" / "plan.txt")
    (root / "pic.png").symlink_to(root / ".git" / "config")
    (root / "folder").symlink_to(root / "secret", target_is_directory=True)
    links = Links(root, pages([Neuron("index.md", "Home", "", id="1")], "s"), walk(root).files)
    assert links.look_up(("path", "index.md", "real.txt"))
    for name in ("leak.txt", "pic.png", "folder/plan.txt"):
        assert links.look_up(("path", "index.md", name)) is None
        assert links.look_up(("name", "index.md", name)) is None


@pytest.mark.parametrize(
    ("href", "external"),
    [
        ("https://x.example/", True),
        ("//x.example/", True),
        ("mailto:a@b", True),
        ("javascript:alert(1)", True),
        ("DATA:text/html,x", True),
        ("page.md", False),
        ("#x", False),
        ("/a:b", False),
        ("./c:d", False),
        ("", False),
    ],
)
def test_external_urls_are_recognised(href: str, external: bool) -> None:
    assert is_external(href) == external


@pytest.mark.parametrize(
    ("target", "result"),
    [
        ("/de/docs/Web/API/Fetch", "de/web/api/fetch/index.md"),
        ("/docs/de/web/api/fetch/", "de/web/api/fetch/index.md"),
        ("/docs/install", "01-guide/02-install.md"),  # its slug
        ("/guide/first-steps", "01-guide/03-first-steps.md"),  # without the numbers
        ("/guide/api_x", "01-guide/04.api_x.md"),
        ("/old/place.html", "01-guide/02-install.md"),
        ("/handbook/a", "a.md"),
        ("https://x.example/b", None),
        ("/docs/nowhere", None),
        ("/elsewhere/a", None),
        ("/docs/secret", None),
    ],
)
def test_addresses_of_other_systems_are_resolved(target: str, result: str | None) -> None:
    """N4: by base path, `slug`, `permalink` and redirects."""
    neurons = [
        Neuron("de/web/api/fetch/index.md", "Fetch", "", addresses=("Web/API/Fetch",)),
        Neuron("en/web/api/fetch/index.md", "Fetch", "", addresses=("Web/API/Fetch",)),
        Neuron("01-guide/02-install.md", "Install", "", addresses=("/install", "/old/place.html")),
        Neuron("01-guide/03-first-steps.md", "First", ""),
        Neuron("01-guide/04.api_x.md", "API", ""),
        Neuron("a.md", "A", ""),
    ]
    placed = pages(neurons, "s")
    answer = Links(Path(), placed, config=Config(base_paths=("/handbook/",))).look_up(("path", "a.md", target))
    assert (next(page.neuron.path for page in placed if page.slug == answer[1]) if answer else None) == result


@pytest.mark.parametrize(
    ("source", "target", "result"),
    [
        ("_docs/cmd.watch.md", "../config.html", "_docs/configuration.md"),
        ("_docs/cmd.watch.md", "find.html", "_docs/cmd.find.md"),
        ("_docs/configuration.md", "cmd/find.html", "_docs/cmd.find.md"),
        ("_docs/cmd.find.md", "../config.html", None),  # its address is below another folder
        ("_docs/cmd.watch.md", "../../../config.html", None),
    ],
)
def test_link_is_relative_to_the_address_in_another_system(source: str, target: str, result: str | None) -> None:
    """N4: of Jekyll, where `_docs/cmd.watch.md` is at `/docs/cmd/watch.html`."""
    neurons = [
        Neuron("a.md", "A", "", addresses=("http://[a/b",)),  # no address: it has no effect
        Neuron("_docs/cmd.find.md", "Find", "", addresses=("https://x.example/old/", "docs/cmd/find.html")),
        Neuron("_docs/cmd.watch.md", "Watch", "", addresses=("docs/cmd/watch.html",)),
        Neuron("_docs/configuration.md", "Settings", "", addresses=("/docs/config.html",)),
    ]
    placed = pages(neurons, "s")
    answer = Links(Path(), placed).look_up(("path", source, target))
    assert (next(page.neuron.path for page in placed if page.slug == answer[1]) if answer else None) == result


def test_link_beside_a_page_needs_no_numbers() -> None:
    """N4: the folder of the page has a number, too."""
    placed = pages([Neuron("03-core/01-overview.mdx", "O", ""), Neuron("03-core/15-tools.mdx", "T", "")], "s")
    answer = Links(Path(), placed).look_up(("path", "03-core/01-overview.mdx", "./tools"))
    assert answer == ("page", "03-core/15-tools")


@pytest.mark.parametrize("target", ["02.md", "02-setup.md", "a/02.md", "2.x/install.md", "./02-setup", "md", "a/md"])
def test_link_to_another_number_leads_nowhere(target: str) -> None:
    """N4, A2: such a page is missing or withheld; the one with another number is not its replacement."""
    placed = pages([Neuron(path, "T", "") for path in ("01.md", "01-setup.md", "a/01.md", "1.x/install.md")], "s")
    assert Links(Path(), placed).look_up(("path", "index.md", target)) is None
