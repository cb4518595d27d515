"""The MkDocs plugin `ranvier`: it replaces the search of the themes Material, mkdocs and readthedocs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from glob import escape
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

from mkdocs.config import Config as PluginConfig
from mkdocs.config import config_options as option
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_theme_dir, get_theme_names

from ranvier_builder import BuildError, index
from ranvier_builder.integrations.settings import STATIC, config_file, messages, site_config

log = get_plugin_logger("ranvier")

SCRIPT, STYLES = "assets/ranvier.js", "assets/ranvier.css"  # the script imports `../_ranvier/search.js`
THEMES = ("material", "mkdocs", "readthedocs")
_MATERIAL = Path(__file__).parent / "material"
_LAST = -100  # after plugins that write or change pages


class Options(PluginConfig):  # type: ignore[no-untyped-call]
    """The options in `mkdocs.yml`."""

    config = option.Optional(option.File(exists=True))  # default: ranvier.toml beside mkdocs.yml, if there is one
    exclude = option.ListOfItems(option.Type(str), default=[])  # globs of HTML files that are not indexed
    listings = option.Optional(option.Type(bool))  # index pages of tags, archives and pagination, too


class _Search(PluginConfig):  # type: ignore[no-untyped-call]
    enabled = option.Type(bool, default=True)
    lang = option.ListOfItems(option.Type(str), default=[])  # mkdocs-static-i18n writes its languages here


class ThemeSearch(BasePlugin[_Search]):  # type: ignore[no-untyped-call]
    """Takes the place of the theme's search plugin: themes show a field or a button if a plugin has its name.

    mkdocs-static-i18n collects the entries of all languages in `search_index`, and calls `on_post_build` to write them.
    """

    def __init__(self) -> None:
        self.search_index = SimpleNamespace(entries=[])

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write nothing: there are no entries."""


class RanvierPlugin(BasePlugin[Options]):  # type: ignore[no-untyped-call]
    """Adds the search box to each page, and indexes the site after each build."""

    _is_preview = False

    def __init__(self) -> None:
        self._excluded: set[str] = set()

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Note whether the site is only shown on this machine."""
        self._is_preview = command == "serve"

    @event_priority(_LAST)
    def on_config(self, config: MkDocsConfig) -> None:
        """Add the script, the styles, and the place of the box.

        Plugins such as mkdocs-static-i18n build each language with the same settings.
        """
        if SCRIPT in map(str, config.extra_javascript):
            return
        theme = _theme(config)
        name = "material/search" if theme == "material" else "search"
        if name in config.plugins:
            log.info("remove `search` from the plugins in mkdocs.yml: ranvier replaces it")
            config.extra_javascript[:] = [script for script in config.extra_javascript if str(script) != "search/main.js"]
        elif theme:
            replacement = ThemeSearch()
            replacement.load_config({})
            config.plugins[name] = replacement
        else:
            log.info("the search opens by its keys only: write <ranvier-search></ranvier-search> into a template of the theme")
        if theme == "material":
            config.theme.dirs.insert(1 if config.theme.custom_dir else 0, str(_MATERIAL))
        script = option.ExtraScriptValue(SCRIPT)
        script.load_dict({"path": SCRIPT, "type": "module"})
        config.extra_javascript.append(script)
        config.extra_css.insert(0, STYLES)

    @event_priority(_LAST)
    def on_files(self, files: Files, *, config: MkDocsConfig) -> None:
        """Add the script and the style sheet to the site; a site may have its own of the same name."""
        for path in (SCRIPT, STYLES):
            if files.get_file_from_path(path) is None:
                source = STATIC / Path(path).name
                files.append(File.generated(config, path, abs_src_path=str(source)))

    def on_page_context(self, context: Any, *, page: Page, config: MkDocsConfig, nav: Any) -> None:
        """Note a page that its author excludes (`search: exclude: true`), and a listing of another plugin."""
        search = page.meta.get("search")
        excluded = isinstance(search, dict) and search.get("exclude") is True
        # Pages of an earlier build stay: of another language, or before a change during `mkdocs serve --dirty`.
        self._excluded.discard(page.file.dest_uri)
        if excluded or (not self.config.listings and _is_listing(page, config)):
            self._excluded.add(page.file.dest_uri)

    def on_serve(self, server: LiveReloadServer, /, *, config: MkDocsConfig, builder: Callable[..., None]) -> None:
        """Index again when the settings change."""
        if (file := self._config_file(config)) is not None:
            server.watch(str(file))

    @event_priority(_LAST)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Index the finished site."""
        site = Path(config.site_dir)
        excluded = [escape(path) for path in sorted(self._excluded) if (site / path).is_file()]
        try:
            settings = site_config(
                self._config_file(config),
                (*self.config.exclude, *excluded),
                title=config.site_name,
                url=config.site_url,
                listings=self.config.listings,
                offline=False if self._is_preview else None,  # a browser must not keep the pages of a preview
            )
            report = index(site, settings)
        except BuildError as error:
            raise PluginError(str(error)) from error
        for line in messages(report):
            log.info(line)

    def _config_file(self, config: MkDocsConfig) -> Path | None:
        return config_file(Path(config.config_file_path or "mkdocs.yml").parent, self.config.config)


def _theme(config: MkDocsConfig) -> str:
    """Return which of the known themes the site has, or extends; or ""."""
    installed = {name for name in THEMES if name in get_theme_names()}
    return next((name for name in THEMES if name in installed and get_theme_dir(name) in config.theme.dirs), "")


def _is_listing(page: Page, config: MkDocsConfig) -> bool:
    """Return whether Material's plugins `blog` and `tags` made the page or its content, apart from the start of the blog."""
    blog = sys.modules.get("material.plugins.blog.structure")
    if blog is not None and isinstance(page, blog.View):
        generated = isinstance(page, (blog.Archive, blog.Category, blog.Profile))
        return generated or (bool(page.pages) and page is not page.pages[0])
    return any(listing.page is page for listing in _tag_listings(config))


def _tag_listings(config: MkDocsConfig) -> Iterator[Any]:
    for name, plugin in config.plugins.items():
        if name.startswith("material/tags"):
            yield from getattr(plugin, "listings", None) or ()
