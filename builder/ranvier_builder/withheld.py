"""The reasons why a build withholds files: the keys of `Report.withheld`, which the summary prints."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

_AUDIENCE = "audience "
# Begins a warning about a front matter that is read in spite of a mistake: it is no reason to withhold the file.
READ_LINE_BY_LINE = "frontmatter is not valid YAML and is read line by line"


class Reason(StrEnum):
    """Every reason except the audiences of the files, which `audience_reason` names."""

    NO_AUDIENCE = "no audience, and no default_audience is set"
    UNREADABLE = "a field that withholds the page, an empty audience, or frontmatter that cannot be read"
    UNKNOWN_AUDIENCE = "an unknown audience"
    SWITCHED_OFF = "an audience field with the value `false`"
    SNIPPET = "a file that is only included in other pages, by its fields, name or folder"
    EXCLUDED = "excluded by the settings of another system"
    NOINDEX = "marked as noindex"
    REDIRECT = "redirects to another page"
    LISTING = "only lists other pages"
    NOT_MARKED = "no marked main content, although other pages have it"
    CANONICAL = "names another page as its canonical address"
    DUPLICATE = "has the same text as another page"
    NO_CONTENT = "an error, search or index page of the generator"


CURES: dict[str, str] = {
    Reason.NO_AUDIENCE: "set --default-audience public, or add the line `audience: public` to each file",
    Reason.UNREADABLE: (
        "change that line, if the page is for everybody; put a value in quotes if it contains a colon or begins with one of "
        "{ [ @ % `; keep one field if two name an audience"
    ),
    Reason.UNKNOWN_AUDIENCE: (
        "correct the audience if it is misspelt; if it is a name of your own, define it in ranvier.toml below [audience]: "
        'name = "public"'
    ),
    Reason.SWITCHED_OFF: "set the field to true in the files to publish",
    Reason.EXCLUDED: "add the line `audience: public` to each of them that is a page here",
}
_SNIPPET_CURE = (
    "if it is a page, remove the field `build`, `cascade`, `headless`, `permalink`, `render` or `url`, or rename the file or "
    "folder that begins with `_`, or that is named `snippets`"
)
EXPLAINING: dict[str, tuple[str, ...]] = {  # kinds of warnings that explain a reason
    Reason.UNREADABLE: ("frontmatter", "audience"),
    Reason.UNKNOWN_AUDIENCE: ("audience",),
}
_OTHER_AUDIENCE = 'to build a site for these readers, set --audience {0}, or publish_for = "{0}" in ranvier.toml'


def audience_reason(audiences: Iterable[str]) -> str:
    """Return the reason for files that only other audiences may see: `audience tool, curator`."""
    return f"{_AUDIENCE}{', '.join(audiences)}"


def excluded_reason(file: str) -> str:
    """Return the reason for files that a settings file of another system excludes."""
    return f"{Reason.EXCLUDED}: {file}"


def usual_cure(reason: str) -> str:
    """Return the cure of a reason that a summary begins with; empty for other reasons."""
    return CURES.get(reason.partition(": ")[0], "")


def cure(reason: str) -> str:
    """Return what to change to publish the files that were withheld for a reason."""
    if reason == Reason.SNIPPET:  # usual, so not among those that a summary begins with
        return _SNIPPET_CURE
    return usual_cure(reason) or _OTHER_AUDIENCE.format(reason.removeprefix(_AUDIENCE).partition(",")[0])
