"""The day of a daily note (N6)."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from ranvier_builder.model import Page

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")


def day_of(page: Page) -> str:
    """Return a daily note's day, `2026-11-22`; empty for any other page.

    A note is a daily note if its kind is, or if its title or file name is a day.
    """
    neuron = page.neuron
    for name in (PurePosixPath(neuron.path).stem, neuron.title):
        if _DAY.match(name):
            return name
    return neuron.created if neuron.kind == "daily" else ""
