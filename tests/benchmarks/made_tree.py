"""Makes a tree of many pages: sections of real Markdown, shuffled into distinct pages in folders.

`python tests/benchmarks/made_tree.py PAGES OUT FOLDER… [--withheld .01]`: each FOLDER is a pool, so that a page is in one
language. A page has a unique title of words of its pool, and sections with some of their paragraphs, so that hardly any pages
are equal. Links between files lead to generated pages. The same input gives the same tree.
"""

import argparse
import random
import re
from dataclasses import dataclass
from pathlib import Path

SEED = 7
SIZE = 3500  # characters of a page, roughly
FOLDER = 60  # pages of a folder, on average: most have fewer, some have hundreds
LINK_DISTANCE = 40  # to the page of a link; one link in ten leads to any page
PARAGRAPH_SHARE = 0.85  # of the paragraphs of a section

_HEAD = re.compile(r"(#{1,6}) +(.+?)[ #]*")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_LINK = re.compile(r"(!?)\[([^\[\]\n]*)\]\((?!https?:|mailto:|#)[^()\n]*\)")
_WIKILINK = re.compile(r"!?\[\[[^\[\]\n]*\]\]")
_WORD = re.compile(r"[A-Za-z]{3,12}")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, and the paragraphs below it. A block of code is one paragraph."""

    heading: str
    paragraphs: tuple[str, ...]


def sections(text: str) -> list[Section]:
    """Split Markdown at its headings, without front matter and the text before the first heading."""
    results: list[Section] = []
    heading, paragraphs, lines, fence = "", [], [], ""
    for line in [*text.splitlines(), "# End"]:
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
        head = None if fence else _HEAD.fullmatch(line)
        if (head or not line.strip()) and not fence:
            paragraphs += ["\n".join(lines)] if lines else []
            lines = []
        else:
            lines.append(line)
        if head:
            if heading and paragraphs:
                results.append(Section(heading, tuple(paragraphs)))
            heading, paragraphs = head[2], []
    return results


class Pool:
    """The sections and words of one folder; sections are drawn in a random order, again and again."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        texts = [file.read_text("utf-8", "replace") for file in sorted(folder.rglob("*.md"))]
        self.all = [section for text in texts for section in sections(text)]
        self._words = sorted({word.lower() for section in self.all for word in _WORD.findall(" ".join(section.paragraphs))})
        self._rng = rng
        self._remaining: list[Section] = []

    def section(self) -> Section:
        """Draw one section, with most of its paragraphs."""
        if not self._remaining:
            self._remaining = self._rng.sample(self.all, len(self.all))
        section = self._remaining.pop()
        paragraphs = tuple(paragraph for paragraph in section.paragraphs if self._rng.random() < PARAGRAPH_SHARE)
        return Section(section.heading, paragraphs or section.paragraphs[:1])

    def name(self) -> str:
        """Make a name of three words, which is most likely new: `SessionQuotaHeader`."""
        return "".join(word.capitalize() for word in self._rng.choices(self._words, k=3))


def generated_pages(pools: list[Pool], count: int, rng: random.Random) -> dict[str, str]:
    """Return the Markdown of pages by their paths."""
    owners = [pool for pool in pools for _ in range(max(1, count * len(pool.all) // sum(len(pool.all) for pool in pools)))]
    owners = [owners[at * len(owners) // count] for at in range(count)]
    names = [f"{owner.name()}{number}" for number, owner in enumerate(owners)]
    paths, folder, remaining = [], "", 0
    for number, name in enumerate(names):
        if not remaining:
            remaining = min(400, 1 + int(rng.expovariate(1 / FOLDER)))
            folder = f"part-{number * 12 // count:02}/{owners[number].name().lower()}"
        paths.append(f"{folder}/{name.lower()}.md")
        remaining -= 1
    return {paths[number]: page(owners[number], names, paths, number, rng) for number in range(count)}


def page(pool: Pool, names: list[str], paths: list[str], number: int, rng: random.Random) -> str:
    """Write one page: a title, then sections until it is long enough."""
    length = rng.uniform(0.3, 1.7) * SIZE
    first = pool.section()
    parts = [f"# {names[number]}: {first.heading}", *first.paragraphs]
    while sum(map(len, parts)) < length:
        section = pool.section()
        parts += [f"## {section.heading}", *section.paragraphs]

    def link(match: re.Match[str]) -> str:
        if match[1]:
            return match[2]
        target = rng.randrange(len(names)) if rng.random() < 0.1 else number + rng.randint(-LINK_DISTANCE, LINK_DISTANCE)
        target = min(max(target, 0), len(names) - 1)
        return f"[{match[2] or names[target]}](/{paths[target]})"

    return _WIKILINK.sub("", _LINK.sub(link, "\n\n".join(parts))) + f"\n\nSee `{names[number]}`.\n"


def main() -> None:
    """Write the tree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=int)
    parser.add_argument("out", type=Path)
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--withheld", type=float, default=0.0, help="the share of pages with `audience: curator`")
    args = parser.parse_args()
    rng = random.Random(SEED)
    for path, text in generated_pages([Pool(folder, rng) for folder in args.folder], args.pages, rng).items():
        file = args.out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        head = "---\naudience: curator\n---\n" if rng.random() < args.withheld else ""
        file.write_text(head + text, "utf-8")


if __name__ == "__main__":
    main()
