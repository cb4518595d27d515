"""What the leak check reports."""

from __future__ import annotations

from dataclasses import dataclass

# What of a withheld file can be found in an output, the most telling first.
KINDS = ("media", "note", "title", "alias", "tag", "id", "slug", "path", "field", "text")


@dataclass(frozen=True, slots=True, order=True)
class Leak:
    """Something withheld that stands in a written file."""

    file: str  # in the output, with slashes
    where: str  # "text", "file name", "page 12 of the snapshot", "vocabulary"
    kind: str  # one of `KINDS`
    of: str  # the withheld file, in the content folder
    excerpt: str  # what was found, shortened

    def __str__(self) -> str:
        return f"{self.file}: {self.where}: {self.kind} of {self.of}: {self.excerpt!r}"
