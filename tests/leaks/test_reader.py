"""A1, A3: the proof decides from the bytes of a file who may see it, and agrees with the gate."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from ranvier_builder import Config
from ranvier_builder.audience import Gate
from ranvier_builder.check.copy import write_copy
from ranvier_builder.check.private import Private, masked_transcript
from ranvier_builder.check.reader import Content, read_content
from ranvier_builder.errors import LeakError
from ranvier_builder.read.neuron import read_neuron
from ranvier_builder.render import includes
from ranvier_builder.work import limits
from support.content import OPEN, build_without_engine, write_tree


def is_withheld(tmp_path: Path, text: str | bytes, config: Config = OPEN, path: str = "a.md") -> bool:
    """Ask the proof and the gate."""
    (page,) = read_content(write_tree(tmp_path, {path: text}), config).pages
    gate = Gate(config.publish_for, config.default_audience, config.audience)
    assert bool(page.withheld) == bool(gate.reason_to_withhold(read_neuron(tmp_path, path, config)[0]))
    return bool(page.withheld)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\npublish: true\n---\n", False),
        ("---\npublish: True\n---\n", False),
        ("+++\npublish = true\n+++\n", False),
        ('{"publish": true}\n', False),
        ("---\npublish: false\n---\n", True),
        ("---\npublish: yes\n---\n", True),
        ("---\npublish:\n---\n", True),
        ("---\npublish: [[true]]\n---\n", True),
        ("---\npublish: {true: true}\n---\n", True),
        ("---\npublish: 1\n---\n", True),
        ("---\npublish: true\naudience: curator\n---\n", True),
        ("---\npublish: true\npublished: false\n---\n", False),
        ("Text.", True),
    ],
)
def test_switch_can_name_an_audience(tmp_path: Path, text: str, expected: bool) -> None:
    """A1, N8: `publish: true` of an Obsidian vault, if the settings map it to an audience."""
    assert is_withheld(tmp_path, text, Config(audience_fields=("publish",), audience={"true": "public"})) == expected


@pytest.mark.parametrize("text", ["Title: A\nAccess: all\n\nText.", "Note: A.\nms: all\n\nText."])
def test_audience_needs_a_fence(tmp_path: Path, text: str) -> None:
    """A1: a line that may name an audience by another name withholds its page."""
    assert is_withheld(tmp_path, text, Config(default_audience="public", audience_fields=("access", "ms.audience")))


def withheld_paths(content: Content) -> set[str]:
    return {source.path for source in content.withheld}


def paths(content: Content) -> set[str]:
    return {source.path for source in (*content.pages, *content.files)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Text.", False),
        ("---\naudience: public\n---\nText.", False),
        ("---\nAudience: Public\n---\nText.", False),
        ("---\naudience: [curator, public]\n---\n", False),
        ("---\naudience: partners, public\n---\n", False),
        ("---\naudience: curator\n---\n", True),
        ("---\naudience: tool\n---\n", True),
        ("---\naudience: partners\n---\n", True),
        ("---\naudience:\n---\n", True),
        ("---\naudience: []\n---\n", True),
        ("---\naudience: {public: yes}\n---\n", True),
        ("---\naudience: [[public]]\n---\n", True),
        ("---\naudience: public\nAudience: curator\n---\n", True),
        ("---\naudience: public\naudience: public\n---\n", True),
        ("---\ntitle: [a\naudience: public\n---\n", True),
        ("---\naudience: public\n", True),
        ("audience: curator\n\nText.", True),
        ("---\ntitle: x\n---\n- `audience`: who reads the token.\n", False),  # a list of parameters
        ("---\ntitle: x\n---\n- audience: curator\n", True),
        ("---\naudiences: public\n---\n", True),
        ("---\naudianse: public\n---\n", True),  # two letters are wrong
        ("---\ntarget_audience: public\n---\n", True),
        ("---\nms: {audience: public}\n---\n", True),
        ("---\ndate: 2024-13-45\n---\n", False),
        ("---\n- a\n- b\n---\n", True),
        ("---\n---\nText.", False),
        ('+++\naudience = "curator"\n+++\n', True),
        ('+++\naudience = ["public"]\n+++\n', False),
        ("+++\naudience = public\n+++\n", True),
        ('{"audience": "curator"}\nText.', True),
        ('{"audience": "public"}\nText.', False),
        ('{"a": 1, "A": 2}\nText.', True),
        ("\ufeff\n---\r\naudience: curator\r\n---\r\n", True),
        ("---\raudience: curator\r---\rText.", True),
        *(("---\naudience: curator\n---\n".encode(name), True) for name in ("utf-16", "utf-16-le", "utf-16-be", "utf-32")),
        ("---\naudience: public\n---\n".encode("utf-16"), False),
        # A word with an invisible character, or with a letter of another alphabet, is another word.
        (b"---\naudience: pub\0lic\n---\n", True),
        ('---\naudience: "public\\0"\n---\n', True),
        ('---\naudience: "\\uFEFFpublic"\n---\n', True),
        ("---\naudience: \ufeffpublic\n---\n", True),
        ("---\naudience: publi\u0441\n---\n", True),
        ("---\naudience: \uff50ublic\n---\n", True),
        ("---\naudience: pub\u00adlic\n---\n", True),
        ("---\naudience: public\u00a0\n---\n", True),
        ("---\naudience: [publi\u0441, public]\n---\n", False),
        ("---\naudience: 1\n---\n", True),
        # Frontmatter that cannot be read, and that has a field which withholds the page.
        ('{\n  "title": "x",\n  "draft": true,\n}\n\nText.', True),
        ("{'draft': true}\n\nText.", True),
        ("---\n# my notes\ndraft: true\n\nText.", True),
        ('---\n"draft": true\n\nText.', True),
        ("---\nms.date: 1\ndraft: true\n\nText.", True),
        ('---json\n{"draft": true}\n---\nText.', True),
        (";;;\npublished = false\n;;;\nText.", True),
        ("---\n\nWords about a draft, which is private: more words.\n", False),
        # A word with an invisible character is another word.
        ('---\ndraft: "no\\uFEFF"\n---\nText.', True),
        ('---\ndraft: "false\\0"\n---\nText.', True),
        ('---\npublished: "true\\uFEFF"\n---\nText.', True),
        ('---\ndraft: "no {#claim-ab12cd34}"\n---\nText.', True),
        ("---\ndraft: 0x0\n---\nText.", True),
        ("---\ndraft: 0\n---\nText.", False),
        ("---\naudience: [~, public]\n---\n", False),
        # Delimiters that are not those of frontmatter.
        *(
            (f"{begin}\naudience: curator\n{end}\nText.", True)
            for begin, end in (
                *(
                    ("\ufeff\ufeff---", "---"),
                    (" ---", "---"),
                    ("---\u00a0", "---"),
                    ("\u200b---", "---"),
                    ("--- # who", "---"),
                ),
                *(
                    ("---\n# a comment", ""),
                    ("---", "..."),
                    ("---\ntitle: x\n...", "---"),
                    ("---yaml", "---"),
                    ("----", "----"),
                ),
                ("<!-- x -->\n---", "---"),
            )
        ),
        (b"\xff---\naudience: curator\n---\n", True),
        ("+++\naudience = 'curator'\nText.", True),
        # An audience in a form that is not read.
        *(
            (f"---\n{line}\n---\n", True)
            for line in ("audience\u200b: curator", "\u0430udience: curator", "title: x\n  audience\uff1acurator")
        ),
        ("{'title': 'x', 'audience': 'curator'}\nText.", True),
        ('{"title": "x", /* who */ "audience": "curator"}\nText.', True),
        ('{"title": "x", "audience": "curator"} Text.', True),
        ("----\n{title: x, audience: curator}\n----\nText.", True),
        ('{"title": "x", "audience": "curator",}\nText.', True),
        ("{'audience': 'curator'}\nText.", True),
        ('{title: "x", audience: "curator"}\nText.', True),
        ('{"audience": "curator"} Text.', True),
        ('---json\n{"title": "x", "audience": "curator"}\n---\nText.', True),
        (';;;\n{"title": "x", "audience": "curator"}\n;;;\nText.', True),
        ('----\n{"title": "x", "audience": "curator"}\n----\nText.', True),
        ("---\nmeta: {deep: {audience: curator}}\n---\n", True),
        ("---\nmeta: [{audience: curator}]\n---\n", True),
        ('+++\nextra={a={audience="curator"}}\n+++\n', True),
        ("---\ntargetAudience: curator\n---\n", True),
        ("---\naudienceLevel: curator\n---\n", True),
        ("---\nａｕｄｉｅｎｃｅ: curator\n---\n", True),
        ("title: x\naudience：curator\n\nText.", True),
        ("<!--\n" + "a licence\n" * 50 + "-->\n---\naudience: curator\n---\n", True),
        ("--- x\n" + "".join(f"k{at}: 1\n" for at in range(60)) + "audience: curator\n---\n", True),
        # No audience.
        ("---\nmeta: {kind: [a, {b: c}]}\n---\nText.", False),
        ("{{< include >}}\n\nWritten for an audience: all.", False),
        ("---\n---\nWritten for an audience: all.", False),
        ("Audience\n========\n\nText.", False),
        # A line in a code block is an example, if the block is closed and does not contain the whole file.
        ("---\ntitle: Tokens\n---\n```ts\nconfig = {\n  audience: env.AUDIENCE,\n}\n```\n", False),
        ("Text.\n\n~~~md\n```yaml\naudience: curator\n```\n~~~\n", False),
        ("Text.\n\n1. Write\n\n   ```yaml\n   audience: curator\n   ```\n", False),
        ("> Text.\n> ````\n> ```\n> audience: curator\n> ````\n", False),
        ("Text.\n\n```js\nexport const meta = {audience: 'curator'};\n```\n", False),
        ("```yaml\naudience: curator\n```\n", True),
        ("\n~~~\n---\naudience: curator\n---\n~~~\n", True),
        ("---\ntitle: Tokens\n---\n```yaml\naudience: curator\n", True),
        ("---\ntitle: Tokens\n```yaml\naudience: curator\n```\n", True),
        ("---\ntitle: Tokens\n---\n```\nx\n```\naudience: curator\n\n```\nx\n```\n", True),
        ("Text.\n\n```\naudience: curator\n~~~\n", True),
        ("Text.\n\n```\naudience: curator\n``` x\n", True),
        ("Text.\n\n```a`b\naudience: curator\n```\n", True),
        # A closing fence has only blanks and tabs behind it; a quote or a list may end before it.
        ("---\ntitle: a\n---\n```yaml\naudience: x\n```\u00a0\n", True),
        ("---\ntitle: a\n---\n```yaml\naudience: x\n``` \t\n", False),
        ("---\ntitle: a\n---\n> ```\naudience: y\n```\n", True),
        ("---\ntitle: a\n---\n- ```\naudience: y\n```\n", True),
        ("---\ntitle: a\n---\n    ```\n\naudience: x\n\n    ```\n", True),
        ("---\ntitle: a\n---\n> ```\n>\n> audience: y\n> ```\n", False),
        ("---\ntitle: a\n---\n```\nx\n- ```\naudience: y\n- ```\n", True),
        ("---\ntitle: a\n---\n```\n> ```\n```\naudience: x\n```\n", True),  # the second line ends no block
        # A block may contain a whole page, as a chat writes it.
        ("Here is the page:\n\n```markdown\n---\ntitle: X\naudience: private\n---\nText.\n```\n", True),
        ("Here is the page:\n\n```markdown\n\n---\naudience: private\n---\nText.\n```\n", True),
        ("---\ntitle: a\n---\n```markdown\n---\naudience: private\n---\nText.\n```\n", False),
        ("Text.\n\n```\nx\n```\n" + "Word " * 1500 + "\naudience: curator\n", True),
        # Fields of other systems withhold the page, unless it has an audience.
        ("---\ndraft: true\n---\n", True),
        ("---\ndraft: false\n---\n", False),
        ("---\ndraft:\n---\n", False),
        ("---\npublished: false\n---\n", True),
        ("---\npublished: 2024-01-02\n---\n", False),
        ("---\npublish: no\n---\n", True),
        ("---\nprivate: true\n---\n", True),
        ("---\nvisibility: private\n---\n", True),
        ("---\nvisibility: public\n---\n", False),
        ("---\ndraft: [true]\n---\n", True),
        ("---\ndraft: {x: true}\n---\n", True),
        ("---\ndraft: soon\n---\n", True),
        ("---\npublished:\n---\n", True),
        ("---\npublished: [true]\n---\n", True),
        ("---\npublished: true\n---\n", False),
        ("---\npublished: May 2020\n---\n", False),
        ("---\npublish: never\n---\n", True),
        ("---\npublish: true\n---\n", False),
        ("---\ndg-publish: false\n---\n", True),
        ("---\ndg-publish: true\n---\n", False),
        ("---\npublic: false\n---\n", True),
        ("---\npublic: true\n---\n", False),
        ("---\nvisibility: restricted\n---\n", True),
        ("---\nvisibility: Everyone\n---\n", False),
        ("---\nroutable: false\n---\n", True),
        ("---\naccess:\n  site.login: true\n---\n", True),
        ("---\naccess: read-only\n---\n", False),
        ("+++\npublished = false\n+++\n", True),
        # Properties in Logseq.
        ("public:: false\n\nText.\n", True),
        ("---\ntitle: x\n---\n\ntags:: a\n- private:: true\n", True),
        ("public:: true\n", False),
        ("public :: false\n", True),
        ("title:: x\u2028public:: false\n", True),
        ("* public:: false\n", True),
        ("Text.\n\npublic:: false\n", False),
        # Fields without a `---` above them, also if they may be prose.
        ("Title: A\nDraft: true\n\nText.", True),
        ("Title: A\nDraft: false\n\nText.", False),
        ("\ufeff\nTitle: A\r\nStatus: Draft\r\n\r\nText.", True),
        ("Title: A\nStatus: published\nStatus: skip\n\nText.", True),
        ("Title: A\nStatus: first draft\n\nText.", True),
        ("Title: A\nStatus: hidden\n\nText.", False),
        ("title: A\n\npublished: false\n---\nText.", True),
        ("title: A\ndraft:\n  true\n---\nText.", True),
        ("title: A\n\"draft\": 'no'\n---\nText.", False),
        ("Note: A\nwords\nprivate： yes\nmore\n\nText.", True),
        ("Cover: x.png\nVisibility: internal\n\nText.", True),
        ("Title: A\nPublic: true\nPublic: no\n\nText.", True),
        ("Title: A\nAudience: public\n\nText.", True),
        ("Title: A\naudianse: staff\n\nText.", True),
        ("Username: a\nPassword: b\n\nText.", False),  # a manual
        ("    draft: true\n\nText.", False),  # a block of code
        ("Note: A.\n\nDraft: true\n\nText.", False),
        # Frontmatter of an unknown format.
        ("---yaml\npublish: false\n---\n", True),
        ('---json\n{\n\t"draft": true\n}\n---\n', True),
        ('--- json\n{\n\t"draft": false\n}\n---\nText.', False),
        ('---json\n{"audience": "curator"}\n---\n', True),
        ("---js\n{ title: 'A', draft: true, }\n---\n", True),
        ("---js\n{ title: 'A', private: isPrivate() }\n---\n", True),
        ("---javascript\n{ title: 'A' }\n---\nText.", False),
        ("---js\nconst title = 'A'\n---\nText.", True),
        ("---js\n{title:'A',draft:true}\n---\nText.", True),
        ("---js\n{ /* x */ draft: true }\n---\nText.", True),
        ("---js\n{ draft }\n---\nText.", True),
        ("---js\nmodule.exports = {draft: true}\n---\nText.", True),
        ('---json\n{"title":"A","og:title":"B","image":null}\n---\nText.', False),
        ("---toml\ndraft = true\n---\n", True),
        ("---toml\ntitle = 'A'\n---\nText.", False),
        ("---python\ndraft = True\n---\n", True),
        (';;;\n{"public": false}\n;;;\n', True),
        ('{"draft": [true]}\nText.', True),
        ("---\ndraft: true\naudience: public\n---\n", False),
        # An audience in a script of the page.
        ('export const meta = {audience: "curator"}\n\n# A\n', True),
        ('export const meta = {\n  audience: "curator",\n}\n\n# A\n', True),
        ("export const audience = 'curator'\n", True),
        ('import X from "x"\n\n# For every audience: all\n', False),
        # The length of the searched part of the body does not depend on the frontmatter.
        ("---\n" + "".join(f"k{at}: 1\n" for at in range(2000)) + "---\nAudience: curator\n", True),
        ("---\ntitle: x\n---\n" + "Text of the page.\n" * 500 + "Audience: all\n", False),
        ("+++\ndraft = true\n+++\n", True),
    ],
)
def test_proof_and_gate_agree_on_frontmatter(text: str | bytes, expected: bool, tmp_path: Path) -> None:
    assert is_withheld(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("export const frontmatter = {draft: true}\n", True),
        ("import X from 'x'\n\nexport const metadata: Metadata = {\n  title: 'A', // x\n  draft: true,\n}\n", True),
        ("export let meta = {tags: ['a'], 'published': false}\n", True),
        ("export const frontMatter = {draft: 'yes'};\n", True),
        ("export const meta = {draft: false, published: true, private: 0}\n", False),
        ("export const meta = {robots: {private: true}, draft: isDraft, published: f(false)}\n", False),
        ("export const metadata = {title: 'draft: true', /* draft: true, */ x: 1}\n", False),
        ("export const other = {draft: true}\n", False),
        ("# A\n\n```js\nexport const metadata = {draft: true}\n```\n", False),
        ("# A\n\n```js\nexport const metadata = {draft: true}\n```\n\nexport const meta = {private: true}\n", True),
        ("---\naudience: public\n---\nexport const meta = {draft: true}\n", False),
        ("export const meta = {draft: tru", False),
    ],
)  # fmt: skip
def test_proof_and_gate_agree_on_fields_that_a_page_exports(text: str, expected: bool, tmp_path: Path) -> None:
    """A1, A3: in MDX, the only place for fields in some systems; the same text in Markdown is no program."""
    assert is_withheld(tmp_path, text, path="a.mdx") == expected
    (tmp_path / "a.mdx").unlink()
    assert not is_withheld(tmp_path, text)


def test_page_without_audience_is_withheld_without_a_default(tmp_path: Path) -> None:
    assert is_withheld(tmp_path, "Text.", Config())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\nms.audience: ITPro\n---\n", False),
        ("---\nms: {audience: itpro}\n---\n", False),
        ("---\nms.audience: Admin\n---\n", True),
        ("---\nms.audience: ITPro\naudience: curator\n---\n", True),
        ("---\nms.audience: ITPro\naudience: public\n---\n", True),  # two different audiences withhold the page
    ],
)
def test_configured_audience_names_and_fields(text: str, expected: bool, tmp_path: Path) -> None:
    config = Config(audience={"itpro": "public", "admin": "curator"}, audience_fields=("ms.audience",))
    assert is_withheld(tmp_path, text, config) == expected


@pytest.mark.parametrize(
    ("path", "expected"), [(".x/a.md", False), ("drafts/a.md", False), (".in/a.md", True), ("a.mdx", True), ("a.txt", True)]
)
def test_excluded_and_hidden_files_are_no_content(path: str, expected: bool, tmp_path: Path) -> None:
    config = Config(default_audience="public", exclude=("drafts/*",), include=(".in/*",))
    assert paths(read_content(write_tree(tmp_path, {path: "Text."}), config)) == ({path} if expected else set())


def test_page_audience_applies_to_its_files(tmp_path: Path) -> None:
    """N7: recordings and transcripts of the same name; else the default applies."""
    tree = {"a.md": "---\naudience: curator\n---\n", "a.mp3": b"", "a.vtt": "secret", "b.md": "", "b.mp3": b"", "c.vtt": "said"}
    content = read_content(write_tree(tmp_path, tree), OPEN)
    assert withheld_paths(content) == {"a.md", "a.mp3", "a.vtt"}
    assert paths(content) == {*tree}
    assert withheld_paths(read_content(tmp_path, Config())) == {*tree}


@pytest.mark.parametrize(
    "files",
    [
        {"talk.md": True, "talk.mp3": True, "talk.en.vtt": True, "talk.csv": True, "talks.mp3": False},
        {"paper.pdf.md": True, "paper.pdf": True, "paper.png": False},
        {"talk.md": False, "talk.mdx": True, "talk.vtt": True},
        {"d/ta\u0308.md": True, "d/t\u00e4.png": True, "t\u00e4.png": False},
    ],
)
def test_page_audience_applies_to_names_that_begin_with_its_name(files: dict[str, bool], tmp_path: Path) -> None:
    tree = {name: f"---\naudience: {'curator' if shut else 'public'}\n---\n" for name, shut in files.items()}
    assert withheld_paths(read_content(write_tree(tmp_path, tree), OPEN)) == {name for name, shut in files.items() if shut}


def test_symlink_to_a_withheld_file_is_withheld(tmp_path: Path) -> None:
    content = write_tree(tmp_path, {"a.md": "---\naudience: curator\n---\n", "a.pdf": b"%PDF", "b.md": "", "b.png": b"x"})
    (content / "b.pdf").symlink_to("a.pdf")
    (content / "c.png").hardlink_to(content / "a.pdf")
    assert withheld_paths(read_content(content, OPEN)) == {"a.md", "a.pdf", "b.pdf", "c.png"}


@pytest.mark.parametrize(
    "glob", ["drafts", "drafts/", "./drafts/*", "/drafts/*", "**/drafts/**", "u\u0308ber/**/*.md", "drafts/**/*"]
)
def test_globs_match_folders_in_every_spelling(glob: str, tmp_path: Path) -> None:
    tree = {name: "Text." for name in ("drafts/a.md", "drafts/b/c.md", "a/drafts.md", "draft.md", "\u00fcber/a.md")}
    content = read_content(write_tree(tmp_path, tree), Config(default_audience="public", exclude=(glob,)))
    excluded = {"\u00fcber/a.md"} if "ber" in glob else {"drafts/a.md", "drafts/b/c.md"}
    assert paths(content) == {*tree} - excluded


def test_symlinks_out_of_the_folder_and_old_output_are_ignored(tmp_path: Path) -> None:
    content = write_tree(tmp_path / "content", {"a.md": "", "public/b.md": ""})
    (tmp_path / "outside.md").write_text("Text.")
    (content / "c.md").symlink_to(tmp_path / "outside.md")
    assert paths(read_content(content, OPEN, content / "public")) == {"a.md"}


def test_other_name_of_a_withheld_page_is_withheld(tmp_path: Path) -> None:
    """A2, N7: with any extension, for gate and proof."""
    content = write_tree(
        tmp_path / "content", {"a.md": "# A\n\n[f](z.txt)\n", "w.md": "---\naudience: curator\n---\nSECRETWORD\n"}
    )
    (content / "z.txt").hardlink_to(content / "w.md")
    assert withheld_paths(read_content(content, OPEN)) == {"w.md", "z.txt"}
    build_without_engine(content, tmp_path / "out")
    assert not [file for file in (tmp_path / "out").rglob("*") if file.is_file() and b"SECRETWORD" in file.read_bytes()]


@pytest.mark.parametrize(
    "text",
    [
        "---\naudience: curator\n---\n# a" + " " * 100_000 + "b\n",
        "```\n" + "<!--" * 240_000 + "\n```\n\n-->\n",
        "<!-- x --> " * 100_000,
        "{#claim-ab12cd34} " * 100_000,
        "---\naudience: public\n---\n# " + "\u0301\u0316" * 100_000,
        "+++\n" + "a." * 100_000 + "\n+++\n",
    ],
)
def test_hostile_text_is_read_in_linear_time(text: str, tmp_path: Path) -> None:
    """N9: within the limits of a file."""
    content = write_tree(tmp_path / "content", {"a.md": text, "w.md": "---\naudience: curator\n---\n"})
    config = Config(default_audience="public", redact_private_links=True)

    def read(path: Path) -> None:
        write_copy(read_content(path, config), {"a.md"}, config, tmp_path / "copy")

    assert limits.each(read, [content], lambda _: 0) == [None]


def test_blanks_in_a_transcript_are_read_in_linear_time() -> None:
    """N9: the proof masks notes without a limit of time."""
    text = "WEBVTT\n\nNOTE kestrel\n\n" + " " * 200_000 + "\nNOTE osprey\n"

    def notes(transcript: str) -> list[str]:
        words: list[str] = []
        masked_transcript(transcript, lambda _, note: words.append(note.strip()))
        return words

    assert limits.each(notes, [text], len) == [["kestrel", "osprey"]]


@pytest.mark.parametrize(
    ("text", "private"),
    [
        ("%%\nkestrel\n%%\n\nOpen.\n\n%% osprey %%\n", ["kestrel", "osprey"]),
        ("%% kestrel %%\n\n%%\n\nA `%% mark %%`.\n\n%%\nosprey\n%%\n", ["kestrel"]),
        ("```\n%%\n50%% done\n```\n\n%%\nkestrel\n%%\n", ["kestrel"]),
        ("~~~\n%%\nx = 1\n~~~\n\n%%\nkestrel\n%%\n", ["kestrel"]),
        ("```\n%%\nclear all\n%%\n```\n\n%%\nkestrel\n%%\n", ["kestrel"]),
        ("Write `<!--` before it.\n\n<!-- kestrel -->\n", ["kestrel"]),
        ("Open. %%\nx\n%%\n\nOpen.\n\n%%\nx\n%%\n", []),
        ("- x\n-     <!-- x -->\n\n> x\n>\n>     <!-- x -->\n\n> - <!-- kestrel -->\n", ["kestrel"]),
    ],
    ids=[
        *("pairs", "a mark without a partner", "a mark in code", "a lone mark in code", "a pair in code", "an opening in code"),
        *("a mark behind words", "indented code in a list and in a quote"),
    ],
)
def test_comments_are_private_while_their_marks_are_pairs(text: str, private: list[str]) -> None:
    """A3: behind a mark without a partner, each mark may begin or end a comment."""
    words: list[str] = []
    masked = Private().masked(text, lambda _, comment: words.append(comment.strip()))
    assert words == private
    assert not any(word in masked for word in private)


def test_withheld_file_in_a_list_of_files_is_not_included(tmp_path: Path) -> None:
    """A2, A3, N8: a page and a file of a withheld page. The proof judges the files themselves, however a page names them."""
    body = '# A\n\n--8<--\nw.md\nw.rs\n--8<--\n\n```\n--8<--\nw.rs\n--8<--\n```\n\n;--8<-- "w.md"\n'
    files: dict[str, str | bytes] = {"a.md": body, "w.md": "---\naudience: curator\n---\nSECRETWORD\n", "w.rs": "SECRETWORD"}
    content = write_tree(tmp_path / "content", files)
    build_without_engine(content, tmp_path / "out")
    assert not [file for file in (tmp_path / "out").rglob("*") if file.is_file() and b"SECRETWORD" in file.read_bytes()]
    with (
        patch.object(includes._Filler, "_is_includable", lambda *_: True),
        pytest.raises(LeakError, match="the build would publish this file"),
    ):
        build_without_engine(content, tmp_path / "again")
