"""A3: the fast first test of the scan never rules out a text that contains a forbidden term."""

from __future__ import annotations

from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest
from ranvier_builder.check.copy import ReducedCopy, Secret
from ranvier_builder.check.reader import Content, StrictSource
from ranvier_builder.check.scan import ForbiddenTerms

SENTENCE = "Nobody may hear before May that Ångström buys the café of our neighbour"
JAPANESE = "合併の計画は五月まで誰にも話さないこと"
PATH = "plans/Größe & mehr/merger-2031.md"
SIGNS = "aZ9_-.,;<>&%=\"'é\u0301Åßﬁ日本ーวิธี가Ёк１½´\u00ad\u2028\ud800 \n\t"


@pytest.fixture
def forbidden(tmp_path: Path) -> ForbiddenTerms:
    source = StrictSource(PATH, "audience: curator", ("0198-merger-plan",))
    secrets = [Secret("a.md", 1, SENTENCE), Secret("b.md", 3, JAPANESE)]
    return ForbiddenTerms(Content(tmp_path, pages=[source]), ReducedCopy(tmp_path, secrets=secrets))


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE,
        SENTENCE.upper(),
        SENTENCE.replace("é", "e\u0301").replace("Å", "\u212b"),
        f"<p>{SENTENCE.replace('é', '&eacute;').replace('Å', '&#197;')}</p>",
        f"<p>{SENTENCE.replace(' ', '</b>“<b>')}</p>",
        SENTENCE.replace(" ", "_"),
        "".join(chr(ord(sign) + 0xFEE0) if sign.isascii() and sign.isalpha() else sign for sign in SENTENCE),
        f"x{JAPANESE}x",
        JAPANESE.replace("の", "の<wbr>"),
        f"see {PATH.removesuffix('.md').replace(' ', '-')} and",
        f"see https://a.example/{quote(PATH)}#x",
        '<a href="../merger-2031/">',
        "0198-MERGER-PLAN",
    ],
)
def test_forbidden_term_passes_first_test(text: str, forbidden: ForbiddenTerms) -> None:
    file = "plans/größe-&-mehr/x/index.html"
    assert [*forbidden.terms_in(file, text, suspect=False)], "the full test finds it"
    assert forbidden.may_occur(f"/{file}\n{text}")


def test_first_test_rules_out_other_texts(forbidden: ForbiddenTerms) -> None:
    assert not forbidden.may_occur("/index.html\nNobody may hear before May that our neighbour buys a garden")
    assert not forbidden.may_occur("/plans/index.html\nthe merger of 2030")
    assert not forbidden.may_occur("")


def test_first_test_reads_words_of_random_text_as_close_test(tmp_path: Path) -> None:
    rng, matches = Random(11), 0
    for _ in range(300):
        text = "".join(rng.choices(SIGNS, k=120))
        copy = ReducedCopy(tmp_path, secrets=[Secret("a.md", 1, text.replace("\n", " "))])
        forbidden = ForbiddenTerms(Content(tmp_path), copy)
        around = f"{rng.choice(SIGNS)} {text} {rng.choice(SIGNS)}"
        if [*forbidden.terms_in("", around, suspect=False)]:
            matches += 1
            assert forbidden.may_occur(around), ascii(text)
    assert matches > 100
