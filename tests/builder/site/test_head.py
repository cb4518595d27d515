"""What programs read about a page, its direction, and the link to its source (G1)."""

import json
from pathlib import Path

import pytest
from ranvier_builder import Config, load_config
from ranvier_builder.errors import ConfigError
from selectolax.lexbor import LexborHTMLParser
from support.content import build_tree, html_of
from support.pictures import private_png

URL = "https://x.example/docs"
TITLE = "</title><b> & \"q\" 's'"


def build_site(tmp_path: Path, files: dict[str, str | bytes], **settings: object) -> Path:
    return build_tree(tmp_path, files, Config(default_audience="public", **settings))  # type: ignore[arg-type]


def meta(page: LexborHTMLParser) -> dict[str, str]:
    nodes = [node.attributes for node in page.css("head meta")]
    content_by_name = {str(node.get("property") or node.get("name")): str(node.get("content")) for node in nodes}
    return {name: value for name, value in content_by_name.items() if name.startswith(("og:", "twitter:", "description"))}


def test_previews_of_links_have_title_text_and_picture(tmp_path: Path) -> None:
    """G1: Open Graph, and the kind of card; all values are escaped."""
    page = f"---\ntitle: {json.dumps(TITLE)}\nsummary: '\"One\" <two>'\n---\n![d](d.svg) ![p](<p 1.png>)\n"
    files: dict[str, str | bytes] = {"index.md": "# Home\n", "a.md": page, "p 1.png": private_png(), "d.svg": "<svg/>"}
    out = build_site(tmp_path, files, url=URL, title="S")
    (picture,) = (file.name for file in (out / "_media").iterdir() if file.suffix == ".png")
    text = {**dict.fromkeys(("description", "og:description"), '"One" <two>'), "og:title": TITLE, "og:type": "article"}
    card = {"og:image": f"{URL}/_media/{picture.replace(' ', '%20')}", "twitter:card": "summary_large_image"}
    assert meta(html_of(out, "a")) == {"og:site_name": "S", "og:url": f"{URL}/a/"} | text | card
    home = {"og:title": "Home", "og:type": "website", "twitter:card": "summary"}
    assert meta(html_of(out, "")) == {"og:site_name": "S", "og:url": f"{URL}/"} | home
    (link,) = html_of(out, "a").css("link[rel=canonical]")
    assert link.attributes["href"] == f"{URL}/a/"


def test_pictures_of_previews_need_the_address_of_the_site(tmp_path: Path) -> None:
    """G1: addresses in previews are absolute."""
    out = build_site(tmp_path, {"a.md": "![p](p.png)\n", "p.png": private_png()})
    assert meta(html_of(out, "a")).keys() == {"og:title", "og:site_name", "og:type", "twitter:card"}


@pytest.mark.parametrize(("lang", "direction"), [("ar", "rtl"), ("fa-IR", "rtl"), ("he", "rtl"), ("ur", "rtl"), ("de", "ltr")])
def test_direction_of_a_page_is_that_of_its_language(tmp_path: Path, lang: str, direction: str) -> None:
    """G1, I1."""
    out = build_site(tmp_path, {"a.md": f"---\nlang: {lang}\n---\nText.\n", "b.md": "Text.\n"})
    assert (root := html_of(out, "a").css_first("html")) is not None
    assert (root.attributes["lang"], root.attributes["dir"]) == (lang, direction)
    html_element = html_of(out, "b").css_first("html")
    assert html_element is not None
    assert html_element.attributes["dir"] == "ltr"


def test_page_links_to_its_source(tmp_path: Path) -> None:
    """G1, A6: only Markdown; ids of claims are not in the link."""
    files: dict[str, str | bytes] = {
        "notes/a b & c.md": "Text.\n",
        "d {#claim-abcd1234}.md": "Text.\n",
        "e.vtt": "WEBVTT\n\n00:00.000 --> 00:02.000\nhear me\n",
    }
    out = build_site(tmp_path, files, edit_url="https://h.example/r/edit/main/{path}?plain=1")
    (link,) = html_of(out, "notes/a-b-c").css(".edit a")
    assert link.attributes["href"] == "https://h.example/r/edit/main/notes/a%20b%20%26%20c.md?plain=1"
    assert html_of(out, "e").css(".edit") == []
    assert "claim" not in (out / "d" / "index.html").read_text("utf-8")


@pytest.mark.parametrize("value", ["https://h.example/edit/", "javascript:{path}", "h.example/{path}", "https://{path}"])
def test_invalid_edit_address_is_an_error(tmp_path: Path, value: str) -> None:
    """V1: with file and line."""
    file = tmp_path / "ranvier.toml"
    file.write_text(f'title = "x"\nedit_url = "{value}"\n')
    with pytest.raises(ConfigError, match=r"edit_url cannot be") as error:
        load_config(file)
    assert error.value.line == 2
