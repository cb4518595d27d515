"""Fixtures of the packaging tests."""

from support.sites import example_site

__all__ = ["example_site"]
