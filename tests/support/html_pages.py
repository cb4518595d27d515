"""Pages of other generators, as `ranvier index` reads them."""

from ranvier_builder.config import Config
from ranvier_builder.model import Rendered
from ranvier_builder.web.page import WebPage, read_page
from ranvier_builder.web.site import SiteText, site_text


def read(html: str | bytes, path: str = "guide/a.html") -> WebPage:
    return read_page(path, html if isinstance(html, bytes) else html.encode())


def texts_of(html: str) -> list[str]:
    """All text that is read of a page."""
    return [block.text for section in read(html).sections for block in section.blocks]


def site(pages: dict[str, str], config: Config | None = None) -> SiteText:
    return site_text([read(html, path) for path, html in sorted(pages.items())], config or Config())


def titles_of(pages: dict[str, str]) -> dict[str, str]:
    return {page.page.neuron.path: page.page.neuron.title for page in site(pages).rendered}


def page_of(title: str = "", body: str = "text", head: str = "") -> str:
    return f"<html><head><title>{title}</title>{head}</head><body><main>{body}</main></body></html>"


def outline(page: WebPage | Rendered) -> list[tuple[str, tuple[str, ...], list[str]]]:
    """Return the anchor, the headings and the texts of each section."""
    return [(section.anchor, section.headings, [block.text for block in section.blocks]) for section in page.sections]
