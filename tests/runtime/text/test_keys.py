"""B7: one folding compares typed text with names, in Python and in JavaScript."""

import unicodedata
from hashlib import sha256

import pytest
from ranvier import text
from ranvier.text.keys import LATER_THAN_16, MAX_PREFIX_LENGTH, MAX_QUERY_LENGTH, beginnings, fold, keys, split_matches, units
from ranvier.text.unicode import LATER_THAN_14
from support.names import code_points

# A text and its key, in which each piece follows a blank.
KEYS = {
    "Install all Hugo": " install all hugo",
    "Café CAFE\u0301 ｃａｆé": " cafe cafe cafe",
    "Straße STRASSE ẞ": " strasse strasse ss",
    "İstanbul ıstanbul": " istanbul istanbul",
    "Ὀδυσσεύς ΟΔΥΣΣΕΥΣ": " οδυσσευσ οδυσσευσ",
    "Øre Ægir łódź": " ore aegir lodz",
    "ﬁle ② ½": " file 2 1 2",
    "co\u00adop a\u200db": " coop ab",
    "C++ and C#, F# + #tag": " c++ and c# f# tag",
    "a+b a++b": " a+ b a++ b",
    "snake_case kebab-case ns::name .NET": " snake case kebab case ns name net",
    "getUserName": " getusername\t username name",
    "iPhone HTML2Text": " iphone html2text\t phone text",
    "the getX of Y": " the getx of y\t x",
    "港の歴史": " 港 の 歴 史",
    "2015年": " 2015 年",
    "Tシャツ": " t シ ャ ツ",
    "ｶﾞ ガ": f" {unicodedata.normalize('NFD', 'ガ')}" * 2,
    "한국": f" {unicodedata.normalize('NFD', '한')} {unicodedata.normalize('NFD', '국')}",
    "ท่าเรือ": " ท่ า เ รื อ",
    "हिन्दी": " हिन्दी",
    "გამარჯობა": " გამარჯობა",
    "": "",
    "… — !?": "",
    "💥": "",
    "\ud800a\udfff": " a",
    "a\u0897b a\u088fb": " a b a b",  # of Unicode 16 and 17
}


@pytest.mark.parametrize("name", KEYS)
def test_key_of_a_name(name: str) -> None:
    assert keys([name]) == [KEYS[name]]


def test_names_are_folded_in_one_call() -> None:
    assert keys([]) == []
    assert keys(list(KEYS)) == list(KEYS.values())
    assert keys(["", "", "a"]) == ["", "", " a"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("  Get   C++ ", ["get", "c++"]),
        ("snake_case", ["snake", "case"]),
        ("getUserName", ["getusername"]),
        ("港の 歴", ["港 の", "歴"]),
        ("v2.0", ["v2", "0"]),
        ("a+b", ["a+ b"]),
        ("#tag", ["tag"]),
        ("+ # ++", []),
        ("", []),
        ("\x01a\x01b", ["a", "b"]),
        ("\n\t", []),
        ("x" * 500, ["x" * MAX_QUERY_LENGTH]),
    ],
)
def test_units_of_a_query(query: str, expected: list[str]) -> None:
    assert units(query) == expected


@pytest.mark.parametrize(
    ("name", "query", "pieces"),
    [
        ("Install all Hugo", "inst", ("", "Inst", "all all Hugo")),
        ("Install all Hugo", "hugo inst", ("", "Inst", "all all ", "Hugo")),
        ("Install all Hugo", "xyz", ("Install all Hugo",)),
        ("Straße", "stras", ("", "Straß", "e")),
        ("e\u0301tude", "e", ("", "e\u0301", "tude")),
        ("getUserName", "user", ("get", "User", "Name")),
        ("getUserName", "getusern", ("", "getUserN", "ame")),
        ("港の歴史", "の歴", ("港", "の歴", "史")),
        ("한국", "하", ("", "한", "국")),
        ("ﬁle", "f", ("", "ﬁ", "le")),
        ("C++ and C", "c++", ("", "C++", " and C")),
        ("snake_case", "case", ("snake_", "case")),
        ("in inside", "in", ("", "in", " inside")),  # the first place of each
        ("ab", "a ab", ("", "ab")),
        ("𝐀𝐁 x", "a", ("", "𝐀", "𝐁 x")),
        ("<b>bold</b>", "bold", ("<b>", "bold", "</b>")),
        ("a\u0327\u0301b", "a", ("", "a\u0327\u0301", "b")),
        ("", "a", ("",)),
    ],
)
def test_marked_parts_of_a_name(name: str, query: str, pieces: tuple[str, ...]) -> None:
    assert split_matches(name, units(query)) == pieces
    assert "".join(pieces) == name


def test_beginnings_of_names() -> None:
    assert beginnings("The getUserName of 港の歴 史") == {
        *("the", "getusername", "username", "name", "of", "港 の 歴", "の 歴", "歴", "史")
    }
    assert beginnings("a+b, b") == {"a+ b", "b"}
    assert beginnings("x" * 99) == {"x" * MAX_PREFIX_LENGTH}
    assert beginnings("…") == set()


def test_every_prefix_of_a_name_is_in_its_key() -> None:
    for name, key in KEYS.items():
        assert all(f" {beginning}" in key for beginning in beginnings(name))


def test_folding_is_the_same_in_every_unicode_version() -> None:
    """The keys of all code points of used planes are equal in Pyodide (Unicode 16) and CPython 3.11 (Unicode 14)."""
    characters = code_points()
    texts = [" ".join(f"a{item}b" for item in characters[at : at + 40]) for at in range(0, len(characters), 40)]
    folded = [fold(item) for item in texts]
    assert [fold(item) for item in folded] == folded, "folding twice is folding once"
    digest = sha256()
    for lines in (folded, keys(texts), [" ".join(units(item)) for item in texts]):
        digest.update("\n".join(lines).encode("utf-8", "surrogatepass"))
    assert digest.hexdigest() == "712703272279005913e560b5700d29b56a9f5960c677d3290351e69a131ca9e1"


def test_folding_agrees_with_the_analyser() -> None:
    """For every letter and digit of Unicode 14, except iota subscript and small Cherokee letters."""
    later = {code for first, last in LATER_THAN_14 for code in range(first, last + 1)}
    differ = []
    for code in (code for code in range(0x110000) if chr(code).isalnum() and code not in later):
        key = keys([chr(code)])[0].replace(" ", "")
        folded = unicodedata.normalize("NFKD", text.fold(chr(code)))
        iota = "\u0345" in unicodedata.normalize("NFKD", chr(code))
        cherokee = 0x13A0 <= code <= 0x13FF or 0xAB70 <= code <= 0xABBF
        if key != folded and not iota and not cherokee:
            differ.append(f"U+{code:04X} {key!r} {folded!r}")
    assert differ == []


def test_code_points_of_unicode_14_are_not_blanked() -> None:
    later = (code for first, last in (*LATER_THAN_14, *LATER_THAN_16) for code in range(first, last + 1))
    is_unicode_14 = unicodedata.unidata_version == "14.0.0"
    assert [code for code in later if is_unicode_14 and unicodedata.category(chr(code)) != "Cn"] == []
