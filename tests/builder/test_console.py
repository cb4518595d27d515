"""The report of a build on the terminal and as JSON, and the error of a strict build (N9, V1)."""

import io
import json
import sys
from pathlib import Path
from shlex import quote
from typing import Any

import pytest
from ranvier_builder.console import LINES_SHOWN, peak_memory, report_json, show_groups, show_report
from ranvier_builder.model import KINDS, Report, Warn
from ranvier_builder.strict import by_kind, strict_error, visible
from rich.console import Console


def console_text(report: Report, out: str = "public", *, verbose: bool = False, width: int = 120) -> str:
    console = Console(file=io.StringIO(), width=width)
    show_report(console, report, Path(out), verbose=verbose)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


NUMBERS: dict[str, Any] = {
    "read": 1234,
    "published": 1200,
    "withheld": {"audience curator": 30, "no audience": 4},
    "links": 4321,
} | {"unresolved": 17, "chunks": 5678, "files": 99, "bytes": 14_361_940, "seconds": 2.345}


def report(*warnings: Warn) -> Report:
    return Report(**NUMBERS, warnings=list(warnings))


def test_report_prints_the_numbers() -> None:
    text = " ".join(
        console_text(report(Warn("a.md", "link", "x"), Warn("b.md", "link", "y"), Warn("c.md", "encoding", "z"))).split()
    )
    numbers = ("pages read 1,234", "published 1,200", "passages 5,678", "files 99", "bytes 14,361,940", "seconds 2.3")
    causes = ("withheld 34 30: audience curator; 4: no audience", "links 4,321 17 unresolved", "warnings 3 1 encoding, 2 link")
    assert [part for part in (*numbers, *causes, "public is ready: ranvier serve public") if part not in text] == []


def test_warnings_are_grouped_and_shortened() -> None:
    """N9: the first ones of each kind, so that rare kinds are visible."""
    warnings = [Warn(f"p{number}.md", "link", f"gone {number}", number) for number in range(900)]
    text = console_text(report(*warnings, Warn("z.md", "encoding", "not UTF-8", 7)))
    assert len(text.splitlines()) < 30
    assert "z.md:7: not UTF-8" in text
    assert "p0.md: gone 0" in text  # line 0 is no line
    assert "p2.md:2: gone 2" in text
    assert f"p{LINES_SHOWN}.md" not in text
    assert f"… and {900 - LINES_SHOWN:,} more" in text
    assert "--verbose prints them all" in text
    assert text.index("encoding  1") < text.index("link  900")


def test_equal_warnings_are_merged() -> None:
    text = console_text(report(*(Warn(f"p{number}.md", "link", "leads nowhere: g", 3) for number in range(700))))
    assert "  p0.md:3: leads nowhere: g (700 times)\n" in text
    assert "p1.md" not in text
    assert "more" not in text


def test_warnings_with_one_cause_are_one_line_with_the_cure() -> None:
    """N9: for links with a common beginning, the setting that resolves them."""
    links = [Warn(f"p{number}.md", "link", f"a link leads to no published page: /de/docs/{number}") for number in range(1200)]
    media = [Warn(f"p{number}.md", "media", f"there is no such file: {number}.png") for number in range(1000)]
    text = console_text(report(*links, *media), width=300)
    assert (
        'link  1,200: 1,200 lead to /de/…; if this is the path of your site, set base_paths = ["/de"] in ranvier.toml' in text
    )
    assert "media  1,000: the files are not in this folder" in text
    assert ".md" not in text
    assert "p7.md" in console_text(report(*links), verbose=True)


@pytest.mark.parametrize(
    ("name", "as_shown"),
    [
        ("[bold]x[/bold].md", "[bold]x[/bold].md"),
        ("[/nosuch].md", "[/nosuch].md"),
        ("a\\[red].md", "a\\[red].md"),
        (":warning:.md", ":warning:.md"),
        ("[link=evil.example]x.md", "[link=evil.example]x.md"),
        ("\x1b[31mred.md", "\\x1b[31mred.md"),
        ("a\nError: done.md", "a\\nError: done.md"),
        ("a\rb.md", "a\\rb.md"),
        ("\u202egnp.md", "\\u202egnp.md"),
        ("a\u200bb.md", "a\\u200bb.md"),
        ("a\x9b31m.md", "a\\x9b31m.md"),
        ("caf\ue000.md", "caf\\ue000.md"),
        ("日本語 café 🧠.md", "日本語 café 🧠.md"),
        ("\ud800.md", "\\ud800.md"),
    ],
)
def test_file_names_are_escaped_on_the_terminal(name: str, as_shown: str) -> None:
    text = console_text(report(Warn(name, "name", f"odd {name}")), out=name, width=400)
    assert f"  {as_shown}: odd {as_shown}" in text
    assert f"ranvier serve {visible(quote(name))}" in text
    assert visible(name) == as_shown
    assert as_shown in str(strict_error(report(Warn(name, "name", "odd"))))


def test_report_json_has_stable_keys() -> None:
    """V1: and every warning."""
    answer = json.loads(json.dumps(report_json(report(Warn("a.md", "link", "x", 3), Warn("b.md", "field", "y")))))
    assert answer.pop("peak_memory") == pytest.approx(peak_memory(), rel=0.5)
    link, field = {"file": "a.md", "line": 3, "kind": "link"}, {"file": "b.md", "line": 0, "kind": "field"}
    warnings = [link | {"message": "x"}, field | {"message": "y"}]
    assert answer == NUMBERS | {"vectors": 0, "kinds": {"field": 1, "link": 1}, "warnings": warnings}


def test_peak_memory_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resource")
    result = peak_memory()
    assert result is not None
    assert 10e6 < result < 100e9
    monkeypatch.setitem(sys.modules, "resource", None)  # as on Windows
    assert peak_memory() is None
    assert "peak memory" not in console_text(report())
    assert report_json(report())["peak_memory"] is None


def test_warning_kinds_have_a_fixed_order() -> None:
    warnings = [Warn("a.md", kind, "x") for kind in reversed(KINDS)] + [Warn("b.md", KINDS[0], "y")]
    groups = by_kind(warnings)
    assert tuple(groups) == KINDS
    assert [group.file for group in groups[KINDS[0]]] == ["a.md", "b.md"]
    assert by_kind([]) == {}


def test_strict_error_counts_and_lists_warnings() -> None:
    """N9."""
    warnings = [Warn(f"p{number}.md", "link", "gone", 2) for number in range(40)]
    message = str(strict_error(report(*warnings, Warn("z.md", "encoding", "not UTF-8", 7))))
    assert message.startswith("41 warnings (1 encoding, 40 link); a strict build fails on warnings\n  z.md:7: not UTF-8\n")
    assert "\n  p0.md:2: gone\n" in message
    assert "\n  … and 35 more of kind link\n" in message
    assert message.splitlines()[-1].startswith("  cure: ")
    assert len(message.splitlines()) < 12
    assert str(strict_error(report(Warn("a.md", "link", "x")))).startswith("1 warning (1 link); ")


def test_shortened_groups_say_how_many_are_left_out() -> None:
    console = Console(file=io.StringIO(), width=100)
    show_groups(console, {"Orphans  5": ["a", "b", "c", "d", "e"], "Stale  1": ["f"]}, verbose=False)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert text == "Orphans  5\n  a\n  b\n  c\n  … and 2 more\nStale  1\n  f\n--verbose prints them all.\n"
