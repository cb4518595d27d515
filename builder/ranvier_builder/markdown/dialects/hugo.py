"""Hugo's shortcodes → their visible words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ranvier_builder.markdown.dialects.kinds import CLOSING, FOLDED, NAMES, STEPS, TABS, opening
from ranvier_builder.markdown.dialects.source import Edit, MarkdownSource, PairedTag, pair

_ARGUMENT = re.compile(
    r"""(?:(?P<name>[\w-]+)\s*=\s*)?"""
    r"""(?:"(?P<double>(?:[^"\\]|\\.)*)"|`(?P<raw>[^`]*)`|'(?P<single>[^'\n]*)'|(?P<bare>[^\s"`]+))"""
)
_NAME = re.compile(r"(?P<close>/?)\s*(?P<name>[\w.-][\w./-]*)")
_BRACKETS = re.compile(r"\[\[[^\[\]]+\]\]|[\[\]]")
_LINK = re.compile(r"""(?:\]\(\s*<?|\]:[ \t]*<?|=\s*["']?)\Z""")  # the text before the target of a link
_UNSHOWN = ("comment", "hugo-encryptor", "fixit-encryptor")
_MAX_ARGUMENTS = 4000  # characters; the rest is ignored
_CALLOUTS = NAMES | {"callout", "notice", "admonition", "hint", "alert"}
_CODE = {"code-toggle", "highlight", "code", "code-block"}
_VERSION_NOTES = {"new-in": ("tip", "New in"), "deprecated-in": ("warning", "Deprecated in")}
_VIDEOS = {"youtube": ("YouTube video", "https://www.youtube.com/watch?v="), "vimeo": ("Vimeo video", "https://vimeo.com/")}


@dataclass
class Shortcode(PairedTag):
    """One tag of a shortcode; a self-closing one ends with `/>}}`."""

    params: dict[str, str] = field(default_factory=dict)
    positional: list[str] = field(default_factory=list)

    def get(self, *names: str, at: int | None = None) -> str:
        """Return an argument by one of its names, or else by its position."""
        for name in names:
            if name in self.params:
                return self.params[name]
        return self.positional[at] if at is not None and at < len(self.positional) else ""


def hugo(source: MarkdownSource) -> None:
    """Replace shortcodes outside of code; an escaped one, `{{</* … */>}}`, is shown as an example, also in code."""
    if "{{<" not in source and "{{%" not in source:
        return
    tags, examples = [], []
    for left, right in (("{{<", ">}}"), ("{{%", "%}}")):
        examples += [
            (start, end, left + source.text[start + 5 : end - 5] + right)
            for start, end in source.spans(left + "/*", "*/" + right, anywhere=True)
        ]
        tags += [
            tag
            for start, end in source.spans(left, right)
            if source.text[start + 3 : start + 5] != "/*" and (tag := _tag(source.text, start, end)) is not None
        ]
    tags.sort(key=lambda tag: tag.start)
    pair(tags)
    source.apply([*examples, *(_edit(source, tag) for tag in tags)])


def _tag(text: str, start: int, end: int) -> Shortcode | None:
    inner = text[start + 3 : end - 3].strip()
    self_closing = inner.endswith("/") and len(inner) > 1
    name = _NAME.match(inner)
    if name is None:
        return None
    tag = Shortcode(start, end, name["name"].rstrip("/").lower(), bool(name["close"]), self_closing)
    for argument in _ARGUMENT.finditer(inner[name.end() : len(inner) - self_closing][:_MAX_ARGUMENTS]):
        value = argument[argument.lastgroup or 0].replace('\\"', '"')
        if argument["name"]:
            tag.params[argument["name"].lower()] = value
        else:
            tag.positional.append(value)
    return tag


def _edit(source: MarkdownSource, tag: Shortcode) -> Edit:
    first = tag.partner if tag.closes else tag
    if tag.name in _UNSHOWN and not tag.is_self_closing:
        return _comment(source, tag)
    if first is None:
        return tag.start, tag.end, ""
    if first.partner is not None and (both := _paired(source, first, first.partner)) is not None:
        return tag.start, tag.end, both[tag.closes]
    if tag.closes or (tag.name in ("ref", "relref") and not _LINK.search(source.text, max(0, tag.start - 100), tag.start)):
        return tag.start, tag.end, ""  # an address outside of a link is only the name of a file
    return tag.start, tag.end, _single(first)


def _comment(source: MarkdownSource, tag: Shortcode) -> Edit:
    """Remove a comment, or a text that a theme encrypts; an unclosed one hides the rest of the page."""
    if tag.closes:
        return tag.start, tag.end, ""
    if tag.partner is None:
        source.report(tag.start, "a comment is not closed: nothing after it is shown")
    return tag.start, tag.partner.end if tag.partner else len(source.text), ""


def _paired(source: MarkdownSource, tag: Shortcode, end: Shortcode) -> tuple[str, str] | None:
    """Return the replacements of both tags of a shortcode with contents; `None` if it is none that is known."""
    name, title = tag.name, ""
    is_block = source.is_alone(tag.start, tag.end) and source.is_alone(end.start, end.end)
    if name in _CODE:
        return _code(tag, source.text[tag.end : end.start], is_block)
    if name in NAMES:
        title = tag.get("title", "heading") or " ".join(tag.positional)
    elif name in _CALLOUTS:
        kind = tag.get("type", "style", "context", "kind", at=None if tag.params else 0).lower()
        name, title = kind if kind in NAMES else "note", tag.get("title", "heading")
    elif name in _VERSION_NOTES:
        name, title = _VERSION_NOTES[name][0], _version(tag)
        if not is_block:
            return f"*{title}* ", ""
    elif name in FOLDED:
        name, title = "details", tag.get("summary", "title", at=0)
    elif name in TABS | STEPS:
        name, title = "step" if name in STEPS else "tab", tag.get("name", "title", "label", "header", at=0)
    else:
        return None
    return (opening(name, title), CLOSING) if is_block else ("", "")


def _code(tag: Shortcode, inner: str, is_block: bool) -> tuple[str, str]:
    if not is_block:
        return ("`", "`") if "\n" not in inner and "`" not in inner else ("", "")
    fence = "~~~~" if "```" in inner else "```"
    return fence + (_data_language(inner) if tag.name == "code-toggle" else tag.get("lang", "language", at=0)), fence


def _data_language(inner: str) -> str:
    first = inner.lstrip()[:200].partition("\n")[0]
    if first.startswith("{"):
        return "json"
    return "toml" if first.startswith("[") or "=" in first.partition(":")[0] else "yaml"


def _version(tag: Shortcode) -> str:
    return f"{_VERSION_NOTES[tag.name][1]} {tag.get('version', at=0)}"


def _single(tag: Shortcode) -> str:
    """Return the replacement of a shortcode without contents; empty if its output is not in this file."""
    if tag.name in ("ref", "relref"):
        return tag.get("path", at=0)
    if tag.name in ("figure", "img", "image"):
        return _image(tag)
    if tag.name in _VERSION_NOTES:
        return f"*{_version(tag)}*"
    if tag.name in _VIDEOS:
        words, address = _VIDEOS[tag.name]
        video = tag.get("id", at=0)
        return f"[{tag.get('title') or words}]({address}{video})" if re.fullmatch(r"[\w-]+", video) else ""
    return ""


def _image(tag: Shortcode) -> str:
    src, caption = tag.get("src", at=0), tag.get("caption", "title")
    alt = tag.get("alt") or caption
    if not src:
        return ""
    image = f"![{_escape_brackets(alt)}](<{_address(src)}>)"
    markdown = f"{image} *{_one_line(caption)}*" if caption and caption != alt else image
    return f"[{markdown}](<{_address(tag.get('link'))}>)" if tag.get("link") and caption == alt else markdown


def _address(text: str) -> str:
    return re.sub(r"[<>\n]", "", text).strip()


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _escape_brackets(text: str) -> str:
    """Escape brackets, except those of wikilinks, which are shown as their words."""
    return _BRACKETS.sub(
        lambda brackets: brackets.group() if len(brackets.group()) > 1 else f"\\{brackets.group()}", _one_line(text)
    )
