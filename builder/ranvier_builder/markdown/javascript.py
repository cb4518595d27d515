"""Literals of JavaScript: the attributes of JSX tags, and settings. Values that need a program to run are `None`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from types import MappingProxyType

Value = str | bool | list["Value"] | dict[str, "Value"] | None

_TOKEN = re.compile(
    r"""\s+|//[^\n]*|\\.
    |(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)
    |(?P<word>[\w$][\w$.:-]*?(?=:[\s"'`{\[]|[^\w$.:-]|\Z))|(?P<sign>.)""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPE = re.compile(
    r"""\\(?:\r?\n|u(?P<unit>[0-9a-fA-F]{4})|x(?P<byte>[0-9a-fA-F]{2})|u\{(?P<point>[0-9a-fA-F]{1,6})\}|(?P<sign>.))""",
    re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": ""}
_LOADERS = ("require", "useBaseUrl")  # functions of a file's name, which stands for the file
_CLOSERS = {"{": "}", "[": "]", "(": ")"}
_MAX_DEPTH = 12

_Token = tuple[str, str]  # "string", "word" or the sign itself; its text


def attributes(text: str) -> dict[str, Value]:
    """Return the attributes between a tag's name and its end, by lower-case name; a name without a value is `True`."""
    tokens = _Tokens(text)
    result: dict[str, Value] = {}
    while token := tokens.take():
        if token[0] != "word":
            tokens.skip(token)
            continue
        name = token[1].lower()
        if not tokens.accept("="):
            result.setdefault(name, True)
        elif tokens.accept("{"):
            result.setdefault(name, tokens.value(0))
            tokens.skip_to("}")
            tokens.accept("}")
        elif (value := tokens.take()) and value[0] == "string":
            result.setdefault(name, value[1][1:-1])  # as in HTML, a string has no escapes
    return result


def literal(text: str, variables: Mapping[str, Value] = MappingProxyType({})) -> Value:
    """Return the literal at the beginning of a text, with the values of variables."""
    return _Tokens(text, variables).value(0)


def first_text(values: Mapping[str, Value], *names: str) -> str:
    """Return the first of these values that is a string with words; empty if there is none."""
    return next((text for name in names if isinstance(text := values.get(name), str) and text.strip()), "")


def objects(value: Value) -> Iterator[dict[str, Value]]:
    """Yield all objects in a value, at any depth."""
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(item)


class _Tokens:
    def __init__(self, text: str, variables: Mapping[str, Value] = MappingProxyType({})) -> None:
        self._variables = variables
        self._tokens = [*_tokens(text)]
        self._at = 0

    def peek(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def take(self) -> _Token | None:
        self._at += 1
        return self._tokens[self._at - 1] if self._at <= len(self._tokens) else None

    def accept(self, kind: str) -> bool:
        is_next = self.peek() == kind
        self._at += is_next
        return is_next

    def skip(self, token: _Token) -> None:
        """Skip the rest of a bracket that a token opens."""
        closers = [_CLOSERS[token[0]]] if token[0] in _CLOSERS else []
        while closers and (inner := self.take()):
            if inner[0] in _CLOSERS:
                closers.append(_CLOSERS[inner[0]])
            elif inner[0] == closers[-1]:
                closers.pop()

    def skip_to(self, *ends: str) -> None:
        """Skip what is left of an expression."""
        while self.peek() not in ("", "}", "]", ")", *ends):
            self.skip(self.take() or ("", ""))

    def value(self, depth: int) -> Value:
        """Read a literal; `None` if it is none."""
        token = self.take()
        if token is None or depth > _MAX_DEPTH:
            return None
        if token[0] == "{":
            return self._object(depth)
        if token[0] == "[":
            items = []
            while self.peek() not in ("", "]"):
                items.append(self.value(depth + 1))
                self.skip_to(",")
                self.accept(",")
            self.accept("]")
            return items
        if token[0] == "string":
            return self._text(token[1])
        if token[0] == "(" and self.peek() == "{":  # `/** @type {…} */ ({…})`
            inner = self.value(depth + 1)
            self.skip_to()
            return inner if self.accept(")") and self.peek() != "=" else None  # `(…) => …` is a function
        if token[1] in _LOADERS and self.accept("("):
            argument = self.value(depth + 1)
            return argument if isinstance(argument, str) else None
        if token[0] == "word" and self.peek() in ("", ",", "}", "]"):
            value = token[1] if token[1][0].isdigit() else self._variables.get(token[1])
            return {"true": True, "false": False}.get(token[1], value)
        return None

    def _text(self, literal: str) -> str | None:
        """Return a string, with those that are added to it; `None` if a part of it is an expression."""
        literals = [literal]
        while self.accept("+"):
            following = self.take()
            literals.append(following[1] if following and following[0] == "string" else "`${}`")
        is_fixed = not any(text.startswith("`") and "${" in text for text in literals)
        return "".join(map(_string, literals)) if is_fixed else None

    def _object(self, depth: int) -> dict[str, Value]:
        result: dict[str, Value] = {}
        while self.peek() not in ("", "}"):
            key = self.take() or ("", "")
            name, _, rest = key[1].partition(":") if key[0] == "word" else (_string(key[1]), "", "")
            if rest:  # `{a:true}`; in a tag, `a:true` is the name of an attribute
                self._at -= 1
                self._tokens[self._at] = ("word", rest)
            if rest or (key[0] in ("word", "string") and self.accept(":")):
                result.setdefault(name, self.value(depth + 1))
            elif key[0] == "word":  # `{ a }` has the value of a variable
                result.setdefault(name, self._variables.get(name))
            elif key[0] in _CLOSERS:
                self.skip(key)
            self.skip_to(",")
            self.accept(",")
        self.accept("}")
        return result


def _tokens(text: str) -> Iterator[_Token]:
    at, last = 0, text.rfind("*/")
    while at < len(text):
        if text.startswith("/*", at) and at + 2 <= last:
            at = text.find("*/", at + 2) + 2
        elif match := _TOKEN.match(text, at):  # any character is a sign
            at = match.end()
            if kind := match.lastgroup:
                yield (match.group() if kind == "sign" else kind), match.group()


def _string(token: str) -> str:
    return _ESCAPE.sub(_character, token[1:-1])


def _character(escape: re.Match[str]) -> str:
    if digits := escape["unit"] or escape["byte"] or escape["point"]:
        number = int(digits, 16)
        return chr(number) if number <= sys.maxunicode and not 0xD800 <= number <= 0xDFFF else ""
    return _ESCAPES.get(escape["sign"] or "", escape["sign"] or "")
