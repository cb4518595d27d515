"""The Markdown of a site of Docusaurus is MDX (N9, A2)."""

from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.read.mkdocs import read_syntax
from support.content import build_tree, write_tree

PAGE = "# A\n\nwords\n\n- item\n\n      {/* owl */}\n\n{ /* owl */ }\n\n    <!-- owl -->\n\n`{/* code */}`\n"


@pytest.mark.parametrize(
    ("settings", "shows"),
    [
        ("export default {title: 'x'};", False),
        ("// format: 'md'\nexport default async () => ({markdown: {mermaid: true}});", False),
        ("export default {markdown: {format: 'detect'}};", True),
        ('module.exports = {"markdown": {"format": "md"}};', True),
    ],
)
def test_comment_of_mdx_is_not_shown_in_a_site_of_docusaurus(tmp_path: Path, settings: str, shows: bool) -> None:
    site = build_tree(tmp_path, {"a.md": PAGE, "docusaurus.config.js": settings}, Config(default_audience="public"))
    html = (site / "a/index.html").read_text()
    assert ("owl" in html) is shows
    assert "{/* code */}" in html


@pytest.mark.parametrize("folder", ["docs", ".", "i18n/de/docusaurus-plugin-content-docs/current"])
def test_settings_above_the_content_folder_are_read(tmp_path: Path, folder: str) -> None:
    write_tree(tmp_path, {"docusaurus.config.ts": "export default {};", f"{folder}/a.md": "# A"})
    assert read_syntax(tmp_path / folder).of("a.md").extensions == ("mdx",)
