"""The audience gate: who may see which Neurons. All data passes it between reading and the later stages (A1, A2).

It denies by default. Rejected content is removed before any other stage runs, so that no later stage can leak it: no title,
tag, link target or count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import PurePosixPath
from types import MappingProxyType

from ranvier_builder.markdown.claims import strip_claims
from ranvier_builder.model import Neuron, Warn
from ranvier_builder.paths import PAGES, is_draft, is_draft_folder, suffix
from ranvier_builder.withheld import EXPLAINING, READ_LINE_BY_LINE, Reason, audience_reason, excluded_reason

AUDIENCES = ("public", "tool", "curator")

_NO = "false"  # `publish: false`, if `publish` is one of `audience_fields`

_DRAFT = "withheld because of a folder `_drafts`, or a name with `.draft`; to publish the page, set `audience: public`"
_NEAR = 0.81  # similarity of a misspelt word: "pubic" to "public", but not "nonpublic"

# Audiences that each reader may see [000]: the table of the wiki's retrieve layer.
_SEES = {"public": {"public"}, "tool": {"tool", "public"}, "curator": {"curator", "tool", "public"}}


@dataclass(frozen=True, slots=True)
class Admitted:
    """Neurons that passed, in order, without their private parts; and the numbers of withheld ones, by reason.

    Of the withheld Neurons only warnings are kept, for the author.
    """

    neurons: tuple[Neuron, ...]
    withheld: dict[str, int]
    paths: frozenset[str]  # of the files that passed, as in the content folder
    first: dict[str, str]  # reason → path of the first file that was withheld for it
    # path of a Neuron that passed → 0 public, 1 tool, 2 curator: the smallest audience that may see it
    levels: dict[str, int]
    held_folders: frozenset[PurePosixPath]  # those of pages that withhold the files below them
    page_folders: frozenset[PurePosixPath]  # those of the pages that passed
    warnings: tuple[Warn, ...] = ()

    def holds(self, path: str) -> bool:
        """Return whether a file without an audience is withheld because of its folder or its name."""
        return is_draft(path) or _is_below(path, self.held_folders)

    def holds_media(self, path: str) -> bool:
        """Return whether the folder of a file withholds it, and no page that passed, in it or below it, may show the file."""
        for folder in PurePosixPath(path).parents:
            if folder in self.page_folders:
                return False
            if folder in self.held_folders or is_draft_folder(folder.name):
                return True
        return False


@dataclass(frozen=True, slots=True)
class Gate:
    """The reader (`audience`), the default audience of Neurons, and the meaning of other systems' audience names here."""

    audience: str = "public"
    default: str = ""
    names: Mapping[str, str] = field(default_factory=dict)

    def reason_to_withhold(self, neuron: Neuron) -> str:
        """Return why the reader may not see a Neuron; empty if they may."""
        names = neuron.audience
        if names is None:
            names = (self.default,) if self.default else None
        if names is None:
            return Reason.NO_AUDIENCE
        if not names or is_withheld_draft(neuron):
            return Reason.UNREADABLE
        audiences = {audience for word in names if (audience := self._audience_of(word))}
        if not audiences:
            return Reason.SWITCHED_OFF if set(names) == {_NO} else Reason.UNKNOWN_AUDIENCE
        return "" if audiences & _SEES[self.audience] else audience_reason(sorted(audiences, key=AUDIENCES.index))

    def admit(
        self, neurons: Iterable[Neuron], bundles: Container[str] = (), held_folders: Mapping[str, str] = MappingProxyType({})
    ) -> Admitted:
        """Return the Neurons that the reader may see; the documents in the folder of a page of `bundles` have its audience.

        `held_folders` are those that settings withhold, and single pages, each with the name of the file of these settings.
        """
        neurons = tuple(neurons)
        page_folders = frozenset(PurePosixPath(neuron.path).parent for neuron in neurons if neuron.withholds_below)
        settings = {PurePosixPath(folder): excluded_reason(name) for folder, name in held_folders.items()}
        bundle_pages = {PurePosixPath(neuron.path).parent: neuron for neuron in neurons if neuron.path in bundles}
        bundle_levels = {path: self.level(page) for path, page in bundle_pages.items() if not self.reason_to_withhold(page)}
        document_folders = page_folders.union(bundle_pages.keys() - bundle_levels.keys())
        admitted, withheld, unknown = list[Neuron](), Counter[str](), dict[str, list[str]]()
        first = dict[str, str]()
        paths, levels, warnings = set[str](), dict[str, int](), list[Warn]()
        for neuron in neurons:
            reason, is_page = self.reason_to_withhold(neuron), suffix(neuron.path) in PAGES
            folders = page_folders if is_page else document_folders
            path = PurePosixPath(neuron.path)
            places = (path, *path.parents) if neuron.audience is None else ()
            if not reason:
                reasons = (Reason.UNREADABLE if place in folders else settings.get(place, "") for place in places)
                reason = next(filter(None, reasons), "")
            if self.default and is_withheld_draft(neuron) and is_page:
                warnings.append(Warn(neuron.path, "audience", _DRAFT, 1))
            if reason:
                withheld[reason] += 1
                first.setdefault(reason, neuron.path)
            else:
                paths.add(neuron.path)
                admitted.append(_published(neuron, levels))
                bundle_level = 0 if is_page else max((bundle_levels.get(place, 0) for place in places), default=0)
                levels[admitted[-1].path] = max(self.level(neuron), bundle_level)
            for word in neuron.audience or ():
                if not self._audience_of(word) and word != _NO:
                    unknown.setdefault(word, []).append(neuron.path)
        warnings += [self._unknown(*pair) for pair in unknown.items()]
        counts = dict(sorted(withheld.items()))
        held_bundles = frozenset(folder for folder, page in bundle_pages.items() if page.path not in paths)
        resources = {neuron.path for neuron in neurons if neuron.audience is None and _is_below(neuron.path, held_bundles)}
        pages = frozenset(PurePosixPath(path).parent for path in paths - resources if suffix(path) in PAGES)
        all_folders = page_folders.union(held_bundles, settings)
        return Admitted(tuple(admitted), counts, frozenset(paths), first, levels, all_folders, pages, tuple(warnings))

    def level(self, neuron: Neuron) -> int:
        """Return the smallest audience that may see a Neuron of the build: 0 public, 1 tool, 2 curator."""
        return next(
            level for level, audience in enumerate(AUDIENCES) if not replace(self, audience=audience).reason_to_withhold(neuron)
        )

    def _audience_of(self, word: str) -> str:
        return word if word in AUDIENCES else self.names.get(word, "")

    def _unknown(self, word: str, paths: list[str]) -> Warn:
        more = f" and {len(paths) - 1} more files" if len(paths) > 1 else ""
        matches = get_close_matches(word, (*AUDIENCES, *self.names), 1, _NEAR)
        typo = f": did you mean {matches[0]!r}? If it is a name of your own," if matches else ";"
        cure = f"{typo} define it in ranvier.toml below [audience]"
        return Warn(paths[0], "audience", f"unknown audience {word!r} here{more}{cure}")


def readers_see(levels: Mapping[str, int], page: str, shown: str, level: int = 0) -> bool:
    """Return whether all readers of a page may see another page, or a file without an audience, which has this `level`.

    `levels` are the smallest audiences that may see the pages, by path.
    """
    return levels.get(shown, level) <= levels.get(page, 0)


def is_withheld_draft(neuron: Neuron) -> bool:
    """Return whether a page is withheld because it is a draft: its folder or its name says so, and it has no audience."""
    return neuron.audience is None and is_draft(neuron.path)


def _is_below(path: str, folders: frozenset[PurePosixPath]) -> bool:
    return not folders.isdisjoint(PurePosixPath(path).parents)


def example(reason: str, file: str, warnings: Iterable[Warn]) -> str:
    """Return the warning that explains why a file is withheld, if any; a report itself does not name withheld files."""
    reasons = (warning for warning in warnings if warning.file == file and warning.kind in EXPLAINING.get(reason, ()))
    return next((f"\n  {warning}" for warning in reasons if not warning.message.startswith(READ_LINE_BY_LINE)), "")


def _published(neuron: Neuron, used_paths: Container[str]) -> Neuron:
    """Remove what no stage after the gate may see.

    These are the audience, a note that is not shared (A4), and a claim anchor in the file's name (A6).
    """
    note = neuron.user_note if neuron.user_note_shared else ""
    path = base = strip_claims(neuron.path)
    while path != neuron.path and path in used_paths:
        base = path = f"{PurePosixPath(base).with_suffix('')}-2{PurePosixPath(base).suffix}"
    return replace(neuron, path=path, audience=None, user_note=note, user_note_shared=bool(note))
