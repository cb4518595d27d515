"""A client for one chat-completions endpoint (V5). Needs the extra `ranvier[chat]`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field

import httpx2

from ranvier_builder.api.chat import ChatError, Message
from ranvier_builder.errors import BuildError

_MAX_EVENT = 64 << 10  # bytes


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The operator's endpoint. Its key is in no log, no message and no answer."""

    url: str  # whole address: https://api.example.com/v1/chat/completions
    model: str
    key: str = field(default="", repr=False)
    timeout: float = 60.0  # seconds for a whole answer

    def __post_init__(self) -> None:
        """Raise `BuildError` for an address or a key that no request can have."""
        try:
            url = httpx2.URL(self.url)
        except httpx2.InvalidURL:
            url = httpx2.URL()
        if url.scheme not in ("http", "https") or not url.host:
            raise BuildError(
                f"{self.url!r} is not the address of an endpoint", cure="https://api.example.com/v1/chat/completions"
            )
        if not (self.key.isascii() and self.key.isprintable()):
            raise BuildError("the key of the chat endpoint has characters that no header can have")

    async def complete(self, messages: list[Message]) -> AsyncGenerator[str]:
        """Yield the parts of the model's answer to a conversation.

        Raises:
            ChatError: the endpoint cannot be reached, refuses, is too slow, or sends something else.

        """
        try:
            async with asyncio.timeout(self.timeout), aclosing(self._parts(messages)) as parts:
                async for text in parts:
                    yield text
        except (TimeoutError, httpx2.TimeoutException):
            raise ChatError(504, f"the chat endpoint took longer than {self.timeout:g} s") from None
        except httpx2.HTTPError:  # its text may contain what the endpoint sent
            raise ChatError(502, "the chat endpoint cannot be reached, or broke off") from None

    async def _parts(self, messages: list[Message]) -> AsyncGenerator[str]:
        headers = {"authorization": f"Bearer {self.key}"} if self.key else {}
        body = {"model": self.model, "messages": messages, "stream": True}
        async with (
            httpx2.AsyncClient(timeout=self.timeout) as client,
            client.sse(self.url, method="POST", json=body, headers=headers, max_event_size=_MAX_EVENT) as events,
        ):
            if events.response.status_code != 200:
                raise ChatError(502, f"the chat endpoint answered with status {events.response.status_code}")
            async for event in events:
                if event.data.strip() == "[DONE]":
                    return
                text, is_last = _part(event.data)
                if text:
                    yield text
                if is_last:
                    return
        raise ChatError(502, "the chat endpoint stopped in the middle of its answer")


def _part(data: str) -> tuple[str, bool]:
    """Return the text of one event, and whether it is the last one."""
    try:
        choices = json.loads(data)["choices"]
        if not choices:  # some endpoints begin with an event about filters
            return "", False
        text = choices[0]["delta"].get("content") or ""
        is_last = choices[0].get("finish_reason") is not None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        text, is_last = None, False
    if not isinstance(text, str):
        raise ChatError(502, "the chat endpoint does not speak the protocol of chat completions")
    return text, is_last
