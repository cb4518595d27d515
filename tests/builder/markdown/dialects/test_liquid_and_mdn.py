"""Liquid tags and variables, and MDN macros (N9)."""

import pytest
from support.rendered import RenderFile


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("a {% include nav.html x=1 %} b", "a b"),
        ("{% if page.x %}shown{% endif %}", "shown"),
        ("{% comment %}\nhidden {% if x %}\n{% endcomment %}\nshown", "shown"),
        ("{% raw %}{{ a.b }} {% if %}{% endraw %}", "{{ a.b }} {% if %}"),
        ("{% css %}\n.x{color:red}\n{% endcss %}\n\n{% js %}\nvar x\n{% endjs %}\nshown", "shown"),
        ("{% highlight ruby %}\nputs 1\n{% endhighlight %}", "puts 1"),
        ("Hello {{ page.title }}!", "Hello !"),
        ("{{ 'words' | upcase }} here", "words here"),
        ("{%- assign x = 1 -%} {{ x }} after", "after"),
        ('{% embed url="https://a.example/b" %}\nCaption\n{% endembed %}', "https://a.example/b Caption"),
        ('{% file src=".gitbook/assets/a b.zip" %}', "a b.zip"),
        ('{% hint style="warning" %}\nMind.\n{% endhint %}', "Warning / Mind."),
        ("`{% if %}` and\n\n```\n{{ page.title }}\n```", "{% if %} and / {{ page.title }}"),
        (
            "use {{ variable }} in Vue and {{query.file.path}} in Tasks",
            "use {{ variable }} in Vue and {{query.file.path}} in Tasks",
        ),
        ("{{date:YYYY-MM-DD}} {{VALUE:task name}}", "{{date:YYYY-MM-DD}} {{VALUE:task name}}"),
        ('{{jsxref("Array")}} {{Compat}} {{glossary("term", "the label")}}', "Array the label"),
        ('{{htmlelement("div")}} {{domxref("A.b", "b()")}} {{rfc(9110)}}', "<div> b() RFC 9110"),
        ('{{Compat}} {{NobodyKnows("x")}} end', "end"),
        ('{{NobodyKnows("x")}} end', '{{NobodyKnows("x")}} end'),
        ("{{deprecated_inline}} {{query.file.property('x')}}", "(deprecated) {{query.file.property('x')}}"),
        # of Markdoc and Zola
        ('{% callout type="x" %}\nIn\n{% /callout %}\n\nbox {% partial file="x" /%} on {% .red %}', "Note / In / box on"),
        ('{% callout\n  type="warning"\n  title="Hot" %}\nIn\n{% /callout %}', "Hot / In"),
        (
            '{% details summary="More" %}\nIn\n{% /details %}\n\n{% step title="A <b>" %}\nIn\n{% /step %}',
            "More / In / A <b> In",
        ),
        ('{% quick-link title="A" href="/a" description="B" /%}\n\n{% set title="x" %}y{% endset %}', "A: B / y"),
        ('a {% width="30%" .x %}\n\n- b {% colspan=2 %}\n- {% $user.name %} c {% $a[0].b %}', "a / b / c"),
        ("{% tip %}\nIn\n{% /tip %}", "Tip / In"),
        ('{% quote(author="V") %}\nIn\n{% end %}\n\n{{ youtube(id="a", words="{b}") }} on', "In / on"),
        ('{% link href="/b" %}go{% /link %} {% $x %} {{ now() }}', "go {{ now() }}"),
        ("x\n\n## Head {% #id %}\n\n{% #remark x %} end", "x / Head / end"),
        ("a {% b", "a {% b"),
        ("100 {%} and {% 5 %}", "100 {%} and {% 5 %}"),
    ],
)
def test_text_of_liquid_and_mdn_macros(render_file: RenderFile, body: str, text: str) -> None:
    assert render_file(body).text == text


def test_link_targets_in_liquid_and_mdn_macros(render_file: RenderFile) -> None:
    assert render_file("[x]({% link _posts/a.md %}) [y]({{ '/b' | relative_url }})").neuron.body == "[x](_posts/a.md) [y](/b)"


@pytest.mark.parametrize(
    ("tag", "markdown"),
    [
        ('{% asset_img a.png "two [words]" %}', "![two words](a.png)"),  # of Hexo
        ("{% asset_img a.png its words %}", "![its words](a.png)"),
        ("{% post_link 2024/other 'The other' %}", "[The other](2024/other.md)"),
        ("{% post_link other %}", "[](other.md)"),
        ('{% image "./a.jpg", "words" %}', "![words](./a.jpg)"),  # of Eleventy
        ('{% image src="./a.jpg", alt="words" %}', "![words](./a.jpg)"),
        ("{% picture wide a.jpg --alt words %}", "![](a.jpg)"),  # of Jekyll
        ("{% image name %}", ""),
        ('{{ resize_image(path="a/b.webp", width=40, alt="words") }}', "![words](a/b.webp)"),  # of Zola
    ],
)
def test_pictures_and_links_of_tags(render_file: RenderFile, tag: str, markdown: str) -> None:
    assert render_file(f"x {tag} y").neuron.body == f"x {markdown} y"


def test_unclosed_liquid_tag_is_reported(render_file: RenderFile) -> None:
    assert render_file("a\n\n{% if x").problems == ("3: {% is not closed by %}; shown as it is",)


def test_unclosed_raw_is_shown_and_reported(render_file: RenderFile) -> None:
    """N9: such a page is not Liquid, so its names in braces stay."""
    text = "* Docs: fix {{ name }} (#1)\n* Docs: wrap sample in {% raw %} (#2)\n* end {{ x }} here"
    result = render_file(text)
    assert result.text == "Docs: fix {{ name }} (#1) / Docs: wrap sample in {% raw %} (#2) / end {{ x }} here"
    assert result.problems == ("2: {% raw %} is not closed by {% endraw %}; shown as it is",)
    result_when_closed = render_file("{% raw %}{{ a }}{% endraw %} {{ b.c }} {% raw %} {% if x %}")
    assert (result_when_closed.text, len(result_when_closed.problems)) == ("{{ a }} {% raw %}", 1)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("```yaml\n{% raw %}\na: {{ b }}\n{% endraw %}\n```", "\n```yaml\na: {{ b }}\n```\n"),
        ("> ```\n> {%- raw -%}\n> {{ b }}\n> {% endraw %}\n> ```\n", "> \n> ```\n> {{ b }}\n> ```\n\n"),
        ("```\n{% raw %}{{ b }}\nc {% endraw %}\n```", "```\n{{ b }}\nc \n```"),
        ("`{% raw %}{{ b }}{% endraw %}` words", "`{{ b }}` words"),
        ("{% if a %}b{% endif %}\n\n```\nc\n{% raw %}{{ d }}{% endraw %}\n```", "b\n\n```\nc\n{{ d }}\n```"),
    ],
)
def test_tags_of_raw_text_are_removed_from_code(render_file: RenderFile, body: str, expected: str) -> None:
    assert render_file(body).neuron.body.rstrip() == expected.rstrip()


@pytest.mark.parametrize(
    "body",
    [
        "```liquid\n{% raw %}\n{{ b }}\n{% endraw %}\n```",
        "```\nc\n{% raw %}{{ d }}{% endraw %}\n```",
        "```\n{% raw %}```\n<!-- shown -->\n{% endraw %}\n```",
        "```\n{% raw %}\n<!-- shown -->\n{% endraw %}```\n```",
        "``{% raw %}`a`{% endraw %}``",
        "`{% raw %}{% endraw %}`",
        "`a\n{% raw %}\nb {% endraw %}`",
        "`{% raw %}{% raw %}{% endraw %}`",
    ],
)
def test_tags_of_raw_text_stay_in_examples_and_where_code_would_end(render_file: RenderFile, body: str) -> None:
    assert render_file(body).neuron.body == body
