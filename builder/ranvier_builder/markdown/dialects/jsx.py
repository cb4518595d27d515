"""Finds the tags of JSX in a text: components, and HTML tags with expressions in their attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ranvier_builder.markdown.dialects.source import MarkdownSource, PairedTag
from ranvier_builder.markdown.javascript import Value, attributes, first_text

_NAME = re.compile(r"<(?P<close>/?)(?:(?P<name>[A-Za-z][\w.:-]*)(?=[\s/>])|(?=>))")
_STEP = re.compile(r"""[^"'`{}<>/\\]+|\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[{}<>/"'`\\]""", re.DOTALL)
_HTML_WITH_MARKDOWN = frozenset("div section center main".split())  # in MDX, if both tags are alone on their lines
_MAX_TAG, _MAX_UNCLOSED = 100_000, 20  # characters of a tag; unclosed tags before the rest counts as text


@dataclass
class Tag(PairedTag):
    """A tag; `inner` has its attributes, and `fields` has more of them."""

    component: bool
    inner: str = ""
    fields: dict[str, Value] = field(default_factory=dict)
    label: str = ""  # of a tab, from its group

    @cached_property
    def attributes(self) -> dict[str, Value]:
        """The attributes by lower-case name, and the fields."""
        return self.fields | attributes(self.inner)

    @property
    def kind(self) -> str:
        """The last part of the name, in lower case: `tab` for `<Tabs.Tab>`."""
        return self.name.rpartition(".")[2].lower()

    @property
    def holds_markdown(self) -> bool:
        """Whether the contents of an HTML element are Markdown, so that its tags can be removed."""
        return self.name in _HTML_WITH_MARKDOWN and "id" not in self.attributes and not self.is_hidden

    @property
    def is_hidden(self) -> bool:
        """Whether no reader of a site sees its contents."""
        style = self.attributes.get("style")
        return bool(self.attributes.get("hidden")) or (isinstance(style, dict) and style.get("display") == "none")

    def text(self, *names: str) -> str:
        """Return the first of these attributes that is a string with words."""
        return first_text(self.attributes, *names)


def tags(source: MarkdownSource, *, quiet: bool = False) -> Iterator[Tag]:
    """Yield the tags outside of code, in order, but no HTML on one line that the sanitiser handles."""
    end_of_last, remaining = 0, _MAX_UNCLOSED
    for name in source.matches(_NAME):
        if name.start() < end_of_last:
            continue
        end = _end(source.text, name.end())
        if end < 0:
            remaining -= 1
            if remaining == _MAX_UNCLOSED - 1 and not quiet:
                source.report(name.start(), f"a tag {name.group()} is not closed by >; shown as it is")
            if not remaining:
                return
            continue
        end_of_last = end
        word = name["name"] or ""
        inner = source.text[name.end() : end - 1]
        component = not word or word[0].isupper() or "." in word
        if component or word in _HTML_WITH_MARKDOWN or "{" in inner or "\n" in inner:
            yield Tag(name.start(), end, word, bool(name["close"]), inner.endswith("/"), component, inner)


def _end(text: str, at: int) -> int:
    """Find the first `>` outside of strings and braces; -1 if a tag begins before it, or none is near."""
    depth, limit = 0, at + _MAX_TAG
    while at < limit and (step := _STEP.match(text, at, limit)):
        character = step.group()
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
        elif not depth and character == ">":
            return step.end()
        elif not depth and character in ("<", '"', "'"):
            return -1
        at = step.end()
    return -1
