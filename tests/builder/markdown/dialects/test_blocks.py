"""Callouts, admonitions, containers and tabs of all dialects have one HTML form (N9)."""

import re
from html import unescape

import pytest
from ranvier_builder import Config
from selectolax.lexbor import LexborHTMLParser
from support.rendered import RenderFile


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("> [!note]\n> words", "Note / words"),
        ("> [!WARNING] My *title*\n> words\n>\n> more", "My title / words / more"),
        ("> [!best-practice]\n> x", "Best practice / x"),
        ("> [!note|right]\n> x", "Note / x"),
        ("> [!tip] only a title", "only a title"),
        ("> a quote\n> [!note]", "a quote [!note]"),
        ("> [!a]\n> > [!b]\n> > in", "A / B / in"),
        ("- item\n\n  > [!tip]\n  > in", "item / Tip / in"),
        (":::tip Title\nwords\n:::", "Title / words"),
        (":::note[Title here]\nwords\n:::", "Title here / words"),
        ("::: warning\nwords\n:::", "Warning / words"),
        ('::: {.callout-tip title="T"}\nwords\n:::', "T / words"),
        ("::::note\n:::tip\nin\n:::\nout\n::::", "Note / Tip / in / out"),
        (":::unknown\nwords\n:::", "words"),
        ("::: details More\nwords\n:::", "More / words"),
        ("/// note | Technical **Details**\nwords\n///", "Technical Details / words"),
        ("/// warning\n\nwords\n\n///", "Warning / words"),
        ("//// tab | A\n\n/// tip\nx\n///\n\n////\n\n//// tab | B\ny\n////", "A / Tip / x / B / y"),
        ("/// details | T\n    type: warning\nwords\n///", "T / words"),
        ('!!! note "T"\n    words\n\n    more\n\nout', "T / words / more / out"),
        ("!!! warning\n    words", "Warning / words"),
        ('??? question "Why \'Table "x"\'?"\n    words', "Why 'Table \"x\"'? / words"),
        ('!!! note ""\n    words', "words"),
        ("!!! loud\nwords", "!!! loud words"),
        ('=== "One"\n\n    a\n\n=== "Two"\n\n    b', "One / a / Two / b"),
        ('=== "One"\n\n=== "Two"\n\nwords', "One / Two / words"),
        ("??? tip\n    words", "Tip / words"),
        ("1. a\n\n    /// note\n    x\n    ///\n\n2. b", "a / Note / x / b"),
        ("> :::tip\n> x\n> :::\n", "Tip / x"),
        (
            "`::: note` and\n\n```\n::: tip\n:::\n/// x\n///\n!!! y\n    z\n```",
            "`::: note` and"[1:9] + " and / ::: tip\n:::\n/// x\n///\n!!! y\n    z",
        ),
        ("a path /// and :::: in prose", "a path /// and :::: in prose"),
        ('::: moniker range="x"\nwords\n::: moniker-end', "words"),
        ("[!INCLUDE [title](../x.md)]\n\nwords", "words"),
        ("> [!VIDEO https://x.example/v]", "Video"),
        ('> [!div class="nextstepaction"]\n> words', "words"),
        ("{* ../a.py hl[1] *}\n\nwords {!x.md!}", "words"),
        ('words\n!!! note "T"\nmore words', "words / T / more words"),
        ("[`a.B`][], [c][] and [the class][pkg.mod-a.B]: words", "a.B, c and the class: words"),
        ("[c][], [d][x-y]\n\n[c]: /c\n[X-Y]: /d", "c, d"),
        (
            "x[i][j], [a][b], ![a][b.c], \\[a][b.c], `[a][]`, [1][] and [a][1]",
            "x[i][j], [a][b], ![a][b.c], [a][b.c], [a][], [1][] and [a][1]",
        ),
        ("words [](){#anchor .x} and [](){.x}", "words and"),
        ("::: fastapi.FastAPI\n    options:\n        members: 1\n\nwords", "fastapi.FastAPI / words"),
        ("words\n\n## ::: griffe\n    options:\n        members: 1\n\nwords", "words / griffe / words"),
        ("::: note\n", "::: note"),
        # Views of databases have only their names.
        ("![[tasks.base]]", "tasks"),
        ("![[a/b.base#View|All]]", "All"),
        ("![[x.canvas]]", "x"),
    ],
)
def test_text_of_blocks(render_file: RenderFile, body: str, text: str) -> None:
    assert render_file(body).text == text


TIP = '<aside class="callout callout-tip">\n<p class="callout-title">T</p>\n<p>x</p>\n</aside>'


@pytest.mark.parametrize(
    ("body", "html"),
    [
        *((body, TIP) for body in ("> [!hint] T\n> x", ":::hint T\nx\n:::", "/// hint | T\nx\n///", '!!! hint "T"\n    x')),
        (
            "> [!note]- T\n> x",
            '<details class="callout callout-note">\n<summary class="callout-title">T</summary>\n<p>x</p>\n</details>',
        ),
        ("> [!note]+ T\n> x", '<details class="callout callout-note" open="">'),
        ("??? note\n    x", '<details class="callout callout-note">'),
        ("???+ note\n    x", '<details class="callout callout-note" open="">'),
        (
            "/// tab | T\nx\n///",
            '<div class="tabs">\n<details class="tab" name="tabs-1" open="">\n'
            '<summary class="tab-title">T</summary>\n<p>x</p>\n</details>',
        ),
        ("::: step T\nx\n:::", '<section class="step">\n<p class="step-title">T</p>\n<p>x</p>\n</section>'),
    ],
)
def test_html_of_blocks(render_file: RenderFile, body: str, html: str) -> None:
    assert render_file(body).html.strip().startswith(html)


@pytest.mark.parametrize(
    "hostile", ['> [!note" onclick="x]\n> x', ':::a"onclick\nx\n:::', '!!! a" "b\n    x', "> [!<img src=x onerror=y>]\n> x"]
)
def test_unknown_kind_of_a_callout_is_escaped(render_file: RenderFile, hostile: str) -> None:
    body = LexborHTMLParser(f"<body>{render_file(hostile).html}</body>").body
    assert body is not None
    for node in body.traverse():
        assert node.tag != "img"
        assert not any(name.startswith("on") for name in node.attributes)
        assert set(node.attributes.get("class", "").split()) <= {"callout", "callout-note", "callout-title", "box-title"}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("body", "lines"),
    [("a\n\n:::note\nb", ["3"]), ("a\n\n/// tip\nb", ["3"]), ("a\n:::", ["2"]), ("::::a\n:::b\nx\n::::", ["2"])],
)
def test_unclosed_block_is_reported(render_file: RenderFile, body: str, lines: list[str]) -> None:
    result = render_file("---\ntitle: T\n---\n" + body)
    assert [problem.partition(":")[0] for problem in result.problems] == [str(int(line) + 3) for line in lines]


@pytest.mark.parametrize(
    ("body", "groups"),
    [
        ('=== "A"\n\n    a\n\n=== "B"\n\n    b\n', [["A", "B"]]),
        ('=== "A"\n\n    a\n\n===! "B"\n\n    b\n', [["A"], ["B"]]),
        ('=== "A"\n\n    a\n\nwords\n\n=== "B"\n\n    b\n', [["A"], ["B"]]),
        ("::: code-group\n\n```js{1} [a.js]\na\n```\n\n```ts\nb\n```\n\n:::\n", [["a.js", "ts"]]),
        ("::: code-group\n```py [__init__.py]\na\n```\n```py title='<b>.py'\nb\n```\n:::\n", [["__init__.py", "<b>.py"]]),
        ('=== "A"\n\n    === "a"\n\n        x\n\n=== "B"\n\n    b\n', [["A", "B"], ["a"]]),
        ("::: code-tabs#shell\n\n@tab A\n\n```sh\na\n```\n\n@tab:active B#b\n\n```sh\nb\n```\n\n:::\n@tab C", [["A", "B"]]),
        ("::: tabs\n@tab A\nx\ny\n@tab B\nz\n:::\n\n::: tip\nx\n@tab C\n:::", [["A", "B"]]),
        ("::: tabs\n@tab A\nx\n\n- @tab x\n\n@tab B\n:::: tip\n@tab x\n::::\n:::", [["A", "B"]]),  # of VuePress
        (
            ":::: code-group\n::: code-group-item A\n```sh\na\n```\n:::\n::: code-group-item B\n```sh\nb\n```\n:::\n::::",
            [["A", "B"]],
        ),
        ("<CodeGroup>\n<CodeGroupItem title='A'>\n\n```sh\na\n```\n\n</CodeGroupItem>\n</CodeGroup>", [["A"]]),
        ("::: box\n```js [a.js]\na\n```\n:::\n", []),
        ("::: {.panel-tabset}\nx\n### A {#a .b}\n#### x\n> ### x\n\n### B\n:::\n### C", [["A", "B"]]),
        ("::: {.panel-tabset}\n# A\n::: {.panel-tabset}\n# a\n# b\n:::\n# B\n:::", [["A", "B"], ["a", "b"]]),
        ("::: {.panel-tabset}\n# A\n:::: box\n# x\n::::\n:::", [["A"]]),
        ("::: {.panel-tabset}\n> # x\n\n- # x\n\n:::: tip\n# x\n::::\n# A\n## x\n# B\n:::", [["A", "B"]]),
    ],
)
def test_tab_groups_are_rendered_without_scripts(render_file: RenderFile, body: str, groups: list[list[str]]) -> None:
    """Each tab has a label; one of each group is open."""
    html = render_file(body).html
    results: dict[str, list[str]] = {}
    tabs = re.compile(r'<details class="tab" name="([\w-]+)"[^>]*>\s*<summary class="tab-title">(.*?)</summary>')
    for name, label in tabs.findall(html):
        results.setdefault(name, []).append(unescape(label))
    assert [results[name] for name in sorted(results)] == groups
    assert html.count(' open=""') == len(groups)
    assert "```" not in html


def test_api_preferences_are_tabs(render_file: RenderFile) -> None:
    body = (
        '<div class="options-api">\n\nold\n\n</div>\n<div class="composition-api">\n\n<div>\n\nnew\n\n</div>\n\n</div>\n\nend\n'
    )
    html = render_file(body).html
    assert re.findall(r'<summary class="tab-title">(.*?)</summary>', html) == ["Options API", "Composition API"]
    assert html.index("new") < html.index("</details>\n</div>") < html.index("end")


@pytest.mark.parametrize(
    ("title", "text"), [("A *b* <c> [[d]]", "A *b* <c> [[d]]"), ("''", ""), ("a <!-- hidden --> b", "a  b")]
)
@pytest.mark.parametrize("field", ["title", "description"])
def test_text_names_fields_of_its_front_matter(render_file: RenderFile, title: str, text: str, field: str) -> None:
    """N9, A2: of VitePress, Markdoc and Jekyll; its signs are no Markdown, and listings stay as they are."""
    code = f"`{{{{ $frontmatter.{field} }}}}`"
    names = f"{{{{ $frontmatter.{field} }}}}", f"{{% $markdoc.frontmatter.{field} %}}", f"{{{{ page.{field} | escape }}}}"
    for name in names:
        result = render_file(f"---\n{field}: {title}\n---\nSee {name}: {code}")
        assert result.text == " ".join(f"See {text}: {code.strip('`')}".split())
    assert "<em>" not in result.html


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('- a <Badge type="tip" text="^1.9*" />, `<Badge text="x" />`', 'a ^1.9*, <Badge text="x" />'),
        ("| a<Badge text='R&amp;D'></Badge> | <Badge>own</Badge> |\n| - | - |", "aR&D | own"),
        ('x\n\n## Use it <Badge text="new" />\n\n[a](#use-it) <Badge :text="b" />', "x / Use it / a"),
    ],
)
def test_words_of_badges(render_file: RenderFile, body: str, text: str) -> None:
    """N9: the anchor of a heading does not have the words of its badge."""
    result = render_file(body)
    assert result.text == text
    assert result.html.count("<h2") == result.html.count('<h2 id="use-it">')


@pytest.mark.parametrize(("globs", "text"), [((), "By:"), (("teamLead",), "By: Ada")])
def test_other_field_in_a_text_is_shown_if_it_is_published(render_file: RenderFile, globs: tuple[str, ...], text: str) -> None:
    """N9, A2: the template code of VitePress is never shown."""
    body = "---\nteamLead: Ada\n---\nBy: {{$frontmatter.teamLead}}"
    assert render_file(body, config=Config(search_fields=globs)).text == text


def test_heading_that_names_the_title_is_not_shown_twice(render_file: RenderFile) -> None:
    result = render_file("---\ntitle: Using `it`\n---\n# {{ $frontmatter.title }}\n\nwords")
    assert (result.text, result.neuron.title) == ("words", "Using `it`")


@pytest.mark.parametrize(
    ("listing", "expected"),
    [
        ("```svelte\n<p>+++{name}+++</p>\n```", "<p>{name}</p>"),
        ("```js\nlet ---a---+++b+++ = 1;\n```", "let b = 1;"),
        ("```js\n+++let a;\nlet b;+++\n```", "let a;\nlet b;"),
        ("```toml\n+++\ntitle = 1\n+++\n```", "+++\ntitle = 1\n+++"),
        ("```js\na+++b\n```", "a+++b"),
        ("```yaml\n---\na: +++b+++\n---\n```", "---\na: +++b+++\n---"),
    ],
)
def test_change_marks_are_rendered(render_file: RenderFile, listing: str, expected: str) -> None:
    assert unescape(re.sub(r"<[^>]*>", "", render_file(listing).html)).strip() == expected
