"""A file's text → its frontmatter and its body. YAML between `---`, or TOML between `+++`."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Any

import yaml
from frontmatter.default_handlers import YAMLHandler

_YAML = re.compile(r"\A---[ \t]*\n(?P<head>.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\A\+\+\+[ \t]*\n(?P<head>.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Split:
    """`problem` says why a frontmatter that is there could not be read; then `fields` is empty."""

    fields: dict[str, Any]
    body: str
    problem: str = ""
    line: int = 0


def split(text: str) -> Split:
    """Part frontmatter from body; a frontmatter that cannot be read is left out of the body all the same."""
    block = _YAML.match(text) or _TOML.match(text)
    if block is None:
        return Split({}, text)
    body = text[block.end() :]
    try:
        fields = _yaml(block["head"]) if text.startswith("---") else tomllib.loads(block["head"])
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return Split({}, body, getattr(error, "problem", None) or str(error), mark.line + 2 if mark else 1)
    except (ValueError, RecursionError) as error:
        return Split({}, body, str(error), 1)
    if not isinstance(fields, dict):
        return Split({}, body, "frontmatter is not a set of `key: value` lines", 1)
    return Split({str(key): value for key, value in fields.items()}, body)


def _yaml(head: str) -> Any:
    return YAMLHandler().load(head) or {}
