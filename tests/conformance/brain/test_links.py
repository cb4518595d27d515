"""The link boost ([002]): hits that other hits link to rank higher."""

from collections import Counter

import pytest
from conformance.sites import applied, by_path, library_of, neuron, ranked, steps, using, with_vectors
from hypothesis import given
from hypothesis import strategies as st
from ranvier.rank.graph import LinkBoost
from support.results import paths

BOOST = LinkBoost()


def test_only_top_hits_give_a_link_boost() -> None:
    """R2, [002]: "over the top-N results"; lower hits may receive it."""
    hits = ranked(*(1 - n / 100 for n in range(30)))
    after = applied(BOOST, hits, [(BOOST.top, 30), (BOOST.top + 1, 29)])
    assert after[30] == pytest.approx(1 - 29 / 100 + 0.15)
    assert after[29] == pytest.approx(1 - 28 / 100)


@given(st.lists(st.tuples(st.integers(1, 8), st.integers(1, 8)), unique=True))
def test_link_boost_agrees_with_a_simple_count(rows: list[tuple[int, int]]) -> None:
    """R2, [002]: "for every hit, it uplifts any linked document's score by +0.15, capped at +0.45 total per document"."""
    after = applied(BOOST, ranked(*[0.5] * 8), rows)
    counts = Counter(target for source, target in rows if source != target)
    assert after == {n: pytest.approx(0.5 + min(0.15 * counts[n], 0.45)) for n in range(1, 9)}


def test_link_boost_in_a_site() -> None:
    """R2, P3, [002]: repeated links count once; self links and links from other pages do not count."""
    files = {
        "a.md": neuron("Alpha", "A deployment. See [b](b.md), [again](b.md#x) and [[b]]. Also [itself](a.md)."),
        "b.md": neuron("Bravo", "Another deployment."),
        "c.md": neuron("Candy", "No match, but it links to [b](b.md) and [a](a.md)."),
    }
    with library_of(files) as library:
        result = library.search("deployment", preset="brain", explain=True)
    hits = by_path(result)
    assert sorted(hits) == ["a.md", "b.md"]
    assert steps(hits["a.md"]) == ["authority", "cap"]
    explained = hits["b.md"].explain
    assert explained is not None
    assert (explained.steps[-1].stage, explained.steps[-1].effect, explained.steps[-1].reason) == (
        "links",
        "+0.15",
        "1 linking",
    )
    assert explained.final_score == explained.steps[-1].score == hits["b.md"].score


def test_link_boost_lifts_a_weak_match_above_the_threshold() -> None:
    """R2, R6, [002]: "a weak BM25 match that's linked to a strong vector match gets pulled into the result set"."""
    files = {"strong.md": neuron("Strong", "A text of meaning. See [the weak one](weak.md).")}
    files |= {f"p{at:03}.md": neuron(f"Page {at}", "A migration is a migration is a migration.") for at in range(15)}
    files["weak.md"] = neuron("Weak", f"{'Many other words stand here. ' * 15} Once a migration.", confidence=0.3)
    unlinked = files | {"strong.md": neuron("Strong", "A text of meaning.")}
    with library_of(files) as library, library_of(unlinked) as unlinked_library:
        for site, is_listed in ((library, True), (unlinked_library, False)):
            with using(site, with_vectors("brain", ("strong.md", 0.9))):
                hits = site.search("migration", preset="brain", strategy="rag", limit=100).hits
            assert {hit.path for hit in hits} >= files.keys() - {"weak.md"}
            assert ("weak.md" in {hit.path for hit in hits}) is is_listed


def test_order_of_authority_links_and_confidence() -> None:
    """R1, R2, R6, [002]: RRF → authority → links → confidence."""
    files = {
        "a.md": neuron("Alpha", "A deployment. See [b](b.md).", source_type="decision"),
        "b.md": neuron("Bravo", "A deployment.", confidence=0.3),
    }
    with library_of(files) as library:
        result = library.search("deployment", preset="brain", explain=True)
        assert paths(result) == ["a.md", "b.md"], "0.24 is noise; with a link it is 0.39"
        assert steps(by_path(result)["b.md"]) == ["authority", "cap", "links"]
        assert by_path(result)["b.md"].level == "low"
