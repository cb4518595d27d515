"""Finds the pages that another system leaves out because of other files, or of fields that its settings require."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from markdown_it import MarkdownIt

from ranvier_builder.markdown.javascript import objects
from ranvier_builder.paths import is_page, suffix
from ranvier_builder.read.frontmatter import split
from ranvier_builder.read.hugo import bundle_indexes, draft_sections, targets_of_indexes
from ranvier_builder.read.jekyll import NAMES as JEKYLL
from ranvier_builder.read.mkdocs import plugin_options
from ranvier_builder.read.settings import (
    folded,
    js_objects,
    load,
    python_strings,
    python_strings_by_name,
    script,
    strings_at,
    text_of_file,
    value_at,
    values_at,
)
from ranvier_builder.read.values import text_of
from ranvier_builder.read.withholding import properties_of

# Settings of mdBook and GitBook: the key of the pages' folder, its default, and pages that need no link in the contents.
_BOOKS = (
    ("book.toml", "book.src", "src", ()),
    (".gitbook.yaml", "root", ".", ("README.md",)),
    ("book.json", "root", ".", ("README.md",)),
)
MINTLIFY = ("docs.json", "mint.json")  # the second in former versions
VUEPRESS = (".vuepress/config", ".vuepress/theme", ".vuepress/theme/index")
_SOURCES = (".rmd", ".qmd")
_FRAMES = frozenset(("_404.md", "_coverpage.md", "_footer.md", "_header.md", "_navbar.md"))
_SIGN = re.compile(r"[^/]?[^\w/-]")  # of a regular expression, perhaps with a letter that it repeats
_EXPLICIT = re.compile(r"\bExplicitPublish\(")  # a filter of Quartz
_LOGSEQ = re.compile(r":publishing/all-pages-public\?\s+false\b")
# Plugins of Obsidian that publish the pages with a field: Digital Garden and Enveloppe.
_GARDENS = (("digitalgarden", "dg-publish"), ("obsidian-mkdocs-publisher", "share"))
_STATUS = re.compile(r"^(?:\.\.[ \t]+)?status:[ \t]*(\w+)[ \t]*$", re.IGNORECASE | re.MULTILINE)
_DATED = re.compile(r"\d{2,4}-\d{1,2}-\d{1,2}-", re.ASCII)
_OF_HEXO = frozenset(("new_post_name", "public_dir", "source_dir"))
ENCRYPTED = "its password"
_NIKOLA = re.compile(r"^POSTS\s*=", re.MULTILINE)


def _unlisted(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the pages of an mdBook or a GitBook that are not in its `SUMMARY.md`."""
    for file, key, default, unlinked in _BOOKS:
        settings = load(place / file)
        base = posixpath.normpath(next(strings_at(settings, key), default).lstrip("/"))
        summary = _join(base, next(strings_at(settings, "structure.summary"), "SUMMARY.md"))
        links = [*_links(text_of_file(place / summary))] if settings is not None else []
        folders = (base, posixpath.dirname(summary))
        chapters = {_join(folder, unquote(link.partition("#")[0])) for folder in folders for link in links}
        unlinked = (*unlinked, *strings_at(settings, "structure.readme"))
        listed = chapters.union((summary,), (_join(base, name) for name in unlinked))
        for name in filter(is_page, names) if chapters and not listed.isdisjoint(names) else ():
            if PurePosixPath(name).is_relative_to(base) and name not in listed:
                yield name


def _join(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path.lstrip("/")))


def _links(text: str) -> Iterator[str]:
    for token in MarkdownIt("commonmark").parse(text):
        yield from (str(child.attrGet("href")) for child in token.children or () if child.type == "link_open")


def _frames(_: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the parts around the pages of docsify, and of a wiki of GitHub, that has a `_sidebar.md`."""
    if any(name.lower().rpartition("/")[2] == "_sidebar.md" for name in names):
        yield from (name for name in names if name.lower().rpartition("/")[2] in _FRAMES)


def _rendered(_: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the sources of R Markdown and Quarto that have a rendered page beside them: `README.Rmd` and `README.md`."""
    sources = [name for name in names if suffix(name) in _SOURCES]
    rendered = {*names} if sources else set[str]()
    yield from (name for name in sources if f"{name[:-4]}.md" in rendered)


def _resources(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the pages that are resources of another one; documents and transcripts have its audience, see `Gate`."""
    indexes = bundle_indexes(place, names)
    bundles = {PurePosixPath(name).parent for name in indexes}
    for name in filter(is_page, names) if bundles else ():
        if name not in indexes and not bundles.isdisjoint(PurePosixPath(name).parents):
            yield name


def _quartz(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the pages without `publish: true`, if Quartz publishes only those that have it."""
    plugins = (item for item in values_at(load(place / "quartz.config.yaml"), "plugins") if isinstance(item, dict))
    is_on = any("explicit-publish" in str(item.get("source")) and item.get("enabled") is not False for item in plugins)
    if is_on or _EXPLICIT.search(script(place / "quartz.config.ts")):
        yield from _unmarked(place, (name for name in names if name.startswith("content/")), "publish")


def _logseq(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the pages without `public:: true`, if the settings of Logseq say that other pages are not public."""
    if _LOGSEQ.search(re.sub(r";[^\n]*", "", text_of_file(place / "logseq/config.edn"))):
        yield from _unmarked(place, names, "public")


def _gardens(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the pages of a vault without the field with which a plugin publishes pages, if some have it."""
    for plugin, field in _GARDENS:
        if text_of_file(place / ".obsidian/plugins" / plugin / "data.json"):
            unmarked = [*_unmarked(place, names, field)]
            yield from unmarked if len(unmarked) < sum(map(is_page, names)) else ()


def _unmarked(place: Path, names: Iterable[str], field: str) -> Iterator[str]:
    for name in filter(is_page, names):
        parts = split(text_of_file(place / name))
        if parts.hints or text_of({**properties_of(parts.body), **parts.fields}.get(field)) != "true":
            yield name


def _dendron(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the notes without `published: true` in the hierarchies of Dendron that are not published by default."""
    settings = load(place / "dendron.yml")
    options = folded(value_at(settings, "site.config")) | folded(value_at(settings, "publishing.hierarchy"))
    by_default = {name: value.get("publishByDefault") for name, value in options.items() if isinstance(value, dict)}
    closed = {name: False in (value.values() if isinstance(value, dict) else [value]) for name, value in by_default.items()}
    for name in filter(is_page, names) if any(closed.values()) else ():
        parts = PurePosixPath(name).stem.lower().split(".")
        above = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
        if closed.get(next((part for part in above if part in closed), "root")):
            yield from _unmarked(place, [name], "published")


def _status(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the drafts of Pelican and Nikola, whose fields need no fence, and may be in a file `.meta`."""
    is_nikola = _NIKOLA.search(text_of_file(place / "conf.py")) is not None
    is_pelican = (place / "pelicanconf.py").is_file()
    base = "." if is_nikola else pelican_folder(place)
    default = python_strings_by_name(place / "pelicanconf.py", "DEFAULT_METADATA").get("status", "")
    pages = (name for name in filter(is_page, names) if PurePosixPath(name).is_relative_to(base))
    for name in pages if is_nikola or is_pelican else ():
        text, meta = text_of_file(place / name), text_of_file((place / name).with_suffix(".meta")) if is_nikola else ""
        heads = (meta, text.lstrip().partition("\n\n")[0], f"status: {split(text).fields.get('status')}")
        statuses = {match[1].lower() for head in heads if (match := _STATUS.search(head))} - {"none"}
        if not (statuses or {default}).isdisjoint(("draft", "skip")):
            yield name


def pelican_folder(place: Path) -> str:
    """Return the folder of the pages of Pelican; it is all that is beside the settings if these do not name it."""
    folder = posixpath.normpath(next(iter(python_strings(place / "pelicanconf.py", "PATH")[-1:]), "content"))
    is_folder = os.path.isdir  # it is false for a name that is too long
    return folder if is_folder(place / folder) and not folder.startswith(("/", "..")) else "."


def _undated(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the posts of Jekyll whose name has no date, which it does not read; a file of settings may be of Hexo."""
    posts = [name for name in names if "_posts/" in name and is_page(name) and not _DATED.match(name.rpartition("/")[2])]
    files = [settings for file in JEKYLL if posts and isinstance(settings := load(place / file), dict)]
    if files and not any(_OF_HEXO.intersection(settings) for settings in files):
        yield from (name for name in posts if "/_posts/" in f"/{name}")


def _restricted(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the pages that Mintlify shows to some groups of its users only."""
    if any("navigation" in folded(load(place / name)) for name in MINTLIFY):
        fields = ((name, split(text_of_file(place / name)).fields) for name in filter(is_page, names))
        yield from (name for name, values in fields if values.get("groups"))


def _encrypted(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the pages that plugins of MkDocs and Hexo encrypt: all, those with a `level`, or those with some tags."""
    options = next(filter(None, plugin_options(place, "encryptcontent")), {})
    is_global = options.get("global_password", "") != "" or value_at(options, "password_inventory._global")
    tags = map(text_of, values_at(load(place / "_config.yml"), "encrypt.tags.name"))
    yield from _with_tags(place, names, {tag for tag in tags if tag})
    for name in filter(is_page, names) if options else ():
        of_folders = (folded(load(place / folder / ".meta.yml")) for folder in PurePosixPath(name).parents)
        fields = (split(text_of_file(place / name)).fields, *of_folders)
        if is_global or any(text_of(item.get("level")) for item in fields):
            yield name


def _with_tags(place: Path, names: Collection[str], tags: Collection[str]) -> Iterator[str]:
    """Yield the pages with a tag that hexo-blog-encrypt encrypts; an empty `password` turns it off."""
    for name in filter(is_page, names) if tags else ():
        fields = split(text_of_file(place / name)).fields
        own = fields.get("tags", fields.get("tag"))
        if fields.get("password") != "" and not {*map(text_of, own if isinstance(own, list) else [own])}.isdisjoint(tags):
            yield name


def protected(file: Path) -> Iterator[str]:
    """Yield the beginnings of the addresses that a theme of VuePress protects with a password.

    Of a regular expression, this is its literal beginning. A value that a program computes may protect all pages.
    """
    for theme in (item for settings in js_objects(file) for item in objects(settings)):
        encrypt, keys = theme.get("encrypt", False), theme.get("keyPage", False)
        options = encrypt if isinstance(encrypt, dict) else {"global": encrypt}
        values = [options.get(name, False) for name in ("global", "config", "rules")]
        keys = keys.get("keys", False) if isinstance(keys, dict) else keys
        if None in values or True in values or keys not in (False, []):
            yield "/"
        for address in (address for rules in values if isinstance(rules, dict) for address in rules):
            yield "/" + (_SIGN.split(address[1:])[0] if address.startswith("^") else address).lstrip("/")


def _protected(place: Path, names: Collection[str]) -> Iterator[str]:
    """Yield the pages that themes of VuePress protect by a field `keys`, or by the address in the field `permalink`."""
    addresses = tuple(address for stem in VUEPRESS for address in protected(place / stem))
    for name in filter(is_page, names) if (place / ".vuepress").is_dir() else ():
        fields = split(text_of_file(place / name)).fields
        if fields.get("keys") or (text_of(fields.get("permalink")) or "").startswith(addresses):
            yield name


# The file that excludes pages, by name, and the function that finds these pages.
FINDERS: dict[str, Callable[[Path, Collection[str]], Iterator[str]]] = {
    "SUMMARY.md": _unlisted,
    "_sidebar.md": _frames,
    "the .md file beside it": _rendered,
    "index.md": _resources,
    "_index.md": draft_sections,
    "cascade": targets_of_indexes,
    "quartz.config": _quartz,
    "logseq/config.edn": _logseq,
    ".obsidian/plugins": _gardens,
    "dendron.yml": _dendron,
    "its status": _status,
    "its name without a date": _undated,
    "its groups": _restricted,
    ENCRYPTED: _encrypted,
    "its keys": _protected,
}
