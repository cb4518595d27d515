"""The templates and static files of a theme. Each file of the author's own folder replaces the theme's file."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any

from jinja2 import BytecodeCache, FunctionLoader, TemplateNotFound, TemplateSyntaxError
from jinja2.bccache import Bucket
from jinja2.sandbox import ImmutableSandboxedEnvironment
from ranvier_themes import strings, text_language, theme_path, themes

from ranvier_builder.config import Config
from ranvier_builder.errors import ConfigError
from ranvier_builder.package_files import read_files
from ranvier_builder.paths import PAGES

DEFAULT = "default"  # the theme whose templates other themes inherit
EXTRA = "extra.css"  # a style sheet in the author's folder that pages load after the theme's
MERMAID = "mermaid.min.js"  # the author's copy of Mermaid, which draws diagrams
_CURE = "the manual's page about themes lists the templates and their variables"


class CompiledTemplates(BytecodeCache):
    """A cache of compiled templates, shared by all sites, languages and builds of this process."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the code of a template with the same source."""
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store the code of a template."""
        if bucket.code is not None:
            self._codes[bucket.key, bucket.checksum] = bucket.code


_COMPILED = CompiledTemplates()


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme for one build. `static` has its static files; `digest` covers the author's templates."""

    static: Mapping[str, bytes]
    digest: str
    _environment: Callable[[str], ImmutableSandboxedEnvironment]  # of a language
    _own_paths: frozenset[str]  # paths of the author's templates

    def render(self, template: str, variables: Mapping[str, Any], *langs: str) -> str:
        """Render a template, with texts in the first of these languages that the themes have.

        An error in a template of the author is a `ConfigError` with its file and line.
        """
        try:
            return self._environment(text_language(*langs)).get_template(template).render(variables)
        except Exception as error:  # a template can raise any error
            file, line = self._error_position(error)
            if file not in self._own_paths:
                raise
            message = f"there is no template {error.name!r}" if isinstance(error, TemplateNotFound) else str(error)
            raise ConfigError(f"the template has an error: {message}", file=file, line=line, cure=_CURE) from None

    def _error_position(self, error: Exception) -> tuple[str, int | None]:
        """Return the file and the line of an error in the innermost template of the author."""
        if isinstance(error, TemplateSyntaxError):
            return error.filename or "", error.lineno
        frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
        return next((frame for frame in reversed(frames) if frame[0] in self._own_paths), ("", None))


def load_theme(config: Config) -> Theme:
    """Read the theme of a site, and the author's own folder; raise `ConfigError` for a file that does not belong there."""
    chain = dict.fromkeys((DEFAULT, config.theme))
    sources = {f"{name}/{file}": data for name in themes() for file, data in read_files(theme_path(name) / "templates")}
    for name in chain:
        sources |= {file: data for file, data in read_files(theme_path(name) / "templates")}
    static = dict(read_files(theme_path(config.theme) / "static"))
    templates = {name: (data.decode("utf-8"), name) for name, data in sources.items()}
    own_files = _own_files(Path(config.theme_dir)) if config.theme_dir else {}
    hasher, own_paths = sha256(), set[str]()
    for name, (file, data) in sorted(own_files.items()):
        kind, _, path = name.partition("/")
        if kind == "static":
            static[path] = data
            continue
        templates[path] = _text(file, data), str(file)
        own_paths.add(str(file))
        hasher.update(repr((path, data)).encode())

    @cache
    def environment(language: str) -> ImmutableSandboxedEnvironment:
        sandbox = ImmutableSandboxedEnvironment(
            loader=FunctionLoader(lambda name: (*templates[name], None) if name in templates else None),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            bytecode_cache=_COMPILED,
        )
        sandbox.globals["strings"] = SimpleNamespace(**strings(language))  # a global: macros use it, too
        return sandbox

    return Theme(static, hasher.hexdigest(), environment, frozenset(own_paths))


def _own_files(folder: Path) -> dict[str, tuple[Path, bytes]]:
    """Read `templates/` and `static/` of the author's folder. Hidden files are skipped; links out of it are an error."""
    root, files = folder.resolve(), dict[str, tuple[Path, bytes]]()
    for file in sorted([*folder.glob("templates/**/*"), *folder.glob("static/**/*")]):
        name = file.relative_to(folder).as_posix()
        if any(part.startswith(".") for part in name.split("/")) or not file.is_file():
            continue
        if not file.resolve().is_relative_to(root):
            raise ConfigError("leads out of the folder of the theme", file=file, cure="copy the file into the folder")
        if name.lower().endswith(PAGES):
            cure = "move it to the content: files of a theme are published without a check of their audience"
            raise ConfigError("is Markdown or a canvas in the folder of the theme", file=file, cure=cure)
        try:
            files[name] = file, file.read_bytes()
        except OSError as error:
            raise ConfigError(f"cannot be read: {error.strerror}", file=file, cure="make it readable") from None
    return files


def _text(file: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"is not UTF-8: {error}", file=file, line=data.count(b"\n", 0, error.start) + 1) from None
