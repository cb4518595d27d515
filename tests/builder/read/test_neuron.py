"""A Markdown file becomes a Neuron: its fields, its body, and its warnings (N1, N2, N9, A4, A6)."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.audience import Gate
from ranvier_builder.check.copy import _PUBLISHED
from ranvier_builder.check.reader import read_content
from ranvier_builder.composed import stream_safe
from ranvier_builder.errors import ReadError
from ranvier_builder.model import Neuron, Warn
from ranvier_builder.pipeline import survey
from ranvier_builder.read.items import Item, read_item
from ranvier_builder.read.neuron import read_neuron
from ranvier_builder.withheld import Reason
from support.content import OPEN, Tree, build_without_engine, write_tree


@pytest.fixture
def read(tree: Tree) -> Callable[..., Neuron]:
    def read(content: str | bytes, path: str = "notes/a file.md") -> Neuron:
        return read_neuron(tree({path: content}), path)[0]

    return read


@pytest.fixture
def warned(tree: Tree) -> Callable[..., list[Warn]]:
    return lambda content, path="a.md": read_neuron(tree({path: content}), path)[1]


def test_file_without_frontmatter_has_defaults(read: Callable[..., Neuron]) -> None:
    assert read("") == Neuron(path="notes/a file.md", title="a file", markdown="", id="notes/a file.md", has_title=False)


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("---\ntitle: Said\n---\n# Heading\n", "Said"),
        ("# Heading\n", "Heading"),
        ("## Second level\n", "a file"),
        ("---\ntitle:\n---\n# Heading\n", "Heading"),
        ("---\ntitle: 2024\n---\n", "2024"),
        ("---\ntitle: 1.5\n---\n", "1.5"),
        ("---\ntitle: no\n---\n", "no"),
        ("---\ntitle: 1.10\n---\n", "1.10"),
        ("---\ntitle: 0.10\n---\n", "0.10"),
        ("---\ntitle: 010\n---\n", "010"),
        ("---\ntitle: 12:30\n---\n", "12:30"),
        ("---\ntitle: 0x1F\n---\n", "0x1F"),
        ("---\ntitle: 1e3\n---\n", "1e3"),
        ("---\ntitle: {a: b}\n---\n# Heading\n", "Heading"),
        ("---\ntitle: Cafe\u0301\n---\n", "Café"),
    ],
)
def test_title_from_frontmatter_heading_or_file_name(read: Callable[..., Neuron], content: str, title: str) -> None:
    assert read(content).title == title


@pytest.mark.parametrize(
    ("content", "tags"),
    [
        ("---\ntags: [a, b]\n---\n", ("a", "b")),
        ("---\ntags: a, b ,c\n---\n", ("a", "b", "c")),
        ("---\ntags: '#a, #b/c'\n---\n", ("a", "b/c")),
        ("---\ntags:\n---\n", ()),
        ("---\ntags: [a, null, '', 3, true]\n---\n", ("a", "3", "true")),
        ("---\ntags: {a: 1}\n---\n", ()),
        ("text #one and #two/three.", ("one", "two/three")),
        ("#start of a line\n", ("start",)),
        ("# Heading\n## Second\n", ()),
        ("`#code` and ``a `#b` c``\n", ()),
        ("```\n#code\n```\n", ()),
        ("issue #12 and PR#x", ()),
        ("[link](page.md#anchor) [x](#here) [[page#part]]\n\n[y]:\n  #there", ()),
        ("# A { #a }\n\n## B {: #b toc }\n\n## C {.x #c} #d", ("d",)),
        ("# A {/* #a */}\n\n## B {/* #b */} #c", ("c",)),  # of Docusaurus
        ("[`close`]: #caveats\n  [y]: <#Foo>\n> [z]: x.md#part 'title'\n[^1]: a note #noted\n", ("noted",)),
        ("[x](https://example.com/x?#frag) [y](a(b).md #c) (and #said) https://example.com/x?#frag", ("said",)),
        ("[x] (#a, #b)", ("b",)),
        ("[12:30]: met #alice today", ("alice",)),
        ("&#x27; a/#b", ()),
        ("#a-b #a_b #a/", ("a-b", "a_b", "a")),
        ("---\ntags: [x]\n---\n#x #y #x", ("x", "y")),
        ("#日本 #café", ("日本", "café")),
        ('<a href="#top">up</a> <p style="color:#fff">', ()),  # an address and a colour are no tags
        ("<style>\na { color: #fff }\n</style> #x <svg><title>#eee</title></svg>", ("x",)),
        ("text <!-- #internal --> #shown", ("shown",)),  # a comment and its tags are not published
    ],
)
def test_tags_come_from_frontmatter_and_text(read: Callable[..., Neuron], content: str, tags: tuple[str, ...]) -> None:
    """N2."""
    assert read(content).tags == tags


@pytest.mark.parametrize(
    ("line", "audience"),
    [
        ("", None),
        ("audience: public", ("public",)),
        ("audience: [Public, TOOL]", ("public", "tool")),
        ("audience: public, tool", ("public", "tool")),
        ("audience:", ()),
        ("audience: []", ()),
        ("audience: ''", ()),
        ("audience: {public: true}", ()),
        ("audience: [[public]]", ()),
        ("audience: partners", ("partners",)),
        ("audience: 1", ("1",)),
        ("audience: {{audience}}", ()),  # a template, which is not read
        ("Audience: curator", ("curator",)),
        ("AUDIENCE: curator", ("curator",)),
        ("audience : curator", ("curator",)),
        ("other: [", None),
        ("other: [\ndraft: false", ()),  # the second line may belong to the list
    ],
)
def test_audience_is_read_from_frontmatter(read: Callable[..., Neuron], line: str, audience: tuple[str, ...] | None) -> None:
    """A1: `None` if the file has no audience; an empty tuple if the audience cannot be read."""
    assert read(f"---\n{line}\n---\nBody").audience == audience


@pytest.mark.parametrize(
    ("content", "body"),
    [
        (b"\xef\xbb\xbf---\ntitle: A\n---\nBody", "Body"),
        (b"---\r\ntitle: A\r\n---\r\nBody\r\nmore", "Body\nmore"),
        (b"---\rtitle: A\r---\rBody", "Body"),
        (b"---\ntitle: A\n---\nB\0o\0dy", "Body"),
        (b"---\ntitle: A\n---\ncaf\xe9", "caf\ufffd"),
        ("---\ntitle: A\ufeff\n---\nkes\ufefftrel".encode(), "kestrel"),
    ],
)
def test_bom_line_ends_and_invalid_bytes_are_read(read: Callable[..., Neuron], content: bytes, body: str) -> None:
    """N9."""
    neuron = read(content)
    assert (neuron.title, neuron.body) == ("A", body)


def test_combining_marks_in_fields_are_limited(read: Callable[..., Neuron]) -> None:
    """N9: no field has more than 30 combining marks in a row, so normalization stays fast."""
    marks = "a" + "\u0301\u0316" * 100
    names = "id kind summary source_type user_note parent role lang".split()
    lines = [f"{name}: {marks}" for name in names] + [f"{name}: [{marks}]" for name in ("aliases", "tags", "derived_from")]
    neuron = read("---\n" + "\n".join(lines) + f"\n---\n# {marks}\n")
    values = [neuron.title, *(getattr(neuron, name) for name in names), *neuron.aliases, *neuron.tags, *neuron.derived_from]
    assert any("\u034f" in value for value in values)
    assert [value for value in values if stream_safe(value) != value] == []


def test_file_above_16_mb_is_withheld_and_reported(tree: Tree) -> None:
    """N9, A2: with any frontmatter."""
    root = tree({"a.md": "---\naudience: public\n---\n"})
    with (root / "a.md").open("r+b") as file:
        file.truncate(16_000_001)
    neuron, warnings = read_neuron(root, "a.md")
    assert (neuron.audience, neuron.title, neuron.body) == ((), "a", "")
    assert [(warning.kind, str(warning)) for warning in warnings] == [
        ("limit", "a.md: is larger than 16 MB: left out; split it, or list it under `exclude`")
    ]


@pytest.mark.parametrize(
    ("front", "message"),
    [
        ("title: A: b", "2: frontmatter is not valid YAML and is read line by line; put the value in quotes: mapping"),
        ("tags:\n\t- a", "2: frontmatter is not valid YAML and is read line by line; use spaces, not tabs: found character"),
        ("a: b\ntitle: 'It", "3: frontmatter is not valid YAML and is read line by line; close the quote: found unexpected"),
        ('title: "a\\d"', "2: frontmatter is not valid YAML and is read line by line; write each backslash twice, or"),
        ("a: b\ncreated: {{date}}", "3: frontmatter cannot be read: found unhashable key; a value that begins with `{` must"),
    ],
)
def test_broken_yaml_has_the_cure_of_its_cause(warned: Callable[..., list[Warn]], front: str, message: str) -> None:
    (warning,) = warned(f"---\n{front}\n---\nText\n".encode())
    assert str(warning).startswith(f"a.md:{message}")


def test_invalid_utf8_is_reported_with_its_line(warned: Callable[..., list[Warn]]) -> None:
    (warning,) = warned(b"one\ntwo\ncaf\xe9\n")
    assert (warning.file, warning.line) == ("a.md", 3)
    assert "UTF-8" in warning.message


@pytest.mark.parametrize(
    ("front", "field", "value"),
    [
        ("id: n-1", "id", "n-1"), ("kind: guide", "kind", "guide"),
        ("aliases: first, second", "aliases", ("first", "second")), ("summary: In short.", "summary", "In short."),
        ("source_type: book", "source_type", "book"), ("derived_from: [x, y]", "derived_from", ("x", "y")),
        ("user_note: Mine", "user_note", "Mine"), ("parent: notes", "parent", "notes"), ("role: reader", "role", "reader"),
        ("weight: 2", "weight", 2.0), ("noindex: yes", "noindex", True), ("title: 0.88", "title", "0.88"),
        ("tags: [a, null, 3, 2024-01-02, [b, [c]]]", "tags", ("a", "3", "2024-01-02", "b", "c")), ("tags: null", "tags", ()),
        ("tags: a, b", "tags", ("a", "b")), ("tag: a", "tags", ("a",)), ("categories: a\nkeywords: b", "tags", ()),
        ("created: 2024-01-05", "created", "2024-01-05"), ("created: 2024-1-5", "created", "2024-01-05"),
        ("created: 2024/01/05", "created", "2024-01-05"), ("created: 2024-01-05T23:30:00-05:00", "created", "2024-01-05"),
        ("created: '2024-01-05T06:07:08Z'", "created", "2024-01-05"), ("created: 2024-01-05 10:00", "created", "2024-01-05"),
        ("date: {created: 2024-01-05, updated: 2024-02-06}", "created", "2024-01-05"),  # of Material for MkDocs
        ("created: 1597356582000", "created", "2020-08-13"),  # Dendron writes milliseconds; the day is in UTC
        ("updated: '1614556800000'", "updated", "2021-03-01"),
        ("slug: /a\npermalink: /:year/:title/", "addresses", ("/a",)),  # a permalink with placeholders is ignored
        ("redirect_from: [/, /b/, c.html, {d: e}]", "addresses", ("/b/", "c.html")),  # the home page is another page
        ("confidence: 0.5", "confidence", 0.5), ("confidence: '0.5'", "confidence", 0.5),
        ("confidence: Medium", "confidence", 0.8), ("sidebar_position: 2.5", "order", 2.5), ("sort_rank: 3", "order", 3.0),
        ("eleventyNavigation: {key: Ox, order: 3}", "order", 3), ("order:", "order", None),
        ("eleventyNavigation: {key: Ox, parent: Cow}", "label", "Ox"),
        ("lang: zh-Hant-TW", "lang", "zh-Hant-TW"), ("lang: en_US", "lang", "en-US"),
        ("lang: x-default", "lang", "x-default"), ("lang: no", "lang", "no"), ("lang:", "lang", ""),
        ("user_note_shared: true", "user_note_shared", True), ("nested:\n  title: x\n  deep: {a: 1}", "title", "a file"),
    ],
)  # fmt: skip
def test_field_values_are_read(tree: Tree, front: str, field: str, value: object) -> None:
    """N1, N4."""
    neuron, warnings = read_neuron(tree({"n/a file.md": f"---\nother: x\n{front}\n---\nBody"}), "n/a file.md")
    assert (getattr(neuron, field), warnings) == (value, [])


@pytest.mark.parametrize(
    ("front", "field", "value", "message"),
    [
        ("title: {a: b}", "title", "a file", "title must be a string, but is a map"),
        ("title: [a]", "title", "a file", "title must be a string, but is a list"),
        ("tags: [a, {b: c}]", "tags", ("a",), "tags must be a list of strings, but contains a map"),
        ("created: 2024-13-45", "created", "", "created must be a date such as 2024-01-31, but is '2024-13-45'"),
        ("created: soon", "created", "", "created must be a date such as 2024-01-31, but is 'soon'"),
        ("created: [1]", "created", "", "created must be a date such as 2024-01-31, but is a list"),
        ("confidence: 1.5", "confidence", None, "confidence must be a number from 0 to 1, but is 1.5"),
        ("confidence: sure", "confidence", None, "confidence must be a number from 0 to 1, but is 'sure'"),
        ("weight: heavy", "weight", 1.0, "weight must be a number, but is 'heavy'"),
        ("weight: true", "weight", 1.0, "weight must be a number, but is True"),
        ("sidebar_position: two", "order", None, "sidebar_position must be a number, but is 'two': left out"),
        ("nav_order: [1]", "order", None, "nav_order must be a number, but is a list"),
        ("nav_order: 1e10", "order", None, "nav_order must be a number below 1,000,000,000, but is '1e10'"),
        ("sidebar: {order: first}", "order", None, "sidebar.order must be a number, but is 'first'"),
        ("lang: deutsch", "lang", "", "lang must be a language tag such as de or pt-BR: ignored"),
        ("lang: de, en", "lang", "", "lang must be a language tag such as de or pt-BR: ignored"),
        ("user_note_shared: 'yes'", "user_note_shared", False, "user_note_shared must be true or false, but is 'yes': not"),
        ("user_note_shared: 1", "user_note_shared", False, "user_note_shared must be true or false, but is 1: not shared"),
        ("noindex: perhaps", "noindex", True, "noindex must be true or false, but is 'perhaps': treated as true"),
    ],
)
def test_wrong_field_values_are_reported(tree: Tree, front: str, field: str, value: object, message: str) -> None:
    """N1, N9."""
    neuron, warnings = read_neuron(tree({"n/a file.md": f"---\nother: x\n{front}\n---\nBody"}), "n/a file.md")
    assert getattr(neuron, field) == value
    assert [(item.kind, item.line, item.message[: len(message)]) for item in warnings] == [("field", 3, message)]


@pytest.mark.parametrize(
    ("front", "fields", "audience", "text"),
    [
        ("ms.audience: Public", ("ms.audience",), ("public",), ""),
        ("ms: {audience: [Tool]}", ("ms.audience",), ("tool",), ""),
        ("Readers: tool", ("readers",), ("tool",), ""),
        ("readers:", ("readers",), (), ""),
        ("audience: public\nreaders: Public", ("readers",), ("public",), ""),
        ("audience: public\nreaders: curator", ("readers",), (), "2: `audience` and `readers` are both set, with different"),
        ("audience: public\nreaders: []", ("readers",), (), "2: `audience` and `readers` are both set, with different"),
        ("publish: true\naudience: public", ("publish",), (), "1: `audience` and `publish` are both set, with different"),
        ("ms.audience: Public", (), (), "1: the field `ms.audience` may be an audience"),
        ("target_audience: x", (), (), "1: the field `target_audience` may be an audience"),
        ("ms: {audience: x}", (), (), "1: the field `ms.audience` may be an audience"),
        ("a: b\naudiance: public", (), (), "2: the field `audiance` may be an audience"),
        ("audience: public\nms.audience: x", (), ("public",), ""),
        ("title: x\naudio: y", (), None, ""),
    ],
)
def test_configured_audience_fields_and_lookalikes(
    tree: Tree, front: str, fields: tuple[str, ...], audience: tuple[str, ...] | None, text: str
) -> None:
    """A1, N9: a field that resembles an audience withholds the file, and the warning names the setting to use."""
    neuron, warnings = read_neuron(tree({"a.md": f"---\n{front}\n---\nBody"}), "a.md", Config(audience_fields=fields))
    assert neuron.audience == audience
    if text:
        (warning,) = warnings
        line, _, message = text.partition(": ")
        assert (warning.kind, warning.line) == ("audience", int(line) + 1)
        assert warning.message.startswith(message)
        assert "different" in message or "audience_fields = [" in warning.message
    else:
        assert warnings == []


@pytest.mark.parametrize(
    ("globs", "extra"),
    [
        ((), ()),
        (("product", "version"), (("product", "Kestrel"), ("version", "1.5"))),
        (("PRO*",), (("product", "Kestrel"),)),
        (("list",), (("list", "a, 2"),)),
        (("map",), ()),
        (("*",), (("product", "Kestrel"), ("version", "1.5"), ("list", "a, 2"))),  # never a private note, nor an audience
    ],
)
def test_extra_fields_are_published_only_if_configured(
    tree: Tree, globs: tuple[str, ...], extra: tuple[tuple[str, str], ...]
) -> None:
    """N3, A4."""
    front = "user_note: secret\nProduct: Kestrel {#claim-1a}\nversion: 1.5\nlist: [a, null, 2, {b: 1}]\nmap: {a: b}"
    root = tree({"a.md": f"---\n{front}\nreaders: public\n---\nBody"})
    neuron, _ = read_neuron(root, "a.md", Config(search_fields=globs, audience_fields=("readers",)))
    assert neuron.extra == extra


@pytest.mark.parametrize(
    ("path", "front", "kind", "created"),
    [
        ("2024-03-01.md", "", "daily", "2024-03-01"),
        ("d/x.md", "title: 2024-03-01", "daily", "2024-03-01"),
        ("2024-03-01.md", "created: 2020-01-01\nkind: log", "log", "2020-01-01"),
        ("2024-13-01.md", "", "page", ""),
        ("2024-03-01 notes.md", "", "page", ""),
    ],
)
def test_daily_note_is_recognised_by_its_date(tree: Tree, path: str, front: str, kind: str, created: str) -> None:
    """N6."""
    neuron, _ = read_neuron(tree({path: f"---\n{front}\n---\nBody"}), path)
    assert (neuron.kind, neuron.created) == (kind, created)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("Body", 1),
        ("---\na: b\n---\nBody", 4),
        ("---\r\na: b\r\n---\r\nBody", 4),
        ("\ufeff\n---\na: b\n---\nBody", 5),
        ("+++\na = 'b'\n+++\nBody", 4),
        ('{\n"a": "b"\n}\nBody', 4),
        ("---\na: [\n---\nBody", 4),
    ],
)
def test_body_start_line_is_known(read: Callable[..., Neuron], content: str, line: int) -> None:
    neuron = read(content)
    assert (neuron.line, neuron.body) == (line, "Body")


def test_empty_file_is_reported(warned: Callable[..., list[Warn]]) -> None:
    """N9."""
    assert [item.kind for item in warned("")] == ["empty"]
    assert [item.kind for item in warned("\ufeff \n\n")] == ["empty"]
    assert warned("---\ntitle: x\n---\n") == []


@pytest.mark.parametrize(
    "line",
    [
        "weight: 1" + "0" * 400,  # larger than any float
        "confidence: 1" + "0" * 400,
        "title: 0x" + "f" * 5000,  # more digits than Python will print
        "weight: .nan",
        "confidence: .inf",
        "weight: [1]",
        "created: 0001-01-01T00:00:00+23:59",
        "tags: &a [*a]",
    ],
)
def test_extreme_values_do_not_crash(read: Callable[..., Neuron], line: str) -> None:
    """N9."""
    neuron = read(f"---\n{line}\n---\nBody")
    assert neuron.body == "Body"
    assert neuron.created in ("", "0001-01-01")
    assert isinstance(neuron.weight, float)


def test_lone_surrogate_in_frontmatter_does_not_break_the_build(tree: Tree, tmp_path: Path) -> None:
    """N9: YAML can spell a lone surrogate, which UTF-8 cannot encode."""
    content = tree(
        {"a.md": '---\ntitle: "half \\ud83d a pair"\nsummary: "\\ud800"\ntags: ["\\udfff"]\n---\nBody\n', "b.md": "text"}
    )
    assert build_without_engine(content, tmp_path / "out").read == 2


@pytest.mark.parametrize(
    ("content", "body"),
    [
        ("A claim {#claim-0a1B2c3d}.", "A claim."),
        ("# Heading {.note #claim-1 #own}\n", "# Heading {.note #own}\n"),
        ("# Heading { #Claim-0a }\n", "# Heading\n"),
        ("[[b#claim-0a|l]] [x](#claim-0a) [y](b.md#claim-0a)", "[[b#|l]] [x](#) [y](b.md#)"),
        ('<a id="claim-0a" class=b>x</a><a name=claim-0a>y</a>', "<a class=b>x</a><a>y</a>"),
        ("A claim{#claim-00000000} and another {#claim-ffffffff}", "A claim and another"),
        ("{#other-1} stays", "{#other-1} stays"),
        ("{#cl{#claim-1}aim-2}", ""),  # a removed anchor leaves no new anchor
    ],
)
def test_claim_anchors_are_stripped_from_the_body(read: Callable[..., Neuron], content: str, body: str) -> None:
    """A6."""
    assert read(content).body == body


@pytest.mark.parametrize(
    ("content", "body"),
    [
        ("shown %%hidden%% shown", "shown  shown"),
        ("%%\nhidden\n#tag\n%%\nshown", "\n\n\n\nshown"),  # lines keep their numbers
        ("`%%a%%` and\n```\n%%b%%\n```\n", "`%%a%%` and\n```\n%%b%%\n```\n"),
        ("100%% of 50%", "100%% of 50%"),
    ],
)
def test_percent_comments_are_removed(read: Callable[..., Neuron], content: str, body: str) -> None:
    """A2."""
    assert read(content).body == body
    assert read(content).tags == ()


@pytest.mark.parametrize(
    ("field", "is_withheld"),
    [
        ("draft: true", True),
        ("draft: yes", True),
        ("draft: 2024-01-01", True),  # any value except no may mean yes
        ("draft: false", False),
        ("draft:", False),
        ("private: true", True),
        ("expiryDate: 2099-01-01", True),  # a build has no clock
        ("expiryDate: 0001-01-01", False),  # no date, in Hugo
        ("expiryDate: 0001-01-01T00:00:00Z", False),
        ('expiryDate: "0001-01-01T00:00:00+00:00"', False),
        ("expiryDate: ''", False),
        ("password: x", True),  # plugins of other systems encrypt the page
        ("password: [x, y]", True),
        ("password:", False),
        ("expiryDate: 0001-01-02", True),
        ("draft: 0001-01-01", True),
        ("published: false", True),
        ("published: 2024-01-01", False),  # a date, in other systems
        ("publish: no", True),
        ("publish: true", False),
        ("public: false", True),
        ("visibility: private", True),
        ("visibility: public", False),
        ("routable: false", True),  # a part of another page in Grav
        ("access: {site.login: true}", True),
        ("access:\n  site.login: true", True),
        ("access: read-only", False),
        *((f"{name}: true", True) for name in ("is_draft", "isDraft", "is-private", "draft\u200b", "dra\xadft", "\uff44raft")),
        *((f"{name}: false", True) for name in ("isPublished", "is_public", "dg_publish", "DG-Publish")),
        *((f"{name}: false", False) for name in ("isDraft", "is_private", "island", "drafts")),
        ("expiry_date: 2099-01-01", True),
    ],
)
@pytest.mark.parametrize("audience", ["", "audience: public\n"])
def test_draft_and_private_fields_override_the_default_audience(
    tree: Tree, field: str, is_withheld: bool, audience: str
) -> None:
    """A1: a page with `draft: true` or the like is withheld unless it has an audience. There is no warning if the site has no
    default audience.
    """
    folder = tree({"a.md": f"---\ntitle: T\n{audience}{field}\n---\nBody"})
    neuron, warnings = read_neuron(folder, "a.md", OPEN)
    assert neuron.audience == (("public",) if audience else () if is_withheld else None)
    assert [warning.kind for warning in warnings] == ["audience"] * (is_withheld and not audience)
    assert all(warning.line == 3 and "`audience: public`" in warning.message for warning in warnings)
    if not audience:
        assert read_neuron(folder, "a.md") == (neuron if not is_withheld else read_neuron(folder, "a.md")[0], [])


@pytest.mark.parametrize("draft", ["blog/_Drafts/a.md", "blog/a.Draft.md", "blog/a.draft.de.md", "blog.draft/a.md"])
@pytest.mark.parametrize(("content", "audience"), [("Text.", ()), ("---\naudience: public\n---\n", ("public",))])
def test_page_in_a_folder_of_drafts_is_withheld(tree: Tree, draft: str, content: str, audience: tuple[str, ...]) -> None:
    """A1: also by the proof; a file of that name is a page."""
    folder = tree({draft: content, "blog/_drafts.md": "Text.", "_drafts/talk.vtt": "WEBVTT\n"})
    items = [read_item(folder, Item(path), OPEN)[0] for path in (draft, "blog/_drafts.md", "_drafts/talk.vtt")]
    published = Gate(default="public").admit(items)
    assert published.paths == {"blog/_drafts.md"} | ({draft} if audience else set())
    cured = [warning.file for warning in published.warnings if "set `audience: public`" in warning.message]
    assert cured == ([] if audience else [draft])
    assert Gate().admit(items).withheld == {Reason.NO_AUDIENCE: 2 if audience else 3}
    assert Gate(default="curator").admit(items).withheld[Reason.UNREADABLE] == (1 if audience else 2)
    content_files = read_content(folder, OPEN)
    withheld = {source.path: bool(source.withheld) for source in (*content_files.pages, *content_files.files)}
    assert withheld == {"_drafts/talk.vtt": True, draft: not audience, "blog/_drafts.md": False}


def test_cascade_of_an_index_file_with_a_language_withholds_the_pages_below(tree: Tree) -> None:
    """A1: Hugo's `_index.de.md`, by the gate and by the proof."""
    folder = tree({"b/_index.de.md": "---\ncascade: {draft: true}\n---\n", "b/a.de.md": "# A\n"})
    items = [read_item(folder, Item(path), OPEN)[0] for path in ("b/_index.de.md", "b/a.de.md")]
    assert not Gate(default="public").admit(items).paths & {"b/a.de.md"}
    assert "b/a.de.md" in {source.path for source in read_content(folder, OPEN).withheld}


CASCADES = {
    "cascade: {draft: true}": True,
    "cascade:\n- target: {path: /x}\n  Draft: yes": True,
    "cascade: {published: false}": True,
    "cascade: {audience: curator}": True,
    "cascade: {draft: false, title: x}": False,
    "cascade: draft": False,
}


@pytest.mark.parametrize("field", CASCADES)
def test_cascade_withholds_the_pages_below(tree: Tree, field: str) -> None:
    """A1: also transcripts and included text, by the gate and by the proof; not a page that names its audience."""
    include = "{{#include ../b/x.rs}} {{#include ../b/deep/a.md}}"
    folder = tree(
        {
            "a/a.md": f"# A\n\nWords {include}\n",
            "b/_index.md": f"---\naudience: public\n{field}\n---\n# B\n",
            "b/deep/a.md": "# Deep quokka\n",
            "b/deep/named.md": "---\naudience: public\n---\n# Named\n",
            "b/talk.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nWe quokka.\n",
            "b/x.rs": "quokka();\n",
            "c/_index.md": "# C\n",
        }
    )
    report = build_without_engine(folder, folder / "out")
    held = CASCADES[field]
    shown = {file.parent.name for file in (folder / "out").rglob("index.html") if b"uokka" in file.read_bytes()}
    assert bool(shown & {"a", "deep", "talk"}) != held
    assert (folder / "out" / "b" / "deep" / "named" / "index.html").is_file()
    assert report.published == (4 if held else 6)
    withheld = {source.path for source in read_content(folder, OPEN, folder / "out").withheld}
    assert withheld == ({"b/deep/a.md", "b/talk.vtt"} if held else set())


@pytest.mark.parametrize(
    ("content", "title", "summary"),
    [
        ("---\ntitle: T <!-- hidden -->\nsummary: a %%hidden%% b\n---\n", "T", "a  b"),
        ("---\ntitle: 100%% sure\n---\n", "100%% sure", ""),
        (
            "---\ntitle: About [[Plan]] and [[Plan|words]]\nsummary: See [[Plan#x]].\n---\n",
            "About private note and words",
            "See private note.",
        ),
        ("# About [[Plan]] and [[Plan|words]]\n", "About private note and words", ""),
    ],
)
def test_comments_and_private_links_are_removed_from_fields(tree: Tree, content: str, title: str, summary: str) -> None:
    """A2: `redact_private_links` also removes the names of linked pages."""
    folder = tree({"a.md": content})
    neuron, _ = read_neuron(folder, "a.md", Config(redact_private_links=True))
    assert (neuron.title, neuron.summary) == (title, summary)
    assert ("Plan" in read_neuron(folder, "a.md")[0].title) == ("Plan" in content)


@pytest.mark.parametrize(
    ("source", "summary"),
    [
        ("Returns the `name` of a `menu`.", "Returns the name of a menu."),
        ("`a` (`/`)", "a (/)"),
        ("O`zbekiston bo`ylab, From O`ahu to Moloka`i", None),
        ("a ` and a ` b", None),
        ("``a`b`` and ``c``", None),
        (r"\`b\`", None),
    ],
)
def test_code_of_summary_loses_its_marks(read: Callable[..., Neuron], source: str, summary: str | None) -> None:
    """Pages show a summary as plain text. Titles stay as they are: links name them."""
    neuron = read(f"---\ntitle: 'Use `a`'\nsummary: '{source}'\n---\n")
    assert (neuron.title, neuron.summary) == ("Use `a`", summary or source)


def test_claim_anchors_are_stripped_from_fields(read: Callable[..., Neuron]) -> None:
    """A6: search shows titles, summaries, aliases and tags."""
    neuron = read(
        "---\ntitle: T {#claim-1a}\nsummary: S {#claim-1b}\naliases: ['A {#claim-1c}']\ntags: ['t{#claim-1d}']\n---\n"
    )
    assert "claim" not in repr((neuron.title, neuron.summary, neuron.aliases, neuron.tags))


@pytest.mark.parametrize("name", ["translationKey", "translation_key", "page_id"])
def test_translation_key(tree: Tree, name: str) -> None:
    """R7: the proof reads it, too, since it changes the links of a page."""
    folder = tree({"a.md": f"---\n{name}: about\n---\nText."})
    assert read_neuron(folder, "a.md")[0].translation == "about"
    assert name.lower() in _PUBLISHED


@pytest.mark.parametrize(("name", "cure"), [("gone.md", "removed during the build: build again"), ("folder.md", "exclude")])
def test_unreadable_file_is_an_error(tmp_path: Path, name: str, cure: str) -> None:
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(ReadError, match=rf"{name}: cannot be read.*\n.*{cure}"):
        read_neuron(tmp_path, name)


@pytest.mark.parametrize(
    ("path", "body", "title"),
    [
        ("src/ch04-01-what-is-ownership.md", "## What Is Ownership?\n\nText\n", "What Is Ownership?"),
        ("Project plan.md", "## Steps\n", "Project plan"),
        ("2026-11-23.md", "## Morning\n", "2026-11-23"),
        ("guide/index.md", "text", "Guide"),
        ("cloud-storage/README.md", "text\n\n## Usage\n", "Cloud storage"),
        ("05-core-package/index.md", "text", "Core package"),
        ("README.md", "text", "Handbook"),
        ("README.md", "## Handbook of ropes\n", "Handbook of ropes"),
    ],
)
def test_title_without_a_level_one_heading(tmp_path: Path, path: str, body: str, title: str) -> None:
    """N1: a lower heading at the top of the page, or the file or folder name; never `index`."""
    assert read_neuron(write_tree(tmp_path / "handbook", {path: body}), path)[0].title == title


@pytest.mark.parametrize(
    ("name", "home"), [("README", "# README\n"), ("README", "---\ntitle: Index\n---\n"), ("README", "text"), ("Home", "Words")]
)
def test_site_title_is_not_the_home_page_file_name(tmp_path: Path, name: str, home: str) -> None:
    folder = write_tree(tmp_path / "Ropes", {f"{name}.md": home, "a.md": "text"})
    assert survey(folder, OPEN).tree.root.title == "Ropes"


@pytest.mark.parametrize(
    ("folder", "home", "title"),
    [("Ropes", "Home", "Ropes"), ("docs", "Home", "Home"), ("docs", "The kestrel", "The kestrel"), ("Ropes", "Knots", "Knots")],
)
def test_home_page_called_home_does_not_name_a_site_if_its_folder_does(
    tmp_path: Path, folder: str, home: str, title: str
) -> None:
    content = write_tree(tmp_path / folder, {"index.md": f"# {home}"})
    assert survey(content, OPEN).tree.root.title == title


@pytest.mark.parametrize(("home", "title"), [("", "Ropes"), ("# Home", "Ropes"), ("# Knots", "Knots")])
def test_repository_names_a_site_whose_folder_does_not(tmp_path: Path, home: str, title: str) -> None:
    (tmp_path / "Ropes/.git").mkdir(parents=True)
    content = write_tree(tmp_path / "Ropes/docs", {"a.md": "text", **({"index.md": home} if home else {})})
    assert survey(content, OPEN).tree.root.title == title
