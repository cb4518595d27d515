"""Builds a site that searches itself: `build(Path("content"), Path("public"), Config())`."""

from ranvier_builder.config import Config, load_config
from ranvier_builder.errors import BuildError
from ranvier_builder.model import Report
from ranvier_builder.pipeline import build

__all__ = ["BuildError", "Config", "Report", "build", "load_config"]
