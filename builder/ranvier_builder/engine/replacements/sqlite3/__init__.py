"""A replacement for sqlite3 without its converters of dates, which import `datetime`."""

from _sqlite3 import *  # noqa: F403
