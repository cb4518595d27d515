"""A rendered file: the text of a page as a reader sees it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.model import Neuron
from ranvier_builder.read.files import walk
from ranvier_builder.read.neuron import read_neuron
from ranvier_builder.render.html import sections
from ranvier_builder.render.links import Links
from ranvier_builder.render.markdown import render
from ranvier_builder.render.slugs import pages


@dataclass(frozen=True, slots=True)
class RenderedFile:
    """A rendered file: `text` is the text of its page, with ` / ` between blocks."""

    text: str
    html: str
    problems: tuple[str, ...]  # warnings of the kind "markup", as `line: message`
    neuron: Neuron


RenderFile = Callable[..., RenderedFile]
"""The fixture `render_file`."""


@pytest.fixture
def render_file(tmp_path: Path) -> RenderFile:
    def render_file(body: str, path: str = "a.md", config: Config | None = None) -> RenderedFile:
        (tmp_path / path).write_text(body, "utf-8")
        neuron, warnings = read_neuron(tmp_path, path, config or Config())
        placed = pages([neuron], "site")
        html = render(placed[0], Links(tmp_path, placed, walk(tmp_path).files), "../", config or Config())
        results = [(*section.headings[-1:], *(block.text for block in section.blocks)) for section in sections(html.html)]
        problems = tuple(
            f"{warning.line}: {warning.message}" for warning in [*warnings, *html.warnings] if warning.kind == "markup"
        )
        return RenderedFile(" / ".join(text for texts in results for text in texts), html.html, problems, neuron)

    return render_file
