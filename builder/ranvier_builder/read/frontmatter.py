"""A file's text → its frontmatter and its body. YAML between `---`, or TOML between `+++`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Hashable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import yaml
from frontmatter.default_handlers import YAMLHandler

_YAML = re.compile(
    r"\A[\s\ufeff\ufffd\u200b]*---[^\S\n]*(?:#[^\n]*)?\n(?P<head>.*?)^(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_TOML = re.compile(r"\A[\s\ufeff\ufffd\u200b]*\+\+\+[ \t]*\n(?P<head>.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
# A first line that opens a frontmatter which nothing closes, and then what could be its first key.
_UNCLOSED = re.compile(r"\A[\s\ufeff\ufffd\u200b]*(?:---|\+\+\+)[^\S\n]*\n\s*[\w-]+[ \t]*[:=]")
# Somebody said who may read a file, though not in a way that is read: such a file does not fall to the default audience.
_SAID = re.compile(r"^\W*audiences?\W*[:=]", re.IGNORECASE | re.MULTILINE)
_HEAD, _HEAD_CHARACTERS = 40, 8000  # lines, and characters at most, in which that is looked for


@dataclass(frozen=True, slots=True)
class Split:
    """`problem` says why a frontmatter that is there could not be read; then `fields` is empty. Keys are in lower case."""

    fields: dict[str, Any]
    body: str
    problem: str = ""
    line: int = 0


def split(text: str) -> Split:
    """Part frontmatter from body; a frontmatter that cannot be read is left out of the body all the same."""
    found = _split(text)
    if found.problem or "audience" in found.fields:
        return found
    head = "\n".join(text[:_HEAD_CHARACTERS].split("\n", _HEAD)[:_HEAD])
    if get_close_matches("audience", found.fields, 1, 0.8) or _SAID.search(head):
        return Split({}, found.body, "an audience is said, but not as `audience:` in a closed frontmatter", 1)
    return found


def _split(text: str) -> Split:
    block = _YAML.match(text) or _TOML.match(text)
    if block is None:
        problem = "frontmatter is not closed by a line of `---`" if _UNCLOSED.match(text) else ""
        return Split({}, text, problem, int(bool(problem)))
    body = text[block.end() :]
    try:
        fields = _yaml(block["head"]) if block.re is _YAML else tomllib.loads(block["head"])
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return Split({}, body, getattr(error, "problem", None) or str(error), mark.line + 2 if mark else 1)
    except Exception as error:  # the YAML library lets ValueError, KeyError, IndexError and others out for bad scalars
        return Split({}, body, str(error) or type(error).__name__, 1)
    if not isinstance(fields, dict):
        return Split({}, body, "frontmatter is not a set of `key: value` lines", 1)
    lower = {str(key).strip().lower(): value for key, value in fields.items()}
    if len(lower) < len(fields):  # TOML tells `audience` from `Audience`; a reader of the file does not
        return Split({}, body, "a key is said twice", 1)
    return Split(lower, body)


class _Loader(yaml.SafeLoader):
    """YAML as its standard has it: a key that is said twice is a mistake, and not the last one's word."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen = set()
        for key, _ in node.value:
            name = str(key.value).strip().lower()
            if name in seen and name != "<<":
                raise yaml.constructor.ConstructorError(None, None, f"the key {name!r} is said twice", key.start_mark)
            seen.add(name)
        return super().construct_mapping(node, deep)


def _yaml(head: str) -> Any:
    return YAMLHandler().load(head, Loader=_Loader) or {}
