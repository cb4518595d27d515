"""Where links lead (N4): by path, name, title and alias; and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ranvier_builder.model import Neuron, Page
from ranvier_builder.read.links import Links, is_external, is_still
from ranvier_builder.read.slugs import pages
from support.content import write_tree

Tree = Callable[[dict[str, str | bytes]], Path]

NEURONS = [
    Neuron("index.md", "Home", "", id="1"),
    Neuron("guide/index.md", "The guide", "", id="2"),
    Neuron("guide/Install It.md", "Install", "", id="3", aliases=("Setting Up",)),
    Neuron("guide/deep/note.md", "Note", "", id="4"),
    Neuron("other/note.md", "Other note", "", id="5"),
    Neuron("v1.2.md", "Version 1.2", "", id="6"),
]
PLACED = {page.neuron.path: page for page in pages(NEURONS, "site")}


@pytest.fixture
def links(tree: Tree) -> Links:
    root = tree(
        {
            "pic.png": b"p",
            "guide/a b.png": b"p",
            "notes.exe": b"x",
            ".hidden/x.png": b"x",
            "guide/.x.png": b"x",
            "dir.png/y.md": "",
        }
    )
    (root.parent / "outside.png").write_bytes(b"x")
    (root / "leak.png").symlink_to(root.parent / "outside.png")
    return Links(root, PLACED.values())


def here(path: str) -> Page:
    return PLACED[path]


@pytest.mark.parametrize(
    ("source", "target", "found"),
    [
        ("index.md", "guide/index.md", "guide/index.md"),
        ("index.md", "guide/", "guide/index.md"),
        ("index.md", "guide", "guide/index.md"),
        ("index.md", "./guide/Install%20It.md", "guide/Install It.md"),
        ("index.md", "guide/install it.md", "guide/Install It.md"),  # case is forgiven
        ("index.md", "guide/install-it/", "guide/Install It.md"),  # the address, as other generators want it
        ("guide/index.md", "Install It.md", "guide/Install It.md"),
        ("guide/index.md", "Install It", "guide/Install It.md"),
        ("guide/deep/note.md", "../Install It.md", "guide/Install It.md"),
        ("guide/deep/note.md", "../../other/note.md", "other/note.md"),
        ("guide/deep/note.md", "/other/note.md", "other/note.md"),
        ("guide/deep/note.md", "../../index.md", "index.md"),
        ("guide/deep/note.md", "/", "index.md"),
        ("index.md", "", "index.md"),
        ("index.md", "v1.2.md", "v1.2.md"),
        ("index.md", "nothing.md", None),
        ("index.md", "../../etc/passwd", None),
        ("guide/index.md", "note.md", None),  # a Markdown link is a path, not a name
    ],
)
def test_markdown_links(links: Links, source: str, target: str, found: str | None) -> None:
    page = links.page(here(source), target)
    assert (page and page.neuron.path) == found


@pytest.mark.parametrize(
    ("source", "target", "found"),
    [
        ("index.md", "Install It", "guide/Install It.md"),
        ("index.md", "install it", "guide/Install It.md"),
        ("index.md", "install", "guide/Install It.md"),  # its title
        ("index.md", "setting up", "guide/Install It.md"),  # its alias
        ("index.md", "guide/deep/note", "guide/deep/note.md"),
        ("index.md", " Note ", "other/note.md"),
        ("guide/index.md", "note", "guide/deep/note.md"),  # the nearest folder
        ("other/note.md", "note", "other/note.md"),
        ("index.md", "deep/note", "guide/deep/note.md"),
        ("index.md", "v1.2", "v1.2.md"),
        ("index.md", "gone/note", None),  # a folder that is named is meant
        ("index.md", "nothing", None),
        ("index.md", "", None),
    ],
)
def test_wikilinks(links: Links, source: str, target: str, found: str | None) -> None:
    page = links.named(here(source), target)
    if target == "":
        assert page is None or page.neuron.path == "index.md"
    else:
        assert (page and page.neuron.path) == found


def test_a_tie_goes_by_path() -> None:
    """The same answer on every machine."""
    placed = pages(
        [Neuron(f"{name}/same.md", name, "", id=name) for name in ("c", "a", "b")] + [Neuron("x.md", "x", "")], "site"
    )
    links = Links(Path("/nowhere"), placed)
    assert str(links.named(next(page for page in placed if page.slug == "x"), "same")).count("a/same.md")


@pytest.mark.parametrize(
    ("source", "target", "found"),
    [
        ("index.md", "pic.png", "pic.png"),
        ("guide/index.md", "../pic.png", "pic.png"),
        ("guide/index.md", "/pic.png", "pic.png"),
        ("guide/index.md", "a%20b.png", "guide/a b.png"),
        ("guide/index.md", "a b.png?w=100#x", "guide/a b.png"),
        ("index.md", "gone.png", None),
        ("index.md", "notes.exe", None),  # not a kind that pages show
        ("index.md", "dir.png", None),
        ("index.md", "../outside.png", None),
        ("index.md", "guide/../../outside.png", None),
        ("index.md", "%2e%2e/outside.png", None),
        ("index.md", "leak.png", None),  # a link out of the folder
        ("index.md", ".hidden/x.png", None),
        ("guide/index.md", ".x.png", None),
        ("index.md", "/etc/hostname", None),
        ("index.md", "pic.png%00.png", None),
        ("index.md", f"{'x' * 5000}.png", None),  # longer than a file's name may be
        ("index.md", "//[x.png", None),
        ("index.md", "//a℀b/x.png", None),  # not a host that can be parsed
    ],
)
def test_media(links: Links, source: str, target: str, found: str | None) -> None:
    """A2: only a local file inside the folder, of a kind that pages show."""
    assert links.media(here(source), target) == found


@pytest.mark.parametrize(
    ("href", "external"),
    [
        ("https://x.example/", True),
        ("//x.example/", True),
        ("mailto:a@b", True),
        ("javascript:alert(1)", True),
        ("DATA:text/html,x", True),
        ("page.md", False),
        ("#x", False),
        ("/a:b", False),
        ("./c:d", False),
        ("", False),
    ],
)
def test_external(href: str, external: bool) -> None:
    assert is_external(href) == external


def test_a_link_in_the_file_system_is_no_medium(tmp_path: Path) -> None:
    """A2: it may lead to what is withheld, or to what never was content."""
    root = write_tree(tmp_path / "content", {"secret/plan.md": "secret", ".git/config": "token", "real.txt": "x"})
    (root / "leak.txt").symlink_to(root / "secret" / "plan.md")
    (root / "pic.png").symlink_to(root / ".git" / "config")
    (root / "folder").symlink_to(root / "secret", target_is_directory=True)
    here = pages([Neuron("index.md", "Home", "", id="1")], "s")[0]
    links = Links(root, [here])
    assert links.media(here, "real.txt") == "real.txt"
    assert [links.media(here, name) for name in ("leak.txt", "pic.png", "folder/plan.txt")] == [None, None, None]


@pytest.mark.parametrize(
    ("svg", "still"),
    [
        ('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/><use href="#a"/></svg>', True),
        ('<svg><image href="data:image/png;base64,AAAA"/></svg>', True),
        ("<svg><script>alert(1)</script></svg>", False),
        ("<svg><s:script>alert(1)</s:script></svg>", False),
        ('<svg onload="alert(1)"/>', False),
        ('<svg><a href="javascript:alert(1)">x</a></svg>', False),
        ('<svg><a xlink:href="java&#115;cript:alert(1)">x</a></svg>', False),
        ("<svg><foreignObject/></svg>", False),
        ('<!DOCTYPE svg [<!ENTITY x "y">]><svg/>', False),
        ('<svg><image href="https://elsewhere.example/x.png"/></svg>', False),
    ],
)
def test_an_svg_is_a_picture_or_is_not_published(svg: str, still: bool) -> None:
    assert is_still(svg.encode()) is still
    assert not is_still(svg.encode("utf-16"))
