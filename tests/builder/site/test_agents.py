"""`llms.txt`, whole texts, and a Markdown file for each page (G2): from published pages alone (A2)."""

import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import frontmatter
import pytest
from ranvier_builder import Config, build, publish
from ranvier_builder.site import agents
from ranvier_builder.work.database import Memory
from selectolax.lexbor import LexborHTMLParser
from support.content import Tree, build_tree, read_tree, stub_assets

PUBLIC = "---\naudience: public\n"
FILES: dict[str, str | bytes] = {
    "index.md": f"{PUBLIC}---\n# Home\n\n[a](guide/a.md), [[Thornmere|words]], [gone](plans/thornmere.md)\n",
    "guide/index.md": f"{PUBLIC}title: Guide\nsummary: All of it.\n---\nText.\n",
    "guide/a.md": f"{PUBLIC}title: 'A [b] <c> & \"d\" ]]> `e`'\nsummary: 'One\n\n  two'\ntags: [x]\ncreated: 2026-01-02\n---\n"
    "%% a comment %%\n[home](../index.md) [[Thornmere]] ![[Thornmere]] {#claim-abcd1234}\n\n![p](p.png)\n",
    "guide/p.png": b"no picture",
    "empty/b.md": f"{PUBLIC}title: '---'\n---\n\n",
    "hidden.md": f"{PUBLIC}title: Hidden\nnoindex: true\n---\nNot listed.\n",
    "plans/thornmere.md": "---\naudience: curator\ntitle: Thornmere\n---\nprivate\n",
}
SEVERAL: dict[str, str | bytes] = {
    "index.md": "# Home\n",
    "a.md": "---\ntitle: A\ntags: [x]\n---\nText.\n",
    "b.md": "---\ntitle: B\ntags: [x]\ncreated: 2026-01-02\n---\nText.\n",
    "2026-01-01.md": "A day.\n",
}
URL = "https://x.example/docs/"


def build_site(tmp_path: Path, **settings: object) -> Path:
    return build_tree(tmp_path, FILES, Config(title="Site\n# [x]", **settings))  # type: ignore[arg-type]


def read(out: Path, name: str) -> str:
    return (out / name).read_text("utf-8")


def test_each_page_has_a_markdown_file(tmp_path: Path) -> None:
    """G2, A6: with its published fields; the HTML names it."""
    out = build_site(tmp_path, url=URL)
    post = frontmatter.loads(read(out, "guide/a/index.md"))
    assert post.metadata["title"] == 'A [b] <c> & "d" ]]> `e`'
    assert post.metadata["url"] == f"{URL}guide/a/"
    assert post.metadata["tags"] == ["x"]
    assert post.content == (
        '# A \\[b\\] \\<c> & "d" \\]\\]> \\`e\\`\n\n> One two\n\n[home](https://x.example/docs/) Thornmere Thornmere\n\np'
    )
    html = LexborHTMLParser(read(out, "guide/a/index.html"))
    (link,) = html.css('link[rel=alternate][type="text/markdown"]')
    assert link.attributes["href"] == "index.md"
    assert frontmatter.loads(read(out, "empty/b/index.md")).metadata["title"] == "---"
    assert not (out / "empty" / "index.md").exists(), "a folder without a page has no text"


def test_withheld_and_unlisted_pages_are_not_in_the_files(tmp_path: Path) -> None:
    """A2, A4, G2: no name, address or text; redaction applies too."""
    out = build_site(tmp_path, redact_private_links=True)
    names = {file.relative_to(out).as_posix() for file in out.rglob("*.md")}
    assert names == {"index.md", "guide/index.md", "guide/a/index.md", "empty/b/index.md"}
    for name in (*names, "llms.txt", "llms-full.txt"):
        text = read(out, name)
        assert "hornmere" not in text, name
        assert "a comment" not in text
        assert "Not listed" not in text
        assert "claim" not in text
    assert "private note private note" in read(out, "guide/a/index.md")
    assert "[a](guide/a/), words, gone" in read(out, "index.md")


def test_list_of_pages(tmp_path: Path) -> None:
    """G2: below their sections, each on one line."""
    out = build_site(tmp_path, url=URL, description="About\nit.")
    assert read(out, "llms.txt") == (
        "# Site # \\[x\\]\n\n> About it.\n\n"
        "## Pages\n\n- [Site # \\[x\\]](https://x.example/docs/index.md)\n\n"
        "## Empty\n\n- [---](https://x.example/docs/empty/b/index.md)\n\n"
        "## Guide\n\n- [Guide](https://x.example/docs/guide/index.md): All of it.\n"
        '- [A \\[b\\] \\<c> & "d" \\]\\]> \\`e\\`](https://x.example/docs/guide/a/index.md): One two\n\n'
        "## Optional\n\n- [llms-full.txt](https://x.example/docs/llms-full.txt): the texts of all pages\n"
    )


def test_whole_texts_are_split_for_large_sites(tmp_path: Path) -> None:
    """G2: each page is in one file, in reading order."""
    with patch.object(agents, "_MAX_BYTES", 250):
        out = build_site(tmp_path)
    files = sorted((file.name for file in out.glob("llms-full*.txt")), key=lambda name: (len(name), name))
    assert len(files) > 1
    text = "".join(read(out, name) for name in files)
    sources = [line for line in text.splitlines() if line.startswith("Source: ")]
    assert sources == ["Source: ./", "Source: empty/b/", "Source: guide/", "Source: guide/a/"]
    assert all(f"[{name}]({name})" in read(out, "llms.txt") for name in files)


def test_files_are_optional(tmp_path: Path) -> None:
    """G2: `agents = false`."""
    out = build_site(tmp_path, agents=False)
    assert not [*out.rglob("*.md"), *out.glob("llms*")]
    assert "text/markdown" not in read(out, "guide/a/index.html")


def test_page_named_llms_keeps_its_address(tmp_path: Path) -> None:
    """G2: no page of the content has the address of such a file."""
    files: dict[str, str | bytes] = {"llms.txt.md": "# L\n", "index.md.md": "# I\n", "index!.md": "# J\n", "a.md": "# A\n"}
    out = build_tree(tmp_path, files)
    assert len([*out.rglob("index.md")]) == 4
    assert "# Optional" in read(out, "llms.txt")


@pytest.mark.parametrize("title", ["</title>", "a\n---\n\n# b", "\x0b\x85\u2028", "[x](y)", "'"])
def test_odd_titles_are_one_line(tmp_path: Path, title: str) -> None:
    """G2: titles are untrusted."""
    out = build_tree(tmp_path, {"a.md": f"---\ntitle: {json.dumps(title)}\n---\nText.\n", "b.md": "# B\n"})
    assert frontmatter.loads(read(out, "a/index.md")).content.endswith("Text.")
    lines = [line for line in read(out, "llms.txt").split("\n") if line.startswith("- [") and "a/index.md" in line]
    assert len(lines) == 1
    assert read(out, "llms-full.txt").count("Source: ") == 2


def test_unchanged_pages_are_not_converted_again(tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """G2, G3, I3: an edit of one page writes its files and the lists that name it, and the same bytes as a full build."""
    monkeypatch.setattr(publish, "write_assets", stub_assets)
    content, config = tree(SEVERAL), Config(url=URL, default_audience="public")
    converted: list[str] = []
    convert = agents.markdown_page

    def watched(page: dict[str, Any], config: Config) -> str:
        converted.append(page["url"])
        return convert(page, config)

    monkeypatch.setattr(agents, "markdown_page", watched)

    def files(name: str, memory: Memory | None) -> dict[str, bytes]:
        build(content, tmp_path / name, config, memory=memory)
        return read_tree(tmp_path / name)

    memory = Memory(tmp_path / "cache")
    first_build = files("site", memory)
    assert sorted(converted) == ["", "2026-01-01/", "a/", "b/"]
    converted.clear()
    assert files("site", memory) == first_build
    assert converted == []
    (content / "a.md").write_text(str(SEVERAL["a.md"]).replace("Text", "Words"))
    rebuilt_files = files("site", memory)
    assert converted == ["a/"]
    changed = {
        name for name in rebuilt_files if rebuilt_files[name] != first_build.get(name) and not name.startswith("_ranvier/")
    }
    assert changed == {"a/index.html", "a/index.md", "llms-full.txt"}
    assert {"a/index.md", "llms.txt", "feed.xml", "tags/x/index.html", "calendar/index.html"} <= {
        *rebuilt_files["_ranvier/written.txt"].decode().splitlines()
    }
    assert files("full", None) == rebuilt_files
