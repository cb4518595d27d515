"""MDX (N9): code is removed, text is kept."""

import re

import pytest
from ranvier_builder.markdown.dialects import to_markdown
from support.rendered import RenderFile


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
        ("<Badge text='x' /> after", "x after"),
        ("words\n\n    ```js\n    a = {b: 1};\n    ```\n\nmore", "words / a = {b: 1}; / more"),
        ("Example:\n    ```js\n    a\n\n    b\n    ```\n\nmore", "Example: / a\n\nb / more"),
        ("- words\n\n        ```\n        a\n        ```", "words /   ```\n  a\n  ```"),
        ('<Tabs>\n  <TabItem label="npm">\n\n    ```sh\n    npm i\n    ```\n\n  </TabItem>\n</Tabs>', "npm / npm i"),
        ("<Tip>\nMind **this**.\n</Tip>", "Tip / Mind this."),
        ('<Callout type="warning" title="Hot">\nx\n</Callout>', "Hot / x"),
        ('<Card title="Start" href="/x">\nwords\n</Card>', "Start words"),
        ('<Accordion title="More">\nwords\n</Accordion>', "More / words"),
        ("<div className={styles.x} style={{a: 1}}>\n\nwords\n\n</div>", "words"),
        ("<div style={{display: 'none'}}>\n\nowl\n\n</div>\n\n<div hidden>\n\nowl\n\n</div>\n\nwords", "words"),
        ("<span hidden={true}>owl</span> <b hidden={false}>words</b>", "words"),
        ("<>\n\nwords\n\n</>", "words"),
        ("a < b and c > d, {", "a < b and c > d, {"),
        ("`<A>` `{x}`\n\n```jsx\nimport A from 'a'\n<A>{x}</A>\n```", "<A> {x} / import A from 'a'\n<A>{x}</A>"),
        ("# Page\n\n## Title {#own}\n\nx", "Title / x"),
        ("# Page\n\n## Title [#own]\n\n## Two [!toc] [#a-b]\n\n## Fix [#12]\n\n## [toc]", "Title / Two / Fix [#12] / [toc]"),
        ("a `boolean{:ts}` ``'b'{:js}`` `{:x}` `#{:x}`\n\n```\n`c{:ts}`\n```", "a boolean 'b' {:x} #{:x} / `c{:ts}`"),
        ('<PackageManagerTabs command="install a -D" />\n\n<PackageManagers pkg="a" dev />', "npm install a -D / npm i -D a"),
        ("<PackageManagerTabs\n  command={{\n    yarn: 'yarn create a',\n    npm: `npm create a`,\n  }}\n/>", "npm create a"),
        ('<PackageManagers type="exec" pkg="a" args="b" />\n\n<PackageManagers type="run" args="b" />', "npx a b / npm run b"),
        ("# Page\n\n## Title \\{#own}\n\nx", "Title / x"),
        ("$x_{i}$ and $$\\frac{a}{b}$$", "x_{i} and \\frac{a}{b}"),
        ("<Outer>\n  <Inner>\n      deep words\n  </Inner>\n</Outer>\n\nlast", "deep words / last"),
        ("<Foo.Bar x='}'>words</Foo.Bar>", "words"),
        (
            '<ParamField path="--dev" type="A<B>" default="1" required>\n  words\n</ParamField>',
            "--dev (A<B>, required, default 1) words",
        ),
        ('<ResponseField name="id" required={false}>words</ResponseField>', "id words"),
        ('<ResponseField name="a" defaultValue="x" isOptional>words</ResponseField>', "a (optional, default x) words"),
        ('<ParamField path="a" type="B">words</ParamField>', "a (B) words"),
        ('<Expandable title="More">\nwords\n</Expandable>', "More / words"),
        ('<Step title="1. <script> tags">\nwords\n</Step>', "1. <script> tags / words"),
        ("Yes <Check size={18} />, no <Cross />", "Yes ✓, no ✗"),
        ("Use {'{'}id{'}'} and {\"<\"}x{'>'}.", "Use {id} and <x>."),
        ("export const re = /[(]/;\n\nA\n\nexport const open = ':(';\n\n1) B", "A / B"),
        ('<Note title="Why?">Because.</Note>\n<Card title="C">Body</Card>', "Why? / Because. / C Body"),
        ('<Tabs>\n  <TabItem label="A">a</TabItem>\n  <TabItem label="B">`:::` b</TabItem>\n</Tabs>', "A / a / B / ::: b"),
        ("<Aside>*words* {x}</Aside>\n\n- <Tip>in a list</Tip>", "Note / words / in a list"),
        ('<LinkCard title="L" description="Learn <D>." href="/l" />', "L: Learn <D>."),
        ("<Foo text={`It is ${x}`} />", ""),
        ("words\n\n    {/* owl */}\n\n<p>\n\n        <!-- owl */} -->\n\n</p>\n\nend", "words / end"),
        ("words\n\n    { /* owl */ }\n\n>     { /* owl */ }\n\nend", "words / end"),
        ("- words\n\n      {/* owl\n\n      owl */}\n\n- end `{/* x */}`", "words / end {/* x */}"),
        ("x\n\n    ```\n    {/* shown */}\n    ```", "x / {/* shown */}"),
        ("~~~\n    ```\n~~~\n\n    {/* owl */}\n\n    ```\n\nwords", "    ``` / ``` / words"),
        ("import a from 'a' /* owl\n * owl */ // owl\n\nwords", "words"),
        ("import a from 'a'\n// owl\n/* owl\n\nowl */\nimport 'b'\n\n// words", "// words"),
        ("export const a = 1\n// owl\nexport const b = {} // owl\n  /* owl */\n\nwords", "words"),
        ("import a from 'a' /* owl\n\nwords", "words"),
        ("import a from 'a' // owl\nimport {b} from 'b'; /* owl */\n\nwords", "words"),
        ("<Script src='x' />\n\n{/* owl */}\n\n<Script>words</Script>", "words"),
        ("<details>\n    <summary>S</summary>\n\n    Indented\n\n</details>", "S / Indented"),
        # The data of a component.
        ("<Cards items={[{title: 'A [b]', href: '/a', description: 'One.'}]} />", "A [b]: One."),
        ("<Type type={{ size: { type: 'number', description: 'Two.' } }} />", "size (number): Two."),
        ("<Type a={[{name: 'a', description: 'b'}, {name: 'c'}]} />", "a: b; c"),
        ("<Chart data={[{name: 'a', value: 3}]} />", ""),
        ('<Snippet text={`import { a } from "b"`} dark />', 'import { a } from "b"'),
    ],
)
def test_text_of_mdx(render_file: RenderFile, body: str, text: str) -> None:
    assert render_file(body, "a.mdx").text == text


@pytest.mark.parametrize(
    "body",
    [
        "import a from 'b' is how it is done.\n\n{braces} stay",
        "Generics: `List<String>` and {x}",
        "import the thing\n\n<b>bold</b> {x}",
    ],
)
def test_plain_markdown_is_not_read_as_mdx(render_file: RenderFile, body: str) -> None:
    assert "{" in render_file(body).text
    assert render_file(body).problems == ()


def test_markdown_with_an_imported_component_is_read_as_mdx(render_file: RenderFile) -> None:
    assert render_file("import Tabs from '@theme/Tabs';\n\n<Tabs>\n\n{x} words\n\n</Tabs>").text == "words"


@pytest.mark.parametrize(
    "tag", ["<Grid cols={2}>\n\n{x} words\n\n</Grid>", "<div style={{ width: '100%' }}>\n{x} words\n</div>"]
)
def test_components_in_markdown_files_are_read(render_file: RenderFile, tag: str) -> None:
    """Braces and exports stay: only the tags are JSX."""
    assert render_file(tag).text == "{x} words"


def test_component_around_a_paragraph_of_a_markdown_file(render_file: RenderFile) -> None:
    """Its indented words are Markdown; a word in angle brackets and an element of HTML stay."""
    body = "<PagesBox>\n    Use `<T>`, a Promise<Value>, or\n    [the guide](https://example.org/).\n</PagesBox>\n"
    page = render_file(body)
    assert "<p>Use <code>&lt;T&gt;</code>, a Promise" in page.html
    assert '<a href="https://example.org/"' in page.html
    alternatives = "Open <AppBox>`app/page.tsx`</AppBox><PagesBox>`pages/index.tsx`</PagesBox>.\n"
    assert "<code>app/page.tsx</code> <code>pages/index.tsx</code>" in render_file(body + alternatives).html
    assert "if a <B and c> d" in render_file(f"{body}\nif a <B and c> d").neuron.body
    for html in (
        "<Details>\n*a*\n</Details>",
        "<Table>\n*a*\n</Table>",
        "```\n<PagesBox>\n```\n<PagesBox>\n*a*",
        "<A>\n*a*\n</A>",
    ):
        assert "*a*" in render_file(html).text, html


def test_line_break_before_a_component_does_not_hide_its_markdown(render_file: RenderFile) -> None:
    component = '<Props content={[\n  { name: "url", type: "string", description: "Its address." },\n]} />\n'
    page = render_file(f"# A\n\nText.\n\n<br />\n{component}", "a.mdx")
    assert "<li><strong><code>url</code></strong>" in page.html
    assert "first<br>second" in render_file("first<br />second", "a.mdx").html


@pytest.mark.parametrize("body", ['See <Link to="/a">*words*</Link>.', '<LinkButton href="/a">words</LinkButton>'])
def test_component_that_is_a_link(render_file: RenderFile, body: str) -> None:
    assert "](</a>)" in render_file(body, "a.mdx").neuron.body


@pytest.mark.parametrize("text", ["An element <Foo bar={x}> of {id}", "A <Word attr={ of {name}\n\nexport default x"])
def test_words_between_angles_are_no_components(render_file: RenderFile, text: str) -> None:
    assert render_file(text).neuron.body == text


@pytest.mark.parametrize(
    ("body", "html"),
    [
        ('<img src="/a.png" alt="A" style={{ width: 1 }} />', '<img src="/a.png" alt="A" />'),
        ("<img src={require('./a.png').default} alt=\"A\" />", '<img src="./a.png" alt="A" />'),
        ('<a href="/x" style={{a: 1}}>Link</a>', '<a href="/x">Link</a>'),
        ('<div id="x">\n\ninside\n</div>', '<div id="x">\n\ninside\n</div>'),
        ('<video\n  src="/a.mp4"\n  autoPlay\n></video>', '<video\n  src="/a.mp4"\n  autoPlay\n    ></video>'),
        ('<div className="x">\ninside</div>', '<div className="x">\ninside</div>'),
        ("<p>\n  `a<T>()` is\n</p>", "<p>\n  <code>a&lt;T&gt;()</code> is\n</p>"),
        ("<details><summary>Use `a`</summary>", "<details><summary>Use <code>a</code></summary>"),
        ("<p>`a`\n\n</p>", "<p>`a`\n\n</p>"),
        (
            '<CodeBlock language="js" title="a.js">\n  {`let a;\n<b>[x](y)`}\n</CodeBlock>',
            '```js title="a.js"\nlet a;\n<b>[x](y)\n```',
        ),
        ("- a\n\n  <CodeBlock>\n    {`a\n    b`}\n  </CodeBlock>", "- a\n\n  ```\n  a\n  b\n  ```"),
        ("<CodeBlock>npm *i*</CodeBlock> <Code>{x}</Code> <Code />", "`npm *i*`"),
        ('<Code code="npm i" lang="sh" />', "`npm i`"),
        ('<Card title={"One\\n\\n# `a[0]` caf\\u00e9"} href="/x" />', "[One # `a[0]` café](</x>)"),
    ],
)
def test_html_of_mdx(render_file: RenderFile, body: str, html: str) -> None:
    assert render_file(body, "a.mdx").neuron.body.rstrip() == html


TABLE = """<Props
  content={[
    { name: "model", type: "A<B>", description: 'The *model*: `<x>`, not <y>.' }, // a remark
    {
      name: `settings`, /* isn't it: */ isOptional: true, defaultValue: 1, render: () => <b>Don't</b>,
      description: "More " + 'words.',
      properties: [{ type: "Limits", parameters: [{ name: 'max', description: "Don't." }] }],
    },
  ]}
/>

- outer
  - inner
"""
ITEM = "<li><strong><code>"


def test_parameters_in_the_data_of_a_component_are_a_list(render_file: RenderFile) -> None:
    html = " ".join(render_file(TABLE, "a.mdx").html.split())
    model = "(<code>A&lt;B&gt;</code>): The <em>model</em>: <code>&lt;x&gt;</code>, not &lt;y&gt;."
    assert f"{ITEM}model</code></strong> {model}" in html
    assert f"{ITEM}settings</code></strong> (optional, default <code>1</code>): More words. <ul> {ITEM}Limits" in html
    assert f"{ITEM}max</code></strong>: Don't.</li>" in html
    assert "<li>outer <ul> <li>inner</li> </ul> </li>" in html


@pytest.mark.parametrize(
    ("tabs", "has_value"),
    [("items={['npm', 'yarn']}", False), ("values={[{label: 'npm', value: 'n'}, {label: 'yarn', value: 'y'}]}", True)],
)
def test_labels_of_tabs_in_their_group(render_file: RenderFile, tabs: str, has_value: bool) -> None:
    names = [f' value="{name}"' if has_value else "" for name in ("n", "y")]
    body = "".join(f"  <Tabs.Tab{name}>\n    words\n  </Tabs.Tab>\n" for name in names)
    html = render_file(f'<div className="x">\n<Tabs {tabs}>\n{body}</Tabs>\n</div>\n', "a.mdx").html
    assert re.findall(r'<summary class="tab-title">(.*?)</summary>', html) == ["npm", "yarn"]


@pytest.mark.parametrize("body", ["a\n\nb { c", "a\n\n<Thing a=\n\n<b>x</b>"])
def test_unclosed_mdx_is_reported(render_file: RenderFile, body: str) -> None:
    (problem,) = render_file(body, "a.mdx").problems
    assert problem.startswith("3: ")


@pytest.mark.parametrize("deep", ["", "    ", "        "])
def test_code_blocks_in_components_in_list_items(render_file: RenderFile, deep: str) -> None:
    """The list item keeps the content of the component at any indentation; no fence appears as text."""
    first, second = f"    {deep}", f"    {deep}{deep}"
    body = (
        "<Steps>\n1. Run:\n\n    <Tabs>\n"
        f'{first}<TabItem label="npm">\n{first}```sh\n{first}one\n{first}  two\n{first}```\n{first}</TabItem>\n'
        f'{first}<TabItem value="pnpm">\n{second}```sh\n{second}three\n{second}```\n{first}</TabItem>\n'
        "    </Tabs>\n\n2. Next\n</Steps>\n\nEnd\n"
    )
    html = render_file(body, "a.mdx").html
    assert re.findall(r'<summary class="tab-title">(.*?)</summary>', html) == ["npm", "pnpm"]
    assert "```" not in html
    assert '<code class="language-sh">one\n  two\n</code>' in re.sub(r"</?span[^>]*>", "", html)
    assert html.count("<ol") == 1
    assert html.index("three") < html.index("Next") < html.index("</ol>") < html.index("End")


@pytest.mark.timeout(20)
def test_deep_fences_take_linear_time() -> None:
    """N9: the timeout of the test is the limit."""
    text, _ = to_markdown("<Foo />\n" + "x\n\n    ```\n    a\n    ```\n\n" * 80_000, "a.mdx")
    assert text.count("\n```\na\n```\n") == 80_000


def test_consecutive_tab_groups_stay_separate(render_file: RenderFile) -> None:
    tabs = '<Tabs>\n  <TabItem label="a">\n\n  x\n\n  </TabItem>\n</Tabs>\n'
    html = render_file(f"{tabs}\n{tabs}", "a.mdx").html
    assert html.count('class="tabs"') == 2


@pytest.mark.parametrize(
    "unit",
    [
        '<A b={"\\"', "<A b={'\\'", "<A b={`\\`", "<A b={/* ", "<A b={[src/**, ", "<A b={[", "<div>\n", "import a ",
        "<A ", "import 'a' /* x\n", f"<Code>a{' ' * 200_000}{{</Code>",
    ],
)  # fmt: skip
@pytest.mark.timeout(20)
def test_components_take_linear_time(render_file: RenderFile, unit: str) -> None:
    """N9: the timeout of the test is the limit. The end of a unit is repeated, too: a string or a comment without an end."""
    for text in (unit * (66_000 // len(unit)), unit + unit[-3:] * 22_000):
        assert render_file(f"kestrel\n\n{text}", "a.mdx").text.startswith("kestrel")
