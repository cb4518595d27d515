"""Terminal output of an answer: notices, hits or a list, facets, and the explanation of a hit's rank."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import unescape

from ranvier import Backlink, Explanation, FacetCount, Hit, SearchResult
from rich.columns import Columns
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ranvier_builder.strict import visible, visible_text

FACET_VALUES = 15  # values per facet; --json has all


def show_answer(console: Console, result: SearchResult) -> None:
    """Print an answer for a terminal; without search words, as a list."""
    for notice in result.notices:
        console.print(Text(visible(notice.text), style="yellow"))
    if not result.hits:
        console.print("No results.")
    elif all(hit.is_filter_result or not hit.matched_in for hit in result.hits):
        _show_rows(console, ((hit.title, hit.path, hit.updated) for hit in result.hits))
    else:
        for hit in result.hits:
            _show_hit(console, hit)
    if any(result.facets.values()):
        console.print(Columns([_facet(name, counts) for name, counts in result.facets.items() if counts], padding=(1, 4)))
    if result.next_offset is not None:
        console.print(f"{result.total_hits} hits in total; --offset {result.next_offset} shows more.", style="dim")


def show_backlinks(console: Console, backlinks: Sequence[Backlink]) -> None:
    """Print the backlinks of a page."""
    if not backlinks:
        console.print("No page links to this page.")
    _show_rows(console, ((backlink.title, backlink.path, "") for backlink in backlinks))


def _show_rows(console: Console, rows: Iterable[tuple[str, str, str]]) -> None:
    """Print title, path and date. Lines are not cut: a cut path cannot be used."""
    for title, path, date in rows:
        line = Text.assemble(
            (visible(title), "bold"), (f"  {visible(path)}", "cyan"), (f"  {visible(date)}" if date else "", "dim")
        )
        console.print(line, soft_wrap=True)


def _show_hit(console: Console, hit: Hit) -> None:
    alias = Text.assemble(" (", highlight(hit.highlight), ")") if hit.field == "alias" else ""
    title, url = highlight(hit.title_highlight, "bold"), (f"  {visible(hit.url) or './'}", "cyan")
    console.print(Text.assemble((f"{hit.rank}. ", "dim"), title, alias, url))
    console.print(highlight(hit.snippet), soft_wrap=False)
    for sub in hit.sub_results:
        console.print(
            Text.assemble("   ", (f"# {visible(sub.title)}", "dim"), (f"  {visible(sub.url)}", "cyan dim")), soft_wrap=True
        )
    if hit.explain is not None:
        matched = ", ".join(hit.matched_in) or "—"
        details = f"   confidence {hit.confidence:.2f} ({hit.level}), {hit.coverage} words, found by {matched}"
        console.print(Text(details, style="dim"), soft_wrap=True)
        console.print(Padding(_explanation_table(hit.explain), (0, 0, 1, 3)))


def _explanation_table(explain: Explanation) -> Table:
    """Return a table of a hit's ranking: its legs, their fusion, and the effect of each stage."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("stage", "rank", "raw", "effect", "score"):
        table.add_column(heading, justify="left" if heading == "stage" else "right", no_wrap=True)
    table.add_column("reason", overflow="fold")
    for leg in explain.legs:
        table.add_row(leg.leg, str(leg.rank), f"{leg.raw:g}", f"{leg.rrf:+.6f}")
    table.add_row("fused", "", "", f"k = {explain.k}" if explain.k else "", f"{explain.base_score:.6f}")
    for step in explain.steps:
        table.add_row(step.stage, "", "", step.effect, f"{step.score:.6f}", Text(visible(step.reason)))
    table.add_row("final", "", "", "", f"{explain.final_score:.6f}", style="bold")
    return table


def _facet(name: str, counts: Sequence[FacetCount]) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", style="dim")
    table.add_column(overflow="fold")
    table.add_row("", Text(name, style="bold"))
    for count in counts[:FACET_VALUES]:
        table.add_row(f"{count.count:,}", Text(visible(count.value)))
    if len(counts) > FACET_VALUES:
        table.add_row("", Text(f"… and {len(counts) - FACET_VALUES} more", style="dim"))
    return table


def highlight(html: str, style: str = "") -> Text:
    """Convert HTML text with `<mark>` to styled terminal text."""
    text = Text(style=style)
    for at, part in enumerate(re.split(r"</?mark>", html)):
        text.append(visible_text(unescape(part)), style="bold yellow" if at % 2 else "")
    return text
