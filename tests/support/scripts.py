"""Sites in which a test puts scripts of its own in the place of theirs: nothing says there any more what a script has to be."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, Route

_SEALS = re.compile(r' integrity="[^"]*"|(?<=\bSEALS = )\{[^}]*\}')
_SEALED = re.compile(r"/(?:[^/?]*\.html|ui/search-box\.js)?(?:\?.*)?$")


def unsealed(text: str) -> str:
    """Return a page or a script without digests of others."""
    return _SEALS.sub(lambda result: "" if result[0].startswith(" ") else "{}", text)


def unseal(site: Path) -> None:
    """Take the digests out of a built site, in place."""
    for file in (*site.rglob("*.html"), *site.glob("_ranvier/web-*/**/*.js")):
        file.write_text(unsealed(file.read_text("utf-8")), "utf-8")


def unseal_what_comes(page: Page) -> None:
    """Take them out of what a page of the browser is sent."""

    def pass_on(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=unsealed(response.text()))

    page.route(_SEALED, pass_on)
