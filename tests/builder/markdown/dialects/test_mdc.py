"""MDC: the components of Nuxt Content."""

import re

import pytest
from support.rendered import RenderFile


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("::note\nA *word*.\n::", "Note / A word."),
        ('::callout{icon="i-x" title="Look"}\nwords\n::', "Look / words"),
        ('::card{title="A" to="/a"}\nwords\n::', "A words"),
        ("::grid\n  :::card\n  ---\n  title: A\n  to: /a\n  ---\n  words\n  :::\n::", "A / words"),
        ("::hero\n#title\nOne\n\n#description\nTwo\n::", "One / Two"),
        ('::field{name="id" type="string" required}\nwords\n::', "id (string, required) words"),
        ('::collapsible{title="More"}\nwords\n::', "More / words"),
        ("::grid\n::\n\na :badge[new]{x}, `:b[c]` 1:a std::b", "a new, :b[c] 1:a std::b"),
        ('::grid\n::\n\n:kbd{value="meta"}, :icon{name="x"}:link{to="/a"}', "meta, /a"),
        ("::note\n```md\n::tip\n::\n```\n::", "Note / ::tip\n::"),
        ("::open\nwords", "::open words"),
        ("a\n::\n\n:badge[x]", "a :: / :badge[x]"),
        # Fields of a component are YAML.
        ("::u-card\n---\ntitle: >-\n  Long\n  title\n---\n::", "Long title"),
        ("::u-card\n---\ntitle: A\ndescription: B <c>\n---\n::", "A: B <c>"),
        ("::u-card\n---\na: [\n---\n::", ""),
    ],
)
def test_text_of_mdc(render_file: RenderFile, body: str, text: str) -> None:
    assert render_file(body).text == text


def test_tabs_in_tabs(render_file: RenderFile) -> None:
    """Contents lose the indentation of their component, and no more."""
    code = "    ```sh [npm]\n    if x\n      y\n    ```\n"
    body = f'::tabs\n  :::tabs-item{{label="A"}}\n    ::::code-group\n{code}    ::::\n\n  - a\n    - b\n  :::\n::\n\nEnd'
    html = render_file(body).html
    assert re.findall(r'<summary class="tab-title">(.*?)</summary>', html) == ["A", "npm"]
    assert "if</span> x\n  y" in html or "if x\n  y" in re.sub(r"</?span[^>]*>", "", html)
    assert "<li>a\n<ul>\n<li>b</li>" in html
    assert html.rstrip().endswith("<p>End</p>")


@pytest.mark.parametrize(
    "body",
    [
        "    ::foo\n\n- a\n- b",
        "- item\n\n  ::card{title=x}\n  body\n\nNext",
        "::card\n---\ntitle: A\n---\nbody",
        "a /b/:id{x}, {:k{a}}",
    ],
)
def test_component_that_is_not_closed_changes_nothing(render_file: RenderFile, body: str) -> None:
    assert render_file(f"::note\nok\n::\n\n{body}").neuron.body == f"::: note\nok\n:::\n\n{body}"
