"""Sites with names only: titles, headings, aliases and tags of generated words, in many scripts."""

from itertools import accumulate
from random import Random

from ranvier_builder.model import Neuron, Page, Rendered, Section

# Words with special cases of folding, splitting or sorting.
UNUSUAL_WORDS = (
    "C++", "C#", "F#", ".NET", "snake_case_name", "kebab-case", "getUserName", "HTMLParser", "iPhone", "std::vector",
    "v2.0.1",
    "Straße", "STRASSE", "Größe", "İstanbul", "Iğdır", "Café", "Cafe\u0301", "ǆ", "ﬁnal", "½", "①", "K\u212a", "ſo",
    "Ωmega", "ςΣ",
    "naïve", "Ærø", "łódź", "þorn", "Ёлка", "Йод", "ёж", "Ὀδυσσεύς", "Հայ", "שָׁלוֹם", "مُحَمَّد", "हिन्दी", "தமிழ்", "বাংলা",
    "港の歴史", "データベース", "ｶﾞｲﾄﾞ", "数据库配置", "数据", "한국어", "한글", "ท่าเรือ", "ประภาคาร", "ລາວ", "မြန်မာ",
    "ភាសាខ្មែរ",
    "2015年", "Tシャツ", "𝐁old", "𠮷野家", "\ufa0e", "ꭰᎠ", "👩‍💻", "🧠", "a\u200db", "co\u00adop", "e\u0336", "\u1c89",
    "\u088f",
    "<b>", "&amp;", '"q"', "'", "\\", "__proto__", "constructor", "…", "—", "¿", "\ufe0f", "\x01A", "\u2028", "\u0345", "ᾳ",
)  # fmt: skip
_PART = ("Example", "Options", "Usage", "See also", "Overview", "Synopsis")


def code_points() -> list[str]:
    """Return all code points of the planes that have characters, and one in 97 of the others; not the line feed.

    Planes 4 to 13 are empty, and 15 and 16 are private. The list is the same in every Unicode version.
    """
    planes = (0, 1, 2, 3, 14)
    return [chr(code) for code in range(0x110000) if code != ord("\n") and (code >> 16 in planes or code % 97 == 0)]


def site(pages: int, seed: int = 11, *, unusual: bool = False) -> list[Rendered]:
    """Make pages with some headings each; with `unusual`, every second word is one of `UNUSUAL_WORDS`."""
    random = Random(seed)
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    vocabulary = ["".join(random.choices(syllables, k=random.randint(2, 4))) for _ in range(2000)]
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(vocabulary))))

    def random_name(max_words: int) -> str:
        words = random.choices(vocabulary, cum_weights=weights, k=random.randint(1, max_words))
        return " ".join(
            random.choice(UNUSUAL_WORDS) if unusual and random.random() < 0.5 else word for word in words
        ).capitalize()

    out = []
    for number in range(1, pages + 1):
        headings = [
            random.choice(_PART) if random.random() < 0.3 else random_name(4) for _ in range(random.choice((0, 0, 1, 1, 2, 4)))
        ]
        sections = tuple(Section(_anchor(random, text), (text,), (random.choice((2, 3)),), ()) for text in headings)
        aliases = (random_name(2),) if random.random() < 0.2 else ()
        tags = tuple(random.choices(vocabulary[:40], k=random.choice((0, 1, 2))))
        neuron = Neuron(f"p{number}.md", random_name(5), "", aliases=aliases, tags=tags)
        slug = f"{vocabulary[number % 17]}/{vocabulary[number % 1999]}-{number}"
        out.append(Rendered(Page(neuron, number, "", slug, f"{slug}/", False), "", sections, ()))
    return out


def _anchor(random: Random, text: str) -> str:
    default = "-".join(text.lower().split())
    return default if random.random() < 0.8 else random.choice(("", "s1", f"{default}-1"))
