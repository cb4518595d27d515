"""I3 under random edits: an incremental build writes what a full build writes."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranvier_builder import Config, build, publish
from ranvier_builder.search_settings import SearchSettings
from ranvier_builder.work.database import Memory
from support.content import read_tree, stub_assets, write_tree
from support.pictures import another

NAMES = ("axon", "node", "myelin", "sub/axon", "sub/glia", "index")
WORDS = ("Axon", "Node", "Myelin", "Glia", "gap", "missing")

KEYS = ("audience: curator", "audience: [", "aliases: [Glia, gap]", "parent: node", *(f"title: {word}" for word in WORDS))
heads = st.sampled_from(["", *(f"---\n{key}\n---\n" for key in KEYS)])
PICTURES = ("![m](map.png)", "![[map.png]]")
links = st.sampled_from([*(f"[[{word}]]" for word in WORDS), *(f"[x]({name}.md)" for name in NAMES), *PICTURES])
bodies = st.lists(links | st.sampled_from([*WORDS, "\n\n", "## Head\n", "#tag"]), max_size=6).map(" ".join)
texts = st.tuples(heads, bodies).map("".join)
edits = st.lists(st.tuples(st.sampled_from([*NAMES, "map.png"]), texts | st.none()), min_size=1, max_size=3)


def change(content: Path, edit: tuple[str, str | None]) -> None:
    name, text = edit
    path = name if name.endswith(".png") else f"{name}.md"
    if text is None:
        (content / path).unlink(missing_ok=True)
    else:
        write_tree(content, {path: another(len(text)) if path.endswith(".png") else text})


@settings(max_examples=12)
@given(st.lists(edits, min_size=2, max_size=4))
def test_incremental_build_after_random_edits(steps: list[list[tuple[str, str | None]]]) -> None:
    # Incremental builds do not store vectors, which take most of the time.
    config = Config(default_audience="public", search=SearchSettings(vectors=False))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setattr(publish, "write_assets", stub_assets)
        base = Path(folder)
        content = write_tree(base / "content", {"other.md": "# Other\n"})
        for step in steps:
            for edit in step:
                change(content, edit)
            build(content, base / "public", config, memory=Memory(base / "cache"))
            build(content, base / "clean", config)
            assert read_tree(base / "public") == read_tree(base / "clean")
