"""Of the translations of one page, the one in the reader's language keeps its place, and the others come last (R7)."""

from pathlib import Path

import pytest
import ranvier
from ranvier import Library
from ranvier.presets import overlay, preset
from ranvier.requests import Caller
from support.results import search_paths
from support.shared import library_fixture
from support.whole_site import open_site, page, whole_site

PAGES = {
    "en/server.md": "# Server\n\nUvicorn stands between the application and the browser, and it sends what they say.\n",
    "de/server.md": "# Dienst\n\nUvicorn steht zwischen dem Programm und dem Browser, und es sendet, was die beiden sagen.\n",
    "fr/server.md": "# Uvicorn\n\nUvicorn se trouve entre le programme et le navigateur, et uvicorn leur envoie le texte.\n",
    "en/docker.md": "# Containers\n\nA container of docker often starts more than one uvicorn, and that is what you want.\n",
    "de/docker.md": "# Behälter\n\nEin Behälter von docker startet oft mehr als ein uvicorn, auch mit nginx und anderen.\n",
    "fr/only.md": "# Le cache\n\nLe programme garde les pages dans un cache, pour que uvicorn travaille moins.\n",
}
OTHERS = {f"{lang}/{name}.md": f"# {name}\n\n{name}\n" for lang in ("en", "de") for name in ("alpha", "beta", "gamma", "delta")}
library = library_fixture(whole_site, PAGES | OTHERS)


def test_pages_in_the_readers_language_lead_and_their_translations_come_last(library: Library) -> None:
    """A page that has no translation stays between them; no hit is lost."""
    for lang in ("en", "de"):
        order = search_paths(library, "uvicorn", page_lang=lang)
        assert {*order[:3]} == {f"{lang}/server.md", f"{lang}/docker.md", "fr/only.md"}
        assert {*order} == {*PAGES}
    assert search_paths(library, "uvicorn", page_lang="fr")[0] == "fr/server.md"


def test_language_of_the_site_leads_for_a_reader_without_a_language(library: Library) -> None:
    assert {*search_paths(library, "uvicorn")[:3]} == {"en/server.md", "en/docker.md", "fr/only.md"}


def test_region_of_the_readers_language_does_not_matter(library: Library) -> None:
    assert search_paths(library, "uvicorn", page_lang="de-AT") == search_paths(library, "uvicorn", page_lang="de")


def test_translation_with_more_of_the_query_leads(library: Library) -> None:
    """The English page has one of the words."""
    assert search_paths(library, "uvicorn nginx", page_lang="en")[:1] == ["de/docker.md"]
    assert search_paths(library, "docker uvicorn", page_lang="en")[:1] == ["en/docker.md"]


@pytest.mark.parametrize("query", ["версии 2015", "версия сервера в 2015 году", "伺服器的版本 2015", "सर्वर के संस्करण 2015"])
def test_query_in_a_script_that_the_page_does_not_have_finds_its_language(tmp_path: Path, query: str) -> None:
    """I2, R7: it is read in the languages of its script, and a number that the translation has, too, does not count more."""
    texts = {"de": "Der Server 2015", "ru": "Версия сервера 2015", "zh": "伺服器的版本 2015", "hi": "सर्वर का संस्करण 2015"}
    files = {f"{lang}/{name}.md": f"# {name}\n\n{text}.\n" for lang, text in texts.items() for name in ("one", "two")}
    with open_site(whole_site(tmp_path, files | {"de/two.md": "# two\n\nNichts.\n"})) as library:
        order = search_paths(library, query)
        assert {path[:2] for path in order[:2]} <= {"ru", "zh", "hi"}
        assert search_paths(library, query, page_lang="de") == order


def test_filter_by_language_has_priority_over_the_readers_language(library: Library) -> None:
    assert search_paths(library, "uvicorn", page_lang="en", lang=("fr",)) == ["fr/server.md", "fr/only.md"]


def test_filter_by_language_has_priority_over_the_script(tmp_path: Path) -> None:
    """I2: a German page is stemmed as German, also its Russian words."""
    files = {f"{lang}/{lang}.md": "# Page\n\nСерверы.\n" for lang in ("de", "ru")}
    with open_site(whole_site(tmp_path, files)) as library:
        assert search_paths(library, "серверы", lang=("de",), match="text") == ["de/de.md"]


def test_passages_of_translations_come_last(library: Library) -> None:
    """R7, P2."""
    passages = [chunk.neuron_path for chunk in library.retrieve("uvicorn", top_k=3, page_lang="de").chunks]
    assert {*passages} == {"de/server.md", "de/docker.md", "fr/only.md"}


def test_translations_follow_hits_with_a_score_of_zero(tmp_path: Path) -> None:
    """R7: a word of every page adds nothing to the score of a long page."""
    texts = {"en": "stands in the middle of the two", "de": "steht in der Mitte der beiden", "fr": "est au milieu des deux"}
    pages = {
        f"{lang}/{name}.md": f"# {name}\n\n{text}, uvicorn.\n" for lang, text in texts.items() for name in ("alpha", "beta")
    }
    with ranvier.open_snapshot(whole_site(tmp_path, pages)) as library:
        for lang in texts:
            hits = library.search("uvicorn alpha", page_lang=lang).hits
            assert [hit.path for hit in hits[:2]] == [f"{lang}/alpha.md", f"{lang}/beta.md"]
            assert {hit.path for hit in hits[2:4]} == {f"{other}/alpha.md" for other in texts if other != lang}
            assert min(hit.score for hit in hits) == 0


def test_passages_of_translations_follow_further_passages_of_a_page(tmp_path: Path) -> None:
    """R7, P2."""
    section = (
        "## Part {number}\n\nUvicorn {lang}, part {number}: it sends {number} answers, and it gets {number} questions.\n\n"
    )
    pages = {}
    for lang in ("en", "de", "fr"):
        text = "".join(section.format(lang=lang, number=number) for number in ("one", "two", "three"))
        pages[f"{lang}/server.md"] = f"---\nlang: {lang}\n---\n# Server\n\n{text}"
    with ranvier.open_snapshot(whole_site(tmp_path, pages)) as library:
        for lang in ("en", "de", "fr"):
            passages = library.retrieve("uvicorn", top_k=3, page_lang=lang).chunks
            assert [chunk.neuron_path for chunk in passages] == [f"{lang}/server.md"] * 3


def test_other_languages_do_not_displace_that_of_the_reader(tmp_path: Path) -> None:
    """Each leg returns its best rows: with many languages, a word of all pages has as many rows in each other language."""
    words = {"en": "the server that waits for us in the long evening", "de": "nur das", "fr": "le mot", "es": "la voz"}
    pages = {
        f"{lang}/p{n}.md": page(f"# Uvicorn {n}\n\nUvicorn {text}.", lang=lang)
        for lang, text in words.items()
        for n in range(6)
    }
    pages |= {f"en/only{n}.md": page(f"# Only {n}\n\nUvicorn {words['en']}.", lang="en") for n in range(3)}
    stages = overlay(preset("default"), {"legs": {name: {"candidates": 10} for name in ("page", "section")}})
    with open_site(whole_site(tmp_path, pages), stages) as library:
        for lang in ("en", ""):
            assert all(path.startswith("en/") for path in search_paths(library, "uvicorn", page_lang=lang)[:9])
        own = {f"de/p{n}.md" for n in range(6)}
        assert {*search_paths(library, "uvicorn", page_lang="de")[:9]} == own | {f"en/only{n}.md" for n in range(3)}


def test_region_may_follow_an_underscore(tmp_path: Path) -> None:
    pages = {f"{lang}/server.md": page("# Uvicorn\n\nUvicorn.", lang=lang) for lang in ("en", "zh-TW", "zh-CN")}
    with ranvier.open_snapshot(whole_site(tmp_path, pages)) as library:
        for lang in ("zh-TW", "zh-CN"):
            assert search_paths(library, "uvicorn", page_lang=lang.replace("-", "_"))[0] == f"{lang}/server.md"


def test_translation_that_the_caller_must_not_see_leads_nothing(tmp_path: Path) -> None:
    """A5, R7: even if the owner's settings filter the audience after the ranking."""
    audiences = {"en": "public", "de": "curator"}
    pages = {f"{lang}/server.md": page("# Uvicorn\n\nUvicorn.", lang=lang, audience=name) for lang, name in audiences.items()}
    stages = overlay(preset("default"), {"limits": {"overfetch": 3}})
    with open_site(whole_site(tmp_path, pages), stages) as library:
        assert search_paths(library, "uvicorn", page_lang="de") == ["de/server.md", "en/server.md"]
        (hit,) = library.search("uvicorn", page_lang="de", explain=True, caller=Caller("public")).hits
        assert hit.explain
        assert [step for step in hit.explain.steps if step.stage == "translations"] == []


def test_suggestions_are_in_the_language_of_the_page(library: Library) -> None:
    """V2: without a language, all names are returned."""
    urls = {lang: {item.url for item in library.suggest("al", page_lang=lang)} for lang in ("", "de", "fr")}
    assert urls == {"": {"de/alpha/", "en/alpha/"}, "de": {"de/alpha/"}, "fr": {"en/alpha/"}}


def test_other_presets_do_not_group_translations(library: Library) -> None:
    """R7: they follow other systems."""
    hits = library.search("uvicorn", preset="wiki", page_lang="de", explain=True).hits
    assert not [step for hit in hits if hit.explain for step in hit.explain.steps if step.stage == "translations"]
