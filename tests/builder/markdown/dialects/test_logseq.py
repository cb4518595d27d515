"""Pages of Logseq and docsify are shown as a reader of these systems sees them (N2, N9)."""

from collections.abc import Callable
from typing import Any

import pytest
from support.rendered import RenderFile

See = Callable[..., Any]
ID = "64f0a1b2-0000-4000-8000-0123456789ab"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (f"- words\n  id:: {ID}\n  collapsed:: true\n\t- more", "words / more"),
        (f"- words (({ID})), and [these]((({ID})))", "words, and these"),
        (f"- {{{{embed (({ID}))}}}}\n- words", "words"),
        ("- {{query (todo TODO)}}\n- {{cloze words}}", "words"),
        ("- [words]([[a]])", "words"),
        ("- words\n  done:: 1621594005775\n  created-at:: 1621585437721", "words"),
        ("- {{[[TODO]]}} words\n- {{[[embed]]: ((abc123DEF))}} {{[[query]]: {and: [[a]] [[b]]}}}", "words"),
        ("- {{[[table]]}} words {{[[video]]: https://a.example/b}}", "words https://a.example/b"),
        ("[[dendron://vault/a.b]] [[dendron://vault/a.c|words]]", "a.b words"),
        (
            "![[a.b#part,1:#*]] ![[a.b#part:#other]] ![[a.b#^id:#^end]] ![[a.b#May 1,2]]",
            "a.b > part a.b > part a.b > id a.b > May 1,2",
        ),
        ("- [ ] words [due:: 2024-01-02] [by:: [[Ada]], [[Bob]]] `[x:: y]`", "words due: 2024-01-02 by: Ada, Bob [x:: y]"),
        ("[x:: y](https://a.example) [x :: Int] [std::a b] a[b:: c]", "x:: y [x :: Int] [std::a b] a[b:: c]"),
        ("- words\n  template:: a\n  template-including-parent:: false\n  query-table:: true", "words"),
        ("- #+BEGIN_COMMENT\n  hidden\n  #+END_COMMENT\n- words", "words"),
        ("words\n\n#+begin_comment\nhidden", "words"),
        ("- words\n  :LOGBOOK:\n  CLOCK: [2024-01-01 Mon 10:00]\n  :END:", "words"),
        ("- #+BEGIN_TIP\n  words\n  #+END_TIP", "Tip / words"),
        ("- #+BEGIN_QUERY\n  {:query [:find]}\n\n  #+END_QUERY\n- words", "words"),
        ("words ![](https://a.example/a.png){:height 200, :width 300}", "words"),
        ("title:: A\ntags:: b\n\n- words", "words"),
        (f"type:: a\nid:: {ID}\ncollapsed:: true\nexclude-from-graph-view:: true\n\n- words", "type: a / words"),
        ("std::move makes a value movable.", "std::move makes a value movable."),
        (f"`(({ID}))` `{{{{query x}}}}`", f"(({ID})) {{{{query x}}}}"),
        ("C calls `f` as ((x)) and std:: id:: 5", "C calls f as ((x)) and std:: id:: 5"),
        ("!> words", "words"),
        ("?> words\nmore", "words / more"),
        ("# Page\n\n## Title {docsify-ignore}\n\nx", "Title / x"),
        ("<!-- tabs:start -->\n\n#### **A**\n\na\n\n<!-- tab:B -->\nb\n\n<!-- tabs:end -->\n\n#### **C**", "A / a / B / b / C"),
        ("<!-- tabs:start -->\n#### **A**\na\n#### **B**\nb\n<!-- tabs:end -->", "A / a / B / b"),
        ("<!--\n<!-- tabs:start -->\n\na\n\n<!-- tab:B -->\n\n<!-- tabs:end -->", "a"),
        ("> [!TIP|style:flat|label:My own|icon:x]\n> words\n\n> [!TIP|wide]\n> words", "My own / words / Tip / words"),
        ("# Page\n\n## Title :id=other\n\nx :id=y", "Title / x :id=y"),
        ("![words](a.png =100x200) ![](https://a.example/b.png =50%x) ![a](b =c)", "words ![a](b =c)"),
        ("[words](https://a.example ':target=_blank') a", "words a"),
        ('[words](https://a.example) (press ":wq") a ("b" ":c")', 'words (press ":wq") a ("b" ":c")'),
    ],
)
def test_text_of_blocks(render_file: RenderFile, body: str, text: str) -> None:
    assert render_file(body).text == text


def test_box_of_notion_is_markdown(render_file: RenderFile) -> None:
    """Elsewhere, the lines below a tag are HTML."""
    assert "<p>💡 <strong>words</strong></p>" in render_file("<aside>\n💡 **words**\n\n</aside>").html
    assert "\n**words**" in render_file("<aside>\n**words**\n\n</aside>").html


@pytest.mark.parametrize(
    "item", ["%%hidden%%", "<!-- hidden -->", "#+BEGIN_QUERY\n\t  {:q}\n\t  #+END_QUERY", "query-table:: true"]
)
def test_item_without_words_makes_no_heading(render_file: RenderFile, item: str) -> None:
    """N2: a line `-` below a text makes a heading of it."""
    page = render_file(f"- words\n\t- {item}\n- more")
    assert (page.text, "<h2" in page.html) == ("words / more", False)


def test_highlight(render_file: RenderFile) -> None:
    assert "<mark>" not in render_file("$a^^b^^c$").html
    assert "<mark>words</mark>" in render_file("- ^^words^^").html
    assert ":target" not in render_file("[words](https://a.example ':target=_blank')").html


def test_properties_are_fields(render_file: RenderFile) -> None:
    neuron = render_file("title:: The page\nalias:: A, [[B]]\ntags:: [[c d]], #e\n\n- words").neuron
    assert (neuron.title, neuron.aliases, neuron.tags) == ("The page", ("A", "B"), ("c d", "e"))


def test_other_properties_are_lines(render_file: RenderFile) -> None:
    """As a reader sees them: one below the other, with one colon."""
    assert "<p>type: a<br>\nplan-b: c::d</p>" in render_file("title:: The page\ntype:: a\nplan-b:: c::d\n\n- words").html


def test_comment_may_begin_in_a_property(render_file: RenderFile) -> None:
    """A2: the line of its begin is not shown."""
    page = render_file("title:: The page <!--\nicon:: x\nhidden\n-->\n\nwords")
    assert (page.neuron.title, page.text.split()[-1]) == ("The page", "words")
    assert "hidden" not in page.text


@pytest.mark.parametrize(
    ("begin", "title"),
    [("---\na: b\n---\n", "a"), ("words\n\n", "a"), ("- title:: Dune\n- author:: Herbert\n\n# My films\n\n", "My films")],
)
def test_other_lines_with_two_colons_are_text(render_file: RenderFile, begin: str, title: str) -> None:
    """N2: as those of Dataview, behind front matter or within a page, or the items of a list."""
    page = render_file(f"{begin}Tags:: #book\nTitle:: Other")
    assert "Tags:: #book Title:: Other" in page.text
    assert (page.neuron.title, page.neuron.tags) == (title, ("book",))


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("a___b.md", "a/b"),
        ("2024_03_01.md", "2024-03-01"),
        ("202403011200 Axons.md", "Axons"),  # of a Zettelkasten
        ("202403011200.md", "202403011200"),
        ("Nerve.excalidraw.md", "Nerve"),
        ("Plan 0123456789ab4def8123456789abcdef.md", "Plan"),  # of Notion
        ("md5 d41d8cd98f00b204e9800998ecf8427e.md", "md5 d41d8cd98f00b204e9800998ecf8427e"),
        ("0123456789ab4def8123456789abcdef.md", "0123456789ab4def8123456789abcdef"),
    ],
)
def test_titles_of_exported_names(render_file: RenderFile, path: str, title: str) -> None:
    neuron = render_file("words", path).neuron
    assert neuron.title == title
    assert (neuron.kind == "daily") == title.startswith("2024-")
