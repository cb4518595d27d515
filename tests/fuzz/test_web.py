"""Random HTML (N8, N9): a site is read and split into chunks, and the result can be written."""

import msgpack
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ranvier_builder.config import Config
from ranvier_builder.web.page import read_page
from ranvier_builder.web.site import site_text
from ranvier_builder.write.shards import card

NAMES = st.sampled_from(
    "html head body title main article section div p h1 h2 h3 a span pre code dl dt dd table tr td ul li nav form svg template "
    "time blockquote footer br img script style noscript b meta link base".split()
)
ATTRIBUTES = st.sampled_from(
    [
        "", "id=a", "id=''", "name=b", "href='#a'", "href='//['", "class='headerlink'", "class='sig' id=f", "class=linenos",
        "hidden", "data-ranvier-body", "data-pagefind-body", "data-ranvier-ignore", "data-pagefind-ignore=all",
        "data-pagefind-meta='title'", "data-ranvier-meta=',a[b],:,c:'", "data-pagefind-filter='x, y[z], w:v'",
        "data-ranvier-weight=1e999", "data-pagefind-index-attrs='id,,name'", "datetime=2020-01-01",
        "rel=canonical href='b.html'", "http-equiv=refresh content='0;url=http://['", "name=keywords content=',,a,'",
        "charset=utf-7", "lang='\u00e9'",
    ]
)  # fmt: skip
TAGS = st.one_of(
    st.builds("<{} {}>".format, NAMES, ATTRIBUTES),
    st.builds("</{}>".format, NAMES),
    st.sampled_from(
        ["<!--", "-->", "<![CDATA[", "]]>", "<!doctype html>", "&amp;", "&#xd800;", "&#0;", "<", ">", "text ", " | S"]
    ),
    st.text(max_size=5),
)
PAGES = st.lists(TAGS, max_size=30).map("".join)


def check(pages: dict[str, bytes]) -> None:
    """Read pages as one site; all texts of a hit must be serializable."""
    out = site_text([read_page(path, data) for path, data in sorted(pages.items())], Config())
    for page in out.rendered:
        assert page.page.neuron.title
        assert page.chunks
        msgpack.packb([list(card(page.page)), [[chunk.anchor, list(chunk.headings), chunk.body] for chunk in page.chunks]])
        assert all(len(part.headings) == len(part.levels) for part in page.sections)
    assert len({page.page.url for page in out.rendered}) == len(out.rendered)


@given(st.lists(PAGES, min_size=1, max_size=4))
@settings(max_examples=150)
@example(["<link rel=canonical href='b.html'>", "<link rel=canonical href='a.html'>"])
def test_random_markup_is_read(pages: list[str]) -> None:
    check({f"{chr(97 + at)}.html": html.encode("utf-8", "surrogatepass") for at, html in enumerate(pages)})


@given(st.binary(max_size=200))
@settings(max_examples=150)
@example(b"\xff\xfe\x00\xd8")
@example(b"<meta charset=utf-16><title>\xd8\x00")
@example(b"<meta charset=idna>" + b"." * 100)
def test_random_bytes_are_read(data: bytes) -> None:
    check({"x/index.html": data, "y.html": b"<title>Y</title>text"})
