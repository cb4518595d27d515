"""P2: `retrieve` of [000]."""

import pytest
from conformance.server import MakeSite, as_json
from conformance.wiki.content import WIKI
from support.whole_site import open_site, page

SECTIONS = [  # of one page: heading, body; each body has the word fewer times
    ("Best", "heron " * 12 + "stands."),
    ("Good", "heron " * 6 + "one two three four five six stands."),
    ("Fair", "heron " * 3 + "one two three four five six seven eight nine ten stands."),
    ("Poor", "heron one two three four five six seven eight nine ten eleven twelve stands."),
]
HERON = {"a.md": page("# Heron\n\n" + "\n\n".join(f"## {name}\n\n{body}" for name, body in SECTIONS))} | {
    f"b{at}.md": page(f"# Rest {at}\n\nSomething else.") for at in range(20)
}


def test_retrieve_json_of_one_chunk(make_site: MakeSite) -> None:
    """P2, P4, C2, [000]: all fields."""
    answer = as_json(make_site(WIKI), "retrieve", "raises", preset="wiki")
    body = "When a VIP customer raises a ticket, page the lead & wait."
    breadcrumb = "VIP customer escalation policy > Policies > Escalation"
    assert answer["hitCount"] == 1
    assert answer["totalChars"] == len(body)
    assert answer["formattedContext"] == f"## Neuron 1 — VIP customer escalation policy\n\n*{breadcrumb}*\n\n{body}\n"
    (chunk,) = answer["chunks"]
    rank, seq_id = chunk.pop("rank"), chunk.pop("seqId")
    assert rank > 0
    assert seq_id.startswith("myprod_")
    assert {name: chunk[name] for name in ("documentId", "title", "neuronPath", "content", "headerBreadcrumb")} == {
        "documentId": "vip",
        "title": "VIP customer escalation policy",
        "neuronPath": "wiki/vip-escalation-policy.md",
        "content": body,
        "headerBreadcrumb": breadcrumb,
    }


def test_context_has_the_chunks_with_breadcrumbs(make_site: MakeSite) -> None:
    """P2, [000]: numbered in the order of `chunks`."""
    with open_site(make_site(HERON)) as library:
        result = library.retrieve("heron", preset="wiki", max_chars=10_000)
    assert result.formatted_context == "\n".join(
        f"## Neuron {number} — Heron\n\n*Heron > {name}*\n\n{body.strip()}\n" for number, (name, body) in enumerate(SECTIONS, 1)
    )
    assert [chunk.citation for chunk in result.chunks] == [1, 2, 3, 4]


def test_chunks_are_admitted_by_rank_up_to_top_k(make_site: MakeSite) -> None:
    """P2, [000]."""
    with open_site(make_site(HERON)) as library:
        for top_k in (1, 2, 3, 4, 9):
            chunks = library.retrieve("heron", preset="wiki", top_k=top_k, max_chars=10_000).chunks
            assert [chunk.content for chunk in chunks] == [body.strip() for _, body in SECTIONS[:top_k]]
            assert [chunk.rank for chunk in chunks] == sorted((chunk.rank for chunk in chunks), reverse=True)


def test_chunks_are_admitted_while_they_fit(make_site: MakeSite) -> None:
    """P2, [000]: whole chunks, in the order of their ranks; a chunk that does not fit is skipped."""
    bodies = [body.strip() for _, body in SECTIONS]
    with open_site(make_site(HERON)) as library:
        for budget in (*range(len(bodies[0]), sum(map(len, bodies)) + 2, 3), 100_000):
            expected, remaining = [], budget
            for body in bodies:
                if len(body) <= remaining:
                    expected.append(body)
                    remaining -= len(body)
            result = library.retrieve("heron", preset="wiki", max_chars=budget)
            assert [chunk.content for chunk in result.chunks] == expected
            assert (result.total_chars, result.hit_count) == (budget - remaining, len(expected))


@pytest.mark.parametrize(
    ("budget", "content"),
    [
        (1, "…"),
        (2, "h…"),
        (6, "heron…"),
        (7, "heron…"),
        (8, "heron h…"),
        (len(SECTIONS[0][1]) - 1, "heron " * 12 + "stand…"),
        (len(SECTIONS[0][1]), SECTIONS[0][1]),
    ],
)
def test_single_long_chunk_is_cut(make_site: MakeSite, budget: int, content: str) -> None:
    """P2, [000]: with `…`."""
    with open_site(make_site(HERON)) as library:
        result = library.retrieve("heron", preset="wiki", max_chars=budget)
    assert [chunk.content for chunk in result.chunks] == [content]
    assert result.total_chars == len(content) <= budget


def test_retrieve_without_a_match_is_empty(make_site: MakeSite) -> None:
    """P2, [000]."""
    with open_site(make_site(HERON)) as library:
        for query in ("xyzzyplugh", ""):
            result = library.retrieve(query, preset="wiki")
            assert (result.hit_count, result.total_chars, result.formatted_context, result.chunks) == (0, 0, "", ())
