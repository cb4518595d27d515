"""The texts of the rows in the search box, and faults in them that a reader would notice."""

import re
from collections.abc import Collection
from typing import Any

ROWS = """
rows => rows.map((row) => ({
  crumbs: [...row.querySelectorAll(".crumbs:not(.alias)")].map((line) => line.textContent).join(" › "),
  title: row.querySelector(".page .title").textContent,
  href: row.querySelector(".page").href,
  sections: [...row.querySelectorAll(".section")].map((section) => ({
    title: section.querySelector(".title").textContent,
    href: section.href,
  })),
}))
"""
QUERIES = (
    "cache", "install", "publish", "offline", "headers", "language", "snapshot", "manifest", "search box", "leak", "tags",
    "stemmer", "how to host", "query language", "vectors", "text shards", "browser memory", "title", "compress",
    "pyodide", "build report", "audience", "links", "theme", "drafts", "digest", "ranking", "spelling", "engine size",
    "serve", "wikilink", "why is it slow",
)  # fmt: skip
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")  # of a note
_SLUG = re.compile(r"[a-z0-9_]+(?:-[a-z0-9_]+)*")


def faults(row: dict[str, Any], titles: Collection[str]) -> dict[str, int]:
    """Count the faults of a row.

    `repeated`: its path has the title of a section that is listed below. `slug`: its path has a file's name. `misleading`: a
    section leads to the top of the page, or the path names a section and the row leads to the page. `titles` are the titles of
    folders.
    """
    lines = [part for line in row["crumbs"].split(" · ") for part in line.split(" › ") if part]
    parts = [part for part in lines if not re.match(r"#\S", part) and part not in titles]  # without tags
    sections = [section["title"] for section in row["sections"]]
    return {
        "repeated": sum(part in sections for part in lines),
        "slug": sum(_SLUG.fullmatch(part) is not None for part in parts),
        "misleading": sum("#" not in section["href"] for section in row["sections"])
        + sum("#" not in row["href"] and part != "near in meaning" and not _DAY.fullmatch(part) for part in parts),
    }
