"""The engine: Pyodide, trimmed to the parts that a search needs, found or made, and verified by pinned hashes.

    from ranvier_builder.engine import engine_files

    engine = engine_files()          # .folder, .paths, .published, .sha256, .digest

A released wheel contains the finished files. A checkout makes them once, with Node and npm, and caches them.
"""

from __future__ import annotations

from ranvier_builder.engine.bundle import packed_scripts
from ranvier_builder.engine.obtain import EngineFiles, Progress, engine_files
from ranvier_builder.engine.prepare import ready, runtime_files

__all__ = ["EngineFiles", "Progress", "engine_files", "packed_scripts", "ready", "runtime_files"]
