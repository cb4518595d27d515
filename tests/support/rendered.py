"""A rendered file: the text of a page as a reader sees it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.model import Neuron, Rendered
from ranvier_builder.pipeline import survey
from ranvier_builder.read.files import walk
from ranvier_builder.read.neuron import read_neuron
from ranvier_builder.render.addresses import Html
from ranvier_builder.render.html import sections
from ranvier_builder.render.links import Links
from ranvier_builder.render.markdown import render
from ranvier_builder.render.slugs import pages

from support.content import OPEN, write_tree


@dataclass(frozen=True, slots=True)
class RenderedFile:
    """A rendered file: `text` is the text of its page, with ` / ` between blocks."""

    text: str
    html: str
    problems: tuple[str, ...]  # warnings of the kind "markup", as `line: message`
    neuron: Neuron


RenderFile = Callable[..., RenderedFile]
"""The fixture `render_file`."""


def render_neurons(
    folder: Path,
    neurons: Iterable[Neuron],
    path: str,
    config: Config = Config(),  # noqa: B008 (it is frozen)
    refused: frozenset[str] = frozenset(),
) -> Html:
    """Render one of some pages, with links to the others and to the files of a folder."""
    placed = pages(neurons, "site")
    page = next(page for page in placed if page.neuron.path == path)
    root = "../" * (page.slug.count("/") + 1) if page.slug else ""
    return render(page, Links(folder, placed, walk(folder).files, config, refused), root, config)


def surveyed(folder: Path, files: Mapping[str, str | bytes], config: Config = OPEN) -> dict[str, Rendered]:
    """Write files, and return the pages that a build renders of them, by path."""
    return {page.page.neuron.path: page for page in survey(write_tree(folder, files), config).rendered}


@pytest.fixture
def render_file(tmp_path: Path) -> RenderFile:
    def render_file(body: str, path: str = "a.md", config: Config = Config()) -> RenderedFile:  # noqa: B008 (it is frozen)
        (tmp_path / path).write_text(body, "utf-8")
        neuron, warnings = read_neuron(tmp_path, path, config)
        html = render_neurons(tmp_path, [neuron], path, config)
        results = [(*section.headings[-1:], *(block.text for block in section.blocks)) for section in sections(html.html)]
        problems = tuple(
            f"{warning.line}: {warning.message}" for warning in [*warnings, *html.warnings] if warning.kind == "markup"
        )
        return RenderedFile(" / ".join(text for texts in results for text in texts), html.html, problems, neuron)

    return render_file
