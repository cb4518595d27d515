"""Settings of Hugo and Zola: paths and languages that are left out, and pages with resources in their folder."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from ranvier_builder.paths import PAGES, suffix
from ranvier_builder.read.data_files import is_held
from ranvier_builder.read.frontmatter import split
from ranvier_builder.read.ignored import anchored, braced, deep, is_ignored, lines_of_others, literal, patterns
from ranvier_builder.read.settings import folded, load, strings_at, text_of_file, values_at
from ranvier_builder.read.snippets import cascades, is_snippet
from ranvier_builder.read.values import text_of

_CONFIG_BYTES_MAX = 100_000  # of a file that cannot be read
# Settings of Hugo, and the files that may be those of Hugo or Zola: these have one of the addresses. Other programs have a
# `config.yaml` with an address, too.
NAMES = ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json")
_FOLDERS = ("config/_default", "config/production")  # those of a build that is published
_STEMS = ("config", "zola", *(f"{folder}/{name}" for folder in _FOLDERS for name in ("hugo", "config")))
_ENDINGS = ("toml", "yaml", "yml")
_HUGO_OR_ZOLA = tuple(f"{stem}.{ending}" for stem in _STEMS for ending in _ENDINGS)
# Settings of Hugo that may have a file of their own.
_PARTS = tuple(
    (key, f"{folder}/{key}.{ending}")
    for key in ("cascade", "languages", "module")
    for folder in _FOLDERS
    for ending in _ENDINGS
)
_ADDRESSES = frozenset(("baseurl", "base_url"))
_ADDRESS_LINE = re.compile(rb"^[\"']?base_?url\b", re.IGNORECASE | re.MULTILINE)
_HUGO_KEYS = frozenset("defaultcontentlanguage ignorefiles languagecode markup menu menus module taxonomies theme".split())
_NO = "! "  # before a glob of what is left out, in lists of globs
_NO_CONTENT = ("/archetypes/", "/layouts/", "/themes/")
UNUSABLE = "cannot be used: write it with one `*`, `+` or `{` and one pair of brackets, or list its pages under `exclude`"
_EXPRESSION_MAX = 1000  # characters of a regular expression of Hugo


def bundle_indexes(place: Path, names: Iterable[str]) -> set[str]:
    """Return the pages with resources in their folder: in Hugo and Zola, `index.md` and `index.de.md` in inner folders."""
    inner = (name for name in names if suffix(name) in PAGES and name.count("/") > 1 and name.startswith("content/"))
    indexes = {name for name in inner if name.rpartition("/")[2].partition(".")[0] == "index"}
    return indexes if indexes and _has_bundles(place) else set()


def _has_bundles(place: Path) -> bool:
    may_be_hugo = (place / name for name in _HUGO_OR_ZOLA if load(place / name) is None)
    return any((place / name).is_file() for name in NAMES) or any(_hugo(place)) or any(map(names_address, may_be_hugo))


def names_address(file: Path) -> bool:
    """Return whether a file that cannot be read may be that of Hugo or Zola: other programs have a `config.yaml`, too."""
    with suppress(OSError), file.open("rb") as stream:
        return _ADDRESS_LINE.search(stream.read(_CONFIG_BYTES_MAX)) is not None
    return False


def _hugo(place: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the files with the settings of Hugo, or of Zola, and the settings by lower-case key."""
    for name in (*NAMES, *_HUGO_OR_ZOLA):
        fields = folded(load(place / name))
        is_hugo = name.rpartition("/")[2] in NAMES
        is_yaml = not is_hugo and not name.endswith(".toml")
        if fields and (is_hugo or not _ADDRESSES.isdisjoint(fields)) and not (is_yaml and _HUGO_KEYS.isdisjoint(fields)):
            yield name, fields
    for key, name in _PARTS:
        if settings := load(place / name):
            yield name, {key: folded(settings).get(key, settings)}


def hugo_lines(place: Path) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield settings files, each with the folder of the pages and lines in the syntax of `.gitignore`."""
    for name, fields in _hugo(place):
        yield name, "content", braced(strings_at(fields, "ignored_content"))  # of Zola
        mounts = [*map(folded, values_at(fields, "module.mounts"))]
        for mount in mounts:
            source = mount.get("source")
            if [other.get("source") for other in mounts].count(source) == 1:  # another mount may have what this one leaves out
                yield name, posixpath.normpath(text_of(source) or "content"), _left_out(mount)
        is_site = (place / "content").is_dir()  # other programs have a `config.toml` with an address, too
        yield name, ".", (*(_NO_CONTENT if is_site else ()), *_languages(fields))
    yield from cascade_lines(place, lambda item: is_held(item) or bool(is_snippet("", item)))


def cascade_lines(place: Path, test: Callable[[dict[str, Any]], bool]) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield the same for the paths of a `cascade` whose fields pass a test."""
    for name, fields in _hugo(place):
        for item in map(folded, values_at(fields, "cascade")):
            if test(item | folded(item.get("params"))):
                yield name, "content", _targets(_target(item))


def _target(item: dict[str, Any]) -> dict[str, Any]:
    return folded(item.get("target", item.get("_target")))


def _left_out(mount: dict[str, Any]) -> Iterator[str]:
    """Yield the lines for what a mount leaves out; `files` has the patterns of both kinds in newer versions."""
    globs = [*strings_at(mount, "files")]
    included = (*strings_at(mount, "includefiles"), *(glob for glob in globs if not glob.startswith(_NO)))
    yield from lines_of_others(deep(glob.lstrip("/") for glob in included))
    yield from anchored(
        (*strings_at(mount, "excludefiles"), *(glob.removeprefix(_NO) for glob in globs if glob.startswith(_NO)))
    )


def _targets(target: dict[str, Any]) -> Iterator[str]:
    """Yield the lines for the pages whose address in Hugo, which has no ending, is that of a target."""
    environments = [*braced(strings_at(target, "environment"))] or ["*"]
    if any(fnmatchcase("production", glob) for glob in environments):
        for glob in map(_without_case, braced(strings_at(target, "path"))):
            yield from [glob] if glob.endswith("*") else [f"{glob}.*", f"{glob}/index.*", f"{glob}/_index.*"]


def _without_case(glob: str) -> str:
    """Return the glob of the paths that Hugo writes in lower case, with hyphens for blanks."""
    if "[" in glob:
        return glob
    return re.sub(r"[^\W\d_]", lambda letter: f"[{letter[0].lower()}{letter[0].upper()}]", glob).replace("-", "[- ]")


def _languages(fields: dict[str, Any]) -> Iterator[str]:
    """Yield the lines for the pages of the languages that are turned off: in their folder, or with names such as `a.de.md`."""
    languages = {code: folded(options) for code, options in folded(fields.get("languages")).items()}
    off = {code.lower() for code in strings_at(fields, "disablelanguages")}
    for code in sorted(off.union(code for code, options in languages.items() if options.get("disabled") is True)):
        yield f"*.{literal(code)}.*"
        folders = {posixpath.normpath(path).strip("/") for path in strings_at(languages.get(code), "contentdir")}
        yield from (f"/{folder}/" for folder in sorted(folders - {"content"}))  # other languages have this one, too


def draft_sections(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the pages below the index file of a section that is a draft in Zola; in Hugo, only the index file is one."""
    if any("base_url" in fields for _, fields in _hugo(place)):
        indexes = (name for name in names if name.startswith("content/") and name.rpartition("/")[2].startswith("_index."))
        fields = ((name, split(text_of_file(place / name)).fields) for name in indexes)
        drafts = tuple(f"{name.rpartition('/')[0]}/" for name, values in fields if text_of(values.get("draft")) == "true")
        yield from (name for name in names if name.startswith(drafts))


def targets_of_indexes(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the pages that are no pages because of `cascade` in an index file of Hugo above them, with paths as a target."""
    yield from below_indexes(place, names, lambda item: "path" in _target(item) and bool(is_snippet("", item)))


def below_indexes(place: Path, names: Collection[str], test: Callable[[dict[str, Any]], bool]) -> Iterator[str]:
    """Yield the pages below index files of Hugo whose `cascade` for all pages, or for some paths, passes a test."""
    is_site = any(_hugo(place))
    for index in (name for name in names if is_site and re.fullmatch(r"content/(?:.*/)?_?index\.[^/]*", name)):
        for item in map(folded, cascades(split(text_of_file(place / index)).fields)):
            target, folder = _target(item), index[: index.rfind("/") + 1]
            if test(item | folded(item.get("params"))) and ("path" in target or not target):
                rules = patterns(_targets(target) if target else ["*"], "content")
                yield from (name for name in names if name.startswith(folder) and is_ignored(name, rules))


def ignored_expressions(place: Path) -> Iterator[tuple[str, str, re.Pattern[str] | None]]:
    """Yield Hugo's regular expressions for paths that are no pages, `ignoreFiles`, each with the name of its file."""
    for name, fields in _hugo(place):
        yield from ((name, text, quick(text)) for text in strings_at(fields, "ignorefiles"))


def quick(text: str) -> re.Pattern[str] | None:
    """Compile a regular expression for searches; `None` if Python reads it in another way, or may need much time for a path."""
    text = re.sub(r"\A\^?\.\*(?![*+?])|(?<!\\)\.\*\$?\Z", "", text)  # at the ends, they change no match
    plain = re.sub(r"\\.", "", text)
    repetitions, groups, options = (len(re.findall(signs, plain)) for signs in (r"[*+{]", r"\(", r"\?"))
    if len(text) > _EXPRESSION_MAX or repetitions > 1 or groups > 1 or options > 2 or re.search(r"\)[*+{]", plain):
        return None
    with suppress(re.error, FutureWarning), catch_warnings():
        simplefilter("error")  # of a class in a class, `[[:alpha:]]`
        return re.compile(text)
    return None
