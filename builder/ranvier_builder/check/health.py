"""The health of a content folder (M1): problems that its curator can fix.

Pure functions over the data of a survey. They check the whole vault, with withheld pages: the report is for its author, and
is printed, not published. Links that work in the vault and are removed on the site are reported separately.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath
from urllib.parse import unquote

from ranvier_builder.audience import Gate
from ranvier_builder.check.duplicates import equal_texts, similar_texts
from ranvier_builder.check.findings import CHECKS, Finding, in_order
from ranvier_builder.markdown.claims import strip_claims
from ranvier_builder.model import Link, Neuron, Rendered, Warn
from ranvier_builder.render.addresses import anchor_of
from ranvier_builder.render.fragments import Fragments

STALE_DAYS = 365
NO_PAGE = "no page, because of its fields, its folder or the settings of another system; `ranvier build` names the reason"
LONG = 100_000  # visible characters: about forty printed pages
# Problems of these kinds are found here, with more details than the warnings have.
_OWN_KINDS = ("link", "duplicate", "empty")
_DAILY = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_SUFFIX = re.compile(r"\.(?:md|markdown)(?:\?.*)?\Z")  # with the query of a Markdown link; `[[What?]]` has none


@dataclass(frozen=True, slots=True)
class ContentHealth:
    """Counts and findings, in the order of the report."""

    neurons: int
    published: int
    withheld: Mapping[str, int]  # reason → count
    links: int
    findings: tuple[Finding, ...]


class _Vault:
    """The content, with look-ups that several checks share."""

    def __init__(self, neurons: Iterable[Neuron], rendered: Iterable[Rendered], warnings: Iterable[Warn], gate: Gate) -> None:
        self.neurons = tuple(neurons)
        self.rendered = tuple(rendered)
        self.by_slug = {page.page.slug: page for page in self.rendered}
        self.texts = {page.page.neuron.path: _text(page) for page in self.rendered if page.page.neuron.modality == "text"}
        self.copies = equal_texts(self.texts)
        visible = {page.page.neuron.path for page in self.rendered}
        self.reasons = {
            neuron.path: gate.reason_to_withhold(neuron) or ("" if strip_claims(neuron.path) in visible else NO_PAGE)
            for neuron in self.neurons
        }
        # Not visible even to the curator: unreadable frontmatter, or an audience of unknown words.
        self.unseen = {name: neuron.path for neuron in self.neurons if neuron.path not in visible for name in _names(neuron)}
        # A link to a missing file is in the link table, and has a warning of kind `media` too.
        self.missing = {
            (warning.file, warning.line, warning.message.partition(": ")[2]) for warning in warnings if warning.kind == "media"
        }
        self._fragments = Fragments(self.by_slug)

    def published(self, page: Rendered) -> bool:
        return not self.reasons.get(page.page.neuron.path)

    def has_anchor(self, page: Rendered, fragment: str) -> bool:
        """Return whether a fragment leads to an anchor of a page, or to its title."""
        return bool(self._fragments.anchor(page.page.slug, fragment)) or anchor_of(fragment) == anchor_of(
            page.page.neuron.title
        )


def check_content(
    neurons: Iterable[Neuron],
    rendered: Iterable[Rendered],
    warnings: Iterable[Warn],
    gate: Gate,
    *,
    today: date,
    stale_days: int,
) -> ContentHealth:
    """Check a vault. `rendered` contains all pages that the curator can see; `gate` is the gate for publishing."""
    warnings = tuple(warnings)
    vault = _Vault(neurons, rendered, warnings, gate)
    checks: tuple[Callable[[_Vault], Iterable[Finding]], ...] = (_links, _orphans, _duplicates, _same_titles, _same_ids, _sizes)
    findings = [finding for check in checks for finding in check(vault)]
    findings += _stale(vault, today, stale_days)
    findings += [
        Finding(warning.kind, warning.file, warning.line, warning.message) for warning in warnings if _is_shown(warning)
    ]
    withheld = dict(Counter(sorted(filter(None, vault.reasons.values()))))
    published = len(vault.neurons) - sum(withheld.values())
    return ContentHealth(
        len(vault.neurons), published, withheld, sum(len(page.links) for page in vault.rendered), in_order(findings)
    )


def _is_shown(warning: Warn) -> bool:
    return warning.kind not in _OWN_KINDS and warning.kind in CHECKS


def _links(vault: _Vault) -> Iterator[Finding]:
    for page in vault.rendered:
        for link in page.links:
            missing = (page.page.neuron.path, link.line, link.target) in vault.missing
            if not (link.external or link.file or missing):
                yield from _link(vault, page, link)


def _link(vault: _Vault, page: Rendered, link: Link) -> Iterator[Finding]:
    source = page.page.neuron.path
    if link.to is None:
        invisible = vault.unseen.get(_name(link.target))
        if invisible:
            is_unknown = vault.reasons[invisible] != NO_PAGE
            reason = "withheld from everybody: its audience is not known" if is_unknown else NO_PAGE
            yield Finding(
                "withheld_link",
                source,
                link.line,
                f"{link.target} leads to {invisible}, which is {reason}",
            )
        else:
            yield Finding("broken_link", source, link.line, f"{link.target or 'an empty address'}: the target does not exist")
        return
    page_there = vault.by_slug.get(link.to)
    if page_there is None:  # a folder's list has no headings
        return
    if vault.published(page) and not vault.published(page_there):
        yield Finding(
            "withheld_link", source, link.line, f"{link.target} leads to {page_there.page.neuron.path}, which is withheld"
        )
    heading = _heading(link.target)
    if heading and not vault.has_anchor(page_there, heading):
        yield Finding("broken_heading", source, link.line, f"{page_there.page.neuron.path} has no heading {heading!r}")


def _heading(target: str) -> str:
    """Return the heading in a link, the last part of `page#part#section`; empty for a block, `page#^block`."""
    heading = unquote(target.partition("#")[2].rpartition("#")[2]).strip()
    return "" if heading.startswith(("^", ":~:")) else heading


def _orphans(vault: _Vault) -> Iterator[Finding]:
    """Find pages without a link from another page. Indexes are reached by their folder, daily notes by their date."""
    linked_slugs = {link.to for page in vault.rendered for link in page.links if link.to != page.page.slug}
    for rendered in vault.rendered:
        page = rendered.page
        if (
            page.slug
            and page.slug not in linked_slugs
            and not page.is_index
            and page.neuron.modality == "text"
            and not _is_daily(page.neuron)
        ):
            yield Finding("orphan", page.neuron.path, 0, "no page links here")


def _duplicates(vault: _Vault) -> Iterator[Finding]:
    for group in vault.copies:
        yield _group("same_text", group, "has the same text as")
    copies = {path for group in vault.copies for path in group[1:]}
    for group in similar_texts({path: text for path, text in vault.texts.items() if path not in copies}):
        yield _group("similar_text", group, "has nearly the same text as")


def _same_titles(vault: _Vault) -> Iterator[Finding]:
    copy_of = {path: group for group in vault.copies for path in group}
    for group in _grouped((neuron, neuron.title.casefold()) for neuron in vault.neurons if neuron.modality == "text"):
        title = group[0].title
        if len({copy_of.get(neuron.path, (neuron.path,)) for neuron in group}) == 1:
            continue  # copies, which are reported already
        yield _group("same_title", tuple(neuron.path for neuron in group), f"has the same title {title!r} as")


def _same_ids(vault: _Vault) -> Iterator[Finding]:
    for group in _grouped((neuron, neuron.id) for neuron in vault.neurons):
        yield _group("same_id", tuple(neuron.path for neuron in group), f"has the same id {group[0].id!r} as")


def _grouped(pairs: Iterable[tuple[Neuron, str]]) -> list[list[Neuron]]:
    groups: dict[str, list[Neuron]] = {}
    for neuron, key in pairs:
        if key:
            groups.setdefault(key, []).append(neuron)
    return [group for group in groups.values() if len(group) > 1]


def _group(check: str, paths: tuple[str, ...], message: str) -> Finding:
    first, *others = paths
    more = f" and {len(others) - 1:,} more" if len(others) > 1 else ""
    return Finding(check, first, 0, f"{message} {others[0]}{more}", tuple(others))


def _stale(vault: _Vault, today: date, days: int) -> Iterator[Finding]:
    """Find pages whose own date is old; skip pages without a date, and daily notes."""
    for neuron in vault.neurons:
        field, day = ("updated", neuron.updated) if neuron.updated else ("created", neuron.created)
        try:
            age = (today - date.fromisoformat(day)).days
        except ValueError:  # no date, or an invalid one
            continue
        if age > days and not _is_daily(neuron):
            yield Finding("stale", neuron.path, 0, f"{field} {day}, {age:,} days ago")


def _sizes(vault: _Vault) -> Iterator[Finding]:
    for rendered in vault.rendered:
        neuron = rendered.page.neuron
        text = vault.texts.get(neuron.path)
        if text is None:
            continue
        if not rendered.page.is_index and not rendered.media and not _has_content(rendered):
            yield Finding("empty", neuron.path, 0, "has a title and no text")
        if len(text) > LONG:
            yield Finding("long", neuron.path, 0, f"{len(text):,} characters on one page")


def _has_content(page: Rendered) -> bool:
    """Return whether a page has more than one heading or any text; a page of several headings is an intended list."""
    return len(page.sections) > 1 or any(section.blocks for section in page.sections)


def _text(page: Rendered) -> str:
    """Return the visible text of a page, headings and blocks in order."""
    parts = ((*section.headings[-1:], *(block.text for block in section.blocks)) for section in page.sections)
    return "\n".join(line for part in parts for line in part)


def _is_daily(neuron: Neuron) -> bool:
    return bool(_DAILY.match(neuron.title) or _DAILY.match(PurePosixPath(neuron.path).stem))


def _names(neuron: Neuron) -> Iterator[str]:
    yield from map(_last_part, (neuron.path, neuron.title, *neuron.aliases))


def _name(target: str) -> str:
    """Reduce a link's target to the name of a page: `../a/Plan%231.md#x` → `plan#1`."""
    return _last_part(unquote(target.partition("#")[0]))


def _last_part(path: str) -> str:
    return _SUFFIX.sub("", path.strip().rstrip("/").lower().rpartition("/")[2])
