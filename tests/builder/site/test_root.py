"""The paths in templates: from a page to the root of its site, and to other pages."""

import pytest
from ranvier_builder.site.root import Root


@pytest.mark.parametrize(
    ("folder", "url", "path"),
    [
        ("", "", "./"),
        ("", "guide/", "guide/"),
        ("guide/themes/", "", "../../"),
        ("guide/themes/", "guide/", "../"),
        ("guide/themes/", "guide/themes/", "./"),
        ("guide/themes/", "guide/themes/colours/", "colours/"),
        ("guide/themes/", "guide/media/", "../media/"),
        ("guide/themes/", "guide/themes-2/", "../themes-2/"),
        ("guide/themes/", "reference/", "../../reference/"),
        ("a%20b/c/", "a%20b/d/", "../d/"),
    ],
)
def test_shortest_path_to_a_page(folder: str, url: str, path: str) -> None:
    assert Root.of(folder).to(url) == path


def test_root_of_a_folder_is_relative() -> None:
    assert (Root.of(""), Root.of("guide/themes/")) == ("", "../../")


@pytest.mark.parametrize(("url", "path"), [("", "/docs/"), ("guide/", "/docs/guide/")])
def test_page_at_any_address_has_absolute_paths(url: str, path: str) -> None:
    assert Root.absolute("/docs/").to(url) == path
