"""G1: the texts of the themes, in the language of the page."""

import re
from importlib.resources import files
from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_themes import strings, text_language
from selectolax.lexbor import LexborHTMLParser
from support.content import build_tree
from support.shared import site_fixture
from support.sites import ROOT as PROJECT

LANGUAGES = ("ar", "da", "de", "en", "es", "fr", "it", "ja", "ko", "pt", "zh")
ROOT = Path(str(files("ranvier_themes")))
TEMPLATES = sorted(ROOT.glob("*/templates/*.html"))
JINJA = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<code>ranvier serve</code>", re.DOTALL)
SHOWN_TEXT = re.compile(r"""(?:aria-label|title|alt|placeholder|data-(?!mermaid)[a-z]+)="([^"]*)"|>([^<]*)""")
PLACEHOLDER = re.compile(r"\{\w+\}")
NEUTRAL = {"month"}  # the same in several languages
PAGE = "---\ntags: [x]\ncreated: 2026-01-02\nupdated: 2026-01-03\n{lang}---\n# 7\n\n[5](../a.md)\n\n## 8\n\n## 9\n"
FILES: dict[str, str | bytes] = {
    "a.md": "---\ntitle: 1\nlang: de\ntags: [x]\n---\n[7](de/b.md) [7](ar/b.md) [3](nl.md)\n",
    "de/index.md": "# 4\n",
    "de/b.md": PAGE.format(lang=""),
    "ar/index.md": "# 5\n",
    "ar/b.md": PAGE.format(lang=""),
    "nl.md": PAGE.format(lang="lang: nl\n"),
    "2026-01-01.md": "---\ntitle: 2\n---\n",
}


def all_texts(language: str) -> list[str]:
    return [text for value in strings(language).values() for text in ([value] if isinstance(value, str) else value)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_every_text(language: str) -> None:
    """And the same placeholders in it."""
    english, texts = strings("en"), strings(language)
    assert texts.keys() == english.keys()
    for name, text in texts.items():
        assert isinstance(text, type(english[name]))
        assert sorted(PLACEHOLDER.findall(str(text))) == sorted(PLACEHOLDER.findall(str(english[name]))), name
        assert len(text) == len(english[name]) if isinstance(text, list) else text.strip()
    if language != "en":
        assert [name for name in texts if texts[name] == english[name] and name not in NEUTRAL] == []


def test_files_of_languages_are_those_of_the_search_box() -> None:
    assert sorted(file.stem for file in (ROOT / "languages").iterdir()) == sorted(LANGUAGES)
    box = PROJECT / "runtime" / "ranvier_web" / "ui" / "languages"
    assert sorted([*(file.stem for file in box.iterdir()), "en"]) == sorted(LANGUAGES)


@pytest.mark.parametrize(
    ("langs", "language"),
    [
        ("de-AT", "de"),
        ("pt_BR", "pt"),
        ("zh-Hans-CN", "zh"),
        ("zh-TW da", "da"),
        ("nl fr", "fr"),
        ("nl ", "en"),
        ("../en", "en"),
    ],
)
def test_text_language_is_the_first_that_the_themes_have(langs: str, language: str) -> None:
    assert text_language(*langs.split(" ")) == language


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: "/".join(file.parts[-3::2]))
def test_templates_have_no_words_of_their_own(file: Path) -> None:
    bare = JINJA.sub("", file.read_text("utf-8"))
    texts = [text for match in SHOWN_TEXT.findall(bare) for text in match]
    assert [text.strip() for text in texts if re.search(r"[^\W\d_]", text)] == []


def test_templates_use_each_text() -> None:
    """And no other; `strings.x` without a text would be an empty place."""
    names = {name for file in TEMPLATES for name in re.findall(r"\bstrings\.(\w+)", file.read_text("utf-8"))}
    assert names == set(strings("en"))


CONFIG = Config(title="0", lang="ja", default_audience="public", edit_url="https://x.example/{path}")
site = site_fixture(build_tree, FILES, CONFIG)


def shown_texts(file: Path) -> str:
    """Return all texts and labels of a page, without what comes from its content: digits."""
    tree = LexborHTMLParser(file.read_text("utf-8"))
    names = (*"aria-label title placeholder data-copy data-copied data-code data-auto data-light data-dark".split(),)
    labels = [node.attributes[name] or "" for name in names for node in tree.css(f"[{name}]")]
    assert tree.body is not None
    return "\n".join([tree.body.text(separator="\n"), *labels])


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("de/b", "de"),
        ("ar/b", "ar"),
        ("ar", "ar"),
        *((path, "ja") for path in "nl search tags tags/x calendar 404.html".split()),
    ],
)
def test_page_has_texts_of_its_language_alone(site: Path, path: str, language: str) -> None:
    """A language without texts has those of the site's, as have lists and the 404 page. Languages have their own names."""
    file = site / path if path.endswith(".html") else site / path / "index.html"
    assert f'dir="{"rtl" if language == "ar" else "ltr"}"' in file.read_text("utf-8")
    texts = shown_texts(file)
    assert str(strings(language)["skip"]) in texts
    allowed = " ".join(all_texts(language)) + " JavaScript ranvier serve x nl Deutsch العربية"
    words = set(re.findall(r"[^\W\d_]+", PLACEHOLDER.sub("", texts)))
    assert sorted(word for word in words if word not in allowed) == []


def test_texts_with_values_are_filled(site: Path) -> None:
    calendar = LexborHTMLParser((site / "calendar/index.html").read_text("utf-8"))
    assert [node.text() for node in calendar.css(".month h2")] == ["2026年1月"]
    assert [node.text() for node in calendar.css("thead th")][:7] == list("月火水木金土日")
    page = LexborHTMLParser((site / "de/b/index.html").read_text("utf-8"))
    labels = [node.text() for node in page.css("summary .sr-only")]
    assert "Seiten in 4" in labels


def test_link_back_from_a_footnote_has_a_name(tmp_path: Path) -> None:
    """In the language of the page: a screen reader reads an arrow as nothing, or as its shape."""
    text = '---\nlang: {lang}\n---\n# One\n\nA[^1] `<a class="footnote-backref">`\n\n[^1]: Note\n'
    out = build_tree(tmp_path, {f"{lang}.md": text.format(lang=lang) for lang in ("de", "en")})
    for lang, name in (("de", "Zurück zum Text"), ("en", "Back to the text")):
        page = LexborHTMLParser((out / lang / "index.html").read_text("utf-8"))
        assert [link.attributes["aria-label"] for link in page.css("a.footnote-backref")] == [name]
        assert [code.text() for code in page.css("article code")] == ['<a class="footnote-backref">']
