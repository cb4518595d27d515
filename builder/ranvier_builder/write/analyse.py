"""Pages → search terms, computed once for each page and stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from string import punctuation

from ranvier import text
from ranvier.query.understand import address_names
from ranvier.rank.tiers import option_name
from ranvier.text.keys import units

from ranvier_builder.model import Chunk, Neuron, Rendered, Row, Terms
from ranvier_builder.numbering import without_number
from ranvier_builder.render.chunk import repetition
from ranvier_builder.write.vocabulary import words_of

_CODE = re.compile(r"[a-z]{2,3}\Z")
_CALL = re.compile(r"(?P<name>[\w.:#]*\w)\(")
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+\Z")
_OPTION = re.compile(r"(?<![\w-])--[^\W\d_][\w-]*")
_PARTS = re.compile(r"\.|::|#")
_MAX_JOINED = 3  # words of a name that people write as one


def primary(*langs: str) -> str:
    """Return the primary language of the first valid BCP 47 tag: `pt-BR` → `pt`; default `en`."""
    return next((code for lang in langs if _CODE.match(code := text.primary(lang.strip()))), "en")


def analyse(neuron: Neuron, chunks: Sequence[Chunk], lang: str = "en", addresses: Sequence[str] = ()) -> Terms:
    """Compute the terms of a page. Title, tags and path are added to each chunk, so that they match it too.

    Args:
        neuron: of the page; its own language has priority over `lang`.
        chunks: in reading order.
        lang: the site's language.
        addresses: of the page on the site, as names of the page.

    """
    lang = primary(neuron.lang, lang)
    names = (neuron.title, *neuron.aliases)
    shown = (*names, *menu_names(neuron))
    title, tags = _terms(" ".join(shown), lang), _terms(" ".join(neuron.tags), lang)
    path = _terms(str(PurePosixPath(neuron.path).with_suffix("")), lang)
    headings: dict[tuple[str, ...], str] = {}
    rows = []
    first_chunks: set[tuple[str, tuple[str, ...]]] = set()
    with_name: set[tuple[str, ...]] = set()  # headings whose name is already in a chunk's row
    for chunk, overlap in zip(chunks, _overlaps(chunks), strict=True):
        section = chunk.headings
        if section not in headings:
            headings[section] = _terms(" ".join(section), lang)
        # A heading's name is in the row of the first chunk below it: its own chunk, or the first chunk of a deeper heading.
        new_headings = [("", section[:end]) for end in range(1, len(section)) if section[:end] not in with_name]
        if section and not first_chunks & {(chunk.anchor, section), ("", section)}:
            new_headings.append((chunk.anchor, section))
        objects = [name for anchor, section_above in new_headings for name in _object_names(section_above[-1], anchor)]
        objects += [name for _, section_above in new_headings for name in _option_names(section_above[-1])]
        name = " ".join(filter(None, (_names((section_above[-1] for _, section_above in new_headings), lang), *objects)))
        first_chunks.update(new_headings)
        with_name.update(section_above for _, section_above in new_headings)
        body = _terms(chunk.body, lang)
        rows.append(Row(name, title, tags, headings[section], path, body, len(text.terms(overlap, lang)) if overlap else 0))
    heading_paths = dict.fromkeys(section[:end] for section in headings for end in range(1, len(section) + 1))
    heading = " ".join(filter(None, (_terms(section_path[-1], lang) for section_path in heading_paths)))
    name = " ".join(filter(None, (_names(names, lang), *_other_names(neuron, lang, addresses))))
    passages = (*shown, *neuron.tags, *(section_path[-1] for section_path in heading_paths), *(chunk.body for chunk in chunks))
    return Terms(tuple(rows), Row(name, title, tags, heading, path, ""), words_of(passages, lang))


def menu_names(neuron: Neuron) -> tuple[str, ...]:
    """Return a page's label in menus, if it has a word that the title has not: `FAQs` for `Frequently asked questions`.

    Its words match like those of the title.
    """
    return () if {*units(neuron.label)} <= {*units(neuron.title)} else (neuron.label,)


def terms_of(page: Rendered) -> Terms:
    """Return the terms of an analysed page; each access may read them from a file."""
    terms = page.terms
    assert terms is not None
    return terms


def whole_pages(pages: Iterable[Terms]) -> Iterable[Row]:
    """Yield the searched text of each page as a whole, bodies included."""
    for terms in pages:
        yield terms.whole._replace(body=whole_body(terms.rows))


def whole_body(rows: Iterable[Row]) -> str:
    """Join the bodies of a page's chunks; overlapping text is included once."""
    return " ".join(filter(None, (" ".join(row.body.split(" ")[row.overlap :]) if row.overlap else row.body for row in rows)))


def _terms(plain: str, lang: str) -> str:
    return " ".join(text.terms(plain, lang))


def _names(plain: Iterable[str], lang: str) -> str:
    """Return the names of titles or headings as terms: each as written and by its stems, also without a chapter's number."""
    names = dict.fromkeys(form for name in plain for form in (name, without_number(name)))
    terms = (term for name in names for term in (text.name(name, text.AS_WRITTEN), text.name(name, lang)) if term)
    return " ".join(dict.fromkeys(terms))


def _other_names(neuron: Neuron, lang: str, addresses: Iterable[str]) -> Iterator[str]:
    """Yield other names of a page as terms: its label in menus, its titles without stop words or blanks, its address.

    The label `Permalinks` becomes `permalinks==`, the title `About HTTPS` becomes `https==` and `abouthttps==`, the address
    `guide/https/` becomes `=guide=https=`.
    """
    titles = (neuron.title, *neuron.aliases)
    names = dict.fromkeys((neuron.label, *(_without_stops(title, lang) for title in titles)))
    terms = [f"{term}=" for name in names if name not in titles and (term := text.name(name, text.AS_WRITTEN))]
    places = (name for address in addresses for name in address_names(f"/{address}")[:1])
    yield from dict.fromkeys([*terms, *_joined(titles), *places])


def _joined(names: Iterable[str]) -> Iterator[str]:
    """Yield names of two or three words as one word: `Front matter` → `frontmatter==`."""
    for name in names:
        words = text.name(name, text.AS_WRITTEN).split("=")[:-1]
        if 1 < len(words) <= _MAX_JOINED:
            yield f"{''.join(words)}=="


def _without_stops(name: str, lang: str) -> str:
    return " ".join(word for word in name.split() if not text.is_stop(word.strip(punctuation), (lang,)))


def _object_names(heading: str, anchor: str) -> Iterator[str]:
    """Yield short names of a section about an object of a program as terms: its whole name, and the last part of it.

    The object is a call, `fs.readFile(path)`, or its whole name is the anchor: `asyncio.gather`. The term of a short
    name ends with another `=`, so a section with the name as its heading gains more.
    """
    call = _CALL.match(heading)
    if call or (_DOTTED.match(anchor) and heading.endswith(anchor.rpartition(".")[2])):
        whole = call["name"] if call else anchor
        for name in dict.fromkeys((whole, _PARTS.split(whole)[-1])):
            if term := text.name(name, text.AS_WRITTEN):
                yield f"{term}="


def _option_names(heading: str) -> Iterator[str]:
    """Yield the names of the options in a heading that begins with one: `-f, --file=PATH` → `#file=`."""
    if heading.startswith("-"):
        yield from dict.fromkeys(filter(None, map(option_name, _OPTION.findall(heading))))


def _overlaps(chunks: Sequence[Chunk]) -> Iterator[str]:
    """Yield for each chunk the start of its text that repeats the end of the previous chunk; an empty string if none."""
    previous = None
    for chunk in chunks:
        yield repetition(previous.body, chunk.body) if previous is not None and previous.headings == chunk.headings else ""
        previous = chunk
