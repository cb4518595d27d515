"""A1, A3, N9: frontmatter that is not valid YAML is read entry by entry; gate and proof agree on who may see the page."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ranvier_builder import Config
from ranvier_builder.audience import Gate
from ranvier_builder.check.reader import read_content
from ranvier_builder.read.frontmatter import split
from ranvier_builder.read.neuron import read_neuron
from support.content import write_tree

OPEN = Config(default_audience="public", audience_fields=("ms.audience", "who"))
INVALID_LINE = "name: {#if}\n"  # only this line is not YAML


@pytest.mark.parametrize(
    ("head", "fields"),
    [
        ("title: {#if ...}\n", {"title": "{#if ...}"}),
        ("title: {@html ...} # a remark\n", {"title": "{@html ...}"}),
        ("title: a: b\ntags: [x, y]\nweight: 3\n", {"title": "a: b", "tags": ["x", "y"], "weight": 3}),
        ("aliases:\n- %\n- '?'\n- \"%a\"\n", {"aliases": ["%", "?", "%a"]}),
        ("title: 'a' and 'b'\n", {"title": "'a' and 'b'"}),
        ("title: `x`\nmeta:\n  a: {#b}\n  c: d\nid: z\n", {"title": "`x`", "id": "z"}),  # of several lines: left out
        ("summary: |\n  words\n  more\ntitle: @x\n", {"summary": "words\nmore\n", "title": "@x"}),
        ("# a remark\n\ntitle: @x\nempty:\n", {"title": "@x", "empty": ""}),
        (
            "external help file: x.xml\ntitle: A\nAliases:\n- %\n",
            {"external help file": "x.xml", "title": "A", "aliases": ["%"]},
        ),
        ("title: @x\ndraft: false\naudience: public\n", {"title": "@x", "draft": False, "audience": "public"}),
    ],
)
def test_entries_of_invalid_yaml_are_recovered(head: str, fields: dict[str, Any]) -> None:
    result = split(f"---\n{head}---\nBody")
    assert (result.problem, result.fields, result.body) == ("", fields, "Body")
    assert result.yaml_error


def verdicts(folder: Path, text: str | bytes, config: Config) -> tuple[bool, bool]:
    """Return whether the gate withholds a page, and whether the proof does."""
    (page,) = read_content(write_tree(folder, {"a.md": text}), config).pages
    gate = Gate(config.publish_for, config.default_audience, config.audience)
    return bool(gate.reason_to_withhold(read_neuron(folder, "a.md", config)[0])), bool(page.withheld)


WITHHELD = [
    "audience: curator\n",
    "Audience: curator\n",
    "draft: true\n",
    "DRAFT: true\n",
    "private: true\n",
    "publish: false\n",
    "published: false\n",
    "dg-publish: false\n",
    "visibility: private\n",
    "who: curator\n",
    "ms.audience: curator\n",
    # The key exists, but its value cannot be read.
    "audience: {curator\n",
    "audience: @curator\n",
    "draft: @true\n",
    "draft: {{ site.draft }} x\n",
    "audience:\n- %\n",
    "audience:\n  curator\n wrong: [\n",
    "'audience': curator\n",
    '"audience": curator\n',
    "audience : curator\n",
    "draft : true\n",
    "who : curator\n",
    "audience\t: curator\n",
    "? audience\n: curator\n",
    "\taudience: curator\n",
    "- audience: curator\n",
    "{audience: curator}\n",
    "audience = 'curator'\n",
    '"audience" = "curator"\n',
    '{"audience": "curator"}\n',
    "audience：curator\n",
    "\uff41udience: curator\n",
    "\u0430udience: curator\n",  # a Cyrillic letter
    "aud\u00adience: curator\n",
    "\ufeffaudience: curator\n",
    "\u200baudience: curator\n",
    "audiences: curator\n",
    "audianse: curator\n",
    "audience: curator\naudience: public\n",
    "audience: public\nAudience: curator\n",
    "*a : curator\n",
    "<<: {audience: curator}\n",
    "<<: *a\naudience: *b\n",
    "&a audience: curator\n",
    "audience: &a public\n",
    "audience: !x public\n",
    # The key is part of another entry's value.
    "title: a: b, audience: curator\n",
    "title: 'a\naudience: public\nmore: b'\n",
    'title: "a\naudience: public\nmore: b"\n',
    "title: [a\naudience: public\nmore: b\n",
    "title: a\n  audience: curator\n",
    "title: a\n  \u0430udience: curator\n",
    "title: a: b\u2028audience: curator\n",
    "title: a: b\u0085audience: curator\n",
    "title: a: b \u0430udience: curator\n",
    "title: a: b aud\u200bience: curator\n",
    "meta:\n  audience: curator\n",
    "meta:\n  x: @y\n  draft: true\n",
    "list:\n- a: 1\n  audience: curator\n",
    "list:\n- %\n- draft: true\n",
    "list: [a, {private: true\n",
    "text: |\n  audience: curator\n",
    "# audience: curator\n",
    "words\n",
    "a: 1\na: 2\n",
]


@pytest.mark.parametrize("head", WITHHELD)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_unclear_audience_in_invalid_yaml_withholds_the_page(tmp_path: Path, head: str, ends: str) -> None:
    """A1, A3: the gate and the proof withhold it, before and after other entries, with and without a byte order mark."""
    for number, text in enumerate((f"---\n{INVALID_LINE}{head}---\nBody", f"\ufeff---\n{head}{INVALID_LINE}---\nBody")):
        raw = text.replace("\n", ends).encode()
        assert verdicts(tmp_path / str(number), raw, OPEN) == (True, True)


@pytest.mark.parametrize(
    "head", ["", "draft: false\n", "audience: public\n", "who:\n- public\n", "list:\n- %\n- a\n", "id: the password: x\n"]
)
def test_clear_audience_in_invalid_yaml_is_published(tmp_path: Path, head: str) -> None:
    assert verdicts(tmp_path, f"---\n{INVALID_LINE}{head}---\nBody", OPEN) == (False, False)


def test_invalid_yaml_without_a_default_audience_is_withheld(tmp_path: Path) -> None:
    """A1."""
    assert verdicts(tmp_path, f"---\n{INVALID_LINE}---\nBody", Config()) == (True, True)


_WORDS = "audience draft private publish who ms.audience title tags a 'b' \"c\" ? - -- # | > {#if} {a [b { [ } ] ' \""
_PARTS = st.sampled_from(
    [
        *_WORDS.split(),
        *"% @x &a *a !x <<".split(),
        *": = public curator true false \t \u2028 \u200b \u0430udience \uff41udience".split(" "),
        *(": ", " ", "\n", "\n", "\n", "\n  ", "\n- ", ":\n"),
    ]
)


@given(st.lists(_PARTS, max_size=24).map("".join), st.sampled_from([OPEN, Config(), Config(default_audience="public")]))
@settings(max_examples=400, deadline=None)
@example("title: 'a\naudience: public\nb: c'\nd: {#e}", Config())
def test_gate_admits_nothing_that_the_proof_withholds(head: str, config: Config) -> None:
    """A3."""
    with TemporaryDirectory() as tmp:
        gate, proof = verdicts(Path(tmp), f"---\n{INVALID_LINE}{head}\n---\nBody", config)
        assert gate or not proof
