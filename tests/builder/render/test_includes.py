"""N8, A2, A3: includes are filled in after the gate, and only from published files."""

from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch

import pytest
from ranvier_builder import Config, reading
from ranvier_builder.errors import LeakError, ReadError
from ranvier_builder.model import Warn
from ranvier_builder.pipeline import survey
from ranvier_builder.render import includes
from ranvier_builder.render.html import sections
from ranvier_builder.withheld import Reason
from support.content import build_tree, build_without_engine, write_tree
from support.rendered import surveyed

OPEN = Config(default_audience="public", exclude=("excluded/*",), audience_fields=("ms.audience",))
CODE = "fn a() {}\n// ANCHOR: main\nfn main() {\n    run();\n}\n// ANCHOR_END: main\nfn z() {}\n// end\n"
SECRET = "SECRET WORDS"


def html(folder: Path, files: dict[str, Any], config: Config = OPEN) -> str:
    """Return the page of `book/a.md`."""
    return surveyed(folder, files, config)["book/a.md"].html


def text_and_warnings(content: Path) -> tuple[str, tuple[Warn, ...]]:
    """Return the page of `book/a.md`, and all warnings."""
    result = survey(content, Config(default_audience="public"))
    return next(page.html for page in result.rendered if page.page.neuron.path == "book/a.md"), result.warnings


@pytest.mark.parametrize(
    ("directive", "expected"),
    [
        ("{{#include ../code/main.rs:main}}", "fn main() {\n    run();\n}"),
        ("{{#rustdoc_include ../code/parts.rs:2nd}}", "a\nc"),
        ("{{#include ../code/main.rs:7}}", "fn z() {}"),
        ("{{#include ../code/main.rs:1:1}}", "fn a() {}"),
        ("{{#rustdoc_include ../code/main.rs::1}}", "fn a() {}"),
        ('--8<-- "code/main.rs:7:7"', "fn z() {}"),
        ('--8<-- "code/main.rs:1:1,3:4,8"', "fn a() {}\nfn main() {\n    run();\n// end"),
        ("{{#include ../code/main.rs:}}", "fn a() {}\nfn main() {\n    run();\n}\nfn z() {}\n// end"),
        ('--8<-- "code/main.rs:7"', "fn z() {}\n// end"),
        ('  --8<-- "code/main.rs:main"', "  fn main() {\n      run();\n  }"),
        ("--8<--\ncode/main.rs:7:7\n; code/gone.rs\n\ncode/main.rs:1:1\n--8<--", "fn z() {}\n\nfn a() {}"),
        (';--8<-- "code/main.rs"', '--8&lt;-- "code/main.rs"'),
        (";--8<--\ncode/main.rs\n;--8<--", "--8&lt;--\ncode/main.rs\n--8&lt;--"),
        ('--8<-- "; code/main.rs"', ""),
        ('x = --8<-- "code/main.rs"', 'x = --8&lt;-- "code/main.rs"'),
        ("--8<--\ncode/main.rs\ngone.rs\n--8<--", "--8&lt;--\ncode/main.rs\ngone.rs\n--8&lt;--"),
        ("{{#include ../code/gone.rs}}", "{{#include ../code/gone.rs}}"),  # an example of itself
        (r"\{{#include ../code/main.rs}}", r"\{{#include ../code/main.rs}}"),
        ('{{%/* include "part.md" */%}}', '{{% include "part.md" %}}'),  # an escaped shortcode is an example
    ],
)
def test_included_code_files_are_listings(tmp_path: Path, directive: str, expected: str) -> None:
    parts = "// ANCHOR: 2nd\na\n// ANCHOR_END: 2nd\nb\n// ANCHOR: 2nd\nc\n// ANCHOR_END: 2nd\nd\n"
    files = {"book/a.md": f"# A\n\n```text\n{directive}\n```\n", "code/main.rs": CODE, "book/part.md": "Part.\n"}
    files["code/parts.rs"] = parts
    assert f'<code class="language-text">{expected}\n</code>' in html(tmp_path, files)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", "<pre><code>fn a() {}\n```\nfn z() {}\n</code></pre>"),
        (":language: none\n:lines: 1,3\n", '<pre><code class="language-none">fn a() {}\nfn z() {}\n</code></pre>'),
        (":caption: A *b*\n:lines: 3-\n", '<p class="code-title">A *b*</p>\n<pre><code class="language-text">fn z() {}\n'),
        (":end-before: z\n", "<pre><code>fn a() {}\n```\n</code></pre>"),
        (":start-after: fn a\n:end-at: fn\n", "<pre><code>```\nfn z() {}\n</code></pre>"),
        (":start-at: fn\n:end-before: fn\n", "<pre><code>fn a() {}\n```\n</code></pre>"),
        (":start-at: '```'\n:lines: 2\n:emphasize-lines: 1\n", "<pre><code>fn z() {}\n</code></pre>"),
        (":start-after: absent\n", "<p>End.</p>"),
        (":end-before: fn a\n", "<p>End.</p>"),  # Sphinx looks for an end below the first line only
        (":end-at:\n", "<p>End.</p>"),
        (f":end-at: {'fn a' + 'x' * 300}\n", "<p>End.</p>"),
        (f":end-before: z\n:language: {'x' * 2000}\n", "<p>End.</p>"),  # no words of the directive are cut off
        (":pyobject: a\n", "<p>End.</p>"),
        (":lines: a-b\n", "<p>End.</p>"),
        (":language: x`y\n", '<pre><code class="language-x">fn a() {}\n```\nfn z() {}\n</code></pre>'),
        (
            f":caption: {'é-' * 400}\n",
            f'<p class="code-title">{"é-" * 100}</p>\n<pre><code class="language-text">fn a() {{}}\n',
        ),
    ],
)
@pytest.mark.parametrize("path", ["../code/a.rs", "/code/a.rs"])
def test_literalinclude_is_a_listing(tmp_path: Path, path: str, options: str, expected: str) -> None:
    """Its text does not close it; a part that options define in another way than by lines and words is left out."""
    body = f"# A\n\n```{{literalinclude}} {path}\n{options}```\n\nEnd.\n"
    page = html(tmp_path, {"book/a.md": body, "code/a.rs": "fn a() {}\n```\nfn z() {}\n"})
    assert page.strip().startswith(expected)
    assert page.strip().endswith("<p>End.</p>")


@pytest.mark.parametrize(
    ("directive", "expected"),
    [
        ("<<< @/code/a.js", "let a\n// #region\n// #region b\nlet b\n// #endregion b\nlet c"),
        ("<<< ../code/a.js#b{1}", "let b"),
        ("<<< @/a.js", "let root"),
        ("<!-- @include: @/a.js -->", "let root"),
        ("1. first\n\n   <<< ../code/a.js#b\n\n2. second", "second"),
        ("@[code{4-4} js:no-line-numbers](../code/a.js)", "let b"),
        ("@[code](@/a.js)", "let root"),
        ("[words](../code/a.js ':include :type=code')", "let a\n// #region\n// #region b\nlet b\n// #endregion b\nlet c"),
        ("```js file=../code/a.js#L4\n```", "let b"),
        ("```js {1} file=\"<root>/a.js\" title='Name'\n\n```", "let root"),
        ('```js file="../code/a.js"\nlet own\n```', "let own"),
        ("[words](../code/b.txt ':include :fragment=part')", "let part"),
        ("::: code-group\n\n<<< ../code/a.js#b [Name]\n\n:::", "let b"),
    ],
)
def test_snippet_of_other_systems_is_a_listing(tmp_path: Path, directive: str, expected: str) -> None:
    code = "let a\n// #region\n// #region b\nlet b\n// #endregion b\nlet c\n"
    other_files = {"a.js": "let root\n", "book/a.js": "let inner\n", "code/b.txt": "/// [part]\nlet part\n/// [part]\nend\n"}
    result = html(tmp_path, {"book/a.md": f"# A\n\n{directive}\n", "code/a.js": code, **other_files})
    assert sections(result)[0].blocks[-1].text == expected
    assert ("Name" in result) == ("Name" in directive)
    assert result.count("<ol") == directive.count("1. ")


@pytest.mark.parametrize("name", ["playground", "playpen"])
def test_playground_of_mdbook_is_a_listing(tmp_path: Path, name: str) -> None:
    result = html(tmp_path, {"book/a.md": f"# A\n\n{{{{#{name} a.rs editable}}}}\n", "book/a.rs": "fn a() {\n# b();\n}\n"})
    assert '<code class="language-rust">' in result
    assert sections(result)[0].blocks[-1].text == "fn a() {\n}"


@pytest.mark.parametrize("directive", ["<<< ./b.md", "```{literalinclude} b.md\n```"])
def test_page_is_no_listing(tmp_path: Path, directive: str) -> None:
    """A2: its text has marks, which name files in a form that the proof does not recognise."""
    withheld = {"book/x.md": f"---\naudience: curator\n---\n{SECRET}\n"}
    page, warnings = text_and_warnings(
        write_tree(tmp_path, {"book/a.md": f"# A\n\n{directive}\n", "book/b.md": "B\n\n{{#include x.md}}\n", **withheld})
    )
    assert "<code" not in page
    assert "the included file is missing, not published, or a page: " in str(warnings[0])


def test_part_of_a_page_is_the_section_of_a_heading(tmp_path: Path) -> None:
    part = "# P\n\nbefore\n\n## Basic usage\n\nwords\n\n```sh\n# comment\n```\n\n### In\n\n## Other\n\nafter\n"
    result = html(tmp_path, {"book/a.md": "# A\n\n<!--@include: ./part.md#basic-usage-->\n", "book/part.md": part})
    assert [section.headings[-1] for section in sections(result)] == ["Basic usage", "In"]
    assert "before" not in result
    assert "after" not in result
    assert "# comment" in result


@pytest.mark.parametrize(
    ("directive", "begin", "end"),
    [
        ('--8<-- "book/b.md:part"', "<!-- --8<-- [start:part] -->", "<!-- --8<-- [end:part] -->"),
        ("<!--@include: ./b.md#part-->", "<!-- #region part -->", "<!-- #endregion part -->"),
        ("{{#include b.md:part}}", "<!-- ANCHOR: part -->", "<!-- ANCHOR_END: part -->"),
        (
            "```{include} b.md\n:start-after: <!-- Include start my part -->\n:end-before: Include end my\n:class: x\n```",
            "<!-- Include start my part -->",
            "<!-- Include end my part -->",
        ),
        (
            '{%\n  include-markdown "b.md"\n  start="<!--part-start-->"\n  end="<!--part-end-->"\n  heading-offset=1\n%}',
            "<!--part-start-->",
            "<!--part-end-->",
        ),
        ("```{include} b.md\n:start-at: Words\n:end-before: After\n```", "", ""),
        ("```{include} b.md\n:start-line: 7\n:end-line: 10\n```", "", ""),
    ],
)
def test_part_of_a_page_is_between_comments_words_or_lines(tmp_path: Path, directive: str, begin: str, end: str) -> None:
    """N8, A3: the comments that mark it are nowhere shown; the proof, which leaves out other comments, has them too."""
    files = {
        "book/a.md": f"# A\n\n{directive}\n",
        "book/b.md": f"# B\n\nBefore.\n\n- x\n\n{begin}\nWords. <!-- {SECRET} -->\n\n{end}\nAfter.\n",
    }
    site = build_tree(tmp_path, files, OPEN)
    pages = [(site / "book" / name / "index.html").read_text() for name in ("a", "b")]
    assert "<p>Words. </p>" in pages[0].replace("<p>Words.</p>", "<p>Words. </p>")
    assert not any(words in pages[0] for words in ("Before.", "After."))
    assert not any(
        words in page for page in pages for words in (SECRET, "my part", "part-", "ANCHOR", "region part", "8&lt;", "\ue001")
    )


def test_labels_of_tabs_in_comments_pass_the_proof(tmp_path: Path) -> None:
    """A3: of docsify-tabs."""
    text = f"# A\n\n<!-- tabs:start -->\n\n<!-- tab:One -->\n\nx <!-- {SECRET} -->\n\n<!-- tabs:end -->\n"
    page = (build_tree(tmp_path, {"a.md": text}, OPEN) / "a" / "index.html").read_text()
    assert "One</summary>" in page
    assert SECRET not in page


def test_comment_in_a_comment_marks_no_part(tmp_path: Path) -> None:
    files = {"book/a.md": "# A\n\n<!--\n<!-- #region part -->\n\nWords.\n"}
    assert "<p>Words.</p>" in (build_tree(tmp_path, files, OPEN) / "book/a/index.html").read_text()


def test_literalinclude_shows_directives_of_its_file(tmp_path: Path) -> None:
    body = "# A\n\n```{literalinclude} a.txt\n```\n"
    assert "{{#include b.txt}}\n</code>" in html(
        tmp_path, {"book/a.md": body, "book/a.txt": "{{#include b.txt}}\n", "book/b.txt": "b"}
    )


@pytest.mark.parametrize(
    "directive",
    [
        "{{#include part.md}}",
        '--8<-- "book/part.md"',
        "- {{#include part.md}}",
        "--8<--\nbook/part.md\n--8<--",
        "- Item\n\n    ----8<----\n    book/part.md\n    ----8<----",
        "```{include} part.md\n```",
        "{% include_relative part.md %}",
        '{% partial file="part.md" variables={a: 1} /%}',
        '- {%- include-markdown "part.md" -%}',
        "{% include-markdown 'part.md' comments=false %}",
        "[part](part.md ':include')",
        '{{% include "part.md" %}}',
        '{{< readfile file="/book/part.md" />}}',
        "{{< include part.md >}}",
        "<!--@include: ./part.md-->",
        "<!-- @include: @/book/part.md -->",
        '- {{% include "/part.md" %}}',
    ],
)
def test_included_pages_are_text(tmp_path: Path, directive: str) -> None:
    """An included page has no frontmatter and no comments; its own includes are filled in."""
    files = {
        "book/a.md": f"# A\n\n{directive}\n\nEnd.\n",
        "book/part.md": "---\nsecret: x\n---\nOne *two*. <!-- three -->\n\n{{#include ../deep/more.md}}\n",
        "deep/more.md": "Four.\n",
    }
    result = html(tmp_path, files)
    assert "One <em>two</em>." in result
    assert "Four." in result
    assert "three" not in result
    assert "secret" not in result


@pytest.mark.parametrize(
    "text",
    [
        """Renaming would change `--8<-- "book/part.md"` here.""",
        """The line --8<-- "book/part.md" is in a sentence.""",
        """- --8<-- "book/part.md\"""",
        """`--8<-- "book/part.md"`""",
        "---8<---\nCut here. And sew.\n---8<---",
    ],
)
def test_snippets_count_only_on_lines_of_their_own(tmp_path: Path, text: str) -> None:
    """N8: as pymdownx reads them."""
    content = write_tree(tmp_path, {"book/a.md": f"# A\n\n{text}\n", "book/part.md": "Included.\n"})
    page, warnings = text_and_warnings(content)
    assert "Included." not in page
    assert "8&lt;-" in page
    assert not warnings


@pytest.mark.parametrize(("path", "is_found"), [("docs/book/part.md", True), ("doc/book/part.md", False)])
def test_path_of_a_snippet_may_begin_with_the_name_of_the_content_folder(tmp_path: Path, path: str, is_found: bool) -> None:
    """N8: MkDocs looks for snippets in the folder of its settings, which is above the content."""
    files = {"book/a.md": f'# A\n\n--8<-- "{path}"\n', "book/part.md": "Included.\n"}
    page, warnings = text_and_warnings(write_tree(tmp_path / "docs", files))
    assert ("Included." in page, bool(warnings)) == (is_found, not is_found)


@pytest.mark.parametrize(
    ("text", "shown", "warnings"),
    [
        # An escaped snippet is shown, and a disabled one is not.
        (
            'One.\n\n;--8<-- "book/one.md"\n\n--8<-- "; other.md"\n\n--8<--\n; book/one.md\n--8<--\n\nTwo.\n',
            '<p>One.</p>\n<p>--8&lt;-- "book/one.md"</p>\n<p>Two.</p>',
            [],
        ),
        # Files are included in order, with the warning of a single file for a missing one.
        (
            "--8<--\nbook/one.md\nbook/gone.md\nbook/two words.md\n--8<--\n",
            "<p><em>One</em></p>\n<p>Two</p>",
            [(5, "the included file is missing or not published: book/gone.md")],
        ),
        (
            "--8<--\nbook/one.md\n\nWords.\n",
            "<p>--8&lt;--\nbook/one.md</p>\n<p>Words.</p>",
            [(3, "a list of files after --8<-- is not closed by --8<--; shown as it is")],
        ),
    ],
)
def test_snippets_and_lists_of_files(tmp_path: Path, text: str, shown: str, warnings: list[tuple[int, str]]) -> None:
    """N8, N9."""
    files = {"book/a.md": f"# A\n\n{text}", "book/one.md": "*One*", "book/two words.md": "Two"}
    page, result = text_and_warnings(write_tree(tmp_path, files))
    assert page.startswith(shown)
    assert [(warning.line, warning.message) for warning in result] == warnings


UNREADABLE = {
    "a withheld page": ({"book/x.md": f"---\naudience: curator\n---\n{SECRET}\n"}, "x.md"),
    "a draft": ({"book/x.md": f"---\ndraft: true\n---\n{SECRET}\n"}, "x.md"),
    "an excluded file": ({"excluded/x.rs": SECRET}, "../excluded/x.rs"),
    "an excluded page": ({"excluded/x.md": SECRET}, "../excluded/x.md"),
    "a hidden file": ({".hidden/x.rs": SECRET}, "../.hidden/x.rs"),
    "an env file": ({".env": SECRET}, "../.env"),
    "a file of a withheld page": ({"book/x.rs": SECRET, "book/x.md": "---\naudience: tool\n---\n"}, "x.rs"),
    "a file of a withheld page, spelt otherwise": (
        {"book/X.en.rs": SECRET, "book/x.md": "---\naudience: tool\n---\n"},
        "X.en.rs",
    ),
    "a file among drafts": ({"_drafts/x.rs": SECRET}, "../_drafts/x.rs"),
    "the settings": ({"ranvier.toml": f"# {SECRET}\n"}, "../ranvier.toml"),
    "a file out of the folder": ({}, "../../outside.rs"),
    "an absolute path": ({}, "/etc/passwd"),
    "a binary file": ({"book/x.rs": SECRET.encode() + b"\0\xff"}, "x.rs"),
    "a transcript": ({"book/x.vtt": f"WEBVTT\n\n00:00.000 --> 00:01.000\n{SECRET}\n"}, "x.vtt"),
    "a large file": ({"book/x.rs": SECRET + " " * 300_000}, "x.rs"),
    **{
        f"a file that begins with {head!r}": ({"book/x.txt": f"{head}{SECRET}\n"}, "x.txt")
        for head in (
            "---\naudience: curator\n---\n",
            "---\r\nms.audience: tool\r\n---\r\n",
            "+++\ndraft = true\n+++\n",
            "---\npublish: false\n---\n",
            "---\nprivate: true\n---\n",
            "---\naudience: [curator\n---\n",
            '{ "draft": true }\n',
            '{\n  "audience": ["tool"]\n}\n\n',
        )
    },
}


FRONT_MATTER = next(name for name in UNREADABLE if "curator" in name)


FORMS = (
    "{{{{#include {0}}}}}", '--8<-- "{0}"', "```\n{{{{#include {0}}}}}\n```", "--8<--\n{0}\nbook/{0}\n--8<--",
    "```\n--8<--\nbook/{0}\n--8<--\n```", "```{{include}} {0}\n```", '{{{{% include "{0}" %}}}}', "{{% include {0} %}}",
    "```{{literalinclude}} {0}\n:lines: 1-\n```",
)  # fmt: skip


@pytest.mark.parametrize("name", UNREADABLE)
def test_unpublished_files_are_not_included(tmp_path: Path, name: str) -> None:
    """A2, A3: in any form; the build passes its proof."""
    more, path = UNREADABLE[name]
    (tmp_path / "outside.rs").write_text(SECRET)
    files: dict[str, Any] = {f"book/a{number}.md": f"# A\n\n{form.format(path)}\n\nEnd.\n" for number, form in enumerate(FORMS)}
    site = build_tree(tmp_path, files | more, OPEN)
    for number, form in enumerate(FORMS):
        page = (site / "book" / f"a{number}" / "index.html").read_text()
        assert SECRET not in page, form
        assert "root:" not in page, form
        assert "End." in page, form


def test_symlink_is_as_private_as_its_target(tmp_path: Path) -> None:
    content = write_tree(
        tmp_path / "docs",
        {"book/a.md": "# A\n\n{{#include b.txt}}{{#include c.txt}}\n", "book/x.md": f"---\naudience: tool\n---\n{SECRET}\n"},
    )
    (content / "book" / "b.txt").symlink_to(content / "book" / "x.md")
    (content / "book" / "c.txt").hardlink_to(content / "book" / "x.md")
    assert SECRET not in str([page.html for page in survey(content, OPEN).rendered])


def test_file_without_an_audience_is_not_included_without_a_default(tmp_path: Path) -> None:
    """A1."""
    files = {"book/a.md": "---\naudience: public\n---\n# A\n\n{{#include x.rs}}\n\n{{#include b.md}}\n", "book/x.rs": "code"}
    result = html(tmp_path, files | {"book/b.md": "---\naudience: public\n---\nwords"}, Config())
    assert "code" not in result
    assert "words" in result


def test_proof_passes_with_included_files(tmp_path: Path) -> None:
    """A3: the copy has the included files and builds the same site."""
    files: dict[str, Any] = {
        "book/a.md": "# A\n\n```rust\n{{#include ../code/main.rs:main}}\n```\n",
        "code/main.rs": CODE,
        "book/b.md": "# B\n\n<!-- @include: ../code/c.md -->\n",
        "code/c.md": "Words",
        "secret.md": "---\naudience: curator\n---\n# Secret\n",
    }
    assert "run" in (build_tree(tmp_path, files, OPEN) / "book" / "a" / "index.html").read_text()


def test_front_matter_of_an_included_file_is_not_shown(tmp_path: Path) -> None:
    """A2: it may publish the file; the numbers of lines count it, and a listing shows it."""
    directives = "{{#include x.txt}}\n\n{{#include x.txt:5}}\n\n```\n{{#include x.txt:1:2}}\n```\n"
    for text in ("---\ntitle: X\naudience: public\n---\nOne.\n", '{\n"title": "X",\n"audience": "public"\n}\nOne.\n'):
        page = html(tmp_path, {"book/a.md": f"# A\n\n{directives}", "book/x.txt": text})
        assert page.count("<p>One.</p>") == 2
        assert page.count("title") == 1


@pytest.mark.parametrize("data", ['{"draft": true}\n', '{"draft": true}\n{"draft": false}\n'])
def test_listing_of_data_in_json_has_no_front_matter(tmp_path: Path, data: str) -> None:
    """A3: the build passes its proof."""
    files: dict[str, Any] = {
        "book/a.md": "# A\n\n```json\n{{#include x.json}}\n```\n",
        "book/x.json": data,
        "s.md": "---\naudience: tool\n---\n",
    }
    assert "draft" in (build_tree(tmp_path, files, OPEN) / "book" / "a" / "index.html").read_text()


@pytest.mark.parametrize("text", ["---\naudience: curator\n\nWords.\n", "---\ntitle: X\n---\naudience: curator\n\nWords.\n"])
def test_prose_with_an_unclear_audience_is_not_included(tmp_path: Path, text: str) -> None:
    """A1: as on a page. In a listing it may be data, such as a file in YAML."""
    page = html(tmp_path, {"book/a.md": "# A\n\n{{#include x.txt}}\n\n```\n{{#include x.txt}}\n```\n", "book/x.txt": text})
    assert page.count("Words.") == 1


def test_front_matter_decides_which_readers_see_an_included_file(tmp_path: Path) -> None:
    files = {"book/a.md": "# A\n\n{{#include x.txt}}\n", "book/x.txt": "---\naudience: tool\n---\nWords.\n"}
    config = Config(default_audience="public", publish_for="tool")
    assert "Words." not in html(tmp_path, files, config)
    assert "Words." in html(tmp_path, files | {"book/a.md": f"---\naudience: tool\n---\n{files['book/a.md']}"}, config)


@pytest.mark.parametrize("name", ["an excluded file", "a file of a withheld page", "a hidden file", FRONT_MATTER])
def test_proof_finds_a_wrongly_included_file(tmp_path: Path, name: str) -> None:
    """A3."""
    more, path = UNREADABLE[name]
    files: dict[str, Any] = {"book/a.md": f"# A\n\n{{{{#include {path}}}}}\n", **more}
    content = write_tree(tmp_path / "docs", files)
    with (
        patch.object(includes._Filler, "_is_includable", lambda *_: True),
        patch.object(reading, "audience_of", lambda *_: None),
        pytest.raises(LeakError, match="the build would publish this file"),
    ):
        build_without_engine(content, tmp_path / "out", OPEN)


def test_circular_and_exploding_includes_stop(tmp_path: Path) -> None:
    files = {f"book/{name}.md": f"# {name}\n\n" + "{{#include a.md}}\n{{#include b.md}}\n" * 40 for name in "ab"}
    result = html(tmp_path, files | {"book/b.md": "{{#include c.rs}}\n" * 300, "book/c.rs": "x" * 150_000})
    assert len(result) < 500_000


def test_missing_include_is_reported(tmp_path: Path) -> None:
    """N9."""
    content = write_tree(tmp_path, {"a.md": "---\nid: a\n---\n# A\n\n{{#include gone.md}}\n"})
    (warning,) = survey(content, Config(default_audience="public")).warnings
    assert warning.kind == "markup"
    assert str(warning) == "a.md:6: the included file is missing or not published: gone.md"


def test_claim_anchors_are_stripped_from_includes(tmp_path: Path) -> None:
    """A6: also from files that are no pages; a directive in a heading is no title."""
    files = {"book/a.md": "# {{#include x.rs}}\n\n{{#include x.rs}}\n", "book/x.rs": "words {#claim-ab12cd34}\n"}
    content = write_tree(tmp_path, files)
    (page,) = survey(content, OPEN).rendered
    assert "claim" not in page.html
    assert "words" in page.html
    assert page.page.neuron.title == "a"


def test_comments_of_an_included_file_are_not_shown(tmp_path: Path) -> None:
    """A2: but they stay in its code, and in a listing."""
    text = "One {>> hidden <<} two {/* hidden */} three {# hidden #} four.\n\n```\n{>> shown <<}\n```\n"
    page = html(tmp_path, {"book/a.md": "# A\n\n{{#include b.txt}}\n\n```\n{{#include b.txt:1}}\n```\n", "book/b.txt": text})
    prose, listing, last = page.split("<pre>")
    assert "One two three four." in " ".join(prose.split())
    assert "{&gt;&gt; shown" in listing
    assert "{/* hidden */}" in last


@pytest.mark.parametrize(("part", "shown"), [(":2:5", "Two. Five."), (":4:5", "Five."), (":six", "Seven."), ("", "Two. Five.")])
def test_part_of_an_included_file_shows_no_part_of_a_comment(tmp_path: Path, part: str, shown: str) -> None:
    """A2: a comment is removed although only one of its lines is in the part; a line of a comment can mark a part."""
    text = "<!-- hidden\nhidden --> Two.\n{# hidden\nhidden #}\nFive.\n<!-- ANCHOR: six -->\nSeven.\n<!-- ANCHOR_END: six -->\n"
    page = html(tmp_path, {"book/a.md": f"# A\n\nStart\n\n{{{{#include b.txt{part}}}}}\n\nEnd\n", "book/b.txt": text})
    assert "hidden" not in page
    assert shown in " ".join(page.replace("</p>", "").replace("<p>", "").split())


@pytest.mark.parametrize("part", ["", ":1:2"])
def test_listing_in_an_included_file_keeps_its_comments(tmp_path: Path, part: str) -> None:
    """The file after it is prose again."""
    files = {
        "book/a.md": "# A\n\n{{#include b.txt}}\n",
        "book/b.txt": f"```html\n{{{{#include c.txt{part}}}}}\n```\n\n{{{{#include c.txt{part}}}}}\n",
        "book/c.txt": "<!-- EXAMPLE -->\n{# JINJA #}\n",
    }
    page = html(tmp_path, files)
    assert (page.count("EXAMPLE"), page.count("JINJA")) == (1, 1)


def test_comment_around_an_include_of_a_file_with_a_comment_is_removed(tmp_path: Path) -> None:
    files = {
        "book/a.md": "# A\n\n{{#include b.txt}}\n",
        "book/b.txt": "<!-- hidden\n{{#include c.txt}}\nhidden -->\nShown.\n",
        "book/c.txt": "Inner <!-- x --> text.\n",
    }
    page = html(tmp_path, files)
    assert "hidden" not in page
    assert "Shown." in page


HIDDEN = "build:\n  render: never\n  list: never\n"
GLOSSARY = "---\nbuild: {render: always}\ncascade: {build: {render: never, list: local}}\n---\n"
SNIPPETS = {
    "book/a.md": '# A\n\n{{% include "/_common/part.md" %}}\n\n{{% include "note.md" %}}\n',
    "_common/_index.md": "---\ncascade:\n  build: {render: never, list: never}\n---\nNotes for authors\n",
    "_common/part.md": "---\ntitle: Part\n---\nPart of Hugo\n",
    "_common/deep/page.md": "---\ntitle: Deep\nbuild: {render: always}\n---\nA page\n",
    "includes/index.md": "---\nheadless: true\n---\n",
    "includes/note.md": "Note of Kubernetes\n",
    "alone.md": f"---\n{HIDDEN}---\nAlone\n",
    "targets/_index.md": "---\ncascade:\n- target: {path: /x}\n  build: {render: never, list: never}\n---\nTargets\n",
    **{
        f"{at}/_index.md": f"---\ncascade:\n- _target: {target}\n  build: {{render: never, list: never}}\n---\nInternal\n"
        for at, target in enumerate(
            (
                "{environment: production}",
                "{Kind: page}",
                "{environment: '{staging,prod*}', kind: '*'}",
                "{environment: staging}",
                "{kind: term}",
            )
        )
    },
    "glossary/_index.md": GLOSSARY,
    "glossary/term.md": "---\ntitle: Term\n---\nShown in lists\n",
}


def test_files_that_hugo_never_renders_are_only_included(tmp_path: Path) -> None:
    """The proof passes: the copy keeps the fields that say so."""
    content = write_tree(tmp_path / "docs", {**SNIPPETS, "private.md": "---\naudience: curator\n---\nx\n"})
    result = survey(content, OPEN)
    paths = [
        "3/_index.md", "4/_index.md", "_common/deep/page.md", "book/a.md", "glossary/_index.md", "glossary/term.md",
        "targets/_index.md",
    ]  # fmt: skip
    assert sorted(page.page.neuron.path for page in result.rendered) == paths
    assert result.admitted.withheld == {Reason.SNIPPET: 8, "audience curator": 1}
    build_without_engine(content, tmp_path / "out", OPEN)
    page = (tmp_path / "out" / "book" / "a" / "index.html").read_text()
    assert "Part of Hugo" in page
    assert "Note of Kubernetes" in page


def test_includes_of_jekyll_are_no_pages(tmp_path: Path) -> None:
    files = {
        "book/a.md": "# A\n\n{% include deep/note.md %}\n\n{% raw %}{% include deep/note.md %}{% endraw %}\n",
        "_includes/deep/note.md": "A *note*.\n",
        "_layouts/page.md": "{{ content }}\n",
    }
    result = survey(write_tree(tmp_path, files), OPEN)
    (page,) = result.rendered
    assert "<p>A <em>note</em>.</p>\n<p>{% include deep/note.md %}</p>" in page.html


@pytest.mark.parametrize("alias", ["@site/docs/_partials", "@/_partials", "@_partials"])
def test_imported_markdown_is_included(tmp_path: Path, alias: str) -> None:
    """A file of MDX whose name begins with `_` is not a page."""
    imports = f"import One, {{toc as parts}} from './_one.mdx'\nimport Two from \"{alias}/two.mdx\";\n"
    imports += "import Box from '@theme/Box'\n"
    files = {
        "book/a.mdx": f"{imports}\n# A\n\n<One />\n\n<Box>\n  <Two name={{1}} />\n</Box>\n\n<Gone />\n\nEnd.\n",
        "book/_one.mdx": "First *part*.\n",
        "_partials/two.mdx": "Second part.\n",
        "book/_index.mdx": "# Book\n",
    }
    pages = surveyed(tmp_path, files)
    assert sorted(pages) == ["book/_index.mdx", "book/a.mdx"]
    assert "<p>First <em>part</em>.</p>\n<p>Second part.</p>\n<p>End.</p>" in pages["book/a.mdx"].html


def test_included_file_of_a_snippets_folder_is_no_page(tmp_path: Path) -> None:
    """The file is found from the root of the content, although the page itself has the end of its path (Mintlify)."""
    files = {
        "pm/cli/add.mdx": 'import Add from "/snippets/cli/add.mdx";\n\n# Add\n\n<Add />\n',
        "snippets/cli/add.mdx": "Packages are *added*.\n",
        "snippets/other.md": "# A page of its own\n",
        "secret.md": "---\naudience: tool\n---\nWithheld words.\n",
    }
    out = tmp_path / "out"
    build_without_engine(write_tree(tmp_path / "docs", files), out, OPEN)
    assert "<p>Packages are <em>added</em>.</p>" in (out / "pm/cli/add/index.html").read_text("utf-8")
    assert (out / "snippets/other/index.html").is_file()
    assert not (out / "snippets/cli").exists()


@pytest.mark.parametrize("directive", ["{{#include snippets/part.md:5:6}}", "x"])
def test_page_of_a_snippets_folder_that_is_nowhere_shown_whole_stays(tmp_path: Path, directive: str) -> None:
    files = {
        "a.md": f"# A\n\n{directive}\n",
        "snippets/part.md": "# Part\n\nFirst.\n\nSecond.\n",
        "snippets/b.mdx": 'import C from "./c.mdx"\n\n# B\n\n<C />\n',
        "snippets/c.mdx": 'import B from "./b.mdx"\n\n# C\n\n<B />\n',
    }
    assert surveyed(tmp_path, files).keys() >= files.keys()


def test_tree_of_snippets_has_no_page(tmp_path: Path) -> None:
    content = write_tree(tmp_path / "docs", {"alone.md": SNIPPETS["alone.md"]})
    with pytest.raises(ReadError, match=r"withheld \(1: a file that is only included"):
        build_without_engine(content, tmp_path / "out", OPEN)


@pytest.mark.parametrize(
    ("source", "expected", "warnings"),
    [
        ("app/guides/fonts", "Kestrel font.", 0),
        ("app/guides", "Kestrel guides.", 0),
        ("app/guides/secret", "", 1),
        ("app/guides/gone", "", 1),
        ("data/keys", "", 1),
        ("https://a.example/app/guides", "", 0),
    ],
)
def test_page_without_text_has_that_of_its_source(tmp_path: Path, source: str, expected: str, warnings: int) -> None:
    """N8, A3: as in the manual of Next.js, whose paths there have no numbers and no endings."""
    files = {
        "01-app/02-guides/index.mdx": "---\ntitle: Guides\n---\n\nKestrel guides.\n",
        "01-app/02-guides/03-fonts.mdx": "---\ntitle: Fonts\n---\n\nKestrel font.\n",
        "01-app/02-guides/secret.mdx": f"---\ntitle: S\naudience: curator\n---\n\n{SECRET}\n",
        "data/keys": f"{SECRET}\n",
        "02-pages/fonts.mdx": f"---\ntitle: Fonts\nsource: {source}\n---\n\n{{/* DO NOT EDIT THIS PAGE. */}}\n",
        "02-pages/plain.md": f"---\ntitle: Plain\nsource: {source}\n---\n\n{{/* DO NOT EDIT THIS PAGE. */}}\n",
        "02-pages/own.mdx": f"---\ntitle: Own\nsource: {source}\n---\n\nOwn words.\n",
    }
    result = survey(write_tree(tmp_path / "c", files), Config(default_audience="public"))
    pages = {page.page.neuron.path: page.html for page in result.rendered}
    assert expected in pages["02-pages/fonts.mdx"]
    assert expected in pages["02-pages/plain.md"]
    assert SECRET not in "".join(pages.values())
    assert "Kestrel" not in pages["02-pages/own.mdx"]
    missing = f"the included file is missing or not published: {source}"
    assert [warning.message for warning in result.warnings] == [missing] * warnings * 2
    build_tree(tmp_path, files)  # the proof


def test_text_for_one_router_is_on_pages_in_its_folder(tmp_path: Path) -> None:
    """N8: as in the manual of Next.js. Pages of the other router that have the text of this page do not show it."""
    text = "Both.\n\n<AppOnly>\n\nIn app.\n\n</AppOnly>\n\n<PagesOnly>\n\nIn pages.\n\n</PagesOnly>\n\n```\n<AppOnly>\n```\n"
    files = {"01-app/fonts.md": text, "02-pages/fonts.md": "---\ntitle: Fonts\nsource: app/fonts\n---\n", "both.mdx": text}
    rendered = survey(write_tree(tmp_path / "c", files), Config(default_audience="public")).rendered
    pages = {page.page.neuron.path: page.html for page in rendered}
    words = {path: [word for word in ("Both.", "In app.", "In pages.") if word in html] for path, html in pages.items()}
    assert words == {
        "01-app/fonts.md": ["Both.", "In app."],
        "02-pages/fonts.md": ["Both.", "In pages."],
        "both.mdx": ["Both.", "In app.", "In pages."],
    }
    assert all("&lt;AppOnly&gt;" in html for html in pages.values())


def test_page_without_includes_is_unchanged(tmp_path: Path) -> None:
    """Its text stays on disk: the memory of a build does not grow with its pages."""
    files = {"a.md": "# A\n\nKestrel.\n", "b.md": "# B\n\n{{#include part.md}}\n", "part.md": "# Part\n\nQuagga.\n"}
    changed = list[str]()

    def fill(files: includes.IncludeFiles) -> includes.Included:
        included = includes.fill_includes(files)
        pairs = zip(files.admitted.neurons, included.neurons, strict=True)
        changed.extend(after.path for before, after in pairs if after is not before)
        return included

    with patch.object(reading, "fill_includes", fill):
        survey(write_tree(tmp_path, files), OPEN)
    assert changed == ["b.md"]


def test_many_tags_of_a_router_without_an_end(tmp_path: Path) -> None:
    """N9: in quadratic time, these take half a minute."""
    write_tree(tmp_path, {"app/a.mdx": "<PagesOnly>\n" * 20_000 + "\nKestrel\n"})
    begin = process_time()
    assert "Kestrel" in survey(tmp_path, Config(default_audience="public")).rendered[0].html
    assert process_time() - begin < 15


def test_snippets_are_in_the_folders_of_the_settings(tmp_path: Path) -> None:
    """N8: the first folder that has the file counts."""
    bases = "[gone, content/parts, content, ../..]"
    settings = f"docs_dir: content\nmarkdown_extensions: [{{pymdownx.snippets: {{base_path: {bases}}}}}]\n"
    write_tree(tmp_path, {"mkdocs.yml": settings})
    files = {
        "guide/a.md": '--8<-- "part.md"\n\n--8<-- "other.md"\n',
        "parts/part.md": "Kestrel part.\n",
        "part.md": "Other part.\n",
        "other.md": "Kestrel other.\n",
    }
    page = (build_tree(tmp_path, files, OPEN) / "guide/a/index.html").read_text()
    assert all(words in page for words in ("Kestrel part.", "Kestrel other."))
    assert "<p>Other part." not in page
