"""The Sphinx extension `ranvier_builder.integrations.sphinx`: the theme's search field opens the search box."""

from __future__ import annotations

from collections.abc import Iterator
from glob import escape
from pathlib import Path
from typing import Any

import ranvier
from sphinx.application import Sphinx
from sphinx.config import Config as SphinxConfig
from sphinx.errors import ConfigError, ExtensionError
from sphinx.util import logging

from ranvier_builder import BuildError, index
from ranvier_builder.integrations.settings import STATIC, config_file, messages, site_config

logger = logging.getLogger(__name__)

BUILDERS = ("html", "dirhtml")
_LAST = 900  # after extensions that write pages when the build is finished


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the extension; Sphinx calls this."""
    app.add_config_value("ranvier_config", None, "", (str, type(None)))
    app.add_config_value("ranvier_exclude", [], "", (list, tuple))
    app.add_config_value("ranvier_listings", None, "", (bool, type(None)))
    app.connect("config-inited", _check)
    app.connect("builder-inited", _add_to_pages)
    app.connect("build-finished", _index, priority=_LAST)
    return {"version": ranvier.__version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _check(app: Sphinx, config: SphinxConfig) -> None:
    """Check the settings."""
    exclude = config.ranvier_exclude
    if not isinstance(exclude, (list, tuple)) or not all(isinstance(glob, str) for glob in exclude):
        raise ConfigError('ranvier_exclude must be a list of strings; cure: ranvier_exclude = ["changelog/*"]')


def _add_to_pages(app: Sphinx) -> None:
    """Add the script and the style sheet to the static files and to each page of a site; an ebook has no search."""
    if app.builder.name in BUILDERS:
        # First: a file of the same name in the site's own folder replaces ours.
        app.config.html_static_path = [str(STATIC), *app.config.html_static_path]
        app.add_css_file("ranvier.css")
        app.add_js_file("ranvier.js", type="module")


def _without_search(app: Sphinx) -> Iterator[str]:
    """Yield the files of documents whose authors exclude them from the search, by `:no-search:` or its older name."""
    builder: Any = app.builder  # that of HTML
    for name, fields in sorted(app.env.metadata.items()):
        if not {"no-search", "nosearch"}.isdisjoint(fields):
            yield escape(Path(builder.get_outfilename(name)).relative_to(app.outdir).as_posix())


def _index(app: Sphinx, exception: Exception | None) -> None:
    """Index the finished site."""
    if exception is not None or app.builder.name not in BUILDERS:
        return
    config = app.config
    try:
        settings = site_config(
            config_file(Path(app.confdir), config.ranvier_config),
            (*config.ranvier_exclude, *_without_search(app)),
            title=config.project,
            url=config.html_baseurl,
            lang=config.language,
            listings=config.ranvier_listings,
        )
        report = index(Path(app.outdir), settings)
    except BuildError as error:
        raise ExtensionError(f"ranvier: {error}") from error
    for line in messages(report):
        logger.info("ranvier: %s", line)
