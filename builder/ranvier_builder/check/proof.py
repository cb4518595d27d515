"""The proof of non-interference (A3): nothing that is withheld or private changes a byte of what is written.

The content is copied without it, by a reader that shares no code with the one that it checks. The copy is built by the same
code. Where both sites are the same, byte for byte, no word, number, name or order in the first depends on what the second
has never seen; so there is no list of what counts as a leak, and none of exceptions. Where nothing is left out of the copy,
there is nothing to prove.
"""

from __future__ import annotations

import filecmp
from collections.abc import Callable, Container, Iterable, Iterator
from hashlib import file_digest, sha256
from pathlib import Path

from ranvier_builder.check.copy import ReducedCopy, write_copy
from ranvier_builder.check.reader import Content, included_sources, read_content
from ranvier_builder.check.scan import ForbiddenTerms, Hit, lines, scan
from ranvier_builder.config import Config
from ranvier_builder.errors import Leak, LeakError

BuildSite = Callable[[Path, Path, Path], None]
_EXCERPT = 80  # characters


class Proof:
    """The reduced copy of a content folder, the site that comes of it, and what both say of another site."""

    def __init__(
        self,
        content: Path,
        config: Config,
        scratch: Path,
        admitted: Container[str],
        published: Container[str],
        build_site: BuildSite,
        *,
        out: Path | None = None,
        included: Iterable[str] = (),
    ) -> None:
        """Read the content and write the copy.

        Args:
            content: the folder that is to be published.
            config: for whom, and what else decides what is withheld.
            scratch: a folder of the proof's own; there must be room for the copy and for its site.
            admitted: paths of the files that the build may publish; what it withholds or does not read is left out of the copy.
            published: those of them that are pages by themselves.
            build_site: builds a site, given a content folder, an empty folder to write to, and another for what it needs; with
                nothing that another build has left.
            out: a folder below the content that is none.
            included: files that are no pages, of which pages took some text.

        Raises:
            LeakError: the gate lets a file through that the proof withholds.

        """
        self.content: Content = read_content(content, config, out)
        texts = included_sources(self.content, included, config)
        disputed = [source for source in self.content.withheld if source.path in published]
        disputed += [source for source in texts if source.withheld]
        if disputed:
            raise LeakError(
                [Leak("", source.path, 1, f"the gate admits it, the proof does not: {source.withheld}") for source in disputed]
            )
        paths = {source.path for source in self.content.files}
        self.content.files += [source for source in texts if source.path not in paths]
        self._scratch = scratch
        self._build_site = build_site
        self.copy: ReducedCopy = write_copy(self.content, admitted, config, scratch / "copy" / content.resolve().name)

    @property
    def twin(self) -> Path:
        """The folder of the copy's site."""
        return self._scratch / "twin"

    def build_twin(self, build_site: BuildSite | None = None) -> None:
        """Build the copy, unless that is done; by `build_site`, where what it uses was not made with what is withheld."""
        if not self.twin.exists():
            self.copy.copy_media()
            for folder in (self.twin, self._scratch / "work"):
                folder.mkdir()
            (build_site or self._build_site)(self.copy.folder, self.twin, self._scratch / "work")

    def compare(self, site: Path) -> list[str]:
        """Return the names of all files that are not the same in a site and in the twin, sorted."""
        self.build_twin()
        names = {
            file.relative_to(folder).as_posix() for folder in (site, self.twin) for file in folder.rglob("*") if file.is_file()
        }
        return [name for name in sorted(names) if not _same(site / name, self.twin / name)]

    def second_opinion(
        self, site: Path, differing: Container[str] = (), clean: frozenset[bytes] = frozenset()
    ) -> tuple[list[Hit], set[bytes]]:
        """Look through a site for what the copy leaves out, more closely where it differs; for the rest see `scan`."""
        return scan(site, ForbiddenTerms(self.content, self.copy), clean, differing)

    def leaks(self, site: Path, names: list[str], hits: list[Hit]) -> Iterator[Leak]:
        """Say of files that differ what in them is withheld, and of which file; where that is not known, where they differ."""
        for name in names:
            sources = [hit for hit in hits if hit.file == name]
            yield from (Leak(name, hit.path, hit.line, f"holds {hit.words!r}") for hit in sources)
            if not sources:
                yield Leak(name, "", 0, _difference(site / name, self.twin / name))


def tree_digest(folder: Path) -> bytes:
    """Digest the names and the bytes of all files below a folder."""
    seal = sha256()
    for name in _files(folder):
        with (folder / name).open("rb") as opened:
            seal.update(name.encode("utf-8", "surrogateescape") + b"\0" + file_digest(opened, "sha256").digest())
    return seal.digest()


def _files(folder: Path) -> list[str]:
    return sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())


def _same(site: Path, twin: Path) -> bool:
    return site.is_file() and twin.is_file() and filecmp.cmp(site, twin, shallow=False)


def _difference(site: Path, twin: Path) -> str:
    """Show the first line of a file that the twin's does not have."""
    if not site.is_file():
        return "is missing: the published content gives it"
    if not twin.is_file():
        return "the published content gives no such file"
    theirs = set(lines(twin.read_bytes()))
    line = next((line for line in lines(site.read_bytes()) if line not in theirs and line.isprintable()), "")
    return f"is not what the published content gives{f': {line[:_EXCERPT]!r}' if line else ''}"
