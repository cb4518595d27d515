"""I2, I4: the language of a page comes from its text or its folder; pages in a language that the model does not read have no
vectors.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from ranvier_builder.pipeline import survey
from ranvier_builder.read.language import detect, language_of
from ranvier_builder.write.vectors import _passages
from support.content import OPEN, build_tree
from support.rendered import surveyed

TEXTS = {
    "en": "The harbour is closed when the wind comes from the north, and boats that are in the bay stay there until it has "
    "turned. You should not go out on your own if there is fog.",
    "de": "Der Hafen wird geschlossen, wenn der Wind aus dem Norden kommt, und die Boote, die in der Bucht liegen, bleiben "
    "dort, bis er sich gedreht hat. Man soll nicht allein hinausfahren, wenn es neblig ist.",
    "fr": "Le port est fermé quand le vent vient du nord, et les bateaux qui sont dans la baie y restent jusqu'à ce qu'il ait "
    "tourné. Il ne faut pas sortir seul quand il y a du brouillard, ni dans la nuit.",
    "es": "El puerto se cierra cuando el viento viene del norte, y los barcos que están en la bahía se quedan allí hasta que "
    "haya cambiado. No se debe salir solo si hay niebla, ni por la noche.",
    "pt": "O porto é fechado quando o vento vem do norte, e os barcos que estão na baía ficam lá até que ele tenha mudado. "
    "Não se deve sair sozinho se há nevoeiro, nem durante a noite.",
    "nl": "De haven wordt gesloten als de wind uit het noorden komt, en de boten die in de baai liggen blijven daar tot hij "
    "gedraaid is. Men moet niet alleen uitvaren als het mistig is.",
    "ja": "北から風が吹くと港は閉まります。湾にいる船は風向きが変わるまでそこに留まります。`git push` と Docker を使います。",
    "zh": "北风来时港口关闭，海湾里的船只要等到风向改变。有雾的时候不要独自出海。使用 Docker 和 git。",
    "ko": "북쪽에서 바람이 불면 항구가 닫힙니다. 만에 있는 배들은 바람이 바뀔 때까지 그곳에 머무릅니다.",
    "ru": "Порт закрывают, когда ветер дует с севера, и лодки, которые стоят в бухте, остаются там, пока он не переменится.",
    "uk": "Порт закривають, коли вітер дме з півночі, і човни, які стоять у бухті, залишаються там, поки він не зміниться.",
    "el": "Το λιμάνι κλείνει όταν ο άνεμος έρχεται από το βορρά και τα πλοία μένουν εκεί.",
    "ar": "يغلق الميناء عندما تهب الرياح من الشمال وتبقى القوارب في الخليج حتى تتغير.",
    "fa": "وقتی باد از شمال می‌وزد بندر بسته می‌شود و قایق‌هایی که در خلیج هستند آنجا می‌مانند چون گذر سخت است.",
    "he": "הנמל נסגר כאשר הרוח באה מהצפון והסירות נשארות במפרץ עד שהיא משתנה.",
    "hi": "जब हवा उत्तर से आती है तो बंदरगाह बंद हो जाता है और नावें खाड़ी में रहती हैं।",
    "th": "เมื่อลมพัดมาจากทางเหนือ ท่าเรือจะปิด และเรือที่อยู่ในอ่าวจะอยู่ที่นั่นจนกว่าลมจะเปลี่ยน",
}


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        *((text, lang) for lang, text in TEXTS.items()),
        # Japanese without kana, as in headings and tables, has characters of Japanese alone:
        ("検索対象一覧 経済産業省 関連情報 営業時間", "ja"),
        ("搜索对象一览 经济产业部 相关信息 营业时间", "zh"),
        ("搜尋對象一覽 經濟產業部 相關資訊 營業時間", "zh"),
        ("由広島站前往 經濟部 營業時間", "zh"),
        ("経由東京前往 國家公園 營業時間", "zh"),  # one character of Japanese alone
        ("経由東京前往 國家公園 営業時間", "ja"),
        ("閲讀環境變量指南，瞭解詳細的跨平台説明", "zh"),
        ("検索対象 经济产业部 相关信息 营业时间", "zh"),
        ("東京都千代田区一丁目", "zh"),  # all are characters of Chinese, too
    ],
)
def test_language_is_detected_from_text(text: str, lang: str) -> None:
    """I2."""
    assert detect(text).tag == lang


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# API\n\n`getUserName`",
        "de la el",
        "Ship Crane Harbour Tide " * 40,  # no small words
        "- Pins have types in C ([C-ZST])\n" * 10,
        "```\n" + TEXTS["de"] + "\n```\n",  # code
        f"[[{TEXTS['de']}]]",  # another page's name
        "The café of 東京 and Москва is where they met. " * 3,
    ],
)
def test_language_of_unclear_text_is_unknown_or_english(text: str) -> None:
    assert detect(text).tag in ("", "en")


@pytest.mark.parametrize(
    ("path", "text", "lang"),
    [
        ("ja/a.md", "text", "ja"),
        ("docs/pt-br/a.md", TEXTS["pt"], "pt-BR"),
        ("docs/zh_hant/a.md", TEXTS["zh"], "zh-Hant"),
        ("zh-CN/a.md", "", "zh-CN"),
        ("ja/a.md", TEXTS["en"], "en"),  # not translated yet
        ("it/a.md", "words", ""),  # perhaps a department
        ("go/a.md", TEXTS["en"], "en"),
        ("js/api/a.md", "words", ""),
        ("a.md", TEXTS["fr"], "fr"),
        ("de.md", "words", ""),
        ("guide/index.de.md", "Kurz.", "de"),
        ("content.de/a.md", "Kurz.", "de"),
        ("guide/zh-cn.md", "Short.", ""),
        ("guide/node.js.md", "Short.", ""),
        ("guide/main.pl.md", "Short.", ""),
        ("guide/index.pl.md", "Short.", "pl"),
    ],
)
def test_language_comes_from_folder_and_text(path: str, text: str, lang: str) -> None:
    assert language_of(path, text).tag == lang


def test_only_pages_in_the_languages_of_the_model_have_vectors(tmp_path: Path) -> None:
    """I4: the language in the frontmatter overrides the detected one."""
    files: dict[str, str | bytes] = {
        "index.md": f"# Home\n\n{TEXTS['en']}\n",
        "de/hafen.md": f"# Hafen\n\n{TEXTS['de']}\n",
        "port.md": f"# Port\n\n{TEXTS['fr']}\n",
        "said.md": f"---\nlang: nl\n---\n# Said\n\n{TEXTS['en']}\n",
    }
    site = build_tree(tmp_path, files)
    pages = [(site / page / "index.html").read_text() for page in ("", "de/hafen", "port", "said")]
    assert [re.findall(r'<html lang="([^"]*)"', html) for html in pages] == [["en"], ["de"], ["fr"], ["nl"]]
    passages = _passages(survey(tmp_path / "content", OPEN).rendered, "en", ("en",))
    assert {passage.title for _, passage in passages} == {"Home"}


def test_directives_of_includes_have_no_language(tmp_path: Path) -> None:
    """They are read before they are replaced by their text: pages with two of them were Italian."""
    body = "The `and` function evaluates the arguments from left to right, and returns when the result is determined."
    include = '{{% include "/_common/functions/truthy-falsy.md" %}}'
    files = {"and.md": f"# and\n\n{include}\n\n{body}\n\n{include}\n", "_common/functions/truthy-falsy.md": "Falsy."}
    assert surveyed(tmp_path, files)["and.md"].page.neuron.lang == ""


def test_folder_of_another_region_is_not_in_the_language_of_the_site(tmp_path: Path) -> None:
    """Traditional Chinese is not what readers of a site in simplified Chinese expect."""
    files = {f"{folder}a.md": f"# A\n\n{TEXTS['zh']}\n" for folder in ("", "zh-cn/", "zh-tw/", "zh/")}
    rendered = surveyed(tmp_path, files, replace(OPEN, lang="zh-CN"))
    assert [rendered[path].page.neuron.lang for path in files] == ["", "", "zh-TW", ""]


@pytest.mark.parametrize(("names", "lang"), [(60, "de"), (80, "")])
def test_text_with_few_small_words_among_names_has_no_language(names: int, lang: str) -> None:
    """I2: ten small words, as in a list of parts."""
    assert detect("der die das und ist mit von auf nicht auch " + "Bohrer " * names).tag == lang


def test_title_counts_for_the_language(tmp_path: Path) -> None:
    """The text of a short Japanese page may have no kana, as in Chinese."""
    files = {"a.md": "---\ntitle: ソフトウェアの設定\n---\n## 設定\n\n名前 値 文章 引用\n"}
    assert surveyed(tmp_path, files)["a.md"].page.neuron.lang == "ja"


def test_rare_detected_language_is_ignored(tmp_path: Path) -> None:
    """I2: each language adds forms to every query. One that a page, a folder or a script states always counts."""
    strays: dict[str, str | bytes] = {
        "detected.md": f"# Stray\n\n{TEXTS['fr']}\n",
        "stated.md": f"---\nlang: de\n---\n# Stray\n\n{TEXTS['de']}\n",
        "es/stray.md": f"# Stray\n\n{TEXTS['es']}\n",
        "script.md": f"# Stray\n\n{TEXTS['ja']}\n",
    }
    langs = []
    for count in (200, 201):
        pages: dict[str, str | bytes] = {f"p{number}.md": f"# Page {number}\n" for number in range(count - len(strays))}
        rendered = surveyed(tmp_path / str(count), pages | strays)
        langs.append({page.page.neuron.lang for page in rendered.values()})
    assert langs == [{"", "fr", "de", "es", "ja"}, {"", "de", "es", "ja"}]
