"""Frontmatter is separated from the body (N1, N9)."""

import pytest
from ranvier_builder.read.frontmatter import split


@pytest.mark.parametrize(
    ("text", "fields", "body"),
    [
        ("", {}, ""),
        ("# Title\n", {}, "# Title\n"),
        ("---\ntitle: A\n---\nBody\n", {"title": "A"}, "Body\n"),
        ("---\ntitle: A\n---", {"title": "A"}, ""),
        ("---  \ntitle: A\n---\t\nBody", {"title": "A"}, "Body"),
        ("---\n---\nBody", {}, "Body"),
        ("---\n# only a comment\n---\nBody", {}, "Body"),
        ("+++\ntitle = 'A'\ntags = ['x']\n+++\nBody", {"title": "A", "tags": ["x"]}, "Body"),
        ('---json\n{\n\t"title": "A",\n\t"tags": ["x"]\n}\n---\nBody', {"title": "A", "tags": ["x"]}, "Body"),  # of Eleventy
        ("--- js\n{ title: 'A', menu: { key: \"B\" }, }\n---\nBody", {"title": "A", "menu": {"key": "B"}}, "Body"),
        ("---toml\ntitle = 'A'\n---\nBody", {"title": "A"}, "Body"),
        ("---yaml\ntitle: A\n---\nBody", {"title": "A"}, "Body"),
        ("---\n1: one\n---\n", {"1": "one"}, ""),  # keys are text
        ('{\n  "title": "A"\n}\nBody', {"title": "A"}, "Body"),
        ('{"title": "A"}\n\nBody', {"title": "A"}, "\nBody"),
        ('{"title": "A"} and text\n', {}, '{"title": "A"} and text\n'),
        ('{"title": }\n', {}, '{"title": }\n'),
        ('{{< note "x" >}}\n', {}, '{{< note "x" >}}\n'),
        ("---\ndate: 2024-13-45\n---\nBody", {"date": "2024-13-45"}, "Body"),  # one field is wrong, not the file
        ("---\na: |\n  --- not the end\nb: 2\n---\nBody", {"a": "--- not the end\n", "b": 2}, "Body"),
        ("Text\n---\ntitle: A\n---\n", {}, "Text\n---\ntitle: A\n---\n"),  # a rule further down is a rule
        ("---\n\nA rule, no frontmatter.\n", {}, "---\n\nA rule, no frontmatter.\n"),
        ("----\ntitle: A\n----\n", {}, "----\ntitle: A\n----\n"),
    ],
)
def test_frontmatter_is_split_from_the_body(text: str, fields: dict[str, object], body: str) -> None:
    result = split(text)
    assert (result.fields, result.body, result.problem) == (fields, body, "")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\ntitle: {#if x}\n{% end %}\n---\nBody", 3),  # a template
        ("---\na: {{a}}\nwords\n---\nBody", 3),
        ("---\ndescription: Publish: how\n---\nBody", 2),
        ("---\n\ttab: 1\n---\nBody", 2),
        ("---\n- a\n- b\n---\nBody", 1),
        ("---\njust words\n---\nBody", 1),
        ("---js\nconst title = 'A'\nconst draft = true\n---\nBody", 1),
        ("---js\n{title:'A',draft:true}\n---\nBody", 1),
        ("---js\n{ title: 'A', /* x */ draft: true }\n---\nBody", 1),
        ("---js\nmodule.exports = {draft: true}\n---\nBody", 1),
        ('---json\n{"a": 1,\n---\nBody', None),
        ("+++\ntitle = \n+++\nBody", None),
        ('+++\na = 1\ntitle = "x\nb = 1\n+++\nBody', 3),
        ("---\na: !!python/object:os.system x\n---\nBody", 2),
        # For `audience`, the wrong one of two values would publish the page.
        ("---\naudience: curator\naudience: public\n---\nBody", None),
    ],
)
def test_invalid_frontmatter_is_a_problem_with_a_line(text: str, line: int | None) -> None:
    """N9: the body does not contain the invalid frontmatter."""
    result = split(text)
    assert result.problem
    assert "at line" not in result.problem, "the message begins with the line of the file"
    assert result.fields == {}
    assert result.body == "Body"
    assert result.line >= 1
    assert line is None or result.line == line


@pytest.mark.parametrize(
    "value",
    [
        "!!bool maybe", "!!timestamp soon", '!!int ""', '!!float ""', "0001-01-01T00:00:00+23:59", "&a [*a]", "? [a]",
        "0x" + "f" * 5000,
    ],
)  # fmt: skip
def test_values_that_crash_the_yaml_library_are_handled(value: str) -> None:
    result = split(f"---\na: {value}\n---\nBody")
    assert result.body == "Body"
    assert bool(result.problem) != bool(result.fields)


def aliases(levels: int) -> str:
    """Return YAML of a few lines that stands for 9 ** levels values."""
    return "a0: &a0 [x]\n" + "".join(f"a{at + 1}: &a{at + 1} [" + f"*a{at}, " * 9 + "]\n" for at in range(levels))


def merges(levels: int) -> str:
    """Return YAML of a few lines whose last map is merged from 9 ** levels others."""
    maps = "".join(f"m{at + 1}: &m{at + 1}\n  <<: [" + ", ".join([f"*m{at}"] * 9) + "]\n" for at in range(levels))
    return "m0: &m0 {k: v}\n" + maps


TOO_MANY, TOO_DEEP = "it has more than 50,000 values", "it nests deeper than 50 levels"


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        (f"---\n{aliases(30)}---\n", TOO_MANY, 7),
        (f"---\n{merges(30)}---\n", TOO_MANY, 12),
        (f"---\n{merges(8)}---\n", TOO_MANY, 12),
        ("---\na: &a [*a]\n---\n", TOO_DEEP, 2),
        ("---\na: " + "[" * 5000 + "]" * 5000 + "\n---\n", TOO_DEEP, 2),
        ("---\n" + "".join(" " * at + "a:\n" for at in range(60)) + "---\n", TOO_DEEP, 52),
        ("---\na: [" + "x, " * 60_000 + "]\n---\n", TOO_MANY, 2),
        ("---\na: 1" + ":59" * 60_000 + "\n---\n", "a number has more than 4,300 digits", 2),
        ("---\na: " + "x" * 1_000_001 + "\n---\n", "it has more than 1,000,000 characters", 1),
        ("+++\nt = 1\n" + "a." * 20_000 + "b = 1\n+++\n", "a key has more than 50 parts", 3),
        ("+++\nt = {x = 1, " + "a." * 20_000 + "b = 1}\n+++\n", "a key has more than 50 parts", 2),
        ("+++\n[" + '"a" . ' * 20_000 + "b]\n+++\n", "a key has more than 50 parts", 2),
        ("+++\na = " + "[" * 5000 + "]" * 5000 + "\n+++\n", TOO_DEEP, 1),
        ("+++\na = " + "[" * 60 + "]" * 60 + "\n+++\n", TOO_DEEP, 1),
        ("+++\na = [" + "1," * 60_000 + "]\n+++\n", TOO_MANY, 1),
        ("+++\na = '" + "x" * 1_000_001 + "'\n+++\n", "it has more than 1,000,000 characters", 1),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}\n", TOO_DEEP, 1),
        ('{"a": ' + "[" * 60 + "]" * 60 + "}\n", TOO_DEEP, 1),
        ('{"a": [' + "1," * 60_000 + "1]}\n", TOO_MANY, 1),
        ('{"a": "' + "x" * 1_000_001 + '"}\n', "it has more than 1,000,000 characters", 1),
    ],
)
def test_frontmatter_bombs_are_rejected(text: str, problem: str, line: int) -> None:
    """N9: the message names the limit and the line."""
    parts = split(text + "Body")
    assert parts.fields == {}
    assert (parts.problem[: len(problem)], parts.line) == (problem, line)


@pytest.mark.parametrize(
    "text",
    [
        f"---\n{aliases(3)}---\n",
        f"---\n{merges(3)}---\n",
        "---\na: " + "[" * 40 + "]" * 40 + "\n---\n",
        "---\na: " + "x" * 900_000 + "\n---\n",
        "+++\n" + ".".join("abcdefghij") + " = 1\nb = '" + "a." * 100 + "'\n+++\n",
        '{"a": ' + "[" * 40 + "]" * 40 + "}\n",
    ],
)
def test_large_frontmatter_within_the_limits_is_read(text: str) -> None:
    assert split(text + "Body").problem == ""
    assert split(text + "Body").body == "Body"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("---\na: 1\n\nb:\n  - x\nC d: 2\n---\n", {"a": 2, "b": 4, "c d": 6}),
        ("+++\na = 1\n[b]\nc = 1\n+++\n", {"a": 2, "b": 3}),
        ('{\n  "a": 1,\n  "b": 2\n}\n', {"a": 2, "b": 3}),
    ],
)
def test_fields_have_their_lines(text: str, lines: dict[str, int]) -> None:
    """N9: a warning names the line of the field."""
    result = split(text)
    assert {name: result.lines[name] for name in result.fields} == lines


def test_duplicate_json_key_is_a_problem() -> None:
    assert split('{"audience": "curator", "Audience": "public"}\nBody').problem


def test_audience_lookalike_keeps_the_other_fields() -> None:
    """A1: the file is withheld, and the leak check searches for its title."""
    result = split("---\ntitle: Kestrel\nms.audience: public\n---\nBody")
    assert (result.kind, result.line, result.fields["title"]) == ("audience", 3, "Kestrel")
    assert split("---\ntitle: Kestrel\nms.audience: public\n---\nBody", ("MS.Audience",)).problem == ""
