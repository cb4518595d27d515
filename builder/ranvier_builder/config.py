"""`ranvier.toml` → a frozen `Config`. Unknown keys are errors: a misspelt `default_audience` must not publish anything."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ranvier.query.segments import Segment
from ranvier_themes import themes

from ranvier_builder import search_settings as searching
from ranvier_builder.audience import AUDIENCES
from ranvier_builder.errors import ConfigError
from ranvier_builder.paths import IMAGES, suffix
from ranvier_builder.read.globs import Located
from ranvier_builder.read.language import tag_of
from ranvier_builder.search_settings import Pin, SearchSettings, SettingError
from ranvier_builder.syntax import NO_SYNTAX, Syntax
from ranvier_builder.toml_lines import line_of

FILE = "ranvier.toml"
# Settings that are pictures, next to the file or in folders beside it, and their kinds.
PICTURES = {"logo": IMAGES, "icon": frozenset({".svg", ".png", ".ico"})}
# Settings that are lists of strings, each with an example.
_LISTS = {
    "audience_fields": '["ms.audience"]',
    "include": '[".generated/*"]',
    "exclude": '["drafts/*"]',
    "search_fields": '["product", "version"]',
    "base_paths": '["/handbook"]',
    "sites": '["/docs/_ranvier/", "/blog/_ranvier/=0.8"]',
}
_FLAGS = {"publish_for": "--audience", "default_audience": "--default-audience", "url": "--url", "lang": "--lang"}
# An address of a host or of its root, and a weight.
_SITE = re.compile(r"(https?://[^\s/]+)?/([^\s=?#]+/)?(=\d+(\.\d+)?)?")
# A key and a text without straight quotes, without a comment.
_UNQUOTED = re.compile(r"""\s*([\w-]+)\s*=\s*[“„‘«]?([^\s"\\“„‘«][^"\\]*?)[”“’»]?\s*(?:\s#.*)?$""")
# The cure for other errors of syntax.
_FORM = "write each setting once, as KEY = VALUE, with closed quotes and brackets"
_SWITCHES = frozenset(
    "agents line_breaks listings offline recent redact_private_links strict strip_metadata trusted_html".split()
)
_TUNING = ("audience", "pins", "segments", "synonyms", "search")


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of a build. The names are those of `ranvier.toml`."""

    title: str = ""  # default: the home page's title, or the content folder's name
    name: str = "site"  # short name, the first half of every `seq_id`
    description: str = ""
    url: str = ""  # public address of the site; needed for sitemap.xml, and its path for 404.html
    lang: str = "en"
    theme: str = "default"
    theme_dir: str = ""  # folder next to ranvier.toml whose `templates/` and `static/` replace files of the theme
    publish_for: str = "public"  # audience of this build; `--audience`
    default_audience: str = ""  # of Neurons without an audience; empty: they are withheld
    audience: Mapping[str, str] = field(default_factory=dict)  # another system's names → ours: ITPro = "public"
    audience_fields: tuple[str, ...] = ()  # other names of the `audience` field: "ms.audience"
    # a link without a label to a withheld page shows "private note" instead of the target's name
    redact_private_links: bool = False
    include: tuple[str, ...] = ()  # globs of content paths that are read although a part of the name starts with a dot
    exclude: tuple[str, ...] = ()  # globs of content paths that are never read
    base_paths: tuple[str, ...] = ()  # where another system publishes these pages: the prefixes of its absolute links
    search_fields: tuple[str, ...] = ()  # globs of other frontmatter fields that are published: shown and searched
    strip_metadata: bool = True  # remove place, time, camera and author from the metadata of published pictures
    trusted_html: bool = False  # raw HTML in Markdown is kept unchanged: scripts, styles, forms included
    line_breaks: bool = False  # each line of a paragraph is a line on the page, as in Obsidian
    strict: bool = False  # any warning makes the build fail
    recent: bool = True  # the search box keeps a reader's recent searches in the browser
    # addresses of the `_ranvier/` folders of several sites, this one included, that the search box lists together
    sites: tuple[str, ...] = ()
    search_placeholder: str = ""  # of the search field; empty: in the language of the page
    agents: bool = True  # write llms.txt, llms-full.txt and a Markdown file beside each page
    edit_url: str = ""  # address of a page's source, with {path} for its path below the content folder
    # The following does not change pages, so it is not part of the key of the build cache, which is a config's `repr`.
    # Of the next four, `None` means that of another system's settings.
    logo: str | None = field(default=None, repr=False)  # a picture beside the title
    icon: str | None = field(default=None, repr=False)  # a picture for browser tabs
    repository: str | None = field(default=None, repr=False)  # address of the source, for the footer
    copyright: str | None = field(default=None, repr=False)  # a line of the footer, with links in Markdown
    offline: bool = field(default=True, repr=False)  # visited pages and completed searches work without a network later
    # `ranvier index` only: pages that list others (tags, archives, further pages of a list) are indexed, too
    listings: bool = field(default=False, repr=False)
    # `ranvier build --layers` only: hidden name of the file with the wrapped keys; the search box has no button then
    unlock: str = field(default="", repr=False)
    pins: tuple[Pin, ...] = field(default=(), repr=False)
    segments: tuple[Segment, ...] = field(default=(), repr=False)  # the first that matches a query is used
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    search: SearchSettings = field(default_factory=SearchSettings, repr=False)
    syntax: Syntax = NO_SYNTAX  # not of `ranvier.toml`: from the settings of another system

    def __post_init__(self) -> None:
        """Raise `ConfigError` for a value of another type.

        Of a text instead of a tuple, each character would be a value, and exclude nothing.
        """
        for setting in fields(self):
            if setting.type in ("str", "bool"):
                _value(None, setting.name, getattr(self, setting.name))
        for key, example in _LISTS.items():
            if isinstance(getattr(self, key), str):
                raise ConfigError(f"{key} must be a list of strings", cure=f"{key} = {example}")


SETTINGS = tuple(field.name for field in fields(Config) if field.name != "syntax")


def load_config(file: Path | None, **overrides: Any) -> Config:
    """Read a config file, if any, and apply the command line's values over it.

    Raises:
        ConfigError: the file is not TOML, or a key or value is unknown or invalid.

    """
    raw = _read(file) if file is not None else {}
    settings = set(SETTINGS)
    for key in raw:
        if key not in settings:
            matches = get_close_matches(key, settings, 1)
            cure = f"did you mean {matches[0]!r}?" if matches else "the page `Configuration` of the manual lists the settings"
            raise _error(file, key, f"there is no setting {key!r}", cure)
    values = {key: _value(file, key, value) for key, value in raw.items()}
    if file is not None and values.get("theme_dir"):
        values["theme_dir"] = str(file.parent / values["theme_dir"])
    for key in PICTURES:
        if file is not None and (value := values.get(key)):
            values[key] = Located(value if "://" in value else str(file.parent / value), _location(file, key))
    config = replace(Config(), **values)
    config = replace(config, **{key: value for key, value in overrides.items() if value is not None})
    config = replace(config, lang=tag_of(config.lang) or config.lang)
    check_config(config, {key: None if overrides.get(key) is not None else file for key in settings})
    return config


def find_config(content: Path) -> Path | None:
    """Look for `ranvier.toml` in the content folder and in the folder above it; without a content folder, nowhere.

    Raises:
        ConfigError: both exist; one would silently replace the other.

    """
    folders = (content, content.resolve().parent) if content.is_dir() else ()
    files = [folder / FILE for folder in folders if (folder / FILE).is_file()]
    if len(files) > 1 and not files[0].samefile(files[1]):
        raise ConfigError(
            f"there is a second configuration file: {files[1]}",
            file=files[0],
            cure="remove one file, or name one with --config",
        )
    return files[0] if files else None


def require_config(file: Path | None) -> Path:
    """Return the named config file, or the one that `find_config` finds for the current folder.

    Raises:
        ConfigError: there is none.

    """
    file = file or find_config(Path())
    if file is None:
        raise ConfigError(f"there is no {FILE} in this folder or in the folder above", cure="--config FILE")
    return file


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        match, lines = re.search(r"line (\d+)", str(error)), file.read_text("utf-8-sig").splitlines()
        line = int(match[1]) if match else len(lines)
        cure = _cure(lines[line - 1]) if match and "Invalid value" in str(error) else _FORM
        raise ConfigError(f"is not valid TOML: {error}", file=file, line=line, cure=cure) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError("cannot be read: it is not UTF-8", file=file, line=line, cure="save the file as UTF-8") from None
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", file=file, cure="name a file that can be read") from None
    except RecursionError:
        raise ConfigError("cannot be read: its values are nested too deeply", file=file, cure=_FORM) from None


def _cure(line: str) -> str:
    """Return the cure for a line with an invalid value, which is usually a text without quotes."""
    match = _UNQUOTED.match(line)
    key, value = match.groups() if match else ("", "")
    if key in _SWITCHES:
        return f"{key} = {'false' if value.lower() in ('false', 'no', 'off') else 'true'}"
    if key in _LISTS:
        return f"{key} = {_LISTS[key]}"
    return f'put text in quotes: {key} = "{value}"' if match else "put text in quotes"


def _value(file: Path | None, key: str, value: Any) -> Any:
    if key in _LISTS:
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(Located(item, _location(file, key)) for item in value) if key == "exclude" else tuple(value)
        raise _error(file, key, f"{key} must be a list of strings", f"{key} = {_LISTS[key]}")
    if key in _SWITCHES:
        if isinstance(value, bool):
            return value
        raise _error(file, key, f"{key} must be true or false", f"{key} = true")
    if key in _TUNING:
        return _tuning(file, key, value)
    if not isinstance(value, str):
        raise _error(file, key, f"{key} must be a string, not {value!r}", f'{key} = "TEXT"')
    return value


def _tuning(file: Path | None, key: str, value: Any) -> Any:
    try:
        if key == "pins":
            return searching.read_pins(value, lambda path: _location(file, *path))
        readers = {
            "audience": searching.read_audiences,
            "segments": searching.read_segments,
            "synonyms": searching.read_synonyms,
        }
        return _resolve_model(file, searching.read_search(value)) if key == "search" else readers[key](value)
    except SettingError as error:
        cure = error.cure
        if len(error.path) == 2 and error.path[-1] in SETTINGS:
            cure = f"{cure}; a setting of the site stands above the first line in brackets"
        raise ConfigError(error.message, file=file, line=_line(file, *error.path), cure=cure) from None


def _resolve_model(file: Path | None, settings: SearchSettings) -> SearchSettings:
    """Resolve a model's folder relative to the file that names it."""
    if file is None or settings.model == searching.WORDLLAMA:
        return settings
    folder = file.parent / settings.model
    if settings.vectors is not False and not folder.is_dir():
        raise SettingError(("search", "model"), f"there is no folder {folder}", "the name of a folder next to ranvier.toml")
    return replace(settings, model=str(folder))


def check_config(config: Config, source_files: dict[str, Path | None] | None = None) -> None:
    """Raise `ConfigError` for an invalid value; `source_files` maps names to the file that set them."""
    names = ", ".join(AUDIENCES)
    for key, is_valid, cure in (
        ("publish_for", config.publish_for in AUDIENCES, f"one of {names}"),
        ("default_audience", config.default_audience in ("", *AUDIENCES), f"one of {names}"),
        ("theme", config.theme in themes(), f"one of {', '.join(themes())}"),
        ("theme_dir", not config.theme_dir or Path(config.theme_dir).is_dir(), "the name of a folder next to ranvier.toml"),
        ("name", re.fullmatch(r"[A-Za-z0-9-]+", config.name), "letters, digits, hyphens"),
        ("url", is_address(config.url), "https://example.org/docs/"),
        ("lang", not config.lang or tag_of(config.lang), "write a language tag such as de or pt-BR"),
        ("unlock", re.fullmatch(r"[a-z0-9-]*", config.unlock), "lower-case letters, digits, hyphens"),
        ("sites", all(map(_SITE.fullmatch, config.sites)), _LISTS["sites"]),
        ("repository", is_address(config.repository or ""), "https://example.org/project"),
        ("logo", _is_picture("logo", config), "the path of a picture, from the folder of ranvier.toml"),
        ("icon", _is_picture("icon", config), "the path of an SVG, PNG or ICO file, from the folder of ranvier.toml"),
        ("edit_url", _is_edit_address(config.edit_url), "https://example.org/notes/edit/main/{path}"),
    ):
        if not is_valid:
            file = source_files[key] if source_files else None
            name = key if file is not None else _FLAGS.get(key, key)
            value = getattr(config, key)
            shown = printable(list(value) if isinstance(value, tuple) else value)
            raise _error(file, key, f"{name} cannot be {shown}", cure)


def printable(value: object) -> str:
    """Return a value for a message: without what may be a user name, a password or a token in an address."""
    return re.sub(r"\?[^'\"]*", "?…", re.sub(r"(?<=['\"])(https?://)?[^'\"]*@", r"\1…@", repr(value)))


def is_address(url: str) -> bool:
    """Return whether a text is empty or the address of a site, without a user name or password."""
    try:
        parts = urlsplit(url)
        is_host = parts.hostname and parts.username is None and parts.port != 0  # the port of `user:pass/word@host` is an error
        return not url or bool(re.fullmatch(r"https?://[^\s?#]+", url) and is_host)
    except ValueError:
        return False


def _is_picture(key: str, config: Config) -> bool:
    path = getattr(config, key)
    return not path or (suffix(path) in PICTURES[key] and os.path.isfile(path))  # noqa: PTH113 (it is false for a long name)


def _is_edit_address(url: str) -> bool:
    return not url or ("{path}" in url and re.fullmatch(r"https?://[^/\s{}]+/\S*", url) is not None)


def _error(file: Path | None, key: str, message: str, cure: str) -> ConfigError:
    return ConfigError(message, file=file, line=_line(file, key), cure=cure)


def _location(file: Path | None, *path: str | int) -> tuple[str, int]:
    """Return the file and the line of a value, for a warning."""
    return (file.name if file else FILE), _line(file, *path) or 0


def _line(file: Path | None, *path: str | int) -> int | None:
    return None if file is None else line_of(file.read_text("utf-8-sig"), path)
