"""Addresses of pages (N1, N5, N9) are unique, stable and safe."""

import hashlib
from random import Random

import pytest
from ranvier_builder.model import Neuron, Page
from ranvier_builder.render.slugs import clashes, pages, slugify


def placed(*paths: str, **ids: str) -> dict[str, Page]:
    return {
        page.neuron.path: page for page in pages([Neuron(path, path, "", id=ids.get(path, path)) for path in paths], "docs")
    }


def slugs(*paths: str) -> dict[str, str]:
    return {path: page.slug for path, page in placed(*paths).items()}


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Getting Started!", "getting-started"),
        ("a_b  c--d", "a-b-c-d"),
        ("v1.2", "v1-2"),
        ("C++", "c++"),
        ("..", "page"),
        (".", "page"),
        ("", "page"),
        ("$", "page"),
        ("---", "page"),
        ("Übersicht", "übersicht"),
        ("U\u0308ber", "über"),
        ("日本語", "日本語"),
        ("what? #1 50%", "what-1-50"),
        ("a/b\\c", "a-b-c"),
        ("<script>", "script"),
        (".hidden.", "hidden"),
    ],
)
def test_slugify(name: str, slug: str) -> None:
    assert slugify(name) == slug


@pytest.mark.parametrize(
    ("path", "slug", "is_index"),
    [
        ("a.md", "a", False),
        ("Guide/How To.md", "guide/how-to", False),
        ("index.md", "", True),
        ("guide/index.md", "guide", True),
        ("guide/_index.md", "guide", True),
        ("guide/README.md", "guide", True),
        ("Set Up/set up.md", "set-up", True),
        ("a/guide/Guide.mdx", "a/guide", True),
        ("guide/guide.canvas", "guide/guide", False),
        ("search/search.md", "search-2", True),
        ("search.md", "search-2", False),
        ("404.md", "404-2", False),
        ("sub/search.md", "sub/search", False),
        ("$.md", "page", False),
        ("_ranvier/x.md", "ranvier/x", False),
    ],
)
def test_slug_comes_from_the_path(path: str, slug: str, is_index: bool) -> None:
    page = placed(path)[path]
    assert (page.slug, page.is_index) == (slug, is_index)
    assert page.url == (f"{slug}/" if slug else "")


def test_language_of_the_site_is_not_in_addresses() -> None:
    """N5, R7: a page without a language in its name comes first."""
    langs = {"index.en.md": "", "index.de.md": "de", "g/_index.en-US.md": "en-US", "g/a.en.md": "en", "b.md": "", "b.en.md": ""}
    names = {"g/README.md": "", "c.de.md": "de", "node.js.md": ""}
    neurons = [Neuron(path, path, "", id=path, lang=lang) for path, lang in (langs | names).items()]
    placed_pages = pages(neurons, "docs", "en")
    expected = ["", "index-de", "g", "g/a", "b", "b-en", "g/readme", "c-de", "node-js"]
    assert {page.neuron.path: page.slug for page in placed_pages} == dict(zip((*langs, *names), expected, strict=True))
    assert [page.slug for page in placed_pages if page.is_index] == ["", "g"]
    assert clashes(placed_pages, "en") == []
    assert {page.slug for page in pages(neurons, "docs", "de")} > {"", "c", "index-en", "b-en"}


def test_url_is_percent_encoded() -> None:
    assert placed("ü b/日.md")["ü b/日.md"].url == "%C3%BC-b/%E6%97%A5/"


def test_index_before_readme_before_file_of_the_same_name() -> None:
    expected = {"g/index.md": "g", "g/_index.md": "g-2", "g/README.md": "g/readme", "g.md": "g-3"}
    assert slugs("g/README.md", "g/index.md", "g/_index.md", "g.md") == expected
    assert slugs("README.md", "index.md") == {"index.md": "", "README.md": "readme"}


def test_page_with_the_name_of_its_folder_is_its_index_if_no_other_page_is() -> None:
    """Folder notes of Obsidian, and categories of Docusaurus."""
    assert slugs("g/g.md", "g/a.md") == {"g/g.md": "g", "g/a.md": "g/a"}
    assert slugs("g/g.md", "g/README.md") == {"g/README.md": "g", "g/g.md": "g/g"}
    assert slugs("g/g.md", "g.md") == {"g.md": "g", "g/g.md": "g/g"}
    assert slugs("g/g.md", "g/G.md", "g/g/index.md") == {"g/g/index.md": "g/g", "g/G.md": "g", "g/g.md": "g/g-2"}
    assert clashes(placed("g/g.md", "g/README.md").values()) == []


def test_home_of_a_wiki_is_the_home_page_if_no_index_is() -> None:
    assert slugs("Home.md", "a.md") == {"Home.md": "", "a.md": "a"}
    assert slugs("Home.md", "index.md", "b/Home.md") == {"index.md": "", "Home.md": "home", "b/Home.md": "b/home"}


def test_folders_of_notion_with_the_same_name_stay_apart() -> None:
    """Each is that of the page with its id, and only this page is reported."""
    first, second = (f"Tasks {digit * 12}4{digit * 3}8{digit * 15}" for digit in "ab")
    paths = (f"{second}/Sub.md", f"{first}.md", f"{first}/Sub.md", f"{second}.md")
    assert [warning.file for warning in clashes(placed(*paths).values())] == [f"{second}.md"]
    folders = {f"{first}.md": "tasks", f"{second}.md": "tasks-2"}
    assert slugs(*paths) == folders | {f"{first}/Sub.md": "tasks/sub", f"{second}/Sub.md": "tasks-2/sub"}


def test_page_with_the_root_as_its_address_is_the_home_page() -> None:
    """`slug: /` of Docusaurus."""
    intro = Neuron("intro.md", "Intro", "", id="intro", addresses=("/",))
    readme = Neuron("README.md", "Readme", "", id="readme")
    assert {page.neuron.path: page.slug for page in pages([intro, readme], "s")} == {"intro.md": "", "README.md": "readme"}
    german, home = (Neuron(name, "Start", "", id=name, addresses=("/",)) for name in ("index-de.md", "index.md"))
    assert {page.neuron.path: page.slug for page in pages([german, home], "s")} == {"index.md": "", "index-de.md": "index-de"}


def test_colliding_slugs_are_numbered_in_a_fixed_order() -> None:
    """N9: the order in which the file system lists the files does not matter."""
    paths = ["A.md", "a.md", "a!.md", "a-2.md", "B/x.md", "b/X.md"]
    expected = slugs(*paths)
    assert len(set(expected.values())) == len(paths)
    for seed in range(10):
        shuffled = paths[:]
        Random(seed).shuffle(shuffled)
        assert slugs(*shuffled) == expected


@pytest.mark.parametrize(
    "path", ["index.html.md", "404.html.md", "sitemap.xml.md", "favicon.svg.md", "media.md", "_ranvier.md"]
)
def test_slugs_do_not_collide_with_files_of_the_site(path: str) -> None:
    """Each page is a folder."""
    assert slugs(path)[path] not in {"index.html", "404.html", "sitemap.xml", "favicon.svg", "_ranvier"}


def test_seq_follows_the_order_of_addresses() -> None:
    """N1: `seq` counts from 1; `seq_id` is the site and eight digits of the id."""
    order = sorted(placed("b.md", "a/z.md", "a.md", "index.md", "a-b.md").values(), key=lambda page: page.seq)
    assert [(page.seq, page.slug) for page in order] == [(1, ""), (2, "a"), (3, "a/z"), (4, "a-b"), (5, "b")]
    assert placed("b.md")["b.md"].seq_id == f"docs_{hashlib.sha256(b'b.md').hexdigest()[:8]}"


def test_seq_id_survives_a_rename() -> None:
    assert placed("a.md", **{"a.md": "same"})["a.md"].seq_id == placed("x/b.md", **{"x/b.md": "same"})["x/b.md"].seq_id


def test_folder_named_search_is_renumbered() -> None:
    assert slugs("search/a.md", "search.md") == {"search/a.md": "search-2/a", "search.md": "search-2"}
    (warning,) = clashes(placed("search/a.md", "search/b.md", "guide/search.md").values())
    text = "is in a folder that has the same address as a page that every site has: published at search-2/a/ instead"
    assert str(warning) == f"search/a.md: {text}"


@pytest.mark.parametrize("path", ["con.md", "guide/NUL.md", "aux/x.md", "com1.md", "lpt9.md"])
def test_slugs_avoid_windows_device_names(path: str) -> None:
    (slug,) = slugs(path).values()
    assert not {"con", "nul", "aux", "com1", "lpt9"} & set(slug.split("/"))
    assert "-2" in slug


def test_thousands_of_names_without_letters_take_linear_time() -> None:
    """N9: the timeout of the test is the limit."""
    result = slugs(*(f"{'!' * (number % 200 + 1)}{'?' * (number // 200)}.md" for number in range(20_000)))
    assert len(set(result.values())) == 20_000


def test_slug_collisions_are_reported() -> None:
    """N9: the warning names both files and addresses."""
    paths = "A.md a.md $.md g/_index.md g/index.md search.md 404.md search-3.md Cafe\u0301.md Caf\u00e9.md fine.md".split()
    warnings = clashes(pages([Neuron(path, path, "", id=path) for path in paths], "docs"))
    assert {warning.kind for warning in warnings} == {"name"}
    assert sorted(map(str, warnings)) == [
        "$.md: has no letter or digit in its name: published at page/",
        "404.md: has the same address as a page that every site has: published at 404-2/ instead",
        "Caf\u00e9.md: has the same address as Cafe\u0301.md: published at caf\u00e9-2/ instead",
        "a.md: has the same address as A.md: published at a-2/ instead",
        "g/_index.md: has the same address as g/index.md: published at g-2/ instead",
        "search.md: has the same address as a page that every site has: published at search-2/ instead",
    ]
