"""HTML of another generator becomes pages to search (N8): titles, main content, headings with anchors, marks of the author."""

from html import escape

import pytest
from ranvier_builder.config import Config
from ranvier_builder.render.html import MAX_DEPTH, parse, shallow
from ranvier_builder.web.canonical import duplicates
from ranvier_builder.web.charset import decode
from ranvier_builder.web.marks import captures
from ranvier_builder.web.page import WebPage, address, read_page
from ranvier_builder.web.site import SiteText, site_text
from ranvier_builder.web.titles import affix
from ranvier_builder.withheld import Reason


def read(html: str | bytes, path: str = "guide/a.html") -> WebPage:
    return read_page(path, html if isinstance(html, bytes) else html.encode())


def texts_of(html: str) -> list[str]:
    """All text that is read of a page."""
    return [block.text for section in read(html).sections for block in section.blocks]


def site(pages: dict[str, str], config: Config | None = None) -> SiteText:
    return site_text([read(html, path) for path, html in sorted(pages.items())], config or Config())


def titles_of(pages: dict[str, str]) -> dict[str, str]:
    return {page.page.neuron.path: page.page.neuron.title for page in site(pages).rendered}


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("index.html", ""),
        ("guide/index.html", "guide/"),
        ("guide/index.htm", "guide/"),
        ("a.html", "a.html"),
        ("a b/ü#?.html", "a%20b/%C3%BC%23%3F.html"),
        ("x:y.html", "x%3Ay.html"),
        ("myindex.html", "myindex.html"),
    ],
)
def test_url_of_an_html_file(path: str, url: str) -> None:
    assert address(path) == url


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<header>no</header><nav>no</nav><p>yes</p><aside>no</aside><footer>no</footer>", ["yes"]),
        ("<main><header><h1>T</h1>yes</header><aside>a note</aside><nav>no</nav></main>no", ["yes", "a note"]),
        ("<div role=main><p>yes</div><p>no", ["yes"]),
        ("<main role=main><p>yes<p>and", ["yes", "and"]),
        ("<main role=main><div>no</div><article><h1>T</h1><p>yes</article></main>", ["yes"]),
        ("<main><p>yes<footer>no</footer><blockquote>said<footer>Ada</footer></blockquote></main>", ["yes", "said", "Ada"]),
        ("<article><p>yes</article><p>no", ["yes"]),
        ("<article><p>one</article><article><p>two</article>", ["one", "two"]),
        ("<main><div class=sidebar>no</div><article><h1>T</h1><p>yes</article></main>", ["yes"]),
        ("<main><h1>T</h1><p>yes<article><p>a card</article></main>", ["yes", "a card"]),
        ("<main>no</main><div data-pagefind-body>yes</div><p>no<div data-pagefind-body>and</div>", ["yes", "and"]),
        ("<div data-pagefind-body>no<p data-ranvier-body>yes</p></div>", ["yes"]),
        ("<main><div data-pagefind-body>yes<b data-pagefind-body>, too</b></div></main>", ["yes, too"]),
        ("<a href=#c>Skip to content</a><p>yes</p>", ["yes"]),
        ("<main><p>yes<p data-ranvier-ignore>no<p data-pagefind-ignore>no<p data-pagefind-ignore=all>no</main>", ["yes"]),
        ("<main><h2 data-search-exclude>no</h2><p>no<pre>no</pre><h3>H</h3><p>yes<p data-search-exclude>no</main>", ["yes"]),
        ("<main>yes<p data-nosnippet>no<h2 data-nosnippet>no</h2></main>", ["yes"]),
        (
            "<p>yes<p hidden>no<p aria-hidden=true>no<p style='color:red; Display: none'>no<p style=visibility:hidden>no",
            ["yes"],
        ),
        ("<div role=tabpanel hidden>yes</div><p hidden=until-found>found", ["yes", "found"]),
        ("<p>yes<script>no</script><style>no</style><template>no</template><noscript>no</noscript><!-- no -->", ["yes"]),
        ("<form><input><label>no</label><button>no</button></form><p>yes", ["yes"]),
        ("<form id=aspnet><main><h1>T</h1>yes</main></form>", ["yes"]),
        ("<main><div class=toc>no</div><ul class=breadcrumbs><li>no</ul><p>yes</p><a rel=next href=x>no</a></main>", ["yes"]),
        ("<div role=dialog>no</div><div id=my-cookie-banner>no</div><p id=cookies>about cookies", ["about cookies"]),
        ("<p>see <img alt='a dog' src=x> here</p>", ["see a dog here"]),
        ("<figure><a><img alt='a dog' src=x></a><figcaption>This is  a\ndog</figcaption></figure>", ["This is a dog"]),
        ("<figure><img alt='a cat' src=x><figcaption>This is a dog</figcaption></figure>", ["a cat", "This is a dog"]),
        ("<img data-pagefind-index-attrs='title,alt' title='a title' alt='an alt' src=x>", ["a title an alt an alt"]),
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", ["a | b", "c | d"]),
        (
            "<table class=memname><tr><td>int parse<td>(<td>char *<td>text,<tr><td><td><td>int<td>size<tr><td><td>)</table>",
            ["int parse ( char * text, int size )"],
        ),
        (
            "<div class=navpath>no</div><div class=header><div class=summary>no</div><div class=headertitle>yes</div></div>",
            ["yes"],
        ),
        ("<div class=summary>yes</div><div class=navheader>no</div>and<div class=navfooter>no</div>", ["yes", "and"]),
        ("<h1 class=fqn>no</h1><p>yes", ["yes"]),
        ("<section id=synopsis>yes</section><div id=synopsis><details id=syn>no</details></div>", ["yes"]),
        ("<div class=navigationbar><li>no</div><p>yes<div id=footer><p id=footer-text>no</div>", ["yes"]),
        (
            "<div class=container-main><p>yes<aside class=tsd-sources>no</aside><div class=col-sidebar>no</div></div>",
            ["yes"],
        ),
        ("<h2 id=blanket-implementations>no</h2><div id=blanket-implementations-list>no</div>yes", ["yes"]),
        ("<table class=navigation><td>no</table><table class=mlabels><td>yes<td class=mlabels-right>no</table>", ["yes"]),
        (
            "<div class=method-detail>yes<div class=method-source-code>no</div></div><details class=source><pre>no</details>"
            "<div class=attr>and</div><a></a><div class=pdoc-code>no</div><table class=source_code><td>no</table>",
            ["yes", "and"],
        ),
        (
            "<div class=topNav>no</div><div class=subNav>no</div>yes<div class=bottomNav>no</div>"  # Javadoc 8
            "<div class=ChapSects>no</div><div class=chlinktop>no</div><p id=mathjaxlink>no</p>"  # GAPDoc
            "<h3><span class=morelinks>no</span></h3><p class=shortcomment>no</p><div class=fullcomment>and</div>",  # Scaladoc
            ["yes", "and"],
        ),
        ("<p class=shortcomment>yes", ["yes"]),
        ("<div class=source_code>yes</div><details class=source>and", ["yes", "and"]),  # names of authors
        ("<ul id=toc-list><li>no</ul><div id=global-links>no</div>yes <a class=link-seesrc>no</a>", ["yes"]),
        ("<p>body hidden is shown by a script</p>", ["body hidden is shown by a script"]),
        (
            "<p>yes<div id=f><a href=#f title='Link to this function'><i></i><span>no</span></a> <b>and</div>",
            ["yes", "and"],
        ),  # ExDoc
        ("<p>yes<div>and <span class=copy-popup-wrapper>Link copied to clipboard</span></div>", ["yes", "and"]),  # Dokka
    ],
)
def test_main_content_is_extracted(body: str, text: list[str]) -> None:
    assert texts_of(f"<html><head><title>x</title></head><body style='display:none'>{body}</body></html>") == text


MENU = "<ul><li><a href=a.html>One</a><li><a href=b.html>Two</a><li><a href=c.html>Three</a><li><a href=d.html>Four</a></ul>"
CONTENTS = "<ul><li><a href=#a>One</a><li><a href=#b>Two</a><ul><li>3. <a href=#c>Three</a></ul></ul>"
WORDS = "Everything that the words of a page say."


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (f"<div><h1>Site</h1>Pages {MENU}</div><h1>T</h1>{WORDS}", [WORDS]),  # LDoc
        (f"<div>▼ {MENU}</div><h4>1 T</h4>{WORDS}", [WORDS]),  # Scribble
        (f"<h1>T</h1><div>&lt; <a href=.>c</a> | <a href=n>math</a></div>{MENU}<p>{WORDS}", [WORDS]),  # MediaWiki
        (f"<main><table><td>{MENU}<td>Reference</table><h1>T</h1>{WORDS}</main>", [WORDS]),  # fpdoc
        (f"{WORDS}<aside><p>On this page</p><div>{CONTENTS}</div></aside>", [WORDS]),
        (f"{WORDS}<div><p>Contents {CONTENTS}</div>", [WORDS, "Contents"]),
        (f"<h1>T</h1><p>{WORDS}</p>{MENU}", [WORDS, "One", "Two", "Three", "Four"]),  # pages of a chapter
        (f"<div>Go <a href=x>up</a> {MENU}</div><h1>T</h1>{MENU}", ["One", "Two", "Three", "Four"]),  # a list of pages
        (f"<h1>T</h1>{MENU.replace('href=', 'href=https://x/')}{WORDS}", ["One", "Two", "Three", "Four", WORDS]),
        (
            f"<pre><a href=a>int</a> <a href=b>size</a></pre><dl><dd><a href=a>A</a>, <a href=b>B</a></dl>{WORDS}",
            ["int size", "A, B", WORDS],
        ),
        (f"<div>class <a href=a>Knot</a> extends <a href=b>Rope</a></div><p>{WORDS}", ["class Knot extends Rope", WORDS]),
        (
            f"{WORDS}<ul><li><a href=#a>A</a> by the sea<li><a href=#b>B</a><li><a href=#c>C</a></ul>",
            [WORDS, "A by the sea", "B", "C"],
        ),
    ],
)
def test_menus_and_tables_of_contents_are_recognised_by_their_links(body: str, text: list[str]) -> None:
    """No generator is known by name."""
    assert texts_of(f"<title>x</title>{body}") == text


def test_definition_of_haddock_is_a_section() -> None:
    def top(name: str, text: str, inside: str = "") -> str:
        link = "<a class=link href=x>Source</a><a class=selflink href=x>#</a>"
        return f"<div class=top><p class=src><a id='v:{name}' class=def>{name}</a> :: Int{link}</p><p>{text}</p>{inside}</div>"

    method = "<div class='subs methods'><p class=src><a id='v:m' class=def>m</a>, <a id='v:n' class=def>n</a> :: Int</p></div>"
    page = read(f"<div id=package-header>no</div><h1>Basics</h1>{top('f', 'About f.')}{top('C', 'About C.', method)}<p>End.")
    assert [(section.headings[-1], section.anchor, [block.text for block in section.blocks]) for section in page.sections] == [
        ("Basics", "", []),
        ("f", "v:f", ["f :: Int", "About f."]),
        ("C", "v:C", ["C :: Int", "About C."]),
        ("C.m, n", "v:m", ["m, n :: Int"]),
        ("Basics", "", ["End."]),
    ]


def test_list_of_methods_with_own_pages_has_no_sections() -> None:
    """GI-DocGen: the class came before the page of each method."""
    page = read("<h1>C</h1><h6><a href='m.html'>m</a></h6><p>About m.<h6><a href='#n'>n</a></h6><p>About n.")
    assert [(section.headings[-1], [block.text for block in section.blocks]) for section in page.sections] == [
        ("C", ["m", "About m."]),
        ("n", ["About n."]),
    ]


def test_heading_of_an_admonition_begins_no_section() -> None:
    """DocBook: the text after a note was shown as `Files > Note`."""
    page = read("<h1>C</h1><h2>Files</h2><p>a<div class=note><h3 class=title>Note</h3><p>b</div><p>c<h3>Header</h3><p>d")
    assert [(section.headings, [block.text for block in section.blocks]) for section in page.sections] == [
        (("C",), []),
        (("C", "Files"), ["a", "Note", "b", "c"]),
        (("C", "Files", "Header"), ["d"]),
    ]


@pytest.mark.parametrize(
    ("description", "summary"), [("Reference for A.b", ""), ("A.b", ""), ("Notes for A.b fans", "Notes for A.b fans")]
)
def test_description_that_only_repeats_the_title_is_none(description: str, summary: str) -> None:
    assert read(f"<title>A.b</title><meta name=description content='{description}'><p>x").summary == summary


@pytest.mark.parametrize(
    ("html", "heading", "anchor"),
    [
        ("<h2 id=a>T</h2>", "T", "a"),
        ("<h2>T</h2>", "T", ""),
        ('<h2><span class="permalink"><a href="#a">◆&nbsp;</a></span>T</h2>', "T", "a"),
        ("<h2 id=a>T<a class=headerlink href=#a title='Permalink to this heading'>¶</a></h2>", "T", "a"),
        ("<h2><a class=toc-backref href=#i role=doc-backlink>T</a><a class=headerlink href=#a>¶</a></h2>", "T", "a"),
        ("<section id=a><h2><a class=toc-backref href=#i role=doc-backlink>T</a></h2></section>", "T", "a"),
        ("<h2>T <a href='#a'>#</a></h2>", "T", "a"),
        ("<h2>T <a href='#a' class=TitleAnchor-icon>link</a></h2>", "T", "a"),
        ("<h2>T <a href='#a'>Section titled “T”</a></h2>", "T", "a"),  # Starlight
        ("<h2>T of <a href='#a' class=internal>Foo</a></h2>", "T of Foo", ""),
        ("<a name=a><!-- --></a> <ul><li><h4>T</h4></li></ul>", "T", "a"),  # Javadoc 8
        ("<a name=a></a><ul><li>x<h4>T</h4></li></ul>", "T", ""),
        ("<div id=a><div class=titlepage><div><div><h3>T</h3></div></div></div><p>x</div>", "T", "a"),  # DocBook
        ("<section id=a><span class=rightside>source</span><h4>T</h4></section>", "T", "a"),  # rustdoc
        ("<ul><li>x</li><li><a id=a></a> <h4>T: <a href=B.html name=B>B</a></h4></li></ul>", "T: B", "a"),  # Scaladoc
        ("<h2><a name=a href='#a'>T</a></h2>", "T", "a"),
        ("<h2 id=a>T <small><a href='#'>collapse</a></small></h2>", "T", "a"),
        ("<h2 id=a><a href='#'>T</a></h2>", "T", "a"),
        ("<h4 id=a>fn f()<span class=notable-traits>ⓘ Notable traits</span><a data-notable-ty=x>ⓘ</a></h4>", "fn f()", "a"),
        ("<h2>T<a href='#caf%C3%A9' aria-label='Permalink: T'>link</a></h2>", "T", "café"),
        ("<h2><a class=header href='#a'>T</a></h2>", "T", "a"),
        ("<h2><a href='#other'>see</a> T</h2>", "see T", ""),
        ("<h2><a name=a></a>T</h2>", "T", "a"),
        ("<h2><span id=a>T</span></h2>", "T", "a"),
        ("<a id=a></a>\n<h2>T</h2>", "T", "a"),
        ("<p><a name=a></a></p><h2>T</h2>", "T", "a"),
        ("<section id=a><h2>T</h2></section>", "T", "a"),
        ("<section id=a><header><h2>T</h2></header></section>", "T", "a"),
        ("<section id=a><p>x</p><h2>T</h2></section>", "T", ""),
        ("<div><h2 id=a>T</h2><a class=sl-anchor-link href=#a><span class=sr-only>Section titled T</span></a></div>", "T", "a"),
        ("<h3><button>T</button></h3>", "T", ""),
        ("<h3><span aria-hidden=true>T</span></h3>", "T", ""),
        ("<h3><button><div>a</div><div>b</div></button></h3>", "a b", ""),
        ("<h2>T<span><a class=mark href='#a' id=a>#</a></span></h2>", "T", "a"),
        ("<section id=a><span>1.0.0</span><h4>pub fn <a href='#a' class=fn>new</a>()</h4></section>", "pub fn new()", "a"),
        ("<div><h2>T</h2><a href='#a' class=anchor>§</a></div>", "T", "a"),
        ("<h1 id=a><a href=x>A</a><span class=sep></span><a href=y>B</a><span class=sep></span>c</h1>", "A.B.c", "a"),
        ("<h4 id=a>T <a class=srclink href=x>[src]</a></h4>", "T", "a"),
        ("<h2 id=a>C# and #5</h2>", "C# and #5", "a"),
        ("<h2 id=a>one<br>two <img alt=three src=x></h2>", "one two three", "a"),
    ],
)
def test_headings_have_text_and_anchor(html: str, heading: str, anchor: str) -> None:
    section = next(section for section in read(f"<main>{html}<p>text</main>").sections if section.headings)
    assert (section.headings[-1], section.anchor) == (heading, anchor)


@pytest.mark.parametrize(
    "html",
    [
        "<h2><span data-ranvier-ignore>secret</span></h2>",
        "<h2><span data-pagefind-ignore>secret</span></h2>",
        "<h2><button><b data-ranvier-ignore>secret</b></button></h2>",
        "<h2><span hidden>secret</span></h2>",
        "<h2><span style='display:none'>secret</span></h2>",
        "<dl><dt class=sig id=f><span class=sig-name data-ranvier-ignore>secret</span></dt></dl>",
    ],
)
def test_heading_without_other_text_does_not_contain_what_its_author_excluded(html: str) -> None:
    page = read(f"<main><h1>Title</h1>{html}<p>text</main>")
    assert "secret" not in repr(page)
    assert "text" in repr(page.sections)


@pytest.mark.parametrize(
    ("html", "code"),
    [
        ("<pre>a\n\n  b</pre>", "a\n\n  b"),
        ("<pre><code class=mjs>a</code><code class=cjs>b</code></pre>", "a\nb"),
        ("<pre class='line-numbers'><code><span class=token>a<br></span><span class=token>b<br></span></code></pre>", "a\nb"),
        (
            "<pre><code><div class=ec-line><div class=gutter></div><div>a</div></div><div><div>b</div></div></code></pre>",
            "a\nb",
        ),
        ("<pre><span class=lineno>1 </span>a\n<span class=linenos>2 </span>b</pre>", "a\nb"),
        (
            "<pre><span class=line><span class=ln>1</span>a</span>\n<span class=line></span>\n<span class=line>b</span></pre>",
            "a\n\nb",
        ),
        ("<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>", "a\nb"),
        ("<table><tr><td><pre><span class=lnt>1\n</span></pre><td><pre>a</pre></table>", "a"),
        ("<div class=language-js><button>Copy</button><span class=lang>js</span><pre>a</pre></div>", "a"),
    ],
)
def test_code_blocks_have_no_line_numbers(html: str, code: str) -> None:
    (section,) = read(html).sections
    assert [(block.text, block.lines) for block in section.blocks] == [(code, True)]


def test_sphinx_signatures_are_sections() -> None:
    """Functions and classes have anchors. The text after a description belongs to the section around it."""
    html = """<main><h1>API</h1><h2 id=c>Commands</h2><dl class="py class"><dt class="sig sig-object py" id="m.F"><em>class</em>
    <span class="sig-prename">m.</span><span class="sig-name">F</span>(x)<a class="headerlink" href="#m.F">¶</a></dt><dd>Makes.
    <dl class="py method"><dt class="sig" id="m.F.g"><span class="sig-name">g</span>(y)</dt><dd>Goes.</dd></dl></dd></dl>After.
    <dl class="std option"><dt class="sig sig-object std" id="o"><span class="sig-name">-o</span>
    <span class="sig-prename"> FILE</span>, <span class="sig-name">--out</span><span class="sig-prename"> FILE</span></dt></dl>
    <dl><dt>Term</dt><dd>Meaning</dd></dl></main>"""
    results = [
        (section.anchor, section.headings[1:], [block.text for block in section.blocks]) for section in read(html).sections
    ]
    assert results[1:] == [
        ("c", ("Commands",), []),
        ("m.F", ("Commands", "m.F"), ["class m.F(x)", "Makes."]),
        ("m.F.g", ("Commands", "m.F", "F.g"), ["g(y)", "Goes."]),
        ("c", ("Commands",), ["After."]),
        ("o", ("Commands", "-o, --out"), ["-o FILE, --out FILE"]),
        ("c", ("Commands",), ["Term", "Meaning"]),
    ]


def test_docbook_settings_with_anchors_are_sections() -> None:
    term = '<dt id="{0}"><span class="term"><code>{0}</code> (<code>enum</code>) <a class="indexterm"></a></span></dt>'
    html = f"""<main><h1>WAL</h1><dl>{term.format("wal_level")}<dd>One of<dl>{term.format("minimal")}<dd>Less.</dd></dl></dd>
    <dt><span class="term">other</span></dt><dd>More.</dd></dl></main>"""
    assert [(part.anchor, part.headings[1:], [block.text for block in part.blocks]) for part in read(html).sections[1:]] == [
        ("wal_level", ("wal_level",), ["wal_level (enum)", "One of"]),
        ("minimal", ("wal_level", "minimal"), ["minimal (enum)", "Less."]),
        ("wal_level", ("wal_level",), ["other", "More."]),
    ]


def test_heading_in_a_description_belongs_to_its_term() -> None:
    """PostgreSQL has a setting with a note, LDoc a function with its parameters. One with an anchor is a section."""
    terms = "".join(f"<dt><a name={name}></a><b>{name}</b></dt><dd>text<h3>Note</h3>more</dd>" for name in "ab")
    terms += "<dt><a name=c></a>c</dt><dd><h3 id=s>See</h3>more</dd><dt><a name=d></a>d</dt><dd>x</dd>"
    page = read(f"<h1>Settings</h1><h2>All</h2><dl>{terms}</dl><h2>Rest</h2><p>End")
    assert [section.headings[1:] for section in page.sections] == [
        (),
        ("All",),
        ("All", "a"),
        ("All", "b"),
        ("All", "c"),
        ("All", "See"),
        ("All", "d"),
        ("Rest",),
    ]
    assert [block.text for block in page.sections[2].blocks] == ["a", "text", "Note more"]


@pytest.mark.parametrize(
    ("category", "name"),
    [("category", "<strong>"), ("category-def", "<code class=def-type>int</code> <strong class=def-name>")],
)
def test_texinfo_definitions_are_sections(category: str, name: str) -> None:
    """Several forms of one function are one section."""
    form = f"<span class={category}>Function: </span><span>{name}sin</strong> <em>({{}})</em><a href=#index-sin> ¶</a>"
    html = f"""<main><p>Next: <a href=x.html>X</a> [<a href=index.html rel=contents>Contents</a>]</p>
    <h1>Maths</h1><h2 id=t>Angles</h2><dl class=def><dt id=index-sin>{form.format("x")}</dt>
    <dt id=index-sin-1>{form.format("x, y")}</dt><dd><p>Goes.</p></dd></dl>
    <dl><dt id=index-list>An <strong>entry</strong></dt><dd>Meaning</dd></dl></main>"""
    results = [
        (part.anchor, part.headings[1:], [block.text.split()[-1] for block in part.blocks]) for part in read(html).sections
    ]
    assert results[1:] == [
        ("t", ("Angles",), []),
        ("index-sin", ("Angles", "sin"), ["(x)", "y)", "Goes."]),
        ("index-list", ("Angles", "An entry"), ["entry", "Meaning"]),
    ]


@pytest.mark.parametrize(
    ("html", "sections"),
    [
        # Glossaries, options of manual pages, LDoc, pldoc, pdoc3, Texinfo 6, Sphinx 1: a term with an anchor.
        (
            "<dl><dt id=wal><b>Log</b> (old)</dt><dd>x</dd><dt><a name=b></a>Base</dt><dd>y</dd></dl>",
            [("wal", "Log"), ("b", "Base")],
        ),
        ("<dl><dt id=a><code>-a</code> <i>n</i></dt><dt id=all>--all</dt><dd>x</dd></dl>", [("a", "-a n")]),
        ("<dl><dt><a name=i></a>Function: <strong>sin</strong> <em>x</em></dt><dd>x</dd></dl>", [("i", "sin")]),
        ("<dl><dt class=pubdef>[det]<a id=m/1><strong>m</strong>(<i>X</i>)</a></dt><dd>x</dd></dl>", [("m/1", "m")]),
        ("<dl><dt id=j.f><code class=name>def <b class=ident>f</b>(s)</code></dt><dd>x</dd></dl>", [("j.f", "f")]),
        ("<dl><dt id=f>f(<a href=t.html>t</a>)<a class=viewcode-link href=m.html>f</a></dt><dd>x</dd></dl>", [("f", "f")]),
        # Nested terms are not members of each other, as functions of a class are.
        ("<dl><dt id=a>-a</dt><dd>x<dl><dt id=b>on</dt><dd>y</dd></dl></dd></dl>", [("a", "-a"), ("b", "on")]),
        # Entries of lists, as those of dartdoc, and footnotes are none.
        ("<dl><dt id=f><a href=f.html>f</a>(x)</dt><dd>x</dd><dt class=label id=i>1</dt><dd>y</dd></dl>", []),
        ("<dl><dt id=a>a<dl><dt id=b>b</dt></dl></dt></dl>", [("b", "b")]),  # without an end of the first term
        # RDoc, Crystal, odoc, ocamldoc, pdoc, pydoctor, Nim.
        ("<div id=i class=method-detail><div class=method-heading><b class=method-name>f</b>(x)</div>y</div>", [("i", "f")]),
        ("<div id=i class=entry-detail><div class=signature>def <strong>f</strong>(x)</div>y</div>", [("i", "f")]),
        ("<div class=odoc-spec><div class='spec value' id=val-f><code>val f : t</code></div>y</div>", [("val-f", "f")]),
        ("<pre><b id=MODULEM><b class=keyword>module</b> M</b></pre>", []),
        ("<pre><span id=TYPEt><b class=keyword>type</b> 'a t</span> = x</pre>y", [("TYPEt", "t")]),
        (
            "<section id=C><div class=attr><b class=name>C</b></div>x<div id=C.f><div class=attr><b class=name>f</b></div>y",
            [("C", "C"), ("C.f", "C.f")],
        ),
        ("<div><a name=f></a><div class=functionHeader>def <b class=py-defname>f</b>(x)</div>y</div>", [("f", "f")]),
        ("<div id=f,x><dt><pre>proc <a href='#f'><b class=Identifier>f</b></a>(x)</pre></dt><dd>y</div>", [("f,x", "f")]),
        # Scribble, Compodoc; a paragraph with its number.
        ("<p>(<a name='(f~3f)'></a><b><a href='#%28f~3f%29'>f?</a></b> x)</p>y", [("(f~3f)", "f?")]),
        ("<table><tr><td>(<a name=f></a><a href='#f'>f</a><td>x)</table>y", [("f", "f")]),
        ("<table><tr><td><a name=f></a><b>f</b> <a href='#f'><i></i></a><tr><td>y</table>", [("f", "f")]),
        ("<p><a name=f></a>See <a href='#g'>f</a>.</p><p><a name=h></a>As in f. <a href='#h'>¶</a></p>", []),
    ],
)
def test_descriptions_of_other_generators_are_sections(html: str, sections: list[tuple[str, str]]) -> None:
    """The text after a description belongs to the page again, if the description has an end."""
    page = read(f"<main><h1>T</h1><p>a</p>{html}<h2>End</h2></main>")
    assert [(part.anchor, part.headings[-1]) for part in page.sections if part.levels[-1:] > (6,)] == sections


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("title", [("title", "", "")]),
        (" image[src] , image_alt[alt] ", [("image", "src", ""), ("image_alt", "alt", "")]),
        ("author:Peter", [("author", "", "Peter")]),
        (
            "heading, tag[data-s], author:Free, to the end: yes",
            [("heading", "", ""), ("tag", "data-s", ""), ("author", "", "Free, to the end: yes")],
        ),
        ("a[x:y], b", [("a", "x:y", ""), ("b", "", "")]),
        ("", []),
        (",, ,", []),
        (":x", []),
        ("x:", []),
    ],
)
def test_pagefind_capture_lists_are_parsed(text: str, results: list[tuple[str, str, str]]) -> None:
    """The syntax that Pagefind documents."""
    assert list(captures(text)) == results


@pytest.mark.parametrize("name", ["ranvier", "pagefind"])
def test_ranvier_and_pagefind_attributes_are_read(name: str) -> None:
    """`data-ranvier-*` and `data-pagefind-*` mean the same."""
    page = read(
        f"""<html><head><meta data-{name}-filter="site[content]" content="Docs"></head><body>
        <p data-{name}-filter="author">Ada <b>L</b>.</p>
        <p data-{name}-filter="author[data-x], section:One, two" data-x="Bo">x</p>
        <i data-{name}-meta="date:2022-06-01"></i><i data-{name}-default-meta="kind:post"></i>
        <i data-{name}-sort="price[v]" v="9"></i>
        <i data-{name}-default-meta="date:never"></i><main data-{name}-body data-{name}-weight="2.5"><h1>H</h1>
        <b data-{name}-meta="title">The title<a class=headerlink href=#x>#</a></b><b data-{name}-meta="colour">red</b>
        <div data-{name}-ignore=all><i data-{name}-filter="author:Nobody"></i><h1 data-{name}-meta="size:9"></h1></div>"""
    )
    assert page.declared_title == "The title"
    assert page.filters == ("site/Docs", "author/Ada L.", "author/Bo", "section/One, two")
    assert (page.created, page.kind, page.weight, page.marked) == ("2022-06-01", "post", 2.5, True)
    assert page.extra == (("colour", "red"), ("sort.price", "9"))
    assert page.warnings == ()


@pytest.mark.parametrize("name", ["data-ranvier-ignore", "data-ranvier-ignore=index", "data-pagefind-ignore"])
@pytest.mark.parametrize(
    "html",
    [
        "<html {}><body><p>secret",
        "<body {}><p>secret",
        "<div {}><main><h1>secret</h1><p>secret</main></div>",
        "<div {}><article>secret</article></div>",
        "<div {}><div data-ranvier-body>secret</div></div>",
        "<main {}><p>secret<img src=secret.png><time datetime=2020-01-02>x</time></main>",
    ],
)
def test_main_content_in_an_ignored_element_is_not_read(html: str, name: str) -> None:
    page = read(html.format(name))
    assert "secret" not in repr(page)
    assert (page.sections, page.created) == ((), "")


def test_ignored_elements_keep_their_filters_only_with_index() -> None:
    """Pagefind's attribute without a value hides the text only; Ranvier's hides everything, unless its value is `index`."""
    html = "<p data-{}>secret <b data-pagefind-filter='author'>Ada</b></p>"
    for attribute, expected in (
        ("pagefind-ignore", ("author/Ada",)),
        ("pagefind-ignore=index", ("author/Ada",)),
        ("pagefind-ignore=all", ()),
        ("ranvier-ignore", ()),
        ("ranvier-ignore=index", ("author/Ada",)),
    ):
        page = read(html.format(attribute))
        assert (page.filters, page.sections) == (expected, ()), attribute


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<h1>Out</h1><main data-pagefind-body>x</main>", "Out"),
        ("<h1 data-pagefind-ignore>Out</h1><main data-pagefind-body>x</main>", "Out"),
        ("<h1 data-pagefind-ignore=all>no</h1><h1>Out</h1><main data-pagefind-body>x</main>", "Out"),
        ("<h1 data-ranvier-ignore>no</h1><nav><h1>no</h1></nav><h1 hidden>no</h1><main data-pagefind-body>x</main>", ""),
        ("<h1>Out</h1><main data-pagefind-body><h1>In</h1>x</main>", "In"),
        ("<h1>Out</h1><main>x</main>", ""),
    ],
)
def test_title_heading_may_stand_outside_a_marked_body(html: str, title: str) -> None:
    """As in Pagefind, for pages with a marked body."""
    assert read(html).heading == title


@pytest.mark.parametrize("weight", ["-1", "11", "heavy", "nan", ""])
def test_invalid_weight_is_reported(weight: str) -> None:
    page = read(f"<main data-ranvier-weight='{weight}'>x</main>")
    assert page.weight == 1
    assert [(warning.kind, warning.file) for warning in page.warnings] == [("markup", "guide/a.html")]


@pytest.mark.parametrize(
    ("head", "noindex", "redirect"),
    [
        ("<meta name=robots content='NOINDEX, follow'>", True, False),
        ("<meta name=robots content=none>", True, False),
        ("<meta name=ranvier content=noindex>", True, False),
        ("<meta name=robots content='noindex nofollow'>", True, False),
        ("<meta name=robots content='nofollow; noindex'>", True, False),
        ("<meta name=robots content='noindex max-snippet:-1'>", True, False),
        ("<meta name=robots content='max-image-preview:none, max-snippet: 9'>", False, False),
        ("<meta name=robots content='index, max-image-preview: none'>", False, False),
        ("<meta name=robots content='index, follow'>", False, False),
        ("<meta http-equiv=refresh content='0; url=../b.html'>", False, True),
        ("<meta http-equiv=Refresh content=\"5;URL='https://example.org/'\">", False, True),
        ("<meta http-equiv=refresh content=30>", False, False),
        ("<meta http-equiv=refresh content='30; url=a.html'>", False, False),
        ("<noscript><meta http-equiv=refresh content='0; url=/no-js.html'></noscript><script>f('/app')</script>", False, False),
        ("<noscript><meta http-equiv=refresh content='1; url=../b/'></noscript><script>go('../b/' + x)</script>", False, True),
    ],
)
def test_robots_noindex_and_redirects_are_read(head: str, noindex: bool, redirect: bool) -> None:
    page = read(f"<head>{head}</head><body>x")
    assert (page.noindex, page.redirect) == (noindex, redirect)


def test_metadata_of_the_head_is_read() -> None:
    page = read(
        """<html lang=de-CH><head><title> A
        title </title><meta name=description content="About it."><meta name=keywords content="a, b,,#c">
        <meta property=article:tag content=d><meta property=article:published_time content=2020-01-02T10:00:00Z>
        <meta property=article:modified_time content=2021-02-03></head><body><svg><title>no</title></svg>"""
    )
    assert (page.head_title, page.lang, page.summary) == ("A title", "de-CH", "About it.")
    assert (page.keywords, page.created, page.updated) == (("a", "b", "c", "d"), "2020-01-02", "2021-02-03")


def test_language_with_an_underscore_is_written_as_a_tag() -> None:
    """Older releases of Sphinx write it."""
    assert read("<html lang=zh_CN><body>x").lang == "zh-CN"


@pytest.mark.parametrize(
    ("body", "dates"),
    [
        ("<p>On <time datetime=2020-01-02T10:00>a day</time>", ("2020-01-02", "")),
        ("<p><time datetime=1969-07-20>x</time> and <time datetime=1972-12-07>y</time>", ("", "")),
        ("<header><time datetime=2020-01-02>x</time></header>born <time datetime=1906-12-09>y</time>", ("2020-01-02", "")),
        ("<time itemprop=dateModified datetime=2020-01-02>x</time>", ("", "2020-01-02")),
        ("<time datetime='last week'>x</time>", ("", "")),
        (
            "<p data-pagefind-meta=date>January 3, 2024</p><header><time datetime=2024-01-03>x</time></header>",
            ("2024-01-03", ""),
        ),
        ("<p data-ranvier-meta=created>2024-01-03T10:00</p><p data-ranvier-meta=updated>soon</p>", ("2024-01-03", "")),
    ],
)
def test_dates_are_read_from_time_elements_and_marks(body: str, dates: tuple[str, str]) -> None:
    page = read(f"<main>{body}</main>")
    assert (page.created, page.updated) == dates


@pytest.mark.parametrize(
    ("data", "text", "warning"),
    [
        ("é".encode(), "é", ""),
        (b"\xef\xbb\xbf\xc3\xa9", "é", ""),
        ("é".encode("utf-16-le").join([b"\xff\xfe", b""]), "é", ""),
        (b"\xfe\xff" + "é".encode("utf-16-be"), "é", ""),
        (b"<meta charset=iso-8859-1>\x93\xe9", "<meta charset=iso-8859-1>“é", ""),
        ('<meta http-equiv=x content="text/html; charset=Shift_JIS">日本'.encode("cp932"), "日本", ""),
        ('<meta charset="x-sjis">日本'.encode("cp932"), "日本", ""),
        ("<meta charset=x-x-big5>中文".encode("big5"), "中文", ""),
        (b"<meta charset=big5>\xc6\xa1", "①", ""),
        ("<meta charset=Big5-HKSCS>香港嘅".encode("big5hkscs"), "香港嘅", ""),
        ("<meta charset=windows-874>ไทย".encode("cp874"), "ไทย", ""),
        ("<meta charset=windows-949>한국".encode("cp949"), "한국", ""),
        ("<meta charset=iso-8859-8-i>שלום".encode("iso8859-8"), "שלום", ""),
        ("<!-- <meta charset=iso-8859-1> --><meta charset=utf-8>é".encode(), "utf-8>é", ""),
        (b"<meta charset=utf-16>\xc3\xa9", "é", ""),
        (b"<meta charset=utf-8>\xe9", "\ufffd", "is not utf-8 at byte 20"),
        (b"\xe9", "é", "declares no encoding"),
        (b"<meta charset=unicode_escape>\\u0041", "\\u0041", "unknown encoding"),
        (b"<meta charset=nonsense>a", "a", "unknown encoding"),
        (b"a\0b", "ab", ""),
    ],
)
def test_html_encodings_are_detected(data: bytes, text: str, warning: str) -> None:
    result, strange = decode(data)
    assert result.endswith(text)
    assert warning in strange
    assert bool(warning) == bool(strange)


@pytest.mark.parametrize(
    ("declared_titles", "titles", "name"),
    [
        (["Install - Docs", "Use - Docs", "Docs"], ["Install", "Use", "Docs"], "Docs"),
        (["A | B | Site", "C | B | Site", "D | Site"], ["A", "C", "D"], "Site"),
        (["A — S — P", "B — S — P", "C — T — P"], ["A", "B", "C — T"], "P"),
        (["Site: A", "Site: B", "Site: C: D"], ["A", "B", "C: D"], "Site"),
        (["A", "B"], ["A", "B"], ""),
        (["A - B", "C - D", "E - F"], ["A - B", "C - D", "E - F"], ""),
        ([], [], ""),
        (["One - Docs"], ["One - Docs"], ""),
    ],
)
def test_common_affix_of_titles_is_the_site_name(declared_titles: list[str], titles: list[str], name: str) -> None:
    result = affix(declared_titles)
    assert ([result.strip(title) for title in declared_titles], result.name) == (titles, name)


def page_of(title: str = "", body: str = "text", head: str = "") -> str:
    return f"<html><head><title>{title}</title>{head}</head><body><main>{body}</main></body></html>"


def test_page_title_from_mark_heading_head_or_file() -> None:
    """In this order; the name of the site is removed from `<title>`."""
    pages = {
        "a.html": page_of("Alpha - Docs", "<h1>The first<a class=headerlink href=#x>¶</a></h1>a"),
        "b.html": page_of("Beta - Docs", "b"),
        "c.html": page_of("Gamma - Docs", "<h1>C</h1><b data-ranvier-meta='title'>Said</b>"),
        "deep/index.html": page_of("&lt;no title>", "e"),
        "deep/some-thing.html": page_of("", "d"),
        "index.html": page_of("Docs", "home"),
    }
    titles = ["The first", "Beta", "Said", "deep", "some thing", "Docs"]
    assert titles_of(pages) == dict(zip(pages, titles, strict=True))


def test_title_of_most_pages_is_no_title() -> None:
    """Compodoc has no other one, and LDoc a heading with the site's name; the home page is named after the site."""
    bodies = {"index.html": "<h1>Home</h1>a", "Dog.html": "b", "c.html": "<h1>Docs</h1>c<h2>Cats</h2>c", "d.html": "<h1>D</h1>"}
    bodies |= {"e.html": "<h1>Docs</h1>e<h2>See</h2>e", "f.html": "<h1>Docs</h1>f<h2>See</h2>f", "g.html": "<h1>G</h1>g"}
    titles = ["Home", "Dog", "Cats", "D", "e", "f", "G"]
    pages = {path: page_of("Docs of X", body) for path, body in bodies.items()}
    assert titles_of(pages) == dict(zip(pages, titles, strict=True))
    pages["index.html"] = page_of("Docs of X", "a")
    assert titles_of(pages)["index.html"] == "Docs of X"


def test_name_of_the_site_in_parentheses() -> None:
    """Texinfo writes it behind the title."""
    pages = {f"{name}.html": page_of(f"{name} ({name}2) (GNU X (version 7))", f"text {name}") for name in "abc"}
    assert titles_of(pages) == {f"{name}.html": f"{name} ({name}2)" for name in "abc"}
    assert site(pages).title == "GNU X (version 7)"
    pages = {f"{name}.html": page_of(f"{name} ({system})", f"text {name}") for name, system in zip("abcd", "LLLW", strict=True)}
    assert titles_of(pages)["a.html"] == "a (L)"


def test_title_that_is_only_the_name_of_the_site_is_no_title() -> None:
    pages = {f"{name}.html": page_of(f"{name}: S", f"text {name}") for name in "abc"} | {"unix-x.html": page_of(": S", "text")}
    assert titles_of(pages)["unix-x.html"] == "unix x"


def test_heading_and_the_class_below_it_are_one() -> None:
    """A breadcrumb has the name once, and leads to the description."""
    described = (
        '<dl><dt class="sig" id="m.C"><span class="sig-prename">m.</span><span class="sig-name">m.C</span></dt><dd>x</dd></dl>'
    )
    (page,) = site({"a.html": page_of("T", f"<h1>T</h1><h2 id=c>m.C</h2>{described.replace('>m.<', '><')}")}).rendered
    assert [(part.anchor, part.headings) for part in page.sections if part.blocks] == [("m.C", ("m.C",))]
    (page,) = site({"a.html": page_of("f", '<h1>f</h1><dl><dt class="sig" id="f">f</dt><dd>x</dd></dl>')}).rendered
    assert [(part.anchor, part.headings) for part in page.sections if part.blocks] == [("", ())]


def test_heading_of_doxygen() -> None:
    """It is no h1; all `<title>`s may be the name of the project."""
    head = '<div class="headertitle"><div class="title">A::{} Class Reference<div class="ingroups">Group</div></div></div>'
    pages = {f"{name}.html": page_of("SFML", head.format(name) + f"<h2>Use</h2>text {name}") for name in "BCDE"}
    assert titles_of(pages) == {f"{name}.html": f"A::{name} Class Reference" for name in "BCDE"}


def test_heading_on_every_page_is_the_site_name() -> None:
    pages = {f"{name}.html": page_of(f"{name} | S", f"<h1>My site</h1>text {name}") for name in "abcd"}
    assert titles_of(pages) == {f"{name}.html": name for name in "abcd"}
    assert all(page.sections[0].headings == () for page in site(pages).rendered)


def test_repeated_headings_are_replaced_by_longer_titles() -> None:
    pages = {
        f"{name}/index.html": page_of(f"Overview of {name} | S", f"<h1>Overview</h1>text {name}") for name in ("ants", "bees")
    } | {"c.html": page_of("C | S", "<h1>C</h1>c"), "d.html": page_of("D | S", "<h1>D</h1>d")}
    assert [title for path, title in titles_of(pages).items() if "index" in path] == ["Overview of ants", "Overview of bees"]


@pytest.mark.parametrize(
    ("title", "aliases"),
    [
        ("Class Net::HTTP", ("Net::HTTP", "HTTP")),
        ("Interface Pair<L,R extends Comparable<R>>", ("Pair",)),
        ("Vec in alloc::vec", ("Vec",)),
        ("Json::Value Class Reference", ("Json::Value", "Value")),
        ("Module `Stdlib.List`", ("Stdlib.List", "List")),
        ("Class invariants and contracts", ()),
        ("Structures", ()),
    ],
)
def test_page_of_a_reference_is_found_by_its_short_name(title: str, aliases: tuple[str, ...]) -> None:
    """*Object storage* is prose if few pages of a site have such a title."""
    others = ["class A", "class B", *("Words of a guide " + "abcdefghi"[: at + 1] for at in range(9))]

    def aliases_of(titles: list[str]) -> list[tuple[str, ...]]:
        pages = {f"{at:02}.html": page_of("", f"<h1>{escape(name)}</h1><p>Text {at}.</p>") for at, name in enumerate(titles)}
        return [page.page.neuron.aliases for page in site(pages).rendered]

    assert aliases_of([title, "class C", *others])[0] == aliases
    assert aliases_of([title, *others[1:]])[0] == ()


def test_heading_of_several_pages_is_replaced_by_their_titles() -> None:
    """Old sites have their name as the first h1 of many pages, but not of most."""
    heads = {"a": "Part a", "b": "Part b", "c": "Untitled", "d": "", "e": "Docs"} | {name: name.upper() for name in "fghijk"}
    pages = {
        f"{name}.html": page_of(head, f"<h1>The site</h1>text {name}")
        if name < "f"
        else page_of(f"{head} - Docs", f"<h1>{head}</h1>text {name}")
        for name, head in heads.items()
    }
    heads |= dict.fromkeys("cde", "The site")
    assert titles_of(pages) == {f"{name}.html": title for name, title in heads.items()}


def test_preamble_of_odoc_is_text() -> None:
    """It has the title of a module and the first paragraphs; the header of a site is no text."""
    preamble = "<header class='odoc-preamble'><h1>Module {0}</h1><p>About {0}</p></header>"
    page = f"<title>T</title>{preamble}<div><h2>Types</h2><p>More {{0}}</p></div>"
    result = site({f"{name}.html": page.format(name) for name in "AB"})
    assert [page.page.neuron.title for page in result.rendered] == ["Module A", "Module B"]
    assert [block.text for block in result.rendered[0].sections[0].blocks] == ["About A"]
    banner = "<title>P {0}</title><header><h1>Site</h1><p>Good</p></header><div><p>Text {0}</p></div>"
    result = site({f"{name}.html": banner.format(name) for name in "AB"})
    assert [page.page.neuron.title for page in result.rendered] == ["P A", "P B"]
    assert [block.text for section in result.rendered[0].sections for block in section.blocks] == ["Text A"]


def test_title_above_the_headings_is_not_replaced_by_a_heading() -> None:
    """Haddock writes the name of a module into a paragraph, and a section's name into an h1."""
    pages = {f"{name}.html": page_of(f"Data.{name}", f"<p>Data.{name}</p><h1>Use of {name}</h1>text") for name in "ABC"}
    assert titles_of(pages) == {f"{name}.html": f"Data.{name}" for name in "ABC"}


def test_page_whose_sections_have_main_headings_has_the_title_of_its_head() -> None:
    """Its first h1 is "Overview"; a `<title>` that several pages have is no title."""
    body = "<h1>1. Overview</h1>text<h1>2. Use</h1>more"
    assert titles_of({"a.html": page_of("Dates | S", body), "b.html": page_of("B | S", "<h1>B</h1>b")})["a.html"] == "Dates"
    assert titles_of({f"{name}.html": page_of("S", f"{body} {name}") for name in "ab"})["a.html"] == "1. Overview"
    function = '<dl><dt class="sig" id=f>f()</dt><dd>x</dd></dl>'  # the text behind it belongs to the h1 again
    assert titles_of({"a.html": page_of("C | S", f"<h1>Class C</h1>a{function}b")})["a.html"] == "Class C"
    assert titles_of({"a.html": page_of("Overview of S", "<h1>Overview</h1>a<h1>B</h1>b")})["a.html"] == "Overview"


@pytest.mark.parametrize(
    ("head_title", "body", "title"),
    [
        ("F.View.query", "<h1>query</h1>", "F.View.query"),  # Valadoc
        ("A query", "<h1>query</h1>", "query"),
        ("git-add(1)", "<h1>git-add(1) Manual Page</h1>", "git-add(1)"),  # AsciiDoc
        ("Maps (SRFI 1) (GNU M (1.2))", "<h3>2.1 Maps (SRFI 1) and more</h3>", "Maps (SRFI 1)"),  # Texinfo
        ("Maps (old)", "<h3>Sets</h3>", "Maps (old)"),
        ("Section A.2", "<h2>A.2 Lists</h2>", "A.2 Lists"),  # ltx2htm
        ("Section A.2", "<h2>A.20 Lists</h2>", "Section A.2"),
    ],
)
def test_title_is_complete_and_without_the_name_of_the_manual(head_title: str, body: str, title: str) -> None:
    (page,) = site({"a.html": page_of(head_title, f"{body}<p>text")}).rendered
    assert page.page.neuron.title == title
    assert "Manual Page" not in repr(page.sections)


def test_title_heading_is_no_section() -> None:
    """A breadcrumb has the title once."""
    (page,) = site({"a.html": page_of("T", "<h1 id=t>T</h1><p>intro<h2 id=u>U</h2>x<h1 id=v>V</h1>y")}).rendered
    assert [(part.anchor, part.headings) for part in page.sections] == [("", ()), ("u", ("U",)), ("v", ("V",))]


def test_title_heading_of_any_level_is_no_section() -> None:
    """DocBook writes the title of a page as an h2."""
    (page,) = site(
        {"a.html": page_of("25.1. T", "<h2 id=t>25.1.&nbsp;T</h2><p>intro<h3 id=u>U</h3>x<h2 id=v>V</h2>y")}
    ).rendered
    assert [(part.anchor, part.headings) for part in page.sections] == [("", ()), ("u", ("U",)), ("v", ("V",))]
    (page,) = site({"a.html": page_of("T", "<h1>T</h1><p>intro<h2 id=t>1. T</h2>x")}).rendered
    assert [(part.anchor, part.headings) for part in page.sections] == [("", ()), ("t", ("1. T",))]
    for number in ("10.4", "A.1.6", "22"):
        (page,) = site({"a.html": page_of("T", f"<h3>{number} T</h3>x")}).rendered
        assert [part.headings for part in page.sections] == [()]
    pages = {f"{name}.html": page_of(name, f"<h1>The site</h1><h2>{name}</h2>x{name}<h3>U</h3>y{name}") for name in "abcd"}
    assert all([part.headings for part in page.sections] == [(), ("U",)] for page in site(pages).rendered)
    (page,) = site({"a.html": page_of("T", "<h2 id=u>U</h2>x<h2 id=t>T</h2>y")}).rendered
    assert [part.headings for part in page.sections] == [("U",), ("T",)]


def test_text_on_most_pages_is_removed() -> None:
    """Boilerplate is recognised in any language."""
    frame = "<p>Was this page helpful?</p><pre>pip install x</pre><h2>Feedback</h2><p>Ja oder nein?</p>"
    out = site({f"{at}.html": page_of(f"Page {at}", f"<p>own text {at}</p>{frame}") for at in range(8)})
    words = [[block.text for part in page.sections for block in part.blocks] for page in out.rendered]
    assert words == [[f"own text {at}", "pip install x"] for at in range(8)]
    assert [part.headings for part in out.rendered[0].sections] == [()]
    small_site = site({f"{at}.html": page_of(f"Page {at}", f"<p>own text {at}</p>{frame}") for at in range(3)})
    assert "Was this page helpful?" in small_site.rendered[0].chunks[0].body


def test_heading_without_text_on_most_pages_is_no_section() -> None:
    """HonKit writes one for its search results, Javadoc one above the methods."""
    body = "<p>Text {0}</p><h2>Methods</h2><h3>{0}</h3>text<h1>No results</h1>"
    result = site({f"{name}.html": page_of(f"T {name}", body.format(name)) for name in "abcdef"})
    assert [part.headings for part in result.rendered[0].sections] == [(), ("Methods", "a")]


def test_text_on_most_pages_in_one_language_is_removed() -> None:
    """A translated site has few pages in each language."""
    frames = {
        "en": ("Was this page helpful?", 12),
        "de": ("War diese Seite hilfreich?", 7),
        "fr": ("Cette page est-elle utile ?", 3),
    }
    pages = {
        f"{lang}/{at}.html": f"<html lang={lang}>{page_of(f'{lang} {at}', f'<p>own text {at}</p><p>{frame}</p>')}"
        for lang, (frame, count) in frames.items()
        for at in range(count)
    }
    words = {page.page.neuron.path: page.sections[0].blocks[-1].text for page in site(pages).rendered}
    assert (words["en/1.html"], words["de/1.html"]) == ("own text 1", "own text 1")
    assert words["fr/1.html"] == frames["fr"][0]


def test_only_marked_pages_are_indexed_if_one_is_marked() -> None:
    """As in Pagefind."""
    out = site({"a.html": "<p>a", "b.html": "<p data-pagefind-body>b", "c.html": "<main data-ranvier-body>c</main>"})
    assert [page.page.neuron.path for page in out.rendered] == ["b.html", "c.html"]
    assert out.withheld == {Reason.NOT_MARKED: 1}


def canonical(**pages: str) -> dict[str, str]:
    links = {name: f"<link rel=canonical href='{href}'>" if href else "" for name, href in pages.items()}
    return {f"{name.replace('__', '/')}.html": page_of(name, f"text of {name}", link) for name, link in links.items()}


@pytest.mark.parametrize(
    ("pages", "out"),
    [
        (canonical(a="https://x.org/docs/a.html", b="https://x.org/docs/a.html", c="https://x.org/docs/c/"), {"b.html"}),
        (canonical(a="a.html", b="a.html"), {"b.html"}),
        (canonical(guide__index="https://x.org/guide/", guide__old="https://x.org/guide"), {"guide/old.html"}),
        (canonical(a="https://x.org/latest/a.html", b="https://x.org/latest/b.html"), set()),
        (canonical(a="https://x.org/b.html", b="https://x.org/a.html", c="https://x.org/c.html"), set()),
        (canonical(a="https://x.org/gone.html", c="https://x.org/c.html"), set()),
        (canonical(a="", b="//[", c=""), set()),
    ],
)
def test_page_with_another_canonical_url_is_not_indexed(pages: dict[str, str], out: set[str]) -> None:
    """The address of the site need not be configured."""
    result, disbelieved = duplicates([read(html, path) for path, html in sorted(pages.items())], "")
    assert (result, disbelieved) == (out, "")


def test_one_canonical_url_on_all_pages_is_ignored() -> None:
    """It is a common mistake of templates; only the home page would remain."""
    pages = {f"{name}.html": page_of(name, f"text {name}", "<link rel=canonical href='https://x.org/'>") for name in "abcd"}
    out = site({**pages, "index.html": page_of("Home", "home")})
    assert len(out.rendered) == 5
    assert [(warning.kind, warning.file) for warning in out.warnings] == [("duplicate", "index.html")]


def test_duplicate_page_is_indexed_once() -> None:
    same = page_of("T", "<h1>T</h1>the very same")
    out = site({"index.html": same, "home/copy.html": same, "z.html": page_of("Z", "z")})
    assert [page.page.neuron.path for page in out.rendered] == ["index.html", "z.html"]
    assert [(warning.kind, warning.file) for warning in out.warnings] == [("duplicate", "home/copy.html")]
    assert out.withheld == {Reason.DUPLICATE: 1}


def test_duplicate_page_in_the_folder_of_its_language_is_indexed() -> None:
    """A site may have a page in each of its languages before it is translated."""
    same = f"<html lang=en>{page_of('T', '<h1>T</h1>the very same')}"
    out = site({f"{lang}/t/a.html": same for lang in ("de", "en", "fr")})
    assert [page.page.neuron.path for page in out.rendered] == ["en/t/a.html"]
    same_in_each = {
        f"{lang}/a.html": f"<html lang={lang}>{page_of('T', '<h1>T</h1>the very same')}" for lang in ("cs", "en", "fr")
    }
    assert [page.page.neuron.path for page in site(same_in_each).rendered] == ["en/a.html"]
    assert [page.page.neuron.path for page in site(same_in_each, Config(lang="fr")).rendered] == ["fr/a.html"]


def test_empty_page_is_found_by_its_title() -> None:
    out = site({"app.html": "<title>Try it</title><div id=root></div><script>start()</script>"})
    assert [(warning.kind, warning.file) for warning in out.warnings] == [("empty", "app.html")]
    assert [(page.page.neuron.title, page.chunks[0].body) for page in out.rendered] == [("Try it", "")]


def test_description_is_used_if_it_is_specific_to_the_page() -> None:
    """It is not the description of the site, nor the first words of the page."""
    head = "<meta name=description content='{}'>"
    pages = {
        "a.html": page_of("A", "text a", head.format("The site.")),
        "b.html": page_of("B", "text b", head.format("The site.")),
        "c.html": page_of("C", "First words of c, and more.", head.format("First words of c…")),
        "d.html": page_of("D", "text d", head.format("About d.")),
    }
    assert [page.page.neuron.summary for page in site(pages).rendered] == ["", "", "", "About d."]


def test_neuron_fields_of_an_html_page() -> None:
    """N1: a stable id and number, tags from filters and keywords, the language."""
    html = page_of("A", "<i data-pagefind-filter='author:Ada'></i>text", "<meta name=keywords content='x, y'>")
    (first,) = site({"g/index.html": html.replace("<html>", "<html lang=fr>")}, Config(name="docs")).rendered
    page, neuron = first.page, first.page.neuron
    assert (page.seq, page.slug, page.url, page.is_index) == (1, "g", "g/", True)
    assert page.seq_id.startswith("docs_")
    assert (neuron.id, neuron.path) == ("g/index.html", "g/index.html")
    assert (neuron.tags, neuron.lang) == (("author/Ada", "x", "y"), "fr")


def test_language_of_a_page_without_one_is_detected() -> None:
    """By its folder and its prose, as in a build; a declared language has priority, and code has none."""
    german = "Das ist ein Satz, der mit anderen Worten sagt, was die Seite ist und warum sie nicht auf Englisch ist. " * 3
    pages = {
        "de-DE/a.html": page_of("A", f"<p>{german}</p>"),
        "b.html": page_of("B", f"<p>{german}</p>"),
        "c.html": f"<html xml:lang=en>{page_of('C', f'<p>{german}</p>')}",
        "d.html": page_of("D", f"<p>Short.</p><pre>{german}</pre>"),
    }
    assert [page.page.neuron.lang for page in site(pages).rendered] == ["de", "en", "en", "de-DE"]
    types = "<p>val on : elt -> le tas</p><p>type un = le t les des en est</p><p>val un : le t</p>"
    for signatures in ("<p>size :: Bundle v a -> Size</p>", types):
        assert not read(page_of("Haskell and OCaml", signatures * 20), "h.html").lang
    assert read(page_of("C++", f"<p>std::vector: {german}</p>"), "c.html").lang == "de"
    many = {f"{at:03}.html": page_of(f"P {at}", "<p>Short.</p>") for at in range(250)}
    assert {page.page.neuron.lang for page in site(many | {"b.html": pages["b.html"]}).rendered} == {"en"}


def test_extra_fields_are_published_only_if_configured() -> None:
    """N3: as with frontmatter."""
    pages = {
        "a.html": page_of("A", "text<i data-pagefind-meta='product:Kestrel'></i><i data-ranvier-meta='internal:Wolverine'></i>")
    }
    (plain,) = site(pages).rendered
    assert plain.page.neuron.extra == ()
    (page_with_field,) = site(pages, Config(search_fields=("prod*",))).rendered
    assert page_with_field.page.neuron.extra == (("product", "Kestrel"),)
    assert "Kestrel" in " ".join(chunk.body for chunk in page_with_field.chunks)
    assert "Wolverine" not in str(page_with_field)


def test_site_name_and_language_come_from_the_pages() -> None:
    pages = {f"{name}.html": page_of(f"{name} · My Docs").replace("<html>", "<html lang=de>") for name in "abc"}
    out = site({**pages, "d.html": page_of("d · My Docs")})
    assert (out.title, out.lang) == ("My Docs", "de")
    assert site(pages, Config(title="Set")).title == "Set"
    translated = {f"{lang}.html": f"<html lang={lang}>{page_of(lang)}" for lang in ("cs", "en", "fr")}
    assert (site(translated).lang, site(translated, Config(lang="fr")).lang) == ("en", "fr")


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 60_000 + "deep" + "</div>" * 60_000,
        "<div>" * 60_000 + "deep",
        "<ul><li>" * 50_000 + "deep",
        "<span>" * 100_000 + "<p>deep</p>" * 100,
        "<div/>" * 50_000 + "deep",
        "</div>" * 200_000 + "deep",
        "<svg>" + "<path/>" * 100_000 + "</svg>deep",
        "<h2>" * 50_000 + "deep",
        "<table><tr><td>" * 20_000 + "deep",
        "<a href=#x>" * 100_000 + "deep",
        "<b><p>" * 3_000 + "deep",
        "<!--" * 100_000 + "-->deep",
        "<main" * 50_000 + ">deep",
        "<p>word <b>more</b>\n" * 60_000 + "deep",
        "deep <" * 100_000,
    ],
)
@pytest.mark.timeout(60)
def test_deep_broken_and_large_pages_are_read(html: str) -> None:
    """N9: the parser alone would need more than a minute for some of them."""
    texts = [*texts_of(html), *(name for section in read(html).sections for name in section.headings)]
    assert any("deep" in text for text in texts) or "<!--" in html or "<main" in html


def test_unclosed_heading_is_cut_and_read_as_text() -> None:
    """The parser puts the rest of the page into the heading; breadcrumbs must not have it."""
    (section,) = read("<main><h2 id=a>Title " + "word " * 5_000 + "<p>end of it").sections
    assert len(section.headings[0]) <= 302
    assert section.headings[0].startswith("Title word")
    assert section.blocks[0].text.endswith("end of it")
    assert len(read("<title>" + "word " * 5_000).head_title) <= 302


def test_elements_nested_too_deep_are_flattened() -> None:
    deep = "<div>" * 2_000 + "a<h2 id=x>H</h2><p>b</p>" + "</div>" * 2_000 + "<p>after</p>"
    flat = shallow(deep)
    assert flat.count("<div>") == flat.count("</div>") == MAX_DEPTH
    assert [section.headings for section in read(deep).sections] == [(), ("H",)]
    assert parse(deep).css_first("p").text() == "b"


def test_normal_page_is_not_flattened() -> None:
    html = "<div><p>one<p>two<br>" * 400 + "</div>" * 400 + "<li>x" * 5_000
    assert shallow(html) is html
