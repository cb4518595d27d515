"""Builds of small random trees: none crashes, and no withheld text is in the output (A2, A3, N9).

Files for curators, and files that cannot be read, have words that no other file has; every written file is inflated and
searched for these words. `RANVIER_FUZZ_EXAMPLES` runs more examples than usual.
"""

import json
import os
import tempfile
import zlib
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ranvier_builder import Config
from ranvier_builder.errors import BuildError, LeakError
from support.content import build_without_engine, write_tree

EXAMPLES = int(os.environ.get("RANVIER_FUZZ_EXAMPLES", "60"))
PUBLIC_WORDS = "garden rose hedge water gate path stone the of and to in is a note plan list 庭 été naïve don't".split()
SECRET_WORDS = [f"{start}{end}" for start in ("qux", "zyr", "vlorp") for end in ("amble", "ition", "ery", "wick")]
NAMES = ["index", "README", "a", "B", "b", "note 1", "über", "$", "plan#2", "list?x", "深い庭", "talk", "x.y"]
FOLDERS = ["", "docs/", "docs/deep/", "Docs/", "_private/", ".hidden/"]

word = st.sampled_from(PUBLIC_WORDS)
phrase = st.lists(word, min_size=1, max_size=8).map(" ".join)
odd_text = st.text(st.characters(codec="utf-8"), max_size=12)
markup = st.sampled_from(
    [
        "# {}", "- {}", "> [!note] {}", "[[{}]]", "[[a|{}]]", "[{}](a.md)", "![{}](p.png)", "`{}`", "```\n{}\n```", "%%{}%%",
        "<!-- {} -->", "<b>{}</b>", "{{{{< ref {} >}}}}", "{} {{#claim-ab12cd34}}", "#tag/{}", "| {} |\n|-|", "*{}*",
        "<script>{}</script>", "$${}$$", "{}",
    ]
)  # fmt: skip
scalar = st.one_of(
    phrase, odd_text, st.integers(-9, 9999), st.booleans(), st.none(), st.sampled_from(["2024-01-02", "2024-13-45", "0.88"])
)
value = st.one_of(scalar, st.lists(scalar, max_size=3), st.dictionaries(phrase, scalar, max_size=2))
keys = st.sampled_from(
    "title tags aliases summary id kind updated user_note user_note_shared noindex parent derived_from x y".split()
)
PUBLIC_AUDIENCES = st.sampled_from(["public", ["public"], "tool, public", ["curator", "public"], "Public", "itpro"])
PRIVATE_AUDIENCES = st.sampled_from(
    ["curator", ["tool"], "", None, [], {}, "nobody", ["x", "y"], 7, True, "curator, tool", "publik", [["public"]]]
)


def body(words: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    line = st.builds(
        lambda template, text: template.format(text), markup, st.lists(words, min_size=1, max_size=7).map(" ".join)
    )
    return st.lists(st.one_of(line, odd_text), max_size=6).map("\n\n".join)


def head(fields: dict[str, object]) -> str:
    """Return frontmatter with values in JSON, which YAML can read."""
    return "---\n" + "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in fields.items()) + "---\n"


secret_words = st.sampled_from(SECRET_WORDS)
public_file = st.builds(
    lambda fields, audience, text: head({**fields, "audience": audience}) + text,
    st.dictionaries(keys, value, max_size=4),
    PUBLIC_AUDIENCES,
    body(word),
)
default_file = st.builds(lambda fields, text: head(fields) + text, st.dictionaries(keys, value, max_size=3), body(word))
secret_file = st.builds(
    lambda fields, audience, text, title: head({**fields, "title": title, "audience": audience}) + text,
    st.dictionaries(st.sampled_from(("summary", "tags", "aliases", "user_note")), secret_words, max_size=3),
    PRIVATE_AUDIENCES,
    body(secret_words),
    secret_words,
)
broken_file = st.builds(
    lambda start, text: start + text,
    st.sampled_from(
        [
            "---\ntitle: [x\naudience: public\n---\n", "---\naudience: public\naudience: tool\n---\n",
            "---\naudience: public\n", "audience: public\n\n", "---\naudiance: public\n---\n",
            "---\nx:\n audience: public\n---\n", "+++\naudience = public\n+++\n", "---\n- audience\n---\n",
        ]
    ),
    body(secret_words),
)  # fmt: skip
path = st.builds(
    lambda folder, name, number: f"{folder}{name}{number}.md",
    st.sampled_from(FOLDERS),
    st.sampled_from(NAMES),
    st.sampled_from(["", "2"]),
)
secret_path = st.builds(lambda folder, name: f"{folder}{name}.md", st.sampled_from(FOLDERS), secret_words)
trees = st.tuples(
    st.dictionaries(path, st.one_of(public_file, default_file), max_size=4),
    st.dictionaries(secret_path, st.one_of(secret_file, broken_file), max_size=3),
)
configs = st.builds(
    Config,
    title=st.sampled_from(["", "Garden"]),
    url=st.sampled_from(["", "https://example.org/g/"]),
    default_audience=st.sampled_from(["", "public"]),
    audience=st.sampled_from([{}, {"itpro": "public"}]),
    redact_private_links=st.booleans(),
    search_fields=st.sampled_from([(), ("x",)]),
)


def output_text(out: Path) -> str:
    """Return the names and the inflated contents of all files, as one lower-case text."""
    texts = []
    for file in sorted(out.rglob("*")):
        texts.append(file.relative_to(out).as_posix())
        if file.is_file():
            data = file.read_bytes()
            try:
                data = zlib.decompress(data)
            except zlib.error:
                pass
            texts.append(data.decode("utf-8", "replace"))
    return "\n".join(texts).lower()


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(trees, configs)
def test_random_tree_is_built_without_a_leak(tree: tuple[dict[str, str], dict[str, str]], config: Config) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        files = {name: text.encode("utf-8", "surrogatepass") for name, text in {**tree[0], **tree[1]}.items()}
        content = write_tree(root / "content", {"p.png": b"\x89PNG", **files})
        try:
            build_without_engine(content, root / "out", config)
        except BuildError as error:
            if isinstance(error, LeakError) or not error.cure:
                raise
            return
        text = output_text(root / "out")
        assert [word for word in SECRET_WORDS if word in text] == []
