"""Includes of files: mdBook's `{{#include file.rs:2}}`, MkDocs' `--8<-- "file.md"`, Hugo's `{{% include "file.md" %}}`;
VitePress' `<!--@include: file.md-->`, and `<<< file.js`, a listing.

A page is read before the set of published files is known. Outside of code a directive becomes a mark that no other dialect
changes; the included text is inserted behind the gate (`ranvier_builder.render.includes`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ranvier_builder.markdown.code import fences
from ranvier_builder.markdown.dialects.source import MarkdownSource

_BOOK = r"(?<!\\)\{\{[ \t]*#(?:include|rustdoc_include|(?P<play>playground|playpen))[ \t]+(?P<book>[^{}\s]+)[^{}\n]*\}\}"
# A shortcode that each theme defines for itself; one with more arguments, such as `code=true`, has another meaning.
_SHORTCODE = (
    r"\{\{[<%][ \t]*(?:include|readfile)[ \t]+(?:file[ \t]*=[ \t]*)?"
    r"(?:(?P<sign>[\"'])(?P<shortcode>[^\"'\n:]+)(?P=sign)|(?P<bare>[^\s\"':<>%={}/][^\s\"':<>%={}]*))[ \t]*/?[%>]\}\}"
)
_SCISSORS = r"-+8<-+"
_SNIPPET = rf"{_SCISSORS}[ \t]+(?P<quote>[\"'])(?P<snippet>(?:(?!(?P=quote))[^\n])+)(?P=quote)"
# A line of a list of files: a path, a path that `;` disables, or nothing. Prose between two scissors is not a list of files.
_FILE = r"[ \t]*(?:;[^\n]*|[^\s;][^\n]*\.\w{1,10}+(?::[\w:,-]*+)?[ \t]*|(?!;)(?=\S*[./])\S++[ \t]*)?\n"
_LIST = rf"{_SCISSORS}[ \t]*\n(?P<files>(?:{_FILE})++)[ \t]*{_SCISSORS}"
_ESCAPED = rf"(?P<escape>;+){_SCISSORS}(?:[ \t]+(?:\"[^\"\n]+\"|'[^'\n]+'|\[[^\]\n]+\]))?"
# Snippets of MkDocs count only on lines of their own.
DIRECTIVE = re.compile(rf"{_BOOK}|{_SHORTCODE}|^(?P<indent>[ \t]*)(?:{_SNIPPET}|{_LIST}|{_ESCAPED})[ \t]*$", re.MULTILINE)
MARK = re.compile(r"\ue001(?P<hex>(?:[0-9a-f]{2}){1,2000})\ue002")
# In a mark only: a file that is included as a code block.
# Its last newline shows that nothing of it is cut off.
LISTING = re.compile(r"```(?P<info>[^\n]*)\n(?P<reference>[^\n]+)(?P<cuts>(?:\n[^\n]+)*)\n\Z")
# Of VitePress: a path, a part of the file, its lines or those to highlight, and a label.
_VITEPRESS = re.compile(
    r"<!--[ \t]*@include:[ \t]*(?P<path>[^\s{}#<>]+)(?:#(?P<part>[\w-]+))?(?:\{(?P<lines>\d*(?:,\d*)?)\})?[ \t]*-->"
    r"|^(?P<indent>[ \t]*)<<<[ \t]+(?P<file>[^\s{}#<>:]+\.(?P<language>\w+))(?:#(?P<region>[\w-]+))?(?:[ \t]*\{[^{}\n]*\})?"
    r"(?:[ \t]*\[(?P<label>[^\[\]`\n]+)\])?[ \t]*$",
    re.MULTILINE,
)
# Of VuePress, `@[code{2-4} js](a.js)`, and of docsify, `[words](a.md ':include')`; its `:fragment=x` is between two `[x]`.
_LINK = re.compile(
    r"^(?P<indent>[ \t]*)(?:@\[code(?:\{(?P<lines>\d*-?\d*)\})?[ \t]*+(?P<language>[\w-]*+)[^\[\]\n]*+\]\((?P<code>[^\s():]+)\)"
    r"|\[[^\[\]\n]*\]\((?P<file>[^\s():]+\.(?P<ending>\w+))[ \t]+"
    r"(?P<quote>[\"']):include(?P<options>[^\"'\n]*)(?P=quote)\))[ \t]*$",
    re.MULTILINE,
)
# Of Rspress and remark-code-import: an empty listing whose contents are in a file.
_FENCE = re.compile(
    r"(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>(?:(?!file=)[^\n`])*+)(?<![\w-])file="
    r"(?P<quote>[\"']?)(?:<root(?:Dir)?>)?(?P<path>[^\s\"'#<>{}:=]++)(?:#L(?P<first>\d+)(?:-L?(?P<last>\d+))?)?(?P=quote)"
    r"(?P<rest>(?:[ \t][^\n`]*)?)\n\s*(?P<close>(?P=fence))\s*"
)
_TYPE = re.compile(r":type=(?P<type>\w+)(?:[ \t]+(?P<language>\w+))?")
_FRAGMENT = re.compile(r":fragment=(?P<name>[\w-]+)")
_NO_LISTINGS = frozenset("html htm mp3 mp4 ogg iframe video audio".split())  # docsify plays or frames them
# Of include-markdown, a plugin of MkDocs: the options `start` and `end` choose a part.
_OPTION = r"""\s+[\w-]+=(?:"[^"\n]*"|'[^'\n]*'|\w+)"""
_PLUGIN = re.compile(
    rf"""\{{%-?\s*include-markdown\s+(?P<quote>["'])(?P<path>[^\s"'{{}}:*]+)(?P=quote)(?P<options>(?:{_OPTION})*+)\s*-?%\}}"""
)
_CUT = re.compile(r"""\s(?P<name>start|end)=(?P<quote>["'])(?P<words>[^\n]+?)(?P=quote)""")
_CUTS = {"start": "start-after", "end": "end-before"}
# A comment that marks where a part of a page begins or ends. `Include start name` is a convention in MyST, and
# `intro-start` in MkDocs.
_MARKER = re.compile(
    r"(?P<indent>^[ \t>]*)(?P<marker><!--[ \t]*(?:ANCHOR(?:_END)?:[ \t]*[\w-]+|-+8<-+[ \t]*\[(?:start|end):[\w-]+\]"
    r"|#(?:end)?region[ \t]+[\w-]+|Include (?:start|end)[ \w-]+?"
    r"|(?=[\w-]{0,60}(?<![^\W_])(?:start|begin|end)(?![^\W_]))[\w-]+)[ \t]*-->)[ \t]*$",
    re.MULTILINE,
)
ROUTER_TAGS = {"apponly": "app", "pagesonly": "pages"}  # of Next.js: text for the pages in the folder of one router
_SOURCE = re.compile(r"[\w-]+(?:/[\w-]+)+")  # without the ending and the numbers of its names
_NAME = re.compile(r"\S[^\n]*")
_UNPAIRED = re.compile(rf"^[ \t]*{_SCISSORS}[ \t]*\n(?=[ \t]*\S)(?={_FILE})", re.MULTILINE)


def includes(source: MarkdownSource) -> None:
    """Replace directives outside of code by marks."""
    if "@include:" in source or "<<<" in source:
        source.replace(_VITEPRESS, lambda directive: (directive["indent"] or "") + _mark_of(directive))
    if "@[code" in source or ":include" in source:
        source.replace(_LINK, lambda directive: directive["indent"] + _mark_of_link(directive))
    if "file=" in source:
        spans = ((start, _FENCE.fullmatch(source.text, start, end)) for start, end in fences(source.text))
        source.apply([(start, fence.end("close"), _mark_of_fence(fence)) for start, fence in spans if fence])
    if "include-markdown" in source:
        source.replace(_PLUGIN, _mark_of_plugin)
    if "<!--" in source:
        source.replace(_MARKER, lambda marker: _mark_of_marker(source.text, marker))
    if "8<-" not in source and "{{" not in source:
        return
    source.replace(DIRECTIVE, lambda directive: (directive["indent"] or "") + _marked(directive))
    if first := next(source.matches(_UNPAIRED), None):
        source.report(first.start(), "a list of files after --8<-- is not closed by --8<--; shown as it is")


def _mark_of(directive: re.Match[str]) -> str:
    """Return the mark of a directive of VitePress, in which `@/` is the content folder."""
    if path := directive["path"]:
        lines = (directive["lines"] or "").replace(",", ":")
        return mark(f"{{{{#include {':'.join(filter(None, (path.removeprefix('@'), directive['part'] or lines)))}}}}}")
    name = directive["file"].removeprefix("@")
    reference = f"{name}:{directive['region']}" if directive["region"] else name
    return listing_mark(reference, f"{directive['language']} [{directive['label'] or name.rpartition('/')[2]}]")


def _mark_of_link(directive: re.Match[str]) -> str:
    """Return the mark of a directive that has the form of a link; one that docsify does not show as text stays a link."""
    if path := directive["code"]:
        lines = (directive["lines"] or "").replace("-", ":")
        reference = ":".join(filter(None, (path.removeprefix("@"), lines)))
        return listing_mark(reference, directive["language"] or path.rpartition(".")[2])
    kind, fragment = _TYPE.search(directive["options"]), _FRAGMENT.search(directive["options"])
    cuts = [f"{option} [{fragment['name']}]" for option in ("start-after", "end-before")] if fragment else []
    name, language = (kind["type"], kind["language"] or "") if kind else (directive["ending"], "")
    if name in _NO_LISTINGS:
        return directive.group().lstrip()
    if name in ("md", "markdown"):
        return include_mark(directive["file"], cuts)
    return listing_mark(directive["file"], language or directive["ending"], cuts)


def _mark_of_fence(fence: re.Match[str]) -> str:
    lines = f":{fence['first']}:{fence['last'] or fence['first']}" if fence["first"] else ""
    return fence["indent"] + listing_mark(fence["path"] + lines, f"{fence['info']}{fence['rest']}".strip())


def _mark_of_plugin(directive: re.Match[str]) -> str:
    cuts = {cut["name"]: cut["words"] for cut in _CUT.finditer(directive["options"])}
    return include_mark(directive["path"], [f"{_CUTS[name]} {cuts[name]}" for name in _CUTS if name in cuts])


def _mark_of_marker(text: str, marker: re.Match[str]) -> str:
    """Return the mark of a comment that marks a part, if it is not in another comment."""
    is_in_comment = text.rfind("<!--", 0, marker.start()) > text.rfind("-->", 0, marker.start())
    return marker.group() if is_in_comment else marker["indent"] + mark(marker["marker"])


def _marked(directive: re.Match[str]) -> str:
    """Return the mark of a directive, or a mark on each line of a list of files; `playground` shows a listing of Rust."""
    if directive["play"]:
        return listing_mark(directive["book"], "rust,")
    if not directive["files"]:
        return mark(directive.group().strip())
    return "\n" + _NAME.sub(lambda name: mark(f"--8<--\n{name.group()}\n--8<--"), directive["files"])


def mark_of_source(source: str) -> str:
    """Return the mark of the page whose text a page without text has, as in the manual of Next.js; empty if it is no path."""
    return mark(f"{{{{#include {source}/}}}}") if _SOURCE.fullmatch(source) else ""


def mark_of_router(name: str, *, closes: bool) -> str:
    """Return the mark of a tag of `ROUTER_TAGS`: whether its text is shown depends on the page that includes it."""
    return mark(f"<{'/' * closes}{name}>")


def mark(directive: str) -> str:
    """Return the mark of a directive."""
    return f"\ue001{directive.encode().hex()[:4000]}\ue002"


def unmark(match: re.Match[str]) -> str:
    """Return the directive of a mark."""
    return bytes.fromhex(match["hex"]).decode("utf-8", "replace")


def include_mark(reference: str, cuts: Iterable[str] = ()) -> str:
    """Return the mark of a file that is included as text; `cuts` choose a part by words: `start-at words`."""
    return mark("\n".join((f"{{{{#include {reference}}}}}", *cuts, "")))


def listing_mark(reference: str, info: str, cuts: Iterable[str] = ()) -> str:
    """Return the mark of a file that is included as a code block, with the words behind its fence.

    `cuts` choose a part by words: `start-at words`.
    """
    return mark("\n".join((f"```{info}", reference, *cuts, "")))


def targets(directive: re.Match[str]) -> list[tuple[str, bool]]:
    """Return the files of a directive, with their parts, and whether a path is relative to the page; not those after a `;`."""
    if path := directive["book"] or directive["shortcode"] or directive["bare"]:
        return [(path, True)]
    names = (name.strip() for name in (directive["files"] or directive["snippet"] or "").split("\n"))
    return [(name, False) for name in names if name and not name.startswith(";")]
