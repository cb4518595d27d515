"""Backlinks (N4, S2) are the inverted link table."""

from __future__ import annotations

from ranvier_builder.model import Link, Rendered
from ranvier_builder.render.backlinks import backlinks
from support.content import page


def test_backlinks() -> None:
    b, a, hidden = page("b.md", title="beta"), page("a.md", title="Alpha"), page("h.md", noindex=True)
    to_c = Link("c", "c")
    rendered = [
        Rendered(b, "", (), (), links=(to_c, to_c, Link("b", "b"), Link("https://x.example", None, external=True))),
        Rendered(a, "", (), (), links=(to_c, Link("gone", None), Link("pic.png", None, file=True), Link("b", "b"))),
        Rendered(hidden, "", (), (), links=(to_c,)),
    ]
    assert backlinks(rendered) == {"b": (a,), "c": (a, b)}
    assert backlinks(rendered[::-1]) == {"b": (a,), "c": (a, b)}
