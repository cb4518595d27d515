"""Nothing withheld is in the files of a built site (A2, A3, A4, A6)."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest
import ranvier
from ranvier_builder import Config
from ranvier_builder.embed.models import embedder
from support.content import build_tree, build_without_engine, write_tree
from support.meaning import file_digests
from support.pictures import PNG

ENGLISH = "# Boats\n\nA vessel sails across the ocean.\n\n## Wind\n\nIt blows from the west.\n"


def output_bytes(out: Path) -> bytes:
    """Every byte of a site, its packed files unpacked too, and the names of its files."""
    parts = []
    for file in sorted(out.rglob("*")):
        parts.append(str(file.relative_to(out)).encode())
        if file.is_file():
            data = file.read_bytes()
            parts.append(data)
            if file.suffix == ".bin":
                parts.append(zlib.decompress(data))
    return b"\n".join(parts).lower()


@pytest.mark.parametrize("shared", ["false", "'true'", ""])
def test_unshared_note_is_not_in_the_output(tmp_path: Path, shared: str) -> None:
    """A4."""
    note = f"user_note: kestrel-note\nuser_note_shared: {shared}"
    data = output_bytes(build_tree(tmp_path, {"a.md": f"---\ntitle: Shown\n{note}\naudience: public\n---\nVisible\n"}))
    assert b"visible" in data
    assert b"kestrel" not in data


def test_withheld_canvas_and_private_parts_of_a_canvas_leave_no_trace(tmp_path: Path) -> None:
    """A2, A3, A6, N8: cards, groups, names of files, and properties."""
    nodes = [
        {"type": "group", "label": "Osprey", "x": 0, "y": 0, "width": 500, "height": 500},
        {"type": "text", "text": "A kestrel in a card.", "x": 10, "y": 10, "width": 9, "height": 9},
        {"type": "file", "file": "vault/kestrel.md", "x": 10, "y": 30, "width": 9, "height": 9},
    ]
    nodes_of_canvas = [
        {"type": "text", "text": "Shown %%\nkestrel\n%%\n\n<!-- osprey --> {#claim-0a1b2c3d}", "x": 0, "y": 0},
        nodes[2],
    ]
    properties = {"audience": "public", "owner": "kestrel-owner", "user_note": "osprey"}
    content = write_tree(
        tmp_path / "c",
        {
            "index.md": "---\naudience: public\n---\nSee [[vault/kestrel.canvas|this]] and ![[kestrel.canvas|that]].\n",
            "vault/kestrel.canvas": json.dumps({"nodes": nodes}),
            "vault/kestrel.md": "Osprey.\n",
            "board.canvas": json.dumps({"nodes": nodes_of_canvas, "metadata": {"frontmatter": properties}}),
        },
    )
    report = build_without_engine(content, tmp_path / "out", Config())
    assert (report.read, report.published) == (4, 2)
    data = output_bytes(tmp_path / "out")
    assert b"shown" in data
    for trace in (b"kestrel", b"osprey", b"vault", b"claim-"):
        assert trace not in data, trace


LINKS = {
    "inline": "[see](vault/kestrel-plan.md#osprey)",
    "rooted": "[see](/vault/kestrel-plan.md) [see](/vault/kestrel-plan/)",
    "titled": "[see](./vault/../vault/kestrel-plan.md?x=1)",
    "image": "![see](vault/kestrel-plan.md)",
    "wikilink": "[[vault/kestrel-plan|see]] [[kestrel#osprey|see]] ![[kestrel-1|see]] [[kestrel-too|see]]",
    "reference": "[see][x]\n\n[x]: vault/kestrel-plan.md",
    "footnote": "see[^1]\n\n[^1]: [note](vault/kestrel-plan.md)",
    "raw link": "<a href='vault/kestrel-plan.md'>see</a>",
    "raw image": '<img alt="see" src="vault/kestrel-plan.md">see',
    "raw block": '<div>\n<a href="vault/kestrel-plan.md">see</a>\n</div>',
    "raw video": '<div>\nsee <video src="vault/kestrel.mp4" poster="vault/kestrel.png"></video>\n</div>',
    "comment": "see <!-- kestrel osprey -->",
}


def test_withheld_pages_leave_no_trace_in_the_output(tmp_path: Path) -> None:
    """A2, A6: no text, title, tag, id, alias, name or path, even if public pages link to the withheld page."""
    content = write_tree(
        tmp_path / "c",
        {
            **{
                f"{name}.md": f"---\naudience: public\n---\n# Home {{#claim-0a1b2c3d}}\n\n{link}\n"
                for name, link in LINKS.items()
            },
            "vault/kestrel-plan.md": (
                "---\naudience: curator\ntitle: Kestrel\nid: kestrel-1\ntags: [kestrel-tag]\naliases: [kestrel-too]\n---\n"
                "# Osprey\n\n![x](kestrel.png)\n"
            ),
            "vault/kestrel.jpg": b"kestrel",
            "silent/kestrel.md": "Says nothing about its audience: osprey.\n",
            "bad/kestrel.md": "---\naudience: [public\n---\nosprey\n",
        },
    )
    report = build_without_engine(content, tmp_path / "out", Config())
    assert (report.read, report.published) == (len(LINKS) + 3, len(LINKS))
    data = output_bytes(tmp_path / "out")
    assert b"see" in data
    for trace in (b"kestrel", b"osprey", b"vault", b"silent", b"claim-"):
        assert trace not in data, trace


TRANSCRIPT = "WEBVTT\n\n00:00.000 --> 00:02.000\nA kestrel.\n"


@pytest.mark.parametrize(
    ("file", "settings"),
    [
        (".obsidian/publish.json", '{"excluded": ["vault"]}'),
        ("conf.py", 'exclude_patterns = ["vault/*"]'),
        ("quartz.config.ts", 'const config = {configuration: {ignorePatterns: ["vault"]}}'),
        ("hugo.toml", 'baseURL = "https://example.org/"\nignoreFiles = ["vault/"]'),
    ],
)
def test_transcripts_in_a_folder_that_settings_exclude_leave_no_trace(tmp_path: Path, file: str, settings: str) -> None:
    """A2, N8: settings of other systems exclude documents as they exclude pages."""
    tree = {"index.md": "# Home\n", "vault/osprey.md": "# Osprey\n", "vault/talk.vtt": TRANSCRIPT}
    write_tree(tmp_path, {file if file[0] == "h" else f"content/{file}": settings})
    data = output_bytes(build_tree(tmp_path, {"content/" * (file[0] == "q") + name: text for name, text in tree.items()}))
    for trace in (b"kestrel", b"osprey", b"vault"):
        assert trace not in data, trace


@pytest.mark.parametrize(
    ("file", "settings"),
    [
        ("content/.obsidian/publish.json", '{"excluded": ["vault"]}'),
        ("mkdocs.yml", "docs_dir: content\nexclude_docs: vault/\n"),
        ("quartz.config.ts", 'const config = {configuration: {ignorePatterns: ["vault"]}}'),
        ("hugo.toml", 'baseURL = "https://example.org/"\nignoreFiles = ["vault/"]'),
    ],
)
@pytest.mark.parametrize("page", ["# Osprey\n", "---\naudience: public\n---\n# Shown\n"])
def test_attachments_that_settings_exclude_are_not_published(tmp_path: Path, file: str, settings: str, page: str) -> None:
    """A2, N8: a link does not publish them, but a page may include a text, and a page that is one here keeps its pictures."""
    write_tree(tmp_path, {file: settings})
    index = '# Home\n\n[A](vault/a.txt) ![B](vault/img/b.png)\n\n--8<-- "vault/c.txt"\n'
    vault: dict[str, str | bytes] = {
        "vault/a.txt": "kestrel",
        "vault/img/b.png": PNG,
        "vault/c.txt": "heron",
        "vault/osprey.md": page,
    }
    data = output_bytes(build_tree(tmp_path, {"index.md": index, "p.md": WITHHELD} | vault))
    assert b"heron" in data
    assert (b"kestrel" in data) == ((tmp_path / "out" / "_media").exists()) == ("audience" in page)


@pytest.mark.parametrize(
    ("withheld", "published"),
    [
        ("draft: true", "weight: 1"),
        ("audience: curator", "audience: [public]"),
        ("audience: [public", "audience: Public\ndraft: true"),
        ("ms.audience: staff", "audience: ITPro"),
        ("audience: staff", "ms: {audience: public}\ndraft: true"),
    ],
)
def test_transcripts_of_a_bundle_have_the_audience_of_its_page(tmp_path: Path, withheld: str, published: str) -> None:
    """A2, N8: in Hugo, the files in the folder of an `index.md` are parts of it."""
    write_tree(tmp_path, {"hugo.toml": 'baseURL = "https://example.org/"\n'})
    tree: dict[str, str | bytes] = {
        "_index.md": "# Home\n",
        "vault/index.md": f"---\n{withheld}\n---\n# Osprey\n",
        "vault/talk.vtt": TRANSCRIPT,
        "open/index.md": f"---\n{published}\n---\n# Open\n\n[Link](../vault/talk.vtt)\n",
        "open/talk.vtt": TRANSCRIPT.replace("kestrel", "heron"),
    }
    names = {"itpro": "public", "staff": "curator"}
    config = Config(default_audience="public", audience_fields=("ms.audience",), audience=names)
    data = output_bytes(build_tree(tmp_path, tree, config))
    assert b"heron" in data
    for trace in (b"kestrel", b"osprey", b"vault"):
        assert trace not in data, trace


WITHHELD = "---\naudience: curator\n---\n# Osprey\n"
ATTACHMENTS = "".join(f"[{name}](../vault/{name}) " for name in ("kestrel.txt", "kestrel.csv", "img/kestrel.png"))
HELD = "---\ncascade: {draft: true}\n---\n# Osprey\n"
HELD_FOLDERS: dict[str, dict[str, str | bytes]] = {
    "draft": {"vault/index.md": "---\ndraft: true\n---\n# Osprey\n"},
    "draft with another page": {"vault/index.md": "---\ndraft: true\n---\n# Osprey\n", "vault/img/osprey.md": "# Osprey\n"},
    "audience": {"vault/index.md": WITHHELD},
    "section below a published page": {"_index.md": "# Home\n", "vault/_index.md": HELD, "vault/osprey.md": "# Osprey\n"},
    "bundle below a published section": {
        "_index.md": "---\naudience: public\ncascade: {draft: true}\n---\n# Home\n",
        "vault/index.md": "# Osprey\n",
        "open/index.md": "---\naudience: public\n---\n# Open\n",
    },
}


@pytest.mark.parametrize("files", HELD_FOLDERS.values(), ids=HELD_FOLDERS)
def test_attachments_in_a_withheld_folder_leave_no_trace(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    """A2, N7: they have the audience of their bundle or section, whatever links to them, and under each of their names."""
    write_tree(tmp_path, {"hugo.toml": 'baseURL = "https://example.org/"\n'})
    vault: dict[str, str | bytes] = {
        "vault/kestrel.txt": "A kestrel.",
        "vault/kestrel.csv": "kestrel,1",
        "vault/img/kestrel.png": PNG + b"kestrel",
    }
    content = write_tree(tmp_path / "content", {"open/index.md": "# Open\n"} | files | vault)
    with (content / "open" / "index.md").open("a") as page:
        page.write(f"\nShown. ![Own](own.png) [Same](same.txt) {ATTACHMENTS}\n")
    (content / "open" / "own.png").write_bytes(PNG)
    (content / "open" / "same.txt").hardlink_to(content / "vault" / "kestrel.txt")
    data = output_bytes(build_tree(tmp_path, {}))
    assert b"shown" in data
    assert b"osprey" not in data
    assert [file.name.partition("-")[2] for file in (tmp_path / "out" / "_media").iterdir()] == ["own.png"]


@pytest.mark.parametrize("fields", ["draft: true", "audience: curator"])
def test_files_of_a_folder_with_withholding_fields_leave_no_trace(tmp_path: Path, fields: str) -> None:
    """A2, A3: neither the contents of MkDocs nor an include or a link publishes them."""
    tree: dict[str, str | bytes] = {
        "mkdocs.yml": "docs_dir: .\nnav: [index.md, Kestrel: vault/kestrel.md]\n",
        "index.md": f'# Seen\n\n--8<-- "vault/kestrel.md"\n\n![[vault/kestrel]]\n\n{ATTACHMENTS.replace("../", "")}\n',
        "vault/.meta.yml": fields,
        "vault/kestrel.md": "# Osprey\n",
        "vault/kestrel.txt": "A kestrel.",
        "vault/kestrel.csv": "kestrel,1",
        "vault/img/kestrel.png": PNG,
        "vault/talk.vtt": TRANSCRIPT,
    }
    data = output_bytes(build_tree(tmp_path, tree))
    assert b"seen" in data
    assert b"osprey" not in data
    assert not (tmp_path / "out" / "_media").exists()


def test_bundles_of_broken_settings_keep_their_documents(tmp_path: Path) -> None:
    """A2, N8: a mistake in the settings of Hugo does not publish the transcript of a draft."""
    write_tree(tmp_path, {"config.toml": 'baseURL = "https://example.org/"\ntitle = x\n'})
    build_tree(tmp_path, {"_index.md": "# Home\n", "vault/index.md": WITHHELD, "vault/talk.vtt": TRANSCRIPT})
    assert b"kestrel" not in output_bytes(tmp_path / "out")


def test_published_page_in_a_withheld_folder_shows_its_files(tmp_path: Path) -> None:
    """A2, N7."""
    tree: dict[str, str | bytes] = {
        "_drafts/ready.md": "---\naudience: public\n---\n![Own](img/own.png)\n",
        "_drafts/img/own.png": PNG,
        "_drafts/later/secret.md": "# Secret\n",
    }
    build_tree(tmp_path, tree)
    assert len([*(tmp_path / "out" / "_media").iterdir()]) == 1


def test_contents_without_endings_cancel_no_exclusion(tmp_path: Path) -> None:
    """A2, N8: a line for an excluded draft may stay in a table of contents."""
    tree: dict[str, str | bytes] = {
        "_config.yml": "exclude_patterns: ['vault/*']\n",
        "_toc.yml": "root: index\nchapters: [{file: vault/osprey}]\n",
        "index.md": "# Home\n",
        "vault/osprey.md": "# Osprey\n",
    }
    assert b"osprey" not in output_bytes(build_tree(tmp_path, tree))


SIBLING = "# Seen\n"


@pytest.mark.parametrize(
    ("file", "settings", "withheld", "published"),
    [
        ("mkdocs.yml", "docs_dir: .\nnav: [Kestrel: s/README.md]\n", "s/README.md", "s/index.md"),
        ("mkdocs.yml", "docs_dir: .\nnav: [Kestrel: s/index.md]\n", "s/index.md", "s.md"),
        ("mkdocs.yml", "docs_dir: .\nnav: [Kestrel: s.md]\n", "s.md", "s/index.md"),
        ("_quarto.yml", "website: {sidebar: {contents: [{text: Kestrel, href: s/a.qmd}]}}\n", "s/a.qmd", "s/a.md"),
        ("_quarto.yml", "website: {sidebar: {contents: [{text: Kestrel, href: s.html}]}}\n", "s.qmd", "s/index.qmd"),
        ("docs.json", '{"navigation": {"groups": [{"group": "Kestrel", "root": "s/index"}]}}', "s/index.md", "s.md"),
        ("sidebars.js", 'module.exports = {a: [{type: "doc", id: "s", label: "Kestrel"}]}', "s.mdx", "s/index.md"),
    ],
)
def test_label_of_a_withheld_page_is_not_that_of_its_sibling(
    tmp_path: Path, file: str, settings: str, withheld: str, published: str
) -> None:
    """A2, N5: another index of its folder, or a file with another ending."""
    tree: dict[str, str | bytes] = {file: settings, "index.md": "# Home\n", withheld: WITHHELD, published: SIBLING}
    data = output_bytes(build_tree(tmp_path, tree))
    assert b"seen" in data
    for trace in (b"kestrel", b"osprey"):
        assert trace not in data, trace


NOTES = "\nNOTE\nkestrel\nand more\n\nNOTED\n00:02.000 --> 00:03.000\nSeen café\n"


@pytest.mark.parametrize(
    ("encoding", "line_end"), [("utf-8", "\n"), ("utf-8-sig", "\r\n"), ("utf-16", "\r\n"), ("utf-32", "\n")]
)
def test_linked_transcript_has_no_notes_and_claims(tmp_path: Path, encoding: str, line_end: str) -> None:
    """A3, A6, N7: notes are comments. The file is published in UTF-8, the encoding of browsers; its page can be built."""
    spoken = TRANSCRIPT.replace("A kestrel.", "Shown. NOTE this{}")
    talk = (spoken.format(" {#claim-0a1b2c3d}") + NOTES).replace("\n", line_end).encode(encoding)
    data = output_bytes(build_tree(tmp_path, {"a.md": "# A\n\n[Talk](talk.vtt)\n", "talk.vtt": talk}))
    assert b"kestrel" not in data
    (published,) = (tmp_path / "out" / "_media").iterdir()
    assert published.read_text("utf-8") == spoken.format("") + "\n\nNOTED\n00:02.000 --> 00:03.000\nSeen café\n"


@pytest.mark.wordllama
def test_model_token_equal_to_a_withheld_title_is_no_leak(tmp_path: Path) -> None:
    """A2, A3: a page that uses the word would be a leak; no file shows whether a page does."""
    files = {
        "a.md": ENGLISH,
        "s.md": "---\naudience: curator\ntitle: government\n---\nThe government believes in parliament.\n",
    }
    report = build_without_engine(write_tree(tmp_path / "c", dict(files)), tmp_path / "out", vectors=True)
    assert report.published == 1
    reader = embedder("wordllama").tokenizer.tokenizer()
    (token,) = reader.encode("government")
    with ranvier.open_snapshot(tmp_path / "out") as library:
        vectors = library.engine.snapshot.vectors
        assert vectors is not None
        head = library.run(vectors.head())
    assert token not in head.site_tokens
    assert {*reader.encode("vessel")} <= {*head.site_tokens}


def test_withheld_pages_do_not_change_vectors(tmp_path: Path) -> None:
    """A2: the published bytes are the same without them."""
    secret = "---\naudience: curator\n---\n# Plans\n\nA vessel sails to the secret harbour of the ocean.\n"
    results = []
    for name, files in (("with", {"a.md": ENGLISH, "s.md": secret}), ("without", {"a.md": ENGLISH})):
        results.append(file_digests(build_tree(tmp_path / name, files, vectors=True) / "_ranvier"))
    assert results[0] == results[1]
