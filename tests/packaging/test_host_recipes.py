"""The recipes for hosts: applied to a built site, each sends what the table of the page and `ranvier serve` say."""

import re
import shlex
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from ranvier_builder.serve.static import static_app
from support.asgi import Client
from support.content import build_tree, read_tree, write_tree

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "site_example" / "content" / "guide" / "publish-on-a-static-host.md").read_text("utf-8")
NO_CACHE = "no-cache"
SAME = {"public, max-age=0, must-revalidate": NO_CACHE}  # what Netlify and Cloudflare Pages send without a rule
NEVER_REQUESTED = {"_ranvier/written.txt", "_ranvier/licenses.txt"}  # the table does not name them


def block(kind: str, section: str) -> str:
    match = re.search(rf"\n##+ {section}\n.*?```{kind}\n(.*?)```", PAGE, re.DOTALL)
    assert match, section
    return match[1]


NGINX = block("nginx", "nginx")
HEADERS = block("text", "Netlify and Cloudflare Pages")
UPLOAD = block("sh", "S3 and CloudFront")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with every kind of file: also with those of encrypted layers and of `ranvier index`."""
    pages = {f"p{number}.md": f"# Page {number}\n\nThe axon of page {number}.\n" for number in range(3)}
    folder = build_tree(tmp_path_factory.mktemp("hosts"), pages, vectors=True)
    names = ("search.js", "sw.js", f"langs-{'0' * 12}.wasm", "layers/locked.json", f"layers/{'0' * 16}/{'1' * 32}.bin")
    write_tree(folder / "_ranvier", dict.fromkeys(names, "{}"))
    return folder


@pytest.fixture(scope="module")
def expected(site: Path) -> dict[str, str]:
    """The table, by the path of each file: the first rule that matches counts."""
    rows = [re.split(r"\s+Cache-Control: ", line) for line in block("text", "Caching").splitlines()]
    rules = [("*" if path == "everything else" else path, value) for path, value in rows]
    return {path: next(value for rule, value in rules if fnmatchcase(f"/{path}", rule)) for path in read_tree(site)}


def test_table_agrees_with_serve(site: Path, expected: dict[str, str]) -> None:
    client = Client(static_app(site))
    paths = expected.keys() - NEVER_REQUESTED - {".nojekyll"}
    assert {path: client.get(f"/{path}").headers["cache-control"] for path in paths} == {path: expected[path] for path in paths}
    assert set(expected.values()) == {NO_CACHE, "public, max-age=31536000, immutable"}


def test_nginx(expected: dict[str, str]) -> None:
    """The first expression that matches counts, and `default` if none does."""
    table = NGINX.partition("map $uri $ranvier_cache {")[2].partition("\n}")[0]
    rules = re.findall(r'^ +(\S+) +"?(.+?)"?;$', table, re.MULTILINE)
    default_value = dict(rules)["default"]
    for path, value in expected.items():
        sent = (value for rule, value in rules if rule[0] == "~" and re.search(rule[1:], f"/{path}"))
        assert next(sent, default_value) == value, path
    assert "add_header Cache-Control $ranvier_cache;" in NGINX
    assert "add_header" not in NGINX.partition("location")[2], "it would remove those of the server"


def header_rules() -> list[tuple[str, dict[str, str]]]:
    rules: list[tuple[str, dict[str, str]]] = []
    for line in HEADERS.splitlines():
        if line.startswith("/"):
            rules.append((line, {}))
        else:
            name, _, value = line.strip().partition(": ")
            rules[-1][1][name] = value
    return rules


def test_headers_file(expected: dict[str, str]) -> None:
    """Hosts join or replace the values of several rules, so each header of a path has one value."""
    for path, value in expected.items():
        pairs = [pair for rule, headers in header_rules() if fnmatchcase(f"/{path}", rule) for pair in headers.items()]
        assert len(dict(pairs)) == len(pairs), path
        sent = dict(pairs).get("Cache-Control", *SAME)
        assert path in NEVER_REQUESTED or SAME.get(sent, sent) == value, path


def test_headers_file_is_within_the_limits_of_cloudflare_pages() -> None:
    """Not more than one asterisk a rule, 100 rules, and 2,000 characters a line."""
    assert {rule.count("*") for rule, _ in header_rules()} == {1}
    assert len(header_rules()) <= 100
    assert max(map(len, HEADERS.splitlines())) <= 2000


def uploads(site: Path) -> Iterator[tuple[list[str], str, list[str]]]:
    """Yield for each command that copies or deletes: its words, its `Cache-Control`, and the files that it covers."""
    text = UPLOAD.replace("\\\n", "")
    forever = re.search(r'FOREVER="(.*)"', text)
    assert forever
    for line in text.replace("$FOREVER", forever[1]).splitlines():
        words = shlex.split(line)
        if words[:2] == ["aws", "s3"]:
            source = words[3].removeprefix("public").lstrip("/")
            cache = words[words.index("--cache-control") + 1] if "--cache-control" in words else ""
            yield words, cache, [path for path in read_tree(site) if covers(words, source, path)]


def covers(words: list[str], source: str, path: str) -> bool:
    """Return whether a command covers a file: the last filter that matches counts."""
    if source in ("", path) or path.startswith(f"{source}/"):
        name = path.removeprefix(f"{source}/")
        filters = [(word, words[at + 1]) for at, word in enumerate(words) if word in ("--exclude", "--include")]
        return next((word == "--include" for word, pattern in reversed(filters) if fnmatchcase(name, pattern)), True)
    return False


def test_s3_headers(site: Path, expected: dict[str, str]) -> None:
    """Each file is copied with the header of the table."""
    copied: dict[str, str] = {}
    for words, cache, paths in uploads(site):
        if "--size-only" in words and not cache:
            assert set(paths) <= copied.keys(), "it only deletes"
        copied = dict.fromkeys(paths, cache) | copied
    assert copied == expected


def test_s3_order(site: Path) -> None:
    """That of *Updating a live site*: only hashed names may be compared by size, and the entry file comes after all others."""
    commands = list(uploads(site))
    steps = ["delete" if "--delete" in words else words[2] for words, _, _ in commands]
    assert steps == ["sync", "sync", "sync", "delete", "cp", "delete"]
    copied = {path for _, _, paths in commands[:4] for path in paths}
    assert copied == read_tree(site).keys() - {"_ranvier/entry.json"}
    assert commands[4][2] == ["_ranvier/entry.json"]
    assert commands[3][2] == commands[2][2]
    assert not any(path.startswith("_ranvier/") for path in commands[2][2])
    assert ["--size-only" in words for words, _, _ in commands] == [True, False, False, False, False, True]
    assert UPLOAD.index("create-invalidation") < UPLOAD.index("s3 cp")


def test_all_have_the_policy_of_the_page() -> None:
    policy = block("text", "Content security policy").partition(": ")[2].strip()
    assert f'add_header Content-Security-Policy "{policy}" always;' in NGINX
    assert dict(header_rules())["/*"] == {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": policy}
    assert "add_header X-Content-Type-Options nosniff always;" in NGINX
