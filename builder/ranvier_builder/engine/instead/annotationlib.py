"""Stands in for annotationlib, which reads annotations in every way there is: `dataclasses` wants them as they are."""

from __future__ import annotations


class Format:
    """The ways to read annotations, as far as they are named when a module is imported."""

    VALUE = 1
    FORWARDREF = 3
    STRING = 4


def get_annotations(of: object, *, format: int = Format.VALUE) -> dict[str, object]:
    """Return the annotations of one class or function. The core's are strings: it never has them evaluated."""
    return dict(of.__annotations__)
