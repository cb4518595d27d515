"""Rewrites SVG from the parts on an allow-list; no bytes of the file are copied directly.

An SVG that is opened directly is a page of the site. A file with unsupported visible parts, or with active content, is refused;
invisible parts (editors' notes, metadata, names of files, comments) are removed.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Sequence
from io import StringIO
from urllib.parse import unquote_to_bytes
from xml.parsers import expat
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from ranvier_builder.media.css import checked_css
from ranvier_builder.media.refused import RefusedError
from ranvier_builder.media.svg_names import ANIMATED, ATTRIBUTES, ELEMENTS, PLAIN

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_XML = "http://www.w3.org/XML/1998/namespace"
_MAX_DEPTH = 3  # levels of nested pictures
_IN_ASCII = frozenset("us-ascii ascii iso-8859-1 latin1 windows-1252".split())  # equal to UTF-8 for ASCII
_PICTURES = ("image", "feImage")
_ANIMATIONS = ("animate", "animateMotion", "animateTransform", "set")
_DATA = re.compile(r"\s*data:([\w.+-]+/[\w.+-]+)((?:;[\w-]+=[\w.+-]+)*)(;base64)?,", re.IGNORECASE)
_ARIA = re.compile(r"aria-[a-z]+")
_NO_LABEL = "[Not supported by viewer]"  # draw.io's fallback for labels in HTML
_TYPES = {".png": "png", ".jpg": "jpeg", ".gif": "gif", ".webp": "webp"}

# Takes the bytes of a picture, returns its ending and its published bytes; raises `RefusedError` if it is invalid.
Inner = Callable[[bytes], tuple[str, bytes]]


def clean_svg(data: bytes, inner: Inner, depth: int = 0) -> bytes:
    """Return the published bytes of an SVG; raise `RefusedError`, with the line, for one that must not be published."""
    if not _is_utf8(data):
        raise RefusedError("it is not in UTF-8")
    cleaner = _Cleaner(data, inner, depth)
    try:
        return cleaner.run()
    except expat.ExpatError as error:
        raise RefusedError(f"its format is not SVG, {expat.ErrorString(error.code)} in line {error.lineno}") from None
    except RefusedError as refused:
        raise RefusedError(f"{refused} (line {cleaner.line})") from None


def _is_utf8(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()  # in UTF-16 without a byte order mark, ASCII letters have one
    except UnicodeDecodeError:
        return False


class _Cleaner:
    """Writes an SVG while it is parsed. Unknown parts are not written."""

    def __init__(self, data: bytes, inner: Inner, depth: int) -> None:
        self.line = 1
        self._data = data.removeprefix(b"\xef\xbb\xbf")
        self._inner = inner
        self._depth = depth
        self._out = StringIO()
        self._writer = XMLGenerator(self._out, short_empty_elements=True)
        self._open: list[str] = []  # names of the open elements
        self._skipped = 0  # depth in skipped elements
        self._style: list[str] | None = None
        # The file cannot change its encoding. A name is passed as its namespace, a blank and the local name.
        self._parser = parser = expat.ParserCreate("UTF-8", " ")
        parser.ordered_attributes = True
        parser.buffer_text = True
        parser.XmlDeclHandler = self._declaration
        parser.StartDoctypeDeclHandler = self._doctype
        parser.ProcessingInstructionHandler = self._instruction
        parser.SkippedEntityHandler = self._entity
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text

    def run(self) -> bytes:
        try:
            self._parser.Parse(self._data, True)
        except RefusedError:
            self.line = self._parser.CurrentLineNumber
            raise
        return self._out.getvalue().encode()

    def _declaration(self, _: str, encoding: str | None, __: int) -> None:
        name = (encoding or "utf-8").lower()
        if name != "utf-8" and not (name in _IN_ASCII and self._data.isascii()):
            raise RefusedError("it is not in UTF-8")

    def _doctype(self, _: str, __: str | None, ___: str | None, declares: bool) -> None:
        """Skip a DOCTYPE without declarations, which many programs write: it is neither fetched nor written."""
        if declares:
            raise RefusedError("it declares entities or attributes in a DOCTYPE")

    def _entity(self, *_: object) -> None:
        raise RefusedError("it uses an entity that it does not declare")

    def _instruction(self, *_: object) -> None:
        if not self._skipped:
            raise RefusedError("it contains a processing instruction")

    def _start(self, name: str, attributes: Sequence[str]) -> None:
        space, _, local = name.rpartition(" ")
        if not self._open and name != f"{_SVG} svg":  # browsers do not show it
            raise RefusedError(f'it does not begin with <svg xmlns="{_SVG}">')
        if self._skipped or space != _SVG or local not in ELEMENTS or self._style is not None:
            self._skip(space, local)
            return
        pairs = [*zip(attributes[::2], attributes[1::2], strict=True)]
        if local in _ANIMATIONS and dict(pairs).get("attributeName", "").strip() not in ANIMATED | {""}:
            raise RefusedError("it animates more than its appearance")
        allowed = {} if self._open else {"xmlns": _SVG}
        allowed.update(pair for full_name, raw in pairs for pair in self._attribute(local, full_name, raw))
        self._writer.startElement(local, AttributesImpl(allowed))
        self._open.append(local)
        self._style = [] if local == "style" else None

    def _skip(self, space: str, local: str) -> None:
        """Skip an element and its contents; refuse the file if it is HTML text or a script."""
        if not self._skipped and space == _SVG:
            if local == "foreignObject" and self._open[-1] != "switch":  # in a switch, the next element is its fallback
                raise RefusedError("it contains HTML text (foreignObject); export it with plain text")
            if local in ("script", "handler", "listener"):
                raise RefusedError(f"it contains a {local}")
        self._skipped += 1

    def _end(self, _: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        if self._style is not None:
            self._writer.characters(checked_css("".join(self._style)))
            self._style = None
        self._writer.endElement(self._open.pop())

    def _text(self, text: str) -> None:
        if self._skipped:
            return
        if self._style is not None:
            self._style.append(text)
        elif text.strip() == _NO_LABEL:
            raise RefusedError("its labels are only HTML; export it with plain text")
        else:
            self._writer.characters(text)

    def _attribute(self, element: str, full_name: str, value: str) -> list[tuple[str, str]]:
        """Return the attribute to write, as a list of at most one pair."""
        space, _, name = full_name.rpartition(" ")
        if name == "href" and space in ("", _XLINK):
            return self._href(element, value)
        if space == _XML:
            return [(f"xml:{name}", value)] if name in ("space", "lang") else []
        if space:
            return []
        if name.lower().startswith("on"):
            raise RefusedError(f"it has the event handler {name}" if name.isalpha() else "it has an event handler")
        if name in PLAIN or _ARIA.fullmatch(name):
            return [(name, value)]
        return [(name, checked_css(value))] if name in ATTRIBUTES else []

    def _href(self, element: str, value: str) -> list[tuple[str, str]]:
        if value.strip().startswith("#"):
            return [("href", value.strip())]
        if element == "a" or not value.strip():  # links in a picture of a page do not work
            return []
        if element not in _PICTURES or not _DATA.match(value):
            raise RefusedError("it loads an external resource")
        return [("href", self._picture(value))]

    def _picture(self, address: str) -> str:
        """Return the published data URL of an embedded picture, which can have its own metadata."""
        scheme = _DATA.match(address)
        assert scheme
        try:
            body = unquote_to_bytes(address[scheme.end() :])
            data = base64.b64decode(re.sub(rb"\s+", b"", body), validate=True) if scheme[3] else body
        except (binascii.Error, ValueError):
            raise RefusedError("a picture in it is damaged") from None
        if scheme[1].lower() == "image/svg+xml":
            if self._depth == _MAX_DEPTH:
                raise RefusedError("its pictures are nested too deeply")
            kind, clean = "svg+xml", clean_svg(data, self._inner, self._depth + 1)
        else:
            ending, clean = self._inner(data)
            kind = _TYPES[ending]
        return f"data:image/{kind};base64,{base64.b64encode(clean).decode()}"
