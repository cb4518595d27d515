"""YAML scalars with their spelling: `title: 1.10` is the title "1.10", and `version: 007` stays "007".

They are still numbers for numeric fields. Of the boolean words of YAML 1.1 only `true` and `false` are booleans (YAML 1.2.2,
§10.3.2): the title of a page can be `No`, and `user_note_shared: on` is ambiguous.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import yaml

from ranvier_builder.read import bounds

_BOOL = "tag:yaml.org,2002:bool"


class SpelledInt(int):
    """An integer with its spelling."""

    text: str


class SpelledFloat(float):
    """A float with its spelling."""

    text: str


def spelling_of(value: Any) -> str | None:
    """Return the spelling of a number; `None` for anything else."""
    return value.text if isinstance(value, (SpelledInt, SpelledFloat)) else None


def keep_spellings(loader: type[yaml.SafeLoader]) -> None:
    """Configure a loader to keep spellings."""
    for kind, name in ((SpelledInt, "int"), (SpelledFloat, "float")):
        construct = getattr(loader, f"construct_yaml_{name}")
        loader.add_constructor(f"tag:yaml.org,2002:{name}", partial(_number, kind, construct))
    loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in pairs if tag != _BOOL]
        for first, pairs in loader.yaml_implicit_resolvers.items()
    }
    loader.add_implicit_resolver(_BOOL, re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))


def _number(kind: type[SpelledInt | SpelledFloat], construct: Any, loader: yaml.SafeLoader, node: yaml.ScalarNode) -> Any:
    bounds.check_digits(str(node.value), node.start_mark.line + 1)
    number = kind(construct(loader, node))
    number.text = str(node.value)
    return number
