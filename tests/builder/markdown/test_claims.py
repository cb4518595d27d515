"""A6: claim anchors are signs on a curator's page, and nowhere else."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.model import Rendered
from support.content import build_tree
from support.rendered import surveyed

CURATOR = Config(publish_for="curator", default_audience="public")
CLAIM = "{#claim-0a1b2c3d}"
BODY = f"""# Rotation {CLAIM}

Raises a ticket {CLAIM}, page it. `code {CLAIM}` [near {CLAIM}](b.md) {{{{ x }}}}

## Swaps {CLAIM}

| a |
| --- |
| cell {CLAIM} |

<p title="x {CLAIM}">raw {CLAIM}</p>

![[b]]
"""
FILES = {"a.md": BODY, "b.md": f"# Beta\n\nBeta words {CLAIM}\n"}


def render_page(folder: Path, config: Config) -> Rendered:
    return surveyed(folder, FILES, config)["a.md"]


def test_curator_sees_a_sign_for_each_claim(tmp_path: Path) -> None:
    """A6: each has a number on the page, and no id."""
    html = render_page(tmp_path, CURATOR).html
    sign = r'<sup class="claim" id="claim-(\d+)"><a href="#claim-(\d+)" aria-label="Claim \d+"[^>]*>#</a></sup>'
    numbers = re.findall(sign, html)
    assert numbers == [("2", "2"), ("3", "3"), ("4", "4")]  # the title, with the first, has no anchors
    assert '<sup class="claim"><a href="../b/#claim-1" aria-label="Claim 1"' in html
    assert "0a1b2c3d" not in html
    assert "\ue003" not in html
    assert "Raises a ticket<sup" in html


def test_claims_are_not_searched(tmp_path: Path) -> None:
    """A6: titles, headings and chunks are those of a public build."""
    curator, public = render_page(tmp_path, CURATOR), render_page(tmp_path, replace(CURATOR, publish_for="public"))
    assert curator.page.neuron.title == public.page.neuron.title == "Rotation"
    assert curator.sections == public.sections
    assert curator.chunks == public.chunks
    assert "<sup" not in public.html


@pytest.mark.parametrize("audience", ["public", "tool", "curator"])
def test_ids_of_claims_are_in_no_file(tmp_path: Path, audience: str) -> None:
    """A3, A6: and the build passes its proof."""
    site = build_tree(tmp_path, FILES, replace(CURATOR, publish_for=audience))
    site_bytes = b"".join(file.read_bytes() for file in site.rglob("*") if file.is_file())
    assert b"0a1b2c3d" not in site_bytes
    assert (b'class="claim"' in site_bytes) == (audience == "curator")


def test_private_character_of_an_author_is_no_claim(tmp_path: Path) -> None:
    """A6."""
    assert "<sup" not in surveyed(tmp_path, {"a.md": "a\ue003b"})["a.md"].html
