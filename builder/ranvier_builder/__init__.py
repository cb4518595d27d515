"""Builds a site with built-in search: `build(Path("content"), Path("public"), Config())`."""

import typing

from ranvier_builder.config import Config, load_config
from ranvier_builder.errors import BuildError
from ranvier_builder.model import Report

if typing.TYPE_CHECKING:
    from ranvier_builder.indexing import index
    from ranvier_builder.pipeline import build

__all__ = ["BuildError", "Config", "Report", "build", "index", "load_config"]


def __getattr__(name: str) -> typing.Any:
    """Import the build's modules on first access (PEP 562): a search does not need them."""
    if name == "build":
        from ranvier_builder.pipeline import build

        return build
    if name == "index":
        from ranvier_builder.indexing import index

        return index
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
