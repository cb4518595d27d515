"""Which pages are translations of one page (R7), and the folders of their languages (B4)."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from ranvier_builder.model import Rendered
from ranvier_builder.write.translations import Translations
from support.content import page

DOCUSAURUS = "i18n/de/docusaurus-plugin-content-"
PLACES = ("{}/x.md", "{}/z.md", "blog/{}/y.md")
REGIONS = {"x.md": "en", "de/x.md": "de", "y.md": "en-GB", "de/y.md": "de", "z.md": "en", "de/z.md": "de-AT"}
LANGUAGES_ALSO_BELOW_A_FOLDER = {place.format(lang): lang for place in PLACES for lang in ("en", "de")}


def translations(pages: Mapping[str, str], site_lang: str = "en") -> Translations:
    """Return the translations of pages: path → language."""
    return Translations([Rendered(page(path, lang=lang), "", (), ()) for path, lang in pages.items()], site_lang)


def groups(pages: Mapping[str, str]) -> list[list[str]]:
    """Return the paths of each group."""
    columns = translations(pages).columns().get("translations", [[], [], [], b""])
    paths, number = [*pages], 0
    by_first: dict[int, list[str]] = {}
    for step, distance in zip(columns[1], columns[2], strict=True):
        number += step
        by_first.setdefault(number - distance, []).append(paths[number - 1])
    return [*by_first.values()]


@pytest.mark.parametrize(
    "pages",
    [
        {"en/x.md": "en", "de/x.md": "de", "fr/x.md": "fr"},
        {"docs/en/guide/x.md": "en", "docs/de/guide/x.md": "de"},
        {"x.md": "en", "ja/x.md": "ja"},
        {"x.md": "", "ja/x.md": "ja"},
        {"x.md": "en", "zh-cn/x.md": "zh-CN", "zh_TW/x.md": "zh-TW"},
        {"x.md": "en", "zh/x.md": "zh-CN"},
        {"guide/index.md": "en", "guide/index.de.md": "de"},
        {"x.en.md": "en", "x.pt-br.md": "pt-BR"},
        {"x.md": "en", "x-de.md": "de", "x_zh_CN.md": "zh-CN"},
        {"x.mdx": "en", "x.cn.mdx": "zh"},  # Fumadocs
        {"x.md": "en", "cn/x.md": "zh", "jp/x.md": "ja"},  # Mintlify
        {"English/x.md": "en", "Deutsch/x.md": "de", "Français/x.md": "fr"},
        {"content/english/x.md": "en", "content/german/x.md": "de"},  # themes of Hugo
        {"content/x.md": "en", "content.de/x.md": "de", "content.pt-br/x.md": "pt-BR"},
        {"docs-en/a/x.md": "en", "docs-de/a/x.md": "de"},
        {"docs/a/x.md": "en", f"{DOCUSAURUS}docs/current/a/x.md": "de"},
        {"versioned_docs/version-1.0/x.md": "en", f"{DOCUSAURUS}docs/version-1.0/x.md": "de"},
        {"api/x.md": "en", f"{DOCUSAURUS}docs-api/current/x.md": "de"},
        {"api_versioned_docs/version-2/x.md": "en", f"{DOCUSAURUS}docs-api/version-2/x.md": "de"},
        {"blog/x.md": "en", f"{DOCUSAURUS}blog/x.md": "de"},
        {"site/src/pages/x.md": "en", f"site/{DOCUSAURUS}pages/x.md": "de"},
    ],
)
def test_pages_whose_paths_differ_by_their_language_are_translations(pages: dict[str, str]) -> None:
    assert groups(pages) == [[*pages]]


@pytest.mark.parametrize(
    "pages",
    [
        {"en/x.md": "en", "de/y.md": "de"},
        {"en/x.md": "en", "de/x.md": "en"},  # no page is German
        {"it/x.md": "en", "x.md": "en", "it/y.md": "en", "de/y.md": "de"},
        {"it/x.md": "en", "x.md": "en"},  # a folder about computers
        {"x.md": "en", "notes/x.md": "de"},
        {"a/de/x.md": "de", "b/en/x.md": "en"},
    ],
)
def test_other_pages_are_not_translations(pages: dict[str, str]) -> None:
    assert groups(pages) == []
    assert translations(pages).folders() == {}


def test_page_in_the_folder_of_a_language_belongs_to_it_before_its_text_is_translated() -> None:
    """Its English text is no second hit beside the English page."""
    pages = {"en/x.md": "en", "en/y.md": "en", "de/x.md": "de", "de/y.md": "en"}
    assert groups(pages) == [["en/x.md", "de/x.md"], ["en/y.md", "de/y.md"]]
    assert translations(pages).columns()["translations"][3] == [0, 0, 1, 1]


def test_second_page_in_one_language_is_in_no_group() -> None:
    pages = {"x.md": "en", "en/x.md": "en", "de/x.md": "de"}
    assert groups(pages) == [["x.md", "de/x.md"]]


def test_pages_with_one_address_in_another_system_are_translations() -> None:
    """Pages of Jekyll Polyglot have the same `permalink`; a `slug` without a slash is relative to its folder."""
    columns = {}
    for address in ("/about/", "about"):
        pages = [page("about.md", lang="en", address=address), page("de/info.md", lang="de", address=address)]
        columns[address] = Translations([Rendered(item, "", (), ()) for item in pages], "en").columns()
    assert columns == {"/about/": {"translations": [["en", "de"], [1, 1], [0, 1], [0, 1]]}, "about": {}}


def test_pages_with_one_translation_key_are_translations() -> None:
    """As in Hugo; their paths may have other translations, and say nothing about the folders of languages."""
    keys = {"en/about.md": "x", "de/ueber.md": "x", "de/about.md": "", "fr/about.md": "z"}
    pages = [page(path, lang=path[:2]) for path in keys]
    keyed = [replace(item, neuron=replace(item.neuron, translation=keys[item.neuron.path])) for item in pages]
    translated = Translations([Rendered(item, "", (), ()) for item in keyed], "en")
    assert translated.columns()["translations"][1:3] == [[1, 1, 1, 1], [0, 1, 0, 1]]
    assert translated.folders() == {"de": "de/", "fr": "fr/"}


def test_languages_are_that_of_the_site_then_the_most_frequent() -> None:
    pages = {
        f"{lang}/{name}.md": lang for lang, names in (("de", "ab"), ("en", "ab"), ("fr", "a"), ("en-GB", "b")) for name in names
    }
    assert translations(pages).columns()["translations"][0] == ["en", "en-GB", "de", "fr"]


@pytest.mark.parametrize(
    ("pages", "folders"),
    [
        ({"en/x.md": "en", "de/x.md": "de"}, {"en": "en/", "de": "de/"}),
        ({"x.md": "en", "a/y.md": "en", "ja/x.md": "ja", "ja/a/y.md": "ja"}, {"en": "", "ja": "ja/"}),
        ({"docs/x.md": "en", "docs/zh_TW/x.md": "zh-TW"}, {"en": "docs/", "zh-TW": "docs/zh_TW/"}),
        (LANGUAGES_ALSO_BELOW_A_FOLDER, {"en": "en/", "de": "de/"}),
        ({"x.md": "en", "x.de.md": "de"}, {}),  # no folder
        ({"docs/x.md": "en", f"{DOCUSAURUS}docs/current/x.md": "de"}, {"en": "docs/", "de": f"{DOCUSAURUS}docs/current/"}),
        ({"book/src/x.md": "en", "book-de/src/x.md": "de"}, {"en": "book/", "de": "book-de/"}),
        (REGIONS, {"en": "", "de": "de/"}),
    ],
)  # fmt: skip
def test_folders_of_languages_are_those_of_most_pages(pages: dict[str, str], folders: dict[str, str]) -> None:
    assert translations(pages).folders() == folders


def test_folders_of_older_versions_do_not_count() -> None:
    """Only names of the newest version are suggested."""
    pages = {
        f"{version}/{lang}/{name}.md": lang
        for version, names in (("7.4", "abc"), ("7.5", "ab"))
        for name in names
        for lang in ("en", "de")
    }
    older = {number for number, path in enumerate(pages, 1) if path.startswith("7.4")}
    assert translations(pages).folders(older) == {"en": "7.5/en/", "de": "7.5/de/"}
