"""Names of files below a folder."""

from pathlib import Path

import pytest
from ranvier_builder.paths import files_below, folder_label
from support.content import write_tree


def test_files_below_a_folder_are_sorted_and_no_link_to_a_folder_is_followed(tmp_path: Path) -> None:
    site = write_tree(tmp_path / "site", {"b/c.txt": "", "b-a.txt": "", "b/a/é.txt": ""})
    outside = write_tree(tmp_path / "outside", {"secret.txt": ""})
    (site / "folder").symlink_to(outside)
    (site / "file").symlink_to(outside / "secret.txt")
    (site / "broken").symlink_to(outside / "nothing")
    (site / "loop").symlink_to(site / "loop")
    (site / "empty").mkdir()
    assert files_below(site) == ["b-a.txt", "b/a/é.txt", "b/c.txt", "file"]


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("getting-started", "Getting started"),
        ("http-api", "HTTP API"),
        ("rest-api-v2", "Rest API v2"),
        ("élan", "Élan"),
        ("docusaurus-plugin-content-docs-api", "Docs API"),
    ],
)
def test_label_of_a_folder_has_abbreviations_in_capitals(name: str, label: str) -> None:
    assert folder_label(name) == label
