"""Hugo shortcodes (N9)."""

import pytest
from support.rendered import RenderFile


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("Since {{< new-in 0.1.2 />}} it works.", "Since New in 0.1.2 it works."),
        ("{{<deprecated-in 0.158.0 />}}", "Deprecated in 0.158.0"),
        ("{{< deprecated-in 0.1 >}}\nUse the other.\n{{< /deprecated-in >}}", "Deprecated in 0.1 / Use the other."),
        ("one {{< unknown a=1 >}} two {{% other %}} three", "one two three"),
        ("{{< box >}}\nkept *words*\n{{< /box >}}", "kept words"),
        ("{{< code-toggle file=hugo >}}\na = 1\n{{< /code-toggle >}}", "a = 1"),
        ("{{< code-toggle file=hugo >}}\nkey: %%v%%\n{{</ code-toggle >}}", "key: %%v%%"),
        ('{{< highlight go "linenos=inline" >}}\npackage main\n{{< /highlight >}}', "package main"),
        ('This is {{< highlight go "hl_inline=true" >}}fmt.Println(1){{< /highlight >}} code.', "This is fmt.Println(1) code."),
        ('{{< details summary="See more" >}}\n**inner**\n{{< /details >}}', "See more / inner"),
        ("{{< note >}}\ntext\n{{< /note >}}", "Note / text"),
        ('{{% alert title="Mind" color="warning" %}}\ntext\n{{% /alert %}}', "Mind / text"),
        ('{{< callout type="warning" >}}\ntext\n{{< /callout >}}', "Warning / text"),
        ('{{< tabs >}}\n{{< tab "npm" >}}\nnpm i\n{{< /tab >}}\n{{< /tabs >}}', "npm / npm i"),
        ("`{{< literal >}}` and\n\n```\n{{% literal %}}\n```", "{{< literal >}} and / {{% literal %}}"),
        ("`{{</* shown a=1 */>}}` and {{%/* shown */%}}", "{{< shown a=1 >}} and {{% shown %}}"),
        ("```\n{{</* shown */>}}\n```", "{{< shown >}}"),
        ("İ <code>{{< literal >}}</code>", "İ {{< literal >}}"),  # its small form has two characters
        ("a\n\n{{< comment >}}\nhidden {{< note >}}x{{< /note >}}\n{{< /comment >}}\n\nb", "a / b"),
        ("a {{% comment %}}hidden{{% /comment %}} b", "a b"),
        ('a\n\n{{% hugo-encryptor "x" %}}\nhidden {{% comment %}}x{{% /comment %}}\n\nhidden\n{{% /hugo-encryptor %}}', "a"),
        ('a\n\n{{< fixit-encryptor "x" "y" >}}\nhidden\n\n    hidden\n{{< /fixit-encryptor >}}\n\nb', "a / b"),
        ("a\n\n{{< comment >}}\nhidden", "a"),
        ('see {{< ref "priv/merger.md" >}} there', "see there"),
        ('Verify {{% param "minVersion" %}} or later', "Verify or later"),
        ('a {{< ref "x" ', 'a {{< ref "x"'),
        ("{{< figure\n  src='x.png'\n  caption='A caption'\n>}}\n\nafter", "A caption / after"),
        ("{{< youtube 0RKpf3rK57I >}}", "YouTube video"),
    ],
)
def test_text_of_hugo_shortcodes(render_file: RenderFile, body: str, text: str) -> None:
    assert render_file(body).text == text


@pytest.mark.parametrize(
    ("body", "html"),
    [
        ('[x]({{< ref "/guide/a.md#b" >}})', "[x](/guide/a.md#b)"),
        ('[x]({{< relref path="a.md" >}})', "[x](a.md)"),
        ('{{< figure src="p.png" alt="Alt" caption="Cap" >}}', "![Alt](<p.png>) *Cap*"),
        ('{{< img src="p.png" alt="A [b]" />}}', "![A \\[b\\]](<p.png>)"),
        ('{{< figure src="p.png>x" >}}', "![](<p.pngx>)"),
        ('{{< img src="p.png" alt="See [[Plan]] [b]" />}}', "![See [[Plan]] \\[b\\]](<p.png>)"),
        ('<a href="{{< ref "a.md" >}}">x</a>', '<a href="a.md">x</a>'),
        ('{{< youtube "a b)c" >}}', ""),
    ],
)
def test_hugo_shortcodes_become_markdown(render_file: RenderFile, body: str, html: str) -> None:
    assert render_file(body).neuron.body == html


def test_unclosed_hugo_shortcode_is_reported_and_kept(render_file: RenderFile) -> None:
    result = render_file("---\ntitle: T\n---\none\n\ntwo {{< oops\n")
    assert "oops" in result.text
    assert result.problems == ("6: {{< is not closed by >}}; shown as it is",)


def test_hugo_shortcodes_keep_line_numbers(render_file: RenderFile) -> None:
    """A later warning names the right line."""
    body = "---\ntitle: T\n---\n{{< img\n  src=x\n>}}\n%%a\nb%%\n{{< note >}}\nx\n{{< /note >}}\n<!--\n-->\nlast\n"
    neuron = render_file(body).neuron
    assert neuron.line == 4
    assert neuron.body.split("\n").index("last") + neuron.line == body.split("\n").index("last") + 1
