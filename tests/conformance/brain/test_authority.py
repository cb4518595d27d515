"""Authority ([002]): source type, declared confidence, and derivation."""

import pytest
from conformance.sites import applied, by_path, library_of, neuron, ranked, steps
from ranvier.rank.authority import MARGIN, Authority
from ranvier.rank.confidence import level
from ranvier.rank.graph import LinkBoost

SAME = "The migration creates the table of brains."
AUTHORITY = Authority()

# Neuron, source type, declared confidence, derived from
ROWS = [(1, "decision", None, None), (2, "domain", None, None), (3, "note", None, None), (4, None, None, None)]


def _scores(*rows: tuple[int, str | None, float | None, int | None], hits: int | None = None) -> list[float]:
    count = len({row[0] for row in rows}) if hits is None else hits
    after = applied(AUTHORITY, ranked(*[1.0] * count), rows)
    return [after[n] for n in sorted(after)]


def test_source_types_have_weights() -> None:
    """R1, [002]: decisions weigh 1.0 and domains 0.9, both above raw notes."""
    assert AUTHORITY.weights == {"decision": 1.0, "domain": 0.9}
    decision, domain, note, plain = _scores(*ROWS)
    assert decision > domain > note == plain
    assert domain == pytest.approx(decision * 0.9)


@pytest.mark.parametrize(
    ("rows", "caps"),
    [
        ([(1, "decision", 1.0, 2), (2, "note", 1.0, None)], {1: 0.8 - MARGIN}),
        ([(1, "decision", 1.0, 2), (2, "decision", 0.4, None)], {1: 0.4 - MARGIN}),
        # several sources: the lowest of them
        (
            [(1, "decision", 1.0, 2), (1, "decision", 1.0, 3), (2, "decision", 0.9, None), (3, "domain", 0.5, None)],
            {1: 0.45 - MARGIN},
        ),
        # a derived source is capped, and so are pages derived from it
        ([(1, "decision", 1.0, 2), (2, "decision", 1.0, 3), (3, "note", 0.5, None)], {1: 0.4 - 2 * MARGIN, 2: 0.4 - MARGIN}),
        # cyclic derivation
        ([(1, "note", 1.0, 2), (2, "note", 0.5, 1)], {1: 0.4 - MARGIN, 2: 0.4}),
        # sources with a higher confidence change nothing
        ([(1, "note", 0.5, 2), (2, "decision", 1.0, None)], {1: 0.4}),
    ],
)
def test_derived_content_is_capped_below_its_source(
    rows: list[tuple[int, str, float, int | None]], caps: dict[int, float]
) -> None:
    """R1, [002]: "derived content is capped below its source's confidence"."""
    after = applied(AUTHORITY, ranked(*[1.0] * len({row[0] for row in rows})), rows)
    assert {n: after[n] for n in caps} == pytest.approx(caps)


def test_link_boost_keeps_derived_content_below_its_source() -> None:
    """R1, R2, [002]: links come after authority."""
    hits = ranked(*[1.0] * 5)
    applied(AUTHORITY, hits, [(1, "decision", 1.0, 2), *((n, "decision", 0.6, None) for n in (2, 3, 4, 5))])
    after = applied(LinkBoost(), hits, [(n, 1) for n in (2, 3, 4, 5)] + [(1, 2)])
    assert after[1] == pytest.approx(0.6 - MARGIN)
    assert after[2] == pytest.approx(0.6 + 0.15)


def test_authority_in_a_site() -> None:
    """R1, P3, [002]: the same text, ranked by authority; `explain` names the weight of the source and the cap."""
    files = {
        "d.md": neuron("Delta", SAME, source_type="domain"),
        "e.md": neuron("Enter", SAME, source_type="decision"),
        "a.md": neuron("Alpha", SAME, source_type="note"),
        "b.md": neuron("Bravo", SAME, source_type="decision", confidence=0.7, derived_from="[a.md]"),
        "c.md": neuron("Candy", SAME, source_type="decision", derived_from="[a.md, e.md]"),
        "f.md": neuron("Fiver", SAME, source_type="decision", confidence=1.0),
    }
    with library_of(files) as library:
        result = library.search("migration table", preset="brain", explain=True, min_confidence=0)
    hits = by_path(result)
    explained = {path: {step.stage: step for step in hit.explain.steps} for path, hit in hits.items() if hit.explain}
    assert result.hits[0].path == "f.md"
    assert hits["e.md"].score > hits["d.md"].score > hits["a.md"].score
    assert {path: steps(hit) for path, hit in hits.items()} == {path: ["authority", "cap"] for path in files}
    assert explained["d.md"]["authority"].reason == "domain 0.9, confidence not declared"
    assert explained["f.md"]["authority"] == explained["f.md"]["authority"].__class__(
        "authority", "×1", hits["f.md"].score, "decision 1, confidence 1"
    )
    assert {path: stages["cap"].effect for path, stages in explained.items()} == {
        "a.md": "none", "d.md": "none", "e.md": "none", "f.md": "none", "b.md": "≤0.71", "c.md": "≤0.71",
    }  # fmt: skip
    source = AUTHORITY.authority("note", None)
    assert all(hits[path].confidence < source for path in ("b.md", "c.md"))


def test_unknown_source_caps_nothing() -> None:
    """R1."""
    with library_of({"a.md": neuron("Alpha", SAME, derived_from="[gone.md]", confidence=1.0)}) as library:
        (hit,) = library.search("migration table", preset="brain").hits
    assert (hit.confidence, hit.level) == (0.8, level(0.8))


@pytest.mark.parametrize(("name", "number"), [("high", 1.0), ("medium", 0.8), ("low", 0.5)])
def test_confidence_high_in_frontmatter_boosts(name: str, number: float) -> None:
    """R1, N1, [002]."""
    files = {"a.md": neuron("Alpha", "The same needle."), "b.md": neuron("Bravo", "The same needle.", confidence=name)} | {
        f"r{at}.md": neuron("Rest", "Other words here.") for at in range(5)
    }
    with library_of(files) as library:
        hits = library.search("needle", preset="brain", explain=True).hits
    explained = {hit.path: hit.explain.steps[0].reason for hit in hits if hit.explain}
    assert explained["b.md"] == f"other 0.8, confidence {number:g}"
    assert (hits[0].path == "b.md") is (number == 1.0)
