"""Microsoft Learn's extensions: monikers, zones, images and columns between `:::`, and `[!INCLUDE]`, `[!VIDEO]`, `[!div]`."""

from __future__ import annotations

import re

from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource

_COLONS = re.compile(r"^(?P<before>[ \t>]*(?:[-*+] +)?):::[ \t]*(?P<name>[a-z-]+)(?P<rest>[^\n]*)$", re.MULTILINE)
_OPEN_MARKS = {"moniker", "moniker-end", "zone", "zone-end"}  # without colons at the end
_CLOSED_MARKS = {"row", "row-end", "column", "column-end", "image-end"}
_ARGUMENT = re.compile(r"""(?P<name>[\w-]+)\s*=\s*"(?P<value>[^"]*)\"""")
_BRACKET = re.compile(
    r"\[!(?P<name>[A-Za-z-]+)[ \t]*(?P<label>\[[^\[\]\n]*\])?(?:\((?P<target>[^()\n]*)\)|(?P<rest>[^\[\]\n]*)\])\]?"
)


def learn(source: MarkdownSource) -> None:
    """Replace them outside of code: an image becomes an image, a video a link; includes are removed."""
    if ":::" in source:
        source.apply(edit for line in source.matches(_COLONS) for edit in _colons(line))
    if "[!" in source:
        source.apply(edit for mark in source.matches(_BRACKET) for edit in _bracket(mark))


def _colons(line: re.Match[str]) -> list[Edit]:
    name, tail = line["name"], line["rest"].strip()
    is_closed = tail.endswith(":::")
    if name in _OPEN_MARKS or (name in _CLOSED_MARKS and is_closed):
        return [(line.end("before"), line.end(), "")]
    if not is_closed or name not in ("image", "code"):
        return []
    arguments = {argument["name"]: argument["value"] for argument in _ARGUMENT.finditer(tail[:4000])}
    image = f"![{arguments.get('alt-text', '')}]({arguments['source']})" if name == "image" and arguments.get("source") else ""
    return [(line.end("before"), line.end(), image)]


def _bracket(mark: re.Match[str]) -> list[Edit]:
    name = mark["name"].lower()
    if name == "include" or name.startswith("code-"):
        return [(mark.start(), mark.end(), "")] if mark["target"] is not None else []
    if name == "video" and mark["rest"]:
        return [(mark.start(), mark.end(), f"[Video](<{mark['rest'].strip()}>)")]
    return [(mark.start(), mark.end(), "")] if name == "div" and mark["rest"] is not None else []
