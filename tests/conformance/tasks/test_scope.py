"""Structural scopes and backlinks ([003])."""

from typing import Any

import pytest
from conformance.sites import neuron, site_fixture
from ranvier import Library
from support.results import paths

DEEP = 12
FILES = {
    "project/index.md": neuron("Project", "A needle.", id="project-1", tags="[plan]", role="work"),
    "project/feature/index.md": neuron("Feature", "A needle.", tags="[api, ui]", role="queue"),
    "project/feature/task.md": neuron("Task", "A needle. See [the other](../../other/thing.md).", tags="[api]", role="review"),
    "project/feature/deep/er/leaf.md": neuron("Leaf", "A needle. See [[Project]].", role="blocked"),
    "other/thing.md": neuron("Other task", "A needle.", tags="[ui/forms]", role="terminal"),
    "adopted.md": neuron(
        "Adopted", "A needle. See [task](project/feature/task.md) and [task](project/feature/task.md).", parent="Task"
    ),
    "nowhere.md": neuron("Nowhere", "No match, but [task](project/feature/task.md)."),
}
FILES |= {
    f"chain/c{at:02}.md": neuron(f"Link {at}", "A needle.", parent=f"Link {at - 1}" if at else "Chain") for at in range(DEEP)
}
FILES["chain/index.md"] = neuron("Chain", "A needle.")


site = site_fixture(FILES)


PROJECT = [path for path in FILES if path.startswith("project/")]


@pytest.mark.parametrize("match", ["auto", "text", "substring"])
@pytest.mark.parametrize(
    ("scope", "results"),
    [
        ({"ancestor": "project-1"}, [*PROJECT, "adopted.md"]),  # by id; the item itself is included
        ({"ancestor": "project/index.md"}, [*PROJECT, "adopted.md"]),
        ({"ancestor": "Feature"}, [*PROJECT[1:], "adopted.md"]),
        ({"ancestor": "Task"}, ["project/feature/task.md", "adopted.md"]),  # a parent by frontmatter
        ({"ancestor": "Leaf"}, ["project/feature/deep/er/leaf.md"]),
        ({"ancestor": "Chain"}, [path for path in FILES if path.startswith("chain/")]),
        ({"ancestor": "Link 5"}, [f"chain/c{at:02}.md" for at in range(5, DEEP)]),
        ({"ancestor": "no such item"}, []),
        ({"item": "project-1"}, ["project/index.md"]),  # the item alone
        ({"item": "project/feature/task.md"}, ["project/feature/task.md"]),
        ({"item": "no such item"}, []),
        ({"tags": ("api",)}, ["project/feature/index.md", "project/feature/task.md"]),
        ({"tags": ("plan", "api")}, ["project/index.md", "project/feature/index.md", "project/feature/task.md"]),  # any of them
        ({"tags": ("ui",)}, ["project/feature/index.md", "other/thing.md"]),
        ({"tags": ("none", "nothing")}, []),
        ({"role": ("queue",)}, ["project/feature/index.md"]),
        ({"role": ("review", "blocked")}, ["project/feature/task.md", "project/feature/deep/er/leaf.md"]),
        ({"role": ("wor",)}, []),  # exact values only
        ({"ancestor": "project-1", "tags": ("ui",), "role": ("queue",)}, ["project/feature/index.md"]),  # all of the scopes
        ({"ancestor": "Feature", "item": "project-1"}, []),
    ],
)
def test_scope_options_narrow_every_mode(site: Library, match: str, scope: dict[str, Any], results: list[str]) -> None:
    """S1, N5, [003]: ancestor, item, tags and role, alone and together."""
    result = site.search("needle", preset="tasks", match=match, limit=100, **scope)
    assert sorted(paths(result)) == sorted(results)
    assert result.total_hits == len(results)


@pytest.mark.parametrize("candidates", [10])
def test_scope_narrows_before_the_limit(site: Library, candidates: int) -> None:
    """S1, [003]: "before or alongside the FTS5 match": an item outside the scope takes no rank in a leg."""
    result = site.search("needle", preset="tasks", candidates=candidates, ancestor="Link 11")
    assert paths(result) == ["chain/c11.md"]
    assert result.hits[0].score == round(2 / 61, 9)
