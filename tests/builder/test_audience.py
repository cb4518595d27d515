"""The gate (A1, A2): the seed's table, and everything else is denied."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.audience import AUDIENCES, CURES, UNKNOWN, UNREAD, UNSAID, Gate
from ranvier_builder.errors import BuildError
from ranvier_builder.model import Neuron
from support.content import build_without_engine


def neuron(audience: tuple[str, ...] | None, path: str = "a.md") -> Neuron:
    return Neuron(path, "Title", "", audience=audience)


@pytest.mark.parametrize(
    ("caller", "sees"),
    [("curator", {"curator", "tool", "public"}), ("tool", {"tool", "public"}), ("public", {"public"})],
)
@pytest.mark.parametrize("message", AUDIENCES)
def test_the_table(caller: str, sees: set[str], message: str) -> None:
    """A1, [000]: who sees what."""
    assert (Gate(caller).reason_to_withhold(neuron((message,))) == "") == (message in sees)
    assert (Gate(caller, message).reason_to_withhold(neuron(None)) == "") == (message in sees), "by default as by word"
    assert (Gate(caller, "", {"theirs": message}).reason_to_withhold(neuron(("theirs",))) == "") == (message in sees), (
        "by another name"
    )


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        (("tool", "public"), ""),
        (("curator", "public"), ""),
        (("curator", "tool"), "audience tool, curator"),
        (("partners", "public"), ""),
        (("partners",), UNKNOWN),
        (("",), UNKNOWN),
        ((), UNREAD),
        (("Public",), UNKNOWN),  # reading lowers case; the gate believes nobody
        (None, UNSAID),
    ],
)
def test_several_none_and_unknown(messages: tuple[str, ...] | None, reason: str) -> None:
    assert Gate().reason_to_withhold(neuron(messages)) == reason


@pytest.mark.parametrize("messages", [(), ("partners",)])
@pytest.mark.parametrize("caller", AUDIENCES)
def test_a_default_is_for_those_who_say_nothing(messages: tuple[str, ...], caller: str) -> None:
    """Who tried to say something is not published by a default, not even to curators."""
    assert Gate(caller, "public").reason_to_withhold(neuron(messages)) == (UNKNOWN if messages else UNREAD)


def test_an_unknown_caller_gets_nothing() -> None:
    with pytest.raises(KeyError):
        Gate("everybody").reason_to_withhold(neuron(("public",)))


def test_admit_keeps_the_order_and_counts_the_rest() -> None:
    some = [
        neuron(("public",), "b.md"),
        neuron(None, "c.md"),
        neuron(("tool",), "d.md"),
        neuron(("public",), "a.md"),
        neuron((), "e.md"),
    ]
    admitted = Gate().admit([*some, neuron(("tool",), "f.md")])
    assert [item.path for item in admitted.neurons] == ["b.md", "a.md"]
    assert admitted.withheld == {UNREAD: 1, UNSAID: 1, "audience tool": 2}
    assert list(admitted.withheld) == sorted(admitted.withheld)


def test_names_of_another_system() -> None:
    """What a name means is said in one place; said to mean `curator`, it is not public."""
    gate = Gate("public", "public", {"itpro": "public", "staff": "curator"})
    assert gate.reason_to_withhold(neuron(("itpro",))) == ""
    assert gate.reason_to_withhold(neuron(("staff",))) == "audience curator"
    assert gate.reason_to_withhold(neuron(("staff", "itpro"))) == ""
    assert gate.reason_to_withhold(neuron(("others",))) == UNKNOWN
    assert Gate("public", "", {"public": "curator"}).reason_to_withhold(neuron(("public",))) == "", "our own names are ours"


def test_unknown_names_are_reported_once_each() -> None:
    """N9. Nothing is said of a Neuron's title or text."""
    gate = Gate("public", "", {"itpro": "public"})
    some = [
        neuron(("x",), "a.md"),
        neuron(("itpro",), "b.md"),
        neuron(("x", "y"), "c.md"),
        neuron(None, "d.md"),
        neuron(("x",), "e.md"),
    ]
    first, second = map(str, gate.admit(some).warnings)
    assert first.startswith("a.md: unknown audience 'x' here and 2 more files")
    assert second.startswith("c.md: unknown audience 'y' here; [audience] in ranvier.toml")


FILES: dict[str, str | bytes] = {
    "public.md": "---\naudience: public\n---\n",
    "tool.md": "---\naudience: tool\n---\n",
    "curator.md": "---\naudience: curator\n---\n",
    "silent.md": "text\n",
    "broken.md": "---\naudience: [public\n---\n",
    "empty.md": "---\naudience:\n---\n",
}


@pytest.mark.parametrize(
    ("audience", "default", "published"),
    [
        ("public", "", {"public"}),
        ("tool", "", {"public", "tool"}),
        ("curator", "", {"public", "tool", "curator"}),
        ("public", "public", {"public", "silent"}),
        ("public", "curator", {"public"}),
        ("tool", "tool", {"public", "tool", "silent"}),
    ],
)
def test_a_build_publishes_what_its_audience_may_see(
    tree: Callable[[dict[str, str | bytes]], Path], tmp_path: Path, audience: str, default: str, published: set[str]
) -> None:
    out = tmp_path / "out"
    report = build_without_engine(tree(FILES), out, Config(publish_for=audience, default_audience=default))
    pages = {folder.name for folder in out.iterdir() if (folder / "index.html").is_file()} - {"search"}
    assert pages == published
    assert report.published == len(published)
    assert sum(report.withheld.values()) == len(FILES) - len(published)


def test_a_site_of_nothing_is_an_error(tree: Callable[[dict[str, str | bytes]], Path], tmp_path: Path) -> None:
    """The first build of somebody who has set no default: told how many were withheld, why, and what mends it."""
    with pytest.raises(BuildError, match=r"all files are withheld \(2: no audience") as error:
        build_without_engine(tree({"a.md": "text", "b.md": "text"}), tmp_path / "out", Config())
    assert error.value.cure == CURES[UNSAID]
    assert not (tmp_path / "out").exists()
