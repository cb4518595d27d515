"""A3: a build without a leak must not fail. Each row is a tree that shares something with a withheld page."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from ranvier_builder import Config
from support.content import build_without_engine, write_tree

SECRET = "---\naudience: curator\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'
SITE = Config(title="Garden", default_audience="public", url="https://example.org/garden/")

TITLES = (
    *("Primary key", "Create table", "Virtual table", "Page size", "Page count", "Python stdlib", "Search box", "Side menu"),
    *("index.html", "404.html", "Task list", "List item", "Align left", "Align right", "Align center", "Footnote ref"),
    *("Callout title", "Pages in X", "sitemap.xml", "Next page"),
    *("Offline", "Service worker", "Removal", "Ranvier-sw", "Builds"),
)
ELSEWHERE = (
    "https://x.org/Merger%20plans.pdf",
    "https://img.shields.io/badge/Merger%20plans-blue",
    "mailto:a@x.org?subject=Merger%20plans",
    "https://x.org/?f=plans%2Fmerger.md",
    "//docs.example.com/plans/merger/",
    "https://en.wiki.org/a_(b)/plans/merger/",
    "https://x.org/murphy's/plans/merger",
    "https://x.org/[a]/plans/merger",
    "http://other.org/garden/plans/merger/",
)
LONG_PATH = "resources/sample vaults/tasks demo/other plugins/queries/parent child"
COMPARISONS = "|Sent|sent:07/01/2015 <br/> sent\\>=06/01/2015 AND sent\\<=07/01/2015|On a day.|\n"
TREES: dict[str, dict[str, str | bytes]] = {
    "a withheld page has a common word for its title": {
        "a.md": "# A\n\nOur roadmap is short.",
        "roadmap.md": SECRET + "---\n# Roadmap\n\nSell everything.",
    },
    "a word of a title is a word of another script's title": {
        "a.md": "# 秘密\n\n庭の話。",
        "b.md": SECRET + "---\n# 秘密\n\n新しい建物。",
    },
    "a copied page says the id of the other": {
        "a.md": "---\nid: note-1\n---\n# A\n\nWords.",
        "b.md": SECRET + "id: note-1\n---\n# Bee\n\nOthers.",
    },
    "a title beside the site's title": {
        "install.md": "# Install\n\nDo it.",
        "b.md": SECRET + "title: Install Garden\n---\nHow.",
    },
    "a title beside a word of the theme": {
        "a.md": "# A\n\nOne.",
        "steps.md": "# Steps\n\nTwo.",
        "zz.md": "# Z\n\nThree.",
        "b.md": SECRET + "title: Next steps\n---\nFour.",
    },
    "a list of pages in the order of the menu": {
        **{f"{name}.md": f"# {name.capitalize()}\n\nText." for name in ("ash", "beech", "cedar", "date", "elm", "fir")},
        "list.md": SECRET + "---\n- Ash\n- Beech\n- Cedar\n- Date\n- Elm\n- Fir\n",
    },
    "a sentence that both say, with a link in one of them": {
        "a.md": "# A\n\nRead the [administrator guide](https://example.com/guide) for the details of each step.",
        "b.md": SECRET + "---\nRead the administrator guide for the details of each step.",
    },
    "a sentence that both say, with a shortcode in one of them": {
        "a.md": '# A\n\nRead the manual {{< icon name="book" >}} for the details of each step.',
        "b.md": SECRET + "---\nRead the manual for the details of each step.",
    },
    "a sentence that both say, with markup inside of words": {
        "a.md": "# A\n\nThe **water**melon grows <em>quick</em>ly in the summer heat.",
        "b.md": SECRET + "---\nThe watermelon grows quickly in the summer heat.",
    },
    "a command that both say, one with its language": {
        "a.md": "# A\n\nRun the following command:\n\n```powershell\nGet-Mailbox\n```\n",
        "b.md": SECRET + "---\nRun the following command:\n\n    Get-Mailbox\n",
    },
    "the same file name in another folder": {"a/setup.md": "# Set up\n\nOne.", "b/setup.md": SECRET + "---\n# Other\n\nTwo."},
    "a withheld page above published ones": {
        "mail/create/user.md": "# User\n\nOne.",
        "mail/create.md": SECRET + "---\n# Make\n\nTwo.",
        "mail.md": SECRET + "---\n# Post\n\nThree.",
    },
    "the same address but for case": {"Notes.md": "# Notes\n\nOne.", "notes.md": SECRET + "---\n# Notes\n\nTwo."},
    "an address elsewhere that ends like a withheld one": {
        "a.md": "# A\n\n[x](https://docs.example.com/mail/create/) and <https://docs.example.com/mail/create/>",
        "mail/create.md": SECRET + "---\n# Make\n\nTwo.",
    },
    "an unlabelled link: the words are the public author's": {
        "a.md": "# A\n\nSee [[Merger plans]].",
        "merger plans.md": SECRET + "---\nNo.",
    },
    "a picture that both show": {
        "a.md": "# A\n\n![Our very old garden map](img/old-garden-map-of-1900.png)",
        "img/old-garden-map-of-1900.png": b"\x89PNG",
        "b.md": SECRET + "---\n![Our very old garden map](img/old-garden-map-of-1900.png)",
    },
    "title and aliases side by side in the index": {
        "a.md": "---\ntitle: path join\naliases: [function path join]\n---\nText.",
        "b.md": SECRET + "---\npath join function path join\n",
    },
    "code that is the theme's own": {
        "a.md": "# A\n\nText.",
        "b.md": SECRET
        + '---\n```html\n<a class="skip" href="#content">Skip to the content</a>\n<link rel="icon" href="favicon.svg">\n```\n',
    },
    "fields that all files have": {
        "a.md": "---\ntitle: A\nauthor: Jane Doe Smith of the Garden Team\n---\nBy Jane Doe Smith of the Garden Team.",
        "b.md": SECRET + "author: Jane Doe Smith of the Garden Team\nlayout: post\n---\nNo.",
    },
    "signs of comments in a diagram": {
        "a.md": "# A\n\n::: mermaid\n%%{init: {'theme': 'dark'}}%%\nA <!-- b --> C\n:::\n\nEnd.\n",
        "b.md": SECRET + "---\nNo.",
    },
    "percent signs that are no comment": {
        "a.md": "# A\n\nIt was 100%% sure and 50%% more so than before.\n",
        "b.md": SECRET + "---\nNo.",
    },
    "a mark of a comment without a partner": {
        "a.md": "# A\n\nThe `first` is missing.\n%%\n\nObsidian hides `%% this %%`.\n\n%%\n- [ ] between marks\n%%\n\nEnd.\n",
        "b.md": SECRET + "---\nNo.",
    },
    "a comment that code shows": {
        "a.md": "# A\n\n```html\n<!-- this is shown to all readers -->\n```\n",
        "b.md": SECRET + "---\nNo.",
    },
    "contractions": {"a.md": "# A\n\nYou don't, they'll see.", "b.md": SECRET + "---\nI don't, they'll hear."},
    "a tag and an attribute of raw HTML": {
        "a.md": "# A\n\n<abbr title=\"the same long words are here, and 'quoted' too\">x</abbr>",
        "b.md": SECRET + "---\nThe same long words are here, and 'quoted' too.",
    },
    "numbers": {"a.md": "# A\n\n1 2 3 4 5 6 7 8", "b.md": SECRET + "title: '2024'\n---\n1 2 3 4 5 6 7 8"},
    "an odd date": {"a.md": "---\ntitle: A\ndate: 2024-13-45\n---\nText.", "b.md": SECRET + "---\nNo."},
    "five words over the border of blocks": {
        "a.md": "---\ntitle: Build\n---\nThis is the default way.",
        "b.md": SECRET + "---\nThey fail the build. This is the default behavior.",
    },
    "a footnote that moves to the end": {
        "a.md": "# A\n\nWe came late[^1] to the feast.\n\n[^1]: the bus had trouble.\n\nAll was good.",
        "b.md": SECRET + "---\nAll was good. The bus had trouble.",
    },
    "the theme's words before a title": {
        "mail/index.md": "# Outlook on the web\n\nIt is.",
        "mail/a.md": "# A\n\nOne.",
        "b.md": SECRET + "---\nThere are pages in Outlook on the web and elsewhere.",
    },
    "comments in indented code": {
        "a.md": "# A\n\n    <!-- a comment that nobody sees -->\n\n"
        "- item\n\n      %% Section of MATLAB code\n      %% Next section of the code\n",
        "b.md": SECRET + "---\nNo.",
    },
    "fields that name files of every site": {
        "a.md": "---\ntitle: A\npermalink: /404.html\ntemplate: index.html\nimage: favicon.svg\nstylesheet: style.css\n"
        "redirect_from: /sitemap.xml\nbox: search-box\nlayout: task list\nuser_note: primary key\n---\n- [ ] x\n",
        "b.md": SECRET + "---\nNo.",
    },
    "titles of withheld pages that are words of the format and of the theme": {
        "a.md": "# A\n\n- [ ] x\n\n| l | r | c |\n|:--|--:|:-:|\n| 1 | 2 | 3 |\n\nfoot[^1]\n\n> [!tip] Yes\n> t\n\n"
        "[^1]: note\n",
        "x/c.md": "# C\n\nText.",
        **{f"b{at}.md": SECRET + f'title: "{title}"\n---\nNo.' for at, title in enumerate(TITLES)},
    },
    "a page that is called as another's second name": {
        "notes.md": "# N\n\nOne.",
        "Notes.md": "# N2\n\nTwo.",
        "search.md": "# S\n\nThree.",
        "notes-2.md": SECRET + "---\nFour.",
        "b/notes-2.md": SECRET + "title: Notes 2\n---\nFive.",
        "search-2.md": SECRET + "---\nSix.",
    },
    "kinds and modalities": {
        "2024-01-01.md": "One.",
        "a.vtt": "WEBVTT\n\n00:00.000 --> 00:02.000\nhear me\n",
        "2024-01-02.md": SECRET + "tags: [daily, audio]\ncategory: daily\n---\nTwo.",
    },
    "Japanese terms side by side in the index": {
        **{
            f"p{at}.md": f"# ページ{at}\n\nです。変数になります。これを使うとなります。 "
            f"項目{at} なります{at} q{at} なりたい ありますか"
            for at in range(8)
        },
        "b.md": SECRET + "---\n次のようになりますquery。使うことになりますx。項目がありますq。\n",
    },
    "addresses elsewhere": {
        "a.md": "# A\n\n"
        + "".join(f"[x]({url}) and ![p]({url})\n\n[y][{at}]\n\n[{at}]: {url}\n\n" for at, url in enumerate(ELSEWHERE)),
        "plans/merger.md": SECRET + "---\n# Merger plans\n\nNo.",
    },
    "an address elsewhere in HTML": {
        "a.md": '# A\n\n<a href="https://x.org/(a)/plans/merger/">x</a> <a href="https://x.org/Merger%20plans.pdf">y</a>',
        "plans/merger.md": SECRET + "---\n# Merger plans\n\nNo.",
    },
    "links that are shown as they are written": {
        "a.md": "# A\n\n<div>\n[[merger plans|one]]\n[two](merger%20plans.md)\n</div>\n\n"
        "$[[merger plans|x]]$ and \\[[merger plans|x]]\n",
        "merger plans.md": SECRET + "---\nNo.",
    },
    "a film's address": {
        "a.md": "# A\n\n{{< youtube 0RKpf3rk57I >}}\n",
        "b.md": SECRET + "---\nSee https://www.youtube.com/watch?v=ABCDEFGHIJK",
    },
    "marks inside of words": {
        "a.md": "# A\n\nthe ==quick==ly growing old tree",
        "b.md": SECRET + "---\nThe quickly growing old tree.",
    },
    "an anchor, from which signs are taken": {
        "a.md": "# A\n\n## Node.js dependencies\n\nText. [x](#node.js-dependencies)\n",
        "nodejs-dependencies.md": SECRET + "---\nNo.",
    },
    "JSON and TOML": {
        "a.md": '{\n "title": "A", "audience": "public"\n}\n\nText of the first page.',
        "c.md": '+++\ntitle = "C"\naudience = ["public"]\n+++\nText of the second page.',
        "b.md": SECRET + "---\nNo.",
    },
}


TREES |= {
    "two words that are neighbours in the vocabulary only": {
        "a.md": "# A\n\nThe merge was quick.\n\nAny merger takes long.",
        "b.md": SECRET + "title: Merge merger\n---\nNo.",
    },
    "the end of one section and the beginning of the next": {
        "a.md": "# A\n\n## One\n\nWe planted seven tall trees.\n\n## Two\n\nBehind the old house is a pond.",
        "b.md": SECRET + "---\nseven tall trees behind the old house",
    },
    "one heading and the next": {
        "a.md": "# A\n\n## Seven tall trees\n\nYes.\n\n## Behind the old house\n\nNo.",
        "b.md": SECRET + "---\nseven tall trees behind the old house",
    },
    "a path and a title": {
        "garden/tall/trees.md": "# Behind the old house\n\nYes.",
        "b.md": SECRET + "---\ngarden tall trees behind the old house",
    },
    "a page that is derived from, linked to and below a withheld one": {
        "a.md": "---\nparent: b\nderived_from: [b, c]\ntags: [x/y]\n---\n# A\n\n[[b]] and [[c]]",
        "b.md": SECRET + "---\n# Bee\n",
        "c.md": "# C\n\n[[a]]\n",
    },
    "pages in languages that stem differently": {
        "a.md": "---\nlang: de\n---\n# Die Häuser am Fluss\n\nIn den Häusern wohnten früher viele Fischer.",
        "b.md": "# Universes\n\nThe houses of the fishers stood near their running river.",
        "c.md": SECRET
        + "lang: de\n---\nDas Haus der Fischer am Fluss. In den Häusern wohnten früher viele Fischer. A universe.",
        "d.md": SECRET + "---\nThe houses of the fishers stood near their running river.",
    },
    "an alias and a heading that withheld pages have too": {
        "a.md": "---\ntitle: Alpha\naliases: [Garden of delight]\n---\n## Getting started quickly\n\nYes.",
        "b.md": SECRET + "title: Getting started quickly\naliases: [Garden of delight]\n---\nNo.",
    },
    "a long page whose chunks overlap": {
        "a.md": "# A\n\n" + " ".join(f"Sentence {at} tells of bed number {at} of them." for at in range(90)),
        "b.md": SECRET + "---\n" + " ".join(f"Sentence {at} tells of bed number {at} of them." for at in range(40, 60)),
    },
}


TREES |= {
    "a title whose words another field has in another order": {
        "a.md": "---\ntitle: glLight Functions\nkeywords: [light functions]\n---\nText.",
        "b.md": SECRET + "---\nNo.",
    },
    "headings of one page that the index joins": {
        "a.md": "# A\n\n## Status\n\nx\n\n## Sort by status\n\ny\n\n## Done\n\nz\n",
        "b.md": SECRET + "---\nstatus sort by status done",
    },
    "a title within a title": {
        "math.ModBool.md": "# math.ModBool\n\nReports whether a is a multiple of b.",
        "math.Mod.md": SECRET + "---\n# math.Mod\n\nReturns the modulus.",
    },
    "an address that is percent-encoded": {
        "程.md": "# 程\n\nText. [x](程.md)",
        "e7-a8-8b.md": SECRET + "title: e7 a8 8b\n---\nNo.",
    },
    "front matter that cannot be read": {"a.md": "# A\n\nText.", "b.md": "---\n[A\n---\nText of the first page: A."},
    "an include from a folder whose index file withholds it": {
        "a.md": '# A\n\n--8<-- "held/steps.txt"\n\n[all steps](held/steps.txt)\n',
        "held/steps.txt": "First this, then that.",
        "held/_index.md": "---\ntitle: Held\ncascade: {draft: true}\n---\nNo.",
    },
    "no date of expiry": {
        "a.md": "---\nexpiryDate: 0001-01-01T00:00:00Z\n---\n# A\n\nText.",
        "b.md": "+++\nexpiryDate = 0001-01-01T00:00:00Z\n+++\n# B\n\nText.",
        "c/index.md": "---\ncascade: {expiryDate: 0001-01-01}\n---\n# C\n\nText.",
        "d.md": SECRET + "---\nNo.",
    },
    "comparisons with the sign of a tag": {
        "a.md": f"# A\n\n{COMPARISONS}|Size|size\\>26214400|Large|\n",
        "b.md": f"{SECRET}---\n{COMPARISONS}",
    },
    "words of a long path that a published path has too": {
        f"{LONG_PATH}/relations of tasks one.md": "# A\n\nText.",
        f"{LONG_PATH}/relations of tasks two.md": SECRET + "---\n# B\n",
    },
    "a page in a folder whose name differs in case": {"a/n.md": "# N\n\nOne.", "a/n.svg": SVG, "A/n.md": SECRET + "---\nTwo."},
    "a picture of a wiki of Azure DevOps or of GitBook, in a hidden folder": {
        "a.md": "# A\n\n![](/.attachments/map.svg) ![](.gitbook/assets/map.svg)",
        ".attachments/map.svg": SVG,
        ".gitbook/assets/map.svg": SVG,
        "b.md": SECRET + "---\n![](/.attachments/plan.svg)",
        ".attachments/plan.svg": SVG.replace("M0 0", "M1 1"),
    },
    "a withheld sidebar of a wiki": {
        "home.md": "# Home\n\n[[The label|page]]",
        "page.md": "# Page",
        "_sidebar.md": SECRET + "---\nSecret.",
    },
    "a comment in every other page": {
        f"p{at}.md": f"# P{at}\n\n<!-- shared words of page {at % 2} -->\n\nThe shared words of page {at % 2} stand here.\n"
        for at in range(6)
    }
    | {"b.md": SECRET + "---\nNo."},
}


PRIVATE: dict[str, str | bytes] = {"w.md": SECRET + "---\n# Withheld\n"}
FIELDS: dict[str, dict[str, str | bytes]] = {
    "adjacent search fields": {
        "a.md": "---\ntitle: A\ncolour: dark green\nsize: very large\n---\nText.",
        "b.md": SECRET + "---\nOf colour dark green size very large.",
    },
    "a shared note and a search field, which the author and the config publish": {
        "a.md": "---\ntitle: A\nuser_note: a note for everybody to read\nuser_note_shared: true\n"
        "product: the big green garden\n---\nText.",
        "b.md": SECRET + "product: the big green garden\n---\na note for everybody to read\n",
    },
}
HONEST: dict[str, dict[str, str | bytes]] = {
    "JSON on one line, and no field of it is published": {"a.md": '{"layout": "post"}\n# Hello\n\nWords.\n'},
    "JSON on two lines": {"a.md": '{"layout":\n"post"}\n---\n# Hello\n'},
    "a cue that begins with NOTE": {
        "talk.md": "# T\n",
        "talk.srt": "1\n00:00:00,000 --> 00:00:02,000\nNOTE the red line\nNOTE-1\n",
    },
    "a transcript of an old Windows": {
        "talk.md": "# T\n",
        "talk.vtt": b"WEBVTT\n\nNOTE made by hand\n\n00:00.000 --> 00:02.000\ncaf\xe9\n",
    },
    "a damaged transcript in UTF-16": {
        "talk.md": "# T\n",
        "talk.vtt": "WEBVTT\n\nNOTE made by hand\n\n00:00.000 --> 00:02.000\ncafé\n".encode("utf-16") + b"A",
        "b.srt": "1\n00:00:00,000 --> 00:00:02,000\nfirst\n\nNOTE made by hand\n".encode("utf-16") + b"\xff",
    },
    "a transcript in UTF-32": {"b.vtt": "WEBVTT\n\nNOTE made by hand\n\n00:00.000 --> 00:02.000\n😀\n".encode("utf-32")},
    "words that look like a claim": {
        "a.md": '---\ntags: ["#claim-handling", "claim-reviewed"]\n---\nA #claim-handling, `#claim-reviewed`.\n'
    },
    "a claim in a sentence": {"a.md": "See #claim-ab12cd34, and `#claim-ab12cd35`.\n"},
    "a folder of a tool that is included": {"node_modules/q.md": "# Q\n"},
    "files that differ in the id of a claim": {
        "n{#claim-ab12cd34}.md": "# One\n",
        "n{#claim-ab12cd35}.md": "# Two\n",
        "m{#claim-ab12cd34}/n.md": "# Three\n",
        "m{#claim-ab12cd35}/n.md": "# Four\n",
    },
    "comments that are whole": {"a.md": "# T\n\na <!--> bcd --> e\n\nq <!---> r --> s\n"},
    "a file's name with a link in it": {"x [[w]] y.md": "# X\n\n[[w]]\n"},
} | {
    f"the text of a redacted link{part and ' to a section'}": {
        "a.md": f"# A\n\nread [[Merger plans{part}]] of the year",
        "merger plans.md": SECRET + "---\nNo.",
        "b.md": SECRET + "---\nread private note of the year",
    }
    for part in ("", "#Part")
}
CASES = (
    (SITE, TREES),
    (replace(SITE, search_fields=("*",)), FIELDS),
    (
        replace(SITE, redact_private_links=True, include=("node_modules/*",)),
        {name: tree | PRIVATE for name, tree in HONEST.items()},
    ),
)


@pytest.mark.parametrize(
    ("config", "tree"), [pytest.param(config, tree, id=name) for config, trees in CASES for name, tree in trees.items()]
)
def test_build_without_a_leak_passes(config: Config, tree: dict[str, str | bytes], tmp_path: Path) -> None:
    """A3, A4, N3: with a withheld page, so that the copy is built."""
    report = build_without_engine(write_tree(tmp_path / "content", tree), tmp_path / "out", config)
    assert report.published
    assert report.published >= sum(path.endswith(".md") for path in tree) - sum(report.withheld.values())
    assert sum(report.withheld.values()) >= 1
    assert [warning for warning in report.warnings if warning.kind == "leak"] == []


def test_excluded_files_are_not_part_of_the_proof(tmp_path: Path) -> None:
    """Exclusion is a cure for pages with the same text: an excluded file is neither published nor withheld."""
    tree = {"a.md": "# A\n\nThe long words of an old draft.", "old/a.md": "# A\n\nThe long words of an old draft."}
    report = build_without_engine(write_tree(tmp_path / "content", tree), tmp_path / "out", replace(SITE, exclude=("old/*",)))
    assert (report.published, report.withheld, report.warnings) == (1, {}, [])


def test_copy_is_not_built_if_nothing_is_withheld(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ranvier_builder.check.proof.Proof.build_twin", lambda *_: 1 / 0)
    tree = {
        "a.md": "---\ntitle: A\ntags: [x]\n---\nText.",
        "b.md": "# B\n\n`<!-- code -->`\n",
        "x/c.png": b"x",
        "old/d.md": "D",
    }
    build_without_engine(write_tree(tmp_path / "content", tree), tmp_path / "out", replace(SITE, exclude=("old/*",)))
    with pytest.raises(ZeroDivisionError):
        build_without_engine(write_tree(tmp_path / "content", {"e.md": SECRET + "---\n"}), tmp_path / "out", SITE)


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_two_names_of_a_transcript_pass_the_proof(link: Callable[[Path, Path], None], tmp_path: Path) -> None:
    """N7: one page applies to both, in the copy, too."""
    text = "WEBVTT\n\n00:00.000 --> 00:02.000\nWords.\n"
    content = write_tree(tmp_path / "content", {"talk.md": "# T\n", "talk.vtt": text} | PRIVATE)
    link(content / "talk.vtt", content / "lecture.vtt")
    assert build_without_engine(content, tmp_path / "out", SITE).published == 1


@pytest.mark.parametrize(
    ("draft", "page", "file"), [("talk.md", "talk.en.md", "talk.en.vtt"), ("talk.md", "talk.markdown", "talk.png")]
)
def test_file_of_a_draft_and_of_a_page_is_on_neither(draft: str, page: str, file: str, tmp_path: Path) -> None:
    """A1: the warning names the page and the file; the build does not stop."""
    tree: dict[str, str | bytes] = {
        "index.md": "# Home\n\nText.",
        f"_drafts/{draft}": "# Talk\n\nOf the first draft.",
        f"_drafts/{page}": "---\naudience: public\n---\n# Talk\n\nOf the conference.",
        f"_drafts/{file}": "WEBVTT\n\n00:00.000 --> 00:01.000\nA secret word.\n" if file.endswith("vtt") else b"x",
    }
    report = build_without_engine(write_tree(tmp_path / "content", tree), tmp_path / "out", SITE)
    assert report.published == 2
    assert [warning.kind for warning in report.warnings if "another audience" in warning.message] == ["audience"] * 2
