"""The macros of MDN's pages, `{{jsxref("Array")}}` → their visible words, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

from ranvier_builder.markdown.dialects.source import MarkdownSource

_CALL = re.compile(r"\{\{\s*(?P<name>[A-Za-z][\w-]*)\s*(?:\((?P<rest>.*)\))?\s*\}\}", re.DOTALL)
_ARGUMENT = re.compile(r""""((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(\d+)""")

Renderer = Callable[[str, str], str]  # of the first two arguments of a macro: a name, and the words to show in its place


def _label(name: str, words: str) -> str:
    return f"`{words or name}`" if words or name else ""


def _element(name: str, words: str) -> str:
    return _label(f"<{name}>" if name else "", words)


_REMOVED = """
    compat specifications apiref jssidebar cssref htmlsidebar httpsidebar defaultapisidebar learnsidebar glossarysidebar
    svgref mathmlref addonsidebar pwasidebar accessibilitysidebar embedlivesample embedghlivesample embedyoutube
    interactiveexample previous next previousnext previousmenu nextmenu previousmenunext inheritancediagram securecontext_header
    availableinworkers listsubpages listsubpagesforsidebar subpageswithsummaries quicklinkswithsubpages listgroups
    webextallexamples webextexamples csssyntax cssinfo js_property_attributes quick_links landingpagelistsubpages"""
_REFERENCES = "jsxref domxref cssxref httpheader httpmethod httpstatus csp svgattr htmlattrxref webextapiref HTTPHeader"
_RENDERERS: dict[str, Renderer] = {
    **dict.fromkeys(_REMOVED.split(), lambda *_: ""),
    **{name.lower(): _label for name in _REFERENCES.split()},
    **{name: _element for name in ("htmlelement", "svgelement", "mathmlelement")},
    "glossary": lambda term, words: words or term,
    "rfc": lambda number, title: ": ".join(filter(None, (f"RFC {number}", title))) if number else "",
    "optional_inline": lambda *_: "(optional)",
    "deprecated_inline": lambda *_: "(deprecated)",
    "experimental_inline": lambda *_: "(experimental)",
    "non-standard_inline": lambda *_: "(non-standard)",
    "readonlyinline": lambda *_: "(read-only)",
    "deprecated_header": lambda *_: "**Deprecated**",
    "seecompattable": lambda *_: "**Experimental**",
    "non-standard_header": lambda *_: "**Non-standard**",
    "kbd": _label,
}


def mdn(source: MarkdownSource) -> None:
    """Replace macros outside of code; unknown names only on a page that also has known macros."""
    if "{{" not in source:
        return
    calls = [call for a, b in source.spans("{{", "}}", quiet=True) if (call := _CALL.fullmatch(source.text, a, b)) is not None]
    renderers = [_RENDERERS.get(call["name"].lower()) for call in calls]
    has_known = any(renderers)
    source.apply(
        (*call.span(), render(*_arguments(call)) if render else "")
        for call, render in zip(calls, renderers, strict=True)
        if render or (has_known and call["rest"] is not None)
    )


def _arguments(call: re.Match[str]) -> tuple[str, str]:
    """Return the first two arguments of a macro; empty for one that is missing."""
    groups = (match[match.lastindex or 0] for match in _ARGUMENT.finditer(call["rest"] or ""))
    first, second, *_ = *(re.sub(r"\\(.)", r"\1", argument) for argument in groups), "", ""
    return first, second
