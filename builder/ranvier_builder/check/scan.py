"""A second check: a simple scan of the written files, unpacked, for text that is only in withheld files (A3).

It searches for names (ids, paths, addresses) and sequences of twelve words. In files that differ from the twin, it also
searches for shorter phrases: titles, fields, lines. They show the source of a difference.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b, sha256
from html import unescape
from pathlib import Path
from urllib.parse import unquote

from ranvier_builder.check.copy import ReducedCopy, Secret
from ranvier_builder.check.header import normalize
from ranvier_builder.check.reader import TRANSCRIPTS, Content, read_text
from ranvier_builder.check.unpack import texts_of
from ranvier_builder.paths import PAGES, files_below

Phrase = tuple[str, ...]  # words, folded
Anchors = dict[str, dict[tuple[int, int], set[Phrase]]]

_RUN_LENGTH = 12  # words
# Thai and Lao, Myanmar, Khmer, kana, Han: in scripts without spaces, each character is a word.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_MARKUP = re.compile(r"</?[a-zA-Z][\w:-]*|(?<=\s)[a-z-]+=\"|\"?>")  # tags, except the values of their attributes
# Invisible parts of Markdown: link targets, tags, templates.
_INVISIBLE = re.compile(r"\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s[^()\n]*)?\)|\[\[[^\[\]|\n]*\||<[^<>]*>|\{[{%][^{}]*[}%]\}")
_TOKEN = re.compile(r"[^\s\"'<>()\[\]{}|,;=`*\\]+")
# Bytes of ASCII → what the two patterns find in it, between blanks.
_ASCII_WORDS = bytes(ord(chr(code).lower()) if _WORD.match(chr(code)) else ord(" ") for code in range(128)).ljust(256)
_ASCII_TOKENS = bytes(code if _TOKEN.match(chr(code)) else ord(" ") for code in range(128)).ljust(256)
_HREF = re.compile(r"""\b(?:href|src)\s*=\s*["']?([^"'\s<>]+)""", re.IGNORECASE)
_ENDING = re.compile(r"(?:^|/)(?:index|_index|readme)(?:\.[a-z]+)?$|\.(?:md|mdx|markdown|html?|vtt|srt|pdf)$|/$")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_BLOCK = re.compile(r"\n(?=\s*<)|\n\n+")
_SHORTEST_ID, _SHORTEST_PHRASE = 10, 4  # characters
# Files that are equal in all sites.
PROGRAM = (*(f"_ranvier/{name}-" for name in ("engine", "core", "web", "theme", "langs")), "_ranvier/licenses.txt")
_EXCERPT = 80  # characters
_MAX_TOKENS, _MAX_TOKEN = 100_000, 64  # tokens without names in memory, and their characters
_MAX_BLOCKS = 200_000  # digests of clean texts in memory, in about 100 bytes each


@dataclass(frozen=True, slots=True, order=True)
class LeakHit:
    """A private phrase in a written file."""

    file: str
    path: str  # the source
    line: int
    words: str


ScanFiles = Callable[["FileScan", Sequence[str]], Iterable[tuple[bytes, list["Secret"]]]]


class ForbiddenTerms:
    """The phrases and names to search for, with their sources; text that is also published is not forbidden."""

    def __init__(self, content: Content, copy: ReducedCopy) -> None:
        self._phrases: dict[Phrase, Secret] = {}
        self._names: dict[str, Secret] = {}  # ids, and addresses without extensions
        self._clean_tokens: set[str] = set()  # they spell none of the names that count in all files
        self._link_names: dict[str, Secret] = {}  # names for suspects only: ambiguous ones, and those in a published text
        for source in content.withheld:
            if source.path.lower().endswith((*PAGES, *TRANSCRIPTS)):
                self._add_phrases(Secret(source.path, 1, read_text(content.root / source.path)))
            self._add_name(source.path, _address(source.path))
            for name in source.names:
                self._add_name(source.path, name)
                self._add_phrases(Secret(source.path, 1, name))
        for secret in copy.secrets:
            self._add_phrases(secret)
        anchors = _phrase_index(self._phrases)
        for path, text in copy.texts() if self else ():
            self._remove_published(path, text, anchors)
        self._anchors = _phrase_index(self._phrases)
        # Alone, because their rarest words are on few pages.
        self._run_anchors = _phrase_index(phrase for phrase in self._phrases if len(phrase) == _RUN_LENGTH)
        self.digest = sha256("\n".join((*sorted(map(" ".join, self._phrases)), "", *sorted(self._names))).encode()).digest()

    def __bool__(self) -> bool:
        return bool(self._phrases or self._names)

    def _add_phrases(self, secret: Secret) -> None:
        """Add 12-word sequences of each line; of a shorter line, the whole line and the text after a field's name."""
        for line, text in enumerate(secret.words.split("\n"), secret.line):
            words = _words(_INVISIBLE.sub(" ", text))
            runs = [tuple(words[at : at + _RUN_LENGTH]) for at in range(0, len(words) - _RUN_LENGTH + 1, _RUN_LENGTH // 2)]
            phrases = [tuple(_words(part)) for part in (text, text.partition(": ")[2])]
            for phrase in (*runs, *(phrase for phrase in phrases if 0 < len(phrase) < _RUN_LENGTH)):
                if len("".join(phrase)) >= _SHORTEST_PHRASE:
                    self._phrases.setdefault(phrase, Secret(secret.path, line, " ".join(phrase)))

    def _add_name(self, path: str, name: str) -> None:
        """Add an id or an address. An ambiguous name counts only in suspects; a plain word and an empty name are skipped."""
        folded = _address(name) if "/" in name else name.casefold()
        is_distinctive = "/" in folded or (len(folded) >= _SHORTEST_ID and re.search(r"\d", folded) and not folded.isdecimal())
        if is_distinctive or (folded and not folded.isalpha()):
            (self._names if is_distinctive else self._link_names).setdefault(folded, Secret(path, 1, name))

    def _remove_published(self, path: Path, text: str, anchors: Anchors) -> None:
        for name in map(_address, map(str, (path, *path.parents))):
            self._names.pop(name, None)
            self._link_names.pop(name, None)
        self._link_names |= {name: self._names.pop(name) for name in {*_spelled_names(_tokens(text))} & self._names.keys()}
        # Also line by line, as phrases are read: a lone `<` can be the start of a tag only together with the following lines.
        by_line = "\n".join(_INVISIBLE.sub(" ", line) for line in text.split("\n"))
        for reading in {text, _INVISIBLE.sub(" ", text), by_line, str(path)}:
            for phrase in _matches(_words(reading), anchors):
                self._phrases.pop(phrase, None)

    def terms_in(self, file: str, text: str, *, suspect: bool) -> Iterator[Secret]:
        """Yield the forbidden terms in a text; in a suspect file, also short phrases and names in links."""
        names = self._names | self._link_names if suspect else self._names
        if names:
            tokens = [token for token in _tokens(text) if suspect or token not in self._clean_tokens]
            secrets = [names[name] for name in _spelled_names(tokens) if name in names]
            yield from secrets
            yield from self.linked(file, text, suspect=suspect)
            if not (secrets or suspect) and len(self._clean_tokens) < _MAX_TOKENS:
                self._clean_tokens.update(token for token in tokens if len(token) <= _MAX_TOKEN)
        for reading in _readings(text) if suspect else (text,):
            words = _words(unescape(_MARKUP.sub(" ", reading)) if "<" in reading else reading)
            yield from map(self._phrases.__getitem__, _matches(words, self._anchors if suspect else self._run_anchors))

    def linked(self, file: str, text: str, *, suspect: bool) -> Iterator[Secret]:
        """Yield the forbidden names that the links of a text lead to; in another folder, a link may have another target."""
        names = self._names | self._link_names if suspect else self._names
        folder = posixpath.join("/", posixpath.dirname(file))
        for href in _HREF.findall(text) if names and "=" in text else ():
            if secret := names.get(_address(posixpath.normpath(posixpath.join(folder, href)))):
                yield secret


def _phrase_index(phrases: Iterable[Phrase]) -> Anchors:
    """Index phrases by their rarest word, then by its position and the length of the phrase."""
    phrases = [*phrases]
    counts = Counter(word for phrase in phrases for word in phrase)
    anchors: Anchors = {}
    for phrase in phrases:
        at = min(range(len(phrase)), key=lambda index: counts[phrase[index]])
        anchors.setdefault(phrase[at], {}).setdefault((at, len(phrase)), set()).add(phrase)
    return anchors


def _matches(words: list[str], anchors: Anchors) -> Iterator[Phrase]:
    if anchors.keys().isdisjoint(words):  # most texts
        return
    for at, word in enumerate(words):
        if word in anchors:
            for (offset, length), phrases in anchors[word].items():
                if at >= offset and (phrase := tuple(words[at - offset : at - offset + length])) in phrases:
                    yield phrase


def _readings(text: str) -> set[str]:
    """Return a text unchanged, and with its URL or JSON escapes decoded."""
    return {text, unquote(text), _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)}


def _words(text: str) -> list[str]:
    if text.isascii():  # in a quarter of the time
        return text.encode().translate(_ASCII_WORDS).decode().split()
    return _WORD.findall(normalize("NFKC", text).casefold())


def _tokens(text: str) -> list[str]:
    return text.encode().translate(_ASCII_TOKENS).decode().split() if text.isascii() else _TOKEN.findall(text)


def _spelled_names(tokens: Iterable[str]) -> Iterator[str]:
    """Yield possible ids, paths and addresses in the tokens of a text."""
    for token in tokens:
        if token.isalpha():
            continue
        yield token.casefold()
        if "/" in token:
            yield _address(token.partition("//")[2].partition("/")[2] if "//" in token else token)


def _address(path: str) -> str:
    """Fold a path or an address: `../Plans/Merger.md#x` → `plans/merger`."""
    plain = unquote(path).partition("#")[0].partition("?")[0].casefold()
    return _ENDING.sub("", _ENDING.sub("", plain.strip("/"))).strip("./").replace(" ", "-")


@dataclass(frozen=True, slots=True)
class FileScan:
    """Scans the files of a site, each alone; each process that calls it remembers the clean texts."""

    site: Path
    forbidden_terms: ForbiddenTerms
    clean_digests: frozenset[bytes]  # of clean files in an earlier scan
    suspects: frozenset[str]  # names of files in which shorter phrases count too
    _clean_blocks: set[bytes] = field(default_factory=set)  # digests: the texts would be as large as the site

    def __call__(self, name: str) -> tuple[bytes, list[Secret]]:
        """Return a digest of the terms, the file's name and its bytes; and the file's secrets."""
        data = (self.site / name).read_bytes()
        key = sha256(self.forbidden_terms.digest + name.encode("utf-8", "surrogateescape") + b"\0" + data).digest()
        return key, [] if key in self.clean_digests else [*self._secrets(name, data, suspect=name in self.suspects)]

    def _secrets(self, name: str, data: bytes, *, suspect: bool) -> Iterator[Secret]:
        yield from self.forbidden_terms.terms_in("", f"/{name}", suspect=suspect)
        for text in texts_of(data):
            for block in _BLOCK.split(text):
                key = blake2b(block.encode("utf-8", "surrogatepass"), digest_size=16).digest()
                if key in self._clean_blocks and not suspect:  # for example a menu that is on every page
                    yield from self.forbidden_terms.linked(name, block, suspect=False)
                    continue
                secrets = [*self.forbidden_terms.terms_in(name, block, suspect=suspect)]
                yield from secrets
                if not secrets:
                    if len(self._clean_blocks) == _MAX_BLOCKS:
                        self._clean_blocks.clear()
                    self._clean_blocks.add(key)


def scan_site(
    site: Path,
    forbidden_terms: ForbiddenTerms,
    clean_digests: Iterable[bytes],
    suspects: Iterable[str],
    scan_files: ScanFiles,
) -> tuple[list[LeakHit], set[bytes]]:
    """Scan every file below a folder.

    Args:
        site: the folder.
        forbidden_terms: the terms to search for.
        clean_digests: of clean files in an earlier scan.
        suspects: names of files in which shorter phrases count too.
        scan_files: calls a function for each file, in any number of processes.

    Returns:
        One hit for each pair of a file and a source; and for each clean file a digest of the terms and its bytes.

    """
    scan = FileScan(site, forbidden_terms, frozenset(clean_digests), frozenset(suspects))
    names = [name for name in files_below(site) if name in scan.suspects or not name.startswith(PROGRAM)]
    hits: dict[tuple[str, str], LeakHit] = {}
    clean_files = set[bytes]()
    for name, (key, secrets) in zip(names, scan_files(scan, names), strict=True) if forbidden_terms else ():
        for secret in secrets:
            hits.setdefault((name, secret.path), LeakHit(name, secret.path, secret.line, secret.words[:_EXCERPT]))
        if not secrets:
            clean_files.add(key)
    return sorted(hits.values()), clean_files
