"""Reads settings files of other tools as data: YAML, TOML, JSON, and the literals in JavaScript and Python; none is run."""

from __future__ import annotations

import ast
import json
import re
import tomllib
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import yaml

from ranvier_builder.markdown.javascript import Value, literal
from ranvier_builder.read import bounds

_SUFFIXES = (".js", ".ts", ".mjs", ".cjs", ".mts", ".jsx", ".tsx", ".json")
_EXPORT = r"\bmodule\.exports\s*=|\bexport\s+default|\b(?:define(?:User)?Config|with[A-Z]\w*|starlight|\w+Theme|sidebar)\(|\A"
_VARIABLE = r"\b(?:const|let|var)\s+(?P<name>\w+)(?:\s*:[^=;{]{0,200})?\s*="
_LITERAL = re.compile(rf"{_VARIABLE}\s*(?=[\[{{\"'`])")
# A function that returns the object.
_FUNCTION = r"(?:(?:async\s+)?(?:function\s*\w*\([^()]*\)|\([^()]*\)\s*=>|\w+\s*=>)\s*(?:\(|\{\s*return\b)\s*)?"
_OBJECTS = tuple(re.compile(rf"(?:{begin})\s*{_FUNCTION}(?=\{{)") for begin in (_EXPORT, _VARIABLE))
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)")  # in messages about TOML
# Strings come first: `"**/*.md"` begins no comment. A comment without an end is kept, and searched for its end once.
_STRING_OR_COMMENT = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\\.)|//[^\n]*|/\*.*?\*/|(/\*.*)""", re.DOTALL
)
_MAX_LEVELS, _MAX_LENGTH = 5, 1_000  # of names of variables such as `a.b.c`; characters of a value
_SCRIPT_BYTES_MAX, _OBJECTS_MAX = 200_000, 10  # of a file in JavaScript or Python
_FOLDERS_MAX = 4  # that of Astro is `src/content/docs`
_VARIABLE_MAX = 20_000  # characters of the value of a variable


# The settings files that `build` has looked for since its start, existing or not, and the file of the keys of layers:
# `--watch` builds again after their changes.
CANDIDATES = set[Path]()


_FAILURES = ContextVar[dict[Path, tuple[str, int]]]("failures")


@contextmanager
def failures() -> Iterator[dict[Path, tuple[str, int]]]:
    """Collect the settings files that cannot be read, each with the reason and the line, 0 if unknown."""
    token = _FAILURES.set({})
    try:
        yield _FAILURES.get()
    finally:
        _FAILURES.reset(token)


def _keep(file: Path, error: Exception) -> None:
    mark, at = getattr(error, "problem_mark", None), _AT_LINE.search(str(error))
    line = mark.line + 1 if mark else getattr(error, "lineno", None) or (int(at[1]) if at else 0)
    reasons = (getattr(error, name, "") for name in ("problem", "msg", "strerror", "reason"))
    reason = next(filter(None, reasons), str(error))
    _FAILURES.get({})[file] = _AT_LINE.sub("", reason.partition("\n")[0]), line


class _Loader(bounds.BoundedLoader):
    """YAML without custom tags, such as `!ENV`, `!!python/name:…`: their values become `None`."""


_Loader.add_multi_constructor("", lambda *_: None)
_Loader.add_constructor("tag:yaml.org,2002:timestamp", lambda _, node: node.value)  # also of a day that does not exist


def settings_folders(folder: Path) -> list[tuple[Path, str]]:
    """Return a content folder and three above it, each with the path from it to the content folder: `src/content/docs/`."""
    root = folder.resolve()
    places = (root, *root.parents)[:_FOLDERS_MAX]
    return [(place, "" if place == root else f"{root.relative_to(place).as_posix()}/") for place in places]


def text_of_file(file: Path, bytes_max: int = 1_000_000) -> str:
    """Return the text of a file; empty if it is missing, large or not readable."""
    CANDIDATES.add(file)
    try:
        if not file.is_file():
            return ""
        if file.stat().st_size > bytes_max:
            raise ValueError(f"it has more than {bytes_max:,} bytes")
        return file.read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        _keep(file, error)
        return ""


def script(file: Path) -> str:
    """Return a program in JavaScript without its comments."""
    return _STRING_OR_COMMENT.sub(r"\1\2", text_of_file(file))


def git_lines(place: Path) -> list[str]:
    """Return the lines of a folder's `.gitignore`."""
    return text_of_file(place / ".gitignore").splitlines()


def load(file: Path) -> Any:
    """Return the data of a file; `None` if it is missing or cannot be read."""
    text = text_of_file(file)
    try:
        return _parse(text, file.suffix) if text else None
    except Exception as error:  # the YAML library raises many kinds of errors
        _keep(file, error)
        return None


@lru_cache(maxsize=32)
def _parse(text: str, ending: str) -> Any:
    """Parse settings. A build asks for the same file several times, so nobody changes the result."""
    if ending == ".toml":
        return tomllib.loads(text)
    return json.loads(text) if ending == ".json" else yaml.load(text, Loader=_Loader)


def folded(settings: Any) -> dict[str, Any]:
    """Return a map with its keys in lower case; an empty one for another value."""
    return {str(key).lower(): value for key, value in settings.items()} if isinstance(settings, dict) else {}


def value_at(settings: Any, keys: str) -> Any:
    """Return the value of a key, `a.b.c`, in maps; `None` if there is none. A list is one value."""
    for key in keys.split("."):
        settings = settings.get(key) if isinstance(settings, dict) else None
    return settings


def strings_at(settings: Any, keys: str) -> Iterator[str]:
    """Yield the strings among the values of a key, see `values_at`."""
    return (value for value in values_at(settings, keys) if isinstance(value, str))


def values_at(settings: Any, keys: str) -> Iterator[Any]:
    """Yield the values of a key, `a.b.c`, in maps and in lists of maps; the items of a list are values."""
    if isinstance(settings, list):
        for item in settings:
            yield from values_at(item, keys)
    elif not keys:
        yield settings
    elif isinstance(settings, dict):
        key, _, inner = keys.partition(".")
        yield from values_at(settings.get(key), inner)


def scalars(prefix: str, values: dict[Any, Any], level: int) -> Iterator[tuple[str, str]]:
    """Yield names such as `a.b`, and their values: printable characters on one line, without braces, which end comments."""
    for name, value in values.items():
        if isinstance(value, dict) and level < _MAX_LEVELS:
            yield from scalars(f"{prefix}{name}.", value, level + 1)
        elif isinstance(value, (str, int, float)) and _is_plain(text := str(value)):
            yield f"{prefix}{name}", text


def _is_plain(value: str) -> bool:
    return len(value) <= _MAX_LENGTH and value.isprintable() and not {*"{}"} & {*value}


def js_objects(stem: Path) -> Iterator[dict[str, Value]]:
    """Yield the objects that a module exports, then those that it assigns to variables."""
    for suffix in _SUFFIXES:
        text = text_of_file(stem.with_name(stem.name + suffix), _SCRIPT_BYTES_MAX)
        variables = dict[str, Value]()
        for match in islice(_LITERAL.finditer(text), _OBJECTS_MAX):
            variables[match["name"]] = literal(text[match.end() : match.end() + _VARIABLE_MAX], variables)
        for match in islice((match for begin in _OBJECTS for match in begin.finditer(text)), _OBJECTS_MAX):
            value = literal(text[match.end() :], variables)
            if isinstance(value, dict):
                yield value


def python_strings(file: Path, name: str) -> list[str]:
    """Return the literal strings that a Python file assigns to a variable, alone or in a list, or adds to it.

    Those that an `if` without `else` adds come first.
    """
    statements = _program(file).body
    conditional = [inner for item in statements if isinstance(item, ast.If) and not item.orelse for inner in item.body]
    return [text for item in (*conditional, *statements) for text in _texts(_value(item, name))]


def python_list(file: Path, name: str) -> list[str]:
    """Return the strings of a list that a Python file assigns to a variable, if all are literals and nothing changes it."""
    program, texts = _program(file), python_strings(file, name)
    uses = [node for node in ast.walk(program) if isinstance(node, ast.Name) and node.id == name]
    sizes = [len(value.elts) for item in program.body if isinstance(value := _value(item, name), (ast.List, ast.Tuple))]
    return texts if len(uses) == 1 and sizes == [len(texts)] else []


def python_strings_by_name(file: Path, name: str) -> dict[str, str]:
    """Return the literal strings of a map of literal names that a Python file assigns to a variable."""
    maps = [value for item in _program(file).body if isinstance(value := _value(item, name), ast.Dict)]
    pairs = [(key, value) for entry in maps for key, value in zip(entry.keys, entry.values, strict=True)]
    return {str(key.value): text for key, value in pairs if isinstance(key, ast.Constant) for text in _texts(value)}


def _program(file: Path) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about escapes
            return ast.parse(text_of_file(file, _SCRIPT_BYTES_MAX))
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
        _keep(file, error)
        return ast.Module([], [])


def _value(statement: ast.stmt, name: str) -> ast.expr | None:
    """Return what a statement assigns to a variable or adds to it, also by its method `append` or `extend`."""
    value = getattr(statement, "value", None)
    targets: list[ast.expr | None]
    if isinstance(statement, ast.Expr) and isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        targets, value = [value.func.value] if value.func.attr in ("append", "extend") else [], next(iter(value.args), None)
    else:
        targets = [*statement.targets] if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return value if any(isinstance(target, ast.Name) and target.id == name for target in targets) else None


def _texts(value: ast.expr | None) -> Iterator[str]:
    parts = [value]
    for part in parts:
        parts += (part.left, part.right) if isinstance(part, ast.BinOp) else ()
    items = [item for part in parts for item in getattr(part, "elts", ())]  # of a list, or of a sum of lists
    for item in (value, *items):
        if isinstance(item, ast.Constant) and isinstance(item.value, str):
            yield item.value
