"""Presets: one for each described system and the default, as data that settings can override."""

import pytest
from ranvier import RequestError
from ranvier.presets import NAMES, overlay, preset


@pytest.mark.parametrize("name", NAMES)
def test_presets_load_and_have_their_names(name: str) -> None:
    result = preset(name)
    assert result.name == name
    legs = [leg.name for leg in result.legs]
    assert len(legs) == len({*legs}) > 0
    stages = [stage.name for stage in result.adjust]
    assert len(stages) == len({*stages})


def test_preset_values_are_overridden() -> None:
    tuned_preset = overlay(
        preset("default"),
        {"fuse": {"k": 10}, "legs": {"pairs": {"weight": 1}, "substring": False}, "adjust": {"exact": {"title": 5}}},
    )
    assert tuned_preset.fuse.k == 10
    assert {leg.name: leg.weight for leg in tuned_preset.legs}["pairs"] == 1.0  # type: ignore[attr-defined]
    assert "substring" not in [leg.name for leg in tuned_preset.legs]
    assert next(stage for stage in tuned_preset.adjust if stage.name == "exact").title == 5.0  # type: ignore[attr-defined]
    assert preset("default").fuse.k == 60, "the preset itself stays"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"fuze": {}}, "did you mean 'fuse'"),
        ({"fuse": {"kk": 1}}, "default.fuse has no 'kk'; did you mean 'k'"),
        ({"legs": {"pags": {}}}, "did you mean 'page'"),
        ({"legs": {"page": {"weights": [1, 2]}}}, "5 values"),
        ({"legs": {"page": {"weights": ["a", 2, 3, 4, 5]}}}, "weights must be a number"),
        ({"legs": 5}, "must be a table"),
        *(({"fuse": {"k": value}}, "must be a number from") for value in (float("nan"), float("inf"), -1e10)),
        *(({"legs": {"page": {"weight": value}}}, "must be a number from") for value in (float("nan"), float("-inf"), 1e308)),
        ({"fuse": {"k": "ten"}}, "a whole number"),
        ({"limits": {"results": 0}}, "default.limits.results must be from 1 to 100, not 0"),
        ({"limits": {"results": 101}}, "must be from 1 to 100, not 101"),
        ({"limits": {"return_all": 101}}, "must be from 1 to 100, not 101"),
        ({"limits": {"candidates": 9}}, "must be from 10 to 1,000, not 9"),
        ({"fuse": {"k": -1}}, "must not be negative"),
        ({"fuse": {"by": 1}}, "a string"),
        ({"fuse": {"k": True}}, "a number"),
        ({"fuse": {"scaled": 1}}, "true or false"),
    ],
)
def test_unknown_preset_settings_are_refused_with_the_nearest_name(changes: dict[str, object], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        overlay(preset("default"), changes)


def test_unknown_preset_is_refused() -> None:
    with pytest.raises(RequestError, match="there is no preset 'vualt'; did you mean 'vault'"):
        preset("vualt")
