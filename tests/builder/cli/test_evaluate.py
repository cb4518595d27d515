"""`ranvier eval` and `ranvier tune` (M2, V1): printed output, JSON output, and written files."""

import re
import sys
import tomllib
from pathlib import Path

import pytest
from ranvier_builder.cli.evaluate import _cells
from ranvier_builder.cli.tune import draw_interval
from ranvier_builder.evaluate.bootstrap import Interval
from ranvier_builder.evaluate.measures import Query
from ranvier_builder.evaluate.sweep import halves
from support.cli import failure, json_of, run
from support.content import write_tree
from support.judged import LIGHT_TITLES, NO_EXACT, SECOND, SUMMED, WORDS, judged_site
from support.sites import EXAMPLE

MEASURES = ["nDCG@10", "recall@100", "MRR", "success@1", "success@5"]
SETTINGS = '[search.preset.fuse]\nby = "sum"\n\n[search.preset.adjust]\nexact = false # names are not what is looked for\n'


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A site with a number of its owner's, and one without."""
    numbers = {"public": tomllib.loads(SETTINGS)["search"]["preset"], "plain": SUMMED}
    return {name: judged_site(tmp_path_factory.mktemp(name), preset) for name, preset in numbers.items()}


@pytest.fixture
def workspace(sites: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the sites, the queries and the settings that the first of them was built with."""
    monkeypatch.chdir(tmp_path)
    for name, site in sites.items():
        (tmp_path / name).symlink_to(site)
    lines = {
        "queries.tsv": (f"{at}\t{word}\n" for at, word in enumerate(WORDS, 1)),
        "qrels.tsv": (f"{at}\tabout/{word}-care.md\t1\n" for at, word in enumerate(WORDS, 1)),
        "both.tsv": (f"{word}\tabout/{word}-care/\n" for word in WORDS),
    }
    return write_tree(tmp_path, {"ranvier.toml": SETTINGS} | {name: "".join(text) for name, text in lines.items()})


def test_eval_prints_measures_with_intervals(workspace: Path) -> None:
    """M2: every relevant page ranks second; the site is `public` by default."""
    result = run("eval", "queries.tsv", "qrels.tsv")
    assert result.exit_code == 0, result.output
    assert [" ".join(line.split()) for line in result.output.splitlines()] == [
        *("12 queries mean 95 %", "default nDCG@10 0.631 0.631 to 0.631", "recall@100 1.000 1.000 to 1.000"),
        *("MRR 0.500 0.500 to 0.500", "success@1 0.000 0.000 to 0.000", "success@5 1.000 1.000 to 1.000"),
        "12 queries are too few for reliable intervals: judge more queries.",
    ]


def test_small_loss_is_not_printed_as_minus_zero() -> None:
    assert [str(cell) for cell in _cells(Interval(-0.0004, -0.01, -0.0001), "+")] == ["+0.000", "-0.010 to +0.000"]


def test_judgments_in_one_file_or_two_give_the_same_measures(workspace: Path) -> None:
    two_files, one_file = json_of("eval", "queries.tsv", "qrels.tsv"), json_of("eval", "both.tsv", "--site", "public/_ranvier")
    assert one_file["runs"][0]["measures"] == two_files["runs"][0]["measures"]


def test_eval_json_has_measures_and_queries(workspace: Path) -> None:
    """M2, V1."""
    answer = json_of("eval", "queries.tsv", "qrels.tsv", "--limit", 50)
    assert list(answer) == ["limit", "measures", "runs"]
    assert (answer["limit"], answer["measures"]) == (50, MEASURES)
    (report,) = answer["runs"]
    assert list(report) == ["name", "site", "preset", "strategy", "measures", "less", "queries", "unanswerable"]
    values = [report[key] for key in ("name", "site", "preset", "strategy", "less", "unanswerable")]
    assert values == ["default", "public", "default", "auto", {}, []]
    assert report["measures"]["nDCG@10"] == {"mean": SECOND, "low": SECOND, "high": SECOND}
    assert len(report["queries"]) == len(WORDS)
    assert report["queries"][0] == {
        "id": "1",
        "query": "anchor",
        "measures": {"nDCG@10": SECOND, "recall@100": 1.0, "MRR": 0.5, "success@1": 0.0, "success@5": 1.0},
        "expected": [{"path": "about/anchor-care.md", "grade": 1, "rank": 2}],
        "first": ["names/anchor.md", "about/anchor-care.md"],
    }


def test_eval_limit_is_the_depth(workspace: Path) -> None:
    (report,) = json_of("eval", "queries.tsv", "qrels.tsv", "--limit", 1)["runs"]
    assert {name: report["measures"][name]["mean"] for name in MEASURES} == dict.fromkeys(MEASURES, 0.0)
    assert report["queries"][0]["expected"][0]["rank"] is None


def test_eval_compares_presets_with_the_first(workspace: Path) -> None:
    """M2: the differences are paired."""
    words = ("eval", "queries.tsv", "qrels.tsv", "--preset", "default", "--preset", "vault", "--preset", "default")
    first, second = json_of(*words)["runs"]
    assert (first["name"], second["name"]) == ("default", "vault")
    assert "against" not in first
    assert second["against"]["name"] == "default"
    for name in MEASURES:
        difference = second["against"]["measures"][name]
        assert list(difference) == ["difference", "low", "high"]
        means = [item["measures"][name]["mean"] for item in (first, second)]
        assert difference["difference"] == pytest.approx(means[1] - means[0], abs=2e-9)
    output = run(*words).output
    assert "difference  95 %" in output.splitlines()[0]
    assert max(map(len, output.splitlines())) <= 80
    assert "…" not in output


def test_eval_compares_strategies_and_reports_missing_vectors(workspace: Path) -> None:
    """M2, X1: a run without vectors does not measure vector search."""
    words = ("eval", "queries.tsv", "qrels.tsv", "--strategy", "bm25", "--strategy", "vector")
    answer = json_of(*words)
    assert [item["name"] for item in answer["runs"]] == ["default bm25", "default vector"]
    (reason,) = answer["runs"][1]["less"]
    assert answer["runs"][1]["less"][reason] == len(WORDS)
    assert "default vector, 12 of 12 queries" in run(*words).output


def test_eval_prints_the_worst_queries(workspace: Path) -> None:
    """M2: with the expected pages and the first hits."""
    with (workspace / "qrels.tsv").open("a") as file:
        file.write("7\tindex.md\t2\n7\tnames/gunwale.md\t0\n")
    result = run("eval", "queries.tsv", "qrels.tsv", "--worst", 2)
    pages = "expected index.md  not found", "expected about/gunwale-care.md  at 2", "1. names/gunwale.md"
    gunwale = "\n       ".join(("0.240  gunwale", *pages))
    anchor = "\n       ".join(("0.631  anchor", "expected about/anchor-care.md  at 2", "1. names/anchor.md"))
    assert result.output.partition("\nWorst\n")[2] == f"{gunwale}\n{anchor}\n"
    assert "Worst" not in run("eval", "queries.tsv", "qrels.tsv").output
    (workspace / "one.tsv").write_text("keel\tnames/keel.md\n")
    assert run("eval", "one.tsv", "--worst", 3).output.endswith("\nWorst\nEvery query has all its relevant pages first.\n")


def test_eval_counts_false_positives_of_unanswerable_queries(workspace: Path) -> None:
    """M2: a hit that is shown as noise does not count."""
    (workspace / "some.csv").write_text("query,page\nanchor,about/anchor-care.md\nkeel,\nxyzzyplugh,\n")
    (report,) = json_of("eval", "some.csv")["runs"]
    assert [query["query"] for query in report["queries"]] == ["anchor"]
    assert report["unanswerable"] == [{"query": "keel", "shown": "names/keel.md"}, {"query": "xyzzyplugh", "shown": None}]
    output = run("eval", "some.csv", "--worst", 1).output
    assert "default: 1 of 2 unanswerable queries got an answer.\n" in output
    assert output.endswith("unanswerable  keel\n       1. names/keel.md\n")
    (workspace / "none.csv").write_text("query,page\nkeel,\n")
    assert run("eval", "none.csv").output == "default: 1 of 1 unanswerable query got an answer.\n"
    (workspace / "one.csv").write_text("query,page\nkeel,names/keel.md\n")
    assert "1 query is too few for reliable intervals: judge more queries." in run("eval", "one.csv").output


def test_eval_compares_two_sites(workspace: Path) -> None:
    """M2."""
    first, second = json_of("eval", "both.tsv", "--site", "plain", "--site", "public")["runs"]
    names = [(item["name"], item["site"]) for item in (first, second)]
    assert names == [("plain default", "plain"), ("public default", "public")]
    assert second["against"]["name"] == "plain default"


def test_eval_report_is_html_without_scripts(workspace: Path) -> None:
    """M2: it needs no network, its texts are escaped, and changed queries come first."""
    (workspace / "some.csv").write_text("query,page\n<b>keel</b>,names/keel.md\nanchor,names/anchor.md\nxyzzyplugh,\nmizzen,\n")
    result = run("eval", "some.csv", "--site", "plain", "--site", "public", "--limit", "1", "--report", "report.html")
    assert result.exit_code == 0, result.output
    assert result.output.endswith("report.html contains all queries.\n")
    html = (workspace / "report.html").read_text("utf-8")
    assert "&lt;b&gt;keel&lt;/b&gt;" in html
    assert "<b>" not in html
    assert not re.search(r"<script|https?:|src=|href=|url\(", html)
    assert "default-src 'none'" in html
    assert html.count("<h2>") == 2, html
    (workspace / "no").write_text("")
    output = failure("eval", "some.csv", "--report", "no/report.html")
    assert "cannot be written" in output
    assert "cure: name another file with --report" in output


@pytest.mark.parametrize("name", ["some.csv", "public/index.html", "mine.html"])
def test_report_replaces_only_a_report(workspace: Path, name: str) -> None:
    """A wrong name must not destroy the judgments, or a page of the site."""
    (workspace / "some.csv").write_text("mizzen,\n")
    (workspace / "mine.html").write_text("<!doctype html><p>mine")
    before = (workspace / name).read_bytes()
    output = failure("eval", "some.csv", "--report", name)
    assert f"{name}: is not a report: it was not replaced\n  cure: name another file with --report" in output
    assert (workspace / name).read_bytes() == before
    for _ in range(2):
        assert run("eval", "some.csv", "--report", "report.html").exit_code == 0


def test_eval_prints_queries_without_hits(workspace: Path) -> None:
    (workspace / "one.tsv").write_text("xyzzyplugh\tnames/keel.md\n\x1b[31mqqxz\tnames/keel.md\n")
    output = run("eval", "one.tsv", "--worst", 5).output
    assert output.count("       no results\n") == 2
    assert "\x1b[31m" not in output, "control characters are escaped"
    assert "\\x1b[31mqqxz" in output


@pytest.mark.parametrize("command", ["eval", "tune"])
def test_eval_and_tune_need_the_eval_extra(workspace: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """M2: the error names the install command."""
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    assert 'cure: pip install "ranvier[eval]"' in failure(command, "queries.tsv", "qrels.tsv")


@pytest.mark.parametrize("command", ["eval", "tune"])
@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("queries.tsv", "qrels.tsv", "--site", "nowhere"), 1, "cure: ranvier build CONTENT -o nowhere"),
        (("queries.tsv", "qrels.tsv", "--site", "."), 1, "is not a site built by Ranvier"),
        (("nosuch.tsv",), 1, "nosuch.tsv: cannot be read: "),
        (("gone.tsv",), 1, "gone.tsv:2: no page in the search has the name 'about/keal-care'"),
        (("qrels.tsv", "queries.tsv"), 1, "qrels.tsv:1: a query must have two columns"),
    ],
)
def test_eval_and_tune_refuse_invalid_input(
    workspace: Path, command: str, words: tuple[str, ...], code: int, message: str
) -> None:
    (workspace / "gone.tsv").write_text("keel\tabout/keel-care\nkeel\tabout/keal-care\n")
    result = run(command, *words)
    assert result.exit_code == code
    assert message in " ".join(result.output.split())
    assert "Traceback" not in result.output


def test_example_queries_of_the_manual_run(tmp_path: Path, manual_index: Path) -> None:
    """M2."""
    page = (EXAMPLE / "content" / "guide" / "measure-your-search.md").read_text("utf-8")
    (block,) = re.findall(r"```tsv\n(.*?)```", page, re.DOTALL)
    (tmp_path / "queries.tsv").write_text(block, "utf-8")
    answer = json_of("eval", tmp_path / "queries.tsv", "--site", manual_index)
    assert len(answer["runs"][0]["queries"]) == block.count("\n") - 1
    assert answer["runs"][0]["measures"]["recall@100"]["mean"] > 0.75, "most of the pages are found"


# ---- tune


def test_tune_prints_settings_to_paste(workspace: Path) -> None:
    """M2, [002]: a table with a plot, the result on the other half, and the settings."""
    result = run("tune", "queries.tsv", "qrels.tsv", "--over", LIGHT_TITLES)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == "2 settings tried on 6 queries; each difference is from the current settings."
    assert lines[2].strip() == "legs.page.weights"
    assert lines[3].split()[:8] == ["[3,", "3,", "3,", "1.5,", "1]", "now", "0.631", "+0.000"]
    assert lines[4].split()[:8] == ["[0.1,", "3,", "3,", "1.5,", "1]", "best", "1.000", "+0.369"]
    assert lines[3].rstrip().endswith("●"), "no difference is drawn at zero"
    assert lines[4].rstrip().endswith("●")
    assert lines[4].index("│") == lines[3].index("●") < lines[4].index("●")
    assert "On the 6 other queries:" in lines
    assert "nDCG@10     0.631  1.000  +0.369 [+0.369, +0.369]" in [line.strip() for line in lines]
    assert "Better: nDCG@10 rises by 0.369 to 0.369." in lines
    assert result.output.endswith("\n[search.preset.legs.page]\nweights = [0.1, 3.0, 3.0, 1.5, 1.0]\n")
    assert max(map(len, lines)) <= 80
    assert (workspace / "ranvier.toml").read_text() == SETTINGS


def test_tune_write_edits_ranvier_toml(workspace: Path) -> None:
    """M2, [002]: comments stay, and the next build uses the settings."""
    result = run("tune", "both.tsv", "--over", LIGHT_TITLES, "--write")
    assert result.exit_code == 0, result.output
    assert "ranvier.toml contains the new numbers. Build the site again" in result.output
    after = (workspace / "ranvier.toml").read_text()
    assert after == f"{SETTINGS}\n[search.preset.legs.page]\nweights = [0.1, 3.0, 3.0, 1.5, 1.0]\n"
    assert tomllib.loads(after)["search"]["preset"].items() > NO_EXACT.items()


def test_tune_without_over_tries_default_settings(workspace: Path) -> None:
    answer = json_of("tune", "both.tsv")
    assert {"legs.page.weights", "legs.pairs.weight"} <= {item["number"] for item in answer["tried"]}
    assert answer["settings"] > 5


def test_tune_rejects_gains_that_the_other_half_does_not_confirm(workspace: Path) -> None:
    """M2: they are neither printed nor written."""
    tuning_half, other_half = halves([Query(word, word, {}) for word in WORDS])
    about = [f"{item.id}\tabout/{item.id}-care\n" for item in (*tuning_half, *other_half[::2])]
    names = [f"{item.id}\tnames/{item.id}\n" for item in other_half[1::2]]
    (workspace / "mixed.tsv").write_text("".join([*about, *names]))
    words = ("tune", "mixed.tsv", "--over", "legs.page.weights=[0.1,3,3,1.5,1],[0.5,3,3,1.5,1]")
    plain = json_of(*words)
    assert plain["candidate"], "the test needs a candidate"
    assert (plain["best"], plain["preset"], plain["better"], plain["written"]) == ({}, {}, False, None)
    output = failure(*words, "--write")
    assert "no file was written" in output
    assert "No significant difference" in output
    assert "cure: judge more queries" in output
    assert "[search.preset" not in output
    assert (workspace / "ranvier.toml").read_text() == SETTINGS


def test_tune_reports_that_nothing_is_better(workspace: Path) -> None:
    words = ("tune", "both.tsv", "--over", "legs.note.weight=0.5", "--write")
    output = failure(*words)
    assert "No setting is better than the current ones." in output
    assert "cure: try other values with --over" in output
    assert (workspace / "ranvier.toml").read_text() == SETTINGS


def test_tune_json_has_settings_and_measures(workspace: Path) -> None:
    """M2, V1."""
    answer = json_of("tune", "both.tsv", "--over", LIGHT_TITLES, "--over", "adjust.linked=false", "--measure", "MRR")
    keys = "site measure queries settings candidate best preset better written chosen held_out tried"
    assert list(answer) == keys.split()
    assert (answer["site"], answer["measure"], answer["settings"]) == ("public", "MRR", 3)
    assert answer["queries"] == {"chosen_on": 6, "judged_on": 6}
    assert answer["best"] == {"legs.page.weights": [0.1, 3.0, 3.0, 1.5, 1.0]}
    assert answer["preset"] == {"legs": {"page": {"weights": [0.1, 3.0, 3.0, 1.5, 1.0]}}}
    assert (answer["better"], answer["written"]) == (True, None)
    assert list(answer["held_out"]) == MEASURES
    assert answer["held_out"]["MRR"] == {"before": 0.5, "after": 1.0, "difference": 0.5, "low": 0.5, "high": 0.5}
    now = {"number": "legs.page.weights", "value": [3.0, 3.0, 3.0, 1.5, 1.0], "mean": 0.5, "now": True, "best": False}
    assert answer["tried"][0] == now | dict.fromkeys(("difference", "low", "high"), 0.0)
    assert [item["value"] for item in answer["tried"][2:]] == [None, False]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--over", "fuse.kk=1"), "did you mean 'k'?"),
        (("--over", "legs.pairs.weight=1", "--over", "legs.pairs.weight=2"), "--over legs.pairs.weight occurs twice"),
        (("--site", "plain", "--over", LIGHT_TITLES, "--write"), "the site was built with another search.preset"),
        (("--over", LIGHT_TITLES, "--write", "-c", "nosuch.toml"), "does not exist"),
    ],
)
def test_tune_refuses_invalid_options_before_measuring(workspace: Path, words: tuple[str, ...], message: str) -> None:
    """Nothing is written."""
    result = run("tune", "both.tsv", *words)
    assert result.exit_code in (1, 2)
    assert message in result.output
    assert (workspace / "ranvier.toml").read_text() == SETTINGS


@pytest.mark.parametrize(
    ("difference", "plot"),
    [
        (Interval(0.0, 0.0, 0.0), "     ●     "),
        (Interval(0.5, 0.1, 1.0), "     │├─●─┤"),
        (Interval(-0.5, -1.0, 0.0), "├─●──┤     "),
        (Interval(0.2, -0.4, 0.6), "   ├─│●─┤  "),
    ],
)
def test_tune_plot_draws_an_interval(difference: Interval, plot: str) -> None:
    """M2: from −1 to 1 with zero in the middle."""
    line = draw_interval(difference, 1.0, 11)
    assert len(line) == 11
    assert line == plot
    assert draw_interval(difference, 1.0, 11, ascii_only=True).isascii()
