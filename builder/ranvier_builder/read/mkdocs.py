"""Reads the settings of MkDocs and Zensical as data: the files that they leave out, snippets, and the syntax."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from ranvier_builder.markdown.dialects.comments import without_comments
from ranvier_builder.markdown.dialects.extensions import ATTRIBUTES, AUTOREFS, MDX, MYST, OPTIONS
from ranvier_builder.markdown.dialects.includes import DIRECTIVE, targets
from ranvier_builder.model import Warn
from ranvier_builder.paths import PAGES, suffix
from ranvier_builder.read.docusaurus import is_site_of_mdx
from ranvier_builder.read.frontmatter import head_of
from ranvier_builder.read.hugo import UNUSABLE, quick
from ranvier_builder.read.ignored import is_ignored, literal, patterns
from ranvier_builder.read.myst import is_site_of_myst, site_substitutions
from ranvier_builder.read.settings import folded, load, scalars, settings_folders, strings_at, text_of_file, value_at, values_at
from ranvier_builder.read.values import text_of
from ranvier_builder.syntax import NO_SYNTAX, Syntax

_FILES = ("zensical.toml", "mkdocs.yml", "mkdocs.yaml")  # Zensical's has the settings of MkDocs in one table
# Zensical turns these on if the settings name no extensions.
_ZENSICAL = {"markdown_extensions": [*OPTIONS]}
# Bundles of extensions that have attribute lists.
_BUNDLES = ("extra", "pymdownx.extra")
_WITH_AUTOREFS = ("autorefs", "mkdocstrings")  # the second one turns on the first
_DEFINITION = re.compile(r"^ {0,3}\[(?P<name>[^\[\]^\n][^\[\]\n]*)\]:[ \t]*\S[^\n]*", re.MULTILINE)


def _settings(folder: Path, file: Path, depth: int = 3) -> Any:
    """Read settings of MkDocs, with those that they inherit from a file in the content folder, or up to three above it."""
    settings = load(file)
    if file.suffix == ".toml" and isinstance(settings, dict):
        project = settings.get("project", settings)
        return _ZENSICAL | project if isinstance(project, dict) else None
    inherited = value_at(settings, "INHERIT")
    if not (isinstance(inherited, str) and depth):
        return settings
    parent = file.parent / inherited
    top = settings_folders(folder)[-1][0]
    above = _settings(folder, parent, depth - 1) if _below(top, parent) else None
    return _merged(above, settings) if isinstance(above, dict) else settings


def _merged(above: dict[Any, Any], settings: dict[Any, Any]) -> dict[Any, Any]:
    """Merge maps at each level, as MkDocs does."""
    both = {key: value for key, value in settings.items() if isinstance(value, dict) and isinstance(above.get(key), dict)}
    return above | settings | {key: _merged(above[key], value) for key, value in both.items()}


def mkdocs_settings(folder: Path) -> Iterator[tuple[Path, dict[str, Any], str]]:
    """Yield files with settings of MkDocs for pages in a folder, the settings, and the path of these pages in the folder."""
    root = folder.resolve()
    for file, settings in _files(folder):
        base = source_folder(file, settings, "docs_dir", "docs") if isinstance(settings, dict) else None
        if base is not None and base.is_relative_to(root):
            yield file, settings, base.relative_to(root).as_posix()


def source_folder(file: Path, settings: dict[str, Any], key: str, default: str) -> Path:
    """Return the folder that settings name, or the default, as a path beside their file."""
    return (file.parent / (text_of(settings.get(key)) or default)).resolve()


def _below(root: Path, path: Path) -> str:
    """Return the path of a file in a folder; empty if it is elsewhere, or cannot be a path."""
    try:
        return path.resolve().relative_to(root).as_posix()
    except (ValueError, OSError, RuntimeError):  # elsewhere; no path; a loop of symbolic links
        return ""


def _files(folder: Path) -> Iterator[tuple[Path, Any]]:
    """Yield the settings files in a content folder and above it, and their settings."""
    for parent in (folder, folder.resolve().parent):
        for name in _FILES:
            yield parent / name, _settings(folder, parent / name)


def snippet_folders(folder: Path) -> frozenset[str]:
    """Return the folders from which the settings of MkDocs take snippets, as paths in a content folder."""
    return frozenset(base for file, settings in _files(folder) for base in _inner_bases(folder, file, settings))


def plugin_options(folder: Path, plugin: str) -> Iterator[dict[str, Any]]:
    """Yield the options of a plugin in the settings of MkDocs that are in a folder."""
    yield from (_options(_settings(folder, folder / name), "plugins").get(plugin, {}) for name in _FILES)


def excluding_lines(place: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the settings files in a folder, each with the folder of the pages and lines in the syntax of `.gitignore`."""
    for name in _FILES:
        if isinstance(settings := _settings(place, place / name), dict):
            for key in ("exclude_docs", "draft_docs"):
                yield name, text_of(settings.get("docs_dir")) or "docs", "\n".join(strings_at(settings, key)).splitlines()


def folder_files(folder: Path) -> frozenset[str]:
    """Return the names of the files with fields for all pages in their folder, as the plugin `meta` of Material has them."""
    plugins = (_options(settings, "plugins") for _, settings in _files(folder))
    names = (options.get(name, {}).get("meta_file") for options in plugins for name in ("meta", "material/meta"))
    return frozenset(PurePosixPath(name).name for name in names if isinstance(name, str)) - {""}


def excluded_by(settings: dict[str, Any], place: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the files that MkDocs leaves out: by its settings, by plugins, or because of an `index.md`."""
    off = (literal(locale) for locale, language in languages(settings).items() if language.get("build") is False)
    of_languages = (line for locale in off for line in (f"/{locale}/", f"*.{locale}.*"))
    lists = (["/templates/", *strings_at(settings, "exclude_docs")], strings_at(settings, "draft_docs"), [*of_languages])
    rules = [patterns(lines, place) for lines in lists]
    globs = [*strings_at(_options(settings, "plugins").get("exclude"), "glob")]
    expressions = [item for item in _expressions(settings).values() if item]
    prefix = "" if place == "." else f"{place}/"
    names = {*names}
    for path in sorted(name for name in names if name.startswith(prefix)):
        folder, slash, name = path.rpartition("/")
        is_second = name == "README.md" and f"{folder}{slash}index.md" in names
        inner = path.removeprefix(prefix)
        is_matched = any(fnmatchcase(inner, glob) for glob in globs) or any(item.search(inner) for item in expressions)
        if is_second or is_matched or any(is_ignored(path, lines) for lines in rules if lines):
            yield path


def _expressions(settings: dict[str, Any]) -> dict[str, re.Pattern[str] | None]:
    """Return the regular expressions of the plugin `exclude`; `None` for one that is not simple."""
    return {text: quick(f"^{text}") for text in strings_at(_options(settings, "plugins").get("exclude"), "regex")}


def mkdocs_warnings(file: Path, settings: dict[str, Any]) -> Iterator[Warn]:
    """Yield a warning for each regular expression that excludes nothing because it is not simple."""
    expressions = _expressions(settings).items()
    yield from (Warn(file.name, "field", f"`regex`: {text!r} {UNUSABLE}") for text, item in expressions if item is None)


def _inner_bases(folder: Path, file: Path, settings: Any) -> list[str]:
    return [_below(folder.resolve(), file.parent / base) for base in _snippet_bases(settings)]


def _snippet_bases(settings: Any) -> list[str]:
    base = _options(settings, "markdown_extensions").get("pymdownx.snippets", {}).get("base_path")
    return [path for path in (base if isinstance(base, list) else [base]) if isinstance(path, str)]


def _options(settings: Any, key: str) -> dict[str, dict[str, Any]]:
    """Return the options of extensions or plugins: a map, a list of names and of maps, or TOML's tables such as `a.b`."""
    value = value_at(settings, key)
    items = value if isinstance(value, list) else [value]
    maps = [{item: None} if isinstance(item, str) else item for item in items if isinstance(item, (str, dict))]
    options = {name: value for item in maps for name, value in item.items() if isinstance(name, str)}
    for name, tables in [(name, value) for name, value in options.items() if isinstance(value, dict)]:
        options |= {f"{name}.{key}": value for key, value in tables.items() if isinstance(value, dict)}
    return {name.removeprefix("markdown.extensions."): v if isinstance(v, dict) else {} for name, v in options.items()}


def languages(settings: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the settings of each language of the plugin mkdocs-static-i18n, the default one first."""
    options = _options(settings, "plugins").get("i18n", {})
    items = [*values_at(options, "languages")]
    if isinstance(by_name := options.get("languages"), dict):  # of former versions, which build the default one all the same
        default = options.get("default_language")
        items = [{**folded(language), "locale": locale} for locale, language in by_name.items() if locale != default]
    by_locale = {item["locale"]: item for item in items if isinstance(item, dict) and isinstance(item.get("locale"), str)}
    return dict(sorted(by_locale.items(), key=lambda item: item[1].get("default") is not True))


def read_syntax(folder: Path) -> Syntax:
    """Return the syntax that the settings turn on for the pages of their folder."""
    for file, settings, place in mkdocs_settings(folder):
        extensions = _options(settings, "markdown_extensions")
        on = {name for name, option in OPTIONS.items() if extensions.get(name, {option: False}).get(option) is not False}
        on.update(ATTRIBUTES for bundle in _BUNDLES if bundle in extensions)
        on.update(AUTOREFS for plugin in _options(settings, "plugins") if plugin in _WITH_AUTOREFS)
        definitions = {name: line for text in _appended(folder, file, settings) for name, line in _definitions(text)}
        variables, bases = sorted(_variables(settings).items()), filter(None, _inner_bases(folder, file, settings))
        return Syntax(place, tuple(sorted(on)), tuple(variables), tuple(sorted(definitions.items())), tuple(bases))
    kinds, values = ((MDX, is_site_of_mdx), (MYST, is_site_of_myst)), site_substitutions(folder)
    all_pages = tuple(name for name, is_site_of in kinds if is_site_of(folder))
    return Syntax(".", all_pages, substitutions=values) if all_pages or values else NO_SYNTAX


def _appended(folder: Path, file: Path, settings: dict[str, Any]) -> Iterator[str]:
    """Yield the texts that snippets append to each page, and those that they include; not those of pages, or with fields.

    The latter can be private.
    """
    names = [*strings_at(_options(settings, "markdown_extensions").get("pymdownx.snippets"), "auto_append")]
    for name in names:
        paths = [(file.parent / base / name) for base in _snippet_bases(settings) or ["."]]
        text = next(filter(None, (text_of_file(path) for path in paths if _is_beside(folder, path))), "")
        if not head_of(text):
            yield (text := without_comments(text))
            inner = {name for directive in DIRECTIVE.finditer(text) for name, _ in targets(directive)}
            names += sorted(inner.difference(names))


def _is_beside(folder: Path, path: Path) -> bool:
    """Return whether a file is beside the content folder, or in it and no page."""
    inner = _below(folder.resolve(), path)
    return not (inner and suffix(inner) in PAGES and not inner.startswith(".")) and bool(_below(folder.resolve().parent, path))


def _definitions(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names and the lines of the definitions of links in a text."""
    for match in _DEFINITION.finditer(text):
        yield " ".join(match["name"].casefold().split()), match.group().strip()


def _variables(settings: dict[str, Any]) -> dict[str, str]:
    """Return the variables of mkdocs-macros, unless only some pages use them."""
    options = _options(settings, "plugins").get("macros")
    if options is None or options.get("render_by_default") is False or options.get("j2_variable_start_string"):
        return {}
    extra = settings.get("extra")
    return dict(scalars("", extra, 1)) if isinstance(extra, dict) else {}
