"""Pages become terms and words (I1, I2, C1)."""

from urllib.parse import quote

import pytest
from ranvier_builder.model import Block, Chunk, Neuron, Section
from ranvier_builder.render.chunk import chunks
from ranvier_builder.write.analyse import analyse, primary, whole_body
from ranvier_builder.write.vocabulary import words_of


def neuron(**values: object) -> Neuron:
    return Neuron("guide/first-steps.md", "Getting started", "", **values)  # type: ignore[arg-type]


def test_row_has_names_headings_and_path_of_its_chunk() -> None:
    terms = analyse(
        neuron(aliases=("Quick tour",), tags=("project/alpha", "Übung")),
        (Chunk("", (), "Running dogs."), Chunk("b", ("Install it", "On Linux"), "Use the source.")),
    )
    first, second = terms.rows
    assert (first.name, first.heading, first.body) == ("", "", "run dog")
    assert set(second.name.split(" ")) == {"install=it=", "instal=it=", "on=linux="}, "the heading above has no text of its own"
    assert second.heading == "instal it on linux"
    for row in terms.rows:
        assert (row.title, row.tags) == ("get start quick tour", "project alpha ubung")
        assert row.path.split(" ")[0] == "guid"
        assert "md" not in row.path.split(" ")


@pytest.mark.parametrize(
    ("anchor", "heading", "names"),
    [
        ("fsreadfilepath", "fs.readFile(path[, options])", ["fs=read=file==", "read=file=="]),
        ("asyncio.gather", "asyncio.gather", ["asyncio=gather==", "gather=="]),
        ("django.http.Request.user", "Request.user", ["django=http=request=user==", "user=="]),
        ("get", "get()", ["get=="]),
        ("install", "Install (Linux)", []),
        ("v1.2", "Version 1.2 of it", []),
        ("a.b", "Another text", []),
        ("a", "--ignore-pattern", ["#ignore=pattern="]),
        ("a", "-f, --file=PATH, --files", ["#file=", "#files="]),
        ("a", "--[no-]inline", []),
        ("a", "The option --rule", []),
        ("a", "-- and --", []),
    ],
)
def test_sections_about_objects_and_options_have_short_names(anchor: str, heading: str, names: list[str]) -> None:
    """P1: a word of prose has none."""
    (row,) = analyse(neuron(), (Chunk(anchor, (heading,), "Text."),)).rows
    assert [name for name in row.name.split() if name.endswith("==") or name.startswith("#")] == names


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Chapter 26. Backup and Restore", ["chapter=26=backup=and=restore=", "backup=and=restore="]),
        ("25.1. Vacuum", ["25=1=vacuum=", "vacuum="]),
        ("10.4 Vacuum", ["10=4=vacuum=", "vacuum="]),
        ("A.2. Vacuum", ["a=2=vacuum=", "vacuum="]),
        ("2024. Vacuum", ["2024=vacuum="]),
        ("3 Vacuum", ["3=vacuum="]),
        ("The U.S. Navy", ["the=u=s=navy="]),
    ],
)
def test_numbered_chapter_is_found_by_its_name(title: str, names: list[str]) -> None:
    """R6: a book's number is no part of the name that readers type."""
    name = analyse(Neuron("a.md", title, ""), (Chunk("", (), "Text."),)).whole.name.split()
    assert [term for term in names if term not in name] == []
    assert ("vacuum=" in name) == ("vacuum=" in names)


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("About HTTPS", ["https==", "abouthttps=="]),
        ("What is an index?", ["index=="]),
        ("How to handle redirects", ["handle=redirects=="]),
        ("HTTPS", []),
        ("Where?", []),
        ("is_open", ["isopen=="]),
        ("Secret env variables", ["secretenvvariables=="]),
        ("Four words are apart", ["four=words=apart=="]),
    ],
)
def test_title_without_stop_words_or_blanks_is_a_short_name(title: str, names: list[str]) -> None:
    """P1: a heading of another page that equals the query came before the page about it."""
    name = analyse(Neuron("a.md", title, ""), (Chunk("", (), "Text."),)).whole.name.split()
    assert [term for term in name if term.endswith("==")] == names


@pytest.mark.parametrize(
    ("slug", "names"),
    [
        ("", []),
        ("guide", ["=guide="]),
        ("guide/read-me", ["=guide=read=me="]),
        ("manual/io.html", ["=manual=io="]),
        ("für", ["=fur=", "=f=c3=bcr="]),
    ],
)
def test_address_is_a_name(slug: str, names: list[str]) -> None:
    name = analyse(Neuron("a.md", "Title", ""), (Chunk("", (), "Text."),), "en", (slug, quote(slug))).whole.name.split()
    assert name == ["title=", "titl=", *names]


def test_row_of_the_page_has_each_heading_once() -> None:
    terms = analyse(
        neuron(aliases=("Quick tour", "getting STARTED")),
        (Chunk("a", ("A one",), "x"), Chunk("b", ("A one", "B two"), "y"), Chunk("c", ("A one", "B two"), "z")),
    )
    assert terms.whole.heading == "a one b two"
    assert terms.whole.name == "getting=started= get=start= quick=tour= gettingstarted== quicktour=="
    assert terms.whole.body == ""
    assert whole_body(terms.rows) == "x y z"


@pytest.mark.parametrize(
    ("label", "title", "names"),
    [
        ("FAQs", "get start faq", ["faqs=="]),
        ("Getting started", "get start", []),
        ("started", "get start", ["started=="]),
        ("", "get start", []),
    ],
)
def test_label_in_menus_has_words_of_the_title_and_is_a_short_name(label: str, title: str, names: list[str]) -> None:
    terms = analyse(neuron(label=label), (Chunk("", (), "Text."),))
    assert (terms.whole.title, terms.rows[0].title) == (title, title)
    assert terms.whole.name.split() == ["getting=started=", "get=start=", *names, "gettingstarted=="]
    assert ("faqs" in terms.words.splitlines()) == (label == "FAQs")


def test_overlap_of_chunks_is_once_in_the_page_text() -> None:
    """C1."""
    sentences = [f"Sentence number {at} says something about item {at}." for at in range(40)]
    parts = chunks((Section("s", ("S",), (2,), (Block(" ".join(sentences)),)),))
    assert len(parts) > 3
    assert sum(len(item.body) for item in parts) > len(" ".join(sentences)), "they overlap"
    text = " ".join(analyse(neuron(), (Chunk("s", ("S",), " ".join(sentences)),)).rows[0].body.split())
    assert whole_body(analyse(neuron(), parts).rows) == text


@pytest.mark.parametrize(
    ("before", "after", "heading", "whole"),
    [
        ("One two.", "One two. Three.", "S", "one two three"),
        ("Zero. One two.", "One two.\n\nThree.", "S", "zero one two three"),
        ("One two.", "One twofold.", "S", "one two one twofold"),  # not a whole sentence
        ("One two.", "One two. Three.", "Other", "one two one two three"),  # another section
        ("", "", "S", ""),
        ("One.", "One.", "S", "one one"),  # nothing follows the repeated sentence
    ],
)
def test_overlap_is_removed_only_for_whole_sentences_of_one_section(before: str, after: str, heading: str, whole: str) -> None:
    terms = analyse(neuron(), (Chunk("", ("S",), before), Chunk("", (heading,), after)))
    assert whole_body(terms.rows) == whole


@pytest.mark.parametrize(
    ("langs", "expected"),
    [
        (("de-AT", "en"), "de"),
        (("", "fr"), "fr"),
        (("PT_br",), "pt"),
        (("German", "nl"), "nl"),
        ((" de ",), "de"),
        (("nb",), "no"),
        (("", ""), "en"),
        (("x-klingon", "🦓"), "en"),
    ],
)
def test_primary_language_of_tags(langs: tuple[str, ...], expected: str) -> None:
    assert primary(*langs) == expected


def test_page_is_stemmed_in_its_language() -> None:
    body = (Chunk("", (), "Die Häuser laufen"),)
    assert analyse(neuron(lang="de"), body, "en").rows[0].body == "die haus lauf"
    assert analyse(neuron(), body, "de").rows[0].body == "die haus lauf"
    assert analyse(neuron(), body, "en").rows[0].body != "die haus lauf"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Café CAFÉ café", ("cafe",)),
        ("a an the 12 2024 v1 v10 3rd", ("3rd", "the", "v10")),
        ("日本語 and Docker日本語 ภาษาไทย", ("and", "docker")),
        ("x" * 40 + " " + "y" * 41, ("x" * 40,)),
        ("snake_case don't author's", ("author", "case", "dont", "snake")),
        ("gone {#claim-ab12cd34} on", ("gone",)),
        ("हिन्दी", ("हिन्दी",)),
        ("", ()),
    ],
)
def test_vocabulary_words_of_a_text(text: str, words: tuple[str, ...]) -> None:
    assert words_of([text]) == "\n".join(words)
