"""Queries for the parity tests: unusual ones written by hand, and many from the words of a site."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ranvier import Library
from ranvier.presets import NAMES
from ranvier.requests import FACETS, MATCHES, SORTS, STRATEGIES

_BY_HAND = [
    # without a word
    "", " ", "\t\n", "\u00a0", ".", "...", "*", "**", '""', '"', '" "', "()", "(", ")", ")(", "-", "_", "[]", "{}", "💥",
    # function words only
    "the", "the of and", "how to", "what is it", "to be or not to be", '"to be"', '"how to"',
    # one word, in its forms
    "search", "searching", "SEARCHES", "Searched", "seárch", "ｓｅａｒｃｈ", "se\u0301arch", "search's", "search’s", "don't", "isn’t",
    "audience", "audiences", "audiences'", "curator", "python", "Pyodide", "SQLite", "FTS5", "fts5", "BM25", "wasm", "msgpack", "CSP",
    # several words
    "how to install", "install ranvier", "build a site", "content security policy", "hot pack", "posting leaves", "text shards",
    "what is a neuron", "publish on a static host", "why pyodide", "withheld by default", "default audience", "audience curator tool",
    "search box keyboard", "how does the browser read sqlite", "xyzzyplugh search", "search xyzzyplugh", "xyzzyplugh", "qqqq wwww",
    # phrases
    '"search core"', '"static host"', '"hot pack"', '"hot pack', 'hot pack"', '"pack hot"', '"the same"', '"search" "core"',
    '"search core" browser', 'browser "search core"', '"search""core"', '"a b c d e"', '"…"', '"search core"*', '"search co"*',
    # booleans
    "search AND browser", "search OR browser", "search NOT browser", "search and browser", "search AND NOT browser", "AND", "OR", "NOT",
    "AND search", "search AND", "search OR", "OR OR OR", "NOT search", "search NOT", "Pros AND Cons", "search AND (browser OR server)",
    "(search OR find) AND (browser OR server) NOT python", "((search))", "((search)", "(search))", "()search()", "search () browser",
    "a OR b OR c OR d", "browser NOT (python OR javascript)", "(browser NOT python) NOT javascript", "search AND the", "the AND of",
    # NEAR
    "NEAR(search browser)", "NEAR(search browser, 5)", "NEAR(search browser,3)", "NEAR(search browser , 2)", "NEAR(search)", "NEAR()",
    "NEAR(search browser", "NEAR search browser", 'NEAR("search core" browser, 20)', "NEAR(search browser, 99999)", "near(search browser)",
    # prefixes
    "sea*", "se*", "s*", "searc* brows*", "zzz*", "sea* AND brow*", "sea*r*", "*search", "se*arch", "install*", "con* sec* pol*", "ſ*",
    # identifiers and numbers
    "default_audience", "ranvier.toml", "--default-audience", "entry.json", "page_size", "4096", "3.39", "v0.1.0", "2026-11-22",
    "python-frontmatter", "markdown-it-py", "C++", "C#", "std::vector", "getUserName", "user@example.org", "https://ranvier.example/",
    "#search", "tag:search", "title:search", "{title body}: search", "-search", "+search", "search^2", "search~", "[[Audiences]]",
    # other scripts
    "café", "cafe\u0301", "naïve", "straße", "STRASSE", "İstanbul", "ıstanbul", "ǅ", "ﬁle", "①", "½", "㎏", "Ω", "ώ", "ё", "й",
    "搜索", "検索", "검색", "ค้นหา", "खोज", "بحث", "חיפוש", "поиск", "αναζήτηση", "a\u200db", "a\u00adb", "a\ufeffb", "\u202esearch",
    "\U0001e4d0", "\U00031350", "\u0897", "\u1c89", "\U00016d40 search", "𝐬𝐞𝐚𝐫𝐜𝐡", "s\u0336e\u0336", "🧠 search", "👩‍💻", "\ud800", "search \udfff",
    # attacks
    "<script>alert(1)</script>", "<mark>search</mark>", "&lt;b&gt;", "search<b>", '"><img src=x onerror=alert(1)>', "'; DROP TABLE chunk_fts; --",
    'search" OR "1"="1', "search') UNION SELECT * FROM chunk_fts --", "chunk_fts MATCH 'x'", "rank MATCH 'bm25(0)'", "\x00", "search\x00browser",
    "{#claim-1a2b3c4d}", "search {#claim-1a2b3c4d}", "../../etc/passwd", "%00", "\\", "\\\"", "${search}", "{{ search }}", "__proto__", "constructor",
    # with filters
    "#reference", "#reference search", "search -#reference", "leak -path:decisions", "-path:format -lang:de",
    "#nosuchtag search", "#include search", "kind:guide search", "kind:note", "path:guide install", "path:decisions/*", "lang:en search", "lang:xx search", "time:2026-01-01.. search", "time:..2020-01-01", "time:soon search",
    "[[Audiences]] curator", "[[No such page]]", "[[Search box|box]]", 'kind:"guide" path:guide search', "#sea tides", "#sea/harbour",
    "time:2026-02-01..2026-05-30 ship", "time:2026-03-15", "2026-03-15", "[[Lighthouse]]", "[[en/01]] boats", "lang:de", "lang:ja 船",
    # misspelled
    "serch", "browzer serch", "pyodyde manifest", "manfiest", "comand line", "harbuor", "lihgthouse keeper", "Hafne", "Leuchttrum",
    "гаван", "бухта", "installl", "xyzzyplugh manfiest", '"serch"', "serch*", "serch OR browser", "-serch browser", "SERCH",
    # substrings
    "nifes", "rowse", "earch cor", "->", "::", "_size", "ser_id", "HTTPServ", "tUserN", "enöff", "ターベ", "データ", "夜明け", "北码", "구는 새", "รุ่ง",
    # exclusions
    "search -browser", '-"static host" host', "-search", "--dry-run", "-x search", "search - browser", "tags:search -title:search",
    # languages
    "Häfen", "hafen", "Straßenbahn", "strassenbahn", "Brücke", "bruecke", "grosse", "Größe", "l'aube", "île", "ile", "œuvre", "oeuvre",
    "marée basse", "ışık", "isik", "İSTANBUL", "istanbul", "Iğdır", "igdir", "iskele", "корабль", "корабли", "ёлка", "елка", "причале",
    "बंदरगाह", "बंदर", "जहाज़", "जहाज", "घाट", "港", "港は", "夜", "灯台守", "東京", "京都", "ｶﾀｶﾅ", "カタカナ", "データベース", "船只", "码头", "北京和上海",
    "数据", "数据库 配置", "배", "배들은", "항구", "부두에", "서울", "ท่า", "ท่าเรือ", "เรือ", "ค้น", "รุ่งสาง", "ประภาคาร ไฟ", "港 Hafen", "boat 船", "Hafen OR port",
    "getUserName", "get_user_name", "user name", "username", "max_berth_size", "berth size", "std::vector", "v1.10", "1.10", "C++", "c#",
    "HTTPServer2", "http server", "Obi-Wan", "who keeps Obi-Wan?", "well-known", "sailing", "sails", "船", "boat", "ships", "pier", "function boat",
    # long
    "search " * 1500, "a" * 10_000, "(" * 5_000, '"' * 5_000, "search AND " * 900, "é" * 10_000, "(search OR " * 90, "x y " * 2_500,
    " ".join(f"word{n}" for n in range(200)), "search " + "x" * 2_000, "*" * 3_000,
]  # fmt: skip


def by_hand() -> list[str]:
    """Return the queries written by hand."""
    return list(_BY_HAND)


def generated_queries(content: Path, count: int, *, overlapping: bool = False) -> list[str]:
    """Make queries from the words of a content folder, and with `overlapping` from parts of words; the seed is constant."""
    text = " ".join(file.read_text("utf-8") for file in sorted(content.rglob("*.md")))
    words = re.findall(r"[^\W\d_]{2,}", text)
    rng = random.Random(20261122)
    if overlapping:  # in scripts without blanks a run of letters is a sentence: take one to six letters
        starts = [rng.randrange(len(word)) for word in words]
        words += [word[at : at + rng.randint(1, 6)] for word, at in zip(words, starts, strict=True)]
    return [_generated_query(words, rng) for _ in range(count)]


def _generated_query(words: list[str], rng: random.Random) -> str:
    at = rng.randrange(len(words) - 8)
    first, second, third = rng.choice(words), rng.choice(words), words[at]
    shapes = [
        first,
        f"{first} {second}",
        f"{first} {second} {third}",
        " ".join(words[at : at + rng.randint(2, 6)]),
        f'"{" ".join(words[at : at + rng.randint(2, 4)])}"',
        f"{first} OR {second}",
        f"{first} NOT {second}",
        f"({first} OR {second}) AND {third}",
        f"{first[: rng.randint(1, len(first))]}*",
        f"{second} {first[: rng.randint(2, max(2, len(first)))]}",
        f"NEAR({first} {third}, {rng.randint(1, 30)})",
    ]
    return rng.choice(shapes)


class Question(NamedTuple):
    """A request for both sides: method, query, and options with Python names."""

    method: str
    query: str
    options: dict[str, Any]


def searches(queries: Sequence[str], library: Library, seed: int) -> Iterator[Question]:
    """Make a search of each query with seeded random options, mostly with the default preset."""
    rng, values = random.Random(seed), scope_values(library)
    for query in queries:
        options: dict[str, Any] = {"limit": rng.choice((1, 5, 8, 20, 100)), "explain": rng.random() < 0.7}
        if rng.random() < 0.6:
            options["preset"] = rng.choice(NAMES)
        for name, values_of_option in _OPTION_VALUES.items():
            if rng.random() < 0.22:
                options[name] = rng.choice(values_of_option)
        if rng.random() < 0.35:
            options["prefix"] = True
        if rng.random() < 0.25:
            options["facets"] = rng.sample(FACETS, rng.randint(1, len(FACETS)))
        for name in rng.sample(sorted(values), rng.choice((0, 0, 0, 0, 1, 1, 2))):
            options[name] = rng.choice(values[name])
        yield Question("search", query, options)


_OPTION_VALUES: dict[str, Sequence[Any]] = {
    "strategy": STRATEGIES,
    "match": MATCHES,
    "sort": SORTS,
    "offset": (1, 3, 10, 1000),
    "candidates": (1, 10, 25, 1000, 10**6),
    "min_confidence": (0, 0.3, 0.5, 0.85, 1),
    "return_all": (True,),
    "page_lang": ("en", "de-AT", "tr", "ja", "xx", ""),
    "exact": (True,),
}


def retrievals(queries: Sequence[str], library: Library, seed: int) -> Iterator[Question]:
    """Make retrievals with budgets from one character to more than the site has."""
    rng, values = random.Random(seed), scope_values(library)
    for query in queries:
        options = {"top_k": rng.choice((1, 3, 8, 50)), "max_chars": rng.choice((1, 60, 700, 4000, 100_000))}
        if rng.random() < 0.6:
            options["preset"] = rng.choice(NAMES)
        for name in ("strategy", "exact", "page_lang"):
            if rng.random() < 0.2:
                options[name] = rng.choice(_OPTION_VALUES[name])
        for name in rng.sample(sorted(values), rng.choice((0, 0, 0, 1))):
            options[name] = rng.choice(values[name])
        yield Question("retrieve", query, options)


def scope_values(library: Library) -> Mapping[str, Sequence[Any]]:
    """Return values of the scope fields of a site, and one unknown value for each field."""
    result = library.search("", return_all=True, facets=FACETS)
    facet_values = {name: [item.value for item in counts] for name, counts in result.facets.items()}
    tags = facet_values["tags"] or ["missing"]
    paths = [hit.path for hit in result.hits]
    names = (
        [hit.id for hit in result.hits[::3]]
        + [hit.slug for hit in result.hits[1::3]]
        + [hit.title for hit in result.hits[2::3]]
    )
    return {
        "ancestor": [*facet_values["folder"], *names[::4], "nowhere"],
        "item": [*names, *paths[::5], "nowhere"],
        "tags": [*([tag] for tag in tags), tags[:2], "#" + tags[0].upper(), ["nowhere"]],
        "kind": [facet_values["kind"][:1], facet_values["kind"], "nowhere"],
        "role": [facet_values["role"][:1] or "user", ["nowhere"]],
        "modality": [["text"], ["image", "audio"]],
        "lang": [[item] for item in facet_values["lang"]] + ["de", "xx"],
        "path": [*facet_values["folder"], *paths[::7], "*.md", "*0*", "no[where]"],
        "titles": [[hit.title] for hit in result.hits[::5]] + ["nowhere"],
        "time": ["2026-01-01..2026-06-30", "2025-06-01..", "..2025-12-31", "2026-11-22", "soon", ".."],
    }
