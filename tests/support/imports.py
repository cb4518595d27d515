"""The imports of a source, read from its code."""

import ast
from collections.abc import Iterator
from importlib.util import resolve_name


def imports(source: str | bytes, package: str = "", *, lazy: bool = True, types: bool = True) -> Iterator[str]:
    """Yield the full names of modules that a source imports.

    Without `lazy`, only those of its top level; without `types`, not those that only its types need. Raise `ImportError`
    for a relative import, if the source is in no package.
    """
    tree = ast.parse(source)
    type_imports = set() if types else {item for node in ast.walk(tree) if _is_for_types(node) for item in ast.walk(node)}
    for node in ast.walk(tree) if lazy else tree.body:
        if isinstance(node, ast.Import) and node not in type_imports:
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node not in type_imports:
            yield resolve_name("." * node.level + (node.module or ""), package)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
