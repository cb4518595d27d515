"""Published pictures and documents: each must be a file of the content folder that a published page names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from ranvier_builder.check.leaks.found import Leak
from ranvier_builder.check.leaks.sources import Content
from ranvier_builder.config import Config

FOLDER = "_media"
# What can be an item of its own, without a page that shows it: then the default audience decides.
_ALONE = (".pdf", ".mp3", ".ogg", ".wav", ".m4a", ".flac", ".mp4", ".webm", ".vtt", ".srt")


def media_leaks(out: Path, content: Content, config: Config) -> tuple[list[Leak], set[str]]:
    """Return what is wrong with the published media, and the names of files that are in order."""
    written = sorted(path for path in (out / FOLDER).rglob("*") if path.is_file()) if (out / FOLDER).is_dir() else []
    if not written:
        return [], set()
    originals = _by_digest(content, {path.stat().st_size for path in written})
    named = _named(content)
    leaks, good = [], set()
    for path in written:
        name = path.relative_to(out).as_posix()
        same = originals.get(sha256(path.read_bytes()).hexdigest(), [])
        allowed = [one for one in same if _allowed(one, content, named, config)]
        if allowed:
            good.add(name)
        elif same:
            leaks.append(Leak(name, "file", "media", same[0], f"the same bytes as {same[0]}"))
        else:
            leaks.append(Leak(name, "file", "media", "", "no file of the content folder has these bytes"))
    return leaks, good


def _allowed(path: str, content: Content, named: set[str], config: Config) -> bool:
    if path in content.media_withheld:
        return False
    alone = config.default_audience and path.lower().endswith(_ALONE)
    return path in content.media_published or PurePosixPath(path).name.casefold() in named or bool(alone)


def _by_digest(content: Content, sizes: set[int]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for path in content.media:
        file = content.root / path
        if file.stat().st_size in sizes:
            found[sha256(file.read_bytes()).hexdigest()].append(path)
    return found


def _named(content: Content) -> set[str]:
    """Return the names of media that stand in the source of a published file."""
    return set(_names_in("\n".join(unquote(source.text).casefold() for source in content.published), content))


def _names_in(text: str, content: Content) -> Iterator[str]:
    for path in content.media:
        name = PurePosixPath(path).name.casefold()
        if name in text:
            yield name
