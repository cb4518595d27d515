"""P1, B6: an excerpt is prose, lines of code or rows of a table, never mixed."""

import pytest
from ranvier.library import Library
from support.content import build_tree
from support.shared import library_fixture

PAGE = """---
summary: A page about kettles.
---
# Kettle

## Prose

Boil the water in a kettle. Then wait.

```sh
boil --water | wait
    --cups 2
```

| Cup | Size |
| --- | --- |
| mug | large |
| beaker | small |

## Empty words

Nothing of the kind stands here.
"""
library = library_fixture(build_tree, {"kettle.md": PAGE})


@pytest.mark.parametrize(
    ("query", "kind", "snippet"),
    [
        ("kettle boil", "prose", "<mark>Boil</mark> the water in a <mark>kettle</mark>. Then wait."),
        ("cups", "code", "boil --water | wait\n    --<mark>cups</mark> 2"),
        ("beaker", "table", "Cup · Size\nmug · large\n<mark>beaker</mark> · small"),
        ("water", "prose", "Boil the <mark>water</mark> in a kettle. Then wait."),
    ],
)
def test_excerpt_is_of_one_kind(library: Library, query: str, kind: str, snippet: str) -> None:
    """Of the parts with most query words, prose comes first."""
    (section, *_) = library.search(query).hits[0].sub_results
    assert (section.snippet_kind, section.snippet) == (kind, snippet)


def test_summary_is_quoted_if_no_passage_has_a_word(library: Library) -> None:
    (hit,) = library.search("Empty words", match="text").hits
    assert hit.anchor == "empty-words"
    assert hit.snippet == "A page about kettles."
