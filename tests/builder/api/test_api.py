"""V2, [000], [001]: the HTTP API of a site."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from ranvier import open_snapshot
from ranvier_builder.api.app import MAX_BODY, MAX_QUERY, api_app
from ranvier_builder.api.tokens import Tokens, read_tokens
from ranvier_builder.serve.static import static_app
from starlette.applications import Starlette
from support.asgi import Answer, Client
from support.content import write_tree
from support.shared import site_fixture
from support.whole_site import page, whole_site

TOKENS = {audience: f"{audience}-0123456789abcdef" for audience in ("public", "tool", "curator")}
NO_SEARCH_TOKEN = "mute-0123456789abcdef"
FILES = {
    "wiki/vip.md": page(
        "# VIP escalation\n\nWhen a VIP customer raises a kestrel.", tags=["policy", "on-call"], audience=["public"]
    ),
    "tool.md": page("# Toolbox\n\nA kestrel for tools. See [[VIP escalation]].", audience=["tool"]),
    "secret.md": page("# Kestrel plans\n\nA kestrel for curators. See [[VIP escalation]].", audience=["curator"]),
}
site = site_fixture(whole_site, FILES)


@contextmanager
def client_of(site: Path, tokens: Tokens, *args: Any, **options: Any) -> Iterator[Client]:
    """Yield a client, and shut the application down."""
    app = api_app(site, tokens, *args, **options)
    try:
        yield Client(app)
    finally:
        asyncio.run(shut_down(app))


async def shut_down(app: Starlette) -> None:
    async with app.router.lifespan_context(app):
        pass


@pytest.fixture
def ask(site: Path, tmp_path: Path) -> Iterator[Callable[..., Answer]]:
    """Call the API with the token of an audience."""
    file = tmp_path / "tokens"
    lines = [*(f"{audience} {token}\n" for audience, token in TOKENS.items()), f"curator {NO_SEARCH_TOKEN} no-search\n"]
    file.write_text("".join(lines))

    def call(path: str, token: str = TOKENS["curator"], body: Any = None, **query: Any) -> Answer:
        data = b"" if body is None else json.dumps(body).encode()
        pairs = urlencode(query, doseq=True)
        return app.get(path, "GET" if body is None else "POST", pairs, data, authorization=f"Bearer {token}")

    with client_of(site, read_tokens(file)) as app:
        yield call


def test_search_has_the_shape_of_the_seed(ask: Callable[..., Answer]) -> None:
    """V2, [000]: `documents`, and a higher `rank` is better."""
    answer = ask("/search", q="kestrel")
    documents = answer.json["documents"]
    assert answer.status == 200
    assert answer.headers["cache-control"] == "no-store"
    assert [document["rank"] for document in documents] == sorted((hit["rank"] for hit in documents), reverse=True)
    vip = next(document for document in documents if document["title"] == "VIP escalation")
    names = {"filename": "vip.md", "path": "wiki/vip.md", "kind": "page", "knowledgeBaseId": "myprod"}
    assert vip.items() >= (names | {"tags": "policy,on-call"}).items()
    assert isinstance(vip["seq"], int)
    assert "<mark>kestrel</mark>" in vip["highlight"]


def test_retrieve_has_the_shape_of_the_seed(ask: Callable[..., Answer]) -> None:
    """V2, P2, [000]."""
    answer = ask("/retrieve", body={"query": "kestrel", "topK": 2, "maxChars": 60}).json
    assert answer["hitCount"] == len(answer["chunks"]) > 0
    assert sum(len(chunk["content"]) for chunk in answer["chunks"]) == answer["totalChars"] <= 60
    assert answer["formattedContext"].startswith("## Neuron 1 — ")
    assert {"documentId", "seqId", "title", "neuronPath", "content", "headerBreadcrumb", "rank"} <= answer["chunks"][0].keys()


@pytest.mark.parametrize(
    ("audience", "private_titles"), [("public", set()), ("tool", {"Toolbox"}), ("curator", {"Toolbox", "Kestrel plans"})]
)
def test_token_limits_all_endpoints(ask: Callable[..., Answer], audience: str, private_titles: set[str]) -> None:
    """V2, A1, [000]: search, retrieve, suggestions, backlinks and counts."""
    token, titles = TOKENS[audience], {"VIP escalation"} | private_titles
    result = ask("/search", token, q="kestrel", facets="tags")
    assert {document["title"] for document in result.json["documents"]} == titles
    assert result.json["totalHits"] == len(titles)
    assert {chunk["title"] for chunk in ask("/retrieve", token, {"query": "kestrel"}).json["chunks"]} == titles
    suggested = ask("/suggest", token, q="ke").json["suggestions"]
    assert {item["title"] for item in suggested} <= titles
    assert ("Kestrel plans" in {item["title"] for item in suggested}) == (audience == "curator")
    links = ask("/backlinks", token, item="VIP escalation").json["backlinks"]
    assert {link["title"] for link in links} == private_titles
    answers = [
        ask("/search", token, q="kestrl plns"),
        ask("/search", token, q="", returnAll="true"),
        ask("/suggest", token, q="k"),
    ]
    assert any(b"Kestrel plans" in answer.body for answer in answers) == (audience == "curator")


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer wrong-0123456789abcdef", f"Basic {TOKENS['curator']}", "Bearer ünïcode-0123456789"]
)
@pytest.mark.parametrize("path", ["/search", "/suggest", "/backlinks"])
def test_call_without_a_valid_token_is_401(site: Path, header: str, path: str) -> None:
    """V2, [000]."""
    tokens = read_tokens(None, f"curator {TOKENS['curator']}")
    with client_of(site, tokens) as app:
        answer = app.get(path, query="q=kestrel&item=x", authorization=header)
    assert answer.status == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert b"VIP" not in answer.body


def test_caller_without_the_capability_gets_an_error(ask: Callable[..., Answer]) -> None:
    """V2, [001]: an error, never an empty answer."""
    queries = {"/search": {"q": "kestrel"}, "/suggest": {"q": "k"}, "/backlinks": {"item": "VIP escalation"}}
    answers = [ask(path, NO_SEARCH_TOKEN, **query) for path, query in queries.items()]
    answers.append(ask("/retrieve", NO_SEARCH_TOKEN, {"query": "kestrel"}))
    assert [answer.status for answer in answers] == [403] * 4
    assert {answer.json["error"]["code"] for answer in answers} == {"forbidden"}


def test_options_are_those_of_the_core(ask: Callable[..., Answer], site: Path) -> None:
    """V2: names in camel case, numbers, switches, and lists by repetition."""
    answer = ask("/search", q="kestrel", limit=1, offset=1, tags=["policy", "none"], explain="true", minConfidence="0.0")
    with open_snapshot(site) as library:
        result = library.search("kestrel", limit=1, offset=1, tags=["policy", "none"], explain=True, min_confidence=0.0)
    assert [document["id"] for document in answer.json["documents"]] == [hit.id for hit in result.hits]
    assert ask("/search", q="kestrel", limit=1, explain="true").json["documents"][0]["explain"]["baseScore"] > 0
    assert ask("/suggest", q="ke", pageLang="en").json == ask("/suggest", q="ke", page_lang="en").json != {"suggestions": []}


@pytest.mark.parametrize(
    ("path", "query", "message"),
    [
        ("/search", {}, "q is missing"),
        ("/search", {"q": "a", "limt": 1}, "did you mean 'limit'"),
        ("/search", {"q": "a", "limit": "many"}, "limit must be a number"),
        ("/search", {"q": "a", "minConfidence": 5}, "minConfidence must be a number from 0 to 1"),
        ("/search", {"q": "a", "pageLangs": "en"}, "there is no option 'pageLangs'; did you mean 'pageLang'?"),
        ("/search", {"q": "a", "nothingLike": 1}, "there are ancestor, candidates"),
        ("/search", {"q": "a", "explain": "maybe"}, "explain must be true or false"),
        ("/search", {"q": "a", "limit": [1, 2]}, "limit has two values"),
        ("/search", {"q": "a", "returnAll": "true", "return_all": "false"}, "return_all has two values"),
        ("/search", {"q": "a", "min_confidence": 5}, "min_confidence must be a number from 0 to 1"),
        ("/search", {"q": "a", "strategy": "return_all"}, "not 'return_all'"),
        ("/search", {"q": "a", "Caller": "curator"}, "there is no option 'Caller'; there are ancestor, candidates"),
        ("/search", {"q": ["a", "b"]}, "q has two values"),
        ("/search", {"q": "a", "caller": "curator"}, "there is no option 'caller'"),
        ("/search", {"q": "a", "sort": "x"}, "sort must be one of"),
        ("/search", {"q": "a" * MAX_QUERY}, "too long"),
        # An empty list would mean that no page links to it.
        ("/backlinks", {}, "item is missing"),
        ("/backlinks", {"page": "Kestrel"}, "item is missing"),
        ("/backlinks", {"item": ["a", "b"]}, "item has two values"),
        # An option without effect would seem to limit the answer.
        ("/suggest", {"q": "a", "tags": "policy"}, "there is no option 'tags'; there are limit, pageLang, q"),
        ("/suggest", {"q": "a", "limit": 0}, "limit must be an integer of at least 1"),
        ("/backlinks", {"item": "VIP escalation", "limit": 1}, "there is no option 'limit'"),
    ],
)
def test_wrong_query_is_400_with_the_reason(ask: Callable[..., Answer], path: str, query: dict[str, Any], message: str) -> None:
    """V2."""
    answer = ask(path, **query)
    assert answer.status == 400
    assert message in answer.json["error"]["message"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b"[" * 60_000, 400),
        (b'{"topK": 1}', 400),
        (b'{"query": "a", "scope": {}}', 400),
        (b'{"query": "a", "caller": {"audience": "curator"}}', 400),
        (b'{"query": "a", "topK": "x"}', 400),
        (b'{"query": "a", "topK": 1, "top_k": 2}', 400),
        (b" " * (MAX_BODY + 1), 413),
    ],
    ids=lambda value: str(value)[:30],
)
def test_wrong_body_is_refused(site: Path, body: bytes, status: int) -> None:
    """V2: a body cannot set the caller."""
    with client_of(site, Tokens()) as app:
        assert app.get("/retrieve", "POST", body=body).status == status


def test_wrong_method_and_path_are_json(ask: Callable[..., Answer]) -> None:
    """V2."""
    assert (ask("/search", body={}).status, ask("/nothing").status) == (405, 404)
    assert "error" in ask("/nothing").json


@pytest.mark.parametrize(
    ("tokens", "count"), [(Tokens(), {"pages": 3}), (read_tokens(None, f"public {TOKENS['public']}"), {})], ids=["none", "some"]
)
def test_health_needs_no_token(site: Path, tokens: Tokens, count: dict[str, int]) -> None:
    """V2, A1: and does not count the pages of a site that not every caller may see."""
    with client_of(site, tokens) as app:
        answer = app.get("/health")
    assert answer.json == {"status": "ok", **count}


@pytest.mark.parametrize("tokens", [Tokens(), read_tokens(None, f"tool {TOKENS['tool']}")])
def test_damaged_site_is_503(tmp_path: Path, tokens: Tokens) -> None:
    """V2: and callers without a token do not learn the folder of the site."""
    write_tree(tmp_path, {"_ranvier/entry.json": "{"})
    with client_of(tmp_path, tokens) as app:
        search = app.get("/search", query="q=kestrel", authorization=f"Bearer {TOKENS['tool']}")
        health = app.get("/health")
    assert (search.status, search.json["error"]["code"], health.status) == (503, "format", 503)
    assert (str(tmp_path) in health.body.decode()) == (not tokens.callers)


def test_without_tokens_the_site_is_served_too(site: Path) -> None:
    """V2, V1: `/search` is the API, `/search/` is the page. Other host names are refused, against DNS rebinding."""
    with client_of(site, Tokens(), static_app(site)) as app:
        refusal = app.get("/search", "POST")
        assert (refusal.status, refusal.json["error"]["code"]) == (405, "http")
        assert set(refusal.headers["allow"].split(", ")) == {"GET", "HEAD"}
        assert app.get("/search", query="q=kestrel").json["totalHits"] == 3
        assert app.get("/search/").headers["content-type"].startswith("text/html")
        assert app.get("/search", query="q=kestrel", host="evil.example").status == 421


def test_log_has_no_tokens_and_no_queries(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """V2."""
    tokens = read_tokens(None, f"tool {TOKENS['tool']}")
    for log_queries in (False, True):
        with client_of(site, tokens, log_queries=log_queries) as app:
            app.get("/search", query="q=kestrel", authorization=f"Bearer {TOKENS['tool']}")
        entry = json.loads(capsys.readouterr().err)
        assert (entry["path"], entry["status"], entry["audience"]) == ("/search", 200, "tool")
        assert TOKENS["tool"] not in str(entry)
        assert entry.get("query") == ("q=kestrel" if log_queries else None)


def test_openapi_names_all_routes_and_options(ask: Callable[..., Answer]) -> None:
    """V2: the document is made from the code."""
    document = ask("/openapi.json").json
    assert document["paths"].keys() == {"/search", "/retrieve", "/suggest", "/backlinks", "/health"}
    search = document["paths"]["/search"]["get"]
    assert {"q", "limit", "minConfidence", "tags", "returnAll"} <= {option["name"] for option in search["parameters"]}
    schema = search["responses"]["200"]["content"]["application/json"]["schema"]
    answer = ask("/search", q="kestrel", explain="true", facets="tags").json
    assert answer.keys() <= schema["properties"].keys()
    assert answer["documents"][0].keys() <= schema["properties"]["documents"]["items"]["properties"].keys()
    body = document["paths"]["/retrieve"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert "caller" not in body["properties"]


def test_page_of_the_description_needs_no_token(ask: Callable[..., Answer]) -> None:
    """V2: a page for people, which loads nothing from elsewhere."""
    page = ask("/openapi.html", token="")
    assert page.status == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "Authorization: Bearer" in page.body.decode()
