"""The logo, the icon, the repository and the line of copyright of a site: of `ranvier.toml`, else of other tools' settings."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from ranvier_builder.config import FILE, PICTURES, Config
from ranvier_builder.model import Setting
from ranvier_builder.read.finders import MINTLIFY
from ranvier_builder.read.globs import Located
from ranvier_builder.read.mkdocs import mkdocs_settings
from ranvier_builder.read.outline import BOOK, HUGO, book_setting, site_setting, text_at
from ranvier_builder.read.settings import CANDIDATES, python_strings

_MKDOCS = (("logo", "theme.logo"), ("icon", "theme.favicon"), ("repository", "repo_url"), ("copyright", "copyright"))
_SPHINX = (("logo", "html_logo"), ("icon", "html_favicon"), ("copyright", "copyright"))
_OTHERS = (  # of Jekyll, Jupyter Book, Quarto, MyST, Mintlify and Hugo
    ("logo", "_config.yml", "logo"),
    ("icon", "_config.yml", "html.favicon"),
    ("repository", "_config.yml", "repository.url"),
    ("logo", "_quarto.yml", "website.navbar.logo"),
    ("icon", "_quarto.yml", "website.favicon"),
    ("repository", "_quarto.yml", "website.repo-url"),
    ("logo", "myst.yml", "site.options.logo"),
    ("icon", "myst.yml", "site.options.favicon"),
    *((key, name, setting) for name in MINTLIFY for key, setting in (("logo", "logo"), ("icon", "favicon"))),
    *(("copyright", name, "copyright") for name in HUGO),
)
_SIGN = re.compile(r"©|&copy;|\(c\)|copyright", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"[{}]|%Y")  # of a template or a date, which the other system fills in


def read_identity(folder: Path, config: Config) -> dict[str, Setting]:
    """Return the settings of a site by our names. A picture has its path in the content; our own elsewhere, its file."""
    identity: dict[str, Setting] = {}
    for key, setting in (*_own(folder, config), *_mkdocs(folder), *_others(folder)):
        identity.setdefault(key, setting)
    return {key: setting for key, setting in identity.items() if setting.value}


def _own(folder: Path, config: Config) -> Iterator[tuple[str, Setting]]:
    for key in ("logo", "icon", "repository", "copyright"):
        value = getattr(config, key)
        if value and key in PICTURES:
            CANDIDATES.add(Path(value))
            location = value.location if isinstance(value, Located) else (FILE, 0)
            yield key, Setting(_content_path(folder, value), *location, is_own=True)
        elif value is not None:
            yield key, Setting(value, FILE, is_own=True)
    if config.theme_dir and (Path(config.theme_dir) / "static" / "favicon.svg").is_file():  # the author's own
        yield "icon", Setting("", FILE)


def _content_path(folder: Path, file: str) -> str:
    """Return the path of a file in the content, on which the gate decides, or if its folder is a link there; else the file."""
    place, name = os.path.split(Path(file).absolute())
    for real_path in (os.path.normpath, os.path.realpath):
        base, path = real_path(folder.absolute()), Path(real_path(place), name)
        if path.is_relative_to(base):
            return path.relative_to(base).as_posix()
    return str(path)


def _mkdocs(folder: Path) -> Iterator[tuple[str, Setting]]:
    for file, settings, place in mkdocs_settings(folder):
        for key, keys in _MKDOCS:
            yield from _other(key, text_at(settings, keys), file.name, place)


def _others(folder: Path) -> Iterator[tuple[str, Setting]]:
    yield from _other("repository", book_setting(folder, "output.html.git-repository-url"), BOOK)
    for key, file, keys in _OTHERS:
        yield from _other(key, site_setting(folder, file, keys), posixpath.basename(file))
    for key, name in _SPHINX:
        for text in python_strings(folder / "conf.py", name)[-1:]:
            yield from _other(key, f"© {text}" if key == "copyright" and text and not _SIGN.match(text) else text, "conf.py")


def _other(key: str, text: str, file: str, place: str = "") -> Iterator[tuple[str, Setting]]:
    """Yield a setting that is not empty; the path of a picture is relative to a folder of the content, or absolute in it."""
    is_path = key in PICTURES and "//" not in text
    if text and not _PLACEHOLDER.search(text):
        yield key, Setting(posixpath.normpath(posixpath.join(place, text.lstrip("/"))) if is_path else text, file)
