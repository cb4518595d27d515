"""The manual, for all tests of its ranking."""

from support.shared import opened_fixture

manual = opened_fixture("manual_index", "session")
