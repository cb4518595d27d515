"""Embedded notes: a line `![[note]]`, `![[note#section]]` or `![[note#^block]]` shows the text of that page in place.

Only pages that passed the audience gate are known here, so withheld and missing targets give the same result. Search indexes
an embedded text only on its own page: otherwise a page for curators could be found by words that others must not see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from markdown_it.token import Token

from ranvier_builder.config import Config
from ranvier_builder.markdown.dialects import references
from ranvier_builder.markdown.parser import environment, html_of, parser, words
from ranvier_builder.markdown.wikilink import embedded_targets
from ranvier_builder.model import Page, Warn
from ranvier_builder.paths import MARKDOWN, MEDIA, suffix
from ranvier_builder.render.addresses import Address, Addresses, Html, anchor_of, last_heading
from ranvier_builder.render.html import EMBEDDED
from ranvier_builder.render.links import Links
from ranvier_builder.render.rewrite import EMBED, Rewriter
from ranvier_builder.render.sanitise import sanitise
from ranvier_builder.render.title_heading import without_title

_MAX_DEPTH, _MAX_EMBEDS = 5, 200  # nested embeds; embeds on one page
_MAX_CHARACTERS = 1_000_000  # of Markdown that the embeds of one page parse: about 2 s
_DRAWING = ".excalidraw.md"
_HEADING = re.compile(r"<(?P<close>/?)h(?P<level>[1-6])(?=[\s>])")
_FOOTNOTE_ID = re.compile(r"#?fn(?:ref)?-e\d+-[\d:]+")  # of a footnote in an embedded text
_CONTAINERS = ("paragraph_open", "td_open", "th_open")
_BREAKS = ("softbreak", "hardbreak")


def embedded_pages(pages: Iterable[Page], links: Links) -> dict[str, tuple[Page, ...]]:
    """Return the pages whose text a page may embed, at any depth, by the path of the embedding page; each list by address."""
    pages = list(pages)
    by_slug = {page.slug: page for page in pages}
    embeds = {page.slug: slugs for page in pages if (slugs := _direct_embeds(page, links, by_slug))}
    return {by_slug[slug].neuron.path: _reachable(slug, embeds, by_slug) for slug in embeds}


def _direct_embeds(page: Page, links: Links, by_slug: Mapping[str, Page]) -> tuple[str, ...]:
    source, slugs = page.neuron.path, dict[str, None]()
    for target in embedded_targets(page.neuron.body):
        if not target:
            slugs[page.slug] = None
        elif (
            suffix(target) not in MEDIA
            and (link_target := links.look_up(("name", source, target)))
            and link_target[0] == "page"
        ):
            slugs[link_target[1]] = None
    return tuple(slug for slug in slugs if slug in by_slug)


def _reachable(slug: str, embeds: Mapping[str, tuple[str, ...]], by_slug: Mapping[str, Page]) -> tuple[Page, ...]:
    targets, frontier = dict[str, None](), [slug]
    for _ in range(_MAX_DEPTH):
        frontier = list(dict.fromkeys(to for slug_above in frontier for to in embeds.get(slug_above, ()) if to not in targets))
        targets |= dict.fromkeys(frontier[: _MAX_EMBEDS - len(targets)])
    return tuple(by_slug[target] for target in sorted(targets))


class Embeds:
    """Inserts the embedded texts of one page; `chain` has the slugs of the pages that lead to an embed."""

    def __init__(self, page: Page, texts: Iterable[Page], links: Links, root: str, out: Html, config: Config) -> None:
        self._path, self._line = page.neuron.path, page.neuron.line
        self._texts = {text.slug: text for text in texts}
        self._links, self._root, self._out, self._config = links, root, out, config
        self._count = self._size = 0
        self._is_full = False

    def fill(self, tokens: list[Token], addresses: Addresses, slug: str) -> list[Token]:
        """Replace each line that only embeds a note by the note's text. The tokens must be rewritten already."""
        return self._fill(tokens, addresses, (slug,)) if self._texts else tokens

    def _fill(self, tokens: list[Token], addresses: Addresses, chain: tuple[str, ...]) -> list[Token]:
        out, level, at = list[Token](), 1, 0
        while at < len(tokens):
            token = tokens[at]
            level = int(token.tag[1]) if token.type == "heading_open" else level
            if token.type in _CONTAINERS and any(EMBED in child.meta for child in tokens[at + 1].children or ()):
                if len(chain) == 1 and token.map:
                    self._line = addresses.page.neuron.line + token.map[0]
                out += self._paragraph(tokens[at : at + 3], level, addresses, chain)
                at += 3
            else:
                out.append(token)
                at += 1
        return out

    def _paragraph(self, paragraph: list[Token], level: int, addresses: Addresses, chain: tuple[str, ...]) -> Iterator[Token]:
        """Split a paragraph at its embeds, or fill a cell. An embed without a text stays a link."""
        if paragraph[0].type != "paragraph_open":
            html = self._embed(paragraph[1].children or [], level, addresses, chain)
            cell = paragraph[1] if html is None else Token("html_block", "", 0, content=html, block=True)
            yield from (paragraph[0], cell, paragraph[2])
            return
        text_lines = list[list[Token]]()
        for line in _lines(paragraph[1].children or []):
            html = self._embed(line, level, addresses, chain)
            if html is None:
                text_lines.append(line)
                continue
            yield from _as_paragraph(paragraph, text_lines)
            text_lines = []
            yield Token("html_block", "", 0, content=html, block=True)
        yield from _as_paragraph(paragraph, text_lines)

    def _embed(self, line: list[Token], level: int, addresses: Addresses, chain: tuple[str, ...]) -> str | None:
        tokens = [token for token in line if token.type != "text" or token.content.strip()]
        if not tokens or EMBED not in tokens[0].meta or len(tokens) != 3:
            return None
        slug, heading = tokens[0].meta[EMBED]
        page = self._texts.get(slug)
        if page is None or not page.neuron.path.lower().endswith(MARKDOWN) or page.neuron.path.lower().endswith(_DRAWING):
            return None
        is_own_part = bool(heading) and chain == (slug,)
        if not is_own_part and slug in chain:
            return None
        if len(chain) > _MAX_DEPTH or not self._may_add(len(page.neuron.body)):
            return None
        text = self._text(page, heading, level, addresses, (*chain, slug))
        if text is None:
            return None
        link = f'<a href="{escape(str(tokens[0].attrs["href"]))}">{escape(tokens[1].content)}</a>'
        return f'<div class="embedded">\n<p class="embedded-title">{link}</p>\n<div class="{EMBEDDED}">\n{text}</div>\n</div>\n'

    def _may_add(self, size: int) -> bool:
        if self._count >= _MAX_EMBEDS or self._size + size > _MAX_CHARACTERS:
            if not self._is_full:
                message = (
                    f"embeds more than {_MAX_EMBEDS} texts, or {_MAX_CHARACTERS:,} characters of pages: the rest are links"
                )
                self._out.warnings.append(Warn(self._path, "limit", message, self._line))
            self._is_full = True
            return False
        self._count += 1
        self._size += size
        return True

    def _text(self, page: Page, heading: str, level: int, above: Addresses, chain: tuple[str, ...]) -> str | None:
        """Return the safe HTML of a page, of a section or of a block, with headings below `level`; `above` embeds it."""
        number = self._count
        addresses = _EmbeddedAddresses(page, self._links, self._root, Html(""), self._config)
        addresses.number = number
        env = environment(self._config, page.neuron.path) | {
            "docId": f"e{number}",
            references.IS_KNOWN: addresses.page_of_label,
        }
        tokens = without_title(parser().parse(page.neuron.body, env), page.neuron.title)
        Rewriter(addresses).rewrite(tokens)
        part = _part(tokens, "" if heading and anchor_of(heading) == anchor_of(page.neuron.title) else heading)
        if part is None:
            return None
        part = self._fill(part, addresses, chain)
        html = sanitise(html_of(part, env, self._config), addresses, trusted=self._config.trusted_html)
        above.merge(addresses)
        return _lower_headings(html, level + 1)


class _EmbeddedAddresses(Addresses):
    """The addresses in an embedded text: anchors lead to its own page, and its ids are removed from the embedding page."""

    number = 0  # of the embed on the page

    def attribute(self, tag: str, name: str, value: str) -> str | None:
        """Return the new value of an attribute; an id is kept only for a footnote."""
        if name == "id" or (name == "href" and _FOOTNOTE_ID.fullmatch(value)):
            return self._final_address(Address(value)).href if _FOOTNOTE_ID.fullmatch(value) else None
        if name == "name" and tag == "details":
            return f"e{self.number}-{value}"
        return super().attribute(tag, name, value)

    def _same_page(self, anchor: str) -> Address:
        return self.page_address(self.page.slug, anchor)


def _lines(children: Sequence[Token]) -> list[list[Token]]:
    """Split inline tokens at line breaks outside of links and emphasis."""
    lines, depth = [list[Token]()], 0
    for child in children:
        depth += child.nesting
        if child.type in _BREAKS and not depth:
            lines.append([])
        else:
            lines[-1].append(child)
    return lines


def _as_paragraph(paragraph: Sequence[Token], lines: Sequence[list[Token]]) -> Iterator[Token]:
    tokens = [token for line in lines for token in (Token("softbreak", "br", 0), *line)][1:]
    if any(token.type != "text" or token.content.strip() for token in tokens):
        yield paragraph[0]
        yield Token("inline", "", 0, children=tokens, block=True)
        yield paragraph[2]


def _part(tokens: list[Token], heading: str) -> list[Token] | None:
    """Return the tokens of a section or of a block, `^name`, with their footnotes; `None` if there is no such part."""
    end = next((at for at, token in enumerate(tokens) if token.type == "footnote_block_open"), len(tokens))
    text, notes = tokens[:end], tokens[end:]
    if heading.startswith("^"):
        part = _block(text, heading[1:].strip())
    else:
        part = _section(text, last_heading(heading)) if heading else text
    return part and [*part, *_notes(part, notes)]


def _section(tokens: list[Token], heading: str) -> list[Token] | None:
    """Return the tokens of the section with this anchor; else of the one with this heading."""
    starts = [at for at, token in enumerate(tokens) if token.type == "heading_open"]
    anchors = [(tokens[at].attrGet("id"), anchor_of(words(tokens[at + 1].children or [])), at) for at in starts]
    by_heading = (at for anchor, by_words, at in anchors if anchor_of(heading) in (anchor, by_words))
    begin = next((at for anchor, _, at in anchors if anchor == heading), next(by_heading, None))
    if begin is None:
        return None
    depth = 0
    for at in range(begin, len(tokens)):
        token = tokens[at]
        ends = at > begin and not depth and token.type == "heading_open" and token.tag <= tokens[begin].tag
        depth += token.nesting
        if ends or depth < 0:
            return tokens[begin:at]
    return tokens[begin:]


def _block(tokens: list[Token], name: str) -> list[Token] | None:
    """Return the paragraph, list item or heading that ends with `^name`, or the block above if the name stands alone."""
    mark = f'<span id="block-{name}">'
    for at, token in enumerate(tokens):
        children = [child for child in token.children or () if child.type != "text" or child.content.strip()]
        if not any(child.type == "html_inline" and child.content == mark for child in children):
            continue
        if len(children) == 2 and at > 1 and tokens[at - 2].nesting <= 0:
            return tokens[_other_end(tokens, at - 2, -1) : at - 1]
        if at > 1 and tokens[at - 2].type == "list_item_open":
            item = tokens[at - 2 : _other_end(tokens, at - 2, 1) + 1]
            return [Token("bullet_list_open", "ul", 1), *item, Token("bullet_list_close", "ul", -1)]
        return tokens[at - 1 : at + 2]
    return None


def _other_end(tokens: Sequence[Token], at: int, step: int) -> int:
    """Return the index of the token that opens the block that ends at `at`, or closes the one that begins there."""
    depth = int(tokens[at].nesting)
    while depth and 0 <= at + step < len(tokens):
        at += step
        depth += tokens[at].nesting
    return at


def _notes(part: Sequence[Token], notes: Sequence[Token]) -> Iterator[Token]:
    """Yield the footnotes to which a part refers."""
    cited = {child.meta["id"] for token in part for child in token.children or () if child.type == "footnote_ref"}
    if not (cited and notes):
        return
    yield notes[0]
    is_cited = False
    for note in notes[1:-1]:
        is_cited = note.meta["id"] in cited if note.type == "footnote_open" else is_cited
        if is_cited:
            yield note
    yield notes[-1]


def _lower_headings(html: str, highest: int) -> str:
    """Lower the levels of all headings equally, so that none is above `highest`."""
    levels = [int(heading["level"]) for heading in _HEADING.finditer(html)]
    shift = max(0, highest - min(levels, default=highest))
    return _HEADING.sub(lambda match: f"<{match['close']}h{min(6, int(match['level']) + shift)}", html) if shift else html
