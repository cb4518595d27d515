"""The part of an included file that a page names: lines, a section, or the text between two markers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ranvier_builder.markdown.code import Inside, blocks
from ranvier_builder.markdown.dialects.attributes import without_attributes
from ranvier_builder.markdown.dialects.comments import without_comments
from ranvier_builder.markdown.dialects.includes import MARK, unmark
from ranvier_builder.render.slugs import slugify

_LINES = re.compile(r"[^:]+:(?P<ranges>\d{0,6}(?::\d{0,6})?(?:,\d{0,6}(?::\d{0,6})?){0,20})")
PART = re.compile(r"(?P<path>[^:]+):(?P<name>\d*[A-Za-z_][\w-]*)")
_HEADING = re.compile(r"^(?P<level>#{1,6})[ \t]+(?P<words>\S[^\n]*)", re.MULTILINE)
_PART_MARKER = re.compile(r"ANCHOR(?:_END)?:|8<-+[ \t]*\[(?:start|end):")
_REGION = re.compile(r"#(?:end)?region[ \t]+\w")  # in a whole file, these lines are code, as in C#

_prose = lru_cache(maxsize=4)(without_comments)  # a page may show many parts of one file


def file_part(reference: str, text: str | None, cuts: Iterable[str], line: int, *, is_book: bool, is_prose: bool) -> str | None:
    """Return the lines `file:2:10,15:20` or the part `file:name` of a directive, without the lines that mark parts.

    `file:2` is one line for mdBook, and all lines from there on for MkDocs. Prose has no part of a comment: comments are
    removed before the part is cut, and a line of a comment can still mark a part.
    """
    if text is None:
        return None
    marks = MARK.sub(lambda mark: unmark(mark).replace("\n", " "), text).split("\n")
    lines = _cut([*zip(marks, (_prose(text) if is_prose else text).split("\n"), strict=True)], cuts)
    if lines is None:
        return None
    if part := PART.fullmatch(reference):
        name = re.escape(part["name"])
        begins = re.compile(rf"ANCHOR:[ \t]*{name}(?![\w-])|8<-+[ \t]*\[start:{name}\]|#region[ \t]+{name}(?![\w-])")
        ends = re.compile(rf"ANCHOR_END:[ \t]*{name}(?![\w-])|8<-+[ \t]*\[end:{name}\]|#endregion[ \t]+{name}(?![\w-])")
        if not any(begins.search(mark) for mark, _ in lines):
            return _section(text, part["name"])
        lines = [pair for pair in _between(lines, begins, ends) if not _REGION.search(pair[0])]
    elif numbers := _LINES.fullmatch(reference):
        ranges = numbers["ranges"].split(",")
        lines = [pair for range_ in ranges for pair in _lines(lines, range_, line, is_book=is_book)]
    return "\n".join(words for mark, words in lines if not _PART_MARKER.search(mark))


def _cut(lines: list[tuple[str, str]], cuts: Iterable[str]) -> list[tuple[str, str]] | None:
    """Return the lines from one with words, or below it, up to another, as Sphinx does; `None` if there is no such line."""
    for cut in cuts:
        option, _, words = cut.partition(" ")
        first = int(option == "end-before")  # the first line does not end the part: it may have both words
        at = next((at for at in range(first, len(lines)) if words in lines[at][0]), None)
        if at is None:
            return None
        at += option in ("start-after", "end-at")
        lines = lines[at:] if option.startswith("start") else lines[:at]
    return lines


def _between(lines: list[tuple[str, str]], begins: re.Pattern[str], ends: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yield the lines of every part with a name: a listing of the Rust book leaves out what is between two of them."""
    is_inside = False
    for line in lines:
        is_inside = bool(begins.search(line[0])) or (is_inside and not ends.search(line[0]))
        if is_inside:
            yield line


def _section(text: str, anchor: str) -> str | None:
    """Return the section below a heading, and the heading; `None` if there is none."""
    in_code = Inside(blocks(text))
    headings = [heading for heading in _HEADING.finditer(text) if not in_code(heading.start())]
    for at, heading in enumerate(headings):
        words, explicit = without_attributes(heading["words"])
        if (explicit or slugify(words)) == anchor:
            ends = (later.start() for later in headings[at + 1 :] if len(later["level"]) <= len(heading["level"]))
            return text[heading.start() : next(ends, len(text))]
    return None


def _lines(lines: list[tuple[str, str]], numbers: str, line: int, *, is_book: bool) -> list[tuple[str, str]]:
    """Return a range of the lines of a text that begins on a line of its file."""
    first, colon, last = numbers.partition(":")
    if not first and not last:
        return lines
    begin = int(first or 1)
    end = int(last) if last else len(lines) + line if colon or not is_book else begin
    return lines[max(begin - line, 0) : max(end - line + 1, 0)]
