"""SVG is rewritten from an allow-list (A2, N7). `tests/e2e` tests what browsers do with it."""

import base64
import re
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranvier_builder.media.css import checked_css
from ranvier_builder.media.publish import inner_picture
from ranvier_builder.media.refused import RefusedError
from ranvier_builder.media.svg import clean_svg
from ranvier_builder.work import limits
from support.pictures import PNG, SECRET, private_jpeg, private_png, published

SVG = "http://www.w3.org/2000/svg"
HEAD = f'<svg xmlns="{SVG}" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:x="http://www.w3.org/1999/xhtml">'


def clean(body: str, head: str = HEAD) -> str:
    """Return what is published of an SVG with a body, without its root."""
    out = clean_svg(f"{head}{body}</svg>".encode(), inner_picture).decode()
    assert out.startswith(f'<svg xmlns="{SVG}"')
    ElementTree.fromstring(out)
    return out.partition(">")[2].removesuffix("</svg>") if out.endswith("</svg>") else ""


def data_url(data: bytes, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("<script>alert(1)</script>", "it contains a script"),
        ("<s:script xmlns:s='http://www.w3.org/2000/svg'>alert(1)</s:script>", "it contains a script"),
        ("<g><script href='x.txt'/></g>", "it contains a script"),
        ("<handler/>", "it contains a handler"),
        ("<path onload='alert(1)'/>", "it has the event handler onload"),
        ("<path ONCLICK='alert(1)'/>", "it has the event handler ONCLICK"),
        ("<path on\u00b7load='alert(1)'/>", "it has an event handler"),
        ("<foreignObject><x:b>words</x:b></foreignObject>", "contains HTML text"),
        ("<switch><foreignObject/><text>[Not supported by viewer]</text></switch>", "labels are only HTML"),
        ("<image href='x.png'/>", "loads an external resource"),
        ("<image xlink:href='//elsewhere.example/x.png'/>", "loads an external resource"),
        ("<use href='other.svg#a'/>", "loads an external resource"),
        ("<style>a{}<g/>@import url('https://elsewhere.example/x.css');</style>", "@import"),
        (f"<use href='{data_url(b'<svg/>', 'image/svg+xml')}'/>", "loads an external resource"),
        ("<feImage href='x.png'/>", "loads an external resource"),
        ("<textPath href='javascript:alert(1)'/>", "loads an external resource"),
        ("<image href='data:text/html,%3Cscript%3E'/>", "a picture in it is no"),
        ("<image href='data:image/png;base64,****'/>", "a picture in it is damaged"),
        ("<image href='data:image/svg+xml,%3Csvg%20onload=1'/>", "its format is not SVG"),
        ("<path fill='url(http://elsewhere.example/x.svg#a)'/>", r"loads something by url"),
        ("<path style='fill:u\\72l(x)'/>", "a backslash"),
        ("<path style='cursor:URL( x.png )'/>", r"loads something by url"),
        ("<path style='mask:image-set(\"x.png\" 1x)'/>", "the function image-set"),
        ("<path style='mask:src(\"x.png\")'/>", "the function src"),
        ("<style>@import 'x.css';</style>", "the rule @import"),
        ("<style>/**/@import/**/'x.css';</style>", "the rule @import"),
        ("<style>a{content:'/*'} b{fill:url(x)} c{content:'*/'} d{fill:url(y)}</style>", r"loads something by url"),
        ("<style><![CDATA[@font-face{src:url(x.woff)}]]></style>", r"loads something by url"),
        ("<style>@font-<!-- -->face{src:ur<!-- -->l(x.woff)}</style>", r"loads something by url"),
        ("<a><set attributeName='href' to='javascript:alert(1)'/></a>", "animates more than its appearance"),
        ("<a><animate attributeName=' xlink:href ' values='javascript:alert(1)'/></a>", "animates more than its appearance"),
        ("<animate attributeName='style' to='x'/>", "animates more than its appearance"),
        ("<animate attributeName='fill' to='url(x.svg#a)'/>", r"loads something by url"),
        ("<?xml-stylesheet href='x.css'?>", "a processing instruction"),
        ("<text>&nbsp;</text>", "not SVG, undefined entity"),
        ("<path", "its format is not SVG"),
    ],
)
def test_svg_with_active_or_external_content_is_refused(body: str, reason: str) -> None:
    """A2, N9: with the line."""
    with pytest.raises(RefusedError, match=reason) as refused:
        clean("\n" + body, HEAD)
    assert "line 2" in str(refused.value)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<!-- Ada drew this --><path d='M0 0'/>", '<path d="M0 0"/>'),
        ("<metadata><?xpacket begin=''?><x:p>Ada</x:p></metadata><g/>", "<g/>"),
        ("<x:form action='https://elsewhere.example'><x:input/></x:form><g/>", "<g/>"),
        ("<x:meta http-equiv='refresh' content='0;url=https://elsewhere.example'/><g/>", "<g/>"),
        ("<x:script>alert(1)</x:script><g/>", "<g/>"),
        ("<g x:onload='1' data-cell='7' unheard-of='1' xml:base='https://elsewhere.example/'/>", "<g/>"),
        ("<g a\u00b7b='2'/>", "<g/>"),
        ("<a href='https://elsewhere.example/' target='_blank' xlink:title='t'><text>x</text></a>", "<a><text>x</text></a>"),
        ("<a href='javascript:alert(1)'><text>x</text></a>", "<a><text>x</text></a>"),
        ("<flowRoot><flowPara>words</flowPara></flowRoot><g/>", "<g/>"),
        ("<switch><foreignObject><x:b>x</x:b></foreignObject><text>x</text></switch>", "<switch><text>x</text></switch>"),
        ("<use xlink:href=' #a '/><use href='#b'/>", '<use href="#a"/><use href="#b"/>'),
        ("<text xml:space='preserve' xml:lang='de'> a &lt;b&gt; &amp;#0; ]]&gt;</text>", None),
        ('<text id="a&quot;&gt;&#10;(x)" aria-label="f(x)">x</text>', '<text id=\'a"&gt;&#10;(x)\' aria-label="f(x)">x</text>'),
        ("<style>/* Ada */ .a &gt; .b{fill:url(#c)}</style>", "<style>  .a &gt; .b{fill:url(#c)}</style>"),
        ("<style><![CDATA[@media (x:1){a{fill:rgb(1,2,3)}}]]></style>", "<style>@media (x:1){a{fill:rgb(1,2,3)}}</style>"),
        ("<path style='fill:url( \"#a\" ) red'/>", "<path style='fill:url( \"#a\" ) red'/>"),
        ("<circle><animate attributeName='r' values='1;2' dur='1s'/></circle>", None),
        ("<g><animateTransform attributeName='transform' type='rotate' from='0' to='360'/></g>", None),
    ],
)
def test_svg_keeps_visible_content(body: str, expected: str | None) -> None:
    """N7: invisible content is dropped without a warning."""
    out = clean(body)
    if expected is None:
        assert out.replace('"', "'") == body
    else:
        assert out == expected


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (f'<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]><svg xmlns="{SVG}"/>', "declares entities or attributes"),
        (f'<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="{SVG}">&a;</svg>', "declares entities or attributes"),
        (f'<!DOCTYPE svg SYSTEM "x.dtd"><svg xmlns="{SVG}">&a;</svg>', "an entity that it does not declare"),
        ("<svg><path/></svg>", "does not begin with <svg xmlns="),
        ('<html xmlns="http://www.w3.org/1999/xhtml"/>', "does not begin with <svg xmlns="),
        (f'<svg xmlns="{SVG}"/><script/>', "its format is not SVG"),
        (f'<?xml version="1.0" encoding="ISO-2022-JP"?><svg xmlns="{SVG}"/>', "it is not in UTF-8"),
        (f'<?xml version="1.0" encoding="UTF-7"?><svg xmlns="{SVG}"/>', "it is not in UTF-8"),
        (f'<?xml version="1.0" encoding="iso-8859-1"?><svg xmlns="{SVG}"><text>ü</text></svg>', "it is not in UTF-8"),
        (f'<?xml-stylesheet href="x.css"?><svg xmlns="{SVG}"/>', "a processing instruction"),
        ("", "its format is not SVG"),
    ],
)
def test_svg_declarations_are_refused(data: str, reason: str) -> None:
    """A2: a file sets neither its encoding nor default attributes."""
    with pytest.raises(RefusedError, match=reason):
        clean_svg(data.encode(), inner_picture)


def test_svg_in_encodings_with_escape_sequences_is_refused() -> None:
    """A2: the same bytes would be a quote in one encoding and a letter in another."""
    for data in (b"\x1b$B<script>\x1b(B", b"\x1b(J\\", b"\x8fa"):
        with pytest.raises(RefusedError, match=r"its format is not SVG|not in UTF-8"):
            clean_svg(f'<svg xmlns="{SVG}"><text>'.encode() + data + b"</text></svg>", inner_picture)
    for encoding in ("utf-16", "utf-32", "utf-16-le"):
        with pytest.raises(RefusedError, match="it is not in UTF-8"):
            clean_svg(f'<svg xmlns="{SVG}"/>'.encode(encoding), inner_picture)


@pytest.mark.parametrize(
    "head",
    [
        "\ufeff",
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n',
        '\ufeff<?xml version="1.0" encoding="utf-8"?>',
        '<?xml version="1.0" encoding="iso-8859-1"?>',  # all of it is ASCII
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n<!-- by -->',
    ],
)
def test_svg_headers_of_common_programs_are_read(head: str) -> None:
    """N7."""
    assert clean_svg(f'{head}<svg xmlns="{SVG}"><g/></svg>'.encode(), inner_picture) == (
        f'<svg xmlns="{SVG}"><g/></svg>'.encode()
    )


def test_pictures_embedded_in_svg_are_cleaned(tmp_path: Path) -> None:
    """A2: their type is detected from their bytes."""
    inner = f'<svg xmlns="{SVG}"><image href="{data_url(private_png())}"/><desc>words</desc></svg>'.encode()
    pictures = (
        data_url(private_jpeg(), "image/png"),
        data_url(inner, "image/svg+xml"),
        "data:image/svg+xml;charset=utf-8,%3Csvg%20xmlns='http://www.w3.org/2000/svg'/%3E",
        re.sub("(.{76})", r"\1\n", data_url(PNG)),
    )
    svg = (HEAD + "".join(f'<image xlink:href="{picture}"/>' for picture in pictures) + "</svg>").encode()
    out = published(tmp_path, "a.svg", svg).decode()
    kinds, bodies = zip(*re.findall(r'<image href="data:([a-z/+]+);base64,([^"]+)"/>', out), strict=True)
    assert kinds == ("image/jpeg", "image/svg+xml", "image/svg+xml", "image/png")
    first, second, third, fourth = map(base64.b64decode, bodies)
    assert SECRET not in first + second
    assert b"colours" in first
    assert SECRET not in base64.b64decode(re.findall(rb'base64,([^"]+)"', second)[0])
    assert (third, fourth) == (f'<svg xmlns="{SVG}"/>'.encode(), PNG)
    content = published(tmp_path, "a.svg", svg, strip_metadata=False).decode()
    assert base64.b64encode(private_jpeg()).decode() in content


def test_script_in_nested_svg_is_refused(tmp_path: Path) -> None:
    """A2: at any depth up to a limit."""
    lively = f'<svg xmlns="{SVG}"><script/></svg>'.encode()
    for _ in range(5):
        with pytest.raises(RefusedError, match=r"contains a script|nested too deeply"):
            published(tmp_path, "a.svg", lively)
        lively = f'<svg xmlns="{SVG}"><image href="{data_url(lively, "image/svg+xml")}"/></svg>'.encode()


def test_fonts_embedded_in_svg() -> None:
    font = "@font-face{font-family:a;src:url(data:font/woff2;base64,AAAA) format('woff2')}"
    assert checked_css(font) == font
    for variant in (font.replace("font/woff2", "image/svg+xml"), font.replace("base64,AAAA)", "base64,AAAA#a)")):
        with pytest.raises(RefusedError):
            checked_css(variant)


@pytest.mark.parametrize(
    "style",
    [
        "/*" * 300_000, "a" * 600_000, "@" * 300_000, "é" * 600_000, "url(" * 200_000,
        f"url(data:font/woff2;base64,{' ' * 300_000}", f"url({' ' * 300_000}", f"url(#{'a' * 600_000}",
    ],
)  # fmt: skip
def test_hostile_svg_style_takes_linear_time(style: str) -> None:
    """N9: within the limits of a file."""

    def check(text: str) -> None:
        with suppress(RefusedError):
            checked_css(text)

    assert limits.each(check, [style], len) == [None]


_PIECES = st.sampled_from(
    """<g> </g> <a> </a> <svg xmlns="http://www.w3.org/2000/svg"> </svg> <style> </style> <script> </script> <x:b> </x:b>
    <switch> </switch> <text> </text> <image href="data:, href="#a" "/> onload="1" style="fill:url( #a) ) " ' > / &lt; &amp;
    &#60; <![CDATA[ ]]>
    <!-- --> <?a ?> @import url( \\ xmlns:x="http://www.w3.org/1999/xhtml" id="&quot;&gt;&lt;script>" words""".split()
)


@given(st.lists(_PIECES | st.text(max_size=3), max_size=12))
def test_random_svg_is_refused_or_clean(pieces: list[str]) -> None:
    """A2, N9: the result is well-formed, holds allowed content only, and does not change in a second pass."""
    try:
        out = clean_svg(f"{HEAD}{' '.join(pieces)}</svg>".encode(), inner_picture)
    except RefusedError:
        return
    assert clean_svg(out, inner_picture) == out
    for element in ElementTree.fromstring(out).iter():
        assert element.tag.startswith(f"{{{SVG}}}")
        assert element.tag.rpartition("}")[2] not in ("script", "foreignObject")
        assert not [name for name in element.attrib if name.startswith("on")]
        assert element.attrib.get("href", "#").startswith(("#", "data:image/"))
