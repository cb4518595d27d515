"""Tuning (M2, [002]): tried values, selection, confirmation, and the settings in ranvier.toml."""

import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from ranvier.legs import SEMANTIC
from ranvier.presets import Preset, overlay, preset
from ranvier_builder import BuildError
from ranvier_builder.errors import ConfigError
from ranvier_builder.evaluate.measures import Query
from ranvier_builder.evaluate.numbers import Axis, default_axes, nested, read_axis
from ranvier_builder.evaluate.preset_file import toml_of, value_of, write_numbers
from ranvier_builder.evaluate.site import Site, Variant
from ranvier_builder.evaluate.sweep import MIN_QUERIES, halves, tune
from support.judged import LIGHT_TITLES, NO_EXACT, SECOND, SUMMED, WORDS, about, judged_site


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Site]]:
    """As it is, and with an owner's number that leaves names out."""
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(Site(judged_site(tmp_path_factory.mktemp(name), settings)))
            for name, settings in (("plain", SUMMED), ("own", NO_EXACT))
        }


def axes(site: Site, *settings: str) -> list[Axis]:
    return [read_axis(setting, site.stages(Variant())) for setting in settings]


def test_tune_finds_a_better_value(sites: dict[str, Site]) -> None:
    """M2, [002]: one half of the queries selects the value, the other half confirms it."""
    site = sites["own"]
    tried = axes(site, LIGHT_TITLES, "legs.pairs.weight=0.6")
    result = tune(site, about(), tried)
    assert result.best == {("legs", "page", "weights"): [0.1, 3.0, 3.0, 1.5, 1.0]}
    assert result.preset == {"legs": {"page": {"weights": [0.1, 3.0, 3.0, 1.5, 1.0]}}}
    assert (result.chosen_on, result.judged_on, result.settings) == (6, 6, 3)
    for outcome in (result.chosen, result.held_out["nDCG@10"]):
        assert (outcome.before, outcome.after) == (SECOND, 1.0)
        assert outcome.difference.low == outcome.difference.high == pytest.approx(1 - SECOND)
    assert (result.held_out["MRR"].before, result.held_out["MRR"].after) == (0.5, 1.0)
    assert result.held_out["success@5"].difference == (0.0, 0.0, 0.0)
    assert result.is_better
    rows = [(outcome.axis.name, outcome.value, outcome.mean, outcome.is_now, outcome.is_best) for outcome in result.trials]
    assert rows == [
        ("legs.page.weights", [3.0, 3.0, 3.0, 1.5, 1.0], SECOND, True, False),
        ("legs.page.weights", [0.1, 3.0, 3.0, 1.5, 1.0], 1.0, False, True),
        ("legs.pairs.weight", 0.3, 1.0, True, True),
        ("legs.pairs.weight", 0.6, 1.0, False, False),
    ]


def test_grid_search_finds_a_pair_of_values(sites: dict[str, Site]) -> None:
    """Neither value alone improves the ranking."""
    site = sites["plain"]
    tried = axes(site, "adjust.exact=false", LIGHT_TITLES)
    step = tune(site, about(), tried)
    assert (step.best, step.settings, step.is_better) == ({}, 3, False)
    grid = tune(site, about(), tried, grid=True)
    assert grid.settings == 4
    assert grid.preset == {"adjust": {"exact": False}, "legs": {"page": {"weights": [0.1, 3.0, 3.0, 1.5, 1.0]}}}
    assert grid.is_better


def test_equal_settings_keep_the_current_value(sites: dict[str, Site]) -> None:
    """A difference of zero is not better."""
    result = tune(sites["plain"], about(), axes(sites["plain"], "legs.note.weight=0.5,2", "fuse.k=10,30"))
    assert result.best == {}
    assert result.held_out["nDCG@10"].difference.holds_zero
    assert not result.is_better
    assert {item.mean for item in result.trials} == {SECOND}


@pytest.mark.parametrize("measure", ["recall@100", "MRR", "success@5"])
def test_tune_for_another_measure(sites: dict[str, Site], measure: str) -> None:
    result = tune(sites["own"], about(), axes(sites["own"], LIGHT_TITLES), measure=measure)
    assert bool(result.best) is result.is_better is (measure == "MRR"), "only MRR depends on the first rank"


def test_tuning_is_deterministic(sites: dict[str, Site]) -> None:
    tried = default_axes(sites["own"].stages(Variant()))
    first, second = (tune(sites["own"], about(), tried) for _ in range(2))
    assert first == second


def test_progress_counts_every_query(sites: dict[str, Site]) -> None:
    stages: list[list[Any]] = []

    def progress(stage: str, count: int) -> None:
        if stage:
            stages.append([stage, count, 0])
        else:
            stages[-1][2] += count

    tune(sites["own"], about(), axes(sites["own"], LIGHT_TITLES), progress=progress)
    assert [stage[0] for stage in stages] == ["Pass 1: legs.page.weights", "Pass 2: legs.page.weights", "Judging", "Comparing"]
    assert all(count == total for _, count, total in stages)


def test_queries_are_halved_by_digest() -> None:
    """M2: the halves have equal size; one more query moves at most one other query."""
    queries = [Query(f"q{at}", "x", {}) for at in range(101)]
    first, second = halves(queries)
    assert (len(first), len(second)) == (51, 50)
    assert sorted(first + second, key=queries.index) == queries
    for name in ("another", "b", "c", "d"):
        more = halves([*queries, Query(name, "x", {})])[0]
        assert len({*(item.id for item in first)} - {item.id for item in more}) <= 1
    assert halves(queries[::-1]) == (first[::-1], second[::-1]), "whatever their order"


def test_too_few_queries_are_an_error(sites: dict[str, Site]) -> None:
    with pytest.raises(BuildError, match=f"at least {MIN_QUERIES} queries"):
        tune(sites["own"], about(WORDS[: MIN_QUERIES - 1]), axes(sites["own"], LIGHT_TITLES))


@pytest.mark.parametrize(
    ("options", "values"),
    [
        (("fuse.k=60",), "there is no number to tune"),
        ((), "there is no number to tune"),
        (
            tuple(f"legs.{leg}.weight={','.join(map(str, range(2, 30)))}" for leg in ("page", "pairs", "note")),
            "a grid of 24,389",
        ),
    ],
)
def test_empty_or_huge_grid_is_an_error(sites: dict[str, Site], options: tuple[str, ...], values: str) -> None:
    with pytest.raises(ConfigError, match=values):
        tune(sites["own"], about(), axes(sites["own"], *options), grid=True)


# ---- which numbers


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("fuse.k=10,30", [60, 10, 30]),
        ("fuse.k = 10, 60, 10", [60, 10]),
        ("legs.page.weight=2,0.5", [1.0, 2, 0.5]),
        ("legs.page.weights=[1,1,1,1,1],[2,2,2,2,2]", [[3.0, 3.0, 3.0, 1.5, 1.0], [1] * 5, [2] * 5]),
        ("understand.spelling=true,false", [True, False]),
        ("fuse.by=rrf,sum", ["sum", "rrf"]),
        ('fuse.by="rrf"', ["sum", "rrf"]),
        ("adjust.linked=false", [None, False]),
        ("legs.section=false", [None, False]),
    ],
)
def test_over_option_is_parsed(option: str, values: list[Any]) -> None:
    """M2: any value that a preset accepts; the current value is tried first."""
    base = overlay(preset("default"), {"fuse": {"by": "sum", "k": 60}, "legs": {"page": {"weights": [3, 3, 3, 1.5, 1]}}})
    assert list(read_axis(option, base).values) == values


@pytest.mark.parametrize(
    ("option", "error"),
    [
        *((option, "is not of the form NAME=VALUE,VALUE") for option in ("fuse.k", "fuse.k=", "=1", "fuse..k=1")),
        ("fuse.k=ten", "must be a whole number"),
        ("fuse.k=1,]", "must be a whole number"),
        ("fuse.k=-1", "must not be negative"),
        ("legs=1", "must be a table"),
        ("fuse=false", "must be a table"),
    ],
)
def test_over_option_with_an_unknown_setting_is_an_error(option: str, error: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_axis(option, overlay(preset("default"), {"fuse": {"k": 60}}))
    assert error in str(caught.value)


BASES = [
    preset("default"),
    overlay(preset("default"), {"fuse": {"by": "rrf"}, "adjust": {"linked": False}}),
    overlay(preset("default"), {"legs": {"pairs": {"weight": 0.0}, "section": {"by_length": 0.0}}}),
    preset("brain"),
]


@pytest.mark.parametrize("base", BASES)
def test_default_axes_differ_from_the_current_values(base: Preset) -> None:
    """M2: each value is valid."""
    result = default_axes(base)
    assert result
    for axis in result:
        assert len(axis.values) == len({*map(repr, axis.values)}) > 1, axis
        for value in axis.values[1:]:
            assert overlay(base, nested({axis.path: value})) != base, axis
    names = {axis.name for axis in result}
    assert ("fuse.k" in names) is base.fuse.by.startswith("rrf")
    assert ("adjust.linked.strength" in names) is any(stage.name == "linked" for stage in base.adjust)


def test_vector_settings_are_tuned_only_with_vectors(sites: dict[str, Site]) -> None:
    stages = sites["plain"].stages(Variant())
    expected = {f"legs.{leg.name}.weight" for leg in stages.legs if leg.kind == SEMANTIC}
    assert not sites["plain"].has_vectors
    assert expected <= {axis.name for axis in default_axes(stages)}
    assert not expected & {axis.name for axis in default_axes(stages, with_meaning=False)}


# ---- ranvier.toml

K = {("fuse", "k"): 10}
PAIRS = {("legs", "pairs", "weight"): 0.3}
SETTINGS = """\
# The notes of a field station.
title = "Notes" # keep

[search] # ours
substring = false

# Links say little here.
[search.preset.adjust.linked]
strength = 0.1   # half

[search.preset.fuse]
k = 30

# Other words.
[synonyms]
k8s = ["kubernetes"]
"""


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        ("", K, "[search.preset.fuse]\nk = 10\n"),
        ('title = "x"', K, 'title = "x"\n\n[search.preset.fuse]\nk = 10\n'),
        (SETTINGS, K, SETTINGS.replace("k = 30", "k = 10")),
        (SETTINGS, {("adjust", "linked", "strength"): 0.0}, SETTINGS.replace("0.1   # half", "0.0   # half")),
        (SETTINGS, {("fuse", "by"): "rrf"}, SETTINGS.replace("k = 30\n", 'k = 30\nby = "rrf"\n')),
        (SETTINGS, PAIRS, SETTINGS.replace("k = 30\n", "k = 30\n\n[search.preset.legs.pairs]\nweight = 0.3\n")),
        (SETTINGS, {**K, **PAIRS}, SETTINGS.replace("k = 30\n", "k = 10\n\n[search.preset.legs.pairs]\nweight = 0.3\n")),
        ("[search]\npreset.fuse.k = 30 # x\n", K, "[search]\npreset.fuse.k = 10 # x\n"),
        ("search.preset.fuse.k = 30", K, "search.preset.fuse.k = 10\n"),
        ("[search.preset]\nfuse.k = 30\nfuse.by = 'rrf'\n", K, "[search.preset]\nfuse.k = 10\nfuse.by = 'rrf'\n"),
        ("[search.preset.adjust]\r\nlinked = false\r\n", K, None),
        ("\ufeff[search.preset.fuse]\nk = 30\n", K, "\ufeff[search.preset.fuse]\nk = 10\n"),
        ("[search.preset.fuse]\r\nk=30\r\n", K, "[search.preset.fuse]\r\nk=10\r\n"),
        (
            "[ search . preset . fuse ]\n# k is small\n\n[synonyms]\n",
            K,
            "[ search . preset . fuse ]\nk = 10\n# k is small\n\n[synonyms]\n",
        ),
        (
            "[search.preset.legs.page]\nweights = [1, 2, 3, 4, 5] # five\n",
            {("legs", "page", "weights"): [6.0, 3.0, 3.0, 1.5, 1.0]},
            "[search.preset.legs.page]\nweights = [6.0, 3.0, 3.0, 1.5, 1.0] # five\n",
        ),
        ("", {("adjust", "exact"): False}, "[search.preset.adjust]\nexact = false\n"),
    ],
)
def test_writing_settings_keeps_the_rest_of_the_file(
    tmp_path: Path, text: str, changes: dict[Any, Any], expected: str | None
) -> None:
    """M2: comments, order, line ends, and text beside a value."""
    file = tmp_path / "ranvier.toml"
    file.write_bytes(text.encode())
    write_numbers(file, changes)
    after = file.read_bytes().decode()
    assert after == (expected if expected is not None else text + "\r\n[search.preset.fuse]\r\nk = 10\r\n")
    assert [path.name for path in tmp_path.iterdir()] == ["ranvier.toml"]


@pytest.mark.parametrize(
    "text",
    [
        "[search]\npreset = {fuse = {k = 30}}\n",
        "[search]\npreset = {fuse = {by = 'sum'}}\n",
        "search = {substring = false}\n",
        "[search.preset]\nfuse = {k = 30}\n",
        "[search.preset.fuse]\nk = 3_0 # a\n[search.preset]\nlegs = {}\n[x]\ny = '''\n[search.preset.fuse]\n'''\n",
    ],
)
def test_settings_that_cannot_be_edited_are_printed(tmp_path: Path, text: str) -> None:
    """A file is not written if the edit would change something else or give invalid TOML."""
    file = tmp_path / "ranvier.toml"
    file.write_text(text)
    changes = {**K, ("legs", "pairs", "weight"): 0.3}
    with pytest.raises(ConfigError) as caught:
        write_numbers(file, changes)
    assert str(caught.value).endswith(toml_of(changes))
    assert file.read_text() == text


def test_settings_are_printed_as_toml() -> None:
    changes = {("legs", "page", "weights"): [6.0, 3.0], ("fuse", "k"): 10, ("fuse", "by"): "rrf", ("adjust", "exact"): False}
    text = toml_of(changes)
    assert text == (
        '[search.preset.adjust]\nexact = false\n\n[search.preset.fuse]\nby = "rrf"\nk = 10\n\n'
        "[search.preset.legs.page]\nweights = [6.0, 3.0]\n"
    )
    assert tomllib.loads(text)["search"]["preset"] == nested(changes)


@pytest.mark.parametrize("value", [1, 1.0, 1 / 3, 1e-7, 1e22, -0.5, True, False, "rrf", 'a "b"', [1.0, True, "x"], []])
def test_toml_values_round_trip(value: Any) -> None:
    result = tomllib.loads(f"x = {value_of(value)}")["x"]
    assert result == value
    assert type(result) is type(value)
