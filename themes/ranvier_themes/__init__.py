"""The looks a site can have: each theme is a folder of Jinja2 templates and static files.

A theme holds `theme.toml` (name, description, version), `templates/` and `static/`. Nothing in it runs at build time
but the templates, and nothing that it puts into a page is inline: sites can keep a strict content security policy.
The texts of the templates are in `languages/`, a file for each language, and all themes share them.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["strings", "text_language", "theme_path", "themes"]

_ENGLISH = "en"
_TRADITIONAL = {"hant", "hk", "mo", "tw"}  # Chinese that the simplified characters of `zh` do not fit


def themes() -> list[str]:
    """Name the themes that are installed, sorted."""
    return sorted(entry.name for entry in files(__name__).iterdir() if entry.joinpath("theme.toml").is_file())


def theme_path(name: str) -> Traversable:
    """Find the folder of a theme; a `ValueError` names the themes there are when it is not one of them."""
    available = themes()
    if name not in available:
        raise ValueError(f"there is no theme {name!r}; installed: {', '.join(available)}")
    return files(__name__).joinpath(name)


@cache
def text_language(*langs: str) -> str:
    """Return the name of the first of these languages that the themes have texts in: `de-AT` → `de`; else English."""
    for lang in langs:
        name, *rest = lang.lower().replace("_", "-").split("-")
        if name in _languages() and not (name == "zh" and _TRADITIONAL & {*rest}):
            return name
    return _ENGLISH


@cache
def strings(language: str) -> Mapping[str, str | list[str]]:
    """Return the texts of the themes in a language of `text_language`; `months` and `weekdays` are lists."""
    return tomllib.loads((files(__name__) / "languages" / f"{language}.toml").read_text("utf-8"))


@cache
def _languages() -> frozenset[str]:
    return frozenset(file.name.removesuffix(".toml") for file in (files(__name__) / "languages").iterdir())
