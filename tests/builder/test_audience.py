"""The audience gate (A1, A2): it admits only pages for the audience of the build."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.audience import AUDIENCES, Gate
from ranvier_builder.model import Neuron
from ranvier_builder.withheld import Reason
from support.content import build_without_engine


def neuron(audience: tuple[str, ...] | None, path: str = "a.md") -> Neuron:
    return Neuron(path, "Title", "", audience=audience)


@pytest.mark.parametrize(
    ("caller", "sees"), [("curator", {"curator", "tool", "public"}), ("tool", {"tool", "public"}), ("public", {"public"})]
)
@pytest.mark.parametrize("audience", AUDIENCES)
def test_gate_admits_pages_of_the_audience(caller: str, sees: set[str], audience: str) -> None:
    """A1, [000]."""
    assert (Gate(caller).reason_to_withhold(neuron((audience,))) == "") == (audience in sees)
    assert (Gate(caller, audience).reason_to_withhold(neuron(None)) == "") == (audience in sees), "the default"
    assert (Gate(caller, "", {"theirs": audience}).reason_to_withhold(neuron(("theirs",))) == "") == (audience in sees), (
        "a configured name is treated like its audience"
    )


@pytest.mark.parametrize(
    ("audience", "reason"),
    [
        (("tool", "public"), ""),
        (("curator", "public"), ""),
        (("curator", "tool"), "audience tool, curator"),
        (("partners", "public"), ""),
        (("partners",), Reason.UNKNOWN_AUDIENCE),
        (("",), Reason.UNKNOWN_AUDIENCE),
        ((), Reason.UNREADABLE),
        (("Public",), Reason.UNKNOWN_AUDIENCE),  # the reader writes audiences in lower case
        (None, Reason.NO_AUDIENCE),
    ],
)
def test_gate_with_several_empty_or_unknown_audiences(audience: tuple[str, ...] | None, reason: str) -> None:
    """The default audience applies only to a page without an audience; an invalid one is never published."""
    assert Gate().reason_to_withhold(neuron(audience)) == reason
    assert Gate(default="public").reason_to_withhold(neuron(audience)) == (reason if audience is not None else "")
    if reason in (Reason.UNKNOWN_AUDIENCE, Reason.UNREADABLE):
        assert {Gate(caller, "public").reason_to_withhold(neuron(audience)) for caller in AUDIENCES} == {reason}


def test_documents_of_a_bundle_have_the_audience_of_its_page() -> None:
    neurons = neuron(("tool",), "a/index.md"), neuron(None, "a/b/talk.vtt"), neuron(None, "a/c.md"), neuron(None, "talk.vtt")
    levels = Gate("curator", "public").admit(neurons, {"a/index.md"}).levels
    assert levels == {"a/index.md": 1, "a/b/talk.vtt": 1, "a/c.md": 0, "talk.vtt": 0}


def test_unknown_build_audience_is_an_error() -> None:
    with pytest.raises(KeyError):
        Gate("everybody").reason_to_withhold(neuron(("public",)))


def test_admit_keeps_the_order_and_counts_withheld_pages() -> None:
    audiences = {"b": ("public",), "c": None, "d": ("tool",), "a": ("public",), "e": (), "f": ("tool",)}
    admitted = Gate().admit([neuron(audience, f"{name}.md") for name, audience in audiences.items()])
    assert [item.path for item in admitted.neurons] == ["b.md", "a.md"]
    assert admitted.withheld == {Reason.UNREADABLE: 1, Reason.NO_AUDIENCE: 1, "audience tool": 2}
    assert list(admitted.withheld) == sorted(admitted.withheld)


def test_configured_audience_names() -> None:
    """A name that is mapped to `curator` is not public."""
    gate = Gate("public", "public", {"itpro": "public", "staff": "curator"})
    assert gate.reason_to_withhold(neuron(("itpro",))) == ""
    assert gate.reason_to_withhold(neuron(("staff",))) == "audience curator"
    assert gate.reason_to_withhold(neuron(("staff", "itpro"))) == ""
    assert gate.reason_to_withhold(neuron(("others",))) == Reason.UNKNOWN_AUDIENCE
    assert Gate("public", "", {"public": "curator"}).reason_to_withhold(neuron(("public",))) == "", "it cannot be redefined"


def test_unknown_audience_names_are_reported_once() -> None:
    """N9: without title or text of a Neuron."""
    gate = Gate("public", "", {"itpro": "public"})
    audiences = {"a": ("x",), "b": ("itpro",), "c": ("x", "y"), "d": None, "e": ("x",)}
    first, second = map(str, gate.admit([neuron(audience, f"{name}.md") for name, audience in audiences.items()]).warnings)
    assert first.startswith("a.md: unknown audience 'x' here and 2 more files")
    assert second.startswith("c.md: unknown audience 'y' here; define it in ranvier.toml")


@pytest.mark.parametrize(
    ("word", "suggestion"),
    [("pubic", "public"), ("public\u200b", "public"), ("tools", "tool"), ("it-pro", "itpro"), ("nonpublic", ""), ("all", "")],
)
def test_unknown_audience_may_be_misspelt(word: str, suggestion: str) -> None:
    """A2: a typo is not defined as a name, which would publish the page."""
    (warning,) = Gate("public", "", {"itpro": "public"}).admit([neuron((word,))]).warnings
    cure = "define it in ranvier.toml below [audience]"
    more = f": did you mean '{suggestion}'? If it is a name of your own, {cure}" if suggestion else f"; {cure}"
    assert warning.message == f"unknown audience {word!r} here{more}"


FILES: dict[str, str | bytes] = {f"{audience}.md": f"---\naudience: {audience}\n---\n" for audience in AUDIENCES}
FILES |= {"silent.md": "text\n", "broken.md": "---\naudience: [public\n---\n", "empty.md": "---\naudience:\n---\n"}


@pytest.mark.parametrize(
    ("audience", "default", "expected"),
    [
        ("public", "", {"public"}),
        ("tool", "", {"public", "tool"}),
        ("curator", "", {"public", "tool", "curator"}),
        ("public", "public", {"public", "silent"}),
        ("public", "curator", {"public"}),
        ("tool", "tool", {"public", "tool", "silent"}),
    ],
)
def test_build_publishes_pages_of_its_audience(
    tree: Callable[[dict[str, str | bytes]], Path], tmp_path: Path, audience: str, default: str, expected: set[str]
) -> None:
    out = tmp_path / "out"
    report = build_without_engine(tree(FILES), out, Config(publish_for=audience, default_audience=default))
    pages = {folder.name for folder in out.iterdir() if (folder / "index.html").is_file()} - {"search"}
    assert pages == expected
    assert report.published == len(expected)
    assert sum(report.withheld.values()) == len(FILES) - len(expected)
