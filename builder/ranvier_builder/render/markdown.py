"""Markdown → safe HTML. The Markdown is untrusted, and the result is sanitised."""

from __future__ import annotations

from collections.abc import Iterable

from ranvier_builder.config import Config
from ranvier_builder.markdown.claims import SIGN
from ranvier_builder.markdown.dialects import claim_signs, references
from ranvier_builder.markdown.dialects.containers import PROBLEMS
from ranvier_builder.markdown.parser import environment, html_of, parser
from ranvier_builder.model import Page, Warn
from ranvier_builder.render.addresses import Addresses, Html
from ranvier_builder.render.links import Links
from ranvier_builder.render.rewrite import Rewriter
from ranvier_builder.render.sanitise import sanitise
from ranvier_builder.render.title_heading import has_more_titles, without_title
from ranvier_builder.render.transclusion import Embeds


def render(
    page: Page,
    links: Links,
    root: str,
    config: Config = Config(),  # noqa: B008 (it is frozen)
    embedded: Iterable[Page] = (),
) -> Html:
    """Render a page's Markdown.

    `root` is the relative path from the page to the site's root, `"../../"`; `embedded` are the pages whose text it may embed.
    """
    out = Html("")
    addresses = Addresses(page, links, root, out, config)
    env = environment(config, page.neuron.path) | {references.IS_KNOWN: addresses.page_of_label}
    tokens = parser().parse(page.neuron.body, env)
    if not has_more_titles(tokens):
        tokens = without_title(tokens, page.neuron.title)
    out.warnings += [
        Warn(page.neuron.path, "markup", message, page.neuron.line + line) for line, message in sorted(env.get(PROBLEMS, []))
    ]
    Rewriter(addresses).rewrite(tokens)
    tokens = Embeds(page, embedded, links, root, out, config).fill(tokens, addresses, page.slug)
    out.html = sanitise(html_of(tokens, env, config), addresses, trusted=config.trusted_html)
    if env[claim_signs.SHOWN]:  # a sign in raw HTML or in an attribute
        out.html = out.html.replace(SIGN, "")
    return out
