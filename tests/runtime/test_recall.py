"""Recall: spelling, synonyms, parts of words, and missing files (Q4, Q7, I2, L2, X1, X2, X3)."""

from pathlib import Path

import pytest
import ranvier
from ranvier import FetchError, Library
from support.content import build_tree, drive
from support.results import paths
from support.shared import opened_fixture, site_fixture
from support.whole_site import open_site, whole_site

TREE: dict[str, str | bytes] = {
    "install.md": "# Install\n\nThe installation of kubernetes takes a minute. Call `getUserName` first.\n",
    "zone.md": "# Zones\n\nOstriches live in a zone. Nothing about how to begin.\n",
    "k.md": "# Clusters\n\nWhat kubernetes calls a cluster.\n",
    "highlight.md": "# Highlighting\n\nWords are highlighted in yellow.\n",
    "c.md": "# Languages\n\nC++ and C# and Python 3.10 are languages; v1.10 is a version, 1.1 another.\n",
}
site = site_fixture(build_tree, TREE)
library = opened_fixture("site")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("kettle -teapot", {"alone.md"}),
        ("kettle NOT teapot", {"alone.md"}),
        ("ketle -teapot", {"alone.md"}),
        ('kettle -"teapot is"', {"alone.md", "together.md"}),
        ("kettle NOT (teapot AND cold)", {"alone.md", "together.md"}),
        ("(kettle NOT teapot) OR hot", {"alone.md", "apart.md"}),
        ("path:apart.md kettle -teapot", set()),
        ("kettle -teap*", {"alone.md"}),
        ("-teap* kettle", {"alone.md"}),
        ("kettle NOT (teap*)", {"alone.md"}),
        ("kettle -teap", {"alone.md", "apart.md", "together.md"}),
        ("zebra OR kettle -teapot", {"alone.md", "apart.md"}),  # in an operand of OR, sections count
    ],
)
@pytest.mark.parametrize("prefix", [False, True])
def test_excluded_words_leave_out_the_whole_page(tmp_path: Path, query: str, expected: set[str], prefix: bool) -> None:
    """Q5: in any part of its text. Only then there is a notice."""
    files = {
        "apart.md": "---\nuser_note: the kettle\nuser_note_shared: true\n---\n# Apart\n\n## One\n\nThe kettle is hot.\n\n"
        "## Two\n\nThe teapot is cold.\n",
        "alone.md": "# Alone\n\nThe kettle.\n",
        "together.md": "# Together\n\nThe kettle beside a teapot.\n",
    }
    with open_site(whole_site(tmp_path, files)) as library:
        result = library.search(query, prefix=prefix)
        assert set(paths(result)) == expected
        assert ("excluded" in [notice.code for notice in result.notices]) == (" -" in f" {query}" and "OR" not in query)


@pytest.mark.parametrize(
    ("query", "without"),
    [
        ("kettle -teapot", "kettle"),
        ("-teapot kettle", "kettle"),
        ('kettle -"a teapot"', "kettle"),
        ("kettle kettle kettle -teapot", "kettle kettle kettle"),
        ("ketle -teapot", "ketle"),
        ("water hot kettle -teapot", "water hot kettle"),
        ('"kettle hot" -teapot', '"kettle hot"'),
        ('"kettle hot" -"a teapot"', '"kettle hot"'),
        ('"kettle hot" -"a teapot', '"kettle hot"'),
        ('ketle hot -"teapot', "ketle hot"),
    ],
)
def test_excluded_words_change_no_rank_of_the_other_pages(tmp_path: Path, query: str, without: str) -> None:
    """Q5: exact names come first, spelling is corrected, and if no page has every word, pages with some are found."""
    files = {
        "hot.md": "# Hot kettles\n\nA kettle, kettle, kettle. It is hot.\n",
        "kettle.md": "# Kettle\n\nA vessel for water, which is described here in more words than elsewhere.\n",
        "tea.md": "# Tea\n\nA teapot beside a kettle.\n",
    }
    with open_site(whole_site(tmp_path, files)) as library:
        result, other = library.search(query), library.search(without)
        assert paths(result) == [path for path in paths(other) if path != "tea.md"] != []
        notices = [(notice.code, notice.subject) for notice in result.notices if notice.code != "excluded"]
        assert notices == [(notice.code, notice.subject) for notice in other.notices]


def test_query_of_the_notice_of_excluded_words_keeps_the_filters(tmp_path: Path) -> None:
    """Q5, Q6: a search for it finds the excluded pages, and no page outside of the filter."""
    files: dict[str, str | bytes] = {f"{path}.md": f"# {path}\n\nA kettle and a teapot.\n" for path in ("a/in", "b/out")}
    with open_site(whole_site(tmp_path, files)) as library:
        result = library.search('kettle path:"a" -teapot')
        ((notice,), hits) = (result.notices, result.hits)
        assert (notice.subject, hits) == ('path:"a" kettle teapot', ())
        assert paths(library.search(notice.subject)) == ["a/in.md"]


def test_minus_is_a_sign_in_a_search_for_parts_of_words(tmp_path: Path) -> None:
    """Q4."""
    files: dict[str, str | bytes] = {"a.md": "# A\n\ngrep -recursive finds files.\n", "b.md": "# B\n\nA grep.\n"}
    with open_site(whole_site(tmp_path, files)) as library:
        result = library.search("grep -recursive", match="substring")
        assert (paths(result), result.notices) == (["a.md"], ())


@pytest.mark.parametrize(("query", "results"), [("*args", ["a.md"]), ("`*args", ["a.md"]), ("args", ["a.md", "b.md"])])
def test_signs_before_a_part_of_a_word_count(tmp_path: Path, query: str, results: list[str]) -> None:
    """Q4: other searches drop the signs of Markdown."""
    files = {"a.md": "# One\n\n```\ndef f(`*args): pass\n```\n", "b.md": "# Two\n\nThe kwargs of a call.\n"}
    with open_site(whole_site(tmp_path, files)) as library:
        assert sorted(paths(library.search(query, match="substring"))) == results
        assert paths(library.search(query)) == ["a.md"]


@pytest.mark.parametrize(
    ("query", "searched", "path"),
    [
        ("kuberntes", "kubernetes", "k.md"),
        ("instalation", None, "install.md"),  # the same stem
        ("ostrichs zone", None, "zone.md"),  # another ending is not a spelling mistake
        ("highligthed words", "highlighted words", "highlight.md"),
        ("Kuberntes AND cluster", "kubernetes AND cluster", "k.md"),  # the rest of the query stays
        ("getUserName", None, "install.md"),
    ],
)
def test_spelling_is_corrected_with_a_notice(library: Library, query: str, searched: str | None, path: str) -> None:
    """`exact` searches for the query as typed."""
    result = library.search(query)
    assert path in paths(result)[:2]
    corrections = [notice.subject for notice in result.notices if notice.code == "corrected"]
    assert corrections == ([searched] if searched else [])
    if searched:
        undone = library.search(query, exact=True)
        assert [notice.code for notice in undone.notices if notice.code == "corrected"] == []


@pytest.mark.parametrize(
    ("query", "searched"),
    [
        ("where do ostrichse, clusters and highlighting begin?", "where do ostriches, clusters and highlighting begin"),
        ("why do ostriches and kuberntes live", "why do ostriches and kubernetes live"),
        ("a question about dogs, geese and clusters", None),
    ],
)
def test_misspelt_word_in_a_sentence_is_corrected(library: Library, query: str, searched: str | None) -> None:
    """Although no page has every word then."""
    notices = library.search(query).notices
    assert [notice.subject for notice in notices if notice.code == "corrected"] == ([searched] if searched else [])


@pytest.mark.parametrize(
    ("query", "searched"),
    [
        ("इंटसरेप्ट के साथ", "इंटरसेप्ट के साथ"),
        ("ব্বযহার", "ব্যবহার"),
        ("தமிழாக்மக்", "தமிழாக்கம்"),
        ("इंटसरेप्ट2", None),  # words with digits are names
        ("shuold", "should"),
        ("shouldn't", None),  # a contraction is no mistake
        ("shouldn’t", None),
    ],
)
def test_word_with_marks_is_corrected(tmp_path: Path, query: str, searched: str | None) -> None:
    """I2, Q7: the vowels of Indic scripts are marks."""
    files = {f"{at}.md": f"# {at}\n\n{line}\n" for at, line in enumerate(["इंटरसेप्ट के साथ।", "ব্যবহার", "தமிழாக்கம்", "It should."])}
    with open_site(whole_site(tmp_path, files)) as library:
        notices = library.search(query).notices
        assert [notice.subject for notice in notices if notice.code == "corrected"] == ([searched] if searched else [])


def test_form_of_a_word_of_the_site_is_no_mistake(tmp_path: Path) -> None:
    """No page has `split` as it is written; the correction of another word leaves it."""
    with open_site(whole_site(tmp_path, {"s.md": "# Splitting\n\nSplitting several files.\n"})) as site:
        assert [notice.subject for notice in site.search("split sevral files").notices] == ["split several files"]


@pytest.mark.parametrize(
    ("query", "searched"),
    [
        ("serviceworker", "service worker"),
        ("how to start a serviceworker?", "how to start a service worker"),
        ("serviceworker tea", "service worker tea"),  # although no page has all of these words
        ("-serviceworker tea", None),
        ("workerservice", None),  # the words are not side by side
        ("teaservice", None),
        ("ourservice", None),  # a stop word
        ("servicewurker", None),
        ('"serviceworker"', None),
    ],
)
def test_unknown_word_is_split_into_neighbours(tmp_path: Path, query: str, searched: str | None) -> None:
    files = {"sw.md": "# Caching\n\nA service worker answers.\n", "t.md": "# Tea\n\nOur service is tea.\n"}
    with open_site(whole_site(tmp_path, files)) as site:
        result = site.search(query)
        assert [notice.subject for notice in result.notices if notice.code == "corrected"] == ([searched] if searched else [])
        assert ("sw.md" in paths(result)) == bool(searched)
        assert site.search(query, path="t.md").notices != result.notices or not searched, "no page in the scope has them"


@pytest.mark.parametrize("prefix", [False, True])
def test_word_that_joins_a_title_finds_the_other_pages_with_its_words(tmp_path: Path, prefix: bool) -> None:
    """Q4: the title without its blanks hid them. A word that a page has stays, and so do words that cannot be split."""
    files = {
        "t.md": "# Service worker\n\nText.\n",
        "b.md": "# Tea\n\nA service worker answers.\n",
        "c.md": "# To and fro\n\nTea.\n",
    }
    with open_site(whole_site(tmp_path, files)) as site:
        result = site.search("serviceworker", prefix=prefix)
        assert (paths(result), [notice.subject for notice in result.notices]) == (["t.md", "b.md"], ["service worker"])
        assert [paths(site.search(query, prefix=prefix)) for query in ("toandfro", "workers")] == [["c.md"], ["t.md", "b.md"]]


@pytest.mark.parametrize(
    ("query", "searched"),
    [
        ("title:repository", None),  # a word of the text
        ("title:repositroy", "title:repository"),
        ("title:serviceworker", None),  # a column's name has one word after it
        ('titles "kuberntes a calls" clustre', "titles  kubernetes a calls  cluster"),  # of two, the last one
    ],
)
def test_notice_of_a_correction_is_the_query_that_is_searched(tmp_path: Path, query: str, searched: str | None) -> None:
    """Q4."""
    text = "# Titles\n\nWhat kubernetes calls a cluster. A service worker. Each repository of our repos.\n"
    with open_site(whole_site(tmp_path, {"a.md": text})) as site:
        notices = site.search(query).notices
    assert [notice.subject for notice in notices if notice.code == "corrected"] == ([searched] if searched else [])


def test_correction_without_an_answer_is_withdrawn(library: Library) -> None:
    """I2, R6: if neither the query as typed nor its correction has an answer, no correction is claimed."""
    result = library.search("a kuberntes cluster")
    assert [notice.code for notice in result.notices] == ["corrected"]
    query = "cook rice and yellow butter with a kuberntes sauce"
    withdrawn, as_typed = library.search(query), library.search(query, exact=True)
    assert [notice.code for notice in withdrawn.notices] == ["little"] == [notice.code for notice in as_typed.notices]
    assert withdrawn.hits == as_typed.hits


def test_rare_word_of_the_site_is_not_corrected(tmp_path: Path) -> None:
    """`server` is one letter away and in sixty Neurons, but `semver` is a word of the site, too."""
    files = {f"s{at:02}.md": f"# Server {at}\n\nA server, number {at}.\n" for at in range(60)}
    files |= {"v.md": "# Versions\n\nIt follows semver.\n", "k.md": "# Birds\n\nA kestrel on a server.\n"}
    with open_site(whole_site(tmp_path, files)) as site:
        for query, corrected in (("semver shop", []), ("semver kestrel", []), ("semver", []), ("sevrer", ["server"])):
            notices = site.search(query).notices
            assert [notice.subject for notice in notices if notice.code == "corrected"] == corrected


@pytest.mark.parametrize(
    ("query", "notice"),
    [
        ("kubernetes clusters yellow", "some-words"),
        ("how do geese cook rice with a minute of butter", "little"),
        ("geese cook rice with butter", None),  # no page has a word of it
        ("kubernetes cluster", None),
    ],
)
def test_weak_matches_have_a_notice_and_low_confidence(library: Library, query: str, notice: str | None) -> None:
    result = library.search(query, exact=True)
    codes = [notice.code for notice in result.notices if notice.code in ("some-words", "little")]
    assert codes == ([notice] if notice else [])
    assert all((hit.confidence < 0.3) == (notice == "little") for hit in result.hits)


@pytest.mark.parametrize(
    ("query", "has_notice"), [("kubernetes qu", False), ("kubernetes qu ", True), ("kubernetes quartz", True)]
)
def test_first_letters_of_a_word_cause_no_notice(library: Library, query: str, has_notice: bool) -> None:
    """X2: the notice "No page has all of these words" does not flicker while a word is typed."""
    result = library.search(query, prefix=True)
    assert bool({"some-words", "little"} & {notice.code for notice in result.notices}) is has_notice


def test_query_without_a_match_is_empty(library: Library) -> None:
    result = library.search("xyzzyplugh")
    assert (result.hits, result.total_hits, result.notices) == ((), 0, ())
    assert library.search("xyzzyplugh", exact=True).hits == ()


def test_substring_matches_are_the_last_resort(library: Library) -> None:
    """L2: the part is marked inside the word."""
    hit = library.search("ghlig").hits[0]
    assert (hit.path, hit.matched_in) == ("highlight.md", ("substring",))
    assert "hi<mark>ghlig</mark>hted" in hit.snippet
    assert library.search("highlighting").hits[0].matched_in != ("substring",)


@pytest.mark.parametrize(
    ("query", "results"),
    [
        ("C++", ["c.md"]),
        ("c#", ["c.md"]),
        ("v1.10", ["c.md"]),
        ("1.10", ["c.md"]),
        ("getusername", ["install.md"]),
        ("get_user_name", ["install.md"]),
        ("user name", ["install.md"]),
        ("Python 3.10", ["c.md"]),
        ("c++ ostriches", []),
    ],
)
def test_identifiers_and_versions_are_found(library: Library, query: str, results: list[str]) -> None:
    """I2: whole, by part, and in other spellings."""
    assert [hit.path for hit in library.search(query, match="text").hits if hit.coverage == "all"] == results


@pytest.mark.parametrize(
    "query",
    [
        "本赛季谁为球队贡献的擒杀最多？",
        "チームに最も貢献したのは誰ですか。",
        "ใครมีส่วนช่วยทีมมากที่สุดในฤดูกาลนี้",
        "2015年谁为球队贡献的擒杀最多 and who is it in this season",
        "Words " + " ".join(f"{chr(97 + at % 26)}q{at}" for at in range(62)) + " yard-line",  # cut inside the last word
    ],
)
def test_long_question_is_searched_in_the_index(tmp_path: Path, query: str) -> None:
    """I2, X2: a scan of the texts would find only pages with this very question."""
    files = {f"{at}.md": f"# {at}\n\n{line}\n" for at, line in enumerate(["球队贡献。", "貢献したチーム。", "ช่วยทีม", "Words."])}
    with open_site(whole_site(tmp_path, files)) as library:
        result = library.search(query)
        assert len(result.hits) == 1
        assert "scanned" not in [notice.code for notice in result.notices]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        *((query, ["dot.md"]) for query in (".NET", "?.NET", ".NET framework")),
        *((query, ["dot.md", "net.md"]) for query in ("... net", "...net", ". net")),
    ],
)
def test_dot_at_the_beginning_is_part_of_a_name(tmp_path: Path, query: str, expected: list[str]) -> None:
    """Q1."""
    files = {"dot.md": "# Framework\n\nRuns on .NET.\n", "net.md": "# Income\n\nThe net.\n", "c.md": "# C\n\nNone.\n"}
    with open_site(whole_site(tmp_path, files)) as library:
        assert sorted(paths(library.search(query))) == expected
        assert len(expected) > 1 or paths(library.search(query, prefix=True))[0] == "dot.md"


def test_version_is_not_found_by_its_digits(tmp_path: Path) -> None:
    """I2: a site that never names v0.120.0 has no page about it, even if a page has 0 and 120."""
    with open_site(whole_site(tmp_path, {"a.md": "# Birds\n\nA kestrel. See 0 of 120 others.\n"})) as site:
        assert site.search("v0.120.0").hits == ()
        assert site.search("kestrel 0.120").hits[0].coverage == "some"


@pytest.mark.parametrize("query", ["getU", "getUs", "getUse", "getUser", "getUserN", "install getU"])
def test_identifier_is_found_while_it_is_typed(library: Library, query: str) -> None:
    """I2: letter by letter, and without a notice about spelling."""
    result = library.search(query, prefix=True)
    assert [(hit.path, hit.coverage) for hit in result.hits[:1]] == [("install.md", "all")]
    assert result.notices == ()


def test_synonyms_widen_and_exact_words_rank_first(library: Library) -> None:
    """Q7."""

    class Shorter:
        """Says one other word for another."""

        def variants(self, query: str) -> list[str]:
            return [query.replace("zones", "kubernetes")] if "zones" in query else []

    plain = paths(library.search("zones"))
    assert plain == ["zone.md"]
    library.engine = type(library.engine)(library.engine.snapshot, Shorter())
    assert paths(library.search("zones")) == ["zone.md", "k.md", "install.md"]
    assert paths(library.search("zones", exact=True)) == plain


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("short codes", "Shortcodes"),
        ("short code", "Shortcodes"),
        ("short cod", "Shortcodes"),
        ("back ground tasks", "Background tasks"),
        ("plug in", "Plugins"),
        ("http 2", "HTTP2"),
        ("kettle classes", "Using kettleclasses"),
    ],
)
def test_two_words_are_also_searched_as_one_word(tmp_path: Path, query: str, title: str) -> None:
    """A page whose title has it comes first, with a mark; in an exact search, and in a phrase of a page, words stay apart."""
    names = ("Shortcodes", "Background tasks", "Plugins", "HTTP2", "Using kettleclasses")
    files = {f"{number}.md": f"# {name}\n\nWords.\n" for number, name in enumerate(names)} | {
        f"both-{number}.md": f"# Both\n\nA short text of codes, the ground at the back, tasks; plug it in; http, 2; {text}\n"
        for number, text in enumerate(("kettle classes " * 30, "classes of a kettle"))
    }
    phrases = {
        "phrases.md": "# Phrases\n\nShort codes, short code, short cod, back ground tasks, plug in, http 2, kettle classes.\n"
    }
    with open_site(whole_site(tmp_path, files)) as library:
        hit = library.search(query, prefix=True).hits[0]
        assert (hit.title, "<mark>" in hit.title_highlight) == (title, True)
        assert title not in [hit.title for hit in library.search(query, exact=True).hits[:1]]
    with open_site(whole_site(tmp_path / "phrases", files | phrases)) as library:
        assert title not in [hit.title for hit in library.search(f'"{query}"').hits]


@pytest.mark.parametrize("words", ["dependency injection", "env variables", "short codes"])
def test_corrected_query_gives_the_hits_of_the_correct_one(tmp_path: Path, words: str) -> None:
    """The name of a page with words of a heading, synonyms, and two words as one count for the corrected words."""
    files = {
        "a.md": "# Dependencies\n\n## What is dependency injection\n\nWords.\n",
        "b.md": "# Tasks\n\nText.\n\n## Dependency injection\n\nWords.\n",
        "c.md": "# Pages\n\nText.\n\n## Dependency injection\n\nWords.\n",
        "d.md": "# Environment variables\n\nA variable of an env. Short text, codes.\n",
        "e.md": "# Shortcodes\n\nVariables.\n",
    }
    with open_site(whole_site(tmp_path, files)) as library:
        correct = [(hit.path, hit.score) for hit in library.search(words).hits]
        result = library.search(words.replace("ab", "b").replace("nden", "nedn").replace("code", "coed"))
        assert [notice.subject for notice in result.notices] == [words]
        assert [(hit.path, hit.score) for hit in result.hits] == correct


@pytest.mark.parametrize(
    ("query", "url"),
    [
        ("lists:map", "lists/#map"),
        ("lists:map/2", "lists/#map"),
        ("lists::map()", "lists/#map"),
        ("lists map", "lists/#map"),
        ("lists:fol", "lists/#fold"),
        ("hot packs map size", "packs/#size-of-the-map"),
        ("Lists.of", "lists/#of"),
        ('"lists map"', "both-0/"),
        ("setup plan", "setup-of-a-team/#start"),  # no page is called Setup: the section with most of the words
    ],
)
def test_page_and_heading_are_found_by_name(tmp_path: Path, query: str, url: str) -> None:
    """The first words are the name of the page, and the others are in a heading: it comes before pages with all words."""
    files = {
        "lists.md": f"# Lists\n\n{'W. ' * 200}\n\n## Map\n\nIt.\n\n## of\n\nMakes it.\n\n## Fold\n\n{'A list, a map. ' * 9}\n",
        "packs.md": "# Hot packs\n\nWords.\n\n## Size of the map\n\nSmall.\n",
        "setup-of-a-team.md": f"# Setup of a team\n\n## Start\n\n{'Setup plan. ' * 9}\n\n## Plan B\n\nNone.\n",
    } | {f"both-{at}.md": f"# A map of\n\n{'The hot packs: the lists map size. ' * 20}\n" for at in range(3)}
    with open_site(whole_site(tmp_path, files)) as library:
        hit = library.search(query, prefix=True).hits[0]
        assert hit.url.split("#")[0] + (f"#{hit.anchor}" if hit.anchor else "") == url


def test_words_in_quotes_have_no_synonyms(tmp_path: Path) -> None:
    """Q7: a phrase is searched as written. Its words have synonyms if no page has the phrase."""
    files: dict[str, str | bytes] = {
        "a.md": "# A\n\nThe env file.\n",
        "b.md": "# B\n\nThe environment has no file.\n",
        "c.md": "# C\n\nNothing.\n",
    }
    with ranvier.open_snapshot(build_tree(tmp_path, files)) as library:
        for query, results in [
            ("env file", ["a.md", "b.md"]),
            ('"env file"', ["a.md"]),
            ('"env" file', ["a.md"]),
            ('"file env"', ["a.md", "b.md"]),
        ]:
            assert sorted(hit.path for hit in library.search(query).hits if hit.coverage == "all") == results, query


def test_missing_file_is_an_error_and_never_a_shorter_list(
    library: Library, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """X3: for each file of a search, with lazy and complete fetching."""
    import shutil

    with monkeypatch.context() as patched:
        patched.setattr("ranvier.engine.SMALL", 0)
        _, needs = drive(library.engine.search(ranvier.SearchRequest("kubernets zone", explain=True)), library.source)
    names = sorted({name for need in needs for name in need.files})
    assert {name.partition("/")[0] for name in names} >= {"text", "words"}
    for name in names:
        copy = tmp_path / name.replace("/", "-")
        shutil.copytree(site, copy)
        (copy / "_ranvier" / name).unlink()
        for threshold in (0, 10**9):
            with monkeypatch.context() as patched, ranvier.open_snapshot(copy) as library_of_copy:
                patched.setattr("ranvier.engine.SMALL", threshold)
                with pytest.raises(FetchError, match=name.rpartition("/")[2]):
                    library_of_copy.search("kubernets zone")


def test_rounds_of_word_searches(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Postings of every leg in one round, texts in another; a correction costs a second try."""
    monkeypatch.setattr("ranvier.engine.SMALL", 0)
    for query, max_rounds in (("kubernetes cluster", 2), ("what is a zone", 2), ("#nosuch kubernetes", 3), ("kuberntes", 3)):
        with ranvier.open_snapshot(site) as fresh:
            fresh.search(query)
            assert fresh.engine.rounds <= max_rounds, query
            assert fresh.engine.snapshot.misses == 0, query


@pytest.mark.parametrize(
    ("query", "first", "notices"),
    [
        ('"a minute takes"', "install.md", ["no-phrase"]),
        ('"begin nothing" ostriches', "zone.md", ["no-phrase"]),  # the other word does not hide it
        ('"kuberntes a calls"', "k.md", ["corrected", "no-phrase"]),
        ('"ernet alls"', "k.md", ["no-phrase"]),  # parts of words, the last resort
        ('"takes a minute"', "install.md", []),
    ],
)
def test_phrase_that_no_page_has_is_searched_as_words(library: Library, query: str, first: str, notices: list[str]) -> None:
    """Q5, R6: with a notice, and no hit has a confidence that looks like an answer."""
    result = library.search(query)
    assert paths(result)[0] == first
    assert [notice.code for notice in result.notices] == notices
    assert {hit.level == "noise" for hit in result.hits} == {"no-phrase" in notices}


def test_words_of_a_phrase_stay_in_its_column(library: Library) -> None:
    """Q5."""
    result = library.search('title:"zones kubernetes"')
    assert (paths(result), [notice.code for notice in result.notices]) == (["zone.md"], ["no-phrase"])


def test_exact_search_does_not_replace_a_phrase_by_its_words(library: Library) -> None:
    assert library.search('"a minute begin"', exact=True).hits == ()


@pytest.mark.parametrize("query", ['"minute begin', "“minute begin", "„minute begin", "”minute begin", "”minute begin”"])
def test_quotation_mark_of_a_phone_begins_a_phrase(library: Library, query: str) -> None:
    """Q5: also before it is closed."""
    assert [notice.code for notice in library.search(query, prefix=True).notices] == ["no-phrase"]
    assert library.search("install 5” disk", prefix=True).notices == library.search("install 5 disk", prefix=True).notices


@pytest.mark.parametrize("query", ['"takes', '"takes a', '"takes a m', '"takes a mi', '"takes a minu', '"takes a minute'])
def test_unfinished_phrase_is_found(library: Library, query: str) -> None:
    """Q5: while a phrase is typed, its last word is the beginning of a word."""
    result = library.search(query, prefix=True)
    assert (paths(result)[0], result.notices) == ("install.md", ())
