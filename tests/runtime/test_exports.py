"""The public names of each package are sorted, complete and documented."""

from types import ModuleType

import pytest
import ranvier
import ranvier_builder


@pytest.mark.parametrize("package", [ranvier, ranvier_builder], ids=lambda package: package.__name__)
def test_all_is_sorted_and_complete(package: ModuleType) -> None:
    public = {name for name, value in vars(package).items() if not name.startswith("_") and not isinstance(value, ModuleType)}
    assert list(package.__all__) == sorted(package.__all__)
    assert set(package.__all__) == public | {*getattr(package, "_MODULES", ())}


@pytest.mark.parametrize("package", [ranvier, ranvier_builder], ids=lambda package: package.__name__)
def test_every_public_name_is_documented(package: ModuleType) -> None:
    assert package.__doc__
    for name in package.__all__:
        assert getattr(package, name).__doc__, name


def test_errors_have_stable_codes() -> None:
    codes = {
        error.__name__: error.code
        for error in vars(ranvier).values()
        if isinstance(error, type) and issubclass(error, ranvier.RanvierError)
    }
    assert codes == {
        "RanvierError": "internal",
        "FormatError": "format",
        "FetchError": "fetch",
        "IntegrityError": "integrity",
        "RequestError": "request",
        "ForbiddenError": "forbidden",
    }
    assert issubclass(ranvier.IntegrityError, ranvier.FetchError)
