"""Sites built without the browser's engine, made whole: every link of their pages leads to a file."""

from __future__ import annotations

from pathlib import Path

from support.content import write_tree


def made_whole(site: Path) -> Path:
    """Mend, in place, what every page names and the stubs of a browser's files leave out; return the site."""
    write_tree(site, {"favicon.svg": "<svg/>"})
    for page in site.rglob("*.html"):
        page.write_text(page.read_text("utf-8").replace("web-0/ui/search-box.js", "web-0/api.js"), "utf-8")
    return site
