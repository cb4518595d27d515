"""The looks a site can have: each theme is a folder of Jinja2 templates and static files.

A theme holds `theme.toml` (name, description, version), `templates/` and `static/`. Nothing in it runs at build time
but the templates, and nothing that it puts into a page is inline: sites can keep a strict content security policy.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["theme_path", "themes"]


def themes() -> list[str]:
    """Name the themes that are installed, sorted."""
    return sorted(entry.name for entry in files(__name__).iterdir() if entry.joinpath("theme.toml").is_file())


def theme_path(name: str) -> Traversable:
    """Find the folder of a theme; a `ValueError` names the themes there are when it is not one of them."""
    available = themes()
    if name not in available:
        raise ValueError(f"there is no theme {name!r}; installed: {', '.join(available)}")
    return files(__name__).joinpath(name)
