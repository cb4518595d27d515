"""Fixtures of the end-to-end tests."""

from support.browser import chromium, tab
from support.sites import example_site

__all__ = ["chromium", "example_site", "tab"]
