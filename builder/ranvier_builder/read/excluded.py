"""Pages that the settings of another system keep out of its site: they are not pages here either, unless they name an audience.

Settings are in the content folder or in a folder above it. They are read as data, and only what is certain excludes a page.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from ranvier_builder.markdown.javascript import literal as literal_value
from ranvier_builder.model import Warn
from ranvier_builder.paths import EXTRACTED, MEDIA, PAGES, suffix
from ranvier_builder.read.astro import astro_lines
from ranvier_builder.read.data_files import data_fields, is_held
from ranvier_builder.read.finders import FINDERS, MINTLIFY, VUEPRESS, pelican_folder, protected
from ranvier_builder.read.hugo import UNUSABLE, bundle_indexes, hugo_lines, ignored_expressions
from ranvier_builder.read.ignored import (
    PathPattern,
    anchored,
    deep,
    is_ignored,
    lines_of_others,
    lines_outside,
    literal,
    literal_paths,
    patterns,
)
from ranvier_builder.read.jekyll import config_lines
from ranvier_builder.read.mkdocs import excluding_lines, folder_files
from ranvier_builder.read.quarto import quarto_lines
from ranvier_builder.read.settings import (
    folded,
    git_lines,
    js_objects,
    load,
    python_list,
    python_strings,
    script,
    settings_folders,
    strings_at,
    text_of_file,
    value_at,
    values_at,
)
from ranvier_builder.read.snippets import is_snippet

_ANY = "\ue000" * 2  # a name that only globs for all names match
_OBJECTS_MAX, _OBJECT_MAX = 10, 2_000  # objects that may set the folders of Eleventy; characters of each
_IGNORE_FILES = (".mintignore", ".eleventyignore", ".bookignore")  # of Mintlify, Eleventy and GitBook
# Settings in JavaScript: the key of the maps that exclude pages; in these, the key of the pages' folder, its default, if any,
# and the key of the globs.
_SCRIPTS = (
    (".vitepress/config", "", "srcDir", ".", "srcExclude"),
    (".vitepress/config/index", "", "srcDir", ".", "srcExclude"),
    (".vitepress/config/shared", "", "srcDir", ".", "srcExclude"),
    ("docusaurus.config", "presets.docs", "path", "docs", "exclude"),
    ("docusaurus.config", "presets.blog", "path", "blog", "exclude"),
    ("docusaurus.config", "presets.pages", "path", "src/pages", "exclude"),
    ("docusaurus.config", "plugins", "path", "", "exclude"),
    ("quartz.config", "", "", "content", "configuration.ignorePatterns"),
    ("rspress.config", "", "root", "docs", "route.exclude"),
)
_VUEPRESS = ("pagePatterns", "patterns")  # globs of pages; those with `!` exclude some of these
_ELEVENTY = (".eleventy.js", *(f"eleventy.config.{ending}" for ending in ("js", "mjs", "cjs", "ts")))
# Endings of files with the fields of a page, and the settings of the systems that have them: Eleventy, Retype.
_BESIDE = {".json": _ELEVENTY, ".yml": ("retype.yml",)}
_IGNORES = re.compile(r"""\.ignores\.add\(\s*(["'`])([^"'`\n]+)\1""")
_DIR = re.compile(r"\bdir\s*:\s*(?=\{)")  # the folders of Eleventy
_PART_FOLDERS = ("includes", "layouts", "data")
# Settings, of which only the name counts, and names of files that are parts of pages. In a collection of Astro, only names of
# files count, not those of folders.
_PARTS = (
    ("docusaurus.config.*", "_*"),
    ("astro.config.*", "_*.m*"),
    ("astro.config.*", "/src/pages/**/_*"),
    ("_site.yml", "_*"),  # of R Markdown
    ("retype.yml", "_*"),
    ("nuxt.config.*", "-*"),
    *(("next.config.*", f"{app}/**/*.md* !{app}/**/page.md* {app}/**/_*") for app in ("/app", "/src/app")),
)
# Settings of Obsidian: folders that are not published, and those of templates.
_OBSIDIAN = (
    (".obsidian/publish.json", "excluded"),
    (".obsidian/templates.json", "folder"),
    (".obsidian/plugins/templater-obsidian/data.json", "templates_folder"),
)
# The templates of new notes, with or without their suffix.
_TEMPLATES = (
    (".obsidian/daily-notes.json", "template"),
    *((".obsidian/plugins/periodic-notes/data.json", f"{name}.template") for name in ("daily", "weekly", "monthly")),
)
_OF_ALL_FILES = (".obsidian/publish.json", "quartz.config")  # they leave out pictures and other attachments, too
_DENDRON = ("publishing.siteHierarchies", "site.siteHierarchies")  # the second in former versions
# Mintlify makes no pages of these; other pages import the files in `snippets`.
_OF_MINTLIFY = ("/snippets/", "/README.md", "/LICENSE.md", "/CHANGELOG.md", "/CONTRIBUTING.md")
_Lines = Iterator[tuple[str, str, Iterable[str]]]


def excluded_pages(
    folder: Path, files: Iterable[str], others: list[tuple[str, dict[str, Any]]]
) -> tuple[dict[str, str], dict[str, str], set[str], list[Warn]]:
    """Return the excluded pages of a content folder, each with the name of the file whose settings exclude it.

    Also return the inner folders and the pages that a field in another file withholds, each with the name of this file; and the
    pages that decide about the documents in their folder.

    Globs and regular expressions also exclude documents and transcripts, which become pages here. Settings that exclude the
    whole folder belong to other pages. Also warn about regular expressions of Hugo that cannot be used. `others` gets all other
    fields in files beside the pages, each with the page or the folder that has them.
    """
    root = folder.resolve()
    all_paths = sorted(path for path in files if suffix(path) in (*PAGES, *MEDIA))
    paths = [path for path in all_paths if suffix(path) in (*PAGES, *EXTRACTED)]
    excluded, held, bundles, warnings = dict[str, str](), dict[str, str](), set[str](), list[Warn]()
    places = settings_folders(folder)
    names_above = {name for names in _BESIDE.values() for name in names if any((place / name).is_file() for place, _ in places)}
    beside = [ending for ending, names in _BESIDE.items() if not names_above.isdisjoint(names)]
    of_folders = folder_files(folder) | ({"index.yml"} if ".yml" in beside else set())
    for subject, name, fields in data_fields(root, paths, of_folders, beside):
        if is_held(fields):
            held[subject] = name
        elif is_snippet("", fields):
            excluded.update((path, name) for path in paths if PurePosixPath(path).is_relative_to(subject))
        else:
            others.append((subject, fields))
    for place, prefix in places:
        for name, base, lines in _all_lines(place):
            rules = patterns(lines, posixpath.normpath(base))
            if rules and not (prefix and _is_elsewhere(prefix, rules, paths)):
                candidates = all_paths if name in _OF_ALL_FILES else paths
                excluded.update((path, name) for path in candidates if is_ignored(prefix + path, rules))
        names = [prefix + path for path in paths]
        for cause, find_pages in FINDERS.items():
            excluded.update((name.removeprefix(prefix), cause) for name in find_pages(place, names))
        bundles.update(name.removeprefix(prefix) for name in bundle_indexes(place, names))
        for cause, text, expression in ignored_expressions(place):
            if expression is None:
                warnings.append(Warn(cause, "field", f"`ignoreFiles`: {text!r} {UNUSABLE}"))
            else:
                excluded.update((path, cause) for path in all_paths if expression.search(f"/{prefix}{path}"))
    return excluded, held, bundles, warnings


def _is_elsewhere(prefix: str, rules: Sequence[PathPattern], paths: Iterable[str]) -> bool:
    """Return whether settings above a folder exclude all of it, or list pages, and none of this folder."""
    pages = (prefix + path for path in paths if suffix(path) in PAGES)
    is_list = is_ignored(f"{prefix}{_ANY}.md", rules)
    return is_ignored(f"{prefix}{_ANY}", rules) or (is_list and all(is_ignored(path, rules) for path in pages))


def _all_lines(place: Path) -> _Lines:
    """Yield names of settings files, with the folder of pages, relative to theirs, and lines in the syntax of `.gitignore`."""
    for name in _IGNORE_FILES:
        yield name, ".", text_of_file(place / name).splitlines()
    for name, line in _PARTS:
        yield name.removesuffix(".*"), ".", line.split() if any(place.glob(name)) else ()
    yield from _javascript(place)
    yield from astro_lines(place)
    yield from _eleventy(place)
    yield from _python(place)
    yield from config_lines(place)
    yield from quarto_lines(place)
    yield from hugo_lines(place)
    yield from _vaults(place)
    yield from _documentation(place)


def _javascript(place: Path) -> _Lines:
    for stem, key, source, default, globs in _SCRIPTS:
        for options in (item for settings in js_objects(place / stem) for item in values_at(settings, key)):
            if folder := next(strings_at(options, source), default):
                yield stem, folder, anchored(strings_at(options, globs))
                yield stem, folder, lines_of_others(strings_at(options, "include" if stem == "docusaurus.config" else "-"))
                yield stem, folder, ["*"] if value_at(options, "includeCurrentVersion") is False else ()
    for settings in js_objects(place / ".vuepress/config"):
        pages = [glob for key in _VUEPRESS for glob in strings_at(settings, key)]
        yield ".vuepress/config", ".", lines_of_others(glob for glob in pages if not glob.startswith("!"))
        yield ".vuepress/config", ".", anchored(glob[1:] for glob in pages if glob.startswith("!"))

    for stem in VUEPRESS:
        yield stem, ".", [_line_of(address) for address in protected(place / stem)]


def _line_of(address: str) -> str:
    name = address.removesuffix(".html")
    return f"{literal(name)}{'.*' if name != address else '*'}"


def _eleventy(place: Path) -> _Lines:
    for name in _ELEVENTY:
        if text := script(place / name):
            yield name, ".", anchored(match[2] for match in _IGNORES.finditer(text))
            for match in islice(_DIR.finditer(text), _OBJECTS_MAX):
                folders = literal_value(text[match.end() : match.end() + _OBJECT_MAX])
                source = next(strings_at(folders, "input"), ".")
                yield name, source, literal_paths(f"{path}/" for key in _PART_FOLDERS for path in strings_at(folders, key))
            yield ".gitignore", ".", () if "setUseGitIgnore(false" in text else git_lines(place)


def _python(place: Path) -> _Lines:
    """Yield the lines of Sphinx, whose templates are no pages, and of Pelican."""
    for variable in ("exclude_patterns", "templates_path"):
        yield "conf.py", ".", anchored(python_strings(place / "conf.py", variable))
    yield "conf.py", ".", lines_of_others(deep(python_list(place / "conf.py", "include_patterns")))
    yield "pelicanconf.py", pelican_folder(place), _pelican(place / "pelicanconf.py")


def _pelican(file: Path) -> Iterator[str]:
    """Yield the lines for the folders that have neither articles nor pages."""
    yield from python_strings(file, "IGNORE_FILES")
    pages, articles = python_list(file, "PAGE_PATHS") or ["pages"], python_list(file, "ARTICLE_PATHS")
    yield from lines_of_others((*articles, *pages)) if all(articles) and articles else ()
    yield from literal_paths(f"{path}/" for path in python_strings(file, "ARTICLE_EXCLUDES") if path not in pages)


def _vaults(place: Path) -> _Lines:
    """Yield the lines of Obsidian, Logseq, Dendron and Quartz."""
    for name, key in _OBSIDIAN:
        yield name, ".", literal_paths(strings_at(load(place / name), key))
    for name, key in _TEMPLATES:
        names = (f"{template.removesuffix('.md')}.md" for template in strings_at(load(place / name), key) if template)
        yield name, ".", literal_paths(names)
    yield "logseq/config.edn", ".", _logseq(text_of_file(place / "logseq/config.edn"))
    dendron = load(place / "dendron.yml")
    vaults = values_at(dendron, "workspace.vaults")
    private = (vault for vault in vaults if isinstance(vault, dict) and vault.get("visibility") == "private")
    yield "dendron.yml", ".", literal_paths(f"{path.rstrip('/')}/" for path in strings_at([*private], "fsPath"))
    yield "dendron.yml", ".", _hierarchies([name for key in _DENDRON for name in strings_at(dendron, key)])
    settings = load(place / "quartz.config.yaml")  # of version 5
    yield "quartz.config", "content", anchored(strings_at(settings, "configuration.ignorePatterns"))
    is_quartz = settings is not None or (place / "quartz.config.ts").is_file()
    yield ".gitignore", "content", git_lines(place / "content") if is_quartz else ()


def _hierarchies(names: Sequence[str]) -> Iterator[str]:
    """Yield the lines for the notes outside of the published hierarchies of Dendron, whose top is `root`."""
    if names and "root" not in names:
        yield "*.md"
        yield from (f"!{name}{ending}" for name in map(literal, names) for ending in (".md", ".*.md"))


def _logseq(settings: str) -> Iterator[str]:
    """Yield the lines for Logseq, which has its settings and former versions of pages in a folder `logseq`."""
    yield from ("/logseq/",) if settings else ()
    hidden = re.search(r":hidden\s*\[([^\]]*)\]", re.sub(r";[^\n]*", "", settings))
    yield from literal_paths(re.findall(r'"([^"\n]+)"', hidden[1]) if hidden else ())


def _documentation(place: Path) -> _Lines:
    """Yield the lines of MkDocs, Retype, MyST, DocFX and Mintlify."""
    yield from excluding_lines(place)
    retype = load(place / "retype.yml")
    yield "retype.yml", next(strings_at(retype, "input"), "."), strings_at(retype, "exclude")
    myst = load(place / "myst.yml")
    yield "myst.yml", ".", anchored(strings_at(myst, "project.exclude"))
    yield "myst.yml", ".", lines_outside([*values_at(myst, "project.toc")])
    entries = [entry for entry in values_at(load(place / "docfx.json"), "build.content") if ".md" in str(entry)]
    if len(entries) == 1:  # otherwise a page that one entry excludes may be in another one
        yield "docfx.json", next(strings_at(entries[0], "src"), "."), anchored(strings_at(entries[0], "exclude"))
    for name in MINTLIFY:
        yield name, ".", _OF_MINTLIFY if "navigation" in folded(load(place / name)) else ()
