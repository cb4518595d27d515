"""A1, A3: the check's own verdict on who may be published, read from the bytes of a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.check.leaks.sources import read_content
from support.content import write_tree

OPEN = Config(default_audience="public")


def withheld(tmp_path: Path, text: str | bytes, config: Config = OPEN, path: str = "a.md") -> bool:
    found = read_content(write_tree(tmp_path, {path: text}), config)
    assert len(found.published) + len(found.withheld) == 1
    return bool(found.withheld)


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
        ("---\naudience: curator\n---\n".encode("utf-16"), True),
        ("---\naudience: public\n---\n".encode("utf-16"), False),
        (b"---\naudience: pub\0lic\n---\n", False),
    ],
)
def test_the_verdict(text: str | bytes, expected: bool, tmp_path: Path) -> None:
    assert withheld(tmp_path, text) == expected


def test_without_a_default_who_says_nothing_is_withheld(tmp_path: Path) -> None:
    assert withheld(tmp_path, "Text.", Config())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\nms.audience: ITPro\n---\n", False),
        ("---\nms: {audience: itpro}\n---\n", False),
        ("---\nms.audience: Admin\n---\n", True),
        ("---\nms.audience: ITPro\naudience: curator\n---\n", True),
        ("---\nms.audience: ITPro\naudience: public\n---\n", True),  # two that differ name nobody
    ],
)
def test_other_names(text: str, expected: bool, tmp_path: Path) -> None:
    config = Config(audience={"itpro": "public", "admin": "curator"}, audience_fields=("ms.audience",))
    assert withheld(tmp_path, text, config) == expected


@pytest.mark.parametrize(
    ("path", "expected"), [(".x/a.md", True), ("drafts/a.md", True), (".in/a.md", False), ("a.mdx", False)]
)
def test_what_is_no_content_is_withheld(path: str, expected: bool, tmp_path: Path) -> None:
    config = Config(default_audience="public", exclude=("drafts/*",), include=(".in/*",))
    assert withheld(tmp_path, "Text.", config, path) == expected


def test_files_of_a_page_are_ruled_by_it(tmp_path: Path) -> None:
    """N7: a same-named page decides about a recording and its transcript; else the default does."""
    tree = {"a.md": "---\naudience: curator\n---\n", "a.mp3": b"", "a.vtt": "secret", "b.md": "", "b.mp3": b"", "c.vtt": "said"}
    found = read_content(write_tree(tmp_path, tree), OPEN)
    assert found.media_withheld == {"a.mp3", "a.vtt"}
    assert found.media_published == {"b.mp3"}
    assert [one.path for one in found.withheld] == ["a.md", "a.vtt"]
    assert [one.path for one in found.published] == ["b.md", "c.vtt"]
    assert [one.path for one in read_content(tmp_path, Config()).published] == []


def test_a_link_out_of_the_folder_and_an_output_within_it(tmp_path: Path) -> None:
    content = write_tree(tmp_path / "content", {"a.md": "", "public/b.md": ""})
    (tmp_path / "outside.md").write_text("Text.")
    (content / "c.md").symlink_to(tmp_path / "outside.md")
    found = read_content(content, OPEN, content / "public")
    assert [(one.path, one.withheld) for one in found.withheld] == [("c.md", "outside of the folder")]
    assert [one.path for one in found.published] == ["a.md"]
