"""Pages that settings of Hugo and Zola leave out."""

from pathlib import Path

import pytest
from support.excluded import assert_excluded

_HUGO = "baseURL: /\ntitle: x\nmenu: {}\n"
_CASCADE = _HUGO + "cascade: [{draft: true, target: {path: '{/a,/a/**}'}}, {tags: [x], target: {path: '/b/**'}}]\n"
_NEVER = _HUGO + "Cascade: {build: {render: never, list: never}, _target: {path: /a/b}}\n"
_INDEX = "cascade: [{build: {render: never, list: never}, target: {path: '{/a/b,/a/b/**}'}}]\n"
_STAGING = _HUGO + "cascade: [{draft: true, target: {path: /a/**, environment: staging}}]\n"
_MOUNTS = "baseURL = '/'\n[[module.mounts]]\nsource = 'content'\ntarget = 'content'\nexcludeFiles = ['a/*', '/b.md']\n"
_TWO_MOUNTS = _MOUNTS + "[[module.mounts]]\nsource = 'content'\ntarget = 'content/x'\n"
_OFF = (
    _HUGO
    + "disableLanguages: [fr]\nlanguages:\n  de: {disabled: true, contentDir: content/german}\n  en: {contentDir: content}\n"
    "  fr: {contentDir: content}\n"
)
_ZOLA = "base_url = '/'\nignored_content = ['*.{tmp,old}.md', 'a/**']\n"
_DRAFT = "+++\ndraft = true\n+++\n# A\n"


@pytest.mark.parametrize(
    ("settings", "excluded", "pages"),
    [
        ({"hugo.yaml": _CASCADE}, ["content/a/b.md", "content/a/_index.md"], ["content/b/c.md", "content/c/a/b.md"]),
        ({"config.yaml": _NEVER}, ["content/a/b.md"], ["content/a/c.md", "content/a/bc.md"]),
        ({"hugo.yaml": _STAGING}, [], ["content/a/b.md"]),
        ({"hugo.yaml": _STAGING.replace("staging", "'{staging,production}'")}, ["content/a/b.md"], ["content/b.md"]),
        ({"hugo.yaml": _STAGING.replace("/a/**, environment: staging", "/my-notes/**")}, ["content/My Notes/a.md"],
         ["content/notes/a.md"]),
        ({"hugo.yaml": _HUGO + "cascade: {draft: true}\n"}, [], ["content/a/b.md"]),
        ({"config/_default/cascade.yaml": "- {draft: true, target: {path: /a/**}}\n"}, ["content/a/b.md"], ["content/b.md"]),
        ({"config/production/hugo.toml": "ignoreFiles = ['a.md']\n"}, ["content/a.md"], ["content/b.md"]),
        ({"hugo.toml": _MOUNTS}, ["content/a/b.md", "content/b.md"], ["content/c/b.md", "content/c.md"]),
        ({"hugo.toml": _TWO_MOUNTS}, [], ["content/a/b.md"]),
        ({"hugo.toml": _MOUNTS.replace("excludeFiles", "includeFiles")}, ["content/c.md", "content/c/a/b.md"],
         ["content/a/b.md", "content/b.md"]),
        ({"hugo.toml": _MOUNTS + "includeFiles = ['**.md']\n"}, ["content/a/b.md", "content/b.md", "content/d/e.mdx"],
         ["content/e/c/b.md", "content/c.md"]),
        ({"hugo.toml": _MOUNTS.replace("excludeFiles = [", "files = ['{a,d}/**', '! d/x*', ")},
         ["content/c.md", "content/d/x.md"], ["content/a/b.md", "content/d/e/f.md", "content/b.md"]),
        ({"hugo.toml": _TWO_MOUNTS.replace("excludeFiles", "includeFiles")}, [], ["content/c.md"]),
        ({"config/_default/module.toml": _MOUNTS.partition("\n")[2].replace("module.", "")}, ["content/a/b.md", "content/b.md"],
         ["content/c.md"]),
        ({"hugo.yaml": _OFF}, ["content/a.fr.md", "content/b/c.de.md", "content/german/d.md"],
         ["content/a.md", "content/a.en.md"]),
        ({"config/_default/languages.toml": "[de]\ndisabled = true\n"}, ["content/a.de.md"], ["content/a.md"]),
        ({"config.toml": _ZOLA}, ["content/b/a.tmp.md", "content/a.old.md", "content/a/b/c.md"], ["content/b/a/c.md"]),
        ({"zola.toml": _ZOLA}, ["content/a/b.md"], ["content/b.md"]),
        ({"config.toml": "base_url = '/'", "content/a/_index.md": _DRAFT}, ["content/a/_index.md", "content/a/b.md",
         "content/a/b/c.md"], ["content/b.md"]),
        ({"config.toml": "base_url = '/'", "content/a/_index.md": "---\naudience: public\n---\n"}, [], ["content/a/b.md"]),
        ({"hugo.toml": "baseURL = '/'", "content/a/_index.md": _DRAFT}, [], ["content/a/b.md"]),
        ({"hugo.yaml": _HUGO, "content/_index.md": f"---\n{_INDEX}---\n"}, ["content/a/b.md", "content/a/b/c.md"],
         ["content/a/c.md", "content/b.md"]),
        ({"hugo.yaml": _HUGO, "content/b/_index.de.md": f"---\n{_INDEX}---\n"}, [], ["content/a/b.md"]),
        ({"content/_index.md": f"---\n{_INDEX}---\n"}, [], ["content/a/b.md"]),
    ],
)  # fmt: skip
def test_settings_of_hugo_and_zola_exclude_pages(
    tmp_path: Path, settings: dict[str, str], excluded: list[str], pages: list[str]
) -> None:
    """A1."""
    assert_excluded(tmp_path / "c", settings, "content", excluded, pages)


def test_templates_of_hugo_are_no_pages(tmp_path: Path) -> None:
    """A1: nor are the pages of a theme."""
    pages = ["archetypes/a.md", "themes/x/content/a.md"]
    assert_excluded(tmp_path / "c", {"hugo.toml": "title = 'x'"}, ".", pages, ["content/themes/a.md"])
