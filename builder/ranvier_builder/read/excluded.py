"""Pages that the settings of another system keep out of its site: they are not pages here either, unless they name an audience.

Settings are in the content folder or in a folder above it. They are read as data, and only what is certain excludes a page.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt

from ranvier_builder.model import Warn
from ranvier_builder.paths import EXTRACTED, MEDIA, PAGES, suffix
from ranvier_builder.read.frontmatter import split
from ranvier_builder.read.hugo import bundle_indexes, ignored_expressions
from ranvier_builder.read.ignored import is_ignored, patterns
from ranvier_builder.read.neuron import withholding_field
from ranvier_builder.read.settings import folded, js_objects, load, python_strings, strings_at, text_of_file, values_at
from ranvier_builder.read.snippets import is_snippet
from ranvier_builder.read.values import text_of

_FOLDERS_MAX = 4  # the content folder, and three above it: that of Astro is `src/content/docs`
_GLOBS_MAX = 1000  # globs that a glob with braces stands for
_BRACES_MAX = 10  # braces of a glob: one with more excludes nothing
_IGNORE_FILES = (".mintignore", ".eleventyignore", ".bookignore")  # of Mintlify, Eleventy and GitBook
# Settings in JavaScript: the key of the pages' folder, its default, and the keys of the globs.
_SCRIPTS = (
    (".vitepress/config", "srcDir", ".", "srcExclude"),
    (".vitepress/config/index", "srcDir", ".", "srcExclude"),
    (".vitepress/config/shared", "srcDir", ".", "srcExclude"),
    ("docusaurus.config", "presets.docs.path", "docs", "presets.docs.exclude"),
    ("quartz.config", "", "content", "configuration.ignorePatterns"),
    ("rspress.config", "root", "docs", "route.exclude"),
)
# Settings, of which only the name counts, and names of files that are parts of pages. In a collection of Astro, only names of
# files count, not those of folders.
_PARTS = (("docusaurus.config.*", "_*"), ("astro.config.*", "_*.m*"))
_CURE = "cannot be used: write it with one `*`, `+` or `{` and one pair of brackets, or list its pages under `exclude`"
# Settings of Obsidian: folders that are not published, and those of templates.
_OBSIDIAN = (
    (".obsidian/publish.json", "excluded"),
    (".obsidian/templates.json", "folder"),
    (".obsidian/plugins/templater-obsidian/data.json", "templates_folder"),
)
# Files with fields for all pages in their folder: of Material for MkDocs, Quarto and Eleventy, where `{}` is the folder's name.
_FOLDER_FIELDS = (".meta.yml", "_metadata.yml", "_metadata.yaml", "{}.json", "{}.11tydata.json")
_OF_NPM = "/package.json"  # `private: true` is about the package
_OF_ALL_FILES = (".obsidian/publish.json", "quartz.config")  # they leave out pictures and other attachments, too
_TYPES = {"page": "pages", "post": "posts", "draft": "drafts"}  # former names of types in Jekyll
_SOURCES = (".rmd", ".qmd")
_FRAMES = frozenset(("_coverpage.md", "_footer.md", "_header.md", "_navbar.md"))
_EXPLICIT = re.compile(r"\bExplicitPublish\(")  # a filter of Quartz
# Strings come first: `"**/*.md"` begins no comment.
_STRING_OR_COMMENT = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|//[^\n]*|/\*.*?\*/""", re.DOTALL
)
_BRACES = re.compile(r"\{([^{}]*)\}")


def excluded_pages(folder: Path, files: Iterable[str]) -> tuple[dict[str, str], dict[str, str], set[str], list[Warn]]:
    """Return the excluded pages of a content folder, each with the name of the file whose settings exclude it.

    Also return the inner folders that a field for all of their files withholds, each with the name of the file that has it;
    and the pages that decide about the documents in their folder.

    Globs and regular expressions also exclude documents and transcripts, which become pages here. Settings that exclude the
    whole folder belong to other pages. Also warn about regular expressions of Hugo that cannot be used.
    """
    root = folder.resolve()
    all_paths = sorted(path for path in files if suffix(path) in (*PAGES, *MEDIA))
    paths = [path for path in all_paths if suffix(path) in (*PAGES, *EXTRACTED)]
    excluded, held_folders, bundles, warnings = dict[str, str](), dict[str, str](), set[str](), list[Warn]()
    for inner, name, fields in _folder_fields(root, paths):
        if _is_held(fields):
            held_folders[inner] = name
        elif is_snippet("", fields):
            excluded.update((path, name) for path in paths if path.startswith(f"{inner}/"))
    for place in (root, *root.parents)[:_FOLDERS_MAX]:
        prefix = "" if place == root else f"{root.relative_to(place).as_posix()}/"
        for name, base, lines in _globs(place):
            rules = patterns("\n".join(lines), posixpath.normpath(base))
            if rules and not (prefix and is_ignored(f"{prefix}x", rules)):
                candidates = all_paths if name in _OF_ALL_FILES else paths
                excluded.update((path, name) for path in candidates if is_ignored(prefix + path, rules))
        names = [prefix + path for path in paths]
        for cause, find_pages in _FINDERS.items():
            excluded.update((name.removeprefix(prefix), cause) for name in find_pages(place, names))
        bundles.update(name.removeprefix(prefix) for name in bundle_indexes(place, names))
        for cause, text, expression in ignored_expressions(place):
            if expression is None:
                warnings.append(Warn(cause, "field", f"`ignoreFiles`: {text!r} {_CURE}"))
            else:
                excluded.update((path, cause) for path in all_paths if expression.search(f"/{prefix}{path}"))
    return excluded, held_folders, bundles, warnings


def _folder_fields(root: Path, paths: Iterable[str]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the inner folders with fields for their pages, the names of the files with these fields, and the fields."""
    for folder in sorted({parent for path in paths for parent in PurePosixPath(path).parents if parent.name}):
        for name in (str(folder / name.format(folder.name)) for name in _FOLDER_FIELDS):
            is_file = os.path.isfile(root / name)  # noqa: PTH113 (it is false for a name that is too long)
            if is_file and not name.endswith(_OF_NPM) and (fields := _fields_of(root / name)):
                yield str(folder), name, fields


def _fields_of(file: Path) -> dict[str, Any]:
    """Return the fields of such a file; if they cannot be read and could name an audience, as in a page, they name one."""
    settings = load(file)
    if settings is not None or file.suffix == ".json":
        return folded(settings)
    parts = split(f"---\n{text_of_file(file)}\n---\n")
    return {"audience": None} if parts.problem else parts.fields


def _is_held(fields: dict[str, Any]) -> bool:
    """Return whether fields for several pages withhold them."""
    return "audience" in fields or bool(withholding_field(fields))


def _globs(place: Path) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield names of settings files, with the folder of pages, relative to theirs, and lines in the syntax of `.gitignore`."""
    for name in _IGNORE_FILES:
        yield name, ".", text_of_file(place / name).splitlines()
    for stem, source, default, keys in _SCRIPTS:
        for settings in js_objects(place / stem):
            yield stem, next(strings_at(settings, source), default), _anchored(strings_at(settings, keys))
    for name, line in _PARTS:
        yield name.removesuffix(".*"), ".", [line] if any(place.glob(name)) else ()
    yield "conf.py", ".", _anchored(python_strings(place / "conf.py", "exclude_patterns"))  # Sphinx
    yield "myst.yml", ".", _anchored(strings_at(load(place / "myst.yml"), "project.exclude"))
    for name, key in _OBSIDIAN:
        yield name, ".", _paths(strings_at(load(place / name), key))
    yield "logseq/config.edn", ".", _logseq(text_of_file(place / "logseq/config.edn"))
    yield "_config.yml", ".", _jekyll(place)
    yield "_quarto.yml", ".", _quarto(load(place / "_quarto.yml"))
    entries = [entry for entry in values_at(load(place / "docfx.json"), "build.content") if ".md" in str(entry)]
    if len(entries) == 1:  # otherwise a page that one entry excludes may be in another one
        yield "docfx.json", next(strings_at(entries[0], "src"), "."), _anchored(strings_at(entries[0], "exclude"))


def _logseq(settings: str) -> Iterator[str]:
    """Yield the lines for Logseq, which has its settings and former versions of pages in a folder `logseq`."""
    yield from ("/logseq/",) if settings else ()
    hidden = re.search(r":hidden\s*\[([^\]]*)\]", re.sub(r";[^\n]*", "", settings))
    yield from _paths(re.findall(r'"([^"\n]+)"', hidden[1]) if hidden else ())


def _jekyll(place: Path) -> Iterator[str]:
    """Yield the lines for Jekyll, whose globs are beginnings of paths, or for a Jupyter Book, which has such a file, too."""
    settings = load(place / "_config.yml")
    yield from _anchored(strings_at(settings, "exclude_patterns"))
    if not isinstance(settings, dict) or "exclude_patterns" in settings or (place / "_toc.yml").is_file():
        return
    yield from ("_*", "!_posts", "/vendor/bundle/")
    for glob in strings_at(settings, "exclude"):
        yield ("" if glob.startswith("*") else "/") + glob.strip("/") + ("/" if glob.endswith("/") else "*")
    collections = settings.get("collections")
    for name, options in collections.items() if isinstance(collections, dict) else ():
        if isinstance(options, dict) and options.get("output") is True:
            yield "!" + posixpath.join("/", next(strings_at(settings, "collections_dir"), ""), f"_{name}")
    yield from (f"!{glob}" for glob in strings_at(settings, "include"))
    for item in values_at(settings, "defaults"):
        if any(_is_held(fields) or is_snippet("", fields) for fields in map(folded, values_at(item, "values"))):
            path, kind = (next(strings_at(item, f"scope.{key}"), "") for key in ("path", "type"))
            names = [*_default(path.lstrip("/"), _TYPES.get(kind, kind))]
            places = ("", *strings_at(settings, "collections_dir"))  # paths may leave it out
            yield from (posixpath.join("/", place, *names) for place in places if names)


def _default(path: str, kind: str) -> Iterator[str]:
    """Yield the names of the files that a default of Jekyll is for: the beginning of a path or a glob, and a type."""
    if path:
        yield path if "*" in path or path.endswith("/") else f"{_literal(path)}*"
    if kind not in ("", "pages") and "/_" not in f"/{path}":
        yield from ("**", f"_{kind}")


def _quarto(settings: Any) -> Iterator[str]:
    """Yield the lines for Quarto: globs of pages, `!` before those that exclude some; or the chapters of a book; and drafts."""
    if not isinstance(settings, dict):
        return
    globs = [*strings_at(settings, "project.render")]
    if "book" in strings_at(settings, "project.type") and "book" in settings:
        globs = [
            posixpath.join("/", posixpath.normpath(path)) for path in _all_strings(settings["book"]) if suffix(path) in PAGES
        ]
    pages = (f"*{ending}" for ending in PAGES)  # a list of pages says nothing about other files
    yield from pages if any(not glob.startswith("!") for glob in globs) else ["_*", "README.md"]
    for glob in globs:
        line = posixpath.join("**", glob.removeprefix("!").removeprefix("./"))
        yield line if glob.startswith("!") else f"!{line}"
    yield from _anchored(strings_at(settings, "website.drafts"))


def _unlisted(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the pages of an mdBook that are not in its `SUMMARY.md`."""
    settings = load(place / "book.toml")
    base = posixpath.normpath(next(strings_at(settings, "book.src"), "src"))
    summary = posixpath.join(base, "SUMMARY.md")
    links = _links(text_of_file(place / summary)) if settings is not None else ()
    chapters = {posixpath.normpath(posixpath.join(base, unquote(link.partition("#")[0]))) for link in links}
    for name in filter(_is_page, names) if chapters else ():
        if PurePosixPath(name).is_relative_to(base) and name not in chapters and name != summary:
            yield name


def _frames(_: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the parts around the pages of docsify, and of a wiki of GitHub, that has a `_sidebar.md`."""
    if any(name.lower().rpartition("/")[2] == "_sidebar.md" for name in names):
        yield from (name for name in names if name.lower().rpartition("/")[2] in _FRAMES)


def _rendered(_: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the sources of R Markdown and Quarto that have a rendered page beside them: `README.Rmd` and `README.md`."""
    sources = [name for name in names if suffix(name) in _SOURCES]
    rendered = {*names} if sources else set[str]()
    yield from (name for name in sources if f"{name[:-4]}.md" in rendered)


def _links(text: str) -> Iterator[str]:
    for token in MarkdownIt("commonmark").parse(text):
        yield from (str(child.attrGet("href")) for child in token.children or () if child.type == "link_open")


def _is_page(name: str) -> bool:
    return suffix(name) in PAGES


def _resources(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the pages that are resources of another one; documents and transcripts have its audience, see `Gate`."""
    indexes = bundle_indexes(place, names)
    bundles = {PurePosixPath(name).parent for name in indexes}
    for name in filter(_is_page, names) if bundles else ():
        if name not in indexes and not bundles.isdisjoint(PurePosixPath(name).parents):
            yield name


def _unmarked(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the pages without `publish: true`, if Quartz publishes only those that have it."""
    if _EXPLICIT.search(_STRING_OR_COMMENT.sub(r"\1", text_of_file(place / "quartz.config.ts"))):
        for name in filter(_is_page, names):
            if name.startswith("content/") and text_of(split(text_of_file(place / name)).fields.get("publish")) != "true":
                yield name


# The file that excludes pages, by name, and the function that finds these pages.
_FINDERS: dict[str, Callable[[Path, Collection[str]], Iterator[str]]] = {
    "SUMMARY.md": _unlisted,
    "_sidebar.md": _frames,
    "the .md file beside it": _rendered,
    "index.md": _resources,
    "quartz.config": _unmarked,
}


def _anchored(globs: Iterable[str]) -> Iterator[str]:
    """Yield globs of paths as lines of a `.gitignore`, where a name without a slash has no fixed folder."""
    for glob in globs:
        yield from (f"/{name.removeprefix('./').lstrip('/')}" for name in islice(_braces(glob), _GLOBS_MAX))


def _paths(paths: Iterable[str]) -> Iterator[str]:
    """Yield paths as lines of a `.gitignore`: their signs have no meaning."""
    return (_literal(f"/{path.removeprefix('./').lstrip('/')}") for path in paths)


def _literal(path: str) -> str:
    return re.sub(r"[\\*?^\[\]]", r"\\\g<0>", path)


def _braces(glob: str) -> Iterator[str]:
    if not (braces := _BRACES.search(glob)) or glob.count("{") > _BRACES_MAX:
        yield glob
        return
    for part in braces[1].split(","):
        yield from _braces(f"{glob[: braces.start()]}{part}{glob[braces.end() :]}")


def _all_strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _all_strings(item)
