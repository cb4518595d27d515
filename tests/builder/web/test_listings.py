"""Pages that only list others are left out of an index (N8, G1), unless `listings` is set."""

import pytest
from ranvier_builder.config import Config
from ranvier_builder.web.listings import continuations
from ranvier_builder.web.page import read_page
from ranvier_builder.web.site import SiteText, site_text
from ranvier_builder.withheld import Reason

ENTRIES = "<h1>Tag: sea</h1><ul><li><a href='/knots/'>Knots</a></li><li><a href='/sails/'>Sails</a></li></ul>"
ARTICLES = (
    "<h1>Sea</h1>"
    "<article><h2>Knots</h2><p>" + "A long beginning of a post. " * 30 + "</p><pre>rope</pre><a href='/knots/'></a></article>"
    "<article><h2><a href='/sails/'>Sails</a></h2><p>Canvas.</p></article>"
)


def is_listing(path: str, body: str, attributes: str = "") -> bool:
    return read_page(path, f"<html {attributes}><title>x</title><main>{body}</main>".encode()).listing


@pytest.mark.parametrize(
    "path",
    (
        "tags/index.html tags.html tags/sea/index.html blog/tag/sea.html categories/sea/index.html Category/sea.html "
        "blog/archive/2024/index.html archives/2024/11.html author/ada/index.html"
    ).split(),
)
@pytest.mark.parametrize("body", [ENTRIES, ARTICLES])
def test_lists_of_other_pages_are_recognised(path: str, body: str) -> None:
    assert is_listing(path, body)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("guide/sea.html", ENTRIES),  # another address
        ("tagging/sea.html", ENTRIES),
        ("tags/a/b/c/d.html", ENTRIES),
        ("tags/br.html", "<h1>br</h1><p>A line break. See <a href='p.html'>p</a>.</p><pre>&lt;br></pre>"),
        ("tags/p.html", "<h1>p</h1><h2 id=attributes>Attributes</h2><p>See <a href='br.html'>br</a>.</p>"),
        ("tags/div.html", "<h1>div</h1><p>" + "A block without a meaning. " * 20 + "<a href='span.html'>span</a></p>"),
        ("tags/hr.html", "<h1>hr</h1><p>A rule.</p>"),  # no link
        ("Tags/Error.html", f"<h1>Class: Tags::Error</h1><div class=box_info>x</div>{ENTRIES}"),
        ("tags/td.html", "<h1>td</h1><p>A cell: <a href='#top'>up</a>.</p>"),
    ],
)
def test_pages_with_own_content_are_no_lists(path: str, body: str) -> None:
    assert not is_listing(path, body)


def test_lists_of_docusaurus_are_recognised_by_their_class() -> None:
    assert is_listing("blog/themen/see/index.html", "<h1>x</h1><h2>y</h2>", "class='plugin-blog blog-tags-post-list-page'")
    assert not is_listing("blog/index.html", "<h1>x</h1><h2>y</h2>", "class='plugin-blog blog-list-page'")


def test_lists_of_references_are_recognised() -> None:
    """Javadoc and Doxygen: the uses of a class, the members of a class, all functions."""
    for name in ("class-use-page", "package-tree-page", "all-classes-index-page"):
        page = f'<meta name="generator" content="javadoc/Writer"><body class="{name}"><main><h1>x</h1><h2>y</h2></main>'
        assert read_page("a/B.html", page.encode()).listing
        assert not read_page("a/B.html", page.replace("javadoc", "other").encode()).listing
        assert not read_page("a/B.html", page.replace(name, "class-declaration-page").encode()).listing
    generator = '<meta name="generator" content="Doxygen 1.9.4"><body><h1>x</h1><h2>y</h2>'
    for path in (
        "functions_func_b.html",
        "functions_~.html",
        "html/annotated.html",
        "classA_1_1B-members.html",
        f"dir_{'0a' * 16}.html",
    ):
        assert read_page(path, generator.encode()).listing
        assert not read_page(path, generator.replace("Doxygen", "Sphinx").encode()).listing
    assert not read_page("classA_1_1B.html", generator.encode()).listing
    assert read_page("files.html", b'<link rel="stylesheet" href="a/doxygen.css"><h1>x</h1>').listing


@pytest.mark.parametrize(
    ("path", "mark", "html"),
    [
        ("qdate-members.html", "List of All Members for", "<h1 class=title>List of All Members for QDate</h1>x"),
        ("a.js.html", "linenums", "<section><article><pre class='prettyprint source linenums'>x = 1</pre></article>"),
        ("_modules/a.html", "viewcode-block", "<h1>Source code for a</h1><pre>x <div class=viewcode-block>y</div></pre>"),
        ("genindex.html", "#", "<link rel=index href='#'><h1>Index</h1>x"),
        ("search.html", "#", "<link rel=search href='#'><h1>Search</h1>x"),
        ("search/all_0.html", "SRPage", "<body class=SRPage><div>Searching...</div>"),
        ("doc-index.html", "index", "<div id=package-header>P</div><div id=content><div id=index>x</div></div>"),
        ("doc-index-A.html", "alphabet", "<div id=package-header>P</div><div id=content><div id=alphabet>x</div></div>"),
        ("api/type_Map.S.html", "Index of", '<head><link title="Index of modules"></head><body><code class=code>x</code>'),
        ("index_values.html", "Index of", '<head><link title="Index of modules"></head><body><h1>x</h1>'),
        ("table_of_contents.html", "table-of", "<body class=table-of-contents><h1>x</h1><h2>y</h2>"),
        ("method_list.html", "full_list", "<div id=full_list_header>x</div><ul id=full_list><li>y</ul>"),
        ("_index.html", "alpha_", "<h1>x</h1><h2>y</h2><ul id=alpha_A><li>z</ul>"),
        ("a/package-frame.html", "Style", "<link href=../stylesheet.css title=Style><h1>x</h1>"),
        ("a/class-use/B.html", "Style", "<link href=../../stylesheet.css title=Style><h1>x</h1>"),
        ("class-use/B.html", "Style", "<link href=../style.css title=Style><h1>x</h1>"),
        ("nameIndex.html", "pydoctor", '<meta name="generator" content="pydoctor 25.10.1"><h1>x</h1>'),
    ],
)
def test_member_lists_and_source_code_are_recognised(path: str, mark: str, html: str) -> None:
    """QDoc, JSDoc, Doxygen, Haddock, Javadoc 8, ocamldoc, RDoc, YARD and pydoctor."""
    assert read_page(path, html.encode()).listing
    assert not read_page(path, html.replace(mark, "other").encode()).listing


LINES = "".join(f"<a id=line-{number}></a>let x = {number}\n" for number in range(1, 9))
NAMES = "<h2>A</h2><h2>B</h2><h2>C</h2>" + "".join(f"<li><a href=p.html#n{number}>name of it</a>" for number in range(12))


@pytest.mark.parametrize(
    ("html", "listing"),
    [
        (f"<pre>{LINES}</pre>", True),
        (f"<h1>a.c</h1><div class=fragment>{LINES}</div>", True),  # Doxygen
        (f"<h1>a.c</h1><pre>{LINES.replace('id=line-', 'id=cb1-')}</pre>", False),  # pandoc: the lines of each block
        (f"<pre>{LINES}</pre><pre>{LINES}</pre>", False),
        (f"<h1>Loops</h1><p>{'How a program repeats a step. ' * 3}</p><pre>{LINES}</pre>", False),
        (f"<h1>Index</h1><ul>{NAMES}</ul>", True),
        (f"<h1>Index</h1><ul>{NAMES.replace('p.html', '')}</ul>", False),  # of the terms on this page
        (f"<h1>Names</h1><ul>{NAMES.replace('<h2>C', '<h2>Cats')}</ul>", False),
        (f"<h1>Words</h1><ul>{NAMES.replace('</a>', '</a>, which is a long story<br>')}</ul>", False),  # a glossary
    ],
)
def test_indexes_and_source_code_are_recognised_by_their_text(html: str, listing: bool) -> None:
    """No generator is known by name."""
    assert read_page("a.html", html.encode()).listing == listing


def test_later_pages_of_a_list_are_recognised() -> None:
    later = {"blog/page/2/index.html", "page/3.html", "news/page2/index.html"}
    pages_without_lists = {
        *"blog/index.html index.html news.html guide/page/2/index.html a/page2.html a/page1.html a/index.html".split()
    }
    assert continuations(later | pages_without_lists) == later


def site(config: Config, body: str = "main") -> SiteText:
    pages = {
        "index.html": "<title>Home</title><main><p>Home of the sea.</p></main>",
        "page/2/index.html": "<title>Older</title><main><p>Older posts of the sea.</p></main>",
        "tags/sea.html": f"<title>sea</title><{body}>{ENTRIES}</{body.partition(' ')[0]}>",
    }
    return site_text([read_page(path, html.encode()) for path, html in sorted(pages.items())], config)


@pytest.mark.parametrize(
    ("listings", "paths", "withheld"),
    [(False, ["index.html"], {Reason.LISTING: 2}), (True, ["index.html", "page/2/index.html", "tags/sea.html"], {})],
)
def test_lists_are_indexed_only_if_a_setting_says_so(listings: bool, paths: list[str], withheld: dict[Reason, int]) -> None:
    out = site(Config(listings=listings))
    assert [page.page.neuron.path for page in out.rendered] == paths
    assert out.withheld == withheld


def test_list_with_a_marked_main_content_is_indexed() -> None:
    out = site(Config(), "main data-ranvier-body")
    assert [page.page.neuron.path for page in out.rendered] == ["tags/sea.html"]
