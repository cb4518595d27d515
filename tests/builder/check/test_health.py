"""Findings of `ranvier check` in content (M1)."""

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from ranvier_builder.audience import Gate
from ranvier_builder.check.findings import CHECKS, SEVERE, Finding, as_json, counts, in_order
from ranvier_builder.check.health import LONG, NO_PAGE, ContentHealth, check_content
from ranvier_builder.model import KINDS, Block, Link, Neuron, Page, Rendered, Section, Warn

TODAY = date(2026, 11, 22)


def render_stub(path: str, *links: Link, text: str | None = None, headings: tuple[str, ...] = (), **fields: Any) -> Rendered:
    """Make a page with one block of text, by default a unique one, and with headings whose anchors are their texts."""
    slug = path.removesuffix(".md").removesuffix("index").strip("/")
    media = fields.pop("media", ())
    neuron = Neuron(path, **({"title": slug or "Home", "markdown": "", "id": path, "audience": ("public",)} | fields))
    page = Page(neuron, 1, "site_1", slug, f"{slug}/", path.endswith("index.md"))
    blocks = tuple(Block(line) for line in [f"What {path} says." if text is None else text] if line)
    html = "".join(f'<h2 id="{heading}">{heading}</h2>' for heading in headings)
    return Rendered(page, html, (Section("", (), (), blocks),), (), media, links)


def check(
    pages: Iterable[Rendered],
    warnings: Iterable[Warn] = (),
    *,
    gate: Gate | None = None,
    more_neurons: tuple[Neuron, ...] = (),
    stale: int = 365,
) -> ContentHealth:
    pages = list(pages)
    neurons = (*(page.page.neuron for page in pages), *more_neurons)
    return check_content(neurons, pages, warnings, gate or Gate(), today=TODAY, stale_days=stale)


def findings_of(report: ContentHealth, check: str) -> list[str]:
    return [str(finding) for finding in report.findings if finding.check == check]


@pytest.mark.parametrize(
    ("link", "check_name", "message"),
    [
        (Link("gone.md", None, 3), "broken_link", "a.md:3: gone.md: the target does not exist"),
        (Link("gone", None), "broken_link", "a.md: gone: the target does not exist"),
        (Link("b.md#nowhere", "b", 4), "broken_heading", "a.md:4: b.md has no heading 'nowhere'"),
        (Link("#nowhere", "a", 5), "broken_heading", "a.md:5: a.md has no heading 'nowhere'"),
        (Link("b#usage#nowhere", "b", 5), "broken_heading", "a.md:5: b.md has no heading 'nowhere'"),
        (Link("b.md#usage", "b"), "", ""),
        (Link("b#Usage", "b"), "", ""),  # the spelling of a wikilink
        (Link("b#Caf%C3%A9", "b"), "", ""),
        (Link("b#part#Usage", "b"), "", ""),
        (Link("b#B itself", "b"), "", ""),  # the title
        (Link("b#^block", "b"), "", ""),
        (Link("b.md#%5Eblock", "b"), "", ""),
        (Link("b#", "b"), "", ""),
        (Link("guide/#x", "guide"), "", ""),  # a folder's list
        (Link("https://example.org/#x", None, external=True), "", ""),
        (Link("map.png", None, file=True), "", ""),
    ],
)
def test_broken_links_and_headings_are_found(link: Link, check_name: str, message: str) -> None:
    """M1, N4."""
    b = render_stub("b.md", Link("a", "a"), headings=("usage", "café"), title="B itself")
    report = check([render_stub("a.md", link), b, render_stub("index.md", Link("a", "a"), Link("b", "b"))])
    assert [(finding.check, str(finding)) for finding in report.findings] == ([(check_name, message)] if message else [])
    assert report.links == 4


@pytest.mark.parametrize(
    ("fragment", "is_broken"), [("InstallLinux", False), ("Install%20it", False), ("Install%20that", True)]
)
def test_heading_with_a_name_is_found_by_name_and_by_words(fragment: str, is_broken: bool) -> None:
    """N4: as the build resolves the link."""
    section = Section("InstallLinux", ("Install it",), (2,), (Block("Words."),))
    b = replace(render_stub("b.md", headings=("InstallLinux",)), sections=(section,))
    report = check([render_stub("index.md", Link(f"b.md#{fragment}", "b"), Link("b", "b")), b])
    assert bool(findings_of(report, "broken_heading")) == is_broken


def test_missing_picture_is_reported_once() -> None:
    """It is in the link table and in the warnings."""
    warning = Warn("index.md", "media", "there is no such file: map.png", 4)
    report = check([render_stub("index.md", Link("map.png", None, 4), Link("gone", None, 4))], [warning])
    assert [(finding.check, finding.line) for finding in report.findings] == [("broken_link", 4), ("media", 4)]


def test_links_to_withheld_pages_are_a_check_of_their_own() -> None:
    """M1, A2: only for links from published pages."""
    secret = render_stub("secret.md", Link("open.md", "open"), Link("deep.md", "deep"), audience=("curator",))
    deep = render_stub("deep.md", audience=("curator",))
    report = check([render_stub("open.md", Link("secret.md", "secret", 7)), secret, deep])
    assert findings_of(report, "withheld_link") == ["open.md:7: secret.md leads to secret.md, which is withheld"]
    assert findings_of(report, "broken_link") == []
    assert (report.neurons, report.published, report.withheld) == (3, 1, {"audience curator": 2})


@pytest.mark.parametrize("target", ["plans/Broken.md#x", "Broken", "../plans/broken", "A%20broken%20plan"])
def test_links_to_pages_with_invalid_frontmatter_are_withheld_links(target: str) -> None:
    """Such a page is in no site, but its file exists."""
    unread = Neuron("plans/broken.md", "A broken plan", "", audience=())
    report = check([render_stub("index.md", Link(target, None, 2))], more_neurons=(unread,))
    assert findings_of(report, "withheld_link") == [
        f"index.md:2: {target} leads to plans/broken.md, which is withheld from everybody: its audience is not known"
    ]


def test_pages_that_settings_exclude_are_counted_as_withheld() -> None:
    """M1: a build publishes no page for them."""
    excluded = Neuron("drafts/plan.md", "Plan", "", audience=None, is_snippet=True)
    page = render_stub("index.md", Link("drafts/plan.md", None, 2))
    report = check([page], gate=Gate("public", "public"), more_neurons=(excluded,))
    assert (report.neurons, report.published, report.withheld) == (2, 1, {NO_PAGE: 1})
    assert findings_of(report, "withheld_link") == [f"index.md:2: drafts/plan.md leads to drafts/plan.md, which is {NO_PAGE}"]


@pytest.mark.parametrize(
    ("path", "target", "leads_there"),
    [
        ("C#.md", "C%23.md", True),
        ("C#.md", "c.md", False),
        ("c.md", "C%23.md", False),
        ("100%25.md", "100%2525.md", True),
        ("What?.md", "What?", True),
        ("plan.md", "plan.md?a=1", True),
    ],
)
def test_names_of_withheld_pages_are_not_decoded(path: str, target: str, leads_there: bool) -> None:
    """A link is cut at its fragment first, then decoded."""
    report = check([render_stub("index.md", Link(target, None, 2))], more_neurons=(Neuron(path, "", "", audience=()),))
    assert [len(findings_of(report, name)) for name in ("withheld_link", "broken_link")] == [leads_there, not leads_there]


def test_check_uses_the_gate_of_the_build() -> None:
    pages = [render_stub("index.md", Link("b", "b"), audience=None), render_stub("b.md", audience=("tool",))]
    assert findings_of(check(pages, gate=Gate("public", "public")), "withheld_link") != []
    assert findings_of(check(pages, gate=Gate("tool", "public")), "withheld_link") == []
    assert findings_of(check(pages, gate=Gate("public", "")), "withheld_link") == []  # neither is published


def test_orphans_are_found() -> None:
    pages = [
        render_stub("index.md", Link("linked", "linked")),
        render_stub("linked.md"),
        render_stub("alone.md", Link("#x", "alone"), headings=("x",)),  # its own link does not count
        render_stub("guide/index.md"),
        render_stub("2026-11-22.md"),
        render_stub("log/day.md", title="2026-11-21"),
        render_stub("map.md", modality="image"),
    ]
    assert findings_of(check(pages), "orphan") == ["alone.md: no page links here"]


WORDS = [f"word{number}" for number in range(100)]


@pytest.mark.parametrize(
    ("first", "second", "name"),
    [
        ("The same text.", "the SAME\n text", "same_text"), ("—", "—", "same_text"), ("—", "…", ""),
        ("One text.", "Another text.", ""), ("", "", ""), (" ".join(WORDS), " ".join([*WORDS, "more"]), "similar_text"),
        (" ".join(WORDS), " ".join(WORDS[:97]), "similar_text"),
        (" ".join(WORDS), " ".join(reversed(WORDS)), ""),  # the same words are not the same text
        (" ".join(WORDS), " ".join(WORDS[50:] + [f"new{word}" for word in WORDS[:50]]), ""),
        ("one two three four five six seven", "one two three four five six eight", ""),  # too short to compare
        ("東京都の人口は千四百万人である。" * 4, "東京都の人口は千四百万人である。" * 4 + "はい", "similar_text"),
    ],
)  # fmt: skip
def test_duplicates_are_found(first: str, second: str, name: str) -> None:
    report = check([render_stub("a.md", text=first), render_stub("b.md", text=second)])
    duplicates = [finding for finding in report.findings if finding.check in ("same_text", "similar_text")]
    assert [(finding.check, finding.file, finding.others) for finding in duplicates] == (
        [(name, "a.md", ("b.md",))] if name else []
    )


def test_copies_are_one_group() -> None:
    """Two copies and a near copy: one group each, and no pair twice."""
    text = " ".join(WORDS)
    report = check([render_stub(f"{name}.md", text=text) for name in "abc"] + [render_stub("d.md", text=f"{text} more")])
    assert findings_of(report, "same_text") == ["a.md: has the same text as b.md and 1 more"]
    titled = [render_stub(f"{name}.md", text=text, title="Plan") for name in "ab"]
    assert findings_of(check(titled), "same_title") == []  # copies share their titles
    assert findings_of(check([*titled, render_stub("c.md", title="Plan")]), "same_title") != []
    assert findings_of(report, "similar_text") == ["a.md: has nearly the same text as d.md"]


def test_many_copies_take_linear_time() -> None:
    """2,000 pages share most of their text."""
    shared = " ".join(f"shared{number}" for number in range(300))
    pages = [render_stub(f"p{number:04}.md", text=f"{shared} own{number} " * 2) for number in range(500)]
    pages += [render_stub(f"q{number:04}.md", text=" ".join(f"w{number}x{at}" for at in range(100))) for number in range(1500)]
    (group,) = [finding for finding in check(pages).findings if finding.check == "similar_text"]
    assert (group.file, len(group.others)) == ("p0000.md", 499)


def test_same_titles_and_ids_are_found() -> None:
    names = {"a": ("Plan", "one"), "b": ("PLAN", "two"), "c": ("Other", "one")}
    pages = [render_stub(f"{path}.md", title=title, id=id_) for path, (title, id_) in names.items()]
    report = check([*pages, render_stub("d.jpg", title="Plan", id="four", modality="image")])
    assert findings_of(report, "same_title") == ["a.md: has the same title 'Plan' as b.md"]
    assert findings_of(report, "same_id") == ["a.md: has the same id 'one' as c.md"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"updated": "2025-11-22"}, ""),  # 365 days
        ({"updated": "2025-11-21"}, "updated 2025-11-21, 366 days ago"),
        ({"created": "2020-01-01"}, "created 2020-01-01, 2,517 days ago"),
        ({"created": "2020-01-01", "updated": "2026-11-01"}, ""),
        ({"updated": "2030-01-01"}, ""),
        ({"updated": "2020-06-31"}, ""),
        ({}, ""),
        ({"created": "2020-01-01", "title": "2020-01-01"}, ""),  # a daily note
    ],
)
def test_stale_pages_are_found(fields: dict[str, str], message: str) -> None:
    assert findings_of(check([render_stub("a.md", **fields)]), "stale") == ([f"a.md: {message}"] if message else [])


def test_empty_and_long_pages_are_found() -> None:
    pages = [
        render_stub("empty.md", text=""),
        render_stub("guide/index.md", text=""),  # the page of a folder may be empty
        render_stub("shown.md", text="", media=("map.png",)),
        render_stub("long.md", text="x" * (LONG + 1)),
        render_stub("fair.md", text="x" * LONG),
    ]
    report = check(pages)
    assert findings_of(report, "empty") == ["empty.md: has a title and no text"]
    assert findings_of(report, "long") == [f"long.md: {LONG + 1:,} characters on one page"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_warning_kind_has_a_check(kind: str) -> None:
    """M1: warnings that a check repeats are reported once."""
    report = check([render_stub("index.md")], [Warn("index.md", kind, "is odd", 3)])
    is_repeated = kind in ("link", "duplicate", "empty")
    assert [str(finding) for finding in report.findings] == ([] if is_repeated else ["index.md:3: is odd"])
    assert is_repeated or report.findings[0].check == kind


def test_findings_have_a_fixed_order() -> None:
    pages = [
        render_stub("c.md", Link("gone", None, 9), Link("lost", None, 2), text=""),
        render_stub("b.md", updated="2001-01-01"),
        render_stub("a.md", Link("gone", None, 1)),
    ]
    report, reversed_report = check(pages), check(reversed(pages))
    assert report == reversed_report
    rank = list(CHECKS)
    assert [rank.index(finding.check) for finding in report.findings] == sorted(rank.index(f.check) for f in report.findings)
    assert findings_of(report, "broken_link") == [
        "a.md:1: gone: the target does not exist",
        "c.md:2: lost: the target does not exist",
        "c.md:9: gone: the target does not exist",
    ]


def test_json_of_findings_has_all_keys() -> None:
    """V1: also if there are no findings."""
    findings = in_order([Finding("stale", "a.md", 0, "old"), Finding("leak", "index.html", 0, "seen", ("b.md",))])
    report = as_json("site", "out", {"pages": 2}, findings)
    leak = {"check": "leak", "file": "index.html", "line": 0, "message": "seen", "others": ["b.md"]}
    stale = {"check": "stale", "file": "a.md", "line": 0, "message": "old", "others": []}
    expected = {"checked": "site", "path": "out", "ok": False, "severe": True, "numbers": {"pages": 2}, "counts": 0}
    assert json.loads(json.dumps(report)) | {"counts": 0} == expected | {"findings": [leak, stale]}
    assert list(report["counts"]) == list(CHECKS)
    assert sum(report["counts"].values()) == 2
    assert as_json("content", "x", {}, ())["ok"] is True
    assert counts(())["orphan"] == 0
    assert set(CHECKS) > SEVERE


def test_drafts_count_as_withheld() -> None:
    """A1, M1."""
    drafts = tuple(Neuron(path, "Draft", "Text.") for path in ("_drafts/x.md", "_drafts/talk.vtt"))
    report = check([render_stub("index.md")], more_neurons=drafts)
    assert (report.published, sum(report.withheld.values())) == (1, 2)
