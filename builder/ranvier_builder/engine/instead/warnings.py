"""Stands in for warnings: the interpreter tells a warning by itself, and nobody filters them here."""

from _warnings import filters, warn, warn_explicit

__all__ = ["filters", "warn", "warn_explicit"]
