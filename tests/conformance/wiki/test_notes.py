"""A4, L4: notes of curators in [000]: private unless shared, and found as substrings in two passes."""

import pytest
from conformance.server import MakeSite
from ranvier import Caller
from ranvier.legs.notes import match_note
from support.whole_site import open_site, page


def noted(title: str, note: str, shared: object = True, audience: str = "public") -> str:
    """Write a Neuron whose text has no word of its note."""
    return page(f"# {title}\n\nPlain text.", user_note=note, user_note_shared=shared, audience=[audience])


NOTES = {
    "a.md": noted("Master", "Ask Obi-Wan Kenobi, the jedi, before you decide."),
    "b.md": noted("Padawan", "Obi trains him; Wan is no word of its own."),
    "c.md": noted("Customer", 'The VIP customer said: "wait <now> & see".'),
    "d.md": noted("Private", "Obi-Wan Kenobi and the VIP customer are secret.", shared=False),
    "e.md": noted("Undecided", "Obi-Wan Kenobi and the VIP customer are secret.", shared="maybe"),
    "f.md": noted("Curators", "Obi-Wan Kenobi is on holiday.", audience="curator"),
    "g.md": page("# Body\n\nObi is spoken of here, and no note is kept.", audience=["public"]),
}

MATCHES = [  # note, query → the highlighted text, and whether it is the whole query
    ("Ask Obi-Wan Kenobi first.", "Obi-Wan Kenobi", ("Obi-Wan Kenobi", True)),  # a literal look-up
    ("The VIP customer waits.", "VIP customer", ("VIP customer", True)),
    ("The VIP customer waits.", '"VIP customer"', ("VIP customer", True)),
    ("The VIP customer waits.", "vip CUSTOMER", ("VIP customer", True)),  # LIKE ignores case
    ("Ask Obi-Wan first.", "who is Obi-Wan?", ("Obi-Wan", False)),  # the second pass; a hyphen does not split
    ("Obi trains him, Wan does not.", "Obi-Wan", None),
    ("A jedi knows.", "jedi?", ("jedi", True)),
    ("A jedi knows.", "¿jedi?!", ("jedi", True)),
    ("A jedi knows.", "is the jedi. there", ("jedi", False)),
    ("A jedi knows.", "!jedi! who", ("jedi", False)),
    ("Version v1.2 works.", "v1.2.", ("v1.2", True)),  # only at the edges
    ("It is so.", "is it", None),  # two characters are no token
    ("It is a fox.", "is fox", ("fox", False)),  # three characters are
    ("It is so.", "is? so!", None),  # punctuation is stripped before counting
    ("Substrings count.", "string", ("string", True)),  # no tokens, no stems
    ("One string.", "strings", None),
    ("Green beats red.", "red green", ("red", False)),  # the first token of the query, not of the note
    ("Green beats red.", "blue green red", ("Green", False)),
    ("100% sure_thing", "100%", ("100%", True)),  # no pattern
    ("100 percent", "1%0", None),
    ("a snake_case", "snake.case", None),
    ("Anything.", "", None),
    ("Anything.", "???", None),
]


@pytest.mark.parametrize(("note", "query", "expected"), MATCHES)
def test_notes_are_searched_in_two_passes(note: str, query: str, expected: tuple[str, bool] | None) -> None:
    """L4, [000]: the whole query, then its tokens of three characters or more, split at blanks."""
    assert match_note(note, query) == expected


@pytest.mark.parametrize(
    ("query", "titles", "highlight"),
    [
        ("Obi-Wan Kenobi", ["Master"], "<mark>Obi-Wan Kenobi</mark>"),
        ("who is Obi-Wan?", ["Master"], "<mark>Obi-Wan</mark>"),
        ("jedi?", ["Master"], "<mark>jedi</mark>"),
        ("VIP customer", ["Customer"], "<mark>VIP customer</mark>"),
        ("jedi customer", ["Master", "Customer"], "<mark>jedi</mark>"),
    ],
)
def test_search_finds_shared_notes(make_site: MakeSite, query: str, titles: list[str], highlight: str) -> None:
    """A4, L4, [000]: but no private ones."""
    with open_site(make_site(NOTES)) as library:
        hits = library.search(query, preset="wiki", caller=Caller("public")).hits
    assert [hit.title for hit in hits] == titles
    assert (hits[0].field, hits[0].matched_in) == ("note", ("note",))
    assert highlight in hits[0].highlight
    assert hits[0].highlight.count("<mark>") == 1


def test_notes_with_the_whole_query_come_first(make_site: MakeSite) -> None:
    """L4, [000]."""
    files = {
        "a.md": noted("Token", "A red kite."),
        "b.md": noted("Whole", "The green kite flies."),
        "c.md": noted("Other", "Green."),
    }
    with open_site(make_site(files)) as library:
        hits = library.search("green kite", preset="wiki").hits
    assert [(hit.title, hit.coverage) for hit in hits] == [("Whole", "all"), ("Token", "some"), ("Other", "some")]


def test_notes_are_escaped(make_site: MakeSite) -> None:
    """L4, P1: `<mark>` is the only tag."""
    with open_site(make_site(NOTES)) as library:
        (hit,) = library.search("<now>", preset="wiki").hits
    assert hit.highlight == "The VIP customer said: &quot;wait <mark>&lt;now&gt;</mark> &amp; see&quot;."


def test_retrieve_finds_shared_notes(make_site: MakeSite) -> None:
    """L4, A4, [000]: a shared note returns a passage of its Neuron."""
    with open_site(make_site(NOTES)) as library:
        result = library.retrieve("Obi-Wan Kenobi", preset="wiki", caller=Caller("public"))
        assert [chunk.title for chunk in result.chunks] == ["Master"]
        assert [chunk.content for chunk in result.chunks] == ["Plain text."]
        assert "secret" not in result.formatted_context


def test_sharing_a_note_shares_no_other(make_site: MakeSite) -> None:
    """A4, [000]."""
    with open_site(make_site(NOTES)) as library:
        for audience in ("public", "tool", "curator"):
            for query in ("secret", "are secret", "Obi-Wan Kenobi and", "Kenobi and the VIP"):
                hits = library.search(query, preset="wiki", caller=Caller(audience)).hits
                assert not {"Private", "Undecided"} & {hit.title for hit in hits}
                assert "secret" not in str(hits)


def test_shared_note_has_the_audience_of_its_neuron(make_site: MakeSite) -> None:
    """A5, L4."""
    with open_site(make_site(NOTES)) as library:
        curators = library.search("on holiday", preset="wiki", caller=Caller("curator")).hits
        public = library.search("on holiday", preset="wiki", caller=Caller("public")).hits
    assert ([hit.title for hit in curators], public) == (["Curators"], ())
