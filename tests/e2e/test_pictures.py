"""Published pictures in a browser: they look like their sources, and a picture that is opened as a page runs no script."""

import base64
from pathlib import Path

import pytest
from ranvier_builder.media.publish import published_bytes
from ranvier_builder.media.refused import RefusedError
from support.browser import Tab
from support.content import write_tree
from support.pictures import AVIF, AVIF_FRAMES, BMP, GIF, JPEG, PROGRESSIVE, WEBP, WEBP_FRAMES, ico, private_jpeg, private_png
from support.sites import serving

SVG = "http://www.w3.org/2000/svg"
# Draws a picture on grey; returns its width, height and pixels.
_DRAW = """async (address) => {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const { naturalWidth: width, naturalHeight: height } = picture;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  context.fillStyle = "#888";
  context.fillRect(0, 0, width, height);
  context.drawImage(picture, 0, 0);
  return [width, height, [...context.getImageData(0, 0, width, height).data].join()];
}"""
EDITED = f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<!-- Created by an editor -->
<svg xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:svg="{SVG}" xmlns="{SVG}" xmlns:xlink="http://www.w3.org/1999/xlink"
   xmlns:ink="http://www.inkscape.org/namespaces/inkscape" width="60" height="40" ink:export-filename="/home/ada/plan.png">
  <metadata><dc:creator>Ada</dc:creator></metadata>
  <style type="text/css"><![CDATA[ .a > rect {{ fill: url(#fade) }} /* a note */ ]]></style>
  <defs><linearGradient id="fade"><stop style="stop-color:#f00"/><stop offset="1" stop-color="#00f"/></linearGradient>
    <filter id="soft"><feGaussianBlur stdDeviation="1"/></filter></defs>
  <g class="a" ink:label="Layer 1"><rect width="30" height="20" style="filter:url(#soft)"/></g>
  <svg:circle cx="45" cy="20" r="9" fill="hsl(120, 50%, 50%)" transform="rotate(5) translate(1, 2)"/>
  <a xlink:href="https://elsewhere.example/"><text x="2" y="35" font-size="9" xml:space="preserve">A  &amp; B</text></a>
  <switch><text systemLanguage="xx" x="30" y="35">x</text><path d="M30 30h20v5z"/></switch>
  <image x="50" y="30" width="8" height="6" xlink:href="data:image/jpeg;base64,{base64.b64encode(JPEG).decode()}"/>
  <use xlink:href="#tile" x="3"/><path id="tile" d="M0 22h5v5h-5z"/>
</svg>"""
PICTURES = {
    "upright.jpg": private_jpeg(turned=1),
    "turned.jpg": private_jpeg(turned=6, order="<"),
    "progressive.jpg": private_jpeg(PROGRESSIVE, turned=2),
    "screen.png": private_png(turned=8),
    "moving.gif": GIF,
    "lossless.webp": WEBP,
    "moving.webp": WEBP_FRAMES,
    "new.avif": AVIF,
    "moving.avif": AVIF_FRAMES,
    "plain.bmp": BMP,
    "icon.ico": ico(private_png(turned=1)),
    "edited.svg": EDITED.encode(),
}


@pytest.mark.parametrize("name", PICTURES)
def test_published_picture_looks_the_same(tab: Tab, tmp_path: Path, name: str) -> None:
    """N7: size, orientation and pixels."""
    (tmp_path / name).write_bytes(PICTURES[name])
    write_tree(
        tmp_path / "site", {f"after/{name}": b"".join(published_bytes(tmp_path / name)), f"before/{name}": PICTURES[name]}
    )
    write_tree(tmp_path / "site", {"index.html": "<!doctype html><link rel=icon href=data:,>"})
    with serving(tmp_path / "site") as server:
        tab.page.goto(server.url)
        before, after = (tab.page.evaluate(_DRAW, f"{server.url}{phase}/{name}") for phase in ("before", "after"))
    assert after == before
    assert {*after[2].split(",")} != {"136", "255"}, "the picture is not blank"
    if name == "turned.jpg":
        assert after[:2] == [6, 8]


BAIT = "parent.caught=globalThis.caught=true;fetch('caught')"
XHTML = "xmlns:x='http://www.w3.org/1999/xhtml'"
RECT = "width='9' height='9'"
HOSTILE = {
    "plain": f"<svg xmlns='{SVG}' onload=\"{BAIT}\"/>",
    "script": f"<svg xmlns='{SVG}'><script>{BAIT}</script></svg>",
    "escapes": f"<?xml version='1.0' encoding='ISO-2022-JP'?><svg xmlns='{SVG}'><s\x1b(Bcript>{BAIT}</s\x1b(Bcript></svg>",
    "dot": f"<svg xmlns='{SVG}'><g a\u00b7onload='1' onload=\"{BAIT}\"/></svg>",
    "default": f"<!DOCTYPE svg [<!ATTLIST svg onload CDATA \"{BAIT}\">]><svg xmlns='{SVG}'/>",
    "default-href": f"<!DOCTYPE svg [<!ATTLIST script href CDATA 'text.txt'>]><svg xmlns='{SVG}'><script/></svg>",
    "entity": f'<!DOCTYPE svg [<!ENTITY a "<script>{BAIT}</script>">]><svg xmlns="{SVG}">&a;</svg>',
    "form": f"<svg xmlns='{SVG}' {XHTML}><x:form action='caught'><x:button autofocus=''/></x:form></svg>",
    "refresh": f"<svg xmlns='{SVG}' {XHTML}><x:meta http-equiv='refresh' content='0;url=caught'/></svg>",
    "frame": f"<svg xmlns='{SVG}' {XHTML}><x:iframe src='caught'/><x:link rel='stylesheet' href='caught'/></svg>",
    "foreign": f"<svg xmlns='{SVG}' {XHTML}><switch><foreignObject><x:script>{BAIT}</x:script></foreignObject></switch></svg>",
    "sheet": f"<?xml-stylesheet href='caught'?><svg xmlns='{SVG}'/>",
    "import": f"<svg xmlns='{SVG}'><style>@import 'caught';</style></svg>",
    "backslash": f"<svg xmlns='{SVG}'><rect style='fill:u\\72l(caught#a)' {RECT}/></svg>",
    "fill": f"<svg xmlns='{SVG}'><rect fill='url(caught#a)' {RECT}/></svg>",
    "use": f"<svg xmlns='{SVG}'><use href='caught#a'/></svg>",
    "image": f"<svg xmlns='{SVG}'><image href='caught' {RECT}/></svg>",
    "base": f"<svg xmlns='{SVG}' xml:base='caught'><use href='#a'/></svg>",
    "animation": f"<svg xmlns='{SVG}'><image {RECT}><set attributeName='href' to='caught'/></image></svg>",
    "picture": f"<svg xmlns='{SVG}'><image href='data:image/svg+xml,%3Csvg xmlns=%22{SVG}%22 onload=%22{BAIT}%22/%3E'/></svg>",
    "namespace": f"<svg xmlns='{SVG}' xmlns:q=\"&quot;&gt;&lt;script&gt;{BAIT}&lt;/script&gt;\"><g q:a='1'/></svg>",
}
PUBLISHED = ["base.svg", "foreign.svg", "form.svg", "frame.svg", "namespace.svg", "refresh.svg"]  # the others are not published


def test_published_svg_runs_no_script(tab: Tab, tmp_path: Path) -> None:
    """A2: opened as a page on a host without a policy, it also sends no request."""
    tab.expected.append("404")
    site = write_tree(tmp_path / "site", {"index.html": "<!doctype html>", "text.txt": BAIT})
    for name, svg in HOSTILE.items():
        (tmp_path / "a.svg").write_text(svg, "utf-8")
        try:
            write_tree(site, {f"{name}.svg": b"".join(published_bytes(tmp_path / "a.svg"))})
        except RefusedError:
            continue
    assert sorted(file.name for file in site.glob("*.svg")) == PUBLISHED
    write_tree(site, {"raw.svg": HOSTILE["script"]})
    requests: list[str] = []
    tab.page.on("request", lambda request: requests.append(request.url.rpartition("/")[2]))
    with serving(site) as server:
        for name in (*PUBLISHED, "raw.svg"):
            tab.page.goto(server.url + name)
            tab.page.wait_for_timeout(300)
            assert tab.page.evaluate("globalThis.caught") is (True if name == "raw.svg" else None), name
            assert tab.page.url == server.url + name
    assert [name for name in requests if name != "favicon.ico"] == [*PUBLISHED, "raw.svg", "caught"]
