"""Headings and descriptions of an HTML page become sections with anchors (N8)."""

import pytest
from support.html_pages import outline, page_of, read, site


def test_definition_of_haddock_is_a_section() -> None:
    def top(name: str, text: str, inside: str = "") -> str:
        link = "<a class=link href=x>Source</a><a class=selflink href=x>#</a>"
        return f"<div class=top><p class=src><a id='v:{name}' class=def>{name}</a> :: Int{link}</p><p>{text}</p>{inside}</div>"

    method = "<div class='subs methods'><p class=src><a id='v:m' class=def>m</a>, <a id='v:n' class=def>n</a> :: Int</p></div>"
    page = read(f"<div id=package-header>no</div><h1>Basics</h1>{top('f', 'About f.')}{top('C', 'About C.', method)}<p>End.")
    assert outline(page) == [
        ("", ("Basics",), []),
        ("v:f", ("Basics", "f"), ["f :: Int", "About f."]),
        ("v:C", ("Basics", "C"), ["C :: Int", "About C."]),
        ("v:m", ("Basics", "C", "C.m, n"), ["m, n :: Int"]),
        ("", ("Basics",), ["End."]),
    ]


def test_list_of_methods_with_own_pages_has_no_sections() -> None:
    """GI-DocGen: the class came before the page of each method."""
    page = read(
        "<h1>C</h1><h6><a href=m.html>m</a></h6><p>About m.<h6><a data-link=x>x</a></h6><h6><a href='#n'>n</a></h6><p>About n."
    )
    assert outline(page) == [("", ("C",), ["m", "About m.", "x"]), ("n", ("C", "n"), ["About n."])]


def test_heading_of_an_admonition_begins_no_section() -> None:
    """DocBook: the text after a note was shown as `Files > Note`."""
    page = read("<h1>C</h1><h2>Files</h2><p>a<div class=note><h3 class=title>Note</h3><p>b</div><p>c<h3>Header</h3><p>d")
    assert outline(page) == [
        ("", ("C",), []),
        ("", ("C", "Files"), ["a", "Note", "b", "c"]),
        ("", ("C", "Files", "Header"), ["d"]),
    ]


def test_section_of_the_class_tip_has_its_heading() -> None:
    """N2: in a list of tips."""
    page = read("<h1>Tips</h1><div class=tip id=a><h2>Knots</h2>b</div>")
    assert outline(page) == [("", ("Tips",), []), ("a", ("Tips", "Knots"), ["b"])]


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
        ("<h3 id=a><code class=tsd-tag>Optional</code><span>T</span></h3>", "T", "a"),  # TypeDoc
        ("<h2 id=a>1. <a class=heading-link href=x.html>T</a></h2>", "1. T", "a"),
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
        ("<h3 id=a><code>x = 1</code> <span class='doc doc-labels'><small>property</small></span></h3>", "x = 1", "a"),
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


def test_sphinx_signatures_are_sections() -> None:
    """Functions and classes have anchors. The text after a description belongs to the section around it."""
    html = """<main><h1>API</h1><h2 id=c>Commands</h2><dl class="py class"><dt class="sig sig-object py" id="m.F"><em>class</em>
    <span class="sig-prename">m.</span><span class="sig-name">F</span>(x)<a class="headerlink" href="#m.F">¶</a></dt><dd>Makes.
    <dl class="py method"><dt class="sig" id="m.F.g"><span class="sig-name">g</span>(y)</dt><dd>Goes.</dd></dl></dd></dl>After.
    <dl class="std option"><dt class="sig sig-object std" id="o"><span class="sig-name">-o</span>
    <span class="sig-prename"> FILE</span>, <span class="sig-name">--out</span><span class="sig-prename"> FILE</span></dt></dl>
    <dl><dt>Term</dt><dd>Meaning</dd></dl></main>"""
    assert outline(read(html))[1:] == [
        ("c", ("API", "Commands"), []),
        ("m.F", ("API", "Commands", "m.F"), ["class m.F(x)", "Makes."]),
        ("m.F.g", ("API", "Commands", "m.F", "F.g"), ["g(y)", "Goes."]),
        ("c", ("API", "Commands"), ["After."]),
        ("o", ("API", "Commands", "-o, --out"), ["-o FILE, --out FILE"]),
        ("c", ("API", "Commands"), ["Term", "Meaning"]),
    ]


def test_docbook_settings_with_anchors_are_sections() -> None:
    term = '<dt id="{0}"><span class="term"><code>{0}</code> (<code>enum</code>) <a class="indexterm"></a></span></dt>'
    html = f"""<main><h1>WAL</h1><dl>{term.format("wal_level")}<dd>One of<dl>{term.format("minimal")}<dd>Less.</dd></dl></dd>
    <dt><span class="term">other</span></dt><dd>More.</dd></dl></main>"""
    assert outline(read(html))[1:] == [
        ("wal_level", ("WAL", "wal_level"), ["wal_level (enum)", "One of"]),
        ("minimal", ("WAL", "wal_level", "minimal"), ["minimal (enum)", "Less."]),
        ("wal_level", ("WAL", "wal_level"), ["other", "More."]),
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
        # Documenter, before and after its version 1.4.
        (
            "<article class=docstring><header><a class=docstring-binding id=M.f href='#M.f'><code>M.f</code></a> — "
            "<span>Function</span></header><section><p>x</section></article>y",
            [("M.f", "M.f")],
        ),
        (
            "<details class=docstring><summary id=M.f><a class=docstring-binding href='#M.f'>M.f</a></summary>x</details>"
            "<details><summary id=i>More</summary>y</details>",
            [("M.f", "M.f")],
        ),
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


_CLASS = '<dl><dt class="sig" id="m.C"><span class="sig-prename">m.</span><span class="sig-name">C</span></dt><dd>x</dd></dl>'
_INTRO = ("", (), ["intro"])


@pytest.mark.parametrize(
    ("title", "body", "sections"),
    [
        # A breadcrumb has the title once; DocBook writes it as an h2.
        ("T", "<h1 id=t>T</h1><p>intro<h2 id=u>U</h2>x<h1 id=v>V</h1>y", [_INTRO, ("u", ("U",), ["x"]), ("v", ("V",), ["y"])]),
        (
            "25.1. T",
            "<h2 id=t>25.1.&nbsp;T</h2><p>intro<h3 id=u>U</h3>x<h2 id=v>V</h2>y",
            [_INTRO, ("u", ("U",), ["x"]), ("v", ("V",), ["y"])],
        ),
        ("T", "<h1>T</h1><p>intro<h2 id=t>1. T</h2>x", [_INTRO, ("t", ("1. T",), ["x"])]),
        *(("T", f"<h3>{number} T</h3>x", [("", (), ["x"])]) for number in ("10.4", "A.1.6", "22")),
        ("T", "<h2 id=u>U</h2>x<h2 id=t>T</h2>y", [("u", ("U",), ["x"]), ("t", ("T",), ["y"])]),
        # GI-DocGen writes the kind of an object above its name.
        ("T", "<section id=m><h3>Method</h3><h1>T</h1></section><h4 id=u>U</h4>x", [("u", ("U",), ["x"])]),
        ("T", "<h2 id=u>U</h2>x<h1 id=t>T</h1>y", [("u", ("U",), ["x"]), ("", (), ["y"])]),
        ("T", "<h2 id=u>U</h2>x<h2 id=v>V</h2><h1>T</h1>y", [("u", ("U",), ["x"]), ("v", ("V",), []), ("", (), ["y"])]),
        # A heading and the class below it are one, and lead to the description.
        ("T", f"<h1>T</h1><h2 id=c>m.C</h2>{_CLASS}", [("c", ("m.C",), []), ("m.C", ("m.C",), ["m.C", "x"])]),
        ("f", '<h1>f</h1><dl><dt class="sig" id="f">f</dt><dd>x</dd></dl>', [("", (), ["f", "x"])]),
    ],
)
def test_title_heading_is_no_section(title: str, body: str, sections: list[tuple[str, tuple[str, ...], list[str]]]) -> None:
    (page,) = site({"a.html": page_of(title, body)}).rendered
    assert outline(page) == sections


def test_second_heading_that_is_the_title_is_no_section() -> None:
    pages = {f"{name}.html": page_of(name, f"<h1>The site</h1><h2>{name}</h2>x{name}<h3>U</h3>y{name}") for name in "abcd"}
    assert all([part.headings for part in page.sections] == [(), ("U",)] for page in site(pages).rendered)


def test_unclosed_heading_is_cut_and_read_as_text() -> None:
    """The parser puts the rest of the page into the heading; breadcrumbs must not have it."""
    (section,) = read("<main><h2 id=a>Title " + "word " * 5_000 + "<p>end of it").sections
    assert len(section.headings[0]) <= 302
    assert section.headings[0].startswith("Title word")
    assert section.blocks[0].text.endswith("end of it")
    assert len(read("<title>" + "word " * 5_000).head_title) <= 302
