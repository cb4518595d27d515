"""What templates show of a site itself: its logo, its icon, its repository and its line of copyright."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup

from ranvier_builder.config import FILE, PICTURES, is_address, printable
from ranvier_builder.errors import ConfigError
from ranvier_builder.model import Setting, Warn
from ranvier_builder.paths import suffix
from ranvier_builder.render.addresses import MEDIA_FOLDER
from ranvier_builder.render.media import Media

_NO_SIZE = "32x32"  # of an SVG that has only proportions: most icons are square


class Identity(NamedTuple):
    """The variables of templates, the pictures to publish, and warnings about settings of other systems."""

    variables: dict[str, Any]
    files: tuple[str, ...]
    warnings: tuple[Warn, ...]


def site_identity(settings: Mapping[str, Setting], media: Media) -> Identity:
    """Check the settings of `read.identity`; raise `ConfigError` for a picture in `ranvier.toml` that is not published."""
    variables: dict[str, Any] = dict.fromkeys(("logo", "icon", "repository", "copyright"), "")
    files, warnings = list[str](), list[Warn]()
    for key, setting in settings.items():
        path = _path(setting, media) if key in PICTURES else ""
        if key in PICTURES and not (path or setting.is_own):
            continue  # another system also finds pictures in its themes
        if problem := _problem(key, setting, path, media):
            message = f"{key} {printable(setting.value)} cannot be published: {problem}"
            if setting.is_own:
                cure = f'name another picture, or write {key} = "" for none'
                raise ConfigError(message, file=setting.file, line=setting.line or None, cure=cure)
            warnings.append(Warn(setting.file, "media", f'{message}; set {key} in {FILE}, or {key} = "" for none'))
            continue
        files += [path] * (key in PICTURES)
        variables[key] = _variable(key, setting.value, path, media)
    return Identity(variables, tuple(files), tuple(warnings))


def _path(setting: Setting, media: Media) -> str:
    """Return the path of a picture for `media`: in the content, or of a file elsewhere that our own settings name."""
    return media.at(setting.value) or (setting.value if setting.is_own and Path(setting.value).is_absolute() else "")


def _problem(key: str, setting: Setting, path: str, media: Media) -> str:
    if key not in PICTURES:
        is_valid = key != "repository" or is_address(setting.value)
        return "" if is_valid else "it is no address with http or https and without a user name"
    if suffix(path) not in PICTURES[key]:
        return f"the content has no such {'picture' if key == 'logo' else 'SVG, PNG or ICO file'} that may be published"
    return "it is a withheld picture under another name" if media.is_refused(path) else media.name(path)[1]


def _variable(key: str, value: str, path: str, media: Media) -> Any:
    if key == "copyright":
        return _inline(value)
    address = f"{MEDIA_FOLDER}/{quote(media.name(path)[0])}" if path else value
    if key != "logo":
        return address
    width, height = (media.size(path) or _NO_SIZE).split("x")
    return {"url": address, "width": width, "height": height}


def _inline(text: str) -> Markup:
    """Return a line of Markdown or HTML, of which only links and line breaks stay."""
    html = MarkdownIt("commonmark").renderInline(" ".join(text.split()))
    return Markup(nh3.clean(html, tags={"a", "br"}, attributes={"a": {"href"}}, attribute_filter=_absolute))


def _absolute(_: str, name: str, value: str) -> str | None:
    return value if name != "href" or value.lower().startswith(("http://", "https://", "mailto:")) else None
