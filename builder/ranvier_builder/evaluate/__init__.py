"""Judged queries over a built site: measures its answers (`ranvier eval`), and finds better numbers (`ranvier tune`).

>>> with Site(Path("public")) as site:
...     queries = read_judged(Pages.of(site), Path("queries.tsv"), Path("qrels.tsv"))
...     values = scores(queries, site.run(queries, Variant()).pages)
"""

from ranvier_builder.evaluate.bootstrap import Interval, bootstrap, paired
from ranvier_builder.evaluate.measured import Measurement, measure
from ranvier_builder.evaluate.measures import MEASURES, Query, scores
from ranvier_builder.evaluate.numbers import Axis, default_axes, nested, read_axis
from ranvier_builder.evaluate.pages import Pages
from ranvier_builder.evaluate.queries import read_judged
from ranvier_builder.evaluate.site import Run, Site, Variant
from ranvier_builder.evaluate.sweep import Comparison, Trial, Tuning, tune

__all__ = [
    "MEASURES",
    "Axis",
    "Comparison",
    "Interval",
    "Measurement",
    "Pages",
    "Query",
    "Run",
    "Site",
    "Trial",
    "Tuning",
    "Variant",
    "bootstrap",
    "default_axes",
    "measure",
    "nested",
    "paired",
    "read_axis",
    "read_judged",
    "scores",
    "tune",
]
