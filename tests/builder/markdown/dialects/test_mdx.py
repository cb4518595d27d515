"""MDX (N9): code is removed, text is kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

See = Callable[..., Any]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("import A from './a';\n\ntext\n\n## Part", "text / Part"),
        ("import {\n  A,\n  B,\n} from './a'\n\ntext", "text"),
        ("import './a.css'\n\ntext", "text"),
        ("import the data before you begin.", "import the data before you begin."),
        ("export goods from here.", "export goods from here."),
        ("export const x = {\n  a: [1],\n\n  b: 2,\n};\n\ntext", "text"),
        ("export default function X() {\n  return <A/>\n}\n\ntext", "text"),
        ("{/* a { b */} text", "text"),
        ("a {/* x\n} y */} text {/* { */} {b}", "a text"),
        ("# Page\n\n## Title {/* #own */}\n\nx", "Title / x"),
        ("{/* hidden */}\n\ntext {value} more {'said'}", "text more said"),
        ("<A b={1 > 2}>*in*</A> out", "in out"),
        ("<Badge text='x' /> after", "after"),
        ('<Tabs>\n  <TabItem label="npm">\n\n    ```sh\n    npm i\n    ```\n\n  </TabItem>\n</Tabs>', "npm / npm i"),
        ("<Tip>\nMind **this**.\n</Tip>", "Tip / Mind this."),
        ('<Callout type="warning" title="Hot">\nx\n</Callout>', "Hot / x"),
        ('<Card title="Start" href="/x">\nwords\n</Card>', "Start words"),
        ('<Accordion title="More">\nwords\n</Accordion>', "More / words"),
        ("<div className={styles.x} style={{a: 1}}>\n\nwords\n\n</div>", "words"),
        ("<>\n\nwords\n\n</>", "words"),
        ("a < b and c > d, {", "a < b and c > d, {"),
        ("`<A>` `{x}`\n\n```jsx\nimport A from 'a'\n<A>{x}</A>\n```", "<A> {x} / import A from 'a'\n<A>{x}</A>"),
        ("# Page\n\n## Title {#own}\n\nx", "Title / x"),
        ("$x_{i}$ and $$\\frac{a}{b}$$", "x_{i} and \\frac{a}{b}"),
        ("<Outer>\n  <Inner>\n      deep words\n  </Inner>\n</Outer>\n\nlast", "deep words / last"),
        ("<Foo.Bar x='}'>words</Foo.Bar>", "words"),
        (
            '<ParamField path="--dev" type="A<B>" default="1" required>\n  words\n</ParamField>',
            "--dev (A<B>, required, default 1) words",
        ),
        ('<ResponseField name="id" required={false}>words</ResponseField>', "id words"),
        ('<Expandable title="More">\nwords\n</Expandable>', "More / words"),
        ('<Step title="1. <script> tags">\nwords\n</Step>', "1. <script> tags / words"),
        ("Yes <Check size={18} />, no <Cross />", "Yes ✓, no ✗"),
    ],
)
def test_text_of_mdx(see: See, body: str, text: str) -> None:
    assert see(body, "a.mdx").text == text


@pytest.mark.parametrize(
    "body",
    [
        "import a from 'b' is how it is done.\n\n{braces} stay",
        "Generics: `List<String>` and {x}",
        "import the thing\n\n<b>bold</b> {x}",
    ],
)
def test_plain_markdown_is_not_read_as_mdx(see: See, body: str) -> None:
    assert "{" in see(body).text
    assert see(body).problems == ()


def test_markdown_with_an_imported_component_is_read_as_mdx(see: See) -> None:
    assert see("import Tabs from '@theme/Tabs';\n\n<Tabs>\n\n{x} words\n\n</Tabs>").text == "words"


@pytest.mark.parametrize(
    "tag", ["<Grid cols={2}>\n\n{x} words\n\n</Grid>", "<div style={{ width: '100%' }}>\n{x} words\n</div>"]
)
def test_markdown_with_an_attribute_in_braces_is_read_as_mdx(see: See, tag: str) -> None:
    assert see(tag).text == "words"
    assert "{" in see(f"`` {tag.splitlines()[0]} ``\n\n{{x}} stays").text


@pytest.mark.parametrize("body", ["a\n\nb { c", "a\n\n<Thing a=\n\n<b>x</b>"])
def test_unclosed_mdx_is_reported(see: See, body: str) -> None:
    (problem,) = see(body, "a.mdx").problems
    assert problem.startswith("3: ")


@pytest.mark.parametrize("deep", ["", "    ", "        "])
def test_code_blocks_in_components_in_list_items(see: See, deep: str) -> None:
    """The list item keeps the content of the component at any indentation; no fence appears as text."""
    first, second = f"    {deep}", f"    {deep}{deep}"
    body = (
        "<Steps>\n1. Run:\n\n    <Tabs>\n"
        f'{first}<TabItem label="npm">\n{first}```sh\n{first}one\n{first}  two\n{first}```\n{first}</TabItem>\n'
        f'{first}<TabItem value="pnpm">\n{second}```sh\n{second}three\n{second}```\n{first}</TabItem>\n'
        "    </Tabs>\n\n2. Next\n</Steps>\n\nEnd\n"
    )
    html = see(body, "a.mdx").html
    assert re.findall(r'<summary class="tab-title">(.*?)</summary>', html) == ["npm", "pnpm"]
    assert "```" not in html
    assert '<code class="language-sh">one\n  two\n</code>' in re.sub(r"</?span[^>]*>", "", html)
    assert html.count("<ol") == 1
    assert html.index("three") < html.index("Next") < html.index("</ol>") < html.index("End")


def test_consecutive_tab_groups_stay_separate(see: See) -> None:
    tabs = '<Tabs>\n  <TabItem label="a">\n\n  x\n\n  </TabItem>\n</Tabs>\n'
    html = see(f"{tabs}\n{tabs}", "a.mdx").html
    assert html.count('class="tabs"') == 2
