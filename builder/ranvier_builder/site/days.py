"""The calendar of daily notes, and the feed of the newest pages. All dates come from the pages; no clock is read."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterable
from datetime import date
from itertools import groupby
from typing import Any

from ranvier_builder.render.dates import day_of
from ranvier_builder.render.node import Node

_NEWEST = 30  # entries of the feed
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def calendar_of(nodes: Iterable[Node], link: Callable[[Node], dict[str, str]]) -> list[dict[str, Any]]:
    """Return the months with daily notes, newest first, as weeks from Monday to Sunday; empty without daily notes.

    A day is 0 outside of the month. Its `notes` are the daily note, and the pages that were written on this day.
    """
    days = sorted(((day_of(node.page), node) for node in nodes if node.page), key=lambda pair: not pair[0])  # daily notes first
    notes: dict[date, list[Node]] = {}
    for day, node in days:
        if node.page and (written := _date(day or node.page.neuron.created)):
            notes.setdefault(written, []).append(node)
    has_daily = any(_date(day) for day, _ in days)
    months = groupby(sorted(notes, reverse=True), lambda day: (day.year, day.month))
    return [_month(year, month, notes, link) for (year, month), _ in months] if has_daily else []


def _month(year: int, month: int, notes: dict[date, list[Node]], link: Callable[[Node], dict[str, str]]) -> dict[str, Any]:
    def cell(number: int) -> dict[str, Any]:
        nodes = notes.get(date(year, month, number), []) if number else []
        return {"day": number, "notes": [link(node) for node in nodes]}

    weeks = calendar.Calendar().monthdayscalendar(year, month)
    return {
        "year": year,
        "month": month,
        "id": f"{year:04}-{month:02}",
        "weeks": [[cell(number) for number in week] for week in weeks],
    }


def newest(nodes: Iterable[Node]) -> list[dict[str, str]]:
    """Return the newest pages with a date: by the day on which they were written, then by path."""
    entries = []
    for node in nodes:
        if node.page is None or node.page.neuron.noindex:
            continue
        neuron = node.page.neuron
        published = neuron.created or day_of(node.page) or neuron.updated
        if _date(published) is not None:
            updated = max(published, neuron.updated)
            entry = {"title": neuron.title, "url": node.url, "summary": neuron.summary, "path": neuron.path}
            entries.append(entry | {"published": published, "updated": updated})
    entries.sort(key=lambda entry: entry["path"])
    entries.sort(key=lambda entry: entry["published"], reverse=True)
    return entries[:_NEWEST]


def feed_of(entries: list[dict[str, str]], title: str, description: str) -> dict[str, Any]:
    """Return the variables of the feed, without characters that XML cannot express. It is as new as its newest entry."""
    clean_entries = [{name: _NOT_XML.sub("", value) for name, value in entry.items()} for entry in entries]
    head = {"title": _NOT_XML.sub("", title), "description": _NOT_XML.sub("", description)}
    return head | {"entries": clean_entries, "updated": max(entry["updated"] for entry in entries)}


def _date(day: str) -> date | None:
    try:
        return date.fromisoformat(day)
    except ValueError:
        return None
