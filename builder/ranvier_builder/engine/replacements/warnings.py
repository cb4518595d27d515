"""A replacement for warnings. The interpreter prints warnings without it, and no code here filters them."""

from _warnings import filters, warn, warn_explicit

__all__ = ["filters", "warn", "warn_explicit"]
