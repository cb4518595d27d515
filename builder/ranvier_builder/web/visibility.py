"""Selects the text of another generator's page: finds the main content, and the parts of it to skip."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from ranvier_builder.render.html import HIDDEN_BY_AUTHORS, attribute_of, one_line, outermost, with_ancestors
from ranvier_builder.web.links import navigation
from ranvier_builder.web.marks import NAMES, selector

# Never text. Some server frameworks put a form around the whole page; such a form is not skipped.
_NO_TEXT = """script, style, template, noscript, head, nav, svg, math, select, textarea, label, iframe, object, canvas, audio,
    video, dialog, datalist, button, form:not(:has(main, article, h1, h2, h3))"""
# What authors keep out of the excerpts of search engines, and hidden elements.
_HIDDEN = f"""[data-nosnippet], {HIDDEN_BY_AUTHORS}, [style*="visibility:hidden"i], [style*="visibility: hidden"i]"""
_ROLES = """[aria-hidden="true"], [role="navigation"], [role="search"], [role="dialog"], [role="alertdialog"], [role="menu"],
    [role="menubar"], [role="toolbar"], [role="tablist"], [role="banner"], [role="contentinfo"], [role="doc-toc"],
    [role="doc-backlink"]:not(.toc-backref), [role="doc-pagelist"]"""
# Elements around and between the text: tables of contents, breadcrumbs, links for editing, copying and paging; labels for
# screen readers. The names are those of MkDocs Material, mkdocstrings, Sphinx, Texinfo, Docusaurus, VitePress, Starlight,
# mdBook, DocBook, GTK-Doc, GI-DocGen, Doxygen, QDoc, Haddock, TypeDoc, AsciiDoc, RDoc, YARD, pdoc, Nim, Scaladoc, GAPDoc,
# LaTeX2HTML, DITA-OT, Jupyter, and of common themes of Hugo and Jekyll.
_NAVIGATION = """.toc, #toc, .table-of-contents, #TableOfContents, #table-of-contents, #table_of_contents, .page-toc,
    .on-this-page, .theme-doc-toc-mobile, .theme-doc-toc-desktop, [class*="tableOfContents_"], .VPDocAside, .VPLocalNav,
    .VPDocFooter, .toplang, .bottomlang, .familylinks, a.docs-sourcelink,
    .breadcrumb, .breadcrumbs, [aria-label="breadcrumb"i], [aria-label="breadcrumbs"i],
    .navheader, .navfooter, table.navigation, .navpath, .summary:has(+ .headertitle), .mlabels-right,
    div.headertitle > div.title, .title > .ingroups, .title > .mlabels, .header + .contents > p > a[href$="#details"],
    .nav-panel, p:has(> a[rel="contents"]),
    table.header:has(a[title$="reading order"]), div.navigation, td[rowspan="2"] > img[alt^="["],
    a[rel="prev"], a[rel="next"], .pagination, .pagination-nav, .prev-next, .prevnext, .prev-next-area, .nav-wrapper,
    .nav-chapters, .md-content__button, .md-source-file, .md-feedback, .tabbed-labels, .edit-link, .edit-this-page, .edit-page,
    .theme-edit-this-page, .theme-last-updated, .theme-doc-version-badge, .theme-doc-version-banner, .td-page-meta,
    .share-buttons, .rustdoc-breadcrumbs, .fqn, span.rightside, a.src, a.srclink, .notable-traits, a[data-notable-ty],
    #synthetic-implementations, #synthetic-implementations-list, #blanket-implementations, #blanket-implementations-list,
    .footnote-backref, .footnote-back, .reversefootnote, .fn-backref, .backrefs, .viewcode-link, .viewcode-back,
    p.src > a.link, td.src > a.link, a.selflink, #package-header, #synopsis:has(> #syn), .hide-when-js-enabled,
    .method-source-code, .method-click-advice, .method-controls, .attr ~ .pdoc-code,
    details.source:has(> pre), table.source_code, .topNav, .subNav, .bottomNav, .ChapSects, .chlinktop,
    .chlinkbot, .chlinkprevnexttop, .chlinkprevnextbot, #mathjaxlink, p.shortcomment:has(+ .fullcomment), h3:has(> .morelinks),
    a.link-seesrc, #toc-list, #global-links, .theme-switch-wrapper, #searchInputDiv,
    .navigationbar, .tsd-sources, .tsd-tag, .container-main > .col-sidebar, #footer-text,
    h1 + .box_info:has(> dl), span.note.title, [class^="NavBarCell"],
    .input_prompt, .output_prompt, .jp-InputPrompt, .jp-OutputPrompt, .nbinput > .prompt, .nboutput > .prompt,
    .skip, .skip-link, .skip-to-content, .skiplink, .md-skip, .sr-only-focusable, .visually-hidden-focusable, .giscus,
    .utterances, #disqus_thread, .doc-labels, details.mkdocstrings-source,
    span.sr-only, span.visually-hidden, span.screen-reader-text,
    [id*="cookie-banner"i], [class*="cookie-banner"i], [id*="cookie-consent"i], [class*="cookie-consent"i],
    [class*="cookieconsent"i], [id^="onetrust"], [aria-label*="cookie consent"i], [aria-label*="cookie banner"i]"""
# Line numbers, other elements beside code, and mdBook's lines that are only compiled. (`pre.line-numbers` is the code itself.)
_GUTTERS = """.linenos, .lineno, .linenodiv, span.line-number, span.line-numbers, td.line-numbers, .line-numbers-wrapper,
    .line-numbers-rows, .lnt, .ln, td.gutter, span.gutter, .rouge-gutter, div[class*="language-"] > .lang,
    .copybtn, .copy-popup-wrapper, pre .buttons, code .boring"""
# Links in headings to the headings themselves.
_PERMALINKS = ", ".join(
    f'a[class*="{word}"i]' for word in "anchor permalink heading headerlink hash self-link direct-link".split()
)
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6 dt".split())
_ALWAYS = ", ".join((_NO_TEXT, _ROLES, _NAVIGATION, _GUTTERS))

_SYMBOLS = re.compile("[\\s#¶§◆🔗⚓∞\ue157\uf0c1\u200b\ufeff]*")
_HEADING_LINK_LABEL = re.compile(
    r"\s*(direct link|perma(nent )?link|link to this|anchor link|copy link|section titled)", re.IGNORECASE
)
_SKIP_LINK = re.compile(r"\s*(skip|jump) to\b", re.IGNORECASE)
_FRAME_ELEMENTS = "header, aside, [role=complementary]"
_HEADER_AND_ARTICLE = "header:first-child + article:last-child"
_NEVER_SKIPPED = frozenset(("html", "body", "main"))


class Visibility:
    """The parts of a page that are read."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self._hidden = {node.mem_id for node in tree.css(_HIDDEN) if node.tag not in _NEVER_SKIPPED}
        self._skipped = {node.mem_id for node in tree.css(_ALWAYS) if node.tag not in _NEVER_SKIPPED} | self._hidden
        self._ignored = {node.mem_id for node in tree.css(selector("ignore"))} | set(_excluded(tree))
        # Marks on and in an element still count with Pagefind's attribute without a value; not with ours, nor with "all".
        elements = [node for node in tree.css("[data-ranvier-ignore]") if node.attributes["data-ranvier-ignore"] != "index"]
        self._ignored_with_marks = {node.mem_id for node in (*elements, *tree.css("[data-pagefind-ignore=all]"))}
        self._skipped -= _visible_labels(tree)
        self._skipped |= _heading_links(tree) | _footers(tree)
        roots, self.marked = _main(tree)
        self.roots = [node for node in roots if not any(item.mem_id in self._ignored for item in with_ancestors(node))]
        if len(self.roots) == 1 and self.roots[0].tag == "body":
            self._skipped |= set(_surroundings(tree))
        self._roots = {node.mem_id for node in self.roots}
        for root in self.roots:
            self._skipped |= {*navigation(root, self.skips)}

    def skips(self, node: LexborNode) -> bool:
        """Return whether an element is skipped with all its contents."""
        key = node.mem_id
        return key in self._ignored or (key in self._skipped and key not in self._roots)

    def withholds(self, node: LexborNode) -> bool:
        """Return whether the author excluded or hid an element, whatever its kind."""
        return node.mem_id in self._ignored or node.mem_id in self._hidden

    def is_ignored(self, node: LexborNode) -> bool:
        """Return whether the author excluded an element or its ancestor together with its marks."""
        ignored = self._ignored_with_marks
        return bool(ignored) and any(ancestor.mem_id in ignored for ancestor in with_ancestors(node))

    def is_hidden(self, node: LexborNode) -> bool:
        """Return whether an element is in a skipped part; parts of which only the text is excluded do not count."""
        hidden = self._skipped | self._ignored_with_marks
        return any(ancestor.mem_id in hidden and ancestor.mem_id not in self._roots for ancestor in with_ancestors(node))


def _main(tree: LexborHTMLParser) -> tuple[list[LexborNode], bool]:
    """Return the elements of the main content, and whether its author marked it."""
    for name in NAMES:
        marked_elements = tree.css(f"[data-{name}-body]")
        if marked_elements:
            return outermost(marked_elements), True
    # An element that matches two selectors of a list is returned twice.
    for candidates in (tree.css("main, [role=main]:not(main)"), tree.css("article")):
        parts = outermost(candidates)
        if len(parts) == 1:
            return [_article(parts[0])], False
        if parts and parts[0].tag != "article":
            return parts, False
    return ([tree.body] if tree.body is not None else []), False


def _article(main: LexborNode) -> LexborNode:
    """Return the only article of a main element, unless the h1 is outside of it; otherwise the main element.

    JSDoc describes a class in a header before its article, in a section of only both.
    """
    around = main.parent
    if main.tag == "article" and around is not None and around.tag == "section" and around.css_first(_HEADER_AND_ARTICLE):
        return around
    articles = main.css("article")
    if len(articles) != 1 or (main.css_first("h1") is not None and articles[0].css_first("h1") is None):
        return main
    return articles[0]


def _excluded(tree: LexborHTMLParser) -> Iterator[int]:
    """Yield what authors exclude from the search of MkDocs Material: elements; of a heading, the text up to the next one."""
    for node in tree.css("[data-search-exclude]"):
        yield node.mem_id
        following = node.next if node.tag in _HEADINGS else None
        while following is not None and following.tag not in _HEADINGS:
            yield following.mem_id
            following = following.next


def _surroundings(tree: LexborHTMLParser) -> Iterator[int]:
    """Yield the elements around the text of a page without a main element."""
    for node in tree.css(_FRAME_ELEMENTS):
        is_preamble = "odoc-preamble" in attribute_of(node, "class")  # the title and the first paragraphs
        is_part = is_preamble or any(ancestor.tag in ("article", "section") for ancestor in with_ancestors(node))
        if node.tag != "header" or not is_part:
            yield node.mem_id
    for link in tree.css('a[href^="#"]'):
        if _SKIP_LINK.match(link.text(deep=False)):
            yield link.mem_id


def _visible_labels(tree: LexborHTMLParser) -> set[int]:
    """Find visible titles that screen readers skip, as the element around has the same label: those of Starlight's asides."""
    titles = tree.css("[aria-label] > [aria-hidden=true]")
    return {node.mem_id for node in titles if one_line(node.text()) == one_line(attribute_of(node.parent, "aria-label"))}


def _footers(tree: LexborHTMLParser) -> set[int]:
    """Find footers with tags, dates and edit links; the footer of a quotation names its author, so it is kept."""
    footers = {node.mem_id for node in tree.css("blockquote footer, figure footer")}
    return {node.mem_id for node in tree.css("footer")} - footers


def _heading_links(tree: LexborHTMLParser) -> set[int]:
    """Find links to places on the same page that are only a symbol, or are labelled so; and in headings, those to nowhere."""
    targets = {link.mem_id for tag in _HEADINGS for link in tree.css(f"{tag} a[href='#']")}
    for link in tree.css("a[href^='#']"):
        labels = (link.text(), attribute_of(link, "title"), attribute_of(link, "aria-label"))
        if (labels[0] and _SYMBOLS.fullmatch(labels[0])) or any(map(_HEADING_LINK_LABEL.match, labels)):
            targets.add(link.mem_id)
    for link in tree.css(_PERMALINKS):
        is_here = "#" in (attribute_of(link, "href") or "#")
        if is_here and any(ancestor.tag in _HEADINGS for ancestor in with_ancestors(link)):
            targets.add(link.mem_id)
    return targets
