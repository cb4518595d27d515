"""Languages (I2): stems, letters, unspaced scripts, and queries in several languages."""

import importlib
import re

import pytest
from ranvier import text
from ranvier.text.languages import STEMMERS, term
from support.sites import EXAMPLE


@pytest.mark.parametrize(
    ("lang", "same"),
    [
        ("en", "search searches searching"),
        ("en", "alias aliases aliased"),
        ("en", "canvas canvases"),
        ("en", "lens lenses"),
        ("en", "bus buses"),
        ("en", "menu menus Menus"),
        ("en", "GPU gpus GPUs"),
        ("en", "index indices indexes"),
        ("en", "vertex vertices"),
        ("en", "axis axes"),
        ("en", "analysis analyses"),
        ("en", "child children"),
        ("en", "criterion criteria"),
        ("de", "Müller Mueller Muller MÜLLER"),
        ("de-AT", "Straße Strasse STRASSE"),
        ("de", "Haus Häuser haeuser"),
        ("de", "Prüfungen pruefung PRÜFUNG"),
        ("fr", "économie économies economie"),
        ("fr", "sécurité securite SÉCURITÉ sécurités"),
        ("fr", "première premiere premier premières"),
        ("fr", "données donnees donnée"),
        ("fr", "utilisé utilise utilisée utilisees"),
        ("es", "información informaciones"),
        ("da", "Århus Aarhus AARHUS"),
        ("nb", "smørbrød smoerbroed"),
        ("no", "bil biler bilene"),
        ("sv", "Malmö Malmo malmö"),
        ("fi", "Jyväskylä Jyvaskyla"),
        ("tr", "İstanbul ISTANBUL ıstanbul istanbul Istanbul"),
        ("ru", "машина машинами МАШИНЫ"),
        ("ru", "иммунодефицит иммунодефицита иммунодефиците иммунодефицитов"),  # `ит` looks like a verb's ending
        ("ru", "вызов вызова вызовы вызовам"),
        ("ru", "проблема проблем проблемы проблемами"),
        ("el", "Ελληνικά ΕΛΛΗΝΙΚΑ"),
        ("hi", "भाषा भाषाओं"),
        ("ru", "running runs"),  # Latin in a text of another script is English
        ("xx", "Cafés cafes"),
    ],
)
def test_forms_of_a_word_have_one_stem(lang: str, same: str) -> None:
    results = set(text.terms(same, lang))
    assert len(results) == 1, results


@pytest.mark.parametrize(
    ("lang", "plain", "terms"),
    [
        ("de", "Quelle neue Treue", ["quell", "neu", "treu"]),  # `ue` that is no umlaut
        ("da", "Smørrebrød", ["smoerrebroed"]),
        ("xx", "running", ["running"]),  # a language without a stemmer
        ("zh", "running", ["run"]),
        ("", "running", ["running"]),
        ("fr", "l'école", ["l", "ecol"]),
    ],
)
def test_terms_in_a_language(lang: str, plain: str, terms: list[str]) -> None:
    assert text.terms(plain, lang) == terms


@pytest.mark.parametrize("lang", sorted(STEMMERS))
def test_every_stemmer_exists(lang: str) -> None:
    """An unknown name would leave a language without stemming."""
    module = importlib.import_module(f"snowballstemmer.{text.stemmer_of(lang)}_stemmer")
    assert hasattr(module, f"{STEMMERS[lang].title()}Stemmer")


@pytest.mark.parametrize(
    ("plain", "terms"),
    [
        ("日本語", ["日本", "本語", "語"]),
        ("年", ["年"]),
        ("2015年 Tシャツ", ["2015", "年", "t", "シャ", "ャツ", "ツ"]),
        ("ﾃﾞｰﾀ", ["デー", "ータ", "タ"]),  # half width
        ("か\u3099き", ["がき", "き"]),  # a voicing mark of its own
        ("한국어", ["한국", "국어", "어"]),
        ("\u1112\u1161\u11ab글", ["한글", "글"]),  # Hangul letter by letter
        ("ภาษาไทย", ["ภาษา", "ษาไท", "ไทย", "ย"]),
        ("น้ำ", ["น้ำ"]),
        ("ភាសា", ["ភាសា", "សា"]),
        ("ພາສາ", ["ພາສາ", "ສາ"]),
        ("မြန်မာ", ["မြန်", "န်မာ", "မာ"]),
    ],
)
def test_unspaced_scripts_are_pairs(plain: str, terms: list[str]) -> None:
    assert text.terms(plain) == text.terms(plain, "ja") == terms


@pytest.mark.parametrize("plain", ["日本語の文法", "全文検索システム", "ภาษาไทยง่ายมาก", "한국어를배우다"])
def test_every_substring_of_unspaced_text_is_found(plain: str) -> None:
    """I2: of any length, also one and two characters."""
    characters = [plain[start:end] for _, start, end in text.tokens(plain)]
    whole = text.terms(plain)
    places = [start for _, start, _ in text.tokens(plain)] + [len(plain)]
    for number in range(len(characters)):
        for other in range(number + 1, len(places)):
            word = plain[places[number] : places[other]]
            (row,) = text.forms(word)
            if len(row) == 1 and text.is_open(row[0]):
                assert any(term.startswith(row[0]) for term in whole), word
            else:
                assert any(tuple(whole[at : at + len(row)]) == row for at in range(len(whole))), word


@pytest.mark.parametrize(
    ("word", "langs", "forms"),
    [
        ("cat", ("en",), (("cat",),)),
        ("cat", ("en", "ja", "zh"), (("cat",),)),
        ("running", ("en", "de"), (("run",), ("running",))),
        ("running", ("de", "en", "de-AT"), (("running",), ("run",))),
        ("Müller", ("en", "de"), (("muller",), ("mull",))),
        ("日本語", ("en", "ja"), (("日本", "本語"),)),
        ("年", ("ja",), (("年",),)),
        ("???", ("en",), ()),
    ],
)
def test_forms_of_a_plain_word(word: str, langs: tuple[str, ...], forms: tuple[tuple[str, ...], ...]) -> None:
    """One look-up for each different stem of the languages."""
    assert text.forms(word, langs) == forms


@pytest.mark.parametrize(
    ("plain", "langs"),
    [
        ("how do I install", ()),
        ("日本の", ("ja",)),
        ("カタカナ", ("ja",)),
        ("中文 and", ("zh", "ja")),
        ("한국어 漢字", ("ko",)),
        ("ภาษา", ("th",)),
        ("हिन्दी", ("hi", "ne", "mr", "sa")),
        ("Ελλάδα", ("el",)),
        ("مرحبا", ("ar", "fa", "ur", "ps")),
    ],
)
def test_languages_of_a_script(plain: str, langs: tuple[str, ...]) -> None:
    assert text.languages(plain) == langs


@pytest.mark.parametrize(
    ("word", "langs", "stop"),
    [
        ("The", ("en",), True),
        ("cat", ("en",), False),
        ("für", ("de",), True),
        ("fuer", ("de",), True),
        ("ich", ("en", "de"), True),
        ("war", ("de",), True),
        ("war", ("en", "de"), False),  # "war crimes"
        ("le", ("fr-CA",), True),
        ("le", ("en",), False),
        ("как", ("ru",), True),
        ("the", ("zz",), False),
        ("the", ("../x",), False),
    ],
)
def test_stop_words_of_languages(word: str, langs: tuple[str, ...], stop: bool) -> None:
    assert text.is_stop(word, langs) is stop


ENDINGS = """s es ies ied ing ed ly y eed eedly ingly edly est ness fulness ousness iveness ization izer ational ator alism
aliti ability bility ible ance ence ment ogy ogist ically ic icate ative icity ying sses tion sion ism ist ish""".split()


def test_english_stems_are_prefixes_of_their_words() -> None:
    """P1: except for the last two letters, so that texts are read without stemming words that cannot match."""
    content = EXAMPLE / "content"
    prose = " ".join(file.read_text("utf-8") for file in sorted(content.rglob("*.md")))
    roots = {*re.findall("[a-z]+", prose.lower()), *"d l t sk idl gentl ugl earl onl singl pr gener commun arsen".split()}
    words = roots | {root + ending for root in sorted(roots)[::6] for ending in ENDINGS}
    assert len(words) > 20_000
    assert [word for word in sorted(words) if not word.startswith(text.shared_prefix(term(word)))] == []
