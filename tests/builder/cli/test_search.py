"""`ranvier search`, `retrieve` and `backlinks`: every option has a flag, and the output is readable (V1, P3, S1)."""

import io
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest
import ranvier
from ranvier import RetrieveRequest, Scope, SearchRequest
from ranvier.types import to_plain
from ranvier_builder import Config
from ranvier_builder.cli import main
from ranvier_builder.cli.show import FACET_VALUES, highlight, show_answer
from rich.console import Console
from support.cli import failure, json_of, run
from support.content import build_tree, index_without_engine, write_tree
from support.shared import site_fixture

TREE: dict[str, str | bytes] = {
    "index.md": "# Harbours\n\nAll about [quays](guide/quay.md).\n",
    "guide/index.md": "# Guide\n\nHow to moor.\n",
    "guide/quay.md": (
        "---\nid: quay-1\ntags: [stone/granite, port]\nkind: guide\nrole: pilot\nupdated: 2026-03-04\n---\n"
        "# Quay\n\nA quay of granite, and a harbour wall.\n\n## Depth of the quay\n\nA quay is as deep as its ships.\n"
    ),
    "guide/deep/pier.md": (
        "---\ntags: [port]\naliases: [Jetty]\nkind: note\nupdated: 2026-01-02\n---\n"
        "# Pier\n\nA pier is no [quay](../quay.md). Harbour.\n"
    ),
    "2026-02-03.md": "# 2026-02-03\n\nThe harbour froze.\n",
    "de/hafen.md": "---\nlang: de\ntags: [port]\n---\n# Hafen\n\nEin Hafen, englisch harbour.\n",
    "tool.md": "---\naudience: tool\n---\n# Crane\n\nThe crane of the harbour.\n",
}
site = site_fixture(build_tree, TREE, Config(default_audience="public", publish_for="tool", name="port"))


def paths(*words: object) -> list[str]:
    return sorted(hit["path"] for hit in json_of("search", *words)["hits"])


# A flag has the name of its field, except `caller`, whose flag is `--audience`.
OTHERWISE = {"caller": "audience"}
NO_FLAG = {"query", "scope", "typing"}  # the query of a command is complete


@pytest.mark.parametrize(("name", "kind"), [("search", SearchRequest), ("retrieve", RetrieveRequest)])
def test_every_request_field_has_a_flag(name: str, kind: type) -> None:
    """The flag has the name of the field; a new field without a flag fails here."""
    flags = {flag for option in main.commands[name].params if isinstance(option, click.Option) for flag in option.opts}
    options = {OTHERWISE.get(field.name, field.name) for field in fields(kind) if field.name not in NO_FLAG}
    expected = {f"--{name.replace('_', '-')}" for name in options | {field.name for field in fields(Scope)}}
    assert flags - {"--json"} == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("harbour", "--ancestor", "guide"), ["guide/deep/pier.md", "guide/quay.md"]),
        (("harbour", "--ancestor", "guide/deep/pier.md"), ["guide/deep/pier.md"]),
        (("harbour", "--item", "quay-1"), ["guide/quay.md"]),
        (("harbour", "--tags", "stone"), ["guide/quay.md"]),
        (("harbour", "--tags", "#port"), ["de/hafen.md", "guide/deep/pier.md", "guide/quay.md"]),
        (("harbour", "--role", "pilot"), ["guide/quay.md"]),
        (("harbour", "--kind", "guide,note"), ["guide/deep/pier.md", "guide/quay.md"]),
        (("harbour", "--kind", "guide", "--kind", "daily"), ["2026-02-03.md", "guide/quay.md"]),
        (("harbour", "--modality", "image"), []),
        (("harbour", "--lang", "de"), ["de/hafen.md"]),
        (("harbour", "--path", "guide", "--path", "de/*"), ["de/hafen.md", "guide/deep/pier.md", "guide/quay.md"]),
        (("harbour", "--titles", "Pier", "--titles", "Quay"), ["guide/deep/pier.md", "guide/quay.md"]),
        (("harbour", "--time", "2026-02-01..2026-02-28"), ["2026-02-03.md"]),
        (("crane",), ["tool.md"]),
        (("crane", "--audience", "public"), []),
        (("granit", "--match", "substring"), ["guide/quay.md"]),
        (("grani", "--match", "text", "--exact"), []),
        (("grani", "--match", "text", "--exact", "--prefix"), ["guide/quay.md"]),
        (("--tags", "port"), ["de/hafen.md", "guide/deep/pier.md", "guide/quay.md"]),
        (("", "--tags", "port", "--kind", "note"), ["guide/deep/pier.md"]),
    ],
)
def test_scope_flags_narrow_the_search(site: Path, words: tuple[str, ...], expected: list[str]) -> None:
    """S1, A5, Q4: a comma or a repeated flag widens the scope."""
    assert paths(site, *words) == expected


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (("--limit", "2", "--offset", "1"), {"limit": 2, "offset": 1}),
        (("--preset", "vault"), {"preset": "vault"}),
        (("--preset", "brain", "--min-confidence", "0"), {"preset": "brain", "min_confidence": 0.0}),
        (("--strategy", "rag"), {"strategy": "rag"}),
        (("--sort", "updated"), {"sort": "updated"}),
        (("--facets", "tags,kind", "--facets", "lang"), {"facets": ("tags", "kind", "lang")}),
        (("--candidates", "10", "--return-all", "--explain"), {"candidates": 10, "return_all": True, "explain": True}),
        (("--prefix", "--exact"), {"prefix": True, "exact": True}),
    ],
)
def test_flags_give_the_same_answer_as_python_options(site: Path, flags: tuple[str, ...], options: dict[str, Any]) -> None:
    """P1, P4."""
    with ranvier.open_snapshot(site) as library:
        expected = json.loads(json.dumps(to_plain(library.search("harbour", **options))))
    answer = json_of("search", site, "harbour", *flags)
    assert answer.pop("timing").keys() == {"total_ms"}
    assert answer == {name: value for name, value in expected.items() if name != "timing"}


def test_page_lang_sets_the_language_of_the_query(site: Path) -> None:
    """It does not narrow the search: `Häfen` is German for harbours."""
    assert paths(site, "Hafens", "--match", "text", "--exact", "--page-lang", "de") == ["de/hafen.md"]
    assert paths(site, "Hafens", "--match", "text", "--exact", "--page-lang", "en") == []


def test_scope_flags_narrow_retrieve(site: Path) -> None:
    answer = json_of("retrieve", site, "harbour", "--tags", "port", "--kind", "note", "--top-k", 5)
    assert {chunk["neuron_path"] for chunk in answer["chunks"]} == {"guide/deep/pier.md"}
    assert json_of("retrieve", site, "crane", "--audience", "public")["hit_count"] == 0


@pytest.mark.parametrize("command", ["search", "retrieve"])
@pytest.mark.parametrize("option", ["--ancestor", "--item"])
def test_unknown_page_of_a_scope_is_an_error(site: Path, command: str, option: str) -> None:
    output = failure(command, site, "harbour", option, "guide/nosuch.md")
    assert "the search contains no page 'guide/nosuch.md'\n  cure: run ranvier search SITE --return-all" in output
    assert run(command, site, "xyzzyplugh", option, "guide/quay.md").exit_code == 0, "a page that does not match is no error"


def test_list_output_has_title_path_and_date(site: Path) -> None:
    """Filters without a query give a list, as does an empty query with --return-all."""
    assert run("search", site, "--tags", "port", "--sort", "title").output.splitlines() == [
        "Hafen  de/hafen.md",
        "Pier  guide/deep/pier.md  2026-01-02",
        "Quay  guide/quay.md  2026-03-04",
    ]
    assert len(run("search", site, "--return-all").output.splitlines()) == len(TREE)
    assert run("search", site, "#stone").output == "Quay  guide/quay.md  2026-03-04\n"


def test_alias_is_shown_if_the_title_has_fewer_words_of_the_query(site: Path) -> None:
    assert run("search", site, "jetty").output.startswith("1. Pier (Jetty)  guide/deep/pier/\n")
    assert run("search", site, "pier").output.startswith("1. Pier  guide/deep/pier/\n")


def test_search_without_a_query_is_wrong_usage(site: Path) -> None:
    assert "QUERY is missing" in failure("search", site, code=2)
    assert run("search", site, "").output == "No results.\n"


@pytest.mark.parametrize("command", ["search", "retrieve"])
@pytest.mark.parametrize("time", ["2024-13-01..", "2026-02-28..2026-01-01", "soon"])
def test_invalid_time_is_wrong_usage(site: Path, command: str, time: str) -> None:
    output = failure(command, site, "harbour", "--time", time, code=2)
    assert f"Invalid value for '--time': '{time}' is not FROM..TO, with days" in output


def test_invalid_facet_names_the_valid_ones(site: Path) -> None:
    assert "facets must be one of tags, kind" in failure("search", site, "x", "--facets", "tag")


def test_explain_prints_a_table(site: Path) -> None:
    """P3: each leg with rank, score and share; each stage with its effect; the first and the final score."""
    hit = json_of("search", site, "quay", "--explain")["hits"][0]
    output = run("search", site, "quay", "--explain").output
    block = [line.split() for line in output.splitlines()]
    for leg in hit["explain"]["legs"]:
        assert [leg["leg"], str(leg["rank"]), f"{leg['raw']:g}", f"{leg['rrf']:+.6f}"] in block
    for step in hit["explain"]["steps"]:
        assert [step["stage"], step["effect"], f"{step['score']:.6f}", *step["reason"].split()] in block
    assert ["final", f"{hit['explain']['final_score']:.6f}"] in block
    assert any(line[0] == "fused" and line[-1] == f"{hit['explain']['base_score']:.6f}" for line in block if line)
    assert f"confidence {hit['confidence']:.2f} ({hit['level']})" in output
    assert f"found by {', '.join(hit['matched_in'])}" in output
    assert "stage" not in run("search", site, "quay").output
    assert "confidence" not in run("search", site, "quay").output


def test_facets_are_printed_below_the_hits(site: Path) -> None:
    output = run("search", site, "harbour", "--facets", "tags,lang").output
    words = " ".join(output.split())
    assert "tags" in words
    assert "3 port" in words
    assert "1 de" in words
    assert output.index("Pier") < output.index("3 port")


def test_notices_are_printed_first(site: Path) -> None:
    assert run("search", site, "harbour OR OR pier").output.startswith("The operators in this query do not fit together")
    assert run("search", site, "harbuor").output.startswith("Searched for “harbour”.")


def test_backlinks_of_another_generators_site_are_an_error(tmp_path: Path) -> None:
    """V1: its links are not indexed, so "No page links to this page" would be wrong."""
    site = write_tree(tmp_path / "site", {"a.html": "<h1>A</h1><a href=b.html>B</a>", "b.html": "<h1>B</h1>"})
    index_without_engine(site)
    for folder in (site, site / "_ranvier"):
        result = run("backlinks", folder, "b.html")
        assert result.exit_code == 1
        assert f"{folder}: is a site of another generator" in result.output


def test_backlinks_are_printed(site: Path) -> None:
    """S2."""
    assert run("backlinks", site, "guide/quay.md").output == "Harbours  index.md\nPier  guide/deep/pier.md\n"
    plain = run("backlinks", site, "Quay", "--json")
    with ranvier.open_snapshot(site) as library:
        assert json.loads(plain.output) == to_plain(library.backlinks("quay-1"))
    assert run("backlinks", site, "guide/deep/pier.md").output == "No page links to this page.\n"
    assert run("backlinks", site, "guide/deep/pier.md", "--json").output == "[]\n"


@pytest.mark.parametrize("words", [("nosuch",), ("tool.md", "--audience", "public")])
def test_backlinks_of_an_unknown_page_are_an_error(site: Path, words: tuple[str, ...]) -> None:
    """A page that the caller may not see is unknown."""
    assert f"the search contains no page '{words[0]}'" in failure("backlinks", site, *words)


def test_control_characters_in_highlights_are_escaped() -> None:
    text = highlight("a \x1b[31m<mark>b\u202e</mark> [bold]c[/bold] &lt;mark&gt;").plain
    assert text == "a \\x1b[31mb\\u202e [bold]c[/bold] <mark>"


CONTROLS = "\x1b]0;owned\x07\x1b[31m\x9b31m\x7f\u202e\u2066"
JOINED = "می\u200cخواهم 👩\u200d🔬"  # invisible characters join and separate these letters


@pytest.fixture(scope="module")
def control_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loud")
    body = f"# Bell {CONTROLS}\n\nThe bell says {CONTROLS} and {JOINED}.\n\n## Clang {CONTROLS}\n\nBell [home](index.md).\n"
    tree: dict[str, str | bytes] = {f"bell{CONTROLS}.md": body, "index.md": "# Home\n\n[x](bell.md)\n", "bell.md": body}
    return build_tree(folder, tree)


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize(
    "words",
    [
        ("search", "bell", "--explain", "--facets", "folder"),
        ("search", "--return-all"),
        ("retrieve", "bell"),
        ("backlinks", "index.md"),
    ],
)
def test_output_has_no_terminal_control_characters(control_site: Path, words: tuple[str, ...], as_json: bool) -> None:
    """V1: nor characters that change the text direction. JSON escapes them."""
    result = run(words[0], control_site, *words[1:], *(["--json"] if as_json else []))
    assert result.exit_code == 0
    assert "ell" in result.output
    assert not {sign for sign in result.output if not (sign.isprintable() or sign in "\n\u200c\u200d")}
    if as_json:
        assert "\\u202e" in json.dumps(json.loads(result.output))
    elif words[0] == "retrieve":
        assert JOINED in result.output
        assert "\n\n" in result.output


def test_control_characters_in_errors_are_escaped(monkeypatch: pytest.MonkeyPatch, site: Path) -> None:
    def fail(*_: object) -> None:
        raise ValueError("a\x1b[31mb\u202e")

    monkeypatch.setattr("ranvier_builder.cli.read.open_snapshot", fail)
    assert "ValueError: a\\x1b[31mb\\u202e\n" in run("search", site, "x").output


def test_long_facets_are_shortened(site: Path) -> None:
    with ranvier.open_snapshot(site) as library:
        result = library.search("harbour", facets=("tags",))
    counts = tuple(ranvier.FacetCount(f"tag{number}", 1) for number in range(FACET_VALUES + 4))
    console = Console(width=100, file=io.StringIO())
    show_answer(console, type(result)(result.hits, 1, None, False, "bm25", facets={"tags": counts}))
    assert "… and 4 more" in console.file.getvalue()  # type: ignore[attr-defined]
