"""The reduced copy of a content folder: without withheld files, and without private parts of the other files (A3)."""

from __future__ import annotations

import json
import os
import re
import shutil
import tomllib
from collections.abc import Callable, Container, Iterator
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import yaml

from ranvier_builder.check.canvas import reduced_canvas
from ranvier_builder.check.header import Header, fold_key, header_of
from ranvier_builder.check.nodes import compose, read_parts
from ranvier_builder.check.private import Private, masked_claims, masked_transcript
from ranvier_builder.check.reader import TRANSCRIPTS, Content, StrictSource, fold_path, inode_of, known_words, read_text
from ranvier_builder.check.withholding import audiences
from ranvier_builder.config import Config
from ranvier_builder.paths import CANVAS, PAGES, files_below

_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_MAX_WIDTH = 1 << 30  # maximum line width in characters: no line is wrapped
_PUBLISHED = frozenset(
    """id title kind tags tag aliases alias summary description confidence source_type derived_from user_note_shared created
    date updated lastmod parent role lang weight noindex excalidraw-plugin sidebar_position nav_order sort_rank order sidebar
    sidebar_label sidebartitle nav_label nav_title linktitle slug permalink url redirect_from redirects build _build
    nosearch no-search hiddenfromsearch search_exclude exclude_search excludesearch excludefromsearch searchhidden
    booksearchexclude robotsnoindex search
    searchable pagefind in_search_index robots toc_hide bookhidden geekdochidden eleventyexcludefromcollections navigation
    visible cascade headless render unlisted hidden nav_exclude home hero herotext tagline actions actiontext actionlink
    features eleventynavigation myst substitutions
    translationkey translation_key page_id""".split()
)
_PATH = re.compile(r"[\w-]+(/[\w-]+)+")  # of the page whose text a page has: the field `source` in MDX
_STRINGS = "tag:yaml.org,2002:str"


@dataclass(frozen=True, slots=True)
class Secret:
    """Text that must not be published: its file, line and words."""

    path: str
    line: int
    words: str


@dataclass(slots=True)
class ReducedCopy:
    """A copy on disk, and the parts that were left out. `digest` covers its whole content and the settings."""

    folder: Path
    digest: bytes = b""
    differs: bool = False  # whether something was left out
    secrets: list[Secret] = field(default_factory=list)  # private parts of published files
    _media: list[tuple[Path, Path]] = field(default_factory=list)
    _rules: set[Path] = field(default_factory=set)  # files that only say that their folder is withheld
    # Inode of a content file → its first path in the copy.
    _by_inode: dict[tuple[int, int] | None, Path] = field(default_factory=dict)

    def texts(self) -> Iterator[tuple[Path, str]]:
        """Yield the path and the text of each text file in the copy."""
        for name in files_below(self.folder):
            if name.lower().endswith((*PAGES, *TRANSCRIPTS)) and self.folder / name not in self._rules:
                yield Path(name), read_text(self.folder / name)

    def _write_rule(self, target: Path) -> None:
        """Write what a withheld index file says of the files in its folder, and nothing else of it."""
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("---\ncascade: {draft: true}\n---\n", "utf-8")
        self._rules.add(target)

    def copy_media(self) -> None:
        """Copy the files that are not texts."""
        for file, target in self._media:
            if not self._link_duplicate(file, target):
                shutil.copyfile(file, target)
        self._media.clear()

    def _link_duplicate(self, file: Path, target: Path) -> bool:
        """Create the parent folders. If the copy already has this file under another name, link to it and return true."""
        target.parent.mkdir(parents=True, exist_ok=True)
        inode = inode_of(file)
        if inode is None or (first := self._by_inode.setdefault(inode, target)) == target:
            return False
        os.link(first, target)
        return True


def write_copy(content: Content, admitted: Container[str], config: Config, folder: Path) -> ReducedCopy:
    """Write the texts that both the proof and the build admit; other files are recorded, and copied by `copy_media`."""
    copy = ReducedCopy(folder)
    folder.mkdir(parents=True)
    writer = _Writer(content, config, copy.secrets)
    hasher, targets = sha256(repr(asdict(config)).encode()), set[Path]()
    for source in sorted((*content.pages, *content.files), key=lambda source: source.path):
        is_page = source.path.lower().endswith(PAGES)
        if source.withheld or source.path not in admitted:
            copy.differs = True
            if source.withholds_below:
                copy._write_rule(_target(folder, source.path, targets))
                hasher.update(source.path.encode("utf-8", "surrogateescape"))
            continue
        file, target = content.root / source.path, _target(folder, source.path, targets)
        if is_page or source.path.lower().endswith(TRANSCRIPTS):
            original, reduced = writer.reduced(source, read_text(file, "replace" if is_page else "surrogateescape"))
            copy.differs |= original != reduced or target != folder / source.path
            data = reduced.encode("utf-8", "surrogateescape") if original != reduced else file.read_bytes()
            if not copy._link_duplicate(file, target):
                target.write_bytes(data)
            hasher.update(repr((source.path, sha256(data).digest())).encode("utf-8", "surrogateescape"))
        else:
            stat = file.stat()
            metadata = (stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
            hasher.update(repr((source.path, metadata)).encode("utf-8", "surrogateescape"))
            copy._media.append((file, target))
    copy.digest = hasher.digest()
    return copy


def _target(folder: Path, path: str, targets: set[Path]) -> Path:
    """Return the path of a file in the copy. It is unique, and ids of claims in it are masked."""
    numbers = (folder / masked_claims(path, lambda *_: None, f"{number:08x}") for number in count())
    target = next(target for target in numbers if target not in targets)
    targets.add(target)
    return target


class _Writer:
    """Removes private parts from published texts."""

    def __init__(self, content: Content, config: Config, secrets: list[Secret]) -> None:
        self._config = config
        self._secrets = secrets
        private_names = _private_names(content) if config.redact_private_links else frozenset[str]()
        self.private = Private(not config.trusted_html, private_names)

    def reduced(self, source: StrictSource, text: str) -> tuple[str, str]:
        """Return a text before and after the reduction; in both, the body begins on the same line."""

        def keep(line: int, words: str) -> None:
            self._secrets.append(Secret(source.path, line + 1, words))

        if source.path.lower().endswith(CANVAS):
            return text, reduced_canvas(
                text,
                lambda header: self._reduce_head(header.raw, header, "", lambda words: keep(0, words)),
                lambda card: self.private.masked(card, lambda _, words: keep(0, words)),
            )
        if not source.path.lower().endswith(PAGES):
            return text, masked_transcript(text, keep)
        original, (header, text) = text, header_of(text)
        head, lines_above = text[: header.body], text.count("\n", 0, header.body)
        if header.kind:
            head = self._reduce_head(head, header, text, lambda words: keep(0, words))
        drawing = "excalidraw-plugin" in header.fields
        body = self.private.masked(text[header.body :], lambda at, words: keep(lines_above + at, words), percent=not drawing)
        return original, head + body

    def _reduce_head(self, head: str, header: Header, text: str, keep: Callable[[str], None]) -> str:
        fields = {name: header.fields.get(name.strip().lower()) for name in header.names}
        private = [name for name in fields if not (self._is_published(name, header) or self._is_audience(name))]
        for name in private:
            keep(f"{name}: {' '.join(_words(fields[name]))}")
        readings = audiences(header, text, self._config.audience_fields) or []
        words = {word for reading in readings for word in reading}
        known_terms = known_words(tuple(words), self._config)
        unknown = [word for word in words if not known_words((word,), self._config)]
        masked = self.private.masked(header.raw, lambda _, words: keep(words))
        if not private and not unknown and masked == header.raw and "#" not in header.raw:
            return head
        lines = head.count("\n")
        write = self._yaml if header.kind == "yaml" else self._json
        front_matter = write(header, sorted(known_terms))
        if header.kind == "yaml":
            return f"---\n{front_matter}{chr(10) * (lines - front_matter.count(chr(10)) - 2)}---\n"
        return f"{chr(10) * (lines - 1)}{front_matter}\n"

    def _is_published(self, name: str, header: Header) -> bool:
        key = name.strip().lower()
        if key == "user_note":
            return header.fields.get("user_note_shared") is True
        if key == "source" and _PATH.fullmatch(str(header.fields.get("source"))):
            return True
        globs = self._config.search_fields
        return key in _PUBLISHED or (not self._is_audience(name) and any(fnmatchcase(key, glob.lower()) for glob in globs))

    def _is_audience(self, name: str) -> bool:
        return fold_key(name) in {
            fold_key(part) for field in ("audience", *self._config.audience_fields) for part in _parts(field)
        }

    def _yaml(self, header: Header, audience: list[str]) -> str:
        node: yaml.Node | None = compose(header.raw) if header.unread is None else read_parts(header.raw).node
        if not isinstance(node, yaml.MappingNode):  # only comments
            node = yaml.MappingNode("tag:yaml.org,2002:map", [])
        self._filter(node, header)
        if audience:
            words = [yaml.ScalarNode(_STRINGS, word) for word in audience]
            node.value.append(
                (yaml.ScalarNode(_STRINGS, "audience"), yaml.SequenceNode("tag:yaml.org,2002:seq", words, flow_style=True))
            )
        return str(yaml.serialize(node, Dumper=_DUMPER, allow_unicode=True, width=_MAX_WIDTH))

    def _filter(self, node: yaml.Node, header: Header) -> None:
        """Remove private pairs, also from merged maps."""
        for item in node.value if isinstance(node, yaml.SequenceNode) else ():
            self._filter(item, header)
        if not isinstance(node, yaml.MappingNode):
            return
        pairs = []
        for key, value in node.value:
            if key.value == "<<":
                self._filter(value, header)
            elif self._is_published(str(key.value), header):
                self._mask_values(value)
            else:
                continue
            pairs.append((key, value))
        node.value = pairs

    def _mask_values(self, root: yaml.Node) -> None:
        stack, visited = [root], set[int]()
        while stack:
            node = stack.pop()
            if id(node) in visited:
                continue
            visited.add(id(node))
            if isinstance(node, yaml.ScalarNode):
                node.value = self._mask_text(node.value)
            else:
                stack += [part for item in node.value for part in (item if isinstance(item, tuple) else (item,))]

    def _mask_text(self, text: str) -> str:
        """Mask the text of a field. Lone surrogates, which YAML can express and a file cannot store, are replaced."""
        return self.private.masked(text.encode("utf-8", "replace").decode(), lambda *_: None)

    def _json(self, header: Header, audience: list[str]) -> str:
        values = tomllib.loads(header.raw) if header.kind == "toml" else json.loads(header.raw)
        public_fields = {name: self._mask_value(value) for name, value in values.items() if self._is_published(name, header)}
        if audience:
            public_fields["audience"] = audience
        public_fields = public_fields or {"noindex": False}  # the default value; an empty object is not front matter
        return json.dumps(public_fields, default=lambda value: value.isoformat())

    def _mask_value(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: self._mask_value(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self._mask_value(item) for item in value]
        return self._mask_text(value) if isinstance(value, str) else value


def _parts(name: str) -> tuple[str, str]:
    """Return a field's name and its parent field: `ms.audience` → `ms.audience`, `ms`."""
    return name, name.partition(".")[0]


def _words(value: Any) -> Iterator[str]:
    """Yield every text in a value."""
    stack = [value]
    while stack:
        item = stack.pop(0)
        if isinstance(item, (dict, list)):
            stack[:0] = [*item.values()] if isinstance(item, dict) else item
        elif item is not None:
            yield str(item)


def _private_names(content: Content) -> frozenset[str]:
    """Return the folded names of withheld pages that are not also names of published pages."""
    withheld = {name for page in content.pages if page.withheld for name in _page_names(page)}
    return frozenset(withheld - {name for page in content.pages if not page.withheld for name in _page_names(page)})


def _page_names(page: StrictSource) -> Iterator[str]:
    """Yield a page's names: id, title, aliases, and each suffix of its path, with and without the extension."""
    yield from map(fold_path, page.names)
    path = fold_path(page.path)
    for name in (path, path.rpartition(".")[0]):
        parts = name.split("/")
        yield from ("/".join(parts[at:]) for at in range(len(parts)))
