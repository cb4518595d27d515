"""Insert included files, after the gate: a page includes only published text.

A Markdown file is included if its page passed the gate. Any other file must be part of the content, must not belong to a
withheld page, and needs a `default_audience` that publishes pages without an audience. If it begins with a front matter, this
must publish it, too.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath

from ranvier_builder.audience import Admitted, readers_see
from ranvier_builder.markdown.claims import strip_claims
from ranvier_builder.markdown.code import Inside, blocks, longer_fence
from ranvier_builder.markdown.dialects.comments import without_comments
from ranvier_builder.markdown.dialects.includes import DIRECTIVE, LISTING, MARK, ROUTER_TAGS, mark_of_router, targets, unmark
from ranvier_builder.model import Neuron, Warn
from ranvier_builder.paths import EXTRACTED, PAGES, fold, identity, page_name, suffix
from ranvier_builder.render.file_parts import PART, file_part

_MAX_DEPTH, _MAX_INCLUDES = 5, 200  # nested includes; includes on one page
_MAX_SIZE = 200_000  # bytes of a file, and characters that a page includes
_FOLDERS = ("includes", "_includes")
_SNIPPETS = "snippets"  # a file below such a folder is no page if a page elsewhere includes all of it
_INDENT = re.compile(r"[ \t>]*")
_DIRECTIVE_OR_MARK = re.compile(f"{MARK.pattern}|{DIRECTIVE.pattern}", re.MULTILINE)
_NUMBER = re.compile(r"(?<![^/])\d+-")


@dataclass(frozen=True, slots=True)
class IncludeFiles:
    """The files that may be included: the pages that passed, and the other files that the build reads.

    `withheld` are the paths of pages that did not pass. `level` is the smallest audience that may see files
    without an audience; `None` if they are not published. `head` returns the front matter of a text, and that audience;
    prose is judged like a page. `folders` have the snippets, according to the settings of MkDocs.
    """

    root: Path
    paths: frozenset[str]
    withheld: frozenset[str]
    refused: frozenset[str]
    level: int | None
    admitted: Admitted
    head: Callable[[str, bool], tuple[str, int | None]]
    folders: tuple[str, ...]


@dataclass(slots=True)
class Included:
    """Pages with their included text. `files` are the included files that are not pages."""

    neurons: tuple[Neuron, ...]
    files: frozenset[str] = frozenset()
    warnings: list[Warn] = field(default_factory=list)


def fill_includes(files: IncludeFiles) -> Included:
    """Replace include directives by the included text; a directive without a published target is removed, but stays in code."""
    neurons = files.admitted.neurons
    if not any(_DIRECTIVE_OR_MARK.search(neuron.body) for neuron in neurons):
        return Included(neurons)
    filler = _Filler(files)
    filled_neurons = [filler.page(neuron) for neuron in neurons]
    parts = set(filter(_is_in_snippets, filler.included_pages))
    pages_and_snippets = (
        replace(neuron, is_snippet=True) if neuron.path in parts and neuron.is_snippet is None else neuron
        for neuron in filled_neurons
    )
    return Included(tuple(pages_and_snippets), frozenset(filler.included_files), filler.warnings)


class _Filler:
    def __init__(self, files: IncludeFiles) -> None:
        self.included_files: set[str] = set()
        self.included_pages: set[str] = set()
        self.warnings: list[Warn] = []
        self._files = files
        self._pages = {neuron.path: neuron for neuron in files.admitted.neurons if suffix(neuron.path) in PAGES}
        self._stems = {*map(_stem, files.withheld)}
        self._withheld_inodes = {file for path in files.withheld if (file := identity(files.root / path))}
        self._name_levels: dict[str, int] = {}
        for path, level in files.admitted.levels.items():
            name = _stem(path)
            self._name_levels[name] = max(level, self._name_levels.get(name, 0))
        self._count = self._size = 0
        self._page, self._at = Neuron("", "", ""), 0  # the page, and the offset of the directive in its body
        self._is_prose = False  # whether neither the directive nor one that it is included by is in code

    def page(self, neuron: Neuron) -> Neuron:
        self._count = self._size = 0
        body = neuron.body
        text = _of_router(body, neuron.path)
        self._page, self._at = replace(neuron, markdown=text), 0
        filled = self._fill(text, neuron.path, (neuron.path,))
        return neuron if filled == body else replace(neuron, markdown=filled)  # an unchanged text stays on disk

    def _fill(self, text: str, source: str, chain: tuple[str, ...]) -> str:
        if not _DIRECTIVE_OR_MARK.search(text):
            return text
        is_page, is_prose = len(chain) == 1, self._is_prose
        in_code = Inside([] if is_page or not is_prose else blocks(text))  # in code of a page, no directive is a mark

        def replacement(match: re.Match[str]) -> str:
            is_mark = match["hex"] is not None
            self._is_prose = is_mark if is_page else is_prose and not in_code(match.start())
            if is_page:
                self._at = match.start()
            if match["shortcode"] or match["bare"]:  # not a mark: an example that was escaped, or in code
                return match.group()
            text_of_mark = unmark(match) if is_mark else ""
            directive = DIRECTIVE.match(text_of_mark) if is_mark else match
            if listing := LISTING.match(text_of_mark):
                inserted = self._listing(listing, source, chain)
            else:
                cuts = text_of_mark[directive.end() :].split("\n")[1:-1] if directive and is_mark else []
                inserted = self._shown(directive, source, chain, cuts) if directive else ""
                inserted = without_comments(inserted) if inserted and is_mark and len(chain) == 1 else inserted
            if inserted is None:
                return "" if is_mark else match.group()
            if directive and directive["files"] and is_mark:
                inserted += "\n"  # the next file of the list begins another paragraph
            begin = text.rfind("\n", 0, match.start()) + 1
            indent = _INDENT.match(text, begin, max(match.start(), match.end("indent")))
            return (match["indent"] or "") + inserted.replace("\n", f"\n{indent.group() if indent else ''}")

        filled = _DIRECTIVE_OR_MARK.sub(replacement, text)
        self._is_prose = is_prose
        return filled

    def _shown(self, directive: re.Match[str], source: str, chain: tuple[str, ...], cuts: list[str]) -> str | None:
        """Return what is shown in place of a directive; `None` if one of its files is missing or not published."""
        if directive["escape"]:
            return directive.group().strip().replace(";", "", 1)
        texts = list[str]()
        is_complete = True
        for reference, is_relative in targets(directive):
            included = self._text(reference, is_relative, source, chain, cuts)
            is_complete = is_complete and included is not None
            texts.append(included or "")
            if included is None:
                self._report(reference, chain, "missing or not published", cuts)
        return "\n\n".join(texts) if is_complete else None

    def _listing(self, listing: re.Match[str], source: str, chain: tuple[str, ...]) -> str | None:
        """Return a file as a code block, between fences that its text cannot close; `None` if it is missing, or a page."""
        cuts = listing["cuts"].split("\n")[1:]
        text = self._text(listing["reference"], True, source, chain, cuts, verbatim=True)
        if text is None:
            self._report(listing["reference"], chain, "missing, not published, or a page", cuts)
            return None
        fence = longer_fence(text)
        return f"{fence}{listing['info']}\n{text}\n{fence}"

    def _report(self, name: str, chain: tuple[str, ...], problem: str, cuts: list[str]) -> None:
        if len(chain) == 1:
            problem += ", or has no such part" if cuts or PART.fullmatch(name) else ""
            line = self._page.line + self._page.body.count("\n", 0, self._at)
            message = f"the included file is {problem}: {name.rstrip('/')}"
            self.warnings.append(Warn(self._page.path, "markup", message, line))

    def _text(
        self, reference: str, is_relative: bool, source: str, chain: tuple[str, ...], cuts: list[str], *, verbatim: bool = False
    ) -> str | None:
        """Return the text of a file, or of the part that `cuts` choose; `verbatim` as it is."""
        is_prose = self._is_prose and not verbatim
        self._count += 1
        if self._count > _MAX_INCLUDES or len(chain) > _MAX_DEPTH:
            return None
        path = self._path(source, reference, is_relative)
        page = self._pages.get(path or "")
        if path is None or path in chain or (verbatim and page):  # a page has marks, and no source
            return None
        if not readers_see(self._files.admitted.levels, chain[0], path, self._level(path)):
            return None
        text = _of_router(page.body, chain[0]) if page else self._read(path, chain[0], is_prose=is_prose)
        text = file_part(reference, text, cuts, page.line if page else 1, is_book=is_relative, is_prose=is_prose)
        if text is None or self._size + len(text) > _MAX_SIZE:
            return None
        self._size += len(text)
        if page and not cuts and ":" not in reference and not _is_in_snippets(chain[0]):
            self.included_pages.add(path)
        return (text if verbatim else self._fill(text, path, (*chain, path))).strip("\n")

    def _path(self, source: str, reference: str, is_relative: bool) -> str | None:
        file = reference.partition(":")[0].strip()
        page_path = posixpath.normpath(posixpath.join(posixpath.dirname(source), file))
        root_path = posixpath.normpath(file.lstrip("/"))
        if file.endswith("/"):  # the field `source` names a page, and no other file
            return self._paths_by_name.get(root_path)
        # MkDocs takes a path relative to the folder above the content, too: `docs/part.md`.
        below_root = root_path.removeprefix(f"{self._files.root.resolve().name}/")
        candidates = [page_path, root_path] if is_relative else [*self._in_folders(file), root_path, page_path, below_root]
        if is_relative and not file.startswith("."):
            # The root of the whole site can be any folder above the page, and the content can be a folder in it.
            inner = file.lstrip("/")
            names = [
                inner,
                *(f"{name}/{inner}" for name in _FOLDERS),
                inner.partition("/")[2] if file.startswith("/") else inner,
            ]
            folders = [*map(str, PurePosixPath(source).parents)]
            candidates += [posixpath.normpath(f"{folder}/{name}") for name in names for folder in folders]
        candidates.append(self._paths_by_name.get(root_path, ""))
        return next((candidate for candidate in candidates if candidate in self._pages or self._is_includable(candidate)), None)

    def _in_folders(self, file: str) -> list[str]:
        return [posixpath.normpath(posixpath.join(folder, file.lstrip("/"))) for folder in self._files.folders]

    @cached_property
    def _paths_by_name(self) -> dict[str, str]:
        """The pages by their paths without endings and numbers: Next.js has `app/guides/a` for `01-app/02-guides/a.mdx`."""
        return {_NUMBER.sub("", page_name(path)): path for path in sorted(self._pages, reverse=True)}

    def _level(self, path: str) -> int:
        """Return the smallest audience that may see a file that is no page: all pages decide to which it belongs."""
        return max([self._files.level or 0, *(self._name_levels.get(name, 0) for name in _names(path))])

    def _is_includable(self, path: str) -> bool:
        files = self._files
        if (
            path not in files.paths
            or suffix(path) in (*PAGES, *EXTRACTED)
            or path in files.refused
            or files.level is None
            or files.admitted.holds(path)
        ):
            return False
        return not self._stems.intersection(_names(path)) and identity(files.root / path) not in self._withheld_inodes

    def _read(self, path: str, page: str, *, is_prose: bool) -> str | None:
        """Return the text of a file that is no page, if its front matter does not withhold it; prose has empty lines for it."""
        try:
            file = self._files.root / path
            text = file.read_bytes().decode("utf-8-sig") if file.stat().st_size <= _MAX_SIZE else None
        except (OSError, UnicodeDecodeError):
            return None
        if text is None or "\0" in text:
            return None
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        head, level = self._files.head(text, is_prose)
        if level is None or not readers_see(self._files.admitted.levels, page, path, level):
            return None
        self.included_files.add(path)
        return strip_claims("\n" * head.count("\n") + text[len(head) :] if is_prose else text)


def _of_router(text: str, path: str) -> str:
    """Return a text without the parts for the pages of the other router of Next.js."""
    folders = (_NUMBER.sub("", folder) for folder in PurePosixPath(path).parts[:-1])
    router = next((folder for folder in folders if folder in ROUTER_TAGS.values()), "")
    for name in (name for name, other in ROUTER_TAGS.items() if router not in ("", other)):
        opening, closing = mark_of_router(name, closes=False), mark_of_router(name, closes=True)
        head, last, rest = text.rpartition(closing)  # below it, each search for an end would read all of the text
        head = re.sub(f"{opening}.*?{closing}", lambda part: "\n" * part[0].count("\n"), head + last, flags=re.DOTALL)
        text = head + rest
    return text


def _is_in_snippets(path: str) -> bool:
    return _SNIPPETS in PurePosixPath(path).parts[:-1]


def _stem(path: str) -> str:
    return fold(str(PurePosixPath(path).with_suffix("")))


def _names(path: str) -> Iterable[str]:
    """Yield possible names of the page to which a file belongs: `talk.en.rs` → `talk.en.rs`, `talk.en`, `talk`."""
    folder, slash, name = fold(path).rpartition("/")
    while name:
        yield f"{folder}{slash}{name}"
        name = name.rpartition(".")[0]
