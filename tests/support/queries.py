"""Queries for the parity test: written by hand where something is odd, made from the site's own words where many are wanted."""

from __future__ import annotations

import random
import re
from pathlib import Path

_BY_HAND = [
    # nothing to look for
    "", " ", "\t\n", "\u00a0", ".", "...", "*", "**", '""', '"', '" "', "()", "(", ")", ")(", "-", "_", "[]", "{}", "💥",
    # words that say nothing alone
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
    # other writing
    "café", "cafe\u0301", "naïve", "straße", "STRASSE", "İstanbul", "ıstanbul", "ǅ", "ﬁle", "①", "½", "㎏", "Ω", "ώ", "ё", "й",
    "搜索", "検索", "검색", "ค้นหา", "खोज", "بحث", "חיפוש", "поиск", "αναζήτηση", "a\u200db", "a\u00adb", "a\ufeffb", "\u202esearch",
    "\U0001e4d0", "\U00031350", "\u0897", "\u1c89", "\U00016d40 search", "𝐬𝐞𝐚𝐫𝐜𝐡", "s\u0336e\u0336", "🧠 search", "👩‍💻", "\ud800", "search \udfff",
    # attempts
    "<script>alert(1)</script>", "<mark>search</mark>", "&lt;b&gt;", "search<b>", '"><img src=x onerror=alert(1)>', "'; DROP TABLE chunk_fts; --",
    'search" OR "1"="1', "search') UNION SELECT * FROM chunk_fts --", "chunk_fts MATCH 'x'", "rank MATCH 'bm25(0)'", "\x00", "search\x00browser",
    "{#claim-1a2b3c4d}", "search {#claim-1a2b3c4d}", "../../etc/passwd", "%00", "\\", "\\\"", "${search}", "{{ search }}", "__proto__", "constructor",
    # long
    "search " * 1500, "a" * 10_000, "(" * 5_000, '"' * 5_000, "search AND " * 900, "é" * 10_000, "(search OR " * 90, "x y " * 2_500,
    " ".join(f"word{n}" for n in range(200)), "search " + "x" * 2_000, "*" * 3_000,
]  # fmt: skip


def by_hand() -> list[str]:
    """Return the queries written by hand."""
    return list(_BY_HAND)


def made(content: Path, count: int) -> list[str]:
    """Make queries from the words of a content folder: the same ones every time."""
    text = " ".join(file.read_text("utf-8") for file in sorted(content.rglob("*.md")))
    words = re.findall(r"[^\W\d_]{2,}", text)
    dice = random.Random(20261122)
    return [_made(words, dice) for _ in range(count)]


def _made(words: list[str], dice: random.Random) -> str:
    at = dice.randrange(len(words) - 8)
    one, two, three = dice.choice(words), dice.choice(words), words[at]
    shapes = [
        one,
        f"{one} {two}",
        f"{one} {two} {three}",
        " ".join(words[at : at + dice.randint(2, 6)]),
        f'"{" ".join(words[at : at + dice.randint(2, 4)])}"',
        f"{one} OR {two}",
        f"{one} NOT {two}",
        f"({one} OR {two}) AND {three}",
        f"{one[: dice.randint(1, len(one))]}*",
        f"{two} {one[: dice.randint(2, len(one))]}",
        f"NEAR({one} {three}, {dice.randint(1, 30)})",
    ]
    return dice.choice(shapes)
