"""The engine's small versions of standard modules, loaded beside the originals."""

import importlib.util
from types import ModuleType

from ranvier_builder.engine import make


def load_replacement(name: str) -> ModuleType:
    """Load the replacement of a module, with another name."""
    folder = make.HERE / "replacements"
    file = folder / f"{name}.py"
    spec = importlib.util.spec_from_file_location("replacement", file if file.is_file() else folder / name / "__init__.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
