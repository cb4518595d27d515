"""N9: hostile text takes linear time in every dialect; the timeout of the tests is the limit."""

import pytest
from support.rendered import RenderFile

REPEATED = {  # a topic: the number of characters, and the signs that are repeated
    "comments": (166_000, ["%%", "%%a ", "- %%a b%%\n", "a%%b ", "- %%a\n\n- %%b %%c x%%\n\n", "{/*", "<%--", "{#claim-"]),
    "directives": (33_000, ["```{note}\n", ":::{note}\n", ":::{glossary}\na\n", "- ```{code}\n:a: b\n"]),
    "roles and labels": (33_000, ["{a}`", "{a}``b`", "(a)=\n", f"(a)=\n# a{'# ' * 15_000}b\n"]),
    "unclosed tags": (66_000, ["<div>\n", "<pre>", "<a><b><i>", "<rt>", "<int>", "<svg>", "x <script> ", "<script>\n\n",
                               "<object></svg>", "<a '", "<code>", "x^[a"]),
    "links": (60_000, ["[[", "[[a|", "![[a#b|", "[a](b.md) ", "[[gone]] ", "[[a|x]] ", "<a href='", "<a ", "<!--", "<script>",
                       "<a href=x.md>\n"]),
}  # fmt: skip
TEXTS = {
    "attributes": ["{" + ".a" * 5_000, "`x`{" + "a=b.c" * 5_000, "`x`{: #a" + " b" * 5_000, "<a " + "x " * 20_000 + ">",
                   "## a\n{: " + "no_toc " * 40_000, "## a" + " " * 20_000 + "b {#x}"],
    "other signs": [":a" * 20_000, " :-" * 20_000, "<<< a.js" + " " * 5_000 + "x", "#+BEGIN_QUERY\n" * 20_000,
                    "{docsify-x} (( {{cloze" + " " * 60_000 + "x", "<p>\n" + "<a href=x.md>\n" * 5_000,
                    "<Badge " + 'text="a" ' * 20_000, "```js " + "file=" * 20_000 + "\n\n```x", "@[code " + "x" * 200_000,
                    "<!-- tabs:start -->\n<!-- tab:" + " " * 200_000, "{% $" + "a." * 20_000,
                    "<!-- tabs:start -->\n" + "#### **a" * 10_000, '{% include-markdown "a"' + ' a="b"' * 10_000],
}  # fmt: skip
CASES = [
    *((topic, f"\n{unit * (size // len(unit))}") for topic, (size, units) in REPEATED.items() for unit in units),
    *((topic, text) for topic, texts in TEXTS.items() for text in texts),
]


@pytest.mark.parametrize("text", [pytest.param(text, id=f"{topic}: {text.strip()[:20]!a}") for topic, text in CASES])
@pytest.mark.timeout(20)
def test_hostile_text_takes_linear_time(render_file: RenderFile, text: str) -> None:
    assert render_file(f"kestrel\n{text}\n\nend").text.startswith("kestrel")


@pytest.mark.timeout(20)
def test_long_task_list_takes_linear_time(render_file: RenderFile) -> None:
    assert render_file("- [ ] x\n" * 4_000).html.count("<input") == 4_000
