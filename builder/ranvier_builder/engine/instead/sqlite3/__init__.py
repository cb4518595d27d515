"""Stands in for sqlite3 without its converters of dates, which brings `datetime` along."""

from _sqlite3 import *  # noqa: F403
