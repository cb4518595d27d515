"""Builds a site with built-in search: `build(Path("content"), Path("public"), Config())`."""

import importlib
import typing

if typing.TYPE_CHECKING:
    from ranvier_builder.config import Config, load_config
    from ranvier_builder.errors import BuildError
    from ranvier_builder.indexing import index
    from ranvier_builder.model import Report
    from ranvier_builder.pipeline import build

_MODULES = {
    "BuildError": "errors",
    "Config": "config",
    "Report": "model",
    "build": "pipeline",
    "index": "indexing",
    "load_config": "config",
}
__all__ = ["BuildError", "Config", "Report", "build", "index", "load_config"]


def __getattr__(name: str) -> typing.Any:
    """Import a module on the first access to its name (PEP 562): no program needs all of them."""
    if name in _MODULES:
        return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
