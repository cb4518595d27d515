"""Golden queries on the manual: a query, the page that must come first, and the reason.

A row is the query, the page's file, the anchor of the section shown ("": any), and the reason; `typed` rows are asked as if the
last word were still being typed. No word of a `meant` question is in the title of its page, which must be in the first three.
"""

import pytest
import ranvier
from ranvier.text import is_stop, words
from ranvier.text.languages import term

GOLDEN = [
    # The query is a title.
    ("install", "guide/install.md", "", "one word that is a title, however often others say it"),
    ("Install", "guide/install.md", "", "case does not matter"),
    ("getting started", "guide/getting-started.md", "", "a title of two words"),
    ("gettings started", "guide/getting-started.md", "", "but for an ending"),
    ("audiences", "guide/audiences.md", "", "a word that half of the manual uses"),
    ("docs in ci", "guide/docs-in-ci.md", "", "a title with a stop word in it"),
    ("hot pack", "format/hot-pack.md", "", "the title itself before `Hot pack: the decision`"),
    ("manifest", "format/manifest.md", "", "a title before the many pages that name it"),
    ("errors", "reference/errors.md", "", "a title before sections of that name"),
    ("Why FTS5", "decisions/why-fts5.md", "", "stop words count in a title"),
    ("why pyodide", "decisions/why-pyodide.md", "", "the same, small letters"),
    ("configuration", "reference/configuration.md", "", "a title"),
    ("limits", "guide/limits.md", "", "a title of a short page"),
    ("search box", "reference/search-box.md", "", "a title before `Search result` and `Searching`"),
    ("themes", "guide/themes.md", "", "a title"),
    ("media", "guide/media.md", "", "a title"),
    ("obsidian vault", "guide/obsidian-vault.md", "", "two words of a longer title"),
    ("text shards", "format/text-shards.md", "", "a title"),
    ("leak check", "decisions/leak-check.md", "", "a title before guides that mention it"),
    ("Python API", "reference/python-api.md", "", "a title"),
    ("javascript api", "reference/javascript-api.md", "", "a title whatever its case"),
    # The query is a heading.
    ("content security policy", "guide/publish-on-a-static-host.md", "content-security-policy", "a heading, and its section"),
    ("mime types", "guide/publish-on-a-static-host.md", "mime-types", "a heading"),
    ("inline tags", "reference/frontmatter-fields.md", "inline-tags", "a heading at the end of a long page"),
    ("keyboard shortcuts", "reference/search-box.md", "keyboard-shortcuts", "a heading"),
    ("minimum python version", "guide/install.md", "minimum-python-version", "a heading"),
    ("wikilinks", "guide/links.md", "wikilinks", "a heading"),
    ("callouts", "guide/markdown.md", "callouts", "a heading"),
    ("docsize columns", "format/hot-pack.md", "docsize-columns", "a heading with a word that only experts use"),
    ("reasons for withholding", "reference/build-report.md", "reasons-for-withholding", "a heading with a stop word"),
    ("showing highlights", "reference/javascript-api.md", "showing-highlights", "a heading"),
    ("what a language changes", "guide/languages.md", "what-a-language-changes", "a heading that is mostly stop words"),
    ("ranvier serve", "reference/cli.md", "ranvier-serve", "a command is a heading of the reference"),
    ("ranvier check", "guide/check.md", "", "an alias of the guide, before the heading of the reference"),
    ("colours of the box", "guide/themes.md", "colours-of-the-search-box", "part of a heading"),
    # Questions.
    ("how do I install ranvier", "guide/install.md", "", "a question: its words that say something"),
    ("how big is the engine", "guide/install.md", "how-big-is-the-engine", "a question that is a heading"),
    ("why is the first search slow", "guide/troubleshooting.md", "the-first-search-is-slow", "nearly a heading"),
    ("keep a page out of the search", "reference/frontmatter-fields.md", "", "part of a heading"),
    ("how are pages cut into chunks", "decisions/chunking.md", "", "the page about it, not one that says `page` most"),
    ("a part of the index could not be fetched", "guide/troubleshooting.md", "", "a message of ours, as the reader sees it"),
    ("build on github pages", "guide/publish-on-a-static-host.md", "github-pages", "every word in one section"),
    ("add search to mkdocs", "guide/mkdocs.md", "", "the page of the plugin"),
    ("add search to sphinx", "guide/sphinx.md", "", "the page of the extension"),
    ("add search to hugo", "guide/generators.md", "hugo", "a recipe has its own section"),
    ("a page is missing", "guide/troubleshooting.md", "a-page-is-missing", "a trouble in its own words"),
    # Identifiers, options, file names.
    ("default_audience", "reference/configuration.md", "", "a setting, with its underscore"),
    ("default audience", "reference/configuration.md", "", "the same by its parts"),
    ("--default-audience", "reference/configuration.md", "", "an option, and the setting that it is: one section says both"),
    ("trusted_html", "reference/configuration.md", "trusted_html", "a setting that is a heading"),
    ("search_fields", "reference/frontmatter-fields.md", "", "a setting where it is explained"),
    ("noindex", "reference/frontmatter-fields.md", "", "a field"),
    ("user_note", "reference/frontmatter-fields.md", "", "a field that is private"),
    ("entry.json", "format/entry-file.md", "", "a file's name"),
    ("ranvier.toml", "reference/configuration.md", "", "a file's name"),
    ("wasm-unsafe-eval", "guide/publish-on-a-static-host.md", "content-security-policy", "a term of art with hyphens"),
    ("engine.search", "reference/javascript-api.md", "", "a method"),
    # Phrases and operators.
    ("title:pyodide", "decisions/why-pyodide.md", "", "a column"),
    ("NEAR(hot pack, 2)", "format/hot-pack.md", "", "words near each other"),
    # Spelling mistakes and parts of words.
    ("instal", "guide/install.md", "", "the stem is the same"),
    ("audeince", "guide/audiences.md", "", "two letters swapped"),
    ("obsidain vault", "guide/obsidian-vault.md", "", "a spelling mistake in one of two words"),
    ("troubelshooting", "guide/troubleshooting.md", "", "a spelling mistake in a long word"),
    # Filters.
    ("path:decisions bytecode", "decisions/no-pyodide-build.md", "", "only in a folder"),
    ("[[Install]] node", "guide/install.md", "without-node-or-without-a-network", "only in a page"),
]

WHILE_TYPING = [
    ("inst", "guide/install.md", "four letters of a title"),
    ("troubl", "guide/troubleshooting.md", "six letters of a title"),
    ("content sec", "guide/publish-on-a-static-host.md", "a heading's first word and three letters"),
    ("obsid", "guide/obsidian-vault.md", "the beginning of a title"),
    ("search bo", "reference/search-box.md", "a title but for its last letter"),
    ("posting lea", "format/index-files.md", "words that are in no title"),
    ("keyb", "reference/search-box.md", "the beginning of a heading"),
]

# Words alone rank the first six lower. The reasons of the others say why no title helps.
EXPECTED = [
    ("does it work with accents and umlauts", "guide/languages.md", "letters are a matter of languages; by words fifth"),
    ("what is not possible yet", "guide/limits.md", "what cannot be done is a limit; by words sixth"),
    ("list of all options of the terminal program", "reference/cli.md", "a command line is a program; by words fifth"),
    ("only redo work for modified files", "decisions/incremental-builds.md", "what changed was modified; by words fourth"),
    ("compare two rankings with real questions", "guide/measure-your-search.md", "to compare is to measure; by words third"),
    ("something went wrong and results do not load", "guide/troubleshooting.md", "a problem in the words of a reader"),
    ("nothing happens when I open the file in a browser", "guide/troubleshooting.md", "the same"),
    ("subtitles of a podcast", "guide/media.md", "what is said in a recording"),
    ("reduce waiting for the network", "decisions/two-rounds.md", "latency"),
    ("splitting long documents into smaller passages", "decisions/chunking.md", "what a chunk is, without the word"),
    ("shortcuts for people who do not use a mouse", "reference/search-box.md", "a keyboard, without the word"),
    ("exceptions that can be raised", "reference/errors.md", "what an error is in Python"),
    ("boost an important article", "guide/tune-the-search.md", "weights and pins"),
]


@pytest.mark.parametrize(("query", "path", "anchor", "reason"), GOLDEN, ids=[row[0] for row in GOLDEN])
def test_expected_page_is_first(manual: ranvier.Library, query: str, path: str, anchor: str, reason: str) -> None:
    hits = manual.search(query, limit=5).hits
    assert hits, reason
    best = hits[0]
    assert best.path == path, f"{reason}; first were {[hit.path for hit in hits]}"
    assert not anchor or anchor in (best.anchor, *(sub.anchor for sub in best.sub_results)), (
        f"{reason}; shown is #{best.anchor}"
    )


@pytest.mark.parametrize(("query", "path", "reason"), WHILE_TYPING, ids=[row[0] for row in WHILE_TYPING])
def test_expected_page_is_first_while_typing(manual: ranvier.Library, query: str, path: str, reason: str) -> None:
    hits = manual.search(query, limit=5, prefix=True).hits
    assert [hit.path for hit in hits[:1]] == [path], f"{reason}; first were {[hit.path for hit in hits]}"


@pytest.mark.parametrize(("query", "path", "reason"), EXPECTED, ids=[row[0] for row in EXPECTED])
def test_expected_page_is_found_by_meaning(manual: ranvier.Library, query: str, path: str, reason: str) -> None:
    """L3: by words and vectors together."""
    result = manual.search(query, limit=3)
    assert result.strategy == "rag"
    assert path in [hit.path for hit in result.hits], f"{reason}; first were {[hit.path for hit in result.hits]}"


@pytest.mark.parametrize(("query", "path"), [row[:2] for row in EXPECTED], ids=[row[0] for row in EXPECTED])
def test_questions_share_no_word_with_the_title(manual: ranvier.Library, query: str, path: str) -> None:
    """Else the title alone would be enough."""
    title = next(hit.title for hit in manual.search("", return_all=True).hits if hit.path == path)
    assert not texts_of(query) & texts_of(title)


def texts_of(text: str) -> set[str]:
    """Return the stems of the words that are no stop words."""
    return {term(word) for word, _, _ in words(text) if not is_stop(word.casefold(), ("en",))}
