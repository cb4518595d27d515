"""Pages of wikis of Azure DevOps and GitLab (N2, N9)."""

import pytest
from support.rendered import RenderFile

DIAGRAM = "%%{init: {'theme': 'dark'}}%%\n%% [[a]]\nA --> B"
ID = "8f1a2b3c-1111-2222-3333-444455556666"


@pytest.mark.parametrize("opener", [":::mermaid", "::: mermaid", ":::   Mermaid  "])
def test_diagram_is_code(render_file: RenderFile, opener: str) -> None:
    """N2: nothing in it is a comment that hides the rest of the page."""
    page = render_file(f"before\n\n{opener}\n{DIAGRAM}\n:::\n\nafter")
    assert page.text == f"before / {DIAGRAM} / after"
    assert 'language-mermaid"' in page.html


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (f"words\n\n::: query-table {ID}\n:::", "words"),
        (f"words @<{ID.upper()}>, more", "words, more"),
        ("[[_TOC_]]\n[[_TOSP_]]\n\nwords", "words"),
        (">>>\nfirst\n\n- second\n>>>\n\nlast", "first / second / last"),
        (">>> words\n\n>>>\n\nmore", "words / more"),
        (f"`@<{ID}>`", f"@<{ID}>"),
    ],
)
def test_syntax_without_words(render_file: RenderFile, body: str, text: str) -> None:
    assert render_file(body).text == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("- a\n\n  ::: mermaid\nA --> B\n  :::\n\n%s\n\nend", "a / A --> B / end"),
        ("<!--\n::: mermaid\nA --> B\n:::\n-->\n\n%s\n\nend", "B ::: --> / end"),
        ("::: mermaid\n~~~\n:::\n\n~~~\n\n%s\n\nend", "::: mermaid / ::: / end"),
        (">>>\n```py\n>>>\n```\n>>>\n\n%s\n\nend", ">>> / end"),
    ],
)
@pytest.mark.parametrize("remark", ["<!-- hush -->", "a %%hush%%", "#+BEGIN_COMMENT\nhush\n#+END_COMMENT"])
def test_comment_below_a_block_stays_hidden(render_file: RenderFile, body: str, text: str, remark: str) -> None:
    """A3: no code of a block may continue below it, where comments would be shown."""
    assert render_file(body % remark).text.replace(" / a / ", " / ") == text
