"""V5, [000]: answers of a chat-completions endpoint from the passages that a caller may see."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranvier import RetrieveRequest, open_snapshot
from ranvier_builder.api.app import api_app
from ranvier_builder.api.chat import Chat, ClaimFilter, Message
from ranvier_builder.api.completions import Endpoint
from ranvier_builder.api.tokens import Tokens, read_tokens
from ranvier_builder.errors import BuildError
from ranvier_builder.markdown.claims import strip_claims
from support.asgi import Answer, Client
from support.cli import failure
from support.completions import StandIn, stand_in
from support.shared import site_fixture
from support.whole_site import page, whole_site

KEY = "sk-test-0123456789"
TOKENS = {audience: f"{audience}-0123456789abcdef" for audience in ("public", "curator")}
MUTE = "mute-0123456789abcdef"
FILES = {
    "vip.md": page("# VIP escalation\n\nA kestrel calls the team.", audience=["public"]),
    "plans.md": page("# Kestrel plans\n\nA kestrel buys the neighbour.", audience=["curator"]),
}
site = site_fixture(whole_site, FILES)


@pytest.fixture
def model() -> Iterator[StandIn]:
    with stand_in() as server:
        yield server


def tokens() -> Tokens:
    lines = [f"{audience} {token}" for audience, token in TOKENS.items()]
    return read_tokens(None, ";".join([*lines, f"curator {MUTE} no-search"]))


def chat_answer(app: Any, token: str = TOKENS["curator"], kind: str = "application/json", **body: Any) -> Answer:
    data = json.dumps(body).encode()

    async def call() -> Answer:
        async with app.router.lifespan_context(app):
            return await Client(app)._get("/chat", "POST", "", data, {"authorization": f"Bearer {token}", "content_type": kind})

    return asyncio.run(call())


@pytest.fixture
def ask(site: Path, model: StandIn) -> Callable[..., Answer]:
    def call(*args: Any, timeout: float = 20.0, **body: Any) -> Answer:
        return chat_answer(api_app(site, tokens(), complete=Endpoint(model.url, "small", KEY, timeout).complete), *args, **body)

    return call


def events(answer: Answer) -> list[tuple[str, Any]]:
    blocks = (block.split("\n") for block in answer.body.decode().strip().split("\n\n"))
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in blocks]


def test_answer_cites_the_passages_that_it_uses(ask: Callable[..., Answer], model: StandIn, site: Path) -> None:
    """V5: the citations have the shape of the chunks of `/retrieve`."""
    answer = ask(query="kestrel calls")
    assert answer.status == 200
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json["answer"] == "The vault holds kestrels [1]."
    with open_snapshot(site) as library:
        result = library.run(library.engine.retrieve(RetrieveRequest("kestrel calls")))
    assert answer.json["hitCount"] == result.hit_count == 2
    (cited,) = answer.json["citations"]
    chunk = result.chunks[0]
    assert (cited["citation"], cited["title"], cited["url"], cited["content"]) == (1, chunk.title, chunk.url, chunk.content)
    ((headers, body),) = model.requests
    assert headers["authorization"] == f"Bearer {KEY}"
    assert (body["model"], body["stream"]) == ("small", True)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][0]["content"].endswith(result.formatted_context)
    assert body["messages"][1]["content"] == "kestrel calls"


@pytest.mark.parametrize(("text", "numbers"), [("[1][2]", [1, 2]), ("[2, 1]", [1, 2]), ("[3] [99] 1", []), ("[2].", [2])])
def test_citations_are_numbers_in_brackets(ask: Callable[..., Answer], model: StandIn, text: str, numbers: list[int]) -> None:
    """V5: numbers without a passage are ignored."""
    model.parts = [text]
    assert [chunk["citation"] for chunk in ask(query="kestrel").json["citations"]] == numbers


def test_audience_of_the_token_limits_the_passages(ask: Callable[..., Answer], model: StandIn) -> None:
    """V5, A1, A5: the model does not see what the caller may not see."""
    model.parts = ["[1] [2]"]
    answer = ask(TOKENS["public"], query="kestrel")
    assert [chunk["title"] for chunk in answer.json["citations"]] == ["VIP escalation"]
    assert "neighbour" not in json.dumps(model.requests) + answer.body.decode()
    assert "neighbour" in json.dumps(ask(query="kestrel").json)


def test_options_and_history_are_passed_on(ask: Callable[..., Answer], model: StandIn) -> None:
    """V5."""
    history = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Yes?"}]
    assert ask(query="kestrel", topK=1, history=history).json["hitCount"] == 1
    assert model.requests[0][1]["messages"][1:] == [*history, {"role": "user", "content": "kestrel"}]


def test_model_is_not_called_without_passages(ask: Callable[..., Answer], model: StandIn) -> None:
    """V5: an answer without passages would have no source."""
    answer = ask(query="xyzzyplugh")
    assert (answer.status, answer.json["answer"], answer.json["citations"], model.requests) == (200, "", [], [])
    assert [name for name, _ in events(ask(query="xyzzyplugh", stream=True))] == ["done"]


def test_stream_has_the_parts_and_then_the_whole_answer(ask: Callable[..., Answer]) -> None:
    """V5."""
    answer = ask(query="kestrel calls", stream=True)
    assert answer.headers["content-type"].startswith("text/event-stream")
    *parts, (name, done) = events(answer)
    assert {part for part, _ in parts} == {"text"}
    assert "".join(data["text"] for _, data in parts) == "The vault holds kestrels [1]."
    assert name == "done"
    assert done == ask(query="kestrel calls").json


def test_first_part_is_sent_before_the_answer_is_complete(site: Path, model: StandIn) -> None:
    """V5: the endpoint waits until the first part has arrived here."""
    model.held = threading.Event()
    chat = Chat(Endpoint(model.url, "small", "", 20.0).complete)
    with open_snapshot(site) as library:
        result = library.run(library.engine.retrieve(RetrieveRequest("kestrel")))

    async def read() -> list[str]:
        body = aiter(chat.stream("kestrel", result, []).body_iterator)
        first = await anext(body)
        assert model.held is not None
        model.held.set()
        return [str(first), *[str(event) async for event in body]]

    assert asyncio.run(read())[0].startswith('event: text\ndata: {"text": "The vault')
    assert "authorization" not in model.requests[0][0]


BAD_ANSWERS: dict[str, dict[str, Any]] = {
    "an error": {"status": 500, "raw": b"boom sk-test"},
    "no permission": {"status": 401, "kind": "application/json", "raw": b"{}"},
    "a redirect": {"status": 307},
    "the end is missing": {"stops": True},
    "no stream": {"kind": "application/json", "raw": b'{"choices": [{"message": {"content": "x"}}]}'},
    "no JSON": {"raw": b"data: {\n\n"},
    "another protocol": {"raw": b'data: {"error": {"message": "secret"}}\n\n'},
    "a list": {"raw": b'data: {"choices": [{"delta": {"content": [1]}}]}\n\n'},
    "no delta": {"raw": b'data: {"choices": [{"delta": null}]}\n\n'},
    "bytes": {"raw": bytes(range(256))},
    "a huge event": {"raw": b"data: " + b"x" * 200_000},
    "a huge answer": {"parts": ["x" * 30_000] * 3},
}


@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_endpoint_that_breaks_the_protocol_is_an_error(ask: Callable[..., Answer], model: StandIn, name: str) -> None:
    """V5: with a status, or as the last event of a stream; nothing that the endpoint sent is in the message."""
    for key, value in BAD_ANSWERS[name].items():
        setattr(model, key, value)
    answer = ask(query="kestrel")
    assert (answer.status, answer.json["error"]["code"]) == (502, "chat")
    assert not any(word in answer.body.decode() for word in ("boom", "secret", KEY))
    last, data = events(ask(query="kestrel", stream=True))[-1]
    assert (last, data) == ("error", answer.json)


def test_endpoint_that_hangs_times_out(ask: Callable[..., Answer], model: StandIn) -> None:
    """V5: before the first byte, and in the middle."""
    model.held = threading.Event()
    answer = ask(query="kestrel", timeout=0.3)
    assert (answer.status, answer.json["error"]["message"]) == (504, "the chat endpoint took longer than 0.3 s")
    assert events(ask(query="kestrel", timeout=0.3, stream=True))[-1][0] == "error"


def test_endpoint_that_cannot_be_reached_is_an_error(site: Path) -> None:
    """V5."""
    with stand_in() as stopped_model:
        url = stopped_model.url
    answer = chat_answer(api_app(site, tokens(), complete=Endpoint(url, "small", KEY).complete), query="kestrel")
    assert answer.status == 502
    assert url not in answer.body.decode()


def test_chat_is_off_by_default(site: Path) -> None:
    """V5: without an endpoint, `/chat` is an error, and the OpenAPI document does not have it."""
    app = api_app(site, tokens())
    answer = chat_answer(app, query="kestrel")
    assert (answer.status, answer.json["error"]["code"]) == (501, "chat")
    assert "/chat" not in Client(app).get("/openapi.json").json["paths"]


def test_openapi_describes_the_chat(site: Path, ask: Callable[..., Answer], model: StandIn) -> None:
    """V5."""
    app = api_app(site, tokens(), complete=Endpoint(model.url, "small").complete)
    operation = Client(app).get("/openapi.json").json["paths"]["/chat"]["post"]
    body = operation["requestBody"]["content"]["application/json"]["schema"]["properties"]
    assert {"query", "topK", "history", "stream"} <= body.keys()
    answer = operation["responses"]["200"]["content"]["application/json"]["schema"]["properties"]
    assert ask(query="kestrel").json.keys() == answer.keys()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"query": 1}, 400),
        ({"query": "kestrel", "stream": "yes"}, 400),
        ({"query": "kestrel", "limt": 1}, 400),
        ({"query": "kestrel", "caller": {"audience": "curator"}}, 400),
        ({"query": "kestrel", "history": "x"}, 400),
        ({"query": "kestrel", "history": [{"role": "system", "content": "x"}]}, 400),
        ({"query": "kestrel", "history": [{"role": "user", "content": "x", "name": "y"}]}, 400),
        ({"query": "kestrel", "history": [{"role": "user", "content": 1}]}, 400),
        ({"query": "kestrel", "history": [{"role": "user", "content": "x"}] * 21}, 400),
        ({"query": "kestrel", "history": [{"role": "user", "content": "x" * 70_000}]}, 413),
        ({"query": "kestrel", "kind": "text/plain"}, 415),
        ({"query": "kestrel", "token": MUTE}, 403),
        ({"query": "kestrel", "token": "wrong-0123456789abcdef"}, 401),
    ],
    ids=lambda value: str(value)[:40],
)
def test_wrong_request_does_not_reach_the_model(
    ask: Callable[..., Answer], model: StandIn, body: dict[str, Any], status: int
) -> None:
    """V5, [001]."""
    assert ask(**body).status == status
    assert model.requests == []


def test_too_many_answers_at_once_are_refused(site: Path) -> None:
    """V5: each may cost the operator money."""
    with open_snapshot(site) as library:
        result = library.run(library.engine.retrieve(RetrieveRequest("kestrel")))

    async def answers() -> list[Any]:
        go = asyncio.Event()

        async def complete(_: list[Message]) -> Any:
            await go.wait()
            yield "Yes."

        chat = Chat(complete)
        calls = [asyncio.ensure_future(chat.answer("kestrel", result, [])) for _ in range(9)]
        await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
        go.set()
        first = await asyncio.gather(*calls, return_exceptions=True)
        return [*first, await chat.answer("kestrel", result, [])]

    kinds = [type(answer).__name__ for answer in asyncio.run(answers())]
    assert sorted(kinds) == ["BusyError", *["dict"] * 9]


def test_key_is_in_no_log_and_no_text(ask: Callable[..., Answer], model: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    """V5."""
    model.status = 500
    answers = [ask(query="kestrel"), ask(query="kestrel", stream=True)]
    assert KEY not in capsys.readouterr().err + repr(Endpoint(model.url, "small", KEY)) + repr(answers)
    assert KEY in model.requests[0][0]["authorization"]


@pytest.mark.parametrize(
    ("url", "key"),
    [("example.org", ""), ("file:///etc/passwd", ""), ("http://[::1", ""), ("http://x/", "a\nb"), ("http://x/", "ü")],
)
def test_wrong_endpoint_is_an_error_at_the_start(url: str, key: str) -> None:
    """V5: and no message has the key."""
    with pytest.raises(BuildError) as error:
        Endpoint(url, "small", key)
    assert not key or key not in str(error.value)


@pytest.mark.parametrize(
    "words",
    [
        ("--api", "--chat", "http://127.0.0.1:9/"),
        ("--api", "--chat-model", "m"),
    ],
)
def test_incomplete_options_are_wrong_usage(site: Path, words: tuple[str, ...]) -> None:
    """V1, V5."""
    assert "a chat needs --chat and --chat-model" in failure("serve", site, *words, code=2)


PLAIN = st.sampled_from(
    ["word", " ", "\n", "# A", "<b>", "a < b", "{x}", "{", "}", "\t", "[1].", "红隼", "x" * 45, 'id="a"', "[[p#a]]"]
)
ANCHORS = st.sampled_from(["{#claim-0a1b2c3d}", "{.note #claim-1}", '<a id="claim-1">', "#claim-0a1b2c3d", "[[page#claim-12]]"])
SIZES = st.lists(st.integers(1, 9), min_size=1, max_size=8)


def filtered(text: str, sizes: list[int]) -> str:
    """Let a text arrive in parts."""
    claims, out, at = ClaimFilter(), "", 0
    while at < len(text):
        size = sizes[at % len(sizes)]
        out += claims.add(text[at : at + size])
        at += size
    return out + claims.end()


@given(st.lists(PLAIN, max_size=12).map("".join), SIZES)
def test_text_without_claim_anchors_arrives_unchanged(text: str, sizes: list[int]) -> None:
    """V5."""
    assert filtered(text, sizes) == text


@given(PLAIN, ANCHORS, PLAIN, SIZES)
def test_claim_anchors_are_stripped_from_parts(before: str, anchor: str, after: str, sizes: list[int]) -> None:
    """V5, A6: as from the whole text, wherever the parts begin and end."""
    text = f"Words {before}{anchor} {after} words."
    assert filtered(text, sizes) == strip_claims(text)
    assert "claim" not in filtered(f"Words {anchor} words.", sizes)


def test_text_without_blanks_arrives_in_parts() -> None:
    """V5: as in Chinese and Japanese."""
    claims = ClaimFilter()
    parts = [claims.add(part) for part in ("红隼", "吃什么", "？", "{#claim-0a1b", "2c3d}田鼠")]
    assert parts[0] == "红"
    assert "".join(parts) + claims.end() == "红隼吃什么？田鼠"


def test_answer_has_no_claim_anchors(ask: Callable[..., Answer], model: StandIn) -> None:
    """V5, A6, [000]."""
    model.parts = ["It calls {#cl", "aim-0a1b2c3d} the", " team #claim-", "0a1b2c3d."]
    for answer in (ask(query="kestrel"), ask(query="kestrel", stream=True)):
        assert "claim" not in answer.body.decode()
    assert ask(query="kestrel").json["answer"] == "It calls the team."


def test_long_text_without_blanks_is_not_held_back_for_ever() -> None:
    """V5: a brace that is never closed."""
    claims = ClaimFilter()
    text = "".join(claims.add(f"{'{' if number == 0 else ''}word ") for number in range(1000))
    assert len(text) > 4000
