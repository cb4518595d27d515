"""A small site in ten languages with every frontmatter field, for the parity tests."""

from __future__ import annotations

from pathlib import Path

from ranvier_builder import build, load_config
from support.content import write_tree

# The titles and texts of each language.
TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "Harbour": "The harbour opens at dawn. Boats are moored along the northern quay; the harbour master notes arrivals.",
        "Lighthouse": "The lighthouse keeper counts the ships. Her lamp is lit every evening; running repairs come in autumn.",
        "Tides": "Tides run strongly here. Don't sail at low water: the channel's sandbanks shift after every storm.",
        "Booking API": "Call `getUserName()` first, then `std::vector<Berth>` holds the berths. Set `max_berth_size`, or pass "
        "`--dry-run`. Version v1.10 speaks C++ and C#; errors go to `harbour.log`, see `user_id` and `HTTPServer2`.",
    },
    "de": {
        "Hafen": "Der Hafen öffnet bei Sonnenaufgang. Die Schiffe liegen am nördlichen Kai, man prüft die Größe.",
        "Leuchtturm": "Die Wärterin des Leuchtturms zählt die Schiffe. Straßenbahnen fahren zur Mole, Fußgänger über Brücken.",
        "Gezeiten": "Die Strömung ist stark. Bei Niedrigwasser darf niemand auslaufen; Sandbänke wandern nach jedem Sturm.",
    },
    "fr": {
        "Port": "Le port ouvre à l'aube. Les bateaux s'amarrent le long du quai nord, et on enregistre les arrivées.",
        "Phare": "La gardienne du phare compte les navires. L'été, où les élèves visitent l'île, l'œuvre est éclairée.",
        "Marées": "Les marées sont fortes. On ne navigue pas à marée basse, car les bancs de sable bougent après une tempête.",
    },
    "tr": {
        "Liman": "Liman şafakta açılır. Gemiler kuzey rıhtımına bağlanır ve liman başkanı her gelişi yazar. İskele yakındır.",
        "Deniz feneri": "Fener bekçisi gemileri sayar. Işık her akşam yakılır; İstanbul ve Iğdır'dan gelenler kıyıda dinlenir.",
    },
    "ru": {
        "Гавань": "Гавань открывается на рассвете. Корабли стоят у северного причала, и капитан записывает каждый приход.",
        "Маяк": "Смотрительница маяка считает корабли. Ёлка стоит на берегу, её огни видны издалека, и чайки кричат.",
    },
    "hi": {
        "बंदरगाह": "बंदरगाह सुबह खुलता है। जहाज़ उत्तरी घाट पर बँधे रहते हैं और अधिकारी हर आगमन को लिखता है।",
        "प्रकाशस्तंभ": "प्रकाशस्तंभ की रखवाली करने वाली जहाज़ों को गिनती है। दीपक हर शाम जलाया जाता है।",
    },
    "ja": {
        "港": "港は夜明けに開きます。船は北の岸壁に係留され、港長が到着を記録します。データベースの設定も変更できます。",
        "灯台": "灯台守は船を数えます。灯りは毎晩ともされ、東京都からも見学者が来ます。ｶﾀｶﾅとカタカナは同じです。",
    },
    "zh": {
        "港口": "港口在黎明开放。船只停泊在北码头,港务长记录每次到达。数据库配置可以修改,搜索很快。",
        "灯塔": "灯塔守护人清点船只。每天晚上点亮灯火,秋天进行维修,游客来自北京和上海。",
    },
    "ko": {
        "항구": "항구는 새벽에 열립니다. 배들은 북쪽 부두에 정박하고 항만장이 모든 도착을 기록합니다.",
        "등대": "등대지기는 배를 셉니다. 매일 저녁 불을 켜고 가을에는 수리를 합니다. 서울에서 손님이 옵니다.",
    },
    "th": {
        "ท่าเรือ": "ท่าเรือเปิดตอนรุ่งสาง เรือจอดอยู่ที่ท่าเหนือ และนายท่าบันทึกการมาถึงทุกครั้ง ค้นหาได้รวดเร็ว",
        "ประภาคาร": "ผู้ดูแลประภาคารนับเรือ ไฟถูกจุดทุกเย็น และมีการซ่อมแซมในฤดูใบไม้ร่วง",
    },
}
KINDS, ROLES, SOURCES = ("guide", "note", "fact"), ("", "user", "editor"), ("primary", "secondary", "generated")
TAGS = ("sea", "sea/harbour", "sea/harbour/north", "light", "Größe", "項目")
SETTINGS = """
title = "Harbour"
name = "harbour"
default_audience = "public"

[[pins]]
query = "sailing"
pages = ["en/tides.md", "fr/03.md"]

[[pins]]
query = "船"
pages = ["ja/02.md"]

[[segments]]
name = "code"
pattern = "function|get[A-Z]"
strategy = "bm25"
path = "en"

[synonyms]
boat = ["ship"]
pier = ["quay", "mole"]
"""


def harbour(folder: Path) -> Path:
    """Build the site below a folder with the browser assets; return it."""
    content = write_tree(folder / "content", pages())
    (folder / "ranvier.toml").write_text(SETTINGS, "utf-8")
    build(content, folder / "public", load_config(folder / "ranvier.toml"))
    return folder / "public"


def pages() -> dict[str, str | bytes]:
    """Write the pages; each has other frontmatter and links to earlier pages."""
    out: dict[str, str | bytes] = {"index.md": "# Harbour\n\nWelcome. [[en/01|The harbour]] and [[de/02]].\n"}
    for lang, subjects in TEXTS.items():
        pages_of_lang = list(subjects.items())
        for number, (title, text) in enumerate(pages_of_lang, 1):
            out[f"{lang}/{number:02}.md"] = _page(lang, number, title, text, " ".join(subjects.values()))
        out[f"{lang}/index.md"] = (
            f"---\nlang: {lang}\nkind: index\n---\n# {lang} {pages_of_lang[0][0]}\n\n{pages_of_lang[-1][1]}\n"
        )
    out["en/tides.md"] = (
        "---\nid: tides\naliases: [Ebb and flow]\n---\n# Tide tables\n\nThe moored boats wait. [[Lighthouse]]\n"
    )
    for day in range(1, 10):
        out[f"log/2026-0{day}-15.md"] = (
            f"---\ntags: [log]\n---\nA storm on day {day}; {'ship' if day % 2 else 'boat'} {day} came in. #sea\n"
        )
    return out


def _page(lang: str, number: int, title: str, text: str, all_texts: str) -> str:
    at = number + 3 * list(TEXTS).index(lang)
    fields = {
        "title": f'"{title}"',
        "lang": lang,
        "kind": KINDS[at % 3],
        "role": ROLES[at % 3],
        "tags": f"[{TAGS[at % 6]}, {TAGS[(at + 1) % 6]}]",
        "created": f"2025-{at % 12 + 1:02}-{at % 28 + 1:02}",
        "updated": f"2026-{(at + 5) % 12 + 1:02}-10" if at % 4 else "",
        "source_type": SOURCES[at % 3],
        "confidence": ("", "0.4", "0.9")[at % 3],
        "weight": ("", "2", "0.5")[at // 3 % 3],
        "summary": f'"{title}: {text[:20]}"',
        "user_note": f'"Obi-Wan keeps the {title} well-known."' if at % 3 == 1 else "",
        "user_note_shared": "true" if at % 3 == 1 else "",
        "derived_from": "[tides]" if at % 5 == 2 else "",
        "parent": "en/01.md" if at % 7 == 3 else "",
    }
    front = "".join(f"{name}: {value}\n" for name, value in fields.items() if value)
    link = f"[[{lang}/{number - 1:02}]]" if number > 1 else "[[tides]]"
    body = f"{text} {link} {{#claim-0a1b2c3d}}\n\n## {title} 2\n\n{all_texts}\n\n### {text.split()[0]}\n\n{text}\n"
    return f"---\n{front}---\n# {title}\n\n{body}"
