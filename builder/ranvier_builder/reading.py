"""A content folder that was read: what passed the gate, with its includes, and which of its files are not published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ranvier_builder.audience import Admitted, Gate, example
from ranvier_builder.config import FILE, Config
from ranvier_builder.errors import ReadError
from ranvier_builder.markdown.claims import strip_claims
from ranvier_builder.model import Neuron, Outline, Warn
from ranvier_builder.output import BASE
from ranvier_builder.paths import MEDIA, identity, suffix
from ranvier_builder.read.frontmatter import head_of
from ranvier_builder.read.snippets import without_snippets
from ranvier_builder.read.withholding import audience_of
from ranvier_builder.render.includes import IncludeFiles, fill_includes
from ranvier_builder.withheld import Reason, cure, excluded_reason
from ranvier_builder.work.page_store import PageMemory
from ranvier_builder.work.read import ReadSource


@dataclass(frozen=True, slots=True)
class Reading:
    """A content folder that was read, and what passed the gate. `sources` and `warnings` include withheld files."""

    content: Path
    sources: tuple[ReadSource, ...]
    admitted: Admitted
    files: tuple[str, ...]  # all paths in the folder
    warnings: tuple[Warn, ...]
    outline: Outline
    included: frozenset[str] = frozenset()  # files that are not pages, but whose text is included in pages
    unpublishable: frozenset[str] = frozenset()  # a link of a published Neuron does not publish these files

    @property
    def withheld(self) -> frozenset[str]:
        """The paths of what did not pass the gate."""
        return frozenset(source.neuron.path for source in self.sources) - self.admitted.paths


def nothing_published(reading: Reading, out: Path) -> ReadError:
    """Return the error of a build that would publish nothing; it names the most frequent reason, and its cure."""
    withheld = reading.admitted.withheld
    reasons = "; ".join(f"{count:,}: {reason}" for reason, count in withheld.items())
    reason = max(sorted(withheld), key=lambda cause: withheld[cause])
    line = example(reason, reading.admitted.first[reason], reading.warnings)
    message = f"nothing was published, because all files are withheld ({reasons}){line}"
    older = f"; if the pages are private now, remove {out}, which still has them" if (out / BASE).is_dir() else ""
    return ReadError(message, file=reading.content, cure=f"{cure(reason)}{older}")


def with_includes(reading: Reading, gate: Gate, config: Config, page_store: PageMemory) -> Reading:
    """Insert the includes of the admitted pages; then drop the files that are only included."""

    def head(text: str, is_prose: bool) -> tuple[str, int | None]:
        front_matter = head_of(text)
        neuron = Neuron("", "", "", audience=audience_of(text if is_prose else front_matter, config))
        return front_matter, None if gate.reason_to_withhold(neuron) else gate.level(neuron)

    paths, admitted, (_, level) = frozenset(reading.files), reading.admitted, head("", False)
    folders = config.syntax.snippets
    files = IncludeFiles(reading.content, paths, reading.withheld, reading.unpublishable, level, admitted, head, folders)
    included = fill_includes(files)
    return replace(
        reading,
        admitted=_without_snippets(
            replace(reading.admitted, neurons=tuple(map(page_store.without_body, included.neurons))), reading.outline.excluded
        ),
        included=included.files,
        warnings=(*reading.warnings, *included.warnings),
    )


def _without_snippets(admitted: Admitted, excluded: Mapping[str, str]) -> Admitted:
    """Drop the files that are only included, and the `excluded` paths among them; they count as withheld."""
    pages = without_snippets(admitted.neurons)
    paths = {neuron.path for neuron in pages}
    files = dict[str, list[str]]()
    for neuron in admitted.neurons:
        if neuron.path not in paths:
            file = excluded.get(strip_claims(neuron.path))
            reason = Reason.SNIPPET if file is None else excluded_reason(file)
            files.setdefault(reason, []).append(neuron.path)
    withheld = admitted.withheld | {reason: len(names) for reason, names in files.items()}
    first = admitted.first | {reason: names[0] for reason, names in files.items()}
    return replace(admitted, neurons=pages, withheld=dict(sorted(withheld.items())), first=first)


def unpublishable_files(reading: Reading, gate: Gate, config: Config) -> frozenset[str]:
    """Return the media of withheld Neurons and folders, those that a front matter of their own withholds, and the settings."""
    admitted = reading.admitted
    withheld = (source.neuron for source in reading.sources if source.neuron.path not in admitted.paths)
    media = [path for path in reading.files if suffix(path) in MEDIA]
    held = {path for path in media if path not in admitted.paths and admitted.holds_media(path)}
    inodes = {identity(reading.content / path) for path in held}
    held.update(path for path in media if inodes and identity(reading.content / path) in inodes)
    return frozenset(file for neuron in withheld for file in neuron.files) | held | {FILE}


def excluded_files(reading: Reading) -> frozenset[str]:
    """Return the media that another system leaves out; not those beside a page that is one here in spite of its settings."""
    excluded = reading.outline.excluded
    folders = {PurePosixPath(neuron.path).parent for neuron in reading.admitted.neurons if neuron.path in excluded}
    names = (path for path in reading.files if suffix(path) in MEDIA and strip_claims(path) in excluded)
    return frozenset(
        path for path in names if folders.isdisjoint((PurePosixPath(path).parent, *PurePosixPath(path).parents[:-1]))
    )
