"""Needles against single files, here or in other processes. It hangs on a file's bytes and name, and on the needles."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote

from ranvier_builder.check.leaks.needles import Hit, How, Needles
from ranvier_builder.check.leaks.proofs import proof
from ranvier_builder.check.leaks.titles import TITLES, explained
from ranvier_builder.check.leaks.views import Said, strings, unused
from ranvier_builder.check.leaks.words import address, below, is_absolute, uncovered

_BATCH = 256  # files that a process takes at a time: the needles travel with each batch
# What names the site's files and folders to programs; a single word there is the name of something of ours.
_LISTS = ("_ranvier/entry.json", "_ranvier/manifest-", "_ranvier/written.txt", "_ranvier/builds.json", "_ranvier/files-")
_WORDS = "_ranvier/words/"  # a line for each word: it says nothing about the next
_VECTORS = "_ranvier/vectors/"  # tokens are any language's words; a file of anybody else's is found by its name
_READ = b"postings"
_APART = " · "  # nothing runs over it

Found = tuple[str, str, Hit]  # file, where, what
Searched = tuple[list[Found], bytes]  # what a file holds; where that is nothing, the proof of it


def batches(files: Sequence[str]) -> list[Sequence[str]]:
    """Cut a list of files into what is searched at a time."""
    return [files[at : at + _BATCH] for at in range(0, len(files), _BATCH)]


class FileSearch:
    """Searches files of one site. The same string is searched once, wherever it stands again."""

    def __init__(
        self,
        out: Path,
        url: str,
        needles: Needles,
        passed: tuple[frozenset[str], frozenset[str]],
        postings: frozenset[str],
        known: frozenset[bytes],
    ) -> None:
        self._out = out
        self._url = url
        self._own_url = url.rstrip("/").lower()
        self._needles = needles
        self._media, self._own = passed  # need no search: names of media that may be there, SHA-256 of the program's own files
        self._postings = postings  # files of posting leaves, put together and read elsewhere
        self._known = known
        self._question = needles.digest() + self._own_url.encode()
        self._clean: set[tuple[str, How, str]] = set()

    def search(self, names: Iterable[str]) -> list[Searched]:
        """Search some files, and their names; not those that are the program's own or were proved before."""
        return [self._one(name) for name in names]

    def _one(self, name: str) -> Searched:
        if name in self._media:
            return [*self._name(name)], b""
        data = (self._out / name).read_bytes()
        seal = sha256(data)
        if seal.hexdigest() in self._own:
            return [*self._name(name)], b""
        question = self._question + (_READ if name in self._postings else b"")
        proved = proof(question, name, seal.digest())
        if proved in self._known:
            return [], proved
        found = [*self._name(name), *self._file(name, data, strings if name not in self._postings else unused)]
        return found, b"" if found else proved

    def _name(self, name: str) -> Iterator[Found]:
        plain = unquote(name)
        for hit in (*self._needles.at(address(plain)), *self._needles.find(plain.replace("/", _APART), How.RAW)):
            yield name, "file name", hit

    def _file(self, name: str, data: bytes, opened: Callable[[str, bytes], Iterable[Said]]) -> Iterator[Found]:
        folder = posixpath.dirname(name)
        lists = name.startswith(_LISTS)
        known = explained(self._out, data) if name.startswith(TITLES) else frozenset[str]()
        for said in opened(name, data):
            if said.text in known:
                continue
            if lists:
                said = replace(said, how=How.RAW)
            elif name.startswith((_WORDS, _VECTORS)):
                said = replace(said, text=said.text.replace("\n", "\n\n"))
                if said.how is How.TEXT and name.startswith(_VECTORS):
                    said = replace(said, how=How.RAW)
            here = _resolved(folder, said.text) if said.at else ""
            key = (said.text.lstrip("./") if said.at else said.text, said.how, here)
            if key not in self._clean:
                hits = tuple(self._hits(folder, said))
                if not hits:
                    self._clean.add(key)
                yield from ((name, said.where, hit) for hit in hits)

    def _hits(self, folder: str, said: Said) -> Iterator[Hit]:
        if not said.at:
            for text in (said.text, *uncovered(said.text)):
                yield from self._needles.find(self._ours(text), said.how)
            return
        plain = unquote(said.text)
        if is_absolute(plain):
            ours = below(plain, self._url)
            if ours is None:
                yield from self._needles.find(self._ours(plain), How.RAW)
                return
            plain = ours
        path, _, rest = plain.partition("#")
        yield from self._needles.at(address(_resolved(folder, path)))
        yield from self._needles.find(f"{path.replace('/', _APART)}{_APART}{rest}", How.RAW)

    def _ours(self, text: str) -> str:
        """Read addresses of the site itself as paths from its root."""
        if not self._own_url or self._own_url not in text.lower():
            return text
        out, at, lower = [], 0, text.lower()
        while (found := lower.find(self._own_url, at)) >= 0:
            out.append(text[at:found])
            at = found + len(self._own_url)
        return "".join((*out, text[at:]))


def _resolved(folder: str, href: str) -> str:
    return posixpath.normpath(posixpath.join("/", folder, href.partition("#")[0].partition("?")[0]))
