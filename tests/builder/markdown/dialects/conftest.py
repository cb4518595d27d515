"""The fixture of these tests."""

from support.rendered import render_file

__all__ = ["render_file"]
