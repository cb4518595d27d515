"""Finds generated lists of pages: of a tag, a category, a year, an author; later pages of a list; indexes and source code.

Their text repeats titles and beginnings of other pages. The address alone is not enough: a manual of HTML may have a folder
`tags` with real pages. A page there is a list if it links to other pages and has no headings, code or longer text of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from itertools import takewhile
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ranvier_builder.render.html import attribute_of, with_ancestors
from ranvier_builder.web.links import count_letters
from ranvier_builder.web.visibility import Visibility

# A folder of a list, and at most two levels below it: `tags/`, `blog/tag/linux/`, `archive/2024/11.html`.
_ADDRESS = re.compile(
    r"(?:.*/)?(?:tags?|categor(?:y|ies)|authors?|archives?|series)(?:/[^/]+){0,2}?(?:/index)?\.x?html?", re.IGNORECASE
)
# Docusaurus writes the kind of a page as a class of `<html>`.
_LIST_CLASSES = frozenset(
    """blog-tags-list-page blog-tags-post-list-page blog-archive-page blog-authors-list-page blog-authors-posts-page
    docs-tags-list-page docs-tag-doc-list-page""".split()
)
# Javadoc writes it as a class of `<body>`.
_JAVADOC_LIST = re.compile(
    r"(?:class-use|package-use|(?:package-)?tree|all-(?:classes|packages)-index|(?:deprecated|new-api|preview)-list|(?:single|split)-index)"
    r"-page"
)
# The lists of Doxygen: of all functions, of the members of a class, of the files in a folder.
_DOXYGEN_LIST = re.compile(
    r"(?:.*/)?(?:(?:functions|globals|namespacemembers)(?:_[\w~]+)?|annotated|classes|hierarchy|inherits|files|namespaces"
    r"|dir_[0-9a-f]{32}|\w+-members)\.x?html?"
)
# The members of a class in QDoc; the source code in JSDoc and in Sphinx; the index of names in Haddock.
_QDOC_LIST = re.compile(r"(?:.*/)?[\w-]+-members\.html")
_SOURCE_CODE = "article > pre.source.linenums, pre > .viewcode-block"
# The index and the search page of Sphinx link to themselves as such.
_SPHINX_PAGES = "link[rel=index][href='#'], link[rel=search][href='#']"
_DOXYGEN_RESULTS = "body.SRPage"  # of its search: one page for each letter and kind
_HADDOCK_INDEX = "#package-header ~ #content > #index, #package-header ~ #content > #alphabet"
# The indexes of Javadoc before its version 16, groovydoc, ocamldoc, RDoc, YARD and pydoctor, and the source code in ocamldoc;
# each with an element of its generator.
_INDEXES = (
    (
        re.compile(
            r"(?:.*/)?(?:(?:package|overview)-(?:frame|tree)|allclasses-(?:no)?frame|all(?:classes|packages)-index|package-use"
            r"|deprecated-list|index-all|class-use/[^/]+|index-files/index-\d+)\.html"
        ),
        "link[title=Style][href$='.css']",
    ),
    (re.compile(r"(?:.*/)?(?:index_\w+|type_[A-Z][\w.]*)\.html"), "head > link[title='Index of modules']"),
    (re.compile(r"(?:.*/)?table_of_contents\.html"), "body.table-of-contents"),
    (re.compile(r"(?:.*/)?(?:_index|\w+_list)\.html"), "#full_list, ul[id^=alpha_]"),
    (
        re.compile(r"(?:.*/)?(?:all-documents|(?:class|module|name)Index|undoccedSummary)\.html"),
        "meta[name=generator][content^=pydoctor]",
    ),
)
_LATER_PAGE = re.compile(r"(?P<first>(?:.*/)?)page(?P<slash>/?)(?P<number>\d+)(?:/index)?\.x?html?", re.IGNORECASE)
_MAX_OWN_TEXT = 400  # characters outside of entries: a list may have an introduction
_ENTRIES = frozenset("a article li td th dd dt h1 h2 h3 h4 h5 h6".split())
_HEADINGS = "h2, h3, h4, h5, h6"
_LETTERS = f"{_HEADINGS}, a[href*='#']"  # headings of an index, and links to them
_MIN_LETTERS = 3
_MIN_ENTRIES = 10
_LINE = re.compile(r"[A-Za-z_.-]*\d+")  # the anchor of a line of source code
_MIN_LINES = 5
_MIN_SHARE_OF_CODE = 0.85


def is_listing(path: str, tree: LexborHTMLParser, visibility: Visibility, generator: str) -> bool:
    """Return whether a page only lists other pages; `generator`: the name of its program, in lower case."""
    if _LIST_CLASSES.intersection(attribute_of(tree.css_first("html"), "class").split()):
        return True
    if any(address.fullmatch(path) and tree.css_first(element) is not None for address, element in _INDEXES):
        return True
    if generator.startswith("javadoc"):
        return _JAVADOC_LIST.fullmatch(attribute_of(tree.body, "class")) is not None
    # A site's own header has no `meta` of Doxygen.
    if _DOXYGEN_LIST.fullmatch(path) and (generator.startswith("doxygen") or tree.css_first("link[href$='doxygen.css']")):
        return True
    if tree.css_first(f"{_SOURCE_CODE}, {_HADDOCK_INDEX}, {_SPHINX_PAGES}, {_DOXYGEN_RESULTS}") is not None:
        return True
    if _is_alphabetical_index(visibility) or _is_source_code(visibility):
        return True
    if _QDOC_LIST.fullmatch(path) and (title := tree.css_first("h1.title")) is not None:
        return title.text().startswith("List of All Members for ")
    is_class = tree.css_first("h1 + .box_info") is not None  # of YARD, in a module `Tags`
    return _ADDRESS.fullmatch(path) is not None and not is_class and _has_only_entries(visibility)


def continuations(paths: Set[str]) -> set[str]:
    """Return the second and later pages of lists: `blog/page/2/index.html` beside `blog/index.html`."""
    return {path for path in paths if (match := _LATER_PAGE.fullmatch(path)) and _is_later(match, paths)}


def _is_later(match: re.Match[str], paths: Set[str]) -> bool:
    """Return whether a list begins above. `page2` beside `page1` is a page with this name."""
    first, separate = match["first"], match["slash"] == "/"
    begins = {f"{first}index.html", f"{first.rstrip('/')}.html"} & paths
    names = {f"{first}page1/index.html", f"{first}page1.html"} & paths
    return bool(begins) and (separate or (int(match["number"]) > 1 and not names))


def _is_alphabetical_index(visibility: Visibility) -> bool:
    """Return whether a page has headings or links for letters, and most of its text is in links to other pages."""
    labels = [node.text().strip() for root in visibility.roots for node in root.css(_LETTERS)]
    if len({label.upper() for label in labels if len(label) == 1 and label.isalpha()}) < _MIN_LETTERS:
        return False
    texts = [*_visible_texts(visibility)]
    links = [count_letters(text) for node, text in texts if node.tag == "a" and _is_page_link(node)]
    return len(links) >= _MIN_ENTRIES and sum(links) * 2 >= sum(count_letters(text) for _, text in texts)


def _is_source_code(visibility: Visibility) -> bool:
    """Return whether a page is one piece of code with an anchor on each line, and hardly any other text."""
    codes = [node for root in visibility.roots for node in root.css("pre, div.fragment")]
    if len(codes) != 1:
        return False
    anchors = (attribute_of(node, "id") or attribute_of(node, "name") for node in codes[0].css("[id], a[name]"))
    if sum(_LINE.fullmatch(name) is not None for name in anchors) < _MIN_LINES:
        return False
    total = sum(count_letters(text) for _, text in _visible_texts(visibility))
    return count_letters(codes[0].text()) >= total * _MIN_SHARE_OF_CODE


def _visible_texts(visibility: Visibility) -> Iterator[tuple[LexborNode, str]]:
    """Yield the visible texts of the main content, each with its element; of a link, all its text."""
    stack = list(visibility.roots)
    while stack:
        node = stack.pop()
        for child in node.iter(include_text=True):
            if child.tag in ("-text", "a"):
                yield (child if child.tag == "a" else node), child.text()
            elif not visibility.skips(child):
                stack.append(child)


def _has_only_entries(visibility: Visibility) -> bool:
    nodes = (node for root in visibility.roots for node in root.css(f"a[href], pre, {_HEADINGS}"))
    visible = [node for node in nodes if not visibility.is_hidden(node)]
    roots = {root.mem_id for root in visibility.roots}
    links = [node for node in visible if node.tag == "a" and _is_page_link(node)]
    outside = [node for node in visible if node.tag != "a" and not _is_in_entry(node, roots)]
    return bool(links) and not outside and sum(map(len, _texts(visibility))) <= _MAX_OWN_TEXT


def _is_page_link(link: LexborNode) -> bool:
    href = attribute_of(link, "href")
    try:
        return bool(urlsplit(href).path)
    except ValueError:
        return False


def _is_in_entry(node: LexborNode, roots: Set[int]) -> bool:
    """Return whether a heading or code belongs to an entry: a heading with a link, or a part of an article in a list."""
    if node.tag != "pre" and any(_is_page_link(link) for link in node.css("a[href]")):
        return True
    inner = takewhile(lambda ancestor: ancestor.mem_id not in roots, with_ancestors(node))
    return any(ancestor.tag in ("a", "article", "li") for ancestor in inner)


def _texts(visibility: Visibility) -> Iterator[str]:
    """Yield the texts of the main content that are not in an entry of a list."""
    stack = list(visibility.roots)
    while stack:
        node = stack.pop()
        for child in node.iter(include_text=True):
            if child.tag == "-text":
                yield (child.text_content or "").strip()
            elif child.tag not in _ENTRIES and not visibility.skips(child):
                stack.append(child)
