"""The bytes of an HTML file → text, by its byte order mark, else its declaration, else UTF-8 (HTML standard, §13.2.3)."""

from __future__ import annotations

import codecs
import re

_SEARCHED_BYTES = 4096  # first bytes that are searched; 1,024 in the standard, but browsers search further
_DECLARED = re.compile(rb"""<meta[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
# Labels of the standard that Python does not know.
_LABELS = {
    "gb_2312-80": "gb18030",
    "iso-8859-6-i": "iso8859-6",
    "iso-8859-8-i": "iso8859-8",
    "windows-31j": "cp932",
    "windows-874": "cp874",
    "windows-949": "cp949",
}
_PREFIX = re.compile(r"^(?:x-)+")  # of x-sjis, x-gbk, x-x-big5: Python knows the rest
# Labels whose meaning in the standard differs from Python's.
_ALIASES = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "utf-16": "utf-8",  # a file with a readable declaration is not UTF-16
    "utf-16-le": "utf-8",
    "utf-16-be": "utf-8",
}
# Python has text encodings that are not character sets: "unicode_escape", "idna".
_CHARSETS = re.compile(
    r"utf-8|cp(125\d|866|874|932|949)|iso8859-\d+|iso2022_jp|koi8-[ru]|mac-(roman|cyrillic)|gb18030|big5hkscs|euc_jp|shift_jis"
)


def decode(data: bytes) -> tuple[str, str]:
    """Return the text without NULs, and a problem, or ""."""
    text, problem = _read(data)
    return text.replace("\0", ""), problem


def _read(data: bytes) -> tuple[str, str]:
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode(data[len(mark) :], name)
    declaration = _DECLARED.search(_COMMENT.sub(b"", data[:_SEARCHED_BYTES]))
    if declaration is None:
        return _decode_undeclared(data)
    name, label_problem = _codec(declaration[1].decode("ascii", "replace"))
    text, problem = _decode(data, name)
    return text, problem or label_problem


def _decode_undeclared(data: bytes) -> tuple[str, str]:
    try:
        return data.decode("utf-8"), ""
    except UnicodeDecodeError as error:
        problem = f"declares no encoding, and is not UTF-8 at byte {error.start:,}; it was read as windows-1252"
        return data.decode("cp1252", "replace"), problem


def _decode(data: bytes, name: str) -> tuple[str, str]:
    try:
        return data.decode(name), ""
    except UnicodeDecodeError as error:
        return data.decode(name, "replace"), f"is not {name} at byte {error.start:,}; unreadable bytes became {chr(0xFFFD)}"


def _codec(label: str) -> tuple[str, str]:
    name = _PREFIX.sub("", label.lower())
    try:
        name = codecs.lookup(_LABELS.get(name, name)).name
    except (LookupError, ValueError):
        name = ""
    name = _ALIASES.get(name, name)
    if _CHARSETS.fullmatch(name):
        return name, ""
    return "utf-8", f"declares an unknown encoding, {label!r}; it was read as UTF-8"
