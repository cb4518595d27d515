"""Which pages are versions of one page (R7)."""

from __future__ import annotations

import pytest
from ranvier_builder.model import Chunk, Rendered
from ranvier_builder.write.analyse import analysed
from ranvier_builder.write.versions import newest_versions
from support.content import page

TEXT = "A route leads an address to a function."


def rendered(path: str, title: str = "Routing", text: str = TEXT) -> Rendered:
    made, chunks = page(path, title=title), (Chunk("", (), text),)
    return Rendered(made, "", (), chunks, terms=analysed(made.neuron, chunks))


@pytest.mark.parametrize(
    ("paths", "newest"),
    [
        (("docs/7.3/x.md", "docs/7.10/x.md", "docs/7.4/x.md"), {1: 2, 3: 2}),
        (("v1/x.md", "v2/x.md"), {1: 2}),
        (("version-1.0.0/x.md", "next/x.md", "x.md"), {1: 3, 2: 3}),
        (("2.0/x.md", "latest/x.md", "dev/x.md"), {1: 2, 3: 2}),
        (("2.0-rc1/x.md", "1.9/x.md"), {1: 2}),
        (("9.x/x.md", "10.x/x.md", "9.2/x.md"), {1: 2, 3: 2}),
        (("2023/x.md", "2024/x.md"), {}),  # years
        (("week/1/x.md", "week/2/x.md"), {}),
        (("en/x.md", "de/x.md"), {}),
        (("7.3/x.md", "7.4/y.md"), {}),
        (("7.3/a/x.md", "7.4/b/x.md"), {}),
    ],
)
def test_pages_whose_paths_differ_by_a_version(paths: tuple[str, ...], newest: dict[int, int]) -> None:
    assert newest_versions([rendered(path) for path in paths]) == newest


def test_pages_with_other_titles_or_other_words_are_no_versions() -> None:
    """Two volumes may have chapters of the same name."""
    assert newest_versions([rendered("1.0/x.md"), rendered("2.0/x.md", "Routes")]) == {}
    other = "Bread needs flour, water, salt and a warm night."
    assert newest_versions([rendered("1.0/x.md"), rendered("2.0/x.md", text=other)]) == {}
    assert newest_versions([rendered("1.0/x.md"), rendered("2.0/x.md", "ROUTING", f"{TEXT} Or to none.")]) == {1: 2}
