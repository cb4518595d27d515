"""Links and media on rendered pages (N4, A2): where they lead, and what remains of links without a published target."""

import re
from collections.abc import Callable
from random import Random

import pytest
from ranvier_builder import Config
from ranvier_builder.model import Link, Neuron
from ranvier_builder.render.addresses import Html
from ranvier_builder.render.html import sections
from ranvier_builder.render.links import is_external
from selectolax.lexbor import LexborHTMLParser
from support.content import Tree
from support.pictures import JPEG, MP3, MP4, PDF, PNG, private_png, seal
from support.rendered import render_neurons

Render = Callable[..., Html]
PIC = f"../../_media/{seal(PNG)}-pic.png"
FILES: dict[str, str | bytes] = {
    "pic.png": PNG,
    "guide/doc.pdf": PDF,
    "far/away/map.jpg": JPEG,
    "guide/talk.mp3": MP3,
    "film.mp4": MP4,
    "secret/thornmere.png": private_png(),
    "secret/thornmere.mp3": MP3 + b"secret",
    "secret/thornmere.pdf": PDF + b"secret",
}
REFUSED = frozenset(path for path in FILES if path.startswith("secret"))
SITE_PAGES = [
    Neuron("index.md", "Home", "", id="2"),
    Neuron("other page.md", "Other", "", id="3", aliases=("Another name",)),
    Neuron("folder/inside.md", "Inside", "", id="4"),
]
SECRET = Neuron("secret/thornmere.md", "Thornmere", "", id="thornmere-id", aliases=("Thornmere alias",))


@pytest.fixture
def html(tree: Tree) -> Render:
    root = tree(FILES)

    def html(body: str, config: Config | None = None, others: list[Neuron] = SITE_PAGES, refused: bool = True) -> Html:
        neurons = [Neuron("guide/here.md", "Here", body, line=11, id="1"), *others]
        return render_neurons(root, neurons, "guide/here.md", config or Config(), REFUSED if refused else frozenset())

    return html


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("[[Other]]", '<p><a href="../../other-page/" rel="noopener noreferrer">Other</a></p>'),
        ("[[other page|words & more]]", ">words &amp; more</a>"),
        ("[[Other#A part]]", 'href="../../other-page/#A%20part" rel="noopener noreferrer">Other &gt; A part</a>'),
        ("[[Other#A part#Its detail]]", 'href="../../other-page/#Its%20detail"'),
        ("x[[1]](#note)", '<p>x<a href="#note" rel="noopener noreferrer">[1]</a></p>'),
        ("[[Other]](https://x.example/a(b) 'title')", '<a href="https://x.example/a(b)" title="title"'),
        ("[[Other]][p]\n\n[P]: https://x.example/", '">[Other]</a>'),
        (
            "[[Other]][q] [[Other]](see below)",
            '>Other</a>[q] <a href="../../other-page/" rel="noopener noreferrer">Other</a>(see',
        ),
        ("[[Other#^f00d42]]", 'href="../../other-page/#block-f00d42"'),
        ("[[Another name]]", 'href="../../other-page/"'),
        ("[[#Down here]]", '<a href="#Down%20here" rel="noopener noreferrer">Down here</a>'),
        ("[[Here#Down here]]", 'href="#Down%20here"'),
        ("[[folder]]", 'href="../../folder/"'),
        ("[[https://x.example/a|site]]", 'href="https://x.example/a"'),
        (r"[[Other\|words]]", ">words</a>"),
        ("| a |\n|---|\n| [[Other\\|words]] |", '<td><a href="../../other-page/" rel="noopener noreferrer">words</a></td>'),
        ("![[Other]]", '<p class="embed"><a href="../../other-page/" rel="noopener noreferrer">Other</a></p>'),
        ("![[Other#A part]]", '<p class="embed"><a href="../../other-page/#A%20part"'),
        ("see ![[Other]]", '<p>see <a href="../../other-page/"'),
        ("![[pic.png]]", f'<img src="{PIC}" alt="pic.png" width="8" height="6">'),
        ("![[pic.png|300]]", f'<img src="{PIC}" alt="pic.png" width="300" height="225">'),
        ("![[pic.png|300x200]]", 'alt="pic.png" width="300" height="200">'),
        ("![[pic.png|a map|300]]", 'alt="a map" width="300" height="225">'),
        ("![[map.jpg]]", f'<img src="../../_media/{seal(JPEG)}-map.jpg"'),  # anywhere in the folder
        ("![[talk.mp3]]", f'<audio controls="" src="../../_media/{seal(MP3)}-talk.mp3" title="talk.mp3"></audio>'),
        ("![[film.mp4|the film]]", f'<video controls="" src="../../_media/{seal(MP4)}-film.mp4" title="the film"></video>'),
        ("![[doc.pdf#page=3]]", f'/{seal(PDF)}-doc.pdf#page=3" rel="noopener noreferrer">doc.pdf, page 3</a>'),
        ("[[doc.pdf]]", f'href="../../_media/{seal(PDF)}-doc.pdf"'),
        ("[x](../other%20page.md)", '<a href="../../other-page/" rel="noopener noreferrer">x</a>'),
        ("[x](<../other page.md#a-part>)", 'href="../../other-page/#a-part"'),
        ("[x](#a-part)", 'href="#a-part"'),
        ("[x](doc.pdf)", f'href="../../_media/{seal(PDF)}-doc.pdf"'),
        ("[x](https://x.example/a?b#c)", '<a href="https://x.example/a?b#c" rel="noopener noreferrer">x</a>'),
        ("[x][ref]\n\n[ref]: ../index.md", 'href="../../"'),
        ("[x](/folder/)", 'href="../../folder/"'),
        ("[x](/other%20page?id=a-part)", 'href="../../other-page/#a-part"'),  # of docsify
        ("[x](?id=a-part)", 'href="#a-part"'),
        ("[x](#/folder/)", 'href="../../folder/"'),
        ("[![alt](../pic.png)](../index.md)", f'noreferrer"><img src="{PIC}" alt="alt" width="8" height="6"></a>'),
        ("![a [[Other]]](../pic.png)", 'alt="a Other"'),
        ('![a](../pic.png "A title")', f'<img src="{PIC}" alt="a" width="8" height="6"><figcaption>A title</figcaption>'),
        ('Text ![a](../pic.png "A title")', f'<img src="{PIC}" alt="a" title="A title" width="8" height="6">'),
        ("![a|120](../pic.png)", 'alt="a" width="120" height="90">'),
        ("![talk](talk.mp3)", "<audio"),
        ("![x](https://x.example/y.png)", 'src="https://x.example/y.png"'),
        ("<a href='../other page.md'>x</a>", '<a href="../../other-page/" rel="noopener noreferrer">x</a>'),
        ("<div>\n<a class='c' href=../index.md>x</a>\n</div>", 'href="../../"'),
        ('<a name="old-anchor"></a>x', 'id="old-anchor"'),
        ('<a name="old" id="new"></a>x', '<a id="new" '),
        ("<img src='../pic.png' alt='a'>", f'<img width="8" height="6" src="{PIC}" alt="a">'),
        ("<img src='../pic.png' width=4 alt='a'>", f'<img src="{PIC}" width="4" alt="a">'),
        ("<video controls src='../film.mp4' poster='nosuch.png'></video>", '<video controls="" src="../../_media/'),
        (
            "<video src='../film.mp4'><track kind=captions src='../film.mp4' srclang=de label=Ja default onload=x></video>",
            f'<track kind="captions" src="../../_media/{seal(MP4)}-film.mp4" srclang="de" label="Ja" default="">',
        ),
        ("<figure>\n<img src='../pic.png' alt=a>\n<figcaption>Words</figcaption>\n</figure>", "<figcaption>Words</figcaption>"),
    ],
)
def test_links_and_embeds_are_rendered(html: Render, body: str, expected: str) -> None:
    """N4, N7."""
    result = html(body)
    assert expected in result.html
    assert [str(warning) for warning in result.warnings if "nosuch" not in str(warning)] == []


@pytest.mark.parametrize(
    "body",
    ["`[[Other]]`", "    [[Other]]", "```\n[[Other]]\n```", "```sh\nif [[ -f Other ]]; then\n```", "<pre>\n[[Other]]\n</pre>"],
)
def test_wikilinks_in_code_are_not_links(html: Render, body: str) -> None:
    """N4."""
    result = html(body)
    assert "<a" not in result.html
    assert (result.links, result.warnings) == ([], [])
    assert "Other" in result.html


@pytest.mark.parametrize(
    "words", ["[[ -f x ]]", "[[ $a == $b ]]", "[[:alpha:]]", "[[1, 2]]", '[[a "b"]]', "[[ x ]]", "[[-1]]", "[[a*]]"]
)
def test_brackets_that_are_no_wikilink_stay_text(html: Render, words: str) -> None:
    """N4: they cannot be the name of a note."""
    result = html(f"If {words} then")
    assert re.sub(r"&quot;", '"', result.html) == f"<p>If {words} then</p>\n"
    assert (result.links, result.warnings) == ([], [])


def test_wikilink_without_a_target_becomes_text_and_a_warning(html: Render) -> None:
    result = html("Mark it [[nodiscard]], please.")
    assert result.html == "<p>Mark it nodiscard, please.</p>\n"
    assert [str(warning) for warning in result.warnings] == [
        "guide/here.md:11: a wikilink leads to no published page: nodiscard"
    ]


@pytest.mark.parametrize("address", ["`Enum.map/2`", "<`c:Module.__info__/1`>", "`\\|\\|/2`"])
def test_address_that_is_code_is_no_page(html: Render, address: str) -> None:
    """N4: ExDoc has such links to functions."""
    result = html(f"See [`it`]({address}).")
    assert (result.html, result.links, result.warnings) == ("<p>See <code>it</code>.</p>\n", [], [])


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        ("![pic]()", "media", "an image without an address"),
        ("<img src='' alt=pic>", "media", "an image without an address"),
        ("[x]()", "link", "a link without an address"),
        ("[x](< >)", "link", "a link without an address"),
    ],
)
def test_missing_address_is_reported(html: Render, body: str, kind: str, message: str) -> None:
    (warning,) = html(body).warnings
    assert (warning.kind, str(warning)) == (kind, f"guide/here.md:11: {message}")


@pytest.mark.parametrize("body", ["A ![pic](data:image/png;base64,AAAA)", "A <img src=' Data:image/png;base64,AAAA' alt=pic>"])
def test_picture_within_the_text_becomes_its_words_and_a_warning(html: Render, body: str) -> None:
    """The sanitiser removes such an address, and its metadata is not removed. A trusted page keeps it."""
    result = html(body)
    message = "a file within the text is not published, save it beside the page: image/png"
    assert result.html == "<p>A pic</p>\n"
    assert [(warning.kind, str(warning)) for warning in result.warnings] == [("media", f"guide/here.md:11: {message}")]
    trusted = html(body, Config(trusted_html=True))
    assert "data:image/png;base64,AAAA" in trusted.html.replace("Data", "data")
    assert trusted.warnings == []


def test_links_have_their_line(html: Render) -> None:
    """N4: the link table names the line of the file; the body begins on line 11."""
    body = """[a](one.md) and
[[two]] and <a href="three.md">x</a>

> - [d](four.md)

| x | y |
|---|---|
| [[five]] | ![](six.png) |

<div>

<p>
<a
href="seven.md">x</a> <img src=eight.png>
</p>
</div>

[[Other]] and [site](https://x.example) and ![p](../pic.png)
"""
    result = html(body)
    lines = " ".join(f"{link.target}={link.line}" for link in result.links[:-3])
    assert lines == "one.md=11 two=12 three.md=12 four.md=14 five=18 six.png=18 seven.md=23 eight.png=24"
    assert result.links[-3:] == [
        Link("Other", "other-page", 28),
        Link("https://x.example", None, 28, external=True),
        Link("../pic.png", None, 28, file=True),
    ]
    assert {(warning.kind, warning.line) for warning in result.warnings} >= {("link", 11), ("media", 24)}


def test_page_depends_on_the_answers_of_its_links(html: Render) -> None:
    """I3."""
    result = html("[[Other]] [x](gone.md) ![](../pic.png) [y](https://x.example) [z](#here)")
    requests = {question[:1] + question[2:]: answer for question, answer in result.lookups.items()}
    assert requests == {
        ("label", "here"): None,
        ("name", "Other"): ("page", "other-page"),
        ("path", "gone.md"): None,
        ("path", "../pic.png"): ("media", "pic.png", f"{seal(PNG)}-pic.png", "8x6"),
    }


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("https://docs.example/base/other-page/#part", 'href="../../other-page/#part"'),
        ("/base/other-page/", 'href="../../other-page/"'),
        ("/other-page/", 'href="../../other-page/"'),
        ("/search/", 'href="../../search/"'),
        ("https://docs.example/base", 'href="https://docs.example/base"'),
        ("https://docs.example/base/secret/thornmere/", "<p>words</p>"),
        ("https://docs.example/elsewhere/", 'href="https://docs.example/elsewhere/"'),
        ("https://x.example/base/secret/thornmere/", 'href="https://x.example/base/secret/thornmere/"'),
        ("http://docs.example/base/other-page/", 'href="../../other-page/"'),
        ("http://docs.example/base/secret/thornmere/", "<p>words</p>"),
        ("//docs.example/base/secret/thornmere/", "<p>words</p>"),
        ("https://DOCS.example:443/base/secret/thornmere/", "<p>words</p>"),
        ("https://me@docs.example./base/secret/thornmere/", "<p>words</p>"),
        ("https://docs.example/%62ase/secret/thornmere/", "<p>words</p>"),
        ("https://docs.example/x/../base//secret/thornmere/", "<p>words</p>"),
        ("https:\\\\docs.example\\base\\secret\\thornmere", "<p>words</p>"),
        ("https:/docs.example/base/secret/thornmere/", "<p>words</p>"),
    ],
)
def test_absolute_urls_of_the_site_are_treated_as_paths(html: Render, href: str, expected: str) -> None:
    """A2: they lead to published pages only."""
    assert expected in html(f"[words]({href})", Config(url="https://docs.example/base")).html


@pytest.mark.parametrize("target", ["https://docs.example/base/secret/thornmere/", "http://docs.example/base/secret/thornmere"])
def test_wikilink_to_an_absolute_url_of_a_withheld_page_becomes_text(html: Render, target: str) -> None:
    assert html(f"[[{target}|words]]", Config(url="https://docs.example/base")).html == "<p>words</p>\n"


@pytest.mark.parametrize(
    "target", ["file:///home/me/thornmere.md", "javascript:thornmere()", "vbscript:thornmere", "data:text/html,thornmere"]
)
@pytest.mark.parametrize("link", ["[words]({})", "![words]({})", "[words][r]\n\n[r]: {}", "[words](<{}>)"])
def test_forbidden_url_schemes_keep_only_the_label(html: Render, target: str, link: str) -> None:
    """A2: the path must not appear as text."""
    for trusted in (False, True):
        assert html(link.format(target), Config(trusted_html=trusted)).html == "<p>words</p>\n"


@pytest.mark.parametrize(
    "body",
    [
        "<p>See [[Thornmere]]</p>",
        "<figure><figcaption>[[Thornmere#a]]</figcaption></figure>",
        "x <b title='[[Thornmere]]'>y</b>",
    ],
)
def test_redaction_covers_wikilinks_in_raw_html(html: Render, body: str) -> None:
    """A2: a wikilink in raw HTML is text."""
    assert "Thornmere" in html(body).html
    assert "hornmere" not in html(body, Config(redact_private_links=True)).html
    assert "Other" in html(body.replace("Thornmere", "Other"), Config(redact_private_links=True)).html


# Each leads to a withheld Neuron or its file; "words" is the visible text of the author.
WITHHELD = [
    "[words](../secret/thornmere.md)",
    "[words](/secret/thornmere)",
    "[words](../secret/%74hornmere.md)",
    '[words](../secret/thornmere.md#part "Thornmere")',
    "[words][ref]\n\n[ref]: ../secret/thornmere.md 'Thornmere'",
    "[words](../secret/)",
    "[words](/secret/thornmere/)",
    "[[thornmere|words]]",
    "[[secret/thornmere|words]]",
    "[[Thornmere|words]]",
    "[[ Thornmere | words ]]",
    "[[Thornmere alias|words]]",
    "[[thornmere-id|words]]",
    "[[secret|words]]",
    "[[Thornmere#Part|words]]",
    "[[Thornmere#^block|words]]",
    "[[Thornmere|Other words]]",
    "[[Thornmere|Other]] words",  # a label stays if it is the name of a published page
    "![[Thornmere|words]]",
    "![[thornmere.png|words]]",
    "![[thornmere.png|words|300]]",
    "![[thornmere.mp3|words]]",
    "![[thornmere.pdf#page=2|words]]",
    "[[thornmere.pdf|words]]",
    "![words](../secret/thornmere.png)",
    '![words](../secret/thornmere.png "Thornmere")',
    "![words](../secret/thornmere.mp3)",
    "[![words](../secret/thornmere.png)](../secret/thornmere.md)",
    "[words](../secret/thornmere.pdf#page=1)",
    "<a href='../secret/thornmere.md'>words</a>",
    "<a href=../secret/thornmere.md>words</a>",
    "<a href='../secret/&#116;hornmere.md'>words</a>",
    '<div>\n<a\n href="../secret/thornmere.md"\n>words</a>\n</div>',
    "<img src='../secret/thornmere.png' alt='words'>",
    "<p>words <img src='../secret/thornmere.png'></p>",
    "words <video src='../secret/thornmere.mp3' poster='../secret/thornmere.png'></video>",
    "words <audio><source src='../secret/thornmere.mp3'></audio>",
    "words <video controls poster='../secret/thornmere.png'><track src='../secret/thornmere.mp3' label=x></video>",
    "# [[Thornmere|words]]",
    "## ![[thornmere.png|words]]",
    "| a |\n|---|\n| [[Thornmere\\|words]] |",
    "![alt [[Thornmere|words]]](gone.png)",
]


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("body", WITHHELD)
def test_links_to_withheld_pages_keep_only_the_label(html: Render, body: str, trusted: bool) -> None:
    """A1, A2: a link to a withheld page looks like a link to a page that does not exist."""
    result = html(body, Config(trusted_html=trusted))
    assert "words" in result.html
    for trace in ("hornmere", "secret", "&#116;"):
        assert trace not in result.html
    assert all("secret" not in path for path in result.media)
    assert result.warnings
    html_of_missing = html(re.sub("(?i)thornmere|(?<=[/&])secret", "nowhere", body), Config(trusted_html=trusted))
    assert html_of_missing.html == result.html


@pytest.mark.parametrize("body", [body for body in WITHHELD if "gone.png" not in body])
def test_links_to_withheld_pages_work_for_a_curator(html: Render, body: str) -> None:
    """A1: the same links lead to the page where it is published."""
    result = html(body, others=[*SITE_PAGES, SECRET], refused=False)
    assert re.search(r'(href|src|poster)="[^"]*(secret/|thornmere)', result.html)


@pytest.mark.parametrize(
    ("body", "plain", "redacted"),
    [
        ("[[Thornmere]]", "Thornmere", "private note"),
        ("[[Nowhere]]", "Nowhere", "private note"),
        ("[[Thornmere#The plan]]", "Thornmere &gt; The plan", "private note"),
        ("[[Thornmere|words]]", "words", "words"),
        ("[[Thornmere]](https://x.example/)", ">[Thornmere]</a>", 'private note(<a href="https'),
        ("[[Thornmere]](she/her)", "Thornmere(she/her)", "private note(she/her)"),
        ("![[thornmere.png]]", "thornmere.png", "private note"),
        ("![[thornmere.png|300]]", "thornmere.png", "private note"),
        ("[[ Is it $5? ]]", "[[ Is it $5? ]]", "private note"),
        ("## [[Thornmere]]", '<h2 id="thornmere">Thornmere</h2>', '<h2 id="private-note">private note</h2>'),
        ("![[[Thornmere]]](../pic.png)", 'alt="Thornmere"', 'alt="private note"'),
    ],
)
def test_unlabelled_wikilink_keeps_its_text_or_is_redacted(html: Render, body: str, plain: str, redacted: str) -> None:
    """A2: with `redact_private_links`, every such link has the same text."""
    assert plain in html(body).html
    result = html(body, Config(redact_private_links=True)).html
    assert redacted in result
    assert not re.search("(?i)thornmere|nowhere|plan", result)


def test_dendron_wikilinks_have_the_label_first(html: Render) -> None:
    """N4: only in a vault with dotted note names."""
    vault = [Neuron(f"{name}.md", name, "", id=name) for name in ("work.plan", "work.plan.deep", "home.garden", "home.shed")]
    result = html("[[the plan|work.plan]] [[beds|home.garden#Beds]] [[the secret|work.thornmere]] [[work.plan]]", others=vault)
    assert 'href="../../work-plan/" rel="noopener noreferrer">the plan</a>' in result.html
    assert 'href="../../home-garden/#Beds" rel="noopener noreferrer">beds</a>' in result.html
    assert ">home.shed</a>" in html("[[home.shed|work.plan]]", others=vault).html  # both are names
    assert "../../work-plan/" in html("![[work.plan|home.shed]]", others=vault).html  # an embed has the target first
    assert "the secret" in result.html
    assert "thornmere" not in result.html
    assert [warning.message.rpartition(": ")[2] for warning in result.warnings] == ["work.thornmere"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("[[pic.png|alt=A map|width=4px]]", f'<img src="{PIC}" alt="A map" width="4" height="3">'),
        ("[[ /pic.png | align=right ]]", f'<img src="{PIC}" alt="/pic.png" width="8" height="6">'),
        ("[[pic.png|A map]]", f'<img src="{PIC}" alt="A map" width="8" height="6">'),
        ("[[secret/thornmere.png|alt=A map]]", "<p>A map</p>"),
    ],
)
def test_wikilinks_show_pictures_in_a_wiki(html: Render, body: str, expected: str) -> None:
    """N7: as in wikis of GitHub; elsewhere, they are links."""
    vault = [Neuron(f"{name}.md", name, "", id=name) for name in ("work.plan", "work.plan.deep", "home.garden", "home.shed")]
    assert expected in html(body, others=vault).html
    assert "<img" not in html(body).html


PIECES = """[[ ]] | # ! [ ] ( ) < > " ' \\ ` ~~~ $ % ^ - : == {{ }} <a href= <img src= </a> alt= <!-- --> <pre> & &#91;
.md .png .pdf / ../ ./ // secret/ thornmere Thornmere Other pic.png guide/ https://x.example/ words 300 <script>
</script> <svg> <details>""".split()


def test_random_markup_never_links_to_withheld_pages(html: Render) -> None:
    """A2, N9: no address names a withheld page, and no withheld file is copied."""
    random = Random(7)
    for _ in range(400):
        body = "".join(random.choice([*PIECES, " ", "\n", "\n\n", "> ", "| "]) for _ in range(random.randint(2, 60)))
        result = html(body, Config(trusted_html=bool(random.randint(0, 3) == 0)))
        for node in LexborHTMLParser(f"<body>{result.html}</body>").css("[href], [src], [poster]"):
            for name in ("href", "src", "poster"):
                address = (node.attributes.get(name) or "").partition("#")[0]
                assert "hornmere" not in address or is_external(address), body
        assert not REFUSED & {*result.media}


def test_footnote_leads_back_to_each_reference(html: Render) -> None:
    text = html("One[^a] two[^a].\n\n[^a]: note\n").html
    assert re.findall(r'href="#(fnref[^"]*)"', text) == re.findall(r'id="(fnref[^"]*)"', text) == ["fnref1", "fnref1:1"]
    assert [block.text for section in sections(text) for block in section.blocks] == ["One two.", "note"]


def test_sign_at_the_end_of_a_heading_is_no_part(html: Render) -> None:
    """`C#` leads to the heading `C`, not to one without letters."""
    assert 'href="../../folder/inside/#C"' in html("[[Inside#C#]]").html
