"""TeX → MathML, which browsers show without a script. The TeX itself is in the annotation: the search and copying use it."""

from __future__ import annotations

import re
from html import unescape
from xml.etree.ElementTree import Element, SubElement, tostring

from latex2mathml.converter import Converter

MAX_LENGTH = 5_000  # characters of a formula
# Environments that a page shows like `align*`: without numbers, because each formula would begin with (1).
_ALIGNED = re.compile(r"\\(begin|end)\{(?:align|aligned|split|eqnarray|gather|gathered|alignat|alignedat|multline)\*?\}")
_IGNORED = re.compile(r"\\(?:label\{[^{}]*\}|nonumber(?![a-zA-Z])|notag(?![a-zA-Z]))")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_MACRO = re.compile(r"\\(?:(?:re)?newcommand|def|let|DeclareMathOperator|require)(?![A-Za-z])\*?")
_TOKENS = frozenset("mi mn mo ms mtext".split())
_CHILDREN = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}


class TexError(ValueError):
    """A formula that cannot be converted; the message says why."""


def mathml(tex: str, *, display: bool) -> str:
    """Return a formula as a `<math>` element; `display`: on a line of its own.

    Raises:
        TexError: the TeX is wrong, too long, or has a command that is not known.

    """
    if len(tex) > MAX_LENGTH:
        raise TexError(f"it has more than {MAX_LENGTH:,} characters")
    if macro := _MACRO.search(tex):
        raise TexError(f"{macro.group()} is not supported")
    math = _convert(_IGNORED.sub("", _ALIGNED.sub(r"\\\1{align*}", tex)), "block" if display else "inline")
    for element in math.iter():
        _check(element)
    semantics = Element("semantics")
    semantics.extend(math)
    SubElement(semantics, "annotation", {"encoding": "application/x-tex"}).text = tex.strip()
    math[:] = [semantics]
    del math.attrib["xmlns"]
    return tostring(math, encoding="unicode", short_empty_elements=False)


def _convert(tex: str, display: str) -> Element:
    try:
        return Converter(display=display).convert_to_element(tex)
    except RecursionError:
        raise TexError("it nests too deep") from None
    except MemoryError:
        raise
    except Exception as error:  # the converter raises errors of many types for wrong TeX
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__.removesuffix("Error")).lower()
        raise TexError(name or "it is not TeX") from None


def _check(element: Element) -> None:
    """Raise `TexError` for an element that a browser cannot show; decode its characters."""
    if element.tag in _TOKENS and len(element):
        element.text = "".join(element.itertext())
        del element[:]
    text = element.text or ""
    if command := _COMMAND.match(text):
        raise TexError(f"the command {command.group()} is not known")
    if element.tag == "mi" and text in ("&", "}"):
        raise TexError(f"{text} is in the wrong place")
    if len(element) != _CHILDREN.get(str(element.tag), len(element)):
        raise TexError("an argument is missing")
    element.text = unescape(text)  # the converter writes `&#x0003D;` for `=`
