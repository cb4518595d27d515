"""V3: agents search a site through the official client, over stdio and HTTP."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent
from ranvier import Caller, open_snapshot
from ranvier_builder.api.engines import EnginePool
from ranvier_builder.api.mcp import mcp_app, mcp_server
from ranvier_builder.api.pages import page_text
from ranvier_builder.api.tokens import read_tokens
from support.cli import reset_signals, run
from support.content import build_without_engine, write_tree
from support.shared import site_fixture
from support.whole_site import page, whole_site

MANUAL = Path(__file__).resolve().parents[3] / "site_example" / "content" / "reference" / "mcp.md"
TOKENS = {audience: f"{audience}-0123456789abcdef" for audience in ("public", "curator")}
FILES = {
    "vip.md": page("# VIP escalation\n\nA kestrel calls.\n\n## Who\n\nThe team.\n\n### When\n\nAt night.", audience=["public"]),
    "plans.md": page("# Kestrel plans\n\nSee [[VIP escalation]].", audience=["curator"]),
}
SEES = [("public", ["VIP escalation"]), ("curator", ["Kestrel plans", "VIP escalation"])]
Session = Callable[[Client], Awaitable[Any]]
site = site_fixture(whole_site, FILES)


@pytest.fixture
def pool(site: Path) -> Iterator[EnginePool]:
    pool = EnginePool(site, 2, 10.0)
    yield pool
    pool.close()


def talk(target: Any, session: Session) -> Any:
    async def run() -> Any:
        async with Client(target) as client:
            return await session(client)

    return asyncio.run(run())


def call_tool(pool: EnginePool, audience: str, tool: str, **arguments: Any) -> Any:
    """Call a tool as a caller of an audience; return its structured content, or its error."""
    server = mcp_server(pool, "Wiki", lambda _: Caller(audience))
    result = talk(server, lambda client: client.call_tool(tool, arguments))
    if result.is_error:
        (content,) = result.content
        assert isinstance(content, TextContent)
        return content.text
    return result.structured_content


def test_tools_have_schemas_and_only_read(pool: EnginePool) -> None:
    """V3."""
    tools = talk(mcp_server(pool, "Wiki", lambda _: Caller()), lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == ["search", "retrieve", "backlinks", "read_page"]
    assert all(tool.annotations.read_only_hint and tool.description for tool in tools)
    search = tools[0].input_schema
    assert search["required"] == ["query"]
    assert search["properties"].keys() == {"query", "limit", "tags", "path"}


@pytest.mark.parametrize(("audience", "titles"), SEES)
def test_search_answers_as_the_engine(pool: EnginePool, site: Path, audience: str, titles: list[str]) -> None:
    """V3, A1: the same hits and scores, limited by the audience."""
    documents = call_tool(pool, audience, "search", query="kestrel")["documents"]
    with open_snapshot(site) as library:
        hits = library.search("kestrel", limit=10, caller=Caller(audience)).hits
    assert [(document["title"], document["rank"]) for document in documents] == [(hit.title, hit.score) for hit in hits]
    assert sorted(document["title"] for document in documents) == titles


def test_retrieve_returns_passages(pool: EnginePool) -> None:
    """V3, P2."""
    answer = call_tool(pool, "public", "retrieve", query="kestrel", max_chars=100)
    assert answer["formattedContext"].startswith("## Neuron 1 — VIP escalation")


def test_backlinks_are_limited_by_the_audience(pool: EnginePool) -> None:
    """V3, S2, A1."""
    for audience, titles in (("public", []), ("curator", ["Kestrel plans"])):
        links = call_tool(pool, audience, "backlinks", page="VIP escalation")["backlinks"]
        assert [link["title"] for link in links] == titles


def test_page_is_read_whole(pool: EnginePool) -> None:
    """V3."""
    answer = call_tool(pool, "public", "read_page", page="vip.md")
    assert answer["text"] == "# VIP escalation\n\nA kestrel calls.\n\n## Who\n\nThe team.\n\n### When\n\nAt night.\n"
    assert (answer["title"], answer["path"]) == ("VIP escalation", "vip.md")


def test_text_of_a_page_has_every_heading_and_sentence_once(tmp_path: Path) -> None:
    """V3: also a heading without text of its own, and two equal ones; nothing is repeated where a long section is split."""
    long_section = " ".join(f"Kestrel {number} hovers." for number in range(80))
    text = f"# T\n\n## A\n\n### B\n\none\n\n### C\n\n#### D\n\n{long_section}\n\n## E\n\ntwo\n\n## E\n\nthree\n"
    build_without_engine(write_tree(tmp_path / "notes", {"t.md": text}), tmp_path / "out")
    with open_snapshot(tmp_path / "out") as library:
        page = library.run(page_text(library.engine, "t.md", 0))
    assert page is not None
    assert page["text"].split() == text.split()


@pytest.mark.parametrize("page", ["plans.md", "Kestrel plans", "no such page", ""])
def test_page_of_another_audience_does_not_exist(pool: EnginePool, page: str) -> None:
    """V3, A1: the same message as for a page that does not exist."""
    assert call_tool(pool, "public", "read_page", page=page).endswith(f": there is no page {page!r}; search for its title")


@pytest.mark.parametrize(
    ("tool", "arguments"), [("search", {"query": "a", "limit": 0}), ("search", {}), ("retrieve", {"query": "a", "top_k": "x"})]
)
def test_wrong_arguments_are_errors(pool: EnginePool, tool: str, arguments: dict[str, Any]) -> None:
    """V3."""
    assert isinstance(call_tool(pool, "public", tool, **arguments), str)


def test_caller_without_the_capability_gets_an_error(pool: EnginePool) -> None:
    """V3, [001]."""
    server = mcp_server(pool, "Wiki", lambda _: Caller(may_search=False))
    for tool, arguments in [("search", {"query": "a"}), ("read_page", {"page": "vip.md"}), ("backlinks", {"page": "vip.md"})]:
        result = talk(server, lambda client, tool=tool, arguments=arguments: client.call_tool(tool, arguments))
        assert result.is_error
        assert "may not search" in result.content[0].text


def test_stdio(site: Path) -> None:
    """V3: the command, as an agent starts it."""
    words = ["-m", "ranvier_builder", "mcp", str(site), "--audience", "public"]
    command = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))
    answer = talk(command, lambda client: client.call_tool("search", {"query": "kestrel"})).structured_content
    assert [document["title"] for document in answer["documents"]] == ["VIP escalation"]


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be sent these signals there")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_signal_ends_stdio_and_leaves_no_pages(site: Path, tmp_path: Path, name: str) -> None:
    """V3: also while an agent is connected."""
    words = [sys.executable, "-m", "ranvier_builder", "mcp", str(site)]
    call = {"name": "search", "arguments": {"query": "kestrel"}}
    start = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "agent", "version": "1"}}
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(words, text=True, env=environment, preexec_fn=reset_signals, **pipes) as process:
        assert process.stdin
        assert process.stdout
        for number, (method, values) in enumerate([("initialize", start), ("tools/call", call)]):
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": values}
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
            assert "result" in json.loads(process.stdout.readline())
        assert [*tmp_path.iterdir()]
        process.send_signal(getattr(signal, name))
        process.wait(20)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(("variable", "audience"), [(None, "tool"), ("public 0123456789abcdef", None)])
def test_audience_applies_over_http_without_tokens(
    site: Path, monkeypatch: pytest.MonkeyPatch, variable: str | None, audience: str | None
) -> None:
    """V3, A1."""
    callers: list[Caller | None] = []

    def server_of(pool: EnginePool, title: str, caller: Callable[[str], Caller | None]) -> Any:
        callers.append(caller(""))
        return mcp_server(pool, title, caller)

    if variable is not None:
        monkeypatch.setenv("RANVIER_TOKENS", variable)
    monkeypatch.setattr("ranvier_builder.api.mcp.mcp_server", server_of)
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: None)
    assert run("mcp", site, "--http", "--audience", "tool", "--port", 0).exit_code == 0
    assert callers == [Caller(audience) if audience else None]


def test_session_of_the_manual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """V3: the program of the manual prints what the manual shows."""
    text = MANUAL.read_text("utf-8")
    notes = dict(zip(re.findall(r"`notes/(.+?\.md)`", text), blocks(text, "markdown"), strict=True))
    build_without_engine(write_tree(tmp_path / "notes", notes), tmp_path / "public")
    (program,) = blocks(text, "python")
    start = f"command={sys.executable!r}, env={dict(os.environ)!r}, args=['-m', 'ranvier_builder', "
    assert 'command="ranvier", args=[' in program
    monkeypatch.chdir(tmp_path)
    exec(program.replace('command="ranvier", args=[', start), {})
    assert capsys.readouterr().out.strip() == blocks(text, "text")[0].strip()


def blocks(text: str, language: str) -> list[str]:
    """Return the code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@asynccontextmanager
async def over_http(pool: EnginePool, token: str = "", listens_on: str = "127.0.0.1") -> AsyncIterator[httpx2.AsyncClient]:
    """Yield an HTTP client of the application, without a socket. Without a token, the server has none."""
    lines = ";".join(f"{audience} {token}" for audience, token in TOKENS.items()) if token else None
    tokens = read_tokens(None, lines)
    server = mcp_server(pool, "Wiki", tokens.caller)
    app = mcp_app(server, tokens, listens_on)
    headers = {"authorization": f"Bearer {token}"}
    async with (
        server.session_manager.run(),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://127.0.0.1:8100", headers=headers) as http,
    ):
        yield http


@pytest.mark.parametrize(("audience", "titles"), SEES)
def test_http_with_tokens(pool: EnginePool, audience: str, titles: list[str]) -> None:
    """V3, A1: the token of each request decides."""

    async def run() -> Any:
        async with (
            over_http(pool, TOKENS[audience]) as http,
            Client(streamable_http_client("http://127.0.0.1:8100/mcp", http_client=http)) as client,
        ):
            return await client.call_tool("search", {"query": "kestrel"})

    documents = asyncio.run(run()).structured_content["documents"]
    assert sorted(document["title"] for document in documents) == titles


def list_tools(pool: EnginePool, token: str, listens_on: str = "127.0.0.1", **headers: str) -> httpx2.Response:
    """Request the list of tools by hand."""

    async def run() -> httpx2.Response:
        async with over_http(pool, token, listens_on) as http:
            return await http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=headers)

    return asyncio.run(run())


def test_http_without_a_valid_token_is_401(pool: EnginePool) -> None:
    """V3."""
    answer = list_tools(pool, "wrong-0123456789abcdef")
    assert answer.status_code == 401
    assert b"search" not in answer.content


@pytest.mark.parametrize(
    ("token", "listens_on", "host", "status"),
    [
        ("", "127.0.0.1", "127.0.0.1:8100", 200),
        ("", "127.0.0.1", "evil.example", 421),
        ("", "0.0.0.0", "192.168.1.5:8100", 200),
        ("", "0.0.0.0", "evil.example", 421),
        (TOKENS["public"], "127.0.0.1", "wiki.example", 200),  # behind a proxy
    ],
)
def test_foreign_host_names_are_refused_without_tokens(
    pool: EnginePool, token: str, listens_on: str, host: str, status: int
) -> None:
    """V3: another site can point its name to this machine."""
    answer = list_tools(pool, token, listens_on, host=host, accept="application/json, text/event-stream")
    assert answer.status_code == status
