"""The gate: who may see what. The only door between reading and everything after it (A1, A2).

It denies by default. What it drops is gone before any other stage runs, so that no later stage can leak it: not a title, not a
tag, not a link's target, not a number that counts it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from ranvier_builder.markdown.claims import unclaimed
from ranvier_builder.model import Neuron, Warn

AUDIENCES = ("public", "tool", "curator")

# Whose Neurons a reader sees [000]: the table of the wiki's retrieve layer.
_SEES = {"public": {"public"}, "tool": {"tool", "public"}, "curator": {"curator", "tool", "public"}}

UNSAID = "no audience, and no default_audience is set"
UNREAD = "an audience that is empty, or frontmatter that cannot be read"
UNKNOWN = "an audience that names nobody known"
# What publishes them all the same.
CURES = {
    UNSAID: "--default-audience public, or a line `audience: public` in each file",
    UNREAD: "mend that line; a value that holds a colon, or begins with one of { [ @ % `, needs quotes",
    UNKNOWN: 'below [audience] in ranvier.toml, a line that says what the name means: name = "public"',
}
OTHERS = '--audience {0}, or publish_for = "{0}" in ranvier.toml, builds a site for those readers'


@dataclass(frozen=True, slots=True)
class Admitted:
    """What passed, in order, without what is private in it; and how many did not, by reason.

    Of the rest only warnings are kept, for the author's eyes.
    """

    neurons: tuple[Neuron, ...]
    withheld: dict[str, int]
    paths: frozenset[str]  # of the files that passed, as they are called in the content folder
    first: dict[str, str]  # for each of these reasons, the path of a file that was withheld for it
    levels: dict[str, int]  # path of a Neuron that passed → 0 public, 1 tool, 2 curator: the least audience that sees it
    warnings: tuple[Warn, ...] = ()


@dataclass(frozen=True, slots=True)
class Gate:
    """Who reads (`audience`), what a Neuron without an audience is taken for, and what other systems' names mean here."""

    audience: str = "public"
    default: str = ""
    names: Mapping[str, str] = field(default_factory=dict)

    def reason_to_withhold(self, neuron: Neuron) -> str:
        """Say why the reader may not see a Neuron; empty where they may."""
        names = neuron.audience
        if names is None:
            names = (self.default,) if self.default else None
        if names is None:
            return UNSAID
        if not names:
            return UNREAD
        audiences = {ours for word in names if (ours := self._ours(word))}
        if not audiences:
            return UNKNOWN
        return "" if audiences & _SEES[self.audience] else f"audience {', '.join(sorted(audiences, key=AUDIENCES.index))}"

    def admit(self, neurons: Iterable[Neuron]) -> Admitted:
        """Let through what the reader may see."""
        passed, withheld, strange = list[Neuron](), Counter[str](), dict[str, list[str]]()
        first = dict[str, str]()
        paths, levels = set[str](), dict[str, int]()
        for neuron in neurons:
            reason = self.reason_to_withhold(neuron)
            if reason:
                withheld[reason] += 1
                first.setdefault(reason, neuron.path)
            else:
                paths.add(neuron.path)
                passed.append(_published(neuron, levels))
                levels[passed[-1].path] = self._level(neuron)
            for word in neuron.audience or ():
                if not self._ours(word):
                    strange.setdefault(word, []).append(neuron.path)
        warnings = tuple(_unknown(*pair) for pair in strange.items())
        return Admitted(tuple(passed), dict(sorted(withheld.items())), frozenset(paths), first, levels, warnings)

    def _level(self, neuron: Neuron) -> int:
        return next(level for level, who in enumerate(AUDIENCES) if not replace(self, audience=who).reason_to_withhold(neuron))

    def _ours(self, word: str) -> str:
        return word if word in AUDIENCES else self.names.get(word, "")


def cure(reason: str) -> str:
    """Say what publishes the files that were withheld for a reason."""
    return CURES.get(reason) or OTHERS.format(reason.removeprefix("audience ").partition(",")[0])


def example(file: str, warnings: Iterable[Warn]) -> str:
    """Return the line that says why a file is withheld, where a warning does; a report names no withheld file by itself."""
    kinds = ("frontmatter", "audience")
    return next((f"\n  {warning}" for warning in warnings if warning.file == file and warning.kind in kinds), "")


def _published(neuron: Neuron, taken: Container[str]) -> Neuron:
    """Take away what no stage after the gate may see.

    That is who else may read it, a note that is not shared (A4), and an anchor of a claim in the file's name (A6).
    """
    note = neuron.user_note if neuron.user_note_shared else ""
    path = bare = unclaimed(neuron.path)
    while path != neuron.path and path in taken:
        bare = path = f"{PurePosixPath(bare).with_suffix('')}-2{PurePosixPath(bare).suffix}"
    return replace(neuron, path=path, audience=None, user_note=note, user_note_shared=bool(note))


def _unknown(word: str, paths: list[str]) -> Warn:
    more = f" and {len(paths) - 1} more files" if len(paths) > 1 else ""
    return Warn(paths[0], "audience", f"unknown audience {word!r} here{more}; [audience] in ranvier.toml can say what it means")
