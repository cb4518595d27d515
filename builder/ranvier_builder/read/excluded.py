"""Pages that the settings of another system keep out of its site: they are not pages here either, unless they name an audience.

Settings are in the content folder or in a folder above it. They are read as data, and only what is certain excludes a page.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote
from warnings import catch_warnings, simplefilter

from markdown_it import MarkdownIt

from ranvier_builder.model import Warn
from ranvier_builder.paths import EXTRACTED, MEDIA, PAGES, suffix
from ranvier_builder.read.frontmatter import split
from ranvier_builder.read.ignored import is_ignored, patterns
from ranvier_builder.read.neuron import withholding_field
from ranvier_builder.read.settings import js_objects, load, python_strings, text_of_file
from ranvier_builder.read.snippets import is_snippet
from ranvier_builder.read.values import text_of

_CONFIG_BYTES_MAX = 100_000  # of a file that cannot be read
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
# Settings of Hugo, and the files that may be those of Hugo or Zola: these have one of the addresses. Other programs have a
# `config.yaml` with an address, too.
_HUGO = ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json")
_STEMS = ("config", "config/_default/hugo", "config/_default/config")
_HUGO_OR_ZOLA = tuple(f"{stem}.{ending}" for stem in _STEMS for ending in ("toml", "yaml", "yml"))
_ADDRESSES = frozenset(("baseurl", "base_url"))
_ADDRESS_LINE = re.compile(rb"^[\"']?base_?url\b", re.IGNORECASE | re.MULTILINE)
_HUGO_KEYS = frozenset("defaultcontentlanguage ignorefiles languagecode markup menu menus module taxonomies theme".split())
_EXPRESSION_MAX = 1000  # characters of a regular expression of Hugo
_CURE = "cannot be used: write it with one `*`, `+` or `{` and one pair of brackets, or list its pages under `exclude`"
# Settings of Obsidian: folders that are not published, and those of templates.
_OBSIDIAN = (
    (".obsidian/publish.json", "excluded"),
    (".obsidian/templates.json", "folder"),
    (".obsidian/plugins/templater-obsidian/data.json", "templates_folder"),
)
# Files with fields for all pages in their folder: of Material for MkDocs, Quarto and Eleventy, where `{}` is the folder's name.
_FOLDER_FIELDS = (".meta.yml", "_metadata.yml", "_metadata.yaml", "{}.json", "{}.11tydata.json")
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

    Also return the inner folders whose files are withheld by a field for all of them, each with the name of the file that has
    it; and the pages that decide about the documents in their folder.

    Globs and regular expressions also exclude documents and transcripts, which become pages here. Settings that exclude the
    whole folder belong to other pages. Also warn about regular expressions of Hugo that cannot be used.
    """
    root = folder.resolve()
    all_paths = sorted(path for path in {*files} if suffix(path) in (*PAGES, *MEDIA))
    paths = [path for path in all_paths if suffix(path) in (*PAGES, *EXTRACTED)]
    excluded, held, bundles, warnings = dict[str, str](), dict[str, str](), set[str](), list[Warn]()
    for at, name, fields in _folder_fields(root, paths):
        if _is_held(fields):
            held[at] = name
        elif is_snippet("", fields):
            excluded.update((path, name) for path in paths if path.startswith(f"{at}/"))
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
        bundles.update(name.removeprefix(prefix) for name in _indexes(place, names))
        for cause, text, expression in _expressions(place):
            if expression is None:
                warnings.append(Warn(cause, "field", f"`ignoreFiles`: {text!r} {_CURE}"))
            else:
                excluded.update((path, cause) for path in all_paths if expression.search(f"/{prefix}{path}"))
    return excluded, held, bundles, warnings


def _folder_fields(root: Path, paths: Iterable[str]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the inner folders with fields for their pages, the names of the files with these fields, and the fields."""
    for folder in sorted({parent for path in paths for parent in PurePosixPath(path).parents if parent.name}):
        for name in (str(folder / name.format(folder.name)) for name in _FOLDER_FIELDS):
            is_file = os.path.isfile(root / name)  # noqa: PTH113 (it is false for a name that is too long)
            if is_file and (fields := _folded(load(root / name))):
                yield str(folder), name, fields


def _folded(settings: Any) -> dict[str, Any]:
    return {str(key).lower(): value for key, value in settings.items()} if isinstance(settings, dict) else {}


def _is_held(fields: dict[str, Any]) -> bool:
    """Return whether fields for several pages withhold them."""
    return "audience" in fields or bool(withholding_field(fields))


def _globs(place: Path) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield names of settings files, with the folder of pages, relative to theirs, and lines in the syntax of `.gitignore`."""
    for name in _IGNORE_FILES:
        yield name, ".", text_of_file(place / name).splitlines()
    for stem, source, default, keys in _SCRIPTS:
        for settings in js_objects(place / stem):
            yield stem, next(_strings(settings, source), default), _anchored(_strings(settings, keys))
    for name, line in _PARTS:
        yield name.removesuffix(".*"), ".", [line] if any(place.glob(name)) else ()
    yield "conf.py", ".", _anchored(python_strings(place / "conf.py", "exclude_patterns"))  # Sphinx
    yield "myst.yml", ".", _anchored(_strings(load(place / "myst.yml"), "project.exclude"))
    for name, key in _OBSIDIAN:
        yield name, ".", _paths(_strings(load(place / name), key))
    yield "logseq/config.edn", ".", _logseq(text_of_file(place / "logseq/config.edn"))
    yield "_config.yml", ".", _jekyll(place)
    yield "_quarto.yml", ".", _quarto(load(place / "_quarto.yml"))
    entries = [entry for entry in _values(load(place / "docfx.json"), "build.content") if ".md" in str(entry)]
    if len(entries) == 1:  # otherwise a page that one entry excludes may be in another one
        yield "docfx.json", next(_strings(entries[0], "src"), "."), _anchored(_strings(entries[0], "exclude"))


def _logseq(settings: str) -> Iterator[str]:
    """Yield the lines for Logseq, which has its settings and former versions of pages in a folder `logseq`."""
    yield from ("/logseq/",) if settings else ()
    hidden = re.search(r":hidden\s*\[([^\]]*)\]", re.sub(r";[^\n]*", "", settings))
    yield from _paths(re.findall(r'"([^"\n]+)"', hidden[1]) if hidden else ())


def _jekyll(place: Path) -> Iterator[str]:
    """Yield the lines for Jekyll, whose globs are beginnings of paths, or for a Jupyter Book, which has such a file, too."""
    settings = load(place / "_config.yml")
    yield from _anchored(_strings(settings, "exclude_patterns"))
    if not isinstance(settings, dict) or "exclude_patterns" in settings or (place / "_toc.yml").is_file():
        return
    yield from ("_*", "!_posts", "/vendor/bundle/")
    for glob in _strings(settings, "exclude"):
        yield ("" if glob.startswith("*") else "/") + glob.strip("/") + ("/" if glob.endswith("/") else "*")
    collections = settings.get("collections")
    for name, options in collections.items() if isinstance(collections, dict) else ():
        if isinstance(options, dict) and options.get("output") is True:
            yield "!" + posixpath.join("/", next(_strings(settings, "collections_dir"), ""), f"_{name}")
    yield from (f"!{glob}" for glob in _strings(settings, "include"))
    for item in _values(settings, "defaults"):
        if any(_is_held(fields) or is_snippet("", fields) for fields in map(_folded, _values(item, "values"))):
            path, kind = (next(_strings(item, f"scope.{key}"), "") for key in ("path", "type"))
            names = [*_default(path.lstrip("/"), _TYPES.get(kind, kind))]
            places = ("", *_strings(settings, "collections_dir"))  # paths may leave it out
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
    globs = [*_strings(settings, "project.render")]
    if "book" in _strings(settings, "project.type") and "book" in settings:
        globs = [
            posixpath.join("/", posixpath.normpath(path)) for path in _all_strings(settings["book"]) if suffix(path) in PAGES
        ]
    pages = (f"*{ending}" for ending in PAGES)  # a list of pages says nothing about other files
    yield from pages if any(not glob.startswith("!") for glob in globs) else ["_*", "README.md"]
    for glob in globs:
        line = posixpath.join("**", glob.removeprefix("!").removeprefix("./"))
        yield line if glob.startswith("!") else f"!{line}"
    yield from _anchored(_strings(settings, "website.drafts"))


def _unlisted(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the pages of an mdBook that are not in its `SUMMARY.md`."""
    settings = load(place / "book.toml")
    base = posixpath.normpath(next(_strings(settings, "book.src"), "src"))
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


def _resources(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the pages that are resources of another one; documents and transcripts have its audience, see `Gate`."""
    indexes = _indexes(place, names)
    bundles = {PurePosixPath(name).parent for name in indexes}
    for name in filter(_is_page, names) if bundles else ():
        if name not in indexes and not bundles.isdisjoint(PurePosixPath(name).parents):
            yield name


def _indexes(place: Path, names: Iterable[str]) -> set[str]:
    """Return the pages with resources in their folder: in Hugo and Zola, `index.md` and `index.de.md` in inner folders."""
    inner = (name for name in filter(_is_page, names) if name.count("/") > 1 and name.startswith("content/"))
    indexes = {name for name in inner if name.rpartition("/")[2].partition(".")[0] == "index"}
    return indexes if indexes and _has_bundles(place) else set()


def _is_page(name: str) -> bool:
    return suffix(name) in PAGES


def _has_bundles(place: Path) -> bool:
    may_be_hugo = (place / name for name in _HUGO_OR_ZOLA if load(place / name) is None)
    return any((place / name).is_file() for name in _HUGO) or any(_hugo(place)) or any(map(names_address, may_be_hugo))


def names_address(file: Path) -> bool:
    """Return whether a file that cannot be read may be that of Hugo or Zola: other programs have a `config.yaml`, too."""
    with suppress(OSError), file.open("rb") as stream:
        return _ADDRESS_LINE.search(stream.read(_CONFIG_BYTES_MAX)) is not None
    return False


def _hugo(place: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the files with the settings of Hugo, or of Zola, and the settings by lower-case key."""
    for name in (*_HUGO, *_HUGO_OR_ZOLA):
        settings = load(place / name)
        fields = {str(key).lower(): value for key, value in settings.items()} if isinstance(settings, dict) else {}
        is_yaml = name not in _HUGO and not name.endswith(".toml")
        if fields and (name in _HUGO or not _ADDRESSES.isdisjoint(fields)) and not (is_yaml and _HUGO_KEYS.isdisjoint(fields)):
            yield name, fields


def _expressions(place: Path) -> Iterator[tuple[str, str, re.Pattern[str] | None]]:
    """Yield Hugo's regular expressions for paths that are no pages, `ignoreFiles`, each with the name of its file."""
    for name, fields in _hugo(place):
        yield from ((name, text, _quick(text)) for text in _strings(fields, "ignorefiles"))


def _quick(text: str) -> re.Pattern[str] | None:
    """Compile a regular expression; `None` if Python reads it in another way, or could need much time for a long path."""
    text = re.sub(r"\A\^?\.\*(?![*+?])|(?<!\\)\.\*\$?\Z", "", text)  # at the ends, they change no match
    plain = re.sub(r"\\.", "", text)
    repetitions, groups, options = (len(re.findall(signs, plain)) for signs in (r"[*+{]", r"\(", r"\?"))
    if len(text) > _EXPRESSION_MAX or repetitions > 1 or groups > 1 or options > 2 or re.search(r"\)[*+{]", plain):
        return None
    with suppress(re.error, FutureWarning), catch_warnings():
        simplefilter("error")  # of a class in a class, `[[:alpha:]]`
        return re.compile(text)
    return None


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


def _strings(settings: Any, keys: str) -> Iterator[str]:
    return (value for value in _values(settings, keys) if isinstance(value, str))


def _values(settings: Any, keys: str) -> Iterator[Any]:
    """Yield the values of a key, `a.b.c`, in maps and in lists of maps; the items of a list are values."""
    if isinstance(settings, list):
        for item in settings:
            yield from _values(item, keys)
    elif not keys:
        yield settings
    elif isinstance(settings, dict):
        key, _, inner = keys.partition(".")
        yield from _values(settings.get(key), inner)


def _all_strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _all_strings(item)
