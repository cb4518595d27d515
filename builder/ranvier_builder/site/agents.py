"""Files for programs that read Markdown: `llms.txt`, `llms-full.txt`, and a Markdown file beside each page.

`llms.txt` lists the pages (llmstxt.org). All of them are made from the published HTML and the published fields of a page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import yaml

from ranvier_builder.config import Config
from ranvier_builder.render.node import Node
from ranvier_builder.site.to_markdown import escape, to_markdown

MARKDOWN = "index.md"  # beside a page's `index.html`: the page's relative links are right there too
# Of a page, that its Markdown has.
FIELDS = ("title", "shows_title", "summary", "html", "url", "lang", "tags", "created", "updated")
_END = "\n---\n\n"  # of the front matter; YAML indents this line in a value
_MAX_BYTES = 4_000_000  # bytes of a file of whole texts: about a million tokens, the most that models read at once


def absolute(config: Config, url: str) -> str:
    """Return an address with that of the site; unchanged if the site's is not known."""
    return f"{config.url.rstrip('/')}/{url}" if config.url else url


def markdown_page(page: dict[str, Any], config: Config) -> str:
    """Return a page as Markdown, from the variables of its template: published fields, title, summary, text."""
    base = absolute(config, page["url"])
    fields = {
        "title": page["title"],
        "description": page["summary"],
        "url": base if config.url else "",
        "lang": page["lang"],
        "tags": page["tags"],
        "created": page["created"],
        "updated": page["updated"],
    }
    head = yaml.safe_dump(
        {name: value for name, value in fields.items() if value}, allow_unicode=True, sort_keys=False, width=1 << 20
    )
    return f"---\n{head.rstrip()}{_END}{_text(page, config)}\n"


def _text(page: dict[str, Any], config: Config) -> str:
    """Return the title, the summary and the text of a page; links are absolute if the site's address is known."""
    base = absolute(config, page["url"])
    text = to_markdown(page["html"], lambda href: _join_url(base, href) if config.url else href)
    title = "" if not page["shows_title"] else f"# {_line(page['title'])}"
    summary = f"> {_line(page['summary'])}" if page["summary"] else ""
    return "\n\n".join(part for part in (title, summary, text) if part)


class FullText:
    """Writes the texts of all pages, one after the other, into `llms-full.txt`; a large site gets several files."""

    def __init__(self, out: Path, title: str) -> None:
        self.files: list[str] = []
        self._out = out
        self._head = (
            f"{' '.join(title.split())}: the text of its pages. Relative links begin at the address after `Source:`.\n\n"
        )
        self._bytes = 0

    def add(self, markdown: str, url: str) -> None:
        """Append a page: its Markdown without the fields, after the line with its address."""
        data = f"Source: {url or './'}\n\n{markdown.partition(_END)[2]}\n".encode()
        if not self.files or self._bytes + len(data) > _MAX_BYTES:
            number = len(self.files) + 1
            self.files.append(f"llms-full-{number}.txt" if number > 1 else "llms-full.txt")
            self._bytes = 0
            data = self._head.encode() + data
        self._bytes += len(data)
        with (self._out / self.files[-1]).open("ab") as file:
            file.write(data)


def listing(root: Node, nodes: list[Node], config: Config, text_files: list[str]) -> str:
    """Return `llms.txt`: pages below the top-level section that holds them, in reading order."""
    parts = [f"# {_line(root.title)}"]
    if config.description:
        parts.append(f"> {_line(config.description)}")
    groups: dict[str, list[str]] = {}
    for node in nodes:
        groups.setdefault(_section(node), []).append(_entry(node, config))
    for title, entries in groups.items():
        parts += [f"## {title}", "\n".join(entries)]
    if text_files:
        links = [
            f"- [{name}]({absolute(config, name)}): the texts of {'all' if len(text_files) == 1 else 'some'} pages"
            for name in text_files
        ]
        parts += ["## Optional", "\n".join(links)]
    return "\n\n".join(parts) + "\n"


def _section(node: Node) -> str:
    """Return the title of the section at the top of the site that holds a page."""
    while node.parent is not None and node.parent.parent is not None:
        node = node.parent
    return _line(node.title) if node.children and node.parent is not None else "Pages"


def _entry(node: Node, config: Config) -> str:
    summary = node.page.neuron.summary if node.page else ""
    return f"- [{_line(node.title)}]({absolute(config, node.url + MARKDOWN)}){f': {_line(summary)}' if summary else ''}"


def _line(text: str) -> str:
    return escape(" ".join(text.split()))


def _join_url(base: str, href: str) -> str:
    try:
        return urljoin(base, href)
    except ValueError:  # an address that is not valid; it is in the page as it is
        return href
