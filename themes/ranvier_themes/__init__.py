"""The themes of sites: each is a folder of Jinja2 templates and static files.

A theme contains `theme.toml` (name, description, version), `templates/` and `static/`. Only its templates run at build time. It
puts no inline script or style into a page, so that sites can have a strict content security policy.
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
    """Return the names of the installed themes, sorted."""
    return sorted(entry.name for entry in files(__name__).iterdir() if entry.joinpath("theme.toml").is_file())


def theme_path(name: str) -> Traversable:
    """Return the folder of a theme. An unknown name raises a `ValueError` that lists the installed themes."""
    available = themes()
    if name not in available:
        raise ValueError(f"there is no theme {name!r}; installed: {', '.join(available)}")
    return files(__name__).joinpath(name)


@cache
def text_language(*langs: str) -> str:
    """Return the first of these languages in which the themes have texts: `de-AT` → `de`. If there is none, return English."""
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
