"""Sidebars of Docusaurus and VitePress as tables of contents."""

from pathlib import Path

import pytest
from ranvier_builder.pipeline import survey
from ranvier_builder.read.outline import read_outline
from ranvier_builder.read.sidebars import read_sidebars
from support.content import OPEN, write_tree

DOCUSAURUS = """import type {SidebarsConfig} from '@docusaurus/plugin-content-docs';
// The pages
const other = { type: 'category', label: 'Help', items: ['faq'] };
const sidebars: SidebarsConfig = {
  docs: [
    'intro',
    {
      type: 'category', label: "Use \\"it\\"", link: { type: 'doc', id: 'use/index' },
      items: ['use/b', { type: 'doc', id: 'use/a', label: 'First' }, { type: 'link', label: 'X', href: 'https://x.example' }],
    },
    { Others: ['c', ...require('./more')] },
  ],
};
export default sidebars;
"""
VITEPRESS = """import { defineConfig } from 'vitepress'
export default defineConfig({
  title: 'Site', head: [['link', { rel: 'icon' }]],
  themeConfig: {
    nav: nav(),
    sidebar: {
      '/use/': { base: '/use/', items: [{ text: 'Use', collapsed: false, items: [
        { text: 'First', link: 'a.html' }, { text: 'B', link: '/b' },
      ] }] },
      '/': [{ text: 'C', link: '/c' }, other],
    },
  },
})
"""

VUEPRESS_1 = """module.exports = {title: 'Site', themeConfig: {nav: [{text: 'C', link: '/c'}], sidebar: {
  '/use/': ['', ['a', 'First'], {title: 'More', path: '/c', children: ['/use/b.html']}, {title: 'Web', path: 'https://a.b'}],
  '/api/': 'auto',
}}}"""
VUEPRESS_2 = """export default defineUserConfig({title: 'Site', theme: hopeTheme({
  sidebar: [{text: 'Use', icon: 'x', prefix: '/use/', children: ['README.md', {text: 'First', link: 'a.md'}, other]}, '/c'],
})})"""

STARLIGHT = """import starlight from '@astrojs/starlight';
export default defineConfig({integrations: [starlight({
  title: 'Site',
  sidebar: [
    {label: 'Use', items: [{label: 'First', slug: 'use/a'}, 'use/b']},
    {label: 'API', autogenerate: {directory: 'reference'}},
  ],
})]});
"""


def lines(folder: Path) -> list[tuple[str, str, int]]:
    return [(entry.path, entry.label, entry.depth) for entry in read_sidebars(folder).entries]


USE = [("use/index", "", 1), ("use/b", "", 1), ("use/a", "First", 1)]
ENTRIES_OF_DOCUSAURUS = [("intro", "", 0), ("", 'Use "it"', 0), *USE, ("", "Others", 0), ("c", "", 1)]
MAP_OF_CATEGORIES = "module.exports = {docs: {Start: ['b'], 'More': ['a']}}"


@pytest.mark.parametrize(
    ("name", "text", "folder", "entries"),
    [
        ("docs/sidebars.ts", DOCUSAURUS, "docs", ENTRIES_OF_DOCUSAURUS),
        ("sidebars.js", DOCUSAURUS, "docs", ENTRIES_OF_DOCUSAURUS),
        ("sidebars.js", MAP_OF_CATEGORIES, ".", [("", "Start", 0), ("b", "", 1), ("", "More", 0), ("a", "", 1)]),
        (".vitepress/config.mts", VITEPRESS, ".", [("", "Use", 0), ("use/a", "First", 1), ("use/b", "B", 1), ("c", "C", 0)]),
        (".vuepress/config.js", VUEPRESS_1, ".", [("use", "", 0), ("use/a", "First", 0), ("c", "More", 0), ("use/b", "", 1)]),
        (
            ".vuepress/config.ts",
            VUEPRESS_2,
            ".",
            [("", "Use", 0), ("use/README.md", "", 1), ("use/a.md", "First", 1), ("c", "", 0)],
        ),
        (
            "astro.config.mjs",
            STARLIGHT,
            "src/content/docs",
            [("", "Use", 0), ("use/a", "First", 1), ("use/b", "", 1), ("", "API", 0)],
        ),
    ],
)
def test_sidebar_has_the_pages_labels_and_depths_of_its_settings(
    tmp_path: Path, name: str, text: str, folder: str, entries: list[tuple[str, str, int]]
) -> None:
    """Of Docusaurus, VitePress, VuePress and Starlight; a sidebar may be a map of categories."""
    root = write_tree(tmp_path, {name: text, "docs/c.md": "# C", "src/content/docs/a.md": "# A"})
    outline = read_outline(root / folder, ())
    assert lines(root / folder) == entries
    assert outline.title == ("" if "sidebars" in name else "Site")
    if text == STARLIGHT:
        assert ([*outline.folders], outline.folders["reference"][1]) == (["reference"], "API")


@pytest.mark.parametrize(
    ("name", "text", "folder"),
    [
        ("docusaurus.config.js", "const config = {title: 'Site'};\nexport default config;\n", "docs"),
        (".vuepress/config.js", "module.exports = {title: 'Site'}\n", "."),
        ("_config.yml", "title: Site\n", "."),
        ("hugo.toml", "title = 'Site'\n", "content"),
        ("_quarto.yml", "website: {title: Site}\n", "."),
        ("_quarto.yml", "book: {title: Site}\n", "."),
        ("conf.py", "import x\nproject = 'Site'\nversion = x.y\n", "."),
    ],
)
def test_settings_have_the_title_of_the_site(tmp_path: Path, name: str, text: str, folder: str) -> None:
    root = write_tree(tmp_path, {name: text, "docs/a.md": "# A", "content/a.md": "# A", "b/content.md": "# B"})
    assert read_outline(root / folder, ()).title == "Site"
    assert read_outline(root / "b", ()).title in ("", "Site" if folder == "docs" else "")


def test_sidebar_of_vuepress_in_a_file_of_its_own_orders_pages(tmp_path: Path) -> None:
    text = "export const en = sidebar({'/use/': ['b', 'a'], '/': ['c']})"
    assert lines(write_tree(tmp_path, {".vuepress/sidebar/en.ts": text})) == [("use/b", "", 0), ("use/a", "", 0), ("c", "", 0)]


def test_sidebar_orders_numbered_pages(tmp_path: Path) -> None:
    """Docusaurus removes numbers from the names of files."""
    files = {"sidebars.js": "module.exports = {docs: ['z', 'use/b']}", "a.md": "# A", "02-z.md": "# Z", "01-use/03-b.md": "# B"}
    tree = survey(write_tree(tmp_path, files), OPEN).tree
    assert [node.title for node in tree.root.children][:1] == ["Z"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "export default {",
        "module.exports = {a: ['a', {type: 'autogenerated', dirName: 'b'}]}",
        "module.exports = {a: [[[{}]]], b: 1, c: 'x'}",
        "const a = {" * 400,
    ],
)
def test_settings_without_pages_order_nothing(tmp_path: Path, text: str) -> None:
    assert lines(write_tree(tmp_path, {"sidebars.js": text})) == []
