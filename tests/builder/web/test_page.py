"""HTML of another generator becomes a page to search (N8): its main content, code, dates, encoding."""

import pytest
from ranvier_builder.render.html import MAX_DEPTH, parse, shallow
from ranvier_builder.web.charset import decode
from ranvier_builder.web.page import address
from support.html_pages import page_of, read, texts_of


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
        ("<h1>Class: A</h1><section><header>yes</header><article><h2>B</h2>and</article></section>", ["yes", "and"]),  # JSDoc
        ("<section><header>no</header><article><h1>T</h1>yes</article><div>A comment</div></section>", ["yes"]),
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
        (
            "<main><aside aria-label=Hint!><p aria-hidden=true><svg></svg>Hint! </p>yes<p aria-hidden=true>no</aside>",
            ["Hint!", "yes"],
        ),
        (
            "<figcaption>yes<span class=sr-only>Terminal window</span></figcaption><h2><span class=sr-only>T</span></h2>",
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
        ("<p>see <img alt=../i/a.png src=../i/a.png>, <img alt=b.png src=/i/b.png> and <img alt=c src=c>", ["see , and c"]),
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
        (
            "<div class=header><div class=headertitle><div class=title>no</div></div></div>"
            "<div class=contents><p>A knot. <a href='a.html#details'>no</a></div>",
            ["A knot."],
        ),  # Doxygen
        ("<div class=summary>yes</div><div class=navheader>no</div>and<div class=navfooter>no</div>", ["yes", "and"]),
        ("<h1 class=fqn>no</h1><p>yes", ["yes"]),
        ("<section id=synopsis>yes</section><div id=synopsis><details id=syn>no</details></div>", ["yes"]),
        ("<div class=navigationbar><li>no</div><p>yes<div id=footer><p id=footer-text>no</div>", ["yes"]),
        ("<div class=container-main><p>yes<aside class=tsd-sources>no</aside><div class=col-sidebar>no</div></div>", ["yes"]),
        ("<h2 id=blanket-implementations>no</h2><div id=blanket-implementations-list>no</div>yes", ["yes"]),
        ("<table class=navigation><td>no</table><table class=mlabels><td>yes<td class=mlabels-right>no</table>", ["yes"]),
        (
            "<div class=navigation><a href=b><img alt=next src=n.png></a><b>Next:</b> <a href=b>B</a></div>yes",
            ["yes"],
        ),  # LaTeX2HTML
        (
            "yes<table class=header><td>[<a href=#x title='Next section in reading order'> &gt; </a>]</table>",
            ["yes"],
        ),  # Texinfo
        ("<div class=toplang><p>In: <a href=a.de hreflang=de rel=alternate>de</a></div>yes", ["yes"]),  # Apache
        ("<p>yes, in <a href=a.de hreflang=de rel=alternate>German</a>", ["yes, in German"]),
        ("<div class=headertitle><h1 class=title>T</h1></div>yes", ["yes"]),
        ("<div class=contents><p>yes <a href='a.html#details'>and</a></div>", ["yes and"]),
        (
            "<h1>T</h1><div class=box_info><dl>no</dl></div>yes <b class=box_info>and</b><span class='note title'>no</span>",
            ["yes and"],
        ),  # YARD
        ("<div class=jp-InputPrompt>no</div>yes<div class=nbinput><div class=prompt>no</div>and</div>", ["yes", "and"]),
        ("<table><td class=NavBarCell1Rev>no<td class=prompt>yes</table>", ["yes"]),  # Javadoc 6
        ("yes<div class=familylinks>no</div><a class=docs-sourcelink>no</a>", ["yes"]),  # DITA-OT, Documenter
        ("<table><tr><td rowspan=2><img alt=[Note] src=n.png><th>Note<tr><td>yes</table>", ["Note", "yes"]),  # DocBook
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
        ("<details class=mkdocstrings-source>no<pre>no</details><p>yes", ["yes"]),
        ("<p class=shortcomment>yes", ["yes"]),
        ("<div class=source_code>yes</div><details class=source>and", ["yes", "and"]),  # names of authors
        ("<ul id=toc-list><li>no</ul><div id=global-links>no</div>yes <a class=link-seesrc>no</a>", ["yes"]),
        ("<p>body hidden is shown by a script</p>", ["body hidden is shown by a script"]),
        (
            "<p>yes<div id=f><a href=#f title='Link to this function'><i></i><span>no</span></a> <b>and</div>",
            ["yes", "and"],
        ),  # ExDoc
        (
            "<div><ul role=tablist><li role=tab>A<li role=tab>B</ul><p role=tabpanel>a<p role=tabpanel hidden>b</div>",
            ["A", "a", "B", "b"],
        ),
        (
            "<div><input type=radio id=x><input type=radio id=y><div><label for=x>A</label> <label for=y>B</label></div> "
            "<div><div>a</div> <div>b</div></div></div>",
            ["A", "a", "B", "b"],
        ),  # MkDocs
        (
            "<div><input type=radio><label>A</label><input type=radio><label>B</label></div><div><p>a<p>b</div>",
            ["A", "a", "B", "b"],
        ),
        (
            "<input type=radio><label>A</label><div>a</div><input type=radio><label data-ranvier-ignore>no</label><div>b</div>",
            ["A", "a", "b"],
        ),  # Sphinx
        ("<li><input type=radio><label>no</label><li><input type=radio><label>no</label><p>yes", ["yes"]),
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
        (f"<div><a href=i>Index</a> » <a href=r>Ropes</a> »\n Splice</div><h1>Class: Splice</h1>{WORDS}", [WORDS]),  # YARD
        (f"<div><a href=i>Index</a> » no</div><h1>Knot</h1>{WORDS}", ["Index » no", WORDS]),
        (f"<h1>Knots of 2024</h1><p><a href=a>Ann</a> | 2024</p>{WORDS}", ["Ann | 2024", WORDS]),
        (f"<div><a href=http://a/>Site</a> > <a href=..>Part 1</a></div><h1>T</h1>{WORDS}", [WORDS]),  # Apache
        (f"<div><a href=.>Site</a> » Part » T</div><h1>T</h1><p>{WORDS}", [WORDS]),
        (f"<div>For <a href=a>A</a> > <a href=b>B</a></div><h1>T</h1><p>{WORDS}", ["For A > B", WORDS]),
        (f"<main><table><td>{MENU}<td>Reference</table><h1>T</h1>{WORDS}</main>", [WORDS]),  # fpdoc
        (f"{WORDS}<aside><p>On this page</p><div>{CONTENTS}</div></aside>", [WORDS]),
        (f"{WORDS}<div><p>Contents {CONTENTS}</div>", [WORDS, "Contents"]),
        (f"<h1>T</h1><p>{WORDS}</p>{MENU}", [WORDS, "One", "Two", "Three", "Four"]),  # pages of a chapter
        (f"<div>Go <a href=x>up</a> {MENU}</div><h1>T</h1>{MENU}", ["One", "Two", "Three", "Four"]),  # a list of pages
        (f"<h1>T</h1><h2>A</h2>{MENU}<h2>B</h2><p>{WORDS}", ["One", "Two", "Three", "Four", WORDS]),  # links by topics
        (
            f"<table><tr><th>Part<th>{''.join(f'<tr><td><a href={n}>Part {n}</a><td>new' for n in 'abcd')}</table>{WORDS}",
            ["Part", "Part a | new", "Part b | new", "Part c | new", "Part d | new", WORDS],
        ),
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


@pytest.mark.parametrize(
    ("description", "summary"), [("Reference for A.b", ""), ("A.b", ""), ("Notes for A.b fans", "Notes for A.b fans")]
)
def test_description_that_only_repeats_the_title_is_none(description: str, summary: str) -> None:
    assert read(f"<title>A.b</title><meta name=description content='{description}'><p>x").summary == summary


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
        ("<pre><code><span class=boring>fn main() {\n</span>a();\n<span class=boring>}</span></code></pre>", "a();"),
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
        title </title><meta name=description content="About it."><meta name=keywords content="A title">
        <meta name=keywords content="a, b,,#c">
        <meta property=article:tag content=d><meta property=article:published_time content=2020-01-02T10:00:00Z>
        <meta property=article:modified_time content=2021-02-03></head><body><svg><title>no</title></svg>"""
    )
    assert (page.head_title, page.lang, page.summary) == ("A title", "de-CH", "About it.")
    assert (page.keywords, page.created, page.updated) == (("a", "b", "c", "d"), "2020-01-02", "2021-02-03")


def test_links_to_tags_are_tags_of_the_page() -> None:
    """Docusaurus and WordPress have them; in a list of posts, they are those of the posts."""
    post = "<article><h1>T</h1>{}<article>card</article><footer><a rel='nofollow tag' href=x> #B </a></footer></article>"
    head = "<head><meta name=keywords content=a,B></head>"
    ignored = "<p data-ranvier-ignore><a rel=tag href=x>no</a></p><a rel=tag href=y>c</a>"
    assert read(head + post.format(ignored)).keywords == ("a", "B", "c")
    assert read(head + post + post).keywords == ("a", "B")
    assert read("<title>B</title>" + head + post).keywords == ("a", "B")


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
    ("path", "created"),
    [
        ("blog/2024/05/01/title.html", "2024-05-01"),
        ("2024/05/01/title/index.html", "2024-05-01"),
        ("posts/2024-05-01-title.html", "2024-05-01"),
        ("2024-05-01.html", "2024-05-01"),
        ("2024-05/01.html", ""),
        ("api/2024/05/13456/x.html", ""),
        ("2024-50-01-title.html", ""),
    ],
)
def test_date_in_the_address_of_a_post(path: str, created: str) -> None:
    """Themes of Jekyll show it without an element for it."""
    assert read(page_of("A"), path).created == created
    assert read("<header><time datetime=2020-01-02>x</time></header>", path).created == "2020-01-02"


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


def test_elements_nested_too_deep_are_flattened() -> None:
    deep = "<div>" * 2_000 + "a<h2 id=x>H</h2><p>b</p>" + "</div>" * 2_000 + "<p>after</p>"
    flat = shallow(deep)
    assert flat.count("<div>") == flat.count("</div>") == MAX_DEPTH
    assert [section.headings for section in read(deep).sections] == [(), ("H",)]
    assert parse(deep).css_first("p").text() == "b"


def test_normal_page_is_not_flattened() -> None:
    html = "<div><p>one<p>two<br>" * 400 + "</div>" * 400 + "<li>x" * 5_000
    assert shallow(html) is html
