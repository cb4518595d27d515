"""The proof of non-interference (A3): withheld or private content does not change a byte of the output.

The content is copied without it, by a reader that shares no code with the reader that it checks. The same code builds the
copy. If both sites are equal, byte for byte, no word, number, name or order in the first depends on content that is not in the
copy. So neither a list of leaks nor a list of exceptions is needed. If nothing is left out of the copy, no proof is needed.
"""

from __future__ import annotations

import filecmp
from collections.abc import Callable, Container, Iterable, Iterator
from hashlib import file_digest, sha256
from pathlib import Path

from ranvier_builder.check.copy import ReducedCopy, write_copy
from ranvier_builder.check.reader import Content, included_sources, read_content
from ranvier_builder.check.scan import ForbiddenTerms, LeakHit, ScanFiles, scan_site
from ranvier_builder.check.unpack import lines
from ranvier_builder.config import Config
from ranvier_builder.errors import Leak, LeakError
from ranvier_builder.paths import files_below

BuildSite = Callable[[Path, Path, Path], None]
_EXCERPT = 80  # characters


class Proof:
    """The reduced copy of a content folder, the site built from it, and the comparison of another site with both."""

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
        scan_files: ScanFiles = map,
    ) -> None:
        """Read the content and write the copy.

        Args:
            content: the folder that is to be published.
            config: the audience and all other settings that decide which files are withheld.
            scratch: a folder for the proof alone, with space for the copy and its site.
            admitted: paths of the files that the build may publish; the copy has no other files.
            published: those of them that are pages.
            build_site: builds a site, given a content folder, an empty output folder and an empty folder for temporary files.
                It must not use results of another build.
            out: a folder below the content that is not content.
            included: files that are not pages, and whose text is included by pages.
            scan_files: calls the scan for each file, in any number of processes.

        Raises:
            LeakError: the gate admits a file that the proof withholds.

        """
        self.content: Content = read_content(content, config, out)
        texts = included_sources(self.content, included, config)
        conflicts = [source for source in self.content.withheld if source.path in published]
        conflicts += [source for source in texts if source.withheld]
        if conflicts:
            message = "the build would publish this file, but the leak check withholds it"
            raise LeakError([Leak("", source.path, 1, f"{message}: {source.withheld}") for source in conflicts])
        paths = {source.path for source in self.content.files}
        self.content.files += [source for source in texts if source.path not in paths]
        self._scratch = scratch
        self._build_site = build_site
        self._scan_files = scan_files
        self.copy: ReducedCopy = write_copy(self.content, admitted, config, scratch / "copy" / content.resolve().name)

    @property
    def twin(self) -> Path:
        """The folder of the copy's site."""
        return self._scratch / "twin"

    def build_twin(self, build_site: BuildSite | None = None) -> None:
        """Build the copy once. A given `build_site` must not use anything that was made with withheld content."""
        if not self.twin.exists():
            self.copy.copy_media()
            for folder in (self.twin, self._scratch / "work"):
                folder.mkdir()
            (build_site or self._build_site)(self.copy.folder, self.twin, self._scratch / "work")

    def compare(self, site: Path) -> list[str]:
        """Return the sorted names of all files that differ between a site and the twin."""
        self.build_twin()
        names = {*files_below(site), *files_below(self.twin)}
        return [name for name in sorted(names) if not _are_equal(site / name, self.twin / name)]

    def scan(
        self, site: Path, differences: Iterable[str] = (), clean_digests: Iterable[bytes] = ()
    ) -> tuple[list[LeakHit], set[bytes]]:
        """Scan a site for the text that the copy leaves out, more closely in files that differ; see `check.scan`."""
        return scan_site(site, ForbiddenTerms(self.content, self.copy), clean_digests, differences, self._scan_files)

    def leaks(self, site: Path, names: list[str], hits: list[LeakHit]) -> Iterator[Leak]:
        """Yield for each differing file its withheld words and their source; if these are unknown, the first difference."""
        for name in names:
            sources = [hit for hit in hits if hit.file == name]
            yield from (Leak(name, hit.path, hit.line, f"contains {hit.words!r}") for hit in sources)
            if not sources:
                yield Leak(name, "", 0, _difference(site / name, self.twin / name))


def tree_digest(folder: Path) -> bytes:
    """Return a digest of the names and the bytes of all files below a folder."""
    hasher = sha256()
    for name in files_below(folder):
        with (folder / name).open("rb") as stream:
            hasher.update(name.encode("utf-8", "surrogateescape") + b"\0" + file_digest(stream, "sha256").digest())
    return hasher.digest()


def _are_equal(site: Path, twin: Path) -> bool:
    return site.is_file() and twin.is_file() and filecmp.cmp(site, twin, shallow=False)


def _difference(site: Path, twin: Path) -> str:
    """Describe a difference by the first line of a file that is not in the twin's file."""
    if not site.is_file():
        return "is missing, although a build of the published content writes it"
    if not twin.is_file():
        return "is not written by a build of the published content"
    twin_lines = set(lines(twin.read_bytes()))
    line = next((line for line in lines(site.read_bytes()) if line not in twin_lines and line.isprintable()), "")
    return f"differs from a build of the published content{f': {line[:_EXCERPT]!r}' if line else ''}"
