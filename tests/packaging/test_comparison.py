"""The manual's comparison with other libraries has the figures that were measured, and nothing else."""

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest
from ranvier_builder.media.svg import clean_svg

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "site_example" / "content" / "decisions" / "other-search-libraries.md"


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "benchmarks"))
    return importlib.import_module("peers.report")


def test_page_and_plots_have_the_measured_figures(report: ModuleType) -> None:
    """`compare.py --manual` writes all of them; edit none by hand."""
    data = json.loads(report.RESULTS.read_text("utf-8"))
    page = PAGE.read_text("utf-8")
    assert report.rewritten(page, PAGE.stem, data) == page
    plots = report.plots(PAGE.stem, data)
    assert len(plots) >= 5
    assert {name: PAGE.with_name(name).read_text("utf-8") for name in plots} == plots
    for plot in plots.values():
        assert clean_svg(plot.encode(), lambda _: ("", b"")), "the builder publishes it"


def test_versions_are_those_that_are_pinned(report: ModuleType) -> None:
    pinned = json.loads((ROOT / "tests/benchmarks/peers/js/package.json").read_text("utf-8"))["dependencies"]
    versions = json.loads(report.RESULTS.read_text("utf-8"))["about"]["versions"]
    names = {name.rpartition("/")[2]: version for name, version in pinned.items() if name != "esbuild"}
    assert {name: versions[name] for name in names} == names


@pytest.mark.parametrize("name", ["compare", "instant", "layers", "relevance"])
def test_benchmarks_find_what_they_import(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else runs them, so a function with a new name would go unnoticed."""
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "benchmarks"))
    importlib.import_module(name)
